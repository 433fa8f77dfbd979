/* The report of a comparison as text: see report.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "wave/report_private.h"
#include "wave/wave.h"

const char *const report_kind_words[WAVE_DIFF_KINDS] = {
    "value", "shape", "only_a", "only_b", "ends", "order"
};

const char *report_name(const struct wave_signal_result *s)
{
    return s->name_a ? s->name_a : s->name_b ? s->name_b : "?";
}

uint64_t wave_report_differing(const struct wave_result *r)
{
    uint64_t n = 0;
    for (int k = 0; k < WAVE_DIFF_KINDS; k++)
        n += r->count[k];
    return n;
}

uint64_t report_listed(const struct wave_result *r, enum wave_result_kind kind)
{
    uint64_t n = 0;
    for (size_t i = 0; i < r->nlist; i++)
        n += r->list[i].kind == kind;
    return n;
}

bool report_decoded(const struct wave_report *r, const struct wave_signal_result *s, struct strbuf *golden,
                    struct strbuf *actual)
{
    if (!s->raw_golden || !s->raw_actual)
        return false;
    enum wave_decode kind = wave_decode_of(report_name(s), s->width, r->decode, r->ndecode);
    if (kind == WAVE_DECODE_NONE && s->name_b)
        kind = wave_decode_of(s->name_b, s->width, r->decode, r->ndecode);
    return kind != WAVE_DECODE_NONE && wave_decode_text(kind, s->raw_golden, strlen(s->raw_golden), golden) &&
           wave_decode_text(kind, s->raw_actual, strlen(s->raw_actual), actual);
}

static void put_comma(const struct strbuf *out, size_t start, struct strbuf *to)
{
    if (out->len > start)
        strbuf_puts(to, ", ");
}

/* The end of a long value; its beginning is mostly zeros. */
#define AGREED_MAX 64
static void put_agreed(const char *value, struct strbuf *out)
{
    size_t n = strlen(value);
    strbuf_printf(out, "%s%s", n > AGREED_MAX ? "..." : "", value + (n > AGREED_MAX ? n - AGREED_MAX : 0));
}

void report_duration(const struct wave_signal_result *s, struct strbuf *out)
{
    size_t start = out->len;
    if (s->lasted && s->until.text)
        strbuf_printf(out, "for %s until %s", s->lasted, s->until.text);
    else if (s->lasted)
        strbuf_printf(out, "for %s, to the end", s->lasted);
    if (s->intervals > 1 && s->total && (!s->lasted || strcmp(s->lasted, s->total) != 0)) {
        put_comma(out, start, out);
        if (strstr(s->total, "sample"))
            strbuf_printf(out, "%s in all", s->total);
        else
            strbuf_printf(out, "%" PRIu64 " times, %s in all", s->intervals, s->total);
    }
    if (s->agreed.text) {
        put_comma(out, start, out);
        strbuf_puts(out, "agreed before on ");
        put_agreed(s->agreed_value ? s->agreed_value : "?", out);
        strbuf_printf(out, " since %s", s->agreed.text);
    } else if (s->kind == WAVE_DIFF_VALUE) {
        put_comma(out, start, out);
        strbuf_puts(out, "never agreed before");
    }
}

#define MASK_MAX   64 /* bits that are shown as a mask */
#define RANGES_MAX 4  /* of wider signals */

static bool mask_bit(const char *mask, size_t digits, size_t bit)
{
    char c = mask[digits - 1 - bit / 4];
    unsigned v = c >= 'a' ? (unsigned)(c - 'a') + 10 : (unsigned)(c - '0');
    return bit / 4 < digits && (v >> bit % 4 & 1) != 0;
}

/* Numbers of the bits that are 1, the least significant one being 0. */
static void put_ranges(const char *mask, struct strbuf *out)
{
    size_t digits = strlen(mask), ranges = 0, bits = 0, shown = 0;
    for (size_t i = 0, last; i < digits * 4; i = last + 1) {
        last = i;
        if (!mask_bit(mask, digits, i))
            continue;
        while (last + 1 < digits * 4 && mask_bit(mask, digits, last + 1))
            last++;
        bits += last - i + 1;
        if (ranges++ >= RANGES_MAX)
            continue;
        shown = bits;
        strbuf_printf(out, ranges > 1 ? ", %zu" : "%zu", i);
        if (last > i)
            strbuf_printf(out, "-%zu", last);
    }
    if (bits > shown)
        strbuf_printf(out, " and %zu more", bits - shown);
}

