/* The gates of a ucode library (q7-prelink.md §15.1): see library.h. */
#include "q7/library.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int refuse(struct nerr *err, const char *where, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static int refuse(struct nerr *err, const char *where, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    nerr_vset(err, NERR_RULE, where, fmt, ap);
    va_end(ap);
    err->runtime_code = NRT_INVALID;
    return err->code;
}

/* A.B[.C...] in decimal digits, then nothing or a suffix of semantic versioning (-pre, +build). */
static bool is_version(const char *s)
{
    unsigned parts = 0;
    for (;; s++) {
        if (!isdigit((unsigned char)*s))
            return false;
        while (isdigit((unsigned char)*s))
            s++;
        parts++;
        if (*s != '.')
            break;
    }
    if (parts < 2)
        return false;
    if (*s != '-' && *s != '+')
        return *s == '\0';
    size_t suffix = 0;
    for (s++; isalnum((unsigned char)*s) || *s == '-' || *s == '.' || *s == '+'; s++)
        suffix++;
    return suffix && *s == '\0';
}

int q7_check_version(const char *version, struct nerr *err)
{
    if (!version)
        return refuse(err, "", "Missing GPSIMD lib version!");
    if (!is_version(version))
        return refuse(err, "", "GPSIMD lib: Failed to parse GPSIMD lib version string! Version: %.80s",
                      version);
    if (strtoul(version, NULL, 10) != UCODE_MAJOR)
        return refuse(
            err, "",
            "Mismatch between GPSIMD lib version and NRT version! invalid GPSIMD lib: found %.80s, the "
            "major version must be %u",
            version, UCODE_MAJOR);
    return 0;
}

static int check_functions(const struct q7_library *l, size_t lib, struct nerr *err)
{
    char where[64];
    for (size_t i = 0; i < l->nfunctions; i++) {
        const struct q7_function *f = &l->functions[i];
        snprintf(where, sizeof where, "ucode_lib[%zu].functions[%zu]", lib, i);
        if (strlen(f->name) > Q7_FUNCTION_NAME_MAX)
            return refuse(err, where, "ucode function name (%.80s) is too long.  Max length = %u", f->name,
                          Q7_FUNCTION_NAME_MAX);
        if (f->opcode < INT8_MIN || f->opcode > UINT8_MAX)
            return refuse(err, where, "opcode %d is no byte", f->opcode);
        if (f->sub_opcode < -1 || f->sub_opcode >= UINT8_MAX)
            return refuse(err, where, "sub_opcode %d is not from 0 to 254", f->sub_opcode);
    }
    return 0;
}

static int check_one(const struct q7_library *libs, size_t i, struct nerr *err)
{
    char where[40];
    const struct q7_library *l = &libs[i];
    snprintf(where, sizeof where, "ucode_lib[%zu]", i);
    int rc = q7_check_version(l->version, err);
    if (rc) {
        nerr_prefix(err, where);
        return rc;
    }
    if (l->cpu_id != 0)
        return refuse(err, where, "cpu_id is %" PRIu64 ", the runtime aborts unless cpu_id == 0", l->cpu_id);
    if (l->total_cpus > 1 && l->total_cpus != Q7_CORES) /* 0 is tolerated (neff-container.md §15) */
        return refuse(err, where, "UCode Library %.80s has invalid number of total cpus %" PRIu64, l->name,
                      l->total_cpus);
    for (size_t k = 0; k < i; k++)
        if (strcmp(libs[k].name, l->name) == 0)
            return refuse(err, where, "UCode Library %.80s has already been added", l->name);
    return check_functions(l, i, err);
}

int q7_check_libraries(const struct q7_library *libs, size_t count, struct nerr *err)
{
    char where[40];
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        int rc = check_one(libs, i, err);
        if (rc)
            return rc;
        snprintf(where, sizeof where, "ucode_lib[%zu]", i);
        /* cpu_id is 0, so every library, single or broadcast, is on core 0. */
        total += libs[i].nfunctions;
        if (total > Q7_FUNCTIONS_MAX)
            return refuse(err, where, "too many ucode functions in this table.  Max is %u.",
                          Q7_FUNCTIONS_MAX);
        if (total > Q7_FUNCTIONS_CORE)
            return refuse(err, where,
                          "Number of ucode functions: %zu per core exceeded the maximum allowed %u", total,
                          Q7_FUNCTIONS_CORE);
    }
    return 0;
}

bool q7_builtin_opcode(int opcode)
{
    return (opcode & UINT8_MAX) == Q7_OPCODE_BUILTIN;
}
