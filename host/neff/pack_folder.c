/* A source folder -> NEFF (docs/neff-pack.md): collect the members, order them, pack, read the result back.
 */
#include "neff/pack.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "neff/container.h"
#include "neff/pack_source.h"
#include "neff/program.h"
#include "regs.h"
#include "util/file.h"

#define HEADER_NAME "header.json"
#define HEX_SUFFIX  ".hex"
#define DEPTH_MAX   16

struct source {
    const char *dir;
    const struct neff_pack_options *opt;
    struct neff_file *files; /* names and data are own allocations */
    size_t count, capacity;
    uint8_t *header_text;
    size_t header_len;
    struct nerr *err;
};

static int memory(struct source *s)
{
    return nerr_set(s->err, NERR_MEM, s->dir, "out of memory");
}

static bool ends_in(const char *name, const char *suffix)
{
    size_t n = strlen(name), m = strlen(suffix);
    return n > m && strcmp(name + n - m, suffix) == 0;
}

/* Takes name and data over, also when it fails. */
static int append(struct source *s, char *name, uint8_t *data, size_t size)
{
    if (s->count == s->capacity) {
        size_t capacity = s->capacity ? 2 * s->capacity : 32;
        struct neff_file *more = realloc(s->files, capacity * sizeof *more);
        if (!more) {
            free(name);
            free(data);
            return memory(s);
        }
        s->files = more;
        s->capacity = capacity;
    }
    s->files[s->count++] = (struct neff_file){ name, data, size };
    return 0;
}

/* X.bin.hex and X.npy.hex become X.bin and X.npy. */
static int from_hex(struct source *s, char *name, const char *path, uint8_t **data, size_t *size)
{
    struct strbuf bytes = { 0 };
    if (!ends_in(name, ".bin" HEX_SUFFIX) && !ends_in(name, ".npy" HEX_SUFFIX))
        return 0;
    name[strlen(name) - strlen(HEX_SUFFIX)] = '\0';
    int rc = hex_read((const char *)*data, *size, path, &bytes, s->err);
    if (rc) {
        strbuf_free(&bytes);
        return rc;
    }
    free(*data);
    *data = (uint8_t *)bytes.s;
    *size = bytes.len;
    return 0;
}

static int add_file(struct source *s, const char *name, const char *path)
{
    uint8_t *data = NULL;
    size_t size = 0;
    int rc = file_read(path, 0, &data, &size, s->err);
    if (rc)
        return rc;
    if (strcmp(name, HEADER_NAME) == 0) {
        s->header_text = data;
        s->header_len = size;
        return 0;
    }
    char *member = text_copy(name);
    rc = member ? from_hex(s, member, path, &data, &size) : memory(s);
    if (rc) {
        free(member);
        free(data);
        return rc;
    }
    return append(s, member, data, size);
}

struct item {
    char *name; /* below the source folder */
    char *path;
    bool directory;
};

/* Files before folders, each by name: the order of §23 item 7. */
static int by_kind_and_name(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    return x->directory != y->directory ? (x->directory ? 1 : -1) : strcmp(x->name, y->name);
}

static int classify(struct source *s, struct item *it)
{
    struct stat st;
    if (lstat(it->path, &st) != 0)
        return nerr_set(s->err, NERR_IO, it->path, "cannot read: %s", strerror(errno));
    it->directory = S_ISDIR(st.st_mode);
    if (!it->directory && !S_ISREG(st.st_mode))
        return nerr_set(s->err, NERR_INPUT, it->path, "is neither a file nor a folder");
    return 0;
}

/* The entries of one folder; *items is freed by the caller, also after an error. */
static int list_folder(struct source *s, const char *path, const char *prefix, struct item **items,
                       size_t *count)
{
    DIR *dir = opendir(path);
    size_t capacity = 0;
    int rc = 0;
    if (!dir)
        return nerr_set(s->err, NERR_IO, path, "cannot open: %s", strerror(errno));
    for (struct dirent *e; rc == 0 && (e = readdir(dir)) != NULL;) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        if (e->d_name[0] == '.') {
            if (s->opt->warn)
                s->opt->warn(s->opt->warn_ctx, path, "hidden files are not packed");
            continue;
        }
        if (*count == capacity) {
            capacity = capacity ? 2 * capacity : 32;
            struct item *more = realloc(*items, capacity * sizeof *more);
            if (!more) {
                rc = memory(s);
                break;
            }
            *items = more;
        }
        struct item *it = &(*items)[(*count)++];
        *it = (struct item){ text_printf("%s%s", prefix, e->d_name), text_printf("%s/%s", path, e->d_name),
                             false };
        rc = it->name && it->path ? classify(s, it) : memory(s);
    }
    closedir(dir);
    return rc;
}

static int collect(struct source *s, const char *path, const char *prefix, unsigned depth)
{
    struct item *items = NULL;
    size_t count = 0;
    if (depth > DEPTH_MAX)
        return nerr_set(s->err, NERR_INPUT, path, "folders are nested deeper than %d", DEPTH_MAX);
    int rc = list_folder(s, path, prefix, &items, &count);
    if (rc == 0 && count)
        qsort(items, count, sizeof *items, by_kind_and_name);
    for (size_t i = 0; rc == 0 && i < count; i++) {
        if (!items[i].directory) {
            rc = add_file(s, items[i].name, items[i].path);
            continue;
        }
        char *below = text_printf("%s/", items[i].name);
        char *own = below ? text_copy(below) : NULL;
        rc = own ? append(s, own, NULL, 0) : memory(s);
        if (rc == 0)
            rc = collect(s, items[i].path, below, depth + 1);
        free(below);
    }
    for (size_t i = 0; i < count; i++) {
        free(items[i].name);
        free(items[i].path);
    }
    free(items);
    return rc;
}

