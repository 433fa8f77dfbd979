/*
 * neff_check: every gate with a good and a bad file, all problems of a file and no others, in the runtime's
 * order (neff-container.md §3, §8 to §20). Gates that are broken by one edit of E1 are in refusals.h.
 */
#include "neff/check.h"
#include "refusals.h"

static struct findings found;
static struct program **graphs;
static size_t ngraphs;

static void forget(void)
{
    findings_free(&found);
    program_free_all(graphs, ngraphs);
    graphs = NULL;
    ngraphs = 0;
}

static void setup(void)
{
    edit_setup();
    found = (struct findings){ 0 };
}

static void teardown(void)
{
    forget();
    edit_teardown();
}

#define VIRTUAL "\"type\": \"virtual\", \"size\": 8"

static const struct check_options any, cayman = { .arch = ARCH_CAYMAN }, sunda = { .arch = ARCH_SUNDA },
                                       cayman_legacy = { .arch = ARCH_CAYMAN, .allow_legacy = true };

/* Checks E1 with edits; `neff` lives until the findings are read. */
static void check(const struct edit *edits, size_t n, const struct neff_file *extra,
                  const struct neff_pack_settings *settings, const struct check_options *opt)
{
    struct neff *neff;
    uint8_t *packed;
    size_t len;
    edit_pack(edits, n, extra, settings, &packed, &len);
    ck_assert_int_eq(neff_open_memory(packed, len, NULL, &neff, &err), 0);
    free(packed);
    ck_assert_msg(neff_check(neff, opt, &found, &graphs, &ngraphs, &err) == 0, "%s", err.text);
    program_free_all(graphs, ngraphs);
    graphs = NULL;
    ngraphs = 0;
    neff_close(neff);
}

static void print_findings(void)
{
    for (size_t i = 0; i < found.count; i++)
        fprintf(stderr, "  level %d tier %d: %s %s: %s\n", found.list[i].level, found.list[i].tier,
                found.list[i].member, found.list[i].place, found.list[i].text);
}

struct wanted {
    enum finding_level level;
    const char *member, *place, *text; /* text: a part */
};

/* The findings of these levels are exactly these, in this order; hlo_stats.json is missing in E1. */
static void expect(const struct wanted *w, size_t n, enum finding_level least)
{
    size_t k = 0;
    for (size_t i = 0; i < found.count; i++) {
        const struct finding *x = &found.list[i];
        if (x->level < least || strstr(x->text, "hlo_stats.json"))
            continue;
        if (k >= n || x->level != w[k].level || strcmp(x->member, w[k].member) != 0 ||
            strcmp(x->place, w[k].place) != 0 || !strstr(x->text, w[k].text)) {
            print_findings();
            ck_abort_msg("finding %zu is not as wanted: %s %s: %s", k, x->member, x->place, x->text);
        }
        k++;
    }
    if (k != n) {
        print_findings();
        ck_abort_msg("%zu findings, %zu are wanted", k, n);
    }
}
#define EXPECT(list, least) expect(list, sizeof(list) / sizeof(list)[0], least)

static void expect_clean(enum finding_level least)
{
    expect(NULL, 0, least);
}

START_TEST(e1_is_clean_on_every_generation)
{
    static const unsigned arch[] = { 0, ARCH_SUNDA, ARCH_CAYMAN, ARCH_MARIANA };
    const struct check_options opt = { .arch = arch[_i] };
    check(NULL, 0, NULL, NULL, &opt);
    expect_clean(FINDING_NOTE);
    ck_assert_uint_eq(findings_count(&found, FINDING_WARNING), 1);
    ck_assert_int_eq(findings_exit_code(&found), 0);
}
END_TEST

START_TEST(hlo_stats_json_ends_the_warnings)
{
    const struct neff_file files[] = { { "hlo_stats.json", "{}", 2 }, { 0 } };
    check(NULL, 0, files, NULL, &any);
    ck_assert_uint_eq(found.count, 0);
}
END_TEST

/* One broken rule is one finding: nothing that follows from it is told as well. */
START_TEST(a_broken_rule_is_the_only_finding)
{
    const struct refusal *r = &refusals[_i];
    check(&r->edit, 1, NULL, NULL, &any);
    size_t k = 0;
    for (size_t i = 0; i < found.count; i++) {
        const struct finding *x = &found.list[i];
        char *where = text_printf("%s %s", x->member, x->place);
        if (x->level < FINDING_RULE) {
            free(where);
            continue;
        }
        k++;
        const char *place = strstr(r->where, " 1:2") ? "line 1 column 2" : r->where;
        if (k > 1 || !strstr(where, place) || !strstr(x->text, r->text) || x->runtime_code != NRT_INVALID)
            print_findings();
        ck_assert_msg(k == 1, "%s: a second finding", r->edit.new);
        ck_assert_msg(strstr(where, place) && strstr(x->text, r->text), "%s: \"%s\": \"%s\"", r->edit.new,
                      where, x->text);
        ck_assert_int_eq(x->level, r->code == NERR_INPUT ? FINDING_INPUT : FINDING_RULE);
        ck_assert_int_eq(x->runtime_code, NRT_INVALID);
        free(where);
    }
    ck_assert_msg(k == 1, "%s: accepted", r->edit.new);
    ck_assert_int_eq(findings_exit_code(&found), r->code == NERR_INPUT ? 2 : 1);
}
END_TEST

#define BAD_VAR "\"bad\": {\"type\": \"nothing\", \"var_id\": 5}, "

