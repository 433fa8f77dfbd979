/*
 * docs/asm.md says what the program does: its table of operands is the one of the operand tables, and its
 * examples assemble. `test_asm_doc --print` prints the table for the page.
 */
#include "asm_test.h"

#include "isa/operand.h"
#include "util/file.h"

static const char *kind(const struct operand *o)
{
    static const char *const words[] = {
        [OPD_UINT] = "number",
        [OPD_INT] = "signed",
        [OPD_HEX] = "0x",
        [OPD_F32] = "f32",
        [OPD_REG] = "register",
        [OPD_WORD] = "word",
        [OPD_DTYPE] = "dtype",
        [OPD_DTYPE2] = "dtype,dtype",
        [OPD_ALU] = "ALU",
        [OPD_TENSOR] = "tensor",
        [OPD_DATA4D] = "base[dimensions]",
        [OPD_ADDR8] = "[address]",
        [OPD_TEXT] = "text",
        [OPD_BITS] = "{set}",
        [OPD_DISP] = "bytes or label",
        [OPD_INDEX] = "slot or label",
        [OPD_IGNORED] = "number",
    };
    return words[o->kind];
}

/* Optional operands stand in parentheses. */
static void add_operand(struct strbuf *b, const struct operand *o)
{
    if (o->kind == OPD_FIXED)
        return;
    if (o->kind == OPD_LANE) {
        strbuf_puts(b, " (`then` wait, update)");
        return;
    }
    strbuf_puts(b, o->always ? " `" : " (`");
    if (o->key)
        strbuf_printf(b, "%s=", o->key);
    if (o->kind == OPD_WORD)
        for (const struct operand_word *w = o->words; w->word; w++)
            strbuf_printf(b, "%s%s", w == o->words ? "" : "/", w->word);
    else if (o->kind == OPD_TENSOR)
        strbuf_printf(b, "%uD", o->count);
    else
        strbuf_puts(b, kind(o));
    if (o->count > 1 && o->kind != OPD_TENSOR)
        strbuf_printf(b, ",... x%u", o->count);
    strbuf_puts(b, o->always ? "`" : "`)");
}

struct row {
    const struct operand_layout *layout;
    struct strbuf names;
};

enum { MAX_ROWS = 128 };

static void add_name(struct row *rows, size_t *n, const struct operand_layout *layout, const char *name,
                     const char *gen)
{
    size_t i = 0;
    while (i < *n && rows[i].layout != layout)
        i++;
    if (i == MAX_ROWS)
        abort();
    if (i == *n)
        rows[(*n)++] = (struct row){ .layout = layout };
    strbuf_printf(&rows[i].names, "%s%s%s", rows[i].names.len ? " " : "", name, gen);
}

/* All slots that have a layout: by opcode, and by what else the layout depends on. */
static void collect(enum isa_dialect d, struct row *rows, size_t *n)
{
    for (unsigned op = 0; op < 256; op++) {
        uint8_t slot[SLOT_BYTES] = { (uint8_t)op };
        const char *name = operand_mnemonic(d, slot);
        const struct operand_layout *l = operand_find(d, 0, slot);
        if (!name)
            continue;
        if (l)
            add_name(rows, n, l, name, "");
        for (unsigned gen = 4; gen <= 5 && d == ISA_NEURON; gen++) {
            const struct operand_layout *later = operand_find(d, gen, slot);
            if (later && later != l)
                add_name(rows, n, later, name, gen == 4 ? " (v4)" : " (v5)");
        }
        slot[SLOT_EXT_CODE_OFF] = EXT_TT;
        if (d == ISA_NEURON && op == OP_EXTENDED_INST)
            add_name(rows, n, operand_find(d, 0, slot), "EXTENDED_INST", " tensor_tensor");
    }
    for (unsigned i = 0; d == ISA_NEURON && i < 2; i++) {
        static const char *const library[] = { "Q7_LIBRARY_LOAD", "Q7_LIBRARY_UNLOAD" };
        uint8_t slot[SLOT_BYTES];
        if (!operand_begin(d, library[i], strlen(library[i]), slot))
            abort();
        add_name(rows, n, operand_find(d, 0, slot), library[i], "");
    }
}

static void add_table(struct strbuf *b, enum isa_dialect d)
{
    struct row rows[MAX_ROWS];
    size_t n = 0;
    collect(d, rows, &n);
    strbuf_printf(b, "### %s\n\n| instructions | operands |\n|---|---|\n", isa_dialect_names[d]);
    for (size_t i = 0; i < n; i++) {
        strbuf_printf(b, "| %s |", rows[i].names.s);
        for (size_t k = 0; k < rows[i].layout->count; k++)
            add_operand(b, &rows[i].layout->list[k]);
        strbuf_puts(b, rows[i].layout->count ? " |\n" : " none |\n");
        strbuf_free(&rows[i].names);
    }
    strbuf_puts(b, "\n");
}

static struct strbuf table(void)
{
    struct strbuf b = { 0 };
    add_table(&b, ISA_NEURON);
    add_table(&b, ISA_TONGA);
    add_table(&b, ISA_SP8);
    b.s[--b.len] = '\0'; /* the page ends without an empty line */
    return b;
}

static char *page(void)
{
    uint8_t *text;
    size_t len;
    ck_assert_msg(file_read("docs/asm.md", 0, &text, &len, &err) == 0, "%s: %s", err.where, err.text);
    return (char *)text;
}

START_TEST(the_table_of_operands_is_that_of_the_program)
{
    struct strbuf want = table();
    char *text = page();
    ck_assert_msg(strstr(text, want.s) != NULL,
                  "docs/asm.md has another table of operands; the right one: test_asm_doc --print");
    strbuf_free(&want);
    free(text);
}
END_TEST

/* Blocks "```asm", "```asm tonga" and "```asm sp8"; what stands in "```asm canonical" is its own disassembly.
 */
START_TEST(every_example_assembles)
{
    static const char fence[] = "\n```asm";
    unsigned examples = 0;
    char *text = page();
    for (char *p = text, *end; (p = strstr(p, fence)) != NULL; p = end) {
        p += strlen(fence);
        dialect(strncmp(p, " tonga", 6) == 0 ? ISA_TONGA : strncmp(p, " sp8", 4) == 0 ? ISA_SP8 : ISA_NEURON);
        bool canonical = strncmp(p, " canonical", 10) == 0;
        p = strchr(p, '\n') + 1;
        end = strstr(p, "\n```");
        ck_assert_ptr_nonnull(end);
        struct strbuf code = assembled(p, (size_t)(end - p));
        ck_assert_uint_gt(code.len, 0);
        if (canonical) {
            struct strbuf back = disassembled(code.s, code.len);
            ck_assert_uint_eq(back.len, (size_t)(end + 1 - p));
            ck_assert_int_eq(memcmp(back.s, p, back.len), 0);
            strbuf_free(&back);
        }
        strbuf_free(&code);
        examples++;
    }
    ck_assert_uint_ge(examples, 8);
    free(text);
}
END_TEST

static void add(TCase *tc)
{
    tcase_add_test(tc, the_table_of_operands_is_that_of_the_program);
    tcase_add_test(tc, every_example_assembles);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--print") == 0) {
        struct strbuf b = table();
        fputs(b.s, stdout);
        strbuf_free(&b);
        return 0;
    }
    return run_cases("asm page", add);
}
