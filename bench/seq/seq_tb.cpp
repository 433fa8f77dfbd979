/*
 * Directed bench of the sequencer: run protocol, every instruction, fault and wait/update mode, breaks,
 * bounds, bus errors, ordering and the worked examples of tpb-image.md §7; then the random work of
 * seq_random.cpp. Arguments: [seed [programs]].
 */
#include <algorithm>
#include <cstring>

#include "seq_pair.h"

static const uint64_t AT = 0x100000, DATA = 0x40000000;
static const int TYPE0 = 4 + 4 * ENGINE;

/* Runs slots alone on a fresh DUT; ends with HALT unless `open`. Returns the pair for a look at the
 * reference. */
static void check(const char *name, std::vector<Slot> slots, bool open = false,
                  void (*tune)(Dut &, Pair &) = nullptr)
{
    tb_case(name);
    if (!open)
        slots.push_back(halt());
    for (unsigned slow = 0; slow < 2; slow++) {
        Dut dut(77 + slow);
        dut.stall_pct = slow ? 40 : 0;
        dut.latency_max = slow ? 25 : 1;
        Pair pair(dut);
        for (unsigned i = 0; i < 256; i += 4)
            pair.data(DATA + i, 0x9e3779b9u * (i + 1), 4);
        if (tune)
            tune(dut, pair);
        TB_CHECK(pair.run(AT, slots));
    }
}

/* Long enough for a few line fills on the narrowest port. */
static const unsigned LONG = 200 + 4 * 2048 / (MEM_W / 8);

static uint32_t error_word(int code, uint64_t slot, int info)
{
    static const uint32_t block[5] = { 2, 1, 3, 6, 4 };
    return uint32_t(code) | block[ENGINE] << 8 | uint32_t(slot & 0xfff) << 12 | uint32_t(info) << 24;
}

/* The slots end in a fault at slot `where`: state, record and registers, without the reference. */
static void check_fault(const char *name, std::vector<Slot> slots, uint64_t where, int code, int info)
{
    check(name, slots, true);
    Dut dut(5);
    Pair pair(dut);
    pair.load(AT, slots);
    dut.start(AT, AT, AT + 64 * slots.size() - 1);
    TB_EQUAL(dut.wait_stop(), RUN_MARKER);
    TB_EQUAL(dut.state, ESTATE_FAULT);
    uint32_t w = error_word(code, where, info);
    TB_EQUAL(dut.lreg_read(LREG_ERROR_WORD_OFF), w);
    TB_EQUAL(dut.lreg_read(LREG_HALT_REASON_OFF), 16);
    TB_EQUAL(dut.lreg_read(LREG_PC_LO_OFF), AT + 64 * where);
    const Log &flt = dut.log[dut.log.size() - 2];
    TB_EQUAL(flt.kind, LOG_FLT);
    TB_EQUAL(flt.a, uint64_t(code) << 8 | 0x0a);
    TB_EQUAL(flt.b, (w >> 8 & 0xf) | (where & 0xfff) << 4 | uint64_t(info) << 16);
    /* a start does not revive it, a reset does */
    dut.lreg_write(LREG_START_CTRL_OFF, 1);
    dut.tick(50);
    TB_EQUAL(dut.state, ESTATE_FAULT);
    dut.to_idle();
}

static void registers()
{
    tb_case("local_reg_resets_and_access_rules");
    Dut dut(1);
    TB_EQUAL(dut.lreg_read(LREG_RELEASE_RUN_STALL_OFF), 1);
    TB_EQUAL(dut.lreg_read(LREG_START_CTRL_OFF), 0);
    TB_EQUAL(dut.lreg_read(LREG_RUN_STATE_OFF), 0);
    TB_EQUAL(dut.lreg_read(LREG_MODE_OFF), 0x7ffc);
    for (uint32_t n = 0; n < 60; n++) {
        TB_EQUAL(dut.lreg_read(0x1000 + 0x20 * n), 0);
        dut.lreg_write(0x1000 + 0x20 * n, 0xa5000000u + n);
    }
    for (uint32_t n = 0; n < 60; n++)
        TB_EQUAL(dut.lreg_read(0x1000 + 0x20 * n), 0xa5000000u + n);
    for (uint32_t off : { 0x1000u + 0x20 * 60, 0x1004u, 0x0cu, 0x3000u, 0xfffcu }) {
        dut.lreg_write(off, 0xffffffff);
        TB_EQUAL(dut.lreg_read(off), 0);
    }
    dut.lreg_write(LREG_RUN_STATE_OFF, 5);
    TB_EQUAL(dut.lreg_read(LREG_RUN_STATE_OFF), 0);
    dut.lreg_write(LREG_INTR_CTRL_OFF, 0xffffffff);
    TB_EQUAL(dut.lreg_read(LREG_INTR_CTRL_OFF), 0xf);
    dut.lreg_write(LREG_RELEASE_RUN_STALL_OFF, 0xfffffffe);
    TB_EQUAL(dut.lreg_read(LREG_RELEASE_RUN_STALL_OFF), 0);
}

