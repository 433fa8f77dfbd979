/* The metaneff (neff-container.md §21): bytes made by hand, hostile bytes, and the binding contract with E1.
 */
#include "e1.h"

#include "neff/metaneff.h"
#include "neff/metaneff.pb-c.h"

/* ---- bytes ---- */

static struct strbuf msg;
static struct metaneff *meta;

static void put(const void *bytes, size_t n)
{
    strbuf_add(&msg, bytes, n);
}

#define PUT(...)                                                                                             \
    do {                                                                                                     \
        static const uint8_t bytes_[] = { __VA_ARGS__ };                                                     \
        put(bytes_, sizeof bytes_);                                                                          \
    } while (0)

static void setup(void)
{
    msg = (struct strbuf){ 0 };
    meta = NULL;
}

static void teardown(void)
{
    strbuf_free(&msg);
    metaneff_free(meta);
    e1_free();
}

static int parse(void)
{
    memset(&err, 0, sizeof err);
    return metaneff_read((const uint8_t *)(msg.s ? msg.s : ""), msg.len, "m", &meta, &err);
}

#define REFUSED(at, says)                                                                                    \
    do {                                                                                                     \
        ck_assert_int_eq(parse(), NERR_INPUT);                                                               \
        ck_assert_str_eq(err.where, "m byte " at);                                                           \
        ck_assert_msg(strstr(err.text, says) != NULL, "says: %s", err.text);                                 \
    } while (0)

/* The worked example of §21. */
#define WORKED                                                                                               \
    0x0A, 0x12, 0x0A, 0x06, 0x69, 0x6E, 0x70, 0x75, 0x74, 0x30, 0x12, 0x04, 0x01, 0x01, 0x01, 0x20, 0x18,    \
        0x01, 0x38, 0x01

START_TEST(worked_example_reads)
{
    uint64_t bytes;
    PUT(WORKED);
    ck_assert_int_eq(parse(), 0);
    ck_assert_uint_eq(meta->ninputs, 1);
    ck_assert_uint_eq(meta->noutputs, 0);
    ck_assert_str_eq(meta->inputs[0].name.text, "input0");
    ck_assert_uint_eq(meta->inputs[0].name.len, 6);
    ck_assert_uint_eq(meta->inputs[0].ndim, 4);
    ck_assert_int_eq(meta->inputs[0].shape[3], 32);
    ck_assert_str_eq(metaneff_dtype_name(meta->inputs[0].data_type), "FLOAT");
    ck_assert_str_eq(metaneff_type_name(meta->inputs[0].type), "USER_INPUT");
    ck_assert(!meta->inputs[0].has_checkpoint_key && !meta->inputs[0].has_user_input_key);
    ck_assert(metaneff_tensor_bytes(&meta->inputs[0], &bytes));
    ck_assert_uint_eq(bytes, 128);
    ck_assert_uint_eq(meta->unknown_fields, 0);
}
END_TEST

START_TEST(empty_message_is_a_metaneff)
{
    ck_assert_int_eq(parse(), 0);
    ck_assert_uint_eq(meta->ninputs + meta->noutputs + meta->naliases, 0);
    ck_assert_str_eq(meta->name.text, "");
    ck_assert(!meta->has_config);
}
END_TEST

/* The same shape as four single elements (tag 0x10) and explicit zeros. */
START_TEST(single_elements_and_explicit_zeros_are_read)
{
    PUT(0x0A, 0x0E, 0x10, 0x01, 0x10, 0x01, 0x12, 0x02, 0x03, 0x20, 0x18, 0x00, 0x28, 0x00, 0x38, 0x00);
    ck_assert_int_eq(parse(), 0);
    ck_assert_uint_eq(meta->inputs[0].ndim, 4);
    ck_assert_int_eq(meta->inputs[0].shape[1], 1);
    ck_assert_int_eq(meta->inputs[0].shape[2], 3);
    ck_assert_int_eq(meta->inputs[0].shape[3], 32);
    ck_assert_int_eq(meta->inputs[0].data_type, 0);
}
END_TEST

