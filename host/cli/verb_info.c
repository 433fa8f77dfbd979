/*
 * neffsim info: what a NEFF holds, as a page or as one JSON document. It judges no more than reading needs,
 * and shows what it can of a file that is refused: exit code 1 or 2 then, as `check` gives.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/info.h"
#include "cli/verbs.h"
#include "neff/check.h"

static void usage(FILE *out)
{
    fputs("usage: neffsim info [--json] [--graph G] [--metaneff FILE] [--all] [--color WHEN] [--no-hash]\n"
          "                    [--max-size N] FILE.neff\n"
          "example: neffsim info model.neff --metaneff model.metaneff\n\n"
          "  --json           one JSON document on stdout, complete whatever else is given\n"
          "  --graph G        only this graph\n"
          "  --metaneff FILE  shows the metaneff that belongs to the NEFF, and its binding\n"
          "  --all            long tables and names in full\n"
          "  --color WHEN     auto (on a terminal, unless NO_COLOR is set), always, never\n"
          "  --no-hash        does not verify the digest of the archive\n"
          "  --max-size N     largest archive in memory, in bytes or with K, M, G, T (default 4G)\n\n"
          "exit codes: 0 shown, 1 a rule of the format is broken, 2 usage or unreadable input; what could be "
          "read\n"
          "is shown in all cases\n",
          out);
}

struct options {
    struct check_options check;
    bool json, all, colour;
    const char *graph, *metaneff;
};

enum { OPT_JSON = 256, OPT_GRAPH, OPT_METANEFF, OPT_ALL, OPT_COLOR, OPT_NO_HASH, OPT_MAX_SIZE, OPT_HELP };

/* Returns 0 to go on, else the exit code + 1. */
static int parse(int argc, char **argv, struct options *opt)
{
    static const struct option options[] = {
        { "json", no_argument, NULL, OPT_JSON },
        { "graph", required_argument, NULL, OPT_GRAPH },
        { "metaneff", required_argument, NULL, OPT_METANEFF },
        { "all", no_argument, NULL, OPT_ALL },
        { "color", required_argument, NULL, OPT_COLOR },
        { "no-hash", no_argument, NULL, OPT_NO_HASH },
        { "max-size", required_argument, NULL, OPT_MAX_SIZE },
        { "help", no_argument, NULL, OPT_HELP },
        { NULL, 0, NULL, 0 },
    };
    optind = 1;
    opterr = 0;
    page_colour("auto", &opt->colour);
    for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        switch (c) {
        case OPT_JSON:
            opt->json = true;
            break;
        case OPT_GRAPH:
            opt->graph = optarg;
            break;
        case OPT_METANEFF:
            opt->metaneff = optarg;
            break;
        case OPT_ALL:
            opt->all = true;
            break;
        case OPT_COLOR:
            if (!page_colour(optarg, &opt->colour))
                return 1 + cli_complain("--color: '%s' is not auto, always or never", optarg);
            break;
        case OPT_NO_HASH:
            opt->check.no_hash = true;
            break;
        case OPT_MAX_SIZE:
            if (!arg_size("--max-size", optarg, &opt->check.max_inflate))
                return 3;
            break;
        case 'h':
        case OPT_HELP:
            usage(stdout);
            return 1;
        default:
            return 1 + cli_bad_option("info", argc, argv);
        }
    }
    if (optind + 1 != argc)
        return 1 + cli_complain("info takes one NEFF file, %d given; see neffsim info --help", argc - optind);
    return 0;
}

/* True when the digest was compared and is right (rows 8 to 10 of §3). */
static bool digest_is_right(const struct findings *f)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->list[i].gate >= 8 && f->list[i].gate <= 10)
            return false;
    return true;
}

/* True when a version (rows 4, 5 and 7 of §3) is all that keeps the archive closed. */
static bool only_version(const struct findings *f)
{
    for (size_t i = 0; i < f->count; i++) {
        int gate = f->list[i].gate;
        if (f->list[i].level >= FINDING_RULE && gate != 4 && gate != 5 && gate != 7)
            return false;
    }
    return true;
}

