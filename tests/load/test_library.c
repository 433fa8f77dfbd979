/*
 * A NEFF with a Q7 library (q7-prelink.md §13-§15): E1 with the worked example as its library. The expected
 * numbers are counted by hand from the page and from slice-walkthrough.md §2 and §4.
 */
#include <check.h>
#include <openssl/evp.h>

#include "q7_example.h"
#include "slots.h"

static struct e1 e1;
static struct loadplan *plan;
static uint8_t elf[Q7_EXAMPLE_BYTES], staged[Q7_EXAMPLE_STAGED];
static struct prog_function functions[2];
static struct prog_library libs[2];

/* The library of the page, and another of the same bytes. */
static void give_library(void)
{
    static char name[] = "kernels.so", other[] = "more.so", member[] = "sg00/kernels.so",
                version[] = "1.21.1.0", isa[] = "", f0[] = "iota", f1[] = "copy";
    q7_example_fill(elf, sizeof elf, Q7_EXAMPLE_LINES(q7_example_elf));
    q7_example_fill(staged, sizeof staged, Q7_EXAMPLE_LINES(q7_example_staged));
    functions[0] = (struct prog_function){ .name = f0, .opcode = 0x85, .sub_opcode = 0 };
    functions[1] = (struct prog_function){ .name = f1, .opcode = 0x85, .sub_opcode = 1 };
    libs[0] = (struct prog_library){ .name = name,
                                     .member = member,
                                     .version = version,
                                     .isa_version = isa,
                                     .total_cpus = 8,
                                     .opcode = 0x85,
                                     .functions = functions,
                                     .nfunctions = 2,
                                     .data = elf,
                                     .size = sizeof elf };
    libs[1] = libs[0];
    libs[1].name = other;
    e1.p.libraries = libs;
    e1.p.nlibraries = 1;
}

static void setup(void)
{
    e1_init(&e1);
    give_library();
}

static void teardown(void)
{
    load_free(plan);
    plan = NULL;
}

static void load(void)
{
    struct nerr err;
    ck_assert_msg(load_plan(&e1.p, NULL, &plan, &err) == 0, "%s: %s", err.where, err.text);
}

static void expect_refused(int code, const char *where, const char *text)
{
    struct nerr err;
    ck_assert_int_eq(load_plan(&e1.p, NULL, &plan, &err), code);
    ck_assert_ptr_null(plan);
    ck_assert_msg(strstr(err.where, where) != NULL, "where is '%s'", err.where);
    ck_assert_msg(strstr(err.text, text) != NULL, "text is '%s'", err.text);
}

START_TEST(the_fixture_is_the_one_of_the_page)
{
    static const char *const want[2] = { "5d8d15a71602fb81564e599cc5467d9da08fdd4f3625a232917694fe867dcc64",
                                         "bb403ee8186b795815dfa3c1e982972bcdb2c454566efdefb7c320804a1490f3" };
    const uint8_t *const bytes[2] = { elf, staged };
    const size_t len[2] = { sizeof elf, sizeof staged };
    for (int k = 0; k < 2; k++) {
        unsigned char md[32];
        char text[65];
        ck_assert_int_eq(EVP_Digest(bytes[k], len[k], md, NULL, EVP_sha256(), NULL), 1);
        for (int i = 0; i < 32; i++)
            snprintf(text + 2 * i, 3, "%02x", md[i]);
        ck_assert_str_eq(text, want[k]);
    }
}
END_TEST

START_TEST(load_and_unload_slots_are_in_their_places)
{
    /* 16 MiB at the next multiple of 1 MiB after gradient_out, which ends at 0x1003080 */
    static const uint8_t load_bytes[SLOT_BYTES] = {
        0x95, 0x10, [12] = 1, 0xff, [18] = 0x10, 0x01, [28] = 0x30, 0x01
    };
    static const uint8_t unload_bytes[SLOT_BYTES] = { 0x95, 0x10, [12] = 2, 0xff };
    load();
    const struct load_image *img = &plan->images[ENG_POOL];
    ck_assert_uint_eq(img->base, 0x110000);
    ck_assert_uint_eq(img->size, 0x400); /* 0x380 and two slots */
    ck_assert_mem_eq(img->bytes + 0x0c0, load_bytes, SLOT_BYTES);
    ck_assert_mem_eq(img->bytes + 0x340, unload_bytes, SLOT_BYTES);
    ck_assert_uint_eq(img->preamble, 0);
    ck_assert_uint_eq(img->main, 0x100);
    ck_assert_uint_eq(img->postamble, 0x240);
    ck_assert_uint_eq(img->function, 0x400);
}
END_TEST

