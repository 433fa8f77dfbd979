/* Parts of the source-folder reader (docs/neff-pack.md). Private to host/neff. */
#ifndef NEFFSIM_NEFF_PACK_SOURCE_H
#define NEFFSIM_NEFF_PACK_SOURCE_H

#include "neff/pack.h"
#include "util/json.h"
#include "util/strbuf.h"

/* Text of a hex dump -> bytes appended to out. where names the file. Errors: NERR_INPUT with "file line". */
int hex_read(const char *text, size_t len, const char *where, struct strbuf *out, struct nerr *err);

/*
 * header.json over the defaults already in *s. *order: the archive.members array or NULL. Strings in *s are
 * borrowed from the document.
 */
int header_json_read(const struct json *j, struct neff_pack_settings *s, const json_value **order,
                     struct nerr *err);

#endif