static void run_protocol()
{
    tb_case("start_is_acknowledged_and_halt_saves_the_next_pc");
    Dut dut(2);
    Pair pair(dut);
    pair.load(AT, { nop(), halt(), notify(2), halt() });
    dut.lreg_write(LREG_START_CTRL_OFF, 8); /* any non-zero value; waits for the release */
    dut.tick(200);
    TB_EQUAL(dut.state, ESTATE_RESET);
    TB_EQUAL(dut.lreg_read(LREG_START_CTRL_OFF), 1);
    dut.lreg_write(LREG_PC_LO_OFF, AT);
    dut.lreg_write(LREG_RELEASE_RUN_STALL_OFF, 0);
    TB_EQUAL(dut.wait_stop(), RUN_MARKER);
    TB_EQUAL(dut.lreg_read(LREG_START_CTRL_OFF), 0);
    TB_EQUAL(dut.lreg_read(LREG_HALT_REASON_OFF), 0);
    TB_EQUAL(dut.lreg_read(LREG_PC_LO_OFF), AT + 128);

    tb_case("halted_engine_goes_on_at_the_saved_pc");
    dut.log.clear();
    dut.lreg_write(LREG_START_CTRL_OFF, 1);
    dut.tick(2);
    TB_EQUAL(dut.lreg_read(LREG_RUN_STATE_OFF), RUN_RUNNING);
    dut.wait_stop();
    TB_EQUAL(dut.log[1].a, AT + 128);

    tb_case("start_written_while_running_takes_effect_at_the_next_stop");
    pair.load(AT, { Slot(0xa4).wait(6, 1, 0), halt(), nop(), halt() });
    dut.start(AT, AT, AT + 255);
    dut.tick(100);
    dut.lreg_write(LREG_START_CTRL_OFF, 1);
    TB_EQUAL(dut.lreg_read(LREG_START_CTRL_OFF), 1);
    dut.sync.evt[1] = true;
    TB_CHECK(dut.run_until([&] { return dut.stopped() && dut.log.back().b == AT + 256; }));
    TB_EQUAL(dut.lreg_read(LREG_START_CTRL_OFF), 0);

    tb_case("pause_keeps_the_pc_and_fences");
    dut.to_idle();
    dut.sync.evt[1] = false;
    pair.load(AT, { write_to(DATA, 1), halt(), nop(), halt() });
    dut.resp_block = true;
    dut.top->pause_req_i = 1;
    dut.start(AT, AT, AT + 255);
    dut.tick(LONG);
    TB_EQUAL(dut.state, ESTATE_RUNNING);
    dut.resp_block = false;
    TB_EQUAL(dut.wait_stop(), RUN_PAUSED);
    TB_EQUAL(dut.wresps, 1);
    dut.lreg_write(LREG_PC_LO_OFF, 0x555); /* not looked at */
    dut.top->pause_req_i = 0;
    dut.log.clear();
    dut.lreg_write(LREG_START_CTRL_OFF, 1);
    dut.tick(5);
    TB_EQUAL(dut.wait_stop(), RUN_MARKER);
    TB_EQUAL(dut.log[0].b, AT + 128);

    tb_case("restart_sees_a_new_image_at_the_old_address");
    pair.load(AT, { notify(1), halt() });
    dut.start(AT, AT, AT + 127);
    dut.wait_stop();
    pair.load(AT, { notify(4), halt() });
    dut.start(AT, AT, AT + 127);
    dut.wait_stop();
    TB_EQUAL(dut.log[2].kind, LOG_REC);
    TB_EQUAL(dut.log[2].b, 0x400000);

    tb_case("sp8_mode_is_a_bad_opcode_fault_at_start");
    dut.to_idle();
    dut.lreg_write(LREG_SP_MODE_OFF, 1);
    dut.start(AT, AT, AT + 127);
    TB_EQUAL(dut.wait_stop(), RUN_MARKER);
    TB_EQUAL(dut.state, ENGINE == ENG_SP ? ESTATE_FAULT : ESTATE_HALTED);
    if (ENGINE == ENG_SP)
        TB_EQUAL(dut.lreg_read(LREG_ERROR_WORD_OFF), error_word(0, 0, 0));
}

static void breaks()
{
    tb_case("break_ends_a_false_wait_and_resume_issues_the_slot_again");
    Dut dut(3);
    Pair pair(dut);
    pair.load(AT, { nop(), Slot(0xa0).put(0x20, { 5, 240, 0x14, 240, 1, 0, 0, 0, 1 }), notify(2), halt() });
    dut.start(AT, AT, AT + 255);
    dut.tick(LONG);
    TB_EQUAL(dut.state, ESTATE_RUNNING);
    dut.lreg_write(LREG_INSTR_HALT_CTRL_OFF, 1);
    TB_EQUAL(dut.wait_stop(10), RUN_MARKER);
    TB_EQUAL(dut.lreg_read(LREG_INSTR_HALT_CTRL_OFF), 0);
    TB_EQUAL(dut.lreg_read(LREG_HALT_REASON_OFF), 8);
    TB_EQUAL(dut.lreg_read(LREG_PC_LO_OFF), AT + 64);
    TB_EQUAL(dut.log.back().kind, EV_SEQ_STATE);
    TB_EQUAL(dut.log[dut.log.size() - 2].kind, EV_SEQ_ISSUE);
    TB_EQUAL(dut.top->wait_req_o, 0);
    dut.sync.sem[240] = 1;
    dut.log.clear();
    dut.lreg_write(LREG_START_CTRL_OFF, 1);
    dut.tick();
    dut.wait_stop();
    TB_EQUAL(dut.log[1].kind, EV_SEQ_ISSUE);
    TB_EQUAL(dut.log[1].a, AT + 64);
    TB_EQUAL(dut.sync.sem[240], 0);

    tb_case("break_between_instructions_of_an_endless_loop");
    pair.load(AT, { nop(), branch(-64) });
    dut.start(AT, AT, AT + 127);
    dut.tick(LONG);
    dut.lreg_write(LREG_INSTR_HALT_CTRL_OFF, 1);
    TB_EQUAL(dut.wait_stop(20), RUN_MARKER);
    TB_EQUAL(dut.log[dut.log.size() - 2].kind, EV_SEQ_RETIRE);

    tb_case("break_before_start_stops_at_the_first_slot");
    dut.lreg_write(LREG_INSTR_HALT_CTRL_OFF, 1);
    dut.start(AT, AT, AT + 127);
    TB_EQUAL(dut.wait_stop(20), RUN_MARKER);
    TB_EQUAL(dut.log.size(), 2);
    TB_EQUAL(dut.lreg_read(LREG_PC_LO_OFF), AT);

    tb_case("second_wait_is_breakable_only_without_side_effect");
    for (int mode : { 6, 7 }) {
        pair.load(AT, { Slot(0xa0).wait(mode, 9, 0).put(0x20, { 6, 10 }), halt() });
        dut.sync.evt[9] = true;
        dut.sync.evt[10] = false;
        dut.start(AT, AT, AT + 127);
        dut.tick(LONG);
        dut.lreg_write(LREG_INSTR_HALT_CTRL_OFF, 1);
        dut.tick(50);
        TB_EQUAL(dut.stopped(), mode == 6);
        TB_EQUAL(dut.sync.evt[9], mode == 6);
        dut.sync.evt[10] = true;
        dut.wait_stop();
        /* mode 7: the slot is completed, then the break is taken before HALT */
        TB_EQUAL(dut.lreg_read(LREG_PC_LO_OFF), mode == 6 ? AT : AT + 64);
    }

    tb_case("withdrawn_break_request_is_an_assertion_fault");
    pair.load(AT, { Slot(0xa4).wait(6, 11, 0).update(1, 12), nop(), halt() });
    dut.upd_block = true;
    dut.sync.evt[11] = true;
    dut.start(AT, AT, AT + 191);
    dut.tick(LONG); /* not interruptible in the update */
    dut.lreg_write(LREG_INSTR_HALT_CTRL_OFF, 1);
    dut.lreg_write(LREG_INSTR_HALT_CTRL_OFF, 0);
    TB_EQUAL(dut.state, ESTATE_RUNNING);
    dut.upd_block = false;
    TB_EQUAL(dut.wait_stop(), RUN_MARKER);
    TB_EQUAL(dut.state, ESTATE_FAULT);
    TB_EQUAL(dut.lreg_read(LREG_ERROR_WORD_OFF), error_word(0, 1, 0));
    dut.to_idle();
}

