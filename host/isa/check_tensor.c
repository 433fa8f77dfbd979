/* What every compute instruction wants of a tensor descriptor and of a dtype (tpb-compute.md §1-§4). */
#include "isa/rules.h"

#include "util/bytes.h"

int rule_count(const char *field, unsigned off, unsigned value, struct nerr *err)
{
    return value >= 1 && value <= CHANNELS_MAX
               ? NERR_OK
               : rule_refuse(err, off, "%s is %u, allowed are 1..%u", field, value, CHANNELS_MAX);
}

int rule_max(const char *field, unsigned off, unsigned value, unsigned max, struct nerr *err)
{
    return value <= max ? NERR_OK : rule_refuse(err, off, "%s is %u, allowed are 0..%u", field, value, max);
}

int rule_dim(const char *field, unsigned off, unsigned dim, struct nerr *err)
{
    return dim == DIM_NONE || (dim >= DIM_X && dim <= DIM_XYZW)
               ? NERR_OK
               : rule_refuse(err, off, "%s is %u, allowed are 0, 2, 3, 4 and 5", field, dim);
}

/* One on-chip memory: partitions of `bytes` active bytes, every `stride` bytes. */
struct space {
    const char *name;
    uint32_t base, stride, bytes;
    unsigned last_start; /* highest legal start partition */
};

static const struct space sbuf = { "SBUF", LOC_SBUF, SBUF_PARTITION_STRIDE, SBUF_PARTITION_BYTES,
                                   SBUF_PARTITIONS - QUADRANT };
static const struct space psum = { "PSUM", LOC_PSUM, PSUM_PARTITION_STRIDE, PSUM_PARTITION_BYTES,
                                   PSUM_START_MAX };

static const char *spaces_text(unsigned spaces)
{
    return spaces == SPACE_SBUF ? "SBUF" : spaces == SPACE_PSUM ? "PSUM" : "SBUF or PSUM";
}

/* The space that holds a byte address, or NULL. */
static const struct space *space_of(uint32_t addr)
{
    const struct space *s = addr >= LOC_PSUM ? &psum : &sbuf;
    uint32_t rel = addr - s->base;
    return rel / s->stride < SBUF_PARTITIONS && rel % s->stride < s->bytes ? s : NULL;
}

/* Signed 16-bit step i of a descriptor. */
static int32_t step_of(const uint8_t *slot, const struct rule_tensor *t, unsigned i)
{
    return (int16_t)get_le16(slot + t->off + TENSOR_STEP_OFF + 2 * i);
}

/* Every element lies in the active window of the partition: offsets 0..bytes-1. */
static int check_extent(const uint8_t *slot, const struct rule_tensor *t, const struct space *s, uint32_t at,
                        struct nerr *err)
{
    int64_t low = at, high = (int64_t)at + t->elem - 1;
    for (unsigned i = 0; i < t->dims; i++) {
        int64_t reach = (int64_t)t->elem * (t->num[i] - 1) * step_of(slot, t, i);
        *(reach < 0 ? &low : &high) += reach;
    }
    if (low < 0 || high >= s->bytes)
        return rule_refuse(err, t->off,
                           "%s reaches offsets %lld..%lld of its %s partition, allowed are 0..%u", t->name,
                           (long long)low, (long long)high, s->name, s->bytes - 1);
    return NERR_OK;
}

static int check_immediate(const uint8_t *slot, const struct rule_tensor *t, uint32_t addr, struct nerr *err)
{
    const struct space *s = space_of(addr);
    if (!s || !(t->spaces & (s == &sbuf ? SPACE_SBUF : SPACE_PSUM)))
        return rule_refuse(err, t->off, "%s address 0x%x lies in %s, %s is allowed", t->name, addr,
                           s ? s->name : "no active partition", spaces_text(t->spaces));
    uint32_t part = (addr - s->base) / s->stride, at = (addr - s->base) % s->stride;
    if (part % QUADRANT || part > s->last_start)
        return rule_refuse(err, t->off, "%s starts at %s partition %u, allowed are %s", t->name, s->name,
                           part, s == &sbuf ? "0, 32, 64 and 96" : "0, 32 and 64");
    if (part + t->channels > SBUF_PARTITIONS)
        return rule_refuse(err, t->off, "%s takes %u partitions from partition %u on, %u are left", t->name,
                           t->channels, part, SBUF_PARTITIONS - part);
    if (at % t->elem)
        return rule_refuse(err, t->off, "%s address 0x%x is not a multiple of its element size %u", t->name,
                           addr, t->elem);
    return t->counted ? check_extent(slot, t, s, at, err) : NERR_OK;
}

