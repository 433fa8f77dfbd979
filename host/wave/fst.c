/* Wave reader for FST: checks and declarations in this process, values from a decoding child (fst_decode.h).
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "wave/fst.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/strbuf.h"
#include "wave/fst_decode.h"
#include "wave/fst_file.h"
#include "wave/fst_hier.h"
#include "wave/fst_stream.h"

struct fst_reader {
    struct wave_reader base;
    struct fst_file file;
    struct fst_shape *shapes; /* per signal */
    pid_t child;              /* 0: none */
    struct fst_stream stream;
    int free_peer; /* the decoder's end of ring.free: as long as it is open here, writing to a decoder that is
                      gone is no signal */
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
    close(f->stream.ring.filled);
    close(f->stream.ring.free);
    close(f->free_peer);
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

/* Both pipes; [0] is the reader's side. */
static bool make_pipes(struct fst_ring ring[2])
{
    int filled[2], empty[2];
    if (pipe(filled) != 0)
        return false;
    if (pipe(empty) != 0) {
        close(filled[0]);
        close(filled[1]);
        return false;
    }
    ring[0].filled = filled[0];
    ring[1].filled = filled[1];
    ring[0].free = empty[1];
    ring[1].free = empty[0];
    for (int i = 0; i < 2; i++) {
        fcntl(ring[i].filled, F_SETFD, FD_CLOEXEC);
        fcntl(ring[i].free, F_SETFD, FD_CLOEXEC);
    }
    return true;
}

/* Starts the decoder on its side of the ring, ring[1]; the reader's is ring[0]. Returns what fork does. */
static pid_t start_decoder(struct fst_reader *f, const uint8_t *wanted, struct fst_ring ring[2])
{
    pid_t child = fork();
    if (child == 0) {
        close(ring[0].filled);
        close(ring[0].free);
        fst_decode(&f->file, wanted, &ring[1]);
    }
    close(ring[1].filled);
    if (child < 0) {
        close(ring[0].filled);
        close(ring[0].free);
        close(ring[1].free);
    }
    return child;
}

static int start(struct wave_reader *r, const uint8_t *wanted, struct nerr *err)
{
    /* No decoder may be born with the writing end of another one's pipe: the reader would never see that end.
     */
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    struct fst_reader *f = self(r);
    struct fst_ring ring[2];
    stop(f);
    fst_stream_reset(&f->stream);
    pthread_mutex_lock(&one_at_a_time);
    bool piped = make_pipes(ring);
    ring[0].slots = ring[1].slots = f->stream.ring.slots;
    pid_t child = piped ? start_decoder(f, wanted, ring) : -1;
    int number = errno;
    pthread_mutex_unlock(&one_at_a_time);
    if (child < 0)
        return nerr_set(err, NERR_IO, r->path, "cannot start the decoder: %s", strerror(number));
    f->child = child;
    f->stream.ring = ring[0];
    f->free_peer = ring[1].free;
    fst_stream_give_slots(&f->stream, FST_SLOTS);
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
                        fst_decode_patience(&f->file));
    return nerr_set(err, NERR_INPUT, f->base.path, "damaged FST file: a value block cannot be decoded");
}

static int next(struct wave_reader *r, struct wave_record *out, struct nerr *err)
{
    struct fst_reader *f = self(r);
    int rc = fst_stream_next(&f->stream, out, err);
    return rc && f->stream.gone ? broken(f, err) : rc;
}

static void close_reader(struct wave_reader *r)
{
    struct fst_reader *f = self(r);
    stop(f);
    fst_file_close(&f->file);
    if (f->stream.ring.slots)
        munmap(f->stream.ring.slots, (size_t)FST_SLOTS * FST_SLOT_BYTES);
    free(f->shapes);
    free(f->stream.buffer);
}

int fst_reader_open(const char *path, const struct wave_open_options *options, struct wave_reader **out,
                    struct nerr *err)
{
    static const struct wave_reader_ops ops = { start, next, close_reader };
    struct fst_reader *f = calloc(1, sizeof *f);
    if (!f)
        return nerr_set(err, NERR_MEM, path, "out of memory");
    f->base.ops = &ops;
    f->base.format = "FST";
    f->base.options = *options;
    f->file.fd = -1;
    f->base.path = text_copy(path);
    void *slots = mmap(NULL, (size_t)FST_SLOTS * FST_SLOT_BYTES, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    f->stream.ring.slots = slots == MAP_FAILED ? NULL : slots;
    int rc = f->base.path && f->stream.ring.slots ? 0 : nerr_set(err, NERR_MEM, path, "out of memory");
    if (!rc)
        rc = fst_file_open(f->base.path, options->allow_incomplete, &f->file, err);
    if (!rc)
        rc = fst_hier_read(&f->file, &f->base, err);
    if (!rc && !(f->shapes = calloc(f->file.handles, sizeof *f->shapes)))
        rc = nerr_set(err, NERR_MEM, path, "out of memory");
    if (rc) {
        wave_reader_close(&f->base);
        return rc;
    }
    for (size_t i = f->base.nvars; i-- > 0;) { /* aliases may be declared otherwise: the first one decides */
        uint32_t signal = f->base.vars[i].signal;
        f->shapes[signal] = (struct fst_shape){ f->file.lens[signal], f->base.vars[i].kind };
    }
    f->base.exponent = f->file.exponent;
    f->base.factor = 1;
    f->base.has_timescale = true;
    f->base.timezero = f->file.timezero;
    f->base.start = f->file.start;
    f->base.end = f->file.end;
    f->file.patience = options->patience;
    f->stream.path = f->base.path;
    f->stream.shapes = f->shapes;
    f->stream.nsignals = f->base.nsignals;
    f->stream.start = f->base.start;
    f->stream.end = f->base.end;
    f->base.incomplete = f->file.incomplete;
    f->base.complete_to = f->file.end;
    if (f->file.incomplete)
        snprintf(f->base.note, sizeof f->base.note,
                 "the writer of the file was killed; its last block of values is missing");
    *out = &f->base;
    return 0;
}
