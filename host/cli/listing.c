/* Programs of a NEFF or a bare file as text or JSON: see listing.h. */
#include "cli/listing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regs.h"
#include "util/bytes.h"
#include "util/json_write.h"

enum { TAR_BLOCK = 512, TAR_CHECKSUM = 148, TAR_CHECKSUM_BYTES = 8 };

/* The checksum of a tar header block: the sum of its bytes, its own field as spaces, in octal. */
static bool is_tar(const uint8_t *block)
{
    unsigned long sum = 0;
    char octal[TAR_CHECKSUM_BYTES + 1] = { 0 };
    for (unsigned i = 0; i < TAR_BLOCK; i++)
        sum += i >= TAR_CHECKSUM && i < TAR_CHECKSUM + TAR_CHECKSUM_BYTES ? ' ' : block[i];
    memcpy(octal, block + TAR_CHECKSUM, TAR_CHECKSUM_BYTES);
    return sum == strtoul(octal, NULL, 8);
}

bool listing_is_neff(const uint8_t *head, size_t n, uint64_t size)
{
    if (n < NEFF_HDR_SIZE + 2 || size <= NEFF_HDR_SIZE)
        return false;
    uint64_t pkg = get_le64(head + NEFF_HDR_PKG_VERSION_OFF);
    if (get_le64(head + NEFF_HDR_HEADER_SIZE_OFF) != NEFF_HDR_SIZE ||
        (pkg != NEFF_PKG_TAR_SHA256 && pkg != NEFF_PKG_GZIP_MD5) ||
        get_le64(head + NEFF_HDR_VERSION_MAJOR_OFF) > NEFF_MAJOR_MAX ||
        get_le64(head + NEFF_HDR_DATA_SIZE_OFF) > size - NEFF_HDR_SIZE)
        return false;
    return get_le16(head + NEFF_HDR_SIZE) == NEFF_GZIP_MAGIC ||
           (n >= NEFF_HDR_SIZE + TAR_BLOCK && is_tar(head + NEFF_HDR_SIZE));
}

/* §6 of the sequencer page: an SP program is 64- or 8-byte as a whole; an explicit choice wins. */
static int choose(struct listed *l, bool sp, const struct listing_options *opt, struct nerr *err)
{
    l->dialect = opt->text.dialect;
    if (opt->has_dialect && (opt->text.dialect != ISA_SP8 || sp))
        return 0;
    l->dialect = ISA_NEURON;
    return sp ? isa_sp_dialect(l->code, l->size, &l->dialect, err) : 0;
}

static int add_program(const struct program *p, const struct listing_options *opt, struct listed *list,
                       size_t *count, struct nerr *err)
{
    for (int e = 0; e < PROG_ENGINES; e++) {
        const struct prog_engine *engine = &p->engines[e];
        const char *name = program_engine_name(e);
        if (!engine->present || (opt->engine && strcmp(opt->engine, name) != 0))
            continue;
        struct listed *l = &list[(*count)++];
        *l = (struct listed){ .graph = p->graph_name,
                              .engine = name,
                              .member = engine->bin_name,
                              .code = engine->code,
                              .size = engine->code_size };
        int rc = choose(l, e == ENG_SP, opt, err);
        if (rc) {
            nerr_prefix(err, l->member);
            return rc;
        }
    }
    return 0;
}

