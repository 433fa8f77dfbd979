/*
 * The manifest rules of neff-container.md §8 to §18. Each case takes the members of E1 (and a few more),
 * changes one text in one of them, packs that in memory and demands a sentence at a place. `old` must occur
 * exactly once in the member.
 */
#include "e1.h"

struct edit {
    const char *member, *old, *new;
};

static struct neff *base;
static char last_warning[600];
static int warnings;

static void warn(void *ctx, const char *where, const char *text)
{
    (void)ctx;
    warnings++;
    snprintf(last_warning, sizeof last_warning, "%s: %s", where, text);
}

static void setup(void)
{
    e1_stored();
    ck_assert_int_eq(neff_open_memory(image, image_len, NULL, &base, &err), 0);
}

static void teardown(void)
{
    neff_close(base);
    e1_free();
}

static char *replaced(const struct neff_member *m, const struct edit *e)
{
    char *text = text_copy_n((const char *)m->data, m->size);
    char *at = strstr(text, e->old);
    ck_assert_msg(at != NULL, "%s lacks %s", m->name, e->old);
    ck_assert_msg(strstr(at + 1, e->old) == NULL, "%s has %s twice", m->name, e->old);
    char *result = text_printf("%.*s%s%s", (int)(at - text), text, e->new, at + strlen(e->old));
    free(text);
    return result;
}

/* E1 with up to two edits and one extra member (or, with data NULL, without the member of that name). */
static int read_edited(const struct edit *edits, size_t n, const struct neff_file *extra, struct program **p,
                       struct neff **neff)
{
    struct neff_file files[32];
    struct neff_pack_settings s;
    char *texts[32] = { NULL };
    size_t count = 0;
    uint8_t *packed;
    size_t len;
    struct neff_options opt = { .warn = warn };
    for (size_t i = 0; i < neff_member_count(base); i++) {
        const struct neff_member *m = neff_member_at(base, i);
        if (extra && strcmp(extra->name, m->name) == 0)
            continue;
        files[count] = (struct neff_file){ m->name, m->data, m->size };
        for (size_t e = 0; e < n; e++)
            if (strcmp(edits[e].member, m->name) == 0) {
                texts[count] = replaced(m, &edits[e]);
                files[count].data = texts[count];
                files[count].size = strlen(texts[count]);
            }
        count++;
    }
    if (extra && extra->data)
        files[count++] = *extra;
    neff_pack_defaults(&s);
    memset(&err, 0, sizeof err);
    warnings = 0;
    ck_assert_msg(neff_pack_memory(files, count, &s, &packed, &len, &err) == 0, "%s: %s", err.where,
                  err.text);
    ck_assert_int_eq(neff_open_memory(packed, len, &opt, neff, &err), 0);
    free(packed);
    for (size_t i = 0; i < 32; i++)
        free(texts[i]);
    int rc = program_read(*neff, NULL, p, &err);
    if (rc)
        neff_close(*neff);
    return rc;
}

#define NEFF_JSON "neff.json"
#define KELF      "kelf-a.json"
#define DEF       "sg00/def.json"
#define POOL      "sg00/pool.json"
#define ACT       "sg00/act.json"

#define SB_VAR    "\"type\": \"state-buffer\",\n      \"var_id\": 1"
#define GOUT      "\"size\": 128,\n      \"type\": \"tmp-buf\",\n      \"var_id\": 4"
#define QIN       "\"semaphore\": 10,\n      \"type\": \"in\""
#define FIRST_FROM                                                                                           \
    "\"from\": \"input\",\n          \"from_off\": 0,\n          \"from_sizes\": [\n            128,\n     " \
    "       1\n          ],\n          \"from_steps\": [\n            1,\n            128\n          ]"
#define RESERVED "\"runtime_statebuffer_reservation\": []"

