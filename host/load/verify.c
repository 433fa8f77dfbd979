/* Programs of one graph, slot by slot: see verify.h. */
#include "load/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/verify_private.h"
#include "regs.h"

#define TIER 3

static int add(struct verify *v, enum finding_level level, const char *member, const char *place,
               const char *fmt, va_list ap)
{
    struct nerr what;
    nerr_vset(&what, NERR_RULE, "", fmt, ap);
    what.runtime_code = level == FINDING_RULE ? (int)NRT_INVALID : 0;
    return findings_add_at(v->f, level, TIER, member, place, &what, v->err);
}

int verify_member(struct verify *v, enum finding_level level, const char *member, const char *place,
                  const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int rc = add(v, level, member, place, fmt, ap);
    va_end(ap);
    return rc;
}

int verify_slot(struct verify *v, enum finding_level level, const struct verify_stream *s, size_t i, int off,
                const char *fmt, ...)
{
    char place[64];
    va_list ap;
    if (off < 0)
        snprintf(place, sizeof place, "slot %zu", i + 1);
    else
        snprintf(place, sizeof place, "slot %zu byte 0x%02x", i + 1, (unsigned)off);
    if (level == FINDING_RULE)
        s->bad[i] = true;
    va_start(ap, fmt);
    int rc = add(v, level, s->bin, place, fmt, ap);
    va_end(ap);
    return rc;
}

bool verify_stop(const struct verify *v)
{
    return findings_stop(v->f) || findings_full(v->f);
}

unsigned verify_op(const struct verify_stream *s, size_t i)
{
    return s->bad[i] ? OP_NOP : s->code[i * SLOT_BYTES + SLOT_HDR_OPCODE_OFF];
}

/*
 * The rules of one slot by itself. Without a generation a slot is right when it is right in one of them; what
 * is wrong is then told for V3.
 */
static int check_slot(const struct verify *v, const uint8_t *slot, struct nerr *why)
{
    static const unsigned any[] = { ARCH_MARIANA, ARCH_SUNDA, ISA_GEN_LAST };
    int rc = isa_check_gen(slot, ISA_SOURCE, v->arch ? v->arch : ISA_GEN_RTL, why);
    struct nerr other;
    for (size_t i = 0; rc && !v->arch && i < sizeof any / sizeof any[0]; i++)
        if (isa_check_gen(slot, ISA_SOURCE, any[i], &other) == 0)
            rc = 0;
    return rc;
}

static int judge_slot(struct verify *v, struct verify_stream *s, size_t i)
{
    const uint8_t *slot = s->code + i * SLOT_BYTES;
    unsigned op = slot[SLOT_HDR_OPCODE_OFF], off = 0;
    struct nerr why;
    if (check_slot(v, slot, &why))
        return verify_slot(v, FINDING_RULE, s, i, sscanf(why.where, "byte 0x%x", &off) == 1 ? (int)off : -1,
                           "%s", why.text);
    bool pseudo = (op & OP_PSEUDO_MASK) == OP_PSEUDO_BITS;
    if (v->arch && !pseudo && !isa_engine_accepts((unsigned)s->engine, op, v->arch))
        return verify_slot(v, FINDING_WARNING, s, i, SLOT_HDR_OPCODE_OFF,
                           "%s is no instruction of engine %s, it will fault as a bad opcode",
                           isa_opcode_name(op), program_engine_name(s->engine));
    return 0;
}

/* tpb-image.md §4: indices of 240 and more are the harness's. */
static int judge_semaphores(struct verify *v, struct verify_stream *s, size_t i)
{
    bool used[SEM_COUNT] = { false };
    if (s->bad[i])
        return 0;
    isa_semaphores(s->code + i * SLOT_BYTES, used);
    isa_cleared(s->code + i * SLOT_BYTES, used);
    for (unsigned k = SEM_HARNESS_FIRST; k < SEM_COUNT; k++)
        if (used[k])
            return verify_slot(v, FINDING_RULE, s, i, -1,
                               "semaphore %u belongs to the harness, programs may use 0..%u", k,
                               SEM_HARNESS_FIRST - 1);
    return 0;
}

static int judge_slots(struct verify *v, struct verify_stream *s)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < s->nslots && !verify_stop(v); i++) {
        rc = judge_slot(v, s, i);
        if (rc == 0)
            rc = judge_semaphores(v, s, i);
        s->barriers += verify_op(s, i) == OP_PSEUDO_SYNC_BARRIER;
    }
    return rc;
}

