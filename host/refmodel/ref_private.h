/*
 * State of the reference model and the functions its files share. Nothing outside host/refmodel includes
 * this.
 *
 * Files: ref.c (life, memory, dispatch of events), ref_map.c (address decoder), ref_bus.c (reads and writes
 * between issue and answer), ref_decode.c, ref_alu.c, ref_seqnext.c, ref_seq.c, ref_lreg.c (sequencers),
 * ref_evt.c (EVT_SEM), ref_nq.c (NOTIFIC), ref_udma.c (rings, prefetch, errors), ref_packet.c, ref_pktread.c
 * and ref_pktwrite.c (packets through the stream), ref_regs.c, ref_nqreg.c, ref_udmareg.c and ref_udmatab.c
 * (registers), ref_run.c, ref_runseq.c and ref_rundma.c (stand-alone), ref_quiet.c and ref_view.c (what is
 * left, what is going on).
 */
#ifndef NEFFSIM_REF_PRIVATE_H
#define NEFFSIM_REF_PRIVATE_H

#include "refmodel/ref.h"
#include "regs.h"

#define BEAT_BYTES     (SIM_MEM_W / 8) /* memory port of the simulation, until a write beat says otherwise */
#define BEAT_BYTES_MAX 64u
#define ANSWER_CLOCKS  16u   /* an APB slave answers within this (profiler-and-trace §9) */
#define WINDOW_CLOCKS  48u   /* a register read may have been sampled this long before its answer is seen */
#define SETTLE_CLOCKS  4096u /* what was in flight when a queue was disabled has arrived after this */

/* ---- bus ---- */

/* One write between the moment its master issues it and its response. */
struct bus_write {
    uint64_t addr;      /* without attribute bits, which end at the fabric */
    uint64_t given;     /* as the master gave it */
    uint64_t stream;    /* DMA engine: position of the first byte in the engine's stream */
    uint8_t bytes[16];  /* other masters: the data */
    uint32_t len, done; /* done: bytes committed so far */
    uint32_t lap;       /* DMA engine: how often the queue had been reset */
    uint32_t index;     /* DMA engine: S2M descriptor in its ring */
    uint32_t seq;       /* ... and its sequence number */
    uint8_t target;     /* TARGET_* */
    uint8_t resp;       /* AXI_* expected */
    uint8_t queue;
};

/* Writes of one master in issue order; the counters only grow. */
struct write_queue {
    struct bus_write *e;
    uint32_t size; /* power of two */
    uint32_t issued, committed, answered;
};

/* One data read burst of a DMA engine. */
struct bus_read {
    uint64_t addr;
    uint64_t stream;
    uint32_t len, got;
    uint32_t index; /* of the M2S descriptor */
    uint32_t w[4];  /* its words */
    uint32_t packet, lap;
    uint8_t queue;
    bool constant;
};

/* ---- EVT_SEM ---- */

struct evt_unit {
    uint32_t sem[SEM_COUNT];
    bool event[EVT_COUNT];
    uint64_t commits;
    struct { /* a bus write whose effect was committed and whose answer has not been seen */
        bool valid;
        uint32_t off, data;
        uint64_t cycle;
    } pending;
};

/* Records on their way to a NOTIFIC input. */
struct note {
    uint32_t w0, w1; /* type in w0 */
    uint64_t cycle;  /* when the input accepted it */
    uint8_t queue;
    bool hw_ovf;       /* carries hardware_queue_overflow */
    bool w1_high_free; /* W1[31:16] is time */
};

#define NOTE_RING 64u
struct note_ring {
    struct note e[NOTE_RING];
    uint32_t in, out;
};

/* One of EVT_SEM's queues in front of NOTIFIC. */
struct evt_source {
    struct note_ring notes;
    uint64_t out_cycle; /* clock in which a record left it last */
    bool lost;          /* a record found it full: the next one carries hardware_queue_overflow */
};

