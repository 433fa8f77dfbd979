/* Image assembly: pseudo expansion, linking, barriers, patch records and PC mapping beyond fixture E1. */
#include <check.h>
#include <stdlib.h>

#include "slots.h"

static struct e1 e1;
static struct stream s;
static struct loadplan *plan;
static const struct load_image *img;

static void setup(void)
{
    no_streams(&e1);
    memset(&s, 0, sizeof s);
}

static void teardown(void)
{
    load_free(plan);
    plan = NULL;
}

static void load(unsigned engine)
{
    struct nerr err;
    use_stream(&e1, engine, &s);
    ck_assert_msg(load_plan(&e1.p, NULL, &plan, &err) == 0, "%s: %s", err.where, err.text);
    img = &plan->images[engine];
}

static void expect_slot(size_t offset, const char *text)
{
    char buf[256];
    ck_assert_uint_lt(offset, img->size);
    ck_assert_str_eq(isa_text(img->bytes + offset, buf, sizeof buf), text);
}

static uint32_t source_of(size_t offset)
{
    struct nerr err;
    return load_source_slot(img, img->base + offset, &err);
}

START_TEST(label_branch_is_linked_back_and_forth)
{
    add_label(&s, 7);     /* 1 */
    add_op(&s, OP_NOP);   /* 2 */
    add_branch(&s, 9);    /* 3 */
    add_branch(&s, 7);    /* 4 */
    add_label(&s, 9);     /* 5 */
    add_op(&s, OP_DRAIN); /* 6 */
    load(ENG_PE);
    expect_slot(0x0c0, "NOP;");
    expect_slot(0x100, "COMPARE_BRANCH if R5==0 -> +128 dtype=int32;");
    expect_slot(0x140, "COMPARE_BRANCH if R5==0 -> -128 dtype=int32;");
    expect_slot(0x180, "DRAIN count=0;");
    ck_assert_uint_eq(source_of(0x0c0), 2);
    ck_assert_uint_eq(source_of(0x100), 3);
    ck_assert_uint_eq(source_of(0x140), 4);
    ck_assert_uint_eq(source_of(0x180), 6);
    ck_assert_uint_eq(img->postamble, 0x1c0);
    /* displacements are zero-extended */
    ck_assert_uint_eq(img->bytes[0x140 + SLOT_BR_DISP_OFF + 3], 0xff);
    ck_assert_uint_eq(img->bytes[0x140 + SLOT_BR_DISP_OFF + 4], 0);
}
END_TEST

START_TEST(label_at_the_end_of_main_is_the_postamble)
{
    add_branch(&s, 1);
    add_label(&s, 1);
    load(ENG_ACT);
    expect_slot(0x0c0, "COMPARE_BRANCH if R5==0 -> +64 dtype=int32;");
    ck_assert_uint_eq(img->postamble, 0x100);
}
END_TEST

