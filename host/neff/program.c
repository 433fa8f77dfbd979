/*
 * Manifests into struct program: one graph with its first problem, or all graphs with all problems
 * (neff-container.md §8 to §11). The chain up to the kelf is in parse_kelf.c, the tables in other parse_*.c.
 */
#include "neff/program.h"

#include <stdlib.h>
#include <string.h>

#include "neff/container.h"
#include "neff/parse.h"
#include "regs.h"
#include "util/strbuf.h"

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

int parse_document(struct parse *p, const char *member, const char *from, struct json **out)
{
    int rc = parse_open(p->neff, member, from, out, p->err);
    if (rc)
        return rc;
    rc = parse_repeated_keys(p, *out);
    if (rc) {
        json_free(*out);
        *out = NULL;
    }
    return rc;
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

/* Graph name, folder, definition and target of an entry of graphs. */
static int name_graph(struct parse *p, const struct parse_kelf *k, const json_value *g)
{
    struct program *prog = p->prog;
    const char *name, *path;
    int rc = json_need_string(k->j, g, "name", &name, p->err);
    if (rc == 0)
        rc = json_need_string(k->j, g, "definition", &path, p->err);
    if (rc)
        return rc;
    const char *slash = strrchr(path, '/');
    prog->graph_name = text_copy(name);
    prog->sg_dir = text_copy_n(path, slash ? (size_t)(slash - path) : 0);
    prog->definition = text_copy(path);
    prog->kelf = text_copy(json_name(k->j));
    prog->kelf_version = text_copy(k->version);
    strcpy(prog->target, k->target); /* one of the known ones, all short */
    prog->act_semaphore = -1;
    return prog->graph_name && prog->sg_dir && prog->definition && prog->kelf && prog->kelf_version
               ? 0
               : parse_memory(p);
}

/* Texts that are only shown. */
static int read_labels(struct parse *p, const struct json *def)
{
    const char *name, *version = "", *git = "";
    int rc = json_opt_string(def, json_root(def), "name", &name, p->err);
    if (rc == 0)
        rc = json_opt_string(def, json_root(def), "version", &version, p->err);
    if (rc == 0)
        rc = json_opt_string(def, json_root(def), "git_version", &git, p->err);
    p->prog->version = text_copy(version);
    p->prog->git_version = text_copy(git);
    if (rc == 0 && (!p->prog->version || !p->prog->git_version))
        rc = parse_memory(p);
    return rc;
}

static int read_top_blocks(struct parse *p, const struct json *def)
{
    return parse_blocks(p, def, p->prog->definition, PROG_ENGINES);
}

/* def.json in the action order of §11. */
static int read_definition(struct parse *p, const struct json *def)
{
    struct prog_gaps *gaps = &p->prog->gaps;
    const struct {
        int (*read)(struct parse *, const struct json *);
        bool *gap;
    } steps[] = {
        { read_labels, NULL },
        { parse_vars, &gaps->vars },
        { parse_queues, &gaps->queues },
        { parse_groups, &gaps->groups },
        { parse_pairs, NULL },
        { parse_ucode, NULL },
        { parse_carveouts, NULL },
        { parse_streams, NULL },
        { read_top_blocks, &gaps->blocks },
        { parse_fp8, NULL },
        { parse_features, NULL },
        { parse_engines, NULL },
    };
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < sizeof steps / sizeof steps[0]; i++)
        rc = parse_entry(p, def, steps[i].read(p, def), steps[i].gap);
    return rc ? rc : parse_check_blocks(p);
}

static int read_graph(struct parse *p)
{
    struct json *def;
    int rc = parse_document(p, p->prog->definition, p->prog->kelf, &def);
    if (rc) {
        p->prog->gaps = (struct prog_gaps){ true, true, true, true, true };
        return parse_problem(p, p->prog->definition, TIER_SECTION, rc, NULL);
    }
    rc = read_definition(p, def);
    json_free(def);
    return rc;
}

/* The graph of that name, or the first. */
static const json_value *pick_graph(const struct parse_kelf *k, const char *wanted, struct nerr *err)
{
    const json_value *g = json_child(k->graphs);
    const char *name = "";
    for (; wanted && g; g = json_next(g))
        if (json_need_string(k->j, g, "name", &name, err) == 0 && strcmp(name, wanted) == 0)
            break;
    if (!g)
        nerr_set(err, NERR_INPUT, json_name(k->j), "there is no graph \"%s\"", wanted);
    return g;
}

static int read_chain(struct parse *p, const char *graph)
{
    struct json *head;
    struct parse_kelf k = { 0 };
    const char *member = NULL;
    int rc = parse_head(p->neff, &head, p->err);
    if (rc)
        return rc;
    rc = parse_io(p, head);
    if (rc == 0)
        rc = parse_find_kelf(head, &member, p->err);
    if (rc == 0)
        rc = parse_document(p, member, json_name(head), &k.j);
    if (rc == 0)
        rc = parse_kelf(p, &k);
    if (rc == 0) {
        const json_value *g = pick_graph(&k, graph, p->err);
        rc = g ? name_graph(p, &k, g) : p->err->code;
    }
    if (rc == 0)
        rc = read_graph(p);
    json_free(k.j);
    json_free(head);
    return rc;
}

