/* Links between the values of a JSON document: see json_tree.h. Recursive, the scan has limited the depth. */
#include "util/json_tree.h"

#include <stdlib.h>
#include <string.h>

#define TABLE_MIN ((size_t)16) /* children from which on an object or array gets a table */

_Static_assert(sizeof(((cJSON *)0)->valuedouble) >= sizeof(cJSON *), "a pointer must fit into valuedouble");

struct table { /* in `valuestring` of a large object (sorted by key) or array (in order) */
    size_t count;
    const cJSON *child[];
};

static const struct table *table_of(const cJSON *v)
{
    const void *table = cJSON_IsObject(v) || cJSON_IsArray(v) ? v->valuestring : NULL;
    return table;
}

static struct table *new_table(size_t n)
{
    struct table *t = cJSON_malloc(sizeof *t + n * sizeof t->child[0]);
    if (t)
        t->count = 0;
    return t;
}

/* Numbers every number in document order, which is the order of the scan. */
static void index_numbers(cJSON *v, int *next)
{
    for (; v; v = v->next) {
        if (cJSON_IsNumber(v))
            v->valueint = (*next)++;
        index_numbers(v->child, next);
    }
}

/* Removes a member because `kept` has the same key. */
static void drop(cJSON *object, cJSON *member, const cJSON *kept, struct json_repeated *r)
{
    if (r->count < JSON_TREE_REPEATED_MAX && (r->count == 0 || r->kept[r->count - 1] != kept))
        r->kept[r->count++] = kept;
    cJSON_Delete(cJSON_DetachItemViaPointer(object, member));
}

/* Removes later members of the key of `first`; for small objects. */
static void drop_copies(cJSON *object, const cJSON *first, struct json_repeated *r)
{
    for (cJSON *c = first->next, *next; c; c = next) {
        next = c->next;
        if (strcmp(c->string, first->string) == 0)
            drop(object, c, first, r);
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

/* Sorts the n members of an object, removes later copies of a key and keeps the table with the object. */
static bool sort_members(cJSON *object, size_t n, struct json_repeated *r)
{
    struct keyed *list = calloc(n, sizeof *list);
    struct table *t = new_table(n);
    if (!list || !t) {
        free(list);
        cJSON_free(t);
        return false;
    }
    size_t i = 0;
    for (cJSON *c = object->child; c; c = c->next, i++)
        list[i] = (struct keyed){ c, i };
    qsort(list, n, sizeof *list, by_key);
    for (i = 0; i < n; i++) {
        if (t->count && strcmp(t->child[t->count - 1]->string, list[i].member->string) == 0)
            drop(object, list[i].member, t->child[t->count - 1], r);
        else
            t->child[t->count++] = list[i].member;
    }
    free(list);
    object->valuestring = (char *)t;
    return true;
}

static size_t count_children(const cJSON *v)
{
    size_t n = 0;
    for (const cJSON *c = v->child; c; c = c->next)
        n++;
    return n;
}

static bool unique_members(cJSON *object, struct json_repeated *r)
{
    size_t n = count_children(object);
    if (n >= TABLE_MIN)
        return sort_members(object, n, r);
    for (const cJSON *c = object->child; c; c = c->next)
        drop_copies(object, c, r);
    return true;
}

static bool list_elements(cJSON *array)
{
    size_t n = count_children(array);
    struct table *t = n >= TABLE_MIN ? new_table(n) : NULL;
    if (n < TABLE_MIN || !t)
        return n < TABLE_MIN;
    for (const cJSON *c = array->child; c; c = c->next)
        t->child[t->count++] = c;
    array->valuestring = (char *)t;
    return true;
}

/* Tables, duplicates, parents and positions below v. */
static bool link_children(cJSON *v, struct json_number *numbers, struct json_repeated *r)
{
    if ((cJSON_IsObject(v) && !unique_members(v, r)) || (cJSON_IsArray(v) && !list_elements(v)))
        return false;
    int position = 0; /* fits: the scan counts values */
    for (cJSON *c = v->child; c; c = c->next, position++) {
        memcpy(&c->valuedouble, &v, sizeof v);
        if (cJSON_IsNumber(c))
            numbers[c->valueint].position = (uint32_t)position;
        else
            c->valueint = position;
        if (!link_children(c, numbers, r))
            return false;
    }
    return true;
}

bool json_tree_link(cJSON *root, struct json_number *numbers, struct json_repeated *repeated)
{
    const cJSON *none = NULL;
    int next = 0;
    index_numbers(root, &next);
    memcpy(&root->valuedouble, &none, sizeof none);
    return link_children(root, numbers, repeated);
}

const cJSON *json_tree_parent(const cJSON *v)
{
    const cJSON *parent;
    memcpy(&parent, &v->valuedouble, sizeof parent);
    return parent;
}

size_t json_tree_position(const cJSON *v, const struct json_number *numbers)
{
    return cJSON_IsNumber(v) ? numbers[v->valueint].position : (size_t)v->valueint;
}

static int key_against(const void *key, const void *element)
{
    const cJSON *const *member = element;
    return strcmp(key, (*member)->string);
}

const cJSON *json_tree_member(const cJSON *object, const char *key)
{
    const struct table *t = table_of(object);
    if (t) {
        const cJSON *const *found = bsearch(key, t->child, t->count, sizeof t->child[0], key_against);
        return found ? *found : NULL;
    }
    const cJSON *c = object->child;
    while (c && strcmp(c->string, key) != 0)
        c = c->next;
    return c;
}

const cJSON *json_tree_element(const cJSON *array, size_t i)
{
    const struct table *t = table_of(array);
    if (t)
        return i < t->count ? t->child[i] : NULL;
    const cJSON *c = array->child;
    while (c && i-- > 0)
        c = c->next;
    return c;
}

size_t json_tree_count(const cJSON *v)
{
    const struct table *t = table_of(v);
    return t ? t->count : count_children(v);
}