void report_bits(const struct wave_signal_result *s, struct strbuf *out)
{
    const char *mask = s->mask && s->width > 1 ? s->mask : "";
    while (mask[0] == '0' && mask[1])
        mask++;
    if (!*mask)
        return;
    if (s->width <= MASK_MAX) {
        strbuf_printf(out, "mask %s", mask);
        return;
    }
    bool one = strspn(mask + 1, "0") == strlen(mask + 1) && strchr("1248", mask[0]);
    strbuf_puts(out, one ? "bit " : "bits ");
    put_ranges(mask, out);
}

static void cut(const char *value, size_t from, char *out)
{
    size_t n = strlen(value);
    from = from < n ? from : n;
    snprintf(out, REPORT_SHORT + 8, "%s%.*s%s", from ? "..." : "", REPORT_SHORT, value + from,
             n - from > REPORT_SHORT ? "..." : "");
}

struct report_short report_short(const char *a, const char *b)
{
    struct report_short out = { "", "" };
    size_t first = 0, from = 0;
    while (a[first] && a[first] == b[first])
        first++;
    if ((strlen(a) > REPORT_SHORT || strlen(b) > REPORT_SHORT) && first > REPORT_SHORT / 2)
        from = first - REPORT_SHORT / 2;
    cut(a, from, out.a);
    cut(b, from, out.b);
    return out;
}

void report_order(const struct wave_order_result *o, struct strbuf *out)
{
    strbuf_printf(out, "%" PRIu64 " transactions in A, %" PRIu64 " in B, %" PRIu64 " agree", o->count_a,
                  o->count_b, o->matched);
    if (o->latency_min && o->latency_mean && o->latency_max)
        strbuf_printf(out, "; B minus A: %s least, %s mean, %s most", o->latency_min, o->latency_mean,
                      o->latency_max);
    if (o->matched < o->count_a || o->matched < o->count_b)
        strbuf_printf(out, "; number %" PRIu64 " is the first that differs%s", o->first_index,
                      o->reordered ? " (B has A's elsewhere: re-ordered)" : "");
}

void report_kind_title(enum wave_result_kind kind, uint64_t n, struct strbuf *out)
{
    static const char *const titles[WAVE_DIFF_KINDS] = {
        "with different values",
        "declared differently",
        "missing in B",
        "missing in A",
        "with changes that one side lacks, because it ends early",
        "with transactions in another order or number"
    };
    strbuf_printf(out, "%" PRIu64 " signal%s %s", n, n == 1 ? "" : "s", titles[kind]);
}

static const char *side(const char *value)
{
    return value ? value : "nothing";
}

void report_headline(const struct wave_report *r, struct strbuf *out)
{
    const struct wave_result *res = r->result;
    const struct wave_signal_result *first = res->nlist && res->list[0].first.text ? &res->list[0] : NULL;
    if (wave_result_equal(res)) {
        strbuf_printf(out, "equal: %" PRIu64 " signal%s compared", res->compared,
                      res->compared == 1 ? "" : "s");
    } else if (first) {
        struct wave_brief v = wave_brief(side(first->golden), side(first->actual));
        strbuf_printf(out, "different: first at %s, %s is %s in A and %s in B", first->first.text,
                      report_name(first), v.a, v.b);
    } else {
        strbuf_puts(out, "different: the files do not declare the same signals");
    }
}

void wave_report_line(const struct wave_signal_result *s, struct strbuf *out)
{
    struct wave_brief v = wave_brief(side(s->golden), side(s->actual));
    switch (s->kind) {
    case WAVE_DIFF_ONLY_A:
        strbuf_printf(out, "%s is missing now", report_name(s));
        break;
    case WAVE_DIFF_ONLY_B:
        strbuf_printf(out, "%s is new", report_name(s));
        break;
    case WAVE_DIFF_SHAPE:
        strbuf_printf(out, "%s was %s and is %s", report_name(s), v.a, v.b);
        break;
    default:
        strbuf_printf(out, "%s at %s: golden %s, now %s", report_name(s), side(s->first.text), v.a, v.b);
    }
}

