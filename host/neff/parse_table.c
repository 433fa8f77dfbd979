/*
 * Tables that the engine JSON of ACT and DVE names (neff-container.md §14): which member, that it exists, how
 * large. What is in them is not judged here.
 */
#include <stdlib.h>
#include <string.h>

#include "neff/parse.h"
#include "regs.h"
#include "util/strbuf.h"

/* A file that key names, when the key is there. */
static int read_table(struct parse *p, const struct json *j, const json_value *v, const char *key,
                      struct prog_table *t)
{
    const struct neff_member *m;
    if (!json_get(v, key))
        return 0;
    int rc = parse_member(p, j, json_get(v, key), &m, &t->member);
    if (rc)
        return rc;
    t->size = m->size;
    t->key = text_copy(key);
    return t->key ? 0 : parse_memory(p);
}

static void free_table(struct prog_table *t)
{
    free(t->key);
    free(t->member);
}

/* The inner keys are only known from producers; other elements are accepted as they are. */
static int read_act_set(struct parse *p, const struct json *j, const json_value *v, struct prog_act_set *s)
{
    if (!json_is_object(v))
        return parse_warn(p, j, v, NULL, "is no object, so the tables it stands for are not known");
    int rc = read_table(p, j, v, "bkt_bin", &s->bucket);
    if (rc == 0)
        rc = read_table(p, j, v, json_get(v, "ctl_bin") ? "ctl_bin" : "ctrl_bin", &s->control);
    return rc;
}

static int read_act_sets(struct parse *p, const struct json *j)
{
    struct program *prog = p->prog;
    const json_value *list = NULL;
    int rc = json_opt_array(j, json_root(j), "activation_function_sets", &list, p->err);
    if (rc || !list)
        return parse_entry(p, j, rc, NULL);
    prog->act_sets = calloc(json_count(list) + 1, sizeof *prog->act_sets);
    if (!prog->act_sets)
        return parse_memory(p);
    for (const json_value *v = json_child(list); rc == 0 && v; v = json_next(v))
        rc = parse_entry(p, j, read_act_set(p, j, v, &prog->act_sets[prog->nact_sets++]), NULL);
    return rc;
}

static int read_profile(struct parse *p, const struct json *j)
{
    const json_value *list = NULL;
    int rc = json_opt_array(j, json_root(j), "profile_meta_data", &list, p->err);
    if (rc || !list)
        return rc;
    p->prog->nprofile = json_count(list);
    if (p->prog->nprofile > PROFILE_META_MAX)
        return json_error(j, list, NULL, p->err, "has %zu records, at most %u are allowed", p->prog->nprofile,
                          PROFILE_META_MAX);
    return 0;
}

/* act_info names a side file that may be absent. */
static int read_act_info(struct parse *p, const struct json *j)
{
    const char *name = NULL;
    int rc = json_opt_string(j, json_root(j), "act_info", &name, p->err);
    if (rc || !name)
        return rc;
    p->prog->act_info = text_copy(name);
    return p->prog->act_info ? 0 : parse_memory(p);
}

int parse_act(struct parse *p, const struct json *j)
{
    uint64_t semaphore = 0;
    int rc = json_opt_u64(j, json_root(j), "act_semaphore", 0, SEM_COUNT - 1, &semaphore, p->err);
    if (rc == 0 && json_get(json_root(j), "act_semaphore"))
        p->prog->act_semaphore = (int64_t)semaphore;
    rc = parse_entry(p, j, rc, NULL);
    if (rc == 0)
        rc = read_act_sets(p, j);
    if (rc == 0)
        rc = parse_entry(p, j, read_profile(p, j), NULL);
    if (rc == 0)
        rc = parse_entry(p, j, read_act_info(p, j), NULL);
    return rc;
}

int parse_dve(struct parse *p, const struct json *j)
{
    static const char *const keys[PROG_DVE_TABLES] = { "opcode_table", "datapath_table", "control_fast_table",
                                                       "control_slow_table", "control_table" };
    const json_value *v = NULL;
    int rc = json_opt_object(j, json_root(j), "dve_tables", &v, p->err);
    if (rc || !v)
        return parse_entry(p, j, rc, NULL);
    for (size_t i = 0; rc == 0 && i < PROG_DVE_TABLES; i++)
        rc = parse_entry(p, j, read_table(p, j, v, keys[i], &p->prog->dve_tables[i]), NULL);
    return rc;
}

void parse_free_tables(struct program *p)
{
    for (size_t i = 0; i < p->nact_sets; i++) {
        free_table(&p->act_sets[i].bucket);
        free_table(&p->act_sets[i].control);
    }
    for (size_t i = 0; i < PROG_DVE_TABLES; i++)
        free_table(&p->dve_tables[i]);
    free(p->act_sets);
    free(p->act_info);
}
