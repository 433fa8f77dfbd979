/* Documents and their values: see json.h. json_scan.c judges the text, json_tree.c links the values. */
#include "util/json.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/bytes.h"
#include "util/json_tree.h"
#include "util/strbuf.h"

#define PATH_KEY_MAX ((size_t)64) /* bytes of a key that are shown in a path */

struct json {
    cJSON *root;
    const unsigned char *text;
    struct json_number *numbers;
    struct json_repeated repeated;
    char *where;
};

int json_parse(const void *text, size_t len, const char *where, struct json **out, struct nerr *err)
{
    struct json_scan scan = {
        .text = text, .len = len, .max_values = JSON_MAX_VALUES, .where = where, .err = err
    };
    struct json *j = NULL;
    if (len > JSON_MAX_BYTES)
        return nerr_set(err, NERR_INPUT, where, "the JSON document has %zu bytes, at most %zu are read", len,
                        JSON_MAX_BYTES);
    int rc = json_scan(&scan);
    if (rc)
        goto fail;
    j = calloc(1, sizeof *j);
    if (!j)
        goto memory;
    const char *end = NULL;
    j->where = text_copy(where);
    j->root = cJSON_ParseWithLengthOpts(text, len, &end, 0);
    if (!j->where || !j->root) /* the scan has accepted the text, so only memory can be missing */
        goto memory;
    j->text = text;
    if (!json_tree_link(j->root, scan.numbers, &j->repeated))
        goto memory;
    j->numbers = scan.numbers;
    *out = j;
    return 0;
memory:
    rc = nerr_set(err, NERR_MEM, where, "out of memory for the JSON document");
fail:
    free(scan.numbers);
    json_free(j);
    return rc;
}

void json_free(struct json *j)
{
    if (!j)
        return;
    cJSON_Delete(j->root);
    free(j->numbers);
    free(j->where);
    free(j);
}

const json_value *json_root(const struct json *j)
{
    return j->root;
}

const char *json_name(const struct json *j)
{
    return j->where;
}

const json_value *json_repeated(const struct json *j, size_t i)
{
    return i < j->repeated.count ? j->repeated.kept[i] : NULL;
}

const json_value *json_get(const json_value *v, const char *key)
{
    return json_is_object(v) ? json_tree_member(v, key) : NULL;
}

const json_value *json_child(const json_value *v)
{
    return v ? v->child : NULL;
}

const json_value *json_next(const json_value *v)
{
    return v->next;
}

const char *json_key(const json_value *v)
{
    return v->string;
}

size_t json_count(const json_value *v)
{
    return v ? json_tree_count(v) : 0;
}

const json_value *json_at(const json_value *v, size_t i)
{
    return json_is_array(v) ? json_tree_element(v, i) : NULL;
}

bool json_is_object(const json_value *v)
{
    return cJSON_IsObject(v);
}

bool json_is_array(const json_value *v)
{
    return cJSON_IsArray(v);
}

bool json_is_string(const json_value *v)
{
    return cJSON_IsString(v);
}

/* Longest prefix of key with at most PATH_KEY_MAX bytes that ends between characters. */
static size_t shown_length(const char *key)
{
    size_t n = strnlen(key, PATH_KEY_MAX + 1);
    if (n <= PATH_KEY_MAX)
        return n;
    n = PATH_KEY_MAX;
    while (((unsigned char)key[n] & 0xc0) == 0x80)
        n--;
    return n;
}

static void add_key(struct strbuf *b, const char *key)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_#-";
    size_t n = shown_length(key);
    const char *more = key[n] ? "..." : "";
    if (n && !*more && key[strspn(key, plain)] == '\0')
        strbuf_printf(b, "%s%s", b->len ? "." : "", key);
    else
        strbuf_printf(b, "[\"%.*s%s\"]", (int)n, key, more);
}

/* Appends the path of v. */
static void add_path(const struct json *j, const json_value *v, struct strbuf *b)
{
    const json_value *way[JSON_MAX_DEPTH + 1];
    size_t n = 0;
    for (; v && json_tree_parent(v); v = json_tree_parent(v))
        way[n++] = v;
    while (n-- > 0) {
        if (json_is_object(json_tree_parent(way[n])))
            add_key(b, way[n]->string);
        else
            strbuf_printf(b, "[%zu]", json_tree_position(way[n], j->numbers));
    }
}

