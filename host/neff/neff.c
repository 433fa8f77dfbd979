/* Opening a container: file -> header -> archive -> member table (neff.h; neff-container.md §22 items 1 to
 * 3). */
#include "neff/neff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "neff/container.h"
#include "regs.h"
#include "util/file.h"

#define DEFAULT_INFLATE_LIMIT (UINT64_C(4) << 30)

struct neff {
    struct neff_header header;
    struct neff_member *members;       /* archive order */
    const struct neff_member **sorted; /* by name */
    size_t count;
    struct tar_warn warn;
};

static int by_name(const void *a, const void *b)
{
    const struct neff_member *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

static int sort_members(struct neff *n, const char *where, struct nerr *err)
{
    n->sorted = calloc(n->count ? n->count : 1, sizeof *n->sorted);
    if (!n->sorted)
        return nerr_set(err, NERR_MEM, where, "out of memory");
    for (size_t i = 0; i < n->count; i++)
        n->sorted[i] = &n->members[i];
    qsort(n->sorted, n->count, sizeof *n->sorted, by_name);
    return 0;
}

/* The archive inside the window, inflated when it is a gzip stream (chosen by content, §4). */
static int read_archive(struct neff *n, const uint8_t *window, size_t len, uint64_t limit, const char *where,
                        struct nerr *err)
{
    uint8_t *inflated = NULL;
    size_t trailing = 0;
    int rc = 0;
    if (gzip_sniff(window, len)) {
        rc = gzip_read(window, len, limit, where, &inflated, &len, &trailing, err);
        if (rc)
            return rc;
        if (trailing)
            neff_warn(n, where,
                      "%zu bytes after the gzip stream are neither zero nor a second member, ignored",
                      trailing);
    }
    rc = tar_read(inflated ? inflated : window, len, where, &n->warn, &n->members, &n->count, err);
    free(inflated);
    return rc;
}

static int open_image(const uint8_t *file, size_t len, const char *where, const struct neff_options *opt,
                      struct neff **out, struct nerr *err)
{
    static const struct neff_options defaults;
    if (!opt)
        opt = &defaults;
    if (!file)
        return gate_error(err, NERR_INPUT, NRT_INVALID, 1, where, "Invalid NEFF buffer");
    struct neff *n = calloc(1, sizeof *n);
    if (!n)
        return nerr_set(err, NERR_MEM, where, "out of memory");
    n->warn = (struct tar_warn){ opt->warn, opt->warn_ctx };
    int rc = header_read(file, len, where, &n->header, err);
    if (rc == 0 && (n->header.vnc_size == 0 || n->header.vnc_size > NEFF_VNC_MAX))
        neff_warn(n, where, "vnc_size is %u, only 1 and 2 are known", n->header.vnc_size);
    if (rc == 0 && !opt->no_hash)
        rc = header_check_hash(&n->header, file + NEFF_HDR_SIZE, where, err);
    if (rc == 0)
        rc = read_archive(n, file + NEFF_HDR_SIZE, (size_t)n->header.data_size,
                          opt->max_inflate ? opt->max_inflate : DEFAULT_INFLATE_LIMIT, where, err);
    if (rc == 0)
        rc = sort_members(n, where, err);
    if (rc) {
        neff_close(n);
        return rc;
    }
    *out = n;
    return 0;
}

int neff_open(const char *path, const struct neff_options *opt, struct neff **out, struct nerr *err)
{
    uint8_t *file;
    size_t len;
    int rc = file_read(path, 0, &file, &len, err);
    if (rc)
        return rc;
    rc = open_image(file, len, path, opt, out, err);
    free(file);
    return rc;
}

int neff_open_memory(const void *buf, size_t len, const struct neff_options *opt, struct neff **out,
                     struct nerr *err)
{
    return open_image(buf, len, "", opt, out, err);
}

void neff_close(struct neff *n)
{
    if (!n)
        return;
    members_free(n->members, n->count);
    free(n->sorted);
    free(n);
}

const struct neff_header *neff_get_header(const struct neff *n)
{
    return &n->header;
}

size_t neff_member_count(const struct neff *n)
{
    return n->count;
}

const struct neff_member *neff_member_at(const struct neff *n, size_t i)
{
    return i < n->count ? &n->members[i] : NULL;
}

static int name_against(const void *key, const void *element)
{
    const struct neff_member *const *m = element;
    return strcmp(key, (*m)->name);
}

const struct neff_member *neff_find(const struct neff *n, const char *name)
{
    const struct neff_member *const *m = bsearch(name, n->sorted, n->count, sizeof *n->sorted, name_against);
    return m ? *m : NULL;
}

void neff_warn(const struct neff *n, const char *where, const char *fmt, ...)
{
    if (!n->warn.call)
        return;
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    n->warn.call(n->warn.ctx, where, text);
}
