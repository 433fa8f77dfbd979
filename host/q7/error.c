/* Status codes, their labels and the two ways an error leaves this station (q7-prelink.md §1.1, §1.2). */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "q7/private.h"

const char *q7_status_label(int status)
{
    switch (status) {
    case Q7_ST_OK:
        return "ok";
    case Q7_ST_NOT_ELF:
        return "not ELF";
    case Q7_ST_NO_DYNAMIC:
        return "no dynamic segment";
    case Q7_ST_SYMBOL:
        return "symbol / type word too large";
    case Q7_ST_NOT_SPLIT:
        return "not split-load";
    case Q7_ST_RELOCATION:
        return "relocation error";
    case Q7_ST_FORMAT:
        return "instruction format";
    case Q7_ST_TOO_BIG:
        return "segment too big";
    case Q7_USAGE:
        return "usage";
    case Q7_MEMORY:
        return "out of memory";
    default:
        return "?";
    }
}

int q7_exit_code(int status)
{
    if (status == Q7_ST_OK)
        return 0;
    return status == Q7_ST_NOT_ELF || status < 0 ? 2 : 1;
}

int q7_fail(struct q7_error *err, int status, const char *where, const char *message, const char *detail, ...)
{
    va_list ap;
    err->status = status;
    err->create_code = status == Q7_MEMORY ? Q7_CREATE_MEMORY : status > 0 ? Q7_CREATE_PRELINK : Q7_CREATE_OK;
    err->label = q7_status_label(status);
    snprintf(err->where, sizeof err->where, "%s", where);
    va_start(ap, detail);
    vsnprintf(err->detail, sizeof err->detail, detail, ap);
    va_end(ap);
    snprintf(err->message, sizeof err->message, "%.*s", (int)sizeof err->message - 1,
             message ? message : err->detail);
    return status;
}

int q7_error_nerr(const struct q7_error *e, struct nerr *err)
{
    int code = NERR_RULE;
    if (e->status == Q7_ST_OK)
        code = NERR_OK;
    else if (e->status == Q7_MEMORY)
        code = NERR_MEM;
    else if (q7_exit_code(e->status) == 2)
        code = NERR_INPUT;
    if (e->status < 0) /* ours, no status of the reference */
        return nerr_set(err, code, e->where, "%s", e->detail);
    bool twice = strncmp(e->message, e->detail, strlen(e->message)) == 0;
    return nerr_set(err, code, e->where, "status %d (%s): %s%s%s", e->status, e->label,
                    twice ? "" : e->message, twice ? "" : ": ", e->detail);
}

void q7_warn(const struct q7_options *opt, const char *where, const char *fmt, ...)
{
    char text[256];
    va_list ap;
    if (!opt->warn)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    opt->warn(opt->ctx, where, text);
}
