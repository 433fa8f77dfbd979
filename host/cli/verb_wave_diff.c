/* neffsim wave diff: compares two waves (compare.h) and reports what it found (wave_output.h). */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/wave_open.h"
#include "cli/wave_output.h"
#include "util/strbuf.h"
#include "wave/compare.h"

#define DEFAULT_LIMIT 10

static const char usage_text[] =
    "usage: neffsim wave diff A B [options]\n"
    "\n"
    "Do A (the golden wave) and B (the actual one) hold the same values? The settled values of equally "
    "named\n"
    "signals are compared at every time. FST and VCD files. A time T is ticks of A, or has a unit (10ns).\n"
    "\n"
    "which signals\n"
    "  --only GLOB         compare these signals only (may be repeated; * stands for any text, dots too)\n"
    "  --signal GLOB       the same\n"
    "  --ignore GLOB       leave these signals out (may be repeated)\n"
    "  --map FILE          rules: map, ignore, only, mask, tol, when (may be repeated)\n"
    "which times\n"
    "  --window FROM:TO    this time only, both ends included; either may be empty\n"
    "  --when EXPR         only while this holds in A: 'valid && addr[3:0] != 4'hf'\n"
    "  --clock SIGNAL[:rise|:fall|:both]  only the values just before these edges of A's clock (default "
    "rise)\n"
    "  --setup T, --hold T   around each edge: from T before it, to T after it\n"
    "  --shift T           compare B as if it were T later (-T: earlier)\n"
    "what is equal\n"
    "  --tolerance LEAD[:LAG]  B may change up to LEAD earlier and LAG later than A (one T: both)\n"
    "  --glitch T          values that last shorter than T do not exist\n"
    "  --x exact|any|golden  x and z are values; agree with everything; x in A agrees with everything\n"
    "  --mask NAME=HEX     compare only the bits of NAME that are one in HEX (may be repeated)\n"
    "  --epsilon E         real numbers may differ by E\n"
    "  --order             compare the sequence of each signal's values and not their times\n"
    "  --group GLOB        --order, with all these signals as one (may be repeated)\n"
    "  --valid EXPR        --order, and a value counts while this holds\n"
    "files\n"
    "  --assume-timescale 1ns  for a VCD file that declares none\n"
    "  --allow-incomplete  compare an unfinished file up to where it is complete\n"
    "  --allow-empty       equal is equal even when nothing was compared or nothing ever changed\n"
    "report\n"
    "  --limit N           signals to show per kind, 0 = all (default 10)\n";

static const char usage_end[] =
    "\n"
    "example: neffsim wave diff golden.fst run.fst --clock clk_i --ignore '*.dbg_*' --gtkw diff.gtkw\n"
    "\n"
    "exit codes: 0 equal; 1 different; 2 usage, or a file cannot be read, is unfinished or says nothing\n";

enum {
    OPT_ONLY = 256,
    OPT_IGNORE,
    OPT_MAP,
    OPT_WINDOW,
    OPT_WHEN,
    OPT_CLOCK,
    OPT_SETUP,
    OPT_HOLD,
    OPT_SHIFT,
    OPT_TOLERANCE,
    OPT_GLITCH,
    OPT_X,
    OPT_MASK,
    OPT_EPSILON,
    OPT_ORDER,
    OPT_GROUP,
    OPT_VALID,
    OPT_TIMESCALE,
    OPT_INCOMPLETE,
    OPT_EMPTY,
    OPT_LIMIT,
    OPT_DECODE,
    OPT_JSON,
    OPT_JUNIT,
    OPT_HTML,
    OPT_GTKW,
    OPT_HELP
};

static const struct option options[] = {
    { "only", required_argument, NULL, OPT_ONLY },
    { "signal", required_argument, NULL, OPT_ONLY },
    { "ignore", required_argument, NULL, OPT_IGNORE },
    { "map", required_argument, NULL, OPT_MAP },
    { "window", required_argument, NULL, OPT_WINDOW },
    { "when", required_argument, NULL, OPT_WHEN },
    { "clock", required_argument, NULL, OPT_CLOCK },
    { "setup", required_argument, NULL, OPT_SETUP },
    { "hold", required_argument, NULL, OPT_HOLD },
    { "shift", required_argument, NULL, OPT_SHIFT },
    { "tolerance", required_argument, NULL, OPT_TOLERANCE },
    { "glitch", required_argument, NULL, OPT_GLITCH },
    { "x", required_argument, NULL, OPT_X },
    { "mask", required_argument, NULL, OPT_MASK },
    { "epsilon", required_argument, NULL, OPT_EPSILON },
    { "order", no_argument, NULL, OPT_ORDER },
    { "group", required_argument, NULL, OPT_GROUP },
    { "valid", required_argument, NULL, OPT_VALID },
    { "assume-timescale", required_argument, NULL, OPT_TIMESCALE },
    { "allow-incomplete", no_argument, NULL, OPT_INCOMPLETE },
    { "allow-empty", no_argument, NULL, OPT_EMPTY },
    { "limit", required_argument, NULL, OPT_LIMIT },
    { "decode", required_argument, NULL, OPT_DECODE },
    { "json", no_argument, NULL, OPT_JSON },
    { "junit", required_argument, NULL, OPT_JUNIT },
    { "html", required_argument, NULL, OPT_HTML },
    { "gtkw", required_argument, NULL, OPT_GTKW },
    { "help", no_argument, NULL, OPT_HELP },
    { NULL, 0, NULL, 0 },
};

