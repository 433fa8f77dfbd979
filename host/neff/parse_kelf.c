/*
 * The head of the manifest chain: neff.json names the kelf, the kelf names the graphs (neff-container.md §8
 * to §10).
 */
#include <stdlib.h>
#include <string.h>

#include "neff/container.h"
#include "neff/parse.h"
#include "regs.h"

/* One graph for each core of a logical core is right (§10); a file with thousands, all of one def.json, would
 * only cost time and memory. */
#define GRAPHS_MAX    ((size_t)256)

#define JSON_SIZE_MAX UINT32_MAX /* §8 */

int parse_open(const struct neff *n, const char *member, const char *from, struct json **out,
               struct nerr *err)
{
    const struct neff_member *m = neff_find(n, member);
    *out = NULL;
    if (!m)
        return nerr_set(err, NERR_RULE, member, "the member is missing from the NEFF, %s names it", from);
    if ((uint64_t)m->size > JSON_SIZE_MAX)
        return nerr_set(err, NERR_RULE, member, "File %s size (%zu) exceeds json parser maximum (%u)", member,
                        m->size, JSON_SIZE_MAX);
    int rc = json_parse(m->data, m->size, member, out, err);
    if (rc)
        return rc;
    rc = json_as_object(*out, json_root(*out), err);
    if (rc) {
        json_free(*out);
        *out = NULL;
    }
    return rc;
}

const char *parse_head_name(const struct neff *n)
{
    return neff_find(n, "neff.json") ? "neff.json" : "kelp.json";
}

/* Head of the chain: neff.json, or kelp.json in old files (row 16 of the ladder). */
int parse_head(const struct neff *n, struct json **out, struct nerr *err)
{
    const char *name = parse_head_name(n);
    if (!neff_find(n, name))
        return gate_error(err, NERR_RULE, NRT_INVALID, 16, "", "Invalid NN: %s, neff.json is missing",
                          neff_get_header(n)->name);
    return parse_open(n, name, "every NEFF", out, err);
}

/* The kelf member that the device node of neff.json names. */
int parse_find_kelf(const struct json *j, const char **kelf, struct nerr *err)
{
    const json_value *nodes = json_get(json_root(j), "nodes");
    for (const json_value *node = json_child(nodes); node; node = json_next(node)) {
        const json_value *attrs = json_get(node, "attrs");
        const json_value *function = json_get(attrs, "func_name");
        const char *name = "";
        if (!json_is_string(function) || json_as_string(j, function, &name, err) ||
            strcmp(name, "__kelf") != 0)
            continue;
        const json_value *v = json_get(attrs, "kelf");
        if (!v)
            return json_error(j, attrs, NULL, err, "KELF node found but missing 'kelf' attribute");
        if (!json_is_string(v))
            return json_error(j, v, NULL, err, "KELF attribute is not a string");
        return json_as_string(j, v, kelf, err);
    }
    return json_error(j, json_root(j), "nodes", err, "No KELF node found in NEFF JSON");
}

static bool known_target(const char *s)
{
    static const char *const targets[] = { "", "*", "sunda", "v2", "cayman", "v3", "mariana", "v4" };
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        if (strcmp(s, targets[i]) == 0)
            return true;
    return false;
}

/* The names and definitions of all graphs; a name is used once. */
static int check_graph_names(const struct json *j, const json_value *graphs, struct nerr *err)
{
    size_t n = json_count(graphs), i = 0;
    const char **names = calloc(n + 1, sizeof *names);
    bool *repeat = calloc(n + 1, sizeof *repeat);
    int rc = names && repeat ? 0 : nerr_set(err, NERR_MEM, "", "out of memory");
    for (const json_value *g = json_child(graphs); rc == 0 && g; g = json_next(g)) {
        const char *definition;
        rc = json_need_string(j, g, "name", &names[i++], err);
        if (rc == 0)
            rc = json_need_string(j, g, "definition", &definition, err);
    }
    if (rc == 0 && !parse_mark_repeats(names, n, repeat))
        rc = nerr_set(err, NERR_MEM, "", "out of memory");
    i = 0;
    for (const json_value *g = json_child(graphs); rc == 0 && g; g = json_next(g), i++)
        if (repeat[i])
            rc = json_error(j, g, "name", err, "the graph name \"%s\" is used twice", names[i]);
    free(names);
    free(repeat);
    return rc;
}

