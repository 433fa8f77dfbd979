/* See seq_dut.h. */
#include "seq_dut.h"

#include <cstring>

#include "svdpi.h"

static Dut *current;

extern "C" void neffsim_ev(int kind, int unit, int queue, int, int code, int index, int value, long long addr,
                           long long data)
{
    current->event(kind, unit, queue, code, index, value, uint64_t(addr), uint64_t(data));
}
extern "C" void neffsim_ev_words(int kind, int unit, int, int, int, int, int, long long addr, long long,
                                 int nwords, const svBitVecVal *w)
{
    TB_EQUAL(unit, ENGINE);
    TB_EQUAL(nwords, 16);
    current->event_words(kind, uint64_t(addr), w);
}

void Dut::event(int kind, int unit, int queue, int code, int index, int value, uint64_t addr, uint64_t data)
{
    if (unit != ENGINE)
        TB_EQUAL(unit, ENGINE);
    if (kind == EV_SEQ_WRESP) {
        wresps++;
        return;
    }
    switch (kind) {
    case EV_SEQ_PASS:
        log.push_back({ kind, uint64_t(queue), uint64_t(code), uint64_t(index), uint32_t(value) });
        break;
    case EV_SEQ_READ:
        log.push_back({ kind, addr, data, uint64_t(code), 0 });
        break;
    case EV_SEQ_REG:
        log.push_back({ kind, uint64_t(index), uint32_t(value), 0, 0 });
        break;
    case EV_SEQ_WRITE:
        log.push_back({ kind, addr, data, uint64_t(value), 0 });
        break;
    case EV_SEQ_RETIRE:
        log.push_back({ kind, addr, data, 0, 0 });
        break;
    case EV_SEQ_STATE:
        log.push_back({ kind, uint64_t(code), addr, uint64_t(index), uint32_t(value) });
        state = code;
        break;
    default:
        TB_CHECK(!"event kind the sequencer has no business with");
    }
}

void Dut::event_words(int kind, uint64_t addr, const uint32_t *w)
{
    TB_EQUAL(kind, EV_SEQ_ISSUE);
    for (unsigned i = 0; i < 16; i++)
        if (w[i] != uint32_t(mem.get(addr + 4 * i, 4)))
            TB_EQUAL(w[i], mem.get(addr + 4 * i, 4));
    log.push_back({ kind, addr, w[0] & 0xff, 0, 0 });
}

std::string log_text(const Log &e)
{
    static const std::map<int, const char *> names = {
        { EV_SEQ_ISSUE, "ISSUE pc,op" },           { EV_SEQ_PASS, "PASS lane,mode,idx,val" },
        { EV_SEQ_READ, "READ addr,data,resp" },    { EV_SEQ_REG, "REG r,value" },
        { EV_SEQ_WRITE, "WRITE addr,data,bytes" }, { EV_SEQ_RETIRE, "RETIRE pc,next" },
        { EV_SEQ_STATE, "STATE s,pc,reason,err" }, { LOG_REC, "REC type,w0,w1,queue" },
        { LOG_UPD, "UPD mode,idx,val" },           { LOG_FLT, "FLT w0,w1" }
    };
    char buf[160];
    auto it = names.find(e.kind);
    std::snprintf(buf, sizeof buf, "%s %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64,
                  it == names.end() ? "?" : it->second, e.a, e.b, e.c, e.d);
    return buf;
}

bool Sync::holds(uint8_t mode, uint8_t idx, uint32_t value) const
{
    int32_t s = int32_t(sem[idx]), v = int32_t(value);
    switch (mode) {
    case 1:
        return s == v;
    case 2:
        return s < v;
    case 3:
        return s <= v;
    case 4:
        return s > v;
    case 5:
        return s >= v;
    case 6:
    case 7:
        return evt[idx];
    case 0xe:
    case 0xf:
        return !evt[idx];
    default:
        return false;
    }
}

void Sync::side_effect(uint8_t mode, uint8_t idx)
{
    if (mode == 7)
        evt[idx] = false;
    if (mode == 0xf)
        evt[idx] = true;
}

void Sync::update(uint8_t mode, uint8_t idx, uint32_t value)
{
    switch (mode & 0x6f) { /* without register and COMPLETE bits */
    case 1:
        evt[idx] = true;
        break;
    case 2:
        evt[idx] = false;
        break;
    case 3:
        sem[idx] += 1;
        break;
    case 4:
        sem[idx] -= 1;
        break;
    case 5:
        sem[idx] += value;
        break;
    case 7:
        sem[idx] -= value;
        break;
    case 9:
        sem[idx] = value;
        break;
    default:
        break;
    }
}

