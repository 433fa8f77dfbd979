/* Whole files: see file.h. */
#include "util/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/bytes.h"
#include "util/strbuf.h"

#define READ_STEP ((size_t)65536)

static int io_error(struct nerr *err, const char *path, const char *doing, int number)
{
    return nerr_set(err, NERR_IO, path, "cannot %s: %s", doing, strerror(number));
}

/* Size to start with: the file's own, when it is a regular file. */
static int first_capacity(int fd, const char *path, uint64_t limit, size_t *capacity, struct nerr *err)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return io_error(err, path, "read", errno);
    if (S_ISDIR(st.st_mode))
        return io_error(err, path, "read", EISDIR);
    uint64_t size = S_ISREG(st.st_mode) && st.st_size > 0 ? (uint64_t)st.st_size : 0;
    if (limit && size > limit)
        return nerr_set(err, NERR_INPUT, path, "the file has %llu bytes, at most %llu are allowed",
                        (unsigned long long)size, (unsigned long long)limit);
    /* One byte more than the file, so that the read that finds the end needs no growth; one for the NUL. */
    if (size > SIZE_MAX - 2)
        return nerr_set(err, NERR_MEM, path, "the file does not fit the address space");
    *capacity = (size_t)size + 2;
    return 0;
}

int file_read(const char *path, uint64_t limit, uint8_t **buf, size_t *len, struct nerr *err)
{
    uint8_t *bytes = NULL;
    size_t capacity = 0, used = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return io_error(err, path, "open", errno);
    int rc = first_capacity(fd, path, limit, &capacity, err);
    if (rc)
        goto out;
    for (bool first = true;; first = false) {
        if (first || capacity - used < 2) {
            size_t want = capacity;
            if (!first && !add_size(capacity, capacity > READ_STEP ? capacity : READ_STEP, &want))
                want = SIZE_MAX;
            uint8_t *more = realloc(bytes, want);
            if (!more) {
                rc = nerr_set(err, NERR_MEM, path, "out of memory for %zu bytes", want);
                goto out;
            }
            bytes = more;
            capacity = want;
        }
        ssize_t n = read(fd, bytes + used, capacity - used - 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            rc = io_error(err, path, "read", errno);
            goto out;
        }
        if (n == 0)
            break;
        used += (size_t)n;
        if (limit && used > limit) {
            rc = nerr_set(err, NERR_INPUT, path, "the file has more than the %llu bytes allowed",
                          (unsigned long long)limit);
            goto out;
        }
    }
    bytes[used] = '\0';
    *buf = bytes;
    *len = used;
    bytes = NULL;
out:
    free(bytes);
    close(fd);
    return rc;
}

static int write_all(int fd, const char *path, const uint8_t *buf, size_t len, struct nerr *err)
{
    while (len) {
        ssize_t n = write(fd, buf, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return io_error(err, path, "write", errno);
        buf += n;
        len -= (size_t)n;
    }
    return 0;
}

static int write_in_place(const char *path, const void *buf, size_t len, struct nerr *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return io_error(err, path, "open for writing", errno);
    int rc = write_all(fd, path, buf, len, err);
    if (close(fd) != 0 && rc == 0)
        rc = io_error(err, path, "write", errno);
    return rc;
}

int file_write(const char *path, const void *buf, size_t len, struct nerr *err)
{
    struct stat st;
    if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode)) /* a rename would replace the device or link itself */
        return write_in_place(path, buf, len, err);

    char *temporary = text_printf("%s.XXXXXX", path);
    if (!temporary)
        return nerr_set(err, NERR_MEM, path, "out of memory");
    int fd = mkstemp(temporary);
    if (fd < 0) {
        int rc = io_error(err, path, "create", errno);
        free(temporary);
        return rc;
    }
    mode_t mask = umask(0); /* mkstemp makes 0600; the result gets what a plain open would have made */
    umask(mask);
    int rc = write_all(fd, path, buf, len, err);
    if (rc == 0 && fchmod(fd, 0666 & ~mask) != 0)
        rc = io_error(err, path, "write", errno);
    if (close(fd) != 0 && rc == 0)
        rc = io_error(err, path, "write", errno);
    if (rc == 0 && rename(temporary, path) != 0)
        rc = io_error(err, path, "write", errno);
    if (rc)
        unlink(temporary);
    free(temporary);
    return rc;
}

void file_discard(const char *path)
{
    struct stat st;
    if (lstat(path, &st) == 0 && S_ISREG(st.st_mode))
        unlink(path);
}
