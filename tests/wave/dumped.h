/* What the tests of the readers share: files with a given text, and a wave as its canonical text. */
#ifndef NEFFSIM_TESTS_WAVE_DUMPED_H
#define NEFFSIM_TESTS_WAVE_DUMPED_H

#include "fixture.h"
#include "util/strbuf.h"
#include "wave/dump.h"

/* Warnings of the last opening, one per line. */
__attribute__((unused)) static struct strbuf warned;

__attribute__((unused)) static void take_warning(void *ctx, const char *where, const char *text)
{
    (void)ctx;
    strbuf_printf(&warned, "%s: %s\n", where, text);
}

static int take_text(void *ctx, const char *text, size_t n, struct nerr *err)
{
    (void)err;
    strbuf_add(ctx, text, n);
    return 0;
}

/* The wave as text, to be freed; NULL and *err when it cannot be read. */
__attribute__((unused)) static char *dump_with(const char *path, bool allow_incomplete,
                                               struct wave_dump_options options, struct nerr *err)
{
    struct wave_open_options open = { .allow_incomplete = allow_incomplete, .warn = take_warning };
    struct wave_reader *r = NULL;
    struct strbuf b = { 0 };
    strbuf_free(&warned);
    memset(err, 0, sizeof *err);
    int rc = wave_reader_open_with(path, &open, &r, err);
    if (!rc)
        rc = wave_dump(r, &options, take_text, &b, err);
    wave_reader_close(r);
    if (rc)
        strbuf_free(&b);
    return b.s;
}

__attribute__((unused)) static char *dump_of(const char *path, struct nerr *err)
{
    return dump_with(path, false, (struct wave_dump_options){ 0 }, err);
}

__attribute__((unused)) static void write_text(const char *name, const char *text)
{
    struct nerr err = { 0 };
    ck_assert_msg(file_write(at(name), text, strlen(text), &err) == 0, "%s", err.text);
}

#endif
