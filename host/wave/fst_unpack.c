/* Unpacking of FST sections: see fst_unpack.h. */
#include "wave/fst_unpack.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "wave/fst_names.h"
#include "wave/fst_varint.h"

#define WRAPPER_BYTES 17 /* kind, length, unpacked length */
#define COPY_STEP     65536u

/* Deflate makes at most 1032 bytes of one; LZ4 and FastLZ less. A few bytes of slack for tiny inputs. */
bool fst_unpack_possible(uint64_t n, uint64_t plain)
{
    return n <= UINT64_MAX / 2048 && plain <= n * 1040 + 64 && plain <= SIZE_MAX / 2;
}

static uint8_t *room(uint64_t n, uint64_t plain)
{
    return fst_unpack_possible(n, plain) ? malloc(plain ? (size_t)plain : 1) : NULL;
}

uint8_t *fst_unpack_zlib(const uint8_t *in, uint64_t n, uint64_t plain)
{
    uint8_t *out = room(n, plain);
    if (!out)
        return NULL;
    if (n == plain) {
        memcpy(out, in, (size_t)n);
        return out;
    }
    uLongf made = (uLongf)plain;
    if (uncompress(out, &made, in, (uLong)n) == Z_OK && made == plain)
        return out;
    free(out);
    return NULL;
}

uint8_t *fst_unpack_gzip(const uint8_t *in, uint64_t n, uint64_t plain)
{
    z_stream z = { 0 };
    if (n > UINT_MAX || plain > UINT_MAX)
        return NULL;
    uint8_t *out = room(n, plain);
    uint8_t *source = malloc((size_t)n + 1); /* zlib's pointer is not const */
    bool good = false;
    if (out && source && inflateInit2(&z, 16 + MAX_WBITS) == Z_OK) {
        memcpy(source, in, (size_t)n);
        z.next_in = source;
        z.avail_in = (uInt)n;
        z.next_out = out;
        z.avail_out = (uInt)plain;
        good = inflate(&z, Z_FINISH) == Z_STREAM_END && z.avail_out == 0 && z.avail_in == 0;
        inflateEnd(&z);
    }
    free(source);
    if (good)
        return out;
    free(out);
    return NULL;
}

uint8_t *fst_unpack_lz4(const uint8_t *in, uint64_t n, uint64_t plain)
{
    if (n > INT_MAX || plain > INT_MAX)
        return NULL;
    uint8_t *out = room(n, plain);
    if (out && LZ4_decompress_safe((const char *)in, (char *)out, (int)n, (int)plain) == (int)plain)
        return out;
    free(out);
    return NULL;
}

uint8_t *fst_unpack_lz4_twice(const uint8_t *in, uint64_t n, uint64_t plain)
{
    size_t pos = 0;
    uint64_t middle_len;
    if (n > INT_MAX || !fst_varint(in, (size_t)n, &pos, &middle_len))
        return NULL;
    uint8_t *middle = fst_unpack_lz4(in + pos, n - pos, middle_len);
    uint8_t *out = middle ? fst_unpack_lz4(middle, middle_len, plain) : NULL;
    free(middle);
    return out;
}

/* Copies the gzip stream at fd's position; true when it is whole and has exactly `plain` bytes. */
static bool copy_gzip(int fd, FILE *to, uint64_t plain)
{
    uint8_t buf[COPY_STEP];
    int copy = dup(fd);
    gzFile z = copy >= 0 ? gzdopen(copy, "rb") : NULL;
    if (!z) {
        if (copy >= 0)
            close(copy);
        return false;
    }
    uint64_t made = 0;
    int n;
    while ((n = gzread(z, buf, sizeof buf)) > 0) {
        made += (uint64_t)n;
        if (made > plain || fwrite(buf, 1, (size_t)n, to) != (size_t)n)
            break;
    }
    bool direct = gzdirect(z) != 0; /* not gzip at all: zlib would copy the bytes as they are */
    return gzclose(z) == Z_OK && n == 0 && !direct && made == plain && fflush(to) == 0;
}

int fst_unpack_wrapper(const char *path, int *fd, uint64_t *size, struct nerr *err)
{
    uint8_t head[WRAPPER_BYTES];
    uint64_t len = 0, plain = 0;
    if (pread(*fd, head, sizeof head, 0) == (ssize_t)sizeof head)
        for (int i = 0; i < 8; i++) {
            len = len << 8 | head[1 + i];
            plain = plain << 8 | head[9 + i];
        }
    if (len != *size - 1)
        return nerr_set(err, NERR_INPUT, path,
                        "damaged or cut FST file: the packed whole has %llu bytes, not %llu",
                        (unsigned long long)(*size - 1), (unsigned long long)len);
    FILE *copy = tmpfile();
    if (!copy)
        return nerr_set(err, NERR_IO, path, "cannot make a temporary file to unpack into: %s",
                        strerror(errno));
    int rc = 0, plain_fd = -1;
    if (lseek(*fd, WRAPPER_BYTES, SEEK_SET) < 0 || !copy_gzip(*fd, copy, plain))
        rc = nerr_set(err, NERR_INPUT, path, "damaged or cut FST file: the packed whole cannot be unpacked");
    else if ((plain_fd = dup(fileno(copy))) < 0)
        rc = nerr_set(err, NERR_IO, path, "cannot read the unpacked file: %s", strerror(errno));
    fclose(copy);
    if (rc)
        return rc;
    close(*fd);
    *fd = plain_fd;
    *size = plain;
    return 0;
}