static const struct refusal {
    struct edit edit;
    int code;
    const char *where, *text; /* parts */
} refusals[] = {
    /* §8: JSON and the chain */
    { { DEF, "{\n  \"act\"", "{,\n  \"act\"" }, NERR_INPUT, "sg00/def.json 1:2", "not JSON" },
    { { DEF, "\"version\": \"0.6-\"\n}", "\"version\": \"0.6-\"\n} x" },
      NERR_INPUT,
      "sg00/def.json",
      "nothing after the value" },
    /* §9: neff.json */
    { { NEFF_JSON, "\"heads\"", "\"Heads\"" },
      NERR_RULE,
      "neff.json heads",
      "Missing required fields in NEFF JSON" },
    { { NEFF_JSON, "\"dltype\"", "\"dtype\"" },
      NERR_RULE,
      "neff.json attrs",
      "Missing dltype or shape in attrs" },
    { { NEFF_JSON, "\"list_str\",\n      [\n        \"float32\",\n        \"float32\"\n      ]",
        "\"list_str\", 5" },
      NERR_RULE,
      "neff.json attrs.dltype",
      "Invalid dltype data format" },
    { { NEFF_JSON, "\"list_shape\",\n", "\"list_shape\", 1,\n" },
      NERR_RULE,
      "neff.json attrs.shape",
      "Invalid shape data format" },
    { { NEFF_JSON, "\"heads\": [\n    [\n      1", "\"heads\": [\n    [\n      2" },
      NERR_RULE,
      "neff.json heads[0]",
      "Output node ID 2 out of bounds" },
    { { NEFF_JSON, "\"arg_nodes\": [\n    0", "\"arg_nodes\": [\n    7" },
      NERR_RULE,
      "neff.json arg_nodes[0]",
      "Input node ID 7 out of bounds" },
    { { NEFF_JSON, "\"node_row_ptr\": [\n    0,\n    1,\n    2",
        "\"node_row_ptr\": [\n    0,\n    9,\n    2" },
      NERR_RULE,
      "neff.json heads[0]",
      "EID 9 out of bounds for dtypes/shapes" },
    { { NEFF_JSON, "\"node_row_ptr\": [\n    0,", "\"node_row_ptr\": [\n" },
      NERR_RULE,
      "neff.json node_row_ptr",
      "has 2 entries" },
    { { NEFF_JSON, "\"shape\": [\n      \"list_shape\",\n      [\n        [\n          32",
        "\"shape\": [\n      \"list_shape\",\n      [\n        "
        "[\n1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,32" },
      NERR_RULE,
      "neff.json attrs.shape[1][0]",
      "Too many dimensions (33)" },
    { { NEFF_JSON, "\"shape\": [\n      \"list_shape\",\n      [\n        [\n          32",
        "\"shape\": [\n      \"list_shape\",\n      [\n        [\n4294967295,4294967295,32" },
      NERR_RULE,
      "neff.json attrs.shape[1][0]",
      "does not fit 64 bits" },
    { { NEFF_JSON, "\"__kelf\"", "\"__kelp\"" },
      NERR_RULE,
      "neff.json nodes",
      "No KELF node found in NEFF JSON" },
    { { NEFF_JSON, "\"kelf\": ", "\"kelp\": " },
      NERR_RULE,
      "neff.json nodes[1].attrs",
      "KELF node found but missing 'kelf' attribute" },
    { { NEFF_JSON, "\"kelf\": \"kelf-a.json\"", "\"kelf\": 1" },
      NERR_RULE,
      "neff.json nodes[1].attrs.kelf",
      "KELF attribute is not a string" },
    { { NEFF_JSON, "\"kelf\": \"kelf-a.json\"", "\"kelf\": \"kelf-b.json\"" },
      NERR_RULE,
      "kelf-b.json",
      "missing from the NEFF" },
    /* §10: kelf */
    { { KELF, "\"0.5\"", "\"05\"" }, NERR_RULE, "kelf-a.json version", "invalid string (.) in 05" },
    { { KELF, "  \"version\": \"0.5\",\n", "" }, NERR_RULE, "kelf-a.json", "\"version\" is missing" },
    { { KELF, "\"*\"", "\"trn9\"" }, NERR_RULE, "kelf-a.json target", "Invalid target 'trn9'" },
    { { KELF, "\"*\"", "5" }, NERR_RULE, "kelf-a.json target", "found 5, expected a string" },
    { { KELF, "\"graphs\"", "\"Graphs\"" }, NERR_RULE, "kelf-a.json", "\"graphs\" is missing" },
    { { KELF, "\"name\": \"sg00\"\n    }",
        "\"name\": \"sg00\"\n    }, {\"name\": \"sg00\", \"definition\": \"x\"}" },
      NERR_RULE,
      "kelf-a.json graphs[1].name",
      "used twice" },
    { { KELF, "    {\n      \"definition\": \"sg00/def.json\",\n      \"name\": \"sg00\"\n    }\n", "" },
      NERR_RULE,
      "kelf-a.json graphs",
      "no graphs" },
    { { KELF, "sg00/def.json", "sg01/def.json" }, NERR_RULE, "sg01/def.json", "missing from the NEFF" },
    /* §11, §12: variables */
    { { DEF, "\"var\"", "\"Var\"" }, NERR_RULE, "sg00/def.json", "\"var\" is missing" },
    { { DEF, "    \"SB\": {\n      " SB_VAR "\n    },\n", "" },
      NERR_RULE,
      "sg00/def.json var",
      "Unexpected var_ids set! max=4, size=4" },
    { { DEF, "\"var_id\": 1", "\"var_id\": 2" },
      NERR_RULE,
      "sg00/def.json var",
      "Unexpected var_ids set! max=4, size=5" },
    { { DEF, "\"var_id\": 3", "\"var_id\": 4" },
      NERR_RULE,
      "sg00/def.json var",
      "Unexpected var_ids set! max=4, size=5" },
    { { DEF, "\"var_id\": 4", "\"var_id\": 3" },
      NERR_RULE,
      "sg00/def.json var",
      "Unexpected var_ids set! max=3, size=5" },
    { { DEF, "\"type\": \"state-buffer\",\n      \"var_id\": 1", "\"type\": \"state-buffer\"" },
      NERR_RULE,
      "sg00/def.json var.SB",
      "missing <var_id>" },
    { { DEF, "\"var_id\": 1", "\"var_id\": 1.0" },
      NERR_RULE,
      "sg00/def.json var.SB.var_id",
      "found 1.0, expected an integer" },
    { { DEF, "\"var_id\": 1", "\"var_id\": -1" }, NERR_RULE, "sg00/def.json var.SB.var_id", "found -1" },
    { { DEF, "\"var_id\": 1", "\"var_id\": \"1\"" },
      NERR_RULE,
      "sg00/def.json var.SB.var_id",
      "found the string \"1\"" },
    { { DEF, "\"type\": \"state-buffer\",\n", "" },
      NERR_RULE,
      "sg00/def.json var.SB",
      "Failed to parse, key: type" },
    { { DEF, "\"state-buffer\"", "\"shared\"" },
      NERR_RULE,
      "sg00/def.json var.SB.type",
      "Invalid var type shared" },
    { { DEF, "\"type\": \"output\",\n      \"var_id\": 2", "\"type\": \"tmp-buf\",\n      \"var_id\": 2" },
      NERR_RULE,
      "sg00/def.json var",
      "no Outputs" },
    { { DEF, GOUT, "\"type\": \"tmp-buf\",\n      \"var_id\": 4" },
      NERR_RULE,
      "sg00/def.json var.gradient_out",
      "\"size\" is missing" },
    { { DEF, GOUT, "\"size\": 0,\n      \"type\": \"tmp-buf\",\n      \"var_id\": 4" },
      NERR_RULE,
      "var.gradient_out.size",
      "found 0" },
    { { DEF, "\"var_id\": 4", "\"var_id\": 4, \"alignment\": 48" },
      NERR_RULE,
      "var.gradient_out.alignment",
      "alignment provided not power of 2. alignment=48" },
    { { DEF, "\"var_id\": 4", "\"var_id\": 4, \"alignment\": 0" },
      NERR_RULE,
      "var.gradient_out.alignment",
      "alignment=0" },
    { { DEF, "\"var_id\": 4", "\"var_id\": 4, \"dtype\": \"sixteen_letters_\"" },
      NERR_RULE,
      "var.gradient_out.dtype",
      "more than 15 characters" },
    { { DEF, "\"var_id\": 4", "\"var_id\": 4, \"shape\": [1,1,1,1,1,1,1,1,1]" },
      NERR_RULE,
      "var.gradient_out.shape",
      "has 9 dimensions" },
    { { DEF, "\"var_id\": 4", "\"var_id\": 4, \"shape\": [1,\"2\"]" },
      NERR_RULE,
      "var.gradient_out.shape[1]",
      "found the string \"2\"" },
    { { DEF, "\"SB\": {\n      " SB_VAR "\n    }", "\"SB\": 1" },
      NERR_RULE,
      "sg00/def.json var.SB",
      "expected an object" },
    { { DEF, SB_VAR, "\"type\": \"pointer\", \"size\": 4, \"var_id\": 1" },
      NERR_RULE,
      "var.SB.size",
      "found 4, expected an integer from 8 to 8" },
    { { DEF, SB_VAR, "\"type\": \"pointer\", \"size\": 8, \"var_id\": 1" },
      NERR_RULE,
      "var.SB",
      "\"referenced_var_id\" is missing" },
    { { DEF, SB_VAR, "\"type\": \"pointer\", \"size\": 8, \"referenced_var_id\": 5, \"var_id\": 1" },
      NERR_RULE,
      "var.SB.referenced_var_id",
      "there are only 5 variables" },
    { { DEF, SB_VAR, "\"type\": \"pointer\", \"size\": 8, \"referenced_var_id\": 1, \"var_id\": 1" },
      NERR_RULE,
      "var.SB.referenced_var_id",
      "form a loop" },
    { { DEF, SB_VAR, "\"type\": \"virtual\", \"size\": 8, \"backing_buf\": \"far\", \"var_id\": 1" },
      NERR_RULE,
      "var.SB.backing_buf",
      "expected local, shared, sharded or main" },
    { { DEF, SB_VAR, "\"type\": \"virtual\", \"var_id\": 1" }, NERR_RULE, "var.SB", "\"size\" is missing" },
    { { DEF, SB_VAR, "\"type\": \"list\", \"var_id\": 1" },
      NERR_RULE,
      "var.SB",
      "Failed to parse, key: list" },
    { { DEF, SB_VAR, "\"type\": \"list\", \"list\": [1.5], \"var_id\": 1" },
      NERR_RULE,
      "var.SB.list[0]",
      "found 1.5" },
    { { DEF, SB_VAR, "\"type\": \"file\", \"var_id\": 1" }, NERR_RULE, "var.SB", "\"file_name\" is missing" },
    { { DEF, SB_VAR, "\"type\": \"file\", \"file_name\": \"w.bin\", \"var_id\": 1" },
      NERR_RULE,
      "var.SB.file_name",
      "Failed to get neff weight content for sg00/w.bin" },
    /* §13: queues */
    { { DEF, "\"owner\": \"pool\",\n      \"semaphore\": 10",
        "\"owner\": \"gpu\",\n      \"semaphore\": 10" },
      NERR_RULE,
      "dma_queue.q_gradient_in.owner",
      "Invalid owner 'gpu' for DMA queue q_gradient_in" },
    { { DEF, QIN, "\"semaphore\": 10" },
      NERR_RULE,
      "dma_queue.q_gradient_in",
      "missing <type> in q_gradient_in" },
    { { DEF, QIN, "\"semaphore\": 10, \"type\": \"inout\"" },
      NERR_RULE,
      "dma_queue.q_gradient_in.type",
      "found \"inout\"" },
    { { DEF, QIN, "\"semaphore\": 256, \"type\": \"in\"" },
      NERR_RULE,
      "dma_queue.q_gradient_in.semaphore",
      "from 0 to 255" },
    { { DEF, QIN, QIN ", \"num_queues\": 2" },
      NERR_RULE,
      "dma_queue.q_gradient_in.num_queues",
      "Invalid Neff: Queue set instances are not supported for input queues (q_gradient_in)" },
    { { DEF, QIN, QIN ", \"num_queues\": 0" }, NERR_RULE, "dma_queue.q_gradient_in.num_queues", "found 0" },
    { { DEF, QIN,
        QIN ", \"semaphore_set\": "
            "[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32]" },
      NERR_RULE,
      "semaphore_set",
      "Runtime supports maximum of 32 semaphores per queue set, found: 33" },
    { { DEF, QIN, QIN ", \"dge\": 1" }, NERR_RULE, "dma_queue.q_gradient_in.dge", "expected true or false" },
    { { DEF, QIN,
        QIN " }, \"a1\": {\"owner\": \"act\", \"type\": \"act_load\"}, \"a2\": {\"owner\": \"act\", "
            "\"type\": \"act_load\"" },
      NERR_RULE,
      "dma_queue.a2.type",
      "one act_load queue" },
    { { DEF, QIN,
        QIN " }, \"e1\": {\"owner\": \"act\", \"type\": \"embedding_update\", \"semaphore\": 3}, \"e2\": "
            "{\"owner\": \"act\", \"semaphore\": 3, \"type\": \"embedding_update\"" },
      NERR_RULE,
      "dma_queue.e2.semaphore",
      "semaphore 3 belongs" },
    { { DEF, "\"dma_queue\": {", "\"dma_queue\": [], \"x\": {" },
      NERR_RULE,
      "sg00/def.json dma_queue",
      "found an array, expected an object" },
    /* §15 to §17 */
    { { DEF, RESERVED, RESERVED ", \"ucode_lib\": \"none.json\"" },
      NERR_RULE,
      "sg00/def.json ucode_lib",
      "missing from the NEFF" },
    { { DEF, RESERVED, RESERVED ", \"ucode_lib\": [{\"library\": \"pe.bin\"}]" },
      NERR_RULE,
      "ucode_lib[0]",
      "Missing GPSIMD lib version!" },
    { { DEF, RESERVED,
        RESERVED ", \"ucode_lib\": [{\"library\": \"pe.bin\", \"ulib_to_ucode_version\": \"2.0\"}]" },
      NERR_RULE,
      "ucode_lib[0].ulib_to_ucode_version",
      "Mismatch between GPSIMD lib version and NRT version!" },
    { { DEF, RESERVED,
        RESERVED ", \"ucode_lib\": [{\"library\": \"pe.bin\", \"ulib_to_ucode_version\": \"1.0\", "
                 "\"cpu_id\": 1, \"total_cpus\": 1, \"functions\": []}]" },
      NERR_RULE,
      "ucode_lib[0].cpu_id",
      "cpu_id == 0" },
    { { DEF, RESERVED,
        RESERVED ", \"ucode_lib\": [{\"library\": \"pe.bin\", \"ulib_to_ucode_version\": \"1.0\", "
                 "\"cpu_id\": 0, \"total_cpus\": 4, \"functions\": []}]" },
      NERR_RULE,
      "ucode_lib[0].total_cpus",
      "invalid number of total cpus 4" },
    { { DEF, RESERVED,
        RESERVED ", \"ucode_lib\": [{\"library\": \"no.so\", \"ulib_to_ucode_version\": \"1.0\"}]" },
      NERR_RULE,
      "ucode_lib[0].library",
      "no.so" },
    { { DEF, RESERVED, "\"runtime_statebuffer_reservation\": {}" },
      NERR_RULE,
      "runtime_statebuffer_reservation",
      "expected an array" },
    { { DEF, RESERVED, "\"runtime_statebuffer_reservation\": [{\"type\": \"evaccel\"}]" },
      NERR_RULE,
      "runtime_statebuffer_reservation[0].type",
      "Invalid runtime_statebuffer_reservation type evaccel" },
    { { DEF, RESERVED, RESERVED ", \"num_streams\": 1.5" }, NERR_RULE, "num_streams", "found 1.5" },
    { { DEF, RESERVED, RESERVED ", \"fp8_conversion_config\": {\"ocp_sat\": 1}" },
      NERR_RULE,
      "fp8_conversion_config.ocp_sat",
      "true or false" },
    { { DEF, "\"replica_groups\": [\n    []", "\"replica_groups\": [\n    [[0, \"1\"]]" },
      NERR_RULE,
      "replica_groups[0][0][1]",
      "found the string" },
    { { DEF, "\"replica_groups\": [\n    []", "\"replica_groups\": [\n    [0]" },
      NERR_RULE,
      "replica_groups[0][0]",
      "expected an array" },
    /* §14: engines, blocks, descriptors */
    { { DEF, "\"pool\": \"pool.json\"", "\"pool\": \"pol.json\"" },
      NERR_RULE,
      "sg00/def.json pool",
      "sg00/pol.json, which is missing" },
    { { DEF, "\"pool\": \"pool.json\"", "\"pool\": 1" },
      NERR_RULE,
      "sg00/def.json pool",
      "expected a string" },
    { { POOL, "\"instr\": \"pool.bin\",\n", "" }, NERR_RULE, "sg00/pool.json", "\"instr\" is missing" },
    { { POOL, "\"pool.bin\"", "\"pol.bin\"" },
      NERR_RULE,
      "sg00/pool.json instr",
      "sg00/pol.bin, which is missing" },
    { { POOL, "\"queue\": \"q_gradient_out\"", "\"queue\": \"q\"" },
      NERR_RULE,
      "sg00/pool.json dma[1].queue",
      "there is no dma_queue \"q\"" },
    { { POOL, "\"queue\": \"q_gradient_out\"", "\"queue\": \"q_gradient_in\"" },
      NERR_RULE,
      "sg00/pool.json",
      "dma[1].id: queue q_gradient_in has two blocks with id 0" },
    { { POOL, "\"id\": 0,\n      \"queue\": \"q_gradient_out\"", "\"queue\": \"q_gradient_out\"" },
      NERR_RULE,
      "sg00/pool.json dma[1]",
      "\"id\" is missing" },
    { { POOL, "\"from\": \"input\"", "\"from\": \"imput\"" },
      NERR_RULE,
      "sg00/pool.json dma[0].desc[0].from",
      "there is no variable \"imput\"" },
    { { POOL, FIRST_FROM, "\"from\": \"input\", \"from_sizes\": [0], \"from_steps\": [1]" },
      NERR_RULE,
      "dma[0].desc[0].from_sizes[0]",
      "Size cannot be 0" },
    { { POOL, FIRST_FROM, "\"from\": \"input\", \"from_sizes\": [64], \"from_steps\": [1]" },
      NERR_RULE,
      "dma[0].desc[0]",
      "the from side has 64 bytes, the to side 128" },
    { { POOL, FIRST_FROM, "\"from\": \"input\", \"from_sizes\": [128, 2], \"from_steps\": [1, 0]" },
      NERR_RULE,
      "dma[0].desc[0]",
      "the from side has 256 bytes, the to side 128" },
    { { POOL, FIRST_FROM, "\"from\": \"input\", \"from_sizes\": [64, 2], \"from_steps\": [1]" },
      NERR_RULE,
      "dma[0].desc[0].from_steps",
      "has 1 entries, from_sizes has 2" },
    { { POOL, FIRST_FROM, "\"from\": \"input\", \"from_sizes\": [], \"from_steps\": []" },
      NERR_RULE,
      "dma[0].desc[0].from_sizes",
      "has 0 dimensions" },
    { { POOL, FIRST_FROM,
        "\"from\": \"input\", \"from_sizes\": [128,1,1,1,1,1,1,1,1], \"from_steps\": [1,1,1,1,1,1,1,1,1]" },
      NERR_RULE,
      "dma[0].desc[0].from_sizes",
      "has 9 dimensions" },
    { { POOL, FIRST_FROM, "\"from\": \"input\", \"from_sizes\": [128]" },
      NERR_RULE,
      "dma[0].desc[0]",
      "\"from_steps\" is missing" },
    { { POOL, FIRST_FROM, "\"from\": \"input\"" }, NERR_RULE, "dma[0].desc[0]", "\"size\" is missing" },
    { { POOL, FIRST_FROM,
        "\"from\": \"input\", \"from_off\": 1, \"from_sizes\": [128], \"from_steps\": [1]" },
      NERR_RULE,
      "dma[0].desc[0]",
      "invalid offset in input, 128 < (1 + 128)" },
    { { POOL, FIRST_FROM,
        "\"from\": \"input\", \"from_off\": 18446744073709551615, \"from_sizes\": [128], \"from_steps\": "
        "[1]" },
      NERR_RULE,
      "dma[0].desc[0]",
      "invalid offset in input" },
    { { POOL, FIRST_FROM, "\"from\": \"input\", \"from_sizes\": [4, 32], \"from_steps\": [1, 5]" },
      NERR_RULE,
      "dma[0].desc[0]",
      "invalid offset in input, 128 < (0 + 159)" },
    { { POOL, FIRST_FROM,
        "\"from\": \"input\", \"from_off\": 126, \"from_sizes\": [128], \"from_steps\": [-1]" },
      NERR_RULE,
      "dma[0].desc[0]",
      "reaches 1 bytes below the variable" },
    { { POOL, FIRST_FROM,
        "\"from\": \"input\", \"from_sizes\": [64, 2], \"from_steps\": [1, 9223372036854775807]" },
      NERR_RULE,
      "dma[0].desc[0]",
      "invalid offset in input" },
    { { POOL, FIRST_FROM,
        "\"from\": \"input\", \"from_sizes\": [4294967296, 4294967296], \"from_steps\": [0, 0]" },
      NERR_RULE,
      "dma[0].desc[0].from_sizes",
      "does not fit 64 bits" },
    { { POOL, FIRST_FROM, "\"op\": \"xor\", " FIRST_FROM },
      NERR_RULE,
      "dma[0].desc[0].op",
      "Unknown dma operation: xor" },
    { { POOL, FIRST_FROM, "\"op\": \"add\", " FIRST_FROM },
      NERR_RULE,
      "dma[0].desc[0].to_dtype",
      "Invalid cce desc ap without dtype" },
    { { POOL, FIRST_FROM, "\"scale_dtype\": \"int8\", " FIRST_FROM },
      NERR_RULE,
      "dma[0].desc[0].scale_dtype",
      "expected \"float32\"" },
    { { POOL, FIRST_FROM, "\"from_arr\": []" }, NERR_RULE, "dma[0].desc[0].from_arr", "has 0 sources" },
    { { ACT, "\"act_semaphore\": 9", "\"act_semaphore\": 256" },
      NERR_RULE,
      "sg00/act.json act_semaphore",
      "found 256" },
    { { ACT, "\"activation_function_sets\": []", "\"activation_function_sets\": 1" },
      NERR_RULE,
      "sg00/act.json activation_function_sets",
      "expected an array" },
    { { "sg00/dve.json", "\"dma\": []", "\"dma\": [], \"dve_tables\": {\"opcode_table\": \"t.bin\"}" },
      NERR_RULE,
      "sg00/dve.json dve_tables.opcode_table",
      "sg00/t.bin" },
};

