/* host/isa: the operand tables: every operand inside the slot, no byte twice, the bytes that are reserved. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"
#include "isa/operand.h"

static const unsigned slot_bytes[] = { [ISA_NEURON] = 64, [ISA_TONGA] = 64, [ISA_SP8] = 8 };
static const unsigned header_bytes[] = { [ISA_NEURON] = 12, [ISA_TONGA] = 8, [ISA_SP8] = 1 };

/* Bytes of one element as the reader of the table sees them. */
static unsigned span(const struct operand *o)
{
    return o->kind == OPD_TENSOR || o->bits ? o->width : (unsigned)o->width * o->count;
}

static void check_operand(enum isa_dialect d, const struct operand_layout *l, const struct operand *o,
                          uint8_t used[64])
{
    const char *key = o->key ? o->key : "(positional)";
    ck_assert_msg(o->off >= header_bytes[d] && o->off + span(o) <= slot_bytes[d], "%s %s", l->name, key);
    ck_assert_msg(o->count >= 1, "%s %s", l->name, key);
    for (unsigned i = 0; i < span(o); i++) {
        unsigned mask = o->bits ? ((1u << o->bits) - 1) << o->lsb : 0xff;
        uint8_t bits = (uint8_t)mask;
        ck_assert_msg(!(used[o->off + i] & bits), "%s %s overlaps at byte %u", l->name, key, o->off + i);
        used[o->off + i] |= bits;
    }
    ck_assert_msg((o->kind == OPD_WORD) == (o->words != NULL), "%s %s", l->name, key);
    if (o->kind == OPD_TENSOR)
        ck_assert_msg(o->width == 4 + 4 * o->count && o->count <= 4, "%s %s", l->name, key);
    if (o->kind == OPD_DATA4D)
        ck_assert_uint_eq(o->width, 20);
    if (o->kind == OPD_ADDR8)
        ck_assert_uint_eq(o->width, 8);
    if (o->kind == OPD_F32)
        ck_assert_uint_eq(o->width, 4);
    for (const struct operand *other = l->list; other < o; other++)
        ck_assert_msg(!o->key || !other->key || strcmp(o->key, other->key) != 0, "%s has %s twice", l->name,
                      key);
}

START_TEST(operands_lie_in_the_slot_and_do_not_overlap)
{
    unsigned layouts = 0;
    for (unsigned d = 0; d < 3; d++)
        for (unsigned gen = 2; gen <= 5; gen++)
            for (unsigned op = 0; op < 256; op++)
                for (unsigned code = 0; code < 16; code++) {
                    uint8_t slot[64] = { (uint8_t)op, [12] = (uint8_t)code };
                    const struct operand_layout *l = operand_find((enum isa_dialect)d, gen, slot);
                    if (!l)
                        continue;
                    uint8_t used[64] = { 0 };
                    layouts++;
                    ck_assert_ptr_nonnull(isa_opcode((enum isa_dialect)d, op));
                    for (size_t i = 0; i < l->count; i++)
                        check_operand((enum isa_dialect)d, l, &l->list[i], used);
                }
    ck_assert_uint_gt(layouts, 3000);
}
END_TEST

/* Bytes that some operand explains, "12 14-15 16-63" in the test rows; the pages' tables, written down by
 * hand. */
static void listed(const char *text, bool known[64])
{
    memset(known, 0, 64);
    while (*text) {
        char *end;
        unsigned long from = strtoul(text, &end, 10), to = from;
        if (*end == '-')
            to = strtoul(end + 1, &end, 10);
        for (unsigned long i = from; i <= to; i++)
            known[i] = true;
        text = end + strspn(end, " ");
    }
}

