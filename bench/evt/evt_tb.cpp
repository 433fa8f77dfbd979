/*
 * Directed and random bench of EVT_SEM. Every clock of every test, the outputs and the tap's event are compared with
 * evt_model.h; the directed tests then say in plain numbers what the rows of events-semaphores.md §11 and the rules of
 * §8 and §9 demand.
 */
#include <cstring>
#include <vector>

#include "Vevt_sem.h"
#include "evt_model.h"
#include "latency.h"
#include "tb.h"
#include "verilated.h"

#ifndef SEM_UNSIGNED_CMP
#define SEM_UNSIGNED_CMP 0
#endif

static const int UNIT = 3, PE = ENG_PE, ACT = ENG_ACT, POOL = ENG_POOL, DVE = ENG_DVE, SP = ENG_SP;

/* The tap's events of the current clock. */
static std::vector<EvtCommit> tapped;

extern "C" void neffsim_ev(int, int, int, int, int, int, int, long long, long long) {}

extern "C" void neffsim_ev_words(int kind, int unit, int queue, int dir, int code, int index, int value, long long,
                                 long long data, int nwords, const svBitVecVal *w)
{
    TB_EQUAL(kind, EV_SEM);
    TB_EQUAL(unit, UNIT);
    TB_EQUAL(nwords, 2);
    tapped.push_back({ true, dir == 1, queue == 1, (uint8_t)code, (uint8_t)w[0], (uint8_t)index, (uint8_t)w[1],
                       (uint32_t)value, (uint32_t)data });
}

class Bench {
public:
    EvtIn in;
    EvtOut out; /* of the last clock */
    EvtModel model;
    unsigned long long commits = 0, passes = 0, reads = 0, clocks = 0;
    unsigned mismatches = 0;

    Bench() : top(new Vevt_sem)
    {
        std::memset(&in, 0, sizeof in);
        in.high = 0xffffffff;
        in.nq_ready = in.err_ready = true;
        model.unsigned_cmp = SEM_UNSIGNED_CMP;
        reset();
    }
    ~Bench() { delete top; }

    /* Reset, then the walk. */
    void reset(void)
    {
        std::memset(in.wait_req, 0, sizeof in.wait_req);
        std::memset(in.upd_req, 0, sizeof in.upd_req);
        in.psel = in.penable = false;
        drive();
        top->rst_ni = 0;
        edge();
        edge();
        top->rst_ni = 1;
        model.reset();
        out = EvtOut();
    }

    void clock(void)
    {
        drive();
        top->eval();
        out = model.answer(in);
        bool same = top->wait_pass_o == out.wait_pass && top->upd_ack_o == out.upd_ack &&
                    top->pready_o == out.pready && top->prdata_o == out.prdata && !top->pslverr_o &&
                    top->nq_valid_o == out.nq_valid && top->nq_type_o == out.nq.type &&
                    top->nq_body0_o == out.nq.body0 && top->nq_body1_o == out.nq.body1 && top->nq_ovf_o == out.nq.ovf &&
                    top->err_valid_o == out.err_valid && top->err_id_o == out.err.type &&
                    top->err_index_o == out.err.body0 && top->err_ovf_o == out.err.ovf;
        tapped.clear();
        edge();
        const EvtCommit &c = out.commit;
        same = same && tapped.size() == (c.valid ? 1u : 0u);
        if (same && c.valid) {
            const EvtCommit &t = tapped[0];
            same = t.is_sem == c.is_sem && t.by_wait == c.by_wait && t.source == c.source && t.mode == c.mode &&
                   t.idx == c.idx && t.value == c.value && t.now == c.now && t.error == c.error;
        }
        if (!same && mismatches++ < 3)
            std::printf("clock %llu: pass %02x/%02x ack %02x/%02x pready %d/%d prdata %x/%x record %d/%d error %d/%d "
                        "tapped %zu/%d (RTL/model)\n", clocks, top->wait_pass_o, out.wait_pass, top->upd_ack_o,
                        out.upd_ack, top->pready_o, out.pready, top->prdata_o, out.prdata, top->nq_valid_o,
                        out.nq_valid, top->err_valid_o, out.err_valid, tapped.size(), c.valid);
        TB_CHECK(same);
        model.step(in, out);
        clocks++;
        commits += c.valid;
        passes += (unsigned)__builtin_popcount(out.wait_pass);
        reads += out.pready && !in.pwrite;
    }

