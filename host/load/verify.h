/*
 * The second half of `check`: what the bytes of the programs and libraries of one graph decide, after the
 * manifests (neff-container.md §22 items 8, 10, 11). Per engine: program size, dialect, every slot
 * (tpb-sequencer.md §1-§6, tpb-image.md §4), then names that slots and manifests must agree on; per library
 * the prelinker. Nothing here depends on what this project's loader can run yet.
 *
 * All problems become findings of tier 3. Slots are counted from 1, as everywhere.
 */
#ifndef NEFFSIM_LOAD_VERIFY_H
#define NEFFSIM_LOAD_VERIFY_H

#include "neff/program.h"
#include "util/findings.h"

/*
 * p as program_read_all made it: what is bad or a gap is not judged. arch: 2, 3, 4, or 0: the one
 * that the target names, for target "*" slots must be right in some generation. Returns non-zero (NERR_MEM)
 * only when memory ran out.
 */
int load_verify(const struct program *p, unsigned arch, struct findings *f, struct nerr *err);

#endif
