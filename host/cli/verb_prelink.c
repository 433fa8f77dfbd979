/* neffsim prelink: a kernel library (Xtensa ELF) -> the UCPL image that the POOL cores load (docs/q7.md). */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/prelink.h"
#include "cli/verbs.h"
#include "util/file.h"

#define ELF_LIMIT (UINT64_C(64) << 20) /* four staging buffers; known libraries have 40 KiB */

static void usage(FILE *out)
{
    fputs(
        "usage: neffsim prelink KERNEL.elf [-o OUT.ucpl] [options]\n"
        "example: neffsim prelink kernels.elf -o kernels.ucpl --map\n\n"
        "  -o FILE             the image to write; may be left out with --map or --json\n"
        "  --arch A            windows of sunda, cayman (default), mariana or mariana_plus\n"
        "  --code-addr X       core-local address of the code window instead\n"
        "  --data-addr Y       core-local address of the data window instead\n"
        "  --map               segments, relocations, kernel table and addresses on stdout\n"
        "  --json              the same as one JSON document, also of a failure\n"
        "  --raw-initfini      header keeps the link addresses of init and fini\n"
        "  --permissive        immediates of any 24-bit instruction are overwritten, as the reference does\n"
        "  --allow-misaligned  a segment that cannot start at its window base is staged as a whole\n\n"
        "exit codes: 0 prelinked, 1 the file breaks a rule (status on stderr), 2 usage or no readable ELF\n",
        out);
}

enum {
    OPT_ARCH = 256,
    OPT_CODE,
    OPT_DATA,
    OPT_MAP,
    OPT_JSON,
    OPT_RAW,
    OPT_PERMISSIVE,
    OPT_MISALIGNED,
    OPT_HELP
};

struct request {
    const char *output;
    unsigned arch; /* index into q7_arch_names */
    bool has_code, has_data;
    uint64_t code, data;
    bool map, json, raw, permissive, misaligned;
};

static const struct option options[] = {
    { "output", required_argument, NULL, 'o' },
    { "arch", required_argument, NULL, OPT_ARCH },
    { "code-addr", required_argument, NULL, OPT_CODE },
    { "data-addr", required_argument, NULL, OPT_DATA },
    { "map", no_argument, NULL, OPT_MAP },
    { "json", no_argument, NULL, OPT_JSON },
    { "raw-initfini", no_argument, NULL, OPT_RAW },
    { "permissive", no_argument, NULL, OPT_PERMISSIVE },
    { "allow-misaligned", no_argument, NULL, OPT_MISALIGNED },
    { "help", no_argument, NULL, OPT_HELP },
    { NULL, 0, NULL, 0 },
};

/* One option. Returns 0 to go on, else the exit code + 1. */
static int take(int c, struct request *q, int argc, char **argv)
{
    switch (c) {
    case 'o':
        q->output = optarg;
        return 0;
    case OPT_ARCH:
        return arg_word("--arch", optarg, q7_arch_names, &q->arch) ? 0 : 3;
    case OPT_CODE:
        q->has_code = true;
        return arg_u64("--code-addr", optarg, 0, UINT32_MAX, &q->code) ? 0 : 3;
    case OPT_DATA:
        q->has_data = true;
        return arg_u64("--data-addr", optarg, 0, UINT32_MAX, &q->data) ? 0 : 3;
    case OPT_MAP:
        q->map = true;
        return 0;
    case OPT_JSON:
        q->json = true;
        return 0;
    case OPT_RAW:
        q->raw = true;
        return 0;
    case OPT_PERMISSIVE:
        q->permissive = true;
        return 0;
    case OPT_MISALIGNED:
        q->misaligned = true;
        return 0;
    case 'h':
    case OPT_HELP:
        usage(stdout);
        return 1;
    default:
        return 1 + cli_bad_option("prelink", argc, argv);
    }
}

static int parse(int argc, char **argv, struct request *q)
{
    int stop = 0;
    optind = 1;
    opterr = 0;
    for (int c; stop == 0 && (c = getopt_long(argc, argv, "o:h", options, NULL)) != -1;)
        stop = take(c, q, argc, argv);
    if (stop)
        return stop;
    if (optind + 1 != argc)
        return 1 + cli_complain("prelink takes one ELF file; see neffsim prelink --help");
    if (!q->output && !q->map && !q->json)
        return 1 + cli_complain("prelink needs -o FILE, --map or --json; see neffsim prelink --help");
    return 0;
}

static void keep_reloc(void *ctx, const struct q7_reloc *e)
{
    struct prelink_report *r = ctx;
    if (r->nrelocs == PRELINK_LIST_MAX)
        return;
    if (r->nrelocs == r->capacity) {
        size_t capacity = r->capacity ? 2 * r->capacity : 256;
        struct q7_reloc *more = realloc(r->relocs, capacity * sizeof *more);
        if (!more) {
            r->failed = true;
            return;
        }
        r->relocs = more;
        r->capacity = capacity;
    }
    r->relocs[r->nrelocs++] = *e;
}