    void clocks_pass(int n)
    {
        while (n-- > 0)
            clock();
    }

    /* One APB access; *n, when given, becomes the clocks of its access phase. */
    uint32_t apb(bool write, uint32_t addr, uint32_t data = 0, int *n = nullptr)
    {
        in.psel = true, in.penable = false, in.pwrite = write, in.paddr = addr, in.pwdata = data;
        clock();
        in.penable = true;
        int k = 0;
        do {
            clock();
            k++;
        } while (!out.pready && k < 400);
        TB_CHECK(out.pready);
        in.psel = in.penable = false;
        if (n)
            *n = k;
        return out.prdata;
    }
    void write(uint32_t addr, uint32_t data) { apb(true, addr, data); }
    uint32_t read(uint32_t addr) { return apb(false, addr); }
    uint32_t sem(int i) { return read(EVT_WIN_SEM_READ + 4 * (uint32_t)i); }
    uint32_t event(int i) { return read(EVT_WIN_EVENT + 4 * (uint32_t)i); }
    void set_sem(int i, uint32_t v) { write(EVT_WIN_SEM_SET + 4 * (uint32_t)i, v); }
    void set_event(int i, uint32_t v) { write(EVT_WIN_EVENT + 4 * (uint32_t)i, v); }

    void ask(int e, uint8_t mode, int idx, uint32_t value = 0)
    {
        in.upd_req[e] = true, in.upd_mode[e] = mode, in.upd_idx[e] = (uint8_t)idx, in.upd_val[e] = value;
    }
    void wait(int e, uint8_t mode, int idx, uint32_t value = 0)
    {
        in.wait_req[e] = true, in.wait_mode[e] = mode, in.wait_idx[e] = (uint8_t)idx, in.wait_val[e] = value;
    }
    void withdraw(int e) { in.wait_req[e] = in.upd_req[e] = false; }
    /* Withdraws the requests that the last clock answered. */
    void settle(void)
    {
        for (int e = 0; e < 5; e++) {
            if (out.upd_ack >> e & 1)
                in.upd_req[e] = false;
            if (out.wait_pass >> e & 1)
                in.wait_req[e] = false;
        }
    }
    /* One lone update; it must be granted at once. */
    void update(int e, uint8_t mode, int idx, uint32_t value = 0)
    {
        ask(e, mode, idx, value);
        clock();
        TB_EQUAL(out.upd_ack, 1u << e);
        withdraw(e);
    }
    /* Would this wait pass now? */
    bool passes_now(int e, uint8_t mode, int idx, uint32_t value = 0)
    {
        wait(e, mode, idx, value);
        clock();
        withdraw(e);
        return out.wait_pass >> e & 1;
    }

private:
    Vevt_sem *top;

    void drive(void)
    {
        uint64_t wm = 0, wi = 0, um = 0, ui = 0;
        top->wait_req_i = top->upd_req_i = 0;
        for (int e = 0; e < 5; e++) {
            top->wait_req_i |= (unsigned)in.wait_req[e] << e;
            top->upd_req_i |= (unsigned)in.upd_req[e] << e;
            wm |= (uint64_t)in.wait_mode[e] << 8 * e, wi |= (uint64_t)in.wait_idx[e] << 8 * e;
            um |= (uint64_t)in.upd_mode[e] << 8 * e, ui |= (uint64_t)in.upd_idx[e] << 8 * e;
            top->wait_val_i[e] = in.wait_val[e];
            top->upd_val_i[e] = in.upd_val[e];
        }
        top->wait_mode_i = wm, top->wait_idx_i = wi, top->upd_mode_i = um, top->upd_idx_i = ui;
        top->psel_i = in.psel, top->penable_i = in.penable, top->pwrite_i = in.pwrite;
        top->paddr_i = in.paddr, top->pwdata_i = in.pwdata;
        top->sem_low_i = in.low, top->sem_high_i = in.high, top->notify_en_i = in.notify;
        top->evsem_backpressure_i = in.backpressure;
        top->nq_ready_i = in.nq_ready, top->err_ready_i = in.err_ready;
    }
    void edge(void)
    {
        top->clk_i = 1;
        top->eval();
        top->clk_i = 0;
        top->eval();
    }
};

/* ---- reset ------------------------------------------------------------------------------------------------------ */

