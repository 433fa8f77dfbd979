/* The assembler's state: one for the whole text, one for the statement being read. Private to host/isa. */
#ifndef NEFFSIM_ISA_PARSE_H
#define NEFFSIM_ISA_PARSE_H

#include "isa/lex.h"
#include "isa/operand.h"
#include "regs.h"
#include "util/strbuf.h"

/* A name that the text defines: a label (byte offset of the next slot) or a .set constant. */
struct symbol {
    const char *name; /* in the text; NULL: empty place of the table */
    size_t len;
    bool label;
    int64_t value;
};

struct symbols { /* open addressing; start from { 0 }; capacity is a power of two */
    struct symbol *table;
    size_t count, capacity;
};

const struct symbol *symbols_find(const struct symbols *s, const char *name, size_t len);
enum symbols_result { SYMBOL_ADDED, SYMBOL_KNOWN, SYMBOL_NO_MEMORY };
enum symbols_result symbols_add(struct symbols *s, const struct symbol *add);
void symbols_free(struct symbols *s);

/* A place that waits for a label. */
struct label_use {
    const char *name;
    size_t len;
    size_t slot;      /* byte offset of the slot in the output */
    uint8_t off;      /* of the field in the slot */
    uint8_t width;    /* bytes of the field */
    bool index;       /* slot index instead of a displacement */
    bool zero_extend; /* COMPARE_BRANCH: low 32 bits only (tpb-sequencer.md §4.7) */
};

struct assembler {
    struct lexer lx;
    enum isa_dialect dialect;
    unsigned gen;
    struct strbuf *out;
    size_t base; /* length of *out before the first slot */
    struct symbols symbols;
    struct label_use *uses;
    size_t nuses, uses_capacity;
};

/* What a lane has been given, so that nothing is given twice. */
enum lane_part {
    LANE_WAIT_MODE = 1,
    LANE_WAIT_IDX = 2,
    LANE_UPDATE_MODE = 4,
    LANE_UPDATE_IDX = 8,
    LANE_WAIT_VALUE = 16,
    LANE_UPDATE_VALUE = 32,
};

struct statement {
    const char *at; /* its first character */
    uint8_t slot[SLOT_BYTES];
    const struct operand_layout *layout;
    uint64_t seen;     /* operands of the layout that were given, by their place in the list */
    size_t next;       /* where the next key is probably */
    bool form;         /* short form given */
    unsigned moves;    /* of a short MOVE */
    bool second;       /* behind "then" */
    unsigned parts[2]; /* enum lane_part, standard lane and OPD_LANE */
    unsigned header;   /* keys of the header that were given */
    uint8_t lane_off;  /* of the OPD_LANE, 0: none */
};

/* parse_value.c: the value of an operand into st->slot. All return false after an error. */
bool parse_value(struct assembler *as, struct statement *st, const struct operand *o);
/* A number in [min, max], or the name of a .set constant; what: for the error. */
bool parse_number(struct assembler *as, int64_t min, uint64_t max, const char *what, uint64_t *value);
bool parse_reg(struct assembler *as, uint64_t max, uint64_t *reg);
/* True when a register name (R3, PC.lo) is next. */
bool parse_sees_reg(const struct assembler *as);
bool parse_alu_op(struct assembler *as, uint64_t *code);
/* {R10,R11}. */
bool parse_pair(struct assembler *as, uint8_t *lo, uint8_t *hi);
/* A label whose value the field will get. */
bool parse_label_use(struct assembler *as, const struct operand *field, bool zero_extend);

/* parse_events.c: a suffix that starts with $; a key of the events block, taken with its =. */
bool parse_suffix(struct assembler *as, struct statement *st);
bool parse_event_key(struct assembler *as, struct statement *st, const char *key, size_t len, bool *known);

/* parse_form.c: the next operand of a short form, if there is one. */
bool parse_form(struct assembler *as, struct statement *st, bool *taken);

/* suggest.c: ", did you mean ...?" or nothing; into buf, which is returned. */
enum { SUGGEST_MAX = 400 };
const char *suggest_mnemonic(enum isa_dialect d, const char *s, size_t n, char buf[SUGGEST_MAX]);
const char *suggest_key(const struct operand_layout *l, const char *s, size_t n, char buf[SUGGEST_MAX]);
/* The words of a list, as "a, b or c". */
const char *list_words(const struct operand_word *w, char buf[SUGGEST_MAX]);

#endif
