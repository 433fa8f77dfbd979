/*
 * Inside of a comparison (compare.h): both sides' values step by step, the items that are compared, and when
 * a comparison counts. Private to the files that make up wave_compare.
 */
#ifndef NEFFSIM_WAVE_ENGINE_H
#define NEFFSIM_WAVE_ENGINE_H

#include "wave/compare.h"
#include "wave/expr.h"
#include "wave/feed.h"
#include "wave/pair.h"
#include "wave/wtime.h"

/* ---- the values of one side (state.c)
 * ---------------------------------------------------------------------------- */

/* A signal that takes part. Its value before the present step is kept beside the present one. */
struct wave_signal {
    char *text;               /* two values of `room` bytes; NULL: takes no part */
    uint32_t len, before_len; /* before_len: while touched */
    uint32_t room;
    uint32_t first, count; /* its listeners */
    uint8_t flip;          /* which of the two is present */
    uint8_t touched;       /* written in this step: 1 once, 2 again */
    uint8_t kind;          /* enum wave_kind */
};

/* What follows a signal: an item, or one of the others, told apart by the upper two bits. */
enum { WAVE_LISTEN_ITEM = 0, WAVE_LISTEN_WATCH = 1, WAVE_LISTEN_GROUP = 2, WAVE_LISTEN_CLOCK = 3 };
#define WAVE_LISTEN(kind, index) ((uint32_t)(kind) << 30 | (uint32_t)(index))
#define WAVE_LISTEN_MAX          (UINT32_C(1) << 30)

struct wave_listener { /* collected before they are sorted by signal */
    uint32_t signal, listener;
};

#define WAVE_WARNINGS_MAX 10

struct wave_side {
    struct wave_reader *reader;
    struct wave_index index;
    struct wave_feed feed;
    struct wave_glitch *glitch; /* NULL: none */
    struct wave_signal *signals;
    char *values; /* all values of fixed size */
    uint32_t *listeners;
    struct wave_listener *wanted; /* while setting up */
    size_t nwanted, wanted_capacity;
    uint32_t *touched; /* signals written in this step */
    uint32_t ntouched;
    wave_time tick, offset; /* time = ticks * tick + offset, in the common unit */
    wave_time when;         /* of the step that comes next */
    bool ended;             /* there is none */
    bool stepped;           /* the first step, which holds the initial values, is done */
    char *warnings[WAVE_WARNINGS_MAX];
    size_t nwarnings; /* may be more */
    uint64_t changes; /* after it, of compared signals, while the comparison is open */
};

static inline const char *wave_present(const struct wave_signal *s)
{
    return s->text + (s->flip ? s->room : 0);
}

/* The value before this step, and its length. */
static inline const char *wave_before(const struct wave_signal *s, uint32_t *len)
{
    if (!s->touched) {
        *len = s->len;
        return wave_present(s);
    }
    *len = s->before_len;
    return s->text + (s->flip ? 0 : s->room);
}

/* A signal's changes are told to a listener. */
bool wave_side_listen(struct wave_side *s, uint32_t signal, uint32_t listener);
/* Room for the values of all signals that are listened to; starts the reader. */
int wave_side_start(struct wave_side *s, struct nerr *err);
/* The time of the first step. */
int wave_side_first(struct wave_side *s, struct nerr *err);
/* What the reader warns of (struct wave_open_options); ctx is the side. */
void wave_side_warn(void *ctx, const char *where, const char *text);
/* Applies the step at s->when; s->touched are the signals whose value is another one now. */
int wave_side_step(struct wave_side *s, struct nerr *err);
/* Reads on to the end of the file; no step can follow. */
int wave_side_drain(struct wave_side *s, struct nerr *err);
/* Ends the step: the present values become the ones before; events are quiet again. */
void wave_side_finish(struct wave_side *s);
wave_time wave_side_end(const struct wave_side *s);
void wave_side_free(struct wave_side *s); /* and its reader */

/* ---- when a comparison counts (watch.c)
 * -------------------------------------------------------------------------- */

/*
 * Inside the window, while an expression holds, and when sampled only at the edges of the clock. Items do not
 * follow every opening: what an interval of differing values amounts to is the difference of these counts
 * between its ends.
 */
struct wave_watch {
    struct wave_expr *exprs[2]; /* of A, all must hold; NULL: none. Borrowed */
    bool sampled;
    bool holds;              /* the expressions do */
    bool dirty;              /* a signal of theirs changed in this step */
    bool open;               /* they do, inside the window */
    uint64_t opens;          /* openings so far; sampled: edges that counted */
    wave_time spent;         /* time open, until `since` */
    wave_time since;         /* open since */
    uint32_t *waiting;       /* items that differ and have not counted yet */
    uint32_t *first;         /* items in their first interval; sampled: that may have left it */
    size_t nwaiting, nfirst; /* room for all items of the watch each */
    wave_time *edges;        /* sampled with hold: times of the last edges, a ring */
    size_t edge_capacity, edge_first, nedges;
};

