/* The assembly language by example: listings and slots of the specification, each way byte for byte. */
#include "asm_test.h"

#include "util/hash.h"

/* fixture-allreduce.md §6.7 and §6.8. */
START_TEST(fixture_listings_are_produced_and_accepted_byte_for_byte)
{
    static const char pe[] =
        "PSEUDO_TRIGGER_COLLECTIVE $S[10]>0 $S[22]++@complete ctype=ALL_REDUCE input_tensor_id=3 "
        "output_tensor_id=4 num_elements=32 dtype=fp32 op=ADD group_id=0;\n";
    static const char pool[] = "PSEUDO_DMA_TRIGGER q_gradient_in block_id=0;\n"
                               "PSEUDO_DMA_TRIGGER $S[22]>0 q_gradient_out block_id=0;\n"
                               "EVENT_SEMAPHORE $S[11]>0;\n";
    static const struct {
        const char *text;
        size_t text_bytes, code_bytes;
        const char *md5;
    } listings[] = { { pe, 153, 64, "f5c01e499e4e49ac4ef559ce7e673436" },
                     { pool, 126, 192, "25daba764d4de4444cbf460a1e52df2f" } };
    dialect(ISA_NEURON);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_uint_eq(strlen(listings[i].text), listings[i].text_bytes);
        struct strbuf code = assembled(listings[i].text, strlen(listings[i].text));
        ck_assert_uint_eq(code.len, listings[i].code_bytes);
        uint8_t md5[HASH_MD5_BYTES];
        char hex[2 * HASH_MD5_BYTES + 1];
        ck_assert_int_eq(hash_md5(code.s, code.len, md5, &err), 0);
        ck_assert_str_eq(hash_hex(md5, sizeof md5, hex), listings[i].md5);
        struct strbuf text = disassembled(code.s, code.len);
        ck_assert_str_eq(text.s, listings[i].text);
        strbuf_free(&code);
        strbuf_free(&text);
    }
}
END_TEST

/* tpb-image.md §7, examples 1 to 12. */
START_TEST(worked_slots_of_the_image_page)
{
    dialect(ISA_NEURON);
    expect_both("00: c8 10 00 00 04 0a 13 16 00 00 00 00 04 0a 00 00 03 00 00 00 04 00 00 00 20 | 20: 01",
                "PSEUDO_TRIGGER_COLLECTIVE $S[10]>0 $S[22]++@complete ctype=ALL_REDUCE input_tensor_id=3 "
                "output_tensor_id=4 num_elements=32 dtype=fp32 op=ADD group_id=0;");
    expect_both("00: c1 10 | 0c: 71 5f 67 72 61 64 69 65 6e 74 5f 69 6e",
                "PSEUDO_DMA_TRIGGER q_gradient_in block_id=0;");
    expect_both("00: c1 10 | 04: 04 16 | 0c: 71 5f 67 72 61 64 69 65 6e 74 5f 6f 75 74",
                "PSEUDO_DMA_TRIGGER $S[22]>0 q_gradient_out block_id=0;");
    expect_both("00: a0 10 00 00 04 0b", "EVENT_SEMAPHORE $S[11]>0;");
    expect_both("00: a0 10 | 22: 15 07 | 28: 01", "EVENT_SEMAPHORE then $S[7]+=1@complete;");
    expect_both("00: a8 10 00 00 | 0c: 04 08 01 00 | 10: 02 | 14: 03 | 18: 40",
                "ALU_OP R3=R2 ADD 64 dtype=int32;");
    expect_both("00: a9 10 00 02 | 0c: 03 08 03 | 20: 05 | 30: 00 ff ff ff 00 00 00 00",
                "COMPARE_BRANCH if R5==0 -> -256 dtype=int32 debug_hint=2;");
    expect_both("00: a9 10 | 0c: 00 00 01 | 22: 0a 0b", "COMPARE_BRANCH always -> {R10,R11};");
    expect_both("00: a7 10 | 0c: 02 09 00 00 | 10: 80 81 | 18: 0a 0b", "MOVE R10=PC.lo, R11=PC.hi;");
    expect_both("00: b0 10 | 0c: 01 08 1f", "EVENT_SEMAPHORE_RANGE_CLEAR mode=range first=8 last=31;");
    expect_both("00: d8 10 00 00 05 07 13 07 04 00 00 00 2a 00 00 00 07",
                "PSEUDO_CORE_BARRIER $S[7]>=4 $S[7]++@complete id=42 semaphore=7;");
    expect_both("00: df 10 | 0c: 01", "PSEUDO_INST exit;");
    expect_both("00: d3 10 | 0c: 73 6f 66 74 6d 78 00 | 30: ff ff ff ff", "PSEUDO_FUNCTION_CALL softmx;");
}
END_TEST

