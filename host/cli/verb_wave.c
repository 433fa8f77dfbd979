/* neffsim wave: compares two waves, or says what is in one. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/verbs.h"
#include "util/json_write.h"
#include "util/strbuf.h"
#include "wave/gtkw.h"
#include "wave/wave.h"
#include "wave/wtime.h"

#define DEFAULT_LIMIT 10

static const char usage_text[] =
    "usage: neffsim wave diff A B [options]   do A (the golden) and B hold the same values?\n"
    "       neffsim wave info FILE [options]  what is in FILE?\n"
    "\n"
    "diff compares the settled values of equally named signals at every time.\n"
    "  --only GLOB        compare these signals only (may be repeated; * stands for any text, dots too)\n"
    "  --signal GLOB      the same\n"
    "  --ignore GLOB      leave these signals out (may be repeated)\n"
    "  --window FROM:TO   compare this time only, both ends included; 100:200 (ticks of A), 10ns:3us, :5us\n"
    "  --limit N          differences to show per kind, 0 = all (default 10)\n"
    "  --allow-empty      equal is equal even when nothing was compared or nothing ever changed\n"
    "  --gtkw F           write a GTKWave save file with the signals that differ and a marker at the first "
    "place\n"
    "  --json             one JSON document on standard output\n"
    "info\n"
    "  --signal GLOB      list these signals too (may be repeated)\n"
    "  --json\n"
    "\n"
    "example: neffsim wave diff golden.fst run.fst --ignore '*.dbg_*' --window 10ns: --gtkw diff.gtkw\n"
    "\n"
    "exit codes: 0 equal, or FILE was read; 1 different; 2 usage, or a file cannot be read or says nothing\n";

enum { OPT_ONLY = 256, OPT_IGNORE, OPT_WINDOW, OPT_LIMIT, OPT_ALLOW_EMPTY, OPT_GTKW, OPT_JSON, OPT_HELP };

static const struct option options[] = {
    { "only", required_argument, NULL, OPT_ONLY },     { "signal", required_argument, NULL, OPT_ONLY },
    { "ignore", required_argument, NULL, OPT_IGNORE }, { "window", required_argument, NULL, OPT_WINDOW },
    { "limit", required_argument, NULL, OPT_LIMIT },   { "allow-empty", no_argument, NULL, OPT_ALLOW_EMPTY },
    { "gtkw", required_argument, NULL, OPT_GTKW },     { "json", no_argument, NULL, OPT_JSON },
    { "help", no_argument, NULL, OPT_HELP },           { NULL, 0, NULL, 0 },
};

struct command {
    const char **only, **ignore; /* room for argc each */
    struct wave_diff_options diff;
    const char *gtkw;
    bool json, help, diff_only; /* diff_only: an option was given that info does not have */
};

static const char *const kind_names[] = { "value", "shape", "only_a", "only_b" };

static int usage_error(const char *text)
{
    return cli_complain("wave: %s; see neffsim wave --help", text);
}

static void put_u64(struct json_out *j, const char *key, uint64_t value)
{
    json_put_key(j, key);
    json_put_u64(j, value);
}

static void put_string(struct json_out *j, const char *key, const char *value)
{
    json_put_key(j, key);
    json_put_string(j, value);
}

static int print_json(struct strbuf *b)
{
    bool failed = b->failed;
    if (!failed)
        cli_document(b);
    strbuf_free(b);
    return failed ? usage_error("out of memory") : 0;
}

/* ---- diff
 * ------------------------------------------------------------------------------------------------------- */

static void print_difference(const struct wave_difference *d)
{
    struct wave_brief v;
    switch (d->kind) {
    case WAVE_VALUE:
        v = wave_brief(d->a, d->b);
        printf("  %s  %s  A %s  B %s\n", d->time, d->name, v.a, v.b);
        break;
    case WAVE_SHAPE:
        printf("  %s is declared as %s in A and as %s in B\n", d->name, d->a, d->b);
        break;
    case WAVE_ONLY_A:
        printf("  %s (%s) is in A only\n", d->name, d->a);
        break;
    case WAVE_ONLY_B:
        printf("  %s (%s) is in B only\n", d->name, d->b);
        break;
    }
}

