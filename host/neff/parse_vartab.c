/* The var table as a whole: dense ids, references between variables, names (neff-container.md §11, §12). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "neff/parse.h"
#include "regs.h"
#include "util/strbuf.h"

struct entry { /* one member of `var`, until ids are known to be dense */
    const json_value *json;
    uint32_t id;
    size_t order;
    bool bad; /* has no id */
};

static int by_id(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->bad != y->bad)
        return x->bad ? 1 : -1;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static int read_id(struct parse *p, const struct json *j, const json_value *v, uint32_t *id)
{
    uint64_t value = 0;
    int rc = json_as_object(j, v, p->err);
    if (rc == 0 && !json_get(v, "var_id"))
        rc = json_error(j, v, NULL, p->err, "missing <var_id>");
    if (rc == 0)
        rc = json_need_u64(j, v, "var_id", 0, UINT32_MAX, &value, p->err);
    *id = (uint32_t)value;
    return rc;
}

/* list[i] is the first whose id is not i: an id twice, or one left out. */
static int not_dense(struct parse *p, const struct json *j, const json_value *table, const struct entry *list,
                     size_t n, size_t i)
{
    uint32_t max = list[n - 1].id;
    if (i && list[i].id == list[i - 1].id)
        return json_error(j, table, NULL, p->err,
                          "Unexpected var_ids set! max=%" PRIu32
                          ", size=%zu: %.60s and %.60s both have id %" PRIu32,
                          max, n, json_key(list[i - 1].json), json_key(list[i].json), list[i].id);
    return json_error(j, table, NULL, p->err,
                      "Unexpected var_ids set! max=%" PRIu32 ", size=%zu: no variable has id %zu", max, n, i);
}

/* Entries in ascending var_id; refuses ids that are not exactly 0..N-1. */
static int dense_entries(struct parse *p, const struct json *j, const json_value *table, struct entry *list,
                         size_t n)
{
    size_t i = 0;
    int rc = 0;
    for (const json_value *v = json_child(table); rc == 0 && v; v = json_next(v), i++) {
        list[i] = (struct entry){ .json = v, .order = i };
        rc = parse_entry(p, j, read_id(p, j, v, &list[i].id), &list[i].bad);
        p->prog->gaps.var_ids = p->prog->gaps.var_ids || list[i].bad;
    }
    if (rc)
        return rc;
    qsort(list, n, sizeof *list, by_id);
    for (i = 0; i < n && !p->prog->gaps.var_ids; i++)
        if (list[i].id != i)
            return parse_entry(p, j, not_dense(p, j, table, list, n, i), &p->prog->gaps.var_ids);
    return 0;
}

static int read_entries(struct parse *p, const struct json *j, const struct entry *list, size_t n)
{
    struct program *prog = p->prog;
    int rc = 0;
    prog->vars = calloc(n + 1, sizeof *prog->vars);
    if (!prog->vars)
        return parse_memory(p);
    for (size_t i = 0; rc == 0 && i < n; i++) {
        struct prog_var *var = &prog->vars[prog->nvars++];
        var->var_id = list[i].bad ? UINT32_MAX : list[i].id;
        var->bad = list[i].bad;
        var->alignment = VAR_ALIGN_DEFAULT;
        var->name = text_copy(json_key(list[i].json));
        if (!var->name)
            return parse_memory(p);
        if (!json_is_object(list[i].json)) /* said before */
            continue;
        rc = parse_entry(p, j, parse_var(p, j, list[i].json, var), &var->bad);
    }
    return rc;
}

/* At least one output, unless a variable that could not be read may be it. */
static int check_outputs(struct parse *p, const struct json *j, const json_value *table)
{
    for (size_t i = 0; i < p->prog->nvars; i++)
        if (p->prog->vars[i].kind == VARK_OUTPUT || (p->prog->vars[i].bad && p->prog->vars[i].kind == 0))
            return 0;
    return parse_entry(p, j, json_error(j, table, NULL, p->err, "the graph has no Outputs"), NULL);
}

/* The k-th variable that v refers to; false beyond the last. */
static bool reference(const struct prog_var *v, size_t k, uint32_t *id)
{
    if (v->bad || (v->kind == VARK_PTR ? k > 0 : k >= v->nlist))
        return false;
    *id = v->kind == VARK_PTR ? v->referenced_id : v->list[k];
    return true;
}