void Sync::satisfy(uint8_t mode, uint8_t idx, uint32_t value)
{
    if (mode == 6 || mode == 7)
        evt[idx] = true;
    else if (mode == 0xe || mode == 0xf)
        evt[idx] = false;
    else if (mode == 2)
        sem[idx] = value == 0x80000000u ? value : value - 1; /* S < INT_MIN cannot be */
    else if (mode == 4)
        sem[idx] = value == 0x7fffffffu ? value : value + 1;
    else
        sem[idx] = value;
}

Dut::Dut(uint64_t seed) : rng(seed ? seed : 1)
{
    current = this;
    top.reset(new Vseq_core);
    reset();
}

Dut::~Dut()
{
    top->final();
    current = nullptr;
}

bool Dut::chance()
{
    return stall_pct == 0 || tb_random(&rng) % 100 >= stall_pct;
}

void Dut::reset()
{
    Vseq_core *t = top.get();
    t->rst_ni = 0;
    t->clk_i = 0;
    t->psel_i = t->penable_i = t->pwrite_i = 0;
    t->paddr_i = 0;
    t->pwdata_i = 0;
    t->pause_req_i = 0;
    t->wait_pass_i = t->upd_ack_i = 0;
    t->m_rvalid_i = t->m_bvalid_i = 0;
    t->m_awready_i = t->m_wready_i = t->m_arready_i = 0;
    for (int i = 0; i < 16; i++) {
        t->clk_i = 0;
        t->eval();
        t->clk_i = 1;
        t->eval();
    }
    t->clk_i = 0;
    t->rst_ni = 1;
    reads.clear();
    aws.clear();
    ws.clear();
    answers.clear();
    r_on = b_on = false;
    state = ESTATE_RESET;
    held_aw = held_w = held_ar = held_rec = held_flt = held_merr = Held();
}

void Dut::drive_memory()
{
    Vseq_core *t = top.get();
    t->m_awready_i = chance();
    t->m_wready_i = chance();
    t->m_arready_i = chance();
    t->rec_ready_i = !rec_block && chance();
    t->flt_ready_i = !rec_block && chance();
    t->merr_ready_i = !rec_block && chance();
    t->nx_queue_i = nx_queue;
    t->explicit_queue_i = explicit_queue;

    r_on = !reads.empty() && reads.front().due <= clocks && !read_block && chance();
    t->m_rvalid_i = r_on;
    t->m_rid_i = ENGINE;
    uint8_t word[MEM_W / 8];
    for (unsigned i = 0; i < MEM_W / 8; i++)
        word[i] = uint8_t(tb_random(&rng)); /* lanes nobody asked for */
    t->m_rlast_i = 0;
    t->m_rresp_i = 0;
    if (r_on) {
        Read &r = reads.front();
        uint64_t addr = r.addr + uint64_t(r.beat) * (1u << r.size);
        for (unsigned i = 0; i < (1u << r.size); i++)
            word[(addr + i) % (MEM_W / 8)] = mem.at(addr + i);
        t->m_rlast_i = r.beat + 1 == r.beats;
        t->m_rresp_i = bad_lo <= bad_hi && addr + (1u << r.size) > bad_lo && addr <= bad_hi ? 2 : 0;
    }
    std::memcpy(&t->m_rdata_i, word, sizeof word);
    b_on = !answers.empty() && answers.front().due <= clocks && !resp_block && chance();
    t->m_bvalid_i = b_on;
    t->m_bid_i = ENGINE;
    t->m_bresp_i = b_on ? answers.front().resp : 0;
}

void Dut::stable(Held &h, bool valid, bool ready, std::vector<uint64_t> payload, const char *what)
{
    if (h.valid && !(valid && payload == h.payload))
        tb_check_at(false, what, __FILE__, __LINE__);
    h.valid = valid && !ready;
    h.payload = std::move(payload);
}

