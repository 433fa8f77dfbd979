/* The gates of a NEFF: see check.h. */
#include "neff/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "neff/parse.h"
#include "neff/peek.h"
#include "regs.h"

#define FEATURE_PLACE "byte 0x220"

_Static_assert(NEFF_HDR_FEATURE_BITS_OFF == 0x220, "FEATURE_PLACE");

/* Adds one finding; its text is formatted. */
static int check_add(struct findings *f, enum finding_level level, int tier, unsigned runtime_code,
                     const char *member, const char *place, struct nerr *err, const char *fmt, ...)
    __attribute__((format(printf, 8, 9)));

static int check_add(struct findings *f, enum finding_level level, int tier, unsigned runtime_code,
                     const char *member, const char *place, struct nerr *err, const char *fmt, ...)
{
    struct nerr what;
    va_list ap;
    va_start(ap, fmt);
    nerr_vset(&what, NERR_RULE, "", fmt, ap);
    va_end(ap);
    what.runtime_code = (int)runtime_code;
    return findings_add_at(f, level, tier, member, place, &what, err);
}

/* ---- container, tier 1 ---- */

struct container {
    const char *path;
    struct findings *f;
    struct nerr *err;
    int rc; /* of the warnings */
};

/* A warning of the container: about the file itself or about a member. */
static void warn(void *ctx, const char *where, const char *text)
{
    struct container *c = ctx;
    const char *member = strcmp(where, c->path) == 0 ? "" : where;
    if (c->rc == 0)
        c->rc = check_add(c->f, FINDING_WARNING, TIER_CONTAINER, 0, member, "", c->err, "%s", text);
}

/* The refusal of neff_open as a finding: its place is behind the path. */
static int refused(struct container *c, const struct nerr *why)
{
    const char *place = why->where;
    size_t n = strlen(c->path);
    if (strncmp(place, c->path, n) == 0)
        place += place[n] == ' ' ? n + 1 : n;
    return findings_add_at(c->f, findings_level(why), TIER_CONTAINER, "", place, why, c->err);
}

static const char *known_name(unsigned bit)
{
    const char *name = neff_feature_name(bit);
    return name ? name : "no meaning is known";
}

/* Row 5 of the ladder names a mask; these are its bits. */
static int trapped_bits(struct container *c)
{
    struct neff_peek peek;
    neff_peek(c->path, &peek);
    for (unsigned bit = 0; peek.has_header && bit < 64; bit++) {
        struct nerr what;
        if (!((peek.header.feature_bits & NEFF_FEATURES_TRAP) >> bit & 1))
            continue;
        nerr_set(&what, NERR_RULE, "",
                 "feature bit %u (%s) is beyond bits 0 to 26: only a newer runtime would load it", bit,
                 known_name(bit));
        what.runtime_code = NRT_UNSUPPORTED_NEFF_VERSION;
        what.gate = 5;
        if (findings_add_at(c->f, FINDING_RULE, TIER_CONTAINER, "", FEATURE_PLACE, &what, c->err))
            return c->err->code;
    }
    return 0;
}

/* The rows of the ladder at which a digest is wrong. */
static bool is_digest(int gate)
{
    return gate == 9 || gate == 10;
}

int neff_check_open(const char *path, const struct check_options *opt, struct findings *f, struct neff **out,
                    struct nerr *err)
{
    struct container c = { .path = path, .f = f, .err = err };
    struct neff_options how = {
        .no_hash = opt->no_hash, .max_inflate = opt->max_inflate, .warn = warn, .warn_ctx = &c
    };
    struct nerr why;
    *out = NULL;
    int rc = neff_open(path, &how, out, &why);
    if (rc == NERR_IO || rc == NERR_MEM) {
        *err = why;
        return rc;
    }
    if (rc && c.rc == 0)
        c.rc = refused(&c, &why);
    if (rc && c.rc == 0 && why.gate == 5)
        c.rc = trapped_bits(&c);
    if (rc && c.rc == 0 && is_digest(why.gate) && !findings_stop(f)) {
        how.no_hash = true;
        how.warn =
            NULL; /* what comes before the digest was said; the archive's warnings are not worth two reads */
        rc = neff_open(path, &how, out, &why);
        if (rc)
            c.rc = refused(&c, &why);
    }
    if (c.rc && *out) {
        neff_close(*out);
        *out = NULL;
    }
    return c.rc;
}

/* ---- feature bits, §20 ---- */

static int check_feature_bit(const struct neff_header *h, unsigned bit, struct findings *f, struct nerr *err)
{
    bool trapped = (UINT64_C(1) << bit & NEFF_FEATURES_TRAP) != 0;
    if (bit == 63)
        return check_add(f, FINDING_NOTE, TIER_CONTAINER, 0, "", FEATURE_PLACE, err,
                         "feature bit 63 is set; no runtime tests it");
    if (trapped)
        return check_add(f, FINDING_NOTE, TIER_CONTAINER, 0, "", FEATURE_PLACE, err,
                         "feature bit %u (%s) is set; it is not looked at because the version is %" PRIu64
                         ".x, in a file of version 2.x only a newer runtime would load it",
                         bit, known_name(bit), h->version_major);
    if (neff_feature_name(bit))
        return 0;
    return check_add(f, FINDING_NOTE, TIER_CONTAINER, 0, "", FEATURE_PLACE, err,
                     "feature bit %u is set; it is accepted, but its meaning is not known", bit);
}

