/* Conditions: see expr.h. A small parser into nodes, and their evaluation with three values of truth. */
#include "wave/expr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wave/grow.h"

#define DEPTH_MAX 200 /* brackets and ! inside each other */
#define NODES_MAX 4096
#define WIDTH_MAX 65536
#define NOTHING   UINT32_MAX

enum op {
    OP_NAME,
    OP_NUMBER,
    OP_NOT,
    OP_OR,
    OP_AND,
    OP_BITAND,
    OP_EQ,
    OP_NE,
    OP_SAME,    /* === */
    OP_NOTSAME, /* !== */
    OP_LT,
    OP_LE,
    OP_GT,
    OP_GE,
};

struct node {
    enum op op;
    uint32_t left, right;   /* nodes */
    uint32_t first, npiece; /* name: its pieces */
    char *bits;             /* number, or the value of a name or & when it is asked for */
    uint32_t width;
};

struct wave_expr {
    struct node *nodes;
    size_t n, capacity;
    struct wave_piece *pieces;
    size_t npieces, piece_capacity;
    uint32_t root;
};

struct parser {
    const char *text, *p;
    struct wave_index *index; /* NULL: only the form is checked */
    struct wave_expr *x;
    unsigned depth;
    const char *wrong; /* where the error is */
    struct nerr *err;
    bool failed;
};

static uint32_t fail(struct parser *s, const char *at, int code, const char *what)
{
    if (!s->failed) {
        s->failed = true;
        s->wrong = at;
        char where[64];
        snprintf(where, sizeof where, "expression, column %zu", (size_t)(at - s->text) + 1);
        nerr_set(s->err, code, where, "%s", what);
    }
    return NOTHING;
}

static uint32_t no_memory(struct parser *s)
{
    return fail(s, s->p, NERR_MEM, "out of memory");
}

static uint32_t add(struct parser *s, struct node node)
{
    if (s->x->n == NODES_MAX) {
        free(node.bits);
        return fail(s, s->p, NERR_INPUT, "an expression with more than 4096 signals, numbers and operators");
    }
    if (!WAVE_GROW(&s->x->nodes, &s->x->capacity, s->x->n + 1)) {
        free(node.bits);
        return no_memory(s);
    }
    s->x->nodes[s->x->n] = node;
    return (uint32_t)s->x->n++;
}

static void skip(struct parser *s)
{
    while (*s->p == ' ' || *s->p == '\t')
        s->p++;
}

static bool takes(struct parser *s, const char *word)
{
    skip(s);
    size_t n = strlen(word);
    if (strncmp(s->p, word, n) != 0)
        return false;
    s->p += n;
    return true;
}

/* ---- numbers
 * ---------------------------------------------------------------------------------------------------- */

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

static char unknown_of(char c)
{
    return c == 'x' || c == 'X' ? 'x' : c == 'z' || c == 'Z' || c == '?' ? 'z' : '\0';
}

/* Digits of a power of two, most significant first, into n characters from the right; false: does not fit. */
static bool put_digits(const char *first, const char *end, unsigned shift, char *bits, uint32_t width)
{
    uint32_t at = width;
    char fill = unknown_of(*first) ? unknown_of(*first) : '0';
    for (const char *p = end; p-- > first;) {
        if (*p == '_')
            continue;
        char unknown = unknown_of(*p);
        for (unsigned k = 0; k < shift; k++) {
            char bit = unknown;
            if (!unknown)
                bit = (char)('0' + (digit_of(*p) >> k & 1));
            if (at == 0 && bit != '0' && !unknown)
                return false;
            if (at > 0)
                bits[--at] = bit;
        }
    }
    memset(bits, fill, at);
    return true;
}

static bool put_decimal(uint64_t v, char *bits, uint32_t width)
{
    for (uint32_t i = width; i-- > 0; v >>= 1)
        bits[i] = (char)('0' + (int)(v & 1));
    return v == 0;
}