START_TEST(a_broken_rule_is_refused_at_its_place)
{
    const struct refusal *r = &refusals[_i];
    struct program *p;
    struct neff *n;
    int rc = read_edited(&r->edit, 1, NULL, &p, &n);
    ck_assert_msg(rc != 0, "accepted: %s", r->edit.new);
    ck_assert_msg(strstr(err.where, r->where) && strstr(err.text, r->text), "%s -> \"%s\": \"%s\"",
                  r->edit.new, err.where, err.text);
    ck_assert_int_eq(rc, r->code);
    ck_assert_int_eq(err.runtime_code, 2);
}
END_TEST

static struct program *accept(const struct edit *e, size_t count, const struct neff_file *extra,
                              struct neff **n)
{
    struct program *p;
    int rc = read_edited(e, count, extra, &p, n);
    ck_assert_msg(rc == 0, "%s: %s", err.where, err.text);
    return p;
}

static void done(struct program *p, struct neff *n)
{
    program_free(p);
    neff_close(n);
}

START_TEST(row_16_without_neff_json)
{
    struct program *p;
    struct neff *n;
    ck_assert_int_eq(read_edited(NULL, 0, &(struct neff_file){ "neff.json", NULL, 0 }, &p, &n), NERR_RULE);
    ck_assert_int_eq(err.gate, 16);
    ck_assert_int_eq(err.runtime_code, 2);
    ck_assert_str_eq(err.text, "Invalid NN: , neff.json is missing");
}
END_TEST

