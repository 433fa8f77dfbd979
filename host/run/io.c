/* Tensors in and out: inputs from .npy or raw files, outputs to files, golden comparison. */
#include "run/run_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "regs.h"
#include "util/file.h"
#include "util/hash.h"
#include "util/npy.h"
#include "util/strbuf.h"

#define OUTPUT_LIMIT     (UINT64_C(1) << 30) /* bytes of an output that the host takes into its memory */
#define READ_STEP        ((size_t)1 << 20)   /* bytes of one read from the device */
#define NPY_HEADER_LIMIT 65546u              /* largest version-1 header with its prefix */

static bool has_suffix(const char *s, const char *suffix)
{
    size_t n = strlen(s), m = strlen(suffix);
    return n >= m && strcmp(s + n - m, suffix) == 0;
}

/* The raw bytes of a tensor file, which must be exactly `size`. *file owns the memory that *data points into.
 */
static int tensor_bytes(const char *path, uint64_t size, uint8_t **file, const uint8_t **data,
                        struct nerr *err)
{
    size_t len;
    int rc = file_read(path, size + NPY_HEADER_LIMIT, file, &len, err);
    if (rc)
        return rc;
    *data = *file;
    if (has_suffix(path, ".npy")) {
        struct npy a;
        rc = npy_parse(*file, len, path, &a, err);
        if (!rc && a.fortran_order && a.ndim > 1)
            rc = nerr_set(err, NERR_INPUT, path, "the array is in Fortran order; write it in C order");
        *data = a.data;
        len = a.data_size;
    }
    if (!rc && len != size)
        rc = nerr_set(err, NERR_INPUT, path, "%zu bytes of data, the variable has %" PRIu64, len, size);
    if (rc) {
        free(*file);
        *file = NULL;
    }
    return rc;
}

static int find_tensor(const struct run *r, const char *name, int kind, const char *option, size_t *index,
                       struct nerr *err)
{
    long i = program_find_var(r->prog, name);
    if (i < 0 || r->prog->vars[i].kind != kind)
        return nerr_set(err, NERR_INPUT, option, "the NEFF has no %s variable '%s'",
                        kind == VARK_INPUT ? "input" : "output", name);
    *index = (size_t)i;
    return 0;
}

static bool wants_output(const struct run *r, const struct prog_var *var)
{
    bool named = false;
    for (size_t g = 0; g < r->cfg->ngolden; g++)
        named = named || strcmp(r->cfg->golden[g].name, var->name) == 0;
    return named || r->cfg->golden_dir || r->cfg->output_dir;
}

static int check_inputs(const struct run *r, struct nerr *err)
{
    for (size_t i = 0; i < r->cfg->ninputs; i++) {
        const struct run_named_file *in = &r->cfg->inputs[i];
        uint8_t *file;
        const uint8_t *data;
        size_t v = 0;
        int rc = find_tensor(r, in->name, VARK_INPUT, "--input", &v, err);
        for (size_t k = 0; k < i && !rc; k++)
            if (strcmp(r->cfg->inputs[k].name, in->name) == 0)
                rc = nerr_set(err, NERR_INPUT, "--input", "variable '%s' is given twice", in->name);
        if (!rc)
            rc = tensor_bytes(in->path, r->plan->vars[v].size, &file, &data, err);
        if (rc)
            return rc;
        free(file);
    }
    return 0;
}

int run_check_tensors(const struct run *r, struct nerr *err)
{
    struct stat st;
    size_t unused;
    int rc = check_inputs(r, err);
    for (size_t g = 0; g < r->cfg->ngolden && !rc; g++)
        rc = find_tensor(r, r->cfg->golden[g].name, VARK_OUTPUT, "golden", &unused, err);
    if (!rc && r->cfg->output_dir && (stat(r->cfg->output_dir, &st) != 0 || !S_ISDIR(st.st_mode)))
        rc = nerr_set(err, NERR_IO, r->cfg->output_dir, "is no folder for outputs");
    if (!rc && r->cfg->golden_dir && (stat(r->cfg->golden_dir, &st) != 0 || !S_ISDIR(st.st_mode)))
        rc = nerr_set(err, NERR_IO, r->cfg->golden_dir, "is no folder of golden outputs");
    for (size_t v = 0; v < r->prog->nvars && !rc; v++) {
        const struct prog_var *var = &r->prog->vars[v];
        if (var->kind == VARK_OUTPUT && wants_output(r, var) && r->plan->vars[v].size > OUTPUT_LIMIT)
            rc = nerr_set(err, NERR_INPUT, var->name,
                          "an output of %" PRIu64 " bytes cannot be compared or saved, at most %" PRIu64
                          " can",
                          r->plan->vars[v].size, OUTPUT_LIMIT);
    }
    return rc;
}

