/* Where the result of a wave comparison goes: standard output and the files that options ask for. */
#ifndef NEFFSIM_CLI_WAVE_OUTPUT_H
#define NEFFSIM_CLI_WAVE_OUTPUT_H

#include <stdbool.h>

#include "wave/report.h"

struct wave_output {
    bool json;                       /* one document on standard output instead of the text */
    const char *junit, *html, *gtkw; /* files, NULL: not asked for */
};

/* The lines of `neffsim wave diff --help` about these options. */
extern const char wave_output_help[];

/* "GLOB=KIND" of --decode. `text` is cut at the sign and stays in use. False after a complaint. */
bool wave_output_decode(char *text, struct wave_decode_rule *out);

/* Prints the report and writes the files. 0, or 2 after a complaint. */
int wave_output_write(const struct wave_output *o, const struct wave_report *report);

#endif