START_TEST(kelp_json_is_the_fallback)
{
    const struct neff_member *m = neff_find(base, "neff.json");
    struct neff_file files[] = { { "kelp.json", m->data, m->size } };
    struct neff_pack_settings s;
    struct neff *n;
    uint8_t *packed;
    size_t len, count;
    const char **graphs;
    neff_pack_defaults(&s);
    ck_assert_int_eq(neff_pack_memory(files, 1, &s, &packed, &len, &err), 0);
    ck_assert_int_eq(neff_open_memory(packed, len, NULL, &n, &err), 0);
    ck_assert_int_eq(program_graphs(n, &graphs, &count, &err), NERR_RULE);
    ck_assert_str_eq(err.where, "kelf-a.json"); /* found the head, went on to the next link */
    neff_close(n);
    free(packed);
}
END_TEST

START_TEST(an_unknown_graph_is_an_argument_error)
{
    struct program *p;
    ck_assert_int_eq(program_read(base, "sg07", &p, &err), NERR_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "sg07"));
    ck_assert_int_eq(program_read(base, "sg00", &p, &err), 0);
    program_free(p);
}
END_TEST

START_TEST(absent_debug_members_and_unknown_keys_are_tolerated)
{
    struct neff *n;
    struct edit e[] = { { DEF, "\"act\": \"act.json\"",
                          "\"#note\": 1, \"later\": {\"x\": []}, \"act\": \"act.json\"" } };
    struct program *p = accept(e, 1, NULL, &n);
    ck_assert_uint_eq(p->nvars, 5);
    done(p, n);
}
END_TEST