/* Absent, empty and set keys are three things. */
START_TEST(presence_of_keys_is_kept)
{
    PUT(0x0A, 0x00);                            /* neither */
    PUT(0x0A, 0x02, 0x32, 0x00);                /* checkpoint_key "" */
    PUT(0x0A, 0x05, 0x42, 0x03, 'a', 'b', 'c'); /* user_input_key "abc" */
    ck_assert_int_eq(parse(), 0);
    ck_assert_uint_eq(meta->ninputs, 3);
    ck_assert(!meta->inputs[0].has_checkpoint_key && !meta->inputs[0].has_user_input_key);
    ck_assert(meta->inputs[1].has_checkpoint_key && !meta->inputs[1].has_user_input_key);
    ck_assert_uint_eq(meta->inputs[1].checkpoint_key.len, 0);
    ck_assert(!meta->inputs[2].has_checkpoint_key && meta->inputs[2].has_user_input_key);
    ck_assert_str_eq(meta->inputs[2].user_input_key.text, "abc");
}
END_TEST

START_TEST(every_other_field_is_read)
{
    PUT(0x1A, 0x0D, 0x08, 0x07, 0x10, 0xE8, 0x07, 0x18, 0x02, 0x20, 0x01, 0x28, 0x01, 0x30, 0x01);
    PUT(0x22, 0x02, 'g', 'd', 0x2A, 0x01, 'n');
    PUT(0x32, 0x04, 0x08, 0x00, 0x10, 0x01); /* output 0 is input 1 */
    PUT(0x32, 0x00);                         /* output 0 is input 0: both omitted */
    PUT(0x38, 0x01, 0x40, 0x02, 0x48, 0x03);
    PUT(0x12, 0x04, 0x22, 0x02, 0xff, 0xfe); /* an output with content */
    ck_assert_int_eq(parse(), 0);
    ck_assert(meta->has_config);
    ck_assert_int_eq(meta->config.num_infer, 7);
    ck_assert_int_eq(meta->config.timeout, 1000);
    ck_assert_int_eq(meta->config.optimal_ncg_size, 2);
    ck_assert(meta->config.async_load && meta->config.lazy_load && meta->config.return_aliases);
    ck_assert_uint_eq(meta->graph_def_size, 2);
    ck_assert_str_eq(meta->name.text, "n");
    ck_assert_uint_eq(meta->naliases, 2);
    ck_assert_int_eq(meta->aliases[0].output, 0);
    ck_assert_int_eq(meta->aliases[0].input, 1);
    ck_assert_int_eq(meta->aliases[1].input, 0);
    ck_assert_int_eq(meta->num_user_inputs, 1);
    ck_assert_int_eq(meta->num_states, 2);
    ck_assert_int_eq(meta->num_weights, 3);
    ck_assert_uint_eq(meta->outputs[0].content_size, 2);
}
END_TEST

/* Unknown enum values are kept, unknown fields of every wire type skipped and counted. */
START_TEST(unknown_enums_are_kept_and_unknown_fields_skipped)
{
    PUT(0x0A, 0x04, 0x18, 0x0B, 0x38, 0x63); /* data_type 11, type 99 */
    PUT(0x50, 0x2A, 0x5A, 0x01, 0x00, 0x65, 1, 2, 3, 4, 0x69, 1, 2, 3, 4, 5, 6, 7, 8); /* fields 10 to 13 */
    ck_assert_int_eq(parse(), 0);
    ck_assert_int_eq(meta->inputs[0].data_type, 11);
    ck_assert_int_eq(meta->inputs[0].type, 99);
    ck_assert_ptr_null(metaneff_dtype_name(11));
    ck_assert_ptr_null(metaneff_type_name(99));
    ck_assert_uint_eq(metaneff_dtype_bytes(11), 0);
    ck_assert_uint_eq(meta->unknown_fields, 4);
}
END_TEST

/* Sizes of §21's element types, by number. */
START_TEST(element_sizes)
{
    static const unsigned bytes[17] = { 0, 4, 4, 1, 0, 1, 1, 1, 2, 2, 8, 0, 2, 8, 2, 1, 1 };
    for (int32_t i = 0; i < 17; i++)
        ck_assert_uint_eq(metaneff_dtype_bytes(i), bytes[i]);
    ck_assert_uint_eq(metaneff_dtype_bytes(-1), 0);
    ck_assert_str_eq(metaneff_dtype_name(15), "F8E4M3FN");
    ck_assert_str_eq(metaneff_dtype_name(16), "F8E5M2");
}
END_TEST

