/* What the assembler refuses, where it says so, and what it offers instead. */
#include "asm_test.h"

/* The error is at line:column and its sentence has all of the parts (separated by '|'). */
static void refused(const char *text, const char *place, const char *parts)
{
    struct strbuf out = { 0 };
    char want[64];
    strbuf_puts(&out, "before");
    memset(&err, 0, sizeof err);
    ck_assert_msg(isa_asm(text, strlen(text), "f.asm", &opt, &out, &err) == NERR_INPUT, "\"%s\" is accepted",
                  text);
    snprintf(want, sizeof want, "f.asm %s", place);
    ck_assert_msg(strcmp(err.where, want) == 0, "\"%s\": %s, right is %s (%s)", text, err.where, want,
                  err.text);
    while (*parts) {
        char part[128];
        size_t n = strcspn(parts, "|");
        snprintf(part, sizeof part, "%.*s", (int)n, parts);
        ck_assert_msg(strstr(err.text, part) != NULL, "\"%s\": \"%s\" does not say \"%s\"", text, err.text,
                      part);
        parts += n + (parts[n] == '|');
    }
    ck_assert_uint_eq(out.len, strlen("before")); /* what was there stays, nothing is added */
    strbuf_free(&out);
}

START_TEST(words_and_their_neighbours)
{
    dialect(ISA_NEURON);
    refused("NOP;\nEVENT_SEMAFORE $S[1]>0;", "2:1", "'EVENT_SEMAFORE'|did you mean EVENT_SEMAPHORE?");
    refused("EVENT_WAIT;", "1:1", "'EVENT_WAIT' is an instruction of tonga, not of neuron");
    refused("SET_AR ar=1;", "1:1", "of sp8");
    refused("nop;", "1:1", "'nop'|NOP?"); /* case matters in mnemonics */
    refused("xyzzy;", "1:1", "'xyzzy' is no instruction of neuron");
    refused("PE_REG_WRITE;", "1:1", "the operands of PE_REG_WRITE are not known|.slot and 64 bytes");
    refused("PSEUDO_CORE_BARRIER ids=1 semaphore=2;", "1:21", "'ids' is no operand|did you mean id?");
    refused("PSEUDO_CORE_BARRIER color=1;", "1:21", "its operands are id semaphore");
    refused("ALU_OP R1=R2 PLUS R3;", "1:14", "'PLUS'|ALU operation");
    refused("PSEUDO_INST leave;", "1:13", "'leave'|exit or library_reload");
    refused("EVENT_SEMAPHORE_RANGE_CLEAR mode=all;", "1:34", "range or mask or a number for mode");
    refused("CAST dst=SB[0x0][1] src=SB[0x0][1] in_dtype=float out_dtype=bf16 channels=1;", "1:45",
            "'float'|data type");
}
END_TEST

START_TEST(what_is_missing_or_given_twice)
{
    dialect(ISA_NEURON);
    refused("NOP", "1:4", "the text ends; expected ';'");
    refused("NOP $S[1]>0", "1:12", "the text ends");
    refused("PSEUDO_CORE_BARRIER id=1;", "1:1", "PSEUDO_CORE_BARRIER lacks its operand semaphore");
    refused("PSEUDO_DMA_TRIGGER block_id=0;", "1:1", "lacks its operand");
    refused("PSEUDO_CORE_BARRIER id=1 id=1 semaphore=2;", "1:26", "id is given twice");
    refused("PSEUDO_DMA_TRIGGER a b block_id=0;", "1:22", "found 'b'");
    refused("NOP debug_hint=1 debug_hint=1;", "1:18", "debug_hint is given twice");
    refused("NOP $S[1]>0 $S[2]>0;", "1:13", "the wait is given twice");
    refused("EVENT_SEMAPHORE $S[1]>0 $S[2]>0;", "1:25", "behind `then`");
    refused("EVENT_SEMAPHORE then $S[1]>0 then $S[2]>0;", "1:30", "`then` is given twice");
    refused("NOP then $S[1]>0;", "1:5", "found 'then'");
    refused("NOP $S[1]>5 $S[2]+=6@complete;", "1:20", "share one value, which is 5 and now 6");
    refused("EVENT_SEMAPHORE $S[1]>5 $S[2]+=6@complete;", "1:32", "put one of them behind `then`");
    refused("NOP $S[1]>5 wait_idx=1;", "1:13", "wait_idx is given twice");
    refused("NOP $S[1]>5 semaphore_value=6;", "1:13", "which is 5 and now 6");
    refused("ALU_OP R1=R2 ADD 1 R1=R2 ADD 2 dtype=int32;", "1:20", "given twice");
    refused("ALU_OP R1=R2 ADD 1 op=ADD dtype=int32;", "1:20", "op is given twice");
    refused("ALU_OP op=ADD R1=R2 ADD 1 dtype=int32;", "1:15", "op is given already");
    refused("COMPARE_BRANCH always;", "1:22", "'->'");
    refused("COMPARE_BRANCH;", "1:1", "lacks its operand");
    refused("ALU_OP R1=R2 ADD 1;", "1:1", "lacks its operand dtype");
}
END_TEST