/* Every list has room for argc entries. */
struct command {
    struct wave_options compare;
    struct wave_rule *own; /* rules of the command line */
    size_t nown;
    const char **groups;
    char **texts; /* copies that the options point into */
    size_t ntexts;
    struct wave_rule_file **files;
    size_t nfiles;
    struct wave_rule *rules; /* all of them, those of the command line last */
    struct wave_decode_rule *decode;
    size_t ndecode;
    struct wave_output output;
    bool help;
};

static int usage_error(const char *text)
{
    return cli_complain("wave diff: %s; see neffsim wave diff --help", text);
}

/* ---- values of options; each complains itself and returns 0 or 2
 * ------------------------------------------------- */

static int parse_time(const char *option, const char *text, struct wave_bound *out)
{
    struct nerr err = { 0 };
    return wave_bound_parse(text, out, &err) ? cli_complain("%s: %s", option, err.text) : 0;
}

static char *keep(struct command *c, const char *text)
{
    return c->texts[c->ntexts++] = text_copy(text);
}

/* SIGNAL[:rise|:fall|:both]; a name may have a range with a colon of its own. */
static int parse_clock(struct command *c, const char *text)
{
    static const char *const edges[] = { ":rise", ":fall", ":both" };
    char *copy = keep(c, text);
    if (!copy)
        return usage_error("out of memory");
    size_t n = strlen(copy);
    c->compare.clock.edge = WAVE_RISE;
    for (unsigned i = 0; i < 3; i++)
        if (n > 5 && strcmp(copy + n - 5, edges[i]) == 0) {
            copy[n - 5] = '\0';
            c->compare.clock.edge = (enum wave_edge)i;
            break;
        }
    const char *colon = strrchr(copy, ':');
    if (colon && !strchr(colon, ']'))
        return cli_complain("--clock: '%s' is no edge; there are rise, fall and both", colon + 1);
    c->compare.clock.signal = copy;
    return 0;
}

static int parse_tolerance(struct command *c, const char *text)
{
    char *copy = keep(c, text), *colon = copy ? strchr(copy, ':') : NULL;
    if (!copy)
        return usage_error("out of memory");
    if (colon)
        *colon++ = '\0';
    int code = parse_time("--tolerance", copy, &c->compare.lead);
    return code ? code : parse_time("--tolerance", colon ? colon : copy, &c->compare.lag);
}

static int parse_shift(struct command *c, const char *text)
{
    c->compare.shift_negative = *text == '-';
    return parse_time("--shift", text + (*text == '-' || *text == '+'), &c->compare.shift);
}

static int parse_epsilon(struct command *c, const char *text)
{
    char *end;
    errno = 0;
    c->compare.epsilon = strtod(text, &end);
    if (end == text || *end || errno || !(c->compare.epsilon >= 0) || c->compare.epsilon > 1e300)
        return cli_complain("--epsilon: '%s' is no number from 0 on", text);
    return 0;
}

static int parse_mask(struct command *c, const char *text)
{
    char *copy = keep(c, text), *sign = copy ? strrchr(copy, '=') : NULL;
    const char *digits;
    if (!copy)
        return usage_error("out of memory");
    if (!sign || sign == copy)
        return cli_complain("--mask: '%s' is not NAME=HEX", text);
    *sign = '\0';
    if (!wave_mask_digits(sign + 1, &digits))
        return cli_complain("--mask: '%s' is no hexadecimal number", sign + 1);
    c->own[c->nown++] =
        (struct wave_rule){ .kind = WAVE_RULE_MASK, .name = copy, .text = digits, .file = "" };
    return 0;
}

static int read_rules(struct command *c, const char *path)
{
    struct nerr err = { 0 };
    return wave_rules_read(path, &c->files[c->nfiles++], &err) ? cli_fail(&err) : 0;
}