static int check_numbers(const uint8_t *slot, struct rule_tensor *t, struct nerr *err)
{
    unsigned first = t->off + TENSOR_STEP_OFF + 2 * t->dims;
    t->count = 1;
    for (unsigned i = 0; i < t->dims; i++) {
        t->num[i] = get_le16(slot + first + 2 * i);
        t->count *= t->num[i]; /* four factors below 2^16 */
        if (t->counted && t->num[i] == 0)
            return rule_refuse(err, first + 2 * i, "%s num[%u] is 0, allowed are 1..65535", t->name, i);
        if (!t->counted && t->num[i])
            return rule_refuse(err, first + 2 * i, "%s num[%u] is %u, a shape register needs 0", t->name, i,
                               t->num[i]);
    }
    return NERR_OK;
}

struct rule_tensor rule_operand(const char *name, unsigned off, unsigned dims, unsigned channels,
                                unsigned dtype)
{
    return (struct rule_tensor){ .name = name,
                                 .off = off,
                                 .dims = dims,
                                 .spaces = SPACE_ANY,
                                 .channels = channels,
                                 .elem = isa_dtype_bytes(dtype) };
}

int rule_tensor(const uint8_t *slot, struct rule_tensor *t, struct nerr *err)
{
    uint32_t word = get_le32(slot + t->off);
    unsigned reg = slot[t->off + ADDR4_REG_REG_OFF];
    t->counted = !(word & ADDR4_WORD_SHAPE_REG_MASK);
    if (word & ADDR4_WORD_INDIRECT_MASK)
        return rule_refuse(err, t->off + ADDR4_SIZE - 1, "%s uses indirect access, which is not supported",
                           t->name);
    if (check_numbers(slot, t, err))
        return err->code;
    if (!(word & ADDR4_WORD_ADDR_REG_MASK))
        return check_immediate(slot, t, word & ADDR4_WORD_ADDR_MASK, err);
    if (reg >= REG_COUNT)
        return rule_refuse(err, t->off, "%s names address register %u, allowed are 0..63", t->name, reg);
    if (get_le16(slot + t->off + ADDR4_REG_ZERO_OFF))
        return rule_refuse(err, t->off + ADDR4_REG_ZERO_OFF,
                           "%s is in register form and has 0x%04x in its bytes 1 and 2, 0 is allowed",
                           t->name, get_le16(slot + t->off + ADDR4_REG_ZERO_OFF));
    return NERR_OK;
}

int rule_same_count(const struct rule_tensor *a, const struct rule_tensor *b, struct nerr *err)
{
    if (!a->counted || !b->counted || a->count == b->count)
        return NERR_OK;
    return rule_refuse(err, b->off + TENSOR_STEP_OFF + 2 * b->dims,
                       "%s has %llu elements, as many as %s (%llu) are allowed", b->name,
                       (unsigned long long)b->count, a->name, (unsigned long long)a->count);
}

uint64_t rule_fold(const struct rule_tensor *t, unsigned dim, uint64_t *window)
{
    unsigned folded = dim ? dim - 1 : 0; /* X 2, XY 3, XYZ 4, XYZW 5 */
    uint64_t rest = 1;
    *window = 1;
    for (unsigned i = 0; i < t->dims; i++)
        *(i < folded ? window : &rest) *= t->num[i];
    return rest;
}

/* ---- dtypes (§3) ---- */

