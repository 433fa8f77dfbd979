/* The rules that depend on the chip: target and state-buffer carveouts (neff-container.md §17, §20 tier 2).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "neff/parse.h"
#include "regs.h"

#define RESERVATION "runtime_statebuffer_reservation"
#define NO_RESERVATION                                                                                       \
    "Missing or corrupted runtime_statebuffer_reservation field in def.json and "                            \
    "NEURON_RT_ALLOW_LEGACY_NEFF=1 is not set. Potentially a legacy neff without proper compiler support"
#define CARVEOUT "Failed to verify Event Accel State Buffer carveout: Event Accel carveout SB "

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

unsigned program_target_arch(const struct program *p)
{
    return target_arch(p->target);
}

int parse_target(struct parse *p, const struct json *j)
{
    unsigned target = target_arch(p->prog->target);
    if (!p->arch || !target || target == p->arch)
        return 0;
    if (p->allow_legacy)
        return parse_warn(p, j, json_root(j), "target",
                          "Loading a NEFF compiled for a different arch, NEFF arch: v%u, instance arch: v%u",
                          target, p->arch);
    return json_error(
        j, json_root(j), "target", p->err,
        "Loading a NEFF compiled for a different arch is not allowed, NEFF arch: v%u, instance arch: "
        "v%u. Please ensure that --target <correct_arch> is passed as a neuronx-cc command line "
        "flag. To override, set NEURON_RT_ALLOW_LEGACY_NEFF=1 and restart.",
        target, p->arch);
}

/* Values of one carveout for cayman; key: the one that is wrong. */
static int judge_carveout(const struct prog_carveout *c, const char **key, struct nerr *err)
{
    *key = "base_partition";
    if (c->base_partition != 0)
        return nerr_set(err, NERR_RULE, RESERVATION, CARVEOUT "partition must start at 0. Got %" PRIu64,
                        c->base_partition);
    *key = "partitions";
    if (c->partitions != EVTACCEL_PARTITIONS)
        return nerr_set(err, NERR_RULE, RESERVATION, CARVEOUT "partition count must be %u. Got %" PRIu64,
                        EVTACCEL_PARTITIONS, c->partitions);
    *key = "offset";
    if (c->offset != EVTACCEL_OFFSET)
        return nerr_set(err, NERR_RULE, RESERVATION,
                        CARVEOUT "partition offset must start at 0x%x. Got 0x%" PRIx64, EVTACCEL_OFFSET,
                        c->offset);
    *key = "size";
    if (c->size != EVTACCEL_BYTES)
        return nerr_set(err, NERR_RULE, RESERVATION, CARVEOUT "size must be %u. Got %" PRIu64, EVTACCEL_BYTES,
                        c->size);
    return 0;
}

static int read_carveout(struct parse *p, const struct json *j, const json_value *v, struct prog_carveout *c)
{
    static const char *const keys[] = { "offset", "size", "base_partition", "partitions" };
    uint64_t *const values[] = { &c->offset, &c->size, &c->base_partition, &c->partitions };
    const char *type, *key;
    int rc = json_need_string(j, v, "type", &type, p->err);
    if (rc == 0 && strcmp(type, "evtaccel") != 0)
        rc = json_error(j, v, "type", p->err, "Invalid runtime_statebuffer_reservation type %.60s", type);
    for (size_t i = 0; rc == 0 && i < sizeof keys / sizeof keys[0]; i++)
        rc = json_need_u64(j, v, keys[i], 0, UINT64_MAX, values[i], p->err);
    if (rc || !p->sink)
        return rc;
    struct nerr wrong;
    if (judge_carveout(c, &key, &wrong) == 0)
        return 0;
    if (p->arch == ARCH_CAYMAN)
        return json_error(j, v, key, p->err, "%s", wrong.text);
    return p->arch ? 0 : parse_note(p, j, v, key, "refused on cayman (v3): %s", wrong.text);
}

/* The key is missing, or no array: only cayman reads it, and forgives it on request. */
static int no_carveouts(struct parse *p, const struct json *j, const json_value *list)
{
    const json_value *at = list ? list : json_root(j);
    if (!p->sink) /* judged by program_check_arch */
        return 0;
    if (p->arch == ARCH_CAYMAN && !p->allow_legacy)
        return json_error(j, at, NULL, p->err, NO_RESERVATION);
    if (p->arch == ARCH_CAYMAN)
        return parse_warn(p, j, at, NULL, "no valid " RESERVATION ": a legacy NEFF without compiler support");
    return p->arch ? 0 : parse_note(p, j, at, NULL, "refused on cayman (v3): " NO_RESERVATION);
}

int parse_carveouts(struct parse *p, const struct json *def)
{
    struct program *prog = p->prog;
    const json_value *list = json_get(json_root(def), RESERVATION);
    prog->has_sb_reservation = list && json_is_array(list);
    if (!prog->has_sb_reservation)
        return no_carveouts(p, def, list);
    prog->carveouts = calloc(json_count(list) + 1, sizeof *prog->carveouts);
    if (!prog->carveouts)
        return parse_memory(p);
    int rc = 0;
    for (const json_value *v = json_child(list); rc == 0 && v; v = json_next(v)) {
        struct prog_carveout *c = &prog->carveouts[prog->ncarveouts++];
        rc = parse_entry(p, def, read_carveout(p, def, v, c), NULL);
    }
    prog->has_evtaccel = prog->ncarveouts != 0;
    prog->evtaccel = prog->carveouts[0];
    return rc;
}

static int check_carveouts(const struct program *p, struct nerr *err)
{
    const char *key;
    if (!p->has_sb_reservation)
        return nerr_set(err, NERR_RULE, RESERVATION, NO_RESERVATION);
    /* programs that were not read from a file have the first one only */
    int rc = p->has_evtaccel ? judge_carveout(&p->evtaccel, &key, err) : 0;
    for (size_t i = 1; rc == 0 && i < p->ncarveouts; i++)
        rc = judge_carveout(&p->carveouts[i], &key, err);
    return rc;
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
        rc = check_carveouts(p, err);
    if (rc)
        err->runtime_code = NRT_INVALID;
    return rc;
}