static void reset_clears_everything_within_260_clocks(void)
{
    tb_case("reset clears every event and semaphore and answers nothing meanwhile");
    Bench b;
    for (int i = 0; i < 256; i++) {
        b.set_sem(i, 0xa5a50000u + (unsigned)i);
        b.set_event(i, 1);
    }
    b.update(PE, UPD_EVT_SET_COMPLETE, 1); /* leaves an error and, below, a record behind */
    b.reset();
    for (int e = 0; e < 5; e++) {
        b.ask(e, UPD_SEM_INC_COMPLETE, 7);
        b.wait(e, WAIT_NONE, 0);
    }
    int n = 0;
    for (; n < 300 && b.out.upd_ack + b.out.wait_pass == 0; n++)
        b.clock();
    TB_EQUAL(n, LAT_EVT_RESET + 1);
    for (int e = 0; e < 5; e++)
        b.withdraw(e);
    b.reset();
    int k;
    b.apb(false, EVT_WIN_SEM_READ, 0, &k);
    TB_CHECK(k > 250 && k <= 260);
    for (int i = 0; i < 256; i++) {
        TB_EQUAL(b.sem(i), 0);
        TB_EQUAL(b.event(i), 0);
    }
}

/* ---- §11, row by row -------------------------------------------------------------------------------------------- */

static void rows_1_to_5(void)
{
    Bench b;
    tb_case("row 1: set, then read");
    b.write(0x1400 + 4 * 5, 10);
    TB_EQUAL(b.read(0x1000 + 4 * 5), 10);
    tb_case("row 2: increment by the written word");
    b.write(0x1800 + 4 * 5, 3);
    TB_EQUAL(b.read(0x1000 + 4 * 5), 13);
    tb_case("row 3: decrement by the written word");
    b.write(0x1c00 + 4 * 5, 13);
    TB_EQUAL(b.read(0x1000 + 4 * 5), 0);
    tb_case("row 4: zero minus one is minus one and no error");
    b.in.err_ready = false;
    b.write(0x1c00 + 4 * 5, 1);
    TB_EQUAL(b.read(0x1000 + 4 * 5), 0xffffffff);
    TB_CHECK(!b.out.err_valid);
    tb_case("row 5: crossing the signed range wraps and raises SEMAPHORE_ERROR");
    b.write(0x1400 + 4 * 5, 0x7fffffff);
    b.write(0x1800 + 4 * 5, 1);
    TB_EQUAL(b.read(0x1000 + 4 * 5), 0x80000000);
    TB_CHECK(b.out.err_valid);
    TB_EQUAL(b.out.err.type, 6);
    TB_EQUAL(b.out.err.body0, 5);
    b.in.err_ready = true;
    b.clock();
    b.clock();
    TB_CHECK(!b.out.err_valid);
    b.write(0x1c00 + 4 * 5, 1); /* and back */
    TB_EQUAL(b.read(0x1000 + 4 * 5), 0x7fffffff);
}

static void row_6(void)
{
    tb_case("row 6: two increments in one clock both count");
    Bench b;
    b.clocks_pass(260);
    b.ask(PE, UPD_SEM_INC_COMPLETE, 5);
    b.ask(ACT, UPD_SEM_INC_COMPLETE, 5);
    b.clock();
    TB_EQUAL(b.out.upd_ack, 1u << PE);
    b.settle();
    b.clock();
    TB_EQUAL(b.out.upd_ack, 1u << ACT);
    b.settle();
    TB_EQUAL(b.sem(5), 2);
}

static void row_7(void)
{
    tb_case("row 7: one event lets exactly one THEN_CLEAR waiter pass");
    Bench b;
    b.clocks_pass(260);
    b.wait(POOL, WAIT_EVT_SET_THEN_CLEAR, 3);
    b.wait(ACT, WAIT_EVT_SET_THEN_CLEAR, 3);
    b.clocks_pass(5);
    unsigned before = (unsigned)b.passes;
    b.set_event(3, 1);
    b.clocks_pass(1);
    b.settle();
    b.clocks_pass(10);
    TB_EQUAL(b.passes - before, 1);
    TB_CHECK(b.in.wait_req[POOL] != b.in.wait_req[ACT]);
    TB_EQUAL(b.event(3), 0);
    b.set_event(3, 1);
    b.clock();
    b.settle();
    TB_EQUAL(b.passes - before, 2);
    TB_CHECK(!b.in.wait_req[POOL] && !b.in.wait_req[ACT]);
}

