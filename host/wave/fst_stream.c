/* The items of the ring as records: see fst_stream.h. */
#include "wave/fst_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REAL_BYTES_MAX 32

void fst_stream_reset(struct fst_stream *f)
{
    f->have = f->used = 0;
    f->turn = 0;
    f->ended = f->timed = f->holds_slot = f->gone = false;
}

void fst_stream_give_slots(struct fst_stream *f, size_t n)
{
    static const char tokens[FST_SLOTS];
    ssize_t done;
    do
        done = write(f->ring.free, tokens, n);
    while (done < 0 &&
           errno == EINTR); /* any other failure: the decoder is gone, which the next read tells */
}

static int damaged(const struct fst_stream *f, struct nerr *err, const char *what)
{
    return nerr_set(err, NERR_INPUT, f->path, "damaged FST file: %s", what);
}

/* Gives the slot at hand back and waits for the next one. */
static int next_slot(struct fst_stream *f, struct nerr *err)
{
    uint32_t bytes = 0;
    ssize_t got;
    if (f->holds_slot)
        fst_stream_give_slots(f, 1);
    f->holds_slot = false;
    do
        got = read(f->ring.filled, &bytes, sizeof bytes); /* written at once */
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return nerr_set(err, NERR_IO, f->path, "cannot read from the decoder: %s", strerror(errno));
    f->gone = got == 0;
    if (f->gone)
        return damaged(f, err, "a value block cannot be decoded");
    if (got != (ssize_t)sizeof bytes || bytes == 0 || bytes > FST_SLOT_BYTES)
        return damaged(f, err, "a value block cannot be decoded");
    f->slot = f->ring.slots + (size_t)(f->turn++ % FST_SLOTS) * FST_SLOT_BYTES;
    f->have = bytes;
    f->used = 0;
    f->holds_slot = true;
    return 0;
}

static bool fits(const struct fst_shape *s, uint32_t len)
{
    return s->len == FST_LEN_STRING || (s->len == FST_LEN_REAL ? len <= REAL_BYTES_MAX : s->len == len);
}

static void give(struct fst_stream *f, uint32_t signal, const char *value, uint32_t len,
                 struct wave_record *out)
{
    *out = (struct wave_record){ WAVE_CHANGE, f->time, signal, len, value };
    enum wave_kind kind = f->shapes[signal].kind;
    if (kind == WAVE_EVENT)
        out->value = value[0] == '1' ? "1" : "0";
    else if (kind == WAVE_REAL && len == 4 && memcmp(value, "-nan", 4) == 0) {
        out->value++;
        out->len = 3;
    }
}

/* Room for n bytes in buffer, which ends up with `most` of them; by and by, as `most` is only what the
 * decoder says. */
static bool widen(struct fst_stream *f, size_t n, size_t most)
{
    if (n <= f->capacity)
        return true;
    size_t capacity = n * 2 < most ? n * 2 : most;
    char *more = realloc(f->buffer, capacity);
    if (!more)
        return false;
    f->buffer = more;
    f->capacity = capacity;
    return true;
}

/* FST_ITEM_LONG: a value that fills several slots is put together. */
static int long_value(struct fst_stream *f, const uint32_t words[3], struct wave_record *out,
                      struct nerr *err)
{
    uint32_t signal = words[1], len = words[2];
    if (signal >= f->nsignals || !f->timed || !fits(&f->shapes[signal], len))
        return damaged(f, err, "a value of the wrong width");
    for (uint32_t made = 0; made < len;) {
        if (f->used == f->have) {
            int rc = next_slot(f, err);
            if (rc)
                return rc;
        }
        size_t n = f->have - f->used < len - made ? f->have - f->used : len - made;
        if (!widen(f, made + n, len))
            return nerr_set(err, NERR_MEM, f->path, "out of memory for a value of %lu bytes",
                            (unsigned long)len);
        memcpy(f->buffer + made, f->slot + f->used, n);
        made += (uint32_t)n;
        f->used += n;
    }
    give(f, signal, len ? f->buffer : "", len, out);
    return 0;
}

static int time_item(struct fst_stream *f, const char *p, struct wave_record *out, struct nerr *err)
{
    uint64_t time;
    memcpy(&time, p, sizeof time);
    if ((f->timed && time < f->time) || time < f->start || time > f->end)
        return nerr_set(err, NERR_INPUT, f->path,
                        "damaged FST file: time %llu after %llu, in a file from %llu to %llu",
                        (unsigned long long)time, (unsigned long long)f->time, (unsigned long long)f->start,
                        (unsigned long long)f->end);
    f->timed = true;
    f->time = time;
    *out = (struct wave_record){ .kind = WAVE_TIME, .time = time };
    return 0;
}

/* Anything but a value of bits; `left` bytes of the slot follow p, which is behind the first word. */
static int other_item(struct fst_stream *f, uint32_t tag, const char *p, size_t left, struct wave_record *out,
                      struct nerr *err)
{
    uint32_t words[3] = { tag, 0, 0 };
    if (tag == FST_ITEM_END) {
        f->ended = true;
        *out = (struct wave_record){ .kind = WAVE_END };
        return 0;
    }
    if (tag == FST_ITEM_TIME && left >= sizeof(uint64_t)) {
        f->used += sizeof tag + sizeof(uint64_t);
        return time_item(f, p, out, err);
    }
    if (tag == FST_ITEM_LONG && left >= 2 * sizeof tag) {
        memcpy(words + 1, p, 2 * sizeof tag);
        f->used += 3 * sizeof tag;
        return long_value(f, words, out, err);
    }
    if (tag >= f->nsignals || !f->timed || left < sizeof tag)
        return damaged(f, err, "a value for a signal that does not exist");
    memcpy(words + 1, p, sizeof tag);
    if (words[1] > left - sizeof tag || !fits(&f->shapes[tag], words[1]))
        return damaged(f, err, "a value of the wrong width");
    f->used += 2 * sizeof tag + words[1];
    give(f, tag, p + sizeof tag, words[1], out);
    return 0;
}

int fst_stream_next(struct fst_stream *f, struct wave_record *out, struct nerr *err)
{
    uint32_t tag;
    if (f->ended) {
        *out = (struct wave_record){ .kind = WAVE_END };
        return 0;
    }
    if (f->used == f->have) {
        int rc = next_slot(f, err);
        if (rc)
            return rc;
    }
    const char *p = f->slot + f->used;
    size_t left = f->have - f->used;
    if (left < sizeof tag)
        return damaged(f, err, "a value block cannot be decoded");
    left -= sizeof tag;
    memcpy(&tag, p, sizeof tag);
    p += sizeof tag;
    if (tag < f->nsignals && f->shapes[tag].kind == WAVE_BITS && f->shapes[tag].len <= left && f->timed) {
        uint32_t len = f->shapes[tag].len;
        f->used += sizeof tag + len;
        *out = (struct wave_record){ WAVE_CHANGE, f->time, tag, len, p };
        return 0;
    }
    if (tag < f->nsignals && f->shapes[tag].kind == WAVE_EVENT && left >= 1 && f->timed) {
        f->used += sizeof tag + 1;
        give(f, tag, p, 1, out);
        return 0;
    }
    return other_item(f, tag, p, left, out, err);
}
