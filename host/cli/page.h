/*
 * Text for people on stdout: headings, facts and tables that fit the width, colours when the terminal has
 * them. What comes from a file is made harmless here: control characters and bytes that are not UTF-8 become
 * '?'.
 */
#ifndef NEFFSIM_CLI_PAGE_H
#define NEFFSIM_CLI_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/strbuf.h"

enum page_style { PAGE_PLAIN, PAGE_BOLD, PAGE_DIM, PAGE_RED, PAGE_YELLOW };

struct page { /* start from { .width = PAGE_WIDTH } */
    struct strbuf b;
    bool colour;
    bool all; /* tables show every row, and names in full */
    size_t width;
};
#define PAGE_WIDTH 100
#define PAGE_ROWS  24 /* rows of a table without `all` */

/* "auto", "always", "never". auto: stdout is a terminal that is not dumb, and NO_COLOR is unset or empty. */
bool page_colour(const char *when, bool *colour);

/* Text of the program itself, no line end added. */
void page_put(struct page *p, enum page_style style, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* "title" in bold on a line of its own after an empty one, with an explanation behind it. */
void page_heading(struct page *p, const char *title, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* "  key           value"; a long value goes on below. */
void page_fact(struct page *p, const char *key, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Text that starts in column `indent` of the present line, broken at spaces, and goes on below in that
 * column. */
void page_flow(struct page *p, size_t indent, const char *text);

/* Ends the line. */
void page_end_line(struct page *p);

/* "1288490188 bytes (1.2 GiB)"; the unit from 1 MiB on. Returns buf. */
struct page_size {
    char text[48];
};
struct page_size page_bytes(uint64_t bytes);

/* stdout. False when it cannot be written. */
bool page_print(const struct page *p);

/*
 * A table: columns named by `heads` (a leading '>' makes one right-aligned; the last column takes what is
 * left of the width), then cells row by row. table_end writes it, or nothing but "none" when it has no rows.
 */
#define TABLE_COLUMNS 12
struct table {
    struct page *page;
    const char *head[TABLE_COLUMNS];
    size_t columns;
    char **cells;
    size_t count, capacity;
    size_t rows; /* whole rows given, those that are not shown too */
    size_t column;
    bool failed;
};
void table_begin(struct table *t, struct page *p, const char *const *heads, size_t columns);
#define TABLE_BEGIN(t, p, ...)                                                                               \
    table_begin(t, p, (const char *const[]){ __VA_ARGS__ },                                                  \
                sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *))
void table_cell(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void table_end(struct table *t);

#endif
