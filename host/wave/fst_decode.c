/* The decoding child: see fst_decode.h. Nothing here may touch state that the parent shares (files, exit
 * handlers). */
#include "wave/fst_decode.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "wave/fst_names.h"

#define PATIENCE_BASE  10u
#define PATIENCE_BYTES (2u * 1024u * 1024u) /* one more second for each of these */

static struct {
    const struct fst_file *f;
    struct fst_ring ring;
    bool timed; /* a time was sent */
    uint64_t time;
    unsigned turn; /* slot being filled */
    size_t used;
    char *slot;
} d;

/* The lower-case form of a state, 0 for what is none. */
static const char state_of[256] = {
    ['0'] = '0', ['1'] = '1', ['x'] = 'x', ['X'] = 'x', ['z'] = 'z', ['Z'] = 'z', ['u'] = 'u', ['U'] = 'u',
    ['w'] = 'w', ['W'] = 'w', ['h'] = 'h', ['H'] = 'h', ['l'] = 'l', ['L'] = 'l', ['-'] = '-', ['?'] = '?',
};

unsigned fst_decode_patience(const struct fst_file *f)
{
    uint64_t more = f->largest_block / PATIENCE_BYTES;
    if (f->patience)
        return f->patience;
    return PATIENCE_BASE + (more < 3600 ? (unsigned)more : 3600u);
}

/* Restarts the watchdog: SIGPROF ends the process when it burns this much CPU time before the next restart.
 */
static void watch(void)
{
    struct itimerval t = { { 0, 0 }, { (time_t)fst_decode_patience(d.f), 0 } };
    setitimer(ITIMER_PROF, &t, NULL);
}

/* Waits for the slot of this turn. */
static void take_slot(void)
{
    char token;
    ssize_t got;
    do
        got = read(d.ring.free, &token, 1);
    while (got < 0 && errno == EINTR);
    if (got != 1)
        _exit(1);
    d.slot = d.ring.slots + (size_t)(d.turn % FST_SLOTS) * FST_SLOT_BYTES;
    d.used = 0;
}

static void flush(void)
{
    uint32_t bytes = (uint32_t)d.used;
    ssize_t done;
    if (bytes == 0)
        return;
    do
        done = write(d.ring.filled, &bytes, sizeof bytes); /* less than PIPE_BUF: at once */
    while (done < 0 && errno == EINTR);
    if (done != (ssize_t)sizeof bytes)
        _exit(1);
    d.turn++;
    watch();
    take_slot();
}

/* Where the next n bytes go, which is at most a slot. */
static inline char *reserve(size_t n)
{
    if (n > FST_SLOT_BYTES - d.used)
        flush();
    char *p = d.slot + d.used;
    d.used += n;
    return p;
}

static inline void put_time(uint64_t time)
{
    uint32_t tag = FST_ITEM_TIME;
    if (d.timed && time == d.time)
        return;
    char *p = reserve(sizeof tag + sizeof time);
    memcpy(p, &tag, sizeof tag);
    memcpy(p + sizeof tag, &time, sizeof time);
    d.timed = true;
    d.time = time;
}

static void put_words(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t words[3] = { a, b, c };
    memcpy(reserve(sizeof words), words, sizeof words);
}

/* A value that does not fit a slot, in pieces. */
static void put_long(uint32_t signal, const unsigned char *value, uint32_t len)
{
    put_words(FST_ITEM_LONG, signal, len);
    while (len) {
        size_t n = FST_SLOT_BYTES - d.used < len ? FST_SLOT_BYTES - d.used : len;
        memcpy(reserve(n), value, n);
        value += n;
        len -= (uint32_t)n;
        if (len)
            flush();
    }
}

/* Reals and strings. */
static void put_counted(uint64_t time, uint32_t signal, const unsigned char *value, uint32_t len)
{
    put_time(time);
    if (len > FST_SLOT_BYTES - 2 * sizeof signal) {
        put_long(signal, value, len);
        return;
    }
    char *p = reserve(2 * sizeof signal + len);
    memcpy(p, &signal, sizeof signal);
    memcpy(p + sizeof signal, &len, sizeof len);
    memcpy(p + 2 * sizeof signal, value, len);
}

