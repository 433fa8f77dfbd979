/* neffsim: picks the verb. Each verb has its own file and its own --help. */
#include <stdio.h>
#include <string.h>

#include "cli/verbs.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *meaning;
} verbs[] = {
    { "info", verb_info, "header, graphs, variables, rings and engines of a NEFF at a glance" },
    { "pack", verb_pack, "makes a NEFF from a folder of members" },
    { "run", verb_run, "runs a NEFF on the RTL (or another device) and judges every step" },
    { "case", verb_case, "runs vector cases: source folder, inputs and golden results" },
    { "wave", verb_wave, "compares and describes waveforms" },
};

static void usage(FILE *out)
{
    fputs("usage: neffsim VERB [options]\n\n", out);
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        fprintf(out, "  %-6s %s\n", verbs[i].name, verbs[i].meaning);
    fputs("\nneffsim VERB --help shows an example and the exit codes of a verb.\n", out);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        usage(stderr);
        return 2;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        usage(stdout);
        return 0;
    }
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        if (strcmp(argv[1], verbs[i].name) == 0)
            return verbs[i].run(argc - 1, argv + 1);
    fprintf(stderr, "neffsim: '%s' is no verb; see neffsim --help\n", argv[1]);
    return 2;
}
