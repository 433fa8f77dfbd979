/*
 * What EVT_SEM must do in one clock, written from events-semaphores.md and nothing else: evt_tb.cpp compares the RTL
 * with it clock by clock. answer() says what the outputs must be for these inputs; step() then lets the clock end.
 */
#ifndef NEFFSIM_BENCH_EVT_MODEL_H
#define NEFFSIM_BENCH_EVT_MODEL_H

#include <cstdint>
#include <cstring>
#include <deque>

#include "regs.h"

struct EvtIn {
    bool psel, penable, pwrite;
    uint32_t paddr, pwdata;
    bool wait_req[5], upd_req[5];
    uint8_t wait_mode[5], wait_idx[5], upd_mode[5], upd_idx[5];
    uint32_t wait_val[5], upd_val[5];
    uint32_t low, high;
    bool notify, backpressure, nq_ready, err_ready;
};

struct EvtRecord {
    uint8_t type;
    uint32_t body0, body1;
    bool ovf;
};

struct EvtCommit {
    bool valid, is_sem, by_wait;
    uint8_t source, mode, idx, error;
    uint32_t value, now;
};

struct EvtOut {
    uint8_t wait_pass, upd_ack;
    bool pready;
    uint32_t prdata;
    bool nq_valid, err_valid;
    EvtRecord nq, err; /* err: type is the error id, body0 the index */
    EvtCommit commit;
};

class EvtModel {
public:
    static constexpr int WALK = 256;
    static constexpr uint8_t NO_ERROR = 0xff, BUS = 5;
    bool unsigned_cmp = false;
    uint32_t sem[256];
    bool evt[256];

    void reset(void)
    {
        std::memset(sem, 0, sizeof sem);
        std::memset(evt, 0, sizeof evt);
        walk = WALK;
        last = 5; /* so that SP comes first */
        records.clear();
        errors.clear();
        record_lost = error_lost = false;
    }

    /* True now? *then: passing changes the event (to *to) and needs a grant. */
    bool predicate(const EvtIn &in, int e, bool *then, bool *to) const
    {
        uint8_t mode = in.wait_mode[e], idx = in.wait_idx[e];
        int64_t s = unsigned_cmp ? (int64_t)sem[idx] : (int64_t)(int32_t)sem[idx];
        int64_t v = unsigned_cmp ? (int64_t)in.wait_val[e] : (int64_t)(int32_t)in.wait_val[e];
        *then = *to = false;
        switch (mode) {
        case 0x00: case 0xfe: return true;
        case 0x01: case 0x81: return s == v;
        case 0x02: case 0x82: return s < v;
        case 0x03: case 0x83: return s <= v;
        case 0x04: case 0x84: return s > v;
        case 0x05: case 0x85: return s >= v;
        case 0x06: return evt[idx];
        case 0x07: *then = true; return evt[idx];
        case 0x0e: return !evt[idx];
        case 0x0f: *then = *to = true; return !evt[idx];
        default: return false;
        }
    }

    static bool legal_update(uint8_t mode)
    {
        switch (mode & 0x6f) {
        case 1: case 2: case 3: case 4: case 5: case 7: case 9: return true;
        default: return false;
        }
    }

    /* The port that writes this bus access would make: 0 none, else the update mode. */
    static uint8_t bus_mode(const EvtIn &in)
    {
        if (in.paddr & 3)
            return 0;
        switch (in.paddr >> 10) {
        case 0: return in.pwdata & 1 ? 0x11 : 0x12;
        case 5: return 0x19;
        case 6: return 0x15;
        case 7: return 0x17;
        default: return 0;
        }
    }

