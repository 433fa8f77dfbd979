/* A Q7 kernel library through the prelinker, on every generation and with every switch. */
#include "frame.h"
#include "q7/q7.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
    const struct q7_options *opt;
    size_t relocs;
};

static void reloc(void *ctx, const struct q7_reloc *r)
{
    struct seen *s = ctx;
    const struct q7_window *w = r->in_data ? &s->opt->data : &s->opt->code;
    s->relocs++;
    if (r->type)
        DEMAND(r->staged >= w->base && r->staged - w->base < w->size);
}

static void warn(void *ctx, const char *where, const char *text)
{
    (void)ctx;
    DEMAND(where && text[0]);
}

static void check_image(const uint8_t *elf, size_t size, const struct q7_image *img, unsigned arch)
{
    struct q7_ucpl u;
    struct q7_insn insn;
    struct nerr err;
    char name[32];
    uint32_t off;
    uint8_t *staged = malloc(img->size ? img->size : 1);
    DEMAND(img->size <= (uint64_t)img->code_window.size + img->data_window.size + UCPL_SIZE);
    if (!staged)
        return;
    q7_image_write(img, staged);
    frame_touch(staged, img->size);
    (void)q7_ucpl_decode(staged, img->size, &u, &err);
    free(staged);
    for (size_t at = 0; q7_insn_next(img->code, img->code_window.size, &at, &insn);)
        DEMAND(at == insn.offset + insn.length);
    for (size_t i = 0; i < img->nrows; i++) {
        long row = q7_find_row(img, img->rows[i].opcode, img->rows[i].spec);
        DEMAND(row < 0 || (row <= (long)i && img->rows[row].opcode == img->rows[i].opcode));
        (void)q7_section_name(elf, size, img->rows[i].func_link, name, sizeof name, &off);
    }
    (void)arch;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *elf = malloc(size ? size : 1);
    if (!elf)
        return 0;
    memcpy(elf, data, size);
    for (unsigned arch = ARCH_SUNDA; arch <= ARCH_MARIANA; arch++)
        for (unsigned loose = 0; loose < 2; loose++) {
            struct q7_options opt;
            struct q7_image img;
            struct q7_error why = { 0 };
            memset(&opt, 0, sizeof opt);
            struct seen seen = { &opt, 0 };
            DEMAND(q7_options_for(arch, &opt));
            opt.raw_initfini = opt.permissive = opt.allow_misaligned = loose;
            opt.reloc = reloc;
            opt.warn = warn;
            opt.ctx = &seen;
            if (q7_prelink(elf, size, &opt, &img, &why) == 0) {
                check_image(elf, size, &img, arch);
                q7_image_free(&img);
            } else {
                DEMAND(why.status != 0 && why.detail[0] && q7_status_label(why.status)[0] != '?');
            }
        }
    free(elf);
    return 0;
}
