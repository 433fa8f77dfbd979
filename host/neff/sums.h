/*
 * Checksums beside the work: the digest of the compressed bytes and the CRC-32 of the inflated ones are
 * computed by a second thread while the first one reads and inflates (neff-container.md §4, §5). Private to
 * host/neff.
 *
 * Ranges are taken in the order in which they are given and are only borrowed: the bytes may not change, move
 * or be freed before sums_wait says that the range is done. At most SUMS_QUEUE ranges are outstanding; the
 * giving side waits then.
 */
#ifndef NEFFSIM_NEFF_SUMS_H
#define NEFFSIM_NEFF_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/nerr.h"

#define SUMS_QUEUE 16

enum sums_digest { SUMS_NO_DIGEST, SUMS_MD5, SUMS_SHA256 };

struct sums;

/* threaded: false computes everything inside the calls, for small data; so does a system that has no thread
 * to give. NERR_MEM. */
int sums_open(struct sums **s, enum sums_digest digest, bool threaded, struct nerr *err);

/* The next n bytes of the digest / of the running CRC-32. Returns a ticket for sums_wait. */
uint64_t sums_digest(struct sums *s, const uint8_t *p, size_t n);
uint64_t sums_crc(struct sums *s, const uint8_t *p, size_t n);

/* The running CRC-32 must be `crc` here; it starts anew. at: where the expected value stands, kept for the
 * report of the first difference. */
void sums_crc_expect(struct sums *s, uint32_t crc, uint64_t at);

void sums_wait(struct sums *s, uint64_t ticket); /* until that range is done */
void sums_drain(struct sums *s);                 /* until all are */

struct sums_result {
    uint8_t digest[32];
    bool crc_differs; /* one sums_crc_expect did not hold: the first is at crc_at */
    uint64_t crc_at;
};

/* Waits for everything, frees s. */
int sums_close(struct sums *s, struct sums_result *result, struct nerr *err);

#endif