/* Whole slots of a program; a rest is a rule of its own (tpb-image.md §4 step 2). */
static int verify_stream(struct verify *v, struct verify_stream *s, size_t size)
{
    int rc = 0;
    s->nslots = size / SLOT_BYTES;
    s->bad = calloc(s->nslots + 1, sizeof *s->bad);
    if (!s->bad)
        return nerr_set(v->err, NERR_MEM, s->bin, "out of memory");
    if (size % SLOT_BYTES)
        rc = verify_member(v, FINDING_RULE, s->bin, "",
                           "has %zu bytes, which is no multiple of the %u-byte slot", size, SLOT_BYTES);
    if (rc == 0)
        rc = judge_slots(v, s);
    if (rc == 0)
        rc = verify_names(v, s);
    if (rc == 0)
        rc = verify_flow(v, s);
    free(s->bad);
    return rc;
}

/* SP's file is in one of two dialects (tpb-sequencer.md §6). */
static int verify_sp(struct verify *v, const struct prog_engine *e, struct verify_stream *s, bool *eight)
{
    enum isa_dialect d = ISA_NEURON;
    struct nerr why;
    *eight = false;
    if (isa_sp_dialect(e->code, e->code_size, &d, &why))
        return verify_member(v, FINDING_RULE, e->bin_name, "", "%s", why.text);
    *eight = d == ISA_SP8;
    return *eight ? verify_sp8(v, e) : verify_stream(v, s, e->code_size);
}

/* tpb-sequencer.md §5.6: every engine that runs 64-byte slots takes part in every D5. */
static int same_barriers(struct verify *v, const struct verify_stream *streams, const bool *takes_part)
{
    const struct verify_stream *first = NULL;
    int rc = 0;
    for (int e = 0; e < PROG_ENGINES; e++)
        if (v->prog->engines[e].bad)
            return 0; /* an engine that could not be read may have them */
    for (int e = 0; rc == 0 && e < PROG_ENGINES; e++) {
        const struct verify_stream *s = &streams[e];
        if (!takes_part[e])
            continue;
        if (!first)
            first = s;
        else if (s->barriers != first->barriers)
            rc = verify_member(
                v, FINDING_RULE, s->bin ? s->bin : v->prog->definition, "",
                "engine %s has %zu SYNC_BARRIER slots, %s has %zu: the barrier could never be met",
                program_engine_name(s->engine), s->barriers, program_engine_name(first->engine),
                first->barriers);
    }
    return rc;
}

static int verify_engines(struct verify *v)
{
    struct verify_stream streams[PROG_ENGINES] = { 0 };
    bool takes_part[PROG_ENGINES];
    int rc = 0;
    for (int i = 0; rc == 0 && i < PROG_ENGINES && !verify_stop(v); i++) {
        const struct prog_engine *e = &v->prog->engines[i];
        struct verify_stream *s = &streams[i];
        bool eight = false;
        *s = (struct verify_stream){ .engine = i, .bin = e->bin_name, .code = e->code };
        if (!e->bad && e->code_size)
            rc = i == ENG_SP ? verify_sp(v, e, s, &eight) : verify_stream(v, s, e->code_size);
        takes_part[i] = !eight;
    }
    return rc || verify_stop(v) ? rc : same_barriers(v, streams, takes_part);
}

/* The queues' own semaphores (tpb-image.md §4). */
static int verify_queues(struct verify *v)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < v->prog->nqueues; i++) {
        const struct prog_queue *q = &v->prog->queues[i];
        if (!q->bad && q->semaphore >= (int64_t)SEM_HARNESS_FIRST)
            rc = verify_member(v, FINDING_RULE, v->prog->definition, "dma_queue",
                               "queue %.80s: semaphore %lld belongs to the harness, programs may use 0..%u",
                               q->name, (long long)q->semaphore, SEM_HARNESS_FIRST - 1);
    }
    return rc;
}

int load_verify(const struct program *p, unsigned arch, struct findings *f, struct nerr *err)
{
    struct verify v = { p, arch ? arch : program_target_arch(p), f, err };
    int rc = verify_stop(&v) ? 0 : verify_queues(&v);
    if (rc == 0 && !verify_stop(&v))
        rc = verify_engines(&v);
    if (rc == 0 && !verify_stop(&v))
        rc = verify_libraries(&v);
    return rc;
}
