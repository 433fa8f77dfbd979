/* Parts that page.c and table.c share. */
#ifndef NEFFSIM_CLI_PAGE_TEXT_H
#define NEFFSIM_CLI_PAGE_TEXT_H

#include "cli/page.h"

/* Appends text made harmless; what has more than `width` characters is cut and ends in "...". */
void page_clean(struct strbuf *out, const char *text, size_t width);

/* Characters of a text (each as one column). */
size_t text_width(const char *text);

/* Appends text that is harmless already. */
void page_raw(struct page *p, enum page_style style, const char *clean);

#endif
