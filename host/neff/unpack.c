/*
 * Writing the files of an archive: see unpack.h. Names were made by whoever made the NEFF, so they are judged
 * as a whole before anything is written, and every folder is opened from the one above it without following
 * links.
 */
#include "neff/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "neff/unpack_names.h"
#include "util/interrupt.h"

#define WRITE_STEP ((size_t)16 << 20) /* between two looks for a signal */
#define TEMPORARY  ".neffsim-unpack-%ld-%zu"

struct made { /* below the root, in the order of making */
    char *path;
    char *final; /* a file that replaces this one at the end, or NULL */
    bool folder;
};

struct unpacker {
    const struct neff_unpack_options *opt;
    const char *dir; /* as the user named it */
    int root;
    struct made *made;
    size_t count, capacity;
    struct nerr *err;
};

static int io_error(struct unpacker *u, const char *path, const char *doing, int number)
{
    struct nerr *err = u->err;
    nerr_set(err, NERR_IO, path, "cannot %s: %s", doing, strerror(number));
    return nerr_prefix(err, u->dir);
}

static int no_memory(struct unpacker *u)
{
    return nerr_set(u->err, NERR_MEM, u->dir, "out of memory");
}

static int note(struct unpacker *u, const char *path, const char *final, bool folder)
{
    if (u->count == u->capacity) {
        size_t capacity = u->capacity ? 2 * u->capacity : 32;
        struct made *more = realloc(u->made, capacity * sizeof *more);
        if (!more)
            return no_memory(u);
        u->made = more;
        u->capacity = capacity;
    }
    struct made *m = &u->made[u->count++];
    *m = (struct made){ text_copy(path), final ? text_copy(final) : NULL, folder };
    return m->path && (m->final || !final) ? 0 : no_memory(u);
}

/*
 * Opens the folder that holds path, going down from the root; *base: the last component. make: folders that
 * are missing are made. A link on the way is an error. The caller closes *fd.
 */
static int open_parent(struct unpacker *u, const char *path, bool make, int *fd, const char **base)
{
    char *prefix = text_copy(path);
    int at = fcntl(u->root, F_DUPFD_CLOEXEC, 0), rc = 0;
    if (!prefix || at < 0)
        rc = prefix ? io_error(u, path, "open", errno) : no_memory(u);
    char *start = prefix;
    for (char *slash; rc == 0 && (slash = strchr(start, '/')) != NULL; start = slash + 1) {
        *slash = '\0';
        int next = openat(at, start, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (next < 0 && errno == ENOENT && make) {
            if (mkdirat(at, start, 0777) == 0)
                rc = note(u, prefix, NULL, true);
            else if (errno != EEXIST)
                rc = io_error(u, prefix, "make the folder", errno);
            if (rc == 0)
                next = openat(at, start, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        }
        if (rc == 0 && next < 0)
            rc = io_error(u, prefix, "open the folder (links are not followed)", errno);
        *slash = '/';
        if (next >= 0) {
            close(at);
            at = next;
        }
    }
    if (rc == 0) {
        *fd = at;
        *base = path + (start - prefix);
    } else if (at >= 0) {
        close(at);
    }
    free(prefix);
    return rc;
}

static int write_bytes(struct unpacker *u, int fd, const char *path, const uint8_t *p, size_t n)
{
    do {
        if (interrupt_pending())
            return io_error(u, path, "write", EINTR);
        ssize_t done = n ? write(fd, p, n < WRITE_STEP ? n : WRITE_STEP) : 0;
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return io_error(u, path, "write", errno);
        p += done;
        n -= (size_t)done;
    } while (n);
    return 0;
}

/* A new file; what exists at path is replaced at the end when the options allow it. */
static int create(struct unpacker *u, int parent, const char *path, const char *base, int *fd)
{
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    struct stat st;
    *fd = openat(parent, base, flags, 0666);
    if (*fd >= 0)
        return note(u, path, NULL, false);
    if (errno != EEXIST)
        return io_error(u, path, "create", errno);
    if (!u->opt->overwrite || fstatat(parent, base, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode)) {
        nerr_set(u->err, NERR_INPUT, path, "exists already%s",
                 u->opt->overwrite ? " and is no plain file" : "; only --overwrite replaces files");
        return nerr_prefix(u->err, u->dir);
    }
    char *temporary = text_printf("%.*s" TEMPORARY, (int)(base - path), path, (long)getpid(), u->count);
    if (!temporary)
        return no_memory(u);
    *fd = openat(parent, temporary + (base - path), flags, 0666);
    int rc = *fd >= 0 ? note(u, temporary, path, false) : io_error(u, temporary, "create", errno);
    free(temporary);
    return rc;
}

static int write_file(struct unpacker *u, const char *path, const uint8_t *data, size_t size)
{
    const char *base;
    int parent, fd = -1;
    int rc = open_parent(u, path, true, &parent, &base);
    if (rc)
        return rc;
    rc = create(u, parent, path, base, &fd);
    if (rc == 0)
        rc = write_bytes(u, fd, path, data, size);
    if (fd >= 0 && close(fd) != 0 && rc == 0)
        rc = io_error(u, path, "write", errno);
    close(parent);
    return rc;
}

static int make_folder(struct unpacker *u, const char *path)
{
    const char *base; /* empty: the name of a folder ends in '/' */
    int fd;
    int rc = open_parent(u, path, true, &fd, &base);
    if (rc == 0)
        close(fd);
    return rc;
}

/* Puts the replacements in place. */
static int commit(struct unpacker *u)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < u->count; i++) {
        struct made *m = &u->made[i];
        const char *base;
        int parent;
        if (!m->final)
            continue;
        rc = open_parent(u, m->path, false, &parent, &base);
        if (rc)
            break;
        if (renameat(parent, base, parent, strrchr(m->final, '/') ? strrchr(m->final, '/') + 1 : m->final) !=
            0)
            rc = io_error(u, m->final, "replace", errno);
        close(parent);
    }
    return rc;
}