static void row_8(void)
{
    tb_case("row 8: GT 0 with minus one stalls when signed, passes when unsigned");
    Bench b;
    b.set_sem(4, 0xffffffff);
    TB_EQUAL(b.passes_now(DVE, 0x04, 4, 0), SEM_UNSIGNED_CMP);
}

static void row_9(void)
{
    tb_case("row 9: a second set over the bus shows the double flag and is no error");
    Bench b;
    b.clocks_pass(260);
    b.in.notify = true;
    b.in.nq_ready = false;
    b.in.err_ready = false;
    b.set_event(9, 1);
    b.set_event(9, 1);
    TB_EQUAL(b.event(9), 1);
    TB_EQUAL(b.out.nq.type, 0x1b);
    TB_EQUAL(b.out.nq.body0, 0x110009);
    TB_EQUAL(b.out.nq.body1, 1);
    b.in.nq_ready = true;
    b.clock();
    b.clock();
    TB_CHECK(b.out.nq_valid && !b.out.err_valid);
    TB_EQUAL(b.out.nq.body0, 0x110209);
}

static void row_10(void)
{
    tb_case("row 10: record of a PE update");
    Bench b;
    b.clocks_pass(260);
    b.in.notify = true;
    b.in.low = b.in.high = 0;
    b.update(PE, 0x15, 0x2a, 5);
    b.clock();
    TB_CHECK(b.out.nq_valid);
    TB_EQUAL(b.out.nq.type, 0x07);
    TB_EQUAL(b.out.nq.body0, 0x15012a);
    TB_EQUAL(b.out.nq.body1, 5);
}

/* ---- windows ---------------------------------------------------------------------------------------------------- */

static void windows_have_their_access_rights(void)
{
    Bench b;
    tb_case("every index of every window is its own counter or event");
    for (int i = 0; i < 256; i++) {
        b.set_sem(i, 1000u + (unsigned)i);
        b.set_event(i, (unsigned)i >> 1);
    }
    for (int i = 0; i < 256; i++) {
        TB_EQUAL(b.sem(i), 1000 + i);
        TB_EQUAL(b.event(i), i >> 1 & 1);
    }
    tb_case("write-only windows read 0, the read window ignores writes");
    TB_EQUAL(b.read(EVT_WIN_SEM_SET + 4 * 7), 0);
    TB_EQUAL(b.read(EVT_WIN_SEM_INC + 4 * 7), 0);
    TB_EQUAL(b.read(EVT_WIN_SEM_DEC + 4 * 7), 0);
    b.write(EVT_WIN_SEM_READ + 4 * 7, 99);
    TB_EQUAL(b.sem(7), 1007);
    tb_case("events keep bit 0 only");
    b.set_event(7, 0xfffffffe);
    TB_EQUAL(b.event(7), 0);
    b.set_event(7, 0xffffffff);
    TB_EQUAL(b.event(7), 1);
    tb_case("reserved space reads 0 and ignores writes");
    const uint32_t reserved[] = { 0x400, 0x41c, 0xffc, 0x2000, 0x201c, 0x2400, 0x10000, 0x1141c, 0xffffc, 0x8101c };
    for (uint32_t a : reserved) {
        b.write(a, 5);
        TB_EQUAL(b.read(a), 0);
    }
    tb_case("an address inside a word is reserved");
    b.write(EVT_WIN_SEM_SET + 4 * 7 + 2, 5);
    TB_EQUAL(b.read(EVT_WIN_SEM_READ + 4 * 7 + 1), 0);
    TB_EQUAL(b.sem(7), 1007);
}

/* ---- codes ------------------------------------------------------------------------------------------------------ */