/* What an update of EVT_SEM does (events-semaphores §4, §5.2). */
struct evt_effect {
    bool is_sem;
    bool twice;     /* double set or clear */
    uint32_t value; /* new value */
    uint8_t error;  /* NERR_* or EVT_NO_ERROR */
};
#define EVT_NO_ERROR 0xffu

/* ---- sequencer ---- */

enum seq_step {
    STEP_FETCH,
    STEP_WAIT0,
    STEP_EFFECT0,
    STEP_WAIT1,
    STEP_EFFECT1,
    STEP_START_RECORD,
    STEP_EXEC,
    STEP_UPDATE0,
    STEP_UPDATE1,
    STEP_END_RECORD,
    STEP_RETIRE,
    STEP_STOP, /* HALT: state change after the slot retired */
    STEP_FAULT_RECORD,
    STEP_FAULT_STATE,
};

struct slot {
    uint8_t bytes[SLOT_BYTES];
    uint8_t op;
    uint8_t wait_mode[2], wait_idx[2]; /* lane 0 standard, lane 1 extended */
    uint32_t wait_val[2];
    uint8_t upd_mode[2], upd_idx[2];
    uint32_t upd_val[2];
    uint8_t start_kind, end_kind; /* NKIND_* of the trace records, or NO_RECORD */
    bool counts_done;             /* NOTIFY with hint 3: soft reset counter rises */
    uint64_t next_pc;
    /* execution */
    unsigned part; /* which step of the operation comes next */
    unsigned nregs, nreads, nwrites, nsems;
    uint8_t reg[SLOT_MOVE_MAX];
    uint32_t reg_val[SLOT_MOVE_MAX];
    uint64_t read_addr, write_addr, write_data;
    uint32_t write_size;
    bool writes_optional;
    bool in_order; /* strong ordering when the write was accepted: the slot waits for its response */
    uint8_t sems[SEM_COUNT];
    bool notify;
};
#define NO_RECORD 0xffu

struct fault {
    bool set;
    uint8_t code, info;
    bool at_fetch; /* no slot was issued: a break still goes first */
};

struct lreg_file {
    uint32_t release, start, run_state, halt_ctrl, intr_ctrl;
    struct { /* the newest write: in its clock the engine still sees what was there before */
        uint32_t off, before;
        uint64_t cycle;
    } newest;
    bool surprise;   /* EXT_BREAK latched (tpb-image §1.3) */
    bool break_lost; /* ... and instr_halt_ctrl was 0 since */
    bool reset;      /* release_run_stall was 1 since the engine left RESET */
    uint32_t lr[LREG_LR_COUNT];
    uint32_t high[12]; /* MODE .. FLUSH_CNTR, by (offset - LREG_MODE_OFF) / 4 */
};

struct seq {
    int state; /* ESTATE_* */
    enum seq_step step;
    uint64_t pc, base, upper;
    bool bounded;
    struct slot slot;
    struct fault fault;
    uint32_t regs[REG_COUNT];
    uint16_t soft_reset;
    bool strong;
    bool side_effect; /* a wait of this slot has changed an event */
    bool stop_is_pause;
    uint64_t retired;
    struct write_queue writes;
    struct {
        bool answered, busy;
        uint64_t addr;
        uint32_t data;
        uint8_t resp;
    } read;
    struct { /* the bus refused the address of the next write before all of it was accepted */
        bool set;
        uint64_t addr;
    } refused;
    uint32_t folded;         /* POLL_SEM */
    struct note_ring errors; /* MEMORY_ERROR records to come */
    struct lreg_file lreg;
};

/* ---- NOTIFIC and tpb block ---- */

struct nq_ring {
    uint32_t base_lo, base_hi, size, head, tail, threshold;
    unsigned phase;
    bool lost;        /* a record was dropped: the next one carries software_queue_overflow */
    uint32_t lost_in; /* ... after this many records that were already past the decision */
    uint64_t written;
};