static const struct dtype {
    const char *name;
    uint8_t first_gen;
} dtypes[] = {
    [DTYPE_UINT64] = { "uint64", 2 },
    [DTYPE_INT8] = { "int8", 2 },
    [DTYPE_UINT8] = { "uint8", 2 },
    [DTYPE_INT16] = { "int16", 2 },
    [DTYPE_UINT16] = { "uint16", 2 },
    [DTYPE_BFLOAT16] = { "bf16", 2 },
    [DTYPE_FP16] = { "fp16", 2 },
    [DTYPE_INT32] = { "int32", 2 },
    [DTYPE_UINT32] = { "uint32", 2 },
    [DTYPE_FP32] = { "fp32", 2 },
    [DTYPE_FP32R] = { "fp32r", 2 },
    [DTYPE_INT64] = { "int64", 2 },
    [DTYPE_FP8_E3M4] = { "fp8_e3m4", 2 },
    [DTYPE_FP8_E4M3] = { "fp8_e4m3", 2 },
    [DTYPE_FP8_E5M2] = { "fp8_e5m2", 2 },
    [DTYPE_FP4_E2M1] = { "fp4_e2m1", 4 },
    [DTYPE_FP8_E2M5] = { "fp8_e2m5", 5 },
    [DTYPE_INT4] = { "int4", 5 },
    [DTYPE_SCALE_E8M0] = { "scale_e8m0", 5 },
    [DTYPE_SCALE_E7M1] = { "scale_e7m1", 5 },
    [DTYPE_SCALE_E6M2] = { "scale_e6m2", 5 },
    [DTYPE_SCALE_E5M3] = { "scale_e5m3", 5 },
    [DTYPE_CPTC1] = { "cptc1", 4 },
    [DTYPE_CPTC2] = { "cptc2", 4 },
    [DTYPE_CPTC3] = { "cptc3", 4 },
    [DTYPE_CPTC4] = { "cptc4", 4 },
    [DTYPE_CPTC5] = { "cptc5", 4 },
    [DTYPE_CPTC6] = { "cptc6", 4 },
    [DTYPE_CPTC7] = { "cptc7", 4 },
};

static const struct dtype *dtype_of(unsigned code)
{
    return code < sizeof dtypes / sizeof *dtypes && dtypes[code].name ? &dtypes[code] : NULL;
}

const char *rule_dtype_name(unsigned dtype)
{
    const struct dtype *d = dtype_of(dtype);
    return d ? d->name : "dtype";
}

int rule_dtype(unsigned gen, const char *field, unsigned off, unsigned dtype, unsigned may, struct nerr *err)
{
    const struct dtype *d = dtype_of(dtype);
    if (!d)
        return rule_refuse(err, off, "%s 0x%02x is no dtype", field, dtype);
    if (d->first_gen > gen)
        return rule_refuse(err, off, "%s 0x%02x (%s) does not exist in the %s generation", field, dtype,
                           d->name, isa_gen_name(gen));
    if (dtype > DTYPE_FP8_E5M2)
        return rule_refuse(err, off, "%s 0x%02x (%s), the types 0x02..0x0f are allowed", field, dtype,
                           d->name);
    if (dtype == DTYPE_FP32R && !(may & DTYPE_MAY_FP32R))
        return rule_refuse(err, off, "%s is fp32r, which is allowed on output only", field);
    if (isa_dtype_bytes(dtype) == 8 && !(may & DTYPE_MAY_WIDE))
        return rule_refuse(err, off, "%s is %s, types of at most 32 bits are allowed", field, d->name);
    return NERR_OK;
}

bool rule_dtype_signed(unsigned dtype)
{
    return dtype == DTYPE_INT8 || dtype == DTYPE_INT16 || dtype == DTYPE_INT32 || dtype == DTYPE_INT64;
}

bool rule_dtype_integer(unsigned dtype)
{
    return rule_dtype_signed(dtype) || dtype == DTYPE_UINT8 || dtype == DTYPE_UINT16 ||
           dtype == DTYPE_UINT32 || dtype == DTYPE_UINT64;
}

/* ---- ALU classes (§4) ---- */

bool rule_alu_bitvec(unsigned op)
{
    return op <= ALU_SHR_ARITH || (op >= ALU_AND && op <= ALU_XOR) || op == ALU_SHL || op == ALU_SHR;
}

bool rule_alu_int(unsigned op)
{
    return (op >= ALU_INT_ADD && op <= ALU_UINT_MOD && op != ALU_INT_ABS) || op == ALU_MOD;
}

bool rule_alu_arith(unsigned op)
{
    return op == ALU_BYPASS || (op >= ALU_ADD && op <= ALU_MULT) || op == ALU_MAX || op == ALU_MIN ||
           (op >= ALU_LOGICAL_AND && op <= ALU_LOGICAL_XOR) || (op >= ALU_EQ && op <= ALU_POW) ||
           rule_alu_int(op);
}
