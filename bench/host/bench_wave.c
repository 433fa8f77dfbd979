/*
 * How fast `neffsim wave diff` is on large waves that agree: a toggle-dense pair (32 lanes of 64 bits and 33
 * scalars, nearly all of which change in every step; B has other codes, order of declaration and order in a
 * step) as VCD and as FST. Rivals that do less in the same run: a scan of the bytes of both files, one
 * fst2vcd of one side, and vcddiff on a slice if it is installed. Memory is the peak of the process. Then one
 * bit is changed near the end of B, which must be found. Prints ratios; judges nothing else.
 *
 * usage: bench_wave NEFFSIM SCRATCH [MB]   (per VCD file, 220)
 */
#define _DEFAULT_SOURCE /* wait4 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LANES     32
#define SCALARS   33 /* the first is a clock */
#define SIGNALS   (LANES + SCALARS)
#define LANE_BITS 64
#define TICKS     5 /* per step */
#define RUNS      3
#define SLICE     200 /* vcddiff gets this part of the files */
#define PATH_MAX_ 512

/* The FST writer of Verilator's library under the names of host/wave/fst.mk. */
void *wave_third_fstWriterCreate(const char *name, int use_compressed_hier);
uint32_t wave_third_fstWriterCreateVar(void *ctx, int type, int direction, uint32_t width, const char *name,
                                       uint32_t alias);
void wave_third_fstWriterSetScope(void *ctx, int type, const char *name, const char *component);
void wave_third_fstWriterSetUpscope(void *ctx);
void wave_third_fstWriterSetTimescale(void *ctx, int exponent);
void wave_third_fstWriterSetPackType(void *ctx, int type);
void wave_third_fstWriterEmitTimeChange(void *ctx, uint64_t time);
void wave_third_fstWriterEmitValueChange(void *ctx, uint32_t handle, const void *value);
void wave_third_fstWriterClose(void *ctx);
#define FST_WIRE     16
#define FST_PACK_LZ4 2

static void stop(const char *what)
{
    fprintf(stderr, "bench_wave: %s\n", what);
    exit(2);
}

/* ---- the design: xorshift registers and a counter ---- */

struct state {
    uint64_t lane[LANES], scalars; /* bit s of scalars is scalar s */
};

static void reset(struct state *s)
{
    for (unsigned i = 0; i < LANES; i++)
        s->lane[i] = UINT64_C(0x9e3779b97f4a7c15) * (i + 1);
    s->scalars = 0;
}

static void step(struct state *s)
{
    for (unsigned i = 0; i < LANES; i++) {
        s->lane[i] ^= s->lane[i] << 13;
        s->lane[i] ^= s->lane[i] >> 7;
        s->lane[i] ^= s->lane[i] << 17;
    }
    uint64_t clock = ~s->scalars & 1; /* the others follow bits of the first lane */
    s->scalars = clock | (s->lane[0] & ((UINT64_C(1) << SCALARS) - 2));
}

static unsigned bits_of(unsigned signal)
{
    return signal < LANES ? LANE_BITS : 1;
}

/* Digits of a signal, most significant first. */
static void digits(const struct state *s, unsigned signal, char *out)
{
    if (signal < LANES)
        for (unsigned b = 0; b < LANE_BITS; b++)
            out[b] = (char)('0' + (s->lane[signal] >> (LANE_BITS - 1 - b) & 1));
    else
        out[0] = (char)('0' + (s->scalars >> (signal - LANES) & 1));
    out[bits_of(signal)] = '\0';
}

static bool changed(const struct state *a, const struct state *b, unsigned signal)
{
    return signal < LANES ? a->lane[signal] != b->lane[signal]
                          : ((a->scalars ^ b->scalars) >> (signal - LANES) & 1) != 0;
}

static void name_of(unsigned signal, char *out, size_t size)
{
    if (signal < LANES)
        snprintf(out, size, "lane%u", signal);
    else
        snprintf(out, size, "flag%u", signal - LANES);
}

/* ---- VCD ---- */

/* Side B writes its signals backwards, with codes of two characters. */
static unsigned place(bool b, unsigned n)
{
    return b ? SIGNALS - 1 - n : n;
}

static void code_of(bool b, unsigned signal, char out[3])
{
    out[0] = b ? '~' : (char)('!' + signal);
    out[1] = b ? (char)('!' + (signal * 7) % SIGNALS) : '\0';
    out[2] = '\0';
}

static void vcd_value(FILE *f, const struct state *s, bool b, unsigned signal)
{
    char code[3], value[LANE_BITS + 1];
    const char *shown = value;
    code_of(b, signal, code);
    digits(s, signal, value);
    if (bits_of(signal) == 1) {
        fprintf(f, "%s%s\n", value, code);
        return;
    }
    while (shown[0] == '0' && shown[1])
        shown++;
    fprintf(f, "b%s %s\n", shown, code);
}

