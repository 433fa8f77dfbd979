/*
 * The manifest chain neff.json -> kelf -> def.json -> engine JSON (neff-container.md §8 to §11) into a struct
 * program. The tables themselves are read by parse_*.c.
 */
#include "neff/program.h"

#include <stdlib.h>
#include <string.h>

#include "neff/container.h"
#include "neff/parse.h"
#include "regs.h"
#include "util/strbuf.h"

#define JSON_SIZE_MAX UINT32_MAX /* §8 */

static const char *const engine_names[PROG_ENGINES] = {
    [ENG_PE] = "pe", [ENG_ACT] = "act", [ENG_POOL] = "pool", [ENG_DVE] = "dve", [ENG_SP] = "sp"
};

const char *program_engine_name(int engine)
{
    return engine >= 0 && engine < PROG_ENGINES ? engine_names[engine] : "?";
}

int parse_engine(const char *name)
{
    int i = 0;
    while (i < PROG_ENGINES && strcmp(name, engine_names[i]) != 0)
        i++;
    return i;
}

int parse_memory(struct parse *p)
{
    return nerr_set(p->err, NERR_MEM, "", "out of memory for the program model");
}

static int open_document(const struct neff *n, const char *member, struct json **out, struct nerr *err)
{
    const struct neff_member *m = neff_find(n, member);
    if (!m)
        return nerr_set(err, NERR_RULE, member, "the member is missing from the NEFF");
    if ((uint64_t)m->size > JSON_SIZE_MAX)
        return nerr_set(err, NERR_RULE, member, "File %s size (%zu) exceeds json parser maximum (%u)", member,
                        m->size, JSON_SIZE_MAX);
    int rc = json_parse(m->data, m->size, member, out, err);
    if (rc)
        return rc;
    rc = json_as_object(*out, json_root(*out), err);
    if (rc)
        json_free(*out);
    return rc;
}

int parse_document(struct parse *p, const char *member, struct json **out)
{
    return open_document(p->neff, member, out, p->err);
}

char *parse_member_path(const struct parse *p, const char *name)
{
    const char *dir = p->prog->sg_dir;
    return text_printf("%s%s%s", dir, dir[0] ? "/" : "", name);
}

int parse_member(struct parse *p, const struct json *j, const json_value *name, const struct neff_member **m,
                 char **path)
{
    const char *text;
    int rc = json_as_string(j, name, &text, p->err);
    if (rc)
        return rc;
    char *full = parse_member_path(p, text);
    if (!full)
        return parse_memory(p);
    *m = neff_find(p->neff, full);
    if (!*m)
        rc = json_error(j, name, NULL, p->err, "names the member %s, which is missing from the NEFF", full);
    if (rc || !path)
        free(full);
    else
        *path = full;
    return rc;
}

/* Head of the chain: neff.json, or kelp.json in old files (row 16 of the ladder). */
static int open_head(const struct neff *n, struct json **out, struct nerr *err)
{
    const char *name = neff_find(n, "neff.json") ? "neff.json" : "kelp.json";
    if (!neff_find(n, name))
        return gate_error(err, NERR_RULE, NRT_INVALID, 16, "", "Invalid NN: %s, neff.json is missing",
                          neff_get_header(n)->name);
    return open_document(n, name, out, err);
}

/* The kelf member that the device node of neff.json names. */
static int find_kelf(const struct json *j, const char **kelf, struct nerr *err)
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

static int check_graph_names(const struct json *j, const json_value *graphs, struct nerr *err)
{
    for (const json_value *g = json_child(graphs); g; g = json_next(g)) {
        const char *name, *definition;
        int rc = json_need_string(j, g, "name", &name, err);
        if (rc == 0)
            rc = json_need_string(j, g, "definition", &definition, err);
        if (rc)
            return rc;
        for (const json_value *before = json_child(graphs); before != g; before = json_next(before)) {
            const char *other = "";
            if (json_need_string(j, before, "name", &other, err) == 0 && strcmp(other, name) == 0)
                return json_error(j, g, "name", err, "the graph name \"%s\" is used twice", name);
        }
    }
    return 0;
}