int run_write_inputs(struct run *r, struct nerr *err)
{
    for (size_t i = 0; i < r->cfg->ninputs; i++) {
        const struct run_named_file *in = &r->cfg->inputs[i];
        uint8_t *file;
        const uint8_t *data;
        size_t v = 0;
        int rc = find_tensor(r, in->name, VARK_INPUT, "--input", &v, err);
        if (!rc)
            rc = tensor_bytes(in->path, r->plan->vars[v].size, &file, &data, err);
        if (rc)
            return rc;
        rc = r->dev->ops->mem_write(r->dev, r->plan->vars[v].addr, data, (size_t)r->plan->vars[v].size, err);
        free(file);
        if (rc)
            return rc;
    }
    return 0;
}

/* NumPy type of a NEFF dtype; NULL when NumPy has none of that name. */
static const char *numpy_type(const char *dtype)
{
    static const struct {
        const char *neff, *npy;
    } map[] = { { "float32", "<f4" }, { "float16", "<f2" }, { "int8", "|i1" },  { "uint8", "|u1" },
                { "int16", "<i2" },   { "uint16", "<u2" },  { "int32", "<i4" }, { "uint32", "<u4" },
                { "int64", "<i8" },   { "uint64", "<u8" } };
    for (size_t i = 0; i < sizeof map / sizeof map[0]; i++)
        if (strcmp(map[i].neff, dtype) == 0)
            return map[i].npy;
    return NULL;
}

/* Header of an output's file: type and shape as neff.json gives them, plain bytes where NumPy has no such
 * type. */
static int output_header(const struct run *r, const struct prog_var *var, struct strbuf *out,
                         struct nerr *err)
{
    for (size_t i = 0; i < r->prog->noutputs; i++) {
        const struct prog_io *io = &r->prog->outputs[i];
        const char *type = numpy_type(io->dtype);
        if (strcmp(io->name, var->name) == 0 && type && io->size == var->size)
            return npy_write_header(out, type, io->shape, io->ndim, err);
    }
    return npy_write_header(out, "|u1", &var->size, 1, err);
}

/* DIR/NAME.npy */
static int save_output(const struct run *r, const struct prog_var *var, const uint8_t *data, struct nerr *err)
{
    if (strchr(var->name, '/') || var->name[0] == '.')
        return nerr_set(err, NERR_RULE, var->name, "an output of this name cannot be written as a file");
    struct strbuf out = { 0 };
    int rc = output_header(r, var, &out, err);
    if (!rc)
        strbuf_add(&out, data, (size_t)var->size);
    char *path = text_printf("%s/%s.npy", r->cfg->output_dir, var->name);
    if (!rc && (out.failed || !path))
        rc =
            nerr_set(err, NERR_MEM, var->name, "out of memory for an output of %" PRIu64 " bytes", var->size);
    if (!rc)
        rc = file_write(path, out.s, out.len, err);
    free(path);
    strbuf_free(&out);
    return rc;
}

/* Golden as the hexadecimal SHA-256 of the raw bytes (first word of the file, as sha256sum writes it). */
static int compare_digest(const char *path, const uint8_t *data, size_t size, struct run_output *o,
                          struct nerr *err)
{
    uint8_t *file, md[HASH_SHA256_BYTES];
    char hex[2 * HASH_SHA256_BYTES + 1];
    size_t len;
    int rc = file_read(path, 4096, &file, &len, err);
    if (!rc)
        rc = hash_sha256(data, size, md, err);
    if (rc)
        return rc;
    hash_hex(md, sizeof md, hex);
    bool well_formed = len >= strlen(hex) && strspn((char *)file, "0123456789abcdef") == strlen(hex);
    bool equal = well_formed && memcmp(file, hex, strlen(hex)) == 0;
    free(file);
    if (!well_formed)
        return nerr_set(err, NERR_INPUT, path,
                        "no SHA-256 digest: 64 lower-case hexadecimal digits are expected");
    o->state = equal ? RUN_OUT_EQUAL : RUN_OUT_DIFFERS;
    if (!equal)
        snprintf(o->text, sizeof o->text, "SHA-256 is %.16s..., not the golden one", hex);
    return 0;
}