static const struct {
    enum isa_dialect d;
    unsigned gen, op, byte12;
    const char *name, *bytes;
} pages[] = {
    { ISA_NEURON, 3, 0x9f, 0, "CTRL_NO", "" },
    { ISA_NEURON, 3, 0xa0, 0, "CTRL_ES", "12-15 32-43" },
    { ISA_NEURON, 3, 0xa1, 0, "CTRL_NO", "39" },
    { ISA_NEURON, 3, 0xa2, 0, "CTRL_NO", "40" },
    { ISA_NEURON, 3, 0xa3, 0, "CTRL_NO", "" },
    { ISA_NEURON, 3, 0xa4, 0, "CTRL_NO", "" },
    { ISA_NEURON, 3, 0xa5, 0, "CTRL_WR", "12 16-31" },
    { ISA_NEURON, 3, 0xa6, 0, "CTRL_NO", "12 14-15" },
    { ISA_NEURON, 3, 0xa7, 0, "CTRL_MV", "12-14 16-63" },
    { ISA_NEURON, 3, 0xa8, 0, "CTRL_AL", "12-21 24-31" },
    { ISA_NEURON, 3, 0xa9, 0, "CTRL_BR", "12-14 16-19 32-35 48-55" },
    { ISA_NEURON, 3, 0xaa, 0, "MEM_2D", "12 14-33" },
    { ISA_NEURON, 3, 0xab, 0, "MEM_2D", "12 14-33" },
    { ISA_NEURON, 3, 0xb0, 0, "CTRL_ER", "12-14 32-63" },
    { ISA_NEURON, 3, 0xb1, 0, "ORDERING", "12" },
    { ISA_NEURON, 3, 0xb3, 0, "CTRL_POLL_SEM", "12-14 16-31" },
    { ISA_NEURON, 4, 0xb4, 0, "CTRL_TEST_ES", "16-51" },
    { ISA_NEURON, 3, 0xb5, 0, "BR_HINT", "12 14 40-55" },
    { ISA_NEURON, 3, 0xb8, 0, "DMA_DIRECT2D", "12-63" },
    { ISA_NEURON, 3, 0xc1, 0, "PSEUDO_DMATRIGGER", "12-51" },
    { ISA_NEURON, 3, 0xc3, 0, "CTRL_NO", "" },
    { ISA_NEURON, 3, 0xc5, 0, "PSEUDO_SEMAPHORE_SET", "12-19" },
    { ISA_NEURON, 3, 0xc8, 0, "PSEUDO_TRIGGER_COLLECTIVE", "12-32 48-63" },
    { ISA_NEURON, 3, 0xcc, 0, "PSEUDO_BRANCH_LABEL", "12-15" },
    { ISA_NEURON, 3, 0xcd, 0, "PSEUDO_MEM_2D", "12 14-33" },
    { ISA_NEURON, 3, 0xd1, 0, "PSEUDO_FUNCTION_BEGIN", "12-50" },
    { ISA_NEURON, 3, 0xd2, 0, "CTRL_NO", "" },
    { ISA_NEURON, 3, 0xd3, 0, "PSEUDO_FUNCTION_CALL", "12-51" },
    { ISA_NEURON, 3, 0xd4, 0, "DMA_DIRECT2D", "12-63" },
    { ISA_NEURON, 3, 0xd5, 0, "CTRL_NO", "" },
    { ISA_NEURON, 3, 0xd8, 0, "PSEUDO_CORE_BARRIER", "12-19" },
    { ISA_NEURON, 3, 0xdf, 0, "PSEUDO_INST", "12" },
    { ISA_NEURON, 3, 0x02, 0, "S3D3_MM", "16-33 35-39 43-63" },
    { ISA_NEURON, 4, 0x02, 0, "S3D3_MM", "16-33 35-40 42-63" },
    { ISA_NEURON, 5, 0x02, 0, "S3D3_MM", "16-40 48-63" },
    { ISA_NEURON, 3, 0x01, 0, "S3_LW", "16-33 35-39 44" },
    { ISA_NEURON, 5, 0x01, 0, "S3_LW", "16-39" },
    { ISA_NEURON, 4, 0x08, 0, "S2S1D2_PE_SEED", "12-47" },
    { ISA_NEURON, 3, 0x21, 0, "S3D3_AC", "12-63" },
    { ISA_NEURON, 3, 0x22, 0, "S3D3_AQ", "12-63" },
    { ISA_NEURON, 3, 0x23, 0, "CTRL_NO", "" },
    { ISA_NEURON, 3, 0x24, 0, "D1_RD", "33-34 44-63" },
    { ISA_NEURON, 3, 0x46, 0, "S4D4_TR", "12-38 44-63" },
    { ISA_NEURON, 3, 0x41, 0, "S3S3D3_TT", "12-63" },
    { ISA_NEURON, 3, 0x43, 0, "S3D3_TS", "12 16-63" },
    { ISA_NEURON, 3, 0x45, 0, "S4D4_PL", "12-34 36-37 40-63" },
    { ISA_NEURON, 3, 0x7e, 0, "D4_IOTA", "12-31 33-34 36-39 44-63" },
    { ISA_NEURON, 3, 0x49, 0, "D4_MEMSET", "33-34 36-39 44-63" },
    { ISA_NEURON, 3, 0xf0, 0, "EXTENDED", "12-13" },
    { ISA_NEURON, 3, 0xf0, 2, "EXTENDED_TT", "12-16 20-55" },
    { ISA_TONGA, 2, 0x61, 0, "CTRL_NO", "" },
    { ISA_TONGA, 2, 0x65, 0, "TONGA_TEST_AND_SET", "8 12-19" },
    { ISA_TONGA, 2, 0x69, 0, "TONGA_WRITE", "8 12-27" },
    { ISA_TONGA, 2, 0x6a, 0, "TONGA_NOTIFY", "8 10-11" },
    { ISA_TONGA, 2, 0xc1, 0, "TONGA_DMA_TRIGGER", "8-47" },
    { ISA_TONGA, 2, 0x46, 0, "TONGA_COPY", "8 12-52" },
    { ISA_TONGA, 2, 0x45, 0, "TONGA_POOL", "8-56" },
    { ISA_TONGA, 2, 0x02, 0, "TONGA_MATMUL", "8-49" },
    { ISA_SP8, 2, 0x04, 0, "WRITE8_IND", "1-2 4-7" },
    { ISA_SP8, 2, 0x05, 0, "WRITE32_IND", "1-7" },
    { ISA_SP8, 2, 0x08, 0, "WRITE8_DIR", "1-7" },
    { ISA_SP8, 2, 0x10, 0, "NOTIFY_HALT", "1 4-7" },
    { ISA_SP8, 2, 0x20, 0, "WAIT_CYCLES", "4-7" },
    { ISA_SP8, 2, 0x24, 0, "WAIT_EVENT", "1-2" },
    { ISA_SP8, 2, 0x25, 0, "WAIT_EVENT_M", "1-2 4-7" },
    { ISA_SP8, 2, 0x30, 0, "BRANCH", "4-7" },
    { ISA_SP8, 2, 0x34, 0, "BRANCH_EVENT", "1 4-7" },
    { ISA_SP8, 2, 0x38, 0, "BRANCH_CNTR", "1 4-7" },
    { ISA_SP8, 2, 0x39, 0, "BRANCH_CNTR", "1 4-7" },
    { ISA_SP8, 2, 0x40, 0, "SET_CNTR", "1 4-6" },
    { ISA_SP8, 2, 0x41, 0, "DECR_CNTR", "1" },
    { ISA_SP8, 2, 0x50, 0, "CTRL_NO", "" },
    { ISA_SP8, 2, 0x51, 0, "EVENT", "1" },
    { ISA_SP8, 2, 0x60, 0, "SET_AR", "1-7" },
};

