/* header.json of a source folder -> header fields and archive settings (docs/neff-pack.md). */
#include "neff/pack_source.h"

#include <string.h>

#include "regs.h"

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Hex digits of at most size bytes; *n is how many bytes there are. */
static int read_hex(const struct json *j, const json_value *v, uint8_t *out, size_t size, size_t *n,
                    struct nerr *err)
{
    const char *text = NULL;
    int rc = json_as_string(j, v, &text, err);
    if (rc)
        return rc;
    *n = strlen(text) / 2;
    bool ok = strlen(text) % 2 == 0 && *n <= size;
    for (size_t i = 0; ok && i < *n; i++) {
        int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);
        ok = high >= 0 && low >= 0;
        out[i] = (uint8_t)((high & 15) << 4 | (low & 15));
    }
    return ok ? 0 : json_error(j, v, NULL, err, "expected at most %zu bytes of two hex digits each", size);
}

static int opt_hex(const struct json *j, const json_value *root, const char *key, uint8_t *out, size_t size,
                   size_t *n, struct nerr *err)
{
    const json_value *v = json_get(root, key);
    return v ? read_hex(j, v, out, size, n, err) : 0;
}

/* A string, or {"hex": "..."} for bytes that a string cannot hold. */
static int read_text(const struct json *j, const json_value *root, const char *key, char *out, size_t size,
                     struct nerr *err)
{
    static const char *const keys[] = { "hex", NULL };
    const json_value *v = json_get(root, key);
    const char *text = NULL;
    size_t n = 0;
    if (v && json_is_object(v)) {
        int failed = json_only_keys(j, v, keys, "a text field", err);
        memset(out, 0, size);
        return failed ? failed : opt_hex(j, v, "hex", (uint8_t *)out, size, &n, err);
    }
    int rc = json_opt_string(j, root, key, &text, err);
    if (rc || !text)
        return rc;
    if (strlen(text) > size)
        return json_error(j, root, key, err, "has %zu bytes, at most %zu are allowed", strlen(text), size);
    memset(out, 0, size);
    memcpy(out, text, strlen(text));
    return 0;
}

static int read_u32(const struct json *j, const json_value *root, const char *key, uint32_t *out,
                    struct nerr *err)
{
    uint64_t v = *out;
    int rc = json_opt_u64(j, root, key, 0, UINT32_MAX, &v, err);
    *out = (uint32_t)v;
    return rc;
}

/* 8-4-4-4-12 hex digits, display order. */
static int read_uuid(const struct json *j, const json_value *root, struct neff_pack_settings *s,
                     struct nerr *err)
{
    static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    const char *text = NULL;
    int rc = json_opt_string(j, root, "uuid", &text, err);
    if (rc || !text)
        return rc;
    bool ok = strlen(text) == strlen(form);
    for (size_t i = 0, n = 0; ok && form[i]; i++) {
        if (form[i] == '-') {
            ok = text[i] == '-';
            continue;
        }
        int d = hex_digit(text[i]);
        ok = d >= 0;
        s->header.uuid[n / 2] = (uint8_t)(s->header.uuid[n / 2] << 4 | (d & 15));
        n++;
    }
    if (!ok)
        return json_error(j, root, "uuid", err, "found \"%.60s\", expected the form %s", text, form);
    s->derive_uuid = false;
    return 0;
}

static int read_tpb_map(const struct json *j, const json_value *root, struct neff_header *h, struct nerr *err)
{
    const json_value *list = NULL;
    size_t i = 0;
    int rc = json_opt_array(j, root, "tpb_per_node", &list, err);
    if (rc == 0 && json_count(list) > sizeof h->tpb_per_node)
        rc = json_error(j, list, NULL, err, "has %zu entries, at most %zu are allowed", json_count(list),
                        sizeof h->tpb_per_node);
    for (const json_value *v = rc ? NULL : json_child(list); rc == 0 && v; v = json_next(v)) {
        uint64_t n = 0;
        rc = json_as_u64(j, v, 0, UINT8_MAX, &n, err);
        h->tpb_per_node[i++] = (uint8_t)n;
    }
    return rc;
}

