/* Golden waves of cases: see goldenwave.h. */
#include "run/goldenwave.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/file.h"
#include "wave/report.h"

#define LISTED 5 /* differences shown when a golden wave is recorded again */

/* Compares by the rules beside the case, when there are some. The result must be freed either way. */
static int compare(const struct vcase *c, const char *fst, size_t limit, struct wave_result *r,
                   struct nerr *err)
{
    struct wave_options o = { .limit = limit };
    struct wave_rule_file *rules = NULL;
    int rc = 0;
    char *path = text_printf("%s/wave.rules", c->folder);
    memset(r, 0, sizeof *r);
    if (!path)
        return nerr_set(err, NERR_MEM, c->folder, "out of memory");
    if (access(path, F_OK) == 0)
        rc = wave_rules_read(path, &rules, err);
    if (!rc && rules)
        o.rules = wave_rules_list(rules, &o.nrules);
    if (!rc)
        rc = wave_compare(c->golden_wave, fst, &o, r, err);
    wave_rules_free(rules);
    free(path);
    return rc;
}

int golden_wave_compare(const struct vcase *c, const char *fst, struct nerr *err)
{
    struct wave_result r;
    if (access(c->golden_wave, F_OK) != 0)
        return nerr_set(err, NERR_MISMATCH, c->golden_wave,
                        "the case has no golden wave yet; 'neffsim case %s --record-golden' makes it",
                        c->folder);
    int rc = compare(c, fst, 1, &r, err);
    if (!rc && !wave_result_equal(&r)) {
        struct strbuf text = { 0 };
        wave_report_line(&r.list[0], &text);
        rc =
            nerr_set(err, NERR_MISMATCH, c->golden_wave, "%llu signals differ from the golden wave, first %s",
                     (unsigned long long)wave_report_differing(&r), text.s ? text.s : "?");
        strbuf_free(&text);
    }
    wave_result_free(&r);
    return rc;
}

/* The folder of a first golden wave may not be there yet; a failure shows when the file is written. */
static void make_folder(const char *file)
{
    char *folder = text_copy(file);
    char *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash) {
        *slash = '\0';
        mkdir(folder, 0777);
    }
    free(folder);
}

int golden_wave_record(const struct vcase *c, const char *fst, struct strbuf *text, struct nerr *err)
{
    uint8_t *bytes;
    size_t len;
    if (access(c->golden_wave, F_OK) == 0) {
        struct wave_result r;
        int rc = compare(c, fst, LISTED, &r, err);
        if (!rc)
            strbuf_printf(text, "%s: %llu of %llu signals differ from the old golden wave\n", c->golden_wave,
                          (unsigned long long)wave_report_differing(&r), (unsigned long long)r.compared);
        for (size_t i = 0; i < r.nlist && !rc; i++) {
            strbuf_puts(text, "  ");
            wave_report_line(&r.list[i], text);
            strbuf_puts(text, "\n");
        }
        wave_result_free(&r);
        if (rc) /* an unreadable old one is replaced, and that is said */
            strbuf_printf(text, "%s: the old golden wave cannot be compared: %s\n", c->golden_wave,
                          err->text);
    } else {
        strbuf_printf(text, "%s: first golden wave of this case\n", c->golden_wave);
        make_folder(c->golden_wave);
    }
    int rc = file_read(fst, 0, &bytes, &len, err);
    if (rc)
        return rc;
    rc = file_write(c->golden_wave, bytes, len, err);
    free(bytes);
    return rc;
}
