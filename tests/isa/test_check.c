/*
 * host/isa: the reject rules of compute slots (tpb-compute.md §1-§5). Every row changes a slot that passes
 * and says what must be found; rows without a sentence must still pass.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"

/* ---- slots that pass ---- */

/* The worked examples of §7, byte for byte. */
static const char A[] =
    "41 10 00 00 05 03 13 04 01 00 00 00 aa 0a 04 80 00 00 00 00 01 00 01 00 01 00 00 02 01 00 01 00 "
    "00 10 00 00 01 00 01 00 01 00 00 02 01 00 01 00 00 20 00 00 01 00 01 00 01 00 00 02 01 00 01 00";
static const char B[] =
    "47 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 01 00 01 00 01 00 00 01 01 00 01 00 01 00 "
    "0a 06 80 00 00 00 00 00 00 00 00 00 00 40 00 00 01 00 01 00 01 00 01 00 00 01 01 00 01 00 01 00";
static const char C[] =
    "7e 10 00 00 00 00 00 00 00 00 00 00 0a 00 00 00 01 00 64 00 01 00 01 00 04 00 03 00 01 00 01 00 "
    "00 08 40 00 e8 03 00 00 00 00 00 00 00 80 00 00 01 00 04 00 01 00 01 00 04 00 03 00 01 00 01 00";
static const char D[] =
    "43 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 01 00 01 00 40 00 01 00 01 00 "
    "0a 0a 80 00 06 04 00 00 00 00 00 40 00 00 80 3f 00 10 00 00 01 00 01 00 01 00 40 00 01 00 01 00";
static const char E[] =
    "02 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 01 00 01 00 00 02 01 00 01 00 "
    "06 00 00 00 00 00 80 80 00 00 00 03 0f 0f 10 00 00 00 00 02 01 00 01 00 01 00 00 02 01 00 01 00";
/* MATMUL of V5: fp32_mode, out_dtype, rows, cols, tile size and selection, flags, perf_mode */
static const char E5[] =
    "02 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 01 00 01 00 00 02 01 00 01 00 "
    "06 00 06 80 80 00 00 03 00 00 00 00 00 00 00 00 00 00 00 02 01 00 01 00 01 00 00 02 01 00 01 00";
/* LDWEIGHTS 128 x 128 BF16 */
static const char W[] =
    "01 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 01 00 01 00 80 00 01 00 01 00 "
    "06 00 00 00 00 00 80 80 00 00 00 00 0f 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00";
static const char W5[] =
    "01 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 01 00 01 00 80 00 01 00 01 00 "
    "06 00 80 80 00 00 0f 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00";
/* PE_MANAGE_SEED load */
static const char SEED[] =
    "08 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 01 00 10 00 01 00 00 10 00 00 01 00 80 00 "
    "0a 01 10 80 00 20 00 00 01 00 01 00 10 00 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00";
/* ACTIVATE relu of 64 FP32 elements, immediate scale and bias, out BF16 to PSUM */
static const char ACT[] =
    "21 10 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00 00 01 00 01 00 01 00 40 00 01 00 01 00 "
    "aa 06 80 01 00 00 80 3f 00 00 00 00 00 00 00 00 00 00 00 02 01 00 01 00 01 00 40 00 01 00 01 00";
/* ACTIVATE_QUANTIZE of the same */
static const char QUANT[] =
    "22 10 00 00 00 00 00 00 00 00 00 00 00 00 80 3f 00 00 00 00 01 00 01 00 01 00 40 00 01 00 01 00 "
    "6a 03 80 01 00 00 00 3f 00 01 00 00 00 00 00 43 00 10 00 00 01 00 01 00 01 00 40 00 01 00 01 00";
static const char READ[] =
    "24 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
    "00 0a 80 00 00 00 00 00 00 00 00 00 00 40 00 00 01 00 01 00 01 00 01 00 01 00 01 00 01 00 01 00";
/* TENSOR_REDUCE ADD over XY of 4x3x5x2 */
static const char RED[] =
    "42 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 04 00 0c 00 3c 00 04 00 03 00 05 00 02 00 "
    "0a 0a 40 00 04 03 00 00 00 00 00 00 00 40 00 00 01 00 05 00 01 00 01 00 05 00 02 00 01 00 01 00";
/* TENSOR_TENSOR_BITVEC XOR of int32 */
static const char BIT[] =
    "51 10 00 00 00 00 00 00 00 00 00 00 88 08 0c 80 00 00 00 00 01 00 01 00 01 00 10 00 01 00 01 00 "
    "00 10 00 00 01 00 01 00 01 00 10 00 01 00 01 00 00 20 00 00 01 00 01 00 01 00 10 00 01 00 01 00";
/* POOL average over XY of 2x2x4x1, scale 0.25 */
static const char POOLA[] =
    "45 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 02 00 04 00 01 00 02 00 02 00 04 00 01 00 "
    "0a 0a 80 00 02 03 00 00 00 00 80 3e 00 40 00 00 01 00 01 00 01 00 01 00 04 00 01 00 01 00 01 00";
static const char SELECT[] =
    "58 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 02 00 04 00 01 00 02 00 02 00 04 00 01 00 "
    "0a 03 80 00 00 03 00 00 00 00 80 3f 00 40 00 00 01 00 01 00 01 00 01 00 04 00 01 00 01 00 01 00";
static const char SET[] =
    "49 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
    "00 0a 80 00 00 00 80 3f 00 00 00 00 00 00 00 02 01 00 01 00 01 00 01 00 00 02 01 00 01 00 01 00";
/* EXTENDED tensor-tensor MULT BF16 */
static const char EXT[] =
    "f0 10 00 00 00 00 00 00 00 00 00 00 02 05 66 06 06 00 00 00 00 00 00 00 01 00 01 00 40 00 01 00 "
    "00 10 00 00 01 00 01 00 40 00 01 00 00 20 00 00 01 00 01 00 40 00 01 00 00 00 00 00 00 00 00 00";

static const char *const good[] = { A, B, C, D, E, W, ACT, QUANT, READ, RED, BIT, POOLA, SELECT, SET, EXT };

