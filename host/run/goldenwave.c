/* Golden waves of cases: see goldenwave.h. */
#include "run/goldenwave.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/file.h"
#include "wave/wave.h"

#define LISTED 5 /* differences shown when a golden wave is recorded again */

/* "name at time: golden x, now y" of one difference. */
static void describe(const struct wave_difference *d, struct strbuf *out)
{
    struct wave_brief v;
    switch (d->kind) {
    case WAVE_ONLY_A:
        strbuf_printf(out, "%s is missing now", d->name);
        break;
    case WAVE_ONLY_B:
        strbuf_printf(out, "%s is new", d->name);
        break;
    case WAVE_SHAPE:
        strbuf_printf(out, "%s was %s and is %s", d->name, d->a, d->b);
        break;
    case WAVE_VALUE:
        v = wave_brief(d->a, d->b);
        strbuf_printf(out, "%s at %s: golden %s, now %s", d->name, d->time, v.a, v.b);
        break;
    }
}

static uint64_t differing(const struct wave_diff_result *d)
{
    uint64_t n = 0;
    for (unsigned k = 0; k <= WAVE_ONLY_B; k++)
        n += d->count[k];
    return n;
}

int golden_wave_compare(const struct vcase *c, const char *fst, struct nerr *err)
{
    struct wave_diff_options opt = { .limit = 1 };
    struct wave_diff_result d;
    if (access(c->golden_wave, F_OK) != 0)
        return nerr_set(err, NERR_MISMATCH, c->golden_wave,
                        "the case has no golden wave yet; 'neffsim case %s --record-golden' makes it",
                        c->folder);
    int rc = wave_diff(c->golden_wave, fst, &opt, &d, err);
    if (!rc && !wave_diff_equal(&d)) {
        struct strbuf text = { 0 };
        describe(&d.list[0], &text);
        rc =
            nerr_set(err, NERR_MISMATCH, c->golden_wave, "%llu signals differ from the golden wave, first %s",
                     (unsigned long long)differing(&d), text.s ? text.s : "?");
        strbuf_free(&text);
    }
    wave_diff_free(&d);
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
        struct wave_diff_options opt = { .limit = LISTED };
        struct wave_diff_result d;
        int rc = wave_diff(c->golden_wave, fst, &opt, &d, err);
        if (!rc)
            strbuf_printf(text, "%s: %llu of %llu signals differ from the old golden wave\n", c->golden_wave,
                          (unsigned long long)differing(&d), (unsigned long long)d.compared);
        for (size_t i = 0; i < d.nlist && !rc; i++) {
            strbuf_puts(text, "  ");
            describe(&d.list[i], text);
            strbuf_puts(text, "\n");
        }
        wave_diff_free(&d);
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
