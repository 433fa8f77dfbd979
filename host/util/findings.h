/*
 * A list of everything that is wrong with a file, in the order in which it was found (neff-container.md §20:
 * three tiers). Readers that stop at the first problem give one struct nerr; `check` collects many.
 */
#ifndef NEFFSIM_UTIL_FINDINGS_H
#define NEFFSIM_UTIL_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "util/nerr.h"

enum finding_level {
    FINDING_NOTE,    /* worth knowing, changes nothing */
    FINDING_WARNING, /* the runtime loads it, but says so or drops something */
    FINDING_RULE,    /* readable, but breaks a rule: exit code 1 */
    FINDING_INPUT,   /* bytes that cannot be read as their format: exit code 2 */
};

struct finding {
    enum finding_level level;
    int tier; /* 1 container, 2 architecture, 3 section; 0: a rule of this project outside the tiers */
    int runtime_code; /* the runtime's status (2, 10, ...), 0 when the runtime has none */
    int gate;         /* row of the reject ladder (§3) or 0 */
    char *member;     /* "sg00/def.json"; "" for the file itself */
    char *place;      /* JSON path, "byte 0x40", "slot 3 byte 0x0c", "line 2 column 7"; may be "" */
    char *text;       /* one sentence: what was found, what is allowed */
};

#define FINDING_LEVELS 4

struct findings { /* start from { 0 } plus limit and first */
    struct finding *list;
    size_t count, capacity;
    size_t seen[FINDING_LEVELS]; /* by level, those beyond the limit too */
    size_t limit;   /* keep at most this many problems (FINDING_RULE, FINDING_INPUT), and as many of the rest,
                     * so that warnings never hide a problem; 0: 1000 */
    size_t dropped; /* findings beyond the limit */
    bool first;     /* stop at the first FINDING_RULE or FINDING_INPUT */
};

/*
 * Appends one; all strings are copied. what->where is "member place" (member first, then a space): a member
 * with a space in its name needs findings_add_at. Returns 0, or NERR_MEM in *err when memory ran out.
 */
int findings_add(struct findings *f, enum finding_level level, int tier, const struct nerr *what,
                 struct nerr *err);

/* The same with member and place given; what->where is not looked at. */
int findings_add_at(struct findings *f, enum finding_level level, int tier, const char *member,
                    const char *place, const struct nerr *what, struct nerr *err);

/* How many of a level were found, those beyond the limit too. */
size_t findings_count(const struct findings *f, enum finding_level level);

/* 0 nothing worse than a warning, 1 a rule is broken, 2 something could not be read. */
int findings_exit_code(const struct findings *f);

/* True when the caller should stop looking (f->first and a rule or input finding is there). */
bool findings_stop(const struct findings *f);

/* True when no more problems are kept: time to stop looking, or a bad file costs more than it is worth. */
bool findings_full(const struct findings *f);

/* FINDING_RULE or FINDING_INPUT, as the exit code of the error says (architecture §6). */
enum finding_level findings_level(const struct nerr *what);

void findings_free(struct findings *f);

#endif
