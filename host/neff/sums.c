/* Digest and CRC-32 on a second thread: see sums.h. */
#include "neff/sums.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <zlib.h>

#include "util/hash.h"

enum kind { DIGEST, CRC, EXPECT, STOP };

struct range {
    enum kind kind;
    uint32_t crc; /* EXPECT */
    const uint8_t *p;
    size_t n;
    uint64_t at; /* EXPECT */
};

struct sums {
    struct hash *hash; /* NULL: no digest is wanted */
    uint32_t crc;      /* these four belong to the thread that computes, until it has ended */
    bool crc_differs;
    uint64_t crc_at;
    bool threaded;
    pthread_t thread;
    pthread_mutex_t lock; /* guards the rest */
    pthread_cond_t given, done;
    struct range queue[SUMS_QUEUE];
    uint64_t ngiven, ndone;
};

static void compute(struct sums *s, const struct range *r)
{
    switch (r->kind) {
    case DIGEST:
        hash_add(s->hash, r->p, r->n);
        break;
    case CRC:
        s->crc = (uint32_t)crc32_z(s->crc, r->p, r->n);
        break;
    case EXPECT:
        if (s->crc != r->crc && !s->crc_differs) {
            s->crc_differs = true;
            s->crc_at = r->at;
        }
        s->crc = 0;
        break;
    case STOP:
        break;
    }
}

static void *work(void *ctx)
{
    struct sums *s = ctx;
    struct range r;
    do {
        pthread_mutex_lock(&s->lock);
        while (s->ndone == s->ngiven)
            pthread_cond_wait(&s->given, &s->lock);
        r = s->queue[s->ndone % SUMS_QUEUE];
        pthread_mutex_unlock(&s->lock);
        compute(s, &r);
        pthread_mutex_lock(&s->lock);
        s->ndone++;
        pthread_cond_signal(&s->done);
        pthread_mutex_unlock(&s->lock);
    } while (r.kind != STOP);
    return NULL;
}

static uint64_t give(struct sums *s, struct range r)
{
    if (!s->threaded) {
        compute(s, &r);
        return 0;
    }
    pthread_mutex_lock(&s->lock);
    while (s->ngiven - s->ndone == SUMS_QUEUE)
        pthread_cond_wait(&s->done, &s->lock);
    s->queue[s->ngiven % SUMS_QUEUE] = r;
    uint64_t ticket = ++s->ngiven;
    pthread_cond_signal(&s->given);
    pthread_mutex_unlock(&s->lock);
    return ticket;
}

/* Signals are for the thread that called: it can stop its work. */
static bool start_thread(struct sums *s)
{
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return false;
    bool ok = pthread_create(&s->thread, NULL, work, s) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}

int sums_open(struct sums **out, enum sums_digest digest, bool threaded, struct nerr *err)
{
    struct sums *s = calloc(1, sizeof *s);
    if (!s)
        return nerr_set(err, NERR_MEM, "", "out of memory");
    if (digest != SUMS_NO_DIGEST) {
        int rc = hash_begin(digest == SUMS_MD5 ? HASH_MD5 : HASH_SHA256, &s->hash, err);
        if (rc) {
            free(s);
            return rc;
        }
    }
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->given, NULL);
    pthread_cond_init(&s->done, NULL);
    s->threaded = threaded && start_thread(s);
    *out = s;
    return 0;
}

uint64_t sums_digest(struct sums *s, const uint8_t *p, size_t n)
{
    return s->hash && n ? give(s, (struct range){ .kind = DIGEST, .p = p, .n = n }) : 0;
}

uint64_t sums_crc(struct sums *s, const uint8_t *p, size_t n)
{
    return n ? give(s, (struct range){ .kind = CRC, .p = p, .n = n }) : 0;
}

void sums_crc_expect(struct sums *s, uint32_t crc, uint64_t at)
{
    give(s, (struct range){ .kind = EXPECT, .crc = crc, .at = at });
}

void sums_wait(struct sums *s, uint64_t ticket)
{
    if (!s->threaded)
        return;
    pthread_mutex_lock(&s->lock);
    while (s->ndone < ticket)
        pthread_cond_wait(&s->done, &s->lock);
    pthread_mutex_unlock(&s->lock);
}

void sums_drain(struct sums *s)
{
    sums_wait(s, s->ngiven); /* only the caller's thread changes ngiven */
}

int sums_close(struct sums *s, struct sums_result *result, struct nerr *err)
{
    int rc = 0;
    if (s->threaded) {
        give(s, (struct range){ .kind = STOP });
        pthread_join(s->thread, NULL);
    }
    if (s->hash)
        rc = hash_end(s->hash, result->digest, err);
    result->crc_differs = s->crc_differs;
    result->crc_at = s->crc_at;
    pthread_cond_destroy(&s->done);
    pthread_cond_destroy(&s->given);
    pthread_mutex_destroy(&s->lock);
    free(s);
    return rc;
}
