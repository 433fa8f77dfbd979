/* What stands still when a run makes no progress: see check.h, slice-walkthrough §13. */
#include "check/check_private.h"

#include <inttypes.h>
#include <string.h>

#include "regs.h"

static const char *engine_name(unsigned e)
{
    static const char *names[PROG_ENGINES] = { "PE", "ACT", "POOL", "DVE", "SP" };
    return e < PROG_ENGINES ? names[e] : "?";
}

static const char *state_name(int state)
{
    switch (state) {
    case ESTATE_RESET:
        return "in reset";
    case ESTATE_IDLE:
        return "idle";
    case ESTATE_RUNNING:
        return "running";
    case ESTATE_PAUSED:
        return "paused";
    case ESTATE_HALTED:
        return "halted";
    case ESTATE_FAULT:
        return "stopped by a fault";
    default:
        return "?";
    }
}

static const char *predicate(unsigned mode)
{
    static const char *ops[] = { "", "==", "<", "<=", ">", ">=" };
    mode &= 0x7fu;
    return mode >= WAIT_SEM_EQ_IMM && mode <= WAIT_SEM_GE_IMM ? ops[mode] : "";
}

static void print_wait(const struct ref_seq_view *v, FILE *out)
{
    switch (v->mode) {
    case WAIT_EVT_SET:
    case WAIT_EVT_SET_THEN_CLEAR:
        fprintf(out, "; waits for event %u to be set, it is %" PRIu32, v->idx, v->current);
        break;
    case WAIT_EVT_CLEAR:
    case WAIT_EVT_CLEAR_THEN_SET:
        fprintf(out, "; waits for event %u to be clear, it is %" PRIu32, v->idx, v->current);
        break;
    default:
        fprintf(out, "; waits for S[%u] %s %" PRId32 ", it is %" PRId32, v->idx, predicate(v->mode),
                (int32_t)v->operand, (int32_t)v->current);
    }
}

/* "PE 0x040 preamble: gate" without the engine, which starts the line already. */
static const char *after_name(const char *place)
{
    const char *blank = strchr(place, ' ');
    return blank ? blank + 1 : place;
}

static void print_engines(struct chk *c, FILE *out)
{
    char place[256];
    for (unsigned e = 0; e < PROG_ENGINES; e++) {
        struct ref_seq_view v;
        ref_view_seq(c->model, e, &v);
        fprintf(out, "  %-4s %s", engine_name(e), state_name(v.state));
        if (v.state == ESTATE_RUNNING || v.state == ESTATE_HALTED || v.state == ESTATE_FAULT)
            fprintf(out, " at %s", after_name(load_pc_text(c->plan, e, v.pc, place, sizeof place)));
        if (v.state == ESTATE_RUNNING && v.waiting)
            print_wait(&v, out);
        else if (v.state == ESTATE_RUNNING && v.stalled_on)
            fprintf(out, "; stalled on %s", v.stalled_on);
        else if (v.ready)
            fprintf(out, "; does not go on, although it may: %s", v.step);
        fprintf(out, "; %" PRIu64 " slots retired\n", v.retired);
    }
}

static void print_pointer(FILE *out, const char *name, uint32_t p)
{
    fprintf(out, " %s %" PRIu32 ".%" PRIu32, name, p >> M2SQ_TDRTP_RING_ID_LSB, p & M2SQ_TDRTP_OFFSET_MASK);
}

static void print_queues(struct chk *c, FILE *out)
{
    fputs("  queues (pointers as ring-id.index)\n", out);
    for (size_t i = 0; i < c->plan->nrings; i++) {
        const struct load_ring *r = &c->plan->rings[i];
        for (unsigned dir = 0; dir < 2; dir++) {
            struct ref_queue_view v;
            ref_view_queue(c->model, r->engine, dir, r->queue, &v);
            fprintf(out, "  e%u q%-2u %s %-16s", r->engine, r->queue, dir ? "S2M" : "M2S", r->name);
            print_pointer(out, "tail", v.tail);
            print_pointer(out, "head", v.head);
            print_pointer(out, "current", v.current);
            print_pointer(out, "completed", v.completed);
            fprintf(out,
                    " of %" PRIu32 ", phase %" PRIu32 ", %" PRIu32 " outstanding, %" PRIu32 " packets%s\n",
                    v.size, v.tail >> M2SQ_TDRTP_RING_ID_LSB, v.outstanding, v.packets,
                    v.enabled ? "" : " (disabled)");
        }
    }
}

