/*
 * The published latencies of the RTL in clocks, as docs/rtl.md lists them. The bench of each block measures them and
 * compares; scripts/lint compares the table with this file. So a change of one of these numbers is a change in three places.
 */
#ifndef NEFFSIM_BENCH_LATENCY_H
#define NEFFSIM_BENCH_LATENCY_H

/* ---- sequencer: one slot after another, line resident, everybody else answers at once (bench/seq/seq_latency.cpp) ---- */
enum {
    LAT_SEQ_SLOT = 3,       /* plain slot: NOP, ALU_OP, relative branch, DRAIN with nothing to drain */
    LAT_SEQ_WAIT = 1,       /* more per wait lane whose predicate holds */
    LAT_SEQ_UPDATE = 1,     /* more per update */
    LAT_SEQ_RECORD = 2,     /* more per record: trace start, trace end, NOTIFY */
    LAT_SEQ_MOVE = 1,       /* more per register of a MOVE */
    LAT_SEQ_DIVIDE = 33,    /* more for divide and remainder */
    LAT_SEQ_BRANCH_REG = 1, /* more for a branch whose target comes from a register */
    LAT_SEQ_WRITE = 2,      /* more for WRITE and TENSOR_STORE (posted) */
    LAT_SEQ_READ = 3,       /* more for TENSOR_LOAD, beside the clocks from address to data */
    LAT_SEQ_POLL = 4,       /* more per word that POLL_SEM reads, beside the same; its write as WRITE */
    LAT_SEQ_CLEAR = 1,      /* more per semaphore that RANGE_CLEAR clears */
    LAT_SEQ_START = 6       /* from start_ctrl to the first slot, beside address to data and the beats of its line */
};

/* ---- EVT_SEM (bench/evt/evt_tb.cpp) ---- */
enum {
    LAT_EVT_GRANT = 0,       /* request to grant, nobody else asks; a pure wait that holds */
    LAT_EVT_GRANT_WORST = 5, /* with all six requesters asking all the time */
    LAT_EVT_VISIBLE = 1,     /* from a grant to the new value in waits and reads */
    LAT_EVT_RESET = 256      /* after reset nothing is answered */
};

/* ---- NOTIFIC (bench/notific/notific_tb.cpp) ---- */
enum {
    LAT_NQ_RECORD = 3 /* record taken to its write address on the bus; one record per clock */
};

/* ---- DMA engine, idle before (bench/udma/udma_latency.h, udma_speed.h); each beside the clocks of the memory ---- */
enum {
    LAT_DMA_FETCH = 4,          /* doorbell to descriptor address, both at their handshake */
    LAT_DMA_READ = 7,           /* last beat of the descriptor to first data read address */
    LAT_DMA_WRITE = 4,          /* last data beat of a burst to its write address */
    LAT_DMA_CPL = 0,            /* last write answer to completion head; the register shows it one clock later */
    LAT_DMA_LONG_PERCENT = 99,  /* at least: write beats per 100 clocks, 64 KiB descriptors */
    LAT_DMA_SHORT_PERCENT = 48  /* the same for packets of one 64-byte descriptor */
};

/* ---- buses, nobody else uses them (bench/bus/bus_tb.cpp) ---- */
enum {
    LAT_FABRIC_ADDRESS = 1,   /* address at the master to address at the memory port; one per clock */
    LAT_FABRIC_DATA = 0,      /* data and answers, either way; one beat per clock and direction */
    LAT_APB_HOST = 2,         /* setup phase of the host to the answer of a slave without wait states */
    LAT_APB_DEVICE_READ = 5,  /* address at a master to the answer, through fabric and bridge, same slave */
    LAT_APB_DEVICE_WRITE = 6, /* the same for a write */
    LAT_DECERR_READ = 2,      /* address at a master to the refusal */
    LAT_DECERR_WRITE = 3      /* the same for a write */
};
#endif