/* The kelf descriptor (§10): version, target, graphs. Strings are borrowed from the document. */
static int read_kelf(const struct json *j, const char **target, const json_value **graphs, struct nerr *err)
{
    const char *version;
    *target = "";
    int rc = json_need_string(j, json_root(j), "version", &version, err);
    if (rc)
        return rc;
    if (!strchr(version, '.'))
        return json_error(j, json_root(j), "version", err, "invalid string (.) in %s", version);
    rc = json_opt_string(j, json_root(j), "target", target, err);
    if (rc)
        return rc;
    if (!known_target(*target))
        return json_error(j, json_root(j), "target", err, "Invalid target '%s'", *target);
    rc = json_need_array(j, json_root(j), "graphs", graphs, err);
    if (rc)
        return rc;
    if (json_count(*graphs) == 0)
        return json_error(j, *graphs, NULL, err, "the kelf has no graphs");
    return check_graph_names(j, *graphs, err);
}

/* Picks a graph by name (NULL: the first); fills graph_name, target, sg_dir and *definition. */
static int pick_graph(struct parse *p, const char *kelf, const char *wanted, char **definition)
{
    struct json *j;
    const char *target, *name = NULL, *path = NULL;
    const json_value *graphs;
    int rc = parse_document(p, kelf, &j);
    if (rc)
        return rc;
    rc = read_kelf(j, &target, &graphs, p->err);
    if (rc)
        goto out;
    const json_value *g = json_child(graphs);
    for (; g; g = json_next(g)) {
        rc = json_need_string(j, g, "name", &name, p->err);
        if (rc || !wanted || strcmp(name, wanted) == 0)
            break;
    }
    if (!g)
        rc = nerr_set(p->err, NERR_INPUT, kelf, "there is no graph \"%s\"", wanted);
    if (rc == 0)
        rc = json_need_string(j, g, "definition", &path, p->err);
    if (rc)
        goto out;
    const char *slash = strrchr(path, '/');
    p->prog->graph_name = text_copy(name);
    p->prog->sg_dir = text_copy_n(path, slash ? (size_t)(slash - path) : 0);
    *definition = text_copy(path);
    strcpy(p->prog->target, target); /* one of the known ones, all short */
    if (!p->prog->graph_name || !p->prog->sg_dir || !*definition)
        rc = parse_memory(p);
out:
    json_free(j);
    return rc;
}

/* num_streams, or cc_stream.num_streams (§16). */
static int parse_streams(struct parse *p, const struct json *def)
{
    const json_value *cc = NULL;
    p->prog->num_streams = 1;
    int rc = json_opt_object(def, json_root(def), "cc_stream", &cc, p->err);
    if (rc == 0 && cc)
        rc = json_opt_u64(def, cc, "num_streams", 0, UINT32_MAX, &p->prog->num_streams, p->err);
    if (rc == 0)
        rc = json_opt_u64(def, json_root(def), "num_streams", 0, UINT32_MAX, &p->prog->num_streams, p->err);
    return rc;
}

/* def.json in the action order of §11; the steps that depend on the chip are in program_check_arch. */
static int read_definition(struct parse *p, const char *member)
{
    static int (*const steps[])(struct parse *, const struct json *) = {
        parse_vars, parse_queues, parse_groups, parse_ucode, parse_carveouts, parse_streams, parse_fp8,
    };
    struct json *def;
    const char *name;
    int rc = parse_document(p, member, &def);
    if (rc)
        return rc;
    rc = json_opt_string(def, json_root(def), "name", &name, p->err);
    for (size_t i = 0; rc == 0 && i < sizeof steps / sizeof steps[0]; i++)
        rc = steps[i](p, def);
    if (rc == 0)
        rc = parse_blocks(p, def, member, PROG_ENGINES);
    if (rc == 0)
        rc = parse_engines(p, def);
    if (rc == 0)
        rc = parse_check_blocks(p);
    json_free(def);
    return rc;
}

