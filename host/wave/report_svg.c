/* Waveforms of a report: see report_svg.h. Colours are classes of the page's style sheet. */
#include "wave/report_svg.h"

#include <stdlib.h>
#include <string.h>

#include "wave/report_private.h"
#include "wave/text.h"
#include "wave/trace.h"

#define WIDTH      980.0 /* of the drawing, in user units */
#define LEFT       64.0  /* labels end here */
#define RIGHT      (WIDTH - 8.0)
#define AXIS       26.0 /* height of the time axis */
#define CLOCK_ROW  20.0
#define ROW        28.0
#define GAP        7.0
#define SLOPE      3.0 /* of a bus at a change */
#define CHARACTER  6.7 /* width of a character of value text */
#define TICKS      7
#define PLACE      80.0 /* width of a place bar */
#define TITLE_TEXT 400  /* characters of a value in a tool tip */

struct picture {
    const struct wave_report *report;
    const struct wave_strip *strip;
    const struct wave_strips *all;
    struct strbuf *out;
    enum wave_decode decode;
    size_t anchor;
};

static double x_of(const struct wave_strip *s, wave_time t)
{
    if (t <= s->from)
        return LEFT;
    if (t >= s->to)
        return RIGHT;
    return LEFT + (RIGHT - LEFT) * (double)(t - s->from) / (double)(s->to - s->from);
}

/* ---- axis ---- */

/* 1, 2 or 5 times a power of ten, so that about TICKS fit the window. */
static wave_time tick_step(wave_time span)
{
    wave_time step = 1;
    for (unsigned i = 0; span / step > TICKS; i++)
        step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    return step;
}

/* The largest unit in which every multiple of step is a whole number. */
static int tick_unit(wave_time step, int base)
{
    for (int e = 0; e >= base; e -= 3)
        if (e - base <= WAVE_EXPONENT_SPAN && step % wave_power(e - base) == 0)
            return e;
    return base;
}

static void put_time(wave_time t, int base, int unit, struct strbuf *out)
{
    char *text = wave_time_text(t, base, unit);
    strbuf_puts(out, text ? text : "?");
    free(text);
}

static void put_axis(const struct picture *p, double bottom)
{
    const struct wave_strip *s = p->strip;
    wave_time step = tick_step(s->to - s->from);
    int unit = tick_unit(step, p->all->base);
    wave_time t = s->from / step * step;
    if (t < s->from)
        t += step;
    for (; t <= s->to; t += step) {
        double x = x_of(s, t);
        strbuf_printf(p->out, "<line class=\"g\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", x,
                      AXIS - 5, x, bottom);
        strbuf_printf(p->out, "<text class=\"a\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, AXIS - 10,
                      x > RIGHT - 40  ? "end"
                      : x < LEFT + 20 ? "start"
                                      : "middle");
        put_time(t, p->all->base, unit, p->out);
        strbuf_puts(p->out, "</text>");
    }
}

/* ---- lanes ---- */

static bool has_unknown(const struct wave_strip_point *v)
{
    for (size_t i = 0; i < v->len; i++)
        if (v->value[i] != '0' && v->value[i] != '1')
            return true;
    return false;
}

static bool all_z(const struct wave_strip_point *v)
{
    for (size_t i = 0; i < v->len; i++)
        if (v->value[i] != 'z')
            return false;
    return v->len > 0;
}

static void put_title(const struct picture *p, const char *label, const struct wave_strip_point *v,
                      const char *text)
{
    struct strbuf title = { 0 }, words = { 0 };
    strbuf_printf(&title, "%s %.*s%s from ", label, TITLE_TEXT, text, strlen(text) > TITLE_TEXT ? "..." : "");
    put_time(v->at, p->all->base, p->all->unit, &title);
    if (wave_decode_text(p->decode, v->value, v->len, &words))
        strbuf_printf(&title, "\n%s", words.s ? words.s : "");
    strbuf_puts(p->out, "<title>");
    report_markup(title.s ? title.s : "", p->out);
    strbuf_puts(p->out, "</title>");
    strbuf_free(&title);
    strbuf_free(&words);
}

/* Without the width and base, which the whole lane shares; "b" stays in front of a binary one. */
static const char *short_value(const char *text)
{
    const char *quote = strchr(text, '\'');
    return quote && quote[1] == 'h' ? quote + 2 : quote ? quote + 1 : text;
}

/* First character of the text that golden and actual do not share where the signal first differs. */
static size_t anchor_of(const struct wave_signal_result *s)
{
    size_t i = 0;
    const char *a = s->golden ? short_value(s->golden) : "", *b = s->actual ? short_value(s->actual) : "";
    while (a[i] && a[i] == b[i])
        i++;
    return i;
}

