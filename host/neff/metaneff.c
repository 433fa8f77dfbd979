/* The bytes of a metaneff -> struct metaneff, through protobuf-c: see metaneff.h. The rules are
 * metaneff_check.c. */
#include "neff/metaneff.h"

#include <stdlib.h>
#include <string.h>

#include "neff/metaneff.pb-c.h"
#include "util/bytes.h"
#include "util/file.h"
#include "util/protobuf.h"
#include "util/strbuf.h"

const char *metaneff_dtype_name(int32_t data_type)
{
    const ProtobufCEnumValue *v =
        protobuf_c_enum_descriptor_get_value(&metaneff__meta_tensor__data_type__descriptor, data_type);
    return v ? v->name : NULL;
}

const char *metaneff_type_name(int32_t type)
{
    const ProtobufCEnumValue *v =
        protobuf_c_enum_descriptor_get_value(&metaneff__meta_tensor__type__descriptor, type);
    return v ? v->name : NULL;
}

unsigned metaneff_dtype_bytes(int32_t data_type)
{
    switch (data_type) {
    case METANEFF__META_TENSOR__DATA_TYPE__BYTE:
    case METANEFF__META_TENSOR__DATA_TYPE__BOOL:
    case METANEFF__META_TENSOR__DATA_TYPE__UINT8:
    case METANEFF__META_TENSOR__DATA_TYPE__INT8:
    case METANEFF__META_TENSOR__DATA_TYPE__F8E4M3FN:
    case METANEFF__META_TENSOR__DATA_TYPE__F8E5M2:
        return 1;
    case METANEFF__META_TENSOR__DATA_TYPE__UINT16:
    case METANEFF__META_TENSOR__DATA_TYPE__INT16:
    case METANEFF__META_TENSOR__DATA_TYPE__FLOAT16:
    case METANEFF__META_TENSOR__DATA_TYPE__BFLOAT16:
        return 2;
    case METANEFF__META_TENSOR__DATA_TYPE__FLOAT:
    case METANEFF__META_TENSOR__DATA_TYPE__INT32:
        return 4;
    case METANEFF__META_TENSOR__DATA_TYPE__INT64:
    case METANEFF__META_TENSOR__DATA_TYPE__DOUBLE:
        return 8;
    default:
        return 0;
    }
}

bool metaneff_tensor_bytes(const struct meta_tensor *t, uint64_t *bytes)
{
    *bytes = metaneff_dtype_bytes(t->data_type);
    bool ok = *bytes != 0;
    for (size_t i = 0; ok && i < t->ndim; i++)
        ok = t->shape[i] >= 0 && mul_u64(*bytes, (uint64_t)t->shape[i], bytes);
    return ok;
}

static bool take_bytes(struct meta_bytes *out, const ProtobufCBinaryData *in)
{
    out->len = in->len;
    out->text = text_copy_n(in->data ? (const char *)in->data : "", in->len);
    return out->text != NULL;
}

static bool take_tensor(struct meta_tensor *out, const Metaneff__MetaTensor *in)
{
    static const ProtobufCBinaryData none;
    out->data_type = (int32_t)in->data_type;
    out->type = (int32_t)in->type;
    out->allow_dynamic_batch_size = in->allow_dynamic_batch_size != 0;
    out->content_size = in->content.len;
    out->has_checkpoint_key = in->checkpoint_key_presence_case != 0;
    out->has_user_input_key = in->user_input_key_presence_case != 0;
    out->ndim = in->n_shape;
    out->shape = calloc(in->n_shape + 1, sizeof *out->shape);
    if (!out->shape)
        return false;
    if (in->n_shape)
        memcpy(out->shape, in->shape, in->n_shape * sizeof *out->shape);
    return take_bytes(&out->name, &in->name) &&
           take_bytes(&out->checkpoint_key, out->has_checkpoint_key ? &in->checkpoint_key : &none) &&
           take_bytes(&out->user_input_key, out->has_user_input_key ? &in->user_input_key : &none);
}