/* One byte at a time: bit 0 of every listed byte is free, all others are reserved. */
START_TEST(layouts_cover_the_bytes_of_the_page)
{
    bool known[64];
    enum isa_dialect d = pages[_i].d;
    uint8_t slot[64] = { (uint8_t)pages[_i].op };
    if (pages[_i].byte12)
        slot[12] = (uint8_t)pages[_i].byte12;
    const struct operand_layout *l = operand_find(d, pages[_i].gen, slot);
    ck_assert_ptr_nonnull(l);
    ck_assert_str_eq(l->name, pages[_i].name);
    listed(pages[_i].bytes, known);
    for (unsigned i = header_bytes[d]; i < slot_bytes[d]; i++) {
        if (pages[_i].op == 0xf0 && i == 12) /* the code chooses the layout */
            continue;
        uint8_t probe[64];
        memcpy(probe, slot, sizeof probe);
        probe[i] |= 1;
        int want = known[i] ? -1 : (int)i;
        ck_assert_msg(operand_first_unsaid(d, pages[_i].gen, probe) == want, "%s byte %u", l->name, i);
        ck_assert_msg(operand_first_reserved(d, pages[_i].gen, probe) == (l->partial ? -1 : want),
                      "%s byte %u", l->name, i);
    }
}
END_TEST