START_TEST(a_missing_engine_key_is_an_empty_placeholder)
{
    struct neff *n;
    struct edit e[] = { { DEF, "\"sp\": \"sp.json\",\n", "" } };
    struct program *p = accept(e, 1, NULL, &n);
    ck_assert(!p->engines[ENG_SP].present);
    ck_assert_ptr_null(p->engines[ENG_SP].json_name);
    ck_assert_uint_eq(p->engines[ENG_SP].code_size, 0);
    ck_assert_int_eq(warnings, 1);
    ck_assert_ptr_nonnull(strstr(last_warning, "Engine sp not found in NEFF , using empty placeholder"));
    done(p, n);
}
END_TEST

START_TEST(a_program_of_odd_size_is_a_warning)
{
    struct neff *n;
    struct neff_file odd = { "sg00/pe.bin", "0123456789", 10 };
    struct program *p = accept(NULL, 0, &odd, &n);
    ck_assert_uint_eq(p->engines[ENG_PE].code_size, 10);
    ck_assert_int_eq(warnings, 1);
    ck_assert_ptr_nonnull(strstr(last_warning, "no multiple of the 64-byte slot"));
    done(p, n);
}
END_TEST

START_TEST(raw_weights_are_the_whole_member)
{
    struct neff *n;
    struct edit e[] = { { DEF, SB_VAR,
                          "\"type\": \"file\", \"file_name\": \"w.bin\", \"size\": 7, \"var_id\": 1" } };
    struct neff_file w = { "sg00/w.bin", "weights!!", 9 };
    struct program *p = accept(e, 1, &w, &n);
    ck_assert_int_eq(p->vars[1].kind, VARK_BUFFER);
    ck_assert_uint_eq(p->vars[1].size, 9);
    ck_assert_mem_eq(p->vars[1].payload, "weights!!", 9);
    ck_assert_str_eq(p->vars[1].file_name, "w.bin");
    ck_assert_int_eq(warnings, 1); /* the size key says 7 */
    done(p, n);
}
END_TEST

