/* The ucode_lib manifest: gates that need no loaded library (neff-container.md §15, q7-prelink.md §15.1). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "neff/parse.h"
#include "regs.h"
#include "util/strbuf.h"

/* Files of a library are looked up next to def.json first, then at the root. *path: the hit, owned by the
 * caller. */
static int find_file(struct parse *p, const struct json *j, const json_value *at, const char *name,
                     char **path)
{
    char *near = parse_member_path(p, name);
    *path = NULL;
    if (!near)
        return parse_memory(p);
    if (neff_find(p->neff, near)) {
        *path = near;
        return 0;
    }
    free(near);
    if (!neff_find(p->neff, name))
        return json_error(j, at, NULL, p->err, "names the file %s, which is missing from the NEFF", name);
    *path = text_copy(name);
    return *path ? 0 : parse_memory(p);
}

static int copy_text(struct parse *p, const char *text, char **out)
{
    *out = text_copy(text);
    return *out ? 0 : parse_memory(p);
}

/* A.B...: two numbers at least. */
static bool version_major(const char *text, unsigned long *major)
{
    char *end;
    if (text[0] < '0' || text[0] > '9')
        return false;
    *major = strtoul(text, &end, 10);
    return end[0] == '.' && end[1] >= '0' && end[1] <= '9';
}

static int read_version(struct parse *p, const struct json *j, const json_value *v, struct prog_library *l)
{
    const char *text, *key = "ulib_to_ucode_version", *isa = "";
    unsigned long major = 0;
    if (!json_get(v, key))
        return json_error(j, v, NULL, p->err, "Missing GPSIMD lib version!");
    int rc = json_need_string(j, v, key, &text, p->err);
    if (rc == 0)
        rc = copy_text(p, text, &l->version);
    if (rc == 0)
        rc = json_opt_string(j, v, "ulib_to_isa_version", &isa, p->err);
    if (rc == 0)
        rc = copy_text(p, isa, &l->isa_version);
    if (rc == 0 && !version_major(text, &major)) {
        major = 0;
        rc = parse_warn(p, j, v, key, "GPSIMD lib: Failed to parse GPSIMD lib version string! Version: %.60s",
                        text);
    }
    if (rc == 0 && major != UCODE_MAJOR)
        rc = json_error(
            j, v, key, p->err,
            "Mismatch between GPSIMD lib version and NRT version! invalid GPSIMD lib: found \"%.40s\", "
            "the major version must be %u",
            text, UCODE_MAJOR);
    return rc;
}

/* Which cores: cpu_id and total_cpus. */
static int read_cores(struct parse *p, const struct json *j, const json_value *v, struct prog_library *l)
{
    uint64_t cpu_id = 0, cpus = 0;
    int rc = json_need_u64(j, v, "cpu_id", 0, UINT8_MAX, &cpu_id, p->err);
    if (rc == 0 && cpu_id)
        rc = json_error(j, v, "cpu_id", p->err, "found %" PRIu64 ", the runtime aborts unless cpu_id == 0",
                        cpu_id);
    rc = parse_entry(p, j, rc, NULL);
    if (rc == 0)
        rc = json_need_u64(j, v, "total_cpus", 0, UINT8_MAX, &cpus, p->err);
    if (rc == 0 && cpus > 1 && cpus != UCODE_CPUS)
        rc = json_error(j, v, "total_cpus", p->err,
                        "UCode Library %s has invalid number of total cpus %" PRIu64, l->name, cpus);
    l->cpu_id = (uint8_t)cpu_id;
    l->total_cpus = (uint8_t)cpus;
    return parse_entry(p, j, rc, NULL);
}

