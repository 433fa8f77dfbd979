/* The failure report for people: see check.h. */
#include "check/check.h"

#include <inttypes.h>

void chk_print_report(const struct chk *c, FILE *out)
{
    const struct chk_report *r = chk_get_report(c);
    char line[256];
    if (!r->failed)
        return;
    if (r->has_event)
        fprintf(out, "first difference at cycle %" PRIu64 ", %s\n", r->cycle, r->err.where);
    else
        fprintf(out, "difference at the end of the run, %s\n", r->err.where);
    if (r->place[0])
        fprintf(out, "  at    %s\n", r->place);
    fprintf(out, "  what  %s\n", r->err.text);
    if (r->nhistory == 0)
        return;
    fprintf(out, "  last %u events there (newest last, <-- is the wrong one)\n", r->nhistory);
    for (unsigned i = 0; i < r->nhistory; i++) {
        dev_event_text(&r->history[i], line, sizeof line);
        fprintf(out, "    %s%s\n", line, i + 1 == r->nhistory ? "  <--" : "");
    }
}