static void print_diff(const struct wave_diff_result *r)
{
    static const char *const titles[] = { "with different values, each with its first difference",
                                          "declared differently", "missing in B", "missing in A" };
    if (r->count[WAVE_VALUE]) {
        const struct wave_difference *first = &r->list[0];
        struct wave_brief v = wave_brief(first->a, first->b);
        printf("different: first at %s, %s is %s in A and %s in B\n", first->time, first->name, v.a, v.b);
    } else if (!wave_diff_equal(r)) {
        printf("different: the files do not declare the same signals\n");
    }
    size_t next = 0;
    for (int kind = WAVE_VALUE; kind <= WAVE_ONLY_B; kind++) {
        uint64_t shown = 0;
        if (!r->count[kind])
            continue;
        printf("%" PRIu64 " signal%s %s:\n", r->count[kind], r->count[kind] == 1 ? "" : "s", titles[kind]);
        for (; next < r->nlist && (int)r->list[next].kind == kind; next++, shown++)
            print_difference(&r->list[next]);
        if (shown < r->count[kind])
            printf("  and %" PRIu64 " more (--limit 0 shows all)\n", r->count[kind] - shown);
    }
    if (wave_diff_equal(r))
        printf("equal: %" PRIu64 " signal%s compared\n", r->compared, r->compared == 1 ? "" : "s");
    if (r->ends_differ)
        printf("note: A ends at %s, B at %s\n", r->end_a, r->end_b);
}