int program_read(const struct neff *n, const char *graph, struct program **out, struct nerr *err)
{
    struct program *prog = calloc(1, sizeof *prog);
    struct parse p = { .neff = n, .prog = prog, .err = err };
    if (!prog)
        return parse_memory(&p);
    if (read_chain(&p, graph)) {
        program_free(prog);
        return parse_runtime_code(err);
    }
    *out = prog;
    return 0;
}

/* ---- all graphs, all problems ---- */

/* Inputs and outputs belong to the whole file: the findings are made once, later graphs read in silence. */
static int read_io_again(struct parse *p, const struct json *head)
{
    struct findings unheard = { 0 };
    struct nerr ignored;
    struct parse quiet = *p;
    quiet.sink = &unheard;
    quiet.err = &ignored;
    int rc = parse_io(&quiet, head);
    findings_free(&unheard);
    if (rc == NERR_MEM)
        *p->err = ignored;
    return rc == NERR_MEM ? rc : 0;
}

static int read_all_graphs(struct parse *p, const struct json *head, const struct parse_kelf *k,
                           struct program **list, size_t *count)
{
    int rc = 0;
    for (const json_value *g = json_child(k->graphs); rc == 0 && g; g = json_next(g)) {
        if (!json_is_string(json_get(g, "name")) || !json_is_string(json_get(g, "definition")))
            continue; /* said before */
        /* the first program came with the head, its inputs and outputs are in it */
        struct program *prog = *count ? calloc(1, sizeof *prog) : p->prog;
        if (!prog)
            return parse_memory(p);
        p->prog = prog;
        list[(*count)++] = prog;
        if (*count > 1)
            rc = read_io_again(p, head);
        if (rc == 0)
            rc = name_graph(p, k, g);
        if (rc == 0)
            rc = read_graph(p);
    }
    return rc;
}

/* From the kelf on. */
static int read_from_kelf(struct parse *p, const struct json *head, const char *member,
                          struct program ***list, size_t *count)
{
    struct parse_kelf k = { 0 };
    int rc = parse_problem(p, member, TIER_SECTION, parse_document(p, member, json_name(head), &k.j), NULL);
    if (rc || !k.j)
        return rc;
    rc = parse_entry(p, k.j, parse_kelf(p, &k), NULL);
    if (rc == 0 && k.target) {
        strcpy(p->prog->target, k.target);
        rc = parse_problem(p, member, TIER_ARCH, parse_target(p, k.j), NULL);
    }
    if (rc == 0 && k.graphs) {
        free(*list); /* room for all of them instead of one */
        *list = calloc(json_count(k.graphs) + 1, sizeof(struct program *));
        rc = *list ? read_all_graphs(p, head, &k, *list, count) : parse_memory(p);
    }
    json_free(k.j);
    return rc;
}

int program_read_all(const struct neff *n, unsigned arch, bool allow_legacy, struct findings *f,
                     struct program ***list, size_t *count, struct nerr *err)
{
    struct program *first = calloc(1, sizeof *first);
    struct parse p = {
        .neff = n, .prog = first, .err = err, .sink = f, .arch = arch, .allow_legacy = allow_legacy
    };
    struct json *head = NULL;
    const char *member = NULL;
    *count = 0;
    *list = calloc(1, sizeof **list);
    if (!first || !*list) {
        parse_memory(&p);
        goto out;
    }
    memset(err, 0, sizeof *err);
    int rc = parse_head(n, &head, err);
    rc = parse_problem(&p, err->gate ? "" : parse_head_name(n), err->gate ? TIER_CONTAINER : TIER_SECTION, rc,
                       NULL);
    if (rc == 0 && head)
        rc = parse_repeated_keys(&p, head);
    if (rc == 0 && head)
        rc = parse_entry(&p, head, parse_io(&p, head), NULL);
    if (rc == 0 && head)
        rc = parse_entry(&p, head, parse_find_kelf(head, &member, err), NULL);
    if (rc == 0 && member)
        (void)read_from_kelf(&p, head, member, list, count);
    json_free(head);
out:
    if (*count == 0)
        program_free(first);
    if (err->code != NERR_MEM)
        return 0;
    program_free_all(*list, *count);
    *list = NULL;
    *count = 0;
    return NERR_MEM;
}

void program_free_all(struct program **list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        program_free(list[i]);
    free(list);
}

void program_free(struct program *p)
{
    if (!p)
        return;
    parse_free_vars(p);
    parse_free_queues(p);
    parse_free_groups(p);
    parse_free_libraries(p);
    parse_free_blocks(p);
    parse_free_tables(p);
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
    free(p->carveouts);
    free(p->graph_name);
    free(p->sg_dir);
    free(p->definition);
    free(p->kelf);
    free(p->kelf_version);
    free(p->version);
    free(p->git_version);
    free(p);
}

static int name_against(const void *key, const void *element)
{
    return strcmp(key, ((const struct prog_name *)element)->name);
}

long program_find_var(const struct program *p, const char *name)
{
    /* Without names reading has stopped early: enough problems were found. */
    const struct prog_name *n =
        p->var_names ? bsearch(name, p->var_names, p->nvars, sizeof *n, name_against) : NULL;
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
