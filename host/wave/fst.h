/* The FST implementation of a wave reader. */
#ifndef NEFFSIM_WAVE_FST_H
#define NEFFSIM_WAVE_FST_H

#include "wave/reader.h"

int fst_reader_open(const char *path, const struct wave_open_options *options, struct wave_reader **out,
                    struct nerr *err);

#endif