struct notific {
    struct note_ring in[NCLASS_COUNT];
    struct note_ring limbo; /* accepted with the class bit off: must be reported as dropped */
    struct nq_ring q[NQ_QUEUES];
    uint32_t sw_bp, hw_bp[2], enable, overflow, uart, axi_id, buf_enable[2];
    uint32_t niq_index, naq_index, coal_timer, coal_ctrl, wob_ctrl, threshold_en, threshold_passed;
    uint32_t inc, spare0, spare1, stats;
    uint64_t error_addr;
    uint64_t last_time;              /* ps of the newest record */
    uint64_t clock_acc, clock_cycle; /* picoseconds * 1024 up to clock_cycle */
    struct write_queue writes;
    unsigned turn; /* stand-alone: next input of the round robin */
};

struct tpb_regs {
    uint32_t low, high, notify, route_pe_pool, route_act_dve, route_sp_evt, route_err, fake_data;
    uint64_t fake_taken; /* clock in which NOTIFIC took the last FAKE_ERROR */
};

/* ---- UDMA ---- */

struct ring_ptr {
    uint32_t offset;
    unsigned id;
};

struct desc {
    uint32_t w[4];
    uint32_t index;
    uint32_t bytes; /* length, decoded; M2S: when its packet starts */
    unsigned error; /* M2S_ERR_RING_ID, S2M_ERR_RING_ID, S2M_ERR_UNSUP: found at prefetch; NO_ERROR */
    bool ends_packet;
};

#define NO_ERROR  0xffu

#define DESC_RING 4096u
struct dma_ring {
    struct ring_ptr tail, head, current, completed;
    uint32_t used;                 /* completion head to tail */
    struct desc d[DESC_RING];      /* by sequence number */
    uint32_t fetched, taken, done; /* descriptors read so far, taken for execution, completed */
    uint32_t may_complete;         /* descriptors whose data has landed */
    uint32_t packets;              /* packets whose descriptors have completed */
    bool faulty;                   /* the newest descriptor was refused at prefetch */
    bool reported;                 /* ... and its error event came */
    bool stopped;                  /* by an error, until rst_q: no prefetch */
    bool stopping;                 /* ... but what is on its way may still come for SETTLE_CLOCKS */
    bool halted;                   /* no packet may start either */
    uint64_t stopped_at;
    bool was_enabled;
    uint64_t disabled_at;
    struct { /* register write seen, doorbell not yet */
        bool valid;
        uint32_t count;
        uint64_t cycle;
    } bell;
};

/* A packet whose data is written but not yet all answered. */
struct landing {
    uint32_t m2s, s2m; /* descriptors */
    uint32_t mark;     /* write bursts of the queue that must be answered */
};

/* An access whose address is on the bus when its queue is killed: it still happens (rtl/udma/udma_track.v).
 */
struct late {
    bool valid;
    uint64_t addr, position;
    uint64_t bytes; /* how many at most */
    uint32_t index, seq, lap;
};

/* An error report that must come. */
struct due {
    bool valid;
    uint32_t index, w[4];
};

#define LANDING_RING 2048u
struct dma_queue {
    struct dma_ring ring[2]; /* M2S, S2M */
    uint32_t inflight;       /* packets started and not completed */
    uint32_t claims;         /* packets started that have no S2M descriptor yet */
    bool dmb_pass;           /* rst_dmb: the barrier of the next packet is lifted */
    /* writing */
    bool buffer_open; /* S2M descriptor `taken - 1` is being filled */
    uint32_t filled;
    uint32_t barrier; /* bursts that must be answered before the next write */
    uint32_t writes_issued, writes_answered;
    struct landing landing[LANDING_RING];
    uint32_t land_in, land_out;
    uint32_t lap; /* rises whenever everything of the queue in the pipeline is thrown away */
    bool dead;    /* a data error: its packets may end early */
    struct late late_read, late_write;
    struct due read_error, write_error;
};