START_TEST(the_rest_of_the_program_moves_by_one_slot_and_the_others_stay)
{
    struct loadplan *with;
    load();
    with = plan;
    e1.p.nlibraries = 0;
    load();
    for (unsigned e = 0; e < PROG_ENGINES; e++) {
        const struct load_image *a = &with->images[e], *b = &plan->images[e];
        ck_assert_uint_eq(a->base, b->base);
        if (e == ENG_POOL) {
            ck_assert_mem_eq(a->bytes, b->bytes, 0x0c0);
            ck_assert_mem_eq(a->bytes + 0x100, b->bytes + 0x0c0, 0x240); /* up to the second barrier */
            ck_assert_mem_eq(a->bytes + 0x380, b->bytes + 0x300, 0x40);  /* done */
            /* the loop's displacement: 0x040 - 0x3c0 */
            static const uint8_t back[4] = { 0x80, 0xfc, 0xff, 0xff };
            ck_assert_mem_eq(a->bytes + 0x3c0, b->bytes + 0x340, 0x30);
            ck_assert_mem_eq(a->bytes + 0x3c0 + 0x30, back, 4);
        } else {
            ck_assert_uint_eq(a->size, b->size);
            ck_assert_mem_eq(a->bytes, b->bytes, a->size);
        }
    }
    for (size_t i = 0; i < e1.p.nvars; i++)
        ck_assert_uint_eq(with->vars[i].addr, plan->vars[i].addr);
    load_free(with);
}
END_TEST

START_TEST(patch_records_and_pc_mapping_follow)
{
    static const struct load_patch want[] = {
        { 0, 4, PATCH_TYPE_INSERT, LOAD_PREAMBLE },
        { 0x100, 1, PATCH_TYPE_INSERT, LOAD_MAIN },
        { 0x180, 1, PATCH_TYPE_INSERT, LOAD_MAIN },
        { 0x240, 7, PATCH_TYPE_INSERT, LOAD_POSTAMBLE },
    };
    static const uint32_t source[16] = { [4] = 1, 1, 2, 2, 3 }; /* per slot of the image, 0: none */
    struct nerr err;
    char text[128];
    load();
    const struct load_image *img = &plan->images[ENG_POOL];
    ck_assert_uint_eq(img->npatches, 4);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(img->patches[i].offset, want[i].offset);
        ck_assert_uint_eq(img->patches[i].count, want[i].count);
        ck_assert_uint_eq(img->patches[i].type, want[i].type);
        ck_assert_uint_eq(img->patches[i].section, want[i].section);
    }
    for (unsigned i = 0; i < 16; i++) {
        ck_assert_uint_eq(load_source_slot(img, img->base + i * SLOT_BYTES, &err), source[i]);
        ck_assert_uint_eq(img->slots[i].source_slot, source[i]);
    }
    ck_assert_str_eq(load_pc_text(plan, ENG_POOL, img->base + 0xc0, text, sizeof text),
                     "POOL 0x0c0 preamble: load library kernels.so");
    ck_assert_str_eq(load_pc_text(plan, ENG_POOL, img->base + 0x340, text, sizeof text),
                     "POOL 0x340 postamble: unload library kernels.so");
}
END_TEST

/* The memory write with this label. */
static const struct load_op *find_write(const char *label, size_t *index)
{
    for (size_t i = 0; i < plan->ninit; i++)
        if (plan->init[i].kind == LOAD_MEM_WRITE && strcmp(plan->init[i].label, label) == 0) {
            *index = i;
            return &plan->init[i];
        }
    ck_abort_msg("no write '%s'", label);
    return NULL;
}

START_TEST(three_writes_stage_the_image_in_order)
{
    static const struct {
        const char *label;
        uint64_t addr;
        size_t from, len;
    } want[] = {
        { "library kernels.so header", 0x1100000, 0x00, 0x20 },
        { "library kernels.so code", 0x1100020, 0x20, 0x68 },
        { "library kernels.so data", 0x11000a0, 0xa0, 0x90 },
    };
    size_t at[3], others = 0;
    load();
    for (int i = 0; i < 3; i++) {
        const struct load_op *op = find_write(want[i].label, &at[i]);
        ck_assert_uint_eq(op->addr, want[i].addr);
        ck_assert_uint_eq(op->len, want[i].len);
        ck_assert_mem_eq(op->bytes, staged + want[i].from, want[i].len);
    }
    ck_assert_uint_eq(at[1], at[0] + 1);
    ck_assert_uint_eq(at[2], at[0] + 2);
    for (size_t i = 0; i < plan->ninit; i++)
        others += plan->init[i].kind == LOAD_MEM_WRITE && plan->init[i].addr - 0x1100000 < 0x1000000;
    ck_assert_uint_eq(others, 3);
    ck_assert_uint_eq(plan->nlibraries, 1);
    ck_assert_uint_eq(plan->libraries[0].staging, 0x1100000);
    ck_assert_uint_eq(plan->libraries[0].size, 0x130);
    ck_assert_mem_eq(plan->libraries[0].image, staged, sizeof staged);
    char text[64];
    ck_assert_str_eq(load_addr_text(plan, 0x11000a0, text, sizeof text), "library kernels.so+0xa0");
    ck_assert_str_eq(load_addr_text(plan, 0x20fffff, text, sizeof text), "library kernels.so+0xffffff");
    ck_assert_str_eq(load_addr_text(plan, 0x2100000, text, sizeof text), "0x2100000");
}
END_TEST

