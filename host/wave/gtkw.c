/* GTKWave save files and translate filters: see gtkw.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "wave/gtkw.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
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
#define TR_PROCESS    0x4000u
#define NMARKERS      26    /* named markers A..Z, unused */
#define WINDOW_WIDTH  1400u /* pixels */
#define WINDOW_HEIGHT 800u
#define NAMES_WIDTH   320u
#define WAVE_WIDTH    1000u /* of them for the waves */
#define FRAME_WIDTH   200u  /* pixels in which GTKWave shows 2^-zoom ticks */
#define VIEW_FRACTION 16u   /* of the wave that is in view at first */
#define VIEW_MIN      64u

/* A save file being written. */
struct save {
    struct strbuf b;
    const struct wave_reader *reader;
    struct wave_var **sorted; /* by name */
    const struct gtkw_view *view;
    char *programs[WAVE_DECODE_COUNT]; /* filter programs, NULL where there is none */
};

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

/* The program that shows the signal in words, or NULL. */
static const char *program_of(const struct save *s, const struct gtkw_row *row, const struct wave_var *var)
{
    if (row->filter || row->format != GTKW_AUTO || var->kind != WAVE_BITS)
        return NULL;
    return s->programs[wave_decode_of(var->name, var->width, s->view->decode, s->view->ndecode)];
}

static int put_row(struct save *s, const struct gtkw_row *row, struct nerr *err)
{
    if (row->comment)
        put_comment(&s->b, row->comment);
    if (!row->name)
        return 0;
    struct wave_var *const *var =
        bsearch(row->name, s->sorted, s->reader->nvars, sizeof *s->sorted, name_to_var);
    if (!var)
        return nerr_set(err, NERR_RULE, s->reader->path, "the wave has no signal '%s'", row->name);
    const char *program = program_of(s, row, *var);
    if (row->color != GTKW_PLAIN)
        strbuf_printf(&s->b, "[color] %d\n", (int)row->color);
    strbuf_printf(&s->b, "@%x\n", flags(row, (*var)->width) | (program ? TR_PROCESS : 0));
    if (row->filter)
        strbuf_printf(&s->b, "^1 %s\n", row->filter);
    if (program)
        strbuf_printf(&s->b, "^>1 %s\n", program);
    if (row->alias)
        strbuf_printf(&s->b, "+{%s} ", row->alias);
    put_name(&s->b, *var);
    return 0;
}

static void put_head(struct save *s)
{
    const struct wave_reader *r = s->reader;
    struct strbuf *b = &s->b;
    uint64_t marker = s->view->marker, from, span;
    if (s->view->to > s->view->from) {
        from = s->view->from;
        span = s->view->to - from;
    } else {
        span = (r->end - r->start) / VIEW_FRACTION;
        span = span < VIEW_MIN ? VIEW_MIN : span;
        from = marker > r->start + span / 2 ? marker - span / 2 : r->start;
    }
    double frame = (double)span * FRAME_WIDTH / WAVE_WIDTH;
    double zoom = frame > 1 ? -log2(frame) : 0;
    char *absolute = realpath(r->path, NULL);
    strbuf_puts(b, "[*]\n[*] GTKWave save file written by neffsim\n[*]\n");
    strbuf_printf(b, "[dumpfile] \"%s\"\n", absolute ? absolute : r->path);
    strbuf_printf(b, "[timestart] %" PRIu64 "\n[size] %u %u\n[sst_expanded] 0\n[signals_width] %u\n", from,
                  WINDOW_WIDTH, WINDOW_HEIGHT, NAMES_WIDTH);
    strbuf_printf(b, "*%.6f %" PRIu64, zoom, marker);
    for (int i = 0; i < NMARKERS; i++)
        strbuf_puts(b, " -1");
    strbuf_puts(b, "\n");
    free(absolute);
}

int wave_gtkw_write_view(const char *path, const char *fst_path, const struct gtkw_row *rows, size_t nrows,
                         const struct gtkw_view *view, struct nerr *err)
{
    struct wave_reader *r;
    int rc = wave_reader_open(fst_path, &r, err);
    if (rc)
        return rc;
    struct save s = { .reader = r, .view = view, .sorted = malloc((r->nvars + 1) * sizeof *s.sorted) };
    if (!s.sorted) {
        rc = nerr_set(err, NERR_MEM, path, "out of memory");
        goto out;
    }
    for (size_t i = 0; i < r->nvars; i++)
        s.sorted[i] = &r->vars[i];
    qsort(s.sorted, r->nvars, sizeof *s.sorted, by_name);
    for (int kind = WAVE_DECODE_NONE + 1; kind < WAVE_DECODE_COUNT; kind++)
        s.programs[kind] = wave_decode_filter((enum wave_decode)kind);
    put_head(&s);
    for (size_t i = 0; i < nrows && !rc; i++)
        rc = put_row(&s, &rows[i], err);
    if (!rc && s.b.failed)
        rc = nerr_set(err, NERR_MEM, path, "out of memory");
    if (!rc)
        rc = file_write(path, s.b.s, s.b.len, err);
out:
    for (int kind = 0; kind < WAVE_DECODE_COUNT; kind++)
        free(s.programs[kind]);
    strbuf_free(&s.b);
    free(s.sorted);
    wave_reader_close(r);
    return rc;
}

int wave_gtkw_write(const char *path, const char *fst_path, const struct gtkw_row *rows, size_t nrows,
                    uint64_t marker, struct nerr *err)
{
    const struct gtkw_view view = { .marker = marker };
    return wave_gtkw_write_view(path, fst_path, rows, nrows, &view, err);
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
