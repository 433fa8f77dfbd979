/* Events as text: one line for people, one JSON object for tools. The kinds and fields: regs/bench.regs (enum
 * EV). */
#include "device/event.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "regs.h"

static const char *const names[EV_COUNT] = {
    [EV_SEQ_ISSUE] = "SEQ_ISSUE",
    [EV_SEQ_PASS] = "SEQ_PASS",
    [EV_SEQ_READ] = "SEQ_READ",
    [EV_SEQ_REG] = "SEQ_REG",
    [EV_SEQ_WRITE] = "SEQ_WRITE",
    [EV_DMA_DESC] = "DMA_DESC",
    [EV_DMA_START] = "DMA_START",
    [EV_DMA_CONST] = "DMA_CONST",
    [EV_DMA_RD] = "DMA_RD",
    [EV_DMA_WR] = "DMA_WR",
    [EV_NQ_IN] = "NQ_IN",
    [EV_NQ_DROP] = "NQ_DROP",
    [EV_NQ_WR] = "NQ_WR",
    [EV_MEM_RD] = "MEM_RD",
    [EV_MEM_WR] = "MEM_WR",
    [EV_BUS_ERR] = "BUS_ERR",
    [EV_SEM] = "SEM",
    [EV_APB_RD] = "APB_RD",
    [EV_APB_WR] = "APB_WR",
    [EV_DMA_BELL] = "DMA_BELL",
    [EV_SEQ_WRESP] = "SEQ_WRESP",
    [EV_DMA_WRESP] = "DMA_WRESP",
    [EV_DMA_CPL] = "DMA_CPL",
    [EV_DMA_ERR] = "DMA_ERR",
    [EV_SEQ_RETIRE] = "SEQ_RETIRE",
    [EV_SEQ_STATE] = "SEQ_STATE",
    [EV_DMA_STATE] = "DMA_STATE",
    [EV_RULE] = "RULE",
};

static const char *const engines[ENG_COUNT] = { "PE", "ACT", "POOL", "DVE", "SP" };
static const char *const states[] = { "RESET", "IDLE", "RUNNING", "PAUSED", "HALTED", "FAULT" };
static const char *const drops[] = { "class off", "input full", "queue off", "ring full" };

const char *dev_event_name(unsigned kind)
{
    return kind < EV_COUNT && names[kind] ? names[kind] : "?";
}

/* A line being built; what does not fit is cut, `used` keeps counting. */
struct line {
    char *buf;
    unsigned size, used;
};

