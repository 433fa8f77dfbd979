/* Slots and descriptors in words, and which signals carry them: see decode.h. */
#define _XOPEN_SOURCE 700 /* realpath, readlink */
#include "wave/decode.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "isa/isa.h"
#include "regs.h"
#include "util/bytes.h"
#include "wave/decode_private.h"
#include "wave/wave.h"

#define TEXT_BYTES 512 /* longest statement shown; GTKWave takes lines of 1024 bytes */

const char *const wave_decode_words[] = { "none", "slot", "desc", "m2s", "s2m", "notif", NULL };

unsigned wave_decode_bits(enum wave_decode kind)
{
    return (kind == WAVE_DECODE_SLOT ? SLOT_BYTES : DESC_BYTES) * 8;
}

/* ---- descriptors (udma.md §3.1, §3.2, §4) ---- */

static const char *const cme_words[] = { "copy",    "crc32", "crc32c",  "cksum16",
                                         "cksum32", "crc16", "adler32", "crc8" };
static const char *const dre_words[] = { "split", "transpose", "replicate" };
static const char *const cce_words[] = { "add", "fma", "max", "min", "ext", "gce" };

static void put_flag(struct strbuf *out, uint32_t set, const char *word)
{
    if (set)
        strbuf_printf(out, " %s", word);
}

static void put_operation(uint32_t w1, struct strbuf *out)
{
    uint32_t op = FIELD(w1, M2S_DESC_W1_OP), type = FIELD(w1, M2S_DESC_W1_OPTYPE);
    const char *const *words = op == DMA_OP_CME ? cme_words : op == DMA_OP_DRE ? dre_words : cce_words;
    size_t n = op == DMA_OP_CME   ? sizeof cme_words / sizeof *cme_words
               : op == DMA_OP_DRE ? sizeof dre_words / sizeof *dre_words
               : op == DMA_OP_CCE ? sizeof cce_words / sizeof *cce_words
                                  : 0;
    if (op == 0 && type == 0)
        return;
    strbuf_printf(out, " %s",
                  op == DMA_OP_CME   ? "CME"
                  : op == DMA_OP_DRE ? "DRE"
                  : op == DMA_OP_CCE ? "CCE"
                                     : "op ?");
    if (type < n)
        strbuf_printf(out, ".%s", words[type]);
    else
        strbuf_printf(out, ".%" PRIu32, type);
    put_flag(out, w1 & M2S_DESC_W1_WRITE_BARRIER_MASK, "write-barrier");
}

static void put_descriptor(enum wave_decode kind, const uint8_t *raw, struct strbuf *out)
{
    uint32_t w0 = get_le32(raw + M2S_DESC_W0_OFF), w1 = get_le32(raw + M2S_DESC_W1_OFF);
    uint32_t length = FIELD(w0, M2S_DESC_W0_LENGTH);
    bool m2s = kind == WAVE_DECODE_M2S;
    strbuf_printf(out, "%s", m2s ? "M2S" : kind == WAVE_DECODE_S2M ? "S2M" : "DESC");
    if (m2s && w0 & M2S_DESC_W0_MD_MASK)
        strbuf_puts(out, " metadata");
    strbuf_printf(out, " %" PRIu32 " B %s 0x%" PRIx64 " phase %" PRIu32, length ? length : DESC_LENGTH_MAX,
                  m2s                       ? "from"
                  : kind == WAVE_DECODE_S2M ? "to"
                                            : "at",
                  get_le64(raw + M2S_DESC_BUF_OFF), FIELD(w0, M2S_DESC_W0_RING_ID));
    if (kind == WAVE_DECODE_S2M) {
        put_flag(out, w0 & S2M_DESC_W0_SOW_MASK, "ordered");
        put_flag(out, w0 & S2M_DESC_W0_META_MASK, "no-buffer");
        put_flag(out, w0 & S2M_DESC_W0_DUAL_BUF_MASK, "two-buffers");
    } else {
        put_flag(out, w0 & M2S_DESC_W0_FIRST_MASK, "first");
        put_flag(out, w0 & M2S_DESC_W0_LAST_MASK, "last");
    }
    put_flag(out, w0 & M2S_DESC_W0_INT_EN_MASK, "interrupt");
    if (m2s) {
        put_flag(out, w0 & M2S_DESC_W0_NO_SNOOP_MASK, "no-snoop");
        put_flag(out, w0 & M2S_DESC_W0_DMB_MASK, "barrier");
        put_flag(out, w0 & M2S_DESC_W0_CONCAT_MASK, "concat");
        put_operation(w1, out);
    }
}