static uint8_t slot[SLOT_BYTES];
static struct nerr err;

static void put(unsigned at, const char *hex)
{
    for (char *next; *hex; hex = next) {
        ck_assert_uint_lt(at, SLOT_BYTES);
        slot[at++] = (uint8_t)strtoul(hex, &next, 16);
        ck_assert_ptr_ne(hex, next);
        while (*next == ' ')
            next++;
    }
}

static void load(const char *hex)
{
    ck_assert_uint_eq(strlen(hex), SLOT_BYTES * 3 - 1);
    put(0, hex);
}

START_TEST(examples_pass_on_every_generation_that_has_them)
{
    load(good[_i]);
    for (unsigned gen = 2; gen <= 5; gen++)
        if (gen < 5 || (good[_i] != E && good[_i] != W)) {
            ck_assert_msg(isa_check_gen(slot, ISA_SOURCE, gen, &err) == NERR_OK, "V%u: %s", gen, err.text);
            ck_assert_msg(isa_check_gen(slot, ISA_DEVICE, gen, &err) == NERR_OK, "V%u: %s", gen, err.text);
        }
    ck_assert_int_eq(isa_check(slot, ISA_SOURCE, &err), NERR_OK);
}
END_TEST

START_TEST(v4_and_v5_layouts_pass)
{
    load(E5);
    ck_assert_msg(isa_check_gen(slot, ISA_SOURCE, 5, &err) == NERR_OK, "%s", err.text);
    ck_assert_int_eq(isa_check_gen(slot, ISA_SOURCE, 3, &err), NERR_RULE);
    load(W5);
    ck_assert_msg(isa_check_gen(slot, ISA_SOURCE, 5, &err) == NERR_OK, "%s", err.text);
    load(SEED);
    ck_assert_msg(isa_check_gen(slot, ISA_SOURCE, 4, &err) == NERR_OK, "%s", err.text);
    ck_assert_int_eq(isa_check_gen(slot, ISA_SOURCE, 3, &err), NERR_RULE);
    ck_assert_ptr_nonnull(strstr(err.text, "CAYMAN"));
}
END_TEST

/* Every byte outside the operands is reserved. */
START_TEST(reserved_bytes_are_refused_where_they_are)
{
    static const struct {
        const char *base;
        const char *bytes;
    } rows[] = { { B, "39 40 41 42 43" },
                 { C, "32 35 40 41 42 43" },
                 { D, "13 14 15" },
                 { E, "12 13 14 15 34 40 41 42" },
                 { W, "12 13 14 15 34 40 41 42 43 45 46 47 48 63" },
                 { READ, "12 31 32 35 43" },
                 { POOLA, "35 38 39" },
                 { SET, "12 31 32 35 40 43" },
                 { EXT, "17 18 19 56 63" } };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (const char *next = rows[k].bytes; *next;) {
            char *end, where[32];
            unsigned at = (unsigned)strtoul(next, &end, 10);
            next = end + (*end == ' ');
            load(rows[k].base);
            slot[at] = 1;
            ck_assert_int_eq(isa_check(slot, ISA_SOURCE, &err), NERR_RULE);
            ck_assert_ptr_nonnull(strstr(err.text, "reserved byte"));
            snprintf(where, sizeof where, "byte 0x%02x", at);
            ck_assert_str_eq(err.where, where);
        }
}
END_TEST

struct row {
    const char *base;
    unsigned gen, at;      /* at: where hex goes */
    const char *hex, *say; /* say: part of the sentence; NULL: passes */
    unsigned where;        /* offset of the field that is wrong */
    const char *more;      /* a second change, at the offset it starts with: "0x14 00 00"; or NULL */
};

static void run(const struct row *r)
{
    load(r->base);
    put(r->at, r->hex);
    if (r->more) {
        char *rest;
        unsigned at = (unsigned)strtoul(r->more, &rest, 16);
        put(at, rest + 1);
    }
    memset(&err, 0, sizeof err);
    int code = isa_check_gen(slot, ISA_SOURCE, r->gen, &err);
    if (!r->say) {
        ck_assert_msg(code == NERR_OK, "V%u 0x%02x=%s: %s", r->gen, r->at, r->hex, err.text);
        return;
    }
    char where[32];
    ck_assert_msg(code == NERR_RULE, "V%u 0x%02x=%s passes", r->gen, r->at, r->hex);
    ck_assert_msg(strstr(err.text, r->say) != NULL, "\"%s\" does not say \"%s\"", err.text, r->say);
    ck_assert_msg(strncmp(err.text, isa_opcode_name(slot[0]), strlen(isa_opcode_name(slot[0]))) == 0, "%s",
                  err.text);
    snprintf(where, sizeof where, "byte 0x%02x", r->where);
    ck_assert_msg(strcmp(err.where, where) == 0, "%s is at %s, not %s", err.text, err.where, where);
    ck_assert_int_eq(err.runtime_code, NRT_INVALID);
}

