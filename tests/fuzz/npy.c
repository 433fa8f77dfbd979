/* An .npy file: the rule for weights, the strict reader, and a header written again from what was read. */
#include "frame.h"
#include "util/npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_again(const struct npy *a)
{
    struct strbuf b = { 0 };
    struct nerr err;
    struct npy again;
    if (npy_write_header(&b, a->descr, a->shape, a->ndim, &err) == 0) {
        DEMAND(b.len % 64 == 0);
        strbuf_add(&b, a->data, a->data_size);
        DEMAND(npy_parse(b.s, b.len, "again", &again, &err) == 0);
        DEMAND(again.ndim == a->ndim && again.count == a->count && again.data_size == a->data_size);
        DEMAND(strcmp(again.descr, a->descr) == 0 && !again.fortran_order);
        DEMAND(memcmp(again.shape, a->shape, a->ndim * sizeof a->shape[0]) == 0);
    }
    strbuf_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *file = malloc(size ? size : 1);
    const uint8_t *payload;
    size_t n;
    struct npy a;
    struct nerr err;
    if (!file)
        return 0;
    memcpy(file, data, size);
    bool weights = npy_payload(file, size, "w.npy", &payload, &n, &err) == 0;
    if (weights) {
        DEMAND(payload >= file && n <= size && payload + n == file + size);
        frame_touch(payload, n);
    }
    if (npy_parse(file, size, "f.npy", &a, &err) == 0) {
        DEMAND(weights && a.data == payload && a.data_size == n && a.count * a.item_size == n);
        frame_touch(a.data, a.data_size);
        write_again(&a);
    } else {
        DEMAND(err.code == NERR_INPUT);
    }
    free(file);
    return 0;
}
