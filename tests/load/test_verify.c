/*
 * load_verify: slots, names and numbers of the programs of E1 and variations (tpb-sequencer.md §1 to §6,
 * tpb-image.md §4, neff-container.md §22).
 */
#include "load/verify.h"

#include "../neff/edit.h"
#include "isa/isa.h"
#include "neff/check.h"
#include "q7_example.h"

static struct findings found;
static struct neff_file library; /* another member, when it has a name */

static void setup(void)
{
    edit_setup();
    found = (struct findings){ 0 };
    library = (struct neff_file){ 0 };
}

static void teardown(void)
{
    findings_free(&found);
    edit_teardown();
}

#define SLOTS_MAX 64

static uint8_t code[SLOTS_MAX * SLOT_BYTES];
static size_t nslots;

static void put(const struct inst *in)
{
    isa_encode(in, code + nslots++ * SLOT_BYTES);
}

static void put_op(unsigned op)
{
    struct inst in = isa_inst(op);
    put(&in);
}

static void put_trigger(const char *queue, uint32_t block, uint32_t use_raw)
{
    struct inst in = isa_inst(OP_PSEUDO_DMATRIGGER);
    snprintf(in.u.dmatrig.queue, sizeof in.u.dmatrig.queue, "%s", queue);
    in.u.dmatrig.block = block;
    in.u.dmatrig.use_raw = use_raw;
    put(&in);
}

static void put_collective(uint32_t input, uint32_t output, uint16_t group)
{
    struct inst in = isa_inst(OP_PSEUDO_TRIGGER_COLLECTIVE);
    isa_decode(neff_find(base, "sg00/pe.bin")->data, &in);
    in.u.cc.input = input;
    in.u.cc.output = output;
    in.u.cc.group = group;
    put(&in);
}

static void put_function(const char *name)
{
    struct inst in = isa_inst(OP_PSEUDO_FUNCTION_BEGIN);
    snprintf(in.u.func.name, sizeof in.u.func.name, "%s", name);
    in.u.func.ret_lo = 10;
    in.u.func.ret_hi = 11;
    put(&in);
}

static void put_call(const char *name, uint32_t args)
{
    struct inst in = isa_inst(OP_PSEUDO_FUNCTION_CALL);
    snprintf(in.u.call.name, sizeof in.u.call.name, "%s", name);
    in.u.call.args = args;
    put(&in);
}

static void put_exit(void)
{
    struct inst in = isa_inst(OP_PSEUDO_INST);
    in.u.pseudo.subop = PSEUDO_EXIT_EXECUTION;
    put(&in);
}

static void put_label(uint32_t id)
{
    struct inst in = isa_inst(OP_PSEUDO_BRANCH_LABEL);
    in.u.label.id = id;
    put(&in);
}

static void put_branch(uint64_t label)
{
    struct inst in = isa_inst(OP_COMPARE_BRANCH);
    in.u.br.cmp_op = CMP_ALWAYS;
    in.u.br.target_mode = BR_REL_IMM;
    in.u.br.disp = label;
    put(&in);
}

static void put_wait(unsigned semaphore)
{
    struct inst in = isa_inst(OP_EVENT_SEMAPHORE);
    in.wait_mode = WAIT_SEM_GE_IMM;
    in.wait_idx = (uint8_t)semaphore;
    put(&in);
}

/* Verifies E1 with n edits and the slots that were put as the program of one engine. */
static void verify(const char *bin, size_t size, const struct edit *edits, size_t n, unsigned arch)
{
    const struct neff_file files[] = { { bin, code, size }, library, { 0 } };
    struct neff *neff = edit_open(edits, n, files);
    struct findings manifests = { 0 };
    struct program **list;
    size_t count;
    ck_assert_int_eq(program_read_all(neff, arch, false, &manifests, &list, &count, &err), 0);
    ck_assert_uint_eq(count, 1);
    ck_assert_int_eq(load_verify(list[0], arch, &found, &err), 0);
    program_free_all(list, count);
    findings_free(&manifests);
    neff_close(neff);
    memset(code, 0, sizeof code);
    nslots = 0;
}

