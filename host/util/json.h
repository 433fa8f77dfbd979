/*
 * Strict JSON: cJSON holds the tree, this file makes it safe to read files with (neff-container.md §8).
 *
 * Refused although cJSON takes it: bytes after the value, control characters and raw NUL, invalid UTF-8,
 * \u0000, lone surrogates, numbers such as 01 or 1., a byte-order mark, nesting deeper than 100. Of duplicate
 * keys the first one stays. Keys are case-sensitive. Integers are taken from their text, never from a double,
 * so 2^64-1 is exact and 1.0 is not an integer.
 *
 * Limits, so that hostile text costs time and memory in proportion to its length: JSON_MAX_DEPTH,
 * JSON_MAX_BYTES, JSON_MAX_VALUES (a value takes about 100 bytes of memory but only 2 of text) and 63
 * characters of a number. Strings and keys are as long as the document allows. Looking up a key, finding the
 * path of a value and dropping duplicates are never linear in the size of a large object.
 *
 * Errors: NERR_INPUT with "document line:column" for text that is not JSON; NERR_RULE with "document path"
 * (as "sg00/def.json var.input.size") for a missing key, a wrong type or a number out of range.
 */
#ifndef NEFFSIM_UTIL_JSON_H
#define NEFFSIM_UTIL_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/nerr.h"

#define JSON_MAX_DEPTH  100
#define JSON_MAX_BYTES  ((size_t)1 << 30)
#define JSON_MAX_VALUES ((size_t)1 << 25)

struct cJSON;
typedef struct cJSON json_value;

struct json; /* a document; owns its values */

/*
 * text is borrowed and must outlive the document (it need not end in NUL); where names the document in errors
 * and is copied. The caller frees with json_free.
 */
int json_parse(const void *text, size_t len, const char *where, struct json **out, struct nerr *err);
void json_free(struct json *j);
const json_value *json_root(const struct json *j);
const char *json_name(const struct json *j); /* `where` of json_parse */

/* The i-th value whose key was used again later in the same object, NULL beyond the last (64 are kept). */
const json_value *json_repeated(const struct json *j, size_t i);

/* Tree walk. json_get: member by key, NULL when absent or when v is no object; json_at: the same for an
 * element of an array. */
const json_value *json_get(const json_value *v, const char *key);
const json_value *json_at(const json_value *v, size_t i);
const json_value *json_child(const json_value *v); /* first element or member, NULL when none */
const json_value *json_next(const json_value *v);
const char *json_key(const json_value *v); /* key of an object's member */
size_t json_count(const json_value *v);
bool json_is_object(const json_value *v);
bool json_is_array(const json_value *v);
bool json_is_string(const json_value *v);

/*
 * "var.input.size", "dma[0].desc[1]", "" for the root; of a key at most 64 bytes. NULL when out of memory;
 * the caller frees.
 */
char *json_path(const struct json *j, const json_value *v);

/* Sets an error whose place is the document and the path of v (or of key below v when key is not NULL). */
int json_error(const struct json *j, const json_value *v, const char *key, struct nerr *err, const char *fmt,
               ...) __attribute__((format(printf, 5, 6)));

/* Value of a node, or an error "found X, expected Y". Strings are borrowed from the document. */
int json_as_u64(const struct json *j, const json_value *v, uint64_t min, uint64_t max, uint64_t *out,
                struct nerr *err);
int json_as_i64(const struct json *j, const json_value *v, int64_t min, int64_t max, int64_t *out,
                struct nerr *err);
int json_as_double(const struct json *j, const json_value *v, double *out, struct nerr *err);
int json_as_string(const struct json *j, const json_value *v, const char **out, struct nerr *err);
int json_as_array(const struct json *j, const json_value *v, struct nerr *err);
int json_as_object(const struct json *j, const json_value *v, struct nerr *err);

/* The same for a member of an object: need_ refuses a missing key, opt_ leaves *out alone and returns 0. */
int json_need_u64(const struct json *j, const json_value *obj, const char *key, uint64_t min, uint64_t max,
                  uint64_t *out, struct nerr *err);
int json_opt_u64(const struct json *j, const json_value *obj, const char *key, uint64_t min, uint64_t max,
                 uint64_t *out, struct nerr *err);
int json_need_string(const struct json *j, const json_value *obj, const char *key, const char **out,
                     struct nerr *err);
int json_opt_string(const struct json *j, const json_value *obj, const char *key, const char **out,
                    struct nerr *err);
int json_opt_bool(const struct json *j, const json_value *obj, const char *key, bool *out, struct nerr *err);
int json_need_array(const struct json *j, const json_value *obj, const char *key, const json_value **out,
                    struct nerr *err);
int json_opt_double(const struct json *j, const json_value *obj, const char *key, double *out,
                    struct nerr *err);
int json_opt_array(const struct json *j, const json_value *obj, const char *key, const json_value **out,
                   struct nerr *err);
int json_need_object(const struct json *j, const json_value *obj, const char *key, const json_value **out,
                     struct nerr *err);
int json_opt_object(const struct json *j, const json_value *obj, const char *key, const json_value **out,
                    struct nerr *err);

/*
 * For files that people write: an object with no other keys than these (NULL ends the list). A misspelt key
 * would silently give a default. `what` names the file.
 */
int json_only_keys(const struct json *j, const json_value *obj, const char *const *keys, const char *what,
                   struct nerr *err);

#endif
