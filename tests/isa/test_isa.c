/* host/isa: the opcode table, decode/encode, one-line texts and the host's reject rules. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"

static uint8_t slot[SLOT_BYTES];
static struct nerr err;

/* Bytes as hexadecimal text, from `at`. */
static void put(unsigned at, const char *hex)
{
    for (char *next; *hex; hex = next) {
        slot[at++] = (uint8_t)strtoul(hex, &next, 16);
        ck_assert_ptr_ne(hex, next);
        while (*next == ' ')
            next++;
    }
}

static void start(const char *hex)
{
    memset(slot, 0, sizeof slot);
    put(0, hex);
}

static void expect_text(const char *want)
{
    char text[256];
    ck_assert_str_eq(isa_text(slot, text, sizeof text), want);
}

static void expect_ok(enum isa_form form)
{
    memset(&err, 0, sizeof err);
    ck_assert_msg(isa_check(slot, form, &err) == NERR_OK, "%s", err.text);
}

static void expect_refused(enum isa_form form, const char *part)
{
    memset(&err, 0, sizeof err);
    ck_assert_int_eq(isa_check(slot, form, &err), NERR_RULE);
    ck_assert_int_eq(err.runtime_code, NRT_INVALID);
    ck_assert_msg(strstr(err.text, part) != NULL, "\"%s\" does not say \"%s\"", err.text, part);
}

START_TEST(table_has_the_counts_of_the_page)
{
    unsigned all = 0, v3 = 0;
    for (unsigned op = 0; op < 256; op++) {
        all += isa_opcode_name(op) != NULL;
        v3 += isa_opcode_in_gen(op, ISA_GEN_RTL);
    }
    ck_assert_uint_eq(all, 172);
    ck_assert_uint_eq(v3, 149); /* 150 with INVALID, which is no instruction */
    ck_assert_str_eq(isa_opcode_name(OP_EVENT_SEMAPHORE), "EVENT_SEMAPHORE");
    ck_assert_str_eq(isa_opcode_name(0xc8), "PSEUDO_TRIGGER_COLLECTIVE");
    ck_assert_ptr_null(isa_opcode_name(0xc0));
    ck_assert_ptr_null(isa_opcode_name(0x0b));
    ck_assert_ptr_null(isa_opcode_name(256));
    ck_assert(!isa_opcode_in_gen(0x87, ISA_GEN_RTL)); /* abandoned at V3 */
    ck_assert(!isa_opcode_in_gen(0xb4, ISA_GEN_RTL)); /* V4 and up */
    ck_assert_int_eq(isa_opcode_class(OP_MATMUL), ISA_PE);
    ck_assert_int_eq(isa_opcode_class(0x0b), ISA_CLASS_NONE);
    ck_assert_str_eq(isa_engine_name(ENG_SP), "SP");
    ck_assert_str_eq(isa_engine_name(5), "?");
}
END_TEST

START_TEST(fixture_slots_read_like_their_listing)
{
    start("c8 10 00 00 04 0a 13 16 00 00 00 00 04 0a 00 00 03 00 00 00 04 00 00 00 20");
    slot[32] = 1;
    expect_text("PSEUDO_TRIGGER_COLLECTIVE $S[10]>0 $S[22]++@complete ctype=ALL_REDUCE input_tensor_id=3 "
                "output_tensor_id=4 num_elements=32 dtype=fp32 op=ADD group_id=0;");
    expect_ok(ISA_SOURCE);
    start("c1 10 00 00 00 00 00 00 00 00 00 00 71 5f 67 72 61 64 69 65 6e 74 5f 69 6e");
    expect_text("PSEUDO_DMA_TRIGGER q_gradient_in block_id=0;");
    expect_ok(ISA_SOURCE);
    start("c1 10 00 00 04 16 00 00 00 00 00 00 71 5f 67 72 61 64 69 65 6e 74 5f 6f 75 74");
    expect_text("PSEUDO_DMA_TRIGGER $S[22]>0 q_gradient_out block_id=0;");
    expect_ok(ISA_SOURCE);
    start("a0 10 00 00 04 0b");
    expect_text("EVENT_SEMAPHORE $S[11]>0;");
    expect_ok(ISA_DEVICE);
}
END_TEST

