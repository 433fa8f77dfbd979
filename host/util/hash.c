/* Digests: see hash.h. */
#include "util/hash.h"

#include <openssl/evp.h>
#include <stdbool.h>
#include <stdlib.h>

static int digest(const EVP_MD *md, const char *name, const void *buf, size_t len, uint8_t *out,
                  struct nerr *err)
{
    if (!md || EVP_Digest(len ? buf : "", len, out, NULL, md, NULL) != 1)
        return nerr_set(err, NERR_IO, "", "the crypto library cannot compute %s", name);
    return 0;
}

int hash_md5(const void *buf, size_t len, uint8_t out[HASH_MD5_BYTES], struct nerr *err)
{
    return digest(EVP_md5(), "MD5", buf, len, out, err);
}

int hash_sha256(const void *buf, size_t len, uint8_t out[HASH_SHA256_BYTES], struct nerr *err)
{
    return digest(EVP_sha256(), "SHA-256", buf, len, out, err);
}

struct hash {
    EVP_MD_CTX *ctx;
    const char *name;
    bool failed;
};

int hash_begin(enum hash_kind kind, struct hash **h, struct nerr *err)
{
    struct hash *made = malloc(sizeof *made);
    if (!made)
        return nerr_set(err, NERR_MEM, "", "out of memory");
    const EVP_MD *md = kind == HASH_MD5 ? EVP_md5() : EVP_sha256();
    *made = (struct hash){ EVP_MD_CTX_new(), kind == HASH_MD5 ? "MD5" : "SHA-256", false };
    made->failed = !made->ctx || !md || EVP_DigestInit_ex(made->ctx, md, NULL) != 1;
    *h = made;
    return 0;
}

void hash_add(struct hash *h, const void *buf, size_t len)
{
    if (!h->failed && len && EVP_DigestUpdate(h->ctx, buf, len) != 1)
        h->failed = true;
}

int hash_end(struct hash *h, uint8_t *out, struct nerr *err)
{
    bool ok = !h->failed && EVP_DigestFinal_ex(h->ctx, out, NULL) == 1;
    int rc = ok ? 0 : nerr_set(err, NERR_IO, "", "the crypto library cannot compute %s", h->name);
    hash_drop(h);
    return rc;
}

void hash_drop(struct hash *h)
{
    if (!h)
        return;
    EVP_MD_CTX_free(h->ctx);
    free(h);
}

char *hash_hex(const uint8_t *bytes, size_t n, char *out)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < n; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
    out[2 * n] = '\0';
    return out;
}
