/* One strip of a report as inline SVG: time axis, clock, golden above actual, differing spans marked. */
#ifndef NEFFSIM_WAVE_REPORT_SVG_H
#define NEFFSIM_WAVE_REPORT_SVG_H

#include "wave/report.h"
#include "wave/strip.h"

void report_svg_strip(const struct wave_report *r, const struct wave_strips *all, const struct wave_strip *s,
                      struct strbuf *out);

/* Where in the whole run the first difference is, as a small bar. */
void report_svg_place(const struct wave_strips *all, const struct wave_strip *s, struct strbuf *out);

#endif