START_TEST(all_problems_are_told_in_the_runtimes_order)
{
    const struct edit edits[] = {
        { KELF, "\"0.5\"", "\"05\"" },
        { KELF, "\"*\"", "\"sunda\"" },
        { DEF, "\"var\": {",
          "\"var\": {" BAD_VAR
          "\"worse\": {\"type\": \"input\", \"size\": 8, \"alignment\": 3, \"var_id\": 6}," },
        { DEF, QIN, "\"semaphore\": 300, \"type\": \"in\"" },
        { DEF, RESERVED,
          "\"runtime_statebuffer_reservation\": [{\"type\": \"evtaccel\", \"offset\": 229368, \"size\": 8, "
          "\"base_partition\": 1, \"partitions\": 128}], \"ucode_lib\": [{\"library\": \"no.so\", "
          "\"ulib_to_ucode_version\": \"2.0\", \"cpu_id\": 1, \"total_cpus\": 3, \"functions\": [{}]}]" },
        { POOL, "\"from\": \"input\"", "\"from\": \"bad\"" },
        { POOL, "\"to\": \"output\"", "\"to\": \"nobody\"" },
        { POOL, "\"pool.bin\"", "\"pol.bin\"" },
        { ACT, "\"act_semaphore\": 9", "\"act_semaphore\": 1000" },
    };
    const struct wanted w[] = {
        { FINDING_RULE, KELF, "version", "invalid string (.) in 05" },
        { FINDING_RULE, KELF, "target", "NEFF arch: v2, instance arch: v3" },
        { FINDING_RULE, DEF, "var.bad.type", "Invalid var type nothing" },
        { FINDING_RULE, DEF, "var.worse.alignment", "alignment=3" },
        { FINDING_RULE, DEF, "dma_queue.q_gradient_in.semaphore", "found 300" },
        { FINDING_RULE, DEF, "ucode_lib[0].library", "names the file no.so, which is missing" },
        { FINDING_RULE, DEF, "ucode_lib[0].ulib_to_ucode_version", "found \"2.0\"" },
        { FINDING_RULE, DEF, "ucode_lib[0].cpu_id", "cpu_id == 0" },
        { FINDING_RULE, DEF, "ucode_lib[0].total_cpus", "invalid number of total cpus 3" },
        { FINDING_RULE, DEF, "ucode_lib[0].functions[0]", "\"name\" is missing" },
        { FINDING_RULE, DEF, "runtime_statebuffer_reservation[0].base_partition", "must start at 0. Got 1" },
        { FINDING_RULE, ACT, "act_semaphore", "found 1000" },
        { FINDING_RULE, POOL, "instr", "sg00/pol.bin, which is missing" },
        { FINDING_RULE, POOL, "dma[1].desc[0].to", "there is no variable \"nobody\"" },
    };
    check(edits, sizeof edits / sizeof edits[0], NULL, NULL, &cayman);
    EXPECT(w, FINDING_RULE);
    ck_assert_int_eq(found.list[1].tier, 2);
    ck_assert_int_eq(found.list[2].tier, 3);
}
END_TEST

START_TEST(first_stops_at_the_first_problem)
{
    const struct edit edits[] = { { KELF, "\"0.5\"", "\"05\"" }, { KELF, "\"*\"", "\"trn9\"" } };
    const struct wanted w[] = { { FINDING_RULE, KELF, "version", "invalid string" } };
    found.first = true;
    check(edits, 2, NULL, NULL, &any);
    EXPECT(w, FINDING_NOTE);
}
END_TEST

START_TEST(a_full_list_ends_the_search)
{
    struct strbuf list = { 0 };
    for (int i = 0; i < 5000; i++)
        strbuf_puts(&list, "0,");
    char *text = text_printf("\"dma\": [%s0", list.s);
    const struct edit edits[] = { { "sg00/pe.json", "\"dma\": [", text } };
    check(edits, 1, NULL, NULL, &any);
    ck_assert_uint_eq(findings_count(&found, FINDING_RULE), 1000);
    ck_assert(findings_full(&found));
    ck_assert_uint_le(found.dropped, 1);
    free(text);
    strbuf_free(&list);
}
END_TEST

/* Tables that cannot be read are told once; what refers to them is not judged. */
START_TEST(unreadable_tables_make_no_echo)
{
    static const struct {
        struct edit edit;
        struct wanted want;
    } cases[] = {
        { { DEF, "\"var\"", "\"Var\"" }, { FINDING_RULE, DEF, "", "\"var\" is missing" } },
        { { DEF, "\"dma_queue\": {", "\"dma_queue\": [], \"x\": {" },
          { FINDING_RULE, DEF, "dma_queue", "found an array" } },
        { { DEF, "\"input\": {\n", "\"input\": 5, \"y\": {\n" },
          { FINDING_RULE, DEF, "var.input", "found 5, expected an object" } },
        { { POOL, "{\n  \"dma\"", "{{\n  \"dma\"" }, { FINDING_INPUT, POOL, "line 1 column 2", "not JSON" } },
    };
    check(&cases[_i].edit, 1, NULL, NULL, &any);
    expect(&cases[_i].want, 1, FINDING_RULE);
}
END_TEST

START_TEST(every_link_of_the_chain_names_who_refers_to_a_missing_member)
{
    static const struct {
        const char *gone;
        struct wanted want;
    } cases[] = {
        { KELF, { FINDING_RULE, KELF, "", "neff.json names it" } },
        { DEF, { FINDING_RULE, DEF, "", "kelf-a.json names it" } },
        { POOL, { FINDING_RULE, DEF, "pool", "names the member sg00/pool.json, which is missing" } },
        { "sg00/pool.bin",
          { FINDING_RULE, POOL, "instr", "names the member sg00/pool.bin, which is missing" } },
        { NEFF_JSON, { FINDING_RULE, "", "", "Invalid NN: , neff.json is missing" } },
    };
    const struct neff_file gone[] = { { cases[_i].gone, NULL, 0 }, { 0 } };
    check(NULL, 0, gone, NULL, &any);
    expect(&cases[_i].want, 1, FINDING_RULE);
    if (_i == 4) {
        ck_assert_int_eq(found.list[0].gate, 16);
        ck_assert_int_eq(found.list[0].tier, 1);
    }
}
END_TEST