/* Writes steps until the file is `size` bytes long (or `steps` steps, if that is not 0); returns the number
 * of steps. flip: the clock is wrong in that step. */
static uint64_t write_vcd(const char *path, bool b, uint64_t size, uint64_t steps, uint64_t flip)
{
    static struct state s, before;
    char code[3], name[16];
    FILE *f = fopen(path, "wb");
    if (!f)
        stop("cannot write to the scratch folder");
    fprintf(f, "$timescale 1ns $end\n$scope module bench $end\n");
    for (unsigned n = 0; n < SIGNALS; n++) {
        unsigned signal = place(b, n);
        code_of(b, signal, code);
        name_of(signal, name, sizeof name);
        fprintf(f, "$var %s %u %s %s", b ? "wire" : "reg", bits_of(signal), code, name);
        fprintf(f, bits_of(signal) > 1 ? " [%u:0] $end\n" : " $end\n", bits_of(signal) - 1);
    }
    fprintf(f, "$upscope $end\n$enddefinitions $end\n");
    reset(&s);
    uint64_t i = 0;
    for (; steps ? i < steps : (uint64_t)ftello(f) < size; i++) {
        fprintf(f, "#%" PRIu64 "\n", i * TICKS);
        for (unsigned n = 0; n < SIGNALS; n++)
            if (i == 0 || changed(&s, &before, place(b, n)) || i == flip || (flip && i == flip + 1)) {
                struct state shown = s;
                shown.scalars ^= flip && i == flip;
                vcd_value(f, &shown, b, place(b, n));
            }
        before = s;
        step(&s);
    }
    if (fclose(f) != 0)
        stop("cannot write to the scratch folder");
    return i;
}

static void write_fst(const char *path, bool b, uint64_t steps)
{
    static struct state s, before;
    uint32_t handle[SIGNALS];
    char name[24], value[LANE_BITS + 1];
    void *f = wave_third_fstWriterCreate(path, 1);
    if (!f)
        stop("cannot write to the scratch folder");
    wave_third_fstWriterSetPackType(f, FST_PACK_LZ4);
    wave_third_fstWriterSetTimescale(f, -9);
    wave_third_fstWriterSetScope(f, 0, "bench", NULL);
    for (unsigned n = 0; n < SIGNALS; n++) {
        unsigned signal = place(b, n);
        name_of(signal, name, sizeof name);
        if (signal < LANES)
            snprintf(name + strlen(name), sizeof name - strlen(name), " [%u:0]", LANE_BITS - 1);
        handle[signal] = wave_third_fstWriterCreateVar(f, FST_WIRE, 0, bits_of(signal), name, 0);
    }
    wave_third_fstWriterSetUpscope(f);
    reset(&s);
    for (uint64_t i = 0; i < steps; i++) {
        wave_third_fstWriterEmitTimeChange(f, i * TICKS);
        for (unsigned n = 0; n < SIGNALS; n++)
            if (i == 0 || changed(&s, &before, place(b, n))) {
                digits(&s, place(b, n), value);
                wave_third_fstWriterEmitValueChange(f, handle[place(b, n)], value);
            }
        before = s;
        step(&s);
    }
    wave_third_fstWriterClose(f);
}

/* ---- measuring ---- */

struct cost {
    double seconds, cpu, mb; /* best time, its processor time, least peak */
    int code;                /* exit code; 127: not there */
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

/* What a plain reader of both files cannot avoid: every byte is looked at once. */
static int scan(const char *const *paths)
{
    static char buffer[1 << 20];
    uint64_t lines = 0;
    for (; *paths; paths++) {
        int fd = open(*paths, O_RDONLY);
        ssize_t n;
        while (fd >= 0 && (n = read(fd, buffer, sizeof buffer)) > 0)
            for (ssize_t i = 0; i < n; i++)
                lines += buffer[i] == '\n';
        if (fd < 0 || close(fd) != 0)
            return 1;
    }
    return lines == 0;
}

/* Runs a program (argv[0] NULL: a scan of the files argv[1]...) and adds to the best of *c. */
static void measure_once(const char *const *argv, struct cost *c)
{
    struct rusage usage;
    int status;
    double start = now();
    pid_t pid = fork();
    if (pid == 0) {
        if (!argv[0])
            _exit(scan(argv + 1));
        int out = open("/dev/null", O_WRONLY);
        if (out < 0 || dup2(out, 1) < 0)
            _exit(126);
        execvp(argv[0], (char *const *)(uintptr_t)argv);
        _exit(127);
    }
    if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
        stop("cannot run a process");
    double seconds = now() - start, mb = (double)usage.ru_maxrss * 1024e-6;
    c->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (c->seconds == 0 || seconds < c->seconds) {
        c->seconds = seconds;
        c->cpu = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    }
    c->mb = c->mb == 0 || mb < c->mb ? mb : c->mb;
}

static struct cost measure(const char *const *argv, unsigned runs)
{
    struct cost c = { 0 };
    for (unsigned i = 0; i < runs && c.code == 0; i++)
        measure_once(argv, &c);
    return c;
}

static double megabytes(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0)
        stop("a file is not there");
    return (double)st.st_size * 1e-6;
}

