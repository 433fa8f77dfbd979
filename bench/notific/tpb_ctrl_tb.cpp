/* Bench of the tpb control block: registers, routes, the FAKE_ERROR hook and the refusal of what is not built. */
#include "Vtpb_ctrl.h"
#include "regs.h"
#include "tb.h"
#include "verilated.h"

static Vtpb_ctrl *top;
static bool slverr;

static void clock_tick(void)
{
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
    top->eval();
}

static uint32_t apb(bool write, uint32_t addr, uint32_t data = 0)
{
    top->psel_i = 1, top->penable_i = 0, top->pwrite_i = write, top->paddr_i = addr, top->pwdata_i = data;
    top->eval();
    clock_tick();
    top->penable_i = 1;
    top->eval();
    TB_CHECK(top->pready_o);
    uint32_t v = top->prdata_o;
    slverr = top->pslverr_o;
    clock_tick();
    top->psel_i = top->penable_i = 0;
    top->eval();
    return v;
}
static void write_ok(uint32_t addr, uint32_t data)
{
    apb(true, addr, data);
    TB_CHECK(!slverr);
}
static uint32_t read(uint32_t addr)
{
    uint32_t v = apb(false, addr);
    TB_CHECK(!slverr);
    return v;
}

static void reset(void)
{
    top->rst_ni = 0;
    top->psel_i = top->penable_i = top->fake_ready_i = 0;
    top->eval();
    clock_tick();
    clock_tick();
    top->rst_ni = 1;
    top->eval();
}

static const uint32_t built[] = { 0x800, 0x804, 0x808, 0xa00, 0xa04, 0xa08, 0xa0c, 0xb00, 0xb04 };
static const uint32_t mask[] = { 0xffffffff, 0xffffffff, 1, 0x0fff0fff, 0x0fff0fff, 0x000f00ff, 0xf, 0, 0xffffffff };

static void resets_and_masks(void)
{
    tb_case("reset values: 0, but the high threshold 0xffffffff");
    for (uint32_t off = 0; off < 0x1000; off++)
        TB_EQUAL(read(off), off == 0x804 ? 0xffffffff : 0);
    TB_EQUAL(top->sem_high_o, 0xffffffff);
    TB_CHECK(!top->fake_valid_o && !top->notify_en_o);
    tb_case("every register keeps exactly its fields");
    for (unsigned i = 0; i < sizeof built / sizeof *built; i++) {
        if (built[i] == 0xb00)
            continue;
        write_ok(built[i], 0xffffffff);
        TB_EQUAL(read(built[i]), mask[i]);
        write_ok(built[i], 0x12345678);
        TB_EQUAL(read(built[i]), 0x12345678 & mask[i]);
    }
}

static void routes(void)
{
    tb_case("routes reach the engines they name");
    write_ok(0xa00, 0x06540321); /* PE 1, 2, 3; POOL 4, 5, 6 */
    write_ok(0xa04, 0x0cba0987); /* ACT 7, 8, 9; DVE a, b, c */
    write_ok(0xa08, 0x000f00ed); /* SP d, e; events f */
    write_ok(0xa0c, 3);
    TB_EQUAL(top->nx_queue_o, 0xda471);
    TB_EQUAL(top->explicit_queue_o, 0xeb582);
    TB_EQUAL(top->datapath_queue_o, 0xc693);
    TB_EQUAL(top->events_queue_o, 0xf);
    TB_EQUAL(top->errors_queue_o, 3);
    tb_case("thresholds and enable");
    write_ok(0x800, 0x11223344);
    write_ok(0x804, 0x55667788);
    write_ok(0x808, 1);
    TB_EQUAL(top->sem_low_o, 0x11223344);
    TB_EQUAL(top->sem_high_o, 0x55667788);
    TB_EQUAL(top->notify_en_o, 1);
}

static void refusals(void)
{
    tb_case("what is not built refuses a non-zero write and accepts zero");
    for (uint32_t off = 0; off < 0x1000; off += 4) {
        bool known = false;
        for (uint32_t b : built)
            known = known || b == off;
        if (known)
            continue;
        apb(true, off, 0x00010000);
        TB_CHECK(slverr);
        write_ok(off, 0);
        TB_EQUAL(read(off), 0);
    }
    tb_case("a refused write leaves the rest alone");
    for (uint32_t off : { 0xa10u, 0xa14u, 0xa18u, 0xa20u, 0xc00u, 0xa01u }) {
        apb(true, off, 0xffffffff);
        TB_CHECK(slverr);
    }
    TB_EQUAL(read(0xa00), 0x06540321);
    TB_EQUAL(read(0xa0c), 3);
}

static void fake_error(void)
{
    tb_case("writing 1 raises one record with the data of that moment");
    write_ok(0xb04, 0xdeadbeef);
    write_ok(0xb00, 0);
    TB_CHECK(!top->fake_valid_o);
    write_ok(0xb00, 1);
    TB_CHECK(top->fake_valid_o);
    TB_EQUAL(top->fake_data_o, 0xdeadbeef);
    TB_EQUAL(read(0xb00), 0);
    tb_case("it stays as it is until it is taken; another one is refused meanwhile");
    write_ok(0xb04, 1);
    TB_EQUAL(top->fake_data_o, 0xdeadbeef);
    apb(true, 0xb00, 1);
    TB_CHECK(slverr);
    write_ok(0xb00, 0);
    TB_CHECK(top->fake_valid_o);
    TB_EQUAL(top->fake_data_o, 0xdeadbeef);
    top->fake_ready_i = 1;
    top->eval();
    clock_tick();
    TB_CHECK(!top->fake_valid_o);
    write_ok(0xb00, 1);
    TB_CHECK(top->fake_valid_o);
    TB_EQUAL(top->fake_data_o, 1);
    clock_tick();
    TB_CHECK(!top->fake_valid_o);
}

int main(int argc, char **argv)
{
    Verilated::commandArgs(argc, argv);
    Verilated::randReset(2);
    top = new Vtpb_ctrl;
    reset();
    resets_and_masks();
    reset();
    routes();
    refusals();
    fake_error();
    delete top;
    return tb_finish();
}