static void put(struct line *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void put(struct line *l, const char *fmt, ...)
{
    va_list ap;
    unsigned room = l->used < l->size ? l->size - l->used : 0;
    va_start(ap, fmt);
    int n = vsnprintf(room ? l->buf + l->used : NULL, room, fmt, ap);
    va_end(ap);
    if (n > 0)
        l->used += (unsigned)n;
}

static const char *one_of(const char *const *list, unsigned count, unsigned i)
{
    return i < count ? list[i] : "?";
}

static void put_engine(struct line *l, unsigned engine)
{
    put(l, " %s", one_of(engines, ENG_COUNT, engine));
}

static void put_master(struct line *l, unsigned master)
{
    if (master < ENG_COUNT)
        put_engine(l, master);
    else if (master == MASTER_NOTIFIC)
        put(l, " NOTIFIC");
    else if (master == MASTER_HOST)
        put(l, " host");
    else
        put(l, " e%u", master - MASTER_UDMA0);
}

static void put_queue(struct line *l, const struct dev_event *ev, const char *dir)
{
    put(l, " e%u q%u %s", ev->unit, ev->queue, dir);
}

static void put_words(struct line *l, const struct dev_event *ev, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        put(l, " %08" PRIx32, ev->words[i]);
}

static void put_sequencer(struct line *l, const struct dev_event *ev)
{
    put_engine(l, ev->unit);
    switch (ev->kind) {
    case EV_SEQ_ISSUE:
        put(l, " pc 0x%" PRIx64 " op 0x%02" PRIx32, ev->addr, ev->words[0] & 0xff);
        break;
    case EV_SEQ_PASS:
        put(l, " lane %u mode 0x%02x index %" PRIu32 " value %" PRId32, ev->queue, ev->code, ev->index,
            (int32_t)ev->value);
        break;
    case EV_SEQ_READ:
        put(l, " addr 0x%" PRIx64 " data 0x%" PRIx64 " resp %u", ev->addr, ev->data, ev->code);
        break;
    case EV_SEQ_REG:
        put(l, " R%" PRIu32 " = 0x%" PRIx32, ev->index, ev->value);
        break;
    case EV_SEQ_WRITE:
        put(l, " addr 0x%" PRIx64 " data 0x%" PRIx64 " %" PRIu32 " B", ev->addr, ev->data, ev->value);
        break;
    case EV_SEQ_WRESP:
        put(l, " resp %u", ev->code);
        break;
    case EV_SEQ_RETIRE:
        put(l, " pc 0x%" PRIx64 " next 0x%" PRIx64, ev->addr, ev->data);
        break;
    default:
        put(l, " %s pc 0x%" PRIx64 " reason %" PRIu32 " error 0x%08" PRIx32,
            one_of(states, sizeof states / sizeof states[0], ev->code), ev->addr, ev->index, ev->value);
        break;
    }
}

static void put_dma(struct line *l, const struct dev_event *ev)
{
    const char *dir = ev->dir ? "S2M" : "M2S";
    switch (ev->kind) {
    case EV_DMA_DESC:
        put_queue(l, ev, dir);
        put(l, " desc %" PRIu32 " id %u", ev->index, ev->code);
        put_words(l, ev, 4);
        break;
    case EV_DMA_START:
        put_queue(l, ev, "M2S");
        put(l, " desc %" PRIu32, ev->index);
        break;
    case EV_DMA_CONST:
        put_queue(l, ev, "M2S");
        put(l, " desc %" PRIu32 " addr 0x%" PRIx64 " value %" PRIu32, ev->index, ev->addr, ev->value);
        break;
    case EV_DMA_RD:
    case EV_DMA_WR:
        put_queue(l, ev, ev->kind == EV_DMA_WR ? "S2M" : "M2S");
        put(l, " desc %" PRIu32 " addr 0x%" PRIx64 " %" PRIu32 " B", ev->index, ev->addr, ev->value);
        break;
    case EV_DMA_BELL:
        put_queue(l, ev, dir);
        put(l, " count %" PRIu32 " tail 0x%08" PRIx64 "%s", ev->value, ev->data, ev->code ? " refused" : "");
        break;
    case EV_DMA_WRESP:
        put_queue(l, ev, "S2M");
        put(l, " resp %u", ev->code);
        break;
    case EV_DMA_CPL:
        put_queue(l, ev, dir);
        put(l, " %" PRIu32 " descriptors, head 0x%08" PRIx64, ev->value, ev->data);
        break;
    case EV_DMA_ERR:
        put_queue(l, ev, dir);
        put(l, " desc %" PRIu32 " bit %u", ev->index, ev->code);
        put_words(l, ev, 4);
        break;
    default:
        put(l, " e%u %s", ev->unit, ev->code == 1 ? "running" : ev->code == 2 ? "aborted" : "stopped");
        break;
    }
}

static void put_other(struct line *l, const struct dev_event *ev)
{
    switch (ev->kind) {
    case EV_NQ_IN:
        put(l, " class 0x%02x q%u", ev->code, ev->queue);
        put_words(l, ev, 2);
        break;
    case EV_NQ_DROP:
        put(l, " %s q%u", one_of(drops, sizeof drops / sizeof drops[0], ev->code), ev->queue);
        put_words(l, ev, 2);
        break;
    case EV_NQ_WR:
        put(l, " q%u offset 0x%" PRIx32 " addr 0x%" PRIx64, ev->queue, ev->index, ev->addr);
        put_words(l, ev, 4);
        break;
    case EV_MEM_RD:
        put_master(l, ev->code);
        put(l, " addr 0x%" PRIx64 " %" PRIu32 " B prot %u", ev->addr, ev->value, ev->dir);
        break;
    case EV_MEM_WR:
        put_master(l, ev->code);
        put(l, " addr 0x%" PRIx64 " strobe 0x%" PRIx64, ev->addr, ev->data);
        break;
    case EV_BUS_ERR:
        put_master(l, ev->code);
        put(l, " %s addr 0x%" PRIx64 " resp %" PRIu32, ev->dir ? "write" : "read", ev->addr, ev->value);
        break;
    case EV_SEM:
        put(l, "%s by %s %s[%" PRIu32 "] = %" PRId64 " mode 0x%02" PRIx32 " operand %" PRId32,
            ev->unit ? " TOP_SP_0" : "", ev->code < ENG_COUNT ? engines[ev->code] : "bus",
            ev->dir ? "S" : "E", ev->index, (int64_t)(int32_t)ev->data, ev->words[0], (int32_t)ev->value);
        break;
    case EV_APB_RD:
    case EV_APB_WR:
        put_master(l, ev->code);
        put(l, " addr 0x%" PRIx64 " %s 0x%08" PRIx32 "%s", ev->addr, ev->kind == EV_APB_RD ? "reads" : "=",
            ev->value, ev->dir ? " refused" : "");
        break;
    case EV_RULE:
        put(l, " %.63s", (const char *)ev->words);
        break;
    default:
        break;
    }
}

void dev_event_text(const struct dev_event *ev, char *buf, unsigned size)
{
    struct line l = { buf, size, 0 };
    if (size)
        buf[0] = '\0';
    put(&l, "cyc %" PRIu64 "  %s", ev->cycle, dev_event_name(ev->kind));
    switch (ev->kind) {
    case EV_SEQ_ISSUE:
    case EV_SEQ_PASS:
    case EV_SEQ_READ:
    case EV_SEQ_REG:
    case EV_SEQ_WRITE:
    case EV_SEQ_WRESP:
    case EV_SEQ_RETIRE:
    case EV_SEQ_STATE:
        put_sequencer(&l, ev);
        break;
    case EV_DMA_DESC:
    case EV_DMA_START:
    case EV_DMA_CONST:
    case EV_DMA_RD:
    case EV_DMA_WR:
    case EV_DMA_BELL:
    case EV_DMA_WRESP:
    case EV_DMA_CPL:
    case EV_DMA_ERR:
    case EV_DMA_STATE:
        put_dma(&l, ev);
        break;
    default:
        put_other(&l, ev);
        break;
    }
}

unsigned dev_event_json(const struct dev_event *ev, char *buf, unsigned size)
{
    struct line l = { buf, size, 0 };
    put(&l, "{\"cycle\":%" PRIu64 ",\"kind\":\"%s\",\"unit\":%u,\"queue\":%u,\"dir\":%u,\"code\":%u",
        ev->cycle, dev_event_name(ev->kind), ev->unit, ev->queue, ev->dir, ev->code);
    put(&l,
        ",\"index\":%" PRIu32 ",\"value\":%" PRIu32 ",\"addr\":\"0x%" PRIx64 "\",\"data\":\"0x%" PRIx64
        "\",\"words\":[",
        ev->index, ev->value, ev->addr, ev->data);
    unsigned n = ev->nwords < 16 ? ev->nwords : 16;
    for (unsigned i = 0; i < n; i++)
        put(&l, "%s\"%08" PRIx32 "\"", i ? "," : "", ev->words[i]);
    put(&l, "]}");
    return l.used < size ? l.used : size;
}
