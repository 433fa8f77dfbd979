/*
 * FST files whose writer was killed. While it writes, the header counts no blocks, the last block is marked
 * as unwritten, and the declarations are in a file of their own, "path.hier". All blocks before the last one
 * are whole and end with a whole time step.
 */
#ifndef NEFFSIM_WAVE_FST_REPAIR_H
#define NEFFSIM_WAVE_FST_REPAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "util/nerr.h"

struct fst_repair {
    uint64_t start, end; /* ticks: the times that the whole blocks cover */
    uint64_t blocks;
    int exponent; /* of a tick */
};

/*
 * Replaces *fd, which is closed, by an unlinked temporary file with the whole blocks and the declarations of
 * "path.hier", closed as a writer would have done, and *size by its size. With `really` false it only says in
 * *err up to where the file is complete. On failure *fd is still the old one.
 */
int fst_repair(const char *path, bool really, int *fd, uint64_t *size, struct fst_repair *out,
               struct nerr *err);

#endif