START_TEST(numbers_and_registers)
{
    dialect(ISA_NEURON);
    refused("NOP $S[256]>0;", "1:8", "'256' is no index, 0 to 255");
    refused("NOP $S[-1]>0;", "1:8", "'-1' is no index");
    refused("NOP $S[1]>4294967296;", "1:11", "'4294967296'");
    refused("NOP $S[1]>99999999999999999999999;", "1:11", "is no value");
    refused("NOP $S[1]>0x;", "1:11", "found '0x'");
    refused("NOP $S[1]>12ab;", "1:11", "found '12ab'");
    refused("NOP $S[1]>R64;", "1:11", "found 'R64'|R0 to R63, PC.lo or PC.hi");
    refused("NOP $S[1]>Rx;", "1:11", "found 'Rx'");
    refused("MOVE R1=R2, R3=4;", "1:13", "all from registers or all immediate");
    refused("MOVE R1=1,R2=1,R3=1,R4=1,R5=1,R6=1,R7=1,R8=1,R9=1;", "1:46", "at most 8 moves");
    refused("MOVE R1=1, dtype=int32;", "1:12", "another move");
    refused("COMPARE_BRANCH -> R7;", "1:19", "{R10,R11} (an address), +R7");
    refused("COMPARE_BRANCH if R5=0 -> 64;", "1:21", "a comparison");
    refused("PSEUDO_CORE_BARRIER id=1 semaphore=-2;", "1:36", "'-2' is no number");
    refused("BRANCH_PREFETCH_HINT decision=taken branch=1 target=99999999999999999999;", "1:53",
            "is no label or number");
    refused("TENSOR_SCALAR_ARITH_OP imm0=1e99;", "1:29", "binary32");
    refused("TENSOR_SCALAR_ARITH_OP imm0=1.2.3;", "1:29", "binary32");
    refused("TENSOR_SCALAR_ARITH_OP imm0=nan;", "1:29", "found 'nan'");
}
END_TEST

START_TEST(suffixes)
{
    dialect(ISA_NEURON);
    refused("NOP $X[1]>0;", "1:6", "found 'X'|S[n], E[n] or unordered");
    refused("NOP $S 1;", "1:8", "'[' in $S[n]");
    refused("NOP $S[1]!0;", "1:10", "a wait (== < <= > >=) or an update");
    refused("NOP $S[1]++;", "1:12", "'@'");
    refused("NOP $S[1]++@done;", "1:13", "found 'done'; expected read or complete");
    refused("NOP $S[1]++@write;", "1:13", "read or complete");
    refused("NOP $E[1]==2;", "1:12", "'2' is no state of an event, 0 to 1");
    refused("NOP $E[1]==1,=1;", "1:13", "==1,=0 or ==0,=1");
    refused("NOP $E[1]>0;", "1:10", "a wait (==) or an update (=)");
    dialect(ISA_TONGA);
    refused("NOP $S[1]>0;", "1:6", "E[n] behind $");
    refused("NOP $E[1]==0;", "1:5", "only for set events");
    refused("NOP $E[1]=0@complete;", "1:5", "only set events");
    refused("NOP $E[1]=1@never;", "1:13", "read, write or complete");
    refused("COPY dst=SB[0x0][1];", "1:10", "map of tonga is not known");
    dialect(ISA_SP8);
    refused("CLR_ALL_EVENTS $E[1]==1;", "1:16", "no waits and updates");
    refused("CLR_ALL_EVENTS debug_hint=1;", "1:16", "'debug_hint' is no operand");
}
END_TEST

