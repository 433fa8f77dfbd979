/* Names of an archive as files of a folder: see unpack_names.h. */
#include "neff/unpack_names.h"

#include <stdlib.h>
#include <string.h>

#define COMPONENT_MAX 255 /* NAME_MAX of the file systems in use */

static int by_text(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

/* Why a path cannot be a file or, with a final '/', a folder; NULL when it can. */
static const char *why_not(const char *path)
{
    size_t folders = 0;
    for (const char *p = path;;) {
        const char *slash = strchr(p, '/');
        size_t n = slash ? (size_t)(slash - p) : strlen(p);
        if (n == 0)
            return "has an empty component";
        if ((n == 1 && p[0] == '.') || (n == 2 && p[0] == '.' && p[1] == '.'))
            return "has a component . or ..";
        if (n > COMPONENT_MAX)
            return "has a component of more than 255 bytes";
        if (!slash)
            return NULL;
        if (++folders > NEFF_FOLDERS_MAX)
            return "lies in more than 16 folders";
        if (slash[1] == '\0')
            return NULL;
        p = slash + 1;
    }
}

struct files { /* names of everything that becomes a file, sorted */
    const char **names;
    size_t count;
};

static bool is_file(const struct files *f, const char *name)
{
    return bsearch(&name, f->names, f->count, sizeof *f->names, by_text) != NULL;
}

/* A folder on the way to path that is a file of the archive. */
static int check_folders(const struct files *f, const char *path, struct nerr *err)
{
    char prefix[(COMPONENT_MAX + 1) * (NEFF_FOLDERS_MAX + 1) + 1];
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        size_t n = (size_t)(slash - path);
        memcpy(prefix, path, n);
        prefix[n] = '\0';
        if (is_file(f, prefix))
            return nerr_set(err, NERR_RULE, path,
                            "cannot be unpacked: %s is a member and the folder of this one", prefix);
    }
    return 0;
}

static int check_header(const struct neff *n, const char *header, struct nerr *err)
{
    size_t len = strlen(header);
    if (why_not(header) || strchr(header, '/'))
        return nerr_set(err, NERR_INPUT, "", "the file for the header, \"%.80s\", is no plain file name",
                        header);
    for (size_t i = 0; i < neff_entry_count(n); i++) {
        const char *name = neff_entry_at(n, i)->name;
        if (strncmp(name, header, len) == 0 && (name[len] == '\0' || name[len] == '/'))
            return nerr_set(err, NERR_INPUT, name,
                            "is in the archive, so the header needs another file: --header NAME");
    }
    return 0;
}

int unpack_check_names(const struct neff *n, const char *header, struct nerr *err)
{
    size_t count = neff_entry_count(n);
    struct files f = { calloc(count + 1, sizeof *f.names), 0 };
    int rc = f.names ? 0 : nerr_set(err, NERR_MEM, "", "out of memory");
    for (size_t i = 0; rc == 0 && i < count; i++) {
        const struct neff_entry *e = neff_entry_at(n, i);
        const char *why = why_not(e->name);
        if (why)
            rc = nerr_set(err, NERR_RULE, e->name, "cannot be unpacked: the path %s", why);
        else if (e->kind != NEFF_ENTRY_FOLDER)
            f.names[f.count++] = e->name;
    }
    if (rc == 0)
        qsort(f.names, f.count, sizeof *f.names, by_text);
    for (size_t i = 0; rc == 0 && i < count; i++)
        rc = check_folders(&f, neff_entry_at(n, i)->name, err);
    if (rc == 0)
        rc = check_header(n, header, err);
    free(f.names);
    return rc;
}
