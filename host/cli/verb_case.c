/* neffsim case: runs vector cases, each in a process of its own, and judges them. */
#include <getopt.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/args.h"
#include "cli/verbs.h"
#include "run/goldenwave.h"
#include "run/report.h"
#include "run/vcase.h"
#include "util/file.h"
#include "util/interrupt.h"

enum {
    OPT_DEVICE = 256,
    OPT_JOBS,
    OPT_JUNIT,
    OPT_SEED,
    OPT_SEEDS,
    OPT_TIMING,
    OPT_GOLDEN,
    OPT_JSON,
    OPT_HELP
};

static const struct option options[] = {
    { "device", required_argument, NULL, OPT_DEVICE },
    { "jobs", required_argument, NULL, OPT_JOBS },
    { "junit", required_argument, NULL, OPT_JUNIT },
    { "seed", required_argument, NULL, OPT_SEED },
    { "seeds", required_argument, NULL, OPT_SEEDS },
    { "timing", required_argument, NULL, OPT_TIMING },
    { "record-golden", no_argument, NULL, OPT_GOLDEN },
    { "json", no_argument, NULL, OPT_JSON },
    { "help", no_argument, NULL, OPT_HELP },
    { NULL, 0, NULL, 0 },
};

struct case_options {
    const char *device;
    const char *junit;
    uint64_t seed, seeds, jobs;
    bool random_timing, record_golden, json;
};

struct job {
    const char *dir;
    uint64_t seed;
    pid_t pid;
    FILE *out; /* what the child prints */
    double start, seconds;
    int code; /* exit code, 128 + n for a signal */
    char *text;
};

static void usage(FILE *out)
{
    fputs(
        "usage: neffsim case DIR.. [options]\n"
        "example: neffsim case vectors/allreduce vectors/copy --jobs 2 --junit cases.xml\n\n"
        "  --device D            rtl (default) or ref\n"
        "  --timing random       random latencies and stalls; --seed N first seed, --seeds N how many (1)\n"
        "  --jobs N              cases at once (1)\n"
        "  --junit F.xml         results for a CI system\n"
        "  --json                one JSON array on stdout\n"
        "  --record-golden       makes the wave of this run the golden one, after showing the difference\n\n"
        "exit codes: 0 all cases meet their expectations, 1 some do not, 2 usage or an unreadable case\n",
        out);
}

