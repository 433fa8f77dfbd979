/* The worked example of q7-prelink.md §16: its file bytes, built from the page's dump, and the staged image.
 */
#ifndef NEFFSIM_TESTS_Q7_WORKED_H
#define NEFFSIM_TESTS_Q7_WORKED_H

#include <check.h>
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/bytes.h"

#define WORKED_BYTES      0x564
#define WORKED_IMAGE      0x130

#define WORKED_SHA        "5d8d15a71602fb81564e599cc5467d9da08fdd4f3625a232917694fe867dcc64"
#define WORKED_CAYMAN_SHA "bb403ee8186b795815dfa3c1e982972bcdb2c454566efdefb7c320804a1490f3"
#define WORKED_SUNDA_SHA  "07f118f9eebc75ba1fb11d81da19b3d184e30967e9853f144ac1c2992c307b9c"

/* "offset hex hex ...": the bytes of one line of a dump. */
static void dump_line(uint8_t *out, const char *line)
{
    char *next;
    size_t at = strtoul(line, &next, 16);
    for (const char *p = next; *p;) {
        char pair[3] = { p[0], p[0] == ' ' ? '\0' : p[1], '\0' };
        if (*p == ' ') {
            p++;
            continue;
        }
        out[at++] = (uint8_t)strtoul(pair, &next, 16);
        ck_assert_ptr_eq(next, pair + 2);
        p += 2;
    }
}

static const char *const worked_dump[] = {
    "000 7f454c46 01010100 00000000 00000000 02005e00 01000000 48000001 34000000",
    "020 fc030000 00030000 34002000 04002800 09000800",
    "034 01000000 00010000 00000001 00000001 66000000 66000000 05000000 80000000",
    "054 01000000 80010000 00000002 00000002 80000000 90000000 07000000 80000000",
    "074 01000000 00020000 00000003 00000003 ac010000 ac010000 03000000 80000000",
    "094 02000000 00020000 00000003 00000003 a4000000 a4000000 06000000 04000000",
    "100 3641001d f0000000 04000002 36410024 00022480 0031fcff e501000c 021df000",
    "120 36610044 00014438 00e00400 0c021df0 3641000c 021df000 36410016 720022c2",
    "140 ff86fdff 00001df0 36410044 00024420 00340002 3df03438 004033c0 3033411d",
    "160 f0364100 1df0",
    "180 58453751 38000001 40000002 ee200000 01ee1400 0002ee48 000001ee eeeeeeee",
    "1a0 0000007e 0c000001 000004f0 30000001 000001f0 20000001 34cb9960 00000000",
    "1d0 00100000 00100000 00100000 00100000 00ffffff 00ffffff 00ffffff 00ffffff",
    "1f8 ffffffff ffffffff",
    "200 0c000000 00000001 0d000000 61000001 04000000 a4000003 06000000 b4000003",
    "220 05000000 c4000003 0a000000 01000000 0b000000 10000000 15000000 00000000",
    "240 07000000 c8000003 08000000 e4000000 09000000 0c000000 03000000 ac010003",
    "260 00000070 b0010003 01000070 00000000 00000000 00000000",
    "2a4 01000000 01000000 00000000 00000000",
    "2c8 0f000001 23000000 80000002  12000001 14000000 80000002  00000000 00000000 00000000",
    "2ec 00000000 00000000 00000000  23000001 23000000 38000001  26000001 14000000 38000001",
    "310 4b000001 23000000 20000002  4e000001 14000000 20000002  51000001 23000000 38000002",
    "334 56000001 14000000 38000002  08000001 05000000 00000000  04000002 05000000 00000000",
    "358 08000002 05000000 40000000  0d000002 05000000 00000000  12000002 05000000 00000000",
    "37c 17000002 05000000 00000000  24000002 05000000 00000000  2c000002 05000000 00000000",
    "3a0 34000002 05000000 00000000",
};

static const char worked_names[0x4d] =
    "\0.text\0.data\0kernel_info_table\0.globstruct\0.bss\0.dynamic\0.rela.got\0.shstrtab";

/* name, type, flags, addr, offset, size, align, entsize; link and info are 0. */
static const uint32_t worked_sections[9][8] = {
    { 0 },
    { 0x01, 1, 6, 0x01000000, 0x100, 0x66, 0x80, 0 },
    { 0x07, 1, 3, 0x02000000, 0x180, 0x20, 4, 0 },
    { 0x0d, 1, 3, 0x02000020, 0x1a0, 0x18, 8, 0 },
    { 0x1f, 1, 3, 0x02000038, 0x1b8, 0x48, 8, 0 },
    { 0x2b, 8, 3, 0x02000080, 0x200, 0x10, 4, 0 },
    { 0x30, 6, 3, 0x03000000, 0x200, 0xa4, 4, 8 },
    { 0x39, 4, 2, 0x030000c8, 0x2c8, 0xe4, 4, 12 },
    { 0x43, 3, 0, 0, 0x3ac, 0x4d, 1, 0 },
};

static void worked_build(uint8_t out[WORKED_BYTES])
{
    memset(out, 0, WORKED_BYTES);
    for (size_t i = 0; i < sizeof worked_dump / sizeof worked_dump[0]; i++)
        dump_line(out, worked_dump[i]);
    memcpy(out + 0x3ac, worked_names, sizeof worked_names);
    for (unsigned i = 0; i < 9; i++) {
        const uint32_t *s = worked_sections[i];
        const uint32_t words[10] = { s[0], s[1], s[2], s[3], s[4], s[5], 0, 0, s[6], s[7] };
        for (unsigned k = 0; k < 10; k++)
            put_le32(out + 0x3fc + 40 * i + 4 * k, words[k]);
    }
}

/* §16.4 */
static const char *const worked_image_dump[] = {
    "000 5543504c 20000000 68000000 a0000000 90000000 00800100 61800100 48800100",
    "020 3641001d f0000000 04e00b00 36410024 0b002480 e031fcff e501000c 021df000",
    "040 36610044 01004438 80e00400 0c021df0 3641000c 021df000 36410016 720022c2",
    "060 ff86fdff 00001df0 36410044 0b004420 e0340b00 3df03438 e04033c0 3033411d",
    "080 f0364100 1df0a5a5",
    "0a0 58453751 38800100 80e00b00 ee208001 00ee14e0 0b00ee48 800100ee eeeeeeee",
    "0c0 0000007e 0c800100 000004f0 30800100 000001f0 20800100 34cb9960 00000000",
    "0e0 00000000 00000000 00000000 00000000 00100000 00100000 00100000 00100000",
    "100 00ffffff 00ffffff 00ffffff 00ffffff 00000000 00000000 ffffffff ffffffff",
    "120 00000000 00000000 00000000 00000000",
};

static inline void worked_build_image(uint8_t out[WORKED_IMAGE])
{
    memset(out, 0, WORKED_IMAGE);
    for (size_t i = 0; i < sizeof worked_image_dump / sizeof worked_image_dump[0]; i++)
        dump_line(out, worked_image_dump[i]);
}

#endif