START_TEST(size_of_a_negative_dimension_is_none)
{
    int64_t dims[2] = { -1, 1 };
    struct meta_tensor t = { .shape = dims, .ndim = 2, .data_type = 6 };
    uint64_t bytes;
    ck_assert(!metaneff_tensor_bytes(&t, &bytes));
    dims[0] = INT64_MAX;
    dims[1] = 4;
    ck_assert(!metaneff_tensor_bytes(&t, &bytes));
    dims[1] = 2;
    ck_assert(metaneff_tensor_bytes(&t, &bytes));
    ck_assert_uint_eq(bytes, UINT64_MAX - 1);
    t.ndim = 0; /* a scalar */
    ck_assert(metaneff_tensor_bytes(&t, &bytes));
    ck_assert_uint_eq(bytes, 1);
}
END_TEST

/* ---- hostile bytes: exit code 2 with an offset ---- */

START_TEST(every_cut_of_the_example_is_refused_at_its_place)
{
    static const uint8_t whole[] = { WORKED };
    for (size_t n = 1; n < sizeof whole; n++) {
        strbuf_free(&msg);
        put(whole, n);
        ck_assert_int_eq(parse(), NERR_INPUT);
        ck_assert_int_eq(nerr_exit_code(&err), 2);
        ck_assert_str_eq(err.where, "m byte 0x1"); /* the length of the tensor is what does not fit */
    }
}
END_TEST

START_TEST(huge_lengths_are_refused)
{
    PUT(0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01);
    REFUSED("0x1", "18446744073709551615");
    strbuf_free(&msg);
    PUT(0x08 + 2, 0x04, 0x0A, 0x7F, 'a', 'b');
    REFUSED("0x3", "field 1 (name) has 127 bytes, 2 are left in the message");
}
END_TEST

START_TEST(varints_are_bounded)
{
    PUT(0x38, 0x80, 0x80);
    REFUSED("0x1", "the varint is cut: 2 bytes");
    strbuf_free(&msg);
    PUT(0x38, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01);
    REFUSED("0x1", "more than 64 bits");
    strbuf_free(&msg);
    PUT(0x38, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02);
    REFUSED("0x1", "more than 64 bits");
    strbuf_free(&msg);
    PUT(0x38, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01); /* -1 */
    ck_assert_int_eq(parse(), 0);
    ck_assert_int_eq(meta->num_user_inputs, -1);
}
END_TEST

START_TEST(packed_shape_with_a_cut_element_is_refused)
{
    PUT(0x0A, 0x04, 0x12, 0x02, 0x01, 0x81);
    REFUSED("0x5", "cut");
}
END_TEST

START_TEST(wire_types_are_checked)
{
    PUT(0x08, 0x01); /* input_tensors as a number */
    REFUSED("0x0", "field 1 (input_tensors) has wire type 0, expected 2");
    strbuf_free(&msg);
    PUT(0x3A, 0x00); /* num_user_inputs as bytes */
    REFUSED("0x0", "field 7 (num_user_inputs) has wire type 2, expected 0");
    strbuf_free(&msg);
    PUT(0x0A, 0x00, 0x03); /* field 0 */
    REFUSED("0x2", "field number 0");
}
END_TEST

/* A tower of groups in an unknown field must not be walked at all. */
START_TEST(deep_nesting_is_refused)
{
    for (int i = 0; i < 100000; i++)
        PUT(0x53);
    REFUSED("0x0", "field 10 (unknown) has wire type 3");
}
END_TEST

/* Two bytes of file for more than a hundred of memory: the budget ends it. */
START_TEST(memory_is_bounded)
{
    for (int i = 0; i < 600000; i++)
        PUT(0x0A, 0x00);
    REFUSED("0x0", "of memory");
}
END_TEST