static void fetches()
{
    tb_case("pc_outside_the_bounds_faults_50_aux_0");
    Dut dut(4);
    Pair pair(dut);
    pair.load(AT, { nop(), nop() });
    TB_CHECK(pair.run(AT, AT, AT + 127));
    TB_EQUAL(pair.ref.error_word, error_word(0x50, 2, 0));
    dut.to_idle();
    {
        Pair below(dut);
        below.load(AT - 64, { nop(), nop() });
        TB_CHECK(below.run(AT - 64, AT, AT + 127));
        dut.to_idle();
        Pair far(dut);
        far.load(AT, { branch(0x10000) });
        TB_CHECK(far.run(AT, AT, AT + 63));
        dut.to_idle();
    }

    tb_case("upper_bound_is_inclusive");
    {
        Pair last(dut);
        last.load(AT, { nop(), halt() });
        TB_CHECK(last.run(AT, AT, AT + 64));
        TB_EQUAL(dut.state, ESTATE_HALTED);
    }

    tb_case("bounds_all_zero_are_disabled_and_image_base_is_0");
    {
        Pair open(dut);
        open.load(AT, { notify(2), halt() });
        TB_CHECK(open.run(AT, 0, 0));
        TB_EQUAL(dut.log[2].b, 0x200000 | AT / 64);
    }

    tb_case("misaligned_pc_is_an_illegal_instruction");
    {
        Pair odd(dut);
        odd.load(AT, { move_imm({ { 1, 100 } }), Slot(0xa9).put(14, { 4 }).put(34, { 1 }), nop(), nop() });
        TB_CHECK(odd.run(AT, AT, AT + 255));
        TB_EQUAL(odd.ref.error_word, error_word(0, 2, 0));
        dut.to_idle();
    }

    tb_case("fetch_bus_error_faults_only_when_a_slot_of_the_line_executes");
    std::vector<Slot> two_lines(33, nop());
    two_lines[0] = notify(1);
    two_lines[31] = halt();
    for (unsigned stop = 0; stop < 2; stop++) {
        Pair bad(dut);
        if (stop)
            two_lines[31] = nop();
        bad.load(AT, two_lines);
        dut.bad_lo = dut.bad_hi = AT + 2048 + 100;
        TB_CHECK(bad.run(AT, AT, AT + 33 * 64 - 1));
        TB_EQUAL(dut.state, stop ? ESTATE_FAULT : ESTATE_HALTED);
        TB_EQUAL(dut.fills.size(), 2);
        if (stop)
            TB_EQUAL(dut.lreg_read(LREG_ERROR_WORD_OFF), error_word(0x50, 32, 1));
        dut.to_idle();
    }
    dut.bad_lo = 1, dut.bad_hi = 0;

    tb_case("next_line_is_prefetched_but_not_past_the_bounds");
    {
        Pair three(dut);
        std::vector<Slot> s(3 * 32, nop());
        s.back() = halt();
        TB_CHECK(three.run(AT, s));
        TB_EQUAL(dut.fills.size(), 3);
        dut.to_idle();
        Pair small(dut);
        TB_CHECK(small.run(AT, { nop(), halt() }));
        TB_EQUAL(dut.fills.size(), 1);
    }

    tb_case("flush_fetches_the_line_again_and_sees_stored_code");
    {
        Pair self(dut);
        self.load(AT, { load(1, AT + 64 * 6), store(1, AT + 64 * 5), drain(), Slot(0xa3), nop(), nop(),
                        notify(7), halt() });
        TB_CHECK(self.run(AT, AT, AT + 511));
        TB_EQUAL(dut.log[dut.log.size() - 4].kind, EV_SEQ_RETIRE);
        unsigned recs = 0;
        for (const Log &e : dut.log)
            recs += e.kind == LOG_REC;
        TB_EQUAL(recs, 2);
    }

    tb_case("flush_drops_a_fill_that_is_in_flight");
    {
        Pair dropped(dut);
        std::vector<Slot> s(40, nop());
        s[0] = Slot(0xa4).wait(6, 21, 0);
        s[1] = Slot(0xa3);
        s.back() = halt();
        dropped.load(AT, s);
        dut.sync.evt[21] = false;
        dut.start(AT, AT, AT + 64 * s.size() - 1);
        TB_CHECK(dut.run_until([&] { return dut.fills.size() == 2; }));
        dut.read_block = true;
        dut.tick(20);
        dut.sync.evt[21] = true;
        dut.tick(40);
        dut.read_block = false;
        dut.wait_stop();
        TB_EQUAL(dut.fills.size(), 4); /* both lines again */
    }

    tb_case("branch_hint_fills_the_target_early");
    for (int taken = 1; taken >= 0; taken--) {
        Pair hinted(dut);
        std::vector<Slot> s(9 * 32, nop());
        s[0] = Slot(0xb5).put(12, { !taken, 0, 3 }).u64(40, 64 * 30).u64(48, 64 * 255);
        s[1] = Slot(0xa4).wait(6, 20, 0); /* time for the fills */
        s[30] = branch(64 * (255 - 30));
        s[255] = halt();
        dut.sync.evt[20] = false;
        hinted.load(AT, s);
        dut.start(AT, AT, AT + 64 * s.size() - 1);
        dut.tick(LONG);
        TB_EQUAL(dut.fills.size(), taken ? 3 : 2);
        if (taken)
            TB_EQUAL(dut.fills[2], (AT + 64 * 255) & ~uint64_t(2047));
        dut.sync.evt[20] = true;
        dut.wait_stop();
        TB_EQUAL(dut.lreg_read(LREG_PC_LO_OFF), AT + 64 * 256);
    }

    tb_case("plain_slot_takes_at_most_4_clocks_when_resident");
    {
        Pair loop(dut);
        loop.load(AT, { nop(), nop(), nop(), branch(-192) });
        dut.start(AT, AT, AT + 255);
        dut.tick(LONG);
        dut.log.clear();
        uint64_t from = dut.clocks;
        dut.tick(400);
        TB_CHECK(dut.log.size() / 2 * 4 >= dut.clocks - from - 8);
        dut.to_idle();
    }
}

