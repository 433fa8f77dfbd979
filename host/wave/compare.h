/*
 * Whether two waves agree (architecture §7.1, docs/waves.md): A is the golden wave, B the actual one.
 *
 * What counts is the value a signal settles to in a time step; order inside a step, repeats, id codes, order
 * of declaration and kind (reg, wire, logic) do not. Times are exact integers in the finer tick of the two.
 */
#ifndef NEFFSIM_WAVE_COMPARE_H
#define NEFFSIM_WAVE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/nerr.h"
#include "wave/wave.h"

enum wave_x_rule {
    WAVE_X_EXACT,  /* x and z are values of their own */
    WAVE_X_ANY,    /* x or z on either side agrees with everything */
    WAVE_X_GOLDEN, /* x in A agrees with everything */
};

enum wave_edge { WAVE_RISE, WAVE_FALL, WAVE_BOTH };

struct wave_clock_option {
    const char *signal;            /* full name or unique suffix; NULL: no clock */
    enum wave_edge edge;           /* values are taken just before this edge */
    struct wave_bound setup, hold; /* not set: no check around the edge */
};

struct wave_order_option {
    bool on;
    const char *valid;         /* expression that samples; NULL: every change of a signal is a transaction */
    const char *const *groups; /* globs, one group per glob; none: every signal on its own */
    size_t ngroups;
};

/* One line of a rule file or one option of the command line; strings are borrowed. */
struct wave_rule {
    enum {
        WAVE_RULE_MAP,
        WAVE_RULE_IGNORE,
        WAVE_RULE_ONLY,
        WAVE_RULE_MASK,
        WAVE_RULE_TOL,
        WAVE_RULE_WHEN
    } kind;
    const char *name;          /* A-NAME or glob */
    const char *const *others; /* map: B-NAMEs, most significant first */
    size_t nothers;
    const char *text;            /* mask: hex digits, ones for the bits to compare; when: expression */
    struct wave_bound lead, lag; /* tol */
    const char *file;            /* "" for the command line */
    unsigned line;
};

struct wave_options {
    const struct wave_rule *rules;
    size_t nrules;
    struct wave_window window;
    struct wave_clock_option clock;
    struct wave_order_option order;
    struct wave_bound lead, lag; /* --tolerance */
    struct wave_bound shift;     /* B is compared this much later (negative: earlier) */
    bool shift_negative;
    struct wave_bound glitch; /* pulses shorter than this do not exist */
    const char *when;         /* compare only while this holds in A */
    enum wave_x_rule x;
    double epsilon;               /* reals: largest difference that is equal; 0: equal 16-digit forms */
    const char *assume_timescale; /* "1ns" for a file that declares none; NULL: such a pair is refused */
    size_t limit;                 /* signals listed per kind, 0: all; counting goes on */
    bool allow_empty;             /* equal although nothing was compared or nothing ever changed */
    bool allow_incomplete;        /* compare an unfinished file up to where it is complete */
};

struct wave_moment {
    uint64_t ticks_a, ticks_b; /* rounded down, for markers */
    char *text;                /* exact, with a unit: "120 ns" */
};

enum wave_result_kind {
    WAVE_DIFF_VALUE,  /* values differ at a time */
    WAVE_DIFF_SHAPE,  /* declared with another width or kind; values not compared */
    WAVE_DIFF_ONLY_A, /* missing in B */
    WAVE_DIFF_ONLY_B, /* missing in A */
    WAVE_DIFF_ENDS,   /* one side stops and lacks changes that the other has */
    WAVE_DIFF_ORDER,  /* transactions in another order or number */
    WAVE_DIFF_KINDS,
};

struct wave_signal_result {
    enum wave_result_kind kind;
    /* NULL on the side that lacks it. A mapped name shows its slice, "top.n[3:0]"; several are "{a, b[3:0]}";
     * single bits that together are one vector have the vector's name. --order: the group's name on both. */
    char *name_a, *name_b;
    uint32_t width;
    struct wave_moment first;      /* of the first difference */
    char *golden, *actual;         /* values as text ("8'h3f", "1", "1.5"); or declarations */
    char *raw_golden, *raw_actual; /* one character per bit (WAVE_BITS only, else NULL) */
    char *mask;                    /* bits that differ, hex, "80" (WAVE_BITS only, else NULL) */
    struct wave_moment until;  /* end of the first differing interval; text NULL when it lasts to the end */
    char *lasted;              /* length of the first interval, "4 ns" (clocked: "3 samples"), or NULL */
    uint64_t intervals;        /* number of differing intervals (clocked: samples) */
    char *total;               /* time spent differing, "12 ns" (clocked: "5 samples"); NULL for ORDER */
    struct wave_moment agreed; /* last change both sides agreed on before; text NULL when there was none */
    char *agreed_value;
};

struct wave_scope_result {
    char *scope; /* "top.core", "" for variables outside any scope */
    uint64_t compared, differing;
};

struct wave_order_result { /* per group of --order */
    char *name;
    uint64_t count_a, count_b, matched;
    char *latency_min, *latency_mean, *latency_max; /* B minus A of matched transactions, with unit */
    uint64_t first_index;                           /* of the first transaction that differs */
    bool reordered; /* the transaction A has at first_index appears in B elsewhere (within the lookahead) */
};

struct wave_result {
    uint64_t compared;               /* signals whose values were compared */
    uint64_t changes_a, changes_b;   /* of compared signals */
    uint64_t samples;                /* clock edges, 0 without --clock */
    uint64_t count[WAVE_DIFF_KINDS]; /* differing signals by kind */
    /* By first difference in time, ties by scope depth and A's order of declaration; then the kinds without a
     * time. ENDS: one entry per side that stops early, of the first signal it lacks; count[] has all. */
    struct wave_signal_result *list;
    size_t nlist;
    struct wave_scope_result *scopes; /* scopes with a difference, by name */
    size_t nscopes;
    struct wave_order_result *orders;
    size_t norders;
    char *end_a, *end_b; /* with unit */
    bool ends_differ;
    char **notes; /* sentences for people: ends differ, ignored names, glitches removed, unused rules, ... */
    size_t nnotes;
};

/*
 * Returns 0 when the files could be judged, else NERR_INPUT (unreadable, unusable options, nothing compared),
 * NERR_IO or NERR_MEM. The result must be freed either way.
 */
int wave_compare(const char *path_a, const char *path_b, const struct wave_options *options,
                 struct wave_result *result, struct nerr *err);
bool wave_result_equal(const struct wave_result *result);
void wave_result_free(struct wave_result *result);

/* Parses a rule file (docs/waves.md) and owns its text. place of errors: "file line:column". *out must be
 * freed also after an error. */
struct wave_rule_file;
int wave_rules_read(const char *path, struct wave_rule_file **out, struct nerr *err);
const struct wave_rule *wave_rules_list(const struct wave_rule_file *f, size_t *count);
void wave_rules_free(struct wave_rule_file *f);

/* The digits of a mask: "a0", "0xa0" or "8'ha0"; false when it is no hexadecimal number. Ones are compared.
 */
bool wave_mask_digits(const char *text, const char **digits);

#endif
