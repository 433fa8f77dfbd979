/* Reports of a run: see report.h. */
#include "run/report.h"

#include <inttypes.h>

#include "regs.h"

static const char *const engine_names[PROG_ENGINES] = { "PE", "ACT", "POOL", "DVE", "SP" };

static const char *state_word(int state)
{
    switch (state) {
    case ESTATE_IDLE:
        return "idle";
    case ESTATE_RUNNING:
        return "running";
    case ESTATE_PAUSED:
        return "paused";
    case ESTATE_HALTED:
        return "halted";
    case ESTATE_FAULT:
        return "fault";
    default:
        return "unknown";
    }
}

static const char *output_word(const struct run_output *o)
{
    return o->state == RUN_OUT_EQUAL     ? "equal to golden"
           : o->state == RUN_OUT_DIFFERS ? "DIFFERS"
                                         : "not compared";
}

static uint64_t total_retired(const struct run_result *res)
{
    uint64_t n = 0;
    for (unsigned e = 0; e < PROG_ENGINES; e++)
        n += res->retired[e];
    return n;
}

const char *report_verdict(const struct run_result *res)
{
    static const char *const words[] = { "pass", "differs", "hang", "error" };
    return words[res->verdict];
}

void report_line(const struct run_result *res, const struct report_context *ctx, struct strbuf *out)
{
    static const char *const words[] = { "PASS", "FAIL", "HANG", "ERROR" };
    double khz = res->seconds > 0 ? (double)res->cycles / res->seconds / 1000 : 0;
    strbuf_printf(out, "%s %s: %" PRIu64 " cycles, %.2f s, %.0f kHz", words[res->verdict], ctx->title,
                  res->cycles, res->seconds, khz);
    if (ctx->wave)
        strbuf_printf(out, "; wave: gtkwave %s%s%s", ctx->wave, ctx->gtkw ? " " : "",
                      ctx->gtkw ? ctx->gtkw : "");
    strbuf_puts(out, "\n");
}

void report_summary(const struct run_result *res, struct strbuf *out)
{
    if (total_retired(res)) {
        strbuf_printf(out, "%" PRIu64 " slots retired (", total_retired(res));
        for (unsigned e = 0; e < PROG_ENGINES; e++)
            strbuf_printf(out, "%s%s %" PRIu64, e ? ", " : "", engine_names[e], res->retired[e]);
        strbuf_printf(out, "), %zu records, %" PRIu64 " events %s\n", res->nrecords, res->events,
                      res->checked ? "checked against the reference model" : "not checked");
    }
    for (size_t i = 0; i < res->noutputs; i++)
        strbuf_printf(out, "output %s: %" PRIu64 " bytes, %s%s%s\n", res->outputs[i].name,
                      res->outputs[i].bytes, output_word(&res->outputs[i]),
                      res->outputs[i].text[0] ? ": " : "", res->outputs[i].text);
}

static void put_hex(struct json_out *o, const char *key, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "0x%" PRIx64, value);
    json_field_string(o, key, text);
}

static void json_failure(const struct run_result *res, struct json_out *o)
{
    char line[512];
    json_field_open(o, "failure", '{');
    json_field_string(o, "where", res->report.failed ? res->report.err.where : res->err.where);
    json_field_string(o, "what", res->report.failed ? res->report.err.text : res->err.text);
    json_field_string(o, "place", res->report.place);
    json_field_u64(o, "cycle", res->fail_cycle);
    json_field_open(o, "history", '[');
    for (unsigned i = 0; i < res->report.nhistory; i++) {
        dev_event_text(&res->report.history[i], line, sizeof line);
        json_put_string(o, line);
    }
    json_close(o, ']');
    json_field_string(o, "report", res->text);
    json_close(o, '}');
}

static void json_engines(const struct run_result *res, struct json_out *o)
{
    json_field_open(o, "engines", '{');
    for (unsigned e = 0; e < PROG_ENGINES; e++) {
        json_put_key(o, engine_names[e]);
        json_open(o, '{');
        json_field_u64(o, "retired", res->retired[e]);
        json_field_string(o, "state", state_word(res->engine_state[e]));
        json_field_u64(o, "halt_reason", res->halt_reason[e]);
        put_hex(o, "error_word", res->error_word[e]);
        json_close(o, '}');
    }
    json_close(o, '}');
}