/* tpb-compute.md §7, A to E. */
START_TEST(worked_slots_of_the_compute_page)
{
    dialect(ISA_NEURON);
    expect_both(
        "00: 41 10 00 00 05 03 13 04 01 00 00 00 aa 0a 04 80 00 00 00 00 01 00 01 00 01 00 00 02 01 00 01 00"
        "| 20: 00 10 00 00 01 00 01 00 01 00 00 02 01 00 01 00 00 20 00 00 01 00 01 00 01 00 00 02 01 00 01 "
        "00",
        "TENSOR_TENSOR_ARITH_OP $S[3]>=1 $S[4]++@complete dst=SB[0x2000][512] src0=SB[0x0][512] "
        "src1=SB[0x1000][512] op=ADD in_dtype=fp32,fp32 out_dtype=fp32 channels=128;");
    expect_both("00: 47 10 | 10: 01 00 01 00 01 00 01 00 00 01 01 00 01 00 01 00 0a 06 80 | 2c: 00 40 00 00"
                "| 30: 01 00 01 00 01 00 01 00 00 01 01 00 01 00 01 00",
                "CAST dst=SB[0x4000][256] src=SB[0x0][256] in_dtype=fp32 out_dtype=bf16 channels=128;");
    expect_both(
        "00: 7e 10 | 0c: 0a 00 00 00 01 00 64 00 01 00 01 00 04 00 03 00 01 00 01 00 00 08 40 00 e8 03 00 00"
        "| 2c: 00 80 00 00 01 00 04 00 01 00 01 00 04 00 03 00 01 00 01 00",
        "IOTA dst=SB[0x8000][4,3:4] data=10[4,3:100] channel_multiplier=1000 out_dtype=int32 channels=64;");
    expect_both(
        "00: 43 10 | 14: 01 00 01 00 01 00 40 00 01 00 01 00 0a 0a 80 00 06 04 00 00 00 00 00 40 00 00 80 3f"
        "| 30: 00 10 00 00 01 00 01 00 01 00 40 00 01 00 01 00",
        "TENSOR_SCALAR_ARITH_OP dst=SB[0x1000][64] src=SB[0x0][64] op0=MULT imm0=2 op1=ADD imm1=1 "
        "in_dtype=fp32 out_dtype=fp32 channels=128;");
    expect_both(
        "00: 02 10 | 14: 01 00 01 00 01 00 00 02 01 00 01 00 06 00 00 00 00 00 80 80 00 00 00 03 0f 0f 10 00"
        "| 30: 00 00 00 02 01 00 01 00 01 00 00 02 01 00 01 00",
        "MATMUL dst=PSUM[0x0][512] src=SB[0x0][512] in_dtype=bf16 rows=128 cols=128 psum_accumulate=3;");
}
END_TEST

/* slice-walkthrough.md §4: the images of two engines from text by hand, judged by the digests of that page.
 */