void Dut::monitor()
{
    Vseq_core *t = top.get();
    uint64_t w0;
    std::memcpy(&w0, &t->m_wdata_o, 8);
    stable(held_aw, t->m_awvalid_o, t->m_awready_i, { t->m_awaddr_o, t->m_awsize_o, t->m_awlen_o },
           "aw stable while waiting");
    stable(held_w, t->m_wvalid_o, t->m_wready_i, { w0, t->m_wlast_o }, "w stable while waiting");
    stable(held_ar, t->m_arvalid_o, t->m_arready_i,
           { t->m_araddr_o, t->m_arsize_o, t->m_arlen_o, t->m_arprot_o }, "ar stable while waiting");
    stable(held_rec, t->rec_valid_o, t->rec_ready_i,
           { t->rec_type_o, t->rec_body0_o, t->rec_body1_o, t->rec_queue_o }, "record stable while waiting");
    stable(held_flt, t->flt_valid_o, t->flt_ready_i, { t->flt_body0_o, t->flt_body1_o },
           "fault record stable while waiting");
    stable(held_merr, t->merr_valid_o, t->merr_ready_i, { t->merr_body1_o },
           "memory error stable while waiting");
    if (!t->m_rready_o || !t->m_bready_o)
        TB_CHECK(!"responses are always accepted");
}

void Dut::take_handshakes()
{
    Vseq_core *t = top.get();
    auto due = [&] { return unsigned(clocks + 1 + tb_random(&rng) % latency_max); };
    if (t->m_arvalid_o && t->m_arready_i) {
        Read r = { t->m_araddr_o, t->m_arlen_o + 1u, t->m_arsize_o, 0, due(), t->m_arprot_o == PROT_FETCH };
        unsigned bytes = r.beats << r.size;
        if (t->m_arid_o != ENGINE || t->m_arburst_o != 1 || r.addr / 4096 != (r.addr + bytes - 1) / 4096 ||
            r.addr % (1u << r.size))
            TB_CHECK(!"read burst is legal");
        if (r.fill) {
            TB_EQUAL(bytes, FETCH_BLOCK_BYTES);
            fills.push_back(r.addr);
        } else {
            TB_EQUAL(r.beats, 1);
            TB_EQUAL(t->m_arprot_o, PROT_DATA);
        }
        reads.push_back(r);
    }
    if (t->m_awvalid_o && t->m_awready_i) {
        if (t->m_awid_o != ENGINE || t->m_awlen_o != 0 || t->m_awprot_o != PROT_DATA ||
            t->m_awaddr_o % (1u << t->m_awsize_o))
            TB_CHECK(!"write burst is legal");
        aws.push_back({ t->m_awaddr_o, t->m_awsize_o });
    }
    if (t->m_wvalid_o && t->m_wready_i) {
        std::vector<uint8_t> data(MEM_W / 8);
        std::vector<bool> strb(MEM_W / 8);
        std::memcpy(data.data(), &t->m_wdata_o, data.size());
        for (unsigned i = 0; i < strb.size(); i++)
            strb[i] = uint64_t(t->m_wstrb_o) >> i & 1;
        if (!t->m_wlast_o)
            TB_CHECK(!"single-beat write has wlast");
        ws.push_back({ data, strb });
    }
    if (r_on) {
        Read &r = reads.front();
        if (++r.beat == r.beats)
            reads.pop_front();
    }
    if (b_on)
        answers.pop_front();
    while (!aws.empty() && !ws.empty()) {
        auto [addr, size] = aws.front();
        auto &[data, strb] = ws.front();
        bool bad = addr >= bad_lo && addr <= bad_hi;
        uint64_t v = 0;
        for (unsigned i = 0; i < MEM_W / 8; i++) {
            uint64_t lane = i - addr % (MEM_W / 8);
            if (strb[i] != (lane < (1u << size)))
                TB_CHECK(!"strobes are exactly the bytes of the access");
            if (strb[i])
                v |= uint64_t(data[i]) << (8 * lane);
        }
        writes.push_back({ addr, v, 1u << size });
        if (!bad)
            mem.put(addr, v, 1u << size);
        answers.push_back({ due(), bad ? 2u : 0u });
        aws.pop_front();
        ws.pop_front();
    }
    if (t->rec_valid_o && t->rec_ready_i)
        log.push_back({ LOG_REC, t->rec_type_o, t->rec_body0_o, t->rec_body1_o, t->rec_queue_o });
    if (t->flt_valid_o && t->flt_ready_i)
        log.push_back({ LOG_FLT, t->flt_body0_o, t->flt_body1_o, 0, 0 });
    if (t->merr_valid_o && t->merr_ready_i)
        merrs.push_back(t->merr_body1_o);
    if (t->irq_o)
        irqs++;
}