static int parse_option(struct command *c, int opt, char *value)
{
    static const char *const x_words[] = { "exact", "any", "golden", NULL };
    struct nerr err = { 0 };
    struct wave_options *o = &c->compare;
    uint64_t limit;
    unsigned word;
    switch (opt) {
    case OPT_ONLY:
    case OPT_IGNORE:
        c->own[c->nown++] = (struct wave_rule){ .kind = opt == OPT_ONLY ? WAVE_RULE_ONLY : WAVE_RULE_IGNORE,
                                                .name = value,
                                                .file = "" };
        return 0;
    case OPT_MAP:
        return read_rules(c, value);
    case OPT_WINDOW:
        return wave_window_parse(value, &o->window, &err) ? cli_fail(&err) : 0;
    case OPT_WHEN:
        if (o->when)
            return usage_error("--when is given twice; write it as one condition with &&");
        o->when = value;
        return 0;
    case OPT_CLOCK:
        return parse_clock(c, value);
    case OPT_SETUP:
        return parse_time("--setup", value, &o->clock.setup);
    case OPT_HOLD:
        return parse_time("--hold", value, &o->clock.hold);
    case OPT_SHIFT:
        return parse_shift(c, value);
    case OPT_TOLERANCE:
        return parse_tolerance(c, value);
    case OPT_GLITCH:
        return parse_time("--glitch", value, &o->glitch);
    case OPT_X:
        if (!arg_word("--x", value, x_words, &word))
            return 2;
        o->x = (enum wave_x_rule)word;
        return 0;
    case OPT_MASK:
        return parse_mask(c, value);
    case OPT_EPSILON:
        return parse_epsilon(c, value);
    case OPT_ORDER:
        o->order.on = true;
        return 0;
    case OPT_GROUP:
        o->order.on = true;
        c->groups[o->order.ngroups++] = value;
        return 0;
    case OPT_VALID:
        o->order.on = true;
        o->order.valid = value;
        return 0;
    case OPT_TIMESCALE:
        o->assume_timescale = value;
        return 0;
    case OPT_INCOMPLETE:
        o->allow_incomplete = true;
        return 0;
    case OPT_EMPTY:
        o->allow_empty = true;
        return 0;
    case OPT_LIMIT:
        if (!arg_u64("--limit", value, 0, SIZE_MAX, &limit))
            return 2;
        o->limit = (size_t)limit;
        return 0;
    case OPT_DECODE:
        return wave_output_decode(value, &c->decode[c->ndecode++]) ? 0 : 2;
    case OPT_JSON:
        c->output.json = true;
        return 0;
    case OPT_JUNIT:
        c->output.junit = value;
        return 0;
    case OPT_HTML:
        c->output.html = value;
        return 0;
    case OPT_GTKW:
        c->output.gtkw = value;
        return 0;
    default:
        c->help = true;
        return 0;
    }
}

static int parse(struct command *c, int argc, char **argv)
{
    int opt, code = 0;
    optind = 1;
    opterr = 0;
    while (!code && (opt = getopt_long(argc, argv, "", options, NULL)) != -1)
        code = opt == '?' ? cli_bad_option("wave diff", argc, argv) : parse_option(c, opt, optarg);
    return code;
}

/* The rules of all files and then those of the command line: of several the last one counts. */
static int join_rules(struct command *c)
{
    size_t n = c->nown, more;
    for (size_t i = 0; i < c->nfiles; i++) {
        wave_rules_list(c->files[i], &more);
        n += more;
    }
    c->rules = malloc((n + 1) * sizeof *c->rules);
    if (!c->rules)
        return usage_error("out of memory");
    n = 0;
    for (size_t i = 0; i < c->nfiles; i++) {
        const struct wave_rule *list = wave_rules_list(c->files[i], &more);
        if (more)
            memcpy(c->rules + n, list, more * sizeof *list);
        n += more;
    }
    memcpy(c->rules + n, c->own, c->nown * sizeof *c->own);
    c->compare.rules = c->rules;
    c->compare.nrules = n + c->nown;
    c->compare.order.groups = c->groups;
    return 0;
}

static int run(struct command *c, const char *a, const char *b)
{
    struct wave_result result;
    struct nerr err = { 0 };
    int code = join_rules(c);
    if (code)
        return code;
    int rc = wave_compare(a, b, &c->compare, &result, &err);
    if (rc) {
        code = cli_fail(&err);
    } else {
        struct wave_report report = { .path_a = a,
                                      .path_b = b,
                                      .options = &c->compare,
                                      .result = &result,
                                      .decode = c->decode,
                                      .ndecode = c->ndecode };
        code = wave_output_write(&c->output, &report);
        if (code == 0)
            code = wave_result_equal(&result) ? 0 : 1;
    }
    wave_result_free(&result);
    return code;
}

static void release(struct command *c)
{
    for (size_t i = 0; i < c->ntexts; i++)
        free(c->texts[i]);
    for (size_t i = 0; i < c->nfiles; i++)
        wave_rules_free(c->files[i]);
    free(c->own);
    free(c->groups);
    free(c->texts);
    free(c->files);
    free(c->rules);
    free(c->decode);
}

int verb_wave_diff(int argc, char **argv)
{
    struct command c = { .compare = { .limit = DEFAULT_LIMIT } };
    size_t room = (size_t)argc + 1;
    c.own = calloc(room, sizeof *c.own);
    c.groups = calloc(room, sizeof *c.groups);
    c.texts = calloc(room, sizeof *c.texts);
    c.files = calloc(room, sizeof *c.files);
    c.decode = calloc(room, sizeof *c.decode);
    int code = c.own && c.groups && c.texts && c.files && c.decode ? parse(&c, argc, argv)
                                                                   : usage_error("out of memory");
    if (code == 0 && c.help) {
        fputs(usage_text, stdout);
        fputs(wave_output_help, stdout);
        fputs(usage_end, stdout);
    } else if (code == 0) {
        code =
            argc - optind == 2 ? run(&c, argv[optind], argv[optind + 1]) : usage_error("it takes two files");
    }
    release(&c);
    return code;
}
