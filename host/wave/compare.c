/* wave_compare from open to close: see compare.h, and engine.h for how it works. */
#include "wave/compare.h"

#include <string.h>
#include <unistd.h>

#include "wave/engine.h"

int wave_no_memory(struct nerr *err)
{
    return nerr_set(err, NERR_MEM, "", "out of memory");
}

static int open_sides(struct wave_engine *e, const char *path_a, const char *path_b, struct nerr *err)
{
    struct wave_open_options how = { .allow_incomplete = e->options->allow_incomplete };
    const char *paths[] = { path_a, path_b };
    int rc = 0;
    for (int i = 0; i < 2 && !rc; i++) {
        how.warn = wave_side_warn;
        how.warn_ctx = &e->side[i];
        rc = wave_reader_open_with(paths[i], &how, &e->side[i].reader, err);
        if (!rc)
            wave_index_init(&e->side[i].index, e->side[i].reader);
    }
    return rc;
}

static int prepare(struct wave_engine *e, struct nerr *err)
{
    const struct wave_options *o = e->options;
    int rc = wave_setup_times(e, err);
    if (!rc)
        rc = wave_selector_make(o->rules, o->nrules, &e->selector, err);
    if (!rc)
        rc = wave_pair(&e->side[0].index, &e->side[1].index, o->rules, o->nrules, e->selector, &e->pairing,
                       err);
    if (!rc)
        rc = wave_setup_exprs(e, err);
    if (!rc)
        rc = wave_setup_clock(e, err);
    if (!rc)
        rc = wave_items_make(e, err);
    if (!rc && o->order.on)
        rc = wave_order_make(e, err);
    return rc ? rc : wave_setup_listeners(e, err);
}

/* The decoders of both sides start before the first thread: they are processes of their own. */
static int start(struct wave_engine *e, struct nerr *err)
{
    int rc = 0;
    for (int i = 0; i < 2 && !rc; i++)
        if (e->options->glitch.set)
            rc = wave_glitch_make(&e->side[i], e->glitch, err);
    for (int i = 0; i < 2 && !rc; i++)
        rc = wave_side_start(&e->side[i], err);
    if (!rc && sysconf(_SC_NPROCESSORS_ONLN) > 1)
        wave_feed_thread(&e->side[1].feed);
    for (int i = 0; i < 2 && !rc; i++)
        rc = wave_side_first(&e->side[i], err);
    return rc;
}

int wave_compare(const char *path_a, const char *path_b, const struct wave_options *options,
                 struct wave_result *result, struct nerr *err)
{
    struct wave_engine e = { .options = options, .result = result };
    memset(result, 0, sizeof *result);
    int rc = open_sides(&e, path_a, path_b, err);
    if (!rc)
        rc = prepare(&e, err);
    if (!rc)
        rc = start(&e, err);
    if (!rc)
        rc = wave_run(&e, err);
    if (!rc)
        rc = wave_outcome(&e, err);
    wave_order_free(&e);
    wave_items_free(&e);
    wave_setup_free(&e);
    wave_pairing_free(&e.pairing);
    wave_selector_free(e.selector);
    wave_side_free(&e.side[0]);
    wave_side_free(&e.side[1]);
    return rc;
}