#define PACKET_RING 2048u
struct packet {
    uint8_t queue;
    bool dead;             /* its queue was reset, aborted or failed: no more steps */
    bool cut;              /* a read failed: the reader has left it, what is there may still be written */
    bool begun;            /* the reader has reached it */
    uint32_t first, ndesc; /* sequence numbers of its M2S descriptors */
    uint64_t begin;        /* stream position of its first byte */
    uint64_t total;        /* bytes */
    uint64_t read_bytes;   /* issued by the reader */
    uint32_t read_desc, read_off;
    uint64_t write_bytes; /* issued by the writer */
    uint32_t write_desc;  /* M2S descriptor the writer is in */
    uint64_t write_end;   /* bytes of the packet up to the end of that descriptor */
    uint32_t s2m;         /* S2M descriptors used */
};

struct dma {
    struct dma_queue q[UDMA_QUEUES];
    struct packet packets[PACKET_RING];
    uint32_t p_in, p_read, p_write;    /* started, being read, being written */
    uint64_t issued, arrived, written; /* stream positions: reads issued, data here, writes issued */
    uint8_t *stream;                   /* ring of stream_size bytes by stream position */
    size_t stream_size;
    struct bus_read *reads;
    uint32_t reads_size, r_in, r_out;
    struct write_queue writes;
    /* run state of each direction (udma.md §11) */
    bool run[2], abort[2];
    int state, wanted;        /* DMA_STATE reported, to come (or -1) */
    unsigned prefetch_errors; /* refused descriptor reads */
    struct { /* q_sw_ctrl or change_state: works on registered state, so at the end of its clock */
        bool valid, busy; /* busy: the queue had packets in flight */
        uint32_t off, value;
        uint64_t cycle;
    } command;
    uint32_t num_set, num_clr; /* constants served */
    uint32_t log[2][4];        /* words of the first failing descriptor */
    bool log_full[2];
    uint32_t *words;  /* registers by word of the engine's window */
    unsigned turn[4]; /* stand-alone round robins */
};

/* ---- all of it ---- */

#define CHANGE_RING 256u
struct change { /* a register changed: old value, for reads that were sampled a little earlier */
    uint64_t soc, cycle;
    uint32_t old;
};

struct ref {
    struct ref_config cfg;
    struct sparse *mem;
    uint64_t cycle; /* of the event being judged; stand-alone: the clock */
    unsigned beat_bytes;
    struct seq seq[ENG_COUNT];
    struct evt_unit evt[2];
    struct evt_source evt_notes, evt_errors;
    struct note_ring fake_errors;
    struct notific nq;
    struct tpb_regs tpb;
    struct dma *dma; /* cfg.n_dma */
    struct change changes[CHANGE_RING];
    uint32_t nchanges;
    bool nomem;
    /* stand-alone */
    dev_event_fn sink;
    void *sink_ctx;
    bool sink_stop;
    bool notified;
    unsigned turn;
    struct nerr self; /* the model refused a step of its own: a bug */
};

/* ---- ref.c ---- */