static void memory()
{
    check("write_of_every_size_and_lane", [] {
        std::vector<Slot> s;
        for (int size : { 1, 2, 4, 8 })
            for (uint64_t off = 0; off < 72; off += uint64_t(size))
                s.push_back(write_to(DATA + off, 0x1122334455667788ull + off, size));
        return s;
    }());
    check("load_and_store_of_every_lane", [] {
        std::vector<Slot> s;
        for (int i = 0; i < 20; i++)
            s.push_back(load(i, DATA + 4 * uint64_t(i))),
                s.push_back(store(i, DATA + 0x100 + 4 * uint64_t(19 - i)));
        s.push_back(store(128, DATA + 0x400));
        s.push_back(load(128, DATA)); /* ignored */
        s.push_back(
            Slot(0xaa).put(12, { 10, 0, 1, 1 }).u64(16, DATA).put(23, { 3 }).put(32, { 3 })); /* low marker
                                                                                                 bits */
        return s;
    }());
    check("addresses_from_register_pairs",
          { move_imm({ { 2, uint32_t(DATA) }, { 3, 0 }, { 4, 0x01000000 } }),
            load(5, 0).u64(16, 0x8000000000000302ull), store(5, 0).u64(16, 0x8000000000000402ull),
            write_to(0, 77).u64(16, 0x8000000000000302ull) });

    tb_case("ordering_strong_waits_for_the_response_relaxed_does_not");
    for (int how = 0; how < 3; how++) { /* relaxed, B1, mode register */
        Dut dut(6);
        Pair pair(dut);
        dut.resp_block = true;
        if (how == 2)
            dut.lreg_write(LREG_MODE_OFF, LREG_MODE_ORDERING_MASK);
        pair.load(AT, { Slot(0xb1).put(12, { how == 1 }), write_to(DATA, 1), write_to(DATA + 8, 2),
                        store(1, DATA + 16), halt() });
        dut.start(AT, AT, AT + 319);
        dut.tick(LONG);
        TB_EQUAL(dut.stopped(), how == 0);
        TB_EQUAL(dut.writes.size(), how == 0 ? 3 : 1);
        dut.resp_block = false;
        dut.wait_stop();
        TB_EQUAL(dut.writes.size(), 3);
    }

    tb_case("drain_waits_for_write_responses_and_eight_writes_may_be_open");
    {
        Dut dut(7);
        Pair pair(dut);
        dut.resp_block = true;
        std::vector<Slot> s;
        for (int i = 0; i < 9; i++)
            s.push_back(write_to(DATA + 8 * uint64_t(i), uint64_t(i)));
        s.push_back(drain());
        s.push_back(halt());
        pair.load(AT, s);
        dut.start(AT, AT, AT + 64 * s.size() - 1);
        dut.tick(LONG);
        TB_EQUAL(dut.writes.size(), 8);
        dut.resp_block = false;
        dut.tick(3);
        dut.resp_block = true;
        dut.tick(100);
        TB_EQUAL(dut.writes.size(), 9);
        TB_EQUAL(dut.stopped(), 0);
        TB_EQUAL(dut.log.back().b, 0xa2);
        dut.resp_block = false;
        dut.wait_stop();
        TB_EQUAL(dut.wresps, 9);
    }

    tb_case("error_responses_make_memory_error_records_and_the_engine_goes_on");
    {
        Dut dut(8);
        Pair pair(dut);
        dut.bad_lo = DATA;
        dut.bad_hi = DATA + 0xff;
        dut.rec_block = true;
        std::vector<Slot> s;
        for (int i = 0; i < 4; i++)
            s.push_back(write_to(DATA + 0xf8 + 4 * uint64_t(i), 3));
        s.push_back(drain());
        s.push_back(load(1, DATA + 8));
        s.push_back(store(1, DATA + 12));
        s.push_back(halt());
        pair.data(DATA + 8, 0x1234, 4);
        pair.load(AT, s);
        dut.start(AT, AT, AT + 64 * s.size() - 1);
        TB_EQUAL(dut.wait_stop(), RUN_MARKER);
        TB_EQUAL(dut.merrs.size(), 0);
        dut.rec_block = false;
        dut.tick(100);
        std::vector<uint32_t> want = { 0x400000f8, 0x400000fc, 0x40000008, 0x4000000c };
        std::vector<uint32_t> got = dut.merrs;
        std::sort(got.begin(), got.end());
        std::sort(want.begin(), want.end());
        TB_CHECK(got == want);
        TB_EQUAL(dut.writes.back().data, 0x1234);
    }

    tb_case("every_failed_load_is_reported_while_records_are_not_taken");
    {
        Dut dut(14);
        Pair pair(dut);
        dut.bad_lo = DATA;
        dut.bad_hi = DATA + 0xff;
        dut.rec_block = true;
        pair.load(AT, { load(1, DATA), load(2, DATA + 4), load(3, DATA + 8), load(4, DATA + 12), halt() });
        dut.start(AT, AT, AT + 319);
        dut.tick(LONG);
        dut.rec_block = false;
        dut.wait_stop();
        dut.tick(20);
        TB_CHECK((dut.merrs == std::vector<uint32_t>{ 0x40000000, 0x40000004, 0x40000008, 0x4000000c }));
    }

    tb_case("reset_waits_for_responses_and_offered_records_and_forgets_the_ordering_mode");
    {
        Dut dut(15);
        Pair pair(dut);
        pair.load(AT, { Slot(0xb1).put(12, { 1 }), write_to(DATA, 1), notify(2), halt() });
        for (unsigned how = 0; how < 2; how++) {
            dut.resp_block = how == 0;
            dut.rec_block = how == 1;
            dut.start(AT, AT, AT + 255);
            dut.tick(LONG);
            dut.lreg_write(LREG_RELEASE_RUN_STALL_OFF, 1);
            dut.tick(100);
            TB_EQUAL(dut.state, ESTATE_RUNNING);
            dut.resp_block = dut.rec_block = false;
            TB_CHECK(dut.run_until([&] { return dut.state == ESTATE_RESET; }));
            TB_EQUAL(dut.log[dut.log.size() - 2].kind, how ? (int)LOG_REC : (int)EV_SEQ_WRITE);
        }
        pair.load(AT, { write_to(DATA, 1), write_to(DATA + 8, 2), halt() });
        dut.resp_block = true;
        dut.start(AT, AT, AT + 191);
        TB_EQUAL(dut.wait_stop(), RUN_MARKER); /* relaxed: no response needed */
        dut.resp_block = false;
    }

    check("poll_sem_folds_and_writes_back_n_copies", [] {
        std::vector<Slot> s;
        uint32_t v[6] = { 8, 3, 5, 4, 4, 10 };
        for (unsigned i = 0; i < 6; i++)
            s.push_back(write_to(DATA + 0x80 + 4 * i, v[i]));
        s.push_back(drain());
        for (int n : { 1, 6, 16 })
            s.push_back(Slot(0xb3).put(12, { n, 20, 9 }).u64(16, DATA + 0x80).u64(24, DATA + 0x200));
        s.push_back(Slot(0xb3)
                        .put(12, { 2, 21, 9 })
                        .u64(16, DATA + 0x1000)
                        .u64(24, DATA + 0x200)); /* 0: nothing written */
        return s;
    }());
}

