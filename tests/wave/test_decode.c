/* Hardware records in words: every expectation is worked out from the tables of the specification by hand. */
#include <check.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "wave/decode.h"
#include "wave/wave.h"

/* One character per bit, most significant first, of little-endian words. */
static const char *bits_of(const uint32_t *words, size_t nwords)
{
    static char bits[513];
    for (size_t i = 0; i < nwords * 32; i++)
        bits[nwords * 32 - 1 - i] = (char)('0' + (words[i / 32] >> i % 32 & 1));
    bits[nwords * 32] = '\0';
    return bits;
}

static void says(enum wave_decode kind, const char *bits, const char *want)
{
    struct strbuf out = { 0 };
    ck_assert(wave_decode_text(kind, bits, strlen(bits), &out));
    ck_assert_str_eq(out.s, want);
    strbuf_free(&out);
}

static void record(uint32_t w0, uint32_t w1, const char *want)
{
    const uint32_t words[4] = { w0, w1, 1000, 0 };
    struct strbuf text = { 0 };
    strbuf_printf(&text, "%s phase %u at 1000 ps", want, w0 >> 31);
    says(WAVE_DECODE_NOTIF, bits_of(words, 4), text.s);
    strbuf_free(&text);
}

START_TEST(slots_are_statements)
{
    uint32_t slot[16] = { 0x000010a0 };
    says(WAVE_DECODE_SLOT, bits_of(slot, 16), "EVENT_SEMAPHORE");
    slot[1] = 0x00000b04; /* wait mode 4: semaphore > value; index 11 */
    says(WAVE_DECODE_SLOT, bits_of(slot, 16), "EVENT_SEMAPHORE $S[11]>0");
}
END_TEST

/* udma.md §3.1: length 15:0, phase 25:24, first 26, last 27, interrupt 28, barrier 30; word 1 op 25:23, type
 * 22:20. */
START_TEST(descriptors_name_bytes_address_and_flags)
{
    const uint32_t m2s[4] = { 0x4e000040, 0x01000000, 0x80001000, 0x00000002 };
    const uint32_t long_one[4] = { 0x05000000, 0x02100000, 0x00001000, 0 };
    const uint32_t s2m[4] = { 0x31000080, 0, 0x90000000, 0 };
    says(WAVE_DECODE_M2S, bits_of(m2s, 4), "M2S 64 B from 0x280001000 phase 2 first last barrier CME.copy");
    says(WAVE_DECODE_M2S, bits_of(long_one, 4), "M2S 65536 B from 0x1000 phase 1 first CCE.fma");
    says(WAVE_DECODE_S2M, bits_of(s2m, 4), "S2M 128 B to 0x90000000 phase 1 ordered interrupt");
    says(WAVE_DECODE_DESC, bits_of(m2s, 4), "DESC 64 B at 0x280001000 phase 2 first last");
}
END_TEST

/* notification-queue.md §5 and §6: type in 28:24, phase in 31. */
START_TEST(records_of_engines)
{
    record(0x94000000u | 7, 0x00050002, "SP START pc 7 waited 5 reset 2");
    record(0x05000000u | 9, 0xbeef1234, "PE END pc 9 crc 0x1234 -> 0xbeef");
    record(0x0a300000u | 4, 0x00000001, "ACT NOTIFY pc 4 DONE reset 1");
    record(0x0e200000u | 4, 0x00120000, "POOL NOTIFY pc 4 START ext 0x12 reset 0");
    record(0x12100000u | 3, 0xc0000003, "DVE DGE done pc of the last START engines 0x3<<16 4096 packets");
    record(0x12100000u | 3, 0x00050001, "DVE DGE done pc 3 engines 0x1 5 packets");
    record(0x1713010bu, 6, "SP $S[11]++ -> 6");
    record(0x0719010bu, 0xffffffff, "PE $S[11]:= -> -1");
    record(0x1b110203u, 1, "AXI $E[3] set -> 1 (it was so already)");
}
END_TEST

START_TEST(records_of_other_sources)
{
    record(0x02000040u, 0x55aa0032, "DMA M2S_EOP q3 64 B crc 0x55aa");
    record(0x02000000u, 0x00001214, "DMA S2M_SOP q1 tag 18");
    record(0x02123456u, 0x00000218 | 1u << 9, "DMA AXI_REQ_0 0x1123456 id 1");
    record(0x02000010u, 0x00000ffc, "DMA APB_REQ_0 0xff000010");
    record(0x02000000u, 0x00000007, "DMA ? (sub-type 7)");
    record(0x03000000u | 5u << 8 | 2, 0x10, "INTERRUPT group 2 block 5 cause 0x10");
    record(0x03000000u | 3u << 18 | 5u << 8 | 1u << 4 | 0xa, 0x10, "WARNING group 2 block 5 meta 1,3,0x10");
    record(0x1f000005u, 0x1234, "ERROR FAKE_ERROR 0x1234");
    record(0x1f00420au, 0x00a00044, "ERROR SEQ_FATAL SP pc 4 (mod 4096) code 0x42 info 0xa0");
    record(0x1f00000bu, 1, "ERROR 11 meta 0x0 0x1");
    record(0x1e010203u, 0x00090807, "HAM n 2 k 3 average 7 min 8 max 9");
    record(0x01000102u, 3, "type 0x1 0x102 0x3");
    const uint32_t lost[4] = { 0x74000001, 0, 5, 1 };
    says(WAVE_DECODE_NOTIF, bits_of(lost, 4),
         "SP START pc 1 waited 0 reset 0 phase 0 records-lost-before source-lost-records at 4294967301 ps");
}
END_TEST