char *json_path(const struct json *j, const json_value *v)
{
    struct strbuf b = { 0 };
    strbuf_puts(&b, "");
    add_path(j, v, &b);
    if (b.failed)
        strbuf_free(&b);
    return b.s;
}

static int verror(const struct json *j, const json_value *v, const char *key, struct nerr *err,
                  const char *fmt, va_list ap)
{
    struct strbuf path = { 0 }, where = { 0 };
    add_path(j, v, &path);
    if (key)
        add_key(&path, key);
    strbuf_printf(&where, "%s%s%s", j->where, path.len ? " " : "", path.len ? path.s : "");
    nerr_vset(err, NERR_RULE, where.failed ? j->where : where.s, fmt, ap);
    strbuf_free(&path);
    strbuf_free(&where);
    return err->code;
}

int json_error(const struct json *j, const json_value *v, const char *key, struct nerr *err, const char *fmt,
               ...)
{
    va_list ap;
    va_start(ap, fmt);
    verror(j, v, key, err, fmt, ap);
    va_end(ap);
    return err->code;
}

/* "found X, expected Y" at v. */
static int unexpected(const struct json *j, const json_value *v, struct nerr *err, const char *expected)
{
    if (cJSON_IsString(v))
        return json_error(j, v, NULL, err, "found the string \"%.60s\", expected %s", v->valuestring,
                          expected);
    if (cJSON_IsNumber(v)) {
        const struct json_number *n = &j->numbers[v->valueint];
        return json_error(j, v, NULL, err, "found %.*s, expected %s", (int)n->len,
                          (const char *)j->text + n->offset, expected);
    }
    return json_error(j, v, NULL, err, "found %s, expected %s",
                      cJSON_IsObject(v)  ? "an object"
                      : cJSON_IsArray(v) ? "an array"
                      : cJSON_IsTrue(v)  ? "true"
                      : cJSON_IsFalse(v) ? "false"
                                         : "null",
                      expected);
}

/* Magnitude and sign of an integer's text; false when v is not one or its magnitude does not fit 64 bits. */
static bool integer(const struct json *j, const json_value *v, bool *negative, uint64_t *magnitude)
{
    if (!cJSON_IsNumber(v))
        return false;
    const struct json_number *n = &j->numbers[v->valueint];
    const unsigned char *p = j->text + n->offset, *end = p + n->len;
    uint64_t m = 0;
    *negative = *p == '-';
    if (*negative)
        p++;
    for (; p < end; p++)
        if (*p < '0' || *p > '9' || !mul_u64(m, 10, &m) || !add_u64(m, (uint64_t)(*p - '0'), &m))
            return false;
    *magnitude = m;
    return true;
}

int json_as_u64(const struct json *j, const json_value *v, uint64_t min, uint64_t max, uint64_t *out,
                struct nerr *err)
{
    bool negative;
    uint64_t m;
    if (!integer(j, v, &negative, &m) || (negative && m) || m < min || m > max) {
        char expected[80];
        snprintf(expected, sizeof expected, "an integer from %" PRIu64 " to %" PRIu64, min, max);
        return unexpected(j, v, err, expected);
    }
    *out = m;
    return 0;
}

int json_as_i64(const struct json *j, const json_value *v, int64_t min, int64_t max, int64_t *out,
                struct nerr *err)
{
    bool negative = false;
    uint64_t m = 0;
    int64_t value = 0;
    bool ok = integer(j, v, &negative, &m) && m <= (uint64_t)INT64_MAX + negative;
    if (ok)
        value = !negative ? (int64_t)m : m ? -(int64_t)(m - 1) - 1 : 0;
    if (!ok || value < min || value > max) {
        char expected[80];
        snprintf(expected, sizeof expected, "an integer from %" PRId64 " to %" PRId64, min, max);
        return unexpected(j, v, err, expected);
    }
    *out = value;
    return 0;
}

int json_as_double(const struct json *j, const json_value *v, double *out, struct nerr *err)
{
    if (!cJSON_IsNumber(v))
        return unexpected(j, v, err, "a number");
    const struct json_number *n = &j->numbers[v->valueint];
    char text[64] = ""; /* the scan allows 63 characters; strtod must not read past the number */
    memcpy(text, j->text + n->offset, n->len);
    *out = strtod(text, NULL);
    return 0;
}

