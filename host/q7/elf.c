/*
 * The header, program headers, section headers and dynamic array of a kernel library (q7-prelink.md §2-§4,
 * §7.1): what the reference tests, in its order, and this project's stricter reader (CONVENTION). Every range
 * is checked against the file before it is read.
 */
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "q7/private.h"
#include "util/bytes.h"

#define AT(record, field) offsetof(record, field)

/* Names are for texts: a linear search per name stays cheap. Known libraries have 35 sections. */
#define NAMED_SECTIONS_MAX 1024

static int not_elf(struct q7_error *err, size_t at, const char *what, uint32_t found, const char *allowed)
{
    char where[40];
    snprintf(where, sizeof where, "file offset 0x%zx", at);
    return q7_fail(err, Q7_ST_NOT_ELF, where, Q7_SAYS_INVALID, "%s is 0x%x, must be %s", what, found,
                   allowed);
}

static int not_split(struct q7_error *err, size_t at, const char *what, uint32_t found, const char *allowed)
{
    char where[40];
    snprintf(where, sizeof where, "file offset 0x%zx", at);
    return q7_fail(err, Q7_ST_NOT_SPLIT, where, Q7_SAYS_INVALID, "%s is 0x%x, must be %s", what, found,
                   allowed);
}

/* Step 2: magic, class, encoding. */
static int check_ident(const struct q7_file *f, struct q7_error *err)
{
    const uint8_t *b = f->bytes;
    size_t magic = f->len < SELFMAG ? f->len : SELFMAG;
    if (f->len < sizeof(Elf32_Ehdr) && memcmp(b, ELFMAG, magic) == 0)
        return q7_fail(err, Q7_ST_NOT_ELF, "file", Q7_SAYS_INVALID,
                       "the file has %zu bytes, an ELF header has %zu", f->len, sizeof(Elf32_Ehdr));
    if (memcmp(b, ELFMAG, magic) != 0)
        return q7_fail(err, Q7_ST_NOT_ELF, "file offset 0x0", Q7_SAYS_INVALID,
                       "the file does not begin with the ELF magic 7f 45 4c 46");
    if (b[EI_CLASS] != ELFCLASS32)
        return not_elf(err, EI_CLASS, "EI_CLASS", b[EI_CLASS], "1 (32-bit)");
    if (b[EI_DATA] == ELFDATA2MSB)
        return q7_fail(err, Q7_ST_NOT_ELF, "file offset 0x5",
                       Q7_SAYS_INVALID ": big-endian image not supported",
                       "EI_DATA is 2 (big-endian), must be 1");
    if (b[EI_DATA] != ELFDATA2LSB)
        return not_elf(err, EI_DATA, "EI_DATA", b[EI_DATA], "1 (little-endian)");
    if (b[EI_VERSION] != EV_CURRENT)
        return not_elf(err, EI_VERSION, "EI_VERSION", b[EI_VERSION], "1");
    return 0;
}

/* The header fields of §2 that end in status 1; the rest is used by later steps. */
static int check_header(struct q7_file *f, const struct q7_options *opt, struct q7_error *err)
{
    const uint8_t *b = f->bytes;
    unsigned type = get_le16(b + AT(Elf32_Ehdr, e_type));
    unsigned machine = get_le16(b + AT(Elf32_Ehdr, e_machine));
    uint32_t version = get_le32(b + AT(Elf32_Ehdr, e_version));
    uint32_t flags = get_le32(b + AT(Elf32_Ehdr, e_flags));
    unsigned ehsize = get_le16(b + AT(Elf32_Ehdr, e_ehsize));
    unsigned shentsize = get_le16(b + AT(Elf32_Ehdr, e_shentsize));
    f->entry = get_le32(b + AT(Elf32_Ehdr, e_entry));
    f->phoff = get_le32(b + AT(Elf32_Ehdr, e_phoff));
    f->shoff = get_le32(b + AT(Elf32_Ehdr, e_shoff));
    f->phnum = get_le16(b + AT(Elf32_Ehdr, e_phnum));
    f->shnum = get_le16(b + AT(Elf32_Ehdr, e_shnum));
    f->shstrndx = get_le16(b + AT(Elf32_Ehdr, e_shstrndx));
    if (type != ET_EXEC && type != ET_DYN)
        return not_elf(err, AT(Elf32_Ehdr, e_type), "e_type", type, "2 (ET_EXEC) or 3 (ET_DYN)");
    if (machine != EM_XTENSA)
        return not_elf(err, AT(Elf32_Ehdr, e_machine), "e_machine", machine, "0x5e (Xtensa)");
    if (version != EV_CURRENT)
        return not_elf(err, AT(Elf32_Ehdr, e_version), "e_version", version, "1");
    if (!bytes_inside(f->len, f->shoff, f->shnum * sizeof(Elf32_Shdr)))
        return q7_fail(err, Q7_ST_NOT_ELF, "file offset 0x20", Q7_SAYS_INVALID,
                       "%u section headers at 0x%x exceed the file of 0x%zx bytes", f->shnum, f->shoff,
                       f->len);
    if (ehsize != sizeof(Elf32_Ehdr))
        return not_elf(err, AT(Elf32_Ehdr, e_ehsize), "e_ehsize", ehsize, "52");
    if (f->shnum && shentsize != sizeof(Elf32_Shdr)) /* a file without sections has no entry size */
        return not_elf(err, AT(Elf32_Ehdr, e_shentsize), "e_shentsize", shentsize, "40");
    if (flags != (Q7_EF_XT_INSN | Q7_EF_XT_LIT))
        q7_warn(opt, "file offset 0x24", "e_flags is 0x%x; known images have 0x%x", flags,
                Q7_EF_XT_INSN | Q7_EF_XT_LIT);
    return 0;
}

