/* One pass over the wire form finds what is wrong and where; then protobuf-c decodes under a memory budget.
 * See protobuf.h. */
#include "util/protobuf.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define VARINT_MAX_BYTES 10
#define VARINT_LAST_MAX  1 /* a tenth byte holds bit 63 only */
#define FIELD_MAX        536870911u
#define LENGTH_MAX       INT32_MAX /* what protobuf-c takes as a length */
#define DEPTH_MAX        100
#define BUDGET_BASE      (UINT64_C(64) << 20)
#define BUDGET_FACTOR    2

enum wire { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_START = 3, WIRE_END = 4, WIRE_32 = 5 };

struct scan {
    const uint8_t *buf;
    const char *where;
    size_t unknown;
    struct nerr *err;
};

static int bad(const struct scan *s, size_t at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static int bad(const struct scan *s, size_t at, const char *fmt, ...)
{
    char place[sizeof s->err->where];
    va_list ap;
    snprintf(place, sizeof place, "%s byte 0x%zx", s->where, at);
    va_start(ap, fmt);
    nerr_vset(s->err, NERR_INPUT, place, fmt, ap);
    va_end(ap);
    return NERR_INPUT;
}

static int varint(const struct scan *s, size_t *at, size_t end, uint64_t *out)
{
    size_t start = *at;
    *out = 0;
    for (size_t i = 0; i < VARINT_MAX_BYTES; i++) {
        if (*at == end)
            return bad(s, start, "the varint is cut: %zu bytes without an end", i);
        uint8_t b = s->buf[(*at)++];
        if (i == VARINT_MAX_BYTES - 1 && b > VARINT_LAST_MAX)
            break;
        *out |= (uint64_t)(b & 0x7f) << 7 * i;
        if (!(b & 0x80))
            return 0;
    }
    return bad(s, start, "the varint has more than 64 bits");
}

static enum wire wire_of(ProtobufCType type)
{
    switch (type) {
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_SFIXED32:
    case PROTOBUF_C_TYPE_FLOAT:
        return WIRE_32;
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_DOUBLE:
        return WIRE_64;
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_BYTES:
    case PROTOBUF_C_TYPE_MESSAGE:
        return WIRE_BYTES;
    default:
        return WIRE_VARINT;
    }
}

/* The elements of a packed field, of which [at, end) must be a whole number. */
static int packed(const struct scan *s, size_t at, size_t end, const ProtobufCFieldDescriptor *f)
{
    enum wire wire = wire_of(f->type);
    size_t start = at, width = wire == WIRE_32 ? 4 : 8;
    uint64_t v;
    int rc = 0;
    if (wire != WIRE_VARINT && (end - at) % width)
        return bad(s, at, "%s has %zu bytes, which is no multiple of %zu", f->name, end - start, width);
    while (wire == WIRE_VARINT && rc == 0 && at < end)
        rc = varint(s, &at, end, &v);
    return rc;
}

static int message(struct scan *s, size_t at, size_t end, const ProtobufCMessageDescriptor *type,
                   unsigned depth);

/* A field of a known or unknown (f is NULL) number; *at is behind the tag that started at `tag`. */
static int field(struct scan *s, size_t tag, size_t *at, size_t end, unsigned number, enum wire wire,
                 const ProtobufCFieldDescriptor *f, unsigned depth)
{
    const char *name = f ? f->name : "unknown";
    bool is_packed =
        f && wire == WIRE_BYTES && f->label == PROTOBUF_C_LABEL_REPEATED && wire_of(f->type) != WIRE_BYTES;
    uint64_t v;
    if (wire == WIRE_START || wire == WIRE_END || wire > WIRE_32)
        return bad(s, tag, "field %u (%s) has wire type %d, expected 0, 1, 2 or 5", number, name, (int)wire);
    if (f && wire != wire_of(f->type) && !is_packed)
        return bad(s, tag, "field %u (%s) has wire type %d, expected %d", number, name, (int)wire,
                   (int)wire_of(f->type));
    if (wire == WIRE_VARINT)
        return varint(s, at, end, &v);
    size_t start = *at;
    if (wire == WIRE_BYTES) {
        int rc = varint(s, at, end, &v);
        if (rc)
            return rc;
        if (v > LENGTH_MAX)
            return bad(s, start, "field %u (%s) has a length of %llu bytes, at most %d are allowed", number,
                       name, (unsigned long long)v, LENGTH_MAX);
    } else {
        v = wire == WIRE_32 ? 4 : 8;
    }
    if (v > end - *at)
        return bad(s, start, "field %u (%s) has %llu bytes, %zu are left in the message", number, name,
                   (unsigned long long)v, end - *at);
    size_t first = *at;
    *at += (size_t)v;
    if (is_packed)
        return packed(s, first, *at, f);
    if (f && f->type == PROTOBUF_C_TYPE_MESSAGE)
        return message(s, first, *at, f->descriptor, depth + 1);
    return 0;
}

static int message(struct scan *s, size_t at, size_t end, const ProtobufCMessageDescriptor *type,
                   unsigned depth)
{
    if (depth > DEPTH_MAX)
        return bad(s, at, "messages are nested deeper than %d", DEPTH_MAX);
    while (at < end) {
        size_t tag = at;
        uint64_t key;
        int rc = varint(s, &at, end, &key);
        if (rc)
            return rc;
        if (key >> 3 == 0 || key >> 3 > FIELD_MAX || at - tag > 5)
            return bad(s, tag, "found the field number %llu, expected 1 to %u in at most 5 bytes",
                       (unsigned long long)(key >> 3), FIELD_MAX);
        unsigned number = (unsigned)(key >> 3);
        const ProtobufCFieldDescriptor *f = protobuf_c_message_descriptor_get_field(type, number);
        s->unknown += !f;
        rc = field(s, tag, &at, end, number, (enum wire)(key & 7), f, depth);
        if (rc)
            return rc;
    }
    return 0;
}

struct budget {
    uint64_t left;
    bool over;
};

static void *take(void *data, size_t size)
{
    struct budget *b = data;
    if (size > b->left) {
        b->over = true;
        return NULL;
    }
    b->left -= size;
    return malloc(size ? size : 1);
}

static void give(void *data, void *p)
{
    (void)data; /* what was freed is not given back: the budget is for everything one message asks for */
    free(p);
}

int protobuf_read(const uint8_t *buf, size_t len, const ProtobufCMessageDescriptor *type, const char *where,
                  size_t *unknown, ProtobufCMessage **out, struct nerr *err)
{
    struct scan s = { .buf = buf, .where = where, .err = err };
    struct budget b = { BUDGET_BASE + (uint64_t)BUDGET_FACTOR * len, false };
    ProtobufCAllocator allocator = { take, give, &b };
    int rc = message(&s, 0, len, type, 0);
    if (rc)
        return rc;
    *unknown = s.unknown;
    *out = protobuf_c_message_unpack(type, &allocator, len, buf);
    if (*out)
        return 0;
    if (b.over)
        return bad(&s, 0, "the message needs more than %llu bytes of memory for its %zu bytes",
                   (unsigned long long)(BUDGET_BASE + (uint64_t)BUDGET_FACTOR * len), len);
    return nerr_set(err, NERR_MEM, where, "out of memory for the message");
}
