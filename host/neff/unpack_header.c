/* header.json of an unpacked NEFF (docs/neff-pack.md): what pack_header.c reads. */
#include "neff/unpack.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regs.h"
#include "util/hash.h"
#include "util/json_write.h"

#define OWNER_MAX        32  /* bytes of an owner's name in a tar header */
#define PLAIN_NAME_MAX   100 /* longer member names need an extension record */
#define DEFAULT_LEVEL    6
#define DEFAULT_MODE     0644u
#define DEFAULT_DIR_MODE 0755u

static void warn(const struct neff_unpack_options *opt, const char *where, const char *text)
{
    if (opt->warn)
        opt->warn(opt->warn_ctx, where, text);
}

/* Well-formed UTF-8 (RFC 3629) without NUL, which is what a JSON string can hold. */
static bool is_utf8(const char *s)
{
    for (const uint8_t *p = (const uint8_t *)s; *p;) {
        size_t n = *p < 0x80                 ? 0
                   : *p >= 0xc2 && *p < 0xe0 ? 1
                   : *p >= 0xe0 && *p < 0xf0 ? 2
                   : *p < 0xf5               ? 3
                                             : 9;
        if (n == 9 || (*p >= 0x80 && *p < 0xc2))
            return false;
        if ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f) || (*p == 0xf0 && p[1] < 0x90) ||
            (*p == 0xf4 && p[1] > 0x8f))
            return false;
        for (p++; n; n--, p++)
            if ((*p & 0xc0) != 0x80)
                return false;
    }
    return true;
}

static void put_hex(struct json_out *o, const uint8_t *bytes, size_t n)
{
    char *hex = malloc(2 * n + 1);
    if (!hex) {
        o->b->failed = true;
        return;
    }
    json_put_string(o, hash_hex(bytes, n, hex));
    free(hex);
}

static size_t used_bytes(const void *field, size_t size)
{
    const uint8_t *p = field;
    while (size && p[size - 1] == 0)
        size--;
    return size;
}

/* A text field; as {"hex": "..."} when a string cannot hold it. */
static void put_text(struct json_out *o, const char *key, const char *field, size_t size)
{
    size_t used = used_bytes(field, size);
    json_put_key(o, key);
    if (used == strlen(field) && is_utf8(field)) {
        json_put_string(o, field);
        return;
    }
    json_open(o, '{');
    json_put_key(o, "hex");
    put_hex(o, (const uint8_t *)field, used);
    json_close(o, '}');
}

static void put_number(struct json_out *o, const char *key, uint64_t v)
{
    json_put_key(o, key);
    json_put_u64(o, v);
}

static void put_uuid(struct json_out *o, const uint8_t *uuid)
{
    char hex[2 * NEFF_HDR_UUID_BYTES + 1], text[40];
    hash_hex(uuid, NEFF_HDR_UUID_BYTES, hex);
    snprintf(text, sizeof text, "%.8s-%.4s-%.4s-%.4s-%.12s", hex, hex + 8, hex + 12, hex + 16, hex + 20);
    json_put_key(o, "uuid");
    json_put_string(o, text);
}

static void put_header(struct json_out *o, const struct neff_header *h)
{
    size_t pad = used_bytes(h->pad, sizeof h->pad);
    put_number(o, "pkg_version", h->pkg_version);
    put_number(o, "header_size", h->header_size);
    put_number(o, "data_size", h->data_size);
    put_number(o, "version_major", h->version_major);
    put_number(o, "version_minor", h->version_minor);
    put_text(o, "build_version", h->build_version, NEFF_HDR_BUILD_VERSION_BYTES);
    put_number(o, "unused_0", h->unused_0);
    json_put_key(o, "hash");
    put_hex(o, h->hash, sizeof h->hash);
    if (h->pkg_version == NEFF_PKG_GZIP_MD5) { /* not part of the digest (§2), so packing keeps it */
        json_put_key(o, "hash_tail");
        put_hex(o, h->hash + NEFF_MD5_BYTES, sizeof h->hash - NEFF_MD5_BYTES);
    }
    put_uuid(o, h->uuid);
    put_text(o, "name", h->name, NEFF_HDR_NAME_BYTES);
    put_number(o, "requested_tpb_count", h->requested_tpb_count);
    json_put_key(o, "tpb_per_node");
    json_open(o, '[');
    for (size_t i = 0; i < used_bytes(h->tpb_per_node, sizeof h->tpb_per_node); i++)
        json_put_u64(o, h->tpb_per_node[i]);
    json_close(o, ']');
    put_number(o, "feature_bits", h->feature_bits);
    put_number(o, "vnc_size", h->vnc_size);
    if (pad) {
        json_put_key(o, "pad");
        put_hex(o, h->pad, pad);
    }
}

/* ---- archive ---- */

struct owner { /* as a tar header can hold it */
    uint64_t uid, gid, mtime;
    const char *uname, *gname;
    unsigned file_mode, dir_mode;
};

