/* What load refuses, each with its sentence and place; and that hostile programs never do worse than be
 * refused. */
#include <check.h>
#include <stdlib.h>

#include "slots.h"

static struct e1 e1;
static struct stream s;
static struct loadplan *plan;
static struct nerr err;

static void setup(void)
{
    no_streams(&e1);
    memset(&s, 0, sizeof s);
    plan = NULL;
}

static void expect(unsigned engine, const char *where, const char *part)
{
    use_stream(&e1, engine, &s);
    memset(&err, 0, sizeof err);
    ck_assert_int_eq(load_plan(&e1.p, NULL, &plan, &err), NERR_RULE);
    ck_assert_ptr_null(plan);
    ck_assert_int_eq(err.runtime_code, NRT_INVALID);
    ck_assert_str_eq(err.where, where);
    ck_assert_msg(strstr(err.text, part) != NULL, "\"%s\" does not say \"%s\"", err.text, part);
}

START_TEST(illegal_slots_are_refused_with_their_number)
{
    add_op(&s, OP_NOP);
    add_op(&s, OP_NOP);
    s.code[SLOT_BYTES + 20] = 1;
    expect(ENG_DVE, "dve.bin slot 2", "reserved byte 20");
}
END_TEST

START_TEST(other_pseudo_slots_are_refused_by_name)
{
    static const unsigned ops[] = { 0xc2, 0xc4, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf,
                                    0xd0, 0xd4, 0xd6, 0xd7, 0xd9, 0xda, 0xdb, 0xdc, 0xdd, 0xde };
    add_op(&s, ops[_i]);
    expect(ENG_PE, "pe.bin slot 1", isa_opcode_name(ops[_i]));
    ck_assert_ptr_nonnull(strstr(err.text, "not supported"));
}
END_TEST

START_TEST(streams_must_be_whole_slots)
{
    add_op(&s, OP_NOP);
    use_stream(&e1, ENG_ACT, &s);
    e1.p.engines[ENG_ACT].code_size = 63;
    ck_assert_int_eq(load_plan(&e1.p, NULL, &plan, &err), NERR_RULE);
    ck_assert_ptr_nonnull(strstr(err.text, "63 bytes"));
}
END_TEST

START_TEST(sp8_programs_are_recognised)
{
    add_op(&s, OP_NOP);
    use_stream(&e1, ENG_SP, &s);
    e1.p.engines[ENG_SP].code_size = 24;
    ck_assert_int_eq(load_plan(&e1.p, NULL, &plan, &err), NERR_RULE);
    ck_assert_ptr_nonnull(strstr(err.text, "8-byte"));
    e1.p.engines[ENG_SP].code_size = 64;
    s.code[1] = 0;
    ck_assert_int_eq(load_plan(&e1.p, NULL, &plan, &err), NERR_RULE);
    ck_assert_ptr_nonnull(strstr(err.text, "8-byte"));
    e1.p.engines[ENG_SP].code_size = 63;
    ck_assert_int_eq(load_plan(&e1.p, NULL, &plan, &err), NERR_RULE);
    ck_assert_ptr_nonnull(strstr(err.text, "multiple of 64"));
}
END_TEST

START_TEST(unknown_queue)
{
    add_dma(&s, "q_nowhere", 0);
    expect(ENG_POOL, "pool.bin slot 1", "queue q_nowhere is not in dma_queue");
}
END_TEST

START_TEST(trigger_outside_the_owners_stream)
{
    add_dma(&s, "q_gradient_in", 0);
    expect(ENG_ACT, "act.bin slot 1", "belongs to POOL");
}
END_TEST

START_TEST(unknown_block)
{
    add_dma(&s, "q_gradient_in", 3);
    expect(ENG_POOL, "pool.bin slot 1", "has no block 3");
}
END_TEST

START_TEST(raw_count)
{
    add_dma(&s, "q_gradient_in", 0);
    s.code[SLOT_DMATRIG_USE_RAW_OFF] = 1;
    expect(ENG_POOL, "pool.bin slot 1", "raw descriptor count");
}
END_TEST

START_TEST(trigger_in_a_loop)
{
    add_label(&s, 1);
    add_dma(&s, "q_gradient_in", 0);
    add_branch(&s, 1);
    expect(ENG_POOL, "pool.bin slot 2", "inside a loop");
}
END_TEST

START_TEST(trigger_behind_a_loop_is_fine)
{
    add_label(&s, 1);
    add_branch(&s, 1);
    add_dma(&s, "q_gradient_in", 0);
    use_stream(&e1, ENG_POOL, &s);
    ck_assert_int_eq(load_plan(&e1.p, NULL, &plan, &err), 0);
    load_free(plan);
}
END_TEST

