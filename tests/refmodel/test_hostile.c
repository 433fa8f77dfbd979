/* Events that no hardware would send: the judge refuses or accepts, but never leaves its arrays. Meant for
 * sanitizers. */
#include "scenes.h"

static uint64_t state;

static uint32_t rnd(void)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

static void spoil(struct dev_event *ev)
{
    static const uint64_t big[] = { 0,          1,       0x3f,        0xff,      0xffff,  0xffffffff,
                                    UINT64_MAX, SOC_EVT, SOC_NOTIFIC, SOC_UDMA0, SOC_HOST };
    uint64_t v = big[rnd() % (sizeof big / sizeof big[0])];
    switch (rnd() % 10) {
    case 0:
        ev->addr = v + rnd() % 0x44000;
        break;
    case 1:
        ev->data = v;
        break;
    case 2:
        ev->index = (uint32_t)v;
        break;
    case 3:
        ev->value = (uint32_t)v;
        break;
    case 4:
        ev->unit = (uint8_t)rnd();
        break;
    case 5:
        ev->queue = (uint8_t)rnd();
        break;
    case 6:
        ev->dir = (uint8_t)rnd();
        break;
    case 7:
        ev->code = (uint8_t)rnd();
        break;
    case 8:
        ev->nwords = (uint8_t)rnd();
        break;
    default:
        ev->words[rnd() % 16] = (uint32_t)v;
        break;
    }
}

/* Goes on after a refusal, which the contract forbids, to reach states no run reaches. */
START_TEST(spoilt_recordings_never_break_the_judge)
{
    static void (*const scenes[])(struct chip *) = { scene_slice, scene_scalar, scene_faults, scene_copies };
    struct chip c;
    unsigned refused = 0;
    state = (uint64_t)_i * 77 + 5;
    scenes[_i % 4](&c);
    for (unsigned round = 0; round < 20; round++) {
        struct ref *second = ref_new(&c.cfg);
        ck_assert_ptr_nonnull(second);
        for (size_t i = 0; i < c.n; i++) {
            struct nerr err = { 0 };
            if (c.items[i].bytes) {
                ck_assert(ref_mem_write(second, c.items[i].addr, c.items[i].bytes, c.items[i].len));
                continue;
            }
            struct dev_event ev = c.items[i].ev;
            if (rnd() % 20 == 0)
                spoil(&ev);
            refused += ref_judge(second, &ev, &err) != 0;
        }
        struct nerr err;
        struct ref_seq_view sv;
        struct ref_queue_view qv;
        struct ref_nq_view nv;
        ref_quiet(second, &err);
        for (unsigned k = 0; k < 20; k++) {
            ref_view_seq(second, k, &sv);
            ref_view_queue(second, k, k, k, &qv);
            ref_view_nq(second, k, &nv);
        }
        ref_free(second);
    }
    ck_assert_uint_gt(refused, 0);
    chip_close(&c);
}
END_TEST

/* Random register writes, then some steps: the stand-alone model must never refuse itself. */
START_TEST(random_registers_never_break_the_model)
{
    static const uint64_t blocks[] = { SOC_EVT,
                                       SOC_TPB_CTRL,
                                       SOC_NOTIFIC,
                                       SOC_TOPSP0,
                                       SOC_UDMA0,
                                       SOC_UDMA0 + UDMA_S2M_OFF,
                                       SOC_UDMA0 + UDMA_GEN_OFF,
                                       SOC_UDMA0 + UDMA_APP_OFF,
                                       SOC_LREG_PE,
                                       SOC_LREG_SP,
                                       0x990000000000 };
    struct chip c;
    state = (uint64_t)_i * 1234567 + 99;
    scene_slice(&c);
    for (unsigned n = 0; n < 2000; n++) {
        uint64_t soc = blocks[rnd() % (sizeof blocks / sizeof blocks[0])] + (rnd() % 0x3000) / 4 * 4;
        uint32_t value = rnd() % 3 ? rnd() % 64 : rnd() << 7;
        ref_reg_write(c.r, soc, value);
        if (rnd() % 4 == 0)
            ref_reg_read(c.r, soc, &value);
        ref_run(c.r, rnd() % 8, false, NULL);
        chip_ok(&c);
    }
    chip_close(&c);
}
END_TEST

/* Random slots on all engines: faults and loops, but the recording is always accepted. */
START_TEST(random_programs_are_judged_alike)
{
    static const uint8_t ops[] = { 0x9f, 0xa0, 0xa0, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6,
                                   0xa7, 0xa8, 0xa9, 0xaa, 0xab, 0xb0, 0xb1, 0xb3 };
    struct chip c;
    state = (uint64_t)_i * 31 + 7;
    chip_open(&c, 1);
    chip_notific(&c, 0x400);
    chip_w(&c, SOC_NOTIFIC + NQ_SW_BACKPRESSURE_OFF, 0);
    chip_w(&c, SOC_TPB_CTRL + TPB_EVT_NOTIFY_OFF, 1);
    for (unsigned e = 0; e < ENG_COUNT; e++) {
        for (unsigned i = 0; i < 32; i++) {
            uint8_t slot[SLOT_BYTES] = { ops[rnd() % sizeof ops], SLOT_WORDS, (uint8_t)(rnd() % 10),
                                         (uint8_t)(rnd() % 4) };
            for (unsigned k = 12; k < SLOT_BYTES; k++)
                slot[k] = (uint8_t)(rnd() % 3 ? 0 : rnd() % 5);
            slot[SLOT_ALU_DTYPE_OFF] = (uint8_t)(8 + rnd() % 2);
            if (slot[0] == OP_WRITE)
                slot[12] = 4;
            if (slot[0] == OP_TENSOR_LOAD || slot[0] == OP_TENSOR_STORE)
                slot[12] = 9, slot[14] = slot[15] = 1, slot[16] = (uint8_t)(4 * (rnd() % 8)), slot[23] = 0;
            if (slot[0] == OP_COMPARE_BRANCH) {
                slot[14] = BR_REL_IMM;
                put_le32(slot + SLOT_BR_DISP_OFF, 64 * (1 + rnd() % 3));
                slot[12] = (uint8_t)(rnd() % 7);
            }
            slot[SLOT_HDR_UPDATE_MODE_OFF] = (uint8_t)(rnd() % 2 ? 0x11 + rnd() % 5 : 0);
            slot[SLOT_HDR_UPDATE_IDX_OFF] = (uint8_t)(rnd() % 4);
            chip_mem(&c, 0x100000 + 0x8000 * e + 64 * i, slot, sizeof slot);
        }
        chip_start(&c, e, 0x100000 + 0x8000 * e, 64 * 32);
    }
    ref_run(c.r, 5000, false, NULL);
    chip_ok(&c);
    chip_run(&c);
    chip_accepted(&c);
    chip_close(&c);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("refmodel hostile");
    TCase *t = tcase_create("hostile");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, spoilt_recordings_never_break_the_judge, 0, 8);
    tcase_add_loop_test(t, random_registers_never_break_the_model, 0, 8);
    tcase_add_loop_test(t, random_programs_are_judged_alike, 0, 40);
    suite_add_tcase(s, t);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed != 0;
}