START_TEST(repeated_keys_are_a_warning)
{
    const struct edit edits[] = { { DEF, QIN, QIN ", \"semaphore\": 12, \"type\": \"out\"" },
                                  { POOL, "\"instr\"", "\"instr\": \"pool.bin\", \"instr\"" } };
    const struct wanted w[] = {
        { FINDING_WARNING, DEF, "dma_queue.q_gradient_in.semaphore", "more than once" },
        { FINDING_WARNING, DEF, "dma_queue.q_gradient_in.type", "more than once" },
        { FINDING_WARNING, POOL, "instr", "more than once" },
    };
    check(edits, 2, NULL, NULL, &any);
    EXPECT(w, FINDING_NOTE);
}
END_TEST

/* ---- architecture ---- */

START_TEST(the_target_is_judged_for_a_given_generation)
{
    const struct edit e = { KELF, "\"*\"", "\"v4\"" };
    const struct wanted refused = {
        FINDING_RULE, KELF, "target",
        "Loading a NEFF compiled for a different arch is not allowed, NEFF arch: v4, "
        "instance arch: v3"
    };
    const struct wanted warned = {
        FINDING_WARNING, KELF, "target",
        "Loading a NEFF compiled for a different arch, NEFF arch: v4, instance arch: "
        "v3"
    };
    const struct check_options mariana = { .arch = ARCH_MARIANA };
    check(&e, 1, NULL, NULL, &cayman);
    expect(&refused, 1, FINDING_NOTE);
    ck_assert_int_eq(found.list[0].tier, 2);
    forget();
    check(&e, 1, NULL, NULL, &cayman_legacy);
    expect(&warned, 1, FINDING_NOTE);
    forget();
    check(&e, 1, NULL, NULL, &mariana);
    expect_clean(FINDING_NOTE);
    forget();
    check(&e, 1, NULL, NULL, &any);
    expect_clean(FINDING_NOTE);
}
END_TEST

START_TEST(an_absent_target_is_sunda)
{
    const struct edit e = { KELF, ",\n  \"target\": \"*\"", "" };
    check(&e, 1, NULL, NULL, &sunda);
    expect_clean(FINDING_NOTE);
    forget();
    check(&e, 1, NULL, NULL, &cayman);
    ck_assert_int_eq(findings_exit_code(&found), 1);
}
END_TEST

START_TEST(the_legacy_guard_is_for_cayman)
{
    static const char *const broken[] = { "\"x\": []", "\"runtime_statebuffer_reservation\": 5" };
    const struct edit e = { DEF, RESERVED, broken[_i] };
    const char *place = _i ? "runtime_statebuffer_reservation" : "";
    const struct wanted refused = {
        FINDING_RULE, DEF, place, "Missing or corrupted runtime_statebuffer_reservation field in def.json"
    };
    const struct wanted warned = { FINDING_WARNING, DEF, place, "a legacy NEFF" };
    const struct wanted noted = { FINDING_NOTE, DEF, place, "refused on cayman (v3)" };
    check(&e, 1, NULL, NULL, &cayman);
    expect(&refused, 1, FINDING_NOTE);
    forget();
    check(&e, 1, NULL, NULL, &cayman_legacy);
    expect(&warned, 1, FINDING_NOTE);
    forget();
    check(&e, 1, NULL, NULL, &any);
    expect(&noted, 1, FINDING_NOTE);
    forget();
    check(&e, 1, NULL, NULL, &sunda);
    expect_clean(FINDING_NOTE);
}
END_TEST

#define CARVEOUT_OF(offset, size, base, partitions)                                                          \
    "\"runtime_statebuffer_reservation\": [{\"type\": \"evtaccel\", \"offset\": " offset ", \"size\": " size \
    ", \"base_partition\": " base ", \"partitions\": " partitions "}]"

START_TEST(each_value_of_the_carveout_is_judged_on_cayman)
{
    static const struct {
        const char *text, *place, *want;
    } cases[] = {
        { CARVEOUT_OF("229368", "8", "0", "128"), NULL, NULL },
        { CARVEOUT_OF("229368", "8", "1", "128"), "base_partition", "partition must start at 0. Got 1" },
        { CARVEOUT_OF("229368", "8", "0", "64"), "partitions", "partition count must be 128. Got 64" },
        { CARVEOUT_OF("0", "8", "0", "128"), "offset", "partition offset must start at 0x37ff8. Got 0x0" },
        { CARVEOUT_OF("229368", "16", "0", "128"), "size", "size must be 8. Got 16" },
    };
    const struct edit e = { DEF, RESERVED, cases[_i].text };
    char place[80];
    snprintf(place, sizeof place, "runtime_statebuffer_reservation[0].%s",
             cases[_i].place ? cases[_i].place : "");
    const struct wanted refused = { FINDING_RULE, DEF, place, cases[_i].want };
    const struct wanted noted = { FINDING_NOTE, DEF, place, cases[_i].want };
    check(&e, 1, NULL, NULL, &cayman);
    expect(&refused, cases[_i].want != NULL, FINDING_NOTE);
    forget();
    check(&e, 1, NULL, NULL, &sunda);
    expect_clean(FINDING_NOTE);
    forget();
    check(&e, 1, NULL, NULL, &any);
    expect(&noted, cases[_i].want != NULL, FINDING_NOTE);
}
END_TEST

/* ---- feature bits ---- */

static void check_features(uint64_t major, uint64_t bits, const struct edit *e, size_t n)
{
    struct neff_pack_settings s;
    neff_pack_defaults(&s);
    s.header.version_major = major;
    s.header.feature_bits = bits;
    check(e, n, NULL, &s, &any);
}