START_TEST(call_exit_and_return_expand_as_the_convention_says)
{
    struct inst call = isa_inst(OP_PSEUDO_FUNCTION_CALL);
    call.debug_cmd = DBG_NOTIFY;
    call.debug_hint = 4;
    call.wait_mode = WAIT_SEM_GE_IMM;
    call.wait_idx = 3;
    call.update_mode = UPD_SEM_INC_COMPLETE;
    call.update_idx = 4;
    call.value = 2;
    strcpy(call.u.call.name, "g");
    call.u.call.args = CALL_NO_ARGS;
    add(&s, &call);               /* 1 */
    add_exit(&s);                 /* 2 */
    add_function(&s, "f", false); /* 3 */
    add_op(&s, OP_NOP);           /* 4 */
    add_op(&s, OP_PSEUDO_FUNCTION_RETURN);
    add_function(&s, "g", true); /* 6 */
    struct inst nop = isa_inst(OP_NOP);
    nop.update_mode = UPD_SEM_INC_COMPLETE;
    nop.update_idx = 33;
    add(&s, &nop);                         /* 7 */
    add_op(&s, OP_PSEUDO_FUNCTION_RETURN); /* 8 */
    load(ENG_DVE);
    expect_slot(0x0c0, "MOVE $S[3]>=2 R10=PC.lo, R11=PC.hi debug_cmd=NOTIFY debug_hint=4;");
    expect_slot(0x100, "ALU_OP R10=R10 ADD 192 dtype=int32 debug_cmd=NOTIFY debug_hint=4;");
    ck_assert_uint_eq(img->postamble, 0x1c0);
    ck_assert_uint_eq(img->function, img->postamble + 6 * SLOT_BYTES);
    /* f: nop, drain, branch; g follows */
    size_t f = img->function, g = f + 3 * SLOT_BYTES;
    char text[128];
    snprintf(
        text, sizeof text,
        "COMPARE_BRANCH $S[4]++@complete semaphore_value=2 always -> +%zu debug_cmd=NOTIFY debug_hint=6;",
        g - 0x140);
    expect_slot(0x140, text);
    expect_slot(0x180, "COMPARE_BRANCH always -> +64 debug_hint=2;"); /* to the POSTAMBLE */
    for (size_t at = 0x0c0; at <= 0x140; at += SLOT_BYTES)
        ck_assert_uint_eq(img->bytes[at + 2], DBG_NOTIFY);
    ck_assert_uint_eq(img->bytes[0x0c0 + 3], 4);
    ck_assert_uint_eq(img->bytes[0x140 + 3], 4 | 2);
    ck_assert_uint_eq(img->bytes[0x180 + 3], 2);
    expect_slot(f, "NOP;");
    expect_slot(f + 0x40, "DRAIN;");
    expect_slot(f + 0x80, "COMPARE_BRANCH always -> {R10,R11};");
    expect_slot(g, "NOP $S[33]++@complete;");
    expect_slot(g + 0x40, "DRAIN;");
    expect_slot(g + 0x80, "EVENT_SEMAPHORE_RANGE_CLEAR mode=mask mask={33};");
    expect_slot(g + 0xc0, "COMPARE_BRANCH always -> {R10,R11};");
    ck_assert_uint_eq(img->size, g + 0x100);
}
END_TEST

START_TEST(function_pcs_continue_after_main_and_count_the_marker)
{
    add_call(&s, "f");                     /* 1: three slots */
    add_exit(&s);                          /* 2 */
    add_function(&s, "f", false);          /* 3 */
    add_label(&s, 1);                      /* 4 */
    add_op(&s, OP_NOP);                    /* 5 */
    add_op(&s, OP_PSEUDO_FUNCTION_RETURN); /* 6: two slots */
    add_function(&s, "h", false);          /* 7 */
    add_op(&s, OP_NOP);                    /* 8 */
    load(ENG_PE);
    size_t f = img->function;
    static const uint32_t main_slots[] = { 1, 1, 1, 2 };
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_eq(source_of(0xc0 + i * SLOT_BYTES), main_slots[i]);
    static const uint32_t fn_slots[] = { 5, 6, 6, 8 };
    for (size_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(source_of(f + i * SLOT_BYTES), fn_slots[i]);
        ck_assert_uint_eq(img->slots[f / SLOT_BYTES + i].source_slot, fn_slots[i]);
    }
    ck_assert_uint_eq(source_of(img->postamble), 0);
    ck_assert_uint_eq(source_of(img->size), 0);
    char text[128];
    ck_assert_str_eq(load_pc_text(plan, ENG_PE, img->base + f, text, sizeof text),
                     "PE 0x340 = pe.bin slot 5 (function f): NOP");
}
END_TEST

START_TEST(the_walk_agrees_with_the_slot_table_for_every_pc)
{
    add_label(&s, 1);
    add_label(&s, 2);
    add_op(&s, OP_PSEUDO_SYNC_BARRIER);
    add_label(&s, 3);
    add_call(&s, "f");
    add_op(&s, OP_NOP);
    add_op(&s, OP_PSEUDO_CORE_BARRIER);
    add_op(&s, OP_PSEUDO_DMABARRIER);
    add_branch(&s, 2);
    add_exit(&s);
    add_label(&s, 4);
    add_function(&s, "f", true);
    add_op(&s, OP_PSEUDO_SYNC_BARRIER);
    add_label(&s, 9);
    add_op(&s, OP_PSEUDO_FUNCTION_RETURN);
    for (unsigned e = 0; e < PROG_ENGINES; e++)
        use_stream(&e1, e, &s);
    load(ENG_SP);
    for (unsigned e = 0; e < PROG_ENGINES; e++) {
        img = &plan->images[e];
        for (size_t at = 0; at < img->size; at += SLOT_BYTES) {
            const struct load_slot *slot = &img->slots[at / SLOT_BYTES];
            ck_assert_msg(source_of(at) == slot->source_slot, "engine %u offset 0x%zx: %u, table %u", e, at,
                          source_of(at), slot->source_slot);
        }
    }
}
END_TEST