START_TEST(trigger_that_can_be_skipped)
{
    add_branch(&s, 1);
    add_dma(&s, "q_gradient_in", 0);
    add_label(&s, 1);
    expect(ENG_POOL, "pool.bin slot 2", "can skip");
}
END_TEST

START_TEST(trigger_in_a_function)
{
    add_exit(&s);
    add_function(&s, "f", false);
    add_dma(&s, "q_gradient_in", 0);
    expect(ENG_POOL, "pool.bin slot 3", "inside a function");
}
END_TEST

START_TEST(trigger_beside_a_register_branch)
{
    struct inst in = isa_inst(OP_COMPARE_BRANCH);
    in.u.br.target_mode = BR_REG;
    add_dma(&s, "q_gradient_in", 0);
    add(&s, &in);
    expect(ENG_POOL, "pool.bin slot 1", "branch through a register (slot 2)");
}
END_TEST

START_TEST(labels_are_unique_and_defined)
{
    add_label(&s, 4);
    add_label(&s, 4);
    expect(ENG_PE, "pe.bin slot 2", "label 4 is defined twice");
    s.slots = 0;
    add_branch(&s, 6);
    expect(ENG_PE, "pe.bin slot 1", "label 6 is not defined");
}
END_TEST

START_TEST(markers_cannot_wait)
{
    add_label(&s, 4);
    s.code[SLOT_HDR_WAIT_MODE_OFF] = WAIT_SEM_GE_IMM;
    expect(ENG_PE, "pe.bin slot 1", "cannot carry a wait");
}
END_TEST

START_TEST(function_rules)
{
    add_call(&s, "g");
    add_exit(&s);
    add_function(&s, "f", false);
    expect(ENG_PE, "pe.bin slot 1", "function g is not defined");
    s.slots = 0;
    add_function(&s, "f", false);
    expect(ENG_PE, "pe.bin", "no exit");
    s.slots = 0;
    add_exit(&s);
    add_function(&s, "f", false);
    add_function(&s, "f", false);
    expect(ENG_PE, "pe.bin slot 3", "defined twice");
    s.slots = 0;
    add_op(&s, OP_PSEUDO_FUNCTION_RETURN);
    expect(ENG_PE, "pe.bin slot 1", "outside a function");
    s.slots = 0;
    add_call(&s, "f");
    s.code[SLOT_CALL_ARGS_OFF] = 3;
    add_exit(&s);
    add_function(&s, "f", false);
    add_op(&s, OP_NOP);
    expect(ENG_PE, "pe.bin slot 1", "args table");
    s.slots = 0;
    add_call(&s, "f");
    add_exit(&s);
    add_function(&s, "f", false);
    expect(ENG_PE, "pe.bin slot 1", "end of the image");
}
END_TEST

START_TEST(a_library_reload_needs_a_library)
{
    add_exit(&s);
    s.code[SLOT_PSEUDO_SUBOP_OFF] = PSEUDO_LIBRARY_RELOAD_INDEX;
    expect(ENG_PE, "pe.bin slot 1", "library reload");
}
END_TEST

START_TEST(barriers_must_balance)
{
    add_op(&s, OP_PSEUDO_SYNC_BARRIER);
    expect(ENG_SP, "sp.bin", "could never be met");
}
END_TEST

START_TEST(harness_semaphores_are_off_limits)
{
    struct inst in = isa_inst(OP_NOP);
    in.wait_mode = WAIT_SEM_GE_IMM;
    in.wait_idx = 240;
    add(&s, &in);
    expect(ENG_PE, "pe.bin slot 1", "semaphore 240");
    in = isa_inst(OP_EVENT_SEMAPHORE_RANGE_CLEAR);
    in.u.range.mode = RANGE_RANGE;
    in.u.range.first = 200;
    in.u.range.last = 245;
    s.slots = 0;
    add(&s, &in);
    expect(ENG_PE, "pe.bin slot 1", "semaphore 240");
    s.slots = 0;
    e1.queues[1].semaphore = 241;
    expect(ENG_PE, "q_gradient_out", "semaphore 241");
    in = isa_inst(OP_NOP);
    in.wait_mode = WAIT_EVT_SET; /* events are another file */
    in.wait_idx = 250;
    e1.queues[1].semaphore = 11;
    add(&s, &in);
    use_stream(&e1, ENG_PE, &s);
    ck_assert_int_eq(load_plan(&e1.p, NULL, &plan, &err), 0);
    load_free(plan);
}
END_TEST

static void add_collective(void)
{
    memcpy(s.code + SLOT_BYTES * s.slots++, e1_pe_bin, SLOT_BYTES);
}