struct bench {
    const char *neffsim;
    char a[PATH_MAX_], b[PATH_MAX_], fst_a[PATH_MAX_], fst_b[PATH_MAX_], part_a[PATH_MAX_], part_b[PATH_MAX_];
};

static struct cost diff(const struct bench *w, const char *a, const char *b, int expected)
{
    const char *const argv[] = { w->neffsim, "wave", "diff", a, b, NULL };
    struct cost c = measure(argv, RUNS);
    if (c.code != expected)
        stop(expected ? "the changed bit was not found" : "the pair is not equal");
    return c;
}

static void bench_vcd(const struct bench *w, uint64_t steps)
{
    const char *const bytes[] = { NULL, w->a, w->b, NULL };
    double mb = megabytes(w->a);
    struct cost ours = diff(w, w->a, w->b, 0), plain = measure(bytes, RUNS);
    printf("wave vcd: 2 x %.0f MB, %" PRIu64 " steps: %.2f s (%.2f s of processor time), %.0f MB/s per side, "
           "%.1f x a scan of the same bytes; peak %.0f MB\n",
           mb, steps, ours.seconds, ours.cpu, mb / ours.seconds, ours.seconds / plain.seconds, ours.mb);
    write_vcd(w->part_a, false, 0, steps / SLICE + 1, 0);
    write_vcd(w->part_b, true, 0, steps / SLICE + 1, 0);
    const char *const rival[] = { "vcddiff", w->part_a, w->part_b, NULL };
    struct cost theirs = measure(rival, 1);
    if (theirs.code == 127)
        printf("wave vcd: no vcddiff here to compare with\n");
    else
        printf("wave vcd: vcddiff takes %.2f s for 1/%d of it (exit code %d), %.0f x\n", theirs.seconds,
               SLICE, theirs.code, theirs.seconds * SLICE / ours.seconds);
}

static void bench_fst(const struct bench *w)
{
    const char *const rival[] = { "fst2vcd", w->fst_a, NULL };
    struct cost ours = diff(w, w->fst_a, w->fst_b, 0), theirs = measure(rival, RUNS);
    printf("wave fst: 2 x %.0f MB: %.2f s (%.2f s of processor time)", megabytes(w->fst_a), ours.seconds,
           ours.cpu);
    if (theirs.code == 0)
        printf(", %.2f x one fst2vcd of one side (%.2f s)", ours.seconds / theirs.seconds, theirs.seconds);
    else
        printf(", no fst2vcd here to compare with");
    printf("; peak %.0f MB\n", ours.mb);
}

int main(int argc, char **argv)
{
    static struct bench w;
    if (argc != 3 && argc != 4)
        stop("usage: bench_wave NEFFSIM SCRATCH [MB]");
    uint64_t size = (argc == 4 ? strtoull(argv[3], NULL, 10) : 220) * 1000000;
    w.neffsim = argv[1];
    char *const paths[] = { w.a, w.b, w.fst_a, w.fst_b, w.part_a, w.part_b };
    const char *const names[] = { "a.vcd", "b.vcd", "a.fst", "b.fst", "part_a.vcd", "part_b.vcd" };
    for (unsigned i = 0; i < 6; i++)
        snprintf(paths[i], PATH_MAX_, "%s/%s", argv[2], names[i]);
    uint64_t steps = write_vcd(w.a, false, size, 0, 0);
    write_vcd(w.b, true, 0, steps, 0);
    bench_vcd(&w, steps);
    fflush(stdout);
    write_fst(w.fst_a, false, steps);
    write_fst(w.fst_b, true, steps);
    bench_fst(&w);
    struct cost mixed = diff(&w, w.a, w.fst_b, 0);
    printf("wave vcd against fst: %.2f s; peak %.0f MB\n", mixed.seconds, mixed.mb);
    write_vcd(w.b, true, 0, steps, steps - steps / 10);
    struct cost found = diff(&w, w.a, w.b, 1);
    printf("wave vcd: one wrong clock at 90 %% of it found in %.2f s\n", found.seconds);
    for (unsigned i = 0; i < 6; i++)
        remove(paths[i]);
    return 0;
}
