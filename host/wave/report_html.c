/*
 * The report of a comparison as one page that needs nothing else: no script, no font, no picture from
 * outside. Colours follow the reader's light or dark setting.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "wave/report_private.h"
#include "wave/report_svg.h"
#include "wave/wave.h"

#define STRIPS_MAX 100 /* waveforms in one page */

static const char style[] =
    ":root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--dim:#5b6570;--line:#d5dae0;--card:#f6f8fa;"
    "--bad:#c62f2f;--good:#1a7f37;--span:rgba(214,48,49,.16);--bus:#e7f0fb;--wave:#1f5fa8;--grid:#e6e9ed;"
    "--x:#f7c9c9;--xl:#c62f2f;--z:#b7791f}"
    "@media(prefers-color-scheme:dark){:root{--bg:#12161b;--fg:#e3e8ee;--dim:#9aa5b1;--line:#303841;"
    "--card:#1a2027;--bad:#ff7b72;--good:#56d364;--span:rgba(255,99,92,.24);--bus:#182a3f;--wave:#79b8ff;"
    "--grid:#242b33;--x:#4a1f22;--xl:#ff7b72;--z:#e3b341}}"
    "*{box-sizing:border-box}body{margin:0 auto;max-width:1240px;padding:24px;background:var(--bg);"
    "color:var(--fg);font:14px/1.5 system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif}"
    "h1{font-size:20px;margin:0 0 4px}h2{font-size:16px;margin:28px 0 8px}"
    "code,td.v,.v,.n,.a,.dec{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace}"
    ".verdict{display:inline-block;padding:1px 10px;border-radius:10px;color:#fff;font-size:13px;"
    "vertical-align:2px;margin-left:6px}"
    ".verdict.different{background:#c62f2f}.verdict.equal{background:#1a7f37}"
    "p{margin:4px 0}.dim{color:var(--dim)}.first{font-size:15px;margin:10px 0 14px;overflow-wrap:anywhere}"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 14px;margin:12px 0}dt{color:var(--dim)}"
    "dd{margin:0;overflow-wrap:anywhere}"
    ".wide{overflow-x:auto}table{border-collapse:collapse;width:100%}"
    "th{text-align:left;font-weight:600;color:var(--dim);font-size:12px}"
    "th,td{padding:5px 12px 5px 0;border-bottom:1px solid var(--line);vertical-align:top}"
    "td.v{font-size:12px;overflow-wrap:anywhere}td.v:first-child{min-width:170px}td.t{white-space:nowrap}"
    "td.r{text-align:right}td.b{min-width:90px}"
    "a{color:inherit}.strip{background:var(--card);border:1px solid var(--line);border-radius:8px;"
    "padding:10px 12px 8px;margin:12px 0;break-inside:avoid}.strip h3{font-size:13px;margin:0 0 2px;"
    "overflow-wrap:anywhere}.strip h3 code{font-weight:600}.strip p{font-size:12.5px;color:var(--dim);"
    "overflow-wrap:anywhere}.dec b{color:var(--fg);font-weight:600}"
    "svg{display:block;width:100%;height:auto;margin-top:4px}svg.place{width:80px;height:12px;margin:4px 0}"
    ".g{stroke:var(--grid)}.a{fill:var(--dim);font-size:10.5px}.n{fill:var(--dim);font-size:11px;"
    "text-anchor:end}.v{font-size:11px}svg .v{fill:var(--fg);text-anchor:middle}"
    ".d{fill:var(--span)}.m{stroke:var(--bad);stroke-width:1.2;stroke-dasharray:3 2}"
    ".k path{fill:var(--bus);stroke:var(--wave);stroke-width:1.2}.l{fill:none;stroke:var(--wave);"
    "stroke-width:1.4}.h{fill:var(--bus)}.x path,.x rect{fill:var(--x);stroke:var(--xl)}"
    "svg .x .v{fill:var(--xl)}.z path{stroke:var(--z);stroke-width:1.6;fill:none}"
    ".dense{fill:var(--line)}.run{fill:var(--line)}.at{fill:var(--bad)}"
    ".legend{font-size:12px}.legend i{display:inline-block;width:12px;height:12px;border-radius:2px;"
    "vertical-align:-2px;margin:0 4px 0 12px}"
    "@media print{body{max-width:none}}";