START_TEST(collectives_beyond_the_agent)
{
    add_collective();
    e1.p.world_size = 2;
    expect(ENG_PE, "pe.bin slot 1", "needs the management core");
    e1.p.world_size = 1;
    e1.p.num_streams = 2;
    expect(ENG_PE, "pe.bin slot 1", "one stream");
    e1.p.num_streams = 1;
    e1.p.ngroups = 0;
    expect(ENG_PE, "pe.bin slot 1", "replica_groups has 0");
    e1.p.ngroups = 1;
    s.code[SLOT_CC_NUM_ELEM_OFF] = 33;
    expect(ENG_PE, "pe.bin slot 1", "input tensor gradient_in: the pattern leaves");
    s.code[SLOT_CC_NUM_ELEM_OFF] = 31;
    s.code[SLOT_CC_DST_OFFSET_OFF] = 2;
    expect(ENG_PE, "pe.bin slot 1", "output tensor gradient_out: the pattern leaves");
    memset(s.code + SLOT_CC_NUM_ELEM_OFF, 0xff, 8);
    expect(ENG_PE, "pe.bin slot 1", "64 bits");
    s.code[SLOT_CC_INPUT_OFF] = 9;
    expect(ENG_PE, "pe.bin slot 1", "input tensor 9 is not a variable");
    s.slots = 0;
    add_label(&s, 1);
    add_collective();
    add_branch(&s, 1);
    expect(ENG_PE, "pe.bin slot 2", "inside a loop is not supported yet: it needs the management core");
}
END_TEST

START_TEST(collectives_of_two_engines)
{
    static struct stream other;
    add_collective();
    other = s;
    use_stream(&e1, ENG_PE, &other);
    expect(ENG_ACT, "act.bin slot 1", "streams of PE and ACT");
}
END_TEST

START_TEST(two_collectives_of_one_engine_are_two_blocks)
{
    add_collective();
    add_collective();
    use_stream(&e1, ENG_PE, &s);
    ck_assert_int_eq(load_plan(&e1.p, NULL, &plan, &err), 0);
    ck_assert_uint_eq(plan->nagent, 2);
    ck_assert_uint_eq(plan->rings[2].m2s_used, 4);
    ck_assert_str_eq(plan->agent[1].from, "pe.bin slot 2");
    load_free(plan);
}
END_TEST

START_TEST(unsupported_parts_of_the_neff)
{
    e1.desc[0].op = KDMAOP_ADD;
    add_dma(&s, "q_gradient_in", 0);
    expect(ENG_POOL, "sg00/pool.json dma[0].desc[0]", "operation add is not supported");
    e1.desc[0].op = -1;
    expect(ENG_POOL, "sg00/pool.json dma[0].desc[0]", "operation ?");
    e1.desc[0].op = 0;
    e1.desc[0].typed = true;
    expect(ENG_POOL, "sg00/pool.json dma[0].desc[0]", "element types");
    e1.desc[0].typed = false;
    e1.desc[0].nsources = 2;
    expect(ENG_POOL, "sg00/pool.json dma[0].desc[0]", "2 sources");
    s.slots = 0;
    e1.queues[0].ring_kind = RINGK_DYNAMIC_ACT_TBL;
    expect(ENG_POOL, "q_gradient_in", "ring kind 11");
    e1.queues[0].ring_kind = RINGK_IN;
    e1.queues[0].extra = "dge";
    expect(ENG_POOL, "q_gradient_in", "the key dge");
    e1.queues[0].extra = NULL;
    e1.vars[4].kind = VARK_PTR;
    expect(ENG_POOL, "gradient_out", "kind pointer");
    e1.vars[4].kind = VARK_LIST;
    expect(ENG_POOL, "gradient_out", "kind list");
    e1.vars[4].kind = 77;
    expect(ENG_POOL, "gradient_out", "kind ?");
    e1.vars[4].kind = VARK_TMP_BUF;
    e1.p.has_sb_reservation = false;
    expect(ENG_POOL, "def.json", "Missing or corrupted runtime_statebuffer_reservation");
}
END_TEST

START_TEST(options_are_checked)
{
    static const struct load_config bad[] = { { .n_dma = 17 },
                                              { .notify_ring_bytes = 48 },
                                              { .notify_ring_bytes = 16 },
                                              { .notify_ring_bytes = 0x20000 },
                                              { .timestamp_inc = 0x1000000 } };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_int_eq(load_plan(&e1.p, &bad[i], &plan, &err), NERR_INPUT);
        ck_assert_ptr_null(plan);
    }
    const struct load_config drop = {
        .n_dma = 1, .notify_ring_bytes = 64, .notify_drop = true, .timestamp_inc = 0x400
    };
    ck_assert_int_eq(load_plan(&e1.p, &drop, &plan, &err), 0);
    ck_assert_uint_eq(plan->n_dma, 1);
    ck_assert_uint_eq(plan->rings[1].engine, 0);
    ck_assert_uint_eq(plan->rings[1].queue, 1);
    unsigned seen = 0;
    for (size_t i = 0; i < plan->ninit; i++) {
        const struct load_op *op = &plan->init[i];
        if (op->kind == LOAD_REG_WRITE && op->addr == 0x6001008)
            ck_assert_uint_eq(op->value, seen++ * 0);
        if (op->kind == LOAD_REG_WRITE && op->addr == 0x6001108)
            ck_assert_uint_eq(op->value, 64 + seen++ * 0);
        if (op->kind == LOAD_REG_WRITE && op->addr == 0x60010cc)
            ck_assert_uint_eq(op->value, 0x400 + seen++ * 0);
    }
    ck_assert_uint_eq(seen, 3);
    load_free(plan);
}
END_TEST

