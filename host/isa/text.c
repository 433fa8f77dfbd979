/* One line of text per slot, for reports: the statement of the assembly language, cut to the buffer. */
#include <string.h>

#include "isa/isa.h"
#include "isa/print.h"

const char *isa_text(const uint8_t slot[SLOT_BYTES], char *buf, size_t size)
{
    if (!size)
        return buf;
    char text[STATEMENT_MAX];
    struct printer pr = { .dialect = ISA_NEURON };
    size_t n = (size_t)(print_slot(&pr, slot, text) - text);
    n = n < size ? n : size - 1;
    memcpy(buf, text, n);
    buf[n] = '\0';
    return buf;
}
