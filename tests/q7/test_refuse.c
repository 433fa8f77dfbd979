/* q7-prelink.md §17 row by row, then every other rule of §2-§9: one change of the worked file each. */
#include "changed.h"

struct change {
    size_t at;
    unsigned bytes;
    uint32_t value;
    int status;
    const char *message, *where;
};

static const struct change table17[] = {
    { 0x04, 1, 2, 1, INVALID, "file offset 0x4" },
    { 0x05, 1, 3, 1, INVALID, "file offset 0x5" },
    { 0x4c, 4, 7, 7, INVALID, "program header 0" },
    { 0x6c, 4, 5, 7, INVALID, "program header 1" },
    { 0x6c, 4, 6, 0, NULL, NULL },
    { 0x8c, 4, 7, 7, INVALID, "program header 2" },
    { 0xac, 4, 4, 7, INVALID, "program header 3" },
    { 0x48, 4, 0x8001, 13, TOO_BIG, "segment code" },
    { 0x48, 4, 0x8000, 0, NULL, NULL },
    { 0x68, 4, 0x2001, 13, TOO_BIG, "segment data" },
    { 0x68, 4, 0x2000, 0, NULL, NULL },
    { 0x2cc, 4, 0x123, 5, NULL, "relocation 0" },
    { 0x2cc, 4, 1, 8, "Unknown relocation type 1", "relocation 0" },
    { 0x2cc, 4, 19, 8, "Unknown relocation type 19", "relocation 0" },
    { 0x2cc, 4, 50, 8, "Unknown relocation type 50", "relocation 0" },
    { 0x2cc, 4, 49, 8, "Failed to set large immediate field in instruction slot 14", "relocation 0" },
    { 0x2c8, 4, 0x01008000, 8, "Invalid relocation address 131072", "relocation 0" },
    { 0x2c8, 4, 0x0100001b, 12, "Unknown instruction format [0xf01d020c]", "relocation 0" },
    { 0x34c, 4, 0x02002000, 8, "Invalid load @ 0xc0000", "relocation 11" },
    { 0x34c, 4, 0x02001ffd, 8, "Invalid load @ 0xc0000", "relocation 11" },
    { 0x2c8, 4, 0x01000015, 8, "Failed to set large immediate field in instruction slot 0", "relocation 0" },
    { 0x05, 1, 2, 1, INVALID ": big-endian image not supported", "file offset 0x5" },
};