/* Random changes to E1's slots, variables and patterns: a plan or a refusal, and every text stays in its
 * buffer. */
START_TEST(mutated_programs_are_loaded_or_refused)
{
    uint32_t x = 12345 + (uint32_t)_i;
    unsigned loaded = 0;
    for (unsigned round = 0; round < 300; round++) {
        e1_init(&e1);
        static struct stream pe, pool;
        memcpy(pe.code, e1_pe_bin, sizeof e1_pe_bin);
        pe.slots = 1;
        memcpy(pool.code, e1_pool_bin, sizeof e1_pool_bin);
        pool.slots = 3;
        for (unsigned k = 0; k < 3; k++) {
            x = x * 1664525u + 1013904223u;
            uint32_t at = x >> 8;
            switch (at % 6) {
            case 0:
                pe.code[at / 6 % 64] = (uint8_t)(x >> 24);
                break;
            case 1:
                pool.code[at / 6 % 192] = (uint8_t)(x >> 24);
                break;
            case 2:
                e1.vars[at / 6 % 5].size = (uint64_t)(x >> 24) << (at % 57);
                break;
            case 3:
                e1.vars[at / 6 % 5].kind = (int)(x >> 24) % 13;
                break;
            case 4:
                e1.desc[at / 6 % 2].from.steps[at % 2] = (int64_t)(int8_t)(x >> 24);
                break;
            default:
                e1.desc[at / 6 % 2].to.sizes[at % 2] = x >> 24;
                break;
            }
        }
        use_stream(&e1, ENG_PE, &pe);
        use_stream(&e1, ENG_POOL, &pool);
        const struct load_config cfg = { .allow_bad_slots = round % 2 == 0 };
        if (load_plan(&e1.p, &cfg, &plan, &err) == 0) {
            char text[64];
            for (size_t at = 0; at < plan->images[ENG_POOL].size; at += SLOT_BYTES)
                load_pc_text(plan, ENG_POOL, plan->images[ENG_POOL].base + at, text, sizeof text);
            load_free(plan);
            loaded++;
        } else {
            ck_assert_ptr_null(plan);
            ck_assert_int_ne(err.text[0], 0);
        }
    }
    ck_assert_uint_gt(loaded, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("load refuses");
    TCase *tc = tcase_create("refusals");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_add_test(tc, illegal_slots_are_refused_with_their_number);
    tcase_add_loop_test(tc, other_pseudo_slots_are_refused_by_name, 0, 21);
    tcase_add_test(tc, streams_must_be_whole_slots);
    tcase_add_test(tc, sp8_programs_are_recognised);
    tcase_add_test(tc, unknown_queue);
    tcase_add_test(tc, trigger_outside_the_owners_stream);
    tcase_add_test(tc, unknown_block);
    tcase_add_test(tc, raw_count);
    tcase_add_test(tc, trigger_in_a_loop);
    tcase_add_test(tc, trigger_behind_a_loop_is_fine);
    tcase_add_test(tc, trigger_that_can_be_skipped);
    tcase_add_test(tc, trigger_in_a_function);
    tcase_add_test(tc, trigger_beside_a_register_branch);
    tcase_add_test(tc, labels_are_unique_and_defined);
    tcase_add_test(tc, markers_cannot_wait);
    tcase_add_test(tc, function_rules);
    tcase_add_test(tc, a_library_reload_needs_a_library);
    tcase_add_test(tc, barriers_must_balance);
    tcase_add_test(tc, harness_semaphores_are_off_limits);
    tcase_add_test(tc, collectives_beyond_the_agent);
    tcase_add_test(tc, collectives_of_two_engines);
    tcase_add_test(tc, two_collectives_of_one_engine_are_two_blocks);
    tcase_add_test(tc, unsupported_parts_of_the_neff);
    tcase_add_test(tc, options_are_checked);
    tcase_add_loop_test(tc, mutated_programs_are_loaded_or_refused, 0, 4);
    suite_add_tcase(suite, tc);
    SRunner *sr = srunner_create(suite);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
