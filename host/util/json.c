/*
 * The tree side of util/json: see json.h. A number node's `valueint` (which cJSON itself only keeps for old
 * callers) is reused as its index in the table of number texts that json_scan made.
 */
#include "util/json.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/bytes.h"
#include "util/json_scan.h"
#include "util/strbuf.h"

struct json {
    cJSON *root;
    const unsigned char *text;
    struct json_number *numbers;
    char *where;
};

/* Numbers every number node in document order, which is the order of the scan. */
static void index_numbers(cJSON *v, int *next)
{
    for (; v; v = v->next) {
        if (cJSON_IsNumber(v))
            v->valueint = (*next)++;
        index_numbers(v->child, next);
    }
}

struct keyed {
    cJSON *member;
    size_t order;
};

static int by_key(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    int order = strcmp(x->member->string, y->member->string);
    return order ? order : x->order < y->order ? -1 : x->order > y->order;
}

static int by_order(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Removes the second and later members of a key, in every object below v. False when out of memory. */
static bool drop_duplicates(cJSON *v)
{
    size_t n = 0;
    for (cJSON *c = v->child; c; c = c->next, n++)
        if (!drop_duplicates(c))
            return false;
    if (!cJSON_IsObject(v) || n < 2)
        return true;
    struct keyed *list = calloc(n, sizeof *list);
    if (!list)
        return false;
    n = 0;
    for (cJSON *c = v->child; c; c = c->next, n++)
        list[n] = (struct keyed){ c, n };
    qsort(list, n, sizeof *list, by_key);
    size_t duplicates = 0; /* gathered at the front, which the walk has passed */
    struct keyed first = list[0];
    for (size_t i = 1; i < n; i++) {
        if (strcmp(list[i].member->string, first.member->string) == 0)
            list[duplicates++] = list[i];
        else
            first = list[i];
    }
    qsort(list, duplicates, sizeof *list, by_order);
    for (size_t i = 0; i < duplicates; i++)
        cJSON_Delete(cJSON_DetachItemViaPointer(v, list[i].member));
    free(list);
    return true;
}

int json_parse(const void *text, size_t len, const char *where, struct json **out, struct nerr *err)
{
    struct json_scan scan = { .text = text, .len = len, .where = where, .err = err };
    struct json *j = NULL;
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
    j->numbers = scan.numbers;
    int next = 0;
    index_numbers(j->root, &next);
    if (!drop_duplicates(j->root)) {
        scan.numbers = NULL;
        goto memory;
    }
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

const json_value *json_get(const json_value *v, const char *key)
{
    return json_is_object(v) ? cJSON_GetObjectItemCaseSensitive(v, key) : NULL;
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
    size_t n = 0;
    for (const json_value *c = json_child(v); c; c = c->next)
        n++;
    return n;
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

static void add_key(struct strbuf *b, const char *key)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_#-";
    if (key[0] && key[strspn(key, plain)] == '\0')
        strbuf_printf(b, "%s%s", b->len ? "." : "", key);
    else
        strbuf_printf(b, "[\"%s\"]", key);
}

/* Appends the path from `at` to v; false (and b as before) when v is not below. cJSON has no parent links. */
static bool find_path(struct strbuf *b, const json_value *at, const json_value *v)
{
    if (at == v)
        return true;
    size_t length = b->len, i = 0;
    for (const json_value *c = at->child; c && !b->failed; c = c->next, i++) {
        if (cJSON_IsObject(at))
            add_key(b, c->string);
        else
            strbuf_printf(b, "[%zu]", i);
        if (find_path(b, c, v))
            return true;
        b->len = length;
    }
    return false;
}

static bool path_to(const struct json *j, const json_value *v, struct strbuf *b)
{
    strbuf_puts(b, "");
    bool found = find_path(b, j->root, v);
    if (!b->failed)
        b->s[b->len] = '\0';
    return found && !b->failed;
}

char *json_path(const struct json *j, const json_value *v)
{
    struct strbuf b = { 0 };
    if (!path_to(j, v, &b))
        strbuf_free(&b);
    return b.s;
}

static int verror(const struct json *j, const json_value *v, const char *key, struct nerr *err,
                  const char *fmt, va_list ap)
{
    struct strbuf path = { 0 }, where = { 0 };
    path_to(j, v, &path);
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