/* ---- the binding contract, against E1: input id 0 "input", SB 1, output id 2 "output", 128 bytes each ----
 */

static struct neff *neff;
static struct program *prog;
static struct findings found;
static Metaneff__MetaTensor in, more_in, out;
static Metaneff__MetaTensor *ins[3] = { &in, &more_in }, *outs[1] = { &out };
static Metaneff__MetaNeff__OutputAliasesToEntry alias;
static Metaneff__MetaNeff__OutputAliasesToEntry *aliases[2] = { &alias, &alias };
static Metaneff__MetaNeff whole;
static int64_t shape[2], more_shape[2];
static char name_in[16], name_out[16];

static void text(ProtobufCBinaryData *b, char *s)
{
    b->data = (uint8_t *)s;
    b->len = strlen(s);
}

static void setup_contract(void)
{
    setup();
    e1_stored();
    found = (struct findings){ 0 };
    ck_assert_int_eq(neff_open_memory(image, image_len, NULL, &neff, &err), 0);
    ck_assert_int_eq(program_read(neff, NULL, &prog, &err), 0);
    metaneff__meta_tensor__init(&in);
    metaneff__meta_tensor__init(&out);
    metaneff__meta_tensor__init(&more_in);
    metaneff__meta_neff__init(&whole);
    metaneff__meta_neff__output_aliases_to_entry__init(&alias);
    strcpy(name_in, "input0");
    strcpy(name_out, "output0");
    shape[0] = more_shape[0] = 1;
    shape[1] = more_shape[1] = 32;
    text(&in.name, name_in);
    text(&out.name, name_out);
    in.shape = out.shape = shape;
    more_in.shape = more_shape;
    in.n_shape = out.n_shape = more_in.n_shape = 2;
    in.data_type = out.data_type = more_in.data_type = METANEFF__META_TENSOR__DATA_TYPE__FLOAT;
    in.type = METANEFF__META_TENSOR__TYPE__USER_INPUT;
    whole.input_tensors = ins;
    whole.output_tensors = outs;
    whole.n_input_tensors = whole.n_output_tensors = 1;
    whole.num_user_inputs = 1;
    whole.output_aliases_to = aliases;
}

static void teardown_contract(void)
{
    findings_free(&found);
    program_free(prog);
    neff_close(neff);
    teardown();
}

/* Writes the message, reads it and checks it; what is worse than a note stays in `found`. */
static void judge(void)
{
    size_t n = metaneff__meta_neff__get_packed_size(&whole);
    uint8_t *bytes = malloc(n + 1);
    findings_free(&found);
    found = (struct findings){ 0 };
    strbuf_free(&msg);
    metaneff_free(meta);
    put(bytes, metaneff__meta_neff__pack(&whole, bytes));
    free(bytes);
    ck_assert_int_eq(parse(), 0);
    ck_assert_int_eq(metaneff_check(meta, prog, &found, &err), 0);
}

static void expect_one(enum finding_level level, const char *place, const char *says)
{
    size_t n = 0;
    for (size_t i = 0; i < found.count; i++) {
        if (found.list[i].level == FINDING_NOTE && level != FINDING_NOTE)
            continue;
        if (found.list[i].level == level && strcmp(found.list[i].place, place) == 0 &&
            strstr(found.list[i].text, says))
            n++;
        else if (level != FINDING_NOTE)
            ck_abort_msg("unexpected: %s: %s", found.list[i].place, found.list[i].text);
    }
    ck_assert_msg(n == 1, "%zu findings at %s that say '%s'", n, place, says);
    ck_assert_str_eq(found.list[0].member, "m");
    ck_assert_int_eq(found.list[0].tier, 0);
}

START_TEST(contract_holds_for_e1)
{
    judge();
    ck_assert_int_eq(findings_exit_code(&found), 0);
    ck_assert_uint_eq(findings_count(&found, FINDING_WARNING), 0);
    expect_one(FINDING_NOTE, "input_tensors[0]", "bound to variable input (var id 0) by its place");
    expect_one(FINDING_NOTE, "output_tensors[0]", "bound to variable output (var id 2) by its place");
    long *i, *o;
    ck_assert_int_eq(metaneff_bind(meta, prog, &i, &o, &err), 0);
    ck_assert_int_eq(i[0], 0);
    ck_assert_int_eq(o[0], 2);
    free(i);
    free(o);
}
END_TEST

