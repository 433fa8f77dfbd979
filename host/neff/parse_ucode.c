/* The ucode_lib manifest and the state-buffer carveouts: gates that depend on no loaded library
 * (neff-container.md §15, §17), and the rules that depend on the chip (§17, §20 tier 2). */
#include "neff/parse.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

static int check_version(struct parse *p, const struct json *j, const json_value *v)
{
    const char *text;
    if (!json_get(v, "ulib_to_ucode_version"))
        return json_error(j, v, NULL, p->err, "Missing GPSIMD lib version!");
    int rc = json_need_string(j, v, "ulib_to_ucode_version", &text, p->err);
    if (rc)
        return rc;
    char *end = NULL;
    unsigned long major = text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : 0;
    if (!end || *end != '.' || major != UCODE_MAJOR)
        return json_error(
            j, v, "ulib_to_ucode_version", p->err,
            "Mismatch between GPSIMD lib version and NRT version! invalid GPSIMD lib: found \"%.40s\", "
            "the major version must be %u",
            text, UCODE_MAJOR);
    return 0;
}

static int check_functions(struct parse *p, const struct json *j, const json_value *v)
{
    const json_value *list;
    const char *name;
    int64_t opcode;
    uint64_t sub;
    int rc = json_need_array(j, v, "functions", &list, p->err);
    for (const json_value *f = rc ? NULL : json_child(list); rc == 0 && f; f = json_next(f)) {
        rc = json_need_string(j, f, "name", &name, p->err);
        if (rc == 0 && !json_get(f, "opcode"))
            rc = json_error(j, f, NULL, p->err, "the required key \"opcode\" is missing");
        if (rc == 0)
            rc = json_as_i64(j, json_get(f, "opcode"), INT8_MIN, UINT8_MAX, &opcode, p->err);
        if (rc == 0)
            rc = json_opt_u64(j, f, "sub_opcode", 0, UINT8_MAX, &sub, p->err);
    }
    return rc;
}

static int check_library(struct parse *p, const struct json *j, const json_value *list, const json_value *v)
{
    const char *name = NULL;
    char *path = NULL;
    uint64_t cpu_id = 0, cpus = 0;
    int rc = json_need_string(j, v, "library", &name, p->err);
    if (rc == 0)
        rc = find_file(p, j, json_get(v, "library"), name, &path);
    free(path);
    for (const json_value *before = json_child(list); rc == 0 && before != v; before = json_next(before)) {
        const char *other = "";
        rc = json_need_string(j, before, "library", &other, p->err);
        if (rc == 0 && strcmp(other, name) == 0)
            rc = json_error(j, v, "library", p->err, "UCode Library %s has already been added", name);
    }
    if (rc == 0)
        rc = check_version(p, j, v);
    if (rc == 0)
        rc = json_need_u64(j, v, "cpu_id", 0, UINT8_MAX, &cpu_id, p->err);
    if (rc == 0 && cpu_id)
        rc = json_error(j, v, "cpu_id", p->err, "found %" PRIu64 ", the runtime aborts unless cpu_id == 0",
                        cpu_id);
    if (rc == 0)
        rc = json_need_u64(j, v, "total_cpus", 0, UINT8_MAX, &cpus, p->err);
    if (rc == 0 && cpus > 1 && cpus != 8)
        rc = json_error(j, v, "total_cpus", p->err,
                        "UCode Library %s has invalid number of total cpus %" PRIu64, name, cpus);
    return rc ? rc : check_functions(p, j, v);
}

static int check_libraries(struct parse *p, const struct json *j, const json_value *list)
{
    int rc = json_as_array(j, list, p->err);
    for (const json_value *v = json_child(list); rc == 0 && v; v = json_next(v))
        rc = check_library(p, j, list, v);
    p->prog->has_ucode_lib = json_count(list) != 0;
    return rc;
}

/* The manifest file holds the array itself, or an object with the one key ucode_lib. */
static int check_manifest(struct parse *p, const char *path)
{
    const struct neff_member *m = neff_find(p->neff, path);
    struct json *j;
    int rc = json_parse(m->data, m->size, path, &j, p->err);
    if (rc)
        return rc;
    const json_value *list = json_root(j);
    if (json_is_object(list))
        rc = json_need_array(j, list, "ucode_lib", &list, p->err);
    if (rc == 0)
        rc = check_libraries(p, j, list);
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
        return check_libraries(p, def, v);
    int rc = json_as_string(def, v, &name, p->err);
    if (rc == 0)
        rc = find_file(p, def, v, name, &path);
    if (rc)
        return rc;
    rc = check_manifest(p, path);
    free(path);
    return rc;
}