static void every_code_of_both_tables(void)
{
    Bench b;
    b.clocks_pass(260);
    tb_case("all 256 wait codes against values around the semaphore");
    const uint32_t values[] = { 0, 1, 0x7fffffff, 0x80000000, 0xffffffff };
    for (uint32_t s : values) {
        b.set_sem(17, s);
        for (int mode = 0; mode < 256; mode++)
            for (uint32_t v : values)
                for (int e = 0; e < 2; e++) {
                    if (mode == WAIT_EVT_SET_THEN_CLEAR || mode == WAIT_EVT_CLEAR_THEN_SET)
                        b.set_event(17, e);
                    b.passes_now((mode + e) % 5, (uint8_t)mode, 17, v);
                }
    }
    tb_case("all 256 update codes; only those of the table are granted");
    unsigned granted = 0;
    for (int mode = 0; mode < 256; mode++) {
        b.ask(mode % 5, (uint8_t)mode, 17, 3);
        b.clock();
        granted += b.out.upd_ack != 0;
        b.withdraw(mode % 5);
    }
    TB_EQUAL(granted, 28);
    tb_case("INC and DEC step by one whatever the value field says");
    b.set_sem(20, 10);
    b.update(SP, UPD_SEM_INC_READ, 20, 100);
    TB_EQUAL(b.sem(20), 11);
    b.update(SP, UPD_SEM_DEC_COMPLETE, 20, 100);
    b.update(SP, UPD_SEM_DEC_COMPLETE, 20, 100);
    TB_EQUAL(b.sem(20), 9);
    tb_case("register forms act as the immediate ones");
    b.update(DVE, UPD_SEM_WR_REG_COMPLETE, 21, 77);
    b.update(DVE, UPD_SEM_ADD_REG_READ, 21, 3);
    b.update(DVE, UPD_SEM_SUB_REG_COMPLETE, 21, 10);
    TB_EQUAL(b.sem(21), 70);
}

/* ---- §9 --------------------------------------------------------------------------------------------------------- */

static void order_is_sp_pe_act_pool_dve_bus(void)
{
    tb_case("six requests of one clock are granted SP, PE, ACT, POOL, DVE, bus");
    Bench b;
    b.clocks_pass(260);
    const int order[6] = { SP, PE, ACT, POOL, DVE, EvtModel::BUS };
    for (int round = 0; round < 3; round++) {
        b.in.psel = b.in.pwrite = true;
        b.in.paddr = EVT_WIN_SEM_INC + 4 * 40, b.in.pwdata = 1;
        b.clock();
        b.in.penable = true;
        for (int e = 0; e < 5; e++)
            b.ask(e, UPD_SEM_ADD_IMM_COMPLETE, 40, 1);
        for (int k = 0; k < 6; k++) {
            b.clock();
            TB_EQUAL(b.out.commit.source, order[k]);
            b.settle();
            b.in.psel = b.in.penable = !b.out.pready;
        }
        b.clock();
        TB_CHECK(!b.out.commit.valid);
    }
    TB_EQUAL(b.sem(40), 18);
}

static void nobody_waits_longer_than_six_clocks(void)
{
    tb_case("a requester is granted within 6 clocks, whoever else asks");
    Bench b;
    b.clocks_pass(260);
    uint64_t seed = 7;
    int waiting[6] = {}, worst = 0;
    for (int n = 0; n < 3000; n++) {
        unsigned pick = (unsigned)tb_random(&seed), dense = (n / 500) & 1 ? 0x3f : pick >> 8;
        for (int e = 0; e < 5; e++)
            if (!b.in.upd_req[e] && !b.in.wait_req[e] && (dense >> e & 1)) {
                if (e == POOL) { /* THEN waits are requests too; nobody else touches this event */
                    b.wait(e, b.model.evt[60] ? WAIT_EVT_SET_THEN_CLEAR : WAIT_EVT_CLEAR_THEN_SET, 60);
                } else {
                    b.ask(e, UPD_SEM_INC_COMPLETE, 50 + e);
                }
            }
        if (b.in.psel) {
            b.in.penable = true;
        } else if (dense >> 5 & 1) {
            b.in.psel = b.in.pwrite = true;
            b.in.paddr = EVT_WIN_SEM_INC + 4 * 55, b.in.pwdata = 1;
        }
        b.clock();
        for (int p = 0; p < 6; p++) {
            bool asks = p < 5 ? b.in.upd_req[p] || b.in.wait_req[p] : b.in.penable;
            bool won = b.out.commit.valid && b.out.commit.source == p;
            waiting[p] = asks ? waiting[p] + 1 : 0;
            if (waiting[p] > worst)
                worst = waiting[p];
            if (won)
                waiting[p] = 0;
        }
        b.settle();
        if (b.out.pready)
            b.in.psel = b.in.penable = false;
    }
    TB_EQUAL(worst, 1 + LAT_EVT_GRANT_WORST);
}