static void verify_pool(void)
{
    verify("sg00/pool.bin", nslots * SLOT_BYTES, NULL, 0, 0);
}

static void expect_clean(void)
{
    if (found.count)
        ck_abort_msg("%s %s: %s", found.list[0].member, found.list[0].place, found.list[0].text);
}

static void expect(enum finding_level level, const char *member, const char *place, const char *text)
{
    ck_assert_msg(found.count >= 1, "nothing found, wanted: %s", text);
    ck_assert_msg(found.count == 1, "%s %s: %s\n%s %s: %s", found.list[0].member, found.list[0].place,
                  found.list[0].text, found.list[1].member, found.list[1].place, found.list[1].text);
    const struct finding *x = &found.list[0];
    ck_assert_str_eq(x->member, member);
    ck_assert_str_eq(x->place, place);
    ck_assert_msg(strstr(x->text, text) != NULL, "\"%s\", wanted \"%s\"", x->text, text);
    ck_assert_int_eq(x->level, level);
    ck_assert_int_eq(x->tier, 3);
    ck_assert_int_eq(x->runtime_code, level == FINDING_RULE ? (int)NRT_INVALID : 0);
    findings_free(&found);
}

#define POOL_BIN "sg00/pool.bin"

START_TEST(e1_is_clean)
{
    memcpy(code, neff_find(base, POOL_BIN)->data, 3 * SLOT_BYTES);
    nslots = 3;
    verify_pool();
    expect_clean();
}
END_TEST

START_TEST(a_program_is_whole_slots)
{
    put_op(OP_NOP);
    verify(POOL_BIN, SLOT_BYTES + 8, NULL, 0, 0);
    expect(FINDING_RULE, POOL_BIN, "", "has 72 bytes, which is no multiple of the 64-byte slot");
}
END_TEST

START_TEST(a_slot_rule_names_slot_and_byte)
{
    put_op(OP_NOP);
    put_op(OP_NOP);
    code[SLOT_BYTES + SLOT_HDR_WORD_LEN_OFF] = 0x40;
    verify_pool();
    expect(FINDING_RULE, POOL_BIN, "slot 2 byte 0x01", "0x40");
    put_op(0xfe);
    verify_pool();
    expect(FINDING_RULE, POOL_BIN, "slot 1 byte 0x00", "0xfe");
}
END_TEST

START_TEST(a_slot_of_another_generation_is_told_when_one_is_asked_for)
{
    unsigned later = 0; /* an opcode that V4 has and V3 has not, whose zero operands are right */
    for (unsigned op = 1; op < 0xc0 && !later; op++) {
        uint8_t slot[SLOT_BYTES] = { (uint8_t)op, SLOT_WORDS };
        if (isa_opcode_in_gen(op, 4) && !isa_opcode_in_gen(op, 3) &&
            isa_check_gen(slot, ISA_SOURCE, 4, &err) == 0)
            later = op;
    }
    ck_assert_uint_ne(later, 0);
    put_op(later);
    verify(POOL_BIN, SLOT_BYTES, NULL, 0, 3);
    expect(FINDING_RULE, POOL_BIN, "slot 1 byte 0x00", "CAYMAN");
    put_op(later);
    verify(POOL_BIN, SLOT_BYTES, NULL, 0, 0);
    expect_clean();
}
END_TEST

START_TEST(an_opcode_of_another_engine_is_a_warning)
{
    struct inst in = isa_inst(OP_NOP);
    ck_assert(isa_engine_accepts(ENG_POOL, OP_NOP, 3));
    put(&in);
    verify(POOL_BIN, SLOT_BYTES, NULL, 0, 3);
    expect_clean();
    unsigned foreign = 0;
    for (unsigned op = 1; op < 0xc0 && !foreign; op++) {
        uint8_t slot[SLOT_BYTES] = { (uint8_t)op, SLOT_WORDS };
        if (isa_opcode_in_gen(op, 3) && !isa_engine_accepts(ENG_POOL, op, 3) &&
            isa_check_gen(slot, ISA_SOURCE, 3, &err) == 0)
            foreign = op;
    }
    ck_assert_uint_ne(foreign, 0);
    put_op(foreign);
    verify(POOL_BIN, SLOT_BYTES, NULL, 0, 3);
    expect(FINDING_WARNING, POOL_BIN, "slot 1 byte 0x00", "is no instruction of engine pool");
}
END_TEST

