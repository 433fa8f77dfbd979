/* Declarations of an FST file: from unpacked hierarchy bytes to the list of variables of a reader. */
#ifndef NEFFSIM_WAVE_FST_HIER_H
#define NEFFSIM_WAVE_FST_HIER_H

#include "wave/fst_file.h"
#include "wave/reader.h"

/* Fills vars, nvars, nscopes and nsignals of r (freed by wave_reader_close, also after a failure). */
int fst_hier_read(const struct fst_file *f, struct wave_reader *r, struct nerr *err);

#endif
