/*
 * Faults in FST files and in what the decoder sends. The first byte chooses: a good file of one packing, into
 * which the rest sets, inserts, copies and cuts bytes; or the ring between decoder and reader, filled with
 * the rest.
 *
 * Chain, geometry, hierarchy, mending and the reader's side of the ring run in this process, watched by the
 * sanitizers. Starting a decoder costs a hundred times more than all of that, so only one file in
 * DECODE_ONE_IN that passes is decoded as well: it may fail, but with a sentence and in time.
 */
#define _GNU_SOURCE /* mkdtemp */
#include <fcntl.h>
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frame.h"
#include "util/file.h"
#include "wave/fst_file.h"
#include "wave/fst_hier.h"
#include "wave/fst_names.h"
#include "wave/fst_stream.h"
#include "wave/reader.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define BASES         6
#define DECODE_ONE_IN 64
#define ROOM          65536u

static char folder[] = "/dev/shm/neffsim-fuzz-XXXXXX", path[64], hier_path[72];
static uint8_t *base[BASES], *hier;
static size_t base_len[BASES], hier_len;
static uint8_t work[ROOM];

/* ---- good files ---- */

static void write_wave(const char *name, enum fstWriterPackType pack, int repack, unsigned steps, int killed)
{
    double level = 0.5;
    void *w = fstWriterCreate(name, 1);
    DEMAND(w);
    fstWriterSetPackType(w, pack);
    fstWriterSetRepackOnClose(w, repack);
    fstWriterSetScope(w, FST_ST_VCD_MODULE, "top", "");
    fstHandle clk = fstWriterCreateVar(w, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, 1, "clk", 0);
    fstWriterCreateVar(w, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, 1, "same", clk);
    fstHandle bus = fstWriterCreateVar(w, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, 12, "bus [11:0]", 0);
    fstHandle real = fstWriterCreateVar(w, FST_VT_VCD_REAL, FST_VD_IMPLICIT, 8, "level", 0);
    fstHandle text = fstWriterCreateVar(w, FST_VT_GEN_STRING, FST_VD_IMPLICIT, 0, "text", 0);
    fstHandle fires = fstWriterCreateVar(w, FST_VT_VCD_EVENT, FST_VD_IMPLICIT, 1, "fires", 0);
    for (unsigned t = 0; t < steps; t++) {
        char bits[13];
        for (int k = 0; k < 12; k++)
            bits[k] = "01xz"[(t * 2654435761u >> k) % (t % 7 ? 2 : 4)];
        if (t && t % 20 == 0)
            fstWriterFlushContext(w);
        fstWriterEmitTimeChange(w, t * 3);
        fstWriterEmitValueChange(w, clk, t & 1 ? "1" : "0");
        fstWriterEmitValueChange(w, bus, bits);
        fstWriterEmitValueChange(w, real, &level);
        fstWriterEmitVariableLengthValueChange(w, text, "some text", t % 9);
        if (t % 5 == 0)
            fstWriterEmitValueChange(w, fires, "1");
        level *= -1.5;
    }
    if (killed)
        _exit(0);
    fstWriterClose(w);
}

static void load(const char *name, uint8_t **buf, size_t *len)
{
    struct nerr err;
    DEMAND(file_read(name, 0, buf, len, &err) == 0);
    DEMAND(*len < ROOM / 2);
}

static void clean_up(void)
{
    unlink(path);
    unlink(hier_path);
    rmdir(folder);
}