static const struct change rules[] = {
    /* §2 */
    { 0x00, 1, 0x7e, 1, INVALID, "file offset 0x0" },
    { 0x04, 1, 0, 1, INVALID, NULL },
    { 0x05, 1, 0, 1, INVALID, NULL },
    { 0x06, 1, 0, 1, INVALID, "file offset 0x6" },
    { 0x06, 1, 2, 1, INVALID, NULL },
    { 0x08, 4, 0xffffffff, 0, NULL, NULL }, /* padding */
    { 0x10, 2, 1, 1, INVALID, "file offset 0x10" },
    { 0x10, 2, 4, 1, INVALID, NULL },
    { 0x10, 2, 3, 0, NULL, NULL },
    { 0x12, 2, 93, 1, INVALID, "file offset 0x12" },
    { 0x14, 4, 2, 1, INVALID, "file offset 0x14" },
    { 0x18, 4, 0x00ffffff, 8, NULL, "file offset 0x18" },
    { 0x18, 4, 0x01000066, 8, NULL, NULL },
    { 0x18, 4, 0x01000065, 0, NULL, NULL },
    { 0x1c, 4, WORKED_BYTES - 127, 7, INVALID, "file offset 0x1c" },
    { 0x1c, 4, 0xffffffff, 7, INVALID, NULL },
    { 0x20, 4, 0x3fd, 1, INVALID, "file offset 0x20" },
    { 0x20, 4, 0xffffffff, 1, INVALID, NULL },
    { 0x28, 2, 53, 1, INVALID, "file offset 0x28" },
    { 0x2a, 2, 33, 7, INVALID, "file offset 0x2a" },
    { 0x2c, 2, 2, 7, INVALID, "file offset 0x2c" },
    { 0x2c, 2, 3, 7, INVALID, "file offset 0x2c" }, /* a scratch LOAD needs the fourth */
    { 0x2c, 2, 0, 7, INVALID, NULL },
    { 0x2c, 2, 0xffff, 7, INVALID, "file offset 0x1c" },
    { 0x2e, 2, 41, 1, INVALID, "file offset 0x2e" },
    { 0x30, 2, 10, 1, INVALID, "file offset 0x20" },
    { 0x32, 2, 9, 0, NULL, NULL },
    /* §3: types and flags */
    { 0x34, 4, 2, 7, INVALID, "program header 0" },
    { 0x4c, 4, 4, 7, INVALID, NULL },
    { 0x4c, 4, 0xd, 0, NULL, NULL },
    { 0x54, 4, 2, 7, INVALID, "program header 1" },
    { 0x6c, 4, 3, 7, INVALID, NULL },
    { 0x74, 4, 0, 7, INVALID, "program header 2" },
    { 0x8c, 4, 2, 0, NULL, NULL }, /* W alone is scratch */
    { 0x8c, 4, 1, 7, INVALID, NULL },
    { 0x94, 4, 1, 7, INVALID, "program header 3" },
    { 0xac, 4, 7, 7, INVALID, NULL },
    { 0xac, 4, 0xe, 0, NULL, NULL },
    /* §3: CONVENTION */
    { 0x44, 4, 0x67, 7, INVALID, "program header 0" }, /* filesz > memsz */
    { 0x64, 4, 0x91, 7, INVALID, "program header 1" },
    { 0x84, 4, 0x1ad, 7, INVALID, "program header 2" },
    { 0xa4, 4, 0xa5, 7, INVALID, "program header 3" },
    { 0x38, 4, WORKED_BYTES - 0x65, 7, INVALID, "program header 0" }, /* behind the file */
    { 0x58, 4, 0xffffffff, 7, INVALID, "program header 1" },
    { 0x98, 4, WORKED_BYTES - 0xa3, 7, INVALID, "program header 3" },
    { 0x50, 4, 0x81, 7, INVALID, "program header 0" },
    { 0x70, 4, 3, 7, INVALID, "program header 1" },
    { 0x90, 4, 0xc0, 7, INVALID, "program header 2" },
    { 0xb0, 4, 6, 7, INVALID, "program header 3" },
    { 0x50, 4, 0, 0, NULL, NULL },
    { 0x40, 4, 0x01000004, 7, INVALID, "program header 0" }, /* paddr */
    { 0x60, 4, 0x02000004, 7, INVALID, "program header 1" },
    { 0x80, 4, 0, 7, INVALID, "program header 2" },
    { 0xa0, 4, 0, 7, INVALID, "program header 3" },
    { 0x48, 4, 0x00fffc01, 7, INVALID, "program header 1" }, /* code end above data - 0x400 */
    { 0x48, 4, 0x00fffc00, 13, TOO_BIG, "segment code" },
    { 0x48, 4, 0xffffffff, 7, INVALID, "program header 1" },
    /* §7.1: .text is section 1 */
    { 0x3fc + 40 + 32, 4, 0x81, 7, INVALID, "section headers" },
    { 0x3fc + 40 + 32, 4, 0x4000, 7, INVALID, "section headers" },
    { 0x3fc + 40 + 32, 4, 0x2000, 0, NULL, NULL },
    { 0x3fc + 40 + 32, 4, 0xffffffff, 7, INVALID, NULL },
    { 0x3fc + 32, 4, 0x4000, 0, NULL, NULL }, /* the null section does not count */
    /* §4: the pairs are INIT FINI HASH SYMTAB STRTAB STRSZ SYMENT DEBUG RELA RELASZ RELAENT ... */
    { 0x204, 4, 0x00ffffff, 8, NULL, "dynamic section" },
    { 0x204, 4, 0x01000066, 8, NULL, NULL },
    { 0x20c, 4, 0x01000066, 8, NULL, NULL },
    { 0x20c, 4, 0x01000065, 0, NULL, NULL },
    { 0x240, 4, 0x6ffffff0, 4, NO_INFO, "dynamic section" }, /* no DT_RELA */
    { 0x240, 4, 0, 4, NO_INFO, NULL },
    { 0x200, 4, 0, 4, NO_INFO, NULL },          /* the array ends with its first entry */
    { 0x248, 4, 0x6ffffff0, 4, NO_INFO, NULL }, /* no DT_RELASZ */
    { 0x250, 4, 0x6ffffff0, 4, NO_INFO, NULL }, /* no DT_RELAENT */
    { 0x244, 4, 0x03000281, 4, NO_INFO, NULL }, /* 1 byte behind the file */
    { 0x244, 4, 0, 4, NO_INFO, NULL },
    { 0x24c, 4, 0x80000000, 4, NO_INFO, NULL },
    { 0x24c, 4, 0xffffffff, 4, NO_INFO, NULL },
    { 0x24c, 4, 0x7ffffff8, 4, NO_INFO, NULL },
    { 0x24c, 4, 0xe5, 8, NULL, "dynamic section" },
    { 0x254, 4, 8, 8, NULL, NULL },
    { 0xa4, 4, 0x40, 4, NO_INFO, NULL }, /* p_filesz ends the array before DT_RELA */
    { 0xa4, 4, 0x58, 0, NULL, NULL },    /* and right behind DT_RELAENT, without a DT_NULL */
    { 0xa4, 4, 0x57, 4, NO_INFO, NULL },
    /* §9 */
    { 0x2cc, 4, 0x100, 5, NULL, NULL },
    { 0x2cc, 4, 0xff, 8, "Unknown relocation type 255", NULL },
    { 0x2cc, 4, 34, 8, "Failed to set large immediate field in instruction slot 14", NULL },
    { 0x2cc, 4, 36, 8, "Failed to set large immediate field in instruction slot 1", NULL },
    { 0x2c8, 4, 0x01007ffe, 8, "Invalid relocation address 131070", NULL }, /* 2 of 3 bytes inside */
    { 0x2c8, 4, 0x00ffffff, 8, "Invalid relocation address 98303", NULL },
    { 0x2c8, 4, 0x02001ffe, 8, "Invalid relocation address 786430", NULL },
    { 0x2c8, 4, 0x01fffc00, 8, "Invalid relocation address 777216", NULL }, /* counts as data */
    { 0x2c8, 4, 0x01000066, 8, "Failed to set large immediate field in instruction slot 0",
      NULL }, /* poison: op0 5 */
    { 0x34c, 4, 0x01ffffff, 8, "Invalid load @ 0xbdffc", NULL },
    { 0x34c, 4, 0x00fffffc, 8, "Invalid load @ 0x17ffc", NULL },
    { 0x34c, 4, 0x01007ffd, 8, "Invalid load @ 0x20000", NULL },
    { 0x34c, 4, 0x01007ffc, 0, NULL, NULL },
    { 0x34c, 4, 0x02001ffc, 0, NULL, NULL },
    /* q7-firmware.md §6: row 2 */
    { 0x1b0, 2, 1, 7, NULL, "kernel_info_table row 2" },
    { 0x1a1, 1, 1, 7, NULL, "kernel_info_table row 0" },
    { 0x1b4, 4, 0x02000000, 7, NULL, "kernel_info_table row 2" },
    { 0x1b4, 4, 0x01008000, 7, NULL, "kernel_info_table row 2" },
    { 0x1b4, 4, 0x01007fff, 0, NULL, NULL },
    { 0x1b4, 4, 0x00ffffff, 7, NULL, "kernel_info_table row 2" },
    { 0x3a4, 4, 0, 7, NULL, "kernel_info_table row 2" },                    /* its relocation is gone */
    { 0x3fc + 3 * 40 + 20, 4, 0x71, 7, NULL, "section kernel_info_table" }, /* sh_size */
    { 0x3fc + 3 * 40 + 20, 4, 0x20, 7, NULL, "kernel_info_table row 3" },   /* one row into .globstruct */
    { 0x3fc + 3 * 40 + 12, 4, 0x01000000, 7, NULL, "section kernel_info_table" },
    { 0x3fc + 3 * 40 + 12, 4, 0xfffffff0, 7, NULL, "section kernel_info_table" },
};

static void apply(const struct change *c)
{
    for (unsigned i = 0; i < c->bytes; i++)
        file[c->at + i] = (uint8_t)(c->value >> 8 * i);
    if (c->status)
        expect(c->status, c->message, c->where);
    else
        expect_ok();
}

START_TEST(rows_of_section_17)
{
    apply(&table17[_i]);
}
END_TEST

START_TEST(every_other_rule)
{
    apply(&rules[_i]);
}
END_TEST

int main(void)
{
#define COUNT(a) (int)(sizeof(a) / sizeof(a)[0])
    Suite *s = suite_create("q7 refusals");
    TCase *t = tcase_create("refuse");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_loop_test(t, rows_of_section_17, 0, COUNT(table17));
    tcase_add_loop_test(t, every_other_rule, 0, COUNT(rules));
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
