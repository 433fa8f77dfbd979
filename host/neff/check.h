/*
 * Every load-time gate of a NEFF that its header, archive and manifests decide, in the runtime's order
 * (neff-container.md §3, §8-18, §20): container, architecture, sections. All problems are collected, not only
 * the first. What the slots of the programs and the libraries decide comes after this: load/verify.h.
 */
#ifndef NEFFSIM_NEFF_CHECK_H
#define NEFFSIM_NEFF_CHECK_H

#include "neff/program.h"
#include "util/findings.h"

struct check_options {
    unsigned arch;        /* 2, 3, 4: judge for that generation; 0: the target must be valid, no more */
    bool allow_legacy;    /* as NEURON_RT_ALLOW_LEGACY_NEFF=1 */
    bool no_hash;         /* for neff_check_open */
    uint64_t max_inflate; /* for neff_check_open, 0 = default */
};

/*
 * Opens a file; what the container is refused for and warned about becomes findings of tier 1. After a wrong
 * digest the file is opened without it, so that the rest is judged too. *out is NULL when a finding says why
 * there is nothing to judge; the caller closes it. Returns non-zero only for NERR_IO and NERR_MEM.
 */
int neff_check_open(const char *path, const struct check_options *opt, struct findings *f, struct neff **out,
                    struct nerr *err);

/*
 * Feature bits, architecture and sections of an open file. *list: the graphs as far as they could be read
 * (program_read_all), freed with program_free_all. Returns non-zero only when memory ran out, then there is
 * nothing to free.
 */
int neff_check(const struct neff *n, const struct check_options *opt, struct findings *f,
               struct program ***list, size_t *count, struct nerr *err);

#endif
