/* GTKWave save files and translate filters: see gtkw.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "wave/gtkw.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "util/file.h"
#include "util/strbuf.h"
#include "wave/reader.h"

/* Trace flags of the save file format. */
#define TR_HEX        0x2u
#define TR_DEC        0x4u
#define TR_BIN        0x8u
#define TR_RJUSTIFY   0x20u
#define TR_BLANK      0x200u
#define TR_ASCII      0x800u
#define TR_FILTER     0x2000u
#define NMARKERS      26 /* named markers A..Z, unused */
#define VIEW_PIXELS   1024u
#define VIEW_FRACTION 16u /* of the wave that is in view at first */
#define VIEW_MIN      64u

static uint32_t flags(const struct gtkw_row *row, uint32_t width)
{
    uint32_t filter = row->filter ? TR_FILTER : 0;
    switch (row->format) {
    case GTKW_DEC:
        return TR_DEC | TR_RJUSTIFY | filter;
    case GTKW_BIN:
        return TR_BIN | TR_RJUSTIFY | filter;
    case GTKW_ASCII:
        return TR_ASCII | TR_RJUSTIFY | filter;
    case GTKW_HEX:
        return TR_HEX | TR_RJUSTIFY | filter;
    default:
        return (width == 1 ? TR_BIN : TR_HEX) | TR_RJUSTIFY | filter;
    }
}

static int by_name(const void *pa, const void *pb)
{
    const struct wave_var *const *a = pa, *const *b = pb;
    return strcmp((*a)->name, (*b)->name);
}

static int name_to_var(const void *key, const void *element)
{
    const struct wave_var *const *var = element;
    return strcmp(key, (*var)->name);
}

/* A line of free text may not break the file's lines. */
static void put_comment(struct strbuf *b, const char *text)
{
    strbuf_printf(b, "@%x\n-", TR_BLANK);
    for (; *text; text++)
        strbuf_add(b, *text == '\n' || *text == '\r' ? " " : text, 1);
    strbuf_puts(b, "\n");
}

/* GTKWave shows a number without its range, and a vector of one bit as bit[3] for any bit[3:3]. */
static void put_name(struct strbuf *b, const struct wave_var *var)
{
    const char *bracket = strrchr(var->name, '[');
    const char *colon = bracket ? strchr(bracket, ':') : NULL;
    if (colon && var->is_number)
        strbuf_printf(b, "%.*s\n", (int)(bracket - var->name), var->name);
    else if (colon && var->width == 1)
        strbuf_printf(b, "%.*s]\n", (int)(colon - var->name), var->name);
    else
        strbuf_printf(b, "%s\n", var->name);
}

static int put_row(struct strbuf *b, const struct gtkw_row *row, const struct wave_reader *r,
                   struct wave_var *const *sorted, struct nerr *err)
{
    if (row->comment)
        put_comment(b, row->comment);
    if (!row->name)
        return 0;
    struct wave_var *const *var = bsearch(row->name, sorted, r->nvars, sizeof *sorted, name_to_var);
    if (!var)
        return nerr_set(err, NERR_RULE, r->path, "the wave has no signal '%s'", row->name);
    strbuf_printf(b, "@%x\n", flags(row, (*var)->width));
    if (row->filter)
        strbuf_printf(b, "^1 %s\n", row->filter);
    put_name(b, *var);
    return 0;
}

static void put_head(struct strbuf *b, const struct wave_reader *r, uint64_t marker)
{
    char *absolute = realpath(r->path, NULL);
    uint64_t span = (r->end - r->start) / VIEW_FRACTION;
    int zoom = 0; /* one pixel is 2^-zoom ticks */
    span = span < VIEW_MIN ? VIEW_MIN : span;
    for (uint64_t s = span; s > VIEW_PIXELS; s /= 2)
        zoom--;
    strbuf_puts(b, "[*]\n[*] GTKWave save file written by neffsim\n[*]\n");
    strbuf_printf(b, "[dumpfile] \"%s\"\n", absolute ? absolute : r->path);
    strbuf_printf(b, "[timestart] %" PRIu64 "\n",
                  marker > r->start + span / 2 ? marker - span / 2 : r->start);
    strbuf_printf(b, "*%d.000000 %" PRIu64, zoom, marker);
    for (int i = 0; i < NMARKERS; i++)
        strbuf_puts(b, " -1");
    strbuf_puts(b, "\n");
    free(absolute);
}

int wave_gtkw_write(const char *path, const char *fst_path, const struct gtkw_row *rows, size_t nrows,
                    uint64_t marker, struct nerr *err)
{
    struct wave_reader *r;
    struct strbuf b = { 0 };
    int rc = wave_reader_open(fst_path, &r, err);
    if (rc)
        return rc;
    struct wave_var **sorted = malloc((r->nvars + 1) * sizeof *sorted);
    if (!sorted) {
        rc = nerr_set(err, NERR_MEM, path, "out of memory");
        goto out;
    }
    for (size_t i = 0; i < r->nvars; i++)
        sorted[i] = &r->vars[i];
    qsort(sorted, r->nvars, sizeof *sorted, by_name);
    put_head(&b, r, marker);
    for (size_t i = 0; i < nrows && !rc; i++)
        rc = put_row(&b, &rows[i], r, sorted, err);
    if (!rc && b.failed)
        rc = nerr_set(err, NERR_MEM, path, "out of memory");
    if (!rc)
        rc = file_write(path, b.s, b.len, err);
out:
    strbuf_free(&b);
    free(sorted);
    wave_reader_close(r);
    return rc;
}

/* GTKWave compares the text it would show, so the numbers have all their digits, in capitals. */
int wave_filter_write(const char *path, const struct gtkw_label *labels, size_t nlabels, unsigned width,
                      struct nerr *err)
{
    struct strbuf b = { 0 };
    int digits = (int)((width + 3) / 4);
    for (size_t i = 0; i < nlabels; i++)
        strbuf_printf(&b, "%0*" PRIX64 " %s\n", digits, labels[i].number, labels[i].name);
    int rc = b.failed ? nerr_set(err, NERR_MEM, path, "out of memory")
                      : file_write(path, b.s ? b.s : "", b.len, err);
    strbuf_free(&b);
    return rc;
}
