/* The value section of a VCD file as a stream of time steps, in one pass (values: vcd_value.c). */
#include "wave/vcd.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/strbuf.h"

static struct vcd_reader *self(struct wave_reader *r)
{
    return (struct vcd_reader *)r;
}

static int start(struct wave_reader *r, const uint8_t *wanted, struct nerr *err)
{
    struct vcd_reader *v = self(r);
    free((void *)(uintptr_t)v->wanted);
    v->wanted = NULL;
    if (wanted) {
        uint8_t *copy = malloc((size_t)r->nsignals + 1);
        if (!copy)
            return nerr_set(err, NERR_MEM, r->path, "out of memory");
        memcpy(copy, wanted, r->nsignals);
        v->wanted = copy;
    }
    v->timed = false;
    v->time = 0;
    v->block = NULL;
    v->again = VCD_NO_SIGNAL;
    if (v->started) {
        int rc = vcd_input_seek(&v->in, v->body_offset, v->body_lines, err);
        if (rc)
            return rc;
    }
    v->started = true;
    return 0;
}

void vcd_warn(struct vcd_reader *v, size_t at, const char *fmt, int n, const char *s)
{
    struct nerr w;
    const struct wave_open_options *o = &v->base.options;
    if (!o->warn || v->warnings > VCD_WARNINGS_MAX)
        return;
    if (v->warnings++ == VCD_WARNINGS_MAX) {
        o->warn(o->warn_ctx, v->base.path, "more of the file was skipped without a warning for each");
        return;
    }
    vcd_error(&v->in, at, &w, fmt, n, s);
    o->warn(o->warn_ctx, w.where, w.text);
}

static enum vcd_look bad(struct vcd_reader *v, const char *at, struct nerr *err, const char *what)
{
    vcd_error(&v->in, (size_t)(at - v->in.buf), err, "%s", what);
    return VCD_BAD;
}

/* "#120": p at the #. */
static enum vcd_look time_step(struct vcd_reader *v, char *p, struct wave_record *out, struct nerr *err)
{
    char *q = p + 1;
    uint64_t t = 0;
    bool fits = true;
    for (; *q >= '0' && *q <= '9'; q++) {
        fits = fits && t <= (UINT64_MAX - 9) / 10;
        t = t * 10 + (uint64_t)(*q - '0');
    }
    if (vcd_cut(v, q))
        return VCD_MORE;
    if (q == p + 1 || (unsigned char)*q > ' ')
        return bad(v, p, err, "a time that is not a whole number");
    if (!fits)
        return bad(v, p, err, "a time beyond 2^64");
    if (v->timed && t < v->time) {
        vcd_error(&v->in, (size_t)(p - v->in.buf), err, "time goes backwards, from %llu to %llu",
                  (unsigned long long)v->time, (unsigned long long)t);
        return VCD_BAD;
    }
    v->in.pos = (size_t)(q - v->in.buf);
    v->block = NULL; /* some tools never end $dumpvars */
    if (v->timed && t == v->time)
        return VCD_NONE;
    if (!v->timed)
        v->base.start = t;
    v->timed = true;
    v->time = v->base.end = t;
    *out = (struct wave_record){ .kind = WAVE_TIME, .time = t };
    return VCD_DONE;
}

static bool one_of(const char *const *list, const char *w, size_t n, const char **found)
{
    for (; *list; list++)
        if (strlen(*list) == n && memcmp(w, *list, n) == 0) {
            *found = *list;
            return true;
        }
    return false;
}

/* "$dumpvars", "$end", "$comment ... $end": p at the $. */
static enum vcd_look command(struct vcd_reader *v, struct nerr *err)
{
    static const char *const blocks[] = { "$dumpvars",    "$dumpall",      "$dumpon",
                                          "$dumpoff",     "$dumpports",    "$dumpportsall",
                                          "$dumpportson", "$dumpportsoff", NULL };
    static const char *const silent[] = { "$comment", "$vcdclose", NULL };
    const char *w, *known;
    size_t n;
    int rc = vcd_token(&v->in, &w, &n, err);
    if (rc)
        return VCD_BAD;
    if (n == 4 && memcmp(w, "$end", 4) == 0) {
        v->block = NULL;
        return VCD_NONE;
    }
    if (one_of(blocks, w, n, &known)) {
        v->block = known;
        return VCD_NONE;
    }
    if (!one_of(silent, w, n, &known))
        vcd_warn(v, v->in.pos - n, "command '%.*s' is not known and was skipped", n > 40 ? 40 : (int)n, w);
    do {
        rc = vcd_token(&v->in, &w, &n, err);
        if (!rc && n == 0)
            rc = vcd_error(&v->in, v->in.pos, err, "the file ends inside a $ command that has no $end");
    } while (!rc && (n != 4 || memcmp(w, "$end", 4) != 0));
    return rc ? VCD_BAD : VCD_NONE;
}

