/*
 * The hierarchy of an FST file is a byte string of scope, variable and attribute records. It is read here and
 * not by the library, whose own loop never ends when a string is cut and which shortens long names.
 */
#include "wave/fst_hier.h"

#include <stdlib.h>
#include <string.h>

#include "util/strbuf.h"
#include "wave/fst_names.h"
#include "wave/fst_varint.h"

#define MAX_DEPTH 4096

struct cursor {
    const struct fst_file *f;
    struct wave_reader *r;
    struct nerr *err;
    size_t pos;
    struct strbuf scope;      /* "top.core." */
    size_t parent[MAX_DEPTH]; /* length of scope before each open scope */
    unsigned depth;
    uint32_t handles; /* signals declared so far, without aliases */
    size_t capacity;  /* of r->vars */
};

static int damaged(struct cursor *c, const char *what)
{
    return nerr_set(c->err, NERR_INPUT, c->f->path, "damaged FST file: %s at byte %zu of the hierarchy", what,
                    c->pos);
}

static int byte(struct cursor *c, uint8_t *out)
{
    if (c->pos >= c->f->hier_len)
        return damaged(c, "a record is cut");
    *out = c->f->hier[c->pos++];
    return 0;
}

static int string(struct cursor *c, const char **out)
{
    const uint8_t *start = c->f->hier + c->pos;
    const uint8_t *end = memchr(start, 0, c->f->hier_len - c->pos);
    if (!end)
        return damaged(c, "a name has no end");
    *out = (const char *)start;
    c->pos += (size_t)(end - start) + 1;
    return 0;
}

static int number(struct cursor *c, uint64_t *out)
{
    return fst_varint(c->f->hier, c->f->hier_len, &c->pos, out) ? 0 : damaged(c, "a number is cut");
}

/* GTKWave's converter takes the $end of an unnamed VCD scope for its name. */
static bool is_unnamed(const char *name)
{
    return strncmp(name, "$end", 4) == 0 && name[4 + strspn(name + 4, " \t\r\n")] == '\0';
}

static int open_scope(struct cursor *c)
{
    uint8_t type;
    const char *name, *component;
    int rc = byte(c, &type);
    if (!rc)
        rc = string(c, &name);
    if (!rc)
        rc = string(c, &component);
    if (rc)
        return rc;
    if (c->depth == MAX_DEPTH)
        return damaged(c, "scopes are nested too deep");
    c->parent[c->depth++] = c->scope.len;
    c->r->nscopes++;
    if (*name && !is_unnamed(name)) {
        strbuf_puts(&c->scope, name);
        strbuf_puts(&c->scope, ".");
    }
    return 0;
}

static int close_scope(struct cursor *c)
{
    if (c->depth == 0)
        return damaged(c, "a scope ends that was never opened");
    c->scope.len = c->parent[--c->depth];
    if (c->scope.s)
        c->scope.s[c->scope.len] = '\0';
    return 0;
}

static int skip_attribute(struct cursor *c)
{
    uint8_t type, subtype;
    const char *name;
    uint64_t argument;
    int rc = byte(c, &type);
    if (!rc)
        rc = byte(c, &subtype);
    if (!rc)
        rc = string(c, &name);
    return rc ? rc : number(c, &argument);
}

/* Scope and name without the blanks before a range: "data [7:0]" is data[7:0] (wave.h). */
static char *full_name(const struct strbuf *scope, const char *name)
{
    size_t n = strlen(name);
    char *full = malloc(scope->len + n + 1), *p = full;
    if (!full)
        return NULL;
    if (scope->len)
        memcpy(p, scope->s, scope->len);
    p += scope->len;
    for (size_t i = 0; i < n; i++)
        if (name[i] != ' ' || name[i + 1] != '[')
            *p++ = name[i];
    *p = '\0';
    return full;
}