static void an_update_is_visible_one_clock_later(void)
{
    tb_case("an update of clock n is seen by waits and reads from clock n+1");
    Bench b;
    b.clocks_pass(260);
    b.in.psel = true, b.in.pwrite = false, b.in.paddr = EVT_WIN_SEM_READ + 4 * 33;
    b.clock();
    b.in.penable = true;
    b.wait(PE, WAIT_SEM_GE_IMM, 33, 1);
    b.ask(ACT, UPD_SEM_INC_COMPLETE, 33);
    b.clock();
    TB_EQUAL(b.out.upd_ack, 1u << ACT);
    TB_EQUAL(b.out.wait_pass, 0);
    TB_EQUAL(b.out.prdata, 0);
    b.settle();
    b.in.penable = false; /* the setup phase of the next read, in the clock of the next update */
    b.ask(ACT, UPD_SEM_INC_COMPLETE, 33);
    b.clock();
    TB_EQUAL(b.out.wait_pass, 1u << PE);
    TB_EQUAL(b.out.upd_ack, 1u << ACT);
    b.settle();
    b.in.penable = true;
    b.clock();
    TB_EQUAL(b.out.prdata, 2);
}

static void a_lone_request_is_granted_at_once(void)
{
    tb_case("published latency of a lone update, THEN wait and pure wait (docs/rtl.md)");
    Bench b;
    b.clocks_pass(260);
    for (int e = 0; e < 5; e++) {
        int n = 0;
        b.ask(e, UPD_EVT_SET_COMPLETE, 3);
        do
            b.clock(), n++;
        while (!(b.out.upd_ack >> e & 1) && n < 10);
        TB_EQUAL(n, 1 + LAT_EVT_GRANT);
        b.settle();
        for (uint8_t mode : { WAIT_EVT_SET, WAIT_EVT_SET_THEN_CLEAR }) {
            b.wait(e, mode, 3);
            n = 0;
            do
                b.clock(), n++;
            while (!(b.out.wait_pass >> e & 1) && n < 10);
            TB_EQUAL(n, 1 + LAT_EVT_GRANT);
            b.settle();
        }
    }
}

static void five_waiters_and_five_sets(void)
{
    tb_case("THEN forms: five waiters of one event pass one after the other, each on its own set");
    Bench b;
    b.clocks_pass(260);
    for (int e = 0; e < 5; e++)
        b.wait(e, WAIT_EVT_SET_THEN_CLEAR, 99);
    for (int k = 0; k < 5; k++) {
        unsigned long long before = b.passes;
        b.set_event(99, 1);
        for (int n = 0; n < 8; n++) {
            b.clock();
            b.settle();
        }
        TB_EQUAL(b.passes - before, 1);
        TB_EQUAL(b.event(99), 0);
    }
    tb_case("THEN forms: a free event is taken by exactly one of five");
    for (int e = 0; e < 5; e++)
        b.wait(e, WAIT_EVT_CLEAR_THEN_SET, 98);
    unsigned long long before = b.passes;
    for (int n = 0; n < 10; n++) {
        b.clock();
        b.settle();
    }
    TB_EQUAL(b.passes - before, 1);
    TB_EQUAL(b.event(98), 1);
}

/* ---- §8 --------------------------------------------------------------------------------------------------------- */

static void thresholds_select_semaphore_records(void)
{
    Bench b;
    b.clocks_pass(260);
    b.in.notify = true;
    b.in.nq_ready = false;
    tb_case("the reset thresholds report 0 and 0xffffffff only");
    b.set_sem(1, 1);
    b.set_sem(1, 0xfffffffe);
    b.set_sem(1, 0x80000000);
    TB_CHECK(!b.out.nq_valid);
    b.set_sem(1, 0xffffffff);
    b.set_sem(1, 0);
    b.in.nq_ready = true;
    unsigned seen = 0;
    for (int n = 0; n < 5; n++) {
        b.clock();
        seen += b.out.nq_valid;
    }
    TB_EQUAL(seen, 2);
    tb_case("the bracket is unsigned and includes both ends");
    b.in.low = 4, b.in.high = 0x80000000;
    const struct { uint32_t v; bool reported; } edge[] = { { 3, true }, { 4, true }, { 5, false },
        { 0x7fffffff, false }, { 0x80000000, true }, { 0x80000001, true } };
    for (auto &x : edge) {
        b.set_sem(1, x.v);
        b.clock();
        TB_EQUAL(b.out.nq_valid, x.reported);
    }
    tb_case("off means no record at all");
    b.in.notify = false;
    b.in.low = b.in.high = 0;
    b.set_sem(1, 0);
    b.update(PE, UPD_EVT_SET_COMPLETE, 1);
    b.clock();
    TB_CHECK(!b.out.nq_valid);
}

