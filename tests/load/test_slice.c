/* slice-walkthrough.md §2-§5, §7, §8: everything load makes of fixture E1, byte for byte. */
#include <check.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>

#include "e1_program.h"
#include "isa/isa.h"
#include "load/loadplan.h"
#include "slice_images.h"
#include "slice_writes.h"

static struct e1 e1;
static struct loadplan *plan;

static void setup(void)
{
    struct nerr err;
    e1_init(&e1);
    ck_assert_msg(load_plan(&e1.p, NULL, &plan, &err) == 0, "%s: %s", err.where, err.text);
}

static void teardown(void)
{
    load_free(plan);
}

static void md5_text(const void *bytes, size_t len, char text[33])
{
    unsigned char md[16];
    ck_assert_int_eq(EVP_Digest(bytes, len, md, NULL, EVP_md5(), NULL), 1);
    for (int i = 0; i < 16; i++)
        snprintf(text + 2 * i, 3, "%02x", md[i]);
}

START_TEST(images_are_those_of_the_page)
{
    for (unsigned e = 0; e < PROG_ENGINES; e++) {
        const struct load_image *img = &plan->images[e];
        ck_assert_uint_eq(img->base, slice_images[e].base);
        ck_assert_uint_eq(img->size, slice_images[e].size);
        unsigned n = 0;
        for (; n < slice_images[e].slots; n++) {
            uint8_t want[SLOT_BYTES];
            unsigned offset = slice_slot(slice_images[e].lines[n], want);
            ck_assert_uint_eq(offset, n * SLOT_BYTES);
            ck_assert_msg(memcmp(img->bytes + offset, want, SLOT_BYTES) == 0, "engine %u, slot %s", e,
                          slice_images[e].lines[n]);
        }
        ck_assert_uint_eq(n * SLOT_BYTES, img->size);
        char md5[33];
        md5_text(img->bytes, img->size, md5);
        ck_assert_str_eq(md5, slice_images[e].md5);
    }
}
END_TEST

START_TEST(patch_records_are_those_of_the_page)
{
    static const struct load_patch want[PROG_ENGINES][4] = {
        [ENG_PE] = { { 0, 3, 0, 0 }, { 0x100, 6, 0, 1 } },
        [ENG_ACT] = { { 0, 3, 0, 0 }, { 0xc0, 6, 0, 1 } },
        [ENG_POOL] = { { 0, 3, 0, 0 }, { 0xc0, 1, 0, 2 }, { 0x140, 1, 0, 2 }, { 0x200, 6, 0, 1 } },
        [ENG_DVE] = { { 0, 3, 0, 0 }, { 0xc0, 6, 0, 1 } },
        [ENG_SP] = { { 0, 3, 0, 0 }, { 0xc0, 13, 0, 1 } },
    };
    for (unsigned e = 0; e < PROG_ENGINES; e++) {
        size_t n = e == ENG_POOL ? 4 : 2;
        ck_assert_uint_eq(plan->images[e].npatches, n);
        for (size_t i = 0; i < n; i++) {
            const struct load_patch *p = &plan->images[e].patches[i];
            ck_assert_uint_eq(p->offset, want[e][i].offset);
            ck_assert_uint_eq(p->count, want[e][i].count);
            ck_assert_uint_eq(p->type, want[e][i].type);
            ck_assert_uint_eq(p->section, want[e][i].section);
        }
    }
}
END_TEST

START_TEST(device_pc_maps_to_source_slot)
{
    static const struct {
        unsigned engine, offset, slot;
    } want[] = { { ENG_PE, 0xc0, 1 },    { ENG_POOL, 0xc0, 1 },  { ENG_POOL, 0x100, 1 },
                 { ENG_POOL, 0x140, 2 }, { ENG_POOL, 0x180, 2 }, { ENG_POOL, 0x1c0, 3 } };
    for (unsigned e = 0; e < PROG_ENGINES; e++)
        for (unsigned offset = 0; offset <= plan->images[e].size; offset += SLOT_BYTES) {
            unsigned slot = 0;
            for (size_t i = 0; i < sizeof want / sizeof *want; i++)
                if (want[i].engine == e && want[i].offset == offset)
                    slot = want[i].slot;
            struct nerr err = { 0 };
            ck_assert_uint_eq(load_source_slot(&plan->images[e], plan->images[e].base + offset, &err), slot);
            ck_assert_int_eq(err.code, slot ? NERR_OK : NERR_RULE);
        }
}
END_TEST

