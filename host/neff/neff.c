/* Opening a container: file -> header -> archive -> member table (neff.h; neff-container.md §22 items 1 to
 * 3). */
#include "neff/neff.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "neff/container.h"
#include "regs.h"
#include "util/interrupt.h"

#define STREAM_STEP ((size_t)64 << 10)
#define STREAM_REST ((uint64_t)16 << 20)

#if defined(__SANITIZE_ADDRESS__) /* gcc */
#define GUARD_GAPS 1
#elif defined(__has_feature) /* clang */
#if __has_feature(address_sanitizer)
#define GUARD_GAPS 1
#endif
#endif
#ifdef GUARD_GAPS
#include <sanitizer/asan_interface.h>
#endif

struct neff {
    struct neff_header header;
    struct neff_archive archive; /* bytes: what entries and members point into */
    struct tar_list list;
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

/* The members of the list, and a table of them by name. */
static int make_tables(struct neff *n, const char *where, struct nerr *err)
{
    n->members = calloc(n->list.count + 1, sizeof *n->members);
    n->sorted = calloc(n->list.count + 1, sizeof *n->sorted);
    if (!n->members || !n->sorted)
        return nerr_set(err, NERR_MEM, where, "out of memory");
    for (size_t i = 0; i < n->list.count; i++) {
        const struct neff_entry *e = &n->list.entries[i];
        if (e->kind != NEFF_ENTRY_MEMBER)
            continue;
        n->members[n->count] = (struct neff_member){ e->name, e->data, e->size };
        n->sorted[n->count] = &n->members[n->count];
        n->count++;
    }
    qsort(n->sorted, n->count, sizeof *n->sorted, by_name);
    return 0;
}

/* Members lie side by side in one buffer: under AddressSanitizer what is between them may not be touched, so
 * that a read beyond a member is found as if each had an allocation of its own. */
#ifdef GUARD_GAPS
static int by_address(const void *a, const void *b)
{
    const struct neff_entry *const *x = a, *const *y = b;
    return (*x)->data < (*y)->data ? -1 : (*x)->data > (*y)->data;
}

static void guard_gaps(const struct neff *n)
{
    const struct neff_entry **order = calloc(n->list.count + 1, sizeof *order);
    const uint8_t *p = n->archive.bytes, *end = p + n->archive.len;
    size_t count = 0;
    if (!order)
        return;
    for (size_t i = 0; i < n->list.count; i++)
        if (n->list.entries[i].size && n->list.entries[i].data >= p && n->list.entries[i].data < end)
            order[count++] = &n->list.entries[i];
    qsort(order, count, sizeof *order, by_address);
    for (size_t i = 0; i < count; i++) {
        ASAN_POISON_MEMORY_REGION(p, (size_t)(order[i]->data - p));
        p = order[i]->data + order[i]->size;
    }
    ASAN_POISON_MEMORY_REGION(p, (size_t)(end - p));
    free(order);
}
#else
static void guard_gaps(const struct neff *n)
{
    (void)n;
}
#endif

static void warn_header(const struct neff *n, uint64_t len, const char *where)
{
    uint64_t behind = len - NEFF_HDR_SIZE - n->header.data_size;
    if (n->header.vnc_size == 0 || n->header.vnc_size > NEFF_VNC_MAX)
        neff_warn(n, where, "vnc_size is %u, only 1 and 2 are known", n->header.vnc_size);
    if (behind)
        neff_warn(n, where, "%" PRIu64 " bytes after the data window are ignored", behind);
}

/* Rows 4, 5 and 7 are about versions; the geometry is what reading needs. */
static bool readable_anyway(const struct neff_header *h, uint64_t len, const struct nerr *err)
{
    return (err->gate == 4 || err->gate == 5 || err->gate == 7) && h->data_size <= len - NEFF_HDR_SIZE;
}

/* head: the start of a file of len bytes; src: its data window. */
static int open_window(const uint8_t *head, uint64_t len, const struct window_source *src, const char *where,
                       const struct neff_options *opt, struct neff **out, struct nerr *err)
{
    static const struct neff_options defaults;
    struct neff *n = calloc(1, sizeof *n);
    if (!n)
        return nerr_set(err, NERR_MEM, where, "out of memory");
    if (!opt)
        opt = &defaults;
    n->warn = (struct tar_warn){ opt->warn, opt->warn_ctx };
    int rc = header_read(head, len, where, &n->header, err);
    if (rc && opt->any_version && readable_anyway(&n->header, len, err))
        rc = 0;
    if (rc == 0) {
        warn_header(n, len, where);
        rc = window_read(src, &n->header, opt, where, &n->archive, err);
    }
    if (rc == 0 && n->archive.trailing)
        neff_warn(n, where,
                  "%" PRIu64 " bytes after the gzip stream are neither zero nor a second member, ignored",
                  n->archive.trailing);
    if (rc == 0)
        rc = tar_read(&n->archive, where, &n->warn, &n->list, err);
    if (rc == 0)
        rc = make_tables(n, where, err);
    if (rc) {
        neff_close(n);
        return rc;
    }
    guard_gaps(n);
    *out = n;
    return 0;
}

int neff_open_memory(const void *buf, size_t len, const struct neff_options *opt, struct neff **out,
                     struct nerr *err)
{
    const uint8_t *file = buf;
    if (!file)
        return gate_error(err, NERR_INPUT, NRT_INVALID, 1, "", "Invalid NEFF buffer");
    struct window_source src = { .fd = -1, .memory = len > NEFF_HDR_SIZE ? file + NEFF_HDR_SIZE : file };
    return open_window(file, len, &src, "", opt, out, err);
}

/* n bytes, or what is left of the file; *len is what is there. */
static int read_up_to(int fd, const char *path, uint8_t *into, size_t n, size_t *len, struct nerr *err)
{
    for (*len = 0; *len < n;) {
        ssize_t got = read(fd, into + *len, n - *len);
        if (got < 0 && errno == EINTR && !interrupt_pending())
            continue;
        if (got < 0)
            return nerr_set(err, NERR_IO, path, "cannot read: %s", strerror(errno));
        if (got == 0)
            break;
        *len += (size_t)got;
    }
    return 0;
}

/* Appends up to n bytes of the stream to the *len of *file; the buffer grows with what comes, not with what
 * the header says. */
static int read_window(int fd, const char *path, uint64_t n, uint8_t **file, size_t *len, struct nerr *err)
{
    for (size_t got = 1; n && got;) {
        size_t step = *len > STREAM_STEP ? *len : STREAM_STEP;
        if (step > n)
            step = (size_t)n;
        uint8_t *more = step < SIZE_MAX - *len ? realloc(*file, *len + step) : NULL;
        if (!more)
            return nerr_set(err, NERR_MEM, path, "out of memory for %zu bytes", step);
        *file = more;
        int rc = read_up_to(fd, path, *file + *len, step, &got, err);
        if (rc)
            return rc;
        *len += got;
        n -= got;
    }
    return 0;
}

/* What follows the window is only counted, and of a stream without an end not even that. */
static int count_rest(int fd, const char *path, uint64_t *total, struct nerr *err)
{
    uint8_t skipped[4096];
    const uint64_t before = *total;
    int rc = 0;
    for (size_t got = 1; rc == 0 && got && *total - before < STREAM_REST;) {
        rc = read_up_to(fd, path, skipped, sizeof skipped, &got, err);
        *total += rc ? 0 : got;
    }
    return rc;
}

/*
 * A pipe or a device has no size to compare with and perhaps no end. So its header is judged before anything
 * is kept, and no more is kept than the header names and the limit allows.
 */
static int open_stream(int fd, const char *path, const uint8_t *head, const struct neff_options *opt,
                       struct neff **out, struct nerr *err)
{
    struct neff_header h;
    uint64_t limit = opt && opt->max_inflate ? opt->max_inflate : NEFF_MAX_INFLATE;
    int rc = header_read(head, INT64_MAX, path, &h, err);
    if (rc && !(opt && opt->any_version && readable_anyway(&h, INT64_MAX, err)))
        return rc;
    if (h.data_size > limit)
        return nerr_set(err, NERR_INPUT, path,
                        "the archive has %" PRIu64 " bytes, more than the limit of %" PRIu64 " bytes",
                        h.data_size, limit);
    size_t len = NEFF_HDR_SIZE;
    uint8_t *file = malloc(len);
    if (!file)
        return nerr_set(err, NERR_MEM, path, "out of memory");
    memcpy(file, head, len);
    rc = read_window(fd, path, h.data_size, &file, &len, err);
    uint64_t total = len;
    if (rc == 0)
        rc = count_rest(fd, path, &total, err);
    struct window_source src = { .fd = -1, .memory = file + NEFF_HDR_SIZE };
    if (rc == 0)
        rc = open_window(file, total, &src, path, opt, out, err);
    free(file);
    return rc;
}

int neff_open(const char *path, const struct neff_options *opt, struct neff **out, struct nerr *err)
{
    uint8_t head[NEFF_HDR_SIZE];
    struct stat st;
    size_t got = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return nerr_set(err, NERR_IO, path, "cannot open: %s", strerror(errno));
    int rc = fstat(fd, &st) == 0 ? 0 : nerr_set(err, NERR_IO, path, "cannot read: %s", strerror(errno));
    (void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    if (rc == 0)
        rc = read_up_to(fd, path, head, sizeof head, &got, err);
    struct window_source src = { .fd = fd };
    bool whole = got == NEFF_HDR_SIZE;
    uint64_t size = whole ? (uint64_t)st.st_size : got;
    if (rc == 0 && whole && (!S_ISREG(st.st_mode) || st.st_size == 0))
        rc = open_stream(fd, path, head, opt, out, err);
    else if (rc == 0)
        rc = open_window(head, size, &src, path, opt, out, err);
    close(fd);
    return rc;
}

void neff_close(struct neff *n)
{
    if (!n)
        return;
    tar_list_free(&n->list);
    free(n->archive.bytes);
    free(n->members);
    free(n->sorted);
    free(n);
}

size_t neff_entry_count(const struct neff *n)
{
    return n->list.count;
}

const struct neff_entry *neff_entry_at(const struct neff *n, size_t i)
{
    return i < n->list.count ? &n->list.entries[i] : NULL;
}

bool neff_is_stored(const struct neff *n)
{
    return n->archive.stored;
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
