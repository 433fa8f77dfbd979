/*
 * Which values of two files are compared with each other: signals with equal full names, vectors with the
 * single bits that another tool wrote instead, and what map rules say. Everything else is left over.
 */
#ifndef NEFFSIM_WAVE_PAIR_H
#define NEFFSIM_WAVE_PAIR_H

#include "wave/compare.h"
#include "wave/names.h"
#include "wave/select.h"

/* Pieces [first, first + n) of the pairing; most significant first. */
struct wave_part {
    uint32_t first, n;
};

/* One name to compare. */
struct wave_match {
    const char *name_a, *name_b; /* owned by the readers or the pairing */
    uint32_t var_a, var_b;       /* of the first piece */
    struct wave_part a, b;       /* kinds other than WAVE_BITS: one whole piece each */
    uint32_t width;
    enum wave_kind kind;
    uint32_t mask, tol, when; /* rules + 1, 0: none */
};

struct wave_shape { /* one name, declared differently */
    const char *name_a, *name_b;
    uint32_t var_a, var_b;
    uint32_t width_a, width_b; /* of the parts that a map rule names */
};

struct wave_only { /* on one side only */
    const char *name;
    uint32_t var, width;
};

struct wave_pairing {
    struct wave_match *matches;
    size_t nmatches, match_capacity;
    struct wave_piece *pieces;
    size_t npieces, piece_capacity;
    struct wave_shape *shapes;
    size_t nshapes, shape_capacity;
    struct wave_only *only_a, *only_b; /* in declaration order */
    size_t nonly_a, nonly_b;
    char **texts; /* names that are in no file */
    size_t ntexts, text_capacity;
    bool *map_used; /* per rule */
};

/* Rules are looked up in `selector`. The result must be freed either way. */
int wave_pair(struct wave_index *a, struct wave_index *b, const struct wave_rule *rules, size_t nrules,
              struct wave_selector *selector, struct wave_pairing *out, struct nerr *err);
void wave_pairing_free(struct wave_pairing *p);

/* ---- private to pair.c, pair_map.c and pair_bits.c: steps of wave_pair; all return false when out of memory
 */

/* What is still to be matched: one byte per var; 1: gone, 2: mapped, but may have a partner of its own name.
 */
struct wave_pair_work {
    struct wave_index *a, *b;
    const struct wave_rule *rules;
    size_t nrules;
    uint8_t *gone_a, *gone_b;
    const char **key_a;         /* per var of A: the name it has in B, NULL: its own */
    struct wave_piece *used[2]; /* of both sides: named by map rules */
    size_t nused[2], used_capacity[2];
    struct wave_pairing *out;
};

bool wave_pair_pieces(struct wave_pairing *out, const struct wave_piece *p, uint32_t n,
                      struct wave_part *part);
bool wave_pair_add(struct wave_pairing *out, const struct wave_match *m);
bool wave_pair_shape(struct wave_pairing *out, const struct wave_shape *s);
/* Takes a text over; NULL when out of memory (also of the text). */
const char *wave_pair_text(struct wave_pairing *out, char *text);

bool wave_pair_use(struct wave_pair_work *w, int side, const struct wave_piece *p, uint32_t n);
bool wave_pair_holes(struct wave_pair_work *w, int side, struct wave_only **list, size_t *n,
                     size_t *capacity);
int wave_pair_map(struct wave_pair_work *w, struct nerr *err);
bool wave_pair_bits(struct wave_pair_work *w);

#endif