START_TEST(ring_entries_are_those_of_the_page)
{
    static const unsigned places[3][2] = { { 0, 0 }, { 1, 0 }, { 0, 15 } };
    static const uint8_t zero[30 * DESC_BYTES];
    ck_assert_uint_eq(plan->nrings, 3);
    for (unsigned i = 0; i < 3; i++) {
        const struct load_ring *r = &plan->rings[i];
        ck_assert_uint_eq(r->engine, places[i][0]);
        ck_assert_uint_eq(r->queue, places[i][1]);
        ck_assert_uint_eq(r->entries, 32);
        ck_assert_uint_eq(r->m2s_used, 2);
        ck_assert_uint_eq(r->s2m_used, 2);
        ck_assert_int_eq(memcmp(r->m2s + 2 * DESC_BYTES, zero, sizeof zero), 0);
        ck_assert_int_eq(memcmp(r->s2m + 2 * DESC_BYTES, zero, sizeof zero), 0);
    }
    ck_assert_str_eq(plan->rings[0].name, "q_gradient_in");
    ck_assert_str_eq(plan->rings[1].name, "q_gradient_out");
    ck_assert_str_eq(plan->rings[2].name, "agent");
    for (size_t i = 0; i < sizeof slice_entries / sizeof *slice_entries; i++) {
        const struct load_ring *r = &plan->rings[slice_entries[i].ring];
        uint64_t base = slice_entries[i].dir ? r->s2m_base : r->m2s_base;
        size_t k = (size_t)(slice_entries[i].at - base) / DESC_BYTES;
        ck_assert_uint_lt(k, 2);
        char hex[33];
        for (size_t n = 0; n < DESC_BYTES; n++)
            snprintf(hex + 2 * n, 3, "%02x", (slice_entries[i].dir ? r->s2m : r->m2s)[k * DESC_BYTES + n]);
        ck_assert_str_eq(hex, slice_entries[i].bytes);
        ck_assert_str_eq((slice_entries[i].dir ? r->s2m_from : r->m2s_from)[k].from, slice_entries[i].from);
    }
}
END_TEST

START_TEST(variables_are_where_the_page_puts_them)
{
    static const struct {
        const char *name;
        uint64_t addr;
    } want[] = { { "input", 0x1000000 },
                 { "output", 0x1001000 },
                 { "gradient_in", 0x1002000 },
                 { "gradient_out", 0x1003000 },
                 { "SB", 0x2000000000 } };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const struct load_var *v = load_find_var(plan, want[i].name);
        ck_assert_ptr_nonnull(v);
        ck_assert_uint_eq(v->addr, want[i].addr);
    }
    ck_assert_uint_eq(load_find_var(plan, "output")->size, 128);
    ck_assert_uint_eq(load_find_var(plan, "SB")->size, 0);
    ck_assert_ptr_null(load_find_var(plan, "outpu"));
}
END_TEST

START_TEST(memory_is_written_before_any_register)
{
    static const struct {
        uint64_t addr, len;
        bool zero;
    } want[] = {
        { 0x100000, 0x280, false },        { 0x108000, 0x240, false },
        { 0x110000, 0x380, false },        { 0x118000, 0x240, false },
        { 0x120000, 0x400, false },        { 0x800000, 0x200, false },
        { 0x801000, 0x200, false },        { 0x802000, 0x200, false },
        { 0x803000, 0x200, false },        { 0x804000, 0x200, false },
        { 0x805000, 0x200, false },        { 0x1001000, 0x80, true },
        { 0x1002000, 0x80, true },         { 0x1003000, 0x80, true },
        { 0x400000100000, 0x10000, true }, { 0x400000110000, 0x10000, true },
        { 0x400000120000, 0x10000, true }, { 0x400000130000, 0x10000, true },
    };
    const size_t n = sizeof want / sizeof *want;
    ck_assert_uint_eq(plan->ninit, n + 133);
    for (size_t i = 0; i < plan->ninit; i++) {
        const struct load_op *op = &plan->init[i];
        ck_assert_int_eq(op->kind, i < n ? LOAD_MEM_WRITE : LOAD_REG_WRITE);
        ck_assert_ptr_nonnull(op->label);
        if (i >= n)
            continue;
        ck_assert_uint_eq(op->addr, want[i].addr);
        ck_assert_uint_eq(op->len, want[i].len);
        ck_assert_int_eq(op->bytes == NULL, want[i].zero);
    }
}
END_TEST

START_TEST(the_133_register_writes_in_order)
{
    ck_assert_uint_eq(want_all(), 133);
    ck_assert_uint_eq(plan->ninit, 133 + 18); /* after the memory writes of §2 */
    const struct load_op *op = plan->init + plan->ninit - nwant;
    for (size_t i = 0; i < nwant; i++) {
        ck_assert_msg(op[i].addr == want_addr[i] && op[i].value == want_value[i],
                      "write %zu (%s): %08llx = %08x, want %08llx = %08x", i, op[i].label,
                      (unsigned long long)op[i].addr, op[i].value, (unsigned long long)want_addr[i],
                      want_value[i]);
    }
}
END_TEST

