/*
 * What the parts of the manifest reader share. Private to host/neff: program.c walks the chain and calls the
 * parts in the order of neff-container.md §11; each part reads one table into the program.
 *
 * Reading has two ways to deal with a problem. Without a sink the first one ends it. With a sink (`check`)
 * the function that loops over the entries of a table passes each result through parse_entry, which records
 * the problem and lets the loop go on.
 */
#ifndef NEFFSIM_NEFF_PARSE_H
#define NEFFSIM_NEFF_PARSE_H

#include "neff/program.h"
#include "util/json.h"

struct parse {
    const struct neff *neff;
    struct program *prog;
    struct nerr *err;
    struct findings *sink; /* NULL: the first problem ends reading */
    unsigned arch;         /* with a sink: the generation to judge for, 0 none */
    bool allow_legacy;     /* with a sink */
    bool stopped;          /* with a sink: enough was found (err was recorded), or memory ran out */
};

enum { TIER_CONTAINER = 1, TIER_ARCH = 2, TIER_SECTION = 3 };

/*
 * The end of one entry of a document, read with result rc. Returns 0 when reading may go on: nothing was
 * wrong, or it was recorded and *bad (may be NULL) set.
 */
int parse_entry(struct parse *p, const struct json *j, int rc, bool *bad);
/* The same for a problem that is in no document, or of another tier. member: where *p->err is. */
int parse_problem(struct parse *p, const char *member, int tier, int rc, bool *bad);

/* A warning about a value (or about key below it when key is not NULL). Returns 0, or NERR_MEM / stopped. */
int parse_warn(struct parse *p, const struct json *j, const json_value *at, const char *key, const char *fmt,
               ...) __attribute__((format(printf, 5, 6)));
/* The same about a member. */
int parse_warn_member(struct parse *p, const char *member, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Something worth knowing; only findings show it. */
int parse_note(struct parse *p, const struct json *j, const json_value *at, const char *key, const char *fmt,
               ...) __attribute__((format(printf, 5, 6)));

/* A member as a JSON document; a missing member is NERR_RULE and `from` names it. The caller frees *out (NULL
 * after an error) with json_free. */
int parse_document(struct parse *p, const char *member, const char *from, struct json **out);

/* Warns about keys that an object has twice (§8: the first one wins). */
int parse_repeated_keys(struct parse *p, const struct json *j);

/* "sg_dir/name" (just name when sg_dir is empty); NULL when out of memory. The caller frees. */
char *parse_member_path(const struct parse *p, const char *name);

/* The member that a JSON string names below sg_dir. *path (may be NULL): its full name, owned by the caller.
 */
int parse_member(struct parse *p, const struct json *j, const json_value *name, const struct neff_member **m,
                 char **path);

int parse_memory(struct parse *p); /* sets NERR_MEM */

/* §8: whatever fails in the chain fails the load with code 2. Returns err->code. */
int parse_runtime_code(struct nerr *err);

/* ---- parse_kelf.c: the chain up to the graphs ---- */

/* parse_document without a look at repeated keys. */
int parse_open(const struct neff *n, const char *member, const char *from, struct json **out,
               struct nerr *err);

/* neff.json, or kelp.json in old files (row 16 of the ladder), and its name. */
int parse_head(const struct neff *n, struct json **out, struct nerr *err);
const char *parse_head_name(const struct neff *n);

/* The kelf member that the device node of neff.json names; borrowed from the document. */
int parse_find_kelf(const struct json *j, const char **kelf, struct nerr *err);

/* What a kelf says about all graphs (§10). Strings are borrowed from the document. */
struct parse_kelf {
    struct json *j;
    const char *version, *target;
    const json_value *graphs;
};

/* Fills *k from k->j in the runtime's order. A version or target that is wrong leaves the rest readable. */
int parse_kelf(struct parse *p, struct parse_kelf *k);

/* ---- the tables ---- */

/* Index of an engine name, PROG_ENGINES when it is none. */
int parse_engine(const char *name);

/* Sets repeat[i] when an earlier of the n names is the same. False when out of memory. */
bool parse_mark_repeats(const char *const *names, size_t n, bool *repeat);

int parse_io(struct parse *p, const struct json *neff_json);  /* §9 */
int parse_vars(struct parse *p, const struct json *def);      /* §12, §18 */
int parse_queues(struct parse *p, const struct json *def);    /* §13 */
int parse_groups(struct parse *p, const struct json *def);    /* §16 */
int parse_pairs(struct parse *p, const struct json *def);     /* §16 */
int parse_ucode(struct parse *p, const struct json *def);     /* §15 */
int parse_carveouts(struct parse *p, const struct json *def); /* §17 */
int parse_streams(struct parse *p, const struct json *def);   /* §16 */
int parse_fp8(struct parse *p, const struct json *def);       /* §16 */
int parse_features(struct parse *p, const struct json *def);  /* §11, §20 */
int parse_engines(struct parse *p, const struct json *def);   /* §14 */

/* Tier 2 of §20: the target against p->arch. j is the kelf. */
int parse_target(struct parse *p, const struct json *j);

/* One variable; its id is known. */
int parse_var(struct parse *p, const struct json *j, const json_value *v, struct prog_var *var);

/* Appends the blocks of a `dma` array; engine PROG_ENGINES means the owner of each block's queue. */
int parse_blocks(struct parse *p, const struct json *j, const char *member, int engine);
/* Rules over all blocks together, once every engine was read. */
int parse_check_blocks(struct parse *p);

/* One descriptor object into *d (its `where` is set by the caller). */
int parse_desc(struct parse *p, const struct json *j, const json_value *v, struct prog_desc *d);

/* The tables of ACT and DVE that an engine JSON names. */
int parse_act(struct parse *p, const struct json *j);
int parse_dve(struct parse *p, const struct json *j);
void parse_free_tables(struct program *p);

/* KDTYPE_* and bytes of an element of a dtype of the vocabulary (§12); false for other words. */
bool parse_dtype(const char *word, int *code, unsigned *bytes);

/* Releases what the parts put into the program. */
void parse_free_vars(struct program *p);
void parse_free_blocks(struct program *p);
void parse_free_queues(struct program *p);
void parse_free_groups(struct program *p);
void parse_free_libraries(struct program *p);

#endif