struct page {
    const struct wave_report *report;
    const struct wave_strips *strips;
    struct strbuf *out;
};

static void put(const struct page *p, const char *html)
{
    strbuf_puts(p->out, html);
}

static void put_text(const struct page *p, const char *text)
{
    report_markup(text ? text : "", p->out);
}

/* A full name, which may be broken behind its dots. */
static void put_name(const struct page *p, const char *name)
{
    while (*name) {
        size_t n = strcspn(name, ".");
        n += name[n] == '.';
        char *part = text_copy_n(name, n);
        put_text(p, part);
        put(p, name[n] ? "<wbr>" : "");
        p->out->failed = p->out->failed || !part;
        free(part);
        name += n;
    }
}

static void put_fact(const struct page *p, const char *name, const char *value)
{
    put(p, "<dt>");
    put(p, name);
    put(p, "</dt><dd>");
    put_text(p, value);
    put(p, "</dd>\n");
}

static void put_head(const struct page *p)
{
    const struct wave_result *res = p->report->result;
    bool equal = wave_result_equal(res);
    struct strbuf line = { 0 };
    put(p, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
           "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    put_text(p, equal ? "equal: " : "different: ");
    put_text(p, p->report->path_b);
    put(p, "</title>\n<style>");
    put(p, style);
    put(p, "</style></head>\n<body>\n<h1>Wave comparison <span class=\"verdict ");
    put(p, equal ? "equal\">equal" : "different\">different");
    put(p, "</span></h1>\n<p class=\"first\">");
    report_headline(p->report, &line);
    put_text(p, line.s);
    put(p, "</p>\n<dl>\n");
    put_fact(p, "A, golden", p->report->path_a);
    put_fact(p, "B, actual", p->report->path_b);
    line.len = 0;
    strbuf_printf(&line, "%" PRIu64 " signals, %" PRIu64 " changes in A, %" PRIu64 " in B", res->compared,
                  res->changes_a, res->changes_b);
    if (p->report->options->clock.signal)
        strbuf_printf(&line, ", %" PRIu64 " samples at %s", res->samples, p->report->options->clock.signal);
    put_fact(p, "compared", line.s);
    line.len = 0;
    for (int kind = 0; kind < WAVE_DIFF_KINDS; kind++)
        if (res->count[kind]) {
            strbuf_puts(&line, line.len ? "; " : "");
            report_kind_title((enum wave_result_kind)kind, res->count[kind], &line);
        }
    if (line.len)
        put_fact(p, "found", line.s);
    line.len = 0;
    if (res->end_a && res->end_b)
        strbuf_printf(&line, "A at %s, B at %s", res->end_a, res->end_b);
    if (line.len)
        put_fact(p, "end", line.s);
    put(p, "</dl>\n");
    p->out->failed = p->out->failed || line.failed;
    strbuf_free(&line);
}

/* ---- the table of values ---- */

static const struct wave_strip *strip_of(const struct page *p, const struct wave_signal_result *s,
                                         size_t *index)
{
    for (*index = 0; *index < p->strips->n; ++*index)
        if (p->strips->list[*index].signal == s)
            return &p->strips->list[*index];
    return NULL;
}

static void put_cell(const struct page *p, const char *class, const char *text)
{
    strbuf_printf(p->out, "<td class=\"%s\">", class);
    put_text(p, text);
    put(p, "</td>");
}

/* Cut for its column, whole for the pointer. */
static void put_value(const struct page *p, const char *whole, const char *part)
{
    put(p, "<td class=\"t v\" title=\"");
    put_text(p, whole);
    put(p, "\">");
    put_text(p, part);
    put(p, "</td>");
}

static void put_row(const struct page *p, const struct wave_signal_result *s)
{
    struct report_short v = report_short(s->golden ? s->golden : "-", s->actual ? s->actual : "-");
    struct strbuf bits = { 0 };
    size_t index;
    const struct wave_strip *strip = strip_of(p, s, &index);
    put(p, "<tr><td class=\"v\">");
    if (strip)
        strbuf_printf(p->out, "<a href=\"#s%zu\">", index);
    put_name(p, report_name(s));
    put(p, strip ? "</a>" : "");
    if (s->name_a && s->name_b && strcmp(s->name_a, s->name_b) != 0) {
        put(p, "<br><span class=\"dim\">B: ");
        put_text(p, s->name_b);
        put(p, "</span>");
    }
    put(p, "</td>");
    put_cell(p, "t", s->first.text);
    put_value(p, s->golden, v.a);
    put_value(p, s->actual, v.b);
    report_bits(s, &bits);
    put_cell(p, "b", bits.s);
    strbuf_free(&bits);
    put_cell(p, "t", s->lasted ? s->lasted : s->kind == WAVE_DIFF_VALUE ? "to the end" : "");
    strbuf_printf(p->out, "<td class=\"t r\">%" PRIu64 "</td>", s->intervals);
    put_cell(p, "t", s->total);
    put(p, "<td>");
    if (strip)
        report_svg_place(p->strips, strip, p->out);
    put(p, "</td></tr>\n");
}

static void put_timed(const struct page *p, enum wave_result_kind kind)
{
    const struct wave_result *res = p->report->result;
    uint64_t listed = report_listed(res, kind);
    if (!res->count[kind])
        return;
    put(p, "<h2>");
    report_kind_title(kind, res->count[kind], p->out);
    put(p, "</h2>\n<div class=\"wide\"><table><tr><th>signal</th><th>first</th><th>golden</th><th>actual</th>"
           "<th>bits</th><th>for</th><th>times</th><th>in all</th><th>place</th></tr>\n");
    for (size_t i = 0; i < res->nlist; i++)
        if (res->list[i].kind == kind)
            put_row(p, &res->list[i]);
    put(p, "</table></div>\n");
    if (listed < res->count[kind] && kind != WAVE_DIFF_ENDS)
        strbuf_printf(p->out, "<p class=\"dim\">and %" PRIu64 " more (--limit 0 shows all)</p>\n",
                      res->count[kind] - listed);
}

/* ---- waveforms ---- */

static void put_words(const struct page *p, const struct wave_signal_result *s)
{
    struct strbuf golden = { 0 }, actual = { 0 };
    if (report_decoded(p->report, s, &golden, &actual)) {
        put(p, "<p class=\"dec\"><b>golden</b> ");
        put_text(p, golden.s);
        put(p, "</p>\n<p class=\"dec\"><b>actual</b> ");
        put_text(p, actual.s);
        put(p, "</p>\n");
    }
    p->out->failed = p->out->failed || golden.failed || actual.failed;
    strbuf_free(&golden);
    strbuf_free(&actual);
}

static void put_strip(const struct page *p, size_t index)
{
    const struct wave_strip *strip = &p->strips->list[index];
    const struct wave_signal_result *s = strip->signal;
    struct strbuf line = { 0 };
    strbuf_printf(p->out, "<section class=\"strip\" id=\"s%zu\"><h3><code>", index);
    put_text(p, report_name(s));
    put(p, "</code></h3>\n<p>differs at ");
    put_text(p, s->first.text);
    report_duration(s, &line);
    put(p, line.len ? " " : "");
    put_text(p, line.s);
    put(p, "</p>\n");
    put_words(p, s);
    report_svg_strip(p->report, p->strips, strip, p->out);
    put(p, "</section>\n");
    p->out->failed = p->out->failed || line.failed;
    strbuf_free(&line);
}

static void put_strips(const struct page *p)
{
    if (!p->strips->n)
        return;
    put(p, "<h2>Around the first differences</h2>\n<p class=\"legend dim\">"
           "<i style=\"background:var(--span)\"></i>values differ<i "
           "style=\"background:var(--x)\"></i>unknown (x)"
           "<i style=\"background:var(--z);height:3px;vertical-align:3px\"></i>high impedance (z)");
    if (p->strips->clock) {
        put(p, " &middot; clock ");
        put_text(p, p->strips->clock);
    }
    put(p, " &middot; point at a value to read all of it</p>\n");
    for (size_t i = 0; i < p->strips->n; i++)
        put_strip(p, i);
    if (p->strips->n < report_listed(p->report->result, WAVE_DIFF_VALUE))
        strbuf_printf(p->out, "<p class=\"dim\">Waveforms are drawn for the first %zu signals.</p>\n",
                      p->strips->n);
}

/* ---- everything else ---- */

static void put_declared(const struct page *p, enum wave_result_kind kind)
{
    const struct wave_result *res = p->report->result;
    if (!res->count[kind])
        return;
    put(p, "<h2>");
    report_kind_title(kind, res->count[kind], p->out);
    put(p, "</h2>\n<div class=\"wide\"><table><tr><th>signal</th><th>in A</th><th>in B</th></tr>\n");
    for (size_t i = 0; i < res->nlist; i++) {
        const struct wave_signal_result *s = &res->list[i];
        if (s->kind != kind)
            continue;
        put(p, "<tr>");
        put_cell(p, "v", report_name(s));
        put_cell(p, "t", s->golden ? s->golden : "missing");
        put_cell(p, "t", s->actual ? s->actual : "missing");
        put(p, "</tr>\n");
    }
    put(p, "</table></div>\n");
    if (report_listed(res, kind) < res->count[kind])
        strbuf_printf(p->out, "<p class=\"dim\">and %" PRIu64 " more (--limit 0 shows all)</p>\n",
                      res->count[kind] - report_listed(res, kind));
}

static void put_orders(const struct page *p)
{
    const struct wave_result *res = p->report->result;
    struct strbuf line = { 0 };
    if (!res->norders)
        return;
    put(p, "<h2>Order of transactions</h2>\n<dl>\n");
    for (size_t i = 0; i < res->norders; i++) {
        put(p, "<dt><code>");
        put_text(p, res->orders[i].name);
        put(p, "</code></dt><dd>");
        line.len = 0;
        report_order(&res->orders[i], &line);
        put_text(p, line.s);
        put(p, "</dd>\n");
    }
    put(p, "</dl>\n");
    p->out->failed = p->out->failed || line.failed;
    strbuf_free(&line);
}

static void put_scopes(const struct page *p)
{
    const struct wave_result *res = p->report->result;
    if (!res->nscopes)
        return;
    put(p,
        "<h2>Scopes with a difference</h2>\n<div class=\"wide\"><table><tr><th>scope</th><th>differing</th>"
        "<th>compared</th></tr>\n");
    for (size_t i = 0; i < res->nscopes; i++) {
        put(p, "<tr>");
        put_cell(p, "v", res->scopes[i].scope[0] ? res->scopes[i].scope : "(none)");
        strbuf_printf(p->out, "<td>%" PRIu64 "</td><td>%" PRIu64 "</td></tr>\n", res->scopes[i].differing,
                      res->scopes[i].compared);
    }
    put(p, "</table></div>\n");
}

static void put_notes(const struct page *p)
{
    const struct wave_result *res = p->report->result;
    if (!res->nnotes)
        return;
    put(p, "<h2>Notes</h2>\n<ul>\n");
    for (size_t i = 0; i < res->nnotes; i++) {
        put(p, "<li>");
        put_text(p, res->notes[i]);
        put(p, "</li>\n");
    }
    put(p, "</ul>\n");
}

int wave_report_html(const struct wave_report *r, struct strbuf *out, struct nerr *err)
{
    struct wave_strips strips;
    int rc = wave_strips_read(r->path_a, r->path_b, r->options, r->result, STRIPS_MAX, &strips, err);
    if (!rc) {
        struct page p = { r, &strips, out };
        put_head(&p);
        put_timed(&p, WAVE_DIFF_VALUE);
        put_timed(&p, WAVE_DIFF_ORDER);
        put_orders(&p);
        put_strips(&p);
        put_timed(&p, WAVE_DIFF_ENDS);
        put_declared(&p, WAVE_DIFF_ONLY_A);
        put_declared(&p, WAVE_DIFF_ONLY_B);
        put_declared(&p, WAVE_DIFF_SHAPE);
        put_scopes(&p);
        put_notes(&p);
        put(&p, "</body></html>\n");
        if (out->failed)
            rc = nerr_set(err, NERR_MEM, r->path_a, "out of memory");
    }
    wave_strips_free(&strips);
    return rc;
}