START_TEST(engine_images_of_the_walkthrough)
{
    static const char pe[] = "NOTIFY debug_hint=4;            # preamble\n"
                             "start: EVENT_SEMAPHORE then $S[240]>=1 $S[240]--@complete update_value=1;\n"
                             "NOTIFY debug_hint=2;\n"
                             "WRITE $S[10]>0 [0x8280001800] value=1; // trigger\n"
                             ".set ARRIVE = 245; .set MINE = 246;\n"
                             "EVENT_SEMAPHORE then $S[ARRIVE]+=1@complete;\n"
                             "EVENT_SEMAPHORE then $S[MINE]>=1 $S[MINE]--@complete update_value=1;\n"
                             "EVENT_SEMAPHORE then $S[ARRIVE]+=1@complete;\n"
                             "EVENT_SEMAPHORE then $S[MINE]>=1 $S[MINE]--@complete update_value=1;\n"
                             "NOTIFY debug_hint=3;\n"
                             "COMPARE_BRANCH always -> start debug_hint=2;\n";
    static const char sp[] =
        "NOTIFY debug_hint=4;\n"
        "start: EVENT_SEMAPHORE then $S[244]>=1 $S[244]--@complete update_value=1;\n"
        "NOTIFY debug_hint=2;\n"
        "EVENT_SEMAPHORE then $S[245]>=4 $S[245]-=4@complete;\n"
        "EVENT_SEMAPHORE then $S[246]+=1@complete; EVENT_SEMAPHORE then $S[247]+=1@complete;\n"
        "EVENT_SEMAPHORE then $S[248]+=1@complete; EVENT_SEMAPHORE then $S[249]+=1@complete;\n"
        "EVENT_SEMAPHORE_RANGE_CLEAR mode=mask mask={22,10..11};\n"
        "EVENT_SEMAPHORE then $S[245]>=4 $S[245]-=4@complete;\n"
        "EVENT_SEMAPHORE then $S[246]+=1@complete; EVENT_SEMAPHORE then $S[247]+=1@complete;\n"
        "EVENT_SEMAPHORE then $S[248]+=1@complete; EVENT_SEMAPHORE then $S[249]+=1@complete;\n"
        "NOTIFY debug_hint=3;\n"
        "COMPARE_BRANCH -> start debug_hint=2;\n";
    static const struct {
        const char *text, *md5;
    } images[] = { { pe, "21ba8a2cf5ee33ab1a6988ebc30e4877" }, { sp, "bb9a55c45dbbeddf965e7d9418162095" } };
    dialect(ISA_NEURON);
    for (size_t i = 0; i < 2; i++) {
        struct strbuf code = assembled(images[i].text, strlen(images[i].text));
        uint8_t md5[HASH_MD5_BYTES];
        char hex[2 * HASH_MD5_BYTES + 1];
        ck_assert_int_eq(hash_md5(code.s, code.len, md5, &err), 0);
        ck_assert_str_eq(hash_hex(md5, sizeof md5, hex), images[i].md5);
        strbuf_free(&code);
    }
}
END_TEST