static void faults()
{
    for (int op = 0; op < 256; op++) {
        bool known =
            op == 0x9f || (op >= 0xa0 && op <= 0xab) || op == 0xb0 || op == 0xb1 || op == 0xb3 || op == 0xb5;
        if (!known && (op % 7 == 0 || op >= 0xac || op == 0))
            check_fault("unknown_opcode_is_bad_opcode", { nop(), Slot(op) }, 1, 0, op);
    }
    check_fault("wait_mode_08_is_illegal", { Slot(0xa4).wait(8, 0, 0) }, 0, 0, 0xa4);
    check_fault("illegal_wait_mode_wins_over_an_assertion", { branch_if(7, 9, 1, 0, 64).wait(8, 0, 0) }, 0, 0,
                0xa9);
    check_fault("wait_mode_ff_is_illegal", { Slot(0xa4).wait(0xff, 0, 0) }, 0, 0, 0xa4);
    check_fault("wait_register_64_is_illegal", { Slot(0xa4).wait(0x81, 0, 64) }, 0, 0, 0xa4);
    check_fault("update_mode_06_is_illegal", { Slot(0xa4).update(6, 0) }, 0, 0, 0xa4);
    check_fault("update_register_128_is_illegal", { Slot(0xa4).update(0x99, 0).u32(8, 128) }, 0, 0, 0xa4);
    check_fault("extended_wait_mode_is_checked", { Slot(0xa0).put(0x20, { 0x0d }) }, 0, 0, 0xa0);
    check_fault("extended_update_mode_is_checked", { Slot(0xa0).put(0x22, { 0x10 }) }, 0, 0, 0xa0);
    check("extended_lane_of_other_opcodes_is_reserved", { Slot(0xa4).put(0x20, { 0x0d, 1, 0x10, 1 }) });
    check("reserved_bytes_and_word_length_are_ignored",
          { Slot(0xa4).put(1, { 0x40 }).put(13, { 1, 2, 3 }).u64(40, ~0ull) });
    check_fault("write_of_3_bytes_is_illegal", { write_to(DATA, 0, 3) }, 0, 0, 0xa5);
    check_fault("misaligned_write_is_illegal", { write_to(DATA + 2, 0, 4) }, 0, 0, 0xa5);
    check_fault("misaligned_8_byte_write_is_illegal", { write_to(DATA + 4, 0, 8) }, 0, 0, 0xa5);
    check_fault("address_table_marker_is_illegal", { write_to(DATA, 0).put(23, { 0x20 }) }, 0, 0, 0xa5);
    check_fault("address_register_64_is_illegal", { write_to(0, 0).put(16, { 64, 0 }).put(23, { 0x80 }) }, 0,
                0, 0xa5);
    check_fault("misaligned_load_is_illegal", { load(1, DATA + 1) }, 0, 0, 0xaa);
    check_fault("load_of_two_elements_is_illegal", { load(1, DATA).put(14, { 2 }) }, 0, 0, 0xaa);
    check_fault("load_of_int64_is_illegal", { load(1, DATA).put(12, { 12 }) }, 0, 0, 0xaa);
    check_fault("store_to_psum_is_illegal", { store(1, 0x2802000000) }, 0, 0, 0xab);
    check_fault("store_to_the_end_of_psum_is_illegal", { store(1, 0x28023ffffc) }, 0, 0, 0xab);
    check("store_next_to_psum", { store(1, 0x2802400000), store(1, 0x2801fffffc), load(2, 0x2802000000) });
    check_fault("move_of_9_is_illegal", { move_imm({ { 1, 1 } }).put(12, { 9 }) }, 0, 0, 0xa7);
    check_fault("move_of_0_is_illegal", { move_imm({ { 1, 1 } }).put(12, { 0 }) }, 0, 0, 0xa7);
    check_fault("move_dtype_is_an_assertion", { move_imm({ { 1, 1 } }).put(13, { 7 }) }, 0, 0, 0);
    check_fault("move_source_2_is_illegal", { move_imm({ { 1, 1 } }).put(14, { 2 }) }, 0, 0, 0xa7);
    check_fault("move_same_destination_twice_is_illegal", { move_imm({ { 1, 1 }, { 1, 2 } }) }, 0, 0, 0xa7);
    check_fault("move_destination_as_source_is_illegal", { move_reg({ { 1, 2 }, { 3, 1 } }) }, 0, 0, 0xa7);
    check_fault("move_unused_source_is_illegal", { move_reg({ { 1, 2 } }).put(18, { 1 }) }, 0, 0, 0xa7);
    check_fault("alu_pow_is_illegal", { alu_imm(0x1a, 9, 1, 1, 1) }, 0, 0, 0xa8);
    check_fault("alu_abs_int_ce_is_illegal", { alu_imm(0xce, 8, 1, 1, 1) }, 0, 0, 0xa8);
    check_fault("alu_fp32_is_illegal", { alu_imm(4, 10, 1, 1, 1) }, 0, 0, 0xa8);
    check_fault("integer_alu_of_mixed_types_is_illegal", { alu_imm(0xc4, 8, 1, 1, 1).put(15, { 9 }) }, 0, 0,
                0xa8);
    check("general_alu_may_name_either_result_type",
          { alu_imm(4, 8, 1, 1, 1).put(15, { 9 }), alu_imm(0xc4, 8, 1, 1, 1).put(15, { 8 }) });
    check_fault("alu_source_register_is_checked", { alu_reg(4, 8, 1, 1, 130) }, 0, 0, 0xa8);
    check_fault("divide_by_zero_is_code_2", { nop(), alu_reg(7, 8, 1, 2, 3) }, 1, 2, 0);
    check_fault("remainder_by_zero_is_code_2", { alu_imm(0xdd, 9, 1, 2, 0) }, 0, 2, 0);
    check_fault("cmp_op_7_is_an_assertion", { branch_if(7, 9, 1, 0, 64) }, 0, 0, 0);
    check_fault("cmp_op_15_is_an_assertion", { branch_if(15, 9, 1, 0, 64) }, 0, 0, 0);
    check_fault("target_mode_11_is_an_assertion", { branch(64).put(14, { 11 }) }, 0, 0, 0);
    check_fault("target_mode_2_is_illegal", { branch(64).put(14, { 2 }) }, 0, 0, 0xa9);
    check_fault("compare_of_int64_is_illegal", { branch_if(1, 12, 1, 0, 64) }, 0, 0, 0xa9);
    check_fault("displacement_32_is_illegal", { branch(32) }, 0, 0, 0xa9);
    check_fault("range_first_after_last_is_illegal", { Slot(0xb0).put(12, { 1, 9, 8 }) }, 0, 0, 0xb0);
    check_fault("range_mode_3_is_illegal", { Slot(0xb0).put(12, { 3 }) }, 0, 0, 0xb0);
    check_fault("ordering_mode_2_is_illegal", { Slot(0xb1).put(12, { 2 }) }, 0, 0, 0xb1);
    check_fault("poll_fold_max_is_illegal", { Slot(0xb3).put(12, { 1, 1, 8 }).u64(16, DATA).u64(24, DATA) },
                0, 0, 0xb3);
    check_fault("poll_of_17_is_illegal", { Slot(0xb3).put(12, { 17, 1, 9 }).u64(16, DATA).u64(24, DATA) }, 0,
                0, 0xb3);
    check_fault("poll_misaligned_is_illegal",
                { Slot(0xb3).put(12, { 1, 1, 9 }).u64(16, DATA + 2).u64(24, DATA) }, 0, 0, 0xb3);
    check_fault("hint_decision_2_is_an_assertion", { Slot(0xb5).put(12, { 2, 0, 3 }) }, 0, 0, 0);
    check_fault("hint_mode_1_is_illegal", { Slot(0xb5).put(12, { 0, 0, 1 }) }, 0, 0, 0xb5);

    tb_case("fault_in_slot_4097_reports_the_pc_modulo_4096");
    {
        Dut dut(9);
        Pair pair(dut);
        pair.load(AT, { branch(64 * 4097) });
        pair.load(AT + 64 * 4097, { Slot(0x41) });
        TB_CHECK(pair.run(AT, AT, AT + 64 * 5000 - 1));
        TB_EQUAL(dut.lreg_read(LREG_ERROR_WORD_OFF), error_word(0, 1, 0x41));
    }
}