static int read_mode(const struct json *j, const json_value *archive, const char *key, unsigned *out,
                     struct nerr *err)
{
    const char *text = NULL;
    unsigned mode = 0;
    int rc = json_opt_string(j, archive, key, &text, err);
    if (rc || !text)
        return rc;
    const char *p = text;
    for (; *p >= '0' && *p <= '7' && mode <= 07777; p++)
        mode = mode * 8 + (unsigned)(*p - '0');
    if (p == text || *p || mode > 07777)
        return json_error(j, archive, key, err, "found \"%.20s\", expected an octal mode such as \"0644\"",
                          text);
    *out = mode;
    return 0;
}

static int read_gzip(const struct json *j, const json_value *archive, int *gzip, struct nerr *err)
{
    const json_value *v = json_get(archive, "gzip");
    const char *text;
    uint64_t level = 0;
    int rc = 0;
    if (!v)
        return 0;
    if (!json_is_string(v)) {
        rc = json_as_u64(j, v, 0, 9, &level, err);
        *gzip = (int)level;
        return rc;
    }
    rc = json_as_string(j, v, &text, err);
    if (rc == 0 && strcmp(text, "stored") != 0)
        rc = json_error(j, v, NULL, err, "found \"%.20s\", expected \"stored\" or a level 0 to 9", text);
    *gzip = NEFF_PACK_STORED;
    return rc;
}

static int read_number(const struct json *j, const json_value *archive, const char *key, int64_t *out,
                       struct nerr *err)
{
    const json_value *v = json_get(archive, key);
    return v ? json_as_i64(j, v, 0, INT64_MAX, out, err) : 0;
}

/* What the settings say for a member of this name. */
static void default_meta(const struct neff_pack_settings *s, const char *name, struct neff_file_meta *meta)
{
    size_t n = strlen(name);
    unsigned mode = n && name[n - 1] == '/' ? s->dir_mode : s->file_mode;
    *meta = (struct neff_file_meta){ mode, s->uid, s->gid, s->mtime, s->uname, s->gname };
}

static int read_owner(const struct json *j, const json_value *archive, struct neff_pack_settings *s,
                      struct nerr *err)
{
    int rc = read_number(j, archive, "uid", &s->uid, err);
    if (rc == 0)
        rc = read_number(j, archive, "gid", &s->gid, err);
    if (rc == 0)
        rc = read_number(j, archive, "mtime", &s->mtime, err);
    if (rc == 0)
        rc = json_opt_string(j, archive, "uname", &s->uname, err);
    return rc ? rc : json_opt_string(j, archive, "gname", &s->gname, err);
}

int header_json_member(const struct json *j, const json_value *v, const struct neff_pack_settings *s,
                       const char **name, struct neff_file_meta *meta, struct nerr *err)
{
    static const char *const keys[] = { "name", "mode", "uid", "gid", "mtime", "uname", "gname", NULL };
    if (!json_is_object(v)) {
        int rc = json_as_string(j, v, name, err);
        if (rc == 0)
            default_meta(s, *name, meta);
        return rc;
    }
    int rc = json_only_keys(j, v, keys, "a member of the archive", err);
    if (rc == 0)
        rc = json_need_string(j, v, "name", name, err);
    if (rc)
        return rc;
    default_meta(s, *name, meta);
    rc = read_mode(j, v, "mode", &meta->mode, err);
    if (rc == 0)
        rc = read_number(j, v, "uid", &meta->uid, err);
    if (rc == 0)
        rc = read_number(j, v, "gid", &meta->gid, err);
    if (rc == 0)
        rc = read_number(j, v, "mtime", &meta->mtime, err);
    if (rc == 0)
        rc = json_opt_string(j, v, "uname", &meta->uname, err);
    return rc ? rc : json_opt_string(j, v, "gname", &meta->gname, err);
}

/* The part of the hash that an MD5 leaves free (§2). */
static int read_hash_tail(const struct json *j, const json_value *root, struct neff_pack_settings *s,
                          struct nerr *err)
{
    size_t n = 0, size = sizeof s->header.hash - NEFF_MD5_BYTES;
    int rc = opt_hex(j, root, "hash_tail", s->header.hash + NEFF_MD5_BYTES, size, &n, err);
    if (rc == 0 && json_get(root, "hash_tail") && n != size)
        rc = json_error(j, root, "hash_tail", err, "has %zu bytes, %zu are expected", n, size);
    s->keep_hash_tail = n == size;
    return rc;
}

