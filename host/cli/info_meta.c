/* The metaneff beside the NEFF, in both forms of `neffsim info` (neff-container.md §21). */
#include "cli/info.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The word of a number, or the number itself. */
struct word {
    char text[24];
};
static struct word word_of(const char *name, int32_t number)
{
    struct word w;
    if (name)
        snprintf(w.text, sizeof w.text, "%s", name);
    else
        snprintf(w.text, sizeof w.text, "%" PRId32, number);
    return w;
}

static const struct prog_var *bound_var(const struct info *in, const long *bound, size_t i)
{
    return bound && bound[i] >= 0 ? &in->programs[0]->vars[bound[i]] : NULL;
}

struct bindings {
    long *inputs, *outputs; /* NULL when there is no program */
};

static struct bindings bind(const struct info *in)
{
    struct bindings b = { NULL, NULL };
    struct nerr ignored; /* out of memory: the page then shows no variables */
    if (in->nprograms && metaneff_bind(in->meta, in->programs[0], &b.inputs, &b.outputs, &ignored))
        b = (struct bindings){ NULL, NULL };
    return b;
}

/* Per output the input whose buffer it reuses, or -1; NULL when out of memory. The caller frees. */
static int64_t *aliases_of(const struct metaneff *m)
{
    int64_t *input = calloc(m->noutputs + 1, sizeof *input);
    for (size_t i = 0; input && i < m->noutputs; i++)
        input[i] = -1;
    for (size_t i = 0; input && i < m->naliases; i++)
        if (m->aliases[i].output >= 0 && (uint64_t)m->aliases[i].output < m->noutputs)
            input[m->aliases[i].output] = m->aliases[i].input;
    return input;
}

/* alias: of outputs, else NULL. */
static void rows(const struct info *in, struct table *t, bool output, const long *bound, const int64_t *alias)
{
    const struct meta_tensor *list = output ? in->meta->outputs : in->meta->inputs;
    size_t count = output ? in->meta->noutputs : in->meta->ninputs;
    for (size_t i = 0; i < count; i++) {
        const struct meta_tensor *x = &list[i];
        const struct prog_var *v = bound_var(in, bound, i);
        struct strbuf type = { 0 }, more = { 0 };
        uint64_t bytes;
        strbuf_puts(&type, word_of(metaneff_dtype_name(x->data_type), x->data_type).text);
        for (size_t k = 0; k < x->ndim; k++)
            strbuf_printf(&type, "%s%" PRId64, k ? "," : "[", x->shape[k]);
        strbuf_puts(&type, x->ndim ? "]" : "");
        if (v)
            strbuf_printf(&more, "var %" PRIu32 " %s", v->var_id, v->name);
        else if (bound)
            strbuf_puts(&more, "no variable");
        if (x->allow_dynamic_batch_size)
            strbuf_printf(&more, "%sdynamic batch", more.len ? ", " : "");
        if (alias && alias[i] >= 0)
            strbuf_printf(&more, "%sreuses input %" PRId64, more.len ? ", " : "", alias[i]);
        if (x->has_checkpoint_key)
            strbuf_printf(&more, "%scheckpoint \"%s\"", more.len ? ", " : "", x->checkpoint_key.text);
        if (x->has_user_input_key)
            strbuf_printf(&more, "%skey \"%s\"", more.len ? ", " : "", x->user_input_key.text);
        if (x->content_size)
            strbuf_printf(&more, "%s%zu bytes of content", more.len ? ", " : "", x->content_size);
        table_cell(t, "%s %zu", output ? "output" : "input", i);
        table_cell(t, "%s", x->name.text);
        table_cell(t, "%s", output ? "" : word_of(metaneff_type_name(x->type), x->type).text);
        table_cell(t, "%s", type.s ? type.s : "");
        if (metaneff_tensor_bytes(x, &bytes))
            table_cell(t, "%" PRIu64, bytes);
        else
            table_cell(t, "-");
        table_cell(t, "%s", more.s ? more.s : "");
        strbuf_free(&type);
        strbuf_free(&more);
    }
}