/* Decimal digits at s->p. */
static bool read_decimal(struct parser *s, uint64_t *out)
{
    const char *first = s->p;
    *out = 0;
    for (; (*s->p >= '0' && *s->p <= '9') || (*s->p == '_' && s->p > first); s->p++) {
        if (*s->p == '_')
            continue;
        uint64_t d = (uint64_t)(*s->p - '0');
        if (*out > (UINT64_MAX - d) / 10)
            return false;
        *out = *out * 10 + d;
    }
    return s->p > first;
}

/* "8'hff", "'b1", "12": s->p at the first character. */
static uint32_t number(struct parser *s)
{
    const char *start = s->p;
    uint64_t value = 0;
    if (*s->p != '\'' && !read_decimal(s, &value))
        return fail(s, start, NERR_INPUT, "a number beyond 2^64; write it in hexadecimal (128'h...)");
    uint32_t width = 64;
    char *bits;
    if (*s->p != '\'') {
        if (!(bits = malloc(width)))
            return no_memory(s);
        put_decimal(value, bits, width);
        return add(s, (struct node){ .op = OP_NUMBER, .bits = bits, .width = width });
    }
    bool sized = s->p > start;
    if (sized && (value == 0 || value > WIDTH_MAX))
        return fail(s, start, NERR_INPUT, "the width of a number is from 1 to 65536");
    s->p++;
    char base = *s->p ? *s->p++ : ' ';
    const char *digits = s->p;
    int radix = base == 'h' || base == 'H'   ? 16
                : base == 'o' || base == 'O' ? 8
                : base == 'b' || base == 'B' ? 2
                : base == 'd' || base == 'D' ? 10
                                             : 0;
    if (!radix)
        return fail(s, digits - 1, NERR_INPUT, "the base of a number is h, d, o or b");
    uint64_t decimal = 0;
    bool fits = true;
    if (radix == 10)
        fits = read_decimal(s, &decimal);
    else
        while (digit_of(*s->p) < radix || unknown_of(*s->p) || (*s->p == '_' && s->p > digits))
            s->p++;
    if (!fits || s->p == digits)
        return fail(s, digits, NERR_INPUT, "digits of the number's base are expected here");
    unsigned shift = radix == 16 ? 4 : radix == 8 ? 3 : 1;
    uint64_t natural = radix == 10 ? 64 : (uint64_t)(s->p - digits) * shift;
    if (natural > WIDTH_MAX)
        return fail(s, digits, NERR_INPUT, "a number with more than 65536 bits");
    width = sized ? (uint32_t)value : (uint32_t)natural;
    if (!(bits = malloc(width)))
        return no_memory(s);
    fits = radix == 10 ? put_decimal(decimal, bits, width) : put_digits(digits, s->p, shift, bits, width);
    if (!fits) {
        free(bits);
        return fail(s, digits, NERR_INPUT, "the number does not fit its width");
    }
    return add(s, (struct node){ .op = OP_NUMBER, .bits = bits, .width = width });
}

/* ---- names
 * ------------------------------------------------------------------------------------------------------- */

/* Length of the name at p: an escaped part (\ up to a blank) may hold anything. */
static size_t name_length(const char *p)
{
    const char *q = p;
    for (;;) {
        if (*q == '\\')
            while (*q && *q != ' ' && *q != '\t' && *q != '.')
                q++;
        else if (*q == '[') {
            const char *close = strchr(q, ']');
            if (!close)
                break;
            q = close + 1;
        } else if ((*q >= 'a' && *q <= 'z') || (*q >= 'A' && *q <= 'Z') || (*q >= '0' && *q <= '9') ||
                   (*q && strchr("_$.:/", *q)) || (unsigned char)*q >= 0x80)
            q++;
        else
            break;
    }
    return (size_t)(q - p);
}

