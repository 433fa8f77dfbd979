/* neffsim unpack: the members of a NEFF as files, its header as header.json (docs/neff-pack.md). */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/args.h"
#include "cli/verbs.h"
#include "neff/unpack.h"
#include "util/interrupt.h"
#include "util/json_write.h"

static void usage(FILE *out)
{
    fputs(
        "usage: neffsim unpack FILE.neff -C DIR [--header NAME] [--overwrite] [--no-hash] [--max-size BYTES] "
        "[--json]\n"
        "example: neffsim unpack model.neff -C model && neffsim pack model -o again.neff\n\n"
        "  -C DIR            the folder to fill; it is made when it does not exist\n"
        "  --header NAME     file for the header inside DIR (header.json)\n"
        "  --overwrite       replaces files that exist; never links, folders or devices\n"
        "  --no-hash         does not verify the digest of the archive\n"
        "  --max-size BYTES  largest archive after inflating, such as 512M or 16G (4G)\n"
        "  --json            lists on stdout what was written\n\n"
        "Nothing is written outside DIR. After an error nothing is left behind.\n"
        "exit codes: 0 written, 1 the contents break a rule of the format, 2 usage, unreadable input or a "
        "file in "
        "the way\n",
        out);
}

static void warn(void *ctx, const char *where, const char *text)
{
    (void)ctx;
    cli_warn(where, text);
}

struct unpack_args {
    struct neff_options neff;
    struct neff_unpack_options unpack;
    const char *dir;
    bool json;
};

enum { OPT_HEADER = 256, OPT_OVERWRITE, OPT_NO_HASH, OPT_MAX_SIZE, OPT_JSON, OPT_HELP };

/* Returns 0 to go on, else the exit code + 1. */
static int parse(int argc, char **argv, struct unpack_args *a)
{
    static const struct option options[] = {
        { "directory", required_argument, NULL, 'C' },
        { "header", required_argument, NULL, OPT_HEADER },
        { "overwrite", no_argument, NULL, OPT_OVERWRITE },
        { "no-hash", no_argument, NULL, OPT_NO_HASH },
        { "max-size", required_argument, NULL, OPT_MAX_SIZE },
        { "json", no_argument, NULL, OPT_JSON },
        { "help", no_argument, NULL, OPT_HELP },
        { NULL, 0, NULL, 0 },
    };
    optind = 1;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, "C:h", options, NULL)) != -1;) {
        switch (c) {
        case 'C':
            a->dir = optarg;
            break;
        case OPT_HEADER:
            a->unpack.header_name = optarg;
            break;
        case OPT_OVERWRITE:
            a->unpack.overwrite = true;
            break;
        case OPT_NO_HASH:
            a->neff.no_hash = true;
            break;
        case OPT_MAX_SIZE:
            if (!arg_size("--max-size", optarg, &a->neff.max_inflate))
                return 3;
            break;
        case OPT_JSON:
            a->json = true;
            break;
        case 'h':
        case OPT_HELP:
            usage(stdout);
            return 1;
        default:
            return 1 + cli_bad_option("unpack", argc, argv);
        }
    }
    if (optind + 1 != argc || !a->dir || !a->dir[0])
        return 1 + cli_complain("unpack takes one NEFF file and -C DIR; see neffsim unpack --help");
    return 0;
}

static uint64_t total_bytes(const struct neff *n, size_t *files)
{
    uint64_t bytes = 0;
    *files = 0;
    for (size_t i = 0; i < neff_entry_count(n); i++) {
        const struct neff_entry *e = neff_entry_at(n, i);
        *files += e->kind != NEFF_ENTRY_FOLDER;
        bytes += e->size;
    }
    return bytes;
}

static void document(const struct neff *n, const struct unpack_args *a, struct strbuf *b)
{
    struct json_out j = { .b = b };
    json_open(&j, '{');
    json_put_key(&j, "verdict");
    json_put_string(&j, "written");
    json_put_key(&j, "folder");
    json_put_string(&j, a->dir);
    json_put_key(&j, "header");
    json_put_string(&j, a->unpack.header_name ? a->unpack.header_name : NEFF_HEADER_FILE);
    json_put_key(&j, "files");
    json_open(&j, '[');
    for (size_t i = 0; i < neff_entry_count(n); i++) {
        const struct neff_entry *e = neff_entry_at(n, i);
        if (e->kind == NEFF_ENTRY_FOLDER)
            continue;
        json_open(&j, '{');
        json_put_key(&j, "name");
        json_put_string(&j, e->name);
        json_put_key(&j, "bytes");
        json_put_u64(&j, e->size);
        json_put_key(&j, "member");
        json_put_bool(&j, e->kind == NEFF_ENTRY_MEMBER);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_close(&j, '}');
    if (!b->failed)
        cli_document(b);
}

static void sentence(const struct neff *n, const struct unpack_args *a, struct strbuf *b)
{
    size_t files;
    uint64_t bytes = total_bytes(n, &files);
    strbuf_printf(b, "%s: %zu files, %" PRIu64 " bytes, and the header in %s\n", a->dir, files, bytes,
                  a->unpack.header_name ? a->unpack.header_name : NEFF_HEADER_FILE);
    cli_text(b);
}

int verb_unpack(int argc, char **argv)
{
    struct unpack_args a = { .neff = { .warn = warn }, .unpack = { .warn = warn } };
    struct neff *n = NULL;
    struct nerr err;
    int stop = parse(argc, argv, &a);
    if (stop)
        return stop - 1;
    interrupt_catch();
    int rc = neff_open(argv[optind], &a.neff, &n, &err);
    if (rc == 0)
        rc = neff_unpack(n, a.dir, &a.unpack, &err);
    if (rc == 0) {
        struct strbuf text = { 0 };
        if (a.json)
            document(n, &a, &text);
        else
            sentence(n, &a, &text);
        if (text.failed)
            rc = nerr_set(&err, NERR_MEM, "", "out of memory for the list of files");
        strbuf_free(&text);
    }
    neff_close(n);
    return rc ? cli_fail(&err) : 0;
}
