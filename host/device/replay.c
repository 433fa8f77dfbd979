/*
 * Backend `replay:FILE`: answers every call from a recording (recording.h) and refuses a call that differs
 * from the recorded one. Has no events: a recording says what the host saw, not what the hardware did inside.
 */
#include "device/device.h"
#include "device/recording.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct replay_device {
    struct device base;
    FILE *file;
    char *path;
    char *line;
    size_t line_size;
    unsigned long number;
    struct dev_time time;
};

static struct replay_device *self_of(struct device *dev)
{
    return (struct replay_device *)dev;
}

static int fail_at(struct replay_device *r, struct nerr *err, int code, const char *text)
{
    char where[128];
    snprintf(where, sizeof where, "%.96s:%lu", r->path, r->number);
    return nerr_set(err, code, where, "%s", text);
}

/* Takes a whole line with its newline; returns its length. 0 at the end of the file, for a line that is cut
 * off and for one that is longer than any call makes it. */
static size_t read_line(struct replay_device *r)
{
    size_t n = 0;
    for (int c; (c = getc(r->file)) != EOF;) {
        if (n + 1 >= r->line_size) {
            size_t size = r->line_size ? 2 * r->line_size : 256;
            char *more = size <= 4 * RECORDING_READ_MAX ? realloc(r->line, size) : NULL;
            if (!more)
                return 0;
            r->line = more;
            r->line_size = size;
        }
        r->line[n++] = (char)c;
        r->line[n] = '\0';
        if (c == '\n')
            return n;
    }
    return 0;
}

/* Next line that is no comment, without its newline; NULL when there is none. */
static char *next_line(struct replay_device *r)
{
    for (;;) {
        size_t n = read_line(r);
        if (n == 0)
            return NULL;
        r->number++;
        while (n > 0 && isspace((unsigned char)r->line[n - 1]))
            r->line[--n] = '\0';
        if (n > 0 && r->line[0] != '#')
            return r->line;
    }
}

/* Reads one hexadecimal number and the space behind it. False when there is none. */
static bool take_hex(char **p, uint64_t *v)
{
    char *end;
    if (!isxdigit((unsigned char)**p))
        return false;
    *v = strtoull(*p, &end, 16);
    if (*end != ' ' && *end != '\0')
        return false;
    *p = *end ? end + 1 : end;
    return true;
}

/* Opens the next recorded call, which must be of `kind`; *p is behind the letter. */
static int expect(struct replay_device *r, char kind, const char *call, char **p, struct nerr *err)
{
    char text[160];
    char *line = next_line(r);
    if (!line)
        return fail_at(r, err, NERR_INPUT,
                       "the recording is cut off (its last line must be 'end') or its next line is too long");
    if (line[0] != kind || line[1] != ' ') {
        snprintf(text, sizeof text, "the host calls %s, but the recording has '%.60s'", call, line);
        return fail_at(r, err, NERR_MISMATCH, text);
    }
    *p = line + 2;
    return 0;
}

static int mismatch(struct replay_device *r, struct nerr *err, const char *what, uint64_t got, uint64_t want)
{
    char text[200];
    snprintf(text, sizeof text, "%s is %" PRIx64 " now and was %" PRIx64 " when recorded", what, got, want);
    return fail_at(r, err, NERR_MISMATCH, text);
}

/* First character of the next line, without taking it. */
static int peek(struct replay_device *r)
{
    int c = getc(r->file);
    return c == EOF ? EOF : ungetc(c, r->file);
}

/* After a call: an x line directly behind it means that it failed when recorded, and so it fails now. */
static int recorded_error(struct replay_device *r, struct nerr *err)
{
    if (peek(r) != 'x')
        return 0;
    char *line = next_line(r);
    char *p = line ? line + 1 : NULL;
    uint64_t code;
    if (!p || *p++ != ' ' || !take_hex(&p, &code) || code == 0 || code > NERR_MEM)
        return fail_at(r, err, NERR_INPUT, "an x line needs an error code 1..6 and a sentence");
    return fail_at(r, err, (int)code, p);
}

static int malformed(struct replay_device *r, struct nerr *err)
{
    return fail_at(r, err, NERR_INPUT, "not a line of a recording (see host/device/recording.h)");
}

static int rep_reg_read32(struct device *dev, uint64_t bar0, uint32_t *value, struct nerr *err)
{
    struct replay_device *r = self_of(dev);
    char *p;
    uint64_t addr, v;
    int rc = expect(r, 'r', "reg_read32", &p, err);
    if (rc)
        return rc;
    if (!take_hex(&p, &addr) || !take_hex(&p, &v) || v > UINT32_MAX)
        return malformed(r, err);
    if (addr != bar0)
        return mismatch(r, err, "the register offset", bar0, addr);
    *value = (uint32_t)v;
    return recorded_error(r, err);
}

static int rep_reg_write32(struct device *dev, uint64_t bar0, uint32_t value, struct nerr *err)
{
    struct replay_device *r = self_of(dev);
    char *p;
    uint64_t addr, v, mask = UINT32_MAX;
    int rc = expect(r, 'w', "reg_write32", &p, err);
    if (rc)
        return rc;
    if (!take_hex(&p, &addr) || !take_hex(&p, &v) || (*p && !take_hex(&p, &mask)))
        return malformed(r, err);
    if (addr != bar0)
        return mismatch(r, err, "the register offset", bar0, addr);
    if ((value & mask) != (v & mask))
        return mismatch(r, err, "the value written", value, v);
    return recorded_error(r, err);
}