START_TEST(sync_barrier_carries_its_wait_first_and_its_update_last)
{
    struct inst d5 = isa_inst(OP_PSEUDO_SYNC_BARRIER);
    d5.wait_mode = WAIT_SEM_GT_IMM;
    d5.wait_idx = 1;
    d5.update_mode = UPD_SEM_ADD_IMM_COMPLETE;
    d5.update_idx = 2;
    d5.value = 6;
    add(&s, &d5);
    for (unsigned e = 0; e < PROG_ENGINES; e++)
        use_stream(&e1, e, &s);
    load(ENG_ACT);
    expect_slot(0x0c0, "EVENT_SEMAPHORE $S[1]>6 then $S[245]+=1@complete;");
    expect_slot(0x100,
                "EVENT_SEMAPHORE $S[2]+=6@complete then $S[247]>=1 $S[247]--@complete update_value=1;");
    img = &plan->images[ENG_SP];
    expect_slot(0x0c0, "EVENT_SEMAPHORE $S[1]>6 then $S[245]>=4 $S[245]-=4@complete;");
    expect_slot(0x100, "EVENT_SEMAPHORE then $S[246]+=1@complete;");
    expect_slot(0x140, "EVENT_SEMAPHORE then $S[247]+=1@complete;");
    expect_slot(0x180, "EVENT_SEMAPHORE then $S[248]+=1@complete;");
    expect_slot(0x1c0, "EVENT_SEMAPHORE $S[2]+=6@complete then $S[249]+=1@complete;");
    ck_assert_uint_eq(img->postamble, 0x200);
    ck_assert_uint_eq(img->patches[1].offset, 0xc0);
    ck_assert_uint_eq(img->patches[1].count, 4);
}
END_TEST

START_TEST(core_barrier_of_one_core_is_a_bare_nop)
{
    struct inst d8 = isa_inst(OP_PSEUDO_CORE_BARRIER);
    d8.wait_mode = WAIT_SEM_GE_IMM;
    d8.wait_idx = 7;
    d8.value = 4;
    add(&s, &d8);
    load(ENG_PE);
    expect_slot(0x0c0, "NOP;");
}
END_TEST

START_TEST(dma_barrier_keeps_its_own_events)
{
    struct inst c3 = isa_inst(OP_PSEUDO_DMABARRIER);
    c3.wait_mode = WAIT_SEM_GE_IMM;
    c3.wait_idx = 10;
    c3.update_mode = UPD_SEM_SUB_IMM_COMPLETE;
    c3.update_idx = 10;
    c3.value = 1;
    add(&s, &c3);
    load(ENG_PE);
    expect_slot(0x0c0, "EVENT_SEMAPHORE $S[10]>=1 $S[10]-=1@complete;");
}
END_TEST

START_TEST(trigger_puts_its_wait_on_rx_and_its_update_on_tx)
{
    struct inst c1 = isa_inst(OP_PSEUDO_DMATRIGGER);
    strcpy(c1.u.dmatrig.queue, "q_gradient_out");
    c1.wait_mode = WAIT_EVT_SET_THEN_CLEAR;
    c1.wait_idx = 5;
    c1.update_mode = UPD_EVT_SET_COMPLETE;
    c1.update_idx = 6;
    add(&s, &c1);
    load(ENG_POOL);
    expect_slot(0x0c0, "WRITE $E[5]==1,=0 [0x1002121038] value=0x2;");
    expect_slot(0x100, "WRITE $E[6]=1@complete [0x1002101038] value=0x2;");
}
END_TEST

