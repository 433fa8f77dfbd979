/* The VCD reader (IEEE 1800 §21.7 and what about thirty tools make of it): see docs/waves.md. */
#ifndef NEFFSIM_WAVE_VCD_H
#define NEFFSIM_WAVE_VCD_H

#include "wave/reader.h"
#include "wave/vcd_ids.h"
#include "wave/vcd_input.h"

/* Most bits of one signal, and of all signals of a file together. */
#define VCD_WIDTH_MAX ((uint32_t)1 << 24)
#define VCD_TOTAL_MAX ((uint64_t)1 << 28)

/* Different declarations that one identifier code may have, and warnings that one file may give. */
#define VCD_TWINS_MAX    8
#define VCD_WARNINGS_MAX 8

struct vcd_signal {
    uint32_t width; /* bits; 64 for a real, 0 for a string */
    enum wave_kind kind;
    uint32_t twin; /* next signal of the same code, declared with another width or kind, or VCD_NO_SIGNAL */
};

/* One value as it stands in the file. */
struct vcd_raw {
    enum { VCD_RAW_BITS, VCD_RAW_REAL, VCD_RAW_TEXT } form;
    char *p;
    size_t n;
};

/* Private to vcd.c, vcd_head.c and vcd_value.c. */
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
    const char *block;  /* "$dumpvars" and the like between it and its $end, else NULL */
    uint32_t again;     /* signal that gets `raw` next, or VCD_NO_SIGNAL */
    struct vcd_raw raw; /* value of a code with twins */
    bool given;         /* some twin took it */
    unsigned warnings;
};

/* Result of looking at the bytes at hand. */
enum vcd_look {
    VCD_DONE, /* *out is filled */
    VCD_NONE, /* consumed, nothing to tell */
    VCD_MORE, /* the record goes on behind buf[have]; nothing consumed */
    VCD_BAD,  /* *err is filled */
};

/* A value change at p, which is neither '#' nor '$'. */
enum vcd_look vcd_value(struct vcd_reader *v, char *p, struct wave_record *out, struct nerr *err);

/* The same where only a value of one character may stand. */
enum vcd_look vcd_scalar(struct vcd_reader *v, char *p, struct wave_record *out, struct nerr *err);

/* The rest of a change whose code has twins (v->again). */
enum vcd_look vcd_value_again(struct vcd_reader *v, struct wave_record *out, struct nerr *err);

/* True for a character that can begin a value change. */
bool vcd_begins_value(char c);

/* True when a scan that stopped at p stopped because the bytes at hand end, not because the word does. */
static inline bool vcd_cut(const struct vcd_reader *v, const char *p)
{
    return p == v->in.buf + v->in.have && !v->in.at_end;
}

/* Tells options.warn about the n bytes at buf[at]. */
void vcd_warn(struct vcd_reader *v, size_t at, const char *fmt, int n, const char *s)
    __attribute__((format(printf, 3, 0)));

/* Reads the declarations up to `$enddefinitions $end`; in->pos is then at the value section. */
int vcd_read_header(struct vcd_reader *v, struct nerr *err);

/* Where the file is cut (vcd_tail.c): sets in.limit, incomplete, complete_to and note when it is. */
int vcd_find_cut(struct vcd_reader *v, struct nerr *err);

/*
 * Takes over *in, whose first bytes are at hand (also after a failure). The declarations are read at once;
 * the reader is closed with wave_reader_close.
 */
int vcd_reader_open(struct vcd_input *in, const struct wave_open_options *options, struct wave_reader **out,
                    struct nerr *err);

#endif