START_TEST(feature_bits_are_told_one_by_one)
{
    const struct wanted two[] = {
        { FINDING_NOTE, "", "byte 0x220",
          "feature bit 18 is set; it is accepted, but its meaning is not known" },
        { FINDING_NOTE, "", "byte 0x220", "feature bit 63 is set; no runtime tests it" },
    };
    const struct wanted one[] = {
        { FINDING_NOTE, "", "byte 0x220",
          "feature bit 30 (no meaning is known) is set; it is not looked at" },
        { FINDING_WARNING, "", "byte 0x220", "feature bits 0x40000001 in a file of version 1.0" },
    };
    check_features(2, UINT64_C(1) << 63 | 1u << 18 | 1u << 12, NULL, 0);
    EXPECT(two, FINDING_NOTE);
    forget();
    check_features(1, UINT64_C(1) << 30 | 1, NULL, 0);
    EXPECT(one, FINDING_NOTE);
    forget();
    check_features(2, 1u << 12, NULL, 0);
    expect_clean(FINDING_NOTE);
}
END_TEST

START_TEST(neff_features_mirrors_the_header)
{
    const struct edit e = { DEF, RESERVED,
                            RESERVED
                            ", \"neff_features\": [\"neff_feature_custom_ops\", \"neff_has_functions\", "
                            "\"no_such_feature\", 7]" };
    const struct wanted w[] = {
        { FINDING_WARNING, DEF, "neff_features[3]", "is no feature name" },
        { FINDING_WARNING, DEF, "neff_features[1]", "is feature bit 5, which is not set" },
        { FINDING_NOTE, DEF, "neff_features[2]", "is no known feature name" },
        { FINDING_WARNING, DEF, "neff_features", "lacks \"neff_feature_vnc\", although feature bit 10" },
    };
    check_features(2, 1u << 2 | 1u << 10 | 1u << 12, &e, 1);
    EXPECT(w, FINDING_NOTE);
}
END_TEST

START_TEST(a_library_without_its_feature_bit_is_a_warning)
{
    const struct neff_file files[] = { { "sg00/k.so", "x", 1 }, { 0 } };
    const struct edit e = { DEF, RESERVED,
                            RESERVED
                            ", \"ucode_lib\": [{\"library\": \"k.so\", \"ulib_to_ucode_version\": \"1.2\", "
                            "\"cpu_id\": 0, \"total_cpus\": 1, \"functions\": []}]" };
    const struct wanted w = { FINDING_WARNING, DEF, "ucode_lib", "feature bit 2 (neff_feature_custom_ops)" };
    check(&e, 1, files, NULL, &any);
    expect(&w, 1, FINDING_NOTE);
}
END_TEST

/* ---- sections ---- */

