/* One run from file to verdict: see run.h. */
#include "run/failwave.h"
#include "run/run_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "regs.h"
#include "util/file.h"
#include "wave/reader.h"

static double wall_seconds(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

/* Passes the events on to the --events file. */
static int write_event(void *ctx, const struct dev_event *ev)
{
    char line[1024];
    unsigned n = dev_event_json(ev, line, sizeof line);
    if (n < sizeof line)
        fprintf(ctx, "%s\n", line);
    return 0;
}

/* The FST writer needs a file that it can read again, and replaces what is there. */
static int check_wave_path(const char *path, struct nerr *err)
{
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return nerr_set(err, NERR_IO, path, "a wave can only be written to a regular file");
    return 0;
}

/* No device has the kernel dispatcher of POOL yet: the load slot would fault as a bad opcode
 * (tpb-sequencer.md §3.4). */
static int check_libraries(const struct run *r, struct nerr *err)
{
    if (!r->plan->nlibraries || r->cfg->load.allow_bad_slots)
        return 0;
    return nerr_set(
        err, NERR_RULE, "def.json ucode_lib",
        "the devices cannot run the Q7 library %s yet; --allow-bad-slots stages it and runs up to the "
        "slot that loads it",
        r->plan->libraries[0].name);
}

/* Opens everything up to the device. Nothing of the device's time has passed after it. */
static int prepare(struct run *r, struct nerr *err)
{
    const struct run_config *cfg = r->cfg;
    struct neff_options opt = { .no_hash = cfg->no_hash, .max_inflate = cfg->max_inflate };
    int rc = cfg->neff_bytes ? neff_open_memory(cfg->neff_bytes, cfg->neff_len, &opt, &r->neff, err)
                             : neff_open(cfg->neff_path, &opt, &r->neff, err);
    if (!rc)
        rc = program_read(r->neff, NULL, &r->prog, err);
    if (!rc) /* the RTL is of this generation */
        rc = program_check_arch(r->prog, ARCH_CAYMAN, err);
    if (!rc)
        rc = load_plan(r->prog, &cfg->load, &r->plan, err);
    if (!rc)
        rc = check_libraries(r, err);
    if (rc) {
        if (strcmp(err->where, cfg->neff_path) != 0) /* a container error names the file itself */
            nerr_prefix(err, cfg->neff_path);
        return rc;
    }
    rc = run_check_tensors(r, err);
    if (!rc && cfg->wave)
        rc = check_wave_path(cfg->wave, err);
    if (rc)
        return rc;
    bool judge = !cfg->no_check;
    r->chk = chk_new(r->plan, judge, err);
    if (!r->chk)
        return err->code;
    rc = dev_open(cfg->device, &cfg->dev, &r->raw, err);
    if (rc)
        return rc;
    if (cfg->wave && !r->raw->ops->wave_start)
        return nerr_set(err, NERR_INPUT, "--wave", "device '%s' has no waves; use --device rtl",
                        r->raw->name);
    if (cfg->events && !r->raw->ops->events)
        return nerr_set(err, NERR_INPUT, "--events", "device '%s' reports no events", r->raw->name);
    if (cfg->events) {
        r->events = fopen(cfg->events, "w");
        if (!r->events)
            return nerr_set(err, NERR_IO, cfg->events, "the event file cannot be created");
    }
    rc = chk_attach(r->chk, r->raw, r->events ? write_event : NULL, r->events, &r->dev, err);
    if (!rc && cfg->wave) {
        rc = r->raw->ops->wave_start(r->raw, cfg->wave, cfg->wave_from, cfg->wave_to, err);
        r->res->wave_written = rc == 0;
    }
    return rc;
}

/* Everything between the opened device and the final comparison. */
static int execute(struct run *r, struct nerr *err)
{
    unsigned inferences = r->cfg->inferences ? r->cfg->inferences : 1;
    int rc = run_load(r, err);
    if (!rc)
        rc = run_start(r, err);
    for (unsigned i = 0; i < inferences && !rc && !r->device_error; i++) {
        if (i > 0)
            rc = run_next_inference(r, i, err);
        if (!rc)
            rc = run_inference(r, err);
    }
    if (!rc)
        rc = chk_final(r->chk, err);
    if (!rc && !r->device_error)
        rc = run_collect_outputs(r, err);
    if (!rc)
        rc = run_read_engines(r, err);
    if (!rc && !r->device_error)
        rc = run_stop(r, err);
    if (!rc && chk_get_report(r->chk)->failed) {
        *err = chk_get_report(r->chk)->err;
        rc = NERR_MISMATCH;
    }
    return rc;
}

/* "TPB_ERROR SEQUENCER_FATAL ..." of the first error record. */
static void describe_device_error(const struct run *r, struct nerr *err)
{
    static const char *const names[] = { "FP_UNDERFLOW",       "FP_NAN",         "FP_INF",
                                         "FP_OVERFLOW",        "MEMORY_ERROR",   "FAKE_ERROR",
                                         "SEMAPHORE_ERROR",    "EVENT_ERROR",    "PSUM_COLLISION",
                                         "SEQUENCER_NONFATAL", "SEQUENCER_FATAL" };
    for (size_t i = 0; i < r->res->nrecords; i++) {
        const struct run_record *rec = &r->res->records[i];
        if (rec->type != NTYPE_TPB_ERROR && rec->queue != 3)
            continue;
        uint32_t id = rec->w0 & NOTIF_TPB_ERROR_W0_ID_MASK;
        const char *name = id < sizeof names / sizeof names[0] ? names[id] : "unknown error";
        nerr_set(err, NERR_MISMATCH, "device",
                 "the device reported TPB_ERROR %s (W0 %08" PRIx32 " W1 %08" PRIx32 ") at %" PRIu64 " ps",
                 name, rec->w0, rec->w1, rec->ps);
        return;
    }
    nerr_set(err, NERR_MISMATCH, "device", "the device reported an error");
}

static enum run_verdict verdict_of(int code)
{
    switch (code) {
    case NERR_OK:
        return RUN_PASS;
    case NERR_MISMATCH:
        return RUN_DIFFERS;
    case NERR_HANG:
        return RUN_HANG;
    default:
        return RUN_ERROR;
    }
}

/* A run that did nothing is no pass (architecture §5). */
static int demand_work(const struct run *r, struct nerr *err)
{
    uint64_t retired = 0;
    if (!r->raw->ops->events)
        return 0;
    for (unsigned e = 0; e < PROG_ENGINES; e++)
        retired += r->res->retired[e];
    if (retired == 0)
        return nerr_set(err, NERR_MISMATCH, "device",
                        "no slot was retired: nothing was run and nothing is proven");
    return 0;
}

/* The engine whose program stands still; engines at their gate or a barrier only wait for it. */
static unsigned find_suspect(const struct run *r)
{
    unsigned suspect = ENG_PE;
    if (!chk_model(r->chk))
        return suspect;
    for (unsigned e = PROG_ENGINES; e-- > 0;) {
        const struct load_image *img = &r->plan->images[e];
        struct ref_seq_view v;
        ref_view_seq(chk_model(r->chk), e, &v);
        uint64_t slot = (v.pc - img->base) / SLOT_BYTES;
        if (v.state == ESTATE_RUNNING && slot < img->size / SLOT_BYTES &&
            (img->slots[slot].section == LOAD_MAIN || img->slots[slot].section == LOAD_FUNCTION))
            suspect = e;
    }
    return suspect;
}

static void write_report(struct run *r, const struct nerr *err)
{
    size_t size = 0;
    FILE *out = open_memstream(&r->res->text, &size);
    if (!out)
        return;
    if (chk_get_report(r->chk)->failed)
        chk_print_report(r->chk, out);
    else
        fprintf(out, "%s: %s\n", err->where, err->text);
    if (r->res->verdict == RUN_HANG || r->device_error)
        chk_print_hang(r->chk, r->dev, out);
    if (fclose(out) != 0) {
        free(r->res->text);
        r->res->text = NULL;
    }
}

/* Fills what the result says about the device, before it is closed. */
static void finish_result(struct run *r, int rc, struct nerr *err)
{
    struct run_result *res = r->res;
    struct dev_time t;
    const struct chk_counts *counts = chk_get_counts(r->chk);
    r->dev->ops->now(r->dev, &t);
    res->cycles = t.cycle;
    res->ps = t.ps;
    res->events = counts->events;
    for (unsigned e = 0; e < PROG_ENGINES; e++)
        res->retired[e] = counts->retired[e];
    res->report = *chk_get_report(r->chk);
    snprintf(res->device, sizeof res->device, "%s", r->raw->name);
    res->checked = chk_model(r->chk) != NULL;
    res->injected = r->raw->ops->injected && r->raw->ops->injected(r->raw);
    if (!rc && r->device_error) {
        describe_device_error(r, err);
        rc = err->code;
    }
    if (rc == NERR_HANG && !res->report.failed) {
        struct nerr ignored; /* the hang is the news, not what reading about it says */
        run_read_engines(r, &ignored);
    }
    if (!rc)
        rc = demand_work(r, err);
    if (!rc && r->cfg->dev.inject && !res->injected)
        rc = nerr_set(err, NERR_INPUT, "--inject",
                      "'%s' never happened: this run has fewer opportunities for it", r->cfg->dev.inject);
    res->verdict = verdict_of(rc);
    if (res->verdict == RUN_HANG)
        res->suspect = find_suspect(r);
    if (rc == NERR_MISMATCH)
        res->fail_cycle = res->report.failed && res->report.has_event ? res->report.cycle : t.cycle;
    if (rc)
        res->err = *err;
    if (res->verdict == RUN_DIFFERS || res->verdict == RUN_HANG)
        write_report(r, err);
}

/* Closes the event file. What could not be written whole, or tells of a run that never began, does not stay.
 */
static int close_events(struct run *r, bool began, struct nerr *err)
{
    if (!r->events)
        return 0;
    bool failed = ferror(r->events) != 0;
    failed = fclose(r->events) != 0 || failed;
    r->events = NULL;
    if (failed || !began)
        file_discard(r->cfg->events);
    return failed ? nerr_set(err, NERR_IO, r->cfg->events, "the event file cannot be written") : 0;
}

/* A run ends where it went wrong; its wave also shows what came of it. Nobody listens to these clocks. */
static void trace_past_failure(struct run *r)
{
    const uint64_t last = r->res->fail_cycle + FAIL_WAVE_AFTER;
    struct dev_time t;
    struct nerr ignored;
    unsigned why;
    r->raw->ops->now(r->raw, &t);
    if (r->res->verdict != RUN_DIFFERS || t.cycle > last)
        return;
    if (r->raw->ops->events(r->raw, NULL, NULL, &ignored) == 0)
        r->raw->ops->advance(r->raw, last + 1 - t.cycle, 0, &why, &ignored);
}

/* Closes the wave and looks whether it is one: the writer does not tell of a full disk or an empty window. */
static int close_wave(struct run *r, struct nerr *err)
{
    struct wave_reader *w;
    if (!r->res->wave_written)
        return 0;
    r->res->wave_written = false;
    trace_past_failure(r);
    int rc = r->raw->ops->wave_stop(r->raw, err);
    if (!rc && access(r->cfg->wave, F_OK) != 0)
        rc = nerr_set(err, NERR_INPUT, "--wave-window",
                      "the run ends before clock %" PRIu64 ": there is no wave", r->cfg->wave_from);
    if (!rc && (rc = wave_reader_open(r->cfg->wave, &w, err)) != 0) {
        file_discard(r->cfg->wave);
        nerr_set(err, NERR_IO, r->cfg->wave, "the wave could not be written whole (is the disk full?)");
    }
    if (rc)
        return rc;
    wave_reader_close(w);
    r->res->wave_written = true;
    return 0;
}

/* A file that was asked for and is not there makes a good run an error; a failure stays the news. */
static void close_files(struct run *r, bool began)
{
    struct run_result *res = r->res;
    struct nerr errors[3];
    int rc[3] = { close_wave(r, &errors[0]), close_events(r, began, &errors[1]), 0 };
    if (r->raw && r->raw->ops->finish && res->verdict == RUN_PASS)
        rc[2] = r->raw->ops->finish(r->raw, &errors[2]);
    for (unsigned i = 0; i < 3; i++)
        if (rc[i] && res->verdict == RUN_PASS) {
            res->verdict = verdict_of(rc[i]);
            res->err = errors[i];
            if (res->verdict == RUN_DIFFERS)
                write_report(r, &errors[i]);
        }
}

int run_execute(const struct run_config *cfg, struct run_result *res)
{
    struct run r = { .cfg = cfg, .res = res };
    struct nerr err = { 0 };
    memset(res, 0, sizeof *res);
    for (unsigned e = 0; e < PROG_ENGINES; e++)
        res->engine_state[e] = -1;
    double start = wall_seconds();
    int rc = prepare(&r, &err);
    bool began = rc == 0;
    if (rc) {
        res->verdict = RUN_ERROR;
        res->err = err;
    } else {
        rc = execute(&r, &err);
        finish_result(&r, rc, &err);
    }
    close_files(&r, began);
    if (r.raw)
        r.raw->ops->close(r.raw);
    chk_free(r.chk);
    load_free(r.plan);
    program_free(r.prog);
    neff_close(r.neff);
    res->seconds = wall_seconds() - start;
    return run_exit_code(res);
}

int run_exit_code(const struct run_result *res)
{
    switch (res->verdict) {
    case RUN_PASS:
        return 0;
    case RUN_DIFFERS:
        return 1;
    case RUN_HANG:
        return 3;
    default:
        return nerr_exit_code(&res->err);
    }
}

void run_result_free(struct run_result *res)
{
    for (size_t i = 0; i < res->noutputs; i++)
        free(res->outputs[i].name);
    free(res->outputs);
    free(res->records);
    free(res->text);
    memset(res, 0, sizeof *res);
}