/* Fills *err with NERR_MISMATCH and returns it. */
int ref_wrong(struct nerr *err, const char *where, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
const char *ref_engine_name(unsigned engine); /* "PE".. */
const char *ref_master_name(unsigned master, char *buf, size_t size);
const char *ref_queue_name(unsigned engine, unsigned queue, unsigned dir, char *buf,
                           size_t size); /* "e0 q3 M2S" */

/* ---- ref_map.c ---- */
unsigned ref_decode(const struct ref *r, uint64_t soc, uint64_t *off); /* TARGET_* */
bool ref_refuses(const struct ref *r, uint64_t soc);                   /* no register answers there */
bool ref_refuses_write(const struct ref *r, uint64_t soc, uint32_t value);
bool ref_is_memory(const struct ref *r, uint64_t soc, uint64_t len);
uint8_t ref_write_resp(const struct ref *r, uint64_t addr, uint32_t len); /* before the value is known */
uint64_t ref_lreg_base(unsigned engine);

/* ---- ref_bus.c ---- */
bool wq_init(struct write_queue *w, uint32_t size);
struct bus_write *wq_issue(struct ref *r, struct write_queue *w, uint64_t addr,
                           uint32_t len); /* NULL: too many */
struct bus_write *wq_uncommitted(struct write_queue *w);
struct bus_write *wq_unanswered(struct write_queue *w); /* oldest committed, not answered */
struct write_queue *ref_writes_of(struct ref *r, unsigned master);
int ref_mem_rd(struct ref *r, const struct dev_event *ev, struct nerr *err);
int ref_mem_wr(struct ref *r, const struct dev_event *ev, struct nerr *err);
int ref_bus_err(struct ref *r, const struct dev_event *ev, struct nerr *err);
int ref_apb_rd(struct ref *r, const struct dev_event *ev, struct nerr *err);
int ref_apb_wr(struct ref *r, const struct dev_event *ev, struct nerr *err);

/* The bytes [from, from+n) of a write, as the model computed them. n <= 64. */
void ref_write_bytes(struct ref *r, unsigned master, const struct bus_write *w, uint32_t from, uint32_t n,
                     uint8_t *out);

/* ---- ref_evt.c ---- */
bool evt_wait_known(uint8_t mode);
bool evt_update_known(uint8_t mode);
bool evt_predicate(const struct ref *r, const struct evt_unit *u, uint8_t mode, uint8_t idx, uint32_t value);
struct evt_effect evt_compute(const struct evt_unit *u, bool by_engine, uint8_t mode, uint8_t idx,
                              uint32_t value);
int ref_sem(struct ref *r, const struct dev_event *ev, struct nerr *err);
bool evt_command(uint32_t off, uint32_t data, uint8_t *mode, uint8_t *idx); /* alias write -> update */
bool evt_engine_record_room(const struct ref *r);
int ref_note_evt(struct ref *r, const struct dev_event *ev, struct nerr *err);

/* ---- ref_decode.c, ref_alu.c ---- */
void slot_decode(const struct ref *r, struct seq *s);
bool slot_begin(struct seq *s); /* evaluates operands; false: s->fault is set */
bool reg_readable(uint8_t reg);
uint32_t reg_value(const struct seq *s, uint8_t reg);
bool alu_known(uint8_t op);
bool alu_compute(uint8_t op, bool is_signed, uint32_t a, uint32_t b,
                 uint32_t *result); /* false: divide by zero */
bool alu_compare(uint8_t cmp, uint8_t dtype, uint32_t a, uint32_t b);

/* ---- ref_seqnext.c, ref_seq.c, ref_lreg.c ---- */
#define LR(off) (((off)-LREG_LR_BASE) / LREG_LR_STRIDE) /* number of a scratch register */
bool wait_has_effect(uint8_t wait_mode);
bool seq_outstanding(const struct seq *s); /* write responses are missing */
void seq_enter(struct seq *s, enum seq_step step);
void seq_break_fault(struct seq *s); /* a break without a request: failed assertion (tpb-image §1.3) */
unsigned seq_exec_part(const struct slot *t, unsigned *i);
int ref_seq(struct ref *r, const struct dev_event *ev, struct nerr *err); /* SEQ_* events */
int ref_seq_sem(struct ref *r, const struct dev_event *ev,
                struct nerr *err); /* SEM by an engine: legal now? */
void ref_seq_sem_done(struct ref *r, unsigned engine);
int ref_seq_note(struct ref *r, unsigned engine, const struct dev_event *ev, struct nerr *err);
int ref_seq_memory_error(struct ref *r, const struct dev_event *ev, struct nerr *err);
bool seq_expect(struct ref *r, unsigned engine,
                struct dev_event *want); /* next event; false: waits for something */
void seq_settle(struct ref *r, unsigned engine);
uint32_t seq_error_word(const struct ref *r, unsigned engine);
uint64_t seq_pair(const struct ref *r, unsigned engine, uint32_t lo, uint32_t hi); /* 64 bits of it */
uint32_t seq_sees_lreg(const struct ref *r, unsigned engine, uint32_t off);        /* in this clock */
void seq_write_lreg(struct ref *r, unsigned engine, uint32_t off, uint32_t value);
uint32_t seq_read_lreg(const struct ref *r, unsigned engine, uint32_t off, bool *timed);
void seq_step_text(struct ref *r, unsigned engine, char *buf, size_t size);

/* ---- ref_nq.c ---- */
bool note_push(struct note_ring *n, const struct note *rec);
struct note *note_front(struct note_ring *n);
struct note *note_back(struct note_ring *n);
uint32_t note_count(const struct note_ring *n);
void note_pop(struct note_ring *n);
int ref_nq_in(struct ref *r, const struct dev_event *ev, struct nerr *err);
int ref_nq_drop(struct ref *r, const struct dev_event *ev, struct nerr *err);
int ref_nq_wr(struct ref *r, const struct dev_event *ev, struct nerr *err);
bool nq_class_on(const struct notific *n, unsigned class_bit);
bool nq_class_lossless(const struct notific *n, unsigned class_bit);
bool nq_ring_on(const struct notific *n, unsigned queue);
bool nq_ring_full(const struct nq_ring *q);
bool nq_input_room(const struct ref *r, unsigned class_bit); /* stand-alone: may a source send now? */
uint64_t nq_time(const struct notific *n, uint64_t cycle);
unsigned nq_route(const struct ref *r, unsigned class_bit, unsigned kind);
void nq_write_reg(struct ref *r, uint32_t off, uint32_t value);
bool nq_read_reg(struct ref *r, uint32_t off, uint32_t *value,
                 bool side_effects); /* false: depends on time */
void tpb_write_reg(struct ref *r, uint32_t off, uint32_t value);
uint32_t tpb_read_reg(const struct ref *r, uint32_t off);
bool tpb_refuses_write(const struct ref *r, uint32_t off, uint32_t value);

/* ---- ref_udma.c ---- */
uint32_t ptr_word(struct ring_ptr p);
struct ring_ptr ptr_add(struct ring_ptr p, uint32_t n, uint32_t length);
uint32_t ring_level(const struct dma_ring *g); /* prefetched descriptors that may be executed */
bool ring_armed(const struct dma_ring *g);     /* a doorbell has released descriptors that were not read */
bool ring_enabled(const struct dma *d, unsigned queue, unsigned dir);
uint32_t ring_length(const struct dma *d, unsigned queue, unsigned dir);
struct desc *ring_desc(struct dma_ring *g, uint32_t seq);
uint64_t ring_base(const struct dma *d, unsigned queue, unsigned dir);
/* About to be disabled: what is on its way still arrives. */
void dma_note_enabled(const struct ref *r, struct dma *d, unsigned queue, unsigned dir);
bool dma_queue_runs(const struct dma *d, unsigned queue); /* may start packets (udma.md §11) */
bool dma_comp_ring(const struct dma *d,
                   unsigned queue); /* S2M with en_comp_ring_update: not built, refused */
void dma_command(struct ref *r, unsigned e, uint32_t off, uint32_t value);
void dma_commands_done(struct ref *r, bool now); /* carries out what was written in an earlier clock */
void dma_fail(struct ref *r, unsigned e, unsigned queue, bool stopping); /* both directions need rst_q */
int ref_dma_bell(struct ref *r, const struct dev_event *ev, struct nerr *err);
int ref_dma_desc(struct ref *r, const struct dev_event *ev, struct nerr *err);
int ref_dma_err(struct ref *r, const struct dev_event *ev, struct nerr *err);
int ref_dma_state(struct ref *r, const struct dev_event *ev, struct nerr *err);
void dma_raise(struct ref *r, unsigned e, unsigned dir, unsigned bit, const uint32_t *words);

/* ---- ref_packet.c, ref_pktread.c, ref_pktwrite.c ---- */
int ref_dma_start(struct ref *r, const struct dev_event *ev, struct nerr *err);
int ref_dma_const(struct ref *r, const struct dev_event *ev, struct nerr *err);
int ref_dma_rd(struct ref *r, const struct dev_event *ev, struct nerr *err);
int ref_dma_wr(struct ref *r, const struct dev_event *ev, struct nerr *err);
int ref_dma_wresp(struct ref *r, const struct dev_event *ev, struct nerr *err);
int ref_dma_cpl(struct ref *r, const struct dev_event *ev, struct nerr *err);
void dma_data(struct dma *d, const uint8_t *bytes, uint32_t n); /* next bytes of the oldest read */
void stream_read(const struct dma *d, uint64_t pos, uint8_t *out, uint32_t n);
void dma_kill(struct dma *d, unsigned queue); /* everything of the queue in the pipeline is thrown away */
void dma_kill_from(struct dma *d, uint32_t packet); /* this packet and those of its queue behind it */
bool dma_starved(struct dma *d, unsigned *queue); /* the writer's packet needs a buffer of a stopped queue */
void dma_drop_failed(struct dma *d); /* when nothing moves any more: what errors have ended early is gone */
bool dma_dying(const struct dma *d, unsigned queue); /* thrown-away packets of it are still in the pipeline */
bool dma_stuck(struct dma *d); /* the writer's packet waits for an S2M descriptor or for nothing any more */
void dma_settle(struct dma *d);
/* What may come next; NULL: a text that says why nothing may. */
struct dma_plan { /* what the scheduler finds in the prefetch FIFO */
    uint32_t ndesc;
    unsigned error; /* NO_ERROR: the packet may start; else bit to report ... */
    uint32_t seq;   /* ... for this descriptor */
};
const char *dma_start_blocked(const struct dma *d, unsigned queue,
                              struct dma_plan *plan); /* NULL: plan holds */
struct dma_step {
    struct packet *packet;
    struct desc *desc; /* M2S descriptor read, S2M descriptor written */
    uint64_t addr, position;
    uint64_t bytes; /* how many at most */
    bool constant;
    uint32_t value; /* of the constant */
};
bool dma_next_read(struct dma *d, struct dma_step *step);
const char *dma_next_write(struct dma *d, struct dma_step *step); /* NULL: step is valid */

/* ---- ref_regs.c, ref_udmareg.c, ref_udmatab.c ---- */
int reg_write(struct ref *r, uint64_t soc, uint32_t value); /* 1: refused */
int reg_read(struct ref *r, uint64_t soc, uint32_t *value,
             bool side_effects); /* 1 refused, 2 depends on time */
bool reg_read_close(const struct ref *r, uint64_t soc, uint32_t value, uint32_t want); /* a moving register */
void reg_changed(struct ref *r, uint64_t soc, uint32_t old);
bool reg_is_bell(const struct ref *r, uint64_t soc, unsigned *e, unsigned *dir, unsigned *queue);

uint32_t udma_word(const struct dma *d, uint32_t off); /* stored register by offset in the engine's window */
uint32_t udma_bank(unsigned dir, unsigned queue);      /* offset of a queue's bank */
void udma_reset_words(uint32_t *words);
uint32_t udma_writable_bits(uint32_t off); /* 0: read-only or unlisted */
bool udma_refuses(uint32_t off); /* interrupt controllers, NOTIFIC and broadcast windows: not built */
bool udma_refuses_write(uint32_t off, uint32_t value);
void udma_write_reg(struct ref *r, unsigned e, uint32_t off, uint32_t value);
bool udma_read_reg(struct ref *r, unsigned e, uint32_t off, uint32_t *value); /* false: depends on time */

#endif
