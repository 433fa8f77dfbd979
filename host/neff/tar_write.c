/*
 * The tar writer (neff-container.md §6, §23 item 7) over libarchive's GNU format, whose headers are byte for
 * byte those of the known file: base-256 owners, "ustar  ", no extension record as long as names fit.
 */
#include "neff/container.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>

#include "util/bytes.h"

#define BLOCK     ((size_t)512)
#define RECORD    ((size_t)10240)
#define NAME_MAX_ ((size_t)100) /* longer names would need an extension record */
#define OWNER_MAX ((size_t)32)
#define LONG_MAX  ((size_t)4095)

static bool round_up(size_t n, size_t unit, size_t *out)
{
    return add_size(n, (unit - n % unit) % unit, out);
}

/* A long name is an extension record before the member: a header and the name with its NUL. */
static size_t long_name_size(const char *name)
{
    size_t n = strlen(name);
    return n > NAME_MAX_ && n <= LONG_MAX ? BLOCK + (n / BLOCK + 1) * BLOCK : 0;
}

/* Size of the archive: a header and padded data per entry, two zero blocks, rounded up to a record. */
static bool archive_size(const struct tar_entry *entries, size_t count, size_t *size)
{
    size_t n = 2 * BLOCK, data;
    for (size_t i = 0; i < count; i++)
        if (!add_size(n, BLOCK + long_name_size(entries[i].name), &n) ||
            !round_up(entries[i].size, BLOCK, &data) || !add_size(n, data, &n))
            return false;
    return round_up(n, RECORD, size);
}

static int write_entry(struct archive *a, const struct tar_entry *e, const struct tar_owner *owner,
                       struct nerr *err)
{
    size_t n = strlen(e->name);
    bool directory = n && e->name[n - 1] == '/';
    size_t longest = owner->long_names ? LONG_MAX : NAME_MAX_;
    if (n == 0 || n > longest)
        return nerr_set(err, NERR_RULE, e->name, "the member name has %zu bytes, 1 to %zu are allowed", n,
                        longest);
    struct neff_file_meta m = { directory ? owner->dir_mode : owner->file_mode,
                                owner->uid,
                                owner->gid,
                                owner->mtime,
                                owner->uname,
                                owner->gname };
    if (e->meta)
        m = *e->meta;
    if (strlen(m.uname) > OWNER_MAX || strlen(m.gname) > OWNER_MAX)
        return nerr_set(err, NERR_RULE, e->name, "uname and gname have at most %zu bytes", OWNER_MAX);
    struct archive_entry *entry = archive_entry_new();
    if (!entry)
        return nerr_set(err, NERR_MEM, e->name, "out of memory");
    archive_entry_set_pathname(entry, e->name);
    archive_entry_set_filetype(entry, directory ? AE_IFDIR : AE_IFREG);
    archive_entry_set_perm(entry, (__LA_MODE_T)m.mode);
    archive_entry_set_uid(entry, m.uid);
    archive_entry_set_gid(entry, m.gid);
    archive_entry_set_mtime(entry, (time_t)m.mtime, 0);
    archive_entry_set_uname(entry, m.uname);
    archive_entry_set_gname(entry, m.gname);
    archive_entry_set_size(entry, (la_int64_t)e->size);
    int rc = 0;
    if (archive_write_header(a, entry) != ARCHIVE_OK ||
        (e->size && archive_write_data(a, e->data, e->size) != (la_ssize_t)e->size))
        rc = nerr_set(err, NERR_RULE, e->name, "cannot be stored in a tar archive: %s",
                      archive_error_string(a) ? archive_error_string(a) : "unknown error");
    archive_entry_free(entry);
    return rc;
}

int tar_write(const struct tar_entry *entries, size_t count, const struct tar_owner *owner, uint8_t **out,
              size_t *len, struct nerr *err)
{
    size_t size = 0, used = 0;
    int rc = 0;
    if (strlen(owner->uname) > OWNER_MAX || strlen(owner->gname) > OWNER_MAX)
        return nerr_set(err, NERR_RULE, "", "uname and gname of an archive have at most %zu bytes",
                        OWNER_MAX);
    uint8_t *buf = archive_size(entries, count, &size) ? malloc(size) : NULL;
    struct archive *a = buf ? archive_write_new() : NULL;
    if (!a) {
        free(buf);
        return nerr_set(err, NERR_MEM, "", "out of memory for a tar archive of %zu bytes", size);
    }
    if (archive_write_set_format_gnutar(a) != ARCHIVE_OK || archive_write_add_filter_none(a) != ARCHIVE_OK ||
        archive_write_set_bytes_per_block(a, (int)RECORD) != ARCHIVE_OK ||
        archive_write_set_bytes_in_last_block(a, (int)RECORD) != ARCHIVE_OK ||
        archive_write_open_memory(a, buf, size, &used) != ARCHIVE_OK)
        rc = nerr_set(err, NERR_IO, "", "libarchive cannot write: %s", archive_error_string(a));
    for (size_t i = 0; rc == 0 && i < count; i++)
        rc = write_entry(a, &entries[i], owner, err);
    if (rc == 0 && archive_write_close(a) != ARCHIVE_OK)
        rc = nerr_set(err, NERR_IO, "", "libarchive cannot write: %s", archive_error_string(a));
    archive_write_free(a);
    if (rc) {
        free(buf);
        return rc;
    }
    *out = buf;
    *len = used;
    return 0;
}