/* n states in lower case. */
static inline void copy_states(char *to, const unsigned char *from, uint32_t n)
{
    uint64_t eight;
    uint32_t i = 0;
    for (; i + 8 <= n; i += 8) { /* '0' and '1' differ in one bit */
        memcpy(&eight, from + i, 8);
        if ((eight & 0xfefefefefefefefe) != 0x3030303030303030)
            break;
        memcpy(to + i, &eight, 8);
    }
    for (; i < n; i++)
        to[i] = state_of[from[i]] ? state_of[from[i]] : '?';
}

static void put_long_states(uint32_t signal, const unsigned char *value, uint32_t width)
{
    char *copy = malloc(width);
    if (!copy)
        _exit(1);
    copy_states(copy, value, width);
    put_long(signal, (const unsigned char *)copy, width);
    free(copy);
}

static void on_fixed(void *ctx, uint64_t time, fstHandle handle, const unsigned char *value)
{
    (void)ctx;
    uint32_t signal = handle - 1, width = d.f->lens[signal];
    if (width == 1 && time == d.time && d.timed &&
        FST_SLOT_BYTES - d.used > sizeof signal) { /* most of them */
        char state = state_of[*value], *p = d.slot + d.used;
        memcpy(p, &signal, sizeof signal);
        p[sizeof signal] = state ? state : '?';
        d.used += sizeof signal + 1;
        return;
    }
    if (width == FST_LEN_REAL) {
        put_counted(time, signal, value, (uint32_t)strlen((const char *)value));
        return;
    }
    put_time(time);
    if (width > FST_SLOT_BYTES - sizeof signal) {
        put_long_states(signal, value, width);
        return;
    }
    char *p = reserve(sizeof signal + width);
    memcpy(p, &signal, sizeof signal);
    copy_states(p + sizeof signal, value, width);
}

static void on_string(void *ctx, uint64_t time, fstHandle handle, const unsigned char *value, uint32_t len)
{
    (void)ctx;
    put_counted(time, handle - 1, value, len);
}

static void leave_parent(void)
{
    static const int signals[] = { SIGINT,  SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGPROF,
                                   SIGABRT, SIGSEGV, SIGBUS, SIGFPE,  SIGILL };
    struct rlimit no_core = { 0, 0 };
    sigset_t all;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        signal(signals[i], SIG_DFL);
    sigemptyset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    setrlimit(RLIMIT_CORE, &no_core);
    int null =
        open("/dev/null", O_WRONLY); /* the library reports damage there; the parent has its own words */
    if (null >= 0) {
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
    }
}

/* Standard streams are replaced; an end of a pipe that happens to sit on one of them has to move first. */
static int moved(int fd)
{
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (copy < 0)
        _exit(1);
    return copy;
}

_Noreturn void fst_decode(const struct fst_file *f, const uint8_t *wanted, const struct fst_ring *ring)
{
    char name[32];
    d.f = f;
    d.ring = *ring;
    d.ring.filled = moved(ring->filled);
    d.ring.free = moved(ring->free);
    int file = moved(f->fd);
    leave_parent();
    watch();
    take_slot();
    /* By number, not by path: the library would read a stray "path.hier" and write its own files beside the
     * input. */
    snprintf(name, sizeof name, "/dev/fd/%d", file);
    void *reader = fstReaderOpen(name);
    if (!reader || fstReaderGetMaxHandle(reader) != f->handles)
        _exit(1);
    for (uint32_t i = 0; i < f->handles; i++)
        if (!wanted || wanted[i])
            fstReaderSetFacProcessMask(reader, i + 1);
    if (!fstReaderIterBlocks2(reader, on_fixed, on_string, NULL, NULL))
        _exit(1);
    uint32_t end = FST_ITEM_END;
    memcpy(reserve(sizeof end), &end, sizeof end);
    flush();
    _exit(0);
}