static void record_queue_holds_engines_but_never_the_bus(void)
{
    Bench b;
    b.clocks_pass(260);
    b.in.notify = true, b.in.low = b.in.high = 0;
    b.in.nq_ready = false, b.in.backpressure = true;
    tb_case("with hw_backpressure an engine update waits while 16 records are queued");
    for (int i = 0; i < 16; i++)
        b.update(i % 5, UPD_SEM_INC_COMPLETE, i);
    b.ask(ACT, UPD_SEM_INC_COMPLETE, 70);
    b.wait(PE, WAIT_EVT_CLEAR_THEN_SET, 71);
    b.wait(SP, WAIT_SEM_EQ_IMM, 0, 1);
    b.clocks_pass(20);
    TB_EQUAL(b.out.upd_ack, 0);
    TB_EQUAL(b.out.wait_pass, 1u << SP); /* a pure wait needs no record */
    tb_case("a bus write passes meanwhile and its record is lost");
    int k;
    b.apb(true, EVT_WIN_SEM_INC + 4 * 72, 5, &k);
    TB_EQUAL(k, 1);
    TB_EQUAL(b.sem(72), 5);
    tb_case("one free place releases one engine; its record carries the overflow flag");
    b.in.nq_ready = true;
    b.clock();
    TB_EQUAL(b.out.upd_ack, 0);
    b.in.nq_ready = false;
    unsigned released = 0;
    for (int n = 0; n < 10; n++) {
        b.clock();
        released += b.out.commit.valid;
        b.settle();
    }
    TB_EQUAL(released, 1);
    b.in.nq_ready = true;
    unsigned flags = 0, records = 0;
    for (int n = 0; n < 40; n++) {
        b.clock();
        b.settle();
        records += b.out.nq_valid;
        flags += b.out.nq_valid && b.out.nq.ovf;
    }
    TB_EQUAL(records, 17);
    TB_EQUAL(flags, 1);
    TB_EQUAL(b.sem(70), 1);
    TB_EQUAL(b.event(71), 1);

    tb_case("without hw_backpressure an engine update never waits and its record is lost");
    b.in.nq_ready = false, b.in.backpressure = false;
    for (int i = 0; i < 20; i++)
        b.update(DVE, UPD_SEM_INC_COMPLETE, 80);
    TB_EQUAL(b.sem(80), 20);
    b.in.nq_ready = true;
    records = 0;
    for (int n = 0; n < 30; n++) {
        b.clock();
        records += b.out.nq_valid;
    }
    TB_EQUAL(records, 16);
    b.update(DVE, UPD_SEM_INC_COMPLETE, 80);
    b.clock();
    TB_CHECK(b.out.nq_valid && b.out.nq.ovf);
}

static void errors_are_reported_and_never_lost_in_silence(void)
{
    Bench b;
    b.clocks_pass(260);
    b.in.err_ready = false;
    tb_case("a double set or clear by an engine is EVENT_ERROR and changes nothing");
    b.update(PE, UPD_EVT_CLR_COMPLETE, 11);
    TB_EQUAL(b.event(11), 0);
    TB_EQUAL(b.out.err.type, NERR_EVENT_ERROR);
    TB_EQUAL(b.out.err.body0, 11);
    b.update(PE, UPD_EVT_SET_COMPLETE, 11);
    b.update(ACT, UPD_EVT_SET_READ, 11);
    TB_EQUAL(b.event(11), 1);
    tb_case("a counter that leaves the signed range downwards is SEMAPHORE_ERROR");
    b.set_sem(12, 0x80000000);
    b.update(SP, UPD_SEM_DEC_COMPLETE, 12);
    TB_EQUAL(b.sem(12), 0x7fffffff);
    tb_case("an overrun of the error queue is flagged on the next error that enters");
    for (int i = 0; i < 4; i++) /* the fourth place and three lost ones */
        b.update(POOL, UPD_EVT_CLR_COMPLETE, 100 + i);
    b.in.err_ready = true;
    b.clock();
    TB_CHECK(b.out.err_valid && !b.out.err.ovf);
    b.update(POOL, UPD_EVT_CLR_COMPLETE, 110);
    unsigned errors = 1, flags = 0;
    for (int n = 0; n < 10; n++) {
        b.clock();
        errors += b.out.err_valid;
        flags += b.out.err_valid && b.out.err.ovf;
        if (b.out.err_valid && b.out.err.ovf)
            TB_EQUAL(b.out.err.body0, 110);
    }
    TB_EQUAL(errors, 4); /* one more left in the clock of the update */
    TB_EQUAL(flags, 1);
}