START_TEST(addresses_texts_and_sets)
{
    dialect(ISA_NEURON);
    refused("CAST dst=SB[p128+0x0][1];", "1:14", "'128' is no partition, 0 to 127");
    refused("CAST dst=SB[0x40000][1];", "1:13", "offset in a partition");
    refused("CAST dst=DRAM[0x0][1];", "1:10", "SB[0x0], PSUM[p32+0x0], MEM[0x0] or [R5]");
    refused("CAST dst=[0x100][1];", "1:11", "an address needs its space");
    refused("CAST dst=[PC.lo][1];", "1:11", "the program counter");
    refused("CAST dst=SB[0x0,form][1];", "1:17", "shape");
    refused("CAST dst=SB[0x0][1,1,1,1,1];", "1:26", "at most 4 dimensions");
    refused("CAST dst=SB[0x0][65536];", "1:18", "count, 0 to 65535");
    refused("CAST dst=SB[0x0][1:-32769];", "1:20", "step, -32768 to 32767");
    refused("CAST dst=SB[0x0] src=SB[0x0][1];", "1:18", "'[' in dimensions");
    refused("WRITE [0x100000000000000] value=1;", "1:7", "at most 56 bits");
    refused("WRITE [0x1,shap] value=1;", "1:12", "shape, table, var, reg, wide or raw");
    refused("WRITE [0x1,raw,table] value=1;", "1:7", "stands alone");
    refused("WRITE 5 value=1;", "1:7", "an address, [0x1000]");
    refused("PSEUDO_DMA_TRIGGER abcdefghijabcdefghijabcdefghijabc block_id=0;", "1:20",
            "at most 32 characters");
    refused("PSEUDO_DMA_TRIGGER \"abcdefghijabcdefghijabcdefghijabc\" block_id=0;", "1:20",
            "at most 32 bytes");
    refused("PSEUDO_DMA_TRIGGER \"abc\n\" block_id=0;", "1:20", "not closed");
    refused("PSEUDO_DMA_TRIGGER \"a\\n\" block_id=0;", "1:22", "\\x and two digits");
    refused("EVENT_SEMAPHORE_RANGE_CLEAR mode=mask mask={7..3};", "1:48", "end of a range, 7 to 255");
    refused("EVENT_SEMAPHORE_RANGE_CLEAR mode=mask mask={256};", "1:45", "0 to 255");
    refused("EVENT_SEMAPHORE_RANGE_CLEAR mode=mask mask=3;", "1:44", "a set, {0..7,9}");
}
END_TEST

START_TEST(directives_labels_and_comments)
{
    dialect(ISA_NEURON);
    refused(".slots 00;", "1:2", "found 'slots'; expected .slot or .set");
    refused(".slot 0011;", "1:1", ".slot has 2 bytes; expected 64");
    refused(".slot 001;", "1:9", "two hexadecimal digits of byte 1");
    refused(".slot 00", "1:9", "the text ends; expected 64 bytes and ';'");
    refused("a: NOP; a: NOP;", "1:9", "'a' is defined already");
    refused(".set a = 1; a: NOP;", "1:13", "'a' is defined already");
    refused("R3: NOP;", "1:1", "'R3' is a register");
    refused(".set 3 = 1;", "1:6", "a name behind .set");
    refused(".set a = b;", "1:10", "found 'b'");
    refused("COMPARE_BRANCH -> nowhere;", "1:19", "'nowhere' is no label");
    refused("NOP $S[later]>0; later: NOP;", "1:8", "found 'later'");
    refused("top: NOP $S[top]>0;", "1:13", "found 'top'"); /* a label is a place, not a number */
    refused("NOP; /* open", "1:6", "a comment is not closed");
    refused("NOP; ;", "1:6", "found ';'; expected an instruction");
    refused("NOP; \x01", "1:6", "found '\\x01'");
    refused("/", "1:1", "found '/'");
}
END_TEST

/* Long words are shortened, and no text is too long or too deep. */
START_TEST(long_and_odd_texts)
{
    dialect(ISA_NEURON);
    enum { LONG = 100000 };
    char *text = malloc(LONG + 1);
    ck_assert_ptr_nonnull(text);
    memset(text, 'A', LONG);
    text[LONG] = '\0';
    refused(text, "1:1", "'AAAA|...'");
    memset(text, '[', LONG);
    memcpy(text, "CAST dst=", 9);
    refused(text, "1:11", "found '['");
    memset(text, '\n', LONG);
    text[LONG - 1] = '!';
    refused(text, "100000:1", "found '!'");
    memset(text, ' ', LONG);
    text[LONG - 1] = '!';
    refused(text, "1:100000", "found '!'");
    free(text);
    struct strbuf out = { 0 };
    ck_assert_int_eq(isa_asm("NOP;\0NOP;", 9, "t", &opt, &out, &err), NERR_INPUT); /* NUL is no white space */
    ck_assert_str_eq(err.where, "t 1:5");
    strbuf_free(&out);
}
END_TEST

static void add(TCase *tc)
{
    tcase_add_test(tc, words_and_their_neighbours);
    tcase_add_test(tc, what_is_missing_or_given_twice);
    tcase_add_test(tc, numbers_and_registers);
    tcase_add_test(tc, suffixes);
    tcase_add_test(tc, addresses_texts_and_sets);
    tcase_add_test(tc, directives_labels_and_comments);
    tcase_add_test(tc, long_and_odd_texts);
}

int main(void)
{
    return run_cases("asm errors", add);
}