/* tpb-image.md §7, examples 5 to 12. */
START_TEST(worked_examples_read_and_pass)
{
    start("a0 10");
    put(0x22, "15 07 00 00 00 00 01");
    expect_text("EVENT_SEMAPHORE then $S[7]+=1@complete;");
    expect_ok(ISA_DEVICE);
    start("a8 10 00 00 00 00 00 00 00 00 00 00 04 08 01 00 02 00 00 00 03 00 00 00 40");
    expect_text("ALU_OP R3=R2 ADD 64 dtype=int32;");
    expect_ok(ISA_DEVICE);
    start("a9 10 00 02 00 00 00 00 00 00 00 00 03 08 03");
    put(0x20, "05");
    put(0x30, "00 ff ff ff");
    expect_text("COMPARE_BRANCH if R5==0 -> -256 dtype=int32 debug_hint=2;");
    expect_ok(ISA_DEVICE);
    start("a9 10 00 00 00 00 00 00 00 00 00 00 00 00 01");
    put(0x22, "0a 0b");
    expect_text("COMPARE_BRANCH always -> {R10,R11};");
    expect_ok(ISA_DEVICE);
    start("a7 10 00 00 00 00 00 00 00 00 00 00 02 09 00 00 80 81 00 00 00 00 00 00 0a 0b");
    expect_text("MOVE R10=PC.lo, R11=PC.hi;");
    expect_ok(ISA_DEVICE);
    start("b0 10 00 00 00 00 00 00 00 00 00 00 01 08 1f");
    expect_text("EVENT_SEMAPHORE_RANGE_CLEAR mode=range first=8 last=31;");
    expect_ok(ISA_DEVICE);
    start("d8 10 00 00 05 07 13 07 04 00 00 00 2a 00 00 00 07");
    expect_text("PSEUDO_CORE_BARRIER $S[7]>=4 $S[7]++@complete id=42 semaphore=7;");
    expect_ok(ISA_SOURCE);
    start("df 10 00 00 00 00 00 00 00 00 00 00 01");
    expect_text("PSEUDO_INST exit;");
    expect_ok(ISA_SOURCE);
    start("d3 10 00 00 00 00 00 00 00 00 00 00 73 6f 66 74 6d 78");
    put(0x30, "ff ff ff ff");
    expect_text("PSEUDO_FUNCTION_CALL softmx;");
    expect_ok(ISA_SOURCE);
}
END_TEST

START_TEST(waits_and_updates_read_as_what_they_do)
{
    start("a4 10 00 00 07 05 12 06");
    expect_text("NOP $E[5]==1,=0 $E[6]=0@complete;");
    start("a4 10 00 00 85 05 87 06 03");
    expect_text("NOP $S[5]>=R3 $S[6]-=R3@read;");
    start("a4 10 00 00 fe");
    expect_text("NOP $unordered;");
    start("a4 10 00 00 0f 05 19 07 09");
    expect_text("NOP $E[5]==0,=1 $S[7]=9@complete;");
    start("a4 10 00 00 33 00 33");
    expect_text("NOP wait_mode=0x33 update_mode=0x33;");
}
END_TEST

START_TEST(decode_and_encode_are_inverse_for_every_layout)
{
    for (unsigned op = 0; op < 256; op++) {
        /* every byte different: whatever decode keeps, encode puts back, and a second round changes nothing
         */
        for (unsigned i = 0; i < SLOT_BYTES; i++)
            slot[i] = (uint8_t)(0x40 + i);
        slot[0] = (uint8_t)op;
        struct inst a, b;
        uint8_t once[SLOT_BYTES], twice[SLOT_BYTES];
        isa_decode(slot, &a);
        isa_encode(&a, once);
        isa_decode(once, &b);
        isa_encode(&b, twice);
        ck_assert_mem_eq(once, twice, SLOT_BYTES);
        ck_assert_mem_eq(&a, &b, sizeof a);
        ck_assert_mem_eq(once, slot, SLOT_PAYLOAD);
        for (unsigned i = 0; i < SLOT_BYTES; i++)
            ck_assert(once[i] == slot[i] || once[i] == 0);
    }
}
END_TEST

