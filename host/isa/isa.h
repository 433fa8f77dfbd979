/*
 * Instruction slots (tpb-sequencer.md §1-§6): the opcode tables of the three dialects, and for the 64-byte
 * NEURON dialect field by field decode and encode of the control slots, one line of text for reports, and the
 * rules by which the host refuses a slot, compute slots included (tpb-compute.md §1-§5).
 *
 * The operand tables (operand.h) say what every byte of a slot is; offsets and codes are those of
 * regs/isa.regs.
 */
#ifndef NEFFSIM_ISA_ISA_H
#define NEFFSIM_ISA_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/asm.h"
#include "regs.h"
#include "util/nerr.h"

/*
 * Which unit the opcode belongs to: §3.1 column class, the first where the page names two; §3.2: ALL is
 * ISA_CTRL, RT ISA_PSEUDO, SIM (simulator only) ISA_SIM.
 */
enum isa_class { ISA_CLASS_NONE, ISA_PE, ISA_ACT, ISA_POOL, ISA_DVE, ISA_CTRL, ISA_DMA, ISA_PSEUDO, ISA_SIM };

/* Generations by number: V2 SUNDA, V3 CAYMAN (the RTL), V4 MARIANA, V5 MAVERICK. */
enum { ISA_GEN_FIRST = 2, ISA_GEN_RTL = 3, ISA_GEN_LAST = 5 };

/* One row of the tables of §3.1, §3.2 and §6. */
struct isa_opcode {
    const char *name;
    const char *layout; /* as in the table, "?" unknown, "-" none */
    enum isa_class unit;
    char gens[5]; /* V2 V3 V4 V5: Y maintained, n dormant, . unflagged, - absent; "----" in the other dialects
                   */
    char dispatch; /* V3 POOL dispatch table: R handler, d default, x outside */
};

/* NULL when the byte is undefined (SP8: the whole first byte, so a set phase bit is undefined). */
const struct isa_opcode *isa_opcode(enum isa_dialect d, unsigned op);
const struct isa_opcode *isa_opcode_tonga(unsigned op);
const struct isa_opcode *isa_opcode_sp8(unsigned op);

/* Opcode of a mnemonic of len characters, or -1. */
int isa_opcode_find(enum isa_dialect d, const char *name, size_t len);

/* "SUNDA", "CAYMAN", "MARIANA", "MAVERICK"; "?" for a number that is no generation. */
const char *isa_gen_name(unsigned gen);

/* True when the NEURON opcode is an instruction of generation 2..5 (INVALID is none). */
bool isa_opcode_in_gen(unsigned op, unsigned gen);

/* §3.3 acceptance mask: whether an engine of that generation executes the NEURON opcode. False for pseudos.
 */
bool isa_engine_accepts(unsigned engine, unsigned op, unsigned gen);

/* Mnemonic of §3.1, or NULL when the byte is undefined in every generation (0xff INVALID is defined). */
const char *isa_opcode_name(unsigned op);

enum isa_class isa_opcode_class(unsigned op);

/* "PE" ... "SP", "?" for a number that is no engine. */
const char *isa_engine_name(unsigned engine);

/* Bytes of one element of a wire dtype (tpb-compute.md §3); 0 when the code is undefined or has no whole
 * size. */
unsigned isa_dtype_bytes(unsigned dtype);

/* One slot, field by field. `u` is read by the layout of `opcode`; other layouts leave it zero. */
struct inst {
    uint8_t opcode, word_len, debug_cmd, debug_hint;
    uint8_t wait_mode, wait_idx, update_mode, update_idx;
    uint32_t value;
    union {
        struct {
            uint32_t signature;
            uint8_t wait_mode, wait_idx, update_mode, update_idx;
            uint32_t wait_value, update_value;
        } es; /* A0 */
        struct {
            uint8_t count;
        } drain; /* A2 */
        struct {
            uint8_t size;
            uint64_t addr, value;
        } write; /* A5 */
        struct {
            uint8_t flags;
            uint16_t hint_ext;
        } notify; /* A6 */
        struct {
            uint8_t num, dtype, source;
            uint8_t src[SLOT_MOVE_MAX], dst[SLOT_MOVE_MAX];
            uint32_t imm[SLOT_MOVE_MAX];
        } move; /* A7 */
        struct {
            uint8_t op, dtype, src1_source, dst_dtype, src0_lo, src0_hi, src1_lo, src1_hi, dst_lo, dst_hi;
            uint64_t imm;
        } alu; /* A8 */
        struct {
            uint8_t cmp_op, dtype, target_mode;
            uint32_t cmp_imm;
            uint8_t cmp_reg0, cmp_reg1, target_lo, target_hi;
            uint64_t disp;
        } br; /* A9 */
        struct {
            uint8_t dtype, num_elem[2];
            uint64_t addr;
            uint32_t step[2];
            uint8_t data_lo, data_hi;
        } mem; /* AA, AB */
        struct {
            uint8_t mode, first, last;
            uint8_t mask[32];
        } range; /* B0 */
        struct {
            uint8_t mode;
        } order; /* B1 */
        struct {
            uint8_t n_read, result, op;
            uint64_t addr, writeback;
        } poll; /* B3 */
        struct {
            uint8_t decision, mode;
            uint64_t branch_disp, target_disp;
        } hint; /* B5 */
        struct {
            char queue[SLOT_DMATRIG_QUEUE_BYTES];
            uint32_t use_raw, block;
        } dmatrig; /* C1 */
        struct {
            uint8_t op, dtype;
            uint16_t group;
            uint32_t input, output;
            uint64_t num_elem;
            uint8_t ctype;
            uint64_t src_offset, dst_offset;
        } cc; /* C8 */
        struct {
            uint32_t id;
        } label; /* CC */
        struct {
            char name[SLOT_FUNC_NAME_BYTES];
            uint8_t reset_sems, ret_lo, ret_hi;
        } func; /* D1 */
        struct {
            char name[SLOT_CALL_NAME_BYTES];
            uint32_t args;
        } call; /* D3 */
        struct {
            uint32_t id, semaphore;
        } corebar; /* D8 */
        struct {
            uint8_t subop;
        } pseudo; /* DF */
    } u;
};

