/*
 * Text of the assembler. What it accepts is whole slots, whose canonical text gives the same slots and is its
 * own canonical text; what it refuses has a line and a column. Byte 0 of the input gives the options
 * (slots.h).
 */
#include "slots.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand_canonical(const struct strbuf *code, struct isa_text_options opt)
{
    struct strbuf text = { 0 };
    struct nerr err;
    DEMAND(code->len % isa_slot_bytes(opt.dialect) == 0);
    uint8_t *exact = slots_exact(code->s, code->len);
    if (!exact)
        return;
    DEMAND(isa_disasm(exact, code->len, &opt, &text, &err) == 0);
    slots_demand_bytes(&text, &opt, exact, code->len);
    free(exact);
    strbuf_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct strbuf code = { 0 };
    struct nerr err;
    unsigned line, column;
    if (size < 1)
        return 0;
    struct isa_text_options opt = slots_options(data[0]);
    char *text = slots_exact(data + 1, size - 1);
    if (!text)
        return 0;
    int rc = isa_asm(text, size - 1, "f.asm", &opt, &code, &err);
    if (rc == 0) {
        demand_canonical(&code, opt);
    } else {
        DEMAND(rc == NERR_INPUT || rc == NERR_RULE);
        DEMAND(sscanf(err.where, "f.asm %u:%u", &line, &column) == 2 && line > 0 && column > 0);
        DEMAND(err.text[0]);
    }
    free(text);
    strbuf_free(&code);
    return 0;
}
