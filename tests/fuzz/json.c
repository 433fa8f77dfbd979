/* A JSON text: the strict reader, every accessor on every value, and the writer on what was read. */
#include "frame.h"
#include "util/json.h"
#include "util/json_write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The value again, through the accessors. Numbers that are no integers become null. */
static void copy(const struct json *j, const json_value *v, struct json_out *o)
{
    struct nerr err;
    const char *s;
    uint64_t u;
    int64_t i;
    bool object = json_is_object(v), list = json_is_array(v);
    DEMAND((json_as_object(j, v, &err) == 0) == object);
    DEMAND((json_as_array(j, v, &err) == 0) == list);
    DEMAND((json_as_string(j, v, &s, &err) == 0) == json_is_string(v));
    if (object || list) {
        size_t n = 0;
        json_open(o, object ? '{' : '[');
        for (const json_value *c = json_child(v); c; c = json_next(c), n++) {
            DEMAND(json_at(v, n) == (list ? c : NULL));
            if (object) {
                DEMAND(json_get(v, json_key(c)) == c); /* duplicates are gone */
                json_put_key(o, json_key(c));
            }
            copy(j, c, o);
        }
        DEMAND(n == json_count(v));
        json_close(o, object ? '}' : ']');
    } else if (json_is_string(v)) {
        json_put_string(o, s);
    } else if (json_as_u64(j, v, 0, UINT64_MAX, &u, &err) == 0) {
        json_put_u64(o, u);
    } else if (json_as_i64(j, v, INT64_MIN, INT64_MAX, &i, &err) == 0) {
        DEMAND(i < 0);
        json_put_i64(o, i);
    } else {
        DEMAND(err.code == NERR_RULE);
        json_put_string(o, NULL);
    }
    char *path = json_path(j, v);
    DEMAND(path);
    free(path);
}

/* Reads text and writes it again in *out; false when it is no JSON. */
static bool read_and_write(const void *text, size_t len, struct strbuf *out)
{
    struct json *j = NULL;
    struct nerr err;
    struct json_out o = { .b = out };
    if (json_parse(text, len, "doc", &j, &err)) {
        DEMAND(err.code == NERR_INPUT && strncmp(err.where, "doc ", 4) == 0);
        return false;
    }
    copy(j, json_root(j), &o);
    json_free(j);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct strbuf once = { 0 }, twice = { 0 };
    uint8_t *exact = malloc(size ? size : 1); /* so that a read behind the text is seen */
    if (!exact)
        return 0;
    memcpy(exact, data, size);
    if (read_and_write(exact, size, &once)) {
        DEMAND(read_and_write(once.s, once.len, &twice));
        DEMAND(once.len == twice.len && memcmp(once.s, twice.s, once.len) == 0);
    }
    free(exact);
    strbuf_free(&once);
    strbuf_free(&twice);
    return 0;
}