/* A name as it is, or in braces when it has other characters. */
static uint32_t name(struct parser *s)
{
    const char *start = s->p, *close = *start == '{' ? strchr(start, '}') : NULL;
    struct node node = { .op = OP_NAME };
    struct wave_piece *pieces = NULL;
    uint32_t n = 0;
    char text[256];
    size_t len = close ? (size_t)(close - start) - 1 : name_length(start);
    if (*start == '{' && !close)
        return fail(s, start, NERR_INPUT, "a name in braces has no closing brace");
    if (len == 0)
        return fail(s, start, NERR_INPUT,
                    *start ? "a signal, a number, ! or ( is expected here"
                           : "the expression ends where a signal or a number is expected");
    if (close) {
        start++;
        s->p += 2;
    }
    s->p += len;
    if (!s->index)
        return add(s, node);
    switch (wave_index_find(s->index, start, len, true, &pieces, &n)) {
    case WAVE_FOUND:
        break;
    case WAVE_FOUND_NO_MEMORY:
        return no_memory(s);
    case WAVE_AMBIGUOUS:
        snprintf(text, sizeof text, "more than one signal's name ends in '%.*s'",
                 (int)(len > 150 ? 150 : len), start);
        return fail(s, start, NERR_INPUT, text);
    default:
        snprintf(text, sizeof text, "no signal is called '%.*s'", (int)(len > 150 ? 150 : len), start);
        return fail(s, start, NERR_INPUT, text);
    }
    node.first = (uint32_t)s->x->npieces;
    node.npiece = n;
    bool bits = true;
    for (uint32_t i = 0; i < n; i++) {
        node.width += pieces[i].count;
        bits = bits && s->index->reader->vars[pieces[i].var].kind == WAVE_BITS;
    }
    bool good = WAVE_GROW(&s->x->pieces, &s->x->piece_capacity, s->x->npieces + n) &&
                (node.bits = malloc((size_t)node.width + 1)) != NULL;
    if (good) {
        memcpy(s->x->pieces + s->x->npieces, pieces, n * sizeof *pieces);
        s->x->npieces += n;
    }
    free(pieces);
    if (good && bits)
        return add(s, node);
    free(node.bits);
    return good ? fail(s, start, NERR_INPUT,
                       "a condition is about bits, and this is a real, a string or an event")
                : no_memory(s);
}

/* ---- operators, the weakest last
 * --------------------------------------------------------------------------------- */

static uint32_t parse_or(struct parser *s);

static uint32_t unary(struct parser *s)
{
    skip(s);
    if (++s->depth > DEPTH_MAX)
        return fail(s, s->p, NERR_INPUT, "more than 200 brackets and ! inside each other");
    uint32_t node;
    if (*s->p == '!' && s->p[1] != '=') {
        s->p++;
        node = unary(s);
        node = s->failed ? NOTHING : add(s, (struct node){ .op = OP_NOT, .left = node, .width = 1 });
    } else if (*s->p == '(') {
        s->p++;
        node = parse_or(s);
        if (!s->failed && !takes(s, ")"))
            node = fail(s, s->p, NERR_INPUT, "a closing bracket is expected here");
    } else if (*s->p == '\'' || (*s->p >= '0' && *s->p <= '9')) {
        node = number(s);
    } else {
        node = name(s);
    }
    s->depth--;
    return node;
}

static uint32_t binary(struct parser *s, enum op op, uint32_t left, uint32_t right)
{
    if (s->failed)
        return NOTHING;
    struct node node = { .op = op, .left = left, .right = right, .width = 1 };
    if (op == OP_BITAND) {
        uint32_t a = s->x->nodes[left].width, b = s->x->nodes[right].width;
        node.width = a > b ? a : b;
        if (!(node.bits = malloc((size_t)node.width + 1)))
            return no_memory(s);
    }
    return add(s, node);
}