/* §1, §2: A has src0 at 0x10, src1 at 0x20, dst at 0x30. */
static const struct row tensors[] = {
    /* windows and partitions */
    { A, 3, 0x10, "00 00 00 02", NULL, 0, NULL },
    { A, 3, 0x10, "00 80 03 00", "lies in no active partition", 0x10, NULL }, /* 0x38000 of SBUF */
    { A, 3, 0x10, "00 40 00 02", "lies in no active partition", 0x10, NULL }, /* 0x4000 of PSUM */
    { A, 3, 0x10, "00 00 40 02", "lies in no active partition", 0x10, NULL }, /* behind PSUM */
    { A, 3, 0x10, "00 00 00 1f", "lies in no active partition", 0x10, NULL },
    { A, 3, 0x10, "00 00 04 00", "starts at SBUF partition 1", 0x10, NULL },
    { A, 3, 0x10, "00 80 00 02", "starts at PSUM partition 1", 0x10, NULL },
    { A, 3, 0x10, "00 00 80 00", "takes 128 partitions from partition 32 on, 96 are left", 0x10, NULL },
    { A, 3, 0x0f, "60", NULL, 0, "0x10 00 00 80 00" }, /* 96 channels at 32 */
    { A, 3, 0x0f, "61", "takes 97 partitions", 0x10, "0x10 00 00 80 00" },
    { A, 3, 0x0f, "40", NULL, 0, "0x10 00 00 00 01" }, /* 64 at 64 */
    { A, 3, 0x0f, "20", NULL, 0, "0x10 00 00 80 01" }, /* 32 at 96 */
    { A, 3, 0x0f, "21", "takes 33 partitions from partition 96", 0x10, "0x10 00 00 80 01" },
    { A, 3, 0x0f, "20", NULL, 0, "0x30 00 00 20 02" },                          /* PSUM partition 64 */
    { A, 3, 0x0f, "20", "allowed are 0, 32 and 64", 0x30, "0x30 00 00 30 02" }, /* PSUM partition 96 */
    { A, 3, 0x0f, "00", "num_active_channels is 0", 0x0f, NULL },
    { A, 3, 0x0f, "81", "num_active_channels is 129", 0x0f, NULL },
    /* alignment and extent */
    { A, 3, 0x20, "02 10 00 00", "not a multiple of its element size 4", 0x20, NULL },
    { A, 3, 0x20, "00 78 03 00", NULL, 0, NULL }, /* 512 * 4 bytes end at 0x38000 */
    { A, 3, 0x20, "04 78 03 00", "reaches offsets", 0x20, NULL },
    { A, 3, 0x14, "ff ff", "reaches offsets -2044..3", 0x10, NULL },
    { A, 3, 0x14, "ff ff", NULL, 0, "0x10 fc 07 00 00" }, /* walks backwards to 0 */
    { A, 3, 0x14, "00 00", NULL, 0, NULL },               /* broadcast */
    { A, 3, 0x14, "ff 7f", "reaches offsets 0..", 0x10, NULL },
    /* numbers */
    { A, 3, 0x1a, "00 00", "src0 num[0] is 0", 0x1a, NULL },
    { A, 3, 0x3e, "00 00", "dst num[2] is 0", 0x3e, NULL },
    { A, 3, 0x2a, "00 01", "src1 has 256 elements, as many as src0 (512)", 0x2a, NULL },
    { A, 3, 0x3a, "01 02", "dst has 513 elements", 0x3a, NULL },
    { A, 3, 0x1a, "00 01 02 00", NULL, 0, NULL }, /* the same 512 in two dimensions */
    /* register, shape register and indirect forms */
    { A, 3, 0x10, "3f 00 00 80", NULL, 0, NULL },
    { A, 3, 0x10, "40 00 00 80", "src0 names address register 64", 0x10, NULL },
    { A, 3, 0x10, "3f 01 00 80", "bytes 1 and 2", 0x11, NULL },
    { A, 3, 0x10, "3f 00 01 80", "bytes 1 and 2", 0x11, NULL },
    { A, 3, 0x10, "00 00 00 40", "src0 num[0] is 512, a shape register needs 0", 0x1a, NULL },
    { A, 3, 0x10, "00 00 00 40", "src0 num[1] is 1", 0x1c, "0x1a 00 00" },
    { A, 3, 0x10, "00 00 00 40", NULL, 0, "0x1a 00 00 00 00 00 00" }, /* counts are not compared */
    { A, 3, 0x10, "05 00 00 c0", NULL, 0, "0x1a 00 00 00 00 00 00" },
    { A, 3, 0x10, "00 00 04 40", "starts at SBUF partition 1", 0x10, "0x1a 00 00 00 00 00 00" },
    { A, 3, 0x10, "00 00 00 20", "indirect access", 0x13, NULL },
    { A, 3, 0x30, "00 00 00 a0", "indirect access", 0x33, NULL },
};

