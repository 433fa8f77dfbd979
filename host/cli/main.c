/* neffsim: picks the verb. Each verb has its own file and its own --help. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/args.h"
#include "cli/verbs.h"
#include "util/interrupt.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *meaning;
} verbs[] = {
    { "info", verb_info, "header, graphs, variables, rings and engines of a NEFF at a glance" },
    { "check", verb_check, "every load-time gate: says why a NEFF is refused" },
    { "unpack", verb_unpack, "the members of a NEFF as files of a folder" },
    { "pack", verb_pack, "makes a NEFF from a folder of members" },
    { "disasm", verb_disasm, "programs as text" },
    { "asm", verb_asm, "text as a program" },
    { "prelink", verb_prelink, "turns a Q7 kernel library (Xtensa ELF) into the image the POOL cores load" },
    { "run", verb_run, "runs a NEFF on the RTL (or another device) and judges every step" },
    { "case", verb_case, "runs vector cases: source folder, inputs and golden results" },
    { "decode", verb_decode, "slots, descriptors and records as text; GTKWave's filter process" },
    { "wave", verb_wave, "compares and describes waveforms" },
};

static void usage(FILE *out)
{
    fputs("usage: neffsim VERB [options]\n\n", out);
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        fprintf(out, "  %-7s %s\n", verbs[i].name, verbs[i].meaning);
    fputs("\nneffsim VERB --help shows an example and the exit codes of a verb.\n", out);
}

/* A file opened later must not take the place of a standard stream that the caller closed. These answer an
 * error. */
static void keep_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) == -1)
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
    keep_standard_streams();
    if (argc < 2) {
        usage(stderr);
        return 2;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        usage(stdout);
        return 0;
    }
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        if (strcmp(argv[1], verbs[i].name) == 0) {
            int code = cli_finish(argc, argv, verbs[i].run(argc - 1, argv + 1));
            int number = interrupt_pending();
            return number ? 128 + number : code;
        }
    return cli_finish(argc, argv, cli_complain("'%s' is no verb; see neffsim --help", argv[1]));
}