static void print_notific(struct chk *c, FILE *out)
{
    for (unsigned q = 0; q < 4; q++) {
        struct ref_nq_view v;
        ref_view_nq(c->model, q, &v);
        fprintf(out,
                "  NOTIFIC q%u head 0x%" PRIx32 " tail 0x%" PRIx32 " of 0x%" PRIx32 ", phase %u, %" PRIu64
                " written%s%s\n",
                q, v.head, v.tail, v.size, v.phase, v.written, v.full ? ", FULL" : "",
                v.enabled ? "" : " (disabled)");
    }
}

/* Without a model: what the registers say. */
static void print_registers(struct chk *c, struct device *dev, FILE *out)
{
    static const uint64_t lreg[PROG_ENGINES] = { BAR0_LREG_PE, BAR0_LREG_ACT, BAR0_LREG_POOL, BAR0_LREG_DVE,
                                                 BAR0_LREG_SP };
    struct nerr ignored;
    uint32_t v;
    for (unsigned e = 0; e < PROG_ENGINES; e++)
        if (dev->ops->reg_read32(dev, lreg[e] + LREG_RUN_STATE_OFF, &v, &ignored) == 0)
            fprintf(out, "  %-4s run_state 0x%" PRIx32 "\n", engine_name(e), v);
    for (size_t i = 0; i < c->plan->nrings; i++) {
        const struct load_ring *r = &c->plan->rings[i];
        for (unsigned dir = 0; dir < 2; dir++) {
            uint64_t bank = BAR0_UDMA0 + BAR0_UDMA_STRIDE * r->engine + (dir ? UDMA_S2M_OFF : UDMA_M2S_OFF) +
                            UDMA_Q_FIRST + UDMA_Q_STRIDE * r->queue;
            static const struct {
                unsigned off;
                const char *name;
            } regs[] = { { M2SQ_TDRTP_OFF, "tail" },
                         { M2SQ_TDRHP_OFF, "head" },
                         { M2SQ_TDCP_OFF, "current" },
                         { M2SQ_TCRHP_OFF, "completed" } };
            fprintf(out, "  e%u q%-2u %s %-16s", r->engine, r->queue, dir ? "S2M" : "M2S", r->name);
            for (unsigned k = 0; k < 4; k++)
                if (dev->ops->reg_read32(dev, bank + regs[k].off, &v, &ignored) == 0)
                    print_pointer(out, regs[k].name, v);
            fputc('\n', out);
        }
    }
    for (unsigned q = 0; q < 4; q++) {
        uint32_t head = 0, tail = 0;
        uint64_t base = BAR0_NOTIFIC + NQ_Q_BASE + NQ_Q_STRIDE * q;
        if (dev->ops->reg_read32(dev, base + NQQ_HEAD_OFF, &head, &ignored) == 0 &&
            dev->ops->reg_read32(dev, base + NQQ_TAIL_OFF, &tail, &ignored) == 0)
            fprintf(out, "  NOTIFIC q%u head 0x%" PRIx32 " tail 0x%" PRIx32 "\n", q, head, tail);
    }
    for (unsigned i = 0; i < SEM_COUNT; i++)
        if (dev->ops->reg_read32(dev, BAR0_EVT + EVT_WIN_SEM_READ + 4 * i, &v, &ignored) == 0 && v)
            fprintf(out, "  S[%u] = %" PRId32 "\n", i, (int32_t)v);
}

/* What the device itself holds: a lost step shows here, because the reference took it. */
static void print_difference(struct chk *c, FILE *out)
{
    struct device *dev = c->wrapper.inner;
    struct nerr err;
    if (dev->ops->under)
        dev = dev->ops->under(dev);
    if (dev->ops->events && dev->ops->events(dev, NULL, NULL, &err) != 0)
        return;
    if (!ref_quiet(c->model, &err))
        fprintf(out, "  what never came: %s: %s\n", err.where, err.text);
    if (chk_first_difference(c, dev, &err) == NERR_MISMATCH)
        fprintf(out, "  the device differs from the reference: %s: %s\n", err.where, err.text);
    else
        fputs("  memory, semaphores, pointers and record queues of the device are those of the reference\n",
              out);
}

void chk_print_hang(struct chk *c, struct device *dev, FILE *out)
{
    if (!c->model) {
        print_registers(c, dev, out);
        return;
    }
    fputs("  what stands still, as the reference sees it after the last event:\n", out);
    print_engines(c, out);
    print_queues(c, out);
    print_notific(c, out);
    print_difference(c, out);
}
