/*
 * Architectural events (architecture §5): one per step of the hardware that a reference can judge.
 *
 * The kinds, and what each field means for each kind, are in regs/bench.regs (enum EV). The RTL's taps, the
 * reference model and the recordings all speak this struct. Within one clock events are delivered in
 * ascending kind; two events of one kind keep the order in which the hardware produced them.
 */
#ifndef NEFFSIM_DEVICE_EVENT_H
#define NEFFSIM_DEVICE_EVENT_H

#include <stdint.h>

struct dev_event {
    uint64_t cycle; /* device clock in which it happened */
    uint64_t addr;  /* SoC byte address or PC */
    uint64_t data;
    uint32_t index;
    uint32_t value;
    uint8_t kind;  /* EV_* */
    uint8_t unit;  /* engine, DMA engine or EVT_SEM unit */
    uint8_t queue; /* DMA queue, notification queue or wait lane */
    uint8_t dir;   /* 0 M2S / read, 1 S2M / write */
    uint8_t code;
    uint8_t nwords;     /* how many of words[] are meaningful: 0, 2, 4 or 16 */
    uint32_t words[16]; /* slot, descriptor, record or data beat, as little-endian 32-bit words */
};

/* Receives one event. A non-zero return asks the device to stop advancing as soon as the clock is complete.
 */
typedef int (*dev_event_fn)(void *ctx, const struct dev_event *ev);

/* "SEQ_ISSUE" ... for a kind; "?" for a number that is none. */
const char *dev_event_name(unsigned kind);

/* One line for people ("cyc 1234  DMA_WR e0 q3 desc 7 addr 0x1000000 256 B"), cut to size. */
void dev_event_text(const struct dev_event *ev, char *buf, unsigned size);

/* One JSON object without newline, for --events and recordings. Returns the length, or size when it did not
 * fit. */
unsigned dev_event_json(const struct dev_event *ev, char *buf, unsigned size);

#endif