START_TEST(waits_and_updates)
{
    dialect(ISA_NEURON);
    expect_both("00: a4 10 | 04: 01 ff 00 00 ff ff ff ff", "NOP $S[255]==4294967295;");
    expect_both("00: a4 10 | 04: 02 01 05 02 07", "NOP $S[1]<7 $S[2]+=7@read;");
    expect_both("00: a4 10 | 04: 83 01 99 02 80", "NOP $S[1]<=PC.lo $S[2]=PC.lo@complete;");
    expect_both("00: a4 10 | 04: 85 05 87 06 03", "NOP $S[5]>=R3 $S[6]-=R3@read;");
    expect_both("00: a4 10 | 04: 06 01 11 02", "NOP $E[1]==1 $E[2]=1@complete;");
    expect_both("00: a4 10 | 04: 07 05 02 06", "NOP $E[5]==1,=0 $E[6]=0@read;");
    expect_both("00: a4 10 | 04: 0e 01 04 02", "NOP $E[1]==0 $S[2]--@read;");
    expect_both("00: a4 10 | 04: 0f 05 19 07 09", "NOP $E[5]==0,=1 $S[7]=9@complete;");
    expect_both("00: a4 10 | 04: fe", "NOP $unordered;");
    expect_slot("00: a4 10 | 04: 05 01 13 02 ff ff ff ff", "NOP  $S[ 1 ] >= -1\n $S[2] ++ @ complete ;",
                "NOP $S[1]>=4294967295 $S[2]++@complete;");
    /* What no suffix says. */
    expect_both("00: a4 10 | 04: 00 03", "NOP wait_idx=3;");
    expect_both("00: a4 10 | 04: fe 03 00 04 05",
                "NOP $unordered wait_idx=3 update_idx=4 semaphore_value=5;");
    expect_both("00: a4 10 | 04: 33 01 10 02",
                "NOP wait_mode=0x33 wait_idx=1 update_mode=0x10 update_idx=2;");
    expect_both("00: a4 10 | 04: 85 01 15 02 c8",
                "NOP wait_mode=0x85 wait_idx=1 $S[2]+=200@complete;"); /* there is no R200 */
    expect_both("00: a4 10 | 04: 06 01 13 02 09", "NOP $E[1]==1 $S[2]++@complete semaphore_value=9;");
    /* The two lanes of an EVENT_SEMAPHORE. */
    expect_both(
        "00: a0 10 | 04: 04 01 13 02 06 | 20: 05 03 15 04 07 00 00 00 08 | 0c: 78 56 34 12",
        "EVENT_SEMAPHORE $S[1]>6 $S[2]++@complete then $S[3]>=7 $S[4]+=8@complete signature=0x12345678;");
    expect_both("00: a0 10 | 20: 00 01 00 02 03 00 00 00 04",
                "EVENT_SEMAPHORE then wait_idx=1 update_idx=2 wait_value=3 update_value=4;");
}
END_TEST

START_TEST(header_bytes)
{
    dialect(ISA_NEURON);
    expect_both("00: a4 10 03 07", "NOP debug_cmd=START debug_hint=7;");
    expect_both("00: a4 40 80", "NOP inst_word_len=64 debug_cmd=0x80;");
    expect_slot("00: a4 10 07", "NOP debug_cmd=start_end;", "NOP debug_cmd=START_END;");
}
END_TEST

START_TEST(short_forms_and_their_long_forms)
{
    dialect(ISA_NEURON);
    expect_both("00: a7 10 | 0c: 02 09 01 | 18: 01 02 | 20: 10 00 00 00 ff ff ff ff",
                "MOVE R1=0x10, R2=0xffffffff;");
    expect_slot("00: a7 10 | 0c: 02 08 01 | 18: 01 02 | 20: 10 00 00 00 ff ff ff ff",
                "MOVE dtype=int32 R1=16 R2=-1;", "MOVE R1=0x10, R2=0xffffffff dtype=int32;");
    expect_both("00: a7 10 | 0c: 01 09 00 | 10: 05 | 18: 06 | 20: 01",
                "MOVE num_mov=1 source=reg dst=R6,R0,R0,R0,R0,R0,R0,R0 src=R5,R0,R0,R0,R0,R0,R0,R0 "
                "imm=0x1,0x0,0x0,0x0,0x0,0x0,0x0,0x0;"); /* an immediate that no move uses */
    expect_both("00: a8 10 | 0c: 05 01 00 00 04 05 06 07 02 03",
                "ALU_OP {R2,R3}={R4,R5} SUB {R6,R7} dtype=uint64;");
    expect_both("00: a8 10 | 0c: 04 0a 01 | 10: 02 00 00 00 03 | 18: 00 00 80 3f",
                "ALU_OP R3=R2 ADD 0x3f800000 dtype=fp32;");
    expect_both("00: a8 10 | 0c: 04 08 01 | 10: 02 00 00 00 03 | 18: ff ff ff ff ff ff ff ff",
                "ALU_OP R3=R2 ADD -1 dtype=int32;");
    expect_both("00: a9 10 | 0c: 09 08 04 | 20: 01 02 07", "COMPARE_BRANCH if R1<R2 -> +R7 dtype=int32;");
    expect_both("00: a9 10 | 0e: 03 | 30: 40", "COMPARE_BRANCH always -> +64;");
    expect_both("00: a9 10 | 0e: 03 | 30: 05",
                "COMPARE_BRANCH always -> 5;"); /* a label id of a source slot */
    expect_both("00: a9 10 | 0e: 03 | 30: 00 ff ff ff ff ff ff ff",
                "COMPARE_BRANCH always -> 0xffffffffffffff00;");
    /* A field that the short form has no place for. */
    expect_both("00: a9 10 | 0e: 03 | 23: 05", "COMPARE_BRANCH target_mode=rel_imm target_hi=R5;");
    expect_both("00: a9 10 | 0e: 01 | 30: 40", "COMPARE_BRANCH target_mode=reg disp=0x40;");
    expect_both("00: a9 10 | 0e: 03 | 20: 05", "COMPARE_BRANCH reg0=R5 target_mode=rel_imm;");
    expect_both("00: a9 10 | 0c: 07 00 03",
                "COMPARE_BRANCH cmp_op=0x7 target_mode=rel_imm;"); /* no such comparison */
}
END_TEST

