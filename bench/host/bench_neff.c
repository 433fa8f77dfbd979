/*
 * How fast a large NEFF is loaded with all checks, and in how much memory, against programs that do the same
 * work: `gzip -dc` on the same window for package 2, `openssl dgst -sha256` for package 1. Every figure is
 * the best of three runs of processes of their own, so memory is the peak of the process. Prints ratios;
 * judges nothing.
 *
 * usage: bench_neff NEFFSIM SCRATCH [MIB]   (weights of 1024 MiB, half of which compress; run from the root)
 */
#define _DEFAULT_SOURCE /* wait4 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "neff/neff.h"
#include "neff/pack.h"
#include "regs.h"
#include "util/bytes.h"
#include "util/hash.h"

#define SOURCE    "vectors/copy/src" /* the manifests around the weights */
#define MEMBER    "sg00/large.bin"
#define BLOCK     ((size_t)16 << 20) /* of weights; the file repeats it */
#define TAR_BLOCK 512
#define RUNS      3

static void stop(const char *what)
{
    fprintf(stderr, "bench_neff: %s\n", what);
    exit(2);
}

/* ---- the files ---- */

struct parts { /* of the archive: header of the large member, its repeated block, a tar of everything else */
    uint8_t head[TAR_BLOCK], *block, *rest;
    size_t rest_len, repeat;
    uint8_t neff_header[NEFF_HDR_SIZE];
};

static void fill(uint8_t *p)
{
    uint64_t x = 88172645463325252u;
    for (size_t i = 0; i < BLOCK; i += 8) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        put_le64(p + i, i >> 16 & 1 ? x : x & UINT64_C(0x0303030303030303));
    }
}

static void tar_head(uint8_t *h, uint64_t size)
{
    unsigned sum = 0;
    memset(h, 0, TAR_BLOCK);
    memcpy(h, MEMBER, sizeof MEMBER);
    memcpy(h + 0x64, "0000644\0000000000\0000000000", 23);
    snprintf((char *)h + 0x7c, 12, "%011llo", (unsigned long long)size);
    memcpy(h + 0x88, "00000000000", 11);
    memset(h + 0x94, ' ', 8);
    h[0x9c] = '0';
    memcpy(h + 0x101, "ustar  ", 7);
    for (size_t i = 0; i < TAR_BLOCK; i++)
        sum += h[i];
    snprintf((char *)h + 0x94, 8, "%06o", sum);
}

static void make_parts(struct parts *p, size_t mib)
{
    const struct neff_pack_options opt = { .pkg = NEFF_PKG_TAR_SHA256 };
    struct nerr err;
    uint8_t *image;
    size_t len;
    if (neff_pack_folder(SOURCE, &opt, &image, &len, &err))
        stop(err.text);
    memcpy(p->neff_header, image, NEFF_HDR_SIZE);
    p->rest_len = len - NEFF_HDR_SIZE;
    memmove(image, image + NEFF_HDR_SIZE, p->rest_len);
    p->rest = image;
    p->repeat = (mib << 20) / BLOCK;
    p->block = malloc(BLOCK);
    if (!p->block || p->repeat == 0)
        stop("no memory, or less than 16 MiB asked for");
    fill(p->block);
    tar_head(p->head, p->repeat * BLOCK);
}

struct output {
    FILE *f;
    struct hash *hash;
    uint64_t len;
};

static void emit(struct output *o, const void *p, size_t n)
{
    if (fwrite(p, 1, n, o->f) != n)
        stop("cannot write to the scratch folder");
    hash_add(o->hash, p, n);
    o->len += n;
}