/* The counts of a watch at a moment. */
struct wave_mark {
    wave_time when;
    uint64_t opens;
    wave_time spent;
    bool open;
};

/* ---- items (item.c)
 * ---------------------------------------------------------------------------------------------- */

/* What is known of an item that differs or did so before. */
struct wave_track {
    struct wave_mark from; /* of the present interval */
    bool found, done;      /* the first difference is known, and its end is */
    bool lingers;          /* equal again, but still within the setup time of an edge that may come */
    bool has_agreed;
    enum wave_result_kind kind;
    wave_time first, until, agreed_when, closed;
    uint64_t first_opens, first_samples, closed_opens;
    uint64_t intervals;
    wave_time total;
    char *golden, *actual, *agreed;
    uint32_t golden_len, actual_len, agreed_len;
    size_t golden_room, actual_room, agreed_room;
};

enum wave_item_mode {
    WAVE_ITEM_FAST,    /* one whole signal on each side, equal when the bytes are */
    WAVE_ITEM_GENERAL, /* pieces, masks, rules for x, epsilon */
    WAVE_ITEM_LATE,    /* with a tolerance in time */
    WAVE_ITEM_ORDER,   /* the sequence counts: order.c */
};

struct wave_item {
    uint32_t signal_a, signal_b; /* of the first piece */
    uint8_t mode, kind;
    bool marked;   /* to be evaluated at the end of this step */
    bool differs;  /* does so now */
    bool has_when; /* agreed_when is set */
    uint32_t width, watch;
    wave_time agreed_when; /* last change after which both agreed */
    struct wave_part a, b;
    uint32_t first_match, nmatches;
    uint32_t mask; /* rule + 1 */
    uint32_t slot; /* in a list of the watch, NONE: in none */
    uint32_t list; /* which: 0 waiting, 1 first */
    struct wave_track *track;
    struct wave_late *late; /* WAVE_ITEM_LATE */
};

/* An item that became equal at `closed` and may still count at an edge until then + setup. */
struct wave_linger {
    uint32_t item;
    wave_time closed;
};

struct wave_lag { /* of one tolerance, in the common unit */
    wave_time lead, lag;
};

/* Signals whose sequence of values is compared, whatever their times (order.c). */
struct wave_group {
    const char *glob; /* NULL: one signal */
    uint32_t *items;  /* in A's order of declaration */
    uint32_t nitems;
    struct wave_transactions *queue; /* of both sides: those without a partner yet */
    struct wave_transaction *last;   /* the last one of A that matched */
    struct wave_transaction *odd[2]; /* the first ones that differ; NULL: that side has none */
    char *before[2];                 /* the last value that was sampled, with room */
    size_t before_len[2], before_room[2];
    uint64_t count[2], matched;
    wave_time latency_min, latency_max, latency_sum;
    uint64_t ahead; /* transactions of B looked at behind the first difference */
    bool differs, reordered;
    bool dirty[2];
};

struct wave_transaction {
    wave_time when;
    size_t len;
    char bytes[]; /* per item: its length (4 bytes) and value */
};

struct wave_engine {
    const struct wave_options *options;
    struct wave_result *result;
    struct wave_side side[2]; /* A, B */
    struct wave_selector *selector;
    struct wave_pairing pairing;
    int base; /* exponent of the common unit */
    wave_time from, to, lead, lag, setup, hold, glitch;
    bool has_from, has_to, window_open, clocked;

    struct wave_item *items;
    uint32_t nitems;
    uint32_t *matches; /* of the pairing, grouped by item */
    uint32_t *marked;
    uint32_t nmarked;
    struct wave_track **tracks; /* all that exist */
    size_t ntracks, track_capacity;
    char *scratch[2]; /* one value each: the widest item */
    size_t scratch_room[2];

    struct wave_watch *watches;
    uint32_t nwatches;
    struct wave_expr **exprs; /* [0]: --when; per rule + 1, NULL for the second and later of one text */
    uint32_t *expr_of;        /* per rule + 1: the first one with this text */
    size_t nexprs;
    uint32_t *watch_table; /* by expression and whether sampled */
    size_t watch_capacity;
    uint32_t *dirty; /* watches whose signals changed in this step */
    uint32_t ndirty;

    uint32_t clock_signal[2], clock_at[2]; /* of B: --order only */
    bool clock_ticks[2];                   /* the edge is in this step */
    struct wave_linger *lingering;         /* sampled with setup: a queue */
    size_t nlingering, linger_capacity, linger_first;
    wave_time end; /* when the comparison ended */

    struct wave_lag *lags; /* per rule + 1 */
    uint64_t late_bytes;

