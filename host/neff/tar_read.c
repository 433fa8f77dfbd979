/*
 * The tar walk of the loader (neff-container.md §6) over libarchive, which also knows pax and GNU long names
 * and checks header checksums. What the loader does beyond libarchive is here: the ./ rule, the skipped
 * suffix, row 12 to 15 of the reject ladder, last copy of a duplicate wins, no absolute or climbing paths.
 */
#include "neff/container.h"

#include <archive.h>
#include <archive_entry.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "regs.h"
#include "util/strbuf.h"

#define SKIPPED_SUFFIX "wavegraph-bin.json"

struct walk {
    struct archive *archive;
    size_t len; /* of the whole archive: no entry can be larger */
    const char *where;
    const struct tar_warn *warn;
    struct nerr *err;
    struct neff_member *members;
    size_t count, capacity;
};

static const char *library_text(struct archive *a)
{
    const char *text = archive_error_string(a);
    return text ? text : "unknown error";
}

static void warn(const struct walk *w, const char *name, const char *text)
{
    if (w->warn->call)
        w->warn->call(w->warn->ctx, name, text);
}

static bool ends_in(const char *s, const char *suffix)
{
    size_t n = strlen(s), m = strlen(suffix);
    return n >= m && strcmp(s + n - m, suffix) == 0;
}

/* True when a path could leave the folder it is unpacked into, or names nothing. */
static bool unsafe_path(const char *path)
{
    if (path[0] == '/' || path[0] == '\0')
        return true;
    for (const char *p = path; p; p = strchr(p, '/')) {
        p += *p == '/';
        if (p[0] == '.' && p[1] == '.' && (p[2] == '/' || p[2] == '\0'))
            return true;
    }
    return false;
}

static struct neff_member *append(struct walk *w)
{
    if (w->count == w->capacity) {
        size_t capacity = w->capacity ? 2 * w->capacity : 32;
        struct neff_member *more = realloc(w->members, capacity * sizeof *more);
        if (!more)
            return NULL;
        w->members = more;
        w->capacity = capacity;
    }
    struct neff_member *m = &w->members[w->count];
    *m = (struct neff_member){ 0 };
    w->count++;
    return m;
}

/* Reads the data of the current entry into a member of its own. */
static int store(struct walk *w, struct archive_entry *entry, const char *name)
{
    int64_t size = archive_entry_size(entry);
    if (size < 0)
        return gate_error(w->err, NERR_INPUT, NRT_INVALID, 13, w->where,
                          "invalid files size(%" PRId64 ") for %s - %s", size, name,
                          library_text(w->archive));
    if ((uint64_t)size > w->len)
        return gate_error(w->err, NERR_INPUT, NRT_INVALID, 15, w->where,
                          "(open NEFF) %s claims %" PRId64 " bytes, the whole archive has %zu", name, size,
                          w->len);
    struct neff_member *m = append(w);
    uint8_t *data = m ? malloc(size ? (size_t)size : 1) : NULL;
    if (!data || !(m->name = text_copy(name))) {
        free(data);
        return gate_error(w->err, NERR_MEM, NRT_INVALID, 14, w->where,
                          "fail to allocate memory(%" PRId64 ") for file %s", size, name);
    }
    m->data = data;
    m->size = (size_t)size;
    la_ssize_t got = size ? archive_read_data(w->archive, data, (size_t)size) : 0;
    if (got != size)
        return gate_error(w->err, NERR_INPUT, NRT_INVALID, 15, w->where,
                          "(open NEFF) read %" PRId64 " of %" PRId64 " bytes of %s - %s", (int64_t)got, size,
                          name, library_text(w->archive));
    return 0;
}

static int entry_step(struct walk *w, struct archive_entry *entry)
{
    unsigned type = archive_entry_filetype(entry);
    const char *name = archive_entry_pathname(entry);
    if (type == AE_IFDIR)
        return 0;
    if (!name)
        return gate_error(w->err, NERR_INPUT, NRT_INVALID, 12, w->where,
                          "failure while reading NEFF metadata an entry has no readable name");
    if (name[0] == '.' && name[1] == '/')
        name += 2;
    if (unsafe_path(name))
        return gate_error(w->err, NERR_INPUT, NRT_INVALID, 0, w->where,
                          "the member path \"%s\" is empty, absolute or contains ..", name);
    if (type != AE_IFREG || archive_entry_hardlink(entry)) {
        warn(w, name, "is a link or device, skipped");
        return 0;
    }
    return ends_in(name, SKIPPED_SUFFIX) ? 0 : store(w, entry, name);
}

struct placed {
    const char *name;
    size_t index;
};

static int by_name(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : x->index < y->index ? -1 : x->index > y->index;
}

/* Keeps the last copy of every name (CONVENTION of §6). */
static int drop_duplicates(struct walk *w)
{
    if (w->count < 2)
        return 0;
    struct placed *list = calloc(w->count, sizeof *list);
    if (!list)
        return nerr_set(w->err, NERR_MEM, w->where, "out of memory");
    for (size_t i = 0; i < w->count; i++)
        list[i] = (struct placed){ w->members[i].name, i };
    qsort(list, w->count, sizeof *list, by_name);
    for (size_t i = 0; i + 1 < w->count; i++)
        if (strcmp(list[i].name, list[i + 1].name) == 0) {
            warn(w, list[i].name, "is in the archive more than once, the last copy counts");
            free((void *)(uintptr_t)w->members[list[i].index].data);
            w->members[list[i].index].data = NULL;
        }
    free(list);
    size_t kept = 0;
    for (size_t i = 0; i < w->count; i++) {
        if (w->members[i].data)
            w->members[kept++] = w->members[i];
        else
            free(w->members[i].name);
    }
    w->count = kept;
    return 0;
}

static int walk(struct walk *w)
{
    for (;;) {
        struct archive_entry *entry;
        int status = archive_read_next_header(w->archive, &entry);
        if (status == ARCHIVE_EOF)
            return drop_duplicates(w);
        if (status != ARCHIVE_OK)
            return gate_error(w->err, NERR_INPUT, NRT_INVALID, 12, w->where,
                              "failure while reading NEFF metadata %s", library_text(w->archive));
        int rc = entry_step(w, entry);
        if (rc)
            return rc;
    }
}

int tar_read(const uint8_t *p, size_t len, const char *where, const struct tar_warn *warning,
             struct neff_member **members, size_t *count, struct nerr *err)
{
    struct walk w = {
        .archive = archive_read_new(), .len = len, .where = where, .warn = warning, .err = err
    };
    int rc;
    if (!w.archive)
        return nerr_set(err, NERR_MEM, where, "out of memory");
    if (archive_read_support_format_tar(w.archive) != ARCHIVE_OK ||
        archive_read_open_memory(w.archive, p, len) != ARCHIVE_OK)
        rc = gate_error(err, NERR_INPUT, NRT_INVALID, 11, where, "Failed to open NEFF %s",
                        library_text(w.archive));
    else
        rc = walk(&w);
    archive_read_free(w.archive);
    if (rc) {
        members_free(w.members, w.count);
        return rc;
    }
    *members = w.members;
    *count = w.count;
    return 0;
}

void members_free(struct neff_member *members, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(members[i].name);
        free((void *)(uintptr_t)members[i].data); /* const for readers; allocated in store() */
    }
    free(members);
}