/* §5.1, §5.2 */
static const struct row pe[] = {
    { E, 3, 0x10, "00 00 00 02", "src address 0x2000000 lies in PSUM, SBUF is allowed", 0x10, NULL },
    { E, 3, 0x30, "00 00 00 00", "dst address 0x0 lies in SBUF, PSUM is allowed", 0x30, NULL },
    { E, 3, 0x20, "0a", "fp32_mode is 0", 0x21, NULL },
    { E, 3, 0x20, "0a 03", NULL, 0, NULL },
    { E, 3, 0x20, "0a 04", "fp32_mode is 4", 0x21, NULL },
    { E, 3, 0x20, "03", NULL, 0, NULL },
    { E, 3, 0x20, "0d", NULL, 0, NULL },
    { E, 3, 0x20, "0e", NULL, 0, NULL },
    { E, 3, 0x20, "0f", NULL, 0, NULL },
    { E, 3, 0x20, "07", NULL, 0, NULL },
    { E, 3, 0x20, "02", "in_dtype 0x02 (int8)", 0x20, NULL },
    { E, 3, 0x20, "08", "in_dtype 0x08 (int32)", 0x20, NULL },
    { E, 3, 0x20, "0b", "in_dtype 0x0b (fp32r)", 0x20, NULL },
    { E, 3, 0x20, "00", "in_dtype 0x00", 0x20, NULL },
    { E, 3, 0x23, "03", NULL, 0, NULL },
    { E, 3, 0x23, "04", "perf_opt is 4", 0x23, NULL },
    { E, 3, 0x24, "34 12", NULL, 0, NULL },
    { E, 3, 0x26, "00", "num_active_rows is 0", 0x26, NULL },
    { E, 3, 0x26, "81", "num_active_rows is 129", 0x26, NULL },
    { E, 3, 0x27, "00", "num_active_cols is 0", 0x27, NULL },
    { E, 3, 0x27, "ff", "num_active_cols is 255", 0x27, NULL },
    { E, 3, 0x2b, "07", NULL, 0, NULL },
    { E, 3, 0x2b, "08", "psum_accumulate_flags is 8", 0x2b, NULL },
    { E, 2, 0x2b, "03", NULL, 0, NULL },
    { E, 2, 0x2b, "04", "psum_accumulate_flags is 4", 0x2b, NULL },
    { E, 3, 0x2c, "05", "row_grp is 0x05", 0x2c, NULL },
    { E, 3, 0x2c, "08", NULL, 0, NULL },
    { E, 3, 0x2d, "07", "col_grp is 0x07", 0x2d, NULL },
    { E, 3, 0x2d, "00", "col_grp is 0x00", 0x2d, NULL },
    { E, 3, 0x2d, "08 00", "has no legal xbus_sel", 0x2e, "0x27 20" },
    { E, 3, 0x2d, "0f 01", "xbus_sel is 0x01", 0x2e, NULL },
    { E, 3, 0x2d, "03 01", "column group 0x03 holds 64", 0x27, "0x27 41" },
    { E, 3, 0x2d, "03 01", NULL, 0, "0x27 40" },
    { E, 3, 0x2d, "0c 04", NULL, 0, "0x27 40" },
    { E, 3, 0x2d, "0c 01", "xbus_sel is 0x01, column group 0x0c needs 0x04", 0x2e, "0x27 40" },
    { E, 3, 0x2d, "01 01", NULL, 0, "0x27 20" },
    { E, 3, 0x2d, "02 02", NULL, 0, "0x27 20" },
    { E, 3, 0x2d, "04 04", NULL, 0, "0x27 20" },
    { E, 3, 0x2d, "04 02", "needs 0x04", 0x2e, "0x27 20" },
    { E, 3, 0x2d, "04 04", "column group 0x04 holds 32", 0x27, "0x27 21" },
    { E, 3, 0x2f, "01", "psum_zero_region is 1", 0x2f, NULL },
    { E, 4, 0x2f, "03", NULL, 0, NULL },
    { E, 4, 0x2f, "04", "psum_zero_region is 4", 0x2f, NULL },
    { E, 4, 0x28, "06", NULL, 0, NULL },
    { E, 4, 0x28, "0a", NULL, 0, NULL },
    { E, 4, 0x28, "07", "out_dtype 0x07 (fp16)", 0x28, NULL },
    { E, 4, 0x2a, "07", NULL, 0, NULL },
    { E, 4, 0x2a, "08", "reserved byte 42", 0x2a, NULL },
    { E, 3, 0x30, "02 00 00 02", "element size 4", 0x30, NULL },
    { E, 4, 0x30, "02 00 00 02", NULL, 0, "0x28 06" }, /* BF16 results */
    { E, 3, 0x3a, "00 01", "dst has 256 elements, as many as src (512)", 0x3a, NULL },
    { E, 3, 0x30, "00 00 10 02", "takes 128 partitions from partition 32", 0x30, NULL },
    { E5, 5, 0x22, "07", "out_dtype 0x07", 0x22, NULL },
    { E5, 5, 0x23, "00", "num_active_rows is 0", 0x23, NULL },
    { E5, 5, 0x29, "01", "reserved byte 41", 0x29, NULL },
    { E5, 5, 0x20, "0a", "fp32_mode is 0", 0x21, NULL },
    { W, 3, 0x10, "00 00 00 02", "SBUF is allowed", 0x10, NULL },
    { W, 3, 0x20, "04", "in_dtype 0x04 (int16)", 0x20, NULL },
    { W, 3, 0x23, "04", "perf_opt is 4", 0x23, NULL },
    { W, 3, 0x26, "00", "num_active_rows is 0", 0x26, NULL },
    { W, 3, 0x27, "00", "num_active_cols is 0", 0x27, NULL },
    { W, 3, 0x27, "7f", "num_active_cols is 127, src has 128 elements", 0x27, NULL },
    { W, 3, 0x2c, "06", "row_grp is 0x06", 0x2c, NULL },
    { W, 3, 0x10, "01 00 00 00", "element size 2", 0x10, NULL },
    { W5, 5, 0x22, "81", "num_active_rows is 129", 0x22, NULL },
    { W5, 5, 0x28, "01", "reserved byte 40", 0x28, NULL },
    { SEED, 4, 0x21, "02", NULL, 0, NULL },
    { SEED, 4, 0x21, "03", "mode is 3", 0x21, NULL },
    { SEED, 4, 0x22, "11", "rows is 17, 16 is allowed", 0x22, NULL },
    { SEED, 4, 0x23, "7f", "cols is 127, 128 is allowed", 0x23, NULL },
    { SEED, 4, 0x30, "01", "reserved byte 48", 0x30, NULL },
};

/* §5.3 */
static const struct row act[] = {
    { ACT, 3, 0x0c, "03", "imm_src is 3", 0x0c, NULL },
    { ACT, 3, 0x0d, "03", "scale_src is 3", 0x0d, NULL },
    { ACT, 3, 0x0e, "03", NULL, 0, NULL },
    { ACT, 3, 0x0e, "04", "accumulator_cmd is 4", 0x0e, NULL },
    { ACT, 3, 0x0f, "02", NULL, 0, NULL },
    { ACT, 3, 0x0f, "03", "bias_src_n is 3", 0x0f, NULL },
    { ACT, 3, 0x20, "8a", "bias dtype 0x08 (int32)", 0x20, NULL },
    { ACT, 3, 0x20, "0a", "bias dtype 0x00", 0x20, NULL },
    { ACT, 3, 0x20, "ab", "fp32r, which is allowed on output only", 0x20, NULL },
    { ACT, 3, 0x20, "ac", "in_dtype is int64", 0x20, NULL },
    { ACT, 3, 0x21, "0b", NULL, 0, NULL },
    { ACT, 3, 0x21, "01", "out_dtype is uint64", 0x21, NULL },
    { ACT, 3, 0x22, "00", "num_active_channels is 0", 0x22, NULL },
    { ACT, 3, 0x23, "ff", NULL, 0, NULL }, /* which functions are loaded only the device knows */
    { ACT, 3, 0x0d, "01", NULL, 0, "0x24 04 00 00 00" },
    { ACT, 3, 0x0d, "01", "scale pointer 0x6 is not aligned to its 4-byte values", 0x24, "0x24 06 00 00 00" },
    { ACT, 3, 0x0c, "01", "imm pointer 0x1", 0x2c, "0x2c 01 00 00 00" },
    { ACT, 3, 0x0f, "00", "bias pointer 0x2", 0x28, "0x28 02 00 00 00" },
    { ACT, 3, 0x0f, "01", NULL, 0, "0x28 03 00 00 00" }, /* an immediate */
    { ACT, 3, 0x3a, "20 00", "dst has 32 elements", 0x3a, NULL },
    { ACT, 3, 0x30, "01 00 00 02", "element size 2", 0x30, NULL },
    { QUANT, 3, 0x21, "02", "out_dtype 0x02 (int8), uint8 is allowed", 0x21, NULL },
    { QUANT, 3, 0x0c, "00 00 00 00", "output scale is 0", 0x0c, NULL },
    { QUANT, 3, 0x24, "00 00 00 80", "input scale is 0", 0x24, NULL },
    { QUANT, 3, 0x28, "01 01 00 00", "bias pointer 0x101 is not aligned to its 2-byte", 0x28, NULL },
    { QUANT, 3, 0x28, "02 01 00 00", NULL, 0, NULL },
    { QUANT, 3, 0x3c, "02 00", "dst has 128 elements", 0x3a, NULL },
    { READ, 3, 0x21, "0c", "dtype is int64", 0x21, NULL },
    { READ, 3, 0x22, "00", "num_active_channels is 0", 0x22, NULL },
    { READ, 3, 0x2c, "01 40 00 00", "element size 4", 0x2c, NULL },
    { ACT, 4, 0x00, "25", "offsets of its operands are not known", 0x00, NULL },
    { ACT, 3, 0x00, "23", "reserved byte 15", 0x0f, NULL },
};

