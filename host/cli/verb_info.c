/* neffsim info: what a NEFF holds, as text or as one JSON document. Reads, never judges beyond what reading
 * needs. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/info.h"
#include "cli/verbs.h"
#include "neff/program.h"

static void usage(FILE *out)
{
    fputs("usage: neffsim info [--json] [--no-hash] FILE.neff\n"
          "example: neffsim info model.neff\n\n"
          "  --json     one JSON document on stdout\n"
          "  --no-hash  does not verify the digest of the archive\n\n"
          "exit codes: 0 readable, 1 the contents break a rule of the format, 2 usage or unreadable input\n",
          out);
}

static void warn(void *ctx, const char *where, const char *text)
{
    (void)ctx;
    cli_warn(where, text);
}

static void free_programs(struct program **programs, size_t count)
{
    for (size_t i = 0; programs && i < count; i++)
        program_free(programs[i]);
    free(programs);
}

/* The programs of every graph; the caller frees with free_programs. */
static int read_programs(const struct neff *n, struct program ***programs, size_t *count, struct nerr *err)
{
    const char **graphs;
    int rc = program_graphs(n, &graphs, count, err);
    if (rc)
        return rc;
    *programs = calloc(*count, sizeof **programs);
    if (!*programs)
        rc = nerr_set(err, NERR_MEM, "", "out of memory");
    for (size_t i = 0; rc == 0 && i < *count; i++)
        rc = program_read(n, graphs[i], &(*programs)[i], err);
    free(graphs);
    return rc;
}

int verb_info(int argc, char **argv)
{
    enum { OPT_JSON = 256, OPT_NO_HASH, OPT_HELP };
    static const struct option options[] = {
        { "json", no_argument, NULL, OPT_JSON },
        { "no-hash", no_argument, NULL, OPT_NO_HASH },
        { "help", no_argument, NULL, OPT_HELP },
        { NULL, 0, NULL, 0 },
    };
    struct neff_options opt = { .warn = warn };
    bool json = false;
    optind = 1;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (c == OPT_JSON)
            json = true;
        else if (c == OPT_NO_HASH)
            opt.no_hash = true;
        else {
            if (c != 'h' && c != OPT_HELP)
                return cli_bad_option("info", argc, argv);
            usage(stdout);
            return 0;
        }
    }
    if (optind + 1 != argc)
        return cli_complain("info takes one NEFF file, %d given; see neffsim info --help", argc - optind);

    struct neff *n = NULL;
    struct program **programs = NULL;
    size_t count = 0;
    struct nerr err;
    struct strbuf out = { 0 };
    int rc = neff_open(argv[optind], &opt, &n, &err);
    if (rc)
        return cli_fail(&err);
    rc = read_programs(n, &programs, &count, &err);
    if (rc)
        nerr_prefix(&err, argv[optind]);
    else if (json)
        info_json(n, programs, count, &out);
    else
        info_text(argv[optind], n, programs, count, &out);
    if (rc == 0 && out.failed)
        rc = nerr_set(&err, NERR_MEM, argv[optind], "out of memory");
    if (rc == 0 && json)
        cli_document(&out);
    else if (rc == 0)
        cli_text(&out);
    strbuf_free(&out);
    free_programs(programs, count);
    neff_close(n);
    return rc ? cli_fail(&err) : 0;
}