static void put_difference(const struct wave_report *r, const struct wave_signal_result *s,
                           struct strbuf *out)
{
    struct strbuf more = { 0 }, golden = { 0 }, actual = { 0 };
    struct wave_brief v = wave_brief(side(s->golden), side(s->actual));
    strbuf_printf(out, "  %s  %s", side(s->first.text), report_name(s));
    if (s->name_b && s->name_a && strcmp(s->name_a, s->name_b) != 0)
        strbuf_printf(out, " (B: %s)", s->name_b);
    strbuf_printf(out, "  A %s  B %s", v.a, v.b);
    report_bits(s, &more);
    if (more.len)
        strbuf_printf(out, "  %s", more.s);
    more.len = 0;
    strbuf_puts(out, "\n");
    report_duration(s, &more);
    if (more.len)
        strbuf_printf(out, "      %s\n", more.s);
    if (report_decoded(r, s, &golden, &actual))
        strbuf_printf(out, "      A: %s\n      B: %s\n", golden.s, actual.s);
    out->failed = out->failed || more.failed || golden.failed || actual.failed;
    strbuf_free(&more);
    strbuf_free(&golden);
    strbuf_free(&actual);
}

static void put_entry(const struct wave_report *r, const struct wave_signal_result *s, struct strbuf *out)
{
    switch (s->kind) {
    case WAVE_DIFF_SHAPE:
        strbuf_printf(out, "  %s is declared as %s in A and as %s in B\n", report_name(s), side(s->golden),
                      side(s->actual));
        break;
    case WAVE_DIFF_ONLY_A:
        strbuf_printf(out, "  %s (%s) is in A only\n", report_name(s), side(s->golden));
        break;
    case WAVE_DIFF_ONLY_B:
        strbuf_printf(out, "  %s (%s) is in B only\n", report_name(s), side(s->actual));
        break;
    default:
        put_difference(r, s, out);
    }
}

static void put_kind(const struct wave_report *r, enum wave_result_kind kind, struct strbuf *out)
{
    const struct wave_result *res = r->result;
    uint64_t shown = 0;
    if (!res->count[kind])
        return;
    report_kind_title(kind, res->count[kind], out);
    strbuf_puts(out, kind == WAVE_DIFF_VALUE ? ", each with its first difference:\n" : ":\n");
    for (size_t i = 0; i < res->nlist; i++)
        if (res->list[i].kind == kind) {
            put_entry(r, &res->list[i], out);
            shown++;
        }
    if (shown < res->count[kind] && kind != WAVE_DIFF_ENDS)
        strbuf_printf(out, "  and %" PRIu64 " more (--limit 0 shows all)\n", res->count[kind] - shown);
}

static void put_scopes(const struct wave_report *r, struct strbuf *out)
{
    const struct wave_result *res = r->result;
    size_t limit = r->options->limit && r->options->limit < res->nscopes ? r->options->limit : res->nscopes;
    for (size_t i = 0; i < limit; i++) {
        if (res->norders && !res->scopes[i].scope[0]) /* a group is in no scope */
            continue;
        strbuf_printf(out, "scope %s: %" PRIu64 " of %" PRIu64 " signals differ\n",
                      res->scopes[i].scope[0] ? res->scopes[i].scope : "(none)", res->scopes[i].differing,
                      res->scopes[i].compared);
    }
    if (limit < res->nscopes)
        strbuf_printf(out, "and %zu more scopes with a difference\n", res->nscopes - limit);
}

void wave_report_text(const struct wave_report *r, struct strbuf *out)
{
    const struct wave_result *res = r->result;
    report_headline(r, out);
    strbuf_puts(out, "\n");
    for (int kind = 0; kind < WAVE_DIFF_KINDS; kind++)
        put_kind(r, (enum wave_result_kind)kind, out);
    for (size_t i = 0; i < res->norders; i++) {
        strbuf_printf(out, "order of %s: ", res->orders[i].name);
        report_order(&res->orders[i], out);
        strbuf_puts(out, "\n");
    }
    put_scopes(r, out);
    for (size_t i = 0; i < res->nnotes; i++)
        strbuf_printf(out, "note: %s\n", res->notes[i]);
}
