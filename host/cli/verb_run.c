/* neffsim run: options in, one run, reports out. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/args.h"
#include "cli/verbs.h"
#include "run/failwave.h"
#include "run/report.h"
#include "run/run.h"
#include "util/file.h"
#include "util/interrupt.h"

enum {
    OPT_DEVICE = 256,
    OPT_INPUT,
    OPT_OUTPUT,
    OPT_GOLDEN,
    OPT_WAVE,
    OPT_WAVE_WINDOW,
    OPT_EVENTS,
    OPT_REPORT,
    OPT_MAX,
    OPT_HANG,
    OPT_SEED,
    OPT_TIMING,
    OPT_ENGINES,
    OPT_NO_CHECK,
    OPT_NO_HASH,
    OPT_MAX_SIZE,
    OPT_INJECT,
    OPT_INFERENCES,
    OPT_KEEP,
    OPT_BAD_SLOTS,
    OPT_NQ_RING,
    OPT_NQ_DROP,
    OPT_FAIL_WAVE,
    OPT_JSON,
    OPT_HELP
};

static const struct option options[] = {
    { "device", required_argument, NULL, OPT_DEVICE },
    { "input", required_argument, NULL, OPT_INPUT },
    { "output", required_argument, NULL, OPT_OUTPUT },
    { "golden", required_argument, NULL, OPT_GOLDEN },
    { "wave", required_argument, NULL, OPT_WAVE },
    { "wave-window", required_argument, NULL, OPT_WAVE_WINDOW },
    { "events", required_argument, NULL, OPT_EVENTS },
    { "report", required_argument, NULL, OPT_REPORT },
    { "max-cycles", required_argument, NULL, OPT_MAX },
    { "hang-cycles", required_argument, NULL, OPT_HANG },
    { "seed", required_argument, NULL, OPT_SEED },
    { "timing", required_argument, NULL, OPT_TIMING },
    { "engines", required_argument, NULL, OPT_ENGINES },
    { "no-check", no_argument, NULL, OPT_NO_CHECK },
    { "no-hash", no_argument, NULL, OPT_NO_HASH },
    { "max-size", required_argument, NULL, OPT_MAX_SIZE },
    { "inject", required_argument, NULL, OPT_INJECT },
    { "inferences", required_argument, NULL, OPT_INFERENCES },
    { "keep-rings", no_argument, NULL, OPT_KEEP },
    { "allow-bad-slots", no_argument, NULL, OPT_BAD_SLOTS },
    { "notify-ring", required_argument, NULL, OPT_NQ_RING },
    { "notify-drop", no_argument, NULL, OPT_NQ_DROP },
    { "fail-wave", required_argument, NULL, OPT_FAIL_WAVE },
    { "json", no_argument, NULL, OPT_JSON },
    { "help", no_argument, NULL, OPT_HELP },
    { NULL, 0, NULL, 0 },
};

struct run_options {
    struct run_config cfg;
    struct run_named_file *inputs; /* names are cut out of argv */
    const char *report;            /* HTML file */
    const char *fail_wave;         /* FST around a failure; "none" for no second run */
    bool json;
};