/* §5.4 */
static const struct row family_c[] = {
    { B, 3, 0x20, "00", "in_dtype 0x00 is no dtype", 0x20, NULL },
    { B, 3, 0x20, "0b", "output only", 0x20, NULL },
    { B, 3, 0x20, "01", "types of at most 32 bits", 0x20, NULL },
    { B, 3, 0x21, "0b", NULL, 0, NULL },
    { B, 3, 0x21, "10", "does not exist in the CAYMAN generation", 0x21, NULL },
    { B, 4, 0x21, "10", "0x02..0x0f are allowed", 0x21, NULL },
    { B, 4, 0x21, "11", "does not exist in the MARIANA generation", 0x21, NULL },
    { B, 5, 0x21, "11", "0x02..0x0f are allowed", 0x21, NULL },
    { B, 3, 0x21, "17", "is no dtype", 0x21, NULL },
    { B, 5, 0x21, "20", "is no dtype", 0x21, NULL },
    { B, 3, 0x22, "81", "num_active_channels is 129", 0x22, NULL },
    { B, 3, 0x23, "01", "negated is 1", 0x23, NULL },
    { B, 3, 0x24, "04", "op is 0x04, 0 (BYPASS) is allowed", 0x24, NULL },
    { B, 3, 0x25, "02", NULL, 0, NULL },
    { B, 3, 0x25, "01", "op_dim is 1", 0x25, NULL },
    { B, 3, 0x25, "06", "op_dim is 6", 0x25, NULL },
    { B, 3, 0x25, "03", "op_dim is 3, allowed are 0 and 2", 0x25, NULL },
    { B, 3, 0x26, "01", "mask_enable is 1", 0x26, NULL },
    { B, 3, 0x38, "80 00", "dst has 128 elements, as many as src (256)", 0x38, NULL },
    { B, 3, 0x38, "80 00 02 00", NULL, 0, NULL }, /* reshape */
    { B, 3, 0x00, "46", "out_dtype is bf16, COPY needs the in_dtype fp32", 0x21, NULL },
    { B, 3, 0x00, "46", NULL, 0, "0x20 06 06" },
    { B, 3, 0x00, "48", NULL, 0, "0x23 01" }, /* RECIPROCAL may negate */
    { B, 3, 0x00, "6b", NULL, 0, NULL },
    { B, 3, 0x00, "6a", "not supported", 0x00, NULL },
    { B, 3, 0x00, "83", "not supported", 0x00, NULL },
    { B, 3, 0x00, "84", "not supported", 0x00, NULL },
    { RED, 3, 0x38, "09 00", "dst has 18 elements, op_dim 3 leaves 10 of src", 0x38, NULL },
    { RED, 3, 0x25, "02", NULL, 0, "0x38 03 00 0a 00" }, /* X leaves 3*5*2 */
    { RED, 3, 0x25, "04", NULL, 0, "0x38 02 00 01 00" }, /* XYZ leaves 2 */
    { RED, 3, 0x25, "05", NULL, 0, "0x38 01 00 01 00" }, /* XYZW leaves 1 */
    { RED, 3, 0x25, "05", "op_dim 5 leaves 1", 0x38, NULL },
    { RED, 3, 0x25, "00", NULL, 0, "0x38 3c 00 02 00" }, /* nothing folded */
    { RED, 3, 0x24, "0a", "op 0x0a is no arithmetic", 0x24, NULL },
    { RED, 3, 0x24, "1e", "op 0x1e is no arithmetic", 0x24, NULL },
    { RED, 3, 0x24, "c4", "integer types are allowed", 0x20, NULL },
    { RED, 3, 0x24, "c4", NULL, 0, "0x20 08 08" },
    { RED, 3, 0x24, "c4", "mixes the signedness of int32 and uint32", 0x20, "0x20 08 09" },
    { RED, 3, 0x00, "52", "op 0x04 is no bit-vector operation", 0x24, NULL },
    { RED, 3, 0x00, "52", NULL, 0, "0x20 08 08 40 00 0b" },
    { RED, 3, 0x00, "52", "types of equal width", 0x20, "0x20 08 04 40 00 0b" },
    { RED, 3, 0x00, "4e", "dst has 10 elements, as many as src (120)", 0x38, NULL },
    { RED, 3, 0x00, "4e", NULL, 0, "0x38 04 00 03 00 05 00 02 00" },
};