static size_t find_file(const struct source *s, const char *name)
{
    size_t i = 0;
    while (i < s->count && strcmp(s->files[i].name, name) != 0)
        i++;
    return i;
}

static int check_unique(struct source *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (find_file(s, s->files[i].name) != i)
            return nerr_set(s->err, NERR_RULE, s->dir, "%s exists twice, as itself and as a hex dump",
                            s->files[i].name);
    return 0;
}

/* Brings the files into the order of archive.members, which must name every file and folder exactly once. */
static int apply_order(struct source *s, const struct json *j, const json_value *order)
{
    size_t done = 0;
    for (const json_value *v = json_child(order); v; v = json_next(v)) {
        const char *name;
        int rc = json_as_string(j, v, &name, s->err);
        if (rc)
            return rc;
        size_t i = find_file(s, name);
        if (i == s->count)
            return json_error(j, v, NULL, s->err, "names %s, which the source folder does not have", name);
        if (i < done)
            return json_error(j, v, NULL, s->err, "names %s a second time", name);
        struct neff_file moved = s->files[i];
        memmove(&s->files[done + 1], &s->files[done], (i - done) * sizeof moved);
        s->files[done++] = moved;
    }
    if (done < s->count)
        return json_error(j, order, NULL, s->err, "does not name %s", s->files[done].name);
    return 0;
}

static void apply_options(const struct neff_pack_options *opt, struct neff_pack_settings *settings)
{
    struct neff_pack_settings plain;
    neff_pack_defaults(&plain);
    if (opt->pkg && (uint64_t)opt->pkg != settings->header.pkg_version) {
        settings->header.pkg_version = (uint64_t)opt->pkg;
        settings->header.unused_0 = settings->header.pkg_version == NEFF_PKG_GZIP_MD5;
    }
    if (opt->reproducible) {
        plain.header = settings->header;
        *settings = plain; /* owner, time, modes, stored gzip, derived uuid */
    }
    if (opt->has_gzip)
        settings->gzip = opt->gzip;
}

/* What the reader refuses must not be written. */
static int read_back(const struct source *s, const uint8_t *image, size_t len)
{
    const struct neff_options ropt = { .warn = s->opt->warn, .warn_ctx = s->opt->warn_ctx };
    struct neff *n;
    const char **graphs;
    size_t count;
    int rc = neff_open_memory(image, len, &ropt, &n, s->err);
    if (rc)
        return rc;
    rc = program_graphs(n, &graphs, &count, s->err);
    if (rc == 0) {
        for (size_t i = 0; rc == 0 && i < count; i++) {
            struct program *p;
            rc = program_read(n, graphs[i], &p, s->err);
            if (rc == 0)
                program_free(p);
        }
        free(graphs);
    }
    neff_close(n);
    return rc;
}

static int pack_source(struct source *s, uint8_t **out, size_t *len)
{
    struct neff_pack_settings settings;
    struct json *j = NULL;
    const json_value *order = NULL;
    uint8_t *image = NULL;
    int rc = check_unique(s);
    neff_pack_defaults(&settings);
    if (rc == 0 && s->header_text)
        rc = json_parse(s->header_text, s->header_len, HEADER_NAME, &j, s->err);
    if (rc == 0 && j)
        rc = header_json_read(j, &settings, &order, s->err);
    if (rc == 0 && order && !s->opt->reproducible)
        rc = apply_order(s, j, order);
    if (rc == 0) {
        apply_options(s->opt, &settings);
        rc = neff_pack_memory(s->files, s->count, &settings, &image, len, s->err);
    }
    if (rc == 0)
        rc = read_back(s, image, *len);
    json_free(j);
    if (rc) {
        free(image);
        return nerr_prefix(s->err, s->dir);
    }
    *out = image;
    return 0;
}

int neff_pack_folder(const char *dir, const struct neff_pack_options *opt, uint8_t **out, size_t *len,
                     struct nerr *err)
{
    static const struct neff_pack_options defaults;
    struct source s = { .dir = dir, .opt = opt ? opt : &defaults, .err = err };
    int rc = collect(&s, dir, "", 0);
    if (rc == 0)
        rc = pack_source(&s, out, len);
    for (size_t i = 0; i < s.count; i++) {
        free((void *)(uintptr_t)s.files[i].name); /* const for the packer; allocated in collect() */
        free((void *)(uintptr_t)s.files[i].data);
    }
    free(s.files);
    free(s.header_text);
    return rc;
}

int neff_pack(const char *dir, const struct neff_pack_options *opt, const char *out_path, struct nerr *err)
{
    uint8_t *image;
    size_t len;
    int rc = neff_pack_folder(dir, opt, &image, &len, err);
    if (rc)
        return rc;
    rc = file_write(out_path, image, len, err);
    free(image);
    return rc;
}