int json_as_string(const struct json *j, const json_value *v, const char **out, struct nerr *err)
{
    if (!cJSON_IsString(v))
        return unexpected(j, v, err, "a string");
    *out = v->valuestring;
    return 0;
}

int json_as_array(const struct json *j, const json_value *v, struct nerr *err)
{
    return cJSON_IsArray(v) ? 0 : unexpected(j, v, err, "an array");
}

int json_as_object(const struct json *j, const json_value *v, struct nerr *err)
{
    return cJSON_IsObject(v) ? 0 : unexpected(j, v, err, "an object");
}

/* A member that must exist. */
static int need(const struct json *j, const json_value *obj, const char *key, const json_value **v,
                struct nerr *err)
{
    int rc = json_as_object(j, obj, err);
    if (rc)
        return rc;
    *v = json_get(obj, key);
    return *v ? 0 : json_error(j, obj, NULL, err, "the required key \"%s\" is missing", key);
}

int json_need_u64(const struct json *j, const json_value *obj, const char *key, uint64_t min, uint64_t max,
                  uint64_t *out, struct nerr *err)
{
    const json_value *v;
    int rc = need(j, obj, key, &v, err);
    return rc ? rc : json_as_u64(j, v, min, max, out, err);
}

int json_opt_u64(const struct json *j, const json_value *obj, const char *key, uint64_t min, uint64_t max,
                 uint64_t *out, struct nerr *err)
{
    const json_value *v = json_get(obj, key);
    return v ? json_as_u64(j, v, min, max, out, err) : 0;
}

int json_need_string(const struct json *j, const json_value *obj, const char *key, const char **out,
                     struct nerr *err)
{
    const json_value *v;
    int rc = need(j, obj, key, &v, err);
    return rc ? rc : json_as_string(j, v, out, err);
}

int json_opt_string(const struct json *j, const json_value *obj, const char *key, const char **out,
                    struct nerr *err)
{
    const json_value *v = json_get(obj, key);
    return v ? json_as_string(j, v, out, err) : 0;
}

int json_opt_bool(const struct json *j, const json_value *obj, const char *key, bool *out, struct nerr *err)
{
    const json_value *v = json_get(obj, key);
    if (!v)
        return 0;
    if (!cJSON_IsBool(v))
        return unexpected(j, v, err, "true or false");
    *out = cJSON_IsTrue(v);
    return 0;
}

int json_opt_double(const struct json *j, const json_value *obj, const char *key, double *out,
                    struct nerr *err)
{
    const json_value *v = json_get(obj, key);
    return v ? json_as_double(j, v, out, err) : 0;
}

int json_opt_array(const struct json *j, const json_value *obj, const char *key, const json_value **out,
                   struct nerr *err)
{
    const json_value *v = json_get(obj, key);
    if (!v)
        return 0;
    *out = v;
    return json_as_array(j, v, err);
}

int json_need_array(const struct json *j, const json_value *obj, const char *key, const json_value **out,
                    struct nerr *err)
{
    int rc = need(j, obj, key, out, err);
    return rc ? rc : json_as_array(j, *out, err);
}

int json_opt_object(const struct json *j, const json_value *obj, const char *key, const json_value **out,
                    struct nerr *err)
{
    const json_value *v = json_get(obj, key);
    if (!v)
        return 0;
    *out = v;
    return json_as_object(j, v, err);
}

int json_need_object(const struct json *j, const json_value *obj, const char *key, const json_value **out,
                     struct nerr *err)
{
    int rc = need(j, obj, key, out, err);
    return rc ? rc : json_as_object(j, *out, err);
}

int json_only_keys(const struct json *j, const json_value *obj, const char *const *keys, const char *what,
                   struct nerr *err)
{
    int rc = json_as_object(j, obj, err);
    for (const json_value *v = rc ? NULL : json_child(obj); v; v = json_next(v)) {
        size_t i = 0;
        while (keys[i] && strcmp(json_key(v), keys[i]) != 0)
            i++;
        if (!keys[i])
            return json_error(j, v, NULL, err, "is no key of %s", what);
    }
    return rc;
}