/* Value text in a box of that width. What does not fit is cut so that the characters at the anchor stay, the
 * same ones in the whole strip; nothing when that leaves too little. */
static void put_value(const struct picture *p, const char *text, size_t anchor, double x, double width,
                      double y)
{
    size_t n = strlen(text), room = width > 8 ? (size_t)((width - 8) / CHARACTER) : 0, from = 0;
    if (room == 0 || (n > room && room < 3))
        return;
    if (n > room && anchor + 2 > room)
        from = anchor + room / 2 + 1 > n ? n - room + 1 : anchor - room / 2 + 1;
    bool cut = n - from > room - (from > 0);
    char *part = text_copy_n(text + from, cut ? room - (from > 0) - 1 : n - from);
    strbuf_printf(p->out, "<text class=\"v\" x=\"%.1f\" y=\"%.1f\">%s", x + width / 2, y, from ? "…" : "");
    report_markup(part ? part : "", p->out);
    strbuf_printf(p->out, "%s</text>", cut ? "…" : "");
    free(part);
}

static void put_bus(const struct picture *p, const char *label, const struct wave_strip_lane *l,
                    const struct wave_strip_point *v, double x1, double x2, double y, double h)
{
    char *text = wave_value_text(l->kind, v->value, (uint32_t)v->len);
    struct strbuf words = { 0 };
    double s = x2 - x1 < 2 * SLOPE ? (x2 - x1) / 2 : SLOPE, m = y + h / 2;
    bool z = l->kind == WAVE_BITS && all_z(v), x = l->kind == WAVE_BITS && !z && has_unknown(v);
    strbuf_printf(p->out, "<g class=\"%s\">", z ? "z" : x ? "x" : "k");
    put_title(p, label, v, text ? text : "");
    if (z)
        strbuf_printf(p->out, "<path d=\"M%.1f %.1fH%.1f\"/>", x1, m, x2);
    else
        strbuf_printf(p->out, "<path d=\"M%.1f %.1fL%.1f %.1fH%.1fL%.1f %.1fL%.1f %.1fH%.1fZ\"/>", x1, m,
                      x1 + s, y, x2 - s, x2, m, x2 - s, y + h, x1 + s);
    if (!z && wave_decode_text(p->decode, v->value, v->len, &words) && !words.failed)
        put_value(p, words.s, 0, x1, x2 - x1, m + 4);
    else if (text && !z)
        put_value(p, short_value(text), p->anchor, x1, x2 - x1, m + 4);
    strbuf_free(&words);
    strbuf_puts(p->out, "</g>");
    free(text);
}

/* One bit: a level, with an edge from the level before it at `edge` (0: none). */
static void put_bit(const struct picture *p, const struct wave_strip_point *v, double x1, double x2, double y,
                    double h, double edge)
{
    char c = v->len ? v->value[0] : 'x';
    double level = c == '1' || c == 'h' ? y : c == '0' || c == 'l' ? y + h : y + h / 2;
    if (c == '1' || c == '0' || c == 'h' || c == 'l') {
        if (level == y)
            strbuf_printf(p->out, "<rect class=\"h\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
                          x1, y, x2 - x1, h);
        strbuf_printf(p->out, "<path class=\"l\" d=\"M%.1f %.1fV%.1fH%.1f\"/>", x1, edge > 0 ? edge : level,
                      level, x2);
    } else if (c == 'z') {
        strbuf_printf(p->out, "<g class=\"z\"><path d=\"M%.1f %.1fH%.1f\"/></g>", x1, level, x2);
    } else {
        strbuf_printf(p->out, "<g class=\"x\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
                      x1, y, x2 - x1, h);
        put_value(p, "x", 0, x1, x2 - x1, level + 4);
        strbuf_puts(p->out, "</g>");
    }
}

/* 0 for x, whose box has its own edges. */
static double edge_level(const struct wave_strip_point *v, double y, double h)
{
    char c = v->len ? v->value[0] : 'x';
    return c == '1' || c == 'h' ? y : c == '0' || c == 'l' ? y + h : c == 'z' ? y + h / 2 : 0;
}

static void put_event(const struct picture *p, double x, double y, double h)
{
    strbuf_printf(p->out, "<path class=\"l\" d=\"M%.1f %.1fV%.1fm-3 5l3 -5l3 5\"/>", x, y + h, y);
}

