/*
 * The container, taking apart: members of a NEFF -> files of a folder, the header -> header.json, in the form
 * that neff_pack_folder reads (docs/neff-pack.md). Never writes outside the folder, whatever the members are
 * called.
 */
#ifndef NEFFSIM_NEFF_UNPACK_H
#define NEFFSIM_NEFF_UNPACK_H

#include "neff/neff.h"
#include "util/strbuf.h"

#define NEFF_HEADER_FILE "header.json"

struct neff_unpack_options {
    const char *header_name; /* file for the header inside the folder, NULL: header.json */
    bool overwrite;          /* replace files that exist; never links, folders or devices */
    void (*warn)(void *ctx, const char *where, const char *text); /* may be NULL */
    void *warn_ctx;
};

/*
 * Writes every file of the archive and the header below dir, which is made when it does not exist (its parent
 * must). Nothing is written through symbolic links below dir. After an error what was written is removed
 * again; a dir that did not exist appears complete or not at all. NERR_RULE: the names cannot all be files of
 * one folder; NERR_INPUT: a file is in the way; NERR_IO.
 */
int neff_unpack(const struct neff *n, const char *dir, const struct neff_unpack_options *opt,
                struct nerr *err);

/* The text of header.json: header fields and what packing needs to make the same archive. Warnings tell what
 * it cannot keep. */
void neff_header_json(const struct neff *n, const struct neff_unpack_options *opt, struct strbuf *out);

#endif
