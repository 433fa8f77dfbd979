/*
 * A VCD file as tokens: bytes come in big pieces through read(), which unlike a mapping cannot kill the
 * process when the file shrinks, costs no resident pages, and also reads pipes. Private to the VCD reader.
 */
#ifndef NEFFSIM_WAVE_VCD_INPUT_H
#define NEFFSIM_WAVE_VCD_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/nerr.h"

#define VCD_PAST 8

struct vcd_input {
    int fd;
    const char *path; /* borrowed */
    char *buf;        /* buf[have] is '\0', which ends every scan; VCD_PAST bytes from there on may be read */
    size_t capacity, have, pos;
    uint64_t before; /* bytes of the file before buf[0] */
    uint64_t lines;  /* line feeds among them */
    uint64_t limit;  /* bytes of the file from here on do not count; UINT64_MAX: all do */
    bool at_end;     /* no bytes follow buf[have] */
    char last;       /* the last byte read */
};

/* What separates tokens: blank, tab, line feed, carriage return, vertical tab, form feed. */
static inline bool vcd_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

int vcd_input_open(struct vcd_input *in, const char *path, struct nerr *err);
/* The same with so many bytes at a time, at least 2, as long as no word needs more. */
int vcd_input_open_sized(struct vcd_input *in, const char *path, size_t piece, struct nerr *err);
void vcd_input_close(struct vcd_input *in);

/* Back to byte `offset` of the file, where `lines` line feeds precede. */
int vcd_input_seek(struct vcd_input *in, uint64_t offset, uint64_t lines, struct nerr *err);

/*
 * Keeps buf[pos ..] and appends more of the file. Pointers into buf become invalid; pos stays on the same
 * byte. A token longer than VCD_TOKEN_MAX is refused.
 */
int vcd_input_more(struct vcd_input *in, struct nerr *err);
#define VCD_TOKEN_MAX ((size_t)1 << 28)

/* The next token, without its separators, and moves behind it; *len 0 at the end of the file. */
int vcd_token(struct vcd_input *in, const char **token, size_t *len, struct nerr *err);

/* NERR_INPUT with "path line N, byte M", the place of buf[at]. */
int vcd_error(const struct vcd_input *in, size_t at, struct nerr *err, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

#endif
