/* Can the names of an archive be files of one folder? Private to host/neff. */
#ifndef NEFFSIM_NEFF_UNPACK_NAMES_H
#define NEFFSIM_NEFF_UNPACK_NAMES_H

#include "neff/neff.h"

#define NEFF_FOLDERS_MAX 16 /* folders above a file; more are not packed either */

/*
 * NERR_RULE with the member as the place when a name has empty, "." or ".." components, a component of more
 * than 255 bytes, more than NEFF_FOLDERS_MAX folders, or is a file and a folder of another member at once.
 * NERR_INPUT when header, the file for the header, is no plain name or is in the archive itself.
 */
int unpack_check_names(const struct neff *n, const char *header, struct nerr *err);

#endif