static size_t header_at(const struct q7_file *f, uint32_t index)
{
    return f->phoff + index * sizeof(Elf32_Phdr);
}

static struct q7_segment read_segment(const struct q7_file *f, uint32_t index)
{
    const uint8_t *p = f->bytes + header_at(f, index);
    return (struct q7_segment){
        .type = get_le32(p + AT(Elf32_Phdr, p_type)),
        .flags = get_le32(p + AT(Elf32_Phdr, p_flags)),
        .offset = get_le32(p + AT(Elf32_Phdr, p_offset)),
        .vaddr = get_le32(p + AT(Elf32_Phdr, p_vaddr)),
        .filesz = get_le32(p + AT(Elf32_Phdr, p_filesz)),
        .memsz = get_le32(p + AT(Elf32_Phdr, p_memsz)),
        .align = get_le32(p + AT(Elf32_Phdr, p_align)),
    };
}

/* CONVENTION rules of §3 for one used header. */
static int check_segment(const struct q7_file *f, const struct q7_segment *s, uint32_t index,
                         struct q7_error *err)
{
    char where[40];
    uint32_t paddr = get_le32(f->bytes + header_at(f, index) + AT(Elf32_Phdr, p_paddr));
    snprintf(where, sizeof where, "program header %u", index);
    if (s->filesz > s->memsz)
        return q7_fail(err, Q7_ST_NOT_SPLIT, where, Q7_SAYS_INVALID, "p_filesz 0x%x exceeds p_memsz 0x%x",
                       s->filesz, s->memsz);
    if (!bytes_inside(f->len, s->offset, s->filesz))
        return q7_fail(err, Q7_ST_NOT_SPLIT, where, Q7_SAYS_INVALID,
                       "0x%x bytes at 0x%x exceed the file of 0x%zx bytes", s->filesz, s->offset, f->len);
    if (s->align & (s->align - 1))
        return q7_fail(err, Q7_ST_NOT_SPLIT, where, Q7_SAYS_INVALID, "p_align 0x%x is no power of two",
                       s->align);
    if (paddr != s->vaddr)
        return q7_fail(err, Q7_ST_NOT_SPLIT, where, Q7_SAYS_INVALID, "p_paddr 0x%x differs from p_vaddr 0x%x",
                       paddr, s->vaddr);
    return 0;
}

static bool is_code(const struct q7_segment *s)
{
    return s->type == PT_LOAD && (s->flags & (PF_R | PF_W | PF_X)) == (PF_R | PF_X);
}

static bool is_data(const struct q7_segment *s)
{
    return s->type == PT_LOAD && (~s->flags & (PF_R | PF_W)) == 0;
}

static bool is_scratch(const struct q7_segment *s)
{
    return s->type == PT_LOAD && (s->flags & (PF_R | PF_W)) == PF_W;
}

static bool is_dynamic(const struct q7_segment *s)
{
    return s->type == PT_DYNAMIC && (s->flags & (PF_R | PF_W | PF_X)) == (PF_R | PF_W);
}

static int wrong_role(struct q7_error *err, uint32_t index, const struct q7_segment *s, const char *wanted)
{
    char where[40];
    snprintf(where, sizeof where, "program header %u", index);
    return q7_fail(err, Q7_ST_NOT_SPLIT, where, Q7_SAYS_INVALID, "type %u with flags 0x%x, must be %s",
                   s->type, s->flags, wanted);
}

