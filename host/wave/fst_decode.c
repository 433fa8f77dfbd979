/* The decoding child: see fst_decode.h. Nothing here may touch state that the parent shares (files, exit
 * handlers). */
#include "wave/fst_decode.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "wave/fst_names.h"

#define BUFFER_BYTES   (256u * 1024u)
#define PATIENCE_BASE  10u
#define PATIENCE_BYTES (2u * 1024u * 1024u) /* one more second for each of these */

static struct {
    const struct fst_file *f;
    int out;
    bool timed; /* a time was sent */
    uint64_t time;
    size_t used;
    char buffer[BUFFER_BYTES];
} d;

unsigned fst_decode_patience(uint64_t largest_block)
{
    uint64_t more = largest_block / PATIENCE_BYTES;
    return PATIENCE_BASE + (more < 3600 ? (unsigned)more : 3600u);
}

/* Restarts the watchdog: SIGPROF ends the process when it burns this much CPU time before the next restart.
 */
static void watch(void)
{
    struct itimerval t = { { 0, 0 }, { (time_t)fst_decode_patience(d.f->largest_block), 0 } };
    setitimer(ITIMER_PROF, &t, NULL);
}

static void write_all(const char *p, size_t n)
{
    while (n) {
        ssize_t done = write(d.out, p, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            _exit(1);
        p += done;
        n -= (size_t)done;
    }
    watch();
}

static void flush(void)
{
    write_all(d.buffer, d.used);
    d.used = 0;
}

/* Returns where the n bytes go, or NULL when they are too many for the buffer (which is then empty). */
static char *reserve(size_t n)
{
    if (n > BUFFER_BYTES - d.used)
        flush();
    if (n > BUFFER_BYTES)
        return NULL;
    char *p = d.buffer + d.used;
    d.used += n;
    return p;
}

static void put_item(uint32_t signal, uint32_t len, uint64_t time)
{
    struct fst_item item = { signal, len, time };
    memcpy(reserve(sizeof item), &item, sizeof item); /* smaller than the buffer: never NULL */
}

static void put_change(uint64_t time, fstHandle handle, const unsigned char *value, uint32_t len)
{
    if (!d.timed || time != d.time) {
        put_item(FST_ITEM_TIME, 0, time);
        d.timed = true;
        d.time = time;
    }
    put_item(handle - 1, len, time);
    char *p = reserve(len);
    if (p)
        memcpy(p, value, len);
    else
        write_all((const char *)value, len);
}

static void on_fixed(void *ctx, uint64_t time, fstHandle handle, const unsigned char *value)
{
    (void)ctx;
    uint32_t width = d.f->lens[handle - 1];
    put_change(time, handle, value, width == FST_LEN_REAL ? (uint32_t)strlen((const char *)value) : width);
}

static void on_string(void *ctx, uint64_t time, fstHandle handle, const unsigned char *value, uint32_t len)
{
    (void)ctx;
    put_change(time, handle, value, len);
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

_Noreturn void fst_decode(const struct fst_file *f, const uint8_t *wanted, int out)
{
    char name[32];
    d.f = f;
    /* The standard streams are replaced below; a pipe that happens to sit on one of them has to move first.
     */
    d.out = fcntl(out, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int file = fcntl(f->fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (d.out < 0 || file < 0)
        _exit(1);
    leave_parent();
    watch();
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
    put_item(FST_ITEM_END, 0, 0);
    flush();
    _exit(0);
}
