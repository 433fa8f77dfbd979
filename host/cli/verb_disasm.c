/* neffsim disasm: programs as text (docs/asm.md). */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/args.h"
#include "cli/listing.h"
#include "cli/verbs.h"
#include "util/file.h"

#define CODE_LIMIT (UINT64_C(1) << 30) /* a bare file; its text is about twice as long */

static void usage(FILE *out)
{
    fputs("usage: neffsim disasm FILE.neff|FILE.bin|- [options]\n"
          "example: neffsim disasm model.neff --engine pool -o pool.asm\n\n"
          "  --graph G    only that graph (default all)\n"
          "  --engine E   only pe, act, pool, dve or sp; of a bare file: what it is for\n"
          "  --isa D      neuron, tonga or sp8 (default neuron; an SP program: what its bytes say)\n"
          "  --gen V      v2, v3, v4 or v5: its layouts, and refuses what that generation lacks\n"
          "  --comments   byte offset and slot number behind each statement\n"
          "  --max-size N largest archive after inflating, such as 512M or 16G (4G)\n"
          "  --json       one JSON array on stdout, an object per slot\n"
          "  -o FILE      writes the text there\n\n"
          "exit codes: 0 listed, 1 a program breaks a rule (size, generation), 2 usage or unreadable input\n",
          out);
}

struct options {
    struct listing_options listing;
    const char *file, *out;
    uint64_t max_inflate;
    bool json;
};

enum { OPT_GRAPH = 256, OPT_ENGINE, OPT_ISA, OPT_GEN, OPT_COMMENTS, OPT_MAX_SIZE, OPT_JSON, OPT_HELP };

/* False after a complaint. */
static bool option(int c, struct options *o)
{
    static const char *const engines[] = { "pe", "act", "pool", "dve", "sp", NULL };
    static const char *const gens[] = { "v2", "v3", "v4", "v5", NULL };
    unsigned i;
    switch (c) {
    case 'o':
        o->out = optarg;
        return true;
    case OPT_GRAPH:
        o->listing.graph = optarg;
        return true;
    case OPT_ENGINE:
        o->listing.engine = optarg;
        return arg_word("--engine", optarg, engines, &i);
    case OPT_ISA:
        if (!arg_word("--isa", optarg, isa_dialect_names, &i))
            return false;
        o->listing.text.dialect = (enum isa_dialect)i;
        o->listing.has_dialect = true;
        return true;
    case OPT_GEN:
        if (!arg_word("--gen", optarg, gens, &i))
            return false;
        o->listing.text.gen = i + 2;
        return true;
    case OPT_COMMENTS:
        o->listing.text.comments = true;
        return true;
    case OPT_MAX_SIZE:
        return arg_size("--max-size", optarg, &o->max_inflate);
    default:
        o->json = true;
        return true;
    }
}

/* Returns 0 to go on, else the exit code + 1. */
static int parse(int argc, char **argv, struct options *o)
{
    static const struct option options[] = {
        { "output", required_argument, NULL, 'o' },
        { "graph", required_argument, NULL, OPT_GRAPH },
        { "engine", required_argument, NULL, OPT_ENGINE },
        { "isa", required_argument, NULL, OPT_ISA },
        { "gen", required_argument, NULL, OPT_GEN },
        { "comments", no_argument, NULL, OPT_COMMENTS },
        { "max-size", required_argument, NULL, OPT_MAX_SIZE },
        { "json", no_argument, NULL, OPT_JSON },
        { "help", no_argument, NULL, OPT_HELP },
        { NULL, 0, NULL, 0 },
    };
    optind = 1;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, "o:h", options, NULL)) != -1;) {
        if (c == '?')
            return 1 + cli_bad_option("disasm", argc, argv);
        if (c == 'h' || c == OPT_HELP) {
            usage(stdout);
            return 1;
        }
        if (!option(c, o))
            return 3;
    }
    if (optind + 1 != argc)
        return 1 + cli_complain("disasm takes one file, %d given; see neffsim disasm --help", argc - optind);
    if (o->json && o->out)
        return 1 + cli_complain("--json: the document goes to stdout, so there is no -o");
    o->file = argv[optind];
    return 0;
}

static void warn(void *ctx, const char *where, const char *text)
{
    (void)ctx;
    cli_warn(where, text);
}

