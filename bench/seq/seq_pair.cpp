/* See seq_pair.h. */
#include "seq_pair.h"

void Pair::load(uint64_t at, const std::vector<Slot> &slots)
{
    for (const Slot &s : slots)
        for (uint8_t byte : s.b)
            dut.mem.at(at) = ref.mem.at(at) = byte, at++;
}

void Pair::data(uint64_t at, uint64_t value, unsigned n)
{
    dut.mem.put(at, value, n);
    ref.mem.put(at, value, n);
}

/* evt_wait_num_cycles is time and not compared here (INST_START, W1[31:16]). */
static Log timeless(Log e)
{
    if (e.kind == LOG_REC && e.a == NTYPE_ENG_BASE + NTYPE_ENG_STRIDE * ENGINE + NKIND_START)
        e.c &= 0xffff;
    return e;
}

static bool same_log(const std::vector<Log> &got, const std::vector<Log> &want)
{
    for (size_t i = 0; i < got.size() || i < want.size(); i++) {
        if (i < got.size() && i < want.size() && timeless(got[i]) == want[i])
            continue;
        for (size_t j = i < 6 ? 0 : i - 6; j < i; j++)
            std::printf("       %s\n", log_text(got[j]).c_str());
        std::printf("  got  %s\n  want %s\n", i < got.size() ? log_text(got[i]).c_str() : "nothing",
                    i < want.size() ? log_text(want[i]).c_str() : "nothing");
        return false;
    }
    return true;
}

bool Pair::run(uint64_t pc, uint64_t lower, uint64_t upper, uint64_t max_slots)
{
    ref.log.clear();
    ref.writes.clear();
    ref.merrs.clear();
    ref.fixes.clear();
    ref.issued = 0;
    ref.stuck = false;
    ref.bad_lo = dut.bad_lo;
    ref.bad_hi = dut.bad_hi;
    ref.sync = dut.sync;
    ref.start(pc, lower, upper);
    ref.run(max_slots);

    size_t next = 0;
    unsigned blocked = 0;
    dut.on_wait = [&] {
        if (next < ref.fixes.size() && ++blocked % 7 == 0) {
            const Fix &f = ref.fixes[next++];
            if (dut.top->wait_idx_o != f.idx || dut.top->wait_mode_o != f.mode ||
                dut.top->wait_val_o != f.value)
                tb_check_at(false, "the wait that stalls is the one the reference stalled at", __FILE__,
                            __LINE__);
            dut.sync.satisfy(f.mode, f.idx, f.value);
        }
    };
    dut.start(pc, lower, upper);
    bool endless = ref.state == ESTATE_RUNNING;
    bool ok = dut.run_until([&] { return dut.stopped() || (endless && dut.log.size() >= ref.log.size()); },
                            unsigned(20000 + 400 * max_slots));
    if (endless && !ref.stuck && dut.log.size() > ref.log.size())
        dut.log.resize(ref.log.size());
    if (ref.stuck && ref.breakable) { /* as the host stops an engine that waits for ever */
        dut.tick(20);
        dut.lreg_write(LREG_INSTR_HALT_CTRL_OFF, 1);
        ok = dut.run_until([&] { return dut.stopped(); }) && ok;
        ref.state = ESTATE_HALTED;
        ref.resume = ref.pc;
        ref.halt_reason = HALT_EXT_BREAK;
        ref.log.push_back({ EV_SEQ_STATE, ESTATE_HALTED, ref.pc, HALT_EXT_BREAK, 0 });
    } else if (endless) {
        bool same = same_log(dut.log, ref.log);
        dut.on_wait = nullptr;
        dut.to_idle();
        return same && ok;
    }
    dut.tick(dut.latency_max + 40);
    dut.on_wait = nullptr;
    if (!ok)
        std::printf("  the sequencer did not stop\n");
    ok = same_log(dut.log, ref.log) && ok;
    if (dut.writes != ref.writes || dut.merrs.size() != ref.merrs.size()) {
        std::printf("  bus writes %zu, reference %zu; memory errors %zu, reference %zu\n", dut.writes.size(),
                    ref.writes.size(), dut.merrs.size(), ref.merrs.size());
        ok = false;
    }
    for (unsigned i = 0; i < 256; i++)
        if (dut.sync.sem[i] != ref.sync.sem[i] || dut.sync.evt[i] != ref.sync.evt[i]) {
            std::printf("  semaphore or event %u differs\n", i);
            ok = false;
        }
    if (ref.state == ESTATE_FAULT || ref.state == ESTATE_HALTED) {
        uint64_t lr_pc = dut.lreg_read(LREG_PC_LO_OFF) | uint64_t(dut.lreg_read(LREG_PC_HI_OFF)) << 32;
        ok = ok && lr_pc == ref.resume && dut.lreg_read(LREG_HALT_REASON_OFF) == ref.halt_reason;
        if (ref.state == ESTATE_FAULT)
            ok = ok && dut.lreg_read(LREG_ERROR_WORD_OFF) == ref.error_word;
    }
    return ok;
}

bool Pair::run(uint64_t at, const std::vector<Slot> &slots)
{
    load(at, slots);
    return run(at, at, at + 64 * slots.size() - 1);
}
