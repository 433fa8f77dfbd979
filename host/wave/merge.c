/* The merged trace: see merge.h. */
#define _XOPEN_SOURCE 700 /* mkstemp, fchmod */
#include "wave/merge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/file.h"
#include "util/strbuf.h"
#include "wave/fst_names.h"
#include "wave/trace.h"

#define FLUSH_BYTES (8u << 20) /* of changes that the library holds before they go to the file */

enum { GOLDEN, ACTUAL, DIFFERS, SCOPES };
static const char *const scope_words[SCOPES] = { "golden", "actual", "differs" };

struct writer {
    void *fst;
    struct wave_trace_pair pair;
    size_t n;           /* signals; lane n of A is the clock when there is one */
    bool clock, events; /* events: some signal is one */
    fstHandle *handles; /* SCOPES per signal, then the clock */
    char *differing;    /* per signal '0' or '1', as written last */
    wave_time origin;   /* time that is tick 0 */
    uint64_t held;      /* bytes since the last flush */
};

static int no_memory(const char *path, struct nerr *err)
{
    return nerr_set(err, NERR_MEM, path, "out of memory");
}

/* ---- names ---- */

/* Length of the scopes of "top.g[0].q[3:0]" with their dot; dots inside brackets or braces separate nothing.
 */
static size_t scope_length(const char *name)
{
    size_t depth = 0, length = 0;
    for (size_t i = 0; name[i]; i++) {
        depth += name[i] == '[' || name[i] == '{';
        depth -= (name[i] == ']' || name[i] == '}') && depth > 0;
        if (name[i] == '.' && depth == 0 && name[i + 1])
            length = i + 1;
    }
    return length;
}

/* A name that a save file takes: no blanks, no control characters. Several signals in braces get the name of
 * the other side when that is one signal. */
static char *plain_name(const char *name, const char *other)
{
    char *copy = text_copy(name[0] == '{' ? other : name);
    for (char *p = copy; p && *p; p++)
        if ((unsigned char)*p <= ' ' || *p == 0x7f || ((*p == '{' || *p == '}') && copy[0] == '{'))
            *p = '_';
    return copy;
}

struct entry {
    char *name; /* in the hierarchy, without the scope of the side */
    size_t index;
};

static int by_entry(const void *pa, const void *pb)
{
    const struct entry *a = pa, *b = pb;
    int c = strcmp(a->name, b->name);
    return c ? c : (a->index > b->index) - (a->index < b->index);
}

/* "q[3:0]" -> "q_2[3:0]" */
static bool number(struct entry *e, size_t n)
{
    const char *bracket = strrchr(e->name, '[');
    size_t len = strlen(e->name);
    int base = (int)(bracket && e->name[len - 1] == ']' ? (size_t)(bracket - e->name) : len);
    char *name = text_printf("%.*s_%zu%s", base, e->name, n, e->name + base);
    free(e->name);
    e->name = name;
    return name != NULL;
}

/* Sorted, and no name twice: a slice or a part can be compared more than once. */
static bool sort_entries(struct entry *e, size_t n)
{
    bool again = true;
    for (size_t round = 2; again; round++) {
        again = false;
        qsort(e, n, sizeof *e, by_entry);
        for (size_t i = n; i-- > 1;)
            if (strcmp(e[i].name, e[i - 1].name) == 0) {
                again = true;
                if (!number(&e[i], round))
                    return false;
            }
    }
    return true;
}

/* ---- declarations ---- */

static fstHandle declare(struct writer *w, const struct wave_lane *l, const char *name)
{
    enum fstVarType type = l->kind == WAVE_REAL     ? FST_VT_VCD_REAL
                           : l->kind == WAVE_STRING ? FST_VT_GEN_STRING
                           : l->kind == WAVE_EVENT  ? FST_VT_VCD_EVENT
                                                    : FST_VT_VCD_WIRE;
    uint32_t len = l->kind == WAVE_REAL ? 8 : l->kind == WAVE_STRING ? 0 : l->width;
    return fstWriterCreateVar(w->fst, type, FST_VD_IMPLICIT, len, name, 0);
}

