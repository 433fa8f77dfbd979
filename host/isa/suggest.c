/* What an assembly error offers instead: near misses and lists of words. */
#include <string.h>

#include "isa/parse.h"
#include "isa/words.h"

struct nearest {
    const char *word;
    unsigned distance;
};

/* A word counts as meant when at most a third of its letters differ. */
static void consider(struct nearest *best, const char *word, const char *s, size_t n)
{
    unsigned d = word_distance(s, n, word);
    if (d < best->distance && d <= (n + 2) / 3)
        *best = (struct nearest){ word, d };
}

static size_t append(char *buf, size_t len, const char *text)
{
    for (; *text && len + 1 < SUGGEST_MAX; text++)
        buf[len++] = *text;
    buf[len] = '\0';
    return len;
}

static const char *question(const struct nearest *best, char buf[SUGGEST_MAX])
{
    buf[0] = '\0';
    if (best->word) {
        size_t len = append(buf, 0, "; did you mean ");
        append(buf, append(buf, len, best->word), "?");
    }
    return buf;
}

const char *suggest_mnemonic(enum isa_dialect d, const char *s, size_t n, char buf[SUGGEST_MAX])
{
    struct nearest best = { NULL, (unsigned)n + 1 };
    for (unsigned opcode = 0; opcode < 256; opcode++) {
        uint8_t slot[SLOT_BYTES] = { (uint8_t)opcode };
        const char *name = operand_mnemonic(d, slot);
        if (name)
            consider(&best, name, s, n);
    }
    return question(&best, buf);
}

/* A near key, or else all of them. */
const char *suggest_key(const struct operand_layout *l, const char *s, size_t n, char buf[SUGGEST_MAX])
{
    struct nearest best = { NULL, (unsigned)n + 1 };
    size_t len = append(buf, 0, "");
    for (size_t i = 0; i < l->count; i++)
        if (l->list[i].key && l->list[i].kind != OPD_FIXED) {
            consider(&best, l->list[i].key, s, n);
            len = append(buf, len, len ? " " : "; its operands are ");
            len = append(buf, len, l->list[i].key);
        }
    return best.word ? question(&best, buf) : buf;
}

const char *list_words(const struct operand_word *w, char buf[SUGGEST_MAX])
{
    size_t len = append(buf, 0, "");
    for (; w->word; w++) {
        len = append(buf, len, len ? (w[1].word ? ", " : " or ") : "");
        len = append(buf, len, w->word);
    }
    return buf;
}
