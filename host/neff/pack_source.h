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

/*
 * Feature bits and major of a packed image (pack_features.c): sets what *s leaves to the members, warns where
 * they contradict each other. An image that cannot be read stays as it is.
 */
int pack_set_features(uint8_t *image, size_t len, const struct neff_pack_settings *s,
                      const struct neff_pack_options *opt, struct nerr *err);

/* One element of archive.members, a name or an object: its name and what is different for it. */
int header_json_member(const struct json *j, const json_value *v, const struct neff_pack_settings *s,
                       const char **name, struct neff_file_meta *meta, struct nerr *err);

#endif
