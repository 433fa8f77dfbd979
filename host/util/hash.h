/* Digests of whole buffers, or of bytes that come piece by piece, through OpenSSL's EVP. */
#ifndef NEFFSIM_UTIL_HASH_H
#define NEFFSIM_UTIL_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "util/nerr.h"

#define HASH_MD5_BYTES    16
#define HASH_SHA256_BYTES 32

/* NERR_IO when the library refuses the algorithm (as MD5 in a FIPS installation). */
int hash_md5(const void *buf, size_t len, uint8_t out[HASH_MD5_BYTES], struct nerr *err);
int hash_sha256(const void *buf, size_t len, uint8_t out[HASH_SHA256_BYTES], struct nerr *err);

enum hash_kind { HASH_MD5, HASH_SHA256 };

/* A digest in the making: begin, add any number of times, end. hash_end frees h and fills out; a failure of
 * any step is reported there. hash_drop frees without a result (NULL is allowed). */
struct hash;
int hash_begin(enum hash_kind kind, struct hash **h, struct nerr *err);
void hash_add(struct hash *h, const void *buf, size_t len);
int hash_end(struct hash *h, uint8_t *out, struct nerr *err);
void hash_drop(struct hash *h);

/* n bytes as 2n lower-case hex digits and a NUL. Returns out. */
char *hash_hex(const uint8_t *bytes, size_t n, char *out);

#endif
