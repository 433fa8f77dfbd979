/*
 * The tar walk of the loader (neff-container.md §6) over libarchive, which also knows pax and GNU long names
 * and checks header checksums. What the loader does beyond libarchive is here: the ./ rule, the skipped
 * suffix, row 11 to 15 of the reject ladder, last copy of a duplicate wins, no absolute or climbing paths.
 * libarchive's memory reader hands out pointers into the archive, so members are not copied.
 */
#include "neff/container.h"

#include <archive.h>
#include <archive_entry.h>
#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "regs.h"
#include "util/strbuf.h"

#define SKIPPED_SUFFIX "wavegraph-bin.json"
#define END_BLOCKS     ((int64_t)1024) /* two zero blocks */
#define PERMISSIONS    07777u

struct walk {
    struct archive *reader;
    const struct neff_archive *archive;
    const char *where;
    const struct tar_warn *warn;
    struct nerr *err;
    struct tar_list *list;
    uint64_t at;   /* of the present entry in the archive */
    size_t copied; /* bytes of members that are not contiguous */
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

static int no_memory(const struct walk *w)
{
    return nerr_set(w->err, NERR_MEM, w->where, "out of memory");
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

/* ---- the list ---- */

/* Takes p over, also when it fails; NULL is a failure. */
static bool own(struct tar_list *l, void *p)
{
    if (p && l->nowned == l->owned_capacity) {
        size_t capacity = l->owned_capacity ? 2 * l->owned_capacity : 64;
        void **more = realloc(l->owned, capacity * sizeof *more);
        if (!more) {
            free(p);
            return false;
        }
        l->owned = more;
        l->owned_capacity = capacity;
    }
    if (p)
        l->owned[l->nowned++] = p;
    return p != NULL;
}

static const char *own_text(struct tar_list *l, char *text)
{
    return own(l, text) ? text : NULL;
}

/* Owners repeat from entry to entry. */
static const char *owner(struct tar_list *l, const char *before, const char *text)
{
    if (!text)
        return "";
    return before && strcmp(before, text) == 0 ? before : own_text(l, text_copy(text));
}

static struct neff_entry *append(struct walk *w, struct archive_entry *from, enum neff_entry_kind kind,
                                 char *name)
{
    struct tar_list *l = w->list;
    if (l->count == l->capacity) {
        size_t capacity = l->capacity ? 2 * l->capacity : 32;
        struct neff_entry *more = realloc(l->entries, capacity * sizeof *more);
        if (!more) {
            free(name);
            return NULL;
        }
        l->entries = more;
        l->capacity = capacity;
    }
    struct neff_entry *e = &l->entries[l->count];
    const struct neff_entry *before = l->count ? e - 1 : NULL;
    *e = (struct neff_entry){
        .kind = kind,
        .name = own_text(l, name),
        .data = w->archive->bytes,
        .mode = (unsigned)archive_entry_perm(from) & PERMISSIONS,
        .uid = archive_entry_uid(from),
        .gid = archive_entry_gid(from),
        .mtime = archive_entry_mtime(from),
        .uname = owner(l, before ? before->uname : NULL, archive_entry_uname(from)),
        .gname = owner(l, before ? before->gname : NULL, archive_entry_gname(from)),
    };
    l->count++;
    return e->name && e->uname && e->gname ? e : NULL;
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

/* Keeps the last copy of every file (CONVENTION of §6) and the first of every folder. */
static int drop_duplicates(struct walk *w)
{
    struct tar_list *l = w->list;
    if (l->count < 2)
        return 0;
    struct placed *sorted = calloc(l->count, sizeof *sorted);
    if (!sorted)
        return no_memory(w);
    for (size_t i = 0; i < l->count; i++)
        sorted[i] = (struct placed){ l->entries[i].name, i };
    qsort(sorted, l->count, sizeof *sorted, by_name);
    for (size_t i = 0; i + 1 < l->count; i++) {
        if (strcmp(sorted[i].name, sorted[i + 1].name) != 0)
            continue;
        bool folder = l->entries[sorted[i].index].kind == NEFF_ENTRY_FOLDER;
        bool first = i == 0 || strcmp(sorted[i - 1].name, sorted[i].name) != 0;
        if (first && l->entries[sorted[i].index].kind == NEFF_ENTRY_MEMBER)
            warn(w, sorted[i].name, "is in the archive more than once, the last copy counts");
        l->entries[sorted[folder ? i + 1 : i].index].data = NULL;
    }
    free(sorted);
    size_t kept = 0;
    for (size_t i = 0; i < l->count; i++)
        if (l->entries[i].data)
            l->entries[kept++] = l->entries[i];
    l->count = kept;
    return 0;
}

/* ---- data of one entry ---- */

static int short_read(struct walk *w, const struct neff_entry *e, int64_t got)
{
    return gate_error_at(w->err, NERR_INPUT, NRT_INVALID, 15, w->where, "archive byte", w->at,
                         "(open NEFF) read %" PRId64 " of %zu bytes of %s - %s", got, e->size, e->name,
                         library_text(w->reader));
}

/*
 * A member whose bytes are not side by side in the archive (a sparse file), beginning with the block that was
 * read; or one that the archive ends in. All copies together are not larger than the archive.
 */
static int copy_data(struct walk *w, struct neff_entry *e, int status, const uint8_t *p, size_t n,
                     int64_t off)
{
    int64_t got = 0;
    if (e->size > w->archive->len - w->copied)
        return gate_error_at(w->err, NERR_INPUT, NRT_INVALID, 15, w->where, "archive byte", w->at,
                             "(open NEFF) the sparse file %s has %zu bytes; all of them may have %zu as the "
                             "whole archive does",
                             e->name, e->size, w->archive->len);
    w->copied += e->size;
    uint8_t *copy = calloc(1, e->size);
    if (!own(w->list, copy))
        return gate_error_at(w->err, NERR_MEM, NRT_INVALID, 14, w->where, "archive byte", w->at,
                             "fail to allocate memory(%zu) for file %s", e->size, e->name);
    for (; status == ARCHIVE_OK; status = archive_read_data_block(w->reader, (const void **)&p, &n, &off)) {
        if (off < 0 || (uint64_t)off > e->size || n > e->size - (size_t)off)
            return short_read(w, e, got);
        if (n)
            memcpy(copy + off, p, n);
        got += (int64_t)n;
    }
    e->data = copy;
    return status == ARCHIVE_EOF ? 0 : short_read(w, e, got);
}

static int find_data(struct walk *w, struct neff_entry *e)
{
    const void *p = NULL;
    size_t n = 0;
    la_int64_t off = 0;
    if (e->size == 0)
        return 0;
    int status = archive_read_data_block(w->reader, &p, &n, &off);
    uintptr_t start = (uintptr_t)w->archive->bytes, found = (uintptr_t)p;
    bool inside =
        found >= start && found - start <= w->archive->len && n <= w->archive->len - (found - start);
    if (status != ARCHIVE_OK || off != 0 || n != e->size || !inside)
        return copy_data(w, e, status, p, n, off);
    e->data = p;
    return 0;
}

static int store(struct walk *w, struct archive_entry *entry, const char *name)
{
    int64_t size = archive_entry_size(entry);
    if (size < 0)
        return gate_error_at(w->err, NERR_INPUT, NRT_INVALID, 13, w->where, "archive byte", w->at,
                             "invalid files size(%" PRId64 ") for %s - %s", size, name,
                             library_text(w->reader));
    if ((uint64_t)size > w->archive->len)
        return gate_error_at(w->err, NERR_INPUT, NRT_INVALID, 15, w->where, "archive byte", w->at,
                             "(open NEFF) %s claims %" PRId64 " bytes, the whole archive has %zu", name, size,
                             w->archive->len);
    struct neff_entry *e = append(
        w, entry, ends_in(name, SKIPPED_SUFFIX) ? NEFF_ENTRY_SIDE : NEFF_ENTRY_MEMBER, text_copy(name));
    if (!e)
        return no_memory(w);
    e->size = (size_t)size;
    return find_data(w, e);
}

/* Folders are no members; unpacking makes them. */
static int note_folder(struct walk *w, struct archive_entry *entry, const char *name)
{
    if (!name || unsafe_path(name))
        return 0;
    const char *slash = ends_in(name, "/") ? "" : "/";
    return append(w, entry, NEFF_ENTRY_FOLDER, text_printf("%s%s", name, slash)) ? 0 : no_memory(w);
}

static int entry_step(struct walk *w, struct archive_entry *entry)
{
    unsigned type = archive_entry_filetype(entry);
    const char *name = archive_entry_pathname(entry);
    if (name && name[0] == '.' && name[1] == '/')
        name += 2;
    if (type == AE_IFDIR)
        return note_folder(w, entry, name);
    if (!name)
        return gate_error_at(w->err, NERR_INPUT, NRT_INVALID, 12, w->where, "archive byte", w->at,
                             "failure while reading NEFF metadata an entry has no readable name");
    if (unsafe_path(name))
        return gate_error_at(w->err, NERR_INPUT, NRT_INVALID, 0, w->where, "archive byte", w->at,
                             "the member path \"%s\" is empty, absolute or contains ..", name);
    if (type != AE_IFREG || archive_entry_hardlink(entry)) {
        warn(w, name, "is a link or device, skipped");
        return 0;
    }
    return store(w, entry, name);
}

/* ---- the walk ---- */

static int metadata_error(struct walk *w)
{
    return gate_error_at(w->err, NERR_INPUT, NRT_INVALID, 12, w->where, "archive byte", w->at,
                         "failure while reading NEFF metadata %s", library_text(w->reader));
}

/* What the runtime does not look at: an archive may end without its zero blocks, and anything may follow. */
static void check_end(const struct walk *w)
{
    size_t end = (size_t)archive_filter_bytes(w->reader, 0), last = w->archive->len;
    if (end - w->at < (uint64_t)END_BLOCKS)
        warn(w, w->where,
             "the tar archive ends without two zero blocks, it may have been cut between two members");
    while (last > end && w->archive->bytes[last - 1] == 0)
        last--;
    if (last > end)
        warn(w, w->where, "what follows the end of the tar archive is not zero, ignored");
}

static int walk(struct walk *w)
{
    for (;;) {
        struct archive_entry *entry;
        w->at = (uint64_t)archive_filter_bytes(w->reader, 0);
        int status = archive_read_next_header(w->reader, &entry);
        if (status == ARCHIVE_EOF) {
            check_end(w);
            return drop_duplicates(w);
        }
        if (status != ARCHIVE_OK)
            return metadata_error(w);
        int rc = entry_step(w, entry);
        if (rc)
            return rc;
        if (archive_read_data_skip(w->reader) != ARCHIVE_OK)
            return metadata_error(w);
    }
}

/*
 * Names in pax records are UTF-8; libarchive converts them to the character set of the locale and knows no
 * way to leave them alone. So the walk has a UTF-8 locale of its own, whatever the user's is. (locale_t)0
 * when the system has none: then only ASCII names can be converted.
 */
static locale_t utf8_locale(void)
{
    static const char *const names[] = { "C.UTF-8", "C.utf8", "en_US.UTF-8" };
    locale_t l = (locale_t)0;
    for (size_t i = 0; !l && i < sizeof names / sizeof names[0]; i++)
        l = newlocale(LC_CTYPE_MASK, names[i], (locale_t)0);
    return l;
}

int tar_read(const struct neff_archive *archive, const char *where, const struct tar_warn *warning,
             struct tar_list *list, struct nerr *err)
{
    struct walk w = { .reader = archive_read_new(),
                      .archive = archive,
                      .where = where,
                      .warn = warning,
                      .err = err,
                      .list = list };
    int rc;
    if (!w.reader)
        return no_memory(&w);
    locale_t utf8 = utf8_locale(), before = utf8 ? uselocale(utf8) : (locale_t)0;
    if (archive_read_support_format_tar(w.reader) != ARCHIVE_OK ||
        archive_read_open_memory(w.reader, archive->bytes, archive->len) != ARCHIVE_OK)
        rc = gate_error_at(err, NERR_INPUT, NRT_INVALID, 11, where, "archive byte", 0,
                           "Failed to open NEFF %s (a tar archive is expected, or one inside gzip)",
                           library_text(w.reader));
    else
        rc = walk(&w);
    archive_read_free(w.reader);
    if (utf8) {
        uselocale(before);
        freelocale(utf8);
    }
    return rc;
}

void tar_list_free(struct tar_list *list)
{
    for (size_t i = 0; i < list->nowned; i++)
        free(list->owned[i]);
    free(list->owned);
    free(list->entries);
    *list = (struct tar_list){ 0 };
}