/* One piece of a deflate stream that does not depend on what is before it. */
static size_t deflate_piece(const uint8_t *p, size_t n, bool last, uint8_t *out, size_t room)
{
    z_stream z = { 0 };
    if (deflateInit2(&z, 1, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        stop("zlib cannot deflate");
    union {
        const uint8_t *given;
        Bytef *taken;
    } in = { p };
    z.next_in = in.taken;
    z.avail_in = (uInt)n;
    z.next_out = out;
    z.avail_out = (uInt)room;
    int status = deflate(&z, last ? Z_FINISH : Z_FULL_FLUSH);
    if (status != (last ? Z_STREAM_END : Z_OK) || z.avail_in)
        stop("zlib cannot deflate");
    deflateEnd(&z);
    return room - z.avail_out;
}

/* The archive as one gzip member: the block is compressed once and repeated. */
static void write_gzip(const struct parts *p, struct output *o)
{
    static const uint8_t head[10] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3 };
    size_t room = BLOCK + BLOCK / 8 + p->rest_len;
    uint8_t *out = malloc(room), tail[8];
    if (!out)
        stop("no memory");
    uLong crc = crc32(0, p->head, TAR_BLOCK), block = crc32(0, p->block, (uInt)BLOCK);
    emit(o, head, sizeof head);
    emit(o, out, deflate_piece(p->head, TAR_BLOCK, false, out, room));
    size_t n = deflate_piece(p->block, BLOCK, false, out, room);
    for (size_t i = 0; i < p->repeat; i++) {
        emit(o, out, n);
        crc = crc32_combine(crc, block, (z_off_t)BLOCK);
    }
    emit(o, out, deflate_piece(p->rest, p->rest_len, true, out, room));
    crc = crc32_combine(crc, crc32(0, p->rest, (uInt)p->rest_len), (z_off_t)p->rest_len);
    put_le32(tail, (uint32_t)crc);
    put_le32(tail + 4, (uint32_t)(TAR_BLOCK + p->repeat * BLOCK + p->rest_len));
    emit(o, tail, sizeof tail);
    free(out);
}

static uint64_t write_neff(const struct parts *p, int pkg, const char *path)
{
    struct output o = { .f = fopen(path, "wb") };
    uint8_t header[NEFF_HDR_SIZE];
    struct nerr err;
    memcpy(header, p->neff_header, sizeof header);
    if (!o.f || hash_begin(pkg == NEFF_PKG_TAR_SHA256 ? HASH_SHA256 : HASH_MD5, &o.hash, &err) ||
        fwrite(header, 1, sizeof header, o.f) != sizeof header)
        stop("cannot write to the scratch folder");
    if (pkg == NEFF_PKG_GZIP_MD5) {
        write_gzip(p, &o);
    } else {
        emit(&o, p->head, TAR_BLOCK);
        for (size_t i = 0; i < p->repeat; i++)
            emit(&o, p->block, BLOCK);
        emit(&o, p->rest, p->rest_len);
    }
    put_le64(header + NEFF_HDR_PKG_VERSION_OFF, (uint64_t)pkg);
    put_le64(header + NEFF_HDR_DATA_SIZE_OFF, o.len);
    if (hash_end(o.hash, header + NEFF_HDR_HASH_OFF, &err) || fseek(o.f, 0, SEEK_SET) != 0 ||
        fwrite(header, 1, sizeof header, o.f) != sizeof header || fclose(o.f) != 0)
        stop("cannot write to the scratch folder");
    return o.len;
}

/* ---- measuring ---- */

struct cost {
    double seconds, mib; /* best time, least peak */
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Runs a program with the data window of a NEFF as its stdin; adds to the best of *c. False: it is not there.
 */
static bool measure(const char *const *argv, const char *neff, struct cost *c)
{
    struct rusage usage;
    int status;
    double start = now();
    pid_t pid = fork();
    if (pid == 0) {
        int in = open(neff, O_RDONLY), out = open("/dev/null", O_WRONLY);
        if (in < 0 || out < 0 || lseek(in, NEFF_HDR_SIZE, SEEK_SET) < 0 || dup2(in, 0) < 0 ||
            dup2(out, 1) < 0)
            _exit(126);
        execvp(argv[0], (char *const *)(uintptr_t)argv);
        _exit(127);
    }
    if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
        stop("cannot run a process");
    double seconds = now() - start, mib = (double)usage.ru_maxrss / 1024;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return false;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        stop("a measured program failed");
    c->seconds = c->seconds == 0 || seconds < c->seconds ? seconds : c->seconds;
    c->mib = c->mib == 0 || mib < c->mib ? mib : c->mib;
    return true;
}

/* Loads a NEFF as every verb does; run as a process of its own. */
static int load(const char *path)
{
    struct neff *n;
    struct nerr err;
    if (neff_open(path, NULL, &n, &err)) {
        fprintf(stderr, "%s: %s\n", err.where, err.text);
        return 1;
    }
    int rc = neff_find(n, MEMBER) == NULL;
    neff_close(n);
    return rc;
}

static void compare(const char *self, const char *neffsim, const char *neff, const char *what,
                    const char *const *rival, double archive_mib)
{
    const char *const ours[] = { self, "--load", neff, NULL }, *const info[] = { neffsim, "info", neff,
                                                                                 NULL };
    struct cost loading = { 0, 0 }, informing = { 0, 0 }, other = { 0, 0 };
    bool there = true;
    for (int i = 0; i < RUNS; i++) {
        measure(ours, neff, &loading);
        there = there && measure(rival, neff, &other);
        if (!measure(info, neff, &informing))
            stop("the given neffsim cannot be run");
    }
    printf("neff %s: load %.2f s", what, loading.seconds);
    if (there)
        printf(", %s %.2f s, ratio %.2f", rival[0], other.seconds, loading.seconds / other.seconds);
    else
        printf(", no %s here to compare with", rival[0]);
    printf("; peak %.0f MiB, %.3f x the archive\n", loading.mib, loading.mib / archive_mib);
    printf("neff %s: info %.2f s, %.2f x load; peak %.3f x the archive\n", what, informing.seconds,
           informing.seconds / loading.seconds, informing.mib / archive_mib);
}

int main(int argc, char **argv)
{
    static const char *const gzip[] = { "gzip", "-dc", NULL };
    static const char *const openssl[] = { "openssl", "dgst", "-sha256", NULL };
    struct parts parts;
    char path[512];
    if (argc == 3 && strcmp(argv[1], "--load") == 0)
        return load(argv[2]);
    if (argc != 3 && argc != 4)
        stop("usage: bench_neff NEFFSIM SCRATCH [MIB]");
    size_t mib = argc == 4 ? strtoul(argv[3], NULL, 10) : 1024;
    make_parts(&parts, mib);
    double archive_mib = (double)(TAR_BLOCK + parts.repeat * BLOCK + parts.rest_len) / (1 << 20);
    snprintf(path, sizeof path, "%s/bench.neff", argv[2]);
    uint64_t window = write_neff(&parts, NEFF_PKG_GZIP_MD5, path);
    printf("neff: %zu MiB of weights, %.0f MiB when compressed\n", parts.repeat * BLOCK >> 20,
           (double)window / (1 << 20));
    fflush(stdout);
    compare(argv[0], argv[1], path, "package 2", gzip, archive_mib);
    write_neff(&parts, NEFF_PKG_TAR_SHA256, path);
    compare(argv[0], argv[1], path, "package 1", openssl, archive_mib);
    remove(path);
    free(parts.block);
    free(parts.rest);
    return 0;
}
