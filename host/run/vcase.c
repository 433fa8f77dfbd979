/* Reads and judges vector cases: see vcase.h. */
#include "run/vcase.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "neff/pack.h"
#include "regs.h"
#include "util/file.h"
#include "util/json.h"
#include "util/strbuf.h"

#define CASE_LIMIT ((uint64_t)1 << 20) /* bytes of a case.json */
#define LIST_LIMIT 4096u               /* entries of any list in it */

static const char *const engine_keys[PROG_ENGINES] = { "PE", "ACT", "POOL", "DVE", "SP" };

/* Every key of the format: a misspelt one must not make a case that expects nothing (docs/cases.md). */
static int only(const struct json *j, const json_value *obj, const char *const *keys, struct nerr *err)
{
    return json_only_keys(j, obj, keys, "case.json", err);
}

/* Keeps an allocated string until vcase_free. NULL stays NULL. */
static const char *own(struct vcase *c, char *s)
{
    char **more = s ? realloc(c->strings, (c->nstrings + 1) * sizeof *more) : NULL;
    if (!more) {
        free(s);
        return NULL;
    }
    c->strings = more;
    c->strings[c->nstrings++] = s;
    return s;
}

static int nomem(const struct vcase *c, struct nerr *err)
{
    return nerr_set(err, NERR_MEM, c->folder, "out of memory for a case");
}

/* {"variable": "file"} -> list of names and paths below the case folder. */
static int read_files(struct vcase *c, const struct json *j, const char *key, struct run_named_file **list,
                      size_t *n, struct nerr *err)
{
    const json_value *obj = NULL;
    int rc = json_opt_object(j, json_root(j), key, &obj, err);
    if (rc || !obj)
        return rc;
    *list = calloc(json_count(obj) + 1, sizeof **list);
    if (!*list)
        return nomem(c, err);
    for (const json_value *v = json_child(obj); v; v = json_next(v)) {
        const char *file;
        rc = json_as_string(j, v, &file, err);
        if (rc)
            return rc;
        struct run_named_file f = { own(c, text_copy(json_key(v))),
                                    own(c, text_printf("%s/%s", c->folder, file)) };
        if (!f.name || !f.path)
            return nomem(c, err);
        (*list)[(*n)++] = f;
    }
    return 0;
}

static int hex_value(int ch)
{
    if (ch >= '0' && ch <= '9')
        return ch - '0';
    if (ch >= 'a' && ch <= 'f')
        return ch - 'a' + 10;
    return -1;
}

/* "0x1f" -> number. */
static int need_hex(const struct json *j, const json_value *obj, const char *key, uint64_t max, uint64_t *out,
                    struct nerr *err)
{
    const char *text;
    char *end = NULL;
    int rc = json_need_string(j, obj, key, &text, err);
    if (rc)
        return rc;
    if (strncmp(text, "0x", 2) == 0 && hex_value(text[2]) >= 0)
        *out = strtoull(text + 2, &end, 16);
    if (!end || *end || *out > max)
        return json_error(j, obj, key, err, "found \"%.40s\", expected a hexadecimal number 0x0..0x%" PRIx64,
                          text, max);
    return 0;
}

static int opt_hex(const struct json *j, const json_value *obj, const char *key, uint64_t max, uint64_t *out,
                   struct nerr *err)
{
    return json_get(obj, key) ? need_hex(j, obj, key, max, out, err) : 0;
}