static void json_records(const struct run_result *res, struct json_out *o)
{
    json_field_open(o, "records", '[');
    for (size_t i = 0; i < res->nrecords; i++) {
        const struct run_record *r = &res->records[i];
        json_open(o, '{');
        json_field_u64(o, "queue", r->queue);
        json_field_u64(o, "type", r->type);
        put_hex(o, "w0", r->w0);
        put_hex(o, "w1", r->w1);
        json_field_u64(o, "ps", r->ps);
        json_close(o, '}');
    }
    json_close(o, ']');
}

static void json_outputs(const struct run_result *res, struct json_out *o)
{
    json_field_open(o, "outputs", '[');
    for (size_t i = 0; i < res->noutputs; i++) {
        json_open(o, '{');
        json_field_string(o, "name", res->outputs[i].name);
        json_field_u64(o, "bytes", res->outputs[i].bytes);
        json_field_string(o, "golden", output_word(&res->outputs[i]));
        if (res->outputs[i].text[0])
            json_field_string(o, "difference", res->outputs[i].text);
        json_close(o, '}');
    }
    json_close(o, ']');
}

void report_json(const struct run_result *res, const struct report_context *ctx, struct json_out *o)
{
    json_open(o, '{');
    json_field_string(o, "title", ctx->title);
    json_field_string(o, "verdict", report_verdict(res));
    json_field_i64(o, "exit", run_exit_code(res));
    json_field_string(o, "device", res->device);
    json_field_bool(o, "checked", res->checked);
    json_field_u64(o, "cycles", res->cycles);
    json_field_u64(o, "ps", res->ps);
    json_field_u64(o, "wall_us", (uint64_t)(res->seconds * 1e6));
    json_field_u64(o, "events", res->events);
    json_engines(res, o);
    json_outputs(res, o);
    json_records(res, o);
    if (res->verdict != RUN_PASS)
        json_failure(res, o);
    if (ctx->wave)
        json_field_string(o, "wave", ctx->wave);
    if (ctx->gtkw)
        json_field_string(o, "gtkw", ctx->gtkw);
    json_close(o, '}');
}

void report_escape(const char *s, struct strbuf *out)
{
    for (; *s; s++) {
        if (*s == '<')
            strbuf_puts(out, "&lt;");
        else if (*s == '&')
            strbuf_puts(out, "&amp;");
        else if (*s == '"')
            strbuf_puts(out, "&quot;");
        else if ((unsigned char)*s < ' ' && *s != '\n' && *s != '\t')
            strbuf_puts(out, "?");
        else
            strbuf_add(out, s, 1);
    }
}

void report_html(const struct run_result *res, const struct report_context *ctx, struct strbuf *out)
{
    struct strbuf text = { 0 };
    strbuf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
    report_escape(ctx->title, out);
    strbuf_puts(out,
                "</title>\n<style>body{font-family:sans-serif;margin:2em}pre{background:#f4f4f4;padding:1em;"
                "overflow:auto}td,th{padding:.2em .8em;text-align:left;border-bottom:1px solid #ccc}"
                ".pass{color:#070}.differs,.hang,.error{color:#a00}</style></head><body>\n<h1>");
    report_escape(ctx->title, out);
    strbuf_printf(out, ": <span class=\"%s\">%s</span></h1>\n<pre>", report_verdict(res),
                  report_verdict(res));
    report_summary(res, &text);
    report_line(res, ctx, &text);
    report_escape(text.s ? text.s : "", out);
    strbuf_puts(out, "</pre>\n");
    if (res->text) {
        strbuf_puts(out, "<h2>First wrong thing</h2>\n<pre>");
        report_escape(res->text, out);
        strbuf_puts(out, "</pre>\n");
    }
    strbuf_puts(
        out,
        "<h2>Records</h2>\n<table><tr><th>queue</th><th>type</th><th>W0</th><th>W1</th><th>ps</th></tr>\n");
    for (size_t i = 0; i < res->nrecords; i++)
        strbuf_printf(out,
                      "<tr><td>%u</td><td>0x%02x</td><td>%08" PRIx32 "</td><td>%08" PRIx32 "</td><td>%" PRIu64
                      "</td></tr>\n",
                      res->records[i].queue, res->records[i].type, res->records[i].w0, res->records[i].w1,
                      res->records[i].ps);
    strbuf_puts(out, "</table></body></html>\n");
    strbuf_free(&text);
}