/* §4, §5.5, §5.6 */
static const struct row alu[] = {
    { A, 3, 0x0e, "1a", NULL, 0, NULL }, /* POW */
    { A, 3, 0x0e, "07", "op 0x07 is no arithmetic", 0x0e, NULL },
    { A, 3, 0x0e, "1d", "op 0x1d is no arithmetic", 0x0e, NULL },
    { A, 3, 0x0e, "0a", "op 0x0a is no arithmetic", 0x0e, NULL },
    { A, 3, 0x0e, "22", "op 0x22", 0x0e, NULL },
    { A, 3, 0x0e, "ce", "op 0xce", 0x0e, NULL },
    { A, 3, 0x0e, "de", "op 0xde", 0x0e, NULL },
    { A, 3, 0x0e, "c4", "integer types are allowed", 0x0c, NULL },
    { A, 3, 0x0e, "c4", NULL, 0, "0x0c 88 08" },
    { A, 3, 0x0e, "dd", NULL, 0, "0x0c 99 09" },
    { A, 3, 0x0e, "c4", "mixes the signedness of int32 and uint32", 0x0c, "0x0c 98 08" },
    { A, 3, 0x0e, "c4", "mixes the signedness of int32 and uint32", 0x0d, "0x0c 88 09" },
    { A, 3, 0x0c, "ba", "src1 dtype is fp32r", 0x0c, NULL },
    { A, 3, 0x0c, "ab", "src0 dtype is fp32r", 0x0c, NULL },
    { A, 3, 0x0d, "0b", NULL, 0, NULL },
    { A, 3, 0x0c, "cc 0c", "src0 address", 0x10, "0x10 04 00 00 00" },
    { A, 3, 0x0c, "cc 0c", NULL, 0, NULL }, /* 64 bits when all agree */
    { A, 3, 0x0c, "1c 0c", "types of at most 32 bits", 0x0c, NULL },
    { A, 3, 0x0c, "cc 08", "types of at most 32 bits", 0x0c, NULL },
    { A, 3, 0x00, "72", "op is 0x04, 0 (BYPASS)", 0x0e, NULL },
    { A, 3, 0x00, "72", NULL, 0, "0x0e 00" },
    { A, 3, 0x00, "99", NULL, 0, "0x0e 00" },
    { A, 3, 0x00, "65", NULL, 0, "0x0e 00" },
    { BIT, 3, 0x0e, "04", "op 0x04 is no bit-vector operation", 0x0e, NULL },
    { BIT, 3, 0x0e, "1c", "op 0x1c is no bit-vector operation", 0x0e, NULL },
    { BIT, 3, 0x0e, "11", NULL, 0, NULL },
    { BIT, 3, 0x0c, "89", NULL, 0, NULL }, /* signedness is free */
    { BIT, 3, 0x0c, "84", "types of equal width", 0x0c, NULL },
    { BIT, 3, 0x0d, "04", "types of equal width", 0x0d, NULL },
    { BIT, 3, 0x0c, "8a", "integer types are allowed", 0x0c, NULL },
    { D, 3, 0x0c, "03", NULL, 0, NULL },
    { D, 3, 0x0c, "04", "accumulator_cmd is 4", 0x0c, NULL },
    { D, 3, 0x20, "0b", "output only", 0x20, NULL },
    { D, 3, 0x21, "0b", NULL, 0, NULL },
    { D, 3, 0x22, "00", "num_active_channels is 0", 0x22, NULL },
    { D, 3, 0x23, "01", NULL, 0, NULL },
    { D, 3, 0x23, "03", "imm0_src is 3", 0x23, NULL },
    { D, 3, 0x27, "03", "imm1_src is 3", 0x27, NULL },
    { D, 3, 0x23, "01", "pointer 0x2 of imm0_src", 0x28, "0x28 02 00 00 00" },
    { D, 3, 0x27, "01", "pointer 0x1 of imm1_src", 0x2c, "0x2c 01 00 00 00" },
    { D, 3, 0x24, "0c", "op0 0x0c", 0x24, NULL },
    { D, 3, 0x25, "0c", "op1 0x0c", 0x25, NULL },
    { D, 3, 0x24, "07", NULL, 0, NULL }, /* the page has no list for 43: any arithmetic */
    { D, 3, 0x25, "00", NULL, 0, NULL },
    { D, 3, 0x24, "c4", "integer types are allowed", 0x21, NULL },
    { D, 3, 0x26, "03", NULL, 0, NULL },
    { D, 3, 0x26, "04", "reserved byte 38", 0x26, NULL },
    { D, 3, 0x3a, "41 00", "dst has 65 elements", 0x3a, NULL },
    { D, 3, 0x00, "44", NULL, 0, NULL },
    { D, 3, 0x00, "53", "op0 0x06 is no bit-vector", 0x24, NULL },
    { D, 3, 0x00, "53", NULL, 0, "0x20 08 08 80 00 0a 00" },
    { D, 3, 0x00, "4f", NULL, 0, "0x0e ff" }, /* the MULTI forms are not known well enough */
};