static void synchronisation()
{
    std::vector<Slot> s = { move_imm({ { 1, 5 }, { 2, 0xfffffff0 }, { 3, 1 } }) };
    for (int w : { 0, 1, 2, 3, 4, 5, 6, 7, 0xe, 0xf, 0xfe })
        s.push_back(Slot(0x9f).wait(w, w, 3));
    for (int w = 0x81; w <= 0x85; w++)
        for (uint32_t r : { 1u, 2u })
            s.push_back(Slot(0xa4).wait(w, w, r));
    check("every_wait_mode", s);
    s = { move_imm({ { 1, 5 }, { 2, 0xfffffff0 }, { 3, 1 } }) };
    for (int u : { 1,    2,    3,    4,    5,    7,    9,    0x11, 0x12, 0x13,
                   0x14, 0x15, 0x17, 0x19, 0x85, 0x87, 0x89, 0x95, 0x97, 0x99 })
        s.push_back(Slot(0xa4).update(u, 30).u32(8, 2)),
            s.push_back(Slot(0xa0).put(0x22, { u, 31 }).u32(0x28, 1));
    check("every_update_mode_in_both_lanes", s);
    check("two_waits_then_two_updates_in_this_order",
          { Slot(0xa0).wait(7, 1, 0).update(0x15, 40).u32(8, 6).put(0x20,
                                                                    { 0x0f, 1, 0x97, 41, 0, 0, 0, 0, 3 }) });
    check("signed_waits", { move_imm({ { 1, 0xffffffff } }), Slot(0xa4).wait(0x84, 50, 1),
                            Slot(0xa4).wait(2, 51, 0xffffffff) });

    tb_case("waited_clocks_are_counted_and_saturate");
    Dut dut(10);
    Pair pair(dut);
    pair.load(
        AT, { Slot(0xa0).trace(3, 5).wait(6, 1, 0).put(0x20, { 6, 2 }), Slot(0xa4).trace(7, 0x26), halt() });
    for (unsigned wait_for : { 37u, 66000u }) {
        dut.sync.evt[1] = dut.sync.evt[2] = false;
        dut.start(AT, AT, AT + 191);
        dut.run_until([&] { return dut.top->wait_req_o != 0; });
        dut.tick(wait_for);
        dut.sync.evt[1] = true;
        dut.tick(1); /* passes lane 0 */
        dut.tick(10);
        dut.sync.evt[2] = true;
        dut.wait_stop();
        std::vector<Log> recs;
        for (const Log &e : dut.log)
            if (e.kind == LOG_REC)
                recs.push_back(e);
        TB_EQUAL(recs.size(), 3);
        TB_EQUAL(recs[0].a, TYPE0);
        TB_EQUAL(recs[0].b, 0x500000);
        TB_EQUAL(recs[0].c >> 16, wait_for > 65535 ? 0xffff : wait_for + 10);
        TB_EQUAL(recs[0].d, dut.nx_queue);
        TB_EQUAL(recs[1].b, 0x600001);
        TB_EQUAL(recs[1].c >> 16, 0);
        TB_EQUAL(recs[2].a, TYPE0 + 1);
        TB_EQUAL(recs[2].c, 0);
    }
}