START_TEST(unknown_bits_are_named_by_byte)
{
    const uint32_t m2s[4] = { 0x4e000040, 0, 0x80001000, 0 };
    char bits[129], x[129];
    strcpy(bits, bits_of(m2s, 4));
    bits[127] = 'x';               /* byte 0 */
    memset(bits + 32, 'z', 3 * 8); /* bytes 11..9 */
    says(WAVE_DECODE_M2S, bits,
         "M2S 64 B from 0x0 phase 2 first last barrier  (unknown bits in bytes 0, 9-11)");
    memset(x, 'x', 128);
    x[128] = '\0';
    says(WAVE_DECODE_S2M, x, "x");
    memset(x, '0', 128);
    says(WAVE_DECODE_NOTIF, x, "0");
}
END_TEST

static bool digits(enum wave_decode kind, const char *text, const char *want)
{
    struct strbuf out = { 0 };
    bool fits = wave_decode_digits(kind, text, strlen(text), &out);
    if (fits)
        ck_assert_str_eq(out.s, want);
    else
        ck_assert_uint_eq(out.len, 0);
    strbuf_free(&out);
    return fits;
}

START_TEST(gtkwave_words_are_read)
{
    const char *text = "M2S 64 B from 0x80001000 phase 0 first last";
    char binary[129];
    const uint32_t m2s[4] = { 0x0c000040, 0, 0x80001000, 0 };
    strcpy(binary, bits_of(m2s, 4));
    ck_assert(digits(WAVE_DECODE_M2S, "0000000080001000000000000C000040", text));
    ck_assert(digits(WAVE_DECODE_M2S, binary, text));
    ck_assert(digits(WAVE_DECODE_M2S, "000000008000100000000000XC000040",
                     "M2S 64 B from 0x80001000 phase 0 first last  (unknown bits in bytes 3)"));
    ck_assert(!digits(WAVE_DECODE_M2S, "0000000080001000000000000C00004", ""));
    ck_assert(!digits(WAVE_DECODE_M2S, "0000000080001000000000000C0000g0", ""));
    ck_assert(!digits(WAVE_DECODE_SLOT, "0000000080001000000000000C000040", ""));
    ck_assert(!digits(WAVE_DECODE_M2S, "", ""));
}
END_TEST

START_TEST(options_win_over_known_names)
{
    const struct wave_decode_rule rules[] = { { "top.a[127:0]", WAVE_DECODE_DESC },
                                              { "word_?", WAVE_DECODE_NOTIF },
                                              { "*.slot", WAVE_DECODE_NONE },
                                              { "top.word_b", WAVE_DECODE_S2M } };
    ck_assert_int_eq(wave_decode_of("top.u_seq.slot[511:0]", 512, NULL, 0), WAVE_DECODE_SLOT);
    ck_assert_int_eq(wave_decode_of("top.u_seq.slot[511:0]", 512, rules, 4), WAVE_DECODE_NONE);
    ck_assert_int_eq(wave_decode_of("top.u_seq.slot[31:0]", 32, NULL, 0), WAVE_DECODE_NONE);
    ck_assert_int_eq(wave_decode_of("top.a[127:0]", 128, rules, 4), WAVE_DECODE_DESC);
    ck_assert_int_eq(wave_decode_of("top.u.word_a[127:0]", 128, rules, 4), WAVE_DECODE_NOTIF);
    ck_assert_int_eq(wave_decode_of("top.word_b[127:0]", 128, rules, 4), WAVE_DECODE_S2M);
    ck_assert_int_eq(wave_decode_of("top.word_b[511:0]", 512, rules, 4), WAVE_DECODE_NONE);
    ck_assert_int_eq(wave_decode_of("golden.x.u_s2m_fifo.a_q[127:0]", 128, NULL, 0), WAVE_DECODE_S2M);
    ck_assert_int_eq(wave_decode_of("x.u_notific.u_axi.record_q[3][127:0]", 128, NULL, 0), WAVE_DECODE_NOTIF);
}
END_TEST

/* The list of known names against what the simulated core is: a renamed register must not go unnoticed. */
START_TEST(known_names_are_those_of_the_core)
{
    struct wave_names names;
    struct nerr err;
    unsigned count[WAVE_DECODE_COUNT] = { 0 };
    ck_assert_int_eq(wave_list("vectors/allreduce/golden/wave.fst", NULL, 0, &names, &err), 0);
    for (size_t i = 0; i < names.n; i++)
        count[wave_decode_of(names.name[i], names.width[i], NULL, 0)]++;
    wave_names_free(&names);
    ck_assert_uint_ge(count[WAVE_DECODE_SLOT], 5 * 7);
    ck_assert_uint_ge(count[WAVE_DECODE_M2S], 2 * 14);
    ck_assert_uint_ge(count[WAVE_DECODE_S2M], 2 * 9);
    ck_assert_uint_ge(count[WAVE_DECODE_DESC], 2 * 3);
    ck_assert_uint_ge(count[WAVE_DECODE_NOTIF], 12);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("wave/decode");
    TCase *tc = tcase_create("decode");
    tcase_add_test(tc, slots_are_statements);
    tcase_add_test(tc, descriptors_name_bytes_address_and_flags);
    tcase_add_test(tc, records_of_engines);
    tcase_add_test(tc, records_of_other_sources);
    tcase_add_test(tc, unknown_bits_are_named_by_byte);
    tcase_add_test(tc, gtkwave_words_are_read);
    tcase_add_test(tc, options_win_over_known_names);
    tcase_add_test(tc, known_names_are_those_of_the_core);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? 1 : 0;
}