/* §5.7-§5.9 */
static const struct row others[] = {
    { POOLA, 3, 0x24, "00", "invalid pooling function 0", 0x24, NULL },
    { POOLA, 3, 0x24, "03", "invalid pooling function 3", 0x24, NULL },
    { POOLA, 3, 0x24, "01", "pool_scale has the bits 0x3e800000, 0x3f800000", 0x28, NULL },
    { POOLA, 3, 0x24, "01", NULL, 0, "0x28 00 00 80 3f" },
    { POOLA, 3, 0x28, "00 00 80 3f", "0x3e800000 is allowed", 0x28, NULL },
    { POOLA, 3, 0x28, "02 00 80 3e", "0x3e800000 is allowed", 0x28, NULL },
    { POOLA, 3, 0x25, "01", "pool_dim is 1", 0x25, NULL },
    { POOLA, 3, 0x38, "08 00", "dst has 8 elements, pool_dim 3 leaves 4", 0x38, NULL },
    { POOLA, 3, 0x20, "0b", "output only", 0x20, NULL },
    { POOLA, 3, 0x22, "00", "num_active_channels is 0", 0x22, NULL },
    { SELECT, 3, 0x21, "05", NULL, 0, NULL },
    { SELECT, 3, 0x21, "09", NULL, 0, NULL },
    { SELECT, 3, 0x21, "0a", "out_dtype is fp32, allowed are uint8", 0x21, NULL },
    { SELECT, 3, 0x24, "01", "invalid pooling function 1, allowed is 0", 0x24, NULL },
    { SELECT, 3, 0x28, "00 00 00 00", "0x3f800000 is allowed", 0x28, NULL },
    { C, 3, 0x18, "00 00", "data num[0] is 0", 0x18, NULL },
    { C, 3, 0x1e, "00 00", "data num[3] is 0", 0x1e, NULL },
    { C, 3, 0x21, "0b", NULL, 0, NULL },
    { C, 3, 0x21, "00", "out_dtype 0x00", 0x21, NULL },
    { C, 3, 0x21, "01", "out_dtype is uint64", 0x21, NULL },
    { C, 3, 0x22, "81", "num_active_channels is 129", 0x22, NULL },
    { C, 3, 0x38, "05 00", "dst has 15 elements, as many as data (12)", 0x38, NULL },
    { C, 3, 0x2c, "02 80 00 00", "element size 4", 0x2c, NULL },
    { SET, 3, 0x21, "10", "does not exist", 0x21, NULL },
    { SET, 3, 0x22, "00", "num_active_channels is 0", 0x22, NULL },
    { SET, 3, 0x2c, "01 00 00 02", "element size 4", 0x2c, NULL },
    { SET, 3, 0x21, "03", NULL, 0, "0x2c 01 00 00 02" },
    { SET, 3, 0x22, "01", NULL, 0, NULL },
    { SET, 3, 0x21, "03", NULL, 0, "0x2c 00 3e 00 02" }, /* bytes 0x3e00..0x3fff of PSUM */
    { SET, 3, 0x21, "03", "reaches offsets 15873..16384", 0x2c, "0x2c 01 3e 00 02" },
    { EXT, 3, 0x0d, "3d", NULL, 0, NULL },
    { EXT, 3, 0x0d, "02", "reserved byte 13 is 0x02", 0x0d, NULL },
    { EXT, 3, 0x0d, "40", "reserved byte 13 is 0x40", 0x0d, NULL },
    { EXT, 3, 0x0e, "6b", "src0 dtype is fp32r", 0x0e, NULL },
    { EXT, 3, 0x0e, "c6", "src1 dtype is int64", 0x0e, NULL },
    { EXT, 3, 0x0f, "00", "out_dtype 0x00", 0x0f, NULL },
    { EXT, 3, 0x10, "05", "op is 0x05, allowed are 0x04 (ADD) and 0x06 (MULT)", 0x10, NULL },
    { EXT, 3, 0x28, "41 00", "src1 has 65 elements", 0x28, NULL },
    { EXT, 3, 0x34, "41 00", "dst has 65 elements", 0x34, NULL },
    { EXT, 3, 0x0c, "07", NULL, 0, NULL }, /* the operands of other codes are not known */
    { EXT, 3, 0x0c, "07 80", "completion info 0x80", 0x0d, NULL }, /* but this byte is */
    { A, 4, 0x00, "09", "MX instructions are not supported", 0x00, NULL },
    { A, 4, 0x00, "0a", "MX instructions are not supported", 0x00, NULL },
    { A, 5, 0x00, "e3", "MX instructions are not supported", 0x00, NULL },
};