static int read_archive(const struct json *j, struct neff_pack_settings *s, const json_value **order,
                        struct nerr *err)
{
    static const char *const keys[] = { "members", "file_mode", "dir_mode", "uid",        "gid", "mtime",
                                        "uname",   "gname",     "gzip",     "long_names", NULL };
    const json_value *archive = NULL;
    int rc = json_opt_object(j, json_root(j), "archive", &archive, err);
    if (rc || !archive)
        return rc;
    rc = json_only_keys(j, archive, keys, "header.json", err);
    if (rc == 0)
        rc = json_opt_array(j, archive, "members", order, err);
    if (rc == 0)
        rc = read_mode(j, archive, "file_mode", &s->file_mode, err);
    if (rc == 0)
        rc = read_mode(j, archive, "dir_mode", &s->dir_mode, err);
    if (rc == 0)
        rc = read_owner(j, archive, s, err);
    if (rc == 0)
        rc = json_opt_bool(j, archive, "long_names", &s->long_names, err);
    return rc ? rc : read_gzip(j, archive, &s->gzip, err);
}

int header_json_read(const struct json *j, struct neff_pack_settings *s, const json_value **order,
                     struct nerr *err)
{
    /* header_size, data_size and hash are what unpacking a NEFF writes too; packing computes them. */
    static const char *const keys[] = {
        "pkg_version", "version_major",       "version_minor", "build_version", "unused_0", "uuid",
        "name",        "requested_tpb_count", "tpb_per_node",  "feature_bits",  "vnc_size", "archive",
        "header_size", "data_size",           "hash",          "hash_tail",     "pad",      NULL
    };
    const json_value *root = json_root(j);
    struct neff_header *h = &s->header;
    size_t n = 0;
    *order = NULL;
    int rc = json_as_object(j, root, err);
    if (rc == 0)
        rc = json_only_keys(j, root, keys, "header.json", err);
    if (rc == 0)
        rc = json_opt_u64(j, root, "pkg_version", NEFF_PKG_TAR_SHA256, NEFF_PKG_GZIP_MD5, &h->pkg_version,
                          err);
    if (rc == 0)
        rc = json_opt_u64(j, root, "feature_bits", 0, UINT64_MAX, &h->feature_bits, err);
    if (h->feature_bits) /* §20, producer rule; an explicit major below overrides it */
        h->version_major = NEFF_MAJOR_FEATURES;
    if (json_get(root, "feature_bits"))
        s->derive_features = false;
    if (json_get(root, "version_major"))
        s->derive_major = false;
    h->unused_0 = h->pkg_version == NEFF_PKG_GZIP_MD5;
    if (rc == 0)
        rc = json_opt_u64(j, root, "version_major", 0, UINT64_MAX, &h->version_major, err);
    if (rc == 0)
        rc = json_opt_u64(j, root, "version_minor", 0, UINT64_MAX, &h->version_minor, err);
    if (rc == 0)
        rc = read_text(j, root, "build_version", h->build_version, NEFF_HDR_BUILD_VERSION_BYTES, err);
    if (rc == 0)
        rc = read_text(j, root, "name", h->name, NEFF_HDR_NAME_BYTES - 1, err);
    if (rc == 0)
        rc = read_u32(j, root, "unused_0", &h->unused_0, err);
    if (rc == 0)
        rc = read_u32(j, root, "requested_tpb_count", &h->requested_tpb_count, err);
    if (rc == 0)
        rc = read_u32(j, root, "vnc_size", &h->vnc_size, err);
    if (rc == 0)
        rc = read_uuid(j, root, s, err);
    if (rc == 0)
        rc = read_tpb_map(j, root, h, err);
    if (rc == 0)
        rc = read_hash_tail(j, root, s, err);
    if (rc == 0)
        rc = opt_hex(j, root, "pad", h->pad, sizeof h->pad, &n, err);
    return rc ? rc : read_archive(j, s, order, err);
}
