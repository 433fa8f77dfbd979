/*
 * Labels and branches of one stream (tpb-sequencer.md §5.5): every branch finds its label, and each slot gets
 * to know whether a branch can repeat or skip it, because DMA blocks are laid out in the order in which their
 * triggers run.
 */
#include "load/ctx.h"

#include <stdlib.h>
#include <string.h>

static int by_id(const void *a, const void *b)
{
    const struct load_label *x = a, *y = b;
    return x->id != y->id ? (x->id < y->id ? -1 : 1) : (x->slot > y->slot) - (x->slot < y->slot);
}

struct load_label *load_find_label(const struct load_stream *s, uint64_t id)
{
    size_t low = 0, high = s->nlabels;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (s->labels[mid].id == id)
            return &s->labels[mid];
        if (s->labels[mid].id < id)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

static int collect_labels(struct load_ctx *c, struct load_stream *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->nslots; i++)
        count += load_op(s, i) == OP_PSEUDO_BRANCH_LABEL;
    s->labels = ctx_alloc(c, count, sizeof *s->labels);
    if (!s->labels)
        return c->err->code;
    for (size_t i = 0; i < s->nslots; i++) {
        if (load_op(s, i) != OP_PSEUDO_BRANCH_LABEL)
            continue;
        struct inst in;
        isa_decode(s->code + i * SLOT_BYTES, &in);
        s->labels[s->nlabels++] = (struct load_label){ .id = in.u.label.id, .slot = i };
    }
    if (s->nlabels)
        qsort(s->labels, s->nlabels, sizeof *s->labels, by_id);
    for (size_t k = 1; k < s->nlabels; k++)
        if (s->labels[k].id == s->labels[k - 1].id)
            return ctx_refuse_slot(c, s, s->labels[k].slot, "label %u is defined twice", s->labels[k].id);
    return NERR_OK;
}

int load_flow(struct load_ctx *c, struct load_stream *s)
{
    s->times = ctx_alloc(c, s->nslots, sizeof *s->times);
    if (!s->times || collect_labels(c, s))
        return c->err->code;
    /* how many branches start to cover, or stop covering, a slot */
    int32_t *loops = calloc(s->nslots + 1, sizeof *loops), *skips = calloc(s->nslots + 1, sizeof *skips);
    int code = loops && skips ? NERR_OK : nerr_set(c->err, NERR_MEM, s->bin, "out of memory");
    for (size_t b = 0; b < s->nslots && !code; b++) {
        struct inst in;
        if (load_op(s, b) != OP_COMPARE_BRANCH)
            continue;
        isa_decode(s->code + b * SLOT_BYTES, &in);
        if (in.u.br.target_mode != BR_REL_IMM) {
            s->register_branch = b + 1;
            continue;
        }
        const struct load_label *label = load_find_label(s, in.u.br.disp);
        if (!label)
            code = ctx_refuse_slot(c, s, b, "label %llu is not defined", (unsigned long long)in.u.br.disp);
        else if (label->slot < b)
            loops[label->slot]++, loops[b + 1]--;
        else
            skips[b + 1]++, skips[label->slot]--;
    }
    int32_t in_loop = 0, skipped = 0;
    for (size_t i = 0; i < s->nslots && !code; i++) {
        in_loop += loops[i];
        skipped += skips[i];
        s->times[i] = in_loop > 0 ? LOAD_IN_LOOP : skipped > 0 ? LOAD_SKIPPABLE : LOAD_ONCE;
    }
    free(loops);
    free(skips);
    return code;
}