/* One edit of def.json, the findings of rule and warning level that it makes. */
static const struct section {
    struct edit edit;
    size_t n;
    struct wanted want[3];
} sections[] = {
    /* §13 */
    { { DEF, QIN, QIN ", \"semaphore_set\": [1, 2], \"num_queues\": 1, \"queue_instances\": [\"a\", {}]" },
      0,
      { { 0 } } },
    { { DEF, QIN, "\"semaphore\": 10, \"type\": \"data\", \"num_queues\": 4" }, 0, { { 0 } } },
    { { DEF, QIN, "\"semaphore\": 10, \"type\": \"data\", \"indirect_memcpy\": true, \"dge\": true" },
      0,
      { { 0 } } },
    { { DEF, QIN, QIN ", \"pinned\": true" },
      1,
      { { FINDING_WARNING, DEF, "dma_queue.q_gradient_in.semaphore", "a pinned ring has no semaphore" } } },
    { { DEF, QIN, "\"type\": \"data\", \"dynamic_dma\": {\"x\": 1}" },
      1,
      { { FINDING_WARNING, DEF, "dma_queue.q_gradient_in.dynamic_dma", "SB_scratch_partition_size" } } },
    { { DEF, QIN, "\"type\": \"data\", \"dynamic_dma\": {\"SB_scratch_partition_size\": 1}" }, 0, { { 0 } } },
    { { DEF, QIN, "\"type\": \"act_load\", \"num_queues\": 2" },
      1,
      { { FINDING_RULE, DEF, "dma_queue.q_gradient_in.num_queues", "must have num_queues 1" } } },
    { { DEF, QIN, "\"type\": \"embedding_update\", \"embedding_update_sync_semaphore\": 3" }, 0, { { 0 } } },
    { { DEF, QIN, "\"type\": \"embedding_update\"" },
      1,
      { { FINDING_RULE, DEF, "dma_queue.q_gradient_in",
          "\"embedding_update_sync_semaphore\" is missing" } } },
    { { DEF, QIN,
        QIN " }, \"e1\": {\"owner\": \"act\", \"type\": \"embedding_update\", "
            "\"embedding_update_sync_semaphore\": 4}, \"e2\": {\"owner\": \"act\", "
            "\"embedding_update_sync_semaphore\": 4, \"type\": \"embedding_update\"" },
      1,
      { { FINDING_RULE, DEF, "dma_queue.e2.semaphore",
          "semaphore 4 belongs to the embedding_update queue e1" } } },
    /* §12 */
    { { DEF, SB_VAR, VIRTUAL ", \"backing_variable_off\": 0, \"fabric_path\": \"alt\", \"var_id\": 1" },
      0,
      { { 0 } } },
    { { DEF, SB_VAR, VIRTUAL ", \"var_id\": 1" },
      1,
      { { FINDING_RULE, DEF, "var.SB", "\"backing_variable_off\" is missing" } } },
    { { DEF, SB_VAR, VIRTUAL ", \"backing_variable_off\": 18446744073709551608, \"var_id\": 1" },
      1,
      { { FINDING_RULE, DEF, "var.SB.backing_variable_off", "with size 8 it does not fit 64 bits" } } },
    { { DEF, SB_VAR, VIRTUAL ", \"backing_variable_off\": 0, \"fabric_path\": \"far\", \"var_id\": 1" },
      1,
      { { FINDING_RULE, DEF, "var.SB.fabric_path", "expected main or alt" } } },
    { { DEF, SB_VAR, "\"type\": \"pointer\", \"size\": 8, \"referenced_var_id\": 0, \"var_id\": 1" },
      0,
      { { 0 } } },
    { { DEF, SB_VAR, "\"type\": \"list\", \"list\": [0, 2, 4], \"var_id\": 1" }, 0, { { 0 } } },
    { { DEF, SB_VAR, "\"type\": \"list\", \"list\": [0, 5], \"var_id\": 1" },
      1,
      { { FINDING_RULE, DEF, "var.SB.list", "element 1 is 5, there are only 5 variables" } } },
    { { DEF, SB_VAR, "\"type\": \"list\", \"list\": [0, 1], \"var_id\": 1" },
      1,
      { { FINDING_RULE, DEF, "var.SB.list", "form a loop" } } },
    { { DEF, SB_VAR,
        "\"type\": \"pointer\", \"size\": 8, \"referenced_var_id\": 5, \"var_id\": 1}, \"L\": {\"type\": "
        "\"list\", "
        "\"list\": [6], \"var_id\": 5}, \"P\": {\"type\": \"pointer\", \"size\": 8, \"referenced_var_id\": "
        "1, "
        "\"var_id\": 6" },
      1,
      { { FINDING_RULE, DEF, "var.P.referenced_var_id", "form a loop (back to SB)" } } },
    { { DEF, SB_VAR, "\"type\": \"dge-table\", \"var_id\": 1" }, 0, { { 0 } } },
    { { DEF, SB_VAR,
        "\"type\": \"remote\", \"remote_vtpb_rel_sg_id\": 1, \"remote_var_id\": 2, \"var_id\": 1" },
      0,
      { { 0 } } },
    { { DEF, SB_VAR, "\"type\": \"remote\", \"remote_var_id\": -2, \"var_id\": 1" },
      1,
      { { FINDING_RULE, DEF, "var.SB.remote_var_id", "found -2" } } },
    { { DEF, SB_VAR, "\"type\": \"file\", \"file_name\": \"pool.bin\", \"size\": 7, \"var_id\": 1" },
      1,
      { { FINDING_WARNING, "sg00/pool.bin", "", "variable SB has size 7, its file holds 192 bytes" } } },
    { { DEF, "\"var_id\": 4", "\"var_id\": 4, \"prefix\": \"out=\", \"pipe\": 2" }, 0, { { 0 } } },
    { { DEF, "\"var_id\": 4", "\"var_id\": 4, \"prefix\": 5" },
      1,
      { { FINDING_RULE, DEF, "var.gradient_out.prefix", "found 5" } } },
    /* §16 */
    { { DEF, RESERVED, RESERVED ", \"src_target_pairs\": [[[0, 1], [1, 0]], []]" }, 0, { { 0 } } },
    { { DEF, RESERVED, RESERVED ", \"src_target_pairs\": [[[0, 1, 2], [\"a\", 0]], 3]" },
      3,
      { { FINDING_RULE, DEF, "src_target_pairs[0][0]", "has 3 elements, expected [source, target]" },
        { FINDING_RULE, DEF, "src_target_pairs[0][1][0]", "found the string \"a\"" },
        { FINDING_RULE, DEF, "src_target_pairs[1]", "found 3, expected an array" } } },
    { { DEF, RESERVED, RESERVED ", \"cc_stream\": 2" }, 0, { { 0 } } },
    { { DEF, RESERVED, RESERVED ", \"cc_stream\": {\"num_streams\": true}" },
      1,
      { { FINDING_RULE, DEF, "cc_stream.num_streams", "found true" } } },
    { { DEF, "\"replica_groups\": [\n    []",
        "\"#rank_world_size\": 2, \"replica_groups\": [\n    [[0, 2], [1]]" },
      1,
      { { FINDING_WARNING, DEF, "replica_groups[0][0][1]", "rank 2 does not fit #rank_world_size 2" } } },
    { { DEF, "\"replica_groups\": [\n    []", "\"replica_groups\": [\n    [[0, -1], 5], 7" },
      3,
      { { FINDING_RULE, DEF, "replica_groups[0][0][1]", "found -1" },
        { FINDING_RULE, DEF, "replica_groups[0][1]", "found 5, expected an array" },
        { FINDING_RULE, DEF, "replica_groups[1]", "found 7, expected an array" } } },
    { { DEF, RESERVED,
        RESERVED
        ", \"fp8_conversion_config\": {\"fp8_range_extension\": true, \"emax_fp8_e4m3\": 8, \"ocp_sat\": "
        "false}" },
      0,
      { { 0 } } },
    { { DEF, RESERVED, RESERVED ", \"fp8_conversion_config\": {\"fp8_sis\": 1, \"emax_fp8_e5m2\": \"8\"}" },
      2,
      { { FINDING_RULE, DEF, "fp8_conversion_config.fp8_sis", "found 1" },
        { FINDING_RULE, DEF, "fp8_conversion_config.emax_fp8_e5m2", "found the string \"8\"" } } },
    /* §14 */
    { { ACT, "\"activation_function_sets\": []",
        "\"activation_function_sets\": [{\"bkt_bin\": \"pe.bin\", \"ctl_bin\": \"no.bin\"}, {\"ctrl_bin\": "
        "\"pe.bin\"}, "
        "\"set\"]" },
      2,
      { { FINDING_RULE, ACT, "activation_function_sets[0].ctl_bin", "sg00/no.bin, which is missing" },
        { FINDING_WARNING, ACT, "activation_function_sets[2]", "is no object" } } },
    { { ACT, "\"act_semaphore\": 9",
        "\"act_semaphore\": 9, \"profile_meta_data\": [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]" },
      0,
      { { 0 } } },
    { { ACT, "\"act_semaphore\": 9",
        "\"act_semaphore\": 9, \"profile_meta_data\": "
        "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]" },
      1,
      { { FINDING_RULE, ACT, "profile_meta_data", "has 26 records, at most 25" } } },
    { { "sg00/dve.json", "\"dma\": []",
        "\"dma\": [], \"dve_tables\": {\"opcode_table\": \"a.bin\", \"control_table\": \"pe.bin\", "
        "\"datapath_table\": \"b.bin\"}" },
      2,
      { { FINDING_RULE, "sg00/dve.json", "dve_tables.opcode_table", "sg00/a.bin, which is missing" },
        { FINDING_RULE, "sg00/dve.json", "dve_tables.datapath_table", "sg00/b.bin, which is missing" } } },
    { { POOL, FIRST_FROM, "\"cast\": true, \"from_dtype\": \"float99\", " FIRST_FROM },
      1,
      { { FINDING_WARNING, POOL, "dma[0].desc[0].from_dtype", "the dtype \"float99\" is not known" } } },
    { { POOL, FIRST_FROM FIRST_TO,
        "\"op\": \"fma\", \"scale\": [1.5, 2], \"to\": \"gradient_in\", \"to_dtype\": \"float32\", "
        "\"to_sizes\": "
        "[32], \"to_steps\": [4], \"from_arr\": [{\"from\": \"input\", \"from_dtype\": \"float32\", "
        "\"from_sizes\": [32], \"from_steps\": [4]}]" },
      1,
      { { FINDING_RULE, POOL, "dma[0].desc[0].scale", "has 2 numbers, there are 1 sources" } } },
    { { POOL, FIRST_FROM FIRST_TO,
        "\"op\": \"max\", \"constant\": 1.5, \"to\": \"gradient_in\", \"to_dtype\": \"float32\", "
        "\"to_sizes\": "
        "[33], \"to_steps\": [4], \"from_dtype\": \"float32\", \"from\": \"input\", \"from_sizes\": [33], "
        "\"from_steps\": [4]" },
      1,
      { { FINDING_RULE, POOL, "dma[0].desc[0]", "invalid offset in gradient_in, 128 < (0 + 132)" } } },
    { { POOL, FIRST_FROM, "\"transpose_element_size\": 0, " FIRST_FROM },
      1,
      { { FINDING_RULE, POOL, "dma[0].desc[0].transpose_element_size", "found 0" } } },
    { { POOL, "\"queue\": \"q_gradient_out\"",
        "\"priority_class\": 256, \"function_start\": true, \"queue\": \"q_gradient_out\"" },
      1,
      { { FINDING_RULE, POOL, "dma[1].priority_class", "found 256" } } },
};