static int print_diff_json(const struct wave_diff_result *r)
{
    struct strbuf b = { 0 };
    struct json_out j = { .b = &b };
    json_open(&j, '{');
    put_string(&j, "verdict", wave_diff_equal(r) ? "equal" : "different");
    put_u64(&j, "compared", r->compared);
    json_put_key(&j, "count");
    json_open(&j, '{');
    for (int kind = WAVE_VALUE; kind <= WAVE_ONLY_B; kind++)
        put_u64(&j, kind_names[kind], r->count[kind]);
    json_close(&j, '}');
    json_put_key(&j, "differences");
    json_open(&j, '[');
    for (size_t i = 0; i < r->nlist; i++) {
        const struct wave_difference *d = &r->list[i];
        json_open(&j, '{');
        put_string(&j, "kind", kind_names[d->kind]);
        put_string(&j, "signal", d->name);
        if (d->time)
            put_string(&j, "time", d->time);
        if (d->a)
            put_string(&j, "a", d->a);
        if (d->b)
            put_string(&j, "b", d->b);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    put_string(&j, "end_a", r->end_a);
    put_string(&j, "end_b", r->end_b);
    json_put_key(&j, "ends_differ");
    json_put_bool(&j, r->ends_differ);
    json_close(&j, '}');
    return print_json(&b);
}

/* Rows for the listed value differences, below a clock if the wave has one. */
static int write_gtkw(const char *path, const char *b, const struct wave_diff_result *r, struct nerr *err)
{
    static const char *const clocks[] = { "*clk_i", "*clk", "*clock" };
    struct wave_names clock = { 0 };
    size_t n = 0, nvalues = 0;
    while (nvalues < r->nlist && r->list[nvalues].kind == WAVE_VALUE)
        nvalues++;
    int rc = wave_list(b, clocks, sizeof clocks / sizeof clocks[0], &clock, err);
    if (rc)
        return rc;
    struct gtkw_row *rows = calloc(nvalues + 1, sizeof *rows);
    char **comments = calloc(nvalues + 1, sizeof *comments);
    if (!rows || !comments)
        rc = nerr_set(err, NERR_MEM, path, "out of memory");
    if (!rc && clock.n)
        rows[n++].name = clock.name[0];
    for (size_t i = 0; i < nvalues && !rc; i++) {
        const struct wave_difference *d = &r->list[i];
        comments[i] = text_printf("%s: A %s  B %s", d->time, d->a, d->b);
        if (!comments[i])
            rc = nerr_set(err, NERR_MEM, path, "out of memory");
        rows[n++] = (struct gtkw_row){ .name = d->name, .comment = comments[i] };
    }
    if (!rc)
        rc = wave_gtkw_write(path, b, rows, n, nvalues ? r->list[0].ticks_b : 0, err);
    for (size_t i = 0; comments && i < nvalues; i++)
        free(comments[i]);
    free(comments);
    free(rows);
    wave_names_free(&clock);
    return rc;
}

static int run_diff(const struct command *c, const char *a, const char *b)
{
    struct wave_diff_result r;
    struct nerr err = { 0 };
    int rc = wave_diff(a, b, &c->diff, &r, &err);
    if (!rc && c->gtkw && r.count[WAVE_VALUE])
        rc = write_gtkw(c->gtkw, b, &r, &err);
    if (rc) {
        wave_diff_free(&r);
        return cli_fail(&err);
    }
    int code = wave_diff_equal(&r) ? 0 : 1;
    if (c->json && print_diff_json(&r))
        code = 2;
    if (!c->json)
        print_diff(&r);
    if (c->gtkw && r.count[WAVE_VALUE])
        fprintf(stderr, "look at it with: gtkwave %s %s\n", b, c->gtkw);
    wave_diff_free(&r);
    return code;
}

/* ---- info
 * ------------------------------------------------------------------------------------------------------- */

static int print_info_json(const struct wave_info *i, const struct wave_names *names, bool list)
{
    struct strbuf b = { 0 };
    struct json_out j = { .b = &b };
    json_open(&j, '{');
    json_put_key(&j, "tick_exponent");
    json_put_i64(&j, i->exponent);
    json_put_key(&j, "timezero");
    json_put_i64(&j, i->timezero);
    put_u64(&j, "start", i->start);
    put_u64(&j, "end", i->end);
    put_u64(&j, "scopes", i->scopes);
    put_u64(&j, "names", i->vars);
    put_u64(&j, "signals", i->signals);
    put_u64(&j, "changes", i->changes);
    if (list) {
        json_put_key(&j, "listed");
        json_open(&j, '[');
        for (size_t k = 0; k < names->n; k++) {
            json_open(&j, '{');
            put_string(&j, "name", names->name[k]);
            put_u64(&j, "width", names->width[k]);
            json_close(&j, '}');
        }
        json_close(&j, ']');
    }
    json_close(&j, '}');
    return print_json(&b);
}

static int print_info(const char *path, const struct wave_info *i, const struct wave_names *names)
{
    char *tick = wave_time_text(1, i->exponent, i->exponent);
    char *start = wave_time_text((wave_time)i->start + i->timezero, i->exponent, i->exponent);
    char *end = wave_time_text((wave_time)i->end + i->timezero, i->exponent, i->exponent);
    int rc = tick && start && end ? 0 : usage_error("out of memory");
    if (!rc) {
        printf("%s: from %s to %s, one tick is %s\n", path, start, end, tick);
        printf("%" PRIu64 " names of %" PRIu64 " signals in %" PRIu64 " scopes, %" PRIu64 " value records\n",
               i->vars, i->signals, i->scopes, i->changes);
    }
    for (size_t k = 0; !rc && k < names->n; k++)
        printf("  %s (%lu)\n", names->name[k], (unsigned long)names->width[k]);
    free(tick);
    free(start);
    free(end);
    return rc;
}

static int run_info(const struct command *c, const char *path)
{
    struct wave_info info;
    struct wave_names names = { 0 };
    struct nerr err = { 0 };
    int rc = wave_get_info(path, &info, &err);
    if (!rc && c->diff.nonly)
        rc = wave_list(path, c->diff.only, c->diff.nonly, &names, &err);
    if (rc)
        return cli_fail(&err);
    rc = c->json ? print_info_json(&info, &names, c->diff.nonly != 0) : print_info(path, &info, &names);
    wave_names_free(&names);
    return rc;
}

/* ---- command line
 * ----------------------------------------------------------------------------------------------- */

/* Returns 0, or the exit code of a usage error. */
static int parse(struct command *c, int argc, char **argv)
{
    struct nerr err = { 0 };
    uint64_t limit;
    int opt;
    optind = 1;
    opterr = 0;
    while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (opt) {
        case OPT_ONLY:
            c->only[c->diff.nonly++] = optarg;
            break;
        case OPT_IGNORE:
            c->ignore[c->diff.nignore++] = optarg;
            break;
        case OPT_WINDOW:
            if (wave_window_parse(optarg, &c->diff.window, &err))
                return cli_fail(&err);
            break;
        case OPT_LIMIT:
            if (!arg_u64("--limit", optarg, 0, SIZE_MAX, &limit))
                return 2;
            c->diff.limit = (size_t)limit;
            break;
        case OPT_ALLOW_EMPTY:
            c->diff.allow_empty = true;
            break;
        case OPT_GTKW:
            c->gtkw = optarg;
            break;
        case OPT_JSON:
            c->json = true;
            break;
        case OPT_HELP:
            c->help = true;
            break;
        default:
            return cli_bad_option("wave", argc, argv);
        }
        c->diff_only = c->diff_only || (opt != OPT_ONLY && opt != OPT_JSON && opt != OPT_HELP);
    }
    c->diff.only = c->only;
    c->diff.ignore = c->ignore;
    return 0;
}

static int run_command(const struct command *c, int nwords, char **words)
{
    if (c->help) {
        fputs(usage_text, stdout);
        return 0;
    }
    if (nwords == 0)
        return usage_error("say diff or info");
    if (strcmp(words[0], "diff") == 0)
        return nwords == 3 ? run_diff(c, words[1], words[2]) : usage_error("diff takes two files");
    if (strcmp(words[0], "info") != 0)
        return usage_error("the first word is diff or info");
    if (c->diff_only)
        return usage_error("info has the options --signal and --json");
    return nwords == 2 ? run_info(c, words[1]) : usage_error("info takes one file");
}

int verb_wave(int argc, char **argv)
{
    struct command c = { .diff = { .limit = DEFAULT_LIMIT } };
    c.only = calloc((size_t)argc + 1, sizeof *c.only);
    c.ignore = calloc((size_t)argc + 1, sizeof *c.ignore);
    int code = c.only && c.ignore ? parse(&c, argc, argv) : usage_error("out of memory");
    if (code == 0)
        code = run_command(&c, argc - optind, argv + optind);
    free(c.only);
    free(c.ignore);
    return code;
}