START_TEST(semaphores_of_the_harness_are_refused)
{
    struct inst clear = isa_inst(OP_EVENT_SEMAPHORE_RANGE_CLEAR);
    clear.u.range.mode = RANGE_RANGE;
    clear.u.range.last = 239;
    put(&clear);
    verify_pool();
    expect_clean();
    clear.u.range.last = 240;
    put(&clear);
    verify_pool();
    expect(FINDING_RULE, POOL_BIN, "slot 1", "semaphore 240 belongs to the harness");
    put_wait(239);
    verify_pool();
    expect_clean();
    put_wait(240);
    verify_pool();
    expect(FINDING_RULE, POOL_BIN, "slot 1", "semaphore 240 belongs to the harness, programs may use 0..239");
    const struct edit e = { DEF, QIN, "\"semaphore\": 255, \"type\": \"in\"" };
    put_op(OP_NOP);
    verify(POOL_BIN, SLOT_BYTES, &e, 1, 0);
    expect(FINDING_RULE, DEF, "dma_queue", "queue q_gradient_in: semaphore 255 belongs to the harness");
}
END_TEST

START_TEST(a_trigger_finds_its_queue_and_block)
{
    put_trigger("q_gradient_in", 0, 0);
    put_trigger("q_gradient_out", 0, 0);
    put_trigger("q_gradient_out", 9, 1); /* a raw count is no block id */
    verify_pool();
    expect_clean();
    put_op(OP_NOP);
    put_trigger("q_gradient", 0, 0);
    verify_pool();
    expect(FINDING_RULE, POOL_BIN, "slot 2 byte 0x0c",
           "there is no dma_queue \"q_gradient\" in sg00/def.json");
    put_trigger("q_gradient_in", 1, 0);
    verify_pool();
    expect(FINDING_RULE, POOL_BIN, "slot 1 byte 0x30", "queue q_gradient_in has no block with id 1");
}
END_TEST

/* What the manifests did not give is not missed here. */
START_TEST(triggers_of_unreadable_manifests_are_not_judged)
{
    static const struct edit edits[] = {
        { DEF, "\"dma_queue\": {", "\"dma_queue\": [], \"x\": {" },
        { DEF, QIN, "\"semaphore\": 10, \"type\": \"sideways\"" },
        { POOL, "\"id\": 0,\n      \"queue\": \"q_gradient_in\"", "\"queue\": \"q_gradient_in\"" },
        { "sg00/pe.json", "\"dma\": []", "\"dma\": 5" },
    };
    put_trigger("q_gradient_in", 7, 0);
    verify(POOL_BIN, SLOT_BYTES, &edits[_i], 1, 0);
    expect_clean();
}
END_TEST

START_TEST(a_collective_finds_its_tensors_and_group)
{
    put_collective(3, 4, 0);
    verify_pool();
    expect_clean();
    put_collective(5, 4, 0);
    verify_pool();
    expect(FINDING_RULE, POOL_BIN, "slot 1 byte 0x10", "input_tensor_id is 5, there are only 5 variables");
    put_collective(3, UINT32_MAX, 0);
    verify_pool();
    expect(FINDING_RULE, POOL_BIN, "slot 1 byte 0x14", "output_tensor_id is 4294967295");
    put_collective(3, 4, 1);
    verify_pool();
    expect(FINDING_RULE, POOL_BIN, "slot 1 byte 0x0e", "group_id is 1, replica_groups has 1 topologies");
    const struct edit e = { DEF, RESERVED, RESERVED ", \"num_streams\": 2" };
    put_collective(3, 4, 0);
    verify("sg00/pe.bin", SLOT_BYTES, &e, 1, 0);
    expect(FINDING_RULE, "sg00/pe.bin", "slot 1", "a collective needs a single stream, the graph has 2");
}
END_TEST

