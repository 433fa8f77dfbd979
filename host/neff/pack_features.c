/*
 * Feature bits and major version of a NEFF that is being packed (neff-container.md §20, §23 item 4): a custom
 * operator asks for bit 2, the names in def.json's neff_features ask for theirs, and any bit for major 2.
 */
#include <stdio.h>
#include <string.h>

#include "neff/container.h"
#include "neff/pack_source.h"
#include "neff/program.h"
#include "regs.h"

static uint64_t bit_of(const char *feature)
{
    for (unsigned bit = 0; bit < 64; bit++) {
        const char *name = neff_feature_name(bit);
        if (name && strcmp(name, feature) == 0)
            return UINT64_C(1) << bit;
    }
    return 0;
}

/* Feature bits that a graph asks for. */
static uint64_t wanted_bits(const struct program *p)
{
    uint64_t bits = p->has_ucode_lib ? UINT64_C(1) << NEFF_FEAT_CUSTOM_OPS_BIT : 0;
    for (size_t i = 0; i < p->nfeatures; i++)
        bits |= bit_of(p->features[i]);
    return bits;
}

static void warn(const struct neff_pack_options *opt, const char *text)
{
    if (opt->warn)
        opt->warn(opt->warn_ctx, "header.json", text);
}

static void warn_missing(const struct neff_pack_options *opt, uint64_t missing)
{
    for (unsigned bit = 0; bit < 64; bit++) {
        char text[160];
        if (!(missing >> bit & 1))
            continue;
        snprintf(text, sizeof text, "feature_bits has no bit %u (%s), which the members ask for", bit,
                 neff_feature_name(bit));
        warn(opt, text);
    }
}

static void apply(struct neff_header *h, uint64_t wanted, const struct neff_pack_settings *s,
                  const struct neff_pack_options *opt)
{
    if (s->derive_features)
        h->feature_bits |= wanted;
    else
        warn_missing(opt, wanted & ~h->feature_bits);
    if (!h->feature_bits || h->version_major >= NEFF_MAJOR_FEATURES)
        return;
    if (s->derive_major)
        h->version_major = NEFF_MAJOR_FEATURES;
    else
        warn(opt, "version_major is below 2, so no runtime looks at feature_bits");
}

int pack_set_features(uint8_t *image, size_t len, const struct neff_pack_settings *s,
                      const struct neff_pack_options *opt, struct nerr *err)
{
    const struct neff_options open = { .no_hash = true, .any_version = true };
    struct findings ignored = { 0 }; /* checking comes later */
    struct neff *n;
    struct program **graphs = NULL;
    size_t count = 0;
    uint64_t wanted = 0;
    if (neff_open_memory(image, len, &open, &n, err))
        return err->code == NERR_MEM ? err->code : 0;
    int rc = program_read_all(n, 0, true, &ignored, &graphs, &count, err);
    for (size_t i = 0; rc == 0 && i < count; i++)
        wanted |= wanted_bits(graphs[i]);
    if (rc == 0) {
        struct neff_header h = *neff_get_header(n);
        apply(&h, wanted, s, opt);
        header_write(&h, image);
        program_free_all(graphs, count);
    }
    findings_free(&ignored);
    neff_close(n);
    return rc;
}