START_TEST(addresses_and_tensors)
{
    dialect(ISA_NEURON);
#define COPY(hex)                                                                                            \
    "00: 46 10 | 2c: 00 00 00 00 01 00 01 00 01 00 01 00 01 00 01 00 01 00 01 00 | 20: 02 02 01 | 0c: " hex
#define TEXT(src) "COPY dst=SB[0x0][1] src=" src " in_dtype=int8 out_dtype=int8 channels=1;"
    expect_both(COPY("00 01 80 00 02 00 ff ff 01 00 00 00 05 00 06 00 01 00 00 00"),
                TEXT("SB[p32+0x100][5:2,6:-1,1,0:0]"));
    expect_both(COPY("10 00 10 02 01 00 01 00 01 00 01 00 05"), TEXT("PSUM[p32+0x10][5,0,0,0]"));
    expect_both(COPY("00 00 40 02 01 00 01 00 01 00 01 00 01 00 01 00 01 00 01 00"),
                TEXT("MEM[0x2400000][1]"));
    expect_both(COPY("05 00 00 80 01 00 01 00 01 00 01 00 01 00 01 00 01 00 01 00"), TEXT("[R5][1]"));
    expect_both(COPY("05 00 00 c0 01 00 01 00 01 00 01 00"), TEXT("[R5,shape][0,0,0,0]"));
    expect_both(COPY("05 00 00 40 01 00 01 00 01 00 01 00"), TEXT("SB[0x5,shape][0,0,0,0]"));
    expect_both(COPY("05 00 00 20 01 00 01 00 01 00 01 00"), TEXT("RAW[0x20000005][0,0,0,0]"));
    expect_both(COPY("45 00 00 80 01 00 01 00 01 00 01 00"), TEXT("RAW[0x80000045][0,0,0,0]"));
    expect_slot(COPY("00 00 80 00 01 00 01 00 01 00 01 00 05 00 01 00 01 00 01 00"), TEXT("SB[p32][5]"),
                TEXT("SB[p32+0x0][5]"));
#define WRITE(hex) "00: a5 10 | 0c: 04 | 18: 01 | 10: " hex
    expect_both(WRITE("00 18 00 80 82"), "WRITE [0x8280001800] value=0x1;");
    expect_both(WRITE("03 04 00 00 00 00 00 80"), "WRITE [{R3,R4}] value=0x1;");
    expect_both(WRITE("03 04 00 00 00 00 00 e8"), "WRITE [{R3,R4},shape,table,reg] value=0x1;");
    expect_both(WRITE("05 00 00 00 00 00 00 10"), "WRITE [0x5,var] value=0x1;");
    expect_both(WRITE("05 00 00 00 00 00 00 2c"), "WRITE [0x5,table,reg,wide] value=0x1;");
    expect_both(WRITE("05 00 00 00 00 00 00 01"), "WRITE [0x100000000000005,raw] value=0x1;");
    expect_both(WRITE("50 00 00 00 00 00 00 80"), "WRITE [0x8000000000000050,raw] value=0x1;");
}
END_TEST

