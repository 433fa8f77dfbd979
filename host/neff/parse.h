/*
 * What the parts of the manifest reader share. Private to host/neff: program.c walks the chain and calls the
 * parts in the order of neff-container.md §11; each part reads one table into the program.
 */
#ifndef NEFFSIM_NEFF_PARSE_H
#define NEFFSIM_NEFF_PARSE_H

#include "neff/program.h"
#include "util/json.h"

struct parse {
    const struct neff *neff;
    struct program *prog;
    struct nerr *err;
};

/* A member as a JSON document; a missing member is NERR_RULE. The caller frees with json_free. */
int parse_document(struct parse *p, const char *member, struct json **out);

/* "sg_dir/name" (just name when sg_dir is empty); NULL when out of memory. The caller frees. */
char *parse_member_path(const struct parse *p, const char *name);

/* The member that a JSON string names below sg_dir. *path (may be NULL): its full name, owned by the caller.
 */
int parse_member(struct parse *p, const struct json *j, const json_value *name, const struct neff_member **m,
                 char **path);

int parse_memory(struct parse *p); /* sets NERR_MEM */

/* Index of an engine name, PROG_ENGINES when it is none. */
int parse_engine(const char *name);

int parse_io(struct parse *p, const struct json *neff_json);  /* §9 */
int parse_vars(struct parse *p, const struct json *def);      /* §12, §18 */
int parse_queues(struct parse *p, const struct json *def);    /* §13 */
int parse_groups(struct parse *p, const struct json *def);    /* §16 */
int parse_ucode(struct parse *p, const struct json *def);     /* §15 */
int parse_carveouts(struct parse *p, const struct json *def); /* §17 */
int parse_fp8(struct parse *p, const struct json *def);       /* §16 */
int parse_engines(struct parse *p, const struct json *def);   /* §14 */

/* Appends the blocks of a `dma` array; engine PROG_ENGINES means the owner of each block's queue. */
int parse_blocks(struct parse *p, const struct json *j, const char *member, int engine);
/* Rules over all blocks together, once every engine was read. */
int parse_check_blocks(struct parse *p);

/* One descriptor object into *d (its `where` is set by the caller). */
int parse_desc(struct parse *p, const struct json *j, const json_value *v, struct prog_desc *d);

#endif
