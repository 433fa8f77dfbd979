/* From device places back to the source: PC, descriptor and address texts, PC mapping (tpb-image.md §5.2). */
#include "isa/isa.h"
#include "load/loadplan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/*
 * The arithmetic walk over the patch records of one section. MAIN records are image-relative, FUNCTION
 * records relative to the function region, so `origin` is the address that offset 0 of a record means.
 */
static uint32_t walk(const struct load_image *img, uint32_t section, uint64_t origin, uint64_t first,
                     uint64_t pc)
{
    uint64_t addr = first;
    uint32_t ip = 1;
    size_t next = 0;
    for (;;) {
        while (next < img->npatches &&
               (img->patches[next].section != section || origin + img->patches[next].offset < addr))
            next++;
        const struct load_patch *p = next < img->npatches ? &img->patches[next] : NULL;
        bool here = p && origin + p->offset == addr;
        if (here && p->type == PATCH_TYPE_DELETE && addr <= pc) {
            ip += p->count;
            next++;
            continue;
        }
        if (addr >= pc)
            return ip;
        if (here && p->type == PATCH_TYPE_INSERT) {
            addr += (uint64_t)p->count * SLOT_BYTES;
            next++;
            continue;
        }
        addr += SLOT_BYTES; /* a MODIFY record stands for one slot, like no record */
        ip++;
    }
}

uint32_t load_source_slot(const struct load_image *img, uint64_t pc, struct nerr *err)
{
    uint64_t main_start = img->base + img->main, main_end = img->base + img->postamble;
    uint64_t fn_start = img->base + img->function, fn_end = img->base + img->size;
    if (pc >= main_start && pc < main_end)
        return walk(img, PATCH_SECTION_MAIN, img->base, main_start, pc);
    if (pc >= fn_start && pc < fn_end)
        return walk(img, PATCH_SECTION_MAIN, img->base, main_start, main_end) - 1 +
               walk(img, PATCH_SECTION_FUNCTION, fn_start, fn_start, pc);
    nerr_set(err, NERR_RULE, img->source,
             "device_ip 0x%" PRIx64 " is out of bounds of main and function buffer", pc);
    return 0;
}

/* The statement without its ';': reports go on behind it. */
static const char *statement(const uint8_t *slot, char *text, size_t size)
{
    size_t n = strlen(isa_text(slot, text, size));
    if (n && text[n - 1] == ';')
        text[n - 1] = '\0';
    return text;
}

const char *load_pc_text(const struct loadplan *plan, unsigned engine, uint64_t pc, char *buf, size_t size)
{
    static const char *const sections[] = { [LOAD_PREAMBLE] = "preamble",
                                            [LOAD_POSTAMBLE] = "postamble",
                                            [LOAD_MAIN] = "main",
                                            [LOAD_FUNCTION] = "function" };
    if (engine >= PROG_ENGINES) {
        snprintf(buf, size, "engine %u PC 0x%" PRIx64, engine, pc);
        return buf;
    }
    const struct load_image *img = &plan->images[engine];
    const char *name = isa_engine_name(engine);
    if (pc < img->base || pc - img->base >= img->size || (pc - img->base) % SLOT_BYTES) {
        snprintf(buf, size, "%s PC 0x%" PRIx64 " (no slot of its image)", name, pc);
        return buf;
    }
    uint64_t at = pc - img->base;
    const struct load_slot *slot = &img->slots[at / SLOT_BYTES];
    char text[256];
    const char *what = slot->what ? slot->what : statement(img->bytes + at, text, sizeof text);
    if (!slot->source_slot)
        snprintf(buf, size, "%s 0x%03" PRIx64 " %s: %s", name, at, sections[slot->section], what);
    else if (slot->function)
        snprintf(buf, size, "%s 0x%03" PRIx64 " = %s slot %" PRIu32 " (function %s): %s", name, at,
                 img->source, slot->source_slot, slot->function, what);
    else
        snprintf(buf, size, "%s 0x%03" PRIx64 " = %s slot %" PRIu32 ": %s", name, at, img->source,
                 slot->source_slot, what);
    return buf;
}

const char *load_desc_text(const struct loadplan *plan, unsigned engine, unsigned queue, unsigned dir,
                           uint32_t index, char *buf, size_t size)
{
    const char *side = dir ? "S2M" : "M2S";
    for (size_t i = 0; i < plan->nrings; i++) {
        const struct load_ring *r = &plan->rings[i];
        if (r->engine != engine || r->queue != queue)
            continue;
        size_t used = dir ? r->s2m_used : r->m2s_used;
        const struct load_ring_entry *from = dir ? r->s2m_from : r->m2s_from;
        /* entry of this inference at that index; the ring may have started anywhere (load_restamp) */
        size_t first = (size_t)(r->first[dir ? 1 : 0] % r->entries);
        size_t entry = index < r->entries ? (index + r->entries - first) % r->entries : used;
        snprintf(buf, size, "%s %s[%" PRIu32 "] (e%u q%u): %s", r->name, side, index, engine, queue,
                 entry < used ? from[entry].from : "unused entry");
        return buf;
    }
    snprintf(buf, size, "%s[%" PRIu32 "] (e%u q%u): no ring of this program", side, index, engine, queue);
    return buf;
}

/* True when soc is in [base, base + len): writes "name+0xoff". */
static bool inside(uint64_t soc, uint64_t base, uint64_t len, const char *kind, const char *name,
                   const char *side, char *buf, size_t size)
{
    if (soc < base || soc - base >= len)
        return false;
    snprintf(buf, size, "%s%s%s+0x%" PRIx64, kind, name, side, soc - base);
    return true;
}

const char *load_addr_text(const struct loadplan *plan, uint64_t soc, char *buf, size_t size)
{
    char name[16];
    for (size_t i = 0; i < plan->prog->nvars; i++) {
        const struct prog_var *v = &plan->prog->vars[i];
        uint64_t len = v->kind == VARK_SB ? SOC_SBUF_BYTES : plan->vars[i].size;
        if (inside(soc, plan->vars[i].addr, len, "", v->name, "", buf, size))
            return buf;
    }
    for (unsigned e = 0; e < PROG_ENGINES; e++)
        if (inside(soc, plan->images[e].base, plan->images[e].size, "image ", isa_engine_name(e), "", buf,
                   size))
            return buf;
    for (size_t i = 0; i < plan->nrings; i++) {
        const struct load_ring *r = &plan->rings[i];
        uint64_t len = (uint64_t)r->entries * DESC_BYTES;
        if (inside(soc, r->m2s_base, len, "ring ", r->name, " M2S", buf, size) ||
            inside(soc, r->s2m_base, len, "ring ", r->name, " S2M", buf, size))
            return buf;
    }
    for (size_t i = 0; i < plan->nlibraries; i++)
        if (inside(soc, plan->libraries[i].staging, Q7_STAGING_BYTES, "library ", plan->libraries[i].name, "",
                   buf, size))
            return buf;
    for (unsigned q = 0; q < sizeof plan->notify_base / sizeof *plan->notify_base; q++) {
        snprintf(name, sizeof name, "%u", q);
        if (inside(soc, plan->notify_base[q], plan->notify_bytes, "record ring ", name, "", buf, size))
            return buf;
    }
    snprintf(buf, size, "0x%" PRIx64, soc);
    return buf;
}

const struct load_var *load_find_var(const struct loadplan *plan, const char *name)
{
    long i = program_find_var(plan->prog, name);
    return i < 0 ? NULL : &plan->vars[i];
}