    EvtOut answer(const EvtIn &in) const
    {
        EvtOut o = EvtOut();
        bool wants[6] = {}, wait_wins[5] = {}, to[5] = {};
        bool ready = walk == 0, access = in.psel && in.penable && ready;
        bool held = records.size() == EVT_FIFO_DEPTH && in.backpressure;

        for (int e = 0; e < 5; e++) {
            bool then, now = predicate(in, e, &then, &to[e]);
            bool upd = in.upd_req[e] && legal_update(in.upd_mode[e]);
            if (ready && in.wait_req[e] && now && !then)
                o.wait_pass |= (uint8_t)(1 << e);
            wait_wins[e] = in.wait_req[e] && now && then && !upd;
            wants[(e + 1) % 5] = ready && !held && (upd || wait_wins[e]);
        }
        wants[5] = access && in.pwrite && bus_mode(in);
        int port = -1;
        for (int k = 1; k <= 6 && port < 0; k++)
            if (wants[(last + k) % 6])
                port = (last + k) % 6;

        if (port >= 0) {
            EvtCommit &c = o.commit;
            c.valid = true;
            c.source = port == 5 ? BUS : (uint8_t)((port + 4) % 5);
            if (port == 5) {
                c.mode = bus_mode(in), c.idx = (uint8_t)(in.paddr >> 2), c.value = in.pwdata;
            } else if (wait_wins[c.source]) {
                c.by_wait = true;
                c.mode = to[c.source] ? EVT_WAIT_SET : EVT_WAIT_CLEAR, c.idx = in.wait_idx[c.source];
                o.wait_pass |= (uint8_t)(1 << c.source);
            } else {
                c.mode = in.upd_mode[c.source], c.idx = in.upd_idx[c.source], c.value = in.upd_val[c.source];
                o.upd_ack |= (uint8_t)(1 << c.source);
            }
            effect(c);
        }
        o.pready = access && (!wants[5] || port == 5);
        if (access && !in.pwrite && !(in.paddr & 3)) {
            if (in.paddr >> 10 == 0)
                o.prdata = evt[in.paddr >> 2 & 255];
            if (in.paddr >> 10 == 4)
                o.prdata = sem[in.paddr >> 2 & 255];
        }
        o.nq_valid = !records.empty();
        if (o.nq_valid)
            o.nq = records.front();
        o.err_valid = !errors.empty();
        if (o.err_valid)
            o.err = errors.front();
        return o;
    }

    void step(const EvtIn &in, const EvtOut &o)
    {
        const EvtCommit &c = o.commit;
        bool records_full = records.size() == EVT_FIFO_DEPTH, errors_full = errors.size() == EVT_ERR_DEPTH;
        if (o.nq_valid && in.nq_ready)
            records.pop_front();
        if (o.err_valid && in.err_ready)
            errors.pop_front();
        if (walk)
            walk--;
        if (!c.valid)
            return;
        bool twice = !c.is_sem && evt[c.idx] == (c.now != 0);
        last = c.source == BUS ? 5 : (c.source + 1) % 5;
        if (c.is_sem)
            sem[c.idx] = c.now;
        else
            evt[c.idx] = c.now != 0;
        if (in.notify && (!c.is_sem || c.now <= in.low || c.now >= in.high)) {
            EvtRecord r = { (uint8_t)(c.source == BUS ? 0x1b : 0x07 + 4 * c.source),
                            c.idx | (uint32_t)c.is_sem << 8 | (uint32_t)twice << 9 | (uint32_t)c.mode << 16, c.now,
                            record_lost };
            if (!records_full)
                records.push_back(r);
            record_lost = records_full;
        }
        if (c.error != NO_ERROR) {
            if (!errors_full)
                errors.push_back({ c.error, c.idx, 0, error_lost });
            error_lost = errors_full;
        }
    }

private:
    int walk, last;
    std::deque<EvtRecord> records, errors;
    bool record_lost, error_lost;

    void effect(EvtCommit &c) const
    {
        int64_t s = (int32_t)sem[c.idx], v = (int32_t)c.value, r = 0;
        c.is_sem = true;
        c.error = NO_ERROR;
        switch (c.mode & 0x6f) {
        case 1: c.is_sem = false; r = 1; break;
        case 2: c.is_sem = false; r = 0; break;
        case 3: r = s + 1; break;
        case 4: r = s - 1; break;
        case 5: r = s + v; break;
        case 7: r = s - v; break;
        default: r = v; break;
        }
        c.now = (uint32_t)r;
        if (c.is_sem && r != (int32_t)r)
            c.error = NERR_SEMAPHORE_ERROR;
        if (!c.is_sem && evt[c.idx] == (r != 0) && c.source != BUS)
            c.error = NERR_EVENT_ERROR;
    }
};
#endif