static void usage(FILE *out)
{
    fputs(
        "usage: neffsim run FILE.neff [options]\n"
        "example: neffsim run model.neff --input x=x.npy --golden golden/ --wave model.fst\n\n"
        "  --device D           rtl (default), ref, record:FILE[,ref], replay:FILE\n"
        "  --input NAME=FILE    tensor for an input variable, .npy or raw bytes; others stay zero\n"
        "  --output DIR         writes every output as DIR/NAME.npy\n"
        "  --golden DIR         compares every output with DIR/NAME.npy, .bin or .sha256\n"
        "  --wave F.fst         waveform; --wave-window A:B limits it to clocks A..B\n"
        "  --fail-wave F.fst    where the wave around a failure goes (default FILE-fail.fst); none: no "
        "second run\n"
        "  --events F.jsonl     every architectural event, one JSON object a line\n"
        "  --report F.html      the result as a page; --json prints it as JSON\n"
        "  --timing T --seed N  fixed (default), or random memory latencies and stalls, repeatable by seed\n"
        "  --max-cycles N       cycle limit; --hang-cycles N: clocks without an event that count as a hang\n"
        "  --inferences N       runs the model N times; --keep-rings lets the DMA rings wrap between them\n"
        "  --engines N          DMA engines (rtl: 2, ref: 1..16)\n"
        "  --inject KIND[@N]    breaks the N-th such thing on purpose; --inject list names the kinds\n"
        "  --no-check           no reference model; --no-hash: container digest not verified\n"
        "  --max-size BYTES     largest archive after inflating, such as 512M or 16G (4G)\n"
        "  --allow-bad-slots    lets the device judge slots that the loader would refuse\n"
        "  --notify-ring BYTES  size of each record ring (power of two); --notify-drop: drop when full\n\n"
        "exit codes: 0 ran and everything agrees, 1 a difference or a device error, 2 usage or unreadable "
        "input,\n"
        "            3 the device hangs\n",
        out);
}

static bool add_input(struct run_options *o, char *text)
{
    char *eq = strchr(text, '=');
    if (!eq || eq == text || eq[1] == '\0') {
        cli_complain("--input: '%s' is not NAME=FILE", text);
        return false;
    }
    struct run_named_file *more = realloc(o->inputs, (o->cfg.ninputs + 1) * sizeof *more);
    if (!more)
        return false;
    *eq = '\0';
    more[o->cfg.ninputs++] = (struct run_named_file){ .name = text, .path = eq + 1 };
    o->inputs = more;
    o->cfg.inputs = more;
    return true;
}

static bool take_timing(struct run_options *o)
{
    static const char *const words[] = { "fixed", "random", NULL };
    unsigned i;
    if (!arg_word("--timing", optarg, words, &i))
        return false;
    o->cfg.dev.random_timing = i == 1;
    return true;
}

static bool take_small(const char *option, uint64_t max, unsigned *out)
{
    uint64_t v;
    if (!arg_u64(option, optarg, 1, max, &v))
        return false;
    *out = (unsigned)v;
    return true;
}

/* One option; false after a complaint. */
static bool take(struct run_options *o, int opt)
{
    struct run_config *c = &o->cfg;
    switch (opt) {
    case OPT_DEVICE:
        c->device = optarg;
        return true;
    case OPT_INPUT:
        return add_input(o, optarg);
    case OPT_OUTPUT:
        c->output_dir = optarg;
        return true;
    case OPT_GOLDEN:
        c->golden_dir = optarg;
        return true;
    case OPT_WAVE:
        c->wave = optarg;
        return true;
    case OPT_WAVE_WINDOW:
        return arg_window("--wave-window", optarg, &c->wave_from, &c->wave_to);
    case OPT_EVENTS:
        c->events = optarg;
        return true;
    case OPT_REPORT:
        o->report = optarg;
        return true;
    case OPT_MAX:
        return arg_u64("--max-cycles", optarg, 1, UINT64_MAX, &c->max_cycles);
    case OPT_HANG:
        return arg_u64("--hang-cycles", optarg, 1, UINT64_MAX, &c->hang_cycles);
    case OPT_SEED:
        return arg_u64("--seed", optarg, 0, UINT64_MAX, &c->dev.seed);
    case OPT_TIMING:
        return take_timing(o);
    case OPT_ENGINES:
        return take_small("--engines", 16, &c->dev.n_dma);
    case OPT_NO_CHECK:
        c->no_check = true;
        return true;
    case OPT_NO_HASH:
        c->no_hash = true;
        return true;
    case OPT_MAX_SIZE:
        return arg_size("--max-size", optarg, &c->max_inflate);
    case OPT_INJECT:
        c->dev.inject = optarg;
        return true;
    case OPT_INFERENCES:
        return take_small("--inferences", 1000000, &c->inferences);
    case OPT_KEEP:
        c->keep_rings = true;
        return true;
    case OPT_BAD_SLOTS:
        c->load.allow_bad_slots = true;
        return true;
    case OPT_NQ_RING:
        return arg_u64("--notify-ring", optarg, 32, 0x10000, &c->load.notify_ring_bytes);
    case OPT_NQ_DROP:
        c->load.notify_drop = true;
        return true;
    case OPT_FAIL_WAVE:
        o->fail_wave = optarg;
        return true;
    case OPT_JSON:
        o->json = true;
        return true;
    default:
        return false;
    }
}

