/*
 * The report of a comparison for a CI system, in the form that JUnit made common. The comparison as a whole
 * is a test case that is always there, so that its history can be followed; every listed signal that differs
 * is a failed case of its own, in the class of its scope.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "wave/report_private.h"

/* Bytes of the UTF-8 sequence at s, 0 when it is none. */
static size_t sequence(const unsigned char *s)
{
    size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
        (s[0] == 0xf4 && s[1] > 0x8f) || (s[0] == 0xef && s[1] == 0xbf && s[2] > 0xbd))
        return 0;
    return n;
}

void report_markup(const char *text, struct strbuf *out)
{
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        size_t n = sequence(s);
        if (*s == '&')
            strbuf_puts(out, "&amp;");
        else if (*s == '<')
            strbuf_puts(out, "&lt;");
        else if (*s == '>')
            strbuf_puts(out, "&gt;");
        else if (*s == '"')
            strbuf_puts(out, "&quot;");
        else if (n == 0 || (*s < 0x20 && *s != '\n') || *s == 0x7f)
            strbuf_puts(out, "?");
        else
            strbuf_add(out, s, n);
        s += n ? n : 1;
    }
}

/* Scope and rest of a full name; a dot inside brackets or braces separates nothing. */
static size_t scope_length(const char *name)
{
    size_t depth = 0, dot = 0;
    for (size_t i = 0; name[i]; i++) {
        depth += name[i] == '[' || name[i] == '{';
        depth -= (name[i] == ']' || name[i] == '}') && depth > 0;
        if (name[i] == '.' && depth == 0 && name[i + 1])
            dot = i;
    }
    return dot;
}

static void put_name(const char *name, struct strbuf *out)
{
    size_t dot = scope_length(name);
    char *scope = text_copy_n(name, dot);
    strbuf_puts(out, "  <testcase classname=\"");
    report_markup(scope && dot ? scope : "wave", out);
    strbuf_puts(out, "\" name=\"");
    report_markup(name + (dot ? dot + 1 : 0), out);
    strbuf_puts(out, "\">\n");
    out->failed = out->failed || !scope;
    free(scope);
}

static void put_signal(const struct wave_report *r, const struct wave_signal_result *s, struct strbuf *out)
{
    struct strbuf line = { 0 }, golden = { 0 }, actual = { 0 };
    put_name(report_name(s), out);
    wave_report_line(s, &line);
    strbuf_printf(out, "    <failure type=\"%s\" message=\"", report_kind_words[s->kind]);
    report_markup(line.s ? line.s : "", out);
    strbuf_puts(out, "\">");
    line.len = 0;
    if (s->golden && s->actual)
        strbuf_printf(&line, "A %s\nB %s\n", s->golden, s->actual);
    size_t before = line.len;
    report_bits(s, &line);
    if (line.len > before)
        strbuf_puts(&line, "\n");
    if (report_decoded(r, s, &golden, &actual))
        strbuf_printf(&line, "A: %s\nB: %s\n", golden.s, actual.s);
    report_duration(s, &line);
    report_markup(line.len ? line.s : "", out);
    strbuf_puts(out, "</failure>\n  </testcase>\n");
    out->failed = out->failed || line.failed || golden.failed || actual.failed;
    strbuf_free(&line);
    strbuf_free(&golden);
    strbuf_free(&actual);
}

void wave_report_junit(const struct wave_report *r, struct strbuf *out)
{
    const struct wave_result *res = r->result;
    bool equal = wave_result_equal(res);
    struct strbuf text = { 0 };
    strbuf_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"wave diff\"");
    strbuf_printf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"0\">\n", res->nlist + 1,
                  res->nlist + (equal ? 0 : 1));
    strbuf_puts(out, "  <testcase classname=\"wave\" name=\"");
    report_markup(r->path_b, out);
    strbuf_puts(out, " against ");
    report_markup(r->path_a, out);
    strbuf_puts(out, "\">\n");
    report_headline(r, &text);
    if (!equal) {
        strbuf_puts(out, "    <failure type=\"different\" message=\"");
        report_markup(text.s ? text.s : "", out);
        strbuf_puts(out, "\">");
    } else {
        strbuf_puts(out, "    <system-out>");
    }
    text.len = 0;
    wave_report_text(r, &text);
    report_markup(text.s ? text.s : "", out);
    strbuf_puts(out, equal ? "</system-out>\n  </testcase>\n" : "</failure>\n  </testcase>\n");
    for (size_t i = 0; i < res->nlist; i++)
        put_signal(r, &res->list[i], out);
    strbuf_puts(out, "</testsuite>\n");
    out->failed = out->failed || text.failed;
    strbuf_free(&text);
}