static uint32_t parse_relation(struct parser *s)
{
    uint32_t left = unary(s);
    for (;;) {
        enum op op;
        if (s->failed)
            return NOTHING;
        if (takes(s, "<="))
            op = OP_LE;
        else if (takes(s, ">="))
            op = OP_GE;
        else if (takes(s, "<"))
            op = OP_LT;
        else if (takes(s, ">"))
            op = OP_GT;
        else
            return left;
        left = binary(s, op, left, unary(s));
    }
}

static uint32_t parse_equality(struct parser *s)
{
    uint32_t left = parse_relation(s);
    for (;;) {
        enum op op;
        if (s->failed)
            return NOTHING;
        if (takes(s, "==="))
            op = OP_SAME;
        else if (takes(s, "!=="))
            op = OP_NOTSAME;
        else if (takes(s, "=="))
            op = OP_EQ;
        else if (takes(s, "!="))
            op = OP_NE;
        else
            return left;
        left = binary(s, op, left, parse_relation(s));
    }
}

static uint32_t parse_bitand(struct parser *s)
{
    uint32_t left = parse_equality(s);
    for (;;) {
        skip(s);
        if (s->failed || *s->p != '&' || s->p[1] == '&')
            return left;
        s->p++;
        left = binary(s, OP_BITAND, left, parse_equality(s));
    }
}

static uint32_t parse_and(struct parser *s)
{
    uint32_t left = parse_bitand(s);
    while (!s->failed && takes(s, "&&"))
        left = binary(s, OP_AND, left, parse_bitand(s));
    return left;
}

static uint32_t parse_or(struct parser *s)
{
    uint32_t left = parse_and(s);
    while (!s->failed && takes(s, "||"))
        left = binary(s, OP_OR, left, parse_and(s));
    return left;
}

static int parse(struct parser *s)
{
    s->p = s->text;
    s->x = calloc(1, sizeof *s->x);
    if (!s->x)
        return nerr_set(s->err, NERR_MEM, "", "out of memory");
    s->x->root = parse_or(s);
    skip(s);
    if (!s->failed && *s->p)
        fail(s, s->p, NERR_INPUT, "an operator or the end of the expression is expected here");
    return s->failed ? s->err->code : 0;
}

int wave_expr_check(const char *text, size_t *column, struct nerr *err)
{
    struct parser s = { .text = text, .err = err };
    int rc = parse(&s);
    *column = s.wrong ? (size_t)(s.wrong - text) + 1 : 1;
    wave_expr_free(s.x);
    return rc;
}

int wave_expr_make(const char *text, struct wave_index *index, struct wave_expr **out, struct nerr *err)
{
    struct parser s = { .text = text, .err = err, .index = index };
    int rc = parse(&s);
    if (rc) {
        wave_expr_free(s.x);
        s.x = NULL;
    }
    *out = s.x;
    return rc;
}

void wave_expr_free(struct wave_expr *x)
{
    if (!x)
        return;
    for (size_t i = 0; i < x->n; i++)
        free(x->nodes[i].bits);
    free(x->nodes);
    free(x->pieces);
    free(x);
}

const struct wave_piece *wave_expr_pieces(const struct wave_expr *x, size_t *n)
{
    *n = x->npieces;
    return x->pieces;
}

/* ---- evaluation
 * -------------------------------------------------------------------------------------------------- */

enum truth { NO, YES, UNKNOWN };

struct evaluation {
    struct wave_expr *x;
    const char *(*value)(void *ctx, uint32_t signal);
    void *ctx;
};

/* 0, 1 or 'x' of a bit; the weak states count as what they stand for. */
static char plain(char c)
{
    return c == '0' || c == 'l' ? '0' : c == '1' || c == 'h' ? '1' : 'x';
}

static enum truth truth_of(struct evaluation *v, uint32_t node);

