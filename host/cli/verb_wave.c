/* neffsim wave: compares two waves, or says what is in one. */
#include <stdio.h>
#include <string.h>

#include "cli/args.h"
#include "cli/verbs.h"
#include "cli/wave_open.h"

static const char usage_text[] =
    "usage: neffsim wave diff A B [options]   do A (the golden) and B hold the same values?\n"
    "       neffsim wave info FILE [options]  what is in FILE?\n"
    "       neffsim wave dump FILE [options]  FILE as text\n"
    "\n"
    "Waves are FST or VCD files. The options are listed by neffsim wave diff --help, and so on.\n"
    "\n"
    "example: neffsim wave diff golden.fst run.fst --gtkw diff.gtkw\n"
    "\n"
    "exit codes: 0 equal, or the file is complete; 1 different; 2 usage, or a file cannot be read\n";

int verb_wave(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    if (strcmp(word, "diff") == 0)
        return verb_wave_diff(argc - 1, argv + 1);
    if (strcmp(word, "info") == 0)
        return verb_wave_info(argc - 1, argv + 1);
    if (strcmp(word, "dump") == 0)
        return verb_wave_dump(argc - 1, argv + 1);
    if (strcmp(word, "--help") == 0) {
        fputs(usage_text, stdout);
        return 0;
    }
    return cli_complain("wave: the first word is diff, info or dump; see neffsim wave --help");
}