/* Leaves and enters scopes so that those of `name` are open; *open lists them, each with its dot. */
static bool enter(struct writer *w, char **open, const char *name)
{
    size_t want = scope_length(name), common = 0;
    for (size_t i = 0; i < want && (*open)[i] == name[i]; i++)
        if (name[i] == '.')
            common = i + 1;
    while (strlen(*open) > common) {
        (*open)[scope_length(*open)] = '\0'; /* all but the last */
        fstWriterSetUpscope(w->fst);
    }
    size_t at = strlen(*open);
    char *now = text_copy_n(name, want);
    free(*open);
    *open = now;
    while (now && at < want) {
        size_t end = at, depth = 0;
        for (; end + 1 < want && (now[end] != '.' || depth); end++) {
            depth += now[end] == '[' || now[end] == '{';
            depth -= (now[end] == ']' || now[end] == '}') && depth > 0;
        }
        now[end] = '\0';
        fstWriterSetScope(w->fst, FST_ST_VCD_MODULE, now + at, NULL);
        now[end] = '.';
        at = end + 1;
    }
    return now != NULL;
}

static char *full_name(int scope, const char *name)
{
    return text_printf("%s.%s", scope_words[scope], name);
}

static void set_name(struct wave_merge_signal *s, int scope, char *name)
{
    if (scope == GOLDEN)
        s->golden = name;
    else if (scope == ACTUAL)
        s->actual = name;
    else
        s->differs = name;
}

/* One side's signals, or the bits that say whether they differ, in the order of the hierarchy. */
static bool declare_scope(struct writer *w, int scope, struct entry *entries, struct wave_merge *out,
                          char **open)
{
    static const struct wave_lane bit = { .kind = WAVE_BITS, .width = 1 };
    for (size_t i = 0; i < w->n; i++) {
        size_t index = entries[i].index;
        const struct wave_lane *l = scope == GOLDEN   ? &w->pair.a.lanes[index]
                                    : scope == ACTUAL ? &w->pair.b.lanes[index]
                                                      : &bit;
        char *full = full_name(scope, entries[i].name);
        if (!full)
            return false;
        set_name(&out->list[index], scope, full);
        if (!enter(w, open, full))
            return false;
        w->handles[SCOPES * index + (size_t)scope] = declare(w, l, full + scope_length(full));
    }
    return true;
}

/* Whether a vector differs is one bit. */
static void drop_range(char *name)
{
    struct wave_range range = wave_range_of(name, strlen(name));
    if (range.has && range.colon)
        name[range.base] = '\0';
}

/* All names of a scope, as they are in A, or in B for the actual side. */
static bool list_entries(struct writer *w, int scope, const char *const *names_a, const char *const *names_b,
                         struct entry *e)
{
    bool complete = true;
    for (size_t i = 0; i < w->n; i++) {
        const char *name = scope == ACTUAL ? names_b[i] : names_a[i];
        const char *other = scope == ACTUAL ? names_a[i] : names_b[i];
        e[i] = (struct entry){ plain_name(name, other), i };
        if (scope == DIFFERS && e[i].name)
            drop_range(e[i].name);
        complete = complete && e[i].name;
    }
    return complete && sort_entries(e, w->n);
}

static int declare_all(struct writer *w, const char *path, const char *const *names_a,
                       const char *const *names_b, struct wave_merge *out, struct nerr *err)
{
    struct entry *e = calloc(w->n + 1, sizeof *e);
    char *open = text_copy("");
    bool complete = e && open;
    fstWriterSetPackType(w->fst, FST_WR_PT_LZ4);
    fstWriterSetTimescale(w->fst, w->pair.base);
    if (w->clock && complete) {
        const struct wave_lane *l = &w->pair.a.lanes[w->n];
        char *name = plain_name(w->pair.a.reader->vars[l->pieces[0].var].name, "clock");
        out->clock = name ? full_name(GOLDEN, name) : NULL;
        free(name);
        complete = out->clock && enter(w, &open, out->clock);
        if (complete)
            w->handles[SCOPES * w->n] = declare(w, l, out->clock + scope_length(out->clock));
    }
    for (int scope = 0; scope < SCOPES && complete; scope++) {
        complete = list_entries(w, scope, names_a, names_b, e) && declare_scope(w, scope, e, out, &open);
        for (size_t i = 0; i < w->n; i++)
            free(e[i].name);
        memset(e, 0, w->n * sizeof *e);
    }
    while (complete && *open) {
        open[scope_length(open)] = '\0';
        fstWriterSetUpscope(w->fst);
    }
    free(e);
    free(open);
    return complete ? 0 : no_memory(path, err);
}

/* ---- values ---- */

