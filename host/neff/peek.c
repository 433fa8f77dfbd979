/* What the start of a file says, whatever is wrong behind it: see peek.h. */
#include "neff/peek.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "neff/container.h"
#include "regs.h"

#define MAGIC_BYTES 2

void neff_peek(const char *path, struct neff_peek *out)
{
    uint8_t head[NEFF_HDR_SIZE + MAGIC_BYTES];
    struct stat st;
    struct nerr ignored;
    memset(out, 0, sizeof *out);
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return;
    out->file_size = (uint64_t)st.st_size;
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(head, 1, sizeof head, f) : 0;
    if (f)
        fclose(f);
    if (n < NEFF_HDR_SIZE)
        return;
    (void)header_read(head, (size_t)out->file_size, path, &out->header,
                      &ignored); /* fills the header first */
    out->has_header = out->header.header_size == NEFF_HDR_SIZE;
    out->gzip = n == sizeof head && gzip_sniff(head + NEFF_HDR_SIZE, MAGIC_BYTES);
}