START_TEST(fields_narrower_than_their_byte_leave_reserved_bits)
{
    static const struct {
        uint8_t op, byte, free;
        unsigned gen;
    } rows[] = { { 0xa6, 12, 0x03, 3 }, { 0xb8, 12, 0x07, 3 }, { 0x02, 42, 0x07, 4 }, { 0x43, 38, 0x03, 3 } };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (unsigned bit = 0; bit < 8; bit++) {
            uint8_t slot[64] = { rows[k].op };
            slot[rows[k].byte] = (uint8_t)(1u << bit);
            int want = rows[k].free >> bit & 1 ? -1 : rows[k].byte;
            ck_assert_int_eq(operand_first_reserved(ISA_NEURON, rows[k].gen, slot), want);
        }
}
END_TEST

/* layout.c reads and writes struct inst with a table of its own: it must mean the same bytes. */
START_TEST(struct_inst_and_the_operand_tables_agree)
{
    unsigned seen = 0;
    for (unsigned op = 0; op < 256; op++) {
        uint8_t slot[64], bytes[64];
        memset(slot, 0xff, sizeof slot);
        slot[0] = (uint8_t)op;
        struct inst in;
        isa_decode(slot, &in);
        isa_encode(&in, bytes);
        bool members = false;
        for (unsigned i = 12; i < 64; i++)
            members |= bytes[i] != 0;
        if (!members)
            continue;
        seen++;
        for (unsigned i = 12; i < 64; i++) {
            uint8_t probe[64] = { (uint8_t)op };
            probe[i] = 1;
            ck_assert_msg((operand_first_reserved(ISA_NEURON, 3, probe) < 0) == (bytes[i] != 0),
                          "opcode %02x byte %u", op, i);
        }
    }
    ck_assert_uint_eq(seen, 20);
}
END_TEST

START_TEST(names_begin_statements_and_come_back)
{
    for (unsigned d = 0; d < 3; d++)
        for (unsigned op = 0; op < 256; op++) {
            uint8_t slot[64] = { (uint8_t)op }, begun[64];
            const char *name = operand_mnemonic((enum isa_dialect)d, slot);
            ck_assert((name != NULL) == (isa_opcode((enum isa_dialect)d, op) != NULL));
            if (!name)
                continue;
            memset(begun, 0xee, sizeof begun);
            ck_assert(operand_begin((enum isa_dialect)d, name, strlen(name), begun));
            ck_assert_uint_eq(begun[0], op);
            ck_assert_uint_eq(begun[1], d == ISA_SP8 ? 0 : 0x10);
            for (unsigned i = 2; i < slot_bytes[d]; i++)
                ck_assert_uint_eq(begun[i], 0);
            if (d == ISA_SP8)
                ck_assert_uint_eq(begun[8], 0xee); /* not beyond the slot */
        }
    uint8_t slot[64];
    ck_assert(operand_begin(ISA_NEURON, "PSEUDO_DMATRIGGER", 17, slot) && slot[0] == 0xc1);
    ck_assert(operand_begin(ISA_NEURON, "PSEUDO_DMA_TRIGGER", 18, slot) && slot[0] == 0xc1);
    ck_assert(!operand_begin(ISA_TONGA, "PSEUDO_DMA_TRIGGER", 18, slot));
    ck_assert(!operand_begin(ISA_TONGA, "Q7_LIBRARY_LOAD", 15, slot));
    ck_assert(!operand_begin(ISA_NEURON, "Q7_LIBRARY", 10, slot));
    ck_assert(!operand_begin(ISA_NEURON, "", 0, slot));
    slot[0] = 0xc1;
    ck_assert_str_eq(operand_mnemonic(ISA_NEURON, slot), "PSEUDO_DMA_TRIGGER");
}
END_TEST

