/* Backend `record:FILE`: passes every call on to another backend and logs call and result (recording.h). */
#include "device/device.h"
#include "device/recording.h"
#include "util/file.h"
#include "util/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record_device {
    struct device base;
    struct device *inner;
    FILE *file;
    char *path;
};

void recording_digest(const void *buf, size_t len, char out[65])
{
    uint8_t md[HASH_SHA256_BYTES] = { 0 };
    struct nerr ignored; /* without SHA-256 the digest is zeros, here and when replayed */
    if (hash_sha256(buf, len, md, &ignored) != 0)
        memset(md, 0, sizeof md);
    hash_hex(md, sizeof md, out);
}

static struct record_device *self_of(struct device *dev)
{
    return (struct record_device *)dev;
}

/* Ends one logged call: appends the error line when there was one, and reports a full disk. */
static int finish(struct record_device *r, int rc, struct nerr *err)
{
    if (rc)
        fprintf(r->file, "x %x %s\n", (unsigned)err->code, err->text);
    if (ferror(r->file) && !rc)
        return nerr_set(err, NERR_IO, r->path, "the recording cannot be written");
    return rc;
}

static int rec_reg_read32(struct device *dev, uint64_t bar0, uint32_t *value, struct nerr *err)
{
    struct record_device *r = self_of(dev);
    *value = 0;
    int rc = r->inner->ops->reg_read32(r->inner, bar0, value, err);
    fprintf(r->file, "r %" PRIx64 " %" PRIx32 "\n", bar0, *value);
    return finish(r, rc, err);
}

static int rec_reg_write32(struct device *dev, uint64_t bar0, uint32_t value, struct nerr *err)
{
    struct record_device *r = self_of(dev);
    int rc = r->inner->ops->reg_write32(r->inner, bar0, value, err);
    fprintf(r->file, "w %" PRIx64 " %" PRIx32 "\n", bar0, value);
    return finish(r, rc, err);
}

static int rec_mem_read(struct device *dev, uint64_t soc, void *buf, size_t len, struct nerr *err)
{
    struct record_device *r = self_of(dev);
    if (len > RECORDING_READ_MAX)
        return nerr_set(err, NERR_INPUT, r->path,
                        "a read of %zu bytes at once is more than a recording holds", len);
    int rc = r->inner->ops->mem_read(r->inner, soc, buf, len, err);
    fprintf(r->file, "m %" PRIx64 " %zx ", soc, len);
    for (size_t i = 0; i < len && !rc; i++)
        fprintf(r->file, "%02x", ((const uint8_t *)buf)[i]);
    fputc('\n', r->file);
    return finish(r, rc, err);
}

static int rec_mem_write(struct device *dev, uint64_t soc, const void *buf, size_t len, struct nerr *err)
{
    struct record_device *r = self_of(dev);
    int rc = r->inner->ops->mem_write(r->inner, soc, buf, len, err);
    char digest[65];
    recording_digest(buf, len, digest);
    fprintf(r->file, "M %" PRIx64 " %zx %s\n", soc, len, digest);
    return finish(r, rc, err);
}

static int rec_advance(struct device *dev, uint64_t cycles, unsigned until, unsigned *why, struct nerr *err)
{
    struct record_device *r = self_of(dev);
    struct dev_time t;
    *why = 0;
    int rc = r->inner->ops->advance(r->inner, cycles, until, why, err);
    r->inner->ops->now(r->inner, &t);
    fprintf(r->file, "a %" PRIx64 " %x %x %" PRIx64 " %" PRIx64 "\n", cycles, until, *why, t.cycle, t.ps);
    return finish(r, rc, err);
}

static void rec_now(struct device *dev, struct dev_time *t)
{
    struct record_device *r = self_of(dev);
    r->inner->ops->now(r->inner, t);
    fprintf(r->file, "t %" PRIx64 " %" PRIx64 "\n", t->cycle, t->ps);
}

static int rec_events(struct device *dev, dev_event_fn sink, void *ctx, struct nerr *err)
{
    struct record_device *r = self_of(dev);
    return r->inner->ops->events(r->inner, sink, ctx, err);
}

static int rec_wave_start(struct device *dev, const char *path, uint64_t from, uint64_t to, struct nerr *err)
{
    struct record_device *r = self_of(dev);
    return r->inner->ops->wave_start(r->inner, path, from, to, err);
}

static int rec_wave_stop(struct device *dev, struct nerr *err)
{
    struct record_device *r = self_of(dev);
    return r->inner->ops->wave_stop(r->inner, err);
}

static bool rec_injected(struct device *dev)
{
    struct record_device *r = self_of(dev);
    return r->inner->ops->injected(r->inner);
}

static struct device *rec_under(struct device *dev)
{
    return self_of(dev)->inner;
}

static int rec_finish(struct device *dev, struct nerr *err)
{
    struct record_device *r = self_of(dev);
    fputs("end\n", r->file);
    bool failed = ferror(r->file) != 0;
    failed = fclose(r->file) != 0 || failed;
    r->file = NULL;
    if (!failed)
        return 0;
    file_discard(r->path);
    return nerr_set(err, NERR_IO, r->path, "the recording cannot be written");
}

static void rec_close(struct device *dev)
{
    struct record_device *r = self_of(dev);
    struct nerr ignored;
    if (r->file)
        rec_finish(dev, &ignored);
    r->inner->ops->close(r->inner);
    free((void *)(uintptr_t)r->base.ops);
    free(r->path);
    free(r);
}

int dev_open_record(struct device *inner, const char *path, struct device **dev, struct nerr *err)
{
    struct record_device *r = calloc(1, sizeof *r);
    struct dev_ops *ops = calloc(1, sizeof *ops);
    char *copy = malloc(strlen(path) + 1);
    if (!r || !ops || !copy) {
        nerr_set(err, NERR_MEM, path, "out of memory for a recording");
        goto fail;
    }
    strcpy(copy, path);
    r->file = fopen(path, "w");
    if (!r->file) {
        nerr_set(err, NERR_IO, path, "the recording cannot be created");
        goto fail;
    }
    fputs(RECORDING_MAGIC "\n", r->file);
    *ops = (struct dev_ops){
        .reg_read32 = rec_reg_read32,
        .reg_write32 = rec_reg_write32,
        .mem_read = rec_mem_read,
        .mem_write = rec_mem_write,
        .advance = rec_advance,
        .now = rec_now,
        /* What the inner backend cannot do, its recording cannot either. */
        .events = inner->ops->events ? rec_events : NULL,
        .wave_start = inner->ops->wave_start ? rec_wave_start : NULL,
        .wave_stop = inner->ops->wave_stop ? rec_wave_stop : NULL,
        .injected = inner->ops->injected ? rec_injected : NULL,
        .under = rec_under,
        .finish = rec_finish,
        .close = rec_close,
    };
    r->base.ops = ops;
    r->base.name = "record";
    r->inner = inner;
    r->path = copy;
    *dev = &r->base;
    return 0;
fail:
    free(r);
    free(ops);
    free(copy);
    return err->code;
}