START_TEST(texts_and_sets)
{
    dialect(ISA_NEURON);
    expect_both("00: c1 10", "PSEUDO_DMA_TRIGGER \"\" block_id=0;");
    expect_both("00: c1 10 | 0c: 61 20 22 5c ff", "PSEUDO_DMA_TRIGGER \"a \\\"\\\\\\xff\" block_id=0;");
    expect_both("00: c1 10 | 0c: 61 00 62", "PSEUDO_DMA_TRIGGER \"a\\x00b\" block_id=0;");
    expect_both("00: c1 10 | 0c: 71 2e 30 | 2c: 01 | 30: 07",
                "PSEUDO_DMA_TRIGGER q.0 use_raw_count=1 block_id=7;");
    expect_slot("00: c1 10 | 0c: 71", "PSEUDO_DMATRIGGER \"q\" block_id=0;",
                "PSEUDO_DMA_TRIGGER q block_id=0;");
    expect_slot("00: b0 10 | 0c: 02 | 20: ff 02 | 3f: 80",
                "EVENT_SEMAPHORE_RANGE_CLEAR mode=mask mask={9,255,0..7};",
                "EVENT_SEMAPHORE_RANGE_CLEAR mode=mask mask={0..7,9,255};");
}
END_TEST

/* What a layout cannot say, and slots without a layout. */
START_TEST(other_slots_are_bytes)
{
#define ZEROS(n) " 00000000 00000000 00000000 00000000" n
    dialect(ISA_NEURON);
    expect_both("00: a4 10 | 3f: 01",
                ".slot /* NOP */ a4100000" ZEROS(ZEROS(ZEROS(" 00000000 00000000 00000001;"))));
    expect_both("00: 03 10 00 00 05 01 13 02 03",
                ".slot /* PE_REG_WRITE $S[1]>=3 $S[2]++@complete */ 03100000 05011302 03000000" ZEROS(
                    ZEROS(ZEROS(" 00000000;"))));
    expect_slot("00: 00 01 02", ".slot 00 01 02 00" ZEROS(ZEROS(ZEROS("000000000000000000000000;"))),
                ".slot 00010200" ZEROS(ZEROS(ZEROS(" 00000000 00000000 00000000;"))));
    dialect(ISA_SP8);
    expect_both("00: a0 01", ".slot a0010000 00000000;");
}
END_TEST

START_TEST(other_dialects)
{
    dialect(ISA_TONGA);
    expect_both("00: 68 10 00 00 01 05 03 06", "NOP $E[5]==1 $E[6]=1@complete;");
    expect_both("00: 61 10 00 00 02 05 02 06", "EVENT_WAIT $E[5]==1,=0 $E[6]=1@write;");
    expect_both("00: 68 10 81 00 07 05 01 06", "NOP wait_mode=0x7 wait_idx=5 $E[6]=1@read debug_cmd=0x81;");
    expect_both("00: c1 10 | 08: 71 | 2c: 02", "DMA_TRIGGER q block_id=2;");
    expect_both("00: 46 10 | 08: 0a | 0c: 00 10 | 10: 01 00 01 00 01 00 01 00 02 00 01 00 01 00 01 00"
                "| 24: 01 00 01 00 01 00 01 00 02 00 01 00 01 00 01 00 40",
                "COPY dst=MEM[0x0][2] src=MEM[0x1000][2] dtype=fp32 channels=64;");
    dialect(ISA_SP8);
    expect_both("00: 60 03 38 10 00 02 10 00", "SET_AR ar=3 value=0x1002001038;");
    expect_both("00: 04 03 07 00 fc ff ff ff", "WRITE8_IND ar=3 offset=-4 data=0x7;");
    expect_both("00: 40 02 00 00 56 34 12", "SET_CNTR counter=2 value=1193046;");
    expect_both("00: 39 02 00 00 05", "BRANCH_C_CNTR_NZ counter=2 target=5;");
    expect_both("00: 50", "CLR_ALL_EVENTS;");
}
END_TEST