/* By what the file holds, or by its name, so that a damaged NEFF gets the complaint of the NEFF reader. What
 * a pipe holds is seen when it has been read. */
static bool is_neff(const char *path)
{
    size_t length = strlen(path);
    if (length > 5 && strcmp(path + length - 5, ".neff") == 0)
        return true;
    uint8_t head[1536];
    struct stat st;
    FILE *f = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? fopen(path, "rb") : NULL;
    if (!f)
        return false;
    size_t n = fread(head, 1, sizeof head, f);
    long end = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    fclose(f);
    return end > 0 && listing_is_neff(head, n, (uint64_t)end);
}

/* Where the bytes come from. */
static const char *input(const struct options *o)
{
    return strcmp(o->file, "-") ? o->file : "/dev/stdin";
}

static int write_text(const struct options *o, const struct strbuf *text, struct nerr *err)
{
    if (o->json)
        cli_document(text);
    else if (o->out && strcmp(o->out, "-") != 0)
        return cli_write(input(o), o->out, text->s ? text->s : "", text->len, err);
    else if (text->s)
        fwrite(text->s, 1, text->len, stdout);
    return 0;
}

static int list(const struct options *o, const struct listed *list_, size_t count, bool headings,
                struct strbuf *text, struct nerr *err)
{
    int rc = o->json ? listing_json(list_, count, &o->listing, text, err)
                     : listing_text(list_, count, &o->listing, headings, text, err);
    if (rc == 0 && text->failed)
        rc = nerr_set(err, NERR_MEM, o->file, "out of memory");
    return rc;
}

/* Closes n. */
static int list_neff(const struct options *o, struct neff *n, struct strbuf *text, struct nerr *err)
{
    struct program **programs;
    struct listed *programs_listed;
    size_t nprograms, count;
    int rc = listing_neff(n, &o->listing, &programs, &nprograms, &programs_listed, &count, err);
    if (rc == 0)
        rc = list(o, programs_listed, count, count > 1, text, err); /* one alone is a listing as it is */
    if (rc)
        nerr_prefix(err, o->file);
    for (size_t i = 0; programs && i < nprograms; i++)
        program_free(programs[i]);
    free(programs);
    free(programs_listed);
    neff_close(n);
    return rc;
}

static int from_neff(const struct options *o, struct strbuf *text, struct nerr *err)
{
    struct neff_options opt = { .max_inflate = o->max_inflate, .warn = warn };
    struct neff *n = NULL;
    int rc = neff_open(o->file, &opt, &n, err);
    return rc ? rc : list_neff(o, n, text, err);
}

/* A program, or a NEFF that came through a pipe. */
static int list_bytes(const struct options *o, const uint8_t *bytes, size_t size, struct strbuf *text,
                      struct nerr *err)
{
    struct neff_options opt = { .max_inflate = o->max_inflate, .warn = warn };
    struct neff *n = NULL;
    struct listed one;
    int rc;
    if (listing_is_neff(bytes, size, size)) {
        rc = neff_open_memory(bytes, size, &opt, &n, err);
        return rc ? nerr_prefix(err, o->file) : list_neff(o, n, text, err);
    }
    if (o->listing.graph)
        return nerr_set(err, NERR_INPUT, o->file, "--graph: this is no NEFF");
    rc = listing_file(o->file, bytes, size, &o->listing, &one, err);
    return rc ? nerr_prefix(err, o->file) : list(o, &one, 1, false, text, err);
}

static int from_file(const struct options *o, struct strbuf *text, struct nerr *err)
{
    uint8_t *bytes;
    size_t size;
    int rc = file_read(input(o), CODE_LIMIT, &bytes, &size, err);
    if (rc)
        return rc;
    rc = list_bytes(o, bytes, size, text, err);
    free(bytes);
    return rc;
}

int verb_disasm(int argc, char **argv)
{
    struct options o = { .listing = { .text = { .dialect = ISA_NEURON } } };
    struct nerr err;
    int stop = parse(argc, argv, &o);
    if (stop)
        return stop - 1;
    struct strbuf text = { 0 };
    int rc = is_neff(o.file) ? from_neff(&o, &text, &err) : from_file(&o, &text, &err);
    if (rc == 0)
        rc = write_text(&o, &text, &err);
    strbuf_free(&text);
    return rc ? cli_fail(&err) : 0;
}
