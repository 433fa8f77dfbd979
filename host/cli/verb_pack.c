/* neffsim pack: a source folder -> NEFF (docs/neff-pack.md). */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/args.h"
#include "cli/verbs.h"
#include "neff/pack.h"
#include "util/json_write.h"

static void usage(FILE *out)
{
    fputs("usage: neffsim pack DIR -o FILE.neff [--pkg 1|2] [--stored | --level N] [--reproducible]\n"
          "example: neffsim pack vectors/allreduce/src -o allreduce.neff --stored\n\n"
          "  -o FILE         the file to write\n"
          "  --pkg N         package version: 1 bare tar with SHA-256, 2 gzip with MD5 (default: as "
          "header.json)\n"
          "  --stored        gzip without compression, the same bytes everywhere\n"
          "  --level N       zlib level 0..9\n"
          "  --json          says on stdout what was written\n"
          "  --reproducible  sorted members, neutral owner and times, uuid from the content\n\n"
          "exit codes: 0 written, 1 the members break a rule of the format, 2 usage or unreadable input\n",
          out);
}

static void warn(void *ctx, const char *where, const char *text)
{
    (void)ctx;
    cli_warn(where, text);
}

enum { OPT_PKG = 256, OPT_STORED, OPT_LEVEL, OPT_REPRODUCIBLE, OPT_JSON, OPT_HELP };

/* Returns 0 to go on, else the exit code + 1. */
static int parse(int argc, char **argv, struct neff_pack_options *opt, const char **out, bool *json)
{
    static const struct option options[] = {
        { "output", required_argument, NULL, 'o' },
        { "pkg", required_argument, NULL, OPT_PKG },
        { "stored", no_argument, NULL, OPT_STORED },
        { "level", required_argument, NULL, OPT_LEVEL },
        { "reproducible", no_argument, NULL, OPT_REPRODUCIBLE },
        { "json", no_argument, NULL, OPT_JSON },
        { "help", no_argument, NULL, OPT_HELP },
        { NULL, 0, NULL, 0 },
    };
    uint64_t n;
    optind = 1;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, "o:h", options, NULL)) != -1;) {
        switch (c) {
        case 'o':
            *out = optarg;
            break;
        case OPT_PKG:
            if (!arg_u64("--pkg", optarg, 1, 2, &n))
                return 3;
            opt->pkg = (int)n;
            break;
        case OPT_STORED:
            opt->has_gzip = true;
            opt->gzip = NEFF_PACK_STORED;
            break;
        case OPT_LEVEL:
            if (!arg_u64("--level", optarg, 0, 9, &n))
                return 3;
            opt->has_gzip = true;
            opt->gzip = (int)n;
            break;
        case OPT_REPRODUCIBLE:
            opt->reproducible = true;
            break;
        case OPT_JSON:
            *json = true;
            break;
        case 'h':
        case OPT_HELP:
            usage(stdout);
            return 1;
        default:
            return 1 + cli_bad_option("pack", argc, argv);
        }
    }
    if (opt->pkg == 1 && opt->has_gzip)
        return 1 +
               cli_complain(
                   "--pkg: a package of version 1 is not compressed, --stored and --level need version 2");
    if (optind + 1 != argc || !*out)
        return 1 + cli_complain("pack takes one folder and -o FILE; see neffsim pack --help");
    return 0;
}

static void document(const char *out)
{
    struct strbuf b = { 0 };
    struct json_out j = { .b = &b };
    json_open(&j, '{');
    json_put_key(&j, "verdict");
    json_put_string(&j, "written");
    json_put_key(&j, "file");
    json_put_string(&j, out);
    json_close(&j, '}');
    cli_document(&b);
    strbuf_free(&b);
}

int verb_pack(int argc, char **argv)
{
    struct neff_pack_options opt = { .warn = warn };
    const char *out = NULL;
    struct nerr err;
    bool json = false;
    int stop = parse(argc, argv, &opt, &out, &json);
    if (stop)
        return stop - 1;
    if (neff_pack(argv[optind], &opt, out, &err))
        return cli_fail(&err);
    if (json)
        document(out);
    return 0;
}
