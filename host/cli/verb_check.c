/* neffsim check: every load-time gate of a NEFF (architecture §6, §7). */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/args.h"
#include "cli/verbs.h"
#include "load/verify.h"
#include "neff/check.h"
#include "neff/metaneff.h"
#include "regs.h"
#include "util/json_write.h"

static void usage(FILE *out)
{
    fputs(
        "usage: neffsim check [--arch A] [--metaneff FILE] [--json] FILE.neff\n"
        "example: neffsim check --arch cayman model.neff\n\n"
        "  --arch A        judge for sunda (v2), cayman (v3) or mariana (v4); default any: the target of the "
        "file\n"
        "                  must be valid, no generation is asked for\n"
        "  --metaneff FILE what the metaneff says must hold for the NEFF, too\n"
        "  --allow-legacy  as the runtime with NEURON_RT_ALLOW_LEGACY_NEFF=1\n"
        "  --no-hash       skip the MD5 or SHA-256 of the header\n"
        "  --first         stop at the first problem\n"
        "  --max-size N    largest archive after inflating, such as 512M or 16G (default 4G)\n"
        "  --json          one JSON document on stdout\n\n"
        "exit codes: 0 valid (warnings allowed), 1 a rule is broken, 2 usage or unreadable input\n",
        out);
}

struct request {
    struct check_options opt;
    bool json, first;
    const char *path, *arch, *metaneff;
};

enum { OPT_ARCH = 256, OPT_LEGACY, OPT_NO_HASH, OPT_FIRST, OPT_MAX_SIZE, OPT_METANEFF, OPT_JSON };

static bool parse_arch(const char *text, struct request *r)
{
    static const char *const words[] = { "any", "sunda", "v2", "cayman", "v3", "mariana", "v4", NULL };
    static const unsigned arch[] = { 0,           ARCH_SUNDA,   ARCH_SUNDA,  ARCH_CAYMAN,
                                     ARCH_CAYMAN, ARCH_MARIANA, ARCH_MARIANA };
    unsigned i;
    if (!arg_word("--arch", text, words, &i))
        return false;
    r->opt.arch = arch[i];
    r->arch = words[i][0] == 'v' ? words[i - 1] : words[i]; /* v3 is cayman */
    return true;
}

/* Returns 0 to go on, else the exit code + 1. */
static int parse(int argc, char **argv, struct request *r)
{
    static const struct option options[] = {
        { "arch", required_argument, NULL, OPT_ARCH },
        { "allow-legacy", no_argument, NULL, OPT_LEGACY },
        { "no-hash", no_argument, NULL, OPT_NO_HASH },
        { "first", no_argument, NULL, OPT_FIRST },
        { "max-size", required_argument, NULL, OPT_MAX_SIZE },
        { "metaneff", required_argument, NULL, OPT_METANEFF },
        { "json", no_argument, NULL, OPT_JSON },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    optind = 1;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        switch (c) {
        case OPT_ARCH:
            if (!parse_arch(optarg, r))
                return 3;
            break;
        case OPT_LEGACY:
            r->opt.allow_legacy = true;
            break;
        case OPT_NO_HASH:
            r->opt.no_hash = true;
            break;
        case OPT_FIRST:
            r->first = true;
            break;
        case OPT_MAX_SIZE:
            if (!arg_size("--max-size", optarg, &r->opt.max_inflate))
                return 3;
            break;
        case OPT_METANEFF:
            r->metaneff = optarg;
            break;
        case OPT_JSON:
            r->json = true;
            break;
        case 'h':
            usage(stdout);
            return 1;
        default:
            return 1 + cli_bad_option("check", argc, argv);
        }
    }
    if (optind + 1 != argc)
        return 1 + cli_complain("check takes one NEFF file; see neffsim check --help");
    r->path = argv[optind];
    return 0;
}

/* The metaneff against the first graph, which has the inputs and outputs (neff-container.md §21). */
static int collect_metaneff(const char *path, const struct program *p, struct findings *f, struct nerr *err)
{
    struct metaneff *m;
    int rc = metaneff_open(path, f, &m, err);
    if (rc == 0 && m && p)
        rc = metaneff_check(m, p, f, err);
    metaneff_free(m);
    return rc;
}

/* Everything that is wrong with the file. */
static int collect(const struct request *r, struct findings *f, struct nerr *err)
{
    struct neff *n = NULL;
    struct program **graphs = NULL;
    size_t count = 0;
    int rc = neff_check_open(r->path, &r->opt, f, &n, err);
    if (rc == 0 && n && !findings_stop(f))
        rc = neff_check(n, &r->opt, f, &graphs, &count, err);
    for (size_t i = 0; rc == 0 && i < count && !findings_stop(f); i++)
        rc = load_verify(graphs[i], r->opt.arch, f, err);
    if (rc == 0 && r->metaneff && !findings_stop(f))
        rc = collect_metaneff(r->metaneff, count ? graphs[0] : NULL, f, err);
    program_free_all(graphs, count);
    neff_close(n);
    return rc;
}

