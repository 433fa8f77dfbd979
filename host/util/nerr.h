/*
 * The one error type of the project: a code, a place and one sentence.
 *
 * Functions that can fail return 0 or a non-zero code and fill *err (which may not be NULL). They never print
 * and never exit. The code decides the exit code of the program (architecture §6): NERR_INPUT and NERR_IO
 * give 2, NERR_RULE and NERR_MISMATCH give 1, NERR_HANG gives 3.
 */
#ifndef NEFFSIM_UTIL_NERR_H
#define NEFFSIM_UTIL_NERR_H

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

enum nerr_code {
    NERR_OK = 0,
    NERR_RULE = 1,     /* readable, but breaks a rule */
    NERR_MISMATCH = 2, /* two things that must agree differ */
    NERR_INPUT = 3,    /* bytes or arguments that cannot be read as their format */
    NERR_IO = 4,       /* the operating system refused */
    NERR_HANG = 5,     /* the device made no progress */
    NERR_MEM = 6,      /* out of memory */
};

struct nerr {
    int code;         /* enum nerr_code */
    int runtime_code; /* the runtime's own status (2, 10, ...) where the specification gives one, else 0 */
    int gate;         /* row of the reject ladder (neff-container §3) or 0 */
    char where[192];  /* file, member, offset, slot, descriptor or line:column; may be empty */
    char text[512];   /* one sentence: what was found, what is allowed */
};

/* Sets *err and returns code, so that a function can `return nerr_set(...)`. Long texts are cut with "...".
 */
int nerr_set(struct nerr *err, int code, const char *where, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* As nerr_set with a formatted place set before by nerr_where. */
int nerr_vset(struct nerr *err, int code, const char *where, const char *fmt, va_list ap);

/* Prepends "prefix: " to the place of an error that is passed on. Returns err->code. */
int nerr_prefix(struct nerr *err, const char *prefix);

/* Exit code of the program for an error (0, 1, 2 or 3). */
int nerr_exit_code(const struct nerr *err);

#ifdef __cplusplus
}
#endif

#endif