/* Opens the archive; what the container is refused for becomes findings. */
static int open_container(struct info *in, const struct check_options *opt, struct nerr *err)
{
    struct nerr ignored; /* said before, or no better than what is said already */
    neff_peek(in->path, &in->start);
    int rc = neff_check_open(in->path, opt, &in->findings, &in->neff, err);
    if (rc)
        return rc;
    if (in->neff) {
        in->hash_checked = !opt->no_hash && digest_is_right(&in->findings);
        in->start.header = *neff_get_header(in->neff);
        in->start.has_header = true;
    } else if (only_version(&in->findings)) {
        struct neff_options anyway = { .no_hash = true,
                                       .any_version = true,
                                       .max_inflate = opt->max_inflate };
        if (neff_open(in->path, &anyway, &in->neff, &ignored))
            in->neff = NULL;
    }
    return 0;
}

static int pick_graph(const struct info *in, struct nerr *err)
{
    struct strbuf names = { 0 };
    bool found = !in->graph;
    for (size_t i = 0; i < in->nprograms; i++) {
        found = found || info_shows(in, in->programs[i]);
        strbuf_printf(&names, "%s%s", i ? ", " : "", in->programs[i]->graph_name);
    }
    int rc = found
                 ? 0
                 : nerr_set(err, NERR_INPUT, in->path, "there is no graph \"%s\" that can be read; found: %s",
                            in->graph, names.s ? names.s : "none");
    strbuf_free(&names);
    return rc;
}

static int gather(struct info *in, const struct options *opt, struct nerr *err)
{
    int rc = open_container(in, &opt->check, err);
    if (rc == 0 && opt->metaneff)
        rc = metaneff_open(opt->metaneff, &in->findings, &in->meta, err);
    if (rc == 0 && in->neff)
        rc = program_read_all(in->neff, 0, true, &in->findings, &in->programs, &in->nprograms, err);
    return rc ? rc : pick_graph(in, err);
}

/* What the page shows may lack a part: the first problem goes to stderr, too. Returns the exit code. */
static int end(const struct info *in)
{
    const struct findings *f = &in->findings;
    for (size_t i = 0; i < f->count; i++) {
        const struct finding *x = &f->list[i];
        struct nerr e;
        if (x->level < FINDING_RULE)
            continue;
        nerr_set(&e, x->level == FINDING_RULE ? NERR_RULE : NERR_INPUT, in->path, "%s%s%s%s%s", x->member,
                 x->member[0] && x->place[0] ? " " : "", x->place, x->member[0] || x->place[0] ? ": " : "",
                 x->text);
        cli_fail(&e);
        break;
    }
    return findings_exit_code(f);
}

static bool print(const struct info *in, const struct options *opt)
{
    struct page page = { .colour = opt->colour, .all = opt->all, .width = PAGE_WIDTH };
    bool ok;
    if (opt->json) {
        info_json(in, &page.b);
        ok = !page.b.failed;
        if (ok)
            cli_document(&page.b);
    } else {
        info_text(in, &page);
        ok = !page.b.failed;
        page_print(&page);
    }
    strbuf_free(&page.b);
    return ok;
}

int verb_info(int argc, char **argv)
{
    struct options opt = { .json = false };
    struct nerr err;
    int stop = parse(argc, argv, &opt);
    if (stop)
        return stop - 1;
    struct info in = { .path = argv[optind], .graph = opt.graph };
    int rc = gather(&in, &opt, &err);
    if (rc == 0 && (in.start.has_header || in.neff || opt.json) && !print(&in, &opt))
        rc = nerr_set(&err, NERR_MEM, in.path, "out of memory for the page");
    int code = rc ? cli_fail(&err) : end(&in);
    metaneff_free(in.meta);
    program_free_all(in.programs, in.nprograms);
    neff_close(in.neff);
    findings_free(&in.findings);
    return code;
}
