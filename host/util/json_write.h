/*
 * Writes one JSON document into a strbuf: commas, indentation and escapes are done here, so a verb's --json
 * output is well-formed by construction. Integers are written exactly. Bytes that are not UTF-8 become
 * U+FFFD.
 */
#ifndef NEFFSIM_UTIL_JSON_WRITE_H
#define NEFFSIM_UTIL_JSON_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/strbuf.h"

struct json_out { /* start from { .b = &buffer } */
    struct strbuf *b;
    unsigned depth;
    bool first; /* nothing was written on this level yet */
    bool after_key;
};

void json_open(struct json_out *o, char bracket);        /* '{' or '[' */
void json_close(struct json_out *o, char bracket);       /* '}' or ']' */
void json_put_key(struct json_out *o, const char *key);  /* the next call gives its value */
void json_put_string(struct json_out *o, const char *s); /* NULL gives null */
void json_put_u64(struct json_out *o, uint64_t v);
void json_put_i64(struct json_out *o, int64_t v);
void json_put_u64s(struct json_out *o, const uint64_t *v, size_t n); /* a list on one line */
void json_put_i64s(struct json_out *o, const int64_t *v, size_t n);
void json_put_double(struct json_out *o, double v); /* exact again when read; null when it is no number */
void json_put_bool(struct json_out *o, bool v);

/* A key and its value. */
void json_field_open(struct json_out *o, const char *key, char bracket);
void json_field_string(struct json_out *o, const char *key, const char *s);
void json_field_u64(struct json_out *o, const char *key, uint64_t v);
void json_field_i64(struct json_out *o, const char *key, int64_t v);
void json_field_bool(struct json_out *o, const char *key, bool v);

#endif