START_TEST(labels_and_constants)
{
    dialect(ISA_NEURON);
    static const char text[] = ".set ID = 0x2a;\n"
                               "top: NOP; PSEUDO_BRANCH_LABEL id=ID;\n"
                               "COMPARE_BRANCH -> bottom; COMPARE_BRANCH -> top; COMPARE_BRANCH -> ID;\n"
                               "BRANCH_PREFETCH_HINT decision=taken branch=top target=bottom;\n"
                               "bottom:";
    struct strbuf code = assembled(text, strlen(text));
    struct strbuf back = disassembled(code.s, code.len);
    ck_assert_str_eq(back.s, "NOP;\nPSEUDO_BRANCH_LABEL id=42;\nCOMPARE_BRANCH always -> +256;\n"
                             "COMPARE_BRANCH always -> -192;\nCOMPARE_BRANCH always -> 42;\n"
                             "BRANCH_PREFETCH_HINT decision=taken branch=-320 target=64;\n");
    strbuf_free(&code);
    strbuf_free(&back);
    dialect(ISA_SP8);
    static const char sp[] =
        "SET_CNTR counter=0 value=3; loop: DECR_CNTR counter=0; BRANCH_C_CNTR_NZ counter=0 target=loop;"
        "BRANCH_U target=end; end: NOTIFY_HALT halt=1;";
    code = assembled(sp, strlen(sp));
    back = disassembled(code.s, code.len);
    ck_assert_str_eq(
        back.s, "SET_CNTR counter=0 value=3;\nDECR_CNTR counter=0;\nBRANCH_C_CNTR_NZ counter=0 target=1;\n"
                "BRANCH_U target=4;\nNOTIFY_HALT halt=1;\n");
    strbuf_free(&code);
    strbuf_free(&back);
}
END_TEST

START_TEST(many_labels)
{
    enum { LABELS = 3000 };
    struct strbuf text = { 0 };
    dialect(ISA_NEURON);
    for (unsigned i = 0; i < LABELS; i++)
        strbuf_printf(&text, "l%u: COMPARE_BRANCH -> l%u;", i, LABELS - 1 - i);
    struct strbuf code = assembled(text.s, text.len);
    ck_assert_uint_eq(code.len, LABELS * SLOT_BYTES);
    for (unsigned i = 0; i < LABELS; i++) {
        int32_t disp;
        memcpy(&disp, code.s + i * SLOT_BYTES + SLOT_BR_DISP_OFF, sizeof disp);
        ck_assert_int_eq(disp, (int)(LABELS - 1 - 2 * i) * (int)SLOT_BYTES);
    }
    strbuf_free(&text);
    strbuf_free(&code);
}
END_TEST

START_TEST(comments_and_white_space_mean_nothing)
{
    dialect(ISA_NEURON);
    static const char text[] = "# a\r\n// b\n/* c; \n */ /**/NOP/* d */;# e\n\tNOP\n;//f";
    struct strbuf code = assembled(text, strlen(text));
    ck_assert_uint_eq(code.len, 2 * SLOT_BYTES);
    strbuf_free(&code);
    code = assembled("", 0);
    ck_assert_uint_eq(code.len, 0);
    strbuf_free(&code);
    opt.comments = true;
    static const uint8_t nops[2 * SLOT_BYTES] = {
        [0] = OP_NOP, [1] = SLOT_WORDS, [64] = OP_NOP, [65] = SLOT_WORDS
    };
    struct strbuf back = disassembled(nops, sizeof nops);
    ck_assert_str_eq(back.s, "NOP; # 0x0 slot 1\nNOP; # 0x40 slot 2\n");
    strbuf_free(&back);
}
END_TEST

