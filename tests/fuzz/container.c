/*
 * A whole NEFF file: header gates, digest, gzip, tar. The first byte of the header's pad, which readers
 * ignore (neff-container.md §2), says what is put right before the file is opened, so that inputs also get
 * past the gates: bit 0 size and digest, bit 1 gzip trailers, bit 2 tar checksums of a bare archive.
 */
#include "members.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void warn(void *ctx, const char *where, const char *text)
{
    size_t *n = ctx;
    *n += strlen(where) + strlen(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *file = malloc(size ? size : 1);
    struct neff *n = NULL;
    struct nerr err;
    size_t warned = 0;
    struct neff_options opt = { .max_inflate = INFLATE_LIMIT, .warn = warn, .warn_ctx = &warned };
    if (!file)
        return 0;
    memcpy(file, data, size);
    if (size > NEFF_HDR_SIZE) {
        unsigned fix = file[NEFF_HDR_PAD_OFF];
        if (fix & 2)
            frame_gzip_trailers(file + NEFF_HDR_SIZE, size - NEFF_HDR_SIZE);
        if (fix & 4)
            frame_tar_checksums(file + NEFF_HDR_SIZE, size - NEFF_HDR_SIZE);
        if (fix & 1)
            frame_seal(file, size);
    }
    if (neff_open_memory(file, size, &opt, &n, &err) == 0) {
        members_check(n, size + INFLATE_LIMIT);
        DEMAND(strlen(neff_get_header(n)->name) < sizeof neff_get_header(n)->name);
        neff_close(n);
    } else {
        DEMAND(err.code != 0 && err.text[0]);
    }
    free(file);
    return 0;
}
