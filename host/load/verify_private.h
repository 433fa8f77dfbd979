/* What the files of load_verify share. */
#ifndef NEFFSIM_LOAD_VERIFY_PRIVATE_H
#define NEFFSIM_LOAD_VERIFY_PRIVATE_H

#include "isa/isa.h"
#include "load/verify.h"

struct verify {
    const struct program *prog;
    unsigned arch;
    struct findings *f;
    struct nerr *err;
};

/* One program of 64-byte slots. */
struct verify_stream {
    int engine;
    const char *bin;
    const uint8_t *code;
    size_t nslots;
    bool *bad; /* nslots: said to break a rule, so nothing else is said about it */
    size_t barriers;
};

/* 1-based slot i+1; off: byte offset in the slot that is at fault, or -1. */
int verify_slot(struct verify *v, enum finding_level level, const struct verify_stream *s, size_t i, int off,
                const char *fmt, ...) __attribute__((format(printf, 6, 7)));

/* A finding about a member. */
int verify_member(struct verify *v, enum finding_level level, const char *member, const char *place,
                  const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* True when nothing more should be looked for. */
bool verify_stop(const struct verify *v);

/* Opcode of a slot; NOP for one that breaks a rule. */
unsigned verify_op(const struct verify_stream *s, size_t i);

int verify_names(struct verify *v, struct verify_stream *s);   /* queues, blocks, variables, groups */
int verify_flow(struct verify *v, struct verify_stream *s);    /* functions, labels, exit */
int verify_sp8(struct verify *v, const struct prog_engine *e); /* 8-byte slots of SP */
int verify_libraries(struct verify *v);                        /* Q7 libraries */

#endif