static int read_patches(struct vcase *c, const struct json *j, struct nerr *err)
{
    const json_value *list = NULL;
    int rc = json_opt_array(j, json_root(j), "patch", &list, err);
    if (rc || !list)
        return rc;
    c->patches = calloc(json_count(list) + 1, sizeof *c->patches);
    if (!c->patches)
        return nomem(c, err);
    c->cfg.patches = c->patches;
    for (const json_value *v = json_child(list); v; v = json_next(v)) {
        struct run_patch *p = &c->patches[c->cfg.npatches];
        static const char *const keys[] = { "addr", "hex", NULL };
        const char *hex;
        rc = only(j, v, keys, err);
        if (!rc)
            rc = need_hex(j, v, "addr", UINT64_MAX, &p->addr, err);
        if (!rc)
            rc = json_need_string(j, v, "hex", &hex, err);
        if (rc)
            return rc;
        size_t n = strlen(hex);
        char *bytes = malloc(n / 2 + 1);
        if (!bytes || !own(c, bytes))
            return nomem(c, err);
        for (size_t i = 0; i + 1 < n; i += 2) {
            int hi = hex_value(hex[i]), lo = hex_value(hex[i + 1]);
            if (hi < 0 || lo < 0)
                return json_error(j, v, "hex", err, "'%.2s' is no byte in lower-case hexadecimal", hex + i);
            bytes[i / 2] = (char)(hi << 4 | lo);
        }
        if (n == 0 || n % 2)
            return json_error(j, v, "hex", err, "%zu digits, an even number above 0 is expected", n);
        p->bytes = (const uint8_t *)bytes;
        p->len = n / 2;
        c->cfg.npatches++;
    }
    return 0;
}

static int read_args(struct vcase *c, const struct json *j, struct nerr *err)
{
    const json_value *a = NULL;
    uint64_t inferences = 1, ring = 0, n_dma = 2;
    static const char *const keys[] = { "inferences",      "keep_rings",        "max_cycles",  "hang_cycles",
                                        "allow_bad_slots", "notify_ring_bytes", "notify_drop", NULL };
    int rc = json_opt_object(j, json_root(j), "args", &a, err);
    if (!rc && a)
        rc = only(j, a, keys, err);
    if (!rc && a)
        rc = json_opt_u64(j, a, "inferences", 1, 1000000, &inferences, err);
    if (!rc && a)
        rc = json_opt_bool(j, a, "keep_rings", &c->cfg.keep_rings, err);
    if (!rc && a)
        rc = json_opt_u64(j, a, "max_cycles", 1, UINT64_MAX, &c->cfg.max_cycles, err);
    if (!rc && a)
        rc = json_opt_u64(j, a, "hang_cycles", 1, UINT64_MAX, &c->cfg.hang_cycles, err);
    if (!rc && a)
        rc = json_opt_bool(j, a, "allow_bad_slots", &c->cfg.load.allow_bad_slots, err);
    if (!rc && a)
        rc = json_opt_u64(j, a, "notify_ring_bytes", 32, 0x10000, &ring, err);
    if (!rc && a)
        rc = json_opt_bool(j, a, "notify_drop", &c->cfg.load.notify_drop, err);
    c->cfg.inferences = (unsigned)inferences;
    c->cfg.load.notify_ring_bytes = ring;
    c->cfg.load.n_dma = (unsigned)n_dma;
    c->cfg.dev.n_dma = (unsigned)n_dma;
    return rc;
}

static int read_record(const struct json *j, const json_value *v, struct vcase_record *r, struct nerr *err)
{
    uint64_t queue = 0, type = 0, w0 = 0, w0_mask = 0, w1 = 0, w1_mask = 0;
    static const char *const keys[] = { "queue", "type", "w0", "w0_mask", "w1", "w1_mask", NULL };
    int rc = only(j, v, keys, err);
    if (!rc)
        rc = json_need_u64(j, v, "queue", 0, RUN_QUEUES - 1, &queue, err);
    if (!rc)
        rc = need_hex(j, v, "type", 31, &type, err);
    if (!rc && json_get(v, "w0"))
        w0_mask = UINT32_MAX;
    if (!rc && json_get(v, "w1"))
        w1_mask = UINT32_MAX;
    if (!rc)
        rc = opt_hex(j, v, "w0", UINT32_MAX, &w0, err);
    if (!rc)
        rc = opt_hex(j, v, "w0_mask", UINT32_MAX, &w0_mask, err);
    if (!rc)
        rc = opt_hex(j, v, "w1", UINT32_MAX, &w1, err);
    if (!rc)
        rc = opt_hex(j, v, "w1_mask", UINT32_MAX, &w1_mask, err);
    *r = (struct vcase_record){ .queue = (unsigned)queue,
                                .type = (unsigned)type,
                                .w0 = (uint32_t)w0,
                                .w0_mask = (uint32_t)w0_mask,
                                .w1 = (uint32_t)w1,
                                .w1_mask = (uint32_t)w1_mask };
    return rc;
}