/* A decoder may crash: that is what it is for. The fuzzer would take it for a finding. */
static void in_decoder(void)
{
    __sanitizer_set_death_callback(NULL);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static const struct {
        enum fstWriterPackType pack;
        int repack;
        unsigned steps;
    } kinds[BASES - 1] = { { FST_WR_PT_LZ4, 0, 50 },
                           { FST_WR_PT_FASTLZ, 0, 50 },
                           { FST_WR_PT_ZLIB, 0, 30 },
                           { FST_WR_PT_LZ4, 1, 10 },
                           { FST_WR_PT_LZ4, 0, 3 } };
    (void)argc;
    (void)argv;
    DEMAND(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/w.fst", folder);
    snprintf(hier_path, sizeof hier_path, "%s.hier", path);
    for (int i = 0; i < BASES - 1; i++) {
        write_wave(path, kinds[i].pack, kinds[i].repack, kinds[i].steps, 0);
        load(path, &base[i], &base_len[i]);
    }
    pid_t pid = fork();
    DEMAND(pid >= 0);
    if (pid == 0)
        write_wave(path, FST_WR_PT_LZ4, 0, 50, 1);
    DEMAND(waitpid(pid, NULL, 0) == pid);
    load(path, &base[BASES - 1], &base_len[BASES - 1]);
    load(hier_path, &hier, &hier_len);
    unlink(hier_path);
    atexit(clean_up);
    DEMAND(pthread_atfork(NULL, NULL, in_decoder) == 0);
    return 0;
}

/* ---- faults ---- */

static void set_be64(uint8_t *p, uint64_t v)
{
    for (int i = 7; i >= 0; i--, v >>= 8)
        p[i] = (uint8_t)v;
}

/* One fault: what, where (two bytes), with which value. */
static size_t damage(uint8_t *p, size_t len, const uint8_t *fault)
{
    static const uint64_t numbers[] = { 0,     1,        7,          8,         24,        255,
                                        65536, 1u << 31, UINT32_MAX, INT64_MAX, UINT64_MAX };
    size_t at = (size_t)(fault[1] << 8 | fault[2]) % (len + 1);
    uint8_t value = fault[3];
    switch (fault[0] % 7) {
    case 0:
        if (at < len)
            p[at] = value;
        return len;
    case 1:
        if (at < len)
            p[at] ^= (uint8_t)(1 << value % 8);
        return len;
    case 2: /* insert */
        if (len + 1 > ROOM)
            return len;
        memmove(p + at + 1, p + at, len - at);
        p[at] = value;
        return len + 1;
    case 3: { /* remove */
        size_t n = value % 32 < len - at ? value % 32 : len - at;
        memmove(p + at, p + at + n, len - at - n);
        return len - n;
    }
    case 4: /* cut, or zeros behind */
        if (value & 1)
            return at;
        memset(p + len, 0, len + value <= ROOM ? value : 0);
        return len + value <= ROOM ? len + value : len;
    case 5: /* a number */
        if (len - at >= 8)
            set_be64(p + at, numbers[value % (sizeof numbers / sizeof numbers[0])]);
        return len;
    default: /* a piece from elsewhere */
        if (len >= 64 && at < len - 16)
            memmove(p + at, p + (size_t)value * (len - 16) / 255, 16);
        return len;
    }
}

static void write_file(const char *name, const uint8_t *p, size_t n)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    DEMAND(fd >= 0 && write(fd, p, n) == (ssize_t)n);
    close(fd);
}

static void check_change(const struct wave_record *rec, const struct fst_shape *shapes, uint32_t nsignals)
{
    DEMAND(rec->signal < nsignals);
    if (shapes && shapes[rec->signal].kind == WAVE_BITS)
        DEMAND(rec->len == shapes[rec->signal].len);
    if (shapes && shapes[rec->signal].kind == WAVE_REAL)
        DEMAND(rec->len <= 32);
    frame_touch(rec->value, rec->len);
}

static void decode(bool allow_incomplete)
{
    struct wave_open_options options = { .allow_incomplete = allow_incomplete, .patience = 1 };
    struct wave_reader *r;
    struct wave_record rec = { .kind = WAVE_TIME };
    struct nerr err = { 0 };
    if (wave_reader_open_with(path, &options, &r, &err) != 0)
        return;
    int rc = r->ops->start(r, NULL, &err);
    while (!rc && !(rc = r->ops->next(r, &rec, &err)) && rec.kind != WAVE_END)
        if (rec.kind == WAVE_CHANGE)
            check_change(&rec, NULL, r->nsignals);
    DEMAND(rc == 0 || (rc == NERR_INPUT && err.text[0]));
    wave_reader_close(r);
}