static int read_carveout(struct parse *p, const struct json *j, const json_value *v)
{
    struct prog_carveout *c = &p->prog->evtaccel;
    const char *type;
    int rc = json_need_string(j, v, "type", &type, p->err);
    if (rc == 0 && strcmp(type, "evtaccel") != 0)
        rc = json_error(j, v, "type", p->err, "Invalid runtime_statebuffer_reservation type %s", type);
    if (rc == 0)
        rc = json_need_u64(j, v, "offset", 0, UINT64_MAX, &c->offset, p->err);
    if (rc == 0)
        rc = json_need_u64(j, v, "size", 0, UINT64_MAX, &c->size, p->err);
    if (rc == 0)
        rc = json_need_u64(j, v, "base_partition", 0, UINT64_MAX, &c->base_partition, p->err);
    if (rc == 0)
        rc = json_need_u64(j, v, "partitions", 0, UINT64_MAX, &c->partitions, p->err);
    p->prog->has_evtaccel = true;
    return rc;
}

int parse_carveouts(struct parse *p, const struct json *def)
{
    const json_value *list = NULL;
    int rc = json_opt_array(def, json_root(def), "runtime_statebuffer_reservation", &list, p->err);
    p->prog->has_sb_reservation = list != NULL;
    for (const json_value *v = json_child(list); rc == 0 && v; v = json_next(v))
        rc = read_carveout(p, def, v);
    return rc;
}

/* Arch ordinal of a target; 0 for '*'. */
static unsigned target_arch(const char *target)
{
    if (strcmp(target, "*") == 0)
        return 0;
    if (strcmp(target, "cayman") == 0 || strcmp(target, "v3") == 0)
        return ARCH_CAYMAN;
    if (strcmp(target, "mariana") == 0 || strcmp(target, "v4") == 0)
        return ARCH_MARIANA;
    return ARCH_SUNDA;
}

#define CARVEOUT "Failed to verify Event Accel State Buffer carveout: Event Accel carveout SB "

static int check_carveout(const struct program *p, struct nerr *err)
{
    const struct prog_carveout *c = &p->evtaccel;
    const char *where = "runtime_statebuffer_reservation";
    if (!p->has_sb_reservation)
        return nerr_set(
            err, NERR_RULE, where,
            "Missing or corrupted runtime_statebuffer_reservation field in def.json and "
            "NEURON_RT_ALLOW_LEGACY_NEFF=1 is not set. Potentially a legacy neff without proper compiler "
            "support");
    if (!p->has_evtaccel)
        return 0;
    if (c->base_partition != 0)
        return nerr_set(err, NERR_RULE, where, CARVEOUT "partition must start at 0. Got %" PRIu64,
                        c->base_partition);
    if (c->partitions != EVTACCEL_PARTITIONS)
        return nerr_set(err, NERR_RULE, where, CARVEOUT "partition count must be %u. Got %" PRIu64,
                        EVTACCEL_PARTITIONS, c->partitions);
    if (c->offset != EVTACCEL_OFFSET)
        return nerr_set(err, NERR_RULE, where, CARVEOUT "partition offset must start at 0x%x. Got 0x%" PRIx64,
                        EVTACCEL_OFFSET, c->offset);
    if (c->size != EVTACCEL_BYTES)
        return nerr_set(err, NERR_RULE, where, CARVEOUT "size must be %u. Got %" PRIu64, EVTACCEL_BYTES,
                        c->size);
    return 0;
}

int program_check_arch(const struct program *p, unsigned arch, struct nerr *err)
{
    unsigned target = target_arch(p->target);
    int rc = 0;
    if (target && target != arch)
        rc = nerr_set(
            err, NERR_RULE, "kelf target",
            "Loading a NEFF compiled for a different arch is not allowed, NEFF arch: v%u, instance arch: v%u",
            target, arch);
    else if (arch == ARCH_CAYMAN)
        rc = check_carveout(p, err);
    if (rc)
        err->runtime_code = NRT_INVALID;
    return rc;
}