static const char *verdict(const struct findings *f)
{
    static const char *const words[] = { "valid", "invalid", "unreadable" };
    return words[findings_exit_code(f)];
}

static const char *const level_names[FINDING_LEVELS] = { "note", "warning", "error", "unreadable" };

/* "error: tier 3, code 2: sg00/def.json var.SB.type: Invalid var type shared" */
static void finding_text(const struct finding *x, struct strbuf *out)
{
    strbuf_printf(out, "%s: ", level_names[x->level]);
    if (x->tier)
        strbuf_printf(out, "tier %d", x->tier);
    else
        strbuf_puts(out, "no tier");
    if (x->gate)
        strbuf_printf(out, " row %d", x->gate);
    if (x->runtime_code)
        strbuf_printf(out, ", code %d", x->runtime_code);
    strbuf_printf(out, ": %s%s%s%s%s\n", x->member, x->member[0] && x->place[0] ? " " : "", x->place,
                  x->member[0] || x->place[0] ? ": " : "", x->text);
}

static void count_text(struct strbuf *out, size_t n, const char *what)
{
    if (n)
        strbuf_printf(out, ", %zu %s%s", n, what, n == 1 ? "" : "s");
}

static void text(const struct request *r, const struct findings *f)
{
    struct strbuf out = { 0 };
    for (size_t i = 0; i < f->count; i++)
        finding_text(&f->list[i], &out);
    if (findings_full(f))
        strbuf_printf(&out, "stopped after %zu errors, there may be more\n",
                      findings_count(f, FINDING_INPUT) + findings_count(f, FINDING_RULE));
    else if (f->dropped)
        strbuf_printf(&out, "%zu more warnings and notes are not shown\n", f->dropped);
    strbuf_printf(&out, "%s %s: arch %s", verdict(f), r->path, r->arch);
    count_text(&out, findings_count(f, FINDING_INPUT) + findings_count(f, FINDING_RULE), "error");
    count_text(&out, findings_count(f, FINDING_WARNING), "warning");
    count_text(&out, findings_count(f, FINDING_NOTE), "note");
    strbuf_puts(&out, "\n");
    cli_text(&out);
    strbuf_free(&out);
}

static void finding_json(struct json_out *o, const struct finding *x)
{
    json_open(o, '{');
    json_put_key(o, "level");
    json_put_string(o, level_names[x->level]);
    json_put_key(o, "tier");
    json_put_i64(o, x->tier);
    json_put_key(o, "code");
    json_put_i64(o, x->runtime_code);
    json_put_key(o, "row");
    json_put_i64(o, x->gate);
    json_put_key(o, "member");
    json_put_string(o, x->member);
    json_put_key(o, "place");
    json_put_string(o, x->place);
    json_put_key(o, "text");
    json_put_string(o, x->text);
    json_close(o, '}');
}

static void document(const struct request *r, const struct findings *f)
{
    struct strbuf out = { 0 };
    struct json_out o = { .b = &out };
    json_open(&o, '{');
    json_put_key(&o, "file");
    json_put_string(&o, r->path);
    json_put_key(&o, "arch");
    json_put_string(&o, r->arch);
    json_put_key(&o, "verdict");
    json_put_string(&o, verdict(f));
    json_put_key(&o, "exit");
    json_put_i64(&o, findings_exit_code(f));
    json_put_key(&o, "complete");
    json_put_bool(&o, !findings_full(f) && !f->dropped && !findings_stop(f));
    json_put_key(&o, "findings");
    json_open(&o, '[');
    for (size_t i = 0; i < f->count; i++)
        finding_json(&o, &f->list[i]);
    json_close(&o, ']');
    json_close(&o, '}');
    cli_document(&out);
    strbuf_free(&out);
}

int verb_check(int argc, char **argv)
{
    struct request r = { .arch = "any" };
    struct nerr err;
    int stop = parse(argc, argv, &r);
    if (stop)
        return stop - 1;
    struct findings f = { .first = r.first };
    if (collect(&r, &f, &err)) {
        findings_free(&f);
        return cli_fail(&err);
    }
    int code = findings_exit_code(&f);
    if (r.json)
        document(&r, &f);
    else
        text(&r, &f);
    findings_free(&f);
    return code;
}
