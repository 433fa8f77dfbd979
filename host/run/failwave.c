/* The wave around a failure: see failwave.h. */
#include "run/failwave.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "regs.h"
#include "util/file.h"
#include "util/strbuf.h"
#include "wave/agent.h"
#include "wave/gtkw.h"

#define ROWS_LIMIT 60 /* signals in the save file */

/* "out/e1-fail.fst" for "dir/e1.neff". */
static char *default_path(const struct run_config *cfg)
{
    const char *slash = strrchr(cfg->neff_path, '/');
    const char *base = slash ? slash + 1 : cfg->neff_path;
    const char *dot = strrchr(base, '.');
    int n = dot && strcmp(dot, ".neff") == 0 ? (int)(dot - base) : (int)strlen(base);
    return text_printf("%s%s%.*s-fail.fst", cfg->output_dir ? cfg->output_dir : "",
                       cfg->output_dir ? "/" : "", n, base);
}

/* "x.fst" -> "x.gtkw". */
static char *save_file_path(const char *fst)
{
    size_t n = strlen(fst);
    if (n > 4 && strcmp(fst + n - 4, ".fst") == 0)
        n -= 4;
    return text_printf("%.*s.gtkw", (int)n, fst);
}

/* Which agent's signals to show. A hang has no wrong event: the engine that stands in its program. */
static void pick_agent(const struct run_result *res, enum wave_agent *agent, unsigned *unit)
{
    const struct dev_event *ev = &res->report.event;
    *agent = WAVE_AGENT_SEQ;
    *unit = res->suspect;
    if (!res->report.failed || !res->report.has_event)
        return;
    *unit = ev->unit;
    if (ev->kind >= EV_NQ_IN && ev->kind <= EV_NQ_WR) {
        *agent = WAVE_AGENT_NOTIFIC;
        *unit = 0;
    } else if (ev->kind == EV_SEM) {
        *agent = WAVE_AGENT_EVT;
    } else if (ev->kind >= EV_MEM_RD && ev->kind <= EV_APB_WR) {
        *agent = ev->code >= MASTER_UDMA0 && ev->code != MASTER_HOST ? WAVE_AGENT_UDMA
                 : ev->code == MASTER_NOTIFIC                        ? WAVE_AGENT_NOTIFIC
                                                                     : WAVE_AGENT_SEQ;
        *unit = *agent == WAVE_AGENT_UDMA  ? ev->code - MASTER_UDMA0
                : *agent == WAVE_AGENT_SEQ ? ev->code % 5u
                                           : 0;
    } else if ((ev->kind >= EV_DMA_DESC && ev->kind <= EV_DMA_WR) || ev->kind == EV_DMA_BELL ||
               (ev->kind >= EV_DMA_WRESP && ev->kind <= EV_DMA_ERR) || ev->kind == EV_DMA_STATE) {
        *agent = WAVE_AGENT_UDMA;
    }
}

static char *write_save_file(const struct run_result *res, const char *fst)
{
    struct nerr err;
    struct wave_names names;
    struct gtkw_row *rows = NULL;
    enum wave_agent agent;
    unsigned unit;
    size_t n = 0;
    pick_agent(res, &agent, &unit);
    if (wave_list(fst, NULL, 0, &names, &err) != 0)
        return NULL;
    char *path = save_file_path(fst);
    uint64_t marker = res->fail_cycle * SIM_CLOCK_PS;
    if (!path || wave_agent_rows(&names, agent, unit, ROWS_LIMIT, &rows, &n, &err) != 0 ||
        wave_gtkw_write(path, fst, rows, n, marker, &err) != 0) {
        free(path);
        path = NULL;
    }
    free(rows);
    wave_names_free(&names);
    return path;
}

/* A rename would replace a device or a link itself. */
static bool replaceable(const char *path)
{
    struct stat st;
    return lstat(path, &st) != 0 || S_ISREG(st.st_mode);
}

/* An empty file of a name of its own: two runs in one folder do not write into each other's wave. */
static bool create(char *name)
{
    int fd = mkstemp(name);
    mode_t mask = umask(0);
    umask(mask);
    if (fd < 0)
        return false;
    fchmod(fd, 0666 & ~mask);
    return close(fd) == 0;
}

void fail_wave_record(const struct run_config *cfg, const struct run_result *res, const char *path,
                      struct fail_wave *out)
{
    out->fst = NULL;
    out->gtkw = NULL;
    if ((res->verdict != RUN_DIFFERS && res->verdict != RUN_HANG) || cfg->wave ||
        strcmp(cfg->device, "rtl") != 0)
        return;
    char *fst = path ? text_copy(path) : default_path(cfg);
    char *temporary = fst ? text_printf("%s.XXXXXX", fst) : NULL;
    if (!temporary || !replaceable(fst) || !create(temporary)) {
        free(temporary);
        free(fst);
        return;
    }
    struct run_config again = *cfg;
    struct run_result second;
    again.wave = temporary;
    again.wave_from = res->fail_cycle > FAIL_WAVE_BEFORE ? res->fail_cycle - FAIL_WAVE_BEFORE : 0;
    again.wave_to = res->fail_cycle + FAIL_WAVE_AFTER;
    again.events = NULL;
    again.output_dir = NULL;
    run_execute(&again, &second);
    bool same = second.wave_written && second.verdict == res->verdict && second.fail_cycle == res->fail_cycle;
    run_result_free(&second);
    same = same && rename(temporary, fst) == 0;
    if (!same)
        file_discard(temporary);
    free(temporary);
    if (!same) {
        free(fst);
        return;
    }
    out->fst = fst;
    out->gtkw = write_save_file(res, fst);
}

void fail_wave_free(struct fail_wave *w)
{
    free(w->fst);
    free(w->gtkw);
    w->fst = NULL;
    w->gtkw = NULL;
}