static int read_engine(const struct json *j, const json_value *v, struct vcase_engine *e, struct nerr *err)
{
    static const struct {
        const char *word;
        int state;
    } words[] = { { "idle", ESTATE_IDLE },
                  { "running", ESTATE_RUNNING },
                  { "paused", ESTATE_PAUSED },
                  { "halted", ESTATE_HALTED },
                  { "fault", ESTATE_FAULT } };
    const char *text = NULL;
    uint64_t reason = 0, word = 0;
    static const char *const keys[] = { "state", "halt_reason", "error_word", NULL };
    int rc = only(j, v, keys, err);
    if (!rc)
        rc = json_opt_string(j, v, "state", &text, err);
    for (size_t i = 0; !rc && text && i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i].word, text) == 0)
            e->state = words[i].state;
    if (!rc && text && e->state < 0)
        rc = json_error(j, v, "state", err,
                        "found \"%.40s\", expected idle, running, paused, halted or fault", text);
    if (!rc)
        rc = json_opt_u64(j, v, "halt_reason", 0, UINT32_MAX, &reason, err);
    if (!rc && json_get(v, "halt_reason"))
        e->halt_reason = (int64_t)reason;
    if (!rc)
        rc = opt_hex(j, v, "error_word", UINT32_MAX, &word, err);
    if (!rc && json_get(v, "error_word"))
        e->error_word = (int64_t)word;
    return rc;
}

static int read_expect(struct vcase *c, const struct json *j, struct nerr *err)
{
    const json_value *x = NULL, *list = NULL, *engines = NULL;
    uint64_t exit_code = 0;
    const char *text = NULL;
    int rc = json_opt_object(j, json_root(j), "expect", &x, err);
    if (rc || !x)
        return rc;
    static const char *const keys[] = { "exit", "text", "min_retired", "records", "engines", NULL };
    rc = only(j, x, keys, err);
    if (!rc)
        rc = json_opt_u64(j, x, "exit", 0, 3, &exit_code, err);
    if (!rc)
        rc = json_opt_u64(j, x, "min_retired", 0, UINT64_MAX, &c->min_retired, err);
    if (!rc)
        rc = json_opt_string(j, x, "text", &text, err);
    if (!rc)
        rc = json_opt_array(j, x, "records", &list, err);
    if (!rc)
        rc = json_opt_object(j, x, "engines", &engines, err);
    if (rc)
        return rc;
    c->exit_code = (int)exit_code;
    if (text && !(c->text = text_copy(text)))
        return nomem(c, err);
    if (list) {
        if (json_count(list) > LIST_LIMIT)
            return json_error(j, list, NULL, err, "%zu records, at most %u are allowed", json_count(list),
                              LIST_LIMIT);
        c->records = calloc(json_count(list) + 1, sizeof *c->records);
        if (!c->records)
            return nomem(c, err);
        for (const json_value *v = json_child(list); v && !rc; v = json_next(v))
            rc = read_record(j, v, &c->records[c->nrecords++], err);
    }
    for (const json_value *v = engines ? json_child(engines) : NULL; v && !rc; v = json_next(v)) {
        unsigned e = 0;
        while (e < PROG_ENGINES && strcmp(engine_keys[e], json_key(v)) != 0)
            e++;
        rc = e < PROG_ENGINES ? read_engine(j, v, &c->engines[e], err)
                              : json_error(j, v, NULL, err, "no engine; allowed: PE, ACT, POOL, DVE, SP");
    }
    return rc;
}