static void put_lane(const struct picture *p, const char *label, const struct wave_strip_lane *l, double y,
                     double h)
{
    const struct wave_strip *s = p->strip;
    strbuf_printf(p->out, "<text class=\"n\" x=\"%.1f\" y=\"%.1f\">%s</text>", LEFT - 8, y + h / 2 + 4,
                  label);
    if (l->dense) {
        strbuf_printf(p->out, "<rect class=\"dense\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
                      LEFT, y, RIGHT - LEFT, h);
        return;
    }
    double edge = 0;
    for (size_t i = 0; i < l->n; i++) {
        const struct wave_strip_point *v = &l->points[i];
        wave_time end = i + 1 < l->n ? v[1].at : s->to;
        if (end <= s->from || v->at >= s->to || end == v->at)
            continue;
        double x1 = x_of(s, v->at), x2 = x_of(s, end);
        if (l->kind == WAVE_EVENT && v->at >= s->from && v->len && v->value[0] == '1')
            put_event(p, x1, y, h);
        else if (l->kind == WAVE_BITS && l->width == 1)
            put_bit(p, v, x1, x2, y, h, edge);
        else if (l->kind != WAVE_EVENT)
            put_bus(p, label, l, v, x1, x2, y, h);
        edge = edge_level(v, y, h);
    }
}

/* ---- differing spans ---- */

static bool agree(const struct picture *p, const struct wave_strip_point *a, const struct wave_strip_point *b)
{
    return wave_values_agree(p->strip->golden.kind, a->value, a->len, b->value, b->len,
                             p->report->options->x);
}

/* The last point at or before t; the first one when there is none. */
static const struct wave_strip_point *value_at(const struct wave_strip_lane *l, wave_time t)
{
    size_t i = 0;
    while (i + 1 < l->n && l->points[i + 1].at <= t)
        i++;
    return &l->points[i];
}

static wave_time next_change(const struct wave_strip_lane *l, wave_time t, wave_time limit)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->points[i].at > t)
            return l->points[i].at < limit ? l->points[i].at : limit;
    return limit;
}

static void put_spans(const struct picture *p, double bottom)
{
    const struct wave_strip *s = p->strip;
    for (wave_time t = s->from, end; t < s->to; t = end) {
        bool differs = !agree(p, value_at(&s->golden, t), value_at(&s->actual, t));
        for (end = t; end < s->to; end = next_change(&s->actual, end, next_change(&s->golden, end, s->to)))
            if (end > t && differs == agree(p, value_at(&s->golden, end), value_at(&s->actual, end)))
                break;
        if (differs)
            strbuf_printf(p->out, "<rect class=\"d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
                          x_of(s, t), AXIS - 4, x_of(s, end) - x_of(s, t), bottom - AXIS + 4);
    }
}

void report_svg_strip(const struct wave_report *r, const struct wave_strips *all, const struct wave_strip *s,
                      struct strbuf *out)
{
    struct picture p = { r, s, all, out, WAVE_DECODE_NONE, anchor_of(s->signal) };
    double clock_rows = s->clock.n ? CLOCK_ROW + GAP : 0, y = AXIS + 2 + clock_rows;
    double bottom = y + 2 * ROW + GAP + 4, x = x_of(s, s->first);
    p.decode = wave_decode_of(report_name(s->signal), s->golden.width, r->decode, r->ndecode);
    strbuf_printf(out, "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"", WIDTH, bottom + 2);
    report_markup(report_name(s->signal), out);
    strbuf_puts(out, "\">");
    put_axis(&p, bottom);
    put_spans(&p, bottom);
    if (s->clock.n)
        put_lane(&p, "clock", &s->clock, AXIS + 2, CLOCK_ROW - 4);
    put_lane(&p, "golden", &s->golden, y, ROW - 6);
    put_lane(&p, "actual", &s->actual, y + ROW + GAP - 4, ROW - 6);
    strbuf_printf(out, "<line class=\"m\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", x, AXIS - 7, x,
                  bottom);
    strbuf_puts(out, "</svg>\n");
}

void report_svg_place(const struct wave_strips *all, const struct wave_strip *s, struct strbuf *out)
{
    double span = (double)(all->end - all->start);
    double x = span > 0 ? (double)(s->first - all->start) / span * (PLACE - 4) : 0;
    strbuf_printf(out,
                  "<svg class=\"place\" viewBox=\"0 0 %.0f 12\" role=\"img\" aria-label=\"place in the run\">"
                  "<rect class=\"run\" x=\"0\" y=\"4\" width=\"%.0f\" height=\"4\" rx=\"2\"/>"
                  "<rect class=\"at\" x=\"%.1f\" y=\"0\" width=\"4\" height=\"12\" rx=\"1\"/></svg>",
                  PLACE, PLACE,
                  x < 0           ? 0.0
                  : x > PLACE - 4 ? PLACE - 4
                                  : x);
}