/* ---- random ----------------------------------------------------------------------------------------------------- */

static uint32_t any_value(uint64_t *seed)
{
    static const uint32_t edge[] = { 0, 1, 2, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe };
    uint64_t r = tb_random(seed);
    return r & 1 ? edge[r >> 1 & 7] : r & 2 ? (uint32_t)(r >> 60) : (uint32_t)(r >> 32);
}

static void random_traffic(uint64_t seed, unsigned long long operations)
{
    tb_case("random traffic equals the model clock by clock");
    static const uint8_t waits[] = { 0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 0xe, 0xf, 0xf, 0x85, 0xfe, 0xff };
    static const uint8_t upds[] = { 1, 2, 3, 4, 5, 7, 9, 0x11, 0x12, 0x13, 0x14, 0x15, 0x17, 0x19, 0x85, 0x99 };
    static const uint32_t windows[] = { EVT_WIN_EVENT, EVT_WIN_EVENT, EVT_WIN_SEM_READ, EVT_WIN_SEM_SET,
                                        EVT_WIN_SEM_INC, EVT_WIN_SEM_DEC, 0x400, 0x2000 };
    Bench b;
    uint64_t s = seed * 2 + 1;
    while (b.commits + b.passes + b.reads < operations) {
        uint64_t r = tb_random(&s);
        unsigned spread = b.clocks >> 10 & 1 ? 255 : 3; /* few hot entries, then many */
        b.in.nq_ready = (b.clocks >> 9 & 3) == 0 ? (r & 15) == 0 : (r & 3) != 0;
        b.in.err_ready = (b.clocks >> 8 & 1) ? (r & 0xf0) == 0 : (r & 0x30) != 0;
        if ((r >> 8 & 255) == 0) {
            b.in.low = any_value(&s), b.in.high = any_value(&s);
            b.in.notify = tb_random(&s) & 3, b.in.backpressure = tb_random(&s) & 1;
        }
        for (int e = 0; e < 5; e++) {
            r = tb_random(&s);
            uint8_t idx = (uint8_t)(r >> 24 & spread);
            if (b.in.wait_req[e] && (r & 31) == 0)
                b.in.wait_req[e] = false; /* a break stops a waiting engine */
            else if (!b.in.wait_req[e] && !b.in.upd_req[e] && (r & 0x300) == 0)
                b.wait(e, waits[r >> 12 & 15], idx, any_value(&s));
            else if (!b.in.wait_req[e] && !b.in.upd_req[e] && (r & 0x300) == 0x100)
                b.ask(e, upds[r >> 12 & 15], idx, any_value(&s));
        }
        r = tb_random(&s);
        if (b.in.psel) {
            b.in.penable = true;
        } else if (r & 1) {
            b.in.psel = true, b.in.pwrite = (r & 2) != 0;
            b.in.paddr = windows[r >> 4 & 7] + 4 * (uint32_t)(r >> 24 & spread) + ((r >> 8 & 63) == 0);
            b.in.pwdata = any_value(&s);
        }
        b.clock();
        b.settle();
        if (b.out.pready)
            b.in.psel = b.in.penable = false;
    }
    TB_EQUAL(b.mismatches, 0);
}

int main(int argc, char **argv)
{
    Verilated::commandArgs(argc, argv);
    Verilated::randReset(2); /* whatever reset leaves alone starts random */
    reset_clears_everything_within_260_clocks();
    rows_1_to_5();
    row_6();
    row_7();
    row_8();
    row_9();
    row_10();
    windows_have_their_access_rights();
    every_code_of_both_tables();
    order_is_sp_pe_act_pool_dve_bus();
    nobody_waits_longer_than_six_clocks();
    a_lone_request_is_granted_at_once();
    an_update_is_visible_one_clock_later();
    five_waiters_and_five_sets();
    thresholds_select_semaphore_records();
    record_queue_holds_engines_but_never_the_bus();
    errors_are_reported_and_never_lost_in_silence();
    for (uint64_t seed = 1; seed <= 4; seed++)
        random_traffic(seed, 20000);
    return tb_finish();
}