START_TEST(fields_land_at_their_offsets)
{
    struct inst in = isa_inst(OP_WRITE);
    in.u.write.size = 4;
    in.u.write.addr = UINT64_C(0x1002021038);
    in.u.write.value = 2;
    isa_encode(&in, slot);
    uint8_t want[SLOT_BYTES] = { 0xa5, 0x10, [12] = 4, [16] = 0x38, 0x10, 0x02, 0x02, 0x10, [24] = 2 };
    ck_assert_mem_eq(slot, want, SLOT_BYTES);
}
END_TEST

START_TEST(unknown_opcodes_and_foreign_generations_are_refused)
{
    start("0b 10");
    expect_refused(ISA_SOURCE, "undefined");
    start("ff 10");
    expect_refused(ISA_SOURCE, "INVALID");
    start("87 10");
    expect_refused(ISA_SOURCE, "CAYMAN");
    start("b6 10");
    expect_refused(ISA_SOURCE, "CAYMAN");
    start("c1 10 00 00 00 00 00 00 00 00 00 00 71");
    expect_refused(ISA_DEVICE, "pseudo");
    start("a4 40");
    expect_refused(ISA_SOURCE, "inst_word_len");
}
END_TEST

START_TEST(slots_of_unknown_layout_are_left_to_the_device)
{
    static const uint8_t ops[] = { 0x03, 0x06, 0x4d, 0x60, 0x74, 0x95, 0x9a,
                                   0xbb, 0xbd, 0xc2, 0xe5, 0xf2 };
    for (size_t i = 0; i < sizeof ops; i++) {
        memset(slot, 0, sizeof slot);
        memset(slot + 12, 0xee, SLOT_BYTES - 12);
        slot[0] = ops[i];
        slot[1] = 0x10;
        expect_ok(ISA_SOURCE);
    }
}
END_TEST

/* tpb-sequencer.md §5.1 */
START_TEST(pseudo_slots_without_a_known_expansion_are_refused)
{
    static const char *const slots[] = { "c7 10", "d0 10", "d6 10", "d7 10", "de 10" };
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
        start(slots[i]);
        expect_refused(ISA_SOURCE, "what it expands to is not known");
    }
}
END_TEST

START_TEST(every_mode_of_tables_w_and_u_and_no_other)
{
    static const uint8_t waits[] = { 0, 1, 2, 3, 4, 5, 6, 7, 0x0e, 0x0f, 0x81, 0x82, 0x83, 0x84, 0x85, 0xfe };
    static const uint8_t updates[] = { 0,    1,    2,    3,    4,    5,    7,    9,    0x11, 0x12, 0x13,
                                       0x14, 0x15, 0x17, 0x19, 0x85, 0x87, 0x89, 0x95, 0x97, 0x99 };
    for (unsigned mode = 0; mode < 256; mode++) {
        ck_assert_int_eq(isa_wait_mode_legal(mode), memchr(waits, (int)mode, sizeof waits) != NULL);
        ck_assert_int_eq(isa_update_mode_legal(mode), memchr(updates, (int)mode, sizeof updates) != NULL);
    }
}
END_TEST

START_TEST(lanes_are_checked)
{
    start("a4 10 00 00 08");
    expect_refused(ISA_SOURCE, "standard wait mode 0x08");
    start("a4 10 00 00 00 00 06");
    expect_refused(ISA_SOURCE, "standard update mode 0x06");
    start("a4 10 00 00 85 00 00 00 40");
    expect_refused(ISA_SOURCE, "register 64");
    start("a4 10 00 00 00 00 99 00 80");
    expect_refused(ISA_SOURCE, "register 128");
    start("a0 10");
    put(0x20, "ff");
    expect_refused(ISA_SOURCE, "extended wait mode 0xff");
    start("a0 10");
    put(0x22, "95 00 00 00 00 00 41");
    expect_refused(ISA_SOURCE, "register 65");
}
END_TEST