static int read_wave(struct vcase *c, const struct json *j, struct nerr *err)
{
    const json_value *w = NULL, *window = NULL;
    const char *golden = NULL;
    c->wave_to = UINT64_MAX;
    int rc = json_opt_object(j, json_root(j), "wave", &w, err);
    if (rc || !w)
        return rc;
    static const char *const keys[] = { "golden", "window", NULL };
    rc = only(j, w, keys, err);
    if (!rc)
        rc = json_need_string(j, w, "golden", &golden, err);
    if (!rc)
        rc = json_opt_array(j, w, "window", &window, err);
    if (!rc && window) {
        const json_value *a = json_child(window), *b = a ? json_next(a) : NULL;
        if (json_count(window) != 2)
            return json_error(j, window, NULL, err, "%zu numbers, expected [first clock, last clock]",
                              json_count(window));
        rc = json_as_u64(j, a, 0, UINT64_MAX, &c->wave_from, err);
        if (!rc)
            rc = json_as_u64(j, b, c->wave_from, UINT64_MAX, &c->wave_to, err);
    }
    if (!rc && !(c->golden_wave = text_printf("%s/%s", c->folder, golden)))
        rc = nomem(c, err);
    return rc;
}

static int read_all(struct vcase *c, const struct json *j, struct nerr *err)
{
    static const char *const keys[] = { "name",  "description", "args", "inputs", "outputs",
                                        "patch", "expect",      "wave", NULL };
    const char *name;
    int rc = only(j, json_root(j), keys, err);
    if (!rc)
        rc = json_need_string(j, json_root(j), "name", &name, err);
    if (!rc && !(c->name = text_copy(name)))
        rc = nomem(c, err);
    if (!rc)
        rc = read_args(c, j, err);
    if (!rc)
        rc = read_files(c, j, "inputs", &c->inputs, &c->cfg.ninputs, err);
    if (!rc)
        rc = read_files(c, j, "outputs", &c->golden, &c->cfg.ngolden, err);
    if (!rc)
        rc = read_patches(c, j, err);
    if (!rc)
        rc = read_expect(c, j, err);
    if (!rc)
        rc = read_wave(c, j, err);
    c->cfg.inputs = c->inputs;
    c->cfg.golden = c->golden;
    return rc;
}

int vcase_open(const char *dir, struct vcase *c, struct nerr *err)
{
    memset(c, 0, sizeof *c);
    for (unsigned e = 0; e < PROG_ENGINES; e++)
        c->engines[e] = (struct vcase_engine){ -1, -1, -1 };
    c->cfg.device = "rtl";
    c->cfg.dev.seed = 1;
    c->cfg.wave_to = UINT64_MAX;
    c->folder = text_copy(dir);
    char *path = text_printf("%s/case.json", dir);
    char *src = text_printf("%s/src", dir);
    struct neff_pack_options pack = { 0 };
    uint8_t *text = NULL;
    struct json *j = NULL;
    size_t len;
    int rc = c->folder && path && src ? file_read(path, CASE_LIMIT, &text, &len, err) : nomem(c, err);
    if (!rc)
        rc = json_parse(text, len, path, &j, err);
    if (!rc)
        rc = read_all(c, j, err);
    if (!rc)
        rc = neff_pack_folder(src, &pack, &c->neff, &c->neff_len, err);
    c->cfg.neff_path = c->name;
    c->cfg.neff_bytes = c->neff;
    c->cfg.neff_len = c->neff_len;
    json_free(j);
    free(text);
    free(path);
    free(src);
    return rc;
}

void vcase_free(struct vcase *c)
{
    for (size_t i = 0; i < c->nstrings; i++)
        free(c->strings[i]);
    free(c->strings);
    free(c->inputs);
    free(c->golden);
    free(c->patches);
    free(c->records);
    free(c->golden_wave);
    free(c->text);
    free(c->neff);
    free(c->name);
    free(c->folder);
    memset(c, 0, sizeof *c);
}