static enum vcd_look look(struct vcd_reader *v, char *p, struct wave_record *out, struct nerr *err)
{
    if (*p == '#')
        return time_step(v, p, out, err);
    if (*p == '$')
        return command(v, err);
    if (!v->timed && vcd_begins_value(*p)) { /* values before the first time: a step of their own at time 0 */
        v->timed = true;
        *out = (struct wave_record){ .kind = WAVE_TIME };
        return VCD_DONE;
    }
    return vcd_value(v, p, out, err);
}

/* The end of the file, which has to come after a whole word and outside a block of values. */
static int end(struct vcd_reader *v, struct wave_record *out, struct nerr *err)
{
    const struct vcd_input *in = &v->in;
    *out = (struct wave_record){ .kind = WAVE_END };
    if (v->base.incomplete)
        return 0;
    if (v->block)
        return vcd_error(in, in->pos, err, "the file is cut: it ends inside %s, which has no $end", v->block);
    if (!vcd_space(in->last))
        return vcd_error(in, in->pos, err,
                         "the file may be cut: no line end follows its last word, which could be longer");
    return 0;
}

/* A record that is wrong because the file ends inside it gives a better sentence. */
static int explain(struct vcd_reader *v, const char *p, struct nerr *err)
{
    const struct vcd_input *in = &v->in;
    size_t n = in->have - (size_t)(p - in->buf);
    if (err->code != NERR_INPUT || !in->at_end || n == 0 || memchr(p, '\n', n))
        return err->code;
    return vcd_error(in, (size_t)(p - in->buf), err, "the file is cut inside its last record, '%.*s'",
                     n > 40 ? 40 : (int)n, p);
}

/* From the record at in.pos on, which gave l so far. */
static int go_on(struct vcd_reader *v, enum vcd_look l, struct wave_record *out, struct nerr *err)
{
    char *p = v->in.buf + v->in.pos;
    bool is_command = false;
    for (;;) {
        if (l == VCD_DONE)
            return 0;
        if (l == VCD_BAD)
            return is_command ? err->code : explain(v, p, err);
        if (l == VCD_MORE) {
            int rc = vcd_input_more(&v->in, err);
            if (rc)
                return rc;
        }
        p = v->in.buf + v->in.pos;
        while (vcd_space(*p))
            p++;
        v->in.pos = (size_t)(p - v->in.buf);
        is_command = *p == '$'; /* which reads on, so that p is stale behind it */
        if (v->in.pos < v->in.have)
            l = look(v, p, out, err);
        else if (v->in.at_end)
            return end(v, out, err);
        else
            l = VCD_MORE;
    }
}

static int next(struct wave_reader *r, struct wave_record *out, struct nerr *err)
{
    struct vcd_reader *v = self(r);
    enum vcd_look l = VCD_NONE;
    if (v->again != VCD_NO_SIGNAL) {
        l = vcd_value_again(v, out, err);
        return l == VCD_BAD ? err->code : go_on(v, l, out, err);
    }
    char *p = v->in.buf + v->in.pos;
    p += *p == '\n';
    if ((*p == '0' || *p == '1') && v->timed) { /* most lines of most files */
        v->in.pos = (size_t)(p - v->in.buf);
        l = vcd_scalar(v, p, out, err);
        if (l == VCD_DONE)
            return 0;
    }
    return go_on(v, l, out, err);
}

static void close_reader(struct wave_reader *r)
{
    struct vcd_reader *v = self(r);
    vcd_input_close(&v->in);
    vcd_ids_free(&v->ids);
    free(v->signals);
    free((void *)(uintptr_t)v->wanted);
    free(v->scratch);
}

static int prepare(struct vcd_reader *v, struct nerr *err)
{
    uint32_t widest = 32;
    for (uint32_t i = 0; i < v->base.nsignals; i++)
        widest = v->signals[i].width > widest ? v->signals[i].width : widest;
    v->scratch = malloc(widest);
    if (!v->scratch)
        return nerr_set(err, NERR_MEM, v->base.path, "out of memory");
    v->body_offset = v->in.before + v->in.pos;
    v->body_lines = v->in.lines;
    for (size_t i = 0; i < v->in.pos; i++)
        v->body_lines += v->in.buf[i] == '\n';
    return v->base.options.allow_incomplete ? vcd_find_cut(v, err) : 0;
}

int vcd_reader_open(struct vcd_input *in, const struct wave_open_options *options, struct wave_reader **out,
                    struct nerr *err)
{
    static const struct wave_reader_ops ops = { start, next, close_reader };
    struct vcd_reader *v = calloc(1, sizeof *v);
    if (!v) {
        vcd_input_close(in);
        return nerr_set(err, NERR_MEM, in->path, "out of memory");
    }
    v->in = *in;
    v->again = VCD_NO_SIGNAL;
    v->base.ops = &ops;
    v->base.format = "VCD";
    v->base.exponent = -9;
    v->base.factor = 1;
    v->base.options = *options;
    v->base.path = text_copy(in->path);
    int rc = v->base.path ? 0 : nerr_set(err, NERR_MEM, in->path, "out of memory");
    if (!rc) {
        v->in.path = v->base.path;
        rc = vcd_read_header(v, err);
    }
    if (!rc)
        rc = prepare(v, err);
    if (rc)
        wave_reader_close(&v->base);
    else
        *out = &v->base;
    return rc;
}