START_TEST(reserved_bytes_must_be_zero)
{
    static const struct {
        const char *head;
        unsigned byte;
    } rows[] = { { "a4 10", 12 },
                 { "a4 10", 63 },
                 { "a2 10", 0x27 },
                 { "a0 10", 0x10 },
                 { "a0 10", 0x2c },
                 { "a6 10", 13 },
                 { "a5 10 00 00 00 00 00 00 00 00 00 00 04", 13 },
                 { "d5 10", 12 },
                 { "c3 10", 63 },
                 { "c8 10", 33 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start(rows[i].head);
        slot[rows[i].byte] = 1;
        expect_refused(ISA_SOURCE, "reserved byte");
    }
    start("a1 10");
    slot[0x27] = 1; /* the variant of HALT with a notify byte */
    expect_ok(ISA_SOURCE);
}
END_TEST

START_TEST(write_needs_a_size_and_alignment)
{
    start("a5 10 00 00 00 00 00 00 00 00 00 00 03");
    expect_refused(ISA_SOURCE, "wr_size is 3");
    start("a5 10 00 00 00 00 00 00 00 00 00 00 04 00 00 00 02");
    expect_refused(ISA_SOURCE, "aligned");
    start("a5 10 00 00 00 00 00 00 00 00 00 00 01 00 00 00 03");
    expect_ok(ISA_SOURCE);
    start("a5 10 00 00 00 00 00 00 00 00 00 00 04");
    put(16, "05 06 00 00 00 00 00 80");
    expect_ok(ISA_SOURCE);
    put(16, "40");
    expect_refused(ISA_SOURCE, "register 64");
    put(16, "05 06 01");
    expect_refused(ISA_SOURCE, "register form");
    put(16, "00 00 00 00 00 00 00 10");
    expect_refused(ISA_SOURCE, "marker 0x10");
    put(16, "00 00 00 00 00 00 00 88");
    expect_refused(ISA_SOURCE, "table offset");
}
END_TEST

START_TEST(move_rules)
{
    start("a7 10 00 00 00 00 00 00 00 00 00 00 00 09 01");
    expect_refused(ISA_SOURCE, "num_mov is 0");
    slot[12] = 9;
    expect_refused(ISA_SOURCE, "num_mov is 9");
    slot[12] = 2;
    slot[14] = 2;
    expect_refused(ISA_SOURCE, "move_source is 2");
    slot[14] = 1;
    put(24, "05 05");
    expect_refused(ISA_SOURCE, "twice");
    put(24, "05 06");
    expect_ok(ISA_SOURCE);
    put(16, "01");
    expect_refused(ISA_SOURCE, "unused");
    slot[14] = 0;
    put(16, "01 06");
    expect_refused(ISA_SOURCE, "both a source");
    put(16, "01 40");
    expect_refused(ISA_SOURCE, "register 64");
    put(16, "01 81");
    expect_ok(ISA_SOURCE);
    slot[13] = 0x55; /* a device assertion, not the host's */
    expect_ok(ISA_SOURCE);
    slot[15] = 1;
    expect_refused(ISA_SOURCE, "reserved byte 15");
}
END_TEST

START_TEST(alu_and_branch_rules)
{
    start("a8 10 00 00 00 00 00 00 00 00 00 00 1e 08");
    expect_refused(ISA_SOURCE, "ALU code 0x1e");
    start("a8 10 00 00 00 00 00 00 00 00 00 00 04 00");
    expect_refused(ISA_SOURCE, "dtype 0x00");
    start("a8 10 00 00 00 00 00 00 00 00 00 00 04 08 00 10");
    expect_refused(ISA_SOURCE, "dst_dtype 0x10 is not defined");
    slot[15] = 0x0a;
    expect_ok(ISA_SOURCE);
    start("a8 10 00 00 00 00 00 00 00 00 00 00 04 08 02");
    expect_refused(ISA_SOURCE, "src1_datasrc");
    start("a8 10 00 00 00 00 00 00 00 00 00 00 04 08 00 00 00 00 00 00 40");
    expect_refused(ISA_SOURCE, "dst_lo");
    start("a9 10 00 00 00 00 00 00 00 00 00 00 07 08 03");
    expect_refused(ISA_SOURCE, "cmp_op 7");
    start("a9 10 00 00 00 00 00 00 00 00 00 00 0f 08 03");
    expect_refused(ISA_SOURCE, "cmp_op 15");
    start("a9 10 00 00 00 00 00 00 00 00 00 00 01 02 03");
    expect_refused(ISA_SOURCE, "32-bit type");
    start("a9 10 00 00 00 00 00 00 00 00 00 00 00 00 02");
    expect_refused(ISA_SOURCE, "target_mode 2");
    start("a9 10 00 00 00 00 00 00 00 00 00 00 00 00 0b");
    expect_refused(ISA_SOURCE, "target_mode 11");
    start("a9 10 00 00 00 00 00 00 00 00 00 00 00 00 03");
    put(48, "07");
    expect_ok(ISA_SOURCE); /* a label id */
    expect_refused(ISA_DEVICE, "Invalid branch relative offset");
    put(48, "40 00 00 00 01");
    expect_refused(ISA_SOURCE, "label id");
    expect_refused(ISA_DEVICE, "Invalid branch relative offset");
    put(48, "c0 ff ff ff ff ff ff ff");
    expect_ok(ISA_DEVICE); /* sign-extended instead of zero-extended */
}
END_TEST

START_TEST(range_order_poll_hint_and_memory_rules)
{
    start("b0 10 00 00 00 00 00 00 00 00 00 00 03");
    expect_refused(ISA_SOURCE, "mode 3");
    start("b0 10 00 00 00 00 00 00 00 00 00 00 01 09 08");
    expect_refused(ISA_SOURCE, "after its end");
    start("b1 10 00 00 00 00 00 00 00 00 00 00 02");
    expect_refused(ISA_SOURCE, "mode 2");
    start("b3 10 00 00 00 00 00 00 00 00 00 00 11 05 09");
    expect_refused(ISA_SOURCE, "n_read is 17");
    start("b3 10 00 00 00 00 00 00 00 00 00 00 10 05 ce");
    expect_refused(ISA_SOURCE, "fold code 0xce is not defined");
    start("b3 10 00 00 00 00 00 00 00 00 00 00 10 7f 09");
    expect_refused(ISA_SOURCE, "register 127");
    start("b3 10 00 00 00 00 00 00 00 00 00 00 10 05 09");
    expect_ok(ISA_SOURCE);
    start("b5 10 00 00 00 00 00 00 00 00 00 00 07 00 03");
    expect_ok(ISA_SOURCE); /* an unknown decision is a device assertion */
    start("b5 10 00 00 00 00 00 00 00 00 00 00 00 00 01");
    expect_refused(ISA_SOURCE, "mode 1");
    start("ab 10 00 00 00 00 00 00 00 00 00 00 09 00 01 01 00 00 00 02 28");
    expect_refused(ISA_SOURCE, "PSUM");
    slot[0] = OP_TENSOR_LOAD;
    expect_ok(ISA_SOURCE);
    slot[32] = 70;
    expect_refused(ISA_SOURCE, "register 70");
    start("a6 10 00 00 00 00 00 00 00 00 00 00 04"); /* bits 7:2 of flags */
    expect_refused(ISA_SOURCE, "reserved byte 12");
}
END_TEST

START_TEST(pseudo_rules)
{
    start("c1 10");
    expect_refused(ISA_SOURCE, "dma_queue_name is empty");
    memset(slot + 12, 'q', 32);
    expect_refused(ISA_SOURCE, "longer than 31");
    slot[43] = 0;
    slot[44] = 2;
    expect_refused(ISA_SOURCE, "use_raw_count");
    start("c1 10 00 00 00 00 00 00 00 00 00 00 07");
    expect_refused(ISA_SOURCE, "printable");
    start("c8 10 00 00 00 00 13 16 00 00 00 00 05 0a");
    slot[32] = 1;
    expect_refused(ISA_SOURCE, "reduce code 0x05");
    slot[12] = 4;
    slot[6] = 0x03;
    expect_refused(ISA_SOURCE, "0x13 is allowed");
    slot[6] = 0x13;
    slot[32] = 2;
    expect_refused(ISA_SOURCE, "collective type 2");
    slot[32] = 1;
    expect_ok(ISA_SOURCE);
    slot[13] = 0x10;
    expect_refused(ISA_SOURCE, "dtype 0x10 is not defined");
    start("d1 10 00 00 00 00 00 00 00 00 00 00 66");
    put(48, "00 0a 0a");
    expect_refused(ISA_SOURCE, "both halves");
    put(48, "00 0a 80");
    expect_refused(ISA_SOURCE, "allowed are 0..63");
    put(48, "02 0a 0b");
    expect_refused(ISA_SOURCE, "return_reset_semaphores");
    start("df 10");
    expect_refused(ISA_SOURCE, "pseudo_opcode 0");
}
END_TEST

START_TEST(semaphores_of_both_lanes_are_found)
{
    bool used[SEM_COUNT] = { false };
    start("a0 10 00 00 05 01 13 02");
    put(0x20, "84 03 11 04");
    isa_semaphores(slot, used);
    ck_assert(used[1] && used[2] && used[3] && !used[4]); /* 4 is an event */
    start("a4 10 00 00 fe 09 00 08");
    put(0x20, "01 0a 13 0b"); /* no extended lane in a NOP */
    memset(used, 0, sizeof used);
    isa_semaphores(slot, used);
    for (unsigned i = 0; i < SEM_COUNT; i++)
        ck_assert(!used[i]);
}
END_TEST

START_TEST(texts_of_any_bytes_stay_inside_the_buffer)
{
    uint32_t x = 1;
    for (unsigned round = 0; round < 10000; round++) {
        for (unsigned i = 0; i < SLOT_BYTES; i++) {
            x = x * 1664525u + 1013904223u;
            slot[i] = (uint8_t)(x >> 24);
        }
        slot[0] = (uint8_t)round;
        char text[128];
        size_t size = 1 + round % sizeof text;
        memset(text, 'x', sizeof text);
        isa_text(slot, text, size);
        ck_assert_uint_lt(strnlen(text, sizeof text), size);
        bool outside = true;
        for (size_t i = size; i < sizeof text; i++)
            outside &= text[i] == 'x';
        ck_assert(outside);
        isa_check(slot, ISA_SOURCE, &err);
        isa_check(slot, ISA_DEVICE, &err);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("isa");
    TCase *tc = tcase_create("slots");
    tcase_add_test(tc, table_has_the_counts_of_the_page);
    tcase_add_test(tc, fixture_slots_read_like_their_listing);
    tcase_add_test(tc, worked_examples_read_and_pass);
    tcase_add_test(tc, waits_and_updates_read_as_what_they_do);
    tcase_add_test(tc, decode_and_encode_are_inverse_for_every_layout);
    tcase_add_test(tc, fields_land_at_their_offsets);
    tcase_add_test(tc, unknown_opcodes_and_foreign_generations_are_refused);
    tcase_add_test(tc, slots_of_unknown_layout_are_left_to_the_device);
    tcase_add_test(tc, pseudo_slots_without_a_known_expansion_are_refused);
    tcase_add_test(tc, every_mode_of_tables_w_and_u_and_no_other);
    tcase_add_test(tc, lanes_are_checked);
    tcase_add_test(tc, reserved_bytes_must_be_zero);
    tcase_add_test(tc, write_needs_a_size_and_alignment);
    tcase_add_test(tc, move_rules);
    tcase_add_test(tc, alu_and_branch_rules);
    tcase_add_test(tc, range_order_poll_hint_and_memory_rules);
    tcase_add_test(tc, pseudo_rules);
    tcase_add_test(tc, semaphores_of_both_lanes_are_found);
    tcase_add_test(tc, texts_of_any_bytes_stay_inside_the_buffer);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