START_TEST(name_follows_the_place)
{
    strcpy(name_in, "input1");
    judge();
    expect_one(FINDING_RULE, "input_tensors[0].name",
               "found \"input1\"; the tensor at this place must be called input0");
    strcpy(name_in, "input0");
    strcpy(name_out, "out0");
    text(&out.name, name_out);
    judge();
    expect_one(FINDING_RULE, "output_tensors[0].name", "must be called output0");
    ck_assert_int_eq(findings_exit_code(&found), 1);
}
END_TEST

/* R6 with two inputs whose names and ordinals disagree. */
START_TEST(name_and_ordinal_must_lead_to_the_same_variable)
{
    struct prog_var *v = prog->vars;
    struct prog_name names[5];
    v[3].kind = VARK_INPUT; /* gradient_in becomes a second input */
    free(v[0].name);
    free(v[3].name);
    v[0].name = text_copy("input1");
    v[3].name = text_copy("input0");
    const size_t order[5] = { 1, 4, 3, 0, 2 }; /* SB gradient_out input0 input1 output */
    for (size_t i = 0; i < 5; i++)
        names[i] = (struct prog_name){ v[order[i]].name, order[i] };
    memcpy(prog->var_names, names, sizeof names);
    static char second[] = "input1";
    text(&more_in.name, second);
    more_in.type = METANEFF__META_TENSOR__TYPE__USER_INPUT;
    whole.n_input_tensors = 2;
    whole.num_user_inputs = 2;
    judge();
    ck_assert_uint_eq(findings_count(&found, FINDING_RULE), 2);
    ck_assert_str_eq(found.list[0].place, "input_tensors[0]");
    ck_assert_str_eq(found.list[0].text,
                     "has the name of variable input0 (var id 3) and the place of input1 (var id 0), "
                     "which is number 0 of type input");
    long *i, *o;
    ck_assert_int_eq(metaneff_bind(meta, prog, &i, &o, &err), 0);
    ck_assert_int_eq(i[0], 3); /* the name decides */
    ck_assert_int_eq(i[1], 0);
    free(i);
    free(o);
}
END_TEST

START_TEST(name_of_a_variable_of_another_type)
{
    struct prog_var *v = &prog->vars[4];
    free(v->name);
    v->name = text_copy("input0"); /* gradient_out; sorts between SB, gradient_in and input */
    for (size_t i = 0; i < prog->nvars; i++)
        if (prog->var_names[i].index == 4)
            prog->var_names[i].name = v->name;
    struct prog_name t = prog->var_names[2]; /* SB gradient_in gradient_out input output */
    prog->var_names[2] = prog->var_names[3];
    prog->var_names[3] = t;
    judge();
    expect_one(FINDING_RULE, "input_tensors[0]",
               "has the name of variable input0 (var id 4), which is of type tmp-buf");
}
END_TEST

START_TEST(sizes_and_types_must_agree)
{
    shape[1] = 33;
    judge();
    ck_assert_uint_eq(findings_count(&found, FINDING_RULE), 2); /* both tensors share the shape */
    ck_assert_str_eq(found.list[1].place, "input_tensors[0].shape");
    ck_assert_str_eq(found.list[1].text, "shape and type give 132 bytes; variable input (var id 0) has 128");
    shape[1] = 32;
    in.data_type = METANEFF__META_TENSOR__DATA_TYPE__INT32;
    judge();
    expect_one(FINDING_RULE, "input_tensors[0].data_type",
               "found INT32; variable input (var id 0) is float32");
    in.data_type = METANEFF__META_TENSOR__DATA_TYPE__UNDEFINED;
    judge();
    expect_one(FINDING_RULE, "input_tensors[0].data_type", "found UNDEFINED");
    in.data_type = (Metaneff__MetaTensor__DataType)40;
    judge();
    expect_one(FINDING_WARNING, "input_tensors[0].data_type", "the data type 40 is unknown");
    in.data_type = METANEFF__META_TENSOR__DATA_TYPE__FLOAT;
    shape[0] = -1;
    judge();
    ck_assert_str_eq(found.list[1].text, "dimension 0 is -1, expected 0 or more");
    shape[0] = INT64_MAX;
    judge();
    ck_assert_str_eq(found.list[1].text, "the size of the tensor does not fit in 64 bits");
}
END_TEST

