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
    const char *header_name;
    uint8_t *header_text;
    struct json *header;     /* NULL: the folder has none */
    const json_value *order; /* archive.members or NULL */
    struct neff_pack_settings settings;
    struct neff_file_meta *meta; /* of each file when there is an order */
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

static const char *order_name(const json_value *v)
{
    struct nerr ignored;
    const char *name = NULL;
    if (json_is_object(v))
        v = json_get(v, "name");
    return v && json_is_string(v) && json_as_string(NULL, v, &name, &ignored) == 0 ? name : NULL;
}

/* True when archive.members has this very name, so that the file is a member whatever it looks like. */
static bool is_named(const struct source *s, const char *name)
{
    for (const json_value *v = s->order ? json_child(s->order) : NULL; v; v = json_next(v)) {
        const char *other = order_name(v);
        if (other && strcmp(other, name) == 0)
            return true;
    }
    return false;
}

/* X.bin.hex and X.npy.hex become X.bin and X.npy. */
static int from_hex(struct source *s, char *name, const char *path, uint8_t **data, size_t *size)
{
    struct strbuf bytes = { 0 };
    if ((!ends_in(name, ".bin" HEX_SUFFIX) && !ends_in(name, ".npy" HEX_SUFFIX)) || is_named(s, name))
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
    if (strcmp(name, s->header_name) == 0)
        return 0;
    int rc = file_read(path, 0, &data, &size, s->err);
    if (rc)
        return rc;
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

/* Characters of the name that an item has in the archive. */
static size_t member_length(const struct item *it)
{
    bool dump =
        !it->directory && (ends_in(it->name, ".bin" HEX_SUFFIX) || ends_in(it->name, ".npy" HEX_SUFFIX));
    return strlen(it->name) - (dump ? strlen(HEX_SUFFIX) : 0);
}

/* Files before folders, each by member name: the order of §23 item 7, whatever is a hex dump. */
static int by_kind_and_name(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    size_t n = member_length(x), m = member_length(y);
    if (x->directory != y->directory)
        return x->directory ? 1 : -1;
    int order = memcmp(x->name, y->name, n < m ? n : m);
    return order ? order : n < m ? -1 : n > m;
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

/* A hidden file, or a hidden folder of members, that archive.members names. */
static bool hidden_member(const struct source *s, const char *prefix, const char *name)
{
    char *path = text_printf("%s%s", prefix, name);
    size_t n = path ? strlen(path) : 0;
    bool found = false;
    for (const json_value *v = path && s->order ? json_child(s->order) : NULL; v && !found;
         v = json_next(v)) {
        const char *other = order_name(v);
        found = other && strncmp(other, path, n) == 0 && (other[n] == '\0' || other[n] == '/');
    }
    free(path);
    return found;
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
        if (e->d_name[0] == '.' && !hidden_member(s, prefix, e->d_name)) {
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

static int by_file_name(const void *a, const void *b)
{
    const struct neff_file *x = a, *y = b;
    return strcmp(x->name, y->name);
}

/* The files by name, for finding them; the caller frees. */
static int sort_files(struct source *s, struct neff_file **sorted)
{
    *sorted = malloc((s->count + 1) * sizeof **sorted);
    if (!*sorted)
        return memory(s);
    if (s->count) {
        memcpy(*sorted, s->files, s->count * sizeof **sorted);
        qsort(*sorted, s->count, sizeof **sorted, by_file_name);
    }
    for (size_t i = 0; i + 1 < s->count; i++)
        if (strcmp((*sorted)[i].name, (*sorted)[i + 1].name) == 0)
            return nerr_set(s->err, NERR_RULE, s->dir, "%s exists twice, as itself and as a hex dump",
                            (*sorted)[i].name);
    return 0;
}

static bool is_folder(const struct neff_file *f)
{
    return ends_in(f->name, "/");
}

/* The file that v names, moved from sorted to the end of the ordered ones. */
static int take_named(struct source *s, const json_value *v, struct neff_file *sorted, bool *taken,
                      size_t *done)
{
    struct neff_file key = { 0 };
    struct neff_file_meta meta;
    int rc = header_json_member(s->header, v, &s->settings, &key.name, &meta, s->err);
    if (rc)
        return rc;
    const struct neff_file *f = bsearch(&key, sorted, s->count, sizeof *sorted, by_file_name);
    if (!f)
        return json_error(s->header, v, NULL, s->err, "names %s, which the source folder does not have",
                          key.name);
    if (taken[f - sorted])
        return json_error(s->header, v, NULL, s->err, "names %s a second time", key.name);
    taken[f - sorted] = true;
    s->meta[*done] = meta;
    s->files[(*done)++] = *f;
    return 0;
}

/* Brings the files into the order of archive.members, which must name every file exactly once; a folder that
 * it does not name is no entry of the archive. */
static int apply_order(struct source *s, struct neff_file *sorted)
{
    size_t done = 0, all = s->count;
    bool *taken = calloc(all + 1, sizeof *taken);
    s->meta = calloc(all + 1, sizeof *s->meta);
    int rc = taken && s->meta ? 0 : memory(s);
    for (const json_value *v = json_child(s->order); rc == 0 && v; v = json_next(v))
        rc = take_named(s, v, sorted, taken, &done);
    for (size_t i = 0; rc == 0 && i < all; i++)
        if (!taken[i] && !is_folder(&sorted[i]))
            rc = json_error(s->header, s->order, NULL, s->err, "does not name %s", sorted[i].name);
    if (rc) {
        memcpy(s->files, sorted, all * sizeof *sorted); /* whole again, for freeing */
    } else {
        for (size_t i = 0; i < all; i++)
            if (!taken[i])
                free((void *)(uintptr_t)sorted[i].name);
        s->count = done;
    }
    free(taken);
    return rc;
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
        plain.derive_features = settings->derive_features;
        plain.derive_major = settings->derive_major;
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

/* header.json comes first: it may name members that would not be taken for one. */
static int read_header(struct source *s)
{
    struct stat st;
    size_t len = 0;
    char *path = text_printf("%s/%s", s->dir, s->header_name);
    neff_pack_defaults(&s->settings);
    if (!path)
        return memory(s);
    int rc = 0;
    if (lstat(path, &st) == 0 ? S_ISREG(st.st_mode) : s->opt->header_name != NULL)
        rc = file_read(path, 0, &s->header_text, &len, s->err);
    free(path);
    if (rc || !s->header_text)
        return rc;
    rc = json_parse(s->header_text, len, s->header_name, &s->header, s->err);
    if (rc == 0)
        rc = header_json_read(s->header, &s->settings, &s->order, s->err);
    return rc ? nerr_prefix(s->err, s->dir) : 0;
}

static int pack_source(struct source *s, uint8_t **out, size_t *len)
{
    struct neff_file *sorted = NULL;
    uint8_t *image = NULL;
    int rc = sort_files(s, &sorted);
    if (rc == 0 && s->order && !s->opt->reproducible)
        rc = apply_order(s, sorted);
    free(sorted);
    if (rc == 0) {
        apply_options(s->opt, &s->settings);
        s->settings.meta = s->meta;
        rc = neff_pack_memory(s->files, s->count, &s->settings, &image, len, s->err);
    }
    if (rc == 0)
        rc = pack_set_features(image, *len, &s->settings, s->opt, s->err);
    if (rc == 0 && !s->opt->unchecked)
        rc = read_back(s, image, *len);
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
    s.header_name = s.opt->header_name ? s.opt->header_name : HEADER_NAME;
    int rc = read_header(&s);
    if (rc == 0)
        rc = collect(&s, dir, "", 0);
    if (rc == 0)
        rc = pack_source(&s, out, len);
    for (size_t i = 0; i < s.count; i++) {
        free((void *)(uintptr_t)s.files[i].name); /* const for the packer; allocated in collect() */
        free((void *)(uintptr_t)s.files[i].data);
    }
    free(s.files);
    free(s.meta);
    json_free(s.header);
    free(s.header_text);
    return rc;
}