/* Removes what was made, the last first. */
static void undo(struct unpacker *u)
{
    const struct nerr why = *u->err; /* what stopped the unpacking stays the error */
    for (size_t i = u->count; i-- > 0;) {
        const char *base;
        int parent;
        if (!u->made[i].path || open_parent(u, u->made[i].path, false, &parent, &base) != 0)
            continue;
        unlinkat(parent, base, u->made[i].folder ? AT_REMOVEDIR : 0);
        close(parent);
    }
    *u->err = why;
}

static int write_all(struct unpacker *u, const struct neff *n, const char *header)
{
    struct strbuf text = { 0 };
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < neff_entry_count(n); i++) {
        const struct neff_entry *e = neff_entry_at(n, i);
        rc =
            e->kind == NEFF_ENTRY_FOLDER ? make_folder(u, e->name) : write_file(u, e->name, e->data, e->size);
    }
    if (rc == 0) {
        neff_header_json(n, u->opt, &text);
        strbuf_puts(&text, "\n");
        rc = text.failed ? no_memory(u) : write_file(u, header, (const uint8_t *)text.s, text.len);
    }
    if (rc == 0)
        rc = commit(u);
    strbuf_free(&text);
    return rc;
}

/* Opens dir, or a new folder beside it when there is none yet: *staged is then its name. */
static int open_root(struct unpacker *u, char **staged)
{
    struct stat st;
    *staged = NULL;
    if (stat(u->dir, &st) != 0 && errno == ENOENT) {
        size_t n = strlen(u->dir);
        while (n > 1 && u->dir[n - 1] == '/')
            n--;
        *staged = text_printf("%.*s.XXXXXX", (int)n, u->dir);
        if (!*staged)
            return no_memory(u);
        if (!mkdtemp(*staged)) {
            int number = errno;
            free(*staged);
            *staged = NULL;
            return nerr_set(u->err, NERR_IO, u->dir, "cannot make the folder: %s", strerror(number));
        }
    }
    u->root = open(*staged ? *staged : u->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return u->root >= 0 ? 0
                        : nerr_set(u->err, NERR_IO, u->dir, "cannot open the folder: %s", strerror(errno));
}

static int publish(struct unpacker *u, const char *staged)
{
    mode_t mask = umask(0); /* mkdtemp makes 0700; the result gets what mkdir would have made */
    umask(mask);
    if (fchmod(u->root, 0777 & ~mask) != 0 || rename(staged, u->dir) != 0)
        return nerr_set(u->err, NERR_IO, u->dir, "cannot make the folder: %s", strerror(errno));
    return 0;
}

int neff_unpack(const struct neff *n, const char *dir, const struct neff_unpack_options *opt,
                struct nerr *err)
{
    static const struct neff_unpack_options defaults;
    struct unpacker u = { .opt = opt ? opt : &defaults, .dir = dir, .root = -1, .err = err };
    const char *header = u.opt->header_name ? u.opt->header_name : NEFF_HEADER_FILE;
    char *staged = NULL;
    int rc = unpack_check_names(n, header, err);
    if (rc == 0)
        rc = open_root(&u, &staged);
    if (rc == 0)
        rc = write_all(&u, n, header);
    if (rc == 0 && staged)
        rc = publish(&u, staged);
    if (rc) {
        if (u.root >= 0)
            undo(&u);
        if (staged)
            rmdir(staged);
    }
    if (u.root >= 0)
        close(u.root);
    for (size_t i = 0; i < u.count; i++) {
        free(u.made[i].path);
        free(u.made[i].final);
    }
    free(u.made);
    free(staged);
    return rc;
}