static int check_feature_bits(const struct neff_header *h, struct findings *f, struct nerr *err)
{
    int rc = 0;
    for (unsigned bit = 0; rc == 0 && bit < 64; bit++)
        if (h->feature_bits >> bit & 1)
            rc = check_feature_bit(h, bit, f, err);
    if (rc == 0 && h->feature_bits && h->version_major < NEFF_MAJOR_FEATURES)
        rc = check_add(f, FINDING_WARNING, TIER_CONTAINER, 0, "", FEATURE_PLACE, err,
                       "feature bits 0x%" PRIx64 " in a file of version %" PRIu64 ".%" PRIu64
                       ": a producer writes version 2 or larger when it sets one",
                       h->feature_bits, h->version_major, h->version_minor);
    return rc;
}

/* Bit of a name that producers write into neff_features; -1 for other names. Bits without such a string have
 * a description as their name, which has a space or is in capitals. */
static int feature_of(const char *name)
{
    for (unsigned bit = 0; bit < 64; bit++) {
        const char *known = neff_feature_name(bit);
        if (known && strcmp(known, name) == 0 && name[strspn(name, "abcdefghijklmnopqrstuvwxyz")] == '_')
            return (int)bit;
    }
    return -1;
}

/* neff_features mirrors the bits that have a string (§11, §20). */
static int check_feature_names(const struct neff_header *h, const struct program *p, struct findings *f,
                               struct nerr *err)
{
    uint64_t named = 0;
    char place[48];
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < p->nfeatures; i++) {
        int bit = feature_of(p->features[i]);
        snprintf(place, sizeof place, "neff_features[%zu]", i);
        if (bit < 0)
            rc = check_add(f, FINDING_NOTE, TIER_SECTION, 0, p->definition, place, err,
                           "\"%.60s\" is no known feature name", p->features[i]);
        else if (!(h->feature_bits >> bit & 1))
            rc = check_add(f, FINDING_WARNING, TIER_SECTION, 0, p->definition, place, err,
                           "\"%s\" is feature bit %d, which is not set in the header", p->features[i], bit);
        named |= bit < 0 ? 0 : UINT64_C(1) << bit;
    }
    for (unsigned bit = 0; rc == 0 && p->features && bit < 64; bit++) {
        const char *name = neff_feature_name(bit);
        if (name && feature_of(name) == (int)bit && (h->feature_bits & ~named) >> bit & 1)
            rc = check_add(f, FINDING_WARNING, TIER_SECTION, 0, p->definition, "neff_features", err,
                           "lacks \"%s\", although feature bit %u is set in the header", name, bit);
    }
    if (rc == 0 && p->has_ucode_lib && !(h->feature_bits >> NEFF_FEAT_CUSTOM_OPS_BIT & 1))
        rc = check_add(f, FINDING_WARNING, TIER_SECTION, 0, p->definition, "ucode_lib", err,
                       "a custom operator library, but feature bit %u (%s) is not set in the header",
                       NEFF_FEAT_CUSTOM_OPS_BIT, neff_feature_name(NEFF_FEAT_CUSTOM_OPS_BIT));
    return rc;
}

/* ---- what the manifests say about each other ---- */

/* neff.json and the graph tell the size of an input or output of the same name. */
static int check_io(const struct program *p, const struct prog_io *list, size_t n, int kind, const char *what,
                    struct findings *f, struct nerr *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < n; i++) {
        long v = program_find_var(p, list[i].name);
        const struct prog_var *var = v < 0 ? NULL : &p->vars[v];
        if (var && !var->bad && var->kind == kind && var->size != list[i].size)
            rc = check_add(f, FINDING_WARNING, TIER_SECTION, 0, p->definition, "var", err,
                           "the %s %.80s has %" PRIu64 " bytes, neff.json gives it %" PRIu64, what, var->name,
                           var->size, list[i].size);
    }
    return rc;
}

static int check_graph(const struct neff *n, const struct program *p, struct findings *f, struct nerr *err)
{
    int rc = check_feature_names(neff_get_header(n), p, f, err);
    if (rc == 0)
        rc = check_io(p, p->inputs, p->ninputs, VARK_INPUT, "input", f, err);
    if (rc == 0)
        rc = check_io(p, p->outputs, p->noutputs, VARK_OUTPUT, "output", f, err);
    return rc;
}

static int check_file(const struct neff *n, size_t graphs, struct findings *f, struct nerr *err)
{
    uint32_t vnc = neff_get_header(n)->vnc_size;
    int rc = 0;
    if (graphs && vnc >= 1 && vnc <= NEFF_VNC_MAX && graphs != vnc)
        rc =
            check_add(f, FINDING_WARNING, TIER_SECTION, 0, "", "byte 0x228", err,
                      "vnc_size is %u, but the kelf has %zu graphs: there is one for each core", vnc, graphs);
    if (rc == 0 && !neff_find(n, "hlo_stats.json"))
        rc = check_add(f, FINDING_WARNING, TIER_SECTION, 0, "", "", err,
                       "Unable to find hlo_stats.json in the NEFF");
    return rc;
}

int neff_check(const struct neff *n, const struct check_options *opt, struct findings *f,
               struct program ***list, size_t *count, struct nerr *err)
{
    *list = NULL;
    *count = 0;
    int rc = check_feature_bits(neff_get_header(n), f, err);
    if (rc == 0)
        rc = program_read_all(n, opt->arch, opt->allow_legacy, f, list, count, err);
    for (size_t i = 0; rc == 0 && i < *count && !findings_stop(f); i++)
        rc = check_graph(n, (*list)[i], f, err);
    if (rc == 0 && !findings_stop(f))
        rc = check_file(n, *count, f, err);
    if (rc) {
        program_free_all(*list, *count);
        *list = NULL;
        *count = 0;
    }
    return rc;
}