static int read_version(const struct json *j, const char **version, struct nerr *err)
{
    int rc = json_need_string(j, json_root(j), "version", version, err);
    if (rc == 0 && !strchr(*version, '.'))
        rc = json_error(j, json_root(j), "version", err, "invalid string (.) in %s", *version);
    return rc;
}

static int read_target(const struct json *j, const char **target, struct nerr *err)
{
    *target = "";
    int rc = json_opt_string(j, json_root(j), "target", target, err);
    if (rc == 0 && !known_target(*target))
        rc = json_error(j, json_root(j), "target", err, "Invalid target '%s'", *target);
    return rc;
}

static int read_graphs(const struct json *j, const json_value **graphs, struct nerr *err)
{
    int rc = json_need_array(j, json_root(j), "graphs", graphs, err);
    if (rc == 0 && json_count(*graphs) == 0)
        rc = json_error(j, *graphs, NULL, err, "the kelf has no graphs");
    if (rc == 0 && json_count(*graphs) > GRAPHS_MAX)
        rc = json_error(j, *graphs, NULL, err, "the kelf has %zu graphs, at most %zu are read",
                        json_count(*graphs), GRAPHS_MAX);
    if (rc) {
        *graphs = NULL; /* nothing to go on with */
        return rc;
    }
    return check_graph_names(j, *graphs, err);
}

/* §8: whatever fails in the chain fails the load with code 2. */
int parse_runtime_code(struct nerr *err)
{
    if (err->runtime_code == 0 && (err->code == NERR_RULE || err->code == NERR_INPUT))
        err->runtime_code = NRT_INVALID;
    return err->code;
}

/* The kelf in the runtime's order. A version or target that is wrong leaves the rest readable. */
int parse_kelf(struct parse *p, struct parse_kelf *k)
{
    k->version = k->target = "";
    int rc = parse_entry(p, k->j, read_version(k->j, &k->version, p->err), NULL);
    if (rc)
        return rc;
    rc = read_target(k->j, &k->target, p->err);
    if (rc)
        k->target = "*"; /* judged: no generation is asked for */
    rc = parse_problem(p, json_name(k->j), TIER_ARCH, rc, NULL);
    return rc ? rc : read_graphs(k->j, &k->graphs, p->err);
}

/* Copies the names behind the pointer array into one allocation. */
static int copy_names(const struct json *j, const json_value *graphs, const char ***names, size_t *count,
                      struct nerr *err)
{
    size_t n = json_count(graphs), bytes = n * sizeof **names;
    const char *name = "";
    int rc = 0;
    for (const json_value *g = json_child(graphs); rc == 0 && g; g = json_next(g)) {
        rc = json_need_string(j, g, "name", &name, err);
        bytes += strlen(name) + 1;
    }
    const char **list = rc ? NULL : malloc(bytes);
    if (!list)
        return rc ? rc : nerr_set(err, NERR_MEM, "", "out of memory");
    char *text = (char *)(list + n);
    size_t i = 0;
    for (const json_value *g = json_child(graphs); rc == 0 && g; g = json_next(g)) {
        rc = json_need_string(j, g, "name", &name, err);
        list[i++] = strcpy(text, name);
        text += strlen(name) + 1;
    }
    *names = list;
    *count = n;
    return rc;
}

int program_graphs(const struct neff *n, const char ***names, size_t *count, struct nerr *err)
{
    struct parse p = { .neff = n, .err = err };
    struct json *head = NULL;
    struct parse_kelf k = { 0 };
    const char *member;
    int rc = parse_head(n, &head, err);
    if (rc)
        return parse_runtime_code(err);
    rc = parse_find_kelf(head, &member, err);
    if (rc == 0)
        rc = parse_open(n, member, json_name(head), &k.j, err);
    if (rc == 0)
        rc = parse_kelf(&p, &k);
    if (rc == 0)
        rc = copy_names(k.j, k.graphs, names, count, err);
    json_free(k.j);
    json_free(head);
    return rc ? parse_runtime_code(err) : 0;
}