static int hex_digit(int c)
{
    return isdigit(c) ? c - '0' : isxdigit(c) ? tolower(c) - 'a' + 10 : -1;
}

static int rep_mem_read(struct device *dev, uint64_t soc, void *buf, size_t len, struct nerr *err)
{
    struct replay_device *r = self_of(dev);
    char *p;
    uint64_t addr, n;
    int rc = expect(r, 'm', "mem_read", &p, err);
    if (rc)
        return rc;
    if (!take_hex(&p, &addr) || !take_hex(&p, &n))
        return malformed(r, err);
    if (addr != soc)
        return mismatch(r, err, "the memory address", soc, addr);
    if (n != len)
        return mismatch(r, err, "the length", len, n);
    if (*p == '\0' && len > 0) {
        rc = recorded_error(r, err);
        return rc ? rc : malformed(r, err);
    }
    if (strlen(p) != 2 * len)
        return malformed(r, err);
    for (size_t i = 0; i < len; i++) {
        int hi = hex_digit((unsigned char)p[2 * i]), lo = hex_digit((unsigned char)p[2 * i + 1]);
        if (hi < 0 || lo < 0)
            return malformed(r, err);
        ((uint8_t *)buf)[i] = (uint8_t)(hi << 4 | lo);
    }
    return recorded_error(r, err);
}

static int rep_mem_write(struct device *dev, uint64_t soc, const void *buf, size_t len, struct nerr *err)
{
    struct replay_device *r = self_of(dev);
    char *p;
    uint64_t addr, n;
    int rc = expect(r, 'M', "mem_write", &p, err);
    if (rc)
        return rc;
    if (!take_hex(&p, &addr) || !take_hex(&p, &n))
        return malformed(r, err);
    if (addr != soc)
        return mismatch(r, err, "the memory address", soc, addr);
    if (n != len)
        return mismatch(r, err, "the length", len, n);
    char digest[65];
    recording_digest(buf, len, digest);
    if (strcmp(p, "-") != 0 && strcmp(p, digest) != 0)
        return fail_at(r, err, NERR_MISMATCH,
                       "the bytes written to memory differ from the recorded ones (SHA-256)");
    return recorded_error(r, err);
}

static int rep_advance(struct device *dev, uint64_t cycles, unsigned until, unsigned *why, struct nerr *err)
{
    struct replay_device *r = self_of(dev);
    char *p;
    uint64_t c, u, w, cycle, ps;
    int rc = expect(r, 'a', "advance", &p, err);
    if (rc)
        return rc;
    if (!take_hex(&p, &c) || !take_hex(&p, &u) || !take_hex(&p, &w) || !take_hex(&p, &cycle) ||
        !take_hex(&p, &ps))
        return malformed(r, err);
    if (c != cycles)
        return mismatch(r, err, "the number of cycles to advance", cycles, c);
    if (u != until)
        return mismatch(r, err, "the condition to advance to", until, u);
    *why = (unsigned)w;
    r->time = (struct dev_time){ cycle, ps };
    return recorded_error(r, err);
}

static void rep_now(struct device *dev, struct dev_time *t)
{
    struct replay_device *r = self_of(dev);
    struct nerr ignored;
    char *p;
    uint64_t cycle, ps;
    /* Not a recorded question: the next real call reports the difference. */
    if (peek(r) == 't' && expect(r, 't', "now", &p, &ignored) == 0 && take_hex(&p, &cycle) &&
        take_hex(&p, &ps))
        r->time = (struct dev_time){ cycle, ps };
    *t = r->time;
}

/* The host is done: the recording must be, too. */
static int rep_finish(struct device *dev, struct nerr *err)
{
    struct replay_device *r = self_of(dev);
    char text[120];
    const char *line = next_line(r);
    if (line && strcmp(line, "end") == 0)
        return 0;
    if (!line)
        return fail_at(r, err, NERR_INPUT, "the recording is cut off: its last line must be 'end'");
    snprintf(text, sizeof text, "the run is over, but the recording goes on with '%.60s'", line);
    return fail_at(r, err, NERR_MISMATCH, text);
}

static void rep_close(struct device *dev)
{
    struct replay_device *r = self_of(dev);
    fclose(r->file);
    free(r->line);
    free(r->path);
    free(r);
}

static const struct dev_ops replay_ops = {
    .reg_read32 = rep_reg_read32,
    .reg_write32 = rep_reg_write32,
    .mem_read = rep_mem_read,
    .mem_write = rep_mem_write,
    .advance = rep_advance,
    .now = rep_now,
    .finish = rep_finish,
    .close = rep_close,
};

int dev_open_replay(const char *path, struct device **dev, struct nerr *err)
{
    struct replay_device *r = calloc(1, sizeof *r);
    char *copy = malloc(strlen(path) + 1);
    if (!r || !copy) {
        free(r);
        free(copy);
        return nerr_set(err, NERR_MEM, path, "out of memory for a replay");
    }
    strcpy(copy, path);
    r->path = copy;
    r->base.ops = &replay_ops;
    r->base.name = "replay";
    r->file = fopen(path, "r");
    if (!r->file) {
        free(r);
        free(copy);
        return nerr_set(err, NERR_IO, path, "the recording cannot be opened");
    }
    char *line = next_line(r);
    if (!line || strcmp(line, RECORDING_MAGIC) != 0) {
        nerr_set(err, NERR_INPUT, path, "not a recording: the first line must be '%s'", RECORDING_MAGIC);
        rep_close(&r->base);
        return err->code;
    }
    *dev = &r->base;
    return 0;
}