START_TEST(functions_are_unique_defined_and_left_alone_by_main)
{
    put_call("f", UINT32_MAX);
    put_call("g", 4);
    put_exit();
    put_function("f");
    put_op(OP_PSEUDO_FUNCTION_RETURN);
    put_function("g");
    put_op(OP_PSEUDO_FUNCTION_RETURN);
    verify_pool();
    expect_clean();

    put_exit();
    put_function("f");
    put_op(OP_NOP);
    put_function("f");
    verify_pool();
    expect(FINDING_RULE, POOL_BIN, "slot 4 byte 0x0c", "function f is defined twice, first in slot 2");

    put_call("h", UINT32_MAX);
    put_exit();
    put_function("f");
    verify_pool();
    expect(FINDING_RULE, POOL_BIN, "slot 1 byte 0x0c", "function h is not defined");

    put_call("f", 5);
    put_exit();
    put_function("f");
    verify_pool();
    expect(FINDING_RULE, POOL_BIN, "slot 1 byte 0x30", "args_table_var_id is 5");

    put_op(OP_NOP);
    put_function("f");
    put_exit();
    verify_pool();
    expect(FINDING_RULE, POOL_BIN, "", "the stream has functions but MAIN has no exit");
}
END_TEST

START_TEST(labels_are_unique_and_defined)
{
    put_label(7);
    put_branch(7);
    put_branch(8);
    put_label(8);
    verify_pool();
    expect_clean();
    put_branch(9);
    verify_pool();
    expect(FINDING_RULE, POOL_BIN, "slot 1 byte 0x30", "label 9 is not defined");
    put_label(7);
    put_op(OP_NOP);
    put_label(7);
    verify_pool();
    expect(FINDING_RULE, POOL_BIN, "slot 3 byte 0x0c", "label 7 is defined twice, first in slot 1");
}
END_TEST

START_TEST(every_engine_has_as_many_barriers)
{
    put_op(OP_PSEUDO_SYNC_BARRIER);
    const struct edit e[] = { { "sg00/pe.json", "pe.bin", "pool.bin" },
                              { "sg00/act.json", "act.bin", "pool.bin" },
                              { "sg00/dve.json", "dve.bin", "pool.bin" },
                              { "sg00/sp.json", "sp.bin", "pool.bin" } };
    verify(POOL_BIN, SLOT_BYTES, e, 4, 0);
    expect_clean();
    put_op(OP_PSEUDO_SYNC_BARRIER);
    verify(POOL_BIN, SLOT_BYTES, e, 3, 0);
    expect(FINDING_RULE, "sg00/sp.bin", "",
           "engine sp has 0 SYNC_BARRIER slots, pe has 1: the barrier could never be met");
}
END_TEST

START_TEST(an_8_byte_sp_program_is_no_barrier_participant)
{
    put_op(OP_PSEUDO_SYNC_BARRIER);
    const struct neff_file files[] = { { POOL_BIN, code, SLOT_BYTES },
                                       { "sg00/sp.bin", "\x10\x02\x00\x00\x00\x00\x00\x00", 8 },
                                       { 0 } };
    const struct edit e[] = { { "sg00/pe.json", "pe.bin", "pool.bin" },
                              { "sg00/act.json", "act.bin", "pool.bin" },
                              { "sg00/dve.json", "dve.bin", "pool.bin" } };
    struct neff *neff = edit_open(e, 3, files);
    struct program *p;
    ck_assert_int_eq(program_read(neff, NULL, &p, &err), 0);
    ck_assert_int_eq(load_verify(p, 0, &found, &err), 0);
    expect_clean();
    program_free(p);
    neff_close(neff);
    nslots = 0;
}
END_TEST

