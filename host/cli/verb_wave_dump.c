/* neffsim wave dump: a wave as text that can be compared line by line. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/wave_open.h"
#include "wave/dump.h"

static const char usage_text[] =
    "usage: neffsim wave dump FILE [options]   FILE (FST or VCD) as text\n"
    "\n"
    "Writes the settled values of each time step, sorted by name: the same text for every file that holds "
    "the\n"
    "same values. docs/waves.md describes its lines.\n"
    "  --signal GLOB       these signals only (may be repeated; * stands for any text, dots too)\n"
    "  --window FROM:TO    this time only, both ends included: 100:200 (ticks), 10ns:3us, :5us; begins with\n"
    "                      every value that is known at FROM\n"
    "  --allow-incomplete  read an unfinished file as far as it is complete\n"
    "\n"
    "example: neffsim wave dump run.fst --signal '*.u_seq.*' --window 10ns:20ns\n"
    "\n"
    "exit codes: 0 FILE was written; 2 usage, FILE cannot be read, or no signal was selected\n";

enum { OPT_SIGNAL = 256, OPT_WINDOW, OPT_INCOMPLETE, OPT_HELP };

static const struct option options[] = {
    { "signal", required_argument, NULL, OPT_SIGNAL },
    { "window", required_argument, NULL, OPT_WINDOW },
    { "allow-incomplete", no_argument, NULL, OPT_INCOMPLETE },
    { "help", no_argument, NULL, OPT_HELP },
    { NULL, 0, NULL, 0 },
};

struct command {
    const char **globs; /* room for argc */
    struct wave_dump_options dump;
    struct wave_open_options open;
    bool help;
};

static int put(void *ctx, const char *text, size_t n, struct nerr *err)
{
    (void)ctx;
    if (fwrite(text, 1, n, stdout) == n)
        return 0;
    return nerr_set(err, NERR_IO, "standard output", "cannot be written: %s", strerror(errno));
}

static int run(const struct command *c, const char *path)
{
    struct wave_reader *r = NULL;
    struct nerr err = { 0 };
    int rc = wave_reader_open_with(path, &c->open, &r, &err);
    if (!rc)
        rc = wave_dump(r, &c->dump, put, NULL, &err);
    wave_reader_close(r);
    return rc ? cli_fail(&err) : 0;
}

/* Returns 0, or the exit code of a usage error. */
static int parse(struct command *c, int argc, char **argv)
{
    struct nerr err = { 0 };
    int opt;
    optind = 1;
    opterr = 0;
    while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (opt) {
        case OPT_SIGNAL:
            c->globs[c->dump.nglobs++] = optarg;
            break;
        case OPT_WINDOW:
            if (wave_window_parse(optarg, &c->dump.window, &err))
                return cli_fail(&err);
            break;
        case OPT_INCOMPLETE:
            c->open.allow_incomplete = true;
            break;
        case OPT_HELP:
            c->help = true;
            break;
        default:
            return cli_bad_option("wave", argc, argv);
        }
    }
    c->dump.globs = c->globs;
    return 0;
}

int verb_wave_dump(int argc, char **argv)
{
    struct command c = { .open = { .warn = cli_wave_warn } };
    c.globs = calloc((size_t)argc + 1, sizeof *c.globs);
    int code = c.globs ? parse(&c, argc, argv) : cli_complain("wave: out of memory");
    if (code == 0 && c.help)
        fputs(usage_text, stdout);
    else if (code == 0 && argc - optind != 1)
        code = cli_complain("wave: dump takes one file; see neffsim wave dump --help");
    else if (code == 0)
        code = run(&c, argv[optind]);
    free(c.globs);
    return code;
}