static int list_injections(void)
{
    const char *name;
    for (unsigned i = 0; (name = dev_inject_kind(i, NULL)) != NULL; i++)
        puts(name);
    return 0;
}

static void show_progress(void *ctx, uint64_t cycle)
{
    static uint64_t shown;
    (void)ctx;
    if (cycle < shown + 20000)
        return;
    shown = cycle;
    fprintf(stderr, "\r%llu cycles", (unsigned long long)cycle);
}

/* Prints and writes what was asked for. Returns the exit code. */
static int deliver(const struct run_options *o, struct run_result *res, const struct report_context *ctx)
{
    struct strbuf out = { 0 }, page = { 0 };
    if (o->report && res->verdict != RUN_ERROR) {
        report_html(res, ctx, &page);
        if (file_write(o->report, page.s, page.len, &res->err) != 0)
            res->verdict = RUN_ERROR;
    }
    if (res->verdict == RUN_ERROR)
        cli_fail(&res->err);
    if (o->json) {
        struct json_out j = { .b = &out };
        report_json(res, ctx, &j);
        cli_document(&out);
    } else if (res->verdict != RUN_ERROR) {
        if (res->text)
            strbuf_puts(&out, res->text);
        report_summary(res, &out);
        report_line(res, ctx, &out);
        cli_text(&out);
    } else if (ctx->wave) {
        fprintf(stderr, "the wave up to there: gtkwave %s\n", ctx->wave);
    }
    strbuf_free(&out);
    strbuf_free(&page);
    return run_exit_code(res);
}

int verb_run(int argc, char **argv)
{
    struct run_options o = { .cfg = {
                                 .device = "rtl", .dev = { .seed = 1, .n_dma = 2 }, .wave_to = UINT64_MAX } };
    int opt, code = 2;
    optind = 1;
    opterr = 0;
    while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (opt == OPT_HELP) {
            usage(stdout);
            code = 0;
            goto out;
        }
        if (opt == '?')
            cli_bad_option("run", argc, argv);
        if (opt == '?' || !take(&o, opt))
            goto out;
    }
    if (o.cfg.dev.inject && strcmp(o.cfg.dev.inject, "list") == 0) {
        code = list_injections();
        goto out;
    }
    if (optind != argc - 1) {
        cli_complain("run takes one NEFF file, %d given; see neffsim run --help", argc - optind);
        goto out;
    }
    o.cfg.neff_path = argv[optind];
    o.cfg.load.n_dma = o.cfg.dev.n_dma;
    if (isatty(STDERR_FILENO))
        o.cfg.progress = show_progress;

    interrupt_catch();
    struct run_result res;
    run_execute(&o.cfg, &res);
    if (o.cfg.progress)
        fputc('\r', stderr);
    struct fail_wave fw = { 0 };
    if (!o.fail_wave || strcmp(o.fail_wave, "none") != 0)
        fail_wave_record(&o.cfg, &res, o.fail_wave, &fw);
    struct report_context ctx = { .title = o.cfg.neff_path,
                                  .wave = fw.fst             ? fw.fst
                                          : res.wave_written ? o.cfg.wave
                                                             : NULL,
                                  .gtkw = fw.gtkw };
    code = deliver(&o, &res, &ctx);
    fail_wave_free(&fw);
    run_result_free(&res);
out:
    free(o.inputs);
    return code;
}
