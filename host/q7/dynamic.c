/* Step 5 of the pipeline: the dynamic array (q7-prelink.md §4), after the program headers were checked. */
#include <elf.h>

#include "q7/private.h"
#include "util/bytes.h"

#define SAYS_NO_DYNAMIC "Failed to extract dynamic relocation info from ELF shared object file"

struct rela_tags { /* DT_RELA, DT_RELASZ, DT_RELAENT */
    uint32_t va, bytes, entry;
    bool has_va, has_bytes, has_entry;
};

static void keep(uint32_t value, uint32_t *to, bool *has)
{
    *to = value;
    *has = true;
}

/* A repeated tag: the last one counts, as in a loader that stores while it walks. */
static void take_tag(struct q7_file *f, struct rela_tags *r, uint32_t tag, uint32_t value)
{
    switch (tag) {
    case DT_HASH:
        keep(value, &f->hash, &f->has_hash);
        break;
    case DT_STRTAB:
        keep(value, &f->strtab, &f->has_strtab);
        break;
    case DT_SYMTAB:
        keep(value, &f->symtab, &f->has_symtab);
        break;
    case DT_RELA:
        keep(value, &r->va, &r->has_va);
        break;
    case DT_RELASZ:
        keep(value, &r->bytes, &r->has_bytes);
        break;
    case DT_RELAENT:
        keep(value, &r->entry, &r->has_entry);
        break;
    case DT_INIT:
        keep(value, &f->init, &f->has_init);
        break;
    case DT_FINI:
        keep(value, &f->fini, &f->has_fini);
        break;
    case Q7_DT_TEXT:
        f->text_addr = value;
        break;
    default:
        break;
    }
}

static void walk(struct q7_file *f, struct rela_tags *r)
{
    const struct q7_segment *d = &f->segment[Q7_SEG_DYNAMIC];
    for (uint32_t at = 0; d->filesz - at >= sizeof(Elf32_Dyn); at += (uint32_t)sizeof(Elf32_Dyn)) {
        const uint8_t *p = f->bytes + d->offset + at;
        uint32_t tag = get_le32(p + offsetof(Elf32_Dyn, d_tag));
        if (tag == DT_NULL)
            return;
        take_tag(f, r, tag, get_le32(p + offsetof(Elf32_Dyn, d_un)));
    }
}

static int no_table(struct q7_error *err, const char *detail)
{
    return q7_fail(err, Q7_ST_NO_DYNAMIC, "dynamic section", SAYS_NO_DYNAMIC, "%s", detail);
}

/* Where the relocation table is in the file: below the scratch segment, or below the data segment. */
static int locate(struct q7_file *f, const struct rela_tags *r, struct q7_error *err)
{
    const struct q7_segment *s = &f->segment[f->split ? Q7_SEG_SCRATCH : Q7_SEG_DATA];
    if (!r->has_va)
        return no_table(err, "there is no DT_RELA");
    if (!r->has_bytes || !r->has_entry)
        return no_table(err, r->has_bytes ? "there is no DT_RELAENT beside DT_RELA"
                                          : "there is no DT_RELASZ beside DT_RELA");
    if (r->bytes > INT32_MAX)
        return q7_fail(err, Q7_ST_NO_DYNAMIC, "dynamic section", SAYS_NO_DYNAMIC,
                       "DT_RELASZ is 0x%x, must be below 0x80000000", r->bytes);
    f->rela_at = s->offset + r->va - s->vaddr; /* modulo 2^32 */
    f->rela_count = r->bytes / (uint32_t)sizeof(Elf32_Rela);
    if (r->bytes && !bytes_inside(f->len, f->rela_at, r->bytes))
        return q7_fail(
            err, Q7_ST_NO_DYNAMIC, "dynamic section", SAYS_NO_DYNAMIC,
            "the relocation table, 0x%x bytes at file offset 0x%x, exceeds the file of 0x%zx bytes", r->bytes,
            (uint32_t)f->rela_at, f->len);
    return 0;
}

/* CONVENTION: entry, init and fini are code. */
static int check_address(const struct q7_file *f, const char *where, const char *what, uint32_t va,
                         struct q7_error *err)
{
    const struct q7_segment *code = &f->segment[Q7_SEG_CODE];
    if (q7_in_segment(code, va, 1))
        return 0;
    return q7_fail(err, Q7_ST_RELOCATION, where, NULL, "%s 0x%x is outside the code LOAD 0x%x..0x%llx", what,
                   va, code->vaddr, (unsigned long long)code->vaddr + code->memsz);
}

int q7_read_dynamic(struct q7_file *f, struct q7_error *err)
{
    struct rela_tags r = { 0 };
    walk(f, &r);
    int rc = locate(f, &r, err);
    if (rc == 0)
        rc = check_address(f, "file offset 0x18", "e_entry", f->entry, err);
    if (rc == 0 && r.bytes % sizeof(Elf32_Rela))
        rc = q7_fail(err, Q7_ST_RELOCATION, "dynamic section", NULL, "DT_RELASZ is 0x%x, no multiple of 12",
                     r.bytes);
    if (rc == 0 && r.entry != sizeof(Elf32_Rela))
        rc = q7_fail(err, Q7_ST_RELOCATION, "dynamic section", NULL, "DT_RELAENT is 0x%x, must be 12",
                     r.entry);
    if (rc == 0 && f->has_init)
        rc = check_address(f, "dynamic section", "DT_INIT", f->init, err);
    if (rc == 0 && f->has_fini)
        rc = check_address(f, "dynamic section", "DT_FINI", f->fini, err);
    return rc;
}