/* Step 3: which header plays which role. *dynamic: index of the DYNAMIC header. */
static int assign_roles(struct q7_file *f, uint32_t *dynamic, struct q7_error *err)
{
    struct q7_segment *code = &f->segment[Q7_SEG_CODE], *data = &f->segment[Q7_SEG_DATA];
    struct q7_segment third = read_segment(f, 2);
    *code = read_segment(f, 0);
    *data = read_segment(f, 1);
    if (!is_code(code))
        return wrong_role(err, 0, code, "LOAD with R and X (code)");
    if (!is_data(data))
        return wrong_role(err, 1, data, "LOAD with R and W (data)");
    f->split = is_scratch(&third);
    if (!f->split) {
        *dynamic = 2;
        f->segment[Q7_SEG_DYNAMIC] = third;
        if (!is_dynamic(&third))
            return wrong_role(err, 2, &third, "LOAD with W without R (scratch) or DYNAMIC with R and W");
        return 0;
    }
    *dynamic = 3;
    f->segment[Q7_SEG_SCRATCH] = third;
    if (f->phnum < 4)
        return not_split(err, AT(Elf32_Ehdr, e_phnum), "e_phnum", f->phnum, "at least 4 with a scratch LOAD");
    f->segment[Q7_SEG_DYNAMIC] = read_segment(f, 3);
    if (!is_dynamic(&f->segment[Q7_SEG_DYNAMIC]))
        return wrong_role(err, 3, &f->segment[Q7_SEG_DYNAMIC], "DYNAMIC with R and W");
    return 0;
}

static int check_segments(struct q7_file *f, struct q7_error *err)
{
    const struct q7_segment *code = &f->segment[Q7_SEG_CODE], *data = &f->segment[Q7_SEG_DATA];
    unsigned phentsize = get_le16(f->bytes + AT(Elf32_Ehdr, e_phentsize));
    uint32_t dynamic = 0;
    if (!bytes_inside(f->len, f->phoff, f->phnum * sizeof(Elf32_Phdr)))
        return q7_fail(err, Q7_ST_NOT_SPLIT, "file offset 0x1c", Q7_SAYS_INVALID,
                       "%u program headers at 0x%x exceed the file of 0x%zx bytes", f->phnum, f->phoff,
                       f->len);
    if (phentsize != sizeof(Elf32_Phdr))
        return not_split(err, AT(Elf32_Ehdr, e_phentsize), "e_phentsize", phentsize, "32");
    if (f->phnum < 3)
        return not_split(err, AT(Elf32_Ehdr, e_phnum), "e_phnum", f->phnum, "at least 3");
    int rc = assign_roles(f, &dynamic, err);
    for (uint32_t i = 0, used = dynamic + 1; rc == 0 && i < used; i++) {
        const struct q7_segment *s = &f->segment[i == dynamic ? Q7_SEG_DYNAMIC : i];
        rc = check_segment(f, s, i, err);
    }
    if (rc == 0 && (uint64_t)code->vaddr + code->memsz + Q7_SPLIT_GAP > data->vaddr)
        rc = q7_fail(err, Q7_ST_NOT_SPLIT, "program header 1", Q7_SAYS_INVALID,
                     "data at 0x%x is less than 0x%x above the end of the code at 0x%x + 0x%x", data->vaddr,
                     Q7_SPLIT_GAP, code->vaddr, code->memsz);
    return rc;
}

static const uint8_t *section(const struct q7_file *f, uint32_t index)
{
    return f->bytes + f->shoff + index * sizeof(Elf32_Shdr);
}

/* Step 4, §7.1: sections decide; without usable ones the LOAD headers do. */
static int find_align(struct q7_file *f, struct q7_error *err)
{
    bool usable = false;
    uint32_t align = 0;
    for (uint32_t i = 0; i < f->shnum; i++) {
        const uint8_t *s = section(f, i);
        if (get_le32(s + AT(Elf32_Shdr, sh_type)) == SHT_NULL || get_le32(s + AT(Elf32_Shdr, sh_size)) == 0)
            continue;
        uint32_t a = get_le32(s + AT(Elf32_Shdr, sh_addralign));
        usable = true;
        align = a > align ? a : align;
    }
    for (unsigned i = 0; !usable && i < Q7_SEG_DYNAMIC; i++)
        align = f->segment[i].align > align ? f->segment[i].align : align;
    if (!usable && align == 0)
        align = Q7_ALIGN_DEFAULT;
    if (align == 0 || (align & (align - 1)) || align > Q7_ALIGN_MAX)
        return q7_fail(err, Q7_ST_NOT_SPLIT, usable ? "section headers" : "program headers", Q7_SAYS_INVALID,
                       "the largest alignment is 0x%x, must be a power of two up to 0x%x", align,
                       Q7_ALIGN_MAX);
    f->align = align;
    return 0;
}

