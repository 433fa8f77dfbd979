/* Looking up signals by name in one file: full names, unique endings, parts of vectors. */
#ifndef NEFFSIM_WAVE_NAMES_H
#define NEFFSIM_WAVE_NAMES_H

#include "wave/reader.h"

/* The range at the end of a name: "n[3:0]", "n[3]". */
struct wave_range {
    size_t base; /* length of the name before it */
    int64_t left, right;
    bool has, colon;
};
struct wave_range wave_range_of(const char *name, size_t len);

/* As wave_glob for a full name; a vector "n[3:0]" is met as "n" too. */
bool wave_glob_signal(const char *glob, const char *name);

/* Part of a signal's value: count characters from character `at` on, most significant first. */
struct wave_piece {
    uint32_t var; /* one of its names */
    uint32_t signal, at, count;
};

struct wave_index_entry {
    const char *name;
    uint32_t len, var;
};

struct wave_index {
    const struct wave_reader *reader;
    struct wave_index_entry *forward, *backward; /* by name, by reversed name; made when first asked */
    size_t n;
};

void wave_index_init(struct wave_index *x, const struct wave_reader *reader);
void wave_index_free(struct wave_index *x);

enum wave_found { WAVE_FOUND, WAVE_NOT_FOUND, WAVE_AMBIGUOUS, WAVE_FOUND_NO_MEMORY };

/*
 * The signal that `text` names: a full name, with `ending` also the end of just one signal's names behind a
 * dot. The range of a vector may be left out, one bit or a range of it may be chosen, and "n[3:0]" also finds
 * n[3], n[2], n[1] and n[0]. *pieces (malloc) gets *n pieces, most significant first.
 */
enum wave_found wave_index_find(struct wave_index *x, const char *text, size_t len, bool ending,
                                struct wave_piece **pieces, uint32_t *n);

#endif
