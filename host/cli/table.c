/* Tables of a page: aligned columns, cut rows and cells. See page.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/page_text.h"

#define COLUMN_MIN 8 /* characters that a cut column keeps */
#define INDENT     2

void table_begin(struct table *t, struct page *p, const char *const *heads, size_t columns)
{
    *t = (struct table){ .page = p, .columns = columns };
    for (size_t i = 0; i < columns; i++)
        t->head[i] = heads[i];
}

static bool shown(const struct table *t)
{
    return t->page->all || t->rows < PAGE_ROWS;
}

void table_cell(struct table *t, const char *fmt, ...)
{
    if (shown(t)) {
        if (t->count == t->capacity) {
            size_t capacity = t->capacity ? 2 * t->capacity : 64;
            char **more = realloc(t->cells, capacity * sizeof *more);
            if (!more) {
                t->failed = true;
                return;
            }
            t->cells = more;
            t->capacity = capacity;
        }
        va_list ap, again;
        va_start(ap, fmt);
        va_copy(again, ap);
        int n = vsnprintf(NULL, 0, fmt, ap);
        char *text = n < 0 ? NULL : malloc((size_t)n + 1);
        if (text)
            vsnprintf(text, (size_t)n + 1, fmt, again);
        va_end(again);
        va_end(ap);
        t->failed = t->failed || !text;
        t->cells[t->count++] = text;
    }
    if (++t->column == t->columns) {
        t->column = 0;
        t->rows++;
    }
}

static bool right(const struct table *t, size_t column)
{
    return t->head[column][0] == '>';
}

static const char *title(const struct table *t, size_t column)
{
    return t->head[column] + right(t, column);
}

/* Makes columns narrower, the widest first, until the row fits the page. */
static void squeeze(const struct table *t, size_t *width)
{
    size_t last = t->columns - 1;
    for (;;) {
        size_t used = INDENT, widest = last;
        for (size_t c = 0; c < t->columns; c++) {
            used += width[c] + (c < last ? 2 : 0);
            widest = width[c] > width[widest] ? c : widest;
        }
        if (used <= t->page->width || width[widest] <= COLUMN_MIN)
            return;
        width[widest]--;
    }
}

/* Widths of all columns. */
static void measure(const struct table *t, size_t *width)
{
    for (size_t c = 0; c < t->columns; c++) {
        width[c] = strlen(title(t, c));
        for (size_t i = c; i < t->count; i += t->columns) {
            size_t n = t->cells[i] ? text_width(t->cells[i]) : 0;
            width[c] = n > width[c] ? n : width[c];
        }
        if (!t->page->all && width[c] > t->page->width)
            width[c] = t->page->width;
    }
    if (!t->page->all)
        squeeze(t, width);
}

static void put_cell(struct table *t, const char *text, size_t width, bool to_right, bool last,
                     enum page_style style)
{
    struct strbuf clean = { 0 };
    page_clean(&clean, text, width);
    size_t pad = width - text_width(clean.s ? clean.s : "");
    if (to_right)
        strbuf_printf(&t->page->b, "%*s", (int)pad, "");
    page_raw(t->page, style, clean.s ? clean.s : "");
    if (!to_right && !last)
        strbuf_printf(&t->page->b, "%*s", (int)pad, "");
    if (!last)
        strbuf_puts(&t->page->b, "  ");
    t->failed = t->failed || clean.failed;
    strbuf_free(&clean);
}

void table_end(struct table *t)
{
    size_t width[TABLE_COLUMNS];
    struct strbuf *b = &t->page->b;
    measure(t, width);
    for (size_t row = 0; t->count && row <= t->count / t->columns; row++) {
        strbuf_printf(b, "%*s", INDENT, "");
        for (size_t c = 0; c < t->columns; c++) {
            const char *text = row ? t->cells[(row - 1) * t->columns + c] : title(t, c);
            put_cell(t, text ? text : "", width[c], right(t, c), c + 1 == t->columns,
                     row ? PAGE_PLAIN : PAGE_DIM);
        }
        while (b->len && !b->failed && b->s[b->len - 1] == ' ') /* an empty last cell */
            b->s[--b->len] = '\0';
        page_end_line(t->page);
    }
    if (t->rows > t->count / t->columns) {
        page_put(t->page, PAGE_DIM, "  ... %zu more (--all)", t->rows - t->count / t->columns);
        page_end_line(t->page);
    }
    for (size_t i = 0; i < t->count; i++)
        free(t->cells[i]);
    free(t->cells);
    b->failed = b->failed || t->failed;
}