/* ---- bits to words ---- */

static bool uniform(const char *bits, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (bits[i] != bits[0])
            return false;
    return true;
}

/* Bytes of the record into raw, a flag per byte into unknown; both are zero before. */
static void pack(const char *bits, size_t nbits, uint8_t *raw, uint8_t *unknown)
{
    for (size_t i = 0; i < nbits; i++) {
        size_t bit = nbits - 1 - i;
        if (bits[i] == '1')
            raw[bit / 8] |= (uint8_t)(1u << bit % 8);
        else if (bits[i] != '0')
            unknown[bit / 8] = 1;
    }
}

static void put_unknown(const uint8_t *unknown, size_t n, struct strbuf *out)
{
    const char *before = "  (unknown bits in bytes ";
    for (size_t i = 0, last; i < n; i = last + 1) {
        for (last = i; last + 1 < n && unknown[last + 1] && unknown[i]; last++)
            ;
        if (!unknown[i])
            continue;
        strbuf_printf(out, i == last ? "%s%zu" : "%s%zu-%zu", before, i, last);
        before = ", ";
    }
    if (*before == ',')
        strbuf_puts(out, ")");
}

bool wave_decode_text(enum wave_decode kind, const char *bits, size_t nbits, struct strbuf *out)
{
    uint8_t raw[SLOT_BYTES] = { 0 }, unknown[SLOT_BYTES] = { 0 };
    char text[TEXT_BYTES];
    if (kind == WAVE_DECODE_NONE || kind >= WAVE_DECODE_COUNT || nbits != wave_decode_bits(kind))
        return false;
    if (uniform(bits, nbits) && bits[0] != '1') { /* idle lanes are 0 */
        strbuf_add(out, bits, 1);
        return true;
    }
    pack(bits, nbits, raw, unknown);
    if (kind == WAVE_DECODE_SLOT) { /* without the statement's semicolon */
        size_t n = strlen(isa_text(raw, text, sizeof text));
        strbuf_add(out, text, n && text[n - 1] == ';' ? n - 1 : n);
    } else if (kind == WAVE_DECODE_NOTIF) {
        decode_notification(raw, out);
    } else {
        put_descriptor(kind, raw, out);
    }
    put_unknown(unknown, nbits / 8, out);
    return true;
}

/* Four bits of a hexadecimal digit, or of a state that stands for all four. */
static void put_digit(char digit, char *bits)
{
    static const char hex[] = "0123456789abcdef";
    const char *p = strchr(hex, digit);
    unsigned v = p ? (unsigned)(p - hex) : 0;
    for (unsigned i = 0; i < 4; i++)
        bits[i] = !p ? digit : v >> (3 - i) & 1 ? '1' : '0';
}

bool wave_decode_digits(enum wave_decode kind, const char *digits, size_t n, struct strbuf *out)
{
    char bits[SLOT_BYTES * 8];
    size_t nbits = wave_decode_bits(kind);
    bool binary = n == nbits;
    if (!binary && n != nbits / 4)
        return false;
    for (size_t i = 0; i < n; i++) {
        char c = (char)tolower((unsigned char)digits[i]);
        if (!c || !strchr(binary ? "01xzhuwl-" : "0123456789abcdefxzhuwl-", c))
            return false;
        if (binary)
            bits[i] = c;
        else
            put_digit(c, bits + 4 * i);
    }
    return wave_decode_text(kind, bits, nbits, out);
}

/* ---- which signals carry what ---- */

