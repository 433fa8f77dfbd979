/* Shared by the report_*.c files. */
#ifndef NEFFSIM_WAVE_REPORT_PRIVATE_H
#define NEFFSIM_WAVE_REPORT_PRIVATE_H

#include "wave/report.h"

/* "value", "shape", ...: the words of JSON and of class names. */
extern const char *const report_kind_words[WAVE_DIFF_KINDS];

/* The name a reader looks for: A's, or B's when A lacks the signal. */
const char *report_name(const struct wave_signal_result *s);

/* Both values in words when the signal carries a hardware record; false when it does not. */
bool report_decoded(const struct wave_report *r, const struct wave_signal_result *s, struct strbuf *golden,
                    struct strbuf *actual);

/* "for 4 ns until 46 ns, 3 intervals, 12 ns in all, agreed before on 8'h11 since 30 ns"; empty when nothing
 * of it is known. */
void report_duration(const struct wave_signal_result *s, struct strbuf *out);

/* Which bits differ, "mask 24" or for wide signals by number, "bit 92", "bits 8-11, 92 and 3 more"; nothing
 * for a signal of one bit and for what has no bits. */
void report_bits(const struct wave_signal_result *s, struct strbuf *out);

/* Two values cut to the same part around the first character that differs, for a column of a table. */
#define REPORT_SHORT 16
struct report_short {
    char a[REPORT_SHORT + 8], b[REPORT_SHORT + 8];
};
struct report_short report_short(const char *a, const char *b);

/* One sentence for a group of --order, without its name. */
void report_order(const struct wave_order_result *o, struct strbuf *out);

/* The verdict in one line: "equal: 12 signals compared" or "different: first at ...". */
void report_headline(const struct wave_report *r, struct strbuf *out);

/* "2 signals with different values" and so on. */
void report_kind_title(enum wave_result_kind kind, uint64_t n, struct strbuf *out);

/* Listed entries of a kind. */
uint64_t report_listed(const struct wave_result *r, enum wave_result_kind kind);

/* Text for XML and HTML: markup escaped, what is no UTF-8 or not allowed as '?'. */
void report_markup(const char *text, struct strbuf *out);

#endif
