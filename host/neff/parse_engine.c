/* Engine JSON files: program member, tables, DMA blocks (neff-container.md §14). */
#include <stdlib.h>
#include <string.h>

#include "neff/container.h"
#include "neff/parse.h"
#include "regs.h"

static int read_program(struct parse *p, const struct json *j, int engine, struct prog_engine *e)
{
    const struct neff_member *m;
    if (!json_get(json_root(j), "instr"))
        return json_error(j, json_root(j), NULL, p->err, "the required key \"instr\" is missing");
    int rc = parse_member(p, j, json_get(json_root(j), "instr"), &m, &e->bin_name);
    if (rc)
        return rc;
    if ((uint64_t)m->size > UINT32_MAX)
        return json_error(j, json_root(j), "instr", p->err,
                          "Instruction size %zu for %s exceeds maximum supported size %u", m->size,
                          e->bin_name, UINT32_MAX);
    size_t unit = engine == ENG_SP ? SP8_SLOT_BYTES : SLOT_BYTES; /* SP may hold either dialect */
    e->code_size = m->size;
    e->code = m->size ? m->data : NULL;
    if (m->size % unit && !p->sink) /* `check` refuses it when it judges the slots */
        return parse_warn_member(p, e->bin_name, "has %zu bytes, which is no multiple of the %zu-byte slot",
                                 m->size, unit);
    return 0;
}

static int read_engine(struct parse *p, int engine, struct prog_engine *e)
{
    struct json *j;
    int rc = parse_document(p, e->json_name, p->prog->definition, &j);
    if (rc) {
        p->prog->gaps.blocks = true;
        return parse_problem(p, e->json_name, TIER_SECTION, rc, &e->bad);
    }
    rc = parse_entry(p, j, read_program(p, j, engine, e), &e->bad);
    if (rc == 0 && engine == ENG_ACT)
        rc = parse_act(p, j);
    if (rc == 0 && engine == ENG_DVE)
        rc = parse_dve(p, j);
    if (rc == 0)
        rc = parse_entry(p, j, parse_blocks(p, j, e->json_name, engine), &p->prog->gaps.blocks);
    json_free(j);
    return rc;
}

int parse_engines(struct parse *p, const struct json *def)
{
    int rc = 0;
    for (int i = 0; rc == 0 && i < PROG_ENGINES; i++) {
        struct prog_engine *e = &p->prog->engines[i];
        const json_value *v = json_get(json_root(def), program_engine_name(i));
        const struct neff_member *m;
        if (!v) {
            rc = parse_warn_member(p, p->sink ? p->prog->definition : p->prog->graph_name,
                                   "Engine %s not found in NEFF %s, using empty placeholder",
                                   program_engine_name(i), neff_get_header(p->neff)->name);
            continue;
        }
        e->present = true;
        rc = parse_entry(p, def, parse_member(p, def, v, &m, &e->json_name), &e->bad);
        if (e->bad)
            p->prog->gaps.blocks = true;
        else if (rc == 0)
            rc = read_engine(p, i, e);
    }
    return rc;
}
