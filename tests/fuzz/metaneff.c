/* A metaneff: the protobuf reader, the binding to a small program, and the binding contract. */
#include "frame.h"
#include "neff/metaneff.h"
#include "neff/pack.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Two inputs, weights, a state buffer and two outputs, in an order in which ids are no ordinals. */
static const char neff_json[] =
    "{\"arg_nodes\":[0,1],\"heads\":[[2,0,0],[2,1,0]],\"node_row_ptr\":[0,1,2,4],\"attrs\":{"
    "\"dltype\":[\"list_str\",[\"float32\",\"int8\",\"float32\",\"int8\"]],"
    "\"shape\":[\"list_shape\",[[2,3],[4],[2,3],[4]]]},\"nodes\":["
    "{\"op\":\"null\",\"name\":\"input0\"},{\"op\":\"null\",\"name\":\"input1\"},"
    "{\"op\":\"tvm_op\",\"name\":\"k\",\"output_names\":[\"output0\",\"output1\"],"
    "\"attrs\":{\"func_name\":\"__kelf\",\"kelf\":\"k.json\"}}]}";
static const char kelf_json[] =
    "{\"version\":\"0.5\",\"graphs\":[{\"name\":\"g\",\"definition\":\"g/def.json\"}]}";
static const char def_json[] =
    "{\"var\":{\"output0\":{\"type\":\"output\",\"var_id\":0,\"size\":24},"
    "\"input1\":{\"type\":\"input\",\"var_id\":1,\"size\":4,\"dtype\":\"int8\",\"shape\":[4]},"
    "\"SB\":{\"type\":\"state-buffer\",\"var_id\":2},"
    "\"w\":{\"type\":\"file\",\"var_id\":3,\"file_name\":\"w.bin\"},"
    "\"input0\":{\"type\":\"input\",\"var_id\":4,\"size\":24,\"dtype\":\"float32\",\"shape\":[2,3]},"
    "\"output1\":{\"type\":\"output\",\"var_id\":5,\"size\":4}}}";
static struct program *program; /* NULL when it cannot be made; the NEFF behind it stays open */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const struct neff_file files[] = {
        { "neff.json", neff_json, sizeof neff_json - 1 },
        { "k.json", kelf_json, sizeof kelf_json - 1 },
        { "g/def.json", def_json, sizeof def_json - 1 },
        { "g/w.bin", "weights", 8 },
    };
    static struct neff *n;
    struct neff_pack_settings settings;
    struct nerr err;
    uint8_t *file;
    size_t len;
    (void)argc;
    (void)argv;
    neff_pack_defaults(&settings);
    DEMAND(neff_pack_memory(files, 4, &settings, &file, &len, &err) == 0);
    DEMAND(neff_open_memory(file, len, NULL, &n, &err) == 0);
    free(file);
    DEMAND(program_read(n, NULL, &program, &err) == 0);
    return 0;
}

static void touch(const struct meta_bytes *b)
{
    DEMAND(b->text && b->text[b->len] == '\0');
    frame_touch(b->text, b->len);
}

static void check_tensor(const struct meta_tensor *t)
{
    uint64_t bytes;
    touch(&t->name);
    touch(&t->checkpoint_key);
    touch(&t->user_input_key);
    for (size_t i = 0; i < t->ndim; i++)
        if (t->shape[i] < 0)
            DEMAND(!metaneff_tensor_bytes(t, &bytes));
    (void)metaneff_tensor_bytes(t, &bytes);
    (void)metaneff_dtype_name(t->data_type);
    (void)metaneff_type_name(t->type);
}

static void bind(const struct metaneff *m)
{
    long *inputs = NULL, *outputs = NULL;
    struct findings found = { .limit = 100 };
    struct nerr err;
    DEMAND(metaneff_bind(m, program, &inputs, &outputs, &err) == 0);
    for (size_t i = 0; i < m->ninputs; i++)
        DEMAND(inputs[i] >= -1 && inputs[i] < (long)program->nvars);
    for (size_t i = 0; i < m->noutputs; i++)
        DEMAND(outputs[i] >= -1 && outputs[i] < (long)program->nvars);
    free(inputs);
    free(outputs);
    DEMAND(metaneff_check(m, program, &found, &err) == 0);
    DEMAND(found.count <= found.limit);
    findings_free(&found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct metaneff *m = NULL;
    struct nerr err;
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact)
        return 0;
    memcpy(exact, data, size);
    if (metaneff_read(exact, size, "m.pb", &m, &err) == 0) {
        memset(exact, 0xdb, size); /* nothing may be borrowed from it */
        touch(&m->name);
        for (size_t i = 0; i < m->ninputs; i++)
            check_tensor(&m->inputs[i]);
        for (size_t i = 0; i < m->noutputs; i++)
            check_tensor(&m->outputs[i]);
        bind(m);
        metaneff_free(m);
    } else {
        DEMAND(err.code != 0 && err.text[0]);
    }
    free(exact);
    return 0;
}
