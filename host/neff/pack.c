/* Members -> NEFF bytes: see pack.h. Reading a source folder is pack_folder.c. */
#include "neff/pack.h"

#include <stdlib.h>
#include <string.h>

#include "neff/container.h"
#include "regs.h"
#include "util/bytes.h"
#include "util/hash.h"

#define UUID_VERSION_BYTE 6
#define UUID_VARIANT_BYTE 8

void neff_pack_defaults(struct neff_pack_settings *s)
{
    *s = (struct neff_pack_settings){
        .header = { .pkg_version = NEFF_PKG_GZIP_MD5,
                    .version_major = 1,
                    .unused_0 = 1,
                    .requested_tpb_count = 1,
                    .vnc_size = 1 },
        .derive_uuid = true,
        .derive_features = true,
        .derive_major = true,
        .gzip = NEFF_PACK_STORED,
        .file_mode = 0644,
        .dir_mode = 0755,
        .uname = "nobody",
        .gname = "nobody",
    };
}

/* A version-4 form of the archive's digest, so that equal content gives an equal file. */
static int derive_uuid(const uint8_t *tar, size_t len, uint8_t *uuid, struct nerr *err)
{
    uint8_t digest[HASH_SHA256_BYTES];
    int rc = hash_sha256(tar, len, digest, err);
    if (rc)
        return rc;
    memcpy(uuid, digest, NEFF_HDR_UUID_BYTES);
    uuid[UUID_VERSION_BYTE] = (uint8_t)((uuid[UUID_VERSION_BYTE] & 0x0f) | 0x40);
    uuid[UUID_VARIANT_BYTE] = (uint8_t)((uuid[UUID_VARIANT_BYTE] & 0x3f) | 0x80);
    return 0;
}

static int check_settings(const struct neff_pack_settings *s, struct nerr *err)
{
    if (s->header.pkg_version != NEFF_PKG_TAR_SHA256 && s->header.pkg_version != NEFF_PKG_GZIP_MD5)
        return nerr_set(err, NERR_RULE, "pkg_version", "found %llu, expected 1 or 2",
                        (unsigned long long)s->header.pkg_version);
    if (s->gzip < NEFF_PACK_STORED || s->gzip > 9)
        return nerr_set(err, NERR_RULE, "gzip", "found level %d, expected 0 to 9 or stored", s->gzip);
    return 0;
}

static int make_tar(const struct neff_file *files, size_t count, const struct neff_pack_settings *s,
                    uint8_t **tar, size_t *len, struct nerr *err)
{
    struct tar_owner owner = { s->uid,   s->gid,       s->mtime,    s->uname,
                               s->gname, s->file_mode, s->dir_mode, s->long_names };
    struct tar_entry *entries = calloc(count + 1, sizeof *entries);
    if (!entries)
        return nerr_set(err, NERR_MEM, "", "out of memory");
    for (size_t i = 0; i < count; i++)
        entries[i] =
            (struct tar_entry){ files[i].name, files[i].data, files[i].size, s->meta ? &s->meta[i] : NULL };
    int rc = tar_write(entries, count, &owner, tar, len, err);
    free(entries);
    return rc;
}

int neff_pack_memory(const struct neff_file *files, size_t count, const struct neff_pack_settings *s,
                     uint8_t **out, size_t *len, struct nerr *err)
{
    static const uint8_t blank[NEFF_HDR_SIZE];
    struct neff_header h = s->header;
    struct strbuf image = { 0 };
    uint8_t *tar = NULL;
    size_t tar_len = 0;
    int rc = check_settings(s, err);
    if (rc == 0)
        rc = make_tar(files, count, s, &tar, &tar_len, err);
    if (rc == 0 && s->derive_uuid)
        rc = derive_uuid(tar, tar_len, h.uuid, err);
    strbuf_add(&image, blank, sizeof blank);
    if (rc == 0 && h.pkg_version == NEFF_PKG_GZIP_MD5)
        rc = gzip_write(tar, tar_len, s->gzip, &image, err);
    else if (rc == 0)
        strbuf_add(&image, tar, tar_len);
    free(tar);
    if (rc == 0 && image.failed)
        rc = nerr_set(err, NERR_MEM, "", "out of memory for the NEFF");
    if (rc == 0) {
        h.header_size = NEFF_HDR_SIZE;
        h.data_size = image.len - NEFF_HDR_SIZE;
        rc = header_set_hash(&h, (const uint8_t *)image.s + NEFF_HDR_SIZE, err);
        if (s->keep_hash_tail && h.pkg_version == NEFF_PKG_GZIP_MD5)
            memcpy(h.hash + NEFF_MD5_BYTES, s->header.hash + NEFF_MD5_BYTES, sizeof h.hash - NEFF_MD5_BYTES);
    }
    if (rc) {
        strbuf_free(&image);
        return rc;
    }
    header_write(&h, (uint8_t *)image.s);
    *out = (uint8_t *)image.s;
    *len = image.len;
    return 0;
}
