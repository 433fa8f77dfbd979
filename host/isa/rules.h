/* The reject rules of isa_check, one function per family of instructions. Private to host/isa. */
#ifndef NEFFSIM_ISA_RULES_H
#define NEFFSIM_ISA_RULES_H

#include "isa/isa.h"

/* NERR_RULE with runtime code NRT_INVALID at "byte 0x.." of the slot. Returns err->code. */
int rule_refuse(struct nerr *err, unsigned off, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* One wait and one update at off, their operands at value_off (§2.1, §2.3). */
struct rule_lane {
    const char *name; /* "standard" */
    unsigned off, wait_value_off, update_value_off;
    unsigned wait, update;
    uint32_t wait_value, update_value;
};
int rule_lane(const struct rule_lane *lane, struct nerr *err);

/* Payload rules; *in is the decoded slot. */
int rule_control(const struct inst *in, const uint8_t *slot, enum isa_form form, struct nerr *err);
int rule_pseudo(const struct inst *in, const uint8_t *slot, struct nerr *err);
int rule_compute(const uint8_t *slot, unsigned gen, struct nerr *err);

/* Parts of rule_compute: families B, C and tensor-scalar; the rest of POOL. */
int rule_vector(const uint8_t *slot, unsigned gen, struct nerr *err);
int rule_pool(const uint8_t *slot, unsigned gen, struct nerr *err);
int rule_iota(const uint8_t *slot, unsigned gen, struct nerr *err);
int rule_memset(const uint8_t *slot, unsigned gen, struct nerr *err);
int rule_extended(const uint8_t *slot, unsigned gen, struct nerr *err);

/* The DMA_DIRECT2D rules, which the pseudo form shares. */
int rule_dma_direct2d(const uint8_t *slot, struct nerr *err);

/* ---- compute operands (tpb-compute.md §1-§4) ---- */

enum { SPACE_SBUF = 1, SPACE_PSUM = 2, SPACE_ANY = 3 };

/* 1..128: channels, rows, columns. */
int rule_count(const char *field, unsigned off, unsigned value, struct nerr *err);
/* 0..max. */
int rule_max(const char *field, unsigned off, unsigned value, unsigned max, struct nerr *err);
/* A code of enum DIM. */
int rule_dim(const char *field, unsigned off, unsigned dim, struct nerr *err);

/* A tensor descriptor at off and what its instruction wants of it. */
struct rule_tensor {
    const char *name; /* "src", "dst" */
    unsigned off, dims;
    unsigned spaces;   /* SPACE_ bits that are allowed */
    unsigned channels; /* partitions from its start on; 0: not known */
    unsigned elem;     /* bytes of an element */
    /* results */
    bool counted;   /* false: a shape register holds the numbers */
    uint64_t count; /* product of the numbers */
    uint16_t num[TENSOR_DIMS_MAX];
};
/* A tensor of `channels` partitions in either space. */
struct rule_tensor rule_operand(const char *name, unsigned off, unsigned dims, unsigned channels,
                                unsigned dtype);
/* Fills the results. */
int rule_tensor(const uint8_t *slot, struct rule_tensor *t, struct nerr *err);

/* Both element counts are known and differ: refused at b's first number. */
int rule_same_count(const struct rule_tensor *a, const struct rule_tensor *b, struct nerr *err);

/* Elements that a fold over `dim` (enum DIM) of t leaves, and those it takes: §5.4. */
uint64_t rule_fold(const struct rule_tensor *t, unsigned dim, uint64_t *window);

/* The operand gate of §3, the allowed exceptions in bits. */
enum { DTYPE_MAY_FP32R = 1, DTYPE_MAY_WIDE = 2 };
int rule_dtype(unsigned gen, const char *field, unsigned off, unsigned dtype, unsigned may, struct nerr *err);

bool rule_dtype_integer(unsigned dtype);
bool rule_dtype_signed(unsigned dtype);
/* "fp32"; "dtype" for a code without a name. */
const char *rule_dtype_name(unsigned dtype);

/* Classes of ALU codes (§4). */
bool rule_alu_arith(unsigned op);  /* what opcode 41 accepts */
bool rule_alu_bitvec(unsigned op); /* general bitvec, what opcode 51 accepts */
bool rule_alu_int(unsigned op);    /* integer band and MOD */

#endif