START_TEST(every_section_is_judged)
{
    const struct section *s = &sections[_i];
    check(&s->edit, 1, NULL, NULL, &any);
    expect(s->want, s->n, FINDING_WARNING);
}
END_TEST

START_TEST(more_than_32_queues_are_refused_once)
{
    struct strbuf list = { 0 };
    for (int i = 0; i < 31; i++)
        strbuf_printf(&list, ", \"q%02d\": {\"owner\": \"act\", \"type\": \"data\"}", i);
    char *text = text_printf("%s}%.*s", QIN, (int)(list.len - 1), list.s); /* the text has the last brace */
    const struct edit e = { DEF, QIN, text };
    const struct wanted w = { FINDING_RULE, DEF, "dma_queue",
                              "has 33 queues, a program has at most 32 rings" };
    check(&e, 1, NULL, NULL, &any);
    expect(&w, 1, FINDING_NOTE);
    free(text);
    strbuf_free(&list);
}
END_TEST

/* ---- §15 ---- */

#define LIBRARY(name, rest)                                                                                  \
    "{\"library\": \"" name                                                                                  \
    "\", \"ulib_to_ucode_version\": \"1.21.1.0\", \"cpu_id\": 0, \"total_cpus\": 8, " rest "}"

/* n functions. */
static char *functions(int n)
{
    struct strbuf b = { 0 };
    strbuf_puts(&b, "\"functions\": [");
    for (int i = 0; i < n; i++)
        strbuf_printf(&b, "%s{\"name\": \"f%d\", \"opcode\": 133, \"sub_opcode\": %d}", i ? "," : "", i, i);
    strbuf_puts(&b, "]");
    return b.s;
}

/* A manifest at the root with four libraries of n functions each. */
static void check_four(int n, const char *second)
{
    char *f = functions(n);
    char *text = text_printf("{\"ucode_lib\": [" LIBRARY("a.so", "%s") "," LIBRARY("%s", "%s") "," LIBRARY(
                                 "c.so", "%s") "," LIBRARY("d.so", "%s") "]}",
                             f, second, f, f, f);
    const struct neff_file files[] = { { "libs.json", text, strlen(text) },
                                       { "a.so", "1", 1 },
                                       { "sg00/b.so", "2", 1 },
                                       { "c.so", "3", 1 },
                                       { "d.so", "4", 1 },
                                       { 0 } };
    const struct edit e = { DEF, RESERVED, RESERVED ", \"ucode_lib\": \"libs.json\"" };
    check(&e, 1, files, NULL, &any);
    free(f);
    free(text);
}