START_TEST(the_dialect_of_sp_is_decided_once_per_file)
{
    static const struct {
        const char *bytes;
        size_t size;
        enum finding_level level;
        const char *place, *text; /* NULL: clean */
    } cases[] = {
        { "\x10\x02\x00\x00\x00\x00\x00\x00", 8, FINDING_NOTE, NULL, NULL },
        { "\x10\x02\x00\x00\x00\x00\x00\x00", 7, FINDING_RULE, "", "" },
        { "\x7f\x00\x00\x00\x00\x00\x00\x00", 8, FINDING_WARNING, "slot 1 byte 0x00", "opcode 0x7f" },
        { "\x10\0\0\0\0\0\0\0\x30\0\0\0\x02\0\0", 16, FINDING_WARNING, "slot 2 byte 0x04",
          "branch target 2, allowed is 0..1" },
        { "\x60\x10\0\0\0\0\0", 8, FINDING_WARNING, "slot 1 byte 0x01", "address register 16" },
        { "\x41\x10\0\0\0\0\0", 8, FINDING_WARNING, "slot 1 byte 0x01", "counter 16" },
        { "\x24\x80\0\0\0\0\0", 8, FINDING_WARNING, "slot 1 byte 0x01", "event 128" },
        { "\x24\x7f\0\0\0\0\0", 8, FINDING_NOTE, NULL, NULL },
    };
    memcpy(code, cases[_i].bytes, cases[_i].size);
    verify("sg00/sp.bin", cases[_i].size, NULL, 0, 0);
    if (cases[_i].text)
        expect(cases[_i].level, "sg00/sp.bin", cases[_i].place, cases[_i].text);
    else
        expect_clean();
}
END_TEST

START_TEST(a_library_goes_through_the_prelinker)
{
    const struct edit e = { DEF, RESERVED,
                            RESERVED
                            ", \"ucode_lib\": [{\"library\": \"pe.bin\", \"ulib_to_ucode_version\": \"1.2\", "
                            "\"cpu_id\": 0, \"total_cpus\": 1, \"functions\": []}]" };
    put_op(OP_NOP);
    verify(POOL_BIN, SLOT_BYTES, &e, 1, ARCH_CAYMAN);
    ck_assert_uint_eq(found.count, 1);
    ck_assert_str_eq(found.list[0].member, "sg00/pe.bin");
    ck_assert_int_eq(found.list[0].runtime_code, NRT_INVALID);
    ck_assert_int_ge(found.list[0].level, FINDING_RULE);
    findings_free(&found);
    put_op(OP_NOP);
    verify(POOL_BIN, SLOT_BYTES, &e, 1, ARCH_SUNDA); /* stages it as it is */
    expect_clean();
}
END_TEST

static void put_extended(unsigned spec)
{
    put_op(OP_EXTENDED_INST);
    code[(nslots - 1) * SLOT_BYTES + 0x0c] = (uint8_t)spec;
}

/* q7-firmware.md §6, §11: what the chosen library has no row for misses at run time. */
START_TEST(an_opcode_without_a_kernel_is_a_warning)
{
    for (unsigned arch = ARCH_CAYMAN; arch <= ARCH_MARIANA; arch++) {
        put_op(OP_NOP);
        put_extended(0);
        put_extended(5);
        put_extended(5); /* told once */
        verify(POOL_BIN, 4 * SLOT_BYTES, NULL, 0, arch);
        if (arch == ARCH_CAYMAN)
            expect(FINDING_WARNING, POOL_BIN, "slot 3 byte 0x0c",
                   "the built-in library 0 of CAYMAN has no kernel for opcode 0xf0 spec 5 (EXTENDED_INST)");
        else
            expect_clean(); /* its tables are not known */
    }
}
END_TEST

