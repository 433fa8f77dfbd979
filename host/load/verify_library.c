/*
 * The libraries of a graph through the prelinker (q7-prelink.md §2-§13). The gates of their manifest were
 * passed while it was read.
 */
#include <string.h>

#include "load/verify_private.h"
#include "q7/q7.h"
#include "regs.h"

struct warnings {
    struct verify *v;
    const char *member;
    int rc;
};

static void warn(void *ctx, const char *where, const char *text)
{
    struct warnings *w = ctx;
    if (w->rc == 0)
        w->rc = verify_member(w->v, FINDING_WARNING, w->member, where, "%s", text);
}

/* SUNDA stages its library as it is, so only CAYMAN and later have something to prelink (§15.2). */
static int verify_library(struct verify *v, const struct prog_library *l, unsigned arch)
{
    struct warnings w = { v, l->member, 0 };
    struct q7_options opt;
    struct q7_image image;
    struct q7_error why;
    memset(&opt, 0, sizeof opt);
    if (!q7_options_for(arch, &opt))
        return 0;
    opt.warn = warn;
    opt.ctx = &w;
    if (q7_prelink(l->data, l->size, &opt, &image, &why) == 0) {
        q7_image_free(&image);
        return w.rc;
    }
    if (why.status == Q7_MEMORY)
        return nerr_set(v->err, NERR_MEM, l->member, "out of memory");
    struct nerr what;
    q7_error_nerr(&why, &what);
    what.runtime_code = NRT_INVALID;
    return findings_add_at(v->f, findings_level(&what), 3, l->member, why.where, &what, v->err);
}

int verify_libraries(struct verify *v)
{
    const struct program *p = v->prog;
    unsigned arch = v->arch ? v->arch : ISA_GEN_RTL;
    int rc = 0;
    if (arch == ARCH_SUNDA)
        return 0;
    for (size_t i = 0; rc == 0 && i < p->nlibraries && !verify_stop(v); i++)
        if (p->libraries[i].data)
            rc = verify_library(v, &p->libraries[i], arch);
    return rc;
}
