/* neffsim wave info: what is in a wave file? */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/wave_open.h"
#include "util/json_write.h"
#include "wave/info.h"
#include "wave/wave.h"
#include "wave/wtime.h"

#define DEFAULT_LIMIT 20

static const char usage_text[] =
    "usage: neffsim wave info FILE [options]   what is in FILE (FST or VCD)?\n"
    "\n"
    "Says format, time range, tick, and how many scopes, names, signals and changes there are, then the "
    "scopes,\n"
    "the most active first. Reads the whole file, so a file that passes is complete.\n"
    "  --signal GLOB       list these signals too (may be repeated; * stands for any text, dots too)\n"
    "  --limit N           scopes to show, 0 = all (default 20)\n"
    "  --allow-incomplete  read an unfinished file as far as it is complete\n"
    "  --json              one JSON document on standard output\n"
    "\n"
    "example: neffsim wave info run.fst --signal '*.u_core.*'\n"
    "\n"
    "exit codes: 0 FILE was read; 2 usage, or FILE cannot be read\n";

enum { OPT_SIGNAL = 256, OPT_LIMIT, OPT_INCOMPLETE, OPT_JSON, OPT_HELP };

static const struct option options[] = {
    { "signal", required_argument, NULL, OPT_SIGNAL },
    { "limit", required_argument, NULL, OPT_LIMIT },
    { "allow-incomplete", no_argument, NULL, OPT_INCOMPLETE },
    { "json", no_argument, NULL, OPT_JSON },
    { "help", no_argument, NULL, OPT_HELP },
    { NULL, 0, NULL, 0 },
};

struct command {
    const char **globs; /* room for argc */
    size_t nglobs;
    uint64_t limit;
    struct wave_open_options open;
    bool json, help;
};

static void put_head(struct json_out *j, const struct wave_summary *s)
{
    json_field_string(j, "format", s->format);
    json_field_i64(j, "tick_exponent", s->exponent);
    json_field_u64(j, "tick_factor", s->factor);
    json_put_key(j, "has_timescale");
    json_put_bool(j, s->has_timescale);
    json_field_i64(j, "timezero", s->timezero);
    json_field_u64(j, "start", s->start);
    json_field_u64(j, "end", s->end);
    json_field_u64(j, "scopes", s->scopes);
    json_field_u64(j, "names", s->names);
    json_field_u64(j, "signals", s->signals);
    json_field_u64(j, "steps", s->steps);
    json_field_u64(j, "records", s->records);
    json_field_u64(j, "changes", s->changes);
    json_field_u64(j, "quiet", s->quiet);
    json_put_key(j, "incomplete");
    json_put_bool(j, s->incomplete);
    if (s->incomplete) {
        json_field_u64(j, "complete_to", s->complete_to);
        json_field_string(j, "note", s->note);
    }
}