static int read_function(struct parse *p, const struct json *j, const json_value *v, struct prog_function *f)
{
    const char *name = NULL;
    int64_t opcode = 0;
    uint64_t sub = 0;
    f->sub_opcode = -1;
    int rc = json_need_string(j, v, "name", &name, p->err);
    if (rc == 0)
        rc = copy_text(p, name, &f->name);
    if (rc == 0 && strlen(name) > UCODE_NAME_MAX)
        rc = json_error(j, v, "name", p->err, "ucode function name (%.100s) is too long.  Max length = %u",
                        name, UCODE_NAME_MAX);
    if (rc == 0 && !json_get(v, "opcode"))
        rc = json_error(j, v, NULL, p->err, "the required key \"opcode\" is missing");
    if (rc == 0)
        rc = json_as_i64(j, json_get(v, "opcode"), INT8_MIN, UINT8_MAX, &opcode, p->err);
    if (rc == 0)
        rc = json_opt_u64(j, v, "sub_opcode", 0, UINT8_MAX, &sub, p->err);
    f->opcode = (uint8_t)opcode;
    if (rc == 0 && json_get(v, "sub_opcode") && sub != UINT8_MAX) /* 0xff means unset */
        f->sub_opcode = (int)sub;
    return rc;
}

static int read_functions(struct parse *p, const struct json *j, const json_value *v, struct prog_library *l)
{
    const json_value *list;
    int rc = json_need_array(j, v, "functions", &list, p->err);
    if (rc)
        return rc;
    size_t n = json_count(list);
    if (n > UCODE_CORE_MAX) /* per library: each of its cores gets all of its functions */
        rc = json_error(j, list, NULL, p->err,
                        "Number of ucode functions: %zu per core exceeded the maximum allowed %u", n,
                        UCODE_CORE_MAX);
    rc = parse_entry(p, j, rc, NULL);
    l->functions = calloc(n + 1, sizeof *l->functions);
    if (!l->functions)
        return parse_memory(p);
    for (const json_value *f = json_child(list); rc == 0 && f; f = json_next(f))
        rc = parse_entry(p, j, read_function(p, j, f, &l->functions[l->nfunctions++]), NULL);
    return rc;
}

/* R9: the opcode of the library, else of its first function, says whether it is a built-in op. */
static int read_opcode(struct parse *p, const struct json *j, const json_value *v, struct prog_library *l)
{
    int64_t opcode = 0;
    int rc = 0;
    l->opcode = l->nfunctions ? l->functions[0].opcode : -1;
    if (json_get(v, "opcode")) {
        rc = json_as_i64(j, json_get(v, "opcode"), INT32_MIN, INT32_MAX, &opcode, p->err);
        l->opcode = (uint8_t)opcode; /* only the low byte counts */
    }
    l->flags = l->opcode == UCODE_OP_BUILTIN ? UCODE_FLAGS_BUILTIN : UCODE_FLAGS_USER;
    return rc ? rc : json_opt_bool(j, v, "is_builtin", &l->is_builtin, p->err);
}

/* Name and file. */
static int read_file(struct parse *p, const struct json *j, const json_value *v, struct prog_library *l)
{
    const char *name = NULL;
    int rc = json_need_string(j, v, "library", &name, p->err);
    if (rc == 0)
        rc = copy_text(p, name, &l->name);
    if (rc == 0)
        rc = find_file(p, j, json_get(v, "library"), name, &l->member);
    if (rc)
        return rc;
    const struct neff_member *m = neff_find(p->neff, l->member);
    l->data = m->data;
    l->size = m->size;
    return 0;
}

/* Each rule is an entry of its own: a library with a wrong version may have wrong functions as well. */
static int read_library(struct parse *p, const struct json *j, const json_value *v, struct prog_library *l)
{
    static int (*const parts[])(struct parse *, const struct json *, const json_value *,
                                struct prog_library *) = {
        read_file, read_version, read_cores, read_functions, read_opcode,
    };
    l->opcode = -1;
    int rc = parse_entry(p, j, json_as_object(j, v, p->err), NULL);
    if (rc || !json_is_object(v))
        return rc;
    for (size_t i = 0; rc == 0 && i < sizeof parts / sizeof parts[0]; i++)
        rc = parse_entry(p, j, parts[i](p, j, v, l), NULL);
    return rc;
}