START_TEST(npy_weights_lose_their_header)
{
    struct neff *n;
    struct edit e[] = { { DEF, SB_VAR, "\"type\": \"buffer\", \"file_name\": \"w.npy\", \"var_id\": 1" } };
    struct neff_file w = { "sg00/w.npy", "\x93NUMPY\x01\x00\x02\x00{}data", 16 };
    struct program *p = accept(e, 1, &w, &n);
    ck_assert_uint_eq(p->vars[1].size, 4);
    ck_assert_mem_eq(p->vars[1].payload, "data", 4);
    done(p, n);
}
END_TEST

START_TEST(a_broken_npy_weight_has_the_runtimes_message)
{
    struct neff *n;
    struct program *p;
    struct edit e[] = { { DEF, SB_VAR, "\"type\": \"file\", \"file_name\": \"w.npy\", \"var_id\": 1" } };
    struct neff_file w = { "sg00/w.npy", "junk", 4 };
    ck_assert_int_eq(read_edited(e, 1, &w, &p, &n), NERR_INPUT);
    ck_assert_str_eq(err.text, "NUMPY sg00/w.npy bad header 756a != 0x4e93");
    ck_assert_str_eq(err.where, "sg00/w.npy");
    ck_assert_int_eq(err.runtime_code, 2);
}
END_TEST

START_TEST(other_variable_kinds_are_read)
{
    struct neff *n;
    struct edit e[] = {
        { DEF, SB_VAR,
          "\"type\": \"virtual\", \"size\": 8, \"backing_variable_off\": 18446744073709551615, "
          "\"backing_buf\": \"main\", \"dtype\": \"float8_e4m3fn_x4\", \"var_id\": 1},"
          "\"p\": {\"type\": \"pointer\", \"size\": 8, \"referenced_var_id\": 6, \"var_id\": 5},"
          "\"q\": {\"type\": \"pointer\", \"size\": 8, \"referenced_var_id\": 0, \"var_id\": 6},"
          "\"l\": {\"type\": \"list\", \"list\": [0, 1], \"var_id\": 7},"
          "\"r\": {\"type\": \"remote\", \"remote_vtpb_rel_sg_id\": 1, \"var_id\": 8},"
          "\"d\": {\"type\": \"dge-table\", \"alignment\": 4096, \"var_id\": 9" }
    };
    struct program *p = accept(e, 1, NULL, &n);
    ck_assert_uint_eq(p->nvars, 10);
    ck_assert_uint_eq(p->vars[1].backing_off, UINT64_MAX);
    ck_assert_int_eq(p->vars[1].backing, 3);
    ck_assert_str_eq(p->vars[1].dtype, "float8_e4m3fn_x4");
    ck_assert_uint_eq(p->vars[5].referenced_id, 6);
    ck_assert_int_eq(p->vars[7].kind, VARK_LIST);
    ck_assert_int_eq(p->vars[8].kind, VARK_REMOTE);
    ck_assert_uint_eq(p->vars[9].alignment, 4096);
    done(p, n);
}
END_TEST

START_TEST(the_first_of_two_variables_with_one_name_counts)
{
    struct neff *n;
    struct edit e[] = { { DEF, SB_VAR,
                          SB_VAR "}, \"SB\": {\"type\": \"tmp-buf\", \"size\": 4, \"var_id\": 77" } };
    struct program *p = accept(e, 1, NULL, &n);
    ck_assert_uint_eq(p->nvars, 5);
    ck_assert_int_eq(p->vars[1].kind, VARK_SB);
    done(p, n);
}
END_TEST

