/* Rules by name: see select.h. */
#include "wave/select.h"

#include <stdlib.h>
#include <string.h>

#include "wave/names.h"

#define NONE UINT32_MAX

/* Lengths of the pieces of text by which globs are found; a glob takes the largest that fits. */
static const uint32_t grams[] = { 16, 8, 4 };
#define NGRAMS (sizeof grams / sizeof grams[0])

struct pattern { /* all rules with one glob */
    const char *glob;
    struct wave_choice choice; /* only: an only rule is among them */
    uint32_t next;             /* in its bucket or list */
    bool used;
};

struct table { /* heads of chains of patterns by hash */
    uint32_t *heads;
    size_t mask;
    bool any;
};

struct wave_selector {
    struct pattern *patterns;
    uint32_t npatterns;
    uint32_t *pattern_of; /* per rule; NONE for map rules */
    struct table whole;   /* globs without wildcards, by their text */
    struct table by_gram[NGRAMS];
    uint32_t rest; /* globs with little literal text */
    bool has_only;
};

static uint64_t hash(const char *p, size_t n)
{
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)p[i]) * 1099511628211u;
    return h ^ h >> 29;
}

static bool table_make(struct table *t, size_t n)
{
    size_t size = 16;
    while (size < n * 2)
        size *= 2;
    t->heads = malloc(size * sizeof *t->heads);
    t->mask = size - 1;
    if (t->heads)
        memset(t->heads, 0xff, size * sizeof *t->heads);
    return t->heads != NULL;
}

static void chain(struct wave_selector *s, uint32_t *head, uint32_t pattern)
{
    s->patterns[pattern].next = *head;
    *head = pattern;
}

static bool is_literal(const char *glob)
{
    return !strpbrk(glob, "*?");
}

/* Files a glob with wildcards under the end of its longest literal part. */
static void file_glob(struct wave_selector *s, uint32_t pattern)
{
    const char *best = NULL, *p = s->patterns[pattern].glob;
    size_t length = 0;
    while (*p) {
        size_t n = strcspn(p, "*?");
        if (n >= length) {
            best = p;
            length = n;
        }
        p += n;
        p += *p != '\0';
    }
    for (size_t g = 0; g < NGRAMS; g++)
        if (length >= grams[g]) {
            struct table *t = &s->by_gram[g];
            t->any = true;
            chain(s, &t->heads[hash(best + length - grams[g], grams[g]) & t->mask], pattern);
            return;
        }
    chain(s, &s->rest, pattern);
}

static void add_rule(struct pattern *p, const struct wave_rule *r, uint32_t number)
{
    if (r->kind == WAVE_RULE_IGNORE)
        p->choice.ignored = true;
    else if (r->kind == WAVE_RULE_ONLY)
        p->choice.only = true;
    else if (r->kind == WAVE_RULE_MASK)
        p->choice.mask = number;
    else if (r->kind == WAVE_RULE_TOL)
        p->choice.tol = number;
    else
        p->choice.when = number;
}

/* The pattern with this text, made when it is new. `texts` is a table of all of them while they are made. */
static uint32_t pattern_for(struct wave_selector *s, struct table *texts, uint32_t *next, const char *glob)
{
    uint32_t *head = &texts->heads[hash(glob, strlen(glob)) & texts->mask];
    for (uint32_t i = *head; i != NONE; i = next[i])
        if (strcmp(s->patterns[i].glob, glob) == 0)
            return i;
    s->patterns[s->npatterns].glob = glob;
    next[s->npatterns] = *head;
    *head = s->npatterns;
    return s->npatterns++;
}

int wave_selector_make(const struct wave_rule *rules, size_t n, struct wave_selector **out, struct nerr *err)
{
    struct wave_selector *s = calloc(1, sizeof *s);
    struct table texts = { 0 };
    uint32_t *next = malloc((n + 1) * sizeof *next);
    *out = s;
    bool good = s && next && table_make(&texts, n) && table_make(&s->whole, n) &&
                (s->patterns = calloc(n + 1, sizeof *s->patterns)) != NULL &&
                (s->pattern_of = malloc((n + 1) * sizeof *s->pattern_of)) != NULL;
    for (size_t g = 0; good && g < NGRAMS; g++)
        good = table_make(&s->by_gram[g], n);
    for (size_t i = 0; good && i < n; i++) {
        s->pattern_of[i] = NONE;
        s->has_only = s->has_only || rules[i].kind == WAVE_RULE_ONLY;
        if (rules[i].kind == WAVE_RULE_MAP)
            continue;
        s->pattern_of[i] = pattern_for(s, &texts, next, rules[i].name);
        add_rule(&s->patterns[s->pattern_of[i]], &rules[i], (uint32_t)i + 1);
    }
    free(texts.heads);
    free(next);
    if (!good)
        return nerr_set(err, NERR_MEM, "", "out of memory for %zu rules", n);
    s->rest = NONE;
    for (uint32_t i = 0; i < s->npatterns; i++) {
        const char *glob = s->patterns[i].glob;
        if (is_literal(glob))
            chain(s, &s->whole.heads[hash(glob, strlen(glob)) & s->whole.mask], i);
        else
            file_glob(s, i);
    }
    return 0;
}

void wave_selector_free(struct wave_selector *s)
{
    if (!s)
        return;
    for (size_t g = 0; g < NGRAMS; g++)
        free(s->by_gram[g].heads);
    free(s->whole.heads);
    free(s->patterns);
    free(s->pattern_of);
    free(s);
}

static void apply(struct pattern *p, struct wave_choice *c)
{
    p->used = true;
    c->ignored = c->ignored || p->choice.ignored;
    c->only = c->only || p->choice.only;
    c->mask = p->choice.mask > c->mask ? p->choice.mask : c->mask;
    c->tol = p->choice.tol > c->tol ? p->choice.tol : c->tol;
    c->when = p->choice.when > c->when ? p->choice.when : c->when;
}

/* Patterns of a chain that meet the first len bytes of the name. */
static void try_chain(struct wave_selector *s, uint32_t first, const char *name, size_t len,
                      struct wave_choice *c)
{
    for (uint32_t i = first; i != NONE; i = s->patterns[i].next)
        if (wave_glob_n(s->patterns[i].glob, name, len))
            apply(&s->patterns[i], c);
}

static void look(struct wave_selector *s, const char *name, size_t len, struct wave_choice *c)
{
    try_chain(s, s->whole.heads[hash(name, len) & s->whole.mask], name, len, c);
    for (size_t g = 0; g < NGRAMS; g++) {
        const struct table *t = &s->by_gram[g];
        for (size_t i = 0; t->any && i + grams[g] <= len; i++)
            try_chain(s, t->heads[hash(name + i, grams[g]) & t->mask], name, len, c);
    }
    try_chain(s, s->rest, name, len, c);
}

struct wave_choice wave_selector_look(struct wave_selector *s, const char *name)
{
    struct wave_choice c = { .only = !s->has_only };
    size_t len = strlen(name);
    if (s->npatterns == 0)
        return c;
    struct wave_range range = wave_range_of(name, len);
    look(s, name, len, &c);
    if (range.has && range.colon)
        look(s, name, range.base, &c);
    return c;
}

bool wave_selector_used(const struct wave_selector *s, size_t rule)
{
    return s->pattern_of[rule] == NONE || s->patterns[s->pattern_of[rule]].used;
}
