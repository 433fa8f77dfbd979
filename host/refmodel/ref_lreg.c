/* LOCAL_REG of the sequencers as the bus sees it (tpb-image.md §1.1, profiler-and-trace.md §3). */
#include "refmodel/ref_private.h"

static uint32_t *high_word(struct lreg_file *f, uint32_t off)
{
    bool known = off >= LREG_MODE_OFF && off <= LREG_FLUSH_CNTR_OFF;
    return known ? &f->high[(off - LREG_MODE_OFF) / 4] : NULL;
}

static uint32_t *scratch(struct lreg_file *f, uint32_t off)
{
    bool known = off >= LREG_LR_BASE && off < LREG_LR_BASE + LREG_LR_COUNT * LREG_LR_STRIDE &&
                 off % LREG_LR_STRIDE == 0;
    return known ? &f->lr[LR(off)] : NULL;
}

static uint32_t high_bits(uint32_t off)
{
    switch (off) {
    case LREG_MODE_OFF:
        return LREG_MODE_DISABLE_HW_DECODE_MASK | LREG_MODE_ORDERING_MASK | LREG_MODE_BLOCK_MASK_MASK |
               LREG_MODE_FLUSH_EN_MASK;
    case LREG_BREAK_CTRL_OFF:
        return LREG_BREAK_CTRL_PAUSE_NOW_MASK | (LREG_BREAK_CTRL_PAUSE_NOW_MASK - 1);
    case LREG_SEARCH_OFF:
        return LREG_SEARCH_BYTE0_MASK | LREG_SEARCH_BYTE1_MASK | LREG_SEARCH_BYTE2_MASK |
               LREG_SEARCH_BYTE3_MASK;
    case LREG_FLUSH_CNTR_OFF:
        return LREG_FLUSH_CNTR_CYCLES_MASK;
    default:
        return ~UINT32_C(0);
    }
}

void seq_write_lreg(struct ref *r, unsigned engine, uint32_t off, uint32_t value)
{
    struct lreg_file *f = &r->seq[engine].lreg;
    uint32_t *word = scratch(f, off);
    bool timed;
    f->newest.before = seq_read_lreg(r, engine, off, &timed);
    f->newest.off = off;
    f->newest.cycle = r->cycle;
    if (word) {
        reg_changed(r, ref_lreg_base(engine) + off, *word);
        *word = value;
        return;
    }
    word = high_word(f, off);
    if (word) {
        *word = value & high_bits(off);
        return;
    }
    switch (off) {
    case LREG_RELEASE_RUN_STALL_OFF:
        f->release = value & LREG_RELEASE_RUN_STALL_STALL_MASK;
        if (f->release && r->seq[engine].state != ESTATE_RESET)
            f->reset = true;
        break;
    case LREG_START_CTRL_OFF:
        f->start |= value != 0; /* 0 changes nothing; the engine clears it */
        break;
    case LREG_INSTR_HALT_CTRL_OFF:
        f->halt_ctrl = value & LREG_INSTR_HALT_CTRL_HALT_MASK;
        f->break_lost = f->break_lost || (f->surprise && !f->halt_ctrl);
        f->surprise = f->surprise || f->halt_ctrl;
        break;
    case LREG_INTR_CTRL_OFF:
        f->intr_ctrl = value & LREG_INTR_CTRL_EN_MASK;
        break;
    default:
        break;
    }
}

/* docs/rtl.md: an effect of clock n is visible from clock n+1. */
uint32_t seq_sees_lreg(const struct ref *r, unsigned engine, uint32_t off)
{
    const struct lreg_file *f = &r->seq[engine].lreg;
    bool timed;
    return f->newest.off == off && f->newest.cycle == r->cycle ? f->newest.before
                                                               : seq_read_lreg(r, engine, off, &timed);
}

uint64_t seq_pair(const struct ref *r, unsigned engine, uint32_t lo, uint32_t hi)
{
    return (uint64_t)seq_sees_lreg(r, engine, hi) << 32 | seq_sees_lreg(r, engine, lo);
}

uint32_t seq_read_lreg(const struct ref *r, unsigned engine, uint32_t off, bool *timed)
{
    struct lreg_file f = r->seq[engine].lreg;
    uint32_t *word = scratch(&f, off);
    if (!word)
        word = high_word(&f, off);
    if (word)
        return *word;
    switch (off) {
    case LREG_RELEASE_RUN_STALL_OFF:
        return f.release;
    case LREG_START_CTRL_OFF:
        return f.start;
    case LREG_RUN_STATE_OFF:
        return f.run_state;
    case LREG_INSTR_HALT_CTRL_OFF:
        return f.halt_ctrl;
    case LREG_INTR_CTRL_OFF:
        return f.intr_ctrl;
    case LREG_INTR_INFO_OFF:
        *timed = true;
        return 0;
    default:
        return 0;
    }
}
