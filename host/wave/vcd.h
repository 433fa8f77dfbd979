/* The VCD reader (IEEE 1800 §21.7 and what about thirty tools make of it): see docs/waves.md. */
#ifndef NEFFSIM_WAVE_VCD_H
#define NEFFSIM_WAVE_VCD_H

#include "wave/reader.h"
#include "wave/vcd_ids.h"
#include "wave/vcd_input.h"

/* Most bits of one signal, and of all signals of a file together. */
#define VCD_WIDTH_MAX ((uint32_t)1 << 24)
#define VCD_TOTAL_MAX ((uint64_t)1 << 28)

struct vcd_signal {
    uint32_t width; /* bits; 64 for a real, 0 for a string */
    enum wave_kind kind;
};

/* Private to vcd.c and vcd_head.c. */
struct vcd_reader {
    struct wave_reader base;
    struct vcd_input in;
    struct vcd_ids ids;
    struct vcd_signal *signals;       /* base.nsignals of them */
    uint64_t body_offset, body_lines; /* where the value section begins */
    const uint8_t *wanted;            /* per signal, own copy; NULL: all */
    char *scratch;                    /* a value that had to be widened; widest signal, at least 32 bytes */
    bool started, timed;
    uint64_t time;
};

/* Reads the declarations up to `$enddefinitions $end`; in->pos is then at the value section. */
int vcd_read_header(struct vcd_reader *v, struct nerr *err);

/* The declarations are read at once; the reader is closed with wave_reader_close. */
int vcd_reader_open(const char *path, struct wave_reader **out, struct nerr *err);

#endif