/* The worked library has kernels for 7e, f0/4 and f0/1 only. */
START_TEST(the_library_of_the_neff_replaces_the_built_in_one)
{
    uint8_t elf[Q7_EXAMPLE_BYTES];
    const struct edit e = { DEF, RESERVED,
                            RESERVED
                            ", \"ucode_lib\": [{\"library\": \"k.so\", \"ulib_to_ucode_version\": \"1.2\", "
                            "\"cpu_id\": 0, \"total_cpus\": 8, \"functions\": []}]" };
    q7_example_fill(elf, sizeof elf, Q7_EXAMPLE_LINES(q7_example_elf));
    library = (struct neff_file){ "sg00/k.so", elf, sizeof elf };
    put_extended(1);
    verify(POOL_BIN, SLOT_BYTES, &e, 1, ARCH_CAYMAN);
    expect_clean();
    put_extended(1);
    put_extended(0);
    verify(POOL_BIN, 2 * SLOT_BYTES, &e, 1, ARCH_CAYMAN);
    expect(FINDING_WARNING, POOL_BIN, "slot 2 byte 0x0c",
           "the libraries of this NEFF have no kernel for opcode 0xf0 spec 0");
    elf[4] = 2; /* nobody knows what it would have served */
    put_extended(0);
    verify(POOL_BIN, SLOT_BYTES, &e, 1, ARCH_CAYMAN);
    ck_assert_uint_eq(found.count, 1);
    ck_assert_str_eq(found.list[0].member, "sg00/k.so");
}
END_TEST

START_TEST(all_bad_slots_are_told_up_to_the_limit)
{
    found.limit = 10;
    for (int i = 0; i < SLOTS_MAX; i++)
        put_op(0xfe);
    verify_pool();
    ck_assert_uint_eq(found.count, 10);
    ck_assert_uint_eq(found.dropped, 0);
    ck_assert_str_eq(found.list[9].place, "slot 10 byte 0x00");
}
END_TEST

/* Any bytes: no crash, no leak. */
START_TEST(random_slots_do_no_harm)
{
    uint32_t x = 12345u + (uint32_t)_i;
    for (size_t i = 0; i < sizeof code; i++) {
        x = x * 1664525u + 1013904223u;
        code[i] = (uint8_t)(x >> 24);
        if (i % SLOT_BYTES == SLOT_HDR_WORD_LEN_OFF)
            code[i] = SLOT_WORDS;
        if (i % SLOT_BYTES == 0 && x & 1)
            code[i] |= 0xc0;
    }
    verify(POOL_BIN, sizeof code, NULL, 0, (unsigned)_i % 4 == 0 ? 0 : 1 + (unsigned)_i % 4);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("load/verify");
    TCase *t = tcase_create("verify");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, e1_is_clean);
    tcase_add_test(t, a_program_is_whole_slots);
    tcase_add_test(t, a_slot_rule_names_slot_and_byte);
    tcase_add_test(t, a_slot_of_another_generation_is_told_when_one_is_asked_for);
    tcase_add_test(t, an_opcode_of_another_engine_is_a_warning);
    tcase_add_test(t, semaphores_of_the_harness_are_refused);
    tcase_add_test(t, a_trigger_finds_its_queue_and_block);
    tcase_add_loop_test(t, triggers_of_unreadable_manifests_are_not_judged, 0, 4);
    tcase_add_test(t, a_collective_finds_its_tensors_and_group);
    tcase_add_test(t, functions_are_unique_defined_and_left_alone_by_main);
    tcase_add_test(t, labels_are_unique_and_defined);
    tcase_add_test(t, every_engine_has_as_many_barriers);
    tcase_add_test(t, an_8_byte_sp_program_is_no_barrier_participant);
    tcase_add_loop_test(t, the_dialect_of_sp_is_decided_once_per_file, 0, 8);
    tcase_add_test(t, a_library_goes_through_the_prelinker);
    tcase_add_test(t, an_opcode_without_a_kernel_is_a_warning);
    tcase_add_test(t, the_library_of_the_neff_replaces_the_built_in_one);
    tcase_add_test(t, all_bad_slots_are_told_up_to_the_limit);
    tcase_add_loop_test(t, random_slots_do_no_harm, 0, 64);
    suite_add_tcase(s, t);
    return e1_main(s);
}
