/*
 * The records of one file on their way into a comparison: straight from the reader or, faster where there are
 * two processors, read ahead by a thread in batches.
 */
#ifndef NEFFSIM_WAVE_FEED_H
#define NEFFSIM_WAVE_FEED_H

#include <pthread.h>

#include "wave/reader.h"

#define WAVE_FEED_BATCHES 4

struct wave_feed_batch {
    char *bytes; /* records: struct wave_feed_head, value, padding to 8 */
    size_t capacity, used;
    int rc; /* the reader's, after the last record */
    bool end;
    struct nerr err;
};

struct wave_feed_head {
    uint32_t signal; /* WAVE_FEED_TIME: a time, 8 bytes, follows instead of a value */
    uint32_t len;
};
#define WAVE_FEED_TIME UINT32_MAX

struct wave_feed {
    struct wave_reader *reader;
    struct wave_feed_batch batch[WAVE_FEED_BATCHES];
    size_t at;     /* next record of the batch at hand */
    unsigned take; /* batch at hand */
    bool holding;  /* there is one */
    bool threaded;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t moved;
    unsigned filled, taken; /* batches so far, under lock */
    bool stop;              /* under lock */
};

/* Starts the reader. The feed must be stopped also after an error. */
int wave_feed_start(struct wave_feed *f, struct wave_reader *reader, const uint8_t *wanted, struct nerr *err);
/* Lets a thread read ahead; when none can be had, reading goes on without. */
void wave_feed_thread(struct wave_feed *f);
void wave_feed_stop(struct wave_feed *f);

void wave_feed_refill(struct wave_feed *f);

static inline size_t wave_feed_size(uint32_t len)
{
    return (sizeof(struct wave_feed_head) + len + 7) & ~(size_t)7;
}

/* As the reader's next. */
static inline int wave_feed_next(struct wave_feed *f, struct wave_record *out, struct nerr *err)
{
    if (!f->threaded)
        return f->reader->ops->next(f->reader, out, err);
    struct wave_feed_batch *b = &f->batch[f->take];
    while (!f->holding || f->at == b->used) {
        if (f->holding && (b->end || b->rc)) {
            out->kind = WAVE_END;
            *err = b->err;
            return b->rc;
        }
        wave_feed_refill(f);
        b = &f->batch[f->take];
    }
    const struct wave_feed_head *h = (const struct wave_feed_head *)(const void *)(b->bytes + f->at);
    out->value = (const char *)(h + 1);
    out->len = h->len;
    out->signal = h->signal;
    out->kind = WAVE_CHANGE;
    if (h->signal == WAVE_FEED_TIME) {
        out->kind = WAVE_TIME;
        out->time = *(const uint64_t *)(const void *)(h + 1);
    }
    f->at += wave_feed_size(h->len);
    return 0;
}

#endif