static int compare_golden(const char *path, const uint8_t *data, size_t size, struct run_output *o,
                          struct nerr *err)
{
    uint8_t *file;
    const uint8_t *want;
    if (has_suffix(path, ".sha256"))
        return compare_digest(path, data, size, o, err);
    int rc = tensor_bytes(path, size, &file, &want, err);
    if (rc)
        return rc;
    size_t i = 0, wrong = 0, first = 0;
    for (; i < size; i++)
        if (data[i] != want[i] && wrong++ == 0)
            first = i;
    o->state = wrong ? RUN_OUT_DIFFERS : RUN_OUT_EQUAL;
    if (wrong)
        snprintf(o->text, sizeof o->text, "%zu of %zu bytes differ, first at byte %zu: 0x%02x, golden 0x%02x",
                 wrong, size, first, data[first], want[first]);
    free(file);
    return 0;
}

/* Compares with the file that golden_dir holds for this output; a folder without one proves nothing and is
 * refused. */
static int compare_golden_dir(const struct run *r, const uint8_t *data, size_t size, struct run_output *o,
                              struct nerr *err)
{
    static const char *const kinds[] = { ".npy", ".bin", ".sha256" };
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        char *path = text_printf("%s/%s%s", r->cfg->golden_dir, o->name, kinds[k]);
        if (!path)
            return nerr_set(err, NERR_MEM, o->name, "out of memory");
        bool there = access(path, R_OK) == 0;
        int rc = there ? compare_golden(path, data, size, o, err) : 0;
        free(path);
        if (there)
            return rc;
    }
    return nerr_set(err, NERR_INPUT, r->cfg->golden_dir,
                    "holds no golden for output '%s' (.npy, .bin or .sha256)", o->name);
}

/* An output that nobody asked for is only listed. */
static int collect_one(struct run *r, size_t v, struct run_output *o, struct nerr *err)
{
    const struct prog_var *var = &r->prog->vars[v];
    o->name = text_copy(var->name);
    o->bytes = r->plan->vars[v].size;
    if (!o->name)
        return nerr_set(err, NERR_MEM, var->name, "out of memory");
    if (!wants_output(r, var))
        return 0;
    size_t size = (size_t)o->bytes; /* at most OUTPUT_LIMIT */
    uint8_t *data = malloc(size ? size : 1);
    int rc = data ? 0 : nerr_set(err, NERR_MEM, var->name, "out of memory for an output of %zu bytes", size);
    for (size_t done = 0, n; done < size && !rc; done += n) {
        n = size - done < READ_STEP ? size - done : READ_STEP;
        rc = r->dev->ops->mem_read(r->dev, r->plan->vars[v].addr + done, data + done, n, err);
    }
    for (size_t g = 0; g < r->cfg->ngolden && !rc; g++)
        if (strcmp(r->cfg->golden[g].name, var->name) == 0)
            rc = compare_golden(r->cfg->golden[g].path, data, size, o, err);
    if (!rc && r->cfg->golden_dir)
        rc = compare_golden_dir(r, data, size, o, err);
    if (!rc && r->cfg->output_dir)
        rc = save_output(r, var, data, err);
    free(data);
    return rc;
}

int run_collect_outputs(struct run *r, struct nerr *err)
{
    r->res->outputs = calloc(r->prog->nvars ? r->prog->nvars : 1, sizeof *r->res->outputs);
    if (!r->res->outputs)
        return nerr_set(err, NERR_MEM, "outputs", "out of memory");
    const struct run_output *wrong = NULL;
    for (size_t v = 0; v < r->prog->nvars; v++) {
        if (r->prog->vars[v].kind != VARK_OUTPUT)
            continue;
        struct run_output *o = &r->res->outputs[r->res->noutputs++];
        int rc = collect_one(r, v, o, err);
        if (rc)
            return rc;
        if (o->state == RUN_OUT_DIFFERS && !wrong)
            wrong = o;
    }
    return wrong
               ? nerr_set(err, NERR_MISMATCH, wrong->name, "output differs from its golden: %s", wrong->text)
               : 0;
}
