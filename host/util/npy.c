/* NumPy files: see npy.h. The layout is that of numpy.lib.format, version 1.0. */
#include "util/npy.h"

#include <inttypes.h>
#include <string.h>

#include "regs.h"
#include "util/bytes.h"

#define MAGIC     "\x93NUMPY"
#define MAGIC_LEN ((size_t)6)
#define FIXED_LEN ((size_t)10) /* magic, version, u16 header length */
#define ALIGN     ((size_t)64)

int npy_payload(const void *buf, size_t len, const char *where, const uint8_t **data, size_t *size,
                struct nerr *err)
{
    const uint8_t *p = buf;
    uint16_t magic = 0, hlen = 0;
    if (!bytes_le16(buf, len, 0, &magic) || magic != 0x4e93) {
        nerr_set(err, NERR_INPUT, where, "NUMPY %s bad header %x != 0x4e93", where, (unsigned)magic);
    } else if (!bytes_le16(buf, len, MAGIC_LEN + 2, &hlen)) {
        nerr_set(err, NERR_INPUT, where, "the npy file has %zu bytes, its fixed header needs %zu", len,
                 FIXED_LEN);
    } else if (p[MAGIC_LEN] != 1) {
        nerr_set(err, NERR_INPUT, where, "npy version %u.%u, only 1.x is read", (unsigned)p[MAGIC_LEN],
                 (unsigned)p[MAGIC_LEN + 1]);
    } else if (hlen > len - FIXED_LEN) {
        nerr_set(err, NERR_INPUT, where, "the npy header of %u bytes does not fit the file of %zu bytes",
                 (unsigned)hlen, len);
    } else {
        *data = p + FIXED_LEN + hlen;
        *size = len - FIXED_LEN - hlen;
        return 0;
    }
    err->runtime_code = NRT_INVALID;
    return err->code;
}

/* Reader of the header, a Python dict literal with the three keys of the format. */
struct text {
    const char *p, *end;
};

static void skip_space(struct text *t)
{
    while (t->p < t->end && (*t->p == ' ' || *t->p == '\n' || *t->p == '\t'))
        t->p++;
}

static bool accept(struct text *t, char c)
{
    skip_space(t);
    if (t->p == t->end || *t->p != c)
        return false;
    t->p++;
    return true;
}

static bool accept_word(struct text *t, const char *word)
{
    size_t n = strlen(word);
    skip_space(t);
    if ((size_t)(t->end - t->p) < n || memcmp(t->p, word, n) != 0)
        return false;
    t->p += n;
    return true;
}

/* A quoted string without escapes. */
static bool string(struct text *t, char *out, size_t size)
{
    char quote = accept(t, '\'') ? '\'' : accept(t, '"') ? '"' : '\0';
    size_t n = 0;
    if (!quote)
        return false;
    for (; t->p < t->end && *t->p != quote; t->p++) {
        if (*t->p == '\\' || (unsigned char)*t->p < 0x20 || n + 1 == size)
            return false;
        out[n++] = *t->p;
    }
    out[n] = '\0';
    return accept(t, quote);
}

static bool number(struct text *t, uint64_t *v)
{
    skip_space(t);
    const char *start = t->p;
    for (*v = 0; t->p < t->end && *t->p >= '0' && *t->p <= '9'; t->p++)
        if (!mul_u64(*v, 10, v) || !add_u64(*v, (uint64_t)(*t->p - '0'), v))
            return false;
    return t->p > start;
}

static bool shape(struct text *t, struct npy *out)
{
    if (!accept(t, '('))
        return false;
    for (out->ndim = 0; !accept(t, ')'); out->ndim++) {
        if (out->ndim == NPY_MAX_DIMS || !number(t, &out->shape[out->ndim]))
            return false;
        if (!accept(t, ',')) { /* (5) is no tuple, but harmless */
            out->ndim++;
            return accept(t, ')');
        }
    }
    return true;
}

/* Byte order, kind letter, size; 'U' counts 4-byte characters. */
static bool item_size(struct npy *out)
{
    const char *d = out->descr;
    if (*d && strchr("<>|=", *d))
        d++;
    char kind = *d;
    if (!kind || !strchr("biufcSUVmM", kind))
        return false;
    uint64_t size = 0;
    struct text t = { d + 1, d + strlen(d) };
    if (!number(&t, &size) || t.p != t.end || size == 0 || size > UINT32_MAX)
        return false;
    out->item_size = (size_t)size * (kind == 'U' ? 4 : 1);
    return true;
}

