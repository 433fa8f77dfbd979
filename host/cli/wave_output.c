/* Reports of a comparison: see wave_output.h. */
#include "cli/wave_output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "util/file.h"
#include "wave/gtkw_diff.h"

const char wave_output_help[] =
    "  --json             one JSON document on standard output\n"
    "  --junit F.xml      results for a CI system\n"
    "  --html F.html      a page with waveforms around the first differences\n"
    "  --gtkw F.gtkw      golden and actual side by side in GTKWave (writes F.gtkw.fst too)\n"
    "  --decode GLOB=KIND signals that carry slot, desc, m2s, s2m or notif are shown in words (may be "
    "repeated)\n";

bool wave_output_decode(char *text, struct wave_decode_rule *out)
{
    unsigned kind;
    char *sign = strrchr(text, '=');
    if (!sign || sign == text) {
        cli_complain("--decode: '%s' is not GLOB=KIND, such as '*.slot_q=slot'", text);
        return false;
    }
    if (!arg_word("--decode", sign + 1, wave_decode_words, &kind))
        return false;
    *sign = '\0';
    *out = (struct wave_decode_rule){ text, (enum wave_decode)kind };
    return true;
}

/* An output that cannot be made is a usage error, whatever was in its way: 1 means that the waves differ. */
static int fail(const struct nerr *err)
{
    cli_fail(err);
    return 2;
}

/* Writes what a report function made; frees it. */
static int finish(struct strbuf *b, const char *path, int rc, struct nerr *err)
{
    if (!rc && b->failed)
        rc = nerr_set(err, NERR_MEM, path, "out of memory");
    if (!rc)
        rc = file_write(path, b->s, b->len, err);
    strbuf_free(b);
    return rc ? fail(err) : 0;
}

static int write_junit(const char *path, const struct wave_report *report)
{
    struct strbuf b = { 0 };
    struct nerr err = { 0 };
    wave_report_junit(report, &b);
    return finish(&b, path, 0, &err);
}

static int write_html(const char *path, const struct wave_report *report)
{
    struct strbuf b = { 0 };
    struct nerr err = { 0 };
    int rc = wave_report_html(report, &b, &err);
    return finish(&b, path, rc, &err);
}

static int write_gtkw(const char *path, const struct wave_report *report)
{
    struct nerr err = { 0 };
    char *trace;
    if (wave_gtkw_diff(path, report, &trace, &err))
        return fail(&err);
    if (trace)
        fprintf(stderr, "look at it with: gtkwave %s %s\n", trace, path);
    else
        fprintf(stderr, "%s is not written: no listed signal differs in its values\n", path);
    free(trace);
    return 0;
}

static int print(bool json, const struct wave_report *report)
{
    struct strbuf b = { 0 };
    int code = 0;
    if (json)
        wave_report_json(report, &b);
    else
        wave_report_text(report, &b);
    if (b.failed)
        code = cli_complain("wave: out of memory");
    else if (json)
        cli_document(&b);
    else
        cli_text(&b);
    strbuf_free(&b);
    return code;
}

int wave_output_write(const struct wave_output *o, const struct wave_report *report)
{
    int code = o->junit ? write_junit(o->junit, report) : 0;
    if (!code && o->html)
        code = write_html(o->html, report);
    if (!code && o->gtkw)
        code = write_gtkw(o->gtkw, report);
    return code ? code : print(o->json, report);
}
