/* Choice of signals for an agent: see agent.h. */
#include "wave/agent.h"

#include "wave/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCOPE_GLOBS 4

/*
 * How the scopes of an agent may be called, the best first: instances in a generate loop, numbered instances,
 * and the single unit of a small bench. %u is the unit.
 */
static const char *const scopes[][SCOPE_GLOBS] = {
    [WAVE_AGENT_SEQ] = { "*g_seq[%u].u_seq*.", "*seq[%u].", "*seq_%u.", "*seq%u." },
    [WAVE_AGENT_UDMA] = { "*g_dma[%u].u_udma.", "*udma[%u].", "*udma_%u.", "*udma%u." },
    [WAVE_AGENT_NOTIFIC] = { "*u_notific[%u].", "*u_notific.", "*notific_%u.", "*notific." },
    [WAVE_AGENT_EVT] = { "*u_evt_sem[%u].", "*u_evt_sem.", "*u_evt.", "*evt_sem." },
};

/* Length of "top.core." in "top.core.data[7:0]"; a dot inside brackets separates nothing. */
static size_t scope_length(const char *name)
{
    size_t depth = 0, length = 0;
    for (size_t i = 0; name[i]; i++) {
        depth += name[i] == '[';
        depth -= name[i] == ']' && depth > 0;
        if (name[i] == '.' && depth == 0)
            length = i + 1;
    }
    return length;
}

static bool in_scope(const char *glob, const char *name, size_t length, char *scratch)
{
    memcpy(scratch, name, length);
    scratch[length] = '\0';
    return wave_glob(glob, scratch);
}

/* Length of the name without a range or index at its end. */
static size_t base_length(const char *name)
{
    const char *bracket = strrchr(name, '[');
    size_t n = strlen(name);
    return bracket && n && name[n - 1] == ']' ? (size_t)(bracket - name) : n;
}

static bool ends_with(const char *name, const char *tail)
{
    size_t n = base_length(name), t = strlen(tail);
    return n >= t && memcmp(name + n - t, tail, t) == 0;
}

/* The shortest scope that the glob fits: the agent itself, not a block below it that happens to be called
 * alike. */
static const char *find_scope(const struct wave_names *names, const char *glob, size_t *length, char *scratch)
{
    const char *best = NULL;
    for (size_t i = 0; i < names->n; i++) {
        size_t n = scope_length(names->name[i]);
        if (n && (!best || n < *length) && in_scope(glob, names->name[i], n, scratch)) {
            best = names->name[i];
            *length = n;
        }
    }
    return best;
}

struct picker {
    const struct wave_names *names;
    struct gtkw_row *rows;
    size_t n, limit;
};

static void pick(struct picker *p, size_t i, const char *comment)
{
    if (p->n < p->limit)
        p->rows[p->n++] = (struct gtkw_row){ .name = p->names->name[i], .comment = comment };
}

static void pick_first(struct picker *p, const char *tail)
{
    for (size_t i = 0; i < p->names->n; i++)
        if (ends_with(p->names->name[i], tail)) {
            pick(p, i, NULL);
            return;
        }
}

/* Signals of the agent's own scope that carry slots, descriptors or records. */
static void pick_records(struct picker *p, const char *scope, size_t length)
{
    const char *comment = "in words";
    for (size_t i = 0; i < p->names->n; i++) {
        const char *name = p->names->name[i];
        if (scope_length(name) != length || memcmp(name, scope, length) != 0 ||
            wave_decode_of(name, p->names->width[i], NULL, 0) == WAVE_DECODE_NONE)
            continue;
        pick(p, i, comment);
        comment = NULL;
    }
}

static void pick_scope(struct picker *p, const char *scope, size_t length, bool below, const char *comment)
{
    static const char *const port_tails[] = { "_q", "_i", "_o" };
    for (size_t i = 0; i < p->names->n; i++) {
        const char *name = p->names->name[i];
        size_t own = scope_length(name);
        if (own < length || memcmp(name, scope, length) != 0 || (own > length) != below)
            continue;
        if (ends_with(name, "clk_i") || ends_with(name, "rst_ni"))
            continue;
        for (size_t t = 0; t < (below ? 1 : sizeof port_tails / sizeof port_tails[0]); t++)
            if (ends_with(name, port_tails[t])) {
                pick(p, i, comment);
                comment = NULL;
                break;
            }
    }
}

int wave_agent_rows(const struct wave_names *names, enum wave_agent agent, unsigned unit, size_t limit,
                    struct gtkw_row **rows, size_t *n, struct nerr *err)
{
    struct picker p = { .names = names, .limit = limit };
    const char *scope = NULL;
    size_t length = 0, longest = 0;
    *rows = NULL;
    *n = 0;
    for (size_t i = 0; i < names->n; i++) {
        size_t own = strlen(names->name[i]);
        longest = own > longest ? own : longest;
    }
    char *scratch = malloc(longest + 1);
    p.rows = calloc(limit ? limit : 1, sizeof *p.rows);
    if (!scratch || !p.rows) {
        free(scratch);
        free(p.rows);
        return nerr_set(err, NERR_MEM, "", "out of memory");
    }
    for (size_t i = 0; i < SCOPE_GLOBS && !scope; i++) {
        char glob[64];
        snprintf(glob, sizeof glob, scopes[agent][i], unit);
        scope = find_scope(names, glob, &length, scratch);
    }
    free(scratch);
    if (!scope) {
        free(p.rows);
        return 0;
    }
    pick_first(&p, "clk_i");
    pick_first(&p, "rst_ni");
    pick_records(&p, scope, length);
    pick_scope(&p, scope, length, false, "ports and registers");
    pick_scope(&p, scope, length, true, "registers below");
    *rows = p.rows;
    *n = p.n;
    return 0;
}