/* Names of libraries must differ, and all functions must fit the table. */
static int check_libraries(struct parse *p, const struct json *j, const json_value *list)
{
    struct program *prog = p->prog;
    size_t n = prog->nlibraries, functions = 0, i = 0;
    const char **names = calloc(n + 1, sizeof *names);
    bool *repeat = calloc(n + 1, sizeof *repeat);
    for (size_t k = 0; names && k < n; k++)
        names[k] = prog->libraries[k].name ? prog->libraries[k].name : "";
    int rc = names && repeat && parse_mark_repeats(names, n, repeat) ? 0 : parse_memory(p);
    for (const json_value *v = json_child(list); rc == 0 && v; v = json_next(v), i++) {
        functions += prog->libraries[i].nfunctions;
        if (!repeat[i] || !names[i][0])
            continue;
        prog->libraries[i].data = NULL; /* judged once */
        rc = json_error(j, v, "library", p->err, "UCode Library %s has already been added", names[i]);
        rc = parse_entry(p, j, rc, NULL);
    }
    if (rc == 0 && functions > UCODE_FUNCS_MAX)
        rc = parse_entry(p, j,
                         json_error(j, list, NULL, p->err,
                                    "too many ucode functions in this table.  Max is %u.  Add support for "
                                    "mid-neff reload? (found %zu)",
                                    UCODE_FUNCS_MAX, functions),
                         NULL);
    free(names);
    free(repeat);
    return rc;
}

static int read_libraries(struct parse *p, const struct json *j, const json_value *list)
{
    struct program *prog = p->prog;
    int rc = json_as_array(j, list, p->err);
    if (rc)
        return rc;
    prog->has_ucode_lib = json_count(list) != 0;
    prog->libraries = calloc(json_count(list) + 1, sizeof *prog->libraries);
    if (!prog->libraries)
        return parse_memory(p);
    for (const json_value *v = json_child(list); rc == 0 && v; v = json_next(v))
        rc = read_library(p, j, v, &prog->libraries[prog->nlibraries++]);
    return rc ? rc : check_libraries(p, j, list);
}

/* The manifest file holds the array itself, or an object with the one key ucode_lib. */
static int read_manifest(struct parse *p, const char *path)
{
    const struct neff_member *m = neff_find(p->neff, path);
    struct json *j;
    int rc = json_parse(m->data, m->size, path, &j, p->err);
    if (rc)
        return parse_problem(p, path, TIER_SECTION, rc, NULL);
    rc = parse_repeated_keys(p, j);
    const json_value *list = json_root(j);
    if (rc == 0 && json_is_object(list))
        rc = json_need_array(j, list, "ucode_lib", &list, p->err);
    if (rc == 0)
        rc = read_libraries(p, j, list);
    rc = parse_entry(p, j, rc, NULL);
    json_free(j);
    return rc;
}

int parse_ucode(struct parse *p, const struct json *def)
{
    const json_value *v = json_get(json_root(def), "ucode_lib");
    const char *name;
    char *path;
    if (!v)
        return 0;
    if (!json_is_string(v))
        return read_libraries(p, def, v);
    int rc = json_as_string(def, v, &name, p->err);
    if (rc == 0)
        rc = find_file(p, def, v, name, &path);
    if (rc)
        return rc;
    rc = read_manifest(p, path);
    free(path);
    return rc;
}

void parse_free_libraries(struct program *p)
{
    for (size_t i = 0; i < p->nlibraries; i++) {
        struct prog_library *l = &p->libraries[i];
        free(l->name);
        free(l->member);
        free(l->version);
        free(l->isa_version);
        for (size_t k = 0; k < l->nfunctions; k++)
            free(l->functions[k].name);
        free(l->functions);
    }
    free(p->libraries);
}
