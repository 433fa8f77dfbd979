/* Digests: see hash.h. */
#include "util/hash.h"

#include <openssl/evp.h>

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
