/* The report of a comparison as JSON; the keys are listed in docs/waves.md. */
#include <string.h>

#include "util/json_write.h"
#include "wave/report_private.h"

/* Left out when there is no value. */
static void put_optional(struct json_out *j, const char *key, const char *value)
{
    if (value)
        json_field_string(j, key, value);
}

static void put_moment(struct json_out *j, const char *key, const struct wave_moment *m)
{
    if (!m->text)
        return;
    json_put_key(j, key);
    json_open(j, '{');
    json_field_string(j, "text", m->text);
    json_field_u64(j, "ticks_a", m->ticks_a);
    json_field_u64(j, "ticks_b", m->ticks_b);
    json_close(j, '}');
}

static void put_difference(struct json_out *j, const struct wave_report *r,
                           const struct wave_signal_result *s)
{
    struct strbuf golden = { 0 }, actual = { 0 };
    json_open(j, '{');
    json_field_string(j, "kind", report_kind_words[s->kind]);
    json_field_string(j, "signal", report_name(s));
    if (s->name_a && s->name_b && strcmp(s->name_a, s->name_b) != 0)
        json_field_string(j, "signal_b", s->name_b);
    if (s->width)
        json_field_u64(j, "width", s->width);
    put_optional(j, "time", s->first.text);
    put_optional(j, "a", s->golden);
    put_optional(j, "b", s->actual);
    put_optional(j, "mask", s->mask);
    if (report_decoded(r, s, &golden, &actual)) {
        json_field_string(j, "a_words", golden.s);
        json_field_string(j, "b_words", actual.s);
    }
    put_moment(j, "first", &s->first);
    put_moment(j, "until", &s->until);
    put_optional(j, "lasted", s->lasted);
    if (s->intervals)
        json_field_u64(j, "intervals", s->intervals);
    put_optional(j, "total", s->total);
    put_moment(j, "agreed", &s->agreed);
    put_optional(j, "agreed_value", s->agreed_value);
    json_close(j, '}');
    j->b->failed = j->b->failed || golden.failed || actual.failed;
    strbuf_free(&golden);
    strbuf_free(&actual);
}

static void put_order(struct json_out *j, const struct wave_order_result *o)
{
    json_open(j, '{');
    json_field_string(j, "group", o->name);
    json_field_u64(j, "count_a", o->count_a);
    json_field_u64(j, "count_b", o->count_b);
    json_field_u64(j, "matched", o->matched);
    put_optional(j, "latency_min", o->latency_min);
    put_optional(j, "latency_mean", o->latency_mean);
    put_optional(j, "latency_max", o->latency_max);
    if (o->matched < o->count_a || o->matched < o->count_b) {
        json_field_u64(j, "first_index", o->first_index);
        json_field_bool(j, "reordered", o->reordered);
    }
    json_close(j, '}');
}

static void put_lists(struct json_out *j, const struct wave_report *r)
{
    const struct wave_result *res = r->result;
    json_put_key(j, "differences");
    json_open(j, '[');
    for (size_t i = 0; i < res->nlist; i++)
        put_difference(j, r, &res->list[i]);
    json_close(j, ']');
    json_put_key(j, "scopes");
    json_open(j, '[');
    for (size_t i = 0; i < res->nscopes; i++) {
        json_open(j, '{');
        json_field_string(j, "scope", res->scopes[i].scope);
        json_field_u64(j, "compared", res->scopes[i].compared);
        json_field_u64(j, "differing", res->scopes[i].differing);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_put_key(j, "order");
    json_open(j, '[');
    for (size_t i = 0; i < res->norders; i++)
        put_order(j, &res->orders[i]);
    json_close(j, ']');
    json_put_key(j, "notes");
    json_open(j, '[');
    for (size_t i = 0; i < res->nnotes; i++)
        json_put_string(j, res->notes[i]);
    json_close(j, ']');
}

void wave_report_json(const struct wave_report *r, struct strbuf *out)
{
    const struct wave_result *res = r->result;
    struct json_out j = { .b = out };
    json_open(&j, '{');
    json_field_string(&j, "verdict", wave_result_equal(res) ? "equal" : "different");
    json_field_string(&j, "file_a", r->path_a);
    json_field_string(&j, "file_b", r->path_b);
    json_field_u64(&j, "compared", res->compared);
    json_field_u64(&j, "differing", wave_report_differing(res));
    json_field_u64(&j, "changes_a", res->changes_a);
    json_field_u64(&j, "changes_b", res->changes_b);
    if (r->options->clock.signal)
        json_field_u64(&j, "samples", res->samples);
    json_put_key(&j, "count");
    json_open(&j, '{');
    for (int kind = 0; kind < WAVE_DIFF_KINDS; kind++)
        json_field_u64(&j, report_kind_words[kind], res->count[kind]);
    json_close(&j, '}');
    put_lists(&j, r);
    put_optional(&j, "end_a", res->end_a);
    put_optional(&j, "end_b", res->end_b);
    json_field_bool(&j, "ends_differ", res->ends_differ);
    json_close(&j, '}');
}
