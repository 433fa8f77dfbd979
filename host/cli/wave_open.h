/* What the wave verbs share. */
#ifndef NEFFSIM_CLI_WAVE_OPEN_H
#define NEFFSIM_CLI_WAVE_OPEN_H

#include "cli/args.h"
#include "wave/reader.h"

/* Options that print warnings on stderr. */
static inline void cli_wave_warn(void *ctx, const char *where, const char *text)
{
    (void)ctx;
    cli_warn(where, text);
}

int verb_wave_diff(int argc, char **argv);
int verb_wave_info(int argc, char **argv);
int verb_wave_dump(int argc, char **argv);

#endif
