/*
 * What util/json knows about a tree beyond what cJSON keeps: parents, positions, number texts, tables of
 * large objects and arrays. Used by json.c only.
 *
 * All of it lives in fields of cJSON's node that a strict reader never asks for, so that a value costs no
 * more than its node: `valuedouble` holds the bits of the pointer to the parent, `valueint` of a number the
 * index of its text, of anything else its position among its siblings, and `valuestring` of a large object
 * its members sorted by key (cJSON_Delete frees it as it frees a string).
 */
#ifndef NEFFSIM_UTIL_JSON_TREE_H
#define NEFFSIM_UTIL_JSON_TREE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "util/json_scan.h"

#define JSON_TREE_REPEATED_MAX 64

struct json_repeated { /* members that stayed while a later one with the same key was removed */
    const cJSON *kept[JSON_TREE_REPEATED_MAX];
    size_t count; /* the first JSON_TREE_REPEATED_MAX are kept */
};

/*
 * Links the tree of a document to the numbers of its scan and removes the second and later members of a key
 * in every object. Linear apart from sorting the members of large objects. False when out of memory.
 */
bool json_tree_link(cJSON *root, struct json_number *numbers, struct json_repeated *repeated);

/* NULL for the root. */
const cJSON *json_tree_parent(const cJSON *v);

/* Position among the elements of an array or the members of an object, from 0. */
size_t json_tree_position(const cJSON *v, const struct json_number *numbers);

/* Member of an object by key or NULL; a binary search when there are many. */
const cJSON *json_tree_member(const cJSON *object, const char *key);

/* Element i of an array, NULL beyond its end; and how many children an array or object has. */
const cJSON *json_tree_element(const cJSON *array, size_t i);
size_t json_tree_count(const cJSON *v);

#endif