int q7_read_headers(struct q7_file *f, const struct q7_options *opt, struct q7_error *err)
{
    int rc = check_ident(f, err);
    if (rc == 0)
        rc = check_header(f, opt, err);
    if (rc == 0)
        rc = check_segments(f, err);
    if (rc == 0)
        rc = find_align(f, err);
    return rc;
}

/* The bytes of the section name table; false when the file has none that can be read. */
static bool section_names(const struct q7_file *f, const char **names, uint32_t *bytes)
{
    if (f->shstrndx == SHN_UNDEF || f->shstrndx >= f->shnum)
        return false;
    const uint8_t *s = section(f, f->shstrndx);
    uint32_t at = get_le32(s + AT(Elf32_Shdr, sh_offset));
    *bytes = get_le32(s + AT(Elf32_Shdr, sh_size));
    if (!bytes_inside(f->len, at, *bytes))
        return false;
    *names = (const char *)f->bytes + at;
    return true;
}

bool q7_find_section(const struct q7_file *f, const char *name, uint32_t *addr, uint32_t *size)
{
    const char *names;
    uint32_t bytes;
    size_t n = strlen(name) + 1;
    if (!section_names(f, &names, &bytes))
        return false;
    for (uint32_t i = 1; i < f->shnum; i++) {
        const uint8_t *s = section(f, i);
        uint32_t at = get_le32(s + AT(Elf32_Shdr, sh_name));
        if (get_le32(s + AT(Elf32_Shdr, sh_type)) == SHT_NULL || !bytes_inside(bytes, at, n) ||
            memcmp(names + at, name, n) != 0)
            continue;
        *addr = get_le32(s + AT(Elf32_Shdr, sh_addr));
        *size = get_le32(s + AT(Elf32_Shdr, sh_size));
        return true;
    }
    return false;
}

bool q7_section_name(const void *elf, size_t len, uint32_t va, char *name, size_t size, uint32_t *offset)
{
    struct q7_file f = { .bytes = elf, .len = len };
    const struct q7_options quiet = { 0 };
    struct q7_error err;
    const char *names;
    uint32_t bytes;
    name[0] = '\0';
    *offset = 0;
    if (len < sizeof(Elf32_Ehdr) || get_le16(f.bytes + AT(Elf32_Ehdr, e_shnum)) > NAMED_SECTIONS_MAX ||
        q7_read_headers(&f, &quiet, &err) || !section_names(&f, &names, &bytes))
        return false;
    for (uint32_t i = 1; i < f.shnum; i++) {
        const uint8_t *s = section(&f, i);
        uint32_t at = get_le32(s + AT(Elf32_Shdr, sh_name));
        *offset = va - get_le32(s + AT(Elf32_Shdr, sh_addr));
        if ((get_le32(s + AT(Elf32_Shdr, sh_flags)) & SHF_ALLOC) == 0 || at >= bytes ||
            *offset >= get_le32(s + AT(Elf32_Shdr, sh_size)))
            continue;
        size_t n = strnlen(names + at, bytes - at);
        snprintf(name, size, "%.*s", (int)(n < size ? n : size), names + at);
        return true;
    }
    return false;
}

bool q7_in_segment(const struct q7_segment *s, uint32_t va, uint32_t n)
{
    return va >= s->vaddr && (uint64_t)va + n <= (uint64_t)s->vaddr + s->memsz;
}

uint32_t q7_data_word(const struct q7_file *f, uint32_t va)
{
    const struct q7_segment *s = &f->segment[Q7_SEG_DATA];
    uint32_t at = va - s->vaddr, word = 0;
    for (unsigned i = 0; i < sizeof word && at + i < s->filesz; i++)
        word |= (uint32_t)f->bytes[s->offset + at + i] << 8 * i;
    return word;
}

struct q7_rela q7_rela_at(const struct q7_file *f, uint32_t index)
{
    const uint8_t *p = f->bytes + f->rela_at + index * sizeof(Elf32_Rela);
    return (struct q7_rela){ get_le32(p + AT(Elf32_Rela, r_offset)), get_le32(p + AT(Elf32_Rela, r_info)),
                             get_le32(p + AT(Elf32_Rela, r_addend)) };
}
