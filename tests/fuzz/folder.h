/*
 * A NEFF as text: a line "@NAME" starts the member NAME, what follows up to the next such line (without the
 * newline before it) is its content.
 */
#ifndef NEFFSIM_TESTS_FUZZ_FOLDER_H
#define NEFFSIM_TESTS_FUZZ_FOLDER_H

#include "frame.h"
#include "neff/neff.h"
#include "neff/pack.h"

#define MEMBERS_MAX ((size_t)32)

struct folder {
    struct neff_file files[MEMBERS_MAX];
    size_t count;
};

/* The next line that starts with '@', from p, which starts a line; NULL when there is none. */
static inline char *folder_marker(char *p, const char *end)
{
    while (p && p < end && *p != '@') {
        p = memchr(p, '\n', (size_t)(end - p));
        p = p ? p + 1 : NULL;
    }
    return p && p < end ? p : NULL;
}

/* Splits text, whose marker lines get a NUL at their end. What stands before the first marker is dropped. */
static inline void folder_split(char *text, size_t size, struct folder *f)
{
    const char *end = text + size;
    for (char *p = folder_marker(text, end); p && f->count < MEMBERS_MAX;) {
        char *line = memchr(p, '\n', (size_t)(end - p));
        if (!line)
            return;
        *line = '\0';
        char *next = folder_marker(line + 1, end);
        const char *stop = !next ? end : next > line + 1 ? next - 1 : next;
        f->files[f->count++] =
            (struct neff_file){ .name = p + 1, .data = line + 1, .size = (size_t)(stop - line - 1) };
        p = next;
    }
}

/* The NEFF of a text; NULL when packing or opening refuses it. The caller closes it. */
static inline struct neff *folder_open(const uint8_t *data, size_t size)
{
    struct folder f = { .count = 0 };
    struct neff_pack_settings settings;
    struct neff_options opt = { .no_hash = true };
    struct neff *n = NULL;
    struct nerr err;
    uint8_t *file = NULL;
    size_t len = 0;
    char *text = malloc(size + 1);
    if (!text)
        return NULL;
    memcpy(text, data, size);
    folder_split(text, size, &f);
    neff_pack_defaults(&settings);
    settings.header.pkg_version = NEFF_PKG_TAR_SHA256; /* no gzip: faster */
    if (neff_pack_memory(f.files, f.count, &settings, &file, &len, &err) == 0 &&
        neff_open_memory(file, len, &opt, &n, &err) != 0)
        n = NULL;
    free(file);
    free(text);
    return n;
}

#endif
