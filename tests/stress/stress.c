/*
 * Random runs of the Verilated chip against the reference model. A seed chooses the kind of run and
 * everything in it; a failure prints the seed, the command that repeats it, what is wrong and the last
 * events.
 *
 *   stress [--first SEED] [--seeds N] [--seconds S] [--kind NAME]
 */
#include "stress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void stress_mix(struct rig *g)
{
    rig_notific(g);
    rings_open(g);
    programs_place(g, true);
    programs_start(g);
    for (unsigned i = 0; i < 50 && !g->failed; i++) {
        rig_run(g, rig_below(g, 500));
        if (rig_chance(g, 10))
            programs_disturb(g);
        else
            rig_take_records(g);
    }
    rig_settle(g, 60000);
}

static const struct kind {
    const char *name;
    void (*run)(struct rig *g);
} kinds[] = {
    { "programs", stress_programs },   { "rings", stress_rings },         { "mix", stress_mix },
    { "bad-slots", stress_bad_slots }, { "bad-rings", stress_bad_rings }, { "pokes", stress_pokes },
};
#define KINDS (sizeof kinds / sizeof kinds[0])

static void print_failure(const struct rig *g, const char *self, uint64_t seed, const struct kind *kind,
                          bool forced)
{
    char text[256];
    printf("FAIL seed %" PRIu64 " (%s): %s: %s\n", seed, kind->name, g->err.where, g->err.text);
    uint64_t first = g->events > RIG_HISTORY ? g->events - RIG_HISTORY : 0;
    for (uint64_t i = first; i < g->events; i++) {
        dev_event_text(&g->history[i % RIG_HISTORY], text, sizeof text);
        printf("    %s\n", text);
    }
    printf("  again: %s --first %" PRIu64 " --seeds 1%s%s\n", self, seed, forced ? " --kind " : "",
           forced ? kind->name : "");
}

/* 0 passed, 1 failed, 2 could not be run. */
static int one(const char *self, uint64_t seed, const struct kind *forced, uint64_t *events)
{
    static struct rig g;
    struct nerr err;
    if (!rig_open(&g, seed, &err)) {
        fprintf(stderr, "stress: %s: %s\n", err.where, err.text);
        return 2;
    }
    const struct kind *kind = forced ? forced : &kinds[seed % KINDS];
    kind->run(&g);
    rig_final(&g);
    if (g.failed)
        print_failure(&g, self, seed, kind, forced != NULL);
    *events += g.events;
    int rc = g.failed;
    rig_close(&g);
    return rc;
}

static int usage(void)
{
    fprintf(stderr, "usage: stress [--first SEED] [--seeds N] [--seconds S] [--kind NAME]\nkinds:");
    for (size_t i = 0; i < KINDS; i++)
        fprintf(stderr, " %s", kinds[i].name);
    fprintf(stderr, "\n");
    return 2;
}

int main(int argc, char **argv)
{
    uint64_t first = 1, seeds = KINDS, seconds = 0, events = 0, passed = 0, failed = 0;
    const struct kind *forced = NULL;
    for (int i = 1; i < argc; i += 2) {
        char *end = "x";
        uint64_t n = i + 1 < argc ? strtoull(argv[i + 1], &end, 0) : 0;
        if (!strcmp(argv[i], "--kind") && i + 1 < argc) {
            for (size_t k = 0; k < KINDS; k++)
                if (!strcmp(argv[i + 1], kinds[k].name))
                    forced = &kinds[k];
            if (!forced)
                return usage();
            continue;
        }
        uint64_t *to = !strcmp(argv[i], "--first")     ? &first
                       : !strcmp(argv[i], "--seeds")   ? &seeds
                       : !strcmp(argv[i], "--seconds") ? &seconds
                                                       : NULL;
        if (!to || *end)
            return usage();
        *to = n;
    }
    time_t start = time(NULL);
    for (uint64_t seed = first; seed - first < seeds; seed++) {
        if (seconds && (uint64_t)(time(NULL) - start) >= seconds)
            break;
        int rc = one(argv[0], seed, forced, &events);
        if (rc > 1)
            return rc;
        passed += rc == 0;
        failed += rc == 1;
    }
    printf("%" PRIu64 " events judged\n%" PRIu64 " passed, %" PRIu64 " failed\n", events, passed, failed);
    return failed != 0 || passed == 0;
}