void info_meta_text(const struct info *in, struct page *out)
{
    const struct metaneff *m = in->meta;
    struct bindings b = bind(in);
    int64_t *alias = aliases_of(m);
    struct table t;
    page_heading(out, "metaneff", "%s", m->where);
    if (m->name.len)
        page_fact(out, "name", "%s", m->name.text);
    page_fact(out, "counts",
              "%" PRId64 " user inputs, %" PRId64 " states, %" PRId64 " weights; %zu inputs, %zu outputs",
              m->num_user_inputs, m->num_states, m->num_weights, m->ninputs, m->noutputs);
    if (m->has_config)
        page_fact(out, "model config",
                  "num_infer %" PRId64 ", timeout %" PRId64 ", optimal_ncg_size %" PRId64 "%s%s%s",
                  m->config.num_infer, m->config.timeout, m->config.optimal_ncg_size,
                  m->config.async_load ? ", async_load" : "", m->config.lazy_load ? ", lazy_load" : "",
                  m->config.return_aliases ? ", return_aliases" : "");
    if (m->graph_def_size)
        page_fact(out, "graph def", "%s", page_bytes(m->graph_def_size).text);
    if (m->unknown_fields)
        page_fact(out, "unknown", "%zu fields skipped", m->unknown_fields);
    TABLE_BEGIN(&t, out, "place", "name", "type", "shape", ">bytes", "bound to");
    rows(in, &t, false, b.inputs, NULL);
    rows(in, &t, true, b.outputs, alias);
    table_end(&t);
    free(alias);
    free(b.inputs);
    free(b.outputs);
}

static void number_or_word(struct json_out *o, const char *key, const char *name, int32_t number)
{
    if (name)
        json_field_string(o, key, name);
    else
        json_field_i64(o, key, number);
}

static void tensor_json(struct json_out *o, const struct meta_tensor *t, const struct prog_var *v)
{
    uint64_t bytes;
    json_open(o, '{');
    json_field_string(o, "name", t->name.text);
    number_or_word(o, "type", metaneff_type_name(t->type), t->type);
    number_or_word(o, "data_type", metaneff_dtype_name(t->data_type), t->data_type);
    json_put_key(o, "shape");
    json_put_i64s(o, t->shape, t->ndim);
    json_put_key(o, "bytes");
    if (metaneff_tensor_bytes(t, &bytes))
        json_put_u64(o, bytes);
    else
        json_put_string(o, NULL);
    json_field_bool(o, "allow_dynamic_batch_size", t->allow_dynamic_batch_size);
    json_field_string(o, "checkpoint_key", t->has_checkpoint_key ? t->checkpoint_key.text : NULL);
    json_field_string(o, "user_input_key", t->has_user_input_key ? t->user_input_key.text : NULL);
    json_field_u64(o, "content_bytes", t->content_size);
    json_put_key(o, "var_id");
    if (v)
        json_put_u64(o, v->var_id);
    else
        json_put_string(o, NULL);
    json_field_string(o, "var", v ? v->name : NULL);
    json_close(o, '}');
}

static void tensors_json(const struct info *in, struct json_out *o, bool output, const long *bound)
{
    const struct meta_tensor *list = output ? in->meta->outputs : in->meta->inputs;
    json_put_key(o, output ? "output_tensors" : "input_tensors");
    json_open(o, '[');
    for (size_t i = 0; i < (output ? in->meta->noutputs : in->meta->ninputs); i++)
        tensor_json(o, &list[i], bound_var(in, bound, i));
    json_close(o, ']');
}

static void config_json(const struct metaneff *m, struct json_out *o)
{
    json_put_key(o, "model_config");
    if (!m->has_config) {
        json_put_string(o, NULL);
        return;
    }
    json_open(o, '{');
    json_field_i64(o, "num_infer", m->config.num_infer);
    json_field_i64(o, "timeout", m->config.timeout);
    json_field_i64(o, "optimal_ncg_size", m->config.optimal_ncg_size);
    json_field_bool(o, "async_load", m->config.async_load);
    json_field_bool(o, "lazy_load", m->config.lazy_load);
    json_field_bool(o, "return_aliases", m->config.return_aliases);
    json_close(o, '}');
}

void info_meta_json(const struct info *in, struct json_out *o)
{
    const struct metaneff *m = in->meta;
    struct bindings b = bind(in);
    json_open(o, '{');
    json_field_string(o, "file", m->where);
    json_field_string(o, "name", m->name.text);
    tensors_json(in, o, false, b.inputs);
    tensors_json(in, o, true, b.outputs);
    config_json(m, o);
    json_field_u64(o, "serialized_graph_def_bytes", m->graph_def_size);
    json_field_open(o, "output_aliases_to", '[');
    for (size_t i = 0; i < m->naliases; i++) {
        json_open(o, '{');
        json_field_i64(o, "output", m->aliases[i].output);
        json_field_i64(o, "input", m->aliases[i].input);
        json_close(o, '}');
    }
    json_close(o, ']');
    json_field_i64(o, "num_user_inputs", m->num_user_inputs);
    json_field_i64(o, "num_states", m->num_states);
    json_field_i64(o, "num_weights", m->num_weights);
    json_field_u64(o, "unknown_fields", m->unknown_fields);
    json_close(o, '}');
    free(b.inputs);
    free(b.outputs);
}