START_TEST(dynamic_batch)
{
    in.allow_dynamic_batch_size = 1;
    in.shape = more_shape;
    more_shape[0] = -1; /* replaced per call */
    judge();
    ck_assert_int_eq(findings_exit_code(&found), 0);
    more_shape[1] = 31;
    judge();
    expect_one(FINDING_RULE, "input_tensors[0].shape", "one element of the batch has 124 bytes");
    in.n_shape = 0;
    judge();
    ck_assert_str_eq(found.list[1].place, "input_tensors[0].shape");
    ck_assert_str_eq(found.list[1].text, "Scalar tensor cannot have allow_dynamic_batch_size=True");
}
END_TEST

START_TEST(every_variable_needs_a_tensor_and_every_tensor_a_variable)
{
    whole.n_output_tensors = 0;
    judge();
    expect_one(FINDING_RULE, "output_tensors",
               "there is no tensor for variable output (var id 2), number 0 of type output");
    whole.n_output_tensors = 1;
    static char second[] = "input1";
    text(&more_in.name, second);
    more_in.type = METANEFF__META_TENSOR__TYPE__USER_INPUT;
    whole.n_input_tensors = 2;
    whole.num_user_inputs = 2;
    judge();
    expect_one(FINDING_RULE, "input_tensors[1]",
               "2 tensors for 1 variables of type input, none is called input1");
    more_in.type = METANEFF__META_TENSOR__TYPE__INPUT_WEIGHT;
    whole.num_user_inputs = 1;
    whole.num_weights = 1;
    judge();
    expect_one(FINDING_RULE, "input_tensors[1]", "1 tensors for 0 variables of type file");
}
END_TEST

/* E1 has one state-buffer variable: a state binds to it, whatever its size. */
START_TEST(state_binds_to_the_state_buffer)
{
    static char second[] = "input1", key[] = "k";
    text(&more_in.name, second);
    more_in.type = METANEFF__META_TENSOR__TYPE__INPUT_STATE;
    more_in.checkpoint_key_presence_case = METANEFF__META_TENSOR__CHECKPOINT_KEY_PRESENCE_CHECKPOINT_KEY;
    text(&more_in.checkpoint_key, key);
    whole.n_input_tensors = 2;
    whole.num_states = 1;
    judge();
    ck_assert_int_eq(findings_exit_code(&found), 0);
    expect_one(FINDING_NOTE, "input_tensors[1]", "bound to variable SB (var id 1)");
    more_in.checkpoint_key_presence_case = METANEFF__META_TENSOR__CHECKPOINT_KEY_PRESENCE__NOT_SET;
    judge();
    expect_one(FINDING_WARNING, "input_tensors[1].checkpoint_key", "no checkpoint_key");
    whole.num_states = 0;
    more_in.checkpoint_key_presence_case = METANEFF__META_TENSOR__CHECKPOINT_KEY_PRESENCE_CHECKPOINT_KEY;
    judge();
    expect_one(FINDING_RULE, "num_states", "found 0; input_tensors has 1 of type INPUT_STATE");
}
END_TEST

START_TEST(counts)
{
    whole.num_user_inputs = 2;
    judge();
    expect_one(FINDING_RULE, "num_user_inputs", "found 2; input_tensors has 1 of type USER_INPUT");
    whole.num_user_inputs = -1;
    judge();
    expect_one(FINDING_RULE, "num_user_inputs", "found -1");
    whole.num_user_inputs = 0;
    judge();
    expect_one(FINDING_WARNING, "num_user_inputs", "absent");
}
END_TEST

