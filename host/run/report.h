/* The result of a run as text, JSON and HTML. */
#ifndef NEFFSIM_RUN_REPORT_H
#define NEFFSIM_RUN_REPORT_H

#include "run/run.h"
#include "util/json_write.h"
#include "util/strbuf.h"

/* What else the reports mention; any may be NULL. */
struct report_context {
    const char *title; /* NEFF file or case name */
    const char *wave;  /* FST that was written */
    const char *gtkw;  /* its save file */
};

/* "pass", "differs", "hang" or "error". */
const char *report_verdict(const struct run_result *res);

/* The closing line (architecture §7): verdict, cycles, wall time, kHz, and the gtkwave command when there is
 * a wave. */
void report_line(const struct run_result *res, const struct report_context *ctx, struct strbuf *out);

/* A few lines before it: what ran, slots retired, outputs. */
void report_summary(const struct run_result *res, struct strbuf *out);

/* One JSON object (also an element of the array that `neffsim case --json` prints). */
void report_json(const struct run_result *res, const struct report_context *ctx, struct json_out *out);

/* A self-contained page. */
void report_html(const struct run_result *res, const struct report_context *ctx, struct strbuf *out);

/* Appends text so that it is safe inside XML and HTML, attributes included. */
void report_escape(const char *text, struct strbuf *out);

#endif