void Dut::tick(unsigned n)
{
    Vseq_core *t = top.get();
    while (n--) {
        drive_memory();
        bool grant = chance(), grant_wait = chance();
        t->wait_pass_i = 0;
        t->upd_ack_i = 0;
        t->clk_i = 0;
        t->eval();
        bool then = t->wait_mode_o == 7 || t->wait_mode_o == 0xf;
        bool hold = t->wait_req_o && sync.holds(t->wait_mode_o, t->wait_idx_o, t->wait_val_o) && !wait_block;
        t->wait_pass_i = hold && (!then || grant_wait);
        t->upd_ack_i = t->upd_req_o && grant && !upd_block;
        t->eval();
        monitor();
        bool pass = t->wait_pass_i, ack = t->upd_ack_i;
        if (t->wait_req_o && t->upd_req_o)
            TB_CHECK(!"never a wait and an update at once");
        uint8_t wm = t->wait_mode_o, wi = t->wait_idx_o, um = t->upd_mode_o, ui = t->upd_idx_o;
        uint32_t uv = t->upd_val_o;
        bool blocked = t->wait_req_o && !hold;
        if (ack)
            log.push_back({ LOG_UPD, um, ui, uv, 0 });
        take_handshakes();
        t->clk_i = 1;
        t->eval();
        clocks++;
        if (pass)
            sync.side_effect(wm, wi);
        if (ack)
            sync.update(um, ui, uv);
        if (blocked && on_wait)
            on_wait();
    }
}

bool Dut::run_until(const std::function<bool()> &done, unsigned limit)
{
    for (unsigned i = 0; i < limit; i++) {
        if (done())
            return true;
        tick();
    }
    return done();
}

void Dut::lreg_write(uint32_t off, uint32_t value)
{
    Vseq_core *t = top.get();
    t->psel_i = t->pwrite_i = 1;
    t->penable_i = 0;
    t->paddr_i = uint16_t(off);
    t->pwdata_i = value;
    tick();
    t->penable_i = 1;
    tick();
    TB_CHECK(t->pready_o && !t->pslverr_o);
    t->psel_i = t->penable_i = t->pwrite_i = 0;
}

uint32_t Dut::lreg_read(uint32_t off)
{
    Vseq_core *t = top.get();
    t->psel_i = 1;
    t->pwrite_i = t->penable_i = 0;
    t->paddr_i = uint16_t(off);
    tick();
    t->penable_i = 1;
    t->eval();
    uint32_t v = t->prdata_o;
    tick();
    t->psel_i = t->penable_i = 0;
    return v;
}

void Dut::start(uint64_t pc, uint64_t lower, uint64_t upper)
{
    lreg_write(LREG_PC_LO_OFF, uint32_t(pc));
    lreg_write(LREG_PC_HI_OFF, uint32_t(pc >> 32));
    lreg_write(LREG_BOUND_LO_LO_OFF, uint32_t(lower));
    lreg_write(LREG_BOUND_LO_HI_OFF, uint32_t(lower >> 32));
    lreg_write(LREG_BOUND_HI_LO_OFF, uint32_t(upper));
    lreg_write(LREG_BOUND_HI_HI_OFF, uint32_t(upper >> 32));
    lreg_write(LREG_RELEASE_RUN_STALL_OFF, 0);
    run_until([&] { return state != ESTATE_RESET; });
    log.clear();
    writes.clear();
    merrs.clear();
    fills.clear();
    lreg_write(LREG_START_CTRL_OFF, 1);
    tick();
}

bool Dut::stopped()
{
    return state == ESTATE_PAUSED || state == ESTATE_HALTED || state == ESTATE_FAULT;
}

uint32_t Dut::wait_stop(unsigned limit)
{
    TB_CHECK(run_until([&] { return stopped(); }, limit));
    return lreg_read(LREG_RUN_STATE_OFF);
}

void Dut::to_idle()
{
    lreg_write(LREG_RELEASE_RUN_STALL_OFF, 1);
    TB_CHECK(run_until([&] { return state == ESTATE_RESET; }));
    lreg_write(LREG_RELEASE_RUN_STALL_OFF, 0);
    TB_CHECK(run_until([&] { return state == ESTATE_IDLE; }));
}