START_TEST(replica_groups_give_topologies_and_world_size)
{
    struct neff *n;
    struct edit e[] = { { DEF, "\"replica_groups\": [\n    []",
                          "\"replica_groups\": [\n    [[0,1],[2,3]], [[0,1,2,3]], []" } };
    struct program *p = accept(e, 1, NULL, &n);
    ck_assert_uint_eq(p->ngroups, 3);
    ck_assert_uint_eq(p->world_size, 4);
    done(p, n);
}
END_TEST

START_TEST(queues_are_sorted_and_tell_what_is_special)
{
    struct neff *n;
    struct edit e[] = {
        { DEF, QIN,
          QIN " }, \"a\": {\"owner\": \"act\", \"type\": \"data\", \"indirect_memcpy\": true, "
              "\"num_queues\": 2}, \"z\": {\"owner\": \"sp\", \"type\": \"data\", \"dge\": true" }
    };
    struct program *p = accept(e, 1, NULL, &n);
    ck_assert_uint_eq(p->nqueues, 4);
    ck_assert_str_eq(p->queues[0].name, "a");
    ck_assert_int_eq(p->queues[0].ring_kind, 9);
    ck_assert_int_eq(p->queues[0].semaphore, -1);
    ck_assert_str_eq(p->queues[0].extra, "num_queues");
    ck_assert_ptr_null(p->queues[1].extra);
    ck_assert_str_eq(p->queues[3].extra, "dge");
    ck_assert_int_eq(p->queues[3].owner, ENG_SP);
    done(p, n);
}
END_TEST

START_TEST(flat_sizes_of_early_producers_are_read)
{
    struct neff *n;
    struct edit e[] = { { POOL, FIRST_FROM, "\"from\": \"input\", \"size\": 128" } };
    struct program *p = accept(e, 1, NULL, &n);
    ck_assert_uint_eq(p->blocks[0].desc[0].from.ndim, 1);
    ck_assert_uint_eq(p->blocks[0].desc[0].from.sizes[0], 128);
    ck_assert_int_eq(p->blocks[0].desc[0].from.steps[0], 1);
    ck_assert(!p->blocks[0].desc[0].typed);
    done(p, n);
}
END_TEST

START_TEST(negative_steps_inside_the_variable_are_fine)
{
    struct neff *n;
    struct edit e[] = {
        { POOL, FIRST_FROM,
          "\"from\": \"input\", \"from_off\": 127, \"from_sizes\": [128], \"from_steps\": [-1]" }
    };
    struct program *p = accept(e, 1, NULL, &n);
    ck_assert_int_eq(p->blocks[0].desc[0].from.steps[0], -1);
    ck_assert_uint_eq(p->blocks[0].desc[0].from.offset, 127);
    done(p, n);
}
END_TEST

START_TEST(compute_descriptors_keep_operation_and_sources)
{
    struct neff *n;
    struct edit e[] = {
        { POOL, FIRST_FROM,
          "\"op\": \"add\", \"to_dtype\": \"float32\", \"from_arr\": ["
          "{\"from\": \"input\", \"from_dtype\": \"float32\", \"from_sizes\": [128], \"from_steps\": [4]},"
          "{\"from\": \"gradient_out\", \"from_dtype\": \"float32\", \"from_sizes\": [128], \"from_steps\": "
          "[4]}]" }
    };
    struct program *p = accept(e, 1, NULL, &n);
    ck_assert_int_eq(p->blocks[0].desc[0].op, KDMAOP_ADD);
    ck_assert_uint_eq(p->blocks[0].desc[0].nsources, 2);
    ck_assert(p->blocks[0].desc[0].typed);
    ck_assert_uint_eq(p->blocks[0].desc[0].from.var, 0);
    done(p, n);
}
END_TEST

START_TEST(blocks_of_def_json_belong_to_the_owner_of_their_queue)
{
    struct neff *n;
    struct edit e[] = {
        { DEF, "\"dve\": \"dve.json\"",
          "\"dma\": [{\"queue\": \"q_gradient_in\", \"id\": 5, \"desc\": [{\"from\": \"input\", \"to\": "
          "\"gradient_in\", \"size\": 4}]}], \"dve\": \"dve.json\"" }
    };
    struct program *p = accept(e, 1, NULL, &n);
    ck_assert_uint_eq(p->nblocks, 3);
    ck_assert_int_eq(p->blocks[0].engine, ENG_POOL);
    ck_assert_uint_eq(p->blocks[0].id, 5);
    ck_assert_str_eq(p->blocks[0].desc[0].where, "sg00/def.json dma[0].desc[0]");
    done(p, n);
}
END_TEST

START_TEST(a_ucode_library_that_passes_its_gates_is_noted)
{
    struct neff *n;
    static const char manifest[] =
        "{\"ucode_lib\": [{\"library\": \"kelf-a.json\", \"ulib_to_ucode_version\": \"1.21.1.0\","
        "\"cpu_id\": 0, \"total_cpus\": 8, \"functions\": [{\"name\": \"f\", \"opcode\": -123}]}]}";
    struct edit e[] = { { DEF, RESERVED, RESERVED ", \"ucode_lib\": \"ucode_lib.json\"" } };
    struct neff_file lib = { "sg00/ucode_lib.json", manifest, sizeof manifest - 1 };
    struct program *p = accept(e, 1, &lib, &n);
    ck_assert(p->has_ucode_lib);
    done(p, n);
}
END_TEST

START_TEST(targets_gate_the_chip)
{
    static const struct {
        const char *target;
        unsigned arch;
    } rows[] = { { "sunda", 2 }, { "v2", 2 },      { "", 2 },  { "cayman", 3 },
                 { "v3", 3 },    { "mariana", 4 }, { "v4", 4 } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct neff *n;
        char quoted[32];
        snprintf(quoted, sizeof quoted, "\"%s\"", rows[i].target);
        struct edit e[] = { { KELF, "\"*\"", quoted } };
        struct program *p = accept(e, 1, NULL, &n);
        for (unsigned arch = 2; arch <= 4; arch++)
            ck_assert_int_eq(program_check_arch(p, arch, &err), arch == rows[i].arch ? 0 : NERR_RULE);
        done(p, n);
    }
    ck_assert_str_eq(
        err.text,
        "Loading a NEFF compiled for a different arch is not allowed, NEFF arch: v4, instance arch: v3");
    ck_assert_int_eq(err.runtime_code, 2);
}
END_TEST