START_TEST(used_semaphores_are_cleared_by_the_leader_only)
{
    struct inst nop = isa_inst(OP_NOP);
    nop.wait_mode = WAIT_SEM_EQ_REG;
    nop.wait_idx = 99;
    nop.value = 5;
    nop.update_mode = UPD_EVT_SET_COMPLETE; /* an event, not a semaphore */
    nop.update_idx = 77;
    add(&s, &nop);
    load(ENG_PE);
    static const uint32_t sems[] = { 10, 11, 99 };
    ck_assert_uint_eq(plan->nsemaphores, 3);
    for (size_t i = 0; i < 3; i++)
        ck_assert_uint_eq(plan->semaphores[i], sems[i]);
    ck_assert_uint_eq(img->size - img->postamble, 6 * SLOT_BYTES);
    img = &plan->images[ENG_SP];
    expect_slot(img->postamble + 5 * SLOT_BYTES, "EVENT_SEMAPHORE_RANGE_CLEAR mode=mask mask={10..11,99};");
}
END_TEST

START_TEST(bad_slots_travel_only_when_asked)
{
    struct nerr err;
    memset(s.code, 0, SLOT_BYTES);
    s.code[0] = 0x0b; /* undefined */
    s.slots = 1;
    struct inst branch = isa_inst(OP_COMPARE_BRANCH);
    branch.u.br.target_mode = 9; /* illegal: not linked, copied */
    branch.u.br.disp = 5;
    add(&s, &branch);
    add_op(&s, 0xc7); /* a pseudo nobody expands */
    use_stream(&e1, ENG_PE, &s);
    ck_assert_int_eq(load_plan(&e1.p, NULL, &plan, &err), NERR_RULE);
    ck_assert_str_eq(err.where, "pe.bin slot 1");
    ck_assert_ptr_null(plan);
    struct load_config cfg = { .allow_bad_slots = true };
    ck_assert_int_eq(load_plan(&e1.p, &cfg, &plan, &err), NERR_OK);
    ck_assert_mem_eq(plan->images[ENG_PE].bytes + 0xc0, s.code, 3 * SLOT_BYTES);
    ck_assert_uint_eq(plan->images[ENG_PE].npatches, 2);
}
END_TEST

START_TEST(images_keep_their_distance)
{
    for (unsigned i = 0; i < 60; i++)
        add_op(&s, OP_NOP);
    load(ENG_PE);
    ck_assert_uint_eq(plan->images[ENG_ACT].base, 0x108000);
    static uint8_t big[600 * SLOT_BYTES];
    for (size_t i = 0; i < 600; i++)
        memcpy(big + i * SLOT_BYTES, s.code, SLOT_BYTES);
    e1.p.engines[ENG_PE].code = big;
    e1.p.engines[ENG_PE].code_size = sizeof big;
    load_free(plan);
    struct nerr err;
    ck_assert_int_eq(load_plan(&e1.p, NULL, &plan, &err), NERR_OK);
    ck_assert_uint_eq(plan->images[ENG_PE].size, (3 + 600 + 6) * SLOT_BYTES);
    ck_assert_uint_eq(plan->images[ENG_ACT].base, 0x110000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("load images");
    TCase *tc = tcase_create("images");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, label_branch_is_linked_back_and_forth);
    tcase_add_test(tc, label_at_the_end_of_main_is_the_postamble);
    tcase_add_test(tc, call_exit_and_return_expand_as_the_convention_says);
    tcase_add_test(tc, function_pcs_continue_after_main_and_count_the_marker);
    tcase_add_test(tc, the_walk_agrees_with_the_slot_table_for_every_pc);
    tcase_add_test(tc, sync_barrier_carries_its_wait_first_and_its_update_last);
    tcase_add_test(tc, core_barrier_of_one_core_is_a_bare_nop);
    tcase_add_test(tc, dma_barrier_keeps_its_own_events);
    tcase_add_test(tc, trigger_puts_its_wait_on_rx_and_its_update_on_tx);
    tcase_add_test(tc, used_semaphores_are_cleared_by_the_leader_only);
    tcase_add_test(tc, bad_slots_travel_only_when_asked);
    tcase_add_test(tc, images_keep_their_distance);
    suite_add_tcase(suite, tc);
    SRunner *sr = srunner_create(suite);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