static int missing_reference(struct parse *p, const struct json *j, const json_value *v,
                             const struct prog_var *var, size_t k, uint32_t id)
{
    const json_value *list = json_get(v, "list");
    if (var->kind == VARK_PTR)
        return json_error(j, v, "referenced_var_id", p->err,
                          "found %" PRIu32 ", there are only %zu variables", id, p->prog->nvars);
    return json_error(j, list, NULL, p->err, "element %zu is %" PRIu32 ", there are only %zu variables", k,
                      id, p->prog->nvars);
}

static int check_targets(struct parse *p, const struct json *j, const json_value *table)
{
    struct program *prog = p->prog;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < prog->nvars; i++) {
        struct prog_var *var = &prog->vars[i];
        uint32_t id;
        for (size_t k = 0; rc == 0 && reference(var, k, &id); k++)
            if (id >= prog->nvars)
                rc = parse_entry(p, j, missing_reference(p, j, json_get(table, var->name), var, k, id),
                                 &var->bad);
    }
    return rc;
}

struct visit { /* one level of the walk along references */
    size_t var, next;
};

/*
 * Pointers may name pointers and lists name lists; following them must end. Depth-first with a stack of its
 * own: a chain may be as long as the table. state: 0 not seen, 1 on the way, 2 done.
 */
static int walk_references(struct parse *p, const struct json *j, const json_value *table,
                           struct visit *stack, uint8_t *state)
{
    struct program *prog = p->prog;
    for (size_t start = 0; start < prog->nvars; start++) {
        size_t depth = 0;
        if (state[start] == 0)
            stack[depth++] = (struct visit){ start, 0 };
        while (depth) {
            struct visit *top = &stack[depth - 1];
            struct prog_var *var = &prog->vars[top->var];
            uint32_t id;
            state[top->var] = 1;
            if (!reference(var, top->next, &id)) {
                state[top->var] = 2;
                depth--;
                continue;
            }
            top->next++;
            if (state[id] == 0)
                stack[depth++] = (struct visit){ id, 0 };
            if (state[id] != 1)
                continue;
            const char *key = var->kind == VARK_PTR ? "referenced_var_id" : "list";
            int rc =
                json_error(j, json_get(table, var->name), key, p->err,
                           "the references that start here form a loop (back to %.60s)", prog->vars[id].name);
            rc = parse_entry(p, j, rc, &var->bad);
            if (rc)
                return rc;
        }
    }
    return 0;
}

static int check_references(struct parse *p, const struct json *j, const json_value *table)
{
    size_t n = p->prog->nvars;
    int rc = check_targets(p, j, table);
    if (rc)
        return rc;
    struct visit *stack = calloc(n + 1, sizeof *stack);
    uint8_t *state = calloc(n + 1, 1);
    rc = stack && state ? walk_references(p, j, table, stack, state) : parse_memory(p);
    free(stack);
    free(state);
    return rc;
}

static int by_name(const void *a, const void *b)
{
    const struct prog_name *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static int index_names(struct parse *p)
{
    struct program *prog = p->prog;
    prog->var_names = calloc(prog->nvars + 1, sizeof *prog->var_names);
    if (!prog->var_names)
        return parse_memory(p);
    for (size_t i = 0; i < prog->nvars; i++)
        prog->var_names[i] = (struct prog_name){ prog->vars[i].name, i };
    qsort(prog->var_names, prog->nvars, sizeof *prog->var_names, by_name);
    return 0;
}

int parse_vars(struct parse *p, const struct json *def)
{
    const json_value *table;
    int rc = json_need_object(def, json_root(def), "var", &table, p->err);
    if (rc)
        return rc;
    size_t n = json_count(table);
    struct entry *list = calloc(n + 1, sizeof *list);
    rc = list ? dense_entries(p, def, table, list, n) : parse_memory(p);
    if (rc == 0)
        rc = read_entries(p, def, list, n);
    if (rc == 0)
        rc = check_outputs(p, def, table);
    if (rc == 0 && !p->prog->gaps.var_ids)
        rc = check_references(p, def, table);
    if (rc == 0)
        rc = index_names(p);
    free(list);
    return rc;
}

void parse_free_vars(struct program *p)
{
    for (size_t i = 0; i < p->nvars; i++) {
        free(p->vars[i].name);
        free(p->vars[i].file_name);
        free(p->vars[i].list);
        free(p->vars[i].print_prefix);
    }
    free(p->vars);
    free(p->var_names);
}