#define LOOP(name)                                                                                           \
    START_TEST(name##_rules)                                                                                 \
    {                                                                                                        \
        run(&name[_i]);                                                                                      \
    }                                                                                                        \
    END_TEST
LOOP(tensors)
LOOP(pe)
LOOP(act)
LOOP(family_c)
LOOP(alu)
LOOP(others)

/* §4 and §5.5: the whole sets of opcodes 41 (on integers, so that every band passes its types) and 51. */
START_TEST(tensor_tensor_operations_are_those_of_the_page)
{
    static const uint8_t arith[] = { 0x00, 0x04, 0x05, 0x06, 0x08, 0x09, 0x0d, 0x0e, 0x0f, 0x12,
                                     0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b };
    static const uint8_t bitvec[] = { 0x00, 0x01, 0x02, 0x03, 0x0a, 0x0b, 0x0c, 0x10, 0x11 };
    for (unsigned op = 0; op < 256; op++) {
        load(A);
        put(0x0c, "88 08");
        slot[0x0e] = (uint8_t)op;
        bool legal = memchr(arith, (int)op, sizeof arith) != NULL || (op >= 0xc4 && op <= 0xdd && op != 0xce);
        ck_assert_msg((isa_check(slot, ISA_SOURCE, &err) == NERR_OK) == legal, "41 with %02x", op);
        load(BIT);
        slot[0x0e] = (uint8_t)op;
        legal = memchr(bitvec, (int)op, sizeof bitvec) != NULL;
        ck_assert_msg((isa_check(slot, ISA_SOURCE, &err) == NERR_OK) == legal, "51 with %02x", op);
    }
}
END_TEST

/* §3: every code as the input of a CAST, by generation. */
START_TEST(operand_types_are_those_of_the_page)
{
    for (unsigned gen = 2; gen <= 5; gen++)
        for (unsigned code = 0; code < 256; code++) {
            load(B);
            slot[0x20] = (uint8_t)code;
            bool legal = code >= 2 && code <= 0x0f && code != 0x0b && code != 0x0c;
            ck_assert_msg((isa_check_gen(slot, ISA_SOURCE, gen, &err) == NERR_OK) == legal, "%02x", code);
        }
}
END_TEST

/* tpb-sequencer.md §4.8, §4.9, §5: the rules of B8, D4, AA and AB. */
START_TEST(dma_and_memory_slots)
{
    static const char B8[] =
        "b8 10 00 00 00 00 00 00 00 00 00 00 00 05 01 00 00 00 00 00 20 00 00 00 01 00 00 00 01 00 00 00 "
        "40 00 01 00 04 00 00 00 00 10 00 00 20 00 00 00 01 00 00 00 01 00 00 00 40 00 01 00 04 00 0a 0a";
    static const char LD[] =
        "aa 10 00 00 00 00 00 00 00 00 00 00 09 00 01 01 07 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
        "02 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00";
    static const struct row rows[] = {
        { B8, 3, 0x0c, "04", NULL, 0, NULL },
        { B8, 3, 0x0c, "05", "priority is 5", 0x0c, NULL },
        { B8, 3, 0x0c, "08", "reserved byte 12", 0x0c, NULL },
        { B8, 3, 0x0f, "04", NULL, 0, NULL },
        { B8, 3, 0x0f, "05", "compute_op is 5", 0x0f, NULL },
        { B8, 3, 0x17, "10", "address marker 0x10", 0x17, NULL },
        { B8, 3, 0x2f, "80", "register form", 0x28, NULL },
        { B8, 3, 0x28, "01 02 00 00 00 00 00 80", NULL, 0, NULL },
        { B8, 3, 0x28, "01 40 00 00 00 00 00 80", "register 64", 0x29, NULL },
        { B8, 3, 0x00, "d4", NULL, 0, "0x17 10" }, /* a pseudo slot may name a variable */
        { B8, 3, 0x00, "d4", "kind is 4", 0x0f, "0x0f 04" },
        { LD, 3, 0x17, "10", "address marker 0x10", 0x17, NULL },
        { LD, 3, 0x17, "10", NULL, 0, "0x00 ce" }, /* a variable id; no page lists the fields of CD and CE */
        { LD, 3, 0x17, "40", "num_elem is 1, a shape register needs 0", 0x0e, NULL },
        { LD, 3, 0x17, "40", NULL, 0, "0x0e 00 00" },
        { LD, 3, 0x20, "40", "data register lo names register 64", 0x20, NULL },
        { LD, 3, 0x00, "ab", "PSUM address", 0x10, "0x10 00 00 00 02 28 00 00 00" },
        { LD, 3, 0x0c, "00", "dtype 0x00", 0x0c, NULL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        run(&rows[i]);
}
END_TEST

/* Where a control rule points. */
START_TEST(control_rules_name_their_byte)
{
    static const struct {
        const char *hex;
        unsigned where;
    } rows[] = { { "0b 10", 0 },
                 { "a4 11", 1 },
                 { "a4 10 00 00 08", 4 },
                 { "a4 10 00 00 00 00 06", 6 },
                 { "a4 10 00 00 85 00 00 00 40", 8 },
                 { "a4 10 00 00 00 00 00 00 00 00 00 00 00 01", 13 },
                 { "a5 10 00 00 00 00 00 00 00 00 00 00 03", 12 },
                 { "a5 10 00 00 00 00 00 00 00 00 00 00 04 00 00 00 01", 16 },
                 { "a7 10 00 00 00 00 00 00 00 00 00 00 02 09 01 00 00 00 00 00 00 00 00 00 05 05", 25 },
                 { "a7 10 00 00 00 00 00 00 00 00 00 00 01 09 01 00 00 00 01", 18 },
                 { "a8 10 00 00 00 00 00 00 00 00 00 00 04 08 00 00 00 00 00 00 00 50", 21 },
                 { "a9 10 00 00 00 00 00 00 00 00 00 00 00 00 02", 14 },
                 { "b1 10 00 00 00 00 00 00 00 00 00 00 02", 12 },
                 { "c1 10 00 00 00 00 00 00 00 00 00 00 41 42 07", 14 },
                 { "d1 10 00 00 00 00 00 00 00 00 00 00 00", 12 },
                 { "df 10", 12 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char where[32];
        memset(slot, 0, sizeof slot);
        put(0, rows[i].hex);
        ck_assert_int_eq(isa_check(slot, ISA_SOURCE, &err), NERR_RULE);
        snprintf(where, sizeof where, "byte 0x%02x", rows[i].where);
        ck_assert_msg(strcmp(err.where, where) == 0, "%s: %s", err.where, err.text);
    }
}
END_TEST

/* All bytes of all opcodes: no crash, and a refusal always has a place and a sentence. */
START_TEST(any_bytes_are_judged)
{
    uint32_t x = 1;
    for (unsigned round = 0; round < 200000; round++) {
        for (unsigned i = 0; i < SLOT_BYTES; i++) {
            x = x * 1664525u + 1013904223u;
            slot[i] = x >> 31 ? (uint8_t)(x >> 20) : 0;
        }
        slot[0] = (uint8_t)round;
        slot[1] = SLOT_WORDS;
        if (round & 0x100)
            memset(slot + 4, 0, 8);
        memset(&err, 0, sizeof err);
        if (isa_check_gen(slot, ISA_SOURCE, round >> 9 & 7, &err) != NERR_OK) {
            ck_assert_int_eq(strncmp(err.where, "byte 0x", 7), 0);
            ck_assert_str_ne(err.text, "");
        }
    }
}
END_TEST

#define ROWS(name) sizeof name / sizeof *name

int main(void)
{
    Suite *s = suite_create("check");
    TCase *tc = tcase_create("compute");
    tcase_add_loop_test(tc, examples_pass_on_every_generation_that_has_them, 0, ROWS(good));
    tcase_add_test(tc, v4_and_v5_layouts_pass);
    tcase_add_test(tc, reserved_bytes_are_refused_where_they_are);
    tcase_add_loop_test(tc, tensors_rules, 0, ROWS(tensors));
    tcase_add_loop_test(tc, pe_rules, 0, ROWS(pe));
    tcase_add_loop_test(tc, act_rules, 0, ROWS(act));
    tcase_add_loop_test(tc, family_c_rules, 0, ROWS(family_c));
    tcase_add_loop_test(tc, alu_rules, 0, ROWS(alu));
    tcase_add_loop_test(tc, others_rules, 0, ROWS(others));
    tcase_add_test(tc, tensor_tensor_operations_are_those_of_the_page);
    tcase_add_test(tc, operand_types_are_those_of_the_page);
    tcase_add_test(tc, dma_and_memory_slots);
    tcase_add_test(tc, control_rules_name_their_byte);
    tcase_add_test(tc, any_bytes_are_judged);
    suite_add_tcase(s, tc);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? 1 : 0;
}
