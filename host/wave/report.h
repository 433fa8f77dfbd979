/*
 * What a comparison found, for people and for tools: text, JSON, JUnit XML and a page with waveforms
 * (docs/waves.md). Nothing here prints: everything is appended to a buffer. In the reports A is the golden
 * wave and B the actual one.
 */
#ifndef NEFFSIM_WAVE_REPORT_H
#define NEFFSIM_WAVE_REPORT_H

#include "util/nerr.h"
#include "util/strbuf.h"
#include "wave/compare.h"
#include "wave/decode.h"

/* A finished comparison; everything is borrowed. */
struct wave_report {
    const char *path_a, *path_b;
    const struct wave_options *options;
    const struct wave_result *result;
    const struct wave_decode_rule *decode; /* --decode */
    size_t ndecode;
};

void wave_report_text(const struct wave_report *r, struct strbuf *out);
void wave_report_json(const struct wave_report *r, struct strbuf *out);

/* One test case for the comparison as a whole and a failed one for every listed signal. */
void wave_report_junit(const struct wave_report *r, struct strbuf *out);

/* Reads both files once more for the waveforms around the first differences. Errors as wave_compare. */
int wave_report_html(const struct wave_report *r, struct strbuf *out, struct nerr *err);

/* "top.q[7:0] at 42 ns: golden 8'h3f, now 8'h00": one difference in one line, without its end. */
void wave_report_line(const struct wave_signal_result *s, struct strbuf *out);

/* Signals that differ, all kinds. */
uint64_t wave_report_differing(const struct wave_result *r);

#endif
