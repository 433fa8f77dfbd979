/*
 * The published latencies of the sequencer (docs/rtl.md, bench/latency.h), each measured as clocks from one retirement to the
 * next in a run of equal slots whose line is resident, with a bus, an EVT_SEM and a NOTIFIC that answer at once.
 */
#include "latency.h"
#include "seq_pair.h"

static const uint64_t AT = 0x100000, DATA = 0x40000000;

/* Clocks of each of 12 equal slots; -1 when they differ. */
static int clocks_per(const Slot &slot)
{
    const unsigned n = 12, first = 4; /* registers are set up before them */
    Dut dut(9);
    Pair pair(dut);
    std::vector<Slot> slots = { move_imm({ { 1, 0 }, { 2, 64 }, { 3, 7 } }), nop(), nop(), nop() };
    slots.insert(slots.end(), n, slot);
    slots.push_back(halt());
    pair.load(AT, slots);
    dut.start(AT, AT, AT + 64 * slots.size() - 1);
    std::vector<uint64_t> at;
    for (unsigned seen = 0, limit = 5000; limit > 0 && at.size() < first + n; limit--) {
        dut.tick();
        for (; seen < dut.log.size(); seen++)
            if (dut.log[seen].kind == EV_SEQ_RETIRE)
                at.push_back(dut.clocks);
    }
    TB_EQUAL(at.size(), first + n);
    for (unsigned i = first + 1; i + 1 < at.size(); i++)
        if (at[i + 1] - at[i] != at[first + 1] - at[first])
            return -1;
    return int(at[first + 1] - at[first]);
}

/* Clocks from the write of start_ctrl to the first slot on the decoder, with a memory that answers after one clock. */
static int clocks_to_first_issue()
{
    Dut dut(9);
    Pair pair(dut);
    pair.load(AT, { nop(), halt() });
    dut.lreg_write(LREG_RELEASE_RUN_STALL_OFF, 0);
    dut.tick(200);
    dut.lreg_write(LREG_PC_LO_OFF, AT);
    dut.lreg_write(LREG_START_CTRL_OFF, 1);
    uint64_t from = dut.clocks;
    TB_CHECK(dut.run_until([&] { return !dut.log.empty() && dut.log.back().kind == EV_SEQ_ISSUE; }));
    return int(dut.clocks - from);
}

void seq_latency()
{
    const unsigned beats = FETCH_BLOCK_BYTES / (MEM_W / 8), memory = 1; /* of the stand-in: clocks from address to data */
    Slot es = Slot(0xa0).put(4, { 5, 1, 0x13, 2 }); /* both lanes: S[1] >= 0, then two increments */
    es.put(32, { 5, 1, 0x13, 3 });
    Slot branch_reg = branch(0).put(14, { BR_REL_REG }).put(34, { 2 }); /* R2 is 64 */
    Slot poll1 = Slot(0xb3).put(12, { 1, 20, 9 }).u64(16, DATA).u64(24, DATA + 64), poll4 = poll1;
    poll4.put(12, { 4 });

    tb_case("latency of each slot kind (docs/rtl.md)");
    TB_EQUAL(clocks_per(nop()), LAT_SEQ_SLOT);
    TB_EQUAL(clocks_per(alu_imm(ALU_ADD, 9, 5, 2, 3)), LAT_SEQ_SLOT);
    TB_EQUAL(clocks_per(branch(64)), LAT_SEQ_SLOT);
    TB_EQUAL(clocks_per(drain()), LAT_SEQ_SLOT);
    TB_EQUAL(clocks_per(nop().wait(5, 1, 0)), LAT_SEQ_SLOT + LAT_SEQ_WAIT);
    TB_EQUAL(clocks_per(nop().update(0x13, 1)), LAT_SEQ_SLOT + LAT_SEQ_UPDATE);
    TB_EQUAL(clocks_per(es), LAT_SEQ_SLOT + 2 * LAT_SEQ_WAIT + 2 * LAT_SEQ_UPDATE);
    TB_EQUAL(clocks_per(nop().trace(3, 1)), LAT_SEQ_SLOT + LAT_SEQ_RECORD);
    TB_EQUAL(clocks_per(nop().trace(7, 1)), LAT_SEQ_SLOT + 2 * LAT_SEQ_RECORD);
    TB_EQUAL(clocks_per(notify(1)), LAT_SEQ_SLOT + LAT_SEQ_RECORD);
    TB_EQUAL(clocks_per(move_imm({ { 5, 1 } })), LAT_SEQ_SLOT + LAT_SEQ_MOVE);
    TB_EQUAL(clocks_per(move_imm({ { 5, 1 }, { 6, 1 }, { 7, 1 }, { 8, 1 } })), LAT_SEQ_SLOT + 4 * LAT_SEQ_MOVE);
    TB_EQUAL(clocks_per(alu_imm(ALU_DIVIDE, 9, 5, 2, 3)), LAT_SEQ_SLOT + LAT_SEQ_DIVIDE);
    TB_EQUAL(clocks_per(branch_reg), LAT_SEQ_SLOT + LAT_SEQ_BRANCH_REG);
    TB_EQUAL(clocks_per(write_to(DATA, 1)), LAT_SEQ_SLOT + LAT_SEQ_WRITE);
    TB_EQUAL(clocks_per(store(2, DATA)), LAT_SEQ_SLOT + LAT_SEQ_WRITE);
    TB_EQUAL(clocks_per(load(5, DATA)), LAT_SEQ_SLOT + LAT_SEQ_READ + memory);
    TB_EQUAL(clocks_per(poll1), LAT_SEQ_SLOT + LAT_SEQ_POLL + memory + LAT_SEQ_WRITE);
    TB_EQUAL(clocks_per(poll4), LAT_SEQ_SLOT + 4 * (LAT_SEQ_POLL + memory) + LAT_SEQ_WRITE);
    TB_EQUAL(clocks_per(Slot(0xb0).put(12, { 1, 4, 4 })), LAT_SEQ_SLOT + LAT_SEQ_CLEAR);
    TB_EQUAL(clocks_per(Slot(0xb0).put(12, { 1, 4, 11 })), LAT_SEQ_SLOT + 8 * LAT_SEQ_CLEAR);
    TB_EQUAL(clocks_to_first_issue(), LAT_SEQ_START + memory + beats);
}