START_TEST(libraries_have_caps_and_names)
{
    check_four(24, "b.so"); /* 96 functions */
    expect_clean(FINDING_RULE);
    forget();
    const struct wanted many = { FINDING_RULE, "libs.json", "ucode_lib",
                                 "too many ucode functions in this table.  Max is 97." };
    check_four(25, "b.so");
    expect(&many, 1, FINDING_RULE);
    forget();
    const struct wanted twice = { FINDING_RULE, "libs.json", "ucode_lib[1].library",
                                  "UCode Library a.so has already been added" };
    check_four(1, "a.so");
    expect(&twice, 1, FINDING_RULE);
}
END_TEST

START_TEST(a_library_has_28_functions_at_most)
{
    char *f = functions(28 + _i);
    char *text = text_printf(RESERVED ", \"ucode_lib\": [" LIBRARY("pe.bin", "%s") "]", f);
    const struct edit e = { DEF, RESERVED, text };
    const struct wanted w = { FINDING_RULE, DEF, "ucode_lib[0].functions",
                              "Number of ucode functions: 29 per core exceeded the maximum allowed 28" };
    check(&e, 1, NULL, NULL, &any);
    expect(&w, (size_t)_i, FINDING_RULE);
    free(f);
    free(text);
}
END_TEST

START_TEST(function_names_have_64_characters_at_most)
{
    static const char name[] = "0123456789012345678901234567890123456789012345678901234567890123x";
    char *text = text_printf(RESERVED ", \"ucode_lib\": [" LIBRARY(
                                 "pe.bin", "\"functions\": [{\"name\": \"%.*s\", \"opcode\": -123}]") "]",
                             64 + _i, name);
    const struct edit e = { DEF, RESERVED, text };
    const struct wanted w = { FINDING_RULE, DEF, "ucode_lib[0].functions[0].name",
                              "is too long.  Max length = 64" };
    check(&e, 1, NULL, NULL, &any);
    expect(&w, (size_t)_i, FINDING_RULE);
    free(text);
}
END_TEST

START_TEST(an_unparsable_version_is_warned_about_and_refused)
{
    const struct edit e = { DEF, RESERVED,
                            RESERVED
                            ", \"ucode_lib\": [{\"library\": \"pe.bin\", \"ulib_to_ucode_version\": \"one\", "
                            "\"cpu_id\": 0, \"total_cpus\": 0, \"functions\": []}]" };
    const struct wanted w[] = {
        { FINDING_WARNING, DEF, "ucode_lib[0].ulib_to_ucode_version",
          "GPSIMD lib: Failed to parse GPSIMD lib version string! Version: one" },
        { FINDING_RULE, DEF, "ucode_lib[0].ulib_to_ucode_version", "Mismatch between GPSIMD lib version" },
        { FINDING_WARNING, DEF, "ucode_lib", "feature bit 2" },
    };
    check(&e, 1, NULL, NULL, &any);
    EXPECT(w, FINDING_WARNING);
}
END_TEST

/* ---- what the manifests say about each other, several graphs ---- */

START_TEST(neff_json_and_the_graph_agree_about_sizes)
{
    const struct edit e = { NEFF_JSON,
                            "\"shape\": [\n      \"list_shape\",\n      [\n        [\n          32",
                            "\"shape\": [\n      \"list_shape\",\n      [\n        [\n          33" };
    const struct wanted w = { FINDING_WARNING, DEF, "var",
                              "the input input has 128 bytes, neff.json gives it 132" };
    check(&e, 1, NULL, NULL, &any);
    expect(&w, 1, FINDING_NOTE);
}
END_TEST

START_TEST(every_graph_is_judged_and_the_head_only_once)
{
    const struct neff_member *def = neff_find(base, DEF);
    char *text = text_copy_n((const char *)def->data, def->size);
    edit_text(&text, &(struct edit){ DEF, "\"var_id\": 3", "\"var_id\": 9" });
    const struct neff_file files[] = { { "sg01/def.json", text, strlen(text) }, { 0 } };
    const struct edit edits[] = {
        { KELF, "\"name\": \"sg00\"\n    }",
          "\"name\": \"sg00\"\n    }, {\"name\": \"sg01\", \"definition\": \"sg01/def.json\"}" },
        { NEFF_JSON, "\"heads\": [\n    [\n      1", "\"heads\": [\n    [\n      2" },
    };
    const struct wanted w[] = {
        { FINDING_RULE, "neff.json", "heads[0]", "Output node ID 2 out of bounds" },
        { FINDING_RULE, "sg01/def.json", "var",
          "Unexpected var_ids set! max=9, size=5: no variable has id 3" },
        { FINDING_RULE, "sg01/def.json", "pe", "sg01/pe.json, which is missing" },
        { FINDING_RULE, "sg01/def.json", "act", "sg01/act.json, which is missing" },
        { FINDING_RULE, "sg01/def.json", "pool", "sg01/pool.json, which is missing" },
        { FINDING_RULE, "sg01/def.json", "dve", "sg01/dve.json, which is missing" },
        { FINDING_RULE, "sg01/def.json", "sp", "sg01/sp.json, which is missing" },
        { FINDING_WARNING, "", "byte 0x228", "vnc_size is 1, but the kelf has 2 graphs" },
    };
    check(edits, 2, files, NULL, &any);
    EXPECT(w, FINDING_WARNING);
    free(text);
}
END_TEST

/* ---- the container ---- */

static void check_file(const struct check_options *opt, struct neff **n)
{
    char path[] = "/tmp/neff check XXXXXX"; /* a place in a finding must not be cut at the spaces */
    int fd = mkstemp(path);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "wb");
    ck_assert_ptr_nonnull(f);
    fwrite(image, 1, image_len, f);
    fclose(f);
    ck_assert_msg(neff_check_open(path, opt, &found, n, &err) == 0, "%s", err.text);
    remove(path);
}