static int judge_records(const struct vcase *c, const struct run_result *res, struct nerr *err)
{
    size_t at[RUN_QUEUES] = { 0 }; /* order matters inside a queue only */
    for (size_t i = 0; i < c->nrecords; i++) {
        const struct vcase_record *want = &c->records[i];
        size_t *k = &at[want->queue];
        for (; *k < res->nrecords; ++*k) {
            const struct run_record *r = &res->records[*k];
            if (r->queue == want->queue && r->type == want->type &&
                (r->w0 & want->w0_mask) == (want->w0 & want->w0_mask) &&
                (r->w1 & want->w1_mask) == (want->w1 & want->w1_mask))
                break;
        }
        if (*k == res->nrecords)
            return nerr_set(err, NERR_MISMATCH, c->name,
                            "expected record %zu (queue %u, type 0x%02x, W0 %08" PRIx32 ", W1 %08" PRIx32
                            ") is not among the %zu records in this place",
                            i, want->queue, want->type, want->w0, want->w1, res->nrecords);
        ++*k;
    }
    return 0;
}

static int judge_engines(const struct vcase *c, const struct run_result *res, struct nerr *err)
{
    for (unsigned e = 0; e < PROG_ENGINES; e++) {
        const struct vcase_engine *want = &c->engines[e];
        if (want->state >= 0 && want->state != res->engine_state[e])
            return nerr_set(err, NERR_MISMATCH, c->name, "engine %s ends in state %d, expected %d",
                            engine_keys[e], res->engine_state[e], want->state);
        if (want->halt_reason >= 0 && want->halt_reason != (int64_t)res->halt_reason[e])
            return nerr_set(err, NERR_MISMATCH, c->name,
                            "engine %s has halt reason %" PRIu32 ", expected %" PRId64, engine_keys[e],
                            res->halt_reason[e], want->halt_reason);
        if (want->error_word >= 0 && want->error_word != (int64_t)res->error_word[e])
            return nerr_set(err, NERR_MISMATCH, c->name,
                            "engine %s has error word 0x%08" PRIx32 ", expected 0x%08" PRIx64, engine_keys[e],
                            res->error_word[e], (uint64_t)want->error_word);
    }
    return 0;
}

int vcase_judge(const struct vcase *c, const struct run_result *res, struct nerr *err)
{
    int code = run_exit_code(res);
    if (code != c->exit_code) {
        nerr_set(err, NERR_MISMATCH, c->name, "exit code %d (%s: %.300s), expected %d", code,
                 res->err.where[0] ? res->err.where : "run", res->err.text[0] ? res->err.text : "passed",
                 c->exit_code);
        return err->code;
    }
    if (c->text && !(res->text && strstr(res->text, c->text)) && !strstr(res->err.text, c->text))
        return nerr_set(err, NERR_MISMATCH, c->name, "the report does not say '%.200s'", c->text);
    int rc = judge_records(c, res, err);
    if (!rc)
        rc = judge_engines(c, res, err);
    if (rc)
        return rc;
    uint64_t retired = 0;
    for (unsigned e = 0; e < PROG_ENGINES; e++)
        retired += res->retired[e];
    if (res->checked && retired < c->min_retired)
        return nerr_set(err, NERR_MISMATCH, c->name,
                        "%" PRIu64 " slots were retired, at least %" PRIu64 " are expected", retired,
                        c->min_retired);
    size_t compared = 0;
    for (size_t i = 0; i < res->noutputs; i++)
        compared += res->outputs[i].state == RUN_OUT_EQUAL;
    if (c->exit_code == 0 && compared != c->cfg.ngolden)
        return nerr_set(err, NERR_MISMATCH, c->name, "%zu of %zu golden outputs were compared", compared,
                        c->cfg.ngolden);
    return 0;
}
