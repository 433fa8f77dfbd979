/*
 * Bytes of slots: whatever they are, asm(disasm(x)) == x. Byte 0 of the input gives the options (slots.h);
 * the rest is the program.
 */
#include "slots.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct strbuf text = { 0 };
    struct nerr err;
    if (size < 1)
        return 0;
    struct isa_text_options opt = slots_options(data[0]);
    size_t n = size - 1, unit = isa_slot_bytes(opt.dialect);
    uint8_t *code = slots_exact(data + 1, n);
    if (!code)
        return 0;
    int rc = isa_disasm(code, n, &opt, &text, &err);
    DEMAND(n % unit == 0 || rc == NERR_RULE);
    if (rc == 0)
        slots_demand_bytes(&text, &opt, code, n);
    else
        DEMAND(rc == NERR_RULE && (n % unit || opt.gen) && err.text[0]);
    enum isa_dialect sp;
    if (isa_sp_dialect(code, n, &sp, &err) == 0)
        DEMAND(n % isa_slot_bytes(sp) == 0);
    free(code);
    strbuf_free(&text);
    return 0;
}