static void notifications()
{
    check("debug_cmd_table", [] {
        std::vector<Slot> s;
        for (int cmd : { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 0x13, 0x83 })
            for (int op : { 0xa4, 0xa6 })
                s.push_back(Slot(op).trace(cmd, 0xa3).put(14, { 0x34, 0x12 }));
        return s;
    }());
    check("notify_forms", { notify(2), notify(3, 1, 0xabcd), notify(3, 2), notify(4, 3, 0x1234), notify(0x43),
                            notify(1, 0, 0xffff) });

    tb_case("notify_stalls_until_taken_interrupt_pulses_once_and_hint_3_counts_after_the_record");
    Dut dut(11);
    Pair pair(dut);
    pair.load(AT, { notify(3, 3), notify(3, 2), notify(0), halt() });
    dut.rec_block = true;
    dut.start(AT, AT, AT + 255);
    dut.tick(LONG);
    TB_EQUAL(dut.log.back().kind, EV_SEQ_ISSUE);
    TB_EQUAL(dut.irqs, 0);
    dut.rec_block = false;
    dut.wait_stop();
    TB_EQUAL(dut.irqs, 2);
    TB_EQUAL(dut.log[2].a, TYPE0 + 2);
    TB_EQUAL(dut.log[2].c, 0); /* the old count */
    TB_EQUAL(dut.log[2].d, dut.explicit_queue);
    const Log &last = dut.log[dut.log.size() - 5];
    TB_EQUAL(last.kind, LOG_REC);
    TB_EQUAL(last.c, 2); /* a slot without record counts too */
    dut.to_idle();
    dut.start(AT + 128, AT, AT + 255);
    dut.wait_stop();
    TB_EQUAL(dut.log[2].c, 0); /* RESET clears it */
}

static std::vector<Slot> bytes(std::initializer_list<std::pair<unsigned, std::initializer_list<int>>> parts)
{
    Slot s;
    s.b.fill(0);
    for (auto &[off, v] : parts)
        s.put(off, v);
    return { s };
}

static void worked_examples()
{
    auto one = [](Dut &dut, Pair &pair, const std::vector<Slot> &s, uint64_t at) {
        pair.load(at, s);
        pair.load(at + 64, { halt() });
        TB_CHECK(pair.run(at, AT, AT + 0xffff));
        (void)dut;
    };
    Dut dut(12);
    {
        tb_case("example_5_semaphore_7_plus_1");
        Pair p(dut);
        one(dut, p, bytes({ { 0, { 0xa0, 0x10 } }, { 0x22, { 0x15, 0x07 } }, { 0x28, { 0x01 } } }), AT);
        TB_EQUAL(dut.sync.sem[7], 1);
        dut.to_idle();
    }
    {
        tb_case("example_6_r3_is_r2_plus_64");
        Pair p(dut);
        one(dut, p,
            bytes({ { 0, { 0xa8, 0x10 } },
                    { 0x0c, { 0x04, 0x08, 0x01 } },
                    { 0x10, { 0x02 } },
                    { 0x14, { 0x03 } },
                    { 0x18, { 0x40 } } }),
            AT);
        TB_EQUAL(p.ref.r[3], 64);
        TB_CHECK(dut.log[2] == (Log{ EV_SEQ_REG, 3, 64, 0, 0 }));
        dut.to_idle();
    }
    {
        tb_case("example_7_back_4_slots_when_r5_is_0");
        Pair p(dut);
        p.load(AT, { halt() });
        one(dut, p,
            bytes({ { 0, { 0xa9, 0x10, 0, 2 } },
                    { 0x0c, { 3, 8, 3 } },
                    { 0x20, { 5 } },
                    { 0x30, { 0, 0xff, 0xff, 0xff } } }),
            AT + 256);
        TB_CHECK(dut.log[2] == (Log{ EV_SEQ_RETIRE, AT + 256, AT, 0, 0 }));
        dut.to_idle();
    }
    {
        tb_case("examples_9_and_8_pc_to_register_pair_and_branch_to_it");
        Pair p(dut);
        std::vector<Slot> s = bytes({ { 0, { 0xa7, 0x10 } },
                                      { 0x0c, { 2, 9 } },
                                      { 0x10, { 0x80, 0x81 } },
                                      { 0x18, { 0x0a, 0x0b } } });
        s.push_back(alu_imm(4, 9, 10, 10, 256));
        s.push_back(bytes({ { 0, { 0xa9, 0x10 } }, { 0x0c, { 0, 0, 1 } }, { 0x22, { 0x0a, 0x0b } } })[0]);
        uint64_t at = AT + 0x400;
        p.load(at, s);
        p.load(at + 256, { halt() });
        TB_CHECK(p.run(at, AT, AT + 0xffff));
        TB_EQUAL(p.ref.r[10], at + 256);
        TB_EQUAL(p.ref.r[11], at >> 32);
        TB_EQUAL(dut.lreg_read(LREG_PC_LO_OFF), at + 320);
        dut.to_idle();
    }
    {
        tb_case("example_10_range_clear_8_to_31");
        for (unsigned i = 0; i < 256; i++)
            dut.sync.sem[i] = 7;
        Pair p(dut);
        one(dut, p, bytes({ { 0, { 0xb0, 0x10 } }, { 0x0c, { 1, 8, 0x1f } } }), AT);
        for (unsigned i = 0; i < 256; i++)
            TB_EQUAL(dut.sync.sem[i], i >= 8 && i <= 31 ? 0 : 7);
        TB_CHECK(dut.log[2] == (Log{ LOG_UPD, 0x19, 8, 0, 0 }));
        dut.to_idle();
    }
    check("range_clear_by_mask_and_its_ends",
          { Slot(0xb0).put(12, { 2 }).put(32, { 0x00, 0x0c, 0x40 }),
            Slot(0xb0).put(12, { 2 }).put(63, { 0x80 }), Slot(0xb0).put(12, { 2 }),
            Slot(0xb0).put(12, { 1, 255, 255 }), Slot(0xb0).put(12, { 1, 0, 0 }),
            Slot(0xb0).put(12, { 2 }).u64(32, ~0ull).put(32, { 1 }) });
}