static void emit(struct writer *w, fstHandle handle, const struct wave_lane *l)
{
    double real;
    w->held += l->len + 8;
    switch (l->kind) {
    case WAVE_REAL:
        real = strtod(l->value, NULL);
        fstWriterEmitValueChange(w->fst, handle, &real);
        break;
    case WAVE_STRING:
        fstWriterEmitVariableLengthValueChange(w->fst, handle, l->value, (uint32_t)l->len);
        break;
    case WAVE_EVENT:
        if (l->len && l->value[0] == '1')
            fstWriterEmitValueChange(w->fst, handle, "1");
        break;
    default:
        fstWriterEmitValueChange(w->fst, handle, l->value);
    }
}

static void emit_side(struct writer *w, struct wave_trace *t, int scope, bool stepped)
{
    for (size_t k = 0; stepped && k < t->nlist; k++) {
        size_t i = t->list[k];
        if (t->lanes[i].changed)
            emit(w, w->handles[SCOPES * i + (size_t)(i < w->n ? scope : 0)], &t->lanes[i]);
    }
}

static bool fired(const struct wave_lane *l, bool stepped)
{
    return stepped && l->changed && l->len && l->value[0] == '1';
}

static void emit_differing(struct writer *w, size_t i, bool stepped_a, bool stepped_b)
{
    const struct wave_lane *a = &w->pair.a.lanes[i], *b = &w->pair.b.lanes[i];
    bool same = a->kind == WAVE_EVENT ? fired(a, stepped_a) == fired(b, stepped_b)
                                      : wave_lanes_agree(a, b, w->pair.x);
    char now = same ? '0' : '1';
    if (now == w->differing[i])
        return;
    w->differing[i] = now;
    w->held += 8;
    fstWriterEmitValueChange(w->fst, w->handles[SCOPES * i + DIFFERS], &now);
}

static void emit_differences(struct writer *w, bool a, bool b, bool all)
{
    for (size_t i = 0; i < w->n && (all || w->events); i++)
        if (all || w->pair.a.lanes[i].kind == WAVE_EVENT)
            emit_differing(w, i, a, b);
    for (size_t k = 0; a && !all && k < w->pair.a.nlist; k++)
        if (w->pair.a.list[k] < w->n)
            emit_differing(w, w->pair.a.list[k], a, b);
    for (size_t k = 0; b && !all && k < w->pair.b.nlist; k++)
        emit_differing(w, w->pair.b.list[k], a, b);
}

static int emit_time(struct writer *w, wave_time t, struct nerr *err)
{
    wave_time ticks = t - w->origin;
    if (ticks > INT64_MAX)
        return nerr_set(err, NERR_INPUT, w->pair.a.reader->path,
                        "the times of the two files together do not fit 63 bits in the finer unit of both");
    fstWriterEmitTimeChange(w->fst, (uint64_t)ticks);
    return 0;
}

static int emit_step(struct writer *w, wave_time t, bool a, bool b, bool first, struct nerr *err)
{
    int rc = emit_time(w, t, err);
    if (rc)
        return rc;
    for (size_t i = 0; first && i < w->n; i++) { /* what was never written is x, and is said */
        emit(w, w->handles[SCOPES * i + GOLDEN], &w->pair.a.lanes[i]);
        emit(w, w->handles[SCOPES * i + ACTUAL], &w->pair.b.lanes[i]);
    }
    if (first && w->clock)
        emit(w, w->handles[SCOPES * w->n], &w->pair.a.lanes[w->n]);
    emit_side(w, &w->pair.a, GOLDEN, a && !first);
    emit_side(w, &w->pair.b, ACTUAL, b && !first);
    emit_differences(w, a, b, first);
    if (w->held >= FLUSH_BYTES) {
        w->held = 0;
        fstWriterFlushContext(w->fst);
    }
    return 0;
}

static int copy_values(struct writer *w, struct nerr *err)
{
    struct wave_trace *a = &w->pair.a, *b = &w->pair.b;
    wave_time last = w->origin;
    for (bool first = true; !a->ended || !b->ended; first = false) {
        wave_time t = b->ended || (!a->ended && a->when < b->when) ? a->when : b->when;
        bool step_a = !a->ended && a->when == t, step_b = !b->ended && b->when == t;
        int rc = step_a ? wave_trace_step(a, err) : 0;
        if (!rc && step_b)
            rc = wave_trace_step(b, err);
        if (!rc)
            rc = emit_step(w, t, step_a, step_b, first, err);
        if (rc)
            return rc;
        last = t;
    }
    wave_time end = wave_trace_end(a) > wave_trace_end(b) ? wave_trace_end(a) : wave_trace_end(b);
    return end > last ? emit_time(w, end, err) : 0; /* as long as the longer file, though nothing changes */
}

