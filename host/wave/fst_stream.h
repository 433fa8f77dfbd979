/* The reader's side of the ring that fst_decode.h describes: believes no number in it. */
#ifndef NEFFSIM_WAVE_FST_STREAM_H
#define NEFFSIM_WAVE_FST_STREAM_H

#include "wave/fst_decode.h"
#include "wave/reader.h"

struct fst_shape {
    uint32_t len; /* as in fst_file */
    enum wave_kind kind;
};

struct fst_stream {
    const char *path;               /* borrowed, for messages */
    const struct fst_shape *shapes; /* borrowed, nsignals of them */
    uint32_t nsignals;
    uint64_t start, end; /* times outside are damage */
    struct fst_ring ring;
    unsigned turn; /* slot being read */
    bool ended, timed, holds_slot;
    bool gone; /* the decoder ended before its stream did */
    uint64_t time;
    const char *slot;
    size_t have, used;
    char *buffer; /* a value that is larger than a slot; malloc'd */
    size_t capacity;
};

/* Before the first record. Leaves the ring and everything above it alone. */
void fst_stream_reset(struct fst_stream *f);

void fst_stream_give_slots(struct fst_stream *f, size_t n);

/* As next of reader.h. After a failure with `gone` the caller knows better why. */
int fst_stream_next(struct fst_stream *f, struct wave_record *out, struct nerr *err);

#endif
