/* neffsim asm: text -> program (docs/asm.md). */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/verbs.h"
#include "isa/asm.h"
#include "util/file.h"
#include "util/json_write.h"

#define TEXT_LIMIT (UINT64_C(256) << 20)

static void usage(FILE *out)
{
    fputs("usage: neffsim asm FILE.asm|- -o FILE.bin|- [options]\n"
          "example: neffsim asm pool.asm -o pool.bin\n\n"
          "  -o FILE    the program to write; - is stdout\n"
          "  --isa D    neuron (default), tonga or sp8\n"
          "  --gen V    v2, v3, v4 or v5: its layouts, and refuses what that generation lacks\n"
          "  --json     says on stdout what was written\n\n"
          "The text may have up to 256 MiB. An error names line and column.\n"
          "exit codes: 0 written, 1 an instruction that the generation lacks, 2 usage or not the language\n",
          out);
}

struct options {
    struct isa_text_options text;
    const char *file, *out;
    bool json;
};

enum { OPT_ISA = 256, OPT_GEN, OPT_JSON, OPT_HELP };

/* Returns 0 to go on, else the exit code + 1. */
static int parse(int argc, char **argv, struct options *o)
{
    static const struct option options[] = {
        { "output", required_argument, NULL, 'o' },  { "isa", required_argument, NULL, OPT_ISA },
        { "gen", required_argument, NULL, OPT_GEN }, { "json", no_argument, NULL, OPT_JSON },
        { "help", no_argument, NULL, OPT_HELP },     { NULL, 0, NULL, 0 },
    };
    static const char *const gens[] = { "v2", "v3", "v4", "v5", NULL };
    unsigned i;
    optind = 1;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, "o:h", options, NULL)) != -1;) {
        switch (c) {
        case 'o':
            o->out = optarg;
            break;
        case OPT_ISA:
            if (!arg_word("--isa", optarg, isa_dialect_names, &i))
                return 3;
            o->text.dialect = (enum isa_dialect)i;
            break;
        case OPT_GEN:
            if (!arg_word("--gen", optarg, gens, &i))
                return 3;
            o->text.gen = i + 2;
            break;
        case OPT_JSON:
            o->json = true;
            break;
        case 'h':
        case OPT_HELP:
            usage(stdout);
            return 1;
        default:
            return 1 + cli_bad_option("asm", argc, argv);
        }
    }
    if (optind + 1 != argc || !o->out)
        return 1 + cli_complain("asm takes one text and -o FILE; see neffsim asm --help");
    if (o->json && strcmp(o->out, "-") == 0)
        return 1 + cli_complain("--json: stdout is taken by -o -");
    o->file = argv[optind];
    return 0;
}

static void document(const struct options *o, size_t bytes)
{
    struct strbuf b = { 0 };
    struct json_out j = { .b = &b };
    json_open(&j, '{');
    json_put_key(&j, "verdict");
    json_put_string(&j, "written");
    json_put_key(&j, "file");
    json_put_string(&j, o->out);
    json_put_key(&j, "isa");
    json_put_string(&j, isa_dialect_names[o->text.dialect]);
    json_put_key(&j, "slots");
    json_put_u64(&j, bytes / isa_slot_bytes(o->text.dialect));
    json_put_key(&j, "bytes");
    json_put_u64(&j, bytes);
    json_close(&j, '}');
    cli_document(&b);
    strbuf_free(&b);
}

int verb_asm(int argc, char **argv)
{
    struct options o = { .text = { .dialect = ISA_NEURON } };
    struct nerr err;
    struct strbuf code = { 0 };
    uint8_t *text;
    size_t len;
    int stop = parse(argc, argv, &o);
    if (stop)
        return stop - 1;
    bool from_stdin = strcmp(o.file, "-") == 0;
    if (file_read(from_stdin ? "/dev/stdin" : o.file, TEXT_LIMIT, &text, &len, &err))
        return cli_fail(&err);
    int rc = isa_asm((const char *)text, len, from_stdin ? "stdin" : o.file, &o.text, &code, &err);
    free(text);
    if (rc == 0 && strcmp(o.out, "-") == 0) {
        if (code.len)
            fwrite(code.s, 1, code.len, stdout);
    } else if (rc == 0)
        rc = cli_write(from_stdin ? NULL : o.file, o.out, code.s ? code.s : "", code.len, &err);
    if (rc == 0 && o.json)
        document(&o, code.len);
    strbuf_free(&code);
    return rc ? cli_fail(&err) : 0;
}