static bool fields(struct text *t, struct npy *out)
{
    bool seen[3] = { false, false, false };
    if (!accept(t, '{'))
        return false;
    while (!accept(t, '}')) {
        char key[16];
        bool ok;
        if (!string(t, key, sizeof key) || !accept(t, ':'))
            return false;
        int k = strcmp(key, "descr") == 0           ? 0
                : strcmp(key, "fortran_order") == 0 ? 1
                : strcmp(key, "shape") == 0         ? 2
                                                    : -1;
        if (k < 0 || seen[k])
            return false;
        seen[k] = true;
        if (k == 0)
            ok = string(t, out->descr, sizeof out->descr);
        else if (k == 1)
            ok = (out->fortran_order = accept_word(t, "True")) || accept_word(t, "False");
        else
            ok = shape(t, out);
        if (!ok)
            return false;
        if (!accept(t, ',')) {
            if (!accept(t, '}'))
                return false;
            break;
        }
    }
    return seen[0] && seen[1] && seen[2];
}

int npy_parse(const void *buf, size_t len, const char *where, struct npy *out, struct nerr *err)
{
    const uint8_t *data;
    size_t size;
    *out = (struct npy){ .count = 1 };
    if (len < FIXED_LEN || memcmp(buf, MAGIC, MAGIC_LEN) != 0)
        return nerr_set(err, NERR_INPUT, where, "not an npy file (its first six bytes are not \\x93NUMPY)");
    int rc = npy_payload(buf, len, where, &data, &size, err);
    if (rc)
        return rc;
    struct text t = { (const char *)buf + FIXED_LEN, (const char *)data };
    bool read = fields(&t, out);
    skip_space(&t);
    if (!read || t.p != t.end)
        return nerr_set(
            err, NERR_INPUT, where,
            "the npy header is not {'descr': '...', 'fortran_order': True|False, 'shape': (...)}");
    if (!item_size(out))
        return nerr_set(err, NERR_INPUT, where, "npy descr '%s' is not a plain element type such as '<f4'",
                        out->descr);
    uint64_t bytes = 0;
    bool fits = true;
    for (size_t i = 0; i < out->ndim; i++)
        fits = fits && mul_u64(out->count, out->shape[i], &out->count);
    fits = fits && mul_u64(out->count, out->item_size, &bytes);
    if (!fits || bytes != size)
        return nerr_set(err, NERR_INPUT, where,
                        "the npy file has %zu data bytes, its shape and descr need %s%" PRIu64, size,
                        fits ? "" : "more than ", fits ? bytes : UINT64_MAX);
    out->data = data;
    out->data_size = size;
    return 0;
}

int npy_write_header(struct strbuf *out, const char *descr, const uint64_t *dims, size_t ndim,
                     struct nerr *err)
{
    struct strbuf text = { 0 };
    strbuf_printf(&text, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
    for (size_t i = 0; i < ndim; i++)
        strbuf_printf(&text, "%s%" PRIu64, i ? ", " : "", dims[i]);
    strbuf_puts(&text, ndim == 1 ? ",), }" : "), }");
    while (!text.failed && (FIXED_LEN + text.len + 1) % ALIGN != 0)
        strbuf_puts(&text, " ");
    strbuf_puts(&text, "\n");
    int rc = 0;
    uint8_t fixed[FIXED_LEN] = MAGIC;
    fixed[MAGIC_LEN] = 1;
    put_le16(fixed + MAGIC_LEN + 2, (uint16_t)text.len);
    if (text.len > UINT16_MAX)
        rc = nerr_set(err, NERR_RULE, "", "an npy header of %zu bytes does not fit version 1", text.len);
    strbuf_add(out, fixed, sizeof fixed);
    strbuf_add(out, text.s, text.len);
    if (rc == 0 && (text.failed || out->failed))
        rc = nerr_set(err, NERR_MEM, "", "out of memory for an npy header");
    strbuf_free(&text);
    return rc;
}