static void faults(unsigned which, bool allow_incomplete, const uint8_t *data, size_t size)
{
    struct nerr err = { 0 };
    struct fst_file f;
    struct wave_reader r = { .exponent = 0 };
    size_t len = base_len[which];
    bool killed = which == BASES - 1;
    uint64_t hash = 0xcbf29ce484222325u;
    memcpy(work, base[which], len);
    size_t in_hier = killed && size ? data[0] % 4 : 0; /* so many faults go to the declarations */
    for (size_t i = 0; i + 4 <= size; i += 4)
        if (i / 4 >= in_hier)
            len = damage(work, len, data + i);
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ work[i]) * 0x100000001b3u;
    write_file(path, work, len);
    if (killed) {
        memcpy(work, hier, hier_len);
        len = hier_len;
        for (size_t i = 0; i + 4 <= size && i / 4 < in_hier; i += 4)
            len = damage(work, len, data + i);
        write_file(hier_path, work, len);
    }
    int rc = fst_file_open(path, allow_incomplete, &f, &err);
    if (!rc) {
        rc = fst_hier_read(&f, &r, &err);
        for (size_t i = 0; i < r.nvars; i++) {
            DEMAND(rc || r.vars[i].signal < f.handles);
            frame_touch(r.vars[i].name, strlen(r.vars[i].name));
            free(r.vars[i].name);
        }
        free(r.vars);
        fst_file_close(&f);
    }
    DEMAND(rc == 0 || ((rc == NERR_INPUT || rc == NERR_MEM) && err.text[0]));
    if (rc == 0 && (hash >> 20) % DECODE_ONE_IN == 0)
        decode(allow_incomplete);
    if (killed)
        unlink(hier_path);
}

/* ---- the ring ---- */

/* Words of the input that name a signal, an item or a length become likely ones; the rest are slots. */
static void ring(const uint8_t *data, size_t size)
{
    static const struct fst_shape shapes[] = { { 1, WAVE_BITS },
                                               { 8, WAVE_BITS },
                                               { FST_LEN_REAL, WAVE_REAL },
                                               { 1, WAVE_EVENT },
                                               { FST_LEN_STRING, WAVE_STRING },
                                               { 70000, WAVE_BITS } };
    static char slots[FST_SLOTS * FST_SLOT_BYTES];
    int filled[2], empty[2];
    DEMAND(pipe(filled) == 0 && pipe(empty) == 0);
    struct fst_stream s = { .path = "ring", .shapes = shapes, .nsignals = 6, .end = 1000 };
    s.ring = (struct fst_ring){ .slots = slots, .filled = filled[0], .free = empty[1] };
    fst_stream_reset(&s);
    size_t used[FST_SLOTS] = { 0 };
    unsigned n = 0;
    for (size_t at = 0; at + 2 < size && n < FST_SLOTS; n++) {
        uint32_t bytes = (uint32_t)(data[at] << 8 | data[at + 1]) + (data[at + 1] == 0xff ? 60000 : 0);
        at += 2;
        used[n] = bytes < size - at ? bytes : size - at;
        memcpy(slots + (size_t)n * FST_SLOT_BYTES, data + at, used[n]);
        at += used[n];
        DEMAND(write(filled[1], &bytes, bytes % 11 == 5 ? 3 : sizeof bytes) > 0);
    }
    close(filled[1]);
    struct wave_record rec = { .kind = WAVE_TIME };
    struct nerr err = { 0 };
    uint64_t time = 0;
    int rc = 0;
    while (!(rc = fst_stream_next(&s, &rec, &err)) && rec.kind != WAVE_END) {
        DEMAND(rec.time >= time && rec.time <= 1000);
        time = rec.time;
        if (rec.kind == WAVE_CHANGE)
            check_change(&rec, shapes, 6);
    }
    DEMAND(rc == 0 || (rc == NERR_INPUT && err.text[0]));
    for (unsigned i = 0; i < n; i++)
        memset(slots + (size_t)i * FST_SLOT_BYTES, 0, used[i]);
    free(s.buffer);
    close(filled[0]);
    close(empty[0]);
    close(empty[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    unsigned which = data[0] % 8;
    if (which < BASES)
        faults(which, data[0] >> 7, data + 1, size - 1);
    else
        ring(data + 1, size - 1);
    return 0;
}