START_TEST(a_wrong_digest_does_not_hide_the_rest)
{
    struct neff *n;
    image[NEFF_HDR_HASH_OFF] ^= 1;
    check_file(&any, &n);
    ck_assert_ptr_nonnull(n);
    ck_assert_uint_eq(found.count, 1);
    ck_assert_int_eq(found.list[0].gate, 10);
    ck_assert_int_eq(found.list[0].tier, 1);
    ck_assert_int_eq(found.list[0].level, FINDING_RULE);
    ck_assert_str_eq(found.list[0].member, "");
    ck_assert_msg(found.list[0].place[0] != 'c', "%s", found.list[0].place);
    neff_close(n);
    forget();
    check_file(&(struct check_options){ .no_hash = true }, &n);
    ck_assert_uint_eq(found.count, 0);
    neff_close(n);
}
END_TEST

START_TEST(a_newer_compilers_bits_are_named)
{
    struct neff *n;
    put_le64(image + NEFF_HDR_VERSION_MAJOR_OFF, 2);
    put_le64(image + NEFF_HDR_FEATURE_BITS_OFF,
             UINT64_C(1) << 27 | UINT64_C(1) << 62 | UINT64_C(1) << 63 | 4);
    check_file(&any, &n);
    ck_assert_ptr_null(n);
    ck_assert_uint_eq(found.count, 3);
    ck_assert_int_eq(found.list[0].gate, 5);
    ck_assert_int_eq(found.list[0].runtime_code, NRT_UNSUPPORTED_NEFF_VERSION);
    ck_assert_ptr_nonnull(strstr(found.list[1].text, "feature bit 27 "));
    ck_assert_ptr_nonnull(strstr(found.list[2].text, "feature bit 62 "));
    ck_assert_str_eq(found.list[2].place, "byte 0x220");
    ck_assert_int_eq(findings_exit_code(&found), 1);
}
END_TEST

START_TEST(a_short_file_is_unreadable)
{
    struct neff *n;
    image_len = 1000;
    check_file(&any, &n);
    ck_assert_ptr_null(n);
    ck_assert_int_eq(findings_exit_code(&found), 2);
    ck_assert_int_eq(found.list[0].gate, 2);
}
END_TEST

START_TEST(a_missing_file_is_an_error_of_the_caller)
{
    struct neff *n;
    ck_assert_int_eq(neff_check_open("build/no such file", &any, &found, &n, &err), NERR_IO);
    ck_assert_ptr_null(n);
}
END_TEST

/* Every manifest with a byte changed or removed: whatever comes out, nothing may crash, leak or hang. */
START_TEST(no_changed_byte_breaks_the_check)
{
    static const char *const names[] = { NEFF_JSON, KELF, DEF, POOL, ACT };
    const struct neff_member *m = neff_find(base, names[_i]);
    for (size_t i = 0; i < m->size; i += 2) {
        char *text = text_copy_n((const char *)m->data, m->size);
        if (i % 4)
            text[i] = "0\"[{}],:-x"[i / 2 % 10];
        else
            memmove(text + i, text + i + 1, m->size - i - 1);
        const struct neff_file f[] = { { m->name, text, i % 4 ? m->size : m->size - 1 }, { 0 } };
        check(NULL, 0, f, NULL, &cayman);
        forget();
        free(text);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("neff/check");
    TCase *t = tcase_create("check");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, e1_is_clean_on_every_generation, 0, 4);
    tcase_add_test(t, hlo_stats_json_ends_the_warnings);
    tcase_add_loop_test(t, a_broken_rule_is_the_only_finding, 0, (int)(sizeof refusals / sizeof refusals[0]));
    tcase_add_test(t, all_problems_are_told_in_the_runtimes_order);
    tcase_add_test(t, first_stops_at_the_first_problem);
    tcase_add_test(t, a_full_list_ends_the_search);
    tcase_add_loop_test(t, unreadable_tables_make_no_echo, 0, 4);
    tcase_add_loop_test(t, every_link_of_the_chain_names_who_refers_to_a_missing_member, 0, 5);
    tcase_add_test(t, repeated_keys_are_a_warning);
    tcase_add_test(t, the_target_is_judged_for_a_given_generation);
    tcase_add_test(t, an_absent_target_is_sunda);
    tcase_add_loop_test(t, the_legacy_guard_is_for_cayman, 0, 2);
    tcase_add_loop_test(t, each_value_of_the_carveout_is_judged_on_cayman, 0, 5);
    tcase_add_test(t, feature_bits_are_told_one_by_one);
    tcase_add_test(t, neff_features_mirrors_the_header);
    tcase_add_test(t, a_library_without_its_feature_bit_is_a_warning);
    tcase_add_loop_test(t, every_section_is_judged, 0, (int)(sizeof sections / sizeof sections[0]));
    tcase_add_test(t, more_than_32_queues_are_refused_once);
    tcase_add_test(t, libraries_have_caps_and_names);
    tcase_add_loop_test(t, a_library_has_28_functions_at_most, 0, 2);
    tcase_add_loop_test(t, function_names_have_64_characters_at_most, 0, 2);
    tcase_add_test(t, an_unparsable_version_is_warned_about_and_refused);
    tcase_add_test(t, neff_json_and_the_graph_agree_about_sizes);
    tcase_add_test(t, every_graph_is_judged_and_the_head_only_once);
    tcase_add_test(t, a_wrong_digest_does_not_hide_the_rest);
    tcase_add_test(t, a_newer_compilers_bits_are_named);
    tcase_add_test(t, a_short_file_is_unreadable);
    tcase_add_test(t, a_missing_file_is_an_error_of_the_caller);
    tcase_add_loop_test(t, no_changed_byte_breaks_the_check, 0, 5);
    suite_add_tcase(s, t);
    return e1_main(s);
}