static int carveout(const char *entry)
{
    struct neff *n;
    char *text = text_printf("\"runtime_statebuffer_reservation\": [%s]", entry);
    struct edit e[] = { { DEF, RESERVED, text } };
    struct program *p = accept(e, 1, NULL, &n);
    ck_assert(p->has_evtaccel);
    ck_assert_int_eq(program_check_arch(p, ARCH_MARIANA, &err), 0);
    int rc = program_check_arch(p, ARCH_CAYMAN, &err);
    done(p, n);
    free(text);
    return rc;
}

START_TEST(the_event_accelerator_carveout_is_checked_on_cayman)
{
    ck_assert_int_eq(
        carveout(
            "{\"type\":\"evtaccel\",\"offset\":229368,\"size\":8,\"base_partition\":0,\"partitions\":128}"),
        0);
    ck_assert_int_eq(
        carveout(
            "{\"type\":\"evtaccel\",\"offset\":229368,\"size\":8,\"base_partition\":1,\"partitions\":128}"),
        NERR_RULE);
    ck_assert_ptr_nonnull(strstr(err.text, "Event Accel carveout SB partition must start at 0. Got 1"));
    ck_assert_int_eq(
        carveout(
            "{\"type\":\"evtaccel\",\"offset\":229368,\"size\":8,\"base_partition\":0,\"partitions\":64}"),
        NERR_RULE);
    ck_assert_ptr_nonnull(strstr(err.text, "partition count must be 128. Got 64"));
    ck_assert_int_eq(
        carveout("{\"type\":\"evtaccel\",\"offset\":16,\"size\":8,\"base_partition\":0,\"partitions\":128}"),
        NERR_RULE);
    ck_assert_ptr_nonnull(strstr(err.text, "offset must start at 0x37ff8. Got 0x10"));
    ck_assert_int_eq(
        carveout(
            "{\"type\":\"evtaccel\",\"offset\":229368,\"size\":4,\"base_partition\":0,\"partitions\":128}"),
        NERR_RULE);
    ck_assert_ptr_nonnull(strstr(err.text, "size must be 8. Got 4"));
}
END_TEST

START_TEST(a_missing_reservation_key_fails_on_cayman_only)
{
    struct neff *n;
    struct edit e[] = { { DEF, "  " RESERVED ",\n", "" } };
    struct program *p = accept(e, 1, NULL, &n);
    ck_assert(!p->has_sb_reservation);
    ck_assert_int_eq(program_check_arch(p, ARCH_SUNDA, &err), 0);
    ck_assert_int_eq(program_check_arch(p, ARCH_CAYMAN, &err), NERR_RULE);
    ck_assert_int_eq(
        strncmp(err.text, "Missing or corrupted runtime_statebuffer_reservation field in def.json", 70), 0);
    done(p, n);
}
END_TEST

/* Every manifest with every byte removed, one at a time: whatever comes out, nothing may crash or leak. */
START_TEST(no_missing_byte_crashes_the_reader)
{
    static const char *const names[] = { NEFF_JSON, KELF, DEF, POOL, ACT };
    const struct neff_member *m = neff_find(base, names[_i]);
    for (size_t i = 0; i < m->size; i += 3) {
        char *text = malloc(m->size);
        struct neff *n;
        struct program *p;
        memcpy(text, m->data, i);
        memcpy(text + i, m->data + i + 1, m->size - i - 1);
        struct neff_file f = { m->name, text, m->size - 1 };
        if (read_edited(NULL, 0, &f, &p, &n) == 0)
            done(p, n);
        else
            ck_assert_uint_gt(strlen(err.text), 0);
        free(text);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("neff/program");
    TCase *t = tcase_create("program");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, a_broken_rule_is_refused_at_its_place, 0,
                        (int)(sizeof refusals / sizeof refusals[0]));
    tcase_add_test(t, row_16_without_neff_json);
    tcase_add_test(t, kelp_json_is_the_fallback);
    tcase_add_test(t, an_unknown_graph_is_an_argument_error);
    tcase_add_test(t, absent_debug_members_and_unknown_keys_are_tolerated);
    tcase_add_test(t, a_missing_engine_key_is_an_empty_placeholder);
    tcase_add_test(t, a_program_of_odd_size_is_a_warning);
    tcase_add_test(t, raw_weights_are_the_whole_member);
    tcase_add_test(t, npy_weights_lose_their_header);
    tcase_add_test(t, a_broken_npy_weight_has_the_runtimes_message);
    tcase_add_test(t, other_variable_kinds_are_read);
    tcase_add_test(t, the_first_of_two_variables_with_one_name_counts);
    tcase_add_test(t, replica_groups_give_topologies_and_world_size);
    tcase_add_test(t, queues_are_sorted_and_tell_what_is_special);
    tcase_add_test(t, flat_sizes_of_early_producers_are_read);
    tcase_add_test(t, negative_steps_inside_the_variable_are_fine);
    tcase_add_test(t, compute_descriptors_keep_operation_and_sources);
    tcase_add_test(t, blocks_of_def_json_belong_to_the_owner_of_their_queue);
    tcase_add_test(t, a_ucode_library_that_passes_its_gates_is_noted);
    tcase_add_test(t, targets_gate_the_chip);
    tcase_add_test(t, the_event_accelerator_carveout_is_checked_on_cayman);
    tcase_add_test(t, a_missing_reservation_key_fails_on_cayman_only);
    tcase_add_loop_test(t, no_missing_byte_crashes_the_reader, 0, 5);
    suite_add_tcase(s, t);
    return e1_main(s);
}