static const char *plain_owner(const char *name)
{
    return strlen(name) <= OWNER_MAX && is_utf8(name) ? name : "";
}

static struct owner owner_of(const struct neff_entry *e)
{
    return (struct owner){ .uid = e->uid > 0 ? (uint64_t)e->uid : 0,
                           .gid = e->gid > 0 ? (uint64_t)e->gid : 0,
                           .mtime = e->mtime > 0 ? (uint64_t)e->mtime : 0,
                           .uname = plain_owner(e->uname),
                           .gname = plain_owner(e->gname),
                           .file_mode = e->mode,
                           .dir_mode = e->mode };
}

/* What holds for the archive: the first file's owner, times and mode, the first folder's mode. */
static struct owner common_owner(const struct neff *n)
{
    const struct neff_entry *file = NULL, *folder = NULL;
    for (size_t i = 0; i < neff_entry_count(n); i++) {
        const struct neff_entry *e = neff_entry_at(n, i);
        if (e->kind == NEFF_ENTRY_FOLDER)
            folder = folder ? folder : e;
        else
            file = file ? file : e;
    }
    struct owner all = { .uname = "nobody", .gname = "nobody" };
    if (file || folder)
        all = owner_of(file ? file : folder);
    all.file_mode = file ? file->mode : DEFAULT_MODE;
    all.dir_mode = folder ? folder->mode : DEFAULT_DIR_MODE;
    return all;
}

static void put_mode(struct json_out *o, const char *key, unsigned mode)
{
    char text[8];
    snprintf(text, sizeof text, "%04o", mode & 07777u);
    json_put_key(o, key);
    json_put_string(o, text);
}

static void put_owner_text(struct json_out *o, const char *key, const char *text)
{
    json_put_key(o, key);
    json_put_string(o, text);
}

/* A name, or an object with what differs from the archive's common values. */
static void put_member(struct json_out *o, const struct neff_entry *e, const struct owner *all)
{
    struct owner own = owner_of(e);
    unsigned mode = e->kind == NEFF_ENTRY_FOLDER ? all->dir_mode : all->file_mode;
    bool uname = strcmp(own.uname, all->uname) != 0, gname = strcmp(own.gname, all->gname) != 0;
    if (e->mode == mode && own.uid == all->uid && own.gid == all->gid && own.mtime == all->mtime && !uname &&
        !gname) {
        json_put_string(o, e->name);
        return;
    }
    json_open(o, '{');
    put_owner_text(o, "name", e->name);
    if (e->mode != mode)
        put_mode(o, "mode", e->mode);
    if (own.uid != all->uid)
        put_number(o, "uid", own.uid);
    if (own.gid != all->gid)
        put_number(o, "gid", own.gid);
    if (own.mtime != all->mtime)
        put_number(o, "mtime", own.mtime);
    if (uname)
        put_owner_text(o, "uname", own.uname);
    if (gname)
        put_owner_text(o, "gname", own.gname);
    json_close(o, '}');
}

static void put_members(struct json_out *o, const struct neff *n, const struct owner *all,
                        const struct neff_unpack_options *opt)
{
    bool long_names = false;
    for (size_t i = 0; i < neff_entry_count(n); i++) {
        const char *name = neff_entry_at(n, i)->name;
        long_names = long_names || strlen(name) > PLAIN_NAME_MAX;
        if (!is_utf8(name)) {
            warn(opt, name,
                 "is no UTF-8, so header.json cannot keep the order and the owners of the members");
            return;
        }
    }
    if (long_names) {
        json_put_key(o, "long_names");
        json_put_bool(o, true);
    }
    json_put_key(o, "members");
    json_open(o, '[');
    for (size_t i = 0; i < neff_entry_count(n); i++)
        put_member(o, neff_entry_at(n, i), all);
    json_close(o, ']');
}

void neff_header_json(const struct neff *n, const struct neff_unpack_options *opt, struct strbuf *out)
{
    struct json_out o = { .b = out };
    struct owner all = common_owner(n);
    json_open(&o, '{');
    put_header(&o, neff_get_header(n));
    json_put_key(&o, "archive");
    json_open(&o, '{');
    json_put_key(&o, "gzip");
    if (neff_is_stored(n))
        json_put_string(&o, "stored");
    else
        json_put_u64(&o, DEFAULT_LEVEL);
    put_mode(&o, "file_mode", all.file_mode);
    put_mode(&o, "dir_mode", all.dir_mode);
    put_number(&o, "uid", all.uid);
    put_number(&o, "gid", all.gid);
    put_number(&o, "mtime", all.mtime);
    put_owner_text(&o, "uname", all.uname);
    put_owner_text(&o, "gname", all.gname);
    put_members(&o, n, &all, opt);
    json_close(&o, '}');
    json_close(&o, '}');
}