START_TEST(generations)
{
    dialect(ISA_NEURON);
    struct strbuf out = { 0 };
    static const char v5[] = "MATMUL dst=PSUM[0x0][1] src=SB[0x0][1] in_dtype=bf16 rows=1 cols=2 flags=0x3;";
    opt.gen = 5;
    expect_both("00: 02 10 | 10: 00 00 00 00 01 00 01 00 01 00 01 00 01 00 01 00 06 00 00 01 02 00 00 03"
                "| 30: 00 00 00 02 01 00 01 00 01 00 01 00 01 00 01 00",
                v5);
    opt.gen = 3;
    ck_assert_int_eq(isa_asm(v5, strlen(v5), "t", &opt, &out, &err), NERR_INPUT);
    static const char b4[] = "NOP;\n  ACTIVATE2;";
    ck_assert_int_eq(isa_asm(b4, strlen(b4), "t", &opt, &out, &err), NERR_RULE);
    ck_assert_str_eq(err.where, "t 2:3");
    ck_assert_ptr_nonnull(strstr(err.text, "V3 (CAYMAN) has no ACTIVATE2"));
    static const uint8_t code[2 * SLOT_BYTES] = { [0] = OP_NOP, [1] = SLOT_WORDS, [64] = OP_ACTIVATE2 };
    ck_assert_int_eq(isa_disasm(code, sizeof code, &opt, &out, &err), NERR_RULE);
    ck_assert_str_eq(err.where, "slot 2 byte 0x40");
    ck_assert_uint_eq(out.len, 0);
    opt.gen = 4;
    ck_assert_int_eq(isa_disasm(code, sizeof code, &opt, &out, &err), 0);
    strbuf_free(&out);
}
END_TEST

/* tpb-sequencer.md §6: decided once per file. */
START_TEST(dialect_of_an_sp_program)
{
    uint8_t code[192] = { 0 };
    enum isa_dialect d;
    ck_assert_int_eq(isa_sp_dialect(code, 0, &d, &err), 0);
    ck_assert_int_eq(d, ISA_NEURON);
    ck_assert_int_eq(isa_sp_dialect(code, 64, &d, &err), 0);
    ck_assert_int_eq(d, ISA_SP8);
    code[1] = code[65] = code[129] = SLOT_WORDS;
    ck_assert_int_eq(isa_sp_dialect(code, 192, &d, &err), 0);
    ck_assert_int_eq(d, ISA_NEURON);
    code[65] = 0;
    ck_assert_int_eq(isa_sp_dialect(code, 192, &d, &err), 0);
    ck_assert_int_eq(d, ISA_SP8);
    ck_assert_int_eq(isa_sp_dialect(code, 72, &d, &err), 0);
    ck_assert_int_eq(d, ISA_SP8);
    ck_assert_int_eq(isa_sp_dialect(code, 68, &d, &err), NERR_RULE);
    dialect(ISA_NEURON);
    struct strbuf out = { 0 };
    ck_assert_int_eq(isa_disasm(code, 72, &opt, &out, &err), NERR_RULE);
}
END_TEST

static void add(TCase *tc)
{
    tcase_add_test(tc, fixture_listings_are_produced_and_accepted_byte_for_byte);
    tcase_add_test(tc, worked_slots_of_the_image_page);
    tcase_add_test(tc, worked_slots_of_the_compute_page);
    tcase_add_test(tc, engine_images_of_the_walkthrough);
    tcase_add_test(tc, waits_and_updates);
    tcase_add_test(tc, header_bytes);
    tcase_add_test(tc, short_forms_and_their_long_forms);
    tcase_add_test(tc, addresses_and_tensors);
    tcase_add_test(tc, texts_and_sets);
    tcase_add_test(tc, other_slots_are_bytes);
    tcase_add_test(tc, other_dialects);
    tcase_add_test(tc, labels_and_constants);
    tcase_add_test(tc, many_labels);
    tcase_add_test(tc, comments_and_white_space_mean_nothing);
    tcase_add_test(tc, generations);
    tcase_add_test(tc, dialect_of_an_sp_program);
}

int main(void)
{
    return run_cases("asm", add);
}
