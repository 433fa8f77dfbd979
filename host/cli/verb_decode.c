/* neffsim decode: values of hardware records as text, for people and as GTKWave's translate filter process.
 */
#include <stdio.h>
#include <string.h>

#include "cli/args.h"
#include "cli/verbs.h"
#include "wave/decode.h"

#define LINE_BYTES 4096 /* a slot in binary has 512 digits */
#define TEXT_MAX   1000 /* GTKWave takes lines of 1024 bytes */

static void usage(void)
{
    fputs(
        "usage: neffsim decode KIND [VALUE..]\n"
        "example: neffsim decode m2s 0x00000000800010000000000004000040\n\n"
        "KIND   slot (64 bytes), desc (16-byte descriptor), m2s, s2m (a descriptor of that direction),\n"
        "       notif (notification record)\n"
        "VALUE  hexadecimal or binary digits, byte 0 last; x and z are allowed. Without one, every line of\n"
        "       standard input is answered by a line: what GTKWave calls a translate filter process. A line\n"
        "       that is no such record comes back as it is.\n\n"
        "exit codes: 0 decoded, 2 usage, or a VALUE is no such record\n",
        stdout);
}

/* The value as it is, or behind "0x" or a Verilog base ("128'h"). False when it is no such record. */
static bool decode(enum wave_decode kind, const char *text, size_t n, struct strbuf *out)
{
    const char *quote = memchr(text, '\'', n);
    size_t skip = quote ? (size_t)(quote - text) + 2 : 2;
    bool prefix = quote || (n > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'));
    return wave_decode_digits(kind, text, n, out) ||
           (prefix && skip < n && wave_decode_digits(kind, text + skip, n - skip, out));
}

/* One line for every line, at once: GTKWave waits for it. */
static int filter(enum wave_decode kind)
{
    char line[LINE_BYTES];
    struct strbuf out = { 0 };
    while (fgets(line, sizeof line, stdin)) {
        bool whole = strchr(line, '\n') != NULL;
        for (int c = 0; !whole && c != '\n' && c != EOF;) /* no record is that long */
            c = getchar();
        const char *text = line + strspn(line, " \t");
        size_t n = strcspn(text, " \t\r\n");
        out.len = 0;
        if (!decode(kind, text, n, &out) && !out.failed)
            strbuf_add(&out, text, n);
        if (out.failed)
            break;
        printf("%.*s\n", (int)(out.len < TEXT_MAX ? out.len : TEXT_MAX), out.s);
        if (fflush(stdout) != 0)
            break;
    }
    bool failed = out.failed;
    strbuf_free(&out);
    return failed ? cli_complain("decode: out of memory") : 0;
}

int verb_decode(int argc, char **argv)
{
    unsigned index;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        usage();
        return 0;
    }
    if (argc < 2)
        return cli_complain("decode: say slot, desc, m2s, s2m or notif; see neffsim decode --help");
    if (!arg_word("decode", argv[1], wave_decode_words + 1, &index))
        return 2;
    enum wave_decode kind = (enum wave_decode)(index + 1); /* without "none" */
    if (argc == 2)
        return filter(kind);
    for (int i = 2; i < argc; i++) {
        struct strbuf out = { 0 };
        bool fits = decode(kind, argv[i], strlen(argv[i]), &out);
        if (fits && !out.failed)
            printf("%s\n", out.s);
        strbuf_free(&out);
        if (!fits)
            return cli_complain("decode: '%.40s' is no %s; it has %u hexadecimal or %u binary digits",
                                argv[i], argv[1], wave_decode_bits(kind) / 4, wave_decode_bits(kind));
    }
    return 0;
}