START_TEST(agent_has_one_block_of_two_pairs)
{
    ck_assert_uint_eq(plan->nagent, 1);
    ck_assert_uint_eq(plan->agent[0].n_rx, 2);
    ck_assert_uint_eq(plan->agent[0].n_tx, 2);
    ck_assert_str_eq(plan->agent[0].from, "sg00/pe.bin slot 1");
    ck_assert_uint_eq(plan->agent_engine, 0);
    ck_assert_uint_eq(plan->agent_queue, 15);
}
END_TEST

START_TEST(model_semaphores_are_10_11_22)
{
    static const uint32_t sems[] = { 10, 11, 22 };
    ck_assert_uint_eq(plan->nsemaphores, 3);
    for (size_t i = 0; i < 3; i++)
        ck_assert_uint_eq(plan->semaphores[i], sems[i]);
}
END_TEST

START_TEST(texts_name_the_source)
{
    char t[256];
    ck_assert_str_eq(load_pc_text(plan, ENG_POOL, 0x110140, t, sizeof t),
                     "POOL 0x140 = sg00/pool.bin slot 2: RX bell q_gradient_out");
    ck_assert_str_eq(load_pc_text(plan, ENG_POOL, 0x1101c0, t, sizeof t),
                     "POOL 0x1c0 = sg00/pool.bin slot 3: EVENT_SEMAPHORE $S[11]>0");
    ck_assert_str_eq(load_pc_text(plan, ENG_SP, 0x1200c0, t, sizeof t), "SP 0x0c0 postamble: gather");
    ck_assert_str_eq(load_pc_text(plan, ENG_PE, 0x100040, t, sizeof t), "PE 0x040 preamble: gate");
    ck_assert_str_eq(load_pc_text(plan, ENG_PE, 0x100020, t, sizeof t),
                     "PE PC 0x100020 (no slot of its image)");
    ck_assert_str_eq(load_pc_text(plan, ENG_PE, 0, t, sizeof t), "PE PC 0x0 (no slot of its image)");
    ck_assert_str_eq(load_pc_text(plan, 9, 0, t, sizeof t), "engine 9 PC 0x0");
    ck_assert_str_eq(load_desc_text(plan, 0, 0, 0, 1, t, sizeof t),
                     "q_gradient_in M2S[1] (e0 q0): def.json q_gradient_in.semaphore 10");
    ck_assert_str_eq(load_desc_text(plan, 1, 0, 1, 2, t, sizeof t),
                     "q_gradient_out S2M[2] (e1 q0): unused entry");
    ck_assert_str_eq(load_desc_text(plan, 1, 0, 1, 4000000000u, t, sizeof t),
                     "q_gradient_out S2M[4000000000] (e1 q0): unused entry");
    ck_assert_str_eq(load_desc_text(plan, 1, 3, 0, 2, t, sizeof t),
                     "M2S[2] (e1 q3): no ring of this program");
    ck_assert_str_eq(load_addr_text(plan, 0x1001040, t, sizeof t), "output+0x40");
    ck_assert_str_eq(load_addr_text(plan, 0x2000000105, t, sizeof t), "SB+0x105");
    ck_assert_str_eq(load_addr_text(plan, 0x100080, t, sizeof t), "image PE+0x80");
    ck_assert_str_eq(load_addr_text(plan, 0x801010, t, sizeof t), "ring q_gradient_in S2M+0x10");
    ck_assert_str_eq(load_addr_text(plan, 0x400000110000, t, sizeof t), "record ring 1+0x0");
    ck_assert_str_eq(load_addr_text(plan, 0x2802700000, t, sizeof t), "0x2802700000");
    ck_assert_str_eq(load_pc_text(plan, ENG_SP, 0x1200c0, t, 5), "SP 0");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("slice walkthrough");
    TCase *tc = tcase_create("E1");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, images_are_those_of_the_page);
    tcase_add_test(tc, patch_records_are_those_of_the_page);
    tcase_add_test(tc, device_pc_maps_to_source_slot);
    tcase_add_test(tc, ring_entries_are_those_of_the_page);
    tcase_add_test(tc, variables_are_where_the_page_puts_them);
    tcase_add_test(tc, memory_is_written_before_any_register);
    tcase_add_test(tc, the_133_register_writes_in_order);
    tcase_add_test(tc, agent_has_one_block_of_two_pairs);
    tcase_add_test(tc, model_semaphores_are_10_11_22);
    tcase_add_test(tc, texts_name_the_source);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
