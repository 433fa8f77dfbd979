/* From an event to the place in the NEFF that caused it. */
#include "check/check.h"

#include "regs.h"

static const char *queue_place(const struct loadplan *plan, const struct dev_event *ev, unsigned dir,
                               char *buf, size_t size)
{
    return load_desc_text(plan, ev->unit, ev->queue, dir, ev->index, buf, size);
}

const char *chk_event_place(const struct loadplan *plan, const struct dev_event *ev, char *buf, size_t size)
{
    char addr[160];
    buf[0] = '\0';
    switch (ev->kind) {
    case EV_SEQ_ISSUE:
    case EV_SEQ_RETIRE:
    case EV_SEQ_STATE:
        return load_pc_text(plan, ev->unit, ev->addr, buf, size);
    case EV_DMA_DESC:
    case EV_DMA_ERR:
        return queue_place(plan, ev, ev->dir, buf, size);
    case EV_DMA_START:
    case EV_DMA_CONST:
    case EV_DMA_RD:
        return queue_place(plan, ev, 0, buf, size);
    case EV_DMA_WR:
        return queue_place(plan, ev, 1, buf, size);
    case EV_DMA_BELL:
    case EV_DMA_CPL: /* the last descriptor that the pointer has passed */
        if ((ev->data & M2SQ_TDRTP_OFFSET_MASK) == 0)
            return buf;
        return load_desc_text(plan, ev->unit, ev->queue, ev->dir,
                              (uint32_t)(ev->data & M2SQ_TDRTP_OFFSET_MASK) - 1, buf, size);
    case EV_NQ_WR:
    case EV_MEM_RD:
    case EV_MEM_WR:
    case EV_BUS_ERR:
    case EV_APB_RD:
    case EV_APB_WR:
        snprintf(buf, size, "address %s", load_addr_text(plan, ev->addr, addr, sizeof addr));
        return buf;
    default:
        return buf;
    }
}