int listing_neff(const struct neff *n, const struct listing_options *opt, struct program ***programs,
                 size_t *nprograms, struct listed **list, size_t *count, struct nerr *err)
{
    const char **graphs;
    size_t ngraphs;
    *programs = NULL;
    *nprograms = 0;
    *list = NULL;
    *count = 0;
    int rc = program_graphs(n, &graphs, &ngraphs, err);
    if (rc)
        return rc;
    *programs = calloc(ngraphs + 1, sizeof **programs);
    *list = calloc(ngraphs + 1, PROG_ENGINES * sizeof **list);
    if (!*programs || !*list)
        rc = nerr_set(err, NERR_MEM, "", "out of memory");
    for (size_t i = 0; rc == 0 && i < ngraphs; i++) {
        if (opt->graph && strcmp(opt->graph, graphs[i]) != 0)
            continue;
        rc = program_read(n, graphs[i], &(*programs)[*nprograms], err);
        if (rc == 0)
            rc = add_program((*programs)[(*nprograms)++], opt, *list, count, err);
    }
    if (rc == 0 && opt->graph && *nprograms == 0)
        rc = nerr_set(err, NERR_INPUT, "", "there is no graph '%s'; the first one is '%s'", opt->graph,
                      ngraphs ? graphs[0] : "");
    free(graphs);
    return rc;
}

int listing_file(const char *name, const uint8_t *code, size_t size, const struct listing_options *opt,
                 struct listed *out, struct nerr *err)
{
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    bool sp = opt->engine ? strcmp(opt->engine, "sp") == 0 : strcmp(base, "sp.bin") == 0;
    *out = (struct listed){ .member = name, .code = code, .size = size, .dialect = opt->text.dialect };
    return opt->has_dialect ? 0 : choose(out, sp, opt, err);
}

static int disasm(const struct listed *l, const struct listing_options *opt, struct strbuf *out,
                  struct nerr *err)
{
    struct isa_text_options text = opt->text;
    text.dialect = l->dialect;
    int rc = isa_disasm(l->code, l->size, &text, out, err);
    return rc ? nerr_prefix(err, l->member) : 0;
}

/* A name from the file, harmless in a comment line. */
static void add_name(struct strbuf *out, const char *name)
{
    for (; *name; name++) {
        char c = *name < ' ' || *name == 0x7f ? '?' : *name;
        strbuf_add(out, &c, 1);
    }
}

int listing_text(const struct listed *list, size_t count, const struct listing_options *opt, bool headings,
                 struct strbuf *out, struct nerr *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < count; i++) {
        if (headings) {
            size_t slots = list[i].size / isa_slot_bytes(list[i].dialect);
            strbuf_puts(out, i ? "\n# " : "# ");
            add_name(out, list[i].member);
            strbuf_printf(out, ": %zu slot%s, %s\n", slots, slots == 1 ? "" : "s",
                          isa_dialect_names[list[i].dialect]);
        }
        rc = disasm(&list[i], opt, out, err);
    }
    return rc;
}

static void hex(const uint8_t *b, size_t n, char *out)
{
    for (size_t i = 0; i < n; i++, out += 2)
        snprintf(out, 3, "%02x", b[i]);
}

static void put_slot(struct json_out *o, const struct listed *l, size_t index, const char *text)
{
    unsigned step = isa_slot_bytes(l->dialect);
    char bytes[2 * SLOT_BYTES + 1];
    hex(l->code + index * step, step, bytes);
    json_open(o, '{');
    json_field_string(o, "graph", l->graph);
    json_field_string(o, "engine", l->engine);
    json_field_string(o, "member", l->member);
    json_field_u64(o, "index", index);
    json_field_u64(o, "offset", index * step);
    json_field_string(o, "hex", bytes);
    json_field_string(o, "text", text);
    json_close(o, '}');
}

int listing_json(const struct listed *list, size_t count, const struct listing_options *opt,
                 struct strbuf *out, struct nerr *err)
{
    struct json_out o = { .b = out };
    struct listing_options plain = *opt;
    plain.text.comments = false;
    json_open(&o, '[');
    for (size_t i = 0; i < count; i++) {
        struct strbuf text = { 0 };
        int rc = disasm(&list[i], &plain, &text, err);
        size_t index = 0;
        /* One line per slot, and no other newlines. */
        for (char *line = text.s, *end; rc == 0 && line && *line; line = end + 1) {
            end = strchr(line, '\n');
            *end = '\0';
            put_slot(&o, &list[i], index++, line);
        }
        strbuf_free(&text);
        if (rc)
            return rc;
    }
    json_close(&o, ']');
    return 0;
}
