/* Reading ahead: see feed.h. */
#include "wave/feed.h"

#include <stdlib.h>
#include <string.h>

#include "wave/grow.h"

#define BATCH_BYTES ((size_t)256 * 1024)

static bool put(struct wave_feed_batch *b, const struct wave_record *r)
{
    bool time = r->kind == WAVE_TIME;
    struct wave_feed_head h = { time ? WAVE_FEED_TIME : r->signal, time ? 8 : r->len };
    size_t n = wave_feed_size(h.len);
    if (!WAVE_GROW(&b->bytes, &b->capacity, b->used + n))
        return false;
    memcpy(b->bytes + b->used, &h, sizeof h);
    memcpy(b->bytes + b->used + sizeof h, time ? (const char *)&r->time : r->value, h.len);
    b->used += n;
    return true;
}

static void fill(struct wave_feed *f, struct wave_feed_batch *b)
{
    struct wave_record r;
    b->used = 0;
    while (b->used < BATCH_BYTES) {
        b->rc = f->reader->ops->next(f->reader, &r, &b->err);
        b->end = !b->rc && r.kind == WAVE_END;
        if (b->rc || b->end)
            return;
        if (!put(b, &r)) {
            b->rc = nerr_set(&b->err, NERR_MEM, f->reader->path, "out of memory");
            return;
        }
    }
}

static void *run(void *arg)
{
    struct wave_feed *f = arg;
    bool more = true;
    while (more) {
        pthread_mutex_lock(&f->lock);
        while (!f->stop && f->filled - f->taken == WAVE_FEED_BATCHES)
            pthread_cond_wait(&f->moved, &f->lock);
        struct wave_feed_batch *b = &f->batch[f->filled % WAVE_FEED_BATCHES];
        more = !f->stop;
        pthread_mutex_unlock(&f->lock);
        if (!more)
            break;
        fill(f, b);
        more = !b->rc && !b->end;
        pthread_mutex_lock(&f->lock);
        f->filled++;
        pthread_cond_broadcast(&f->moved);
        pthread_mutex_unlock(&f->lock);
    }
    return NULL;
}

int wave_feed_start(struct wave_feed *f, struct wave_reader *reader, const uint8_t *wanted, struct nerr *err)
{
    memset(f, 0, sizeof *f);
    f->reader = reader;
    return reader->ops->start(reader, wanted, err);
}

void wave_feed_thread(struct wave_feed *f)
{
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->moved, NULL);
    f->threaded = pthread_create(&f->thread, NULL, run, f) == 0;
    if (!f->threaded) {
        pthread_mutex_destroy(&f->lock);
        pthread_cond_destroy(&f->moved);
    }
}

/* Gives the batch at hand back and waits for the next one. */
void wave_feed_refill(struct wave_feed *f)
{
    pthread_mutex_lock(&f->lock);
    if (f->holding) {
        f->taken++;
        pthread_cond_broadcast(&f->moved);
    }
    while (f->filled == f->taken)
        pthread_cond_wait(&f->moved, &f->lock);
    f->take = f->taken % WAVE_FEED_BATCHES;
    f->holding = true;
    f->at = 0;
    pthread_mutex_unlock(&f->lock);
}

void wave_feed_stop(struct wave_feed *f)
{
    if (f->threaded) {
        pthread_mutex_lock(&f->lock);
        f->stop = true;
        pthread_cond_broadcast(&f->moved);
        pthread_mutex_unlock(&f->lock);
        pthread_join(f->thread, NULL);
        pthread_mutex_destroy(&f->lock);
        pthread_cond_destroy(&f->moved);
    }
    for (size_t i = 0; i < WAVE_FEED_BATCHES; i++)
        free(f->batch[i].bytes);
    memset(f, 0, sizeof *f);
}
