/* neffsim pack: a source folder -> NEFF (docs/neff.md). What `neffsim check` would refuse is not written. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/verbs.h"
#include "load/verify.h"
#include "neff/check.h"
#include "neff/pack.h"
#include "util/json_write.h"

static void usage(FILE *out)
{
    fputs(
        "usage: neffsim pack DIR -o FILE.neff [--pkg 1|2] [--stored | --level N] [--reproducible] [--force]\n"
        "example: neffsim pack vectors/allreduce/src -o allreduce.neff --stored\n\n"
        "  -o FILE         the file to write\n"
        "  --pkg N         package version: 1 bare tar with SHA-256, 2 gzip with MD5 (default: as "
        "header.json)\n"
        "  --stored        gzip without compression, the same bytes everywhere\n"
        "  --level N       zlib level 0..9\n"
        "  --reproducible  sorted members, neutral owner and times, uuid from the content\n"
        "  --header NAME   file of the header inside DIR (header.json)\n"
        "  --force         writes what `neffsim check` refuses, too\n"
        "  --json          says on stdout what was written\n\n"
        "exit codes: 0 written, 1 the members break a rule of the format, 2 usage or unreadable input\n",
        out);
}

struct request {
    struct neff_pack_options opt;
    bool stored, level; /* which of the two was given */
    const char *dir, *out;
    bool json, force;
};

static void warn(void *ctx, const char *where, const char *text)
{
    (void)ctx;
    cli_warn(where, text);
}

enum { OPT_PKG = 256, OPT_STORED, OPT_LEVEL, OPT_REPRODUCIBLE, OPT_FORCE, OPT_HEADER, OPT_JSON, OPT_HELP };

/* Returns 0 to go on, else the exit code + 1. */
static int parse(int argc, char **argv, struct request *r)
{
    struct neff_pack_options *opt = &r->opt;
    static const struct option options[] = {
        { "output", required_argument, NULL, 'o' },
        { "pkg", required_argument, NULL, OPT_PKG },
        { "stored", no_argument, NULL, OPT_STORED },
        { "level", required_argument, NULL, OPT_LEVEL },
        { "reproducible", no_argument, NULL, OPT_REPRODUCIBLE },
        { "force", no_argument, NULL, OPT_FORCE },
        { "header", required_argument, NULL, OPT_HEADER },
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
            r->out = optarg;
            break;
        case OPT_PKG:
            if (!arg_u64("--pkg", optarg, 1, 2, &n))
                return 3;
            opt->pkg = (int)n;
            break;
        case OPT_STORED:
            r->stored = true;
            opt->gzip = NEFF_PACK_STORED;
            break;
        case OPT_LEVEL:
            if (!arg_u64("--level", optarg, 0, 9, &n))
                return 3;
            r->level = true;
            opt->gzip = (int)n;
            break;
        case OPT_REPRODUCIBLE:
            opt->reproducible = true;
            break;
        case OPT_FORCE:
            r->force = true;
            break;
        case OPT_HEADER:
            opt->header_name = optarg;
            break;
        case OPT_JSON:
            r->json = true;
            break;
        case 'h':
        case OPT_HELP:
            usage(stdout);
            return 1;
        default:
            return 1 + cli_bad_option("pack", argc, argv);
        }
    }
    if (r->stored && r->level)
        return 1 + cli_complain("--stored and --level exclude each other");
    opt->has_gzip = r->stored || r->level;
    if (opt->pkg == 1 && opt->has_gzip)
        return 1 +
               cli_complain(
                   "--pkg: a package of version 1 is not compressed, --stored and --level need version 2");
    if (optind + 1 != argc || !r->out)
        return 1 + cli_complain("pack takes one folder and -o FILE; see neffsim pack --help");
    r->dir = argv[optind];
    return 0;
}

/* Everything that `neffsim check` would say about the packed file. */
static int judge(const uint8_t *image, size_t len, struct findings *f, struct nerr *err)
{
    static const struct check_options plain;
    const struct neff_options open = { .warn = warn };
    struct program **graphs = NULL;
    struct neff *n = NULL;
    struct nerr why;
    size_t count = 0;
    int rc = neff_open_memory(image, len, &open, &n, &why);
    if (rc)
        return findings_add_at(f, findings_level(&why), 1, "", why.where, &why, err);
    rc = neff_check(n, &plain, f, &graphs, &count, err);
    for (size_t i = 0; rc == 0 && i < count; i++)
        rc = load_verify(graphs[i], plain.arch, f, err);
    program_free_all(graphs, count);
    neff_close(n);
    return rc;
}

#define PROBLEMS_SHOWN 20

/* Problems on stderr. Returns the exit code that they ask for, 0 with --force. */
static int complain(const struct request *r, const struct findings *f)
{
    size_t all = findings_count(f, FINDING_RULE) + findings_count(f, FINDING_INPUT), shown = 0;
    for (size_t i = 0; i < f->count && shown < PROBLEMS_SHOWN; i++) {
        const struct finding *x = &f->list[i];
        struct nerr e;
        if (x->level < FINDING_RULE)
            continue;
        nerr_set(&e, x->level == FINDING_RULE ? NERR_RULE : NERR_INPUT, r->dir, "%s%s%s%s%s", x->member,
                 x->member[0] && x->place[0] ? " " : "", x->place, x->member[0] || x->place[0] ? ": " : "",
                 x->text);
        if (r->force)
            cli_warn(e.where, e.text);
        else
            cli_fail(&e);
        shown++;
    }
    if (shown < all)
        cli_warn(r->dir, "there are more problems than shown");
    return r->force ? 0 : findings_exit_code(f);
}

static void document(const struct request *r, size_t len, const struct findings *f)
{
    struct strbuf b = { 0 };
    struct json_out j = { .b = &b };
    json_open(&j, '{');
    json_put_key(&j, "verdict");
    json_put_string(&j, "written");
    json_put_key(&j, "file");
    json_put_string(&j, r->out);
    json_put_key(&j, "size");
    json_put_u64(&j, len);
    json_put_key(&j, "problems");
    json_put_u64(&j, findings_count(f, FINDING_RULE) + findings_count(f, FINDING_INPUT));
    json_close(&j, '}');
    cli_document(&b);
    strbuf_free(&b);
}

int verb_pack(int argc, char **argv)
{
    struct request r = { .opt = { .warn = warn, .unchecked = true } };
    struct findings f = { 0 };
    struct nerr err;
    uint8_t *image = NULL;
    size_t len = 0;
    int stop = parse(argc, argv, &r);
    if (stop)
        return stop - 1;
    int rc = neff_pack_folder(r.dir, &r.opt, &image, &len, &err);
    if (rc == 0)
        rc = judge(image, len, &f, &err);
    int code = rc ? cli_fail(&err) : complain(&r, &f);
    if (code == 0 && cli_write(NULL, r.out, image, len, &err))
        code = cli_fail(&err);
    if (code == 0 && r.json)
        document(&r, len, &f);
    free(image);
    findings_free(&f);
    return code;
}