static bool is_number(uint8_t type)
{
    switch (type) {
    case FST_VT_VCD_INTEGER:
    case FST_VT_VCD_PARAMETER:
    case FST_VT_VCD_REAL:
    case FST_VT_VCD_REAL_PARAMETER:
    case FST_VT_VCD_REALTIME:
    case FST_VT_GEN_STRING:
    case FST_VT_SV_INT:
    case FST_VT_SV_SHORTINT:
    case FST_VT_SV_LONGINT:
    case FST_VT_SV_SHORTREAL:
        return true;
    default:
        return false;
    }
}

static int add_var(struct cursor *c, uint8_t type, const char *name, uint32_t signal)
{
    uint32_t len = c->f->lens[signal];
    if (c->r->nvars == c->capacity) {
        size_t capacity = c->capacity ? c->capacity * 2 : 256;
        struct wave_var *vars = realloc(c->r->vars, capacity * sizeof *vars);
        if (!vars)
            return nerr_set(c->err, NERR_MEM, c->f->path, "out of memory");
        c->r->vars = vars;
        c->capacity = capacity;
    }
    struct wave_var *var = &c->r->vars[c->r->nvars];
    var->name = full_name(&c->scope, name);
    if (!var->name || c->scope.failed)
        return nerr_set(c->err, NERR_MEM, c->f->path, "out of memory");
    c->r->nvars++;
    var->signal = signal;
    var->scope = (uint32_t)c->scope.len;
    var->is_number = is_number(type);
    var->width = len == FST_LEN_REAL ? 64 : len == FST_LEN_STRING ? 0 : len;
    var->kind = len == FST_LEN_REAL                    ? WAVE_REAL
                : len == FST_LEN_STRING                ? WAVE_STRING
                : type == FST_VT_VCD_EVENT && len == 1 ? WAVE_EVENT
                                                       : WAVE_BITS;
    return 0;
}

static int variable(struct cursor *c, uint8_t type)
{
    uint8_t direction;
    const char *name;
    uint64_t len, alias;
    int rc = byte(c, &direction);
    if (!rc)
        rc = string(c, &name);
    if (!rc)
        rc = number(c, &len);
    if (!rc)
        rc = number(c, &alias);
    if (rc)
        return rc;
    if (alias > c->handles || (alias == 0 && c->handles == c->f->handles))
        return damaged(c, "a variable stands for a signal that does not exist");
    return add_var(c, type, name, alias ? (uint32_t)alias - 1 : c->handles++);
}

static int record(struct cursor *c)
{
    uint8_t tag = 0;
    int rc = byte(c, &tag);
    if (rc)
        return rc;
    switch (tag) {
    case FST_ST_VCD_SCOPE:
        return open_scope(c);
    case FST_ST_VCD_UPSCOPE:
        return close_scope(c);
    case FST_ST_GEN_ATTRBEGIN:
        return skip_attribute(c);
    case FST_ST_GEN_ATTREND:
        return 0;
    default:
        return tag <= FST_VT_MAX ? variable(c, tag) : damaged(c, "a record of unknown kind");
    }
}

int fst_hier_read(const struct fst_file *f, struct wave_reader *r, struct nerr *err)
{
    int rc = 0;
    struct cursor *c = calloc(1, sizeof *c);
    if (!c)
        return nerr_set(err, NERR_MEM, f->path, "out of memory");
    c->f = f;
    c->r = r;
    c->err = err;
    while (!rc && c->pos < f->hier_len)
        rc = record(c);
    if (!rc && (r->nvars != f->vars || r->nscopes != f->scopes || c->handles != f->handles))
        rc = nerr_set(
            err, NERR_INPUT, f->path,
            "damaged FST file: the header counts %llu variables in %llu scopes with %lu signals, the "
            "hierarchy has %zu in %llu with %lu",
            (unsigned long long)f->vars, (unsigned long long)f->scopes, (unsigned long)f->handles, r->nvars,
            (unsigned long long)r->nscopes, (unsigned long)c->handles);
    r->nsignals = f->handles;
    strbuf_free(&c->scope);
    free(c);
    return rc;
}