/* ---- the file ---- */

/* Tick 0 is time 0 of the merged axis, or the first time when that is before 0. */
static void set_origin(struct writer *w)
{
    const struct wave_trace *a = &w->pair.a, *b = &w->pair.b;
    w->origin = 0;
    if (!a->ended && a->when < w->origin)
        w->origin = a->when;
    if (!b->ended && b->when < w->origin)
        w->origin = b->when;
    fstWriterSetTimezero(w->fst, (int64_t)w->origin);
}

static int write_trace(struct writer *w, const char *path, const char *const *names_a,
                       const char *const *names_b, const struct wave_moment *first, struct wave_merge *out,
                       struct nerr *err)
{
    int rc = declare_all(w, path, names_a, names_b, out, err);
    if (!rc)
        rc = wave_trace_pair_start(&w->pair, err);
    if (rc)
        return rc;
    for (size_t i = 0; i < w->n; i++)
        w->events = w->events || w->pair.a.lanes[i].kind == WAVE_EVENT;
    set_origin(w);
    wave_time marker = wave_trace_moment(&w->pair, first) - w->origin;
    out->marker = marker > 0 && marker <= INT64_MAX ? (uint64_t)marker : 0;
    return copy_values(w, err);
}

/* A temporary file beside path, which a rename will replace: path may not be a device or a link. */
static char *temporary_file(const char *path, struct nerr *err)
{
    struct stat st;
    if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
        nerr_set(err, NERR_IO, path, "this is not a regular file, and a trace cannot be written into it");
        return NULL;
    }
    char *name = text_printf("%s.XXXXXX", path);
    int fd = name ? mkstemp(name) : -1;
    if (fd < 0) {
        nerr_set(err, NERR_IO, path, "the file cannot be created");
        free(name);
        return NULL;
    }
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, 0666 & ~mask);
    close(fd);
    return name;
}

/* The library does not say whether the disk was full: what it wrote is opened. */
static int finish(const char *temporary, const char *path, struct nerr *err)
{
    struct wave_reader *r;
    int rc = wave_reader_open(temporary, &r, err);
    if (rc)
        return nerr_set(err, NERR_IO, path, "the trace could not be written");
    wave_reader_close(r);
    return rename(temporary, path) == 0 ? 0 : nerr_set(err, NERR_IO, path, "the file cannot be written");
}

int wave_merge_write(const char *path, const char *path_a, const char *path_b,
                     const struct wave_options *options, const char *const *names_a,
                     const char *const *names_b, size_t n, const struct wave_moment *first,
                     struct wave_merge *out, struct nerr *err)
{
    struct writer w = { .n = n, .clock = options->clock.signal != NULL };
    char *temporary = NULL;
    *out = (struct wave_merge){ 0 };
    const char **a = calloc(n + 2, sizeof *a), **b = calloc(n + 2, sizeof *b);
    w.handles = calloc(SCOPES * (n + 1), sizeof *w.handles);
    w.differing = calloc(n + 1, 1);
    out->list = calloc(n + 1, sizeof *out->list);
    int rc = a && b && w.handles && w.differing && out->list ? 0 : no_memory(path, err);
    if (!rc) {
        out->n = n;
        memcpy(a, names_a, n * sizeof *a);
        memcpy(b, names_b, n * sizeof *b);
        a[n] = options->clock.signal;
        rc = wave_trace_pair_open(&w.pair, path_a, path_b, options, a, b, n + w.clock, err);
    }
    if (!rc && !(temporary = temporary_file(path, err)))
        rc = err->code;
    if (!rc && !(w.fst = fstWriterCreate(temporary, 1)))
        rc = nerr_set(err, NERR_IO, path, "the file cannot be created");
    if (!rc)
        rc = write_trace(&w, path, names_a, names_b, first, out, err);
    if (w.fst)
        fstWriterClose(w.fst);
    if (!rc)
        rc = finish(temporary, path, err);
    if (rc && temporary)
        file_discard(temporary);
    wave_trace_pair_close(&w.pair);
    free(temporary);
    free(w.handles);
    free(w.differing);
    free(a);
    free(b);
    return rc;
}

void wave_merge_free(struct wave_merge *m)
{
    for (size_t i = 0; i < m->n; i++) {
        free(m->list[i].golden);
        free(m->list[i].actual);
        free(m->list[i].differs);
    }
    free(m->list);
    free(m->clock);
    *m = (struct wave_merge){ 0 };
}