/* q7-prelink.md §14, byte for byte. */
static const uint8_t load_slot[64] = { 0x95, 0x10, 0, 0,    0, 0,    0, 0, 0, 0, 0, 0, 1, 0xff, 0,
                                       0,    0,    0, 0x10, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0x30, 0x01 };
static const uint8_t unload_slot[64] = { 0x95, 0x10, [12] = 2, 0xff };

START_TEST(library_slots_of_the_page)
{
    struct isa_library_slot s;
    ck_assert(isa_library_slot_decode(load_slot, &s));
    ck_assert_uint_eq(s.direction, 1);
    ck_assert_uint_eq(s.device_addr, UINT64_C(0x0000008000100000));
    ck_assert_uint_eq(s.selector, 0);
    ck_assert_uint_eq(s.size, 0x130);
    uint8_t slot[64];
    memset(slot, 0xee, sizeof slot);
    isa_library_slot_encode(&s, slot);
    ck_assert_mem_eq(slot, load_slot, 64);
    ck_assert(isa_library_slot_decode(unload_slot, &s));
    ck_assert_uint_eq(s.direction, 2);
    ck_assert(s.device_addr == 0 && s.size == 0);
    isa_library_slot_encode(&s, slot);
    ck_assert_mem_eq(slot, unload_slot, 64);
    s = (struct isa_library_slot){ 1, UINT64_C(0x123456789abcdef0), 0xa1a2a3a4, 0xb1b2b3b4 };
    isa_library_slot_encode(&s, slot);
    static const uint8_t fields[] = { 0xf0, 0xde, 0xbc, 0x9a, 0x78, 0x56, 0x34, 0x12,
                                      0xa4, 0xa3, 0xa2, 0xa1, 0xb4, 0xb3, 0xb2, 0xb1 };
    ck_assert_mem_eq(slot + 16, fields, sizeof fields);
    ck_assert_str_eq(operand_mnemonic(ISA_NEURON, load_slot), "Q7_LIBRARY_LOAD");
    ck_assert_str_eq(operand_mnemonic(ISA_NEURON, unload_slot), "Q7_LIBRARY_UNLOAD");
    ck_assert(operand_begin(ISA_NEURON, "Q7_LIBRARY_UNLOAD", 17, slot));
    ck_assert_mem_eq(slot, unload_slot, 64);
    ck_assert_str_eq(operand_find(ISA_NEURON, 3, load_slot)->name, "Q7_LIBRARY");
}
END_TEST

START_TEST(other_slots_of_opcode_95_are_no_library_slots)
{
    struct nerr err;
    for (unsigned i = 0; i < 64; i++) {
        uint8_t slot[64];
        memcpy(slot, load_slot, sizeof slot);
        slot[i] ^= 0x80;
        bool still = i == 14 || i == 15 || i >= 16; /* operands, and what the device ignores */
        ck_assert_int_eq(isa_is_library_slot(slot), still);
        struct isa_library_slot s;
        ck_assert_int_eq(isa_library_slot_decode(slot, &s), still);
        ck_assert_int_eq(operand_find(ISA_NEURON, 3, slot) != NULL, still);
        if (i >= 12)
            ck_assert_int_eq(isa_check(slot, ISA_DEVICE, &err),
                             NERR_OK); /* unknown layout: the device judges */
        if (still)
            ck_assert_int_eq(operand_first_unsaid(ISA_NEURON, 3, slot), i < 16 || i >= 32 ? (int)i : -1);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("layout");
    TCase *tc = tcase_create("operands");
    tcase_add_test(tc, operands_lie_in_the_slot_and_do_not_overlap);
    tcase_add_loop_test(tc, layouts_cover_the_bytes_of_the_page, 0, sizeof pages / sizeof *pages);
    tcase_add_test(tc, fields_narrower_than_their_byte_leave_reserved_bits);
    tcase_add_test(tc, struct_inst_and_the_operand_tables_agree);
    tcase_add_test(tc, names_begin_statements_and_come_back);
    tcase_add_test(tc, library_slots_of_the_page);
    tcase_add_test(tc, other_slots_of_opcode_95_are_no_library_slots);
    suite_add_tcase(s, tc);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? 1 : 0;
}
