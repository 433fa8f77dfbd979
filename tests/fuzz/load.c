/* Programs that the manifests accept (as text: folder.h) through the load plan, and what the plan answers. */
#include "folder.h"
#include "load/loadplan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_plan(const struct loadplan *plan)
{
    char text[256];
    struct nerr err;
    for (size_t i = 0; i < plan->ninit; i++) {
        const struct load_op *op = &plan->init[i];
        DEMAND(op->label);
        if (op->kind == LOAD_MEM_WRITE && op->bytes)
            frame_touch(op->bytes, op->len);
        if (op->kind == LOAD_MEM_WRITE)
            DEMAND(load_addr_text(plan, op->addr, text, sizeof text) == text);
    }
    for (unsigned e = 0; e < PROG_ENGINES; e++) {
        const struct load_image *img = &plan->images[e];
        DEMAND(img->size % SLOT_BYTES == 0);
        for (uint64_t pc = 0; pc <= img->size; pc += SLOT_BYTES) {
            DEMAND(load_source_slot(img, pc, &err) <= img->source_slots);
            DEMAND(load_pc_text(plan, e, pc, text, sizeof text) == text);
        }
    }
    for (size_t i = 0; i < plan->nrings; i++) {
        const struct load_ring *r = &plan->rings[i];
        DEMAND(r->m2s_used <= r->entries && r->s2m_used <= r->entries);
        frame_touch(r->m2s, r->entries * DESC_BYTES);
        frame_touch(r->s2m, r->entries * DESC_BYTES);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct neff *n = folder_open(data, size);
    struct program *p = NULL;
    struct loadplan *plan = NULL;
    struct nerr err;
    if (n && program_read(n, NULL, &p, &err) == 0) {
        if (load_plan(p, NULL, &plan, &err) == 0) {
            check_plan(plan);
            load_free(plan);
        } else {
            DEMAND(err.code != 0 && err.text[0]);
        }
        program_free(p);
    }
    neff_close(n);
    return 0;
}