static bool take_tensors(struct meta_tensor **out, size_t *count, Metaneff__MetaTensor *const *in, size_t n)
{
    *out = calloc(n + 1, sizeof **out);
    bool ok = *out != NULL;
    for (; ok && *count < n; ++*count)
        ok = take_tensor(&(*out)[*count], in[*count]);
    return ok;
}

static bool take_message(struct metaneff *m, const Metaneff__MetaNeff *in)
{
    m->graph_def_size = in->serialized_graph_def.len;
    m->num_user_inputs = in->num_user_inputs;
    m->num_states = in->num_states;
    m->num_weights = in->num_weights;
    m->has_config = in->model_config != NULL;
    if (m->has_config) {
        m->config.num_infer = in->model_config->num_infer;
        m->config.timeout = in->model_config->timeout;
        m->config.optimal_ncg_size = in->model_config->optimal_ncg_size;
        m->config.async_load = in->model_config->async_load != 0;
        m->config.lazy_load = in->model_config->lazy_load != 0;
        m->config.return_aliases = in->model_config->return_aliases != 0;
    }
    m->aliases = calloc(in->n_output_aliases_to + 1, sizeof *m->aliases);
    if (!m->aliases)
        return false;
    for (; m->naliases < in->n_output_aliases_to; m->naliases++)
        m->aliases[m->naliases] = (struct meta_alias){ in->output_aliases_to[m->naliases]->key,
                                                       in->output_aliases_to[m->naliases]->value };
    return take_bytes(&m->name, &in->name) &&
           take_tensors(&m->inputs, &m->ninputs, in->input_tensors, in->n_input_tensors) &&
           take_tensors(&m->outputs, &m->noutputs, in->output_tensors, in->n_output_tensors);
}

int metaneff_read(const uint8_t *buf, size_t len, const char *where, struct metaneff **out, struct nerr *err)
{
    ProtobufCMessage *message;
    size_t unknown;
    int rc = protobuf_read(buf, len, &metaneff__meta_neff__descriptor, where, &unknown, &message, err);
    if (rc)
        return rc;
    struct metaneff *m = calloc(1, sizeof *m);
    bool ok = m != NULL;
    if (ok) {
        m->unknown_fields = unknown;
        m->where = text_copy(where);
        ok = m->where && take_message(m, (const Metaneff__MetaNeff *)message);
    }
    protobuf_c_message_free_unpacked(message, NULL);
    if (!ok) {
        metaneff_free(m);
        return nerr_set(err, NERR_MEM, where, "out of memory for the metaneff");
    }
    *out = m;
    return 0;
}

int metaneff_open(const char *path, struct findings *f, struct metaneff **out, struct nerr *err)
{
    struct nerr why;
    uint8_t *buf;
    size_t len, n = strlen(path);
    *out = NULL;
    int rc = file_read(path, METANEFF_MAX, &buf, &len, err);
    if (rc)
        return rc;
    rc = metaneff_read(buf, len, path, out, &why);
    free(buf);
    if (rc == NERR_INPUT) {
        const char *place = strncmp(why.where, path, n) == 0 ? why.where + n : why.where;
        return findings_add_at(f, FINDING_INPUT, 0, path, place + strspn(place, " "), &why, err);
    }
    if (rc)
        *err = why;
    return rc;
}

static void free_tensors(struct meta_tensor *t, size_t n)
{
    for (size_t i = 0; t && i <= n; i++) { /* the element behind the last may be half made */
        free(t[i].name.text);
        free(t[i].shape);
        free(t[i].checkpoint_key.text);
        free(t[i].user_input_key.text);
    }
    free(t);
}

void metaneff_free(struct metaneff *m)
{
    if (!m)
        return;
    free_tensors(m->inputs, m->ninputs);
    free_tensors(m->outputs, m->noutputs);
    free(m->aliases);
    free(m->name.text);
    free(m->where);
    free(m);
}