static int read_chain(struct parse *p, const char *graph)
{
    struct json *head;
    const char *kelf = NULL;
    char *definition = NULL;
    int rc = open_head(p->neff, &head, p->err);
    if (rc)
        return rc;
    rc = parse_io(p, head);
    if (rc == 0)
        rc = find_kelf(head, &kelf, p->err);
    if (rc == 0)
        rc = pick_graph(p, kelf, graph, &definition);
    if (rc == 0)
        rc = read_definition(p, definition);
    free(definition);
    json_free(head);
    return rc;
}

/* §8: whatever fails in the chain fails the load with code 2. */
static int with_runtime_code(struct nerr *err)
{
    if (err->runtime_code == 0 && (err->code == NERR_RULE || err->code == NERR_INPUT))
        err->runtime_code = NRT_INVALID;
    return err->code;
}

int program_read(const struct neff *n, const char *graph, struct program **out, struct nerr *err)
{
    struct program *prog = calloc(1, sizeof *prog);
    struct parse p = { n, prog, err };
    if (!prog)
        return parse_memory(&p);
    if (read_chain(&p, graph)) {
        program_free(prog);
        return with_runtime_code(err);
    }
    *out = prog;
    return 0;
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
    struct json *head = NULL, *kelf = NULL;
    const char *member, *target;
    const json_value *graphs;
    int rc = open_head(n, &head, err);
    if (rc)
        return with_runtime_code(err);
    rc = find_kelf(head, &member, err);
    if (rc == 0)
        rc = open_document(n, member, &kelf, err);
    if (rc == 0) {
        rc = read_kelf(kelf, &target, &graphs, err);
        if (rc == 0)
            rc = copy_names(kelf, graphs, names, count, err);
        json_free(kelf);
    }
    json_free(head);
    return rc ? with_runtime_code(err) : 0;
}

void program_free(struct program *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->nvars; i++) {
        free(p->vars[i].name);
        free(p->vars[i].file_name);
    }
    for (size_t i = 0; i < p->nqueues; i++)
        free(p->queues[i].name);
    for (size_t i = 0; i < p->nblocks; i++) {
        for (size_t d = 0; d < p->blocks[i].ndesc; d++)
            free(p->blocks[i].desc[d].where);
        free(p->blocks[i].desc);
    }
    for (size_t i = 0; i < PROG_ENGINES; i++) {
        free(p->engines[i].json_name);
        free(p->engines[i].bin_name);
    }
    for (size_t i = 0; i < p->ninputs; i++)
        free(p->inputs[i].name);
    for (size_t i = 0; i < p->noutputs; i++)
        free(p->outputs[i].name);
    free(p->inputs);
    free(p->outputs);
    free(p->vars);
    free(p->var_names);
    free(p->queues);
    free(p->blocks);
    free(p->graph_name);
    free(p->sg_dir);
    free(p);
}

static int name_against(const void *key, const void *element)
{
    return strcmp(key, ((const struct prog_name *)element)->name);
}

long program_find_var(const struct program *p, const char *name)
{
    const struct prog_name *n =
        p->nvars ? bsearch(name, p->var_names, p->nvars, sizeof *n, name_against) : NULL;
    return n ? (long)n->index : -1;
}

static int queue_against(const void *key, const void *element)
{
    return strcmp(key, ((const struct prog_queue *)element)->name);
}

long program_find_queue(const struct program *p, const char *name)
{
    const struct prog_queue *q =
        p->nqueues ? bsearch(name, p->queues, p->nqueues, sizeof *q, queue_against) : NULL;
    return q ? q - p->queues : -1;
}
