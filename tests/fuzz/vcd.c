/*
 * Bytes as a VCD file, read in pieces of two sizes: both give the same records or the same complaint, in
 * which times never decrease and every value has the form that reader.h promises. Without its last byte a
 * file that passes is refused, unless that byte said nothing.
 */
#define _GNU_SOURCE /* memfd_create */
#include <sys/mman.h>
#include <unistd.h>

#include "frame.h"
#include "wave/vcd.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What came out, as one number, so that two runs can be compared. */
struct outcome {
    uint64_t sum, records;
    int code;
    bool incomplete;
    struct nerr err;
};

static int file = -1;
static char path[64];

static void mix(struct outcome *o, const void *p, size_t n)
{
    const uint8_t *b = p;
    for (size_t i = 0; i < n; i++)
        o->sum = (o->sum ^ b[i]) * 0x100000001b3u;
}

static void check_change(const struct wave_reader *r, const struct vcd_reader *v,
                         const struct wave_record *rec)
{
    static const char states[] = "01xzuwhl-";
    DEMAND(rec->signal < r->nsignals);
    const struct vcd_signal *s = &v->signals[rec->signal];
    if (s->kind == WAVE_BITS) {
        DEMAND(rec->len == s->width);
        for (uint32_t i = 0; i < rec->len; i++)
            DEMAND(memchr(states, rec->value[i], sizeof states - 1));
    } else if (s->kind == WAVE_EVENT) {
        DEMAND(rec->len == 1 && rec->value[0] == '1');
    } else {
        DEMAND(s->kind == WAVE_STRING || (rec->len > 0 && rec->len < 32));
        frame_touch(rec->value, rec->len);
    }
}

static void stream(struct wave_reader *r, struct outcome *o)
{
    const struct vcd_reader *v = (const struct vcd_reader *)r;
    struct wave_record rec = { .kind = WAVE_TIME };
    uint64_t time = 0;
    bool timed = false;
    o->code = r->ops->start(r, NULL, &o->err);
    while (o->code == 0) {
        o->code = r->ops->next(r, &rec, &o->err);
        if (o->code || rec.kind == WAVE_END)
            break;
        o->records++;
        mix(o, &rec.kind, sizeof rec.kind);
        mix(o, &rec.time, sizeof rec.time);
        DEMAND(rec.kind == WAVE_TIME ? !timed || rec.time > time : timed && rec.time == time);
        timed = true;
        time = rec.time;
        if (rec.kind == WAVE_CHANGE) {
            check_change(r, v, &rec);
            mix(o, &rec.signal, sizeof rec.signal);
            mix(o, rec.value, rec.len);
        }
    }
    o->incomplete = r->incomplete;
}

static struct outcome read_in(size_t piece, bool allow_incomplete, bool twice)
{
    struct outcome o = { .sum = 0xcbf29ce484222325u }, again;
    struct wave_open_options options = { .allow_incomplete = allow_incomplete };
    struct vcd_input in;
    struct wave_reader *r;
    o.code = vcd_input_open_sized(&in, path, piece, &o.err);
    DEMAND(o.code == 0);
    o.code = vcd_reader_open(&in, &options, &r, &o.err);
    if (o.code)
        return o;
    for (size_t i = 0; i < r->nvars; i++)
        DEMAND(r->vars[i].signal < r->nsignals && r->vars[i].scope <= strlen(r->vars[i].name));
    stream(r, &o);
    if (twice) {
        again = (struct outcome){ .sum = 0xcbf29ce484222325u };
        stream(r, &again);
        DEMAND(again.sum == o.sum && again.code == o.code && again.records == o.records);
    }
    wave_reader_close(r);
    return o;
}

static void fill(const uint8_t *data, size_t size)
{
    if (file < 0) {
        file = memfd_create("fuzz", 0);
        DEMAND(file >= 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    DEMAND(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fill(data, size);
    struct outcome big = read_in(4096, false, true);
    struct outcome small = read_in(2 + size % 23, false, false);
    DEMAND(big.code == small.code && big.sum == small.sum && big.records == small.records);
    if (big.code) {
        DEMAND(big.code == NERR_INPUT && big.err.text[0]);
        DEMAND(strcmp(big.err.text, small.err.text) == 0 && strcmp(big.err.where, small.err.where) == 0);
        struct outcome part = read_in(64, true, false);
        DEMAND(part.code || part.incomplete);
    } else if (size > 1) {
        fill(data, size - 1);
        struct outcome cut = read_in(4096, false, false);
        DEMAND(cut.code || vcd_space((char)data[size - 2]));
    }
    return 0;
}