/* The node as n->width bits. */
static const char *bits_of(struct evaluation *v, uint32_t node)
{
    struct node *n = &v->x->nodes[node];
    static const char *const truths[] = { "0", "1", "x" };
    switch (n->op) {
    case OP_NUMBER:
        return n->bits;
    case OP_NAME: {
        char *at = n->bits;
        for (uint32_t i = 0; i < n->npiece; i++) {
            const struct wave_piece *p = &v->x->pieces[n->first + i];
            memcpy(at, v->value(v->ctx, p->signal) + p->at, p->count);
            at += p->count;
        }
        return n->bits;
    }
    case OP_BITAND: {
        const char *a = bits_of(v, n->left), *b = bits_of(v, n->right);
        uint32_t na = v->x->nodes[n->left].width, nb = v->x->nodes[n->right].width;
        for (uint32_t i = 0; i < n->width; i++) { /* from the right */
            char ca = i < na ? plain(a[na - 1 - i]) : '0', cb = i < nb ? plain(b[nb - 1 - i]) : '0';
            n->bits[n->width - 1 - i] = ca == '0' || cb == '0' ? '0' : ca == '1' && cb == '1' ? '1' : 'x';
        }
        return n->bits;
    }
    default:
        return truths[truth_of(v, node)];
    }
}

/* Compares as unsigned numbers: *sign is -1, 0 or 1. With exact, states are compared as they are. */
static bool compare(struct evaluation *v, const struct node *n, bool exact, int *sign)
{
    const char *a = bits_of(v, n->left), *b = bits_of(v, n->right);
    uint32_t na = v->x->nodes[n->left].width, nb = v->x->nodes[n->right].width;
    uint32_t width = na > nb ? na : nb;
    *sign = 0;
    for (uint32_t i = width; i-- > 0;) { /* i from the right: most significant first */
        char ca = i < na ? a[na - 1 - i] : '0', cb = i < nb ? b[nb - 1 - i] : '0';
        if (!exact) {
            ca = plain(ca);
            cb = plain(cb);
            if (ca == 'x' || cb == 'x')
                return false;
        }
        if (*sign == 0 && ca != cb)
            *sign = ca < cb ? -1 : 1;
    }
    return true;
}

static enum truth truth_of(struct evaluation *v, uint32_t node)
{
    const struct node *n = &v->x->nodes[node];
    int sign;
    switch (n->op) {
    case OP_NOT: {
        enum truth t = truth_of(v, n->left);
        return t == UNKNOWN ? UNKNOWN : t == YES ? NO : YES;
    }
    case OP_OR:
    case OP_AND: {
        enum truth decides = n->op == OP_OR ? YES : NO;
        enum truth a = truth_of(v, n->left);
        if (a == decides)
            return a;
        enum truth b = truth_of(v, n->right);
        return b == decides || a != UNKNOWN ? b : UNKNOWN;
    }
    case OP_SAME:
    case OP_NOTSAME:
        compare(v, n, true, &sign);
        return (sign == 0) == (n->op == OP_SAME) ? YES : NO;
    case OP_EQ:
    case OP_NE:
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
        if (!compare(v, n, false, &sign))
            return UNKNOWN;
        return (n->op == OP_EQ   ? sign == 0
                : n->op == OP_NE ? sign != 0
                : n->op == OP_LT ? sign < 0
                : n->op == OP_LE ? sign <= 0
                : n->op == OP_GT ? sign > 0
                                 : sign >= 0)
                   ? YES
                   : NO;
    default: {
        const char *bits = bits_of(v, node);
        enum truth t = NO;
        for (uint32_t i = 0; i < n->width; i++) {
            if (plain(bits[i]) == '1')
                return YES;
            if (plain(bits[i]) == 'x')
                t = UNKNOWN;
        }
        return t;
    }
    }
}

bool wave_expr_holds(struct wave_expr *x, const char *(*value)(void *ctx, uint32_t signal), void *ctx)
{
    struct evaluation v = { x, value, ctx };
    return truth_of(&v, x->root) == YES;
}