    struct wave_group *groups;
    uint32_t ngroups;
    struct wave_expr *valid[2]; /* of --order */
    uint32_t *dirty_groups[2];  /* their signals, or the valid expression's, changed in this step */
    uint32_t ndirty_groups[2];
    uint64_t order_bytes; /* of waiting transactions */
    bool failed;          /* out of memory */
};

int wave_no_memory(struct nerr *err);

/* The value of an item on a side, in e->scratch[side] or where it is. before: before this step. */
const char *wave_item_value(struct wave_engine *e, const struct wave_item *it, int side, bool before,
                            uint32_t *len);
bool wave_item_equal(struct wave_engine *e, const struct wave_item *it, const char *a, uint32_t na,
                     const char *b, uint32_t nb);
/* Characters that differ under the item's mask and the rule for x: one byte each, for WAVE_BITS. */
bool wave_item_bit_differs(const struct wave_engine *e, const struct wave_item *it, uint32_t i, char a,
                           char b);
int wave_items_make(struct wave_engine *e, struct nerr *err);
int wave_item_evaluate(struct wave_engine *e, uint32_t item, wave_time now, struct nerr *err);
void wave_items_free(struct wave_engine *e);

/* ---- watch.c */
#define WAVE_NO_SLOT UINT32_MAX

struct wave_mark wave_watch_mark(const struct wave_watch *w, wave_time now);
void wave_watch_open(struct wave_engine *e, struct wave_watch *w, wave_time now);
void wave_watch_close(struct wave_engine *e, struct wave_watch *w, wave_time now);
/* A clock edge at `now`, before the items are evaluated. */
int wave_watch_sample(struct wave_engine *e, struct wave_watch *w, wave_time now, struct nerr *err);
/* The item differs from `from` on in the values a and b. Both last agreed before this step, or as kept. */
void wave_item_open(struct wave_engine *e, uint32_t item, struct wave_mark from, const char *a, uint32_t na,
                    const char *b, uint32_t nb);
void wave_item_close(struct wave_engine *e, uint32_t item, struct wave_mark to);
/* Keeps the value of the last change after which both sides agreed. */
void wave_item_agreed(struct wave_engine *e, struct wave_item *it, const char *value, uint32_t len);
/* Before a step at `now`: setup times that have run out. */
void wave_watch_expire(struct wave_engine *e, wave_time now);
/* After the last step: the intervals that last to the end. */
void wave_watch_end(struct wave_engine *e);
struct wave_track *wave_item_track(struct wave_engine *e, struct wave_item *it);

/* ---- tolerance.c */
int wave_late_make(struct wave_engine *e, struct wave_item *it, uint32_t rule, struct nerr *err);
int wave_late_change(struct wave_engine *e, uint32_t item, wave_time now, struct nerr *err);
void wave_late_end(struct wave_engine *e, uint32_t item, wave_time now);
void wave_late_free(struct wave_late *late);

/* ---- glitch.c: stands between the feed and the side */
int wave_glitch_make(struct wave_side *s, wave_time least, struct nerr *err);
int wave_glitch_next(struct wave_side *s, struct wave_record *out, struct nerr *err);
uint64_t wave_glitch_dropped(const struct wave_side *s);
void wave_glitch_free(struct wave_side *s);

/* ---- order.c */
int wave_order_make(struct wave_engine *e, struct nerr *err);
/* A signal of the group changed on this side. */
void wave_order_tell(struct wave_engine *e, int side, uint32_t group);
int wave_order_step(struct wave_engine *e, wave_time now, struct nerr *err);
void wave_order_end(struct wave_engine *e);
/* "8'h3f", or "a=8'h3f b=1" for a group; NULL when out of memory. The caller frees. */
char *wave_transaction_text(const struct wave_engine *e, const struct wave_group *g,
                            const struct wave_transaction *t);
/* What the group is called on a side. */
const char *wave_group_name(const struct wave_engine *e, const struct wave_group *g, int side);
void wave_order_free(struct wave_engine *e);

/* ---- outcome.c */
int wave_outcome(struct wave_engine *e, struct nerr *err);
int wave_note(struct wave_result *r, struct nerr *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- setup.c: times, expressions, clock. In this order, the last one after the items are made */
int wave_setup_times(struct wave_engine *e, struct nerr *err);
int wave_setup_exprs(struct wave_engine *e, struct nerr *err);
int wave_setup_clock(struct wave_engine *e, struct nerr *err);
int wave_setup_listeners(struct wave_engine *e, struct nerr *err);
/* The watch of items with this rule + 1 for when; WAVE_NO_SLOT when out of memory. */
uint32_t wave_watch_for(struct wave_engine *e, uint32_t when, bool sampled);
wave_time wave_bound_time(const struct wave_engine *e, const struct wave_bound *b);
void wave_setup_free(struct wave_engine *e);

/* ---- run.c */
int wave_run(struct wave_engine *e, struct nerr *err);

#endif
