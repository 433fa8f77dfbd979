/* The windows of each architecture (q7-prelink.md §6). */
#include "q7/q7.h"

const char *const q7_arch_names[] = { "sunda", "cayman", "mariana", "mariana_plus", NULL };
const unsigned q7_arch_of[] = { ARCH_SUNDA, ARCH_CAYMAN, ARCH_MARIANA, ARCH_MARIANA };

bool q7_options_for(unsigned arch, struct q7_options *o)
{
    struct q7_options fresh = { .image_max = Q7_IMAGE_MAX };
    switch (arch) {
    case ARCH_SUNDA:
        fresh.code = (struct q7_window){ Q7_SUNDA_CODE_BASE, Q7_SUNDA_CODE_BYTES };
        fresh.data = (struct q7_window){ Q7_SUNDA_DATA_BASE, Q7_SUNDA_DATA_BYTES };
        break;
    case ARCH_CAYMAN:
    case ARCH_MARIANA: /* there is no set of its own */
        fresh.code = (struct q7_window){ Q7_CAYMAN_CODE_BASE, Q7_CAYMAN_CODE_BYTES };
        fresh.data = (struct q7_window){ Q7_CAYMAN_DATA_BASE, Q7_CAYMAN_DATA_BYTES };
        break;
    default:
        return false;
    }
    *o = fresh;
    return true;
}
