/* Opening a wave and asking what is in it: reader.h and the first part of wave.h. */
#include "wave/reader.h"

#include <stdlib.h>
#include <string.h>

#include "util/strbuf.h"
#include "wave/fst.h"
#include "wave/info.h"
#include "wave/vcd.h"
#include "wave/wave.h"

static const struct wave_open_options plain = { 0 };

#define FST_HEADER  0x00 /* first byte of an FST file, */
#define FST_WRAPPER 0xfe /* or of one that is packed as a whole */

static bool is_vcd(const char *p, size_t n)
{
    size_t i = 0;
    while (i < n && vcd_space(p[i]))
        i++;
    return i + 1 < n && p[i] == '$' && p[i + 1] >= 'a' && p[i + 1] <= 'z';
}

static int refuse(const char *path, const char *p, size_t n, struct nerr *err)
{
    if (n == 0)
        return nerr_set(err, NERR_INPUT, path, "the file is empty");
    if (n > 2 && memcmp(p, "\x1f\x8b", 2) == 0)
        return nerr_set(err, NERR_INPUT, path, "the file is packed with gzip; unpack it first");
    return nerr_set(
        err, NERR_INPUT, path,
        "neither an FST nor a VCD file: the first byte of an FST is 00 or fe, a VCD begins with a $ "
        "command; this one begins with %02x",
        (unsigned char)p[0]);
}

int wave_reader_open_with(const char *path, const struct wave_open_options *options, struct wave_reader **out,
                          struct nerr *err)
{
    struct vcd_input in;
    int rc = vcd_input_open(&in, path, err);
    if (!rc && (rc = vcd_input_more(&in, err)) != 0)
        vcd_input_close(&in);
    if (rc)
        return rc;
    if (is_vcd(in.buf, in.have)) /* from here on without a second open, so that a pipe works */
        return vcd_reader_open(&in, options, out, err);
    unsigned char first = (unsigned char)in.buf[0];
    bool fst = in.have > 0 && (first == FST_HEADER || first == FST_WRAPPER);
    if (!fst)
        rc = refuse(path, in.buf, in.have, err);
    vcd_input_close(&in);
    return fst ? fst_reader_open(path, options, out, err) : rc;
}

int wave_reader_open(const char *path, struct wave_reader **out, struct nerr *err)
{
    return wave_reader_open_with(path, &plain, out, err);
}

void wave_reader_close(struct wave_reader *r)
{
    if (!r)
        return;
    r->ops->close(r);
    for (size_t i = 0; i < r->nvars; i++)
        free(r->vars[i].name);
    free(r->vars);
    free(r->path);
    free(r);
}

uint32_t wave_initial(enum wave_kind kind, uint32_t width, char *value)
{
    switch (kind) {
    case WAVE_BITS:
        memset(value, 'x', width);
        return width;
    case WAVE_REAL:
        memcpy(value, "nan", 3);
        return 3;
    case WAVE_EVENT:
        value[0] = '0';
        return 1;
    default:
        return 0;
    }
}

int wave_get_info(const char *path, struct wave_info *info, struct nerr *err)
{
    struct wave_reader *r;
    struct wave_record record = { .kind = WAVE_TIME };
    int rc = wave_reader_open(path, &r, err);
    if (rc)
        return rc;
    *info = (struct wave_info){ .exponent = r->exponent,
                                .timezero = r->timezero,
                                .start = r->start,
                                .end = r->end,
                                .scopes = r->nscopes,
                                .vars = r->nvars,
                                .signals = r->nsignals };
    rc = r->ops->start(r, NULL, err);
    while (!rc && record.kind != WAVE_END) {
        rc = r->ops->next(r, &record, err);
        if (!rc && record.kind == WAVE_CHANGE)
            info->changes++;
    }
    wave_reader_close(r);
    return rc;
}

/* Greedy with one step back: the last star takes one character more whenever the rest does not fit. */
bool wave_glob_n(const char *glob, const char *text, size_t len)
{
    const char *star = NULL, *mark = NULL, *end = text + len;
    while (text < end) {
        if (*glob == '*') {
            star = glob++;
            mark = text;
        } else if (*glob == '?' || (*glob && *glob == *text)) {
            glob++;
            text++;
        } else if (star) {
            glob = star + 1;
            text = ++mark;
        } else {
            return false;
        }
    }
    while (*glob == '*')
        glob++;
    return *glob == '\0';
}

bool wave_glob(const char *glob, const char *text)
{
    return wave_glob_n(glob, text, strlen(text));
}

static bool matches(const char *name, const char *const *globs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (wave_glob(globs[i], name))
            return true;
    return n == 0;
}

int wave_list(const char *path, const char *const *globs, size_t nglobs, struct wave_names *out,
              struct nerr *err)
{
    return wave_list_with(path, &plain, globs, nglobs, out, err);
}

int wave_list_with(const char *path, const struct wave_open_options *options, const char *const *globs,
                   size_t nglobs, struct wave_names *out, struct nerr *err)
{
    struct wave_reader *r;
    memset(out, 0, sizeof *out);
    int rc = wave_reader_open_with(path, options, &r, err);
    if (rc)
        return rc;
    out->name = calloc(r->nvars + 1, sizeof *out->name);
    out->width = calloc(r->nvars + 1, sizeof *out->width);
    if (!out->name || !out->width)
        rc = nerr_set(err, NERR_MEM, path, "out of memory");
    for (size_t i = 0; !rc && i < r->nvars; i++) {
        if (!matches(r->vars[i].name, globs, nglobs))
            continue;
        out->name[out->n] = text_copy(r->vars[i].name);
        out->width[out->n] = r->vars[i].width;
        if (!out->name[out->n])
            rc = nerr_set(err, NERR_MEM, path, "out of memory");
        else
            out->n++;
    }
    wave_reader_close(r);
    if (rc)
        wave_names_free(out);
    return rc;
}

void wave_names_free(struct wave_names *names)
{
    for (size_t i = 0; i < names->n; i++)
        free(names->name[i]);
    free(names->name);
    free(names->width);
    memset(names, 0, sizeof *names);
}