static double now_seconds(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

/* A name for a wave that nobody else uses; the file exists and is empty. False when there is no place for it.
 */
static bool temporary_wave(char *path, size_t size)
{
    const char *dir = getenv("TMPDIR");
    snprintf(path, size, "%s/neffsim-wave-XXXXXX", dir && *dir ? dir : "/tmp");
    int fd = mkstemp(path);
    return fd >= 0 && close(fd) == 0;
}

/* One element of the --json array. text: what people would read, or NULL. */
static void put_case(struct strbuf *b, const char *title, int code, const struct nerr *err, const char *text,
                     const struct run_result *res)
{
    struct report_context ctx = { .title = title };
    struct json_out j = { .b = b };
    json_open(&j, '{');
    json_put_key(&j, "case");
    json_put_string(&j, title);
    json_put_key(&j, "ok");
    json_put_bool(&j, code == 0);
    json_put_key(&j, "exit");
    json_put_i64(&j, code);
    if (err && code) {
        json_put_key(&j, "where");
        json_put_string(&j, err->where);
    }
    if (text || (err && code)) {
        json_put_key(&j, "text");
        json_put_string(&j, err && code ? err->text : text);
    }
    if (res) {
        json_put_key(&j, "run");
        report_json(res, &ctx, &j);
    }
    json_close(&j, '}');
}

/* Runs one case and prints its verdict on `out`. Returns its exit code. */
static int run_one(const struct case_options *o, const char *dir, uint64_t seed, FILE *out)
{
    struct vcase c;
    struct nerr err = { 0 };
    struct run_result res = { 0 };
    struct strbuf text = { 0 };
    char wave[4096] = "";
    bool traced = false;
    int rc = vcase_open(dir, &c, &err);
    if (!rc) {
        c.cfg.device = o->device;
        c.cfg.dev.seed = seed;
        c.cfg.dev.random_timing = o->random_timing;
        traced = c.golden_wave && strcmp(o->device, "rtl") == 0 && !o->random_timing;
        if (traced && !temporary_wave(wave, sizeof wave))
            rc = nerr_set(&err, NERR_IO, wave, "no temporary file for the wave");
        if (traced) {
            c.cfg.wave = wave;
            c.cfg.wave_from = c.wave_from;
            c.cfg.wave_to = c.wave_to;
        }
    }
    bool ran = rc == 0;
    if (ran) {
        run_execute(&c.cfg, &res);
        rc = vcase_judge(&c, &res, &err);
        if (!rc && traced)
            rc = o->record_golden ? golden_wave_record(&c, wave, &text, &err)
                                  : golden_wave_compare(&c, wave, &err);
    }
    char title[256];
    snprintf(title, sizeof title, "%s", c.name ? c.name : dir);
    if (o->random_timing)
        snprintf(title, sizeof title, "%s seed %" PRIu64, c.name ? c.name : dir, seed);
    struct report_context ctx = { .title = title };
    int code = rc == 0 ? 0 : ran ? 1 : nerr_exit_code(&err);
    if (o->json) {
        struct strbuf doc = { 0 };
        put_case(&doc, title, code, &err, text.s, ran ? &res : NULL);
        strbuf_free(&text);
        text = doc;
    } else if (rc) {
        if (res.text)
            strbuf_puts(&text, res.text);
        strbuf_printf(&text, "FAIL %s: %s: %s\n", title, err.where, err.text);
    } else {
        if (c.exit_code == 0) {
            report_summary(&res, &text);
            report_line(&res, &ctx, &text);
        } else {
            strbuf_printf(&text, "PASS %s: exit %d as expected, %" PRIu64 " cycles: %s\n", title, c.exit_code,
                          res.cycles, res.err.text);
        }
    }
    if (text.s)
        fputs(text.s, out);
    if (wave[0])
        remove(wave);
    strbuf_free(&text);
    run_result_free(&res);
    vcase_free(&c);
    return code;
}

static bool start_job(const struct case_options *o, struct job *j)
{
    j->out = tmpfile();
    if (!j->out)
        return false;
    fflush(NULL);
    j->start = now_seconds();
    j->pid = fork();
    if (j->pid == 0) {
        int code = run_one(o, j->dir, j->seed, j->out);
        fflush(j->out);
        _exit(code);
    }
    return j->pid > 0;
}

static void finish_job(struct job *j, int status)
{
    j->seconds = now_seconds() - j->start;
    j->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    long size = fseek(j->out, 0, SEEK_END) == 0 ? ftell(j->out) : -1;
    rewind(j->out);
    j->text = calloc(1, size > 0 ? (size_t)size + 1 : 1);
    if (j->text && size > 0 && fread(j->text, 1, (size_t)size, j->out) != (size_t)size)
        j->text[0] = '\0';
    fclose(j->out);
    j->pid = 0;
}

static void print_job(const struct case_options *o, const struct job *j, bool first)
{
    struct strbuf b = { 0 };
    bool died = j->code > 3;
    if (o->json)
        strbuf_puts(&b, first ? "[\n" : ",\n");
    if (o->json && died) {
        struct nerr err;
        nerr_set(&err, NERR_IO, j->dir, "the process ended with signal %d", j->code - 128);
        put_case(&b, j->dir, j->code, &err, NULL, NULL);
    } else {
        strbuf_puts(&b, j->text ? j->text : "");
        if (died)
            strbuf_printf(&b, "FAIL %s: the process ended with signal %d\n", j->dir, j->code - 128);
    }
    if (o->json)
        cli_document(&b);
    else
        cli_text(&b);
    strbuf_free(&b);
    fflush(stdout);
}

/* One process that ended; -1 with errno EINTR when a signal came instead, which the others are told then. */
static pid_t wait_job(const struct job *jobs, size_t n, int *status)
{
    pid_t pid = wait(status);
    if (pid < 0 && errno == EINTR && interrupt_pending())
        for (size_t i = 0; i < n; i++)
            if (jobs[i].pid > 0)
                kill(jobs[i].pid, SIGTERM);
    return pid;
}

/* Runs all jobs, at most o->jobs at once. False when a process could not be started. */
static bool run_jobs(const struct case_options *o, struct job *jobs, size_t n)
{
    size_t next = 0, running = 0, printed = 0;
    bool started = true;
    while (running || (started && next < n && !interrupt_pending())) {
        if (started && next < n && running < o->jobs && !interrupt_pending()) {
            started = start_job(o, &jobs[next]);
            next += started;
            running += started;
            continue;
        }
        int status;
        pid_t pid = wait_job(jobs, next, &status);
        if (pid < 0 && errno != EINTR)
            break;
        for (size_t i = 0; i < next; i++)
            if (pid > 0 && jobs[i].pid == pid) {
                finish_job(&jobs[i], status);
                running--;
            }
        for (; printed < next && jobs[printed].pid == 0; printed++)
            print_job(o, &jobs[printed], printed == 0);
    }
    for (size_t i = next; i < n; i++) /* never started */
        jobs[i].code = 2;
    if (o->json) {
        struct strbuf end = { 0 };
        strbuf_puts(&end, printed ? "]\n" : "[]\n");
        cli_document(&end);
        strbuf_free(&end);
    }
    return started;
}

static int write_junit(const struct case_options *o, const struct job *jobs, size_t n, size_t failed)
{
    struct strbuf x = { 0 };
    struct nerr err;
    strbuf_printf(&x,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"neffsim\" tests=\"%zu\" "
                  "failures=\"%zu\">\n",
                  n, failed);
    for (size_t i = 0; i < n; i++) {
        strbuf_puts(&x, "  <testcase classname=\"case\" name=\"");
        report_escape(jobs[i].dir, &x);
        strbuf_printf(&x, " seed %" PRIu64 "\" time=\"%.3f\">", jobs[i].seed, jobs[i].seconds);
        if (jobs[i].code) {
            strbuf_puts(&x, "<failure>");
            report_escape(jobs[i].text ? jobs[i].text : "", &x);
            strbuf_puts(&x, "</failure>");
        }
        strbuf_puts(&x, "</testcase>\n");
    }
    strbuf_puts(&x, "</testsuite>\n");
    int rc = file_write(o->junit, x.s ? x.s : "", x.len, &err);
    strbuf_free(&x);
    return rc ? cli_fail(&err) : 0;
}

static bool take(struct case_options *o, int opt)
{
    static const char *const timings[] = { "fixed", "random", NULL };
    static const char *const devices[] = { "rtl", "ref", NULL };
    unsigned i;
    switch (opt) {
    case OPT_DEVICE:
        if (!arg_word("--device", optarg, devices, &i))
            return false;
        o->device = devices[i];
        return true;
    case OPT_JOBS:
        return arg_u64("--jobs", optarg, 1, 64, &o->jobs);
    case OPT_JUNIT:
        o->junit = optarg;
        return true;
    case OPT_SEED:
        return arg_u64("--seed", optarg, 0, UINT64_MAX / 2, &o->seed);
    case OPT_SEEDS:
        return arg_u64("--seeds", optarg, 1, 100000, &o->seeds);
    case OPT_TIMING:
        if (!arg_word("--timing", optarg, timings, &i))
            return false;
        o->random_timing = i == 1;
        return true;
    case OPT_GOLDEN:
        o->record_golden = true;
        return true;
    case OPT_JSON:
        o->json = true;
        return true;
    default:
        return false;
    }
}

static int run_all(const struct case_options *o, char **dirs, size_t ndirs)
{
    size_t n = ndirs * (size_t)o->seeds, failed = 0;
    int worst = 0;
    struct job *jobs = calloc(n, sizeof *jobs);
    if (!jobs)
        return 2;
    for (size_t i = 0; i < n; i++) {
        jobs[i].dir = dirs[i / o->seeds];
        jobs[i].seed = o->seed + i % o->seeds;
    }
    if (!run_jobs(o, jobs, n)) {
        worst = cli_complain("case: no process could be started");
    }
    for (size_t i = 0; i < n; i++) {
        failed += jobs[i].code != 0;
        if (jobs[i].code > worst)
            worst = jobs[i].code;
    }
    if (o->junit && write_junit(o, jobs, n, failed) != 0)
        worst = 2;
    if (!o->json)
        printf("%zu passed, %zu failed\n", n - failed, failed);
    for (size_t i = 0; i < n; i++)
        free(jobs[i].text);
    free(jobs);
    return worst > 2 ? 1 : worst;
}

int verb_case(int argc, char **argv)
{
    struct case_options o = { .device = "rtl", .seed = 1, .seeds = 1, .jobs = 1 };
    int opt;
    optind = 1;
    opterr = 0;
    while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (opt == OPT_HELP) {
            usage(stdout);
            return 0;
        }
        if (opt == '?')
            return cli_bad_option("case", argc, argv);
        if (!take(&o, opt))
            return 2;
    }
    if (optind == argc) {
        return cli_complain("case takes at least one folder; see neffsim case --help");
    }
    interrupt_catch();
    return run_all(&o, argv + optind, (size_t)(argc - optind));
}
