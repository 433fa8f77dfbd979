/* The dtype words of def.json (neff-container.md §12): kbin code and bytes of an element. */
#include <stddef.h>
#include <string.h>

#include "neff/parse.h"
#include "regs.h"

bool parse_dtype(const char *word, int *code, unsigned *bytes)
{
    static const struct {
        const char *word;
        uint8_t code, bytes;
    } words[] = {
        { "float8e3", KDTYPE_FLOAT8E3, 1 },
        { "float8e4", KDTYPE_FLOAT8E4, 1 },
        { "float8_e4m3fn", KDTYPE_FLOAT8E4, 1 },
        { "float8e5", KDTYPE_FLOAT8E5, 1 },
        { "float16", KDTYPE_FLOAT16, 2 },
        { "float32", KDTYPE_FLOAT32, 4 },
        { "float32r", KDTYPE_FLOAT32R, 4 },
        { "bfloat16", KDTYPE_BFLOAT16, 2 },
        { "uint8", KDTYPE_UINT8, 1 },
        { "uint16", KDTYPE_UINT16, 2 },
        { "uint32", KDTYPE_UINT32, 4 },
        { "uint64", KDTYPE_UINT64, 8 },
        { "int8", KDTYPE_INT8, 1 },
        { "int16", KDTYPE_INT16, 2 },
        { "int32", KDTYPE_INT32, 4 },
        { "int64", KDTYPE_INT64, 8 },
        { "float8_e4m3fn_x4", KDTYPE_UINT32, 4 },
        { "float8_e5m2_x4", KDTYPE_UINT32, 4 },
        { "float4_e2m1fn_x4", KDTYPE_UINT16, 2 },
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(word, words[i].word) == 0) {
            *code = words[i].code;
            *bytes = words[i].bytes;
            return true;
        }
    return false;
}