START_TEST(aliases_are_in_range_and_of_equal_size)
{
    whole.n_output_aliases_to = 1;
    judge();
    ck_assert_int_eq(findings_exit_code(&found), 0);
    alias.key = 1;
    judge();
    expect_one(FINDING_RULE, "output_aliases_to[1]", "there is no output 1, output_tensors has 1");
    alias.key = -1;
    judge();
    expect_one(FINDING_RULE, "output_aliases_to[-1]", "there is no output -1");
    alias.key = 0;
    alias.value = 1;
    judge();
    expect_one(FINDING_RULE, "output_aliases_to[0]", "there is no input 1, input_tensors has 1");
    alias.value = 0;
    whole.n_output_aliases_to = 2;
    judge();
    expect_one(FINDING_WARNING, "output_aliases_to[0]", "second entry");
    static char second[] = "input1";
    text(&more_in.name, second);
    more_in.type = METANEFF__META_TENSOR__TYPE__INPUT_STATE;
    more_in.checkpoint_key_presence_case = METANEFF__META_TENSOR__CHECKPOINT_KEY_PRESENCE_CHECKPOINT_KEY;
    more_shape[1] = 8;
    whole.n_input_tensors = 2;
    whole.num_states = 1;
    whole.n_output_aliases_to = 1;
    alias.value = 1;
    judge();
    expect_one(FINDING_RULE, "output_aliases_to[0]",
               "output 0 has 128 bytes and reuses the buffer of input 1, which has 32");
}
END_TEST

START_TEST(undefined_and_unknown_types_are_user_inputs_with_a_warning)
{
    in.type = METANEFF__META_TENSOR__TYPE__UNDEFINED_TYPE;
    whole.num_user_inputs = 0;
    judge();
    ck_assert_int_eq(findings_exit_code(&found), 0);
    ck_assert_uint_eq(findings_count(&found, FINDING_WARNING), 2); /* the type, and no counts */
    in.type = (Metaneff__MetaTensor__Type)7;
    judge();
    ck_assert_int_eq(findings_exit_code(&found), 0);
    out.type = METANEFF__META_TENSOR__TYPE__INPUT_STATE;
    in.type = METANEFF__META_TENSOR__TYPE__USER_INPUT;
    whole.num_user_inputs = 1;
    judge();
    expect_one(FINDING_WARNING, "output_tensors[0].type", "found INPUT_STATE on an output");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("metaneff");
    TCase *t = tcase_create("bytes");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, worked_example_reads);
    tcase_add_test(t, empty_message_is_a_metaneff);
    tcase_add_test(t, single_elements_and_explicit_zeros_are_read);
    tcase_add_test(t, presence_of_keys_is_kept);
    tcase_add_test(t, every_other_field_is_read);
    tcase_add_test(t, unknown_enums_are_kept_and_unknown_fields_skipped);
    tcase_add_test(t, element_sizes);
    tcase_add_test(t, size_of_a_negative_dimension_is_none);
    tcase_add_test(t, every_cut_of_the_example_is_refused_at_its_place);
    tcase_add_test(t, huge_lengths_are_refused);
    tcase_add_test(t, varints_are_bounded);
    tcase_add_test(t, packed_shape_with_a_cut_element_is_refused);
    tcase_add_test(t, wire_types_are_checked);
    tcase_add_test(t, deep_nesting_is_refused);
    tcase_add_test(t, memory_is_bounded);
    suite_add_tcase(s, t);
    t = tcase_create("contract");
    tcase_add_checked_fixture(t, setup_contract, teardown_contract);
    tcase_add_test(t, contract_holds_for_e1);
    tcase_add_test(t, name_follows_the_place);
    tcase_add_test(t, name_and_ordinal_must_lead_to_the_same_variable);
    tcase_add_test(t, name_of_a_variable_of_another_type);
    tcase_add_test(t, sizes_and_types_must_agree);
    tcase_add_test(t, dynamic_batch);
    tcase_add_test(t, every_variable_needs_a_tensor_and_every_tensor_a_variable);
    tcase_add_test(t, state_binds_to_the_state_buffer);
    tcase_add_test(t, counts);
    tcase_add_test(t, aliases_are_in_range_and_of_equal_size);
    tcase_add_test(t, undefined_and_unknown_types_are_user_inputs_with_a_warning);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