/* Any 64 bytes decode; unknown fields are dropped (isa_check finds them). */
void isa_decode(const uint8_t slot[SLOT_BYTES], struct inst *in);

/* Writes all 64 bytes; bytes without a field are 0. */
void isa_encode(const struct inst *in, uint8_t slot[SLOT_BYTES]);

/* A slot with word_len set and everything else 0. */
struct inst isa_inst(unsigned opcode);

/*
 * One line in the style of the fixture's .asm members: mnemonic, wait, updates, operands, ';'. Cut to size.
 * Works for any bytes. Returns buf.
 */
const char *isa_text(const uint8_t slot[SLOT_BYTES], char *buf, size_t size);

enum isa_form {
    ISA_SOURCE, /* a slot of a .bin: pseudo slots, COMPARE_BRANCH mode 3 holds a label id */
    ISA_DEVICE, /* a slot of an image: no pseudo slots, mode 3 holds a displacement */
};

/*
 * The host's reject rules of tpb-sequencer.md §1-§5 and tpb-compute.md §1-§5 for generation 2..5. NERR_RULE
 * with runtime code NRT_INVALID, one sentence in err->text (field, what was found, what is allowed) and the
 * offset of the field in err->where ("byte 0x22"); the caller prepends the slot. Passes what only the device
 * can judge: slots whose layout no page gives, an opcode of another engine, and the values for which the
 * specification names a device assertion (MOVE dtype, hint decision).
 */
int isa_check_gen(const uint8_t slot[SLOT_BYTES], enum isa_form form, unsigned gen, struct nerr *err);

/* isa_check_gen for V3, the generation of the RTL. */
int isa_check(const uint8_t slot[SLOT_BYTES], enum isa_form form, struct nerr *err);

/* Semaphores that a slot waits on or updates, either lane: adds them to used[]. Works on source and device
 * slots. */
void isa_semaphores(const uint8_t slot[SLOT_BYTES], bool used[SEM_COUNT]);

/* Semaphores that a slot zeroes as a range or by a mask (B0): adds them to cleared[]. */
void isa_cleared(const uint8_t slot[SLOT_BYTES], bool cleared[SEM_COUNT]);

/* True for the codes of tables W and U (§2.1); INVALID is none of them. */
bool isa_wait_mode_legal(unsigned mode);
bool isa_update_mode_legal(unsigned mode);

/* ---- the slot that loads or unloads a Q7 library (q7-prelink.md §14) ---- */
struct isa_library_slot {
    uint8_t direction;    /* LIBRARY_LOAD or LIBRARY_UNLOAD */
    uint64_t device_addr; /* SoC address of the staging buffer; 0 in an unload */
    uint32_t selector;    /* low half of the library index */
    uint32_t size;        /* prelinked size in bytes; 0 in an unload */
};

/*
 * Whether a slot of opcode 0x95 is one: marker 95 10, ten zero bytes, direction 1 or 2, lane mask 0xff.
 * Anything else is a MODIFY_POOL_CONFIG, whose operands no page gives.
 */
bool isa_is_library_slot(const uint8_t slot[SLOT_BYTES]);

/* False (and *out untouched) when isa_is_library_slot is false. Bytes the device ignores are not looked at.
 */
bool isa_library_slot_decode(const uint8_t slot[SLOT_BYTES], struct isa_library_slot *out);

/* Writes all 64 bytes. */
void isa_library_slot_encode(const struct isa_library_slot *in, uint8_t slot[SLOT_BYTES]);

#endif