/* slice-walkthrough.md §4: POOL's image. Bells, records and semaphores of one inference, then the break at
 * the gate. */
static void walkthrough()
{
    tb_case("walkthrough_pool_image");
    const uint64_t base = 0x110000;
    auto es = [](std::initializer_list<int> ext) { return Slot(0xa0).put(0x20, ext); };
    std::vector<Slot> s = { notify(4),
                            es({ 5, 0xf2, 0x14, 0xf2, 1, 0, 0, 0, 1 }),
                            notify(2),
                            write_to(0x1002021038, 2),
                            write_to(0x1002001038, 2),
                            write_to(0x1002121038, 2).wait(4, 0x16, 0),
                            write_to(0x1002101038, 2),
                            Slot(0xa0).wait(4, 0x0b, 0) };
    for (int i = 0; i < 2; i++) {
        s.push_back(es({ 0, 0, 0x15, 0xf5, 0, 0, 0, 0, 1 }));
        s.push_back(es({ 5, 0xf8, 0x14, 0xf8, 1, 0, 0, 0, 1 }));
    }
    s.push_back(notify(3));
    s.push_back(branch(-0x300));
    Dut dut(13);
    Pair pair(dut);
    pair.load(base, s);
    dut.start(base, base, base + 64 * s.size() - 1);
    dut.tick(LONG);
    TB_EQUAL(dut.state, ESTATE_RUNNING);
    for (uint8_t sem : { 0xf2, 0x16, 0x0b, 0xf8, 0xf8 }) {
        dut.sync.sem[sem]++;
        dut.tick(LONG);
    }
    std::vector<uint64_t> recs;
    unsigned retired = 0;
    for (const Log &e : dut.log) {
        if (e.kind == LOG_REC)
            recs.push_back(e.b);
        retired += e.kind == EV_SEQ_RETIRE;
    }
    TB_CHECK((recs == std::vector<uint64_t>{ 0x400000, 0x200002, 0x30000c }));
    TB_EQUAL(retired, 14);
    TB_EQUAL(dut.writes.size(), 4);
    TB_EQUAL(dut.sync.sem[0xf5], 2);
    TB_EQUAL(dut.sync.sem[0xf2], 0);
    dut.lreg_write(LREG_INSTR_HALT_CTRL_OFF, 1);
    TB_EQUAL(dut.wait_stop(20), RUN_MARKER);
    TB_EQUAL(dut.lreg_read(LREG_HALT_REASON_OFF), 8);
    TB_EQUAL(dut.lreg_read(LREG_PC_LO_OFF), base + 0x40);
}

static void arithmetic()
{
    static const uint32_t v[] = { 0, 1, 7, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff9, 33 };
    for (int t = 8; t <= 9; t++) {
        std::vector<Slot> s;
        for (int op = 0; op <= 0xdd; op++) {
            if (op > 0x19 && op != 0x1b && (op < 0xc4 || op == 0xce))
                continue;
            bool div = op == 7 || op == 0x1b || op == 0xc7 || op == 0xc8 || op == 0xdc || op == 0xdd;
            for (uint32_t a : v)
                for (uint32_t b : v)
                    if (!(div && b == 0) && (a + b + uint32_t(op)) % 3) {
                        s.push_back(move_imm({ { 1, a }, { 2, b } }));
                        s.push_back(alu_reg(op, t, 3, 1, 2));
                    }
        }
        check(t == 8 ? "alu_int32_every_operation" : "alu_uint32_every_operation", s);
    }
    static const uint32_t f[] = { 0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000,
                                  0xff800000, 0x7fc00000, 1,          0x80000001 };
    for (int t = 8; t <= 10; t++) {
        std::vector<Slot> s;
        for (uint32_t a : f)
            for (uint32_t b : f)
                for (int c : { 1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14 }) {
                    s.push_back(move_imm({ { 1, a }, { 2, b } }));
                    s.push_back(branch_if(c, t, 1, c >= 9 ? 2 : b, 128));
                    s.push_back(Slot(0x9f));
                }
        check(t == 8 ? "compare_int32" : t == 9 ? "compare_uint32" : "compare_fp32", s);
    }
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 0x5eed0001;
    unsigned programs = argc > 2 ? unsigned(std::atoi(argv[2])) : MEM_W == 512 ? 200 : 40;
    registers();
    run_protocol();
    breaks();
    fetches();
    memory();
    faults();
    synchronisation();
    notifications();
    worked_examples();
    walkthrough();
    arithmetic();
    seq_latency();
    seq_random(seed, programs);
    seq_fuzz(seed + 1, programs * 10);
    seq_resets(seed + 2, programs);
    return tb_finish();
}
