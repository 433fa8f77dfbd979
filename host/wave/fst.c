/* Wave reader for FST: checks and declarations in this process, values from a decoding child (fst_decode.h).
 */
#include "wave/fst.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/strbuf.h"
#include "wave/fst_decode.h"
#include "wave/fst_file.h"
#include "wave/fst_hier.h"

#define BUFFER_BYTES (256u * 1024u)

struct fst_reader {
    struct wave_reader base;
    struct fst_file file;
    enum wave_kind *kinds; /* per signal */
    pid_t child;           /* 0: none */
    int pipe;
    bool ended, timed;
    uint64_t time;
    char *buffer;
    size_t capacity, have, used;
};

static struct fst_reader *self(struct wave_reader *r)
{
    return (struct fst_reader *)r;
}

/* Ends the child if there is one. *status is what waitpid says. */
static void reap(struct fst_reader *f, int *status)
{
    *status = 0;
    if (!f->child)
        return;
    close(f->pipe);
    while (waitpid(f->child, status, 0) < 0 && errno == EINTR)
        ;
    f->child = 0;
}

static void stop(struct fst_reader *f)
{
    int status;
    if (f->child)
        kill(f->child, SIGKILL); /* it may be waiting for a reader that a younger child keeps open */
    reap(f, &status);
}

static int start(struct wave_reader *r, const uint8_t *wanted, struct nerr *err)
{
    struct fst_reader *f = self(r);
    int ends[2];
    stop(f);
    f->have = f->used = 0;
    f->ended = f->timed = false;
    if (pipe(ends) != 0)
        return nerr_set(err, NERR_IO, r->path, "cannot make a pipe to the decoder: %s", strerror(errno));
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        fst_decode(&f->file, wanted, ends[1]);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return nerr_set(err, NERR_IO, r->path, "cannot start the decoder: %s", strerror(errno));
    }
    f->child = child;
    f->pipe = ends[0];
    return 0;
}

/* The pipe ended before the stream did. */
static int broken(struct fst_reader *f, struct nerr *err)
{
    int status;
    reap(f, &status);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
        return nerr_set(err, NERR_INPUT, f->base.path,
                        "damaged FST file: no value could be decoded within %u s of processor time",
                        fst_decode_patience(f->file.largest_block));
    return nerr_set(err, NERR_INPUT, f->base.path, "damaged FST file: a value block cannot be decoded");
}

/* Makes n bytes available at buffer + used. */
static int need(struct fst_reader *f, size_t n, struct nerr *err)
{
    if (f->have - f->used >= n)
        return 0;
    memmove(f->buffer, f->buffer + f->used, f->have - f->used);
    f->have -= f->used;
    f->used = 0;
    if (n > f->capacity) {
        char *more = realloc(f->buffer, n);
        if (!more)
            return nerr_set(err, NERR_MEM, f->base.path, "out of memory for a value of %zu bytes", n);
        f->buffer = more;
        f->capacity = n;
    }
    while (f->have < n) {
        ssize_t got = read(f->pipe, f->buffer + f->have, f->capacity - f->have);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return nerr_set(err, NERR_IO, f->base.path, "cannot read from the decoder: %s", strerror(errno));
        if (got == 0)
            return broken(f, err);
        f->have += (size_t)got;
    }
    return 0;
}

/* Brings a value into the form that reader.h promises. */
static void normalise(char *value, uint32_t *len, enum wave_kind kind)
{
    if (kind == WAVE_BITS) {
        for (uint32_t i = 0; i < *len; i++)
            if (value[i] >= 'A' && value[i] <= 'Z')
                value[i] = (char)(value[i] - 'A' + 'a');
    } else if (kind == WAVE_EVENT) {
        value[0] = value[0] == '1' ? '1' : '0';
    } else if (kind == WAVE_REAL && *len == 4 && memcmp(value, "-nan", 4) == 0) {
        memmove(value, value + 1, 3);
        *len = 3;
    }
}

static int change(struct fst_reader *f, const struct fst_item *item, struct wave_record *out,
                  struct nerr *err)
{
    if (item->signal >= f->base.nsignals || !f->timed || item->time != f->time)
        return nerr_set(err, NERR_INPUT, f->base.path,
                        "damaged FST file: a value for a signal that does not exist");
    uint32_t width = f->file.lens[item->signal];
    if (width != FST_LEN_STRING && item->len != width && (width != FST_LEN_REAL || item->len > 32))
        return nerr_set(err, NERR_INPUT, f->base.path, "damaged FST file: a value of the wrong width");
    int rc = need(f, item->len, err);
    if (rc)
        return rc;
    *out = (struct wave_record){ WAVE_CHANGE, item->time, item->signal, item->len, f->buffer + f->used };
    normalise(f->buffer + f->used, &out->len, f->kinds[item->signal]);
    f->used += item->len;
    return 0;
}

static int next(struct wave_reader *r, struct wave_record *out, struct nerr *err)
{
    struct fst_reader *f = self(r);
    struct fst_item item;
    *out = (struct wave_record){ .kind = WAVE_END };
    if (f->ended)
        return 0;
    int rc = need(f, sizeof item, err);
    if (rc)
        return rc;
    memcpy(&item, f->buffer + f->used, sizeof item);
    f->used += sizeof item;
    if (item.signal == FST_ITEM_END) {
        f->ended = true;
        return 0;
    }
    if (item.signal != FST_ITEM_TIME)
        return change(f, &item, out, err);
    if ((f->timed && item.time < f->time) || item.time < r->start || item.time > r->end)
        return nerr_set(err, NERR_INPUT, r->path,
                        "damaged FST file: time %llu after %llu, in a file from %llu to %llu",
                        (unsigned long long)item.time, (unsigned long long)f->time,
                        (unsigned long long)r->start, (unsigned long long)r->end);
    f->timed = true;
    f->time = item.time;
    out->kind = WAVE_TIME;
    out->time = item.time;
    return 0;
}

static void close_reader(struct wave_reader *r)
{
    struct fst_reader *f = self(r);
    stop(f);
    fst_file_close(&f->file);
    free(f->kinds);
    free(f->buffer);
}

int fst_reader_open(const char *path, struct wave_reader **out, struct nerr *err)
{
    static const struct wave_reader_ops ops = { start, next, close_reader };
    struct fst_reader *f = calloc(1, sizeof *f);
    if (!f)
        return nerr_set(err, NERR_MEM, path, "out of memory");
    f->base.ops = &ops;
    f->file.fd = -1;
    f->base.path = text_copy(path);
    f->buffer = malloc(BUFFER_BYTES);
    f->capacity = BUFFER_BYTES;
    int rc = f->base.path && f->buffer ? 0 : nerr_set(err, NERR_MEM, path, "out of memory");
    if (!rc)
        rc = fst_file_open(f->base.path, &f->file, err);
    if (!rc)
        rc = fst_hier_read(&f->file, &f->base, err);
    if (!rc && !(f->kinds = calloc(f->file.handles, sizeof *f->kinds)))
        rc = nerr_set(err, NERR_MEM, path, "out of memory");
    if (rc) {
        wave_reader_close(&f->base);
        return rc;
    }
    for (size_t i = f->base.nvars; i-- > 0;) /* aliases may be declared otherwise: the first one decides */
        f->kinds[f->base.vars[i].signal] = f->base.vars[i].kind;
    f->base.exponent = f->file.exponent;
    f->base.factor = 1;
    f->base.has_timescale = true;
    f->base.timezero = f->file.timezero;
    f->base.start = f->file.start;
    f->base.end = f->file.end;
    *out = &f->base;
    return 0;
}