static void put_scopes(struct json_out *j, const struct wave_summary *s)
{
    json_put_key(j, "activity");
    json_open(j, '[');
    for (size_t i = 0; i < s->nlist; i++) {
        json_open(j, '{');
        json_field_string(j, "scope", s->list[i].scope);
        json_field_u64(j, "names", s->list[i].names);
        json_field_u64(j, "changes", s->list[i].changes);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void put_names(struct json_out *j, const struct wave_names *names)
{
    json_put_key(j, "listed");
    json_open(j, '[');
    for (size_t k = 0; k < names->n; k++) {
        json_open(j, '{');
        json_field_string(j, "name", names->name[k]);
        json_field_u64(j, "width", names->width[k]);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static int print_json(const struct command *c, const struct wave_summary *s, const struct wave_names *names)
{
    struct strbuf b = { 0 };
    struct json_out j = { .b = &b };
    json_open(&j, '{');
    put_head(&j, s);
    put_scopes(&j, s);
    if (c->nglobs)
        put_names(&j, names);
    json_close(&j, '}');
    bool failed = b.failed;
    if (!failed)
        cli_document(&b);
    strbuf_free(&b);
    return failed ? cli_complain("wave: out of memory") : 0;
}

/* "120 ns"; adds it to the text. */
static void add_time(struct strbuf *b, const struct wave_summary *s, uint64_t ticks, int64_t zero)
{
    char *text = wave_time_text(((wave_time)ticks + zero) * s->factor, s->exponent, s->exponent);
    strbuf_puts(b, text ? text : "?");
    free(text);
}

static void add_scopes(struct strbuf *b, const struct command *c, const struct wave_summary *s)
{
    size_t shown = c->limit && c->limit < s->nlist ? (size_t)c->limit : s->nlist;
    if (shown)
        strbuf_puts(b, "     changes      names  scope\n");
    for (size_t i = 0; i < shown; i++)
        strbuf_printf(b, "%12" PRIu64 " %10" PRIu64 "  %s\n", s->list[i].changes, s->list[i].names,
                      *s->list[i].scope ? s->list[i].scope : "(no scope)");
    if (shown < s->nlist)
        strbuf_printf(b, "  and %zu more (--limit 0 shows all)\n", s->nlist - shown);
}

static int print_text(const struct command *c, const char *path, const struct wave_summary *s,
                      const struct wave_names *names)
{
    struct strbuf b = { 0 };
    strbuf_printf(&b, "%s: %s, from ", path, s->format);
    add_time(&b, s, s->start, s->timezero);
    strbuf_puts(&b, " to ");
    add_time(&b, s, s->end, s->timezero);
    strbuf_puts(&b, ", one tick is ");
    add_time(&b, s, 1, 0);
    strbuf_puts(&b, s->has_timescale ? "\n" : " (the file does not say)\n");
    if (s->incomplete) {
        strbuf_puts(&b, "incomplete: known up to ");
        add_time(&b, s, s->complete_to, s->timezero);
        strbuf_printf(&b, "; %s\n", s->note);
    }
    strbuf_printf(&b, "%" PRIu64 " names of %" PRIu64 " signals in %" PRIu64 " scopes\n", s->names,
                  s->signals, s->scopes);
    strbuf_printf(&b,
                  "%" PRIu64 " changes at %" PRIu64 " times in %" PRIu64
                  " value records; quiet after the first time: %" PRIu64 "\n",
                  s->changes, s->steps, s->records, s->quiet);
    add_scopes(&b, c, s);
    for (size_t k = 0; k < names->n; k++)
        strbuf_printf(&b, "  %s (%lu)\n", names->name[k], (unsigned long)names->width[k]);
    bool failed = b.failed;
    if (!failed)
        cli_text(&b);
    strbuf_free(&b);
    return failed ? cli_complain("wave: out of memory") : 0;
}

static int run(const struct command *c, const char *path)
{
    struct wave_summary s;
    struct wave_names names = { 0 };
    struct wave_open_options again = { .allow_incomplete = c->open.allow_incomplete };
    struct nerr err = { 0 };
    int rc = wave_summarise(path, &c->open, &s, &err);
    if (!rc && c->nglobs)
        rc = wave_list_with(path, &again, c->globs, c->nglobs, &names, &err);
    int code = rc ? cli_fail(&err) : c->json ? print_json(c, &s, &names) : print_text(c, path, &s, &names);
    wave_names_free(&names);
    wave_summary_free(&s);
    return code;
}

/* Returns 0, or the exit code of a usage error. */
static int parse(struct command *c, int argc, char **argv)
{
    int opt;
    optind = 1;
    opterr = 0;
    while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (opt) {
        case OPT_SIGNAL:
            c->globs[c->nglobs++] = optarg;
            break;
        case OPT_LIMIT:
            if (!arg_u64("--limit", optarg, 0, SIZE_MAX, &c->limit))
                return 2;
            break;
        case OPT_INCOMPLETE:
            c->open.allow_incomplete = true;
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
    }
    return 0;
}

int verb_wave_info(int argc, char **argv)
{
    struct command c = { .limit = DEFAULT_LIMIT, .open = { .warn = cli_wave_warn } };
    c.globs = calloc((size_t)argc + 1, sizeof *c.globs);
    int code = c.globs ? parse(&c, argc, argv) : cli_complain("wave: out of memory");
    if (code == 0 && c.help)
        fputs(usage_text, stdout);
    else if (code == 0 && argc - optind != 1)
        code = cli_complain("wave: info takes one file; see neffsim wave info --help");
    else if (code == 0)
        code = run(&c, argv[optind]);
    free(c.globs);
    return code;
}