START_TEST(upper_bound_of_pool_includes_both_slots)
{
    load();
    for (size_t i = 0; i < plan->ninit; i++)
        if (strcmp(plan->init[i].label, "R5 POOL upper bound lo") == 0) {
            ck_assert_uint_eq(plan->init[i].value, 0x001103ff);
            return;
        }
    ck_abort_msg("no upper bound");
}
END_TEST

START_TEST(a_library_that_cannot_be_prelinked_is_refused_with_its_status)
{
    elf[4] = 2;
    expect_refused(NERR_INPUT, "sg00/kernels.so", "status 1");
    setup();
    elf[0x49] = 0x80; /* code memsz 0x8066 */
    expect_refused(NERR_RULE, "sg00/kernels.so", "status 13");
    setup();
    elf[0x2cc] = 50;
    expect_refused(NERR_RULE, "sg00/kernels.so", "Unknown relocation type 50");
    setup();
    libs[0].size = 0;
    expect_refused(NERR_INPUT, "sg00/kernels.so", "status 1");
}
END_TEST

START_TEST(two_libraries_would_overwrite_each_other)
{
    e1.p.nlibraries = 2;
    expect_refused(NERR_RULE, "ucode_lib", "2 Q7 libraries, allowed is 1");
}
END_TEST

START_TEST(the_staging_buffer_needs_its_16_mib)
{
    /* the last variable ends 15 MiB below the end of HBM, then 16 MiB below */
    e1.vars[4].size = 0x1000000000 - 0xf00000 - 0x1003000;
    expect_refused(NERR_RULE, "kernels.so", "HBM");
    e1.vars[4].size -= 0x100000;
    load();
    ck_assert_uint_eq(plan->libraries[0].staging, 0x1000000000 - 0x1000000);
}
END_TEST

/* Programs without a slot but a reload and a NOP on one engine. */
static void with_reload(unsigned engine, uint8_t wait_mode)
{
    static struct stream s;
    struct inst in = isa_inst(OP_PSEUDO_INST);
    memset(&s, 0, sizeof s);
    in.u.pseudo.subop = PSEUDO_LIBRARY_RELOAD_INDEX;
    in.wait_mode = wait_mode;
    add(&s, &in);
    add_op(&s, OP_NOP);
    no_streams(&e1);
    give_library();
    use_stream(&e1, engine, &s);
}

START_TEST(a_reload_yields_no_slot_where_a_library_is)
{
    with_reload(ENG_POOL, WAIT_NONE);
    load();
    const struct load_image *img = &plan->images[ENG_POOL];
    ck_assert_uint_eq(img->postamble - img->main, SLOT_BYTES);
    ck_assert_uint_eq(img->patches[1].type, PATCH_TYPE_DELETE);
    ck_assert_uint_eq(img->slots[4].source_slot, 2);
    teardown();
    with_reload(ENG_POOL, WAIT_SEM_GT_IMM);
    expect_refused(NERR_RULE, "slot 1", "cannot carry a wait");
    with_reload(ENG_PE, WAIT_NONE);
    expect_refused(NERR_RULE, "slot 1", "no Q7 library");
    with_reload(ENG_POOL, WAIT_NONE);
    e1.p.nlibraries = 0;
    expect_refused(NERR_RULE, "slot 1", "no Q7 library");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("load library");
    TCase *t = tcase_create("library");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, the_fixture_is_the_one_of_the_page);
    tcase_add_test(t, load_and_unload_slots_are_in_their_places);
    tcase_add_test(t, the_rest_of_the_program_moves_by_one_slot_and_the_others_stay);
    tcase_add_test(t, patch_records_and_pc_mapping_follow);
    tcase_add_test(t, three_writes_stage_the_image_in_order);
    tcase_add_test(t, upper_bound_of_pool_includes_both_slots);
    tcase_add_test(t, a_library_that_cannot_be_prelinked_is_refused_with_its_status);
    tcase_add_test(t, two_libraries_would_overwrite_each_other);
    tcase_add_test(t, the_staging_buffer_needs_its_16_mib);
    tcase_add_test(t, a_reload_yields_no_slot_where_a_library_is);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? 1 : 0;
}