static void warn(void *ctx, const char *where, const char *text)
{
    struct prelink_report *r = ctx;
    char **more = realloc(r->warnings, (r->nwarnings + 1) * sizeof *more);
    char *place = text_printf("%s: %s", r->file, where);
    cli_warn(place ? place : where, text);
    free(place);
    if (!more) {
        r->failed = true;
        return;
    }
    r->warnings = more;
    more[r->nwarnings] = text_printf("%s: %s", where, text);
    if (more[r->nwarnings])
        r->nwarnings++;
    else
        r->failed = true;
}

static void set_options(const struct request *q, struct prelink_report *r)
{
    r->arch = q7_arch_names[q->arch];
    r->arch_id = q7_arch_of[q->arch];
    q7_options_for(r->arch_id, &r->opt);
    if (q->has_code)
        r->opt.code.base = (uint32_t)q->code;
    if (q->has_data)
        r->opt.data.base = (uint32_t)q->data;
    r->opt.raw_initfini = q->raw;
    r->opt.permissive = q->permissive;
    r->opt.allow_misaligned = q->misaligned;
    r->opt.reloc = q->map || q->json ? keep_reloc : NULL;
    r->opt.warn = warn;
    r->opt.ctx = r;
}

/* A failure that is not the prelinker's: the document gets its status and words, stderr the sentence. */
static int other_failure(struct prelink_report *r, int status, const char *label, const struct nerr *e)
{
    r->err.status = status;
    r->err.label = label;
    snprintf(r->err.where, sizeof r->err.where, "%.*s", (int)sizeof r->err.where - 1, e->where);
    snprintf(r->err.message, sizeof r->err.message, "%.*s", (int)sizeof r->err.message - 1, e->text);
    snprintf(r->err.detail, sizeof r->err.detail, "%.*s", (int)sizeof r->err.detail - 1, e->text);
    return cli_fail(e);
}

static int write_image(struct prelink_report *r)
{
    struct nerr e;
    uint8_t *bytes = malloc(r->img.size);
    int rc = bytes ? 0
                   : nerr_set(&e, NERR_MEM, r->output, "no memory for %llu bytes",
                              (unsigned long long)r->img.size);
    if (rc == 0) {
        q7_image_write(&r->img, bytes);
        rc = cli_write(r->file, r->output, bytes, r->img.size, &e);
    }
    free(bytes);
    return rc ? other_failure(r, Q7_USAGE, "output", &e) : 0;
}

/* Prelinks r->elf and writes the image. Returns the exit code. */
static int run(struct prelink_report *r)
{
    struct nerr e;
    if (q7_prelink(r->elf, r->len, &r->opt, &r->img, &r->err)) {
        q7_error_nerr(&r->err, &e);
        nerr_prefix(&e, r->file);
        return cli_fail(&e);
    }
    if (r->failed) {
        nerr_set(&e, NERR_MEM, r->file, "out of memory");
        return other_failure(r, Q7_MEMORY, q7_status_label(Q7_MEMORY), &e);
    }
    return r->output ? write_image(r) : 0;
}

static void summary(const struct prelink_report *r, struct strbuf *b)
{
    const struct q7_image *i = &r->img;
    if (r->output)
        strbuf_printf(b,
                      "%s: %llu bytes, code 0x%x at 0x%x, data 0x%x at 0x%x, %u relocations, %zu kernels\n",
                      r->output, (unsigned long long)i->size, i->ucpl.code_len, r->opt.code.base,
                      i->ucpl.data_len, r->opt.data.base, i->dyn.rela_count, i->nrows);
}

static void print(const struct prelink_report *r, const struct request *q, int code)
{
    struct strbuf b = { 0 };
    if (q->json) {
        prelink_json(r, &b);
        cli_document(&b);
    } else if (code == 0) {
        if (q->map)
            prelink_map(r, &b);
        else
            summary(r, &b);
        cli_text(&b);
    }
    strbuf_free(&b);
}

static void free_report(struct prelink_report *r)
{
    for (size_t i = 0; i < r->nwarnings; i++)
        free(r->warnings[i]);
    free(r->warnings);
    free(r->relocs);
    q7_image_free(&r->img);
}

int verb_prelink(int argc, char **argv)
{
    struct request q = { .arch = 1 };
    struct prelink_report r = { 0 };
    struct nerr e;
    uint8_t *elf = NULL;
    int code = parse(argc, argv, &q);
    if (code)
        return code - 1;
    r.file = argv[optind];
    r.output = q.output;
    set_options(&q, &r);
    if (file_read(r.file, ELF_LIMIT, &elf, &r.len, &e)) {
        code = other_failure(&r, Q7_USAGE, "input", &e);
    } else {
        r.elf = elf;
        code = run(&r);
    }
    print(&r, &q, code);
    free_report(&r);
    free(elf);
    return code;
}