/* Full names in the simulated core, without the range; the first that matches counts. */
static const struct wave_decode_rule known[] = {
    { "*.slot", WAVE_DECODE_SLOT },
    { "*.slot_i", WAVE_DECODE_SLOT },
    { "*.slot_o", WAVE_DECODE_SLOT },
    { "*u_m2s_fifo.push_data_i", WAVE_DECODE_M2S },
    { "*u_m2s_fifo.?_data_o", WAVE_DECODE_M2S },
    { "*u_m2s_fifo.?_q", WAVE_DECODE_M2S },
    { "*u_s2m_fifo.push_data_i", WAVE_DECODE_S2M },
    { "*u_s2m_fifo.?_data_o", WAVE_DECODE_S2M },
    { "*u_s2m_fifo.?_q", WAVE_DECODE_S2M },
    { "*u_sched.ram_data_i", WAVE_DECODE_M2S },
    { "*u_read.ram_data_i", WAVE_DECODE_M2S },
    { "*u_read.words_?", WAVE_DECODE_M2S },
    { "*.scan_words", WAVE_DECODE_M2S },
    { "*.read_words", WAVE_DECODE_M2S },
    { "*.r_words*", WAVE_DECODE_M2S },
    { "*u_write.s2m_data_i", WAVE_DECODE_S2M },
    { "*u_write.words_q", WAVE_DECODE_S2M },
    { "*.write_words", WAVE_DECODE_S2M },
    { "*u_issue.words", WAVE_DECODE_S2M },
    { "*udma*.pf_words", WAVE_DECODE_DESC },
    { "*u_unpack.words_o", WAVE_DECODE_DESC },
    { "*u_notific.*record", WAVE_DECODE_NOTIF },
    { "*u_notific.*record_?", WAVE_DECODE_NOTIF },
    { "*u_notific.*record_q[*]", WAVE_DECODE_NOTIF },
};

enum wave_decode wave_decode_of(const char *name, uint32_t width, const struct wave_decode_rule *rules,
                                size_t nrules)
{
    if (width != SLOT_BYTES * 8 && width != DESC_BYTES * 8)
        return WAVE_DECODE_NONE;
    const char *bracket = strrchr(name, '[');
    size_t n = bracket && strchr(bracket, ':') ? (size_t)(bracket - name) : strlen(name);
    char *base = text_copy_n(name, n); /* without the range */
    if (!base)
        return WAVE_DECODE_NONE;
    const char *dot = strrchr(base, '.');
    enum wave_decode kind = WAVE_DECODE_NONE;
    bool said = false;
    for (size_t i = nrules; i-- > 0 && !said;) {
        const char *glob = rules[i].glob;
        bool fits = wave_glob(glob, name) || wave_glob(glob, base) ||
                    (dot && !strchr(glob, '.') && wave_glob(glob, dot + 1));
        said = fits && (rules[i].kind == WAVE_DECODE_NONE || width == wave_decode_bits(rules[i].kind));
        if (said)
            kind = rules[i].kind;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known && !said; i++) {
        said = width == wave_decode_bits(known[i].kind) && wave_glob(known[i].glob, base);
        if (said)
            kind = known[i].kind;
    }
    free(base);
    return kind;
}

/* ---- where the filter programs are ---- */

/* GTKWave runs `which PATH` in a shell and takes the path up to a blank. */
static bool plain_path(const char *path)
{
    return strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+,:@%") ==
           strlen(path);
}

char *wave_decode_filter(enum wave_decode kind)
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0 || kind == WAVE_DECODE_NONE || kind >= WAVE_DECODE_COUNT)
        return NULL;
    self[n] = '\0';
    for (char *slash; (slash = strrchr(self, '/')) != NULL; *slash = '\0') {
        char *path =
            text_printf("%.*s/share/neffsim/gtkwave/%s", (int)(slash - self), self, wave_decode_words[kind]);
        if (path && access(path, X_OK) == 0 && plain_path(path))
            return path;
        free(path);
    }
    return NULL;
}
