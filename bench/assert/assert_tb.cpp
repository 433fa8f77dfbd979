/*
 * The handshake rules must be able to fail: correct traffic breaks none, and for every rule one wrong driver breaks exactly
 * that one. The driver below plays both sides of each handshake.
 */
#include <memory>
#include <set>
#include <string>

#include "Vrules_top.h"

#define TB_OWN_RULES
#include "tb.h"

static std::multiset<std::string> broken;

extern "C" void neffsim_rule(const char *, const char *text) { broken.insert(text); }

enum { INCR = 1, FULL = 3, BYTES = 8 };

struct Pins {
    std::unique_ptr<Vrules_top> t{new Vrules_top};

    Pins()
    {
        broken.clear();
        t->rst_ni = 0;
        tick();
        tick();
        t->rst_ni = 1;
        t->awready = t->wready = t->bready = t->arready = t->rready = 1;
        t->awburst = t->arburst = INCR;
        t->awsize = t->arsize = FULL;
        t->awid = t->arid = t->bid = t->rid = 7;
        t->wstrb = 0xff;
    }
    void tick()
    {
        t->clk_i = 0;
        t->eval();
        t->clk_i = 1;
        t->eval();
    }
    void aw(uint64_t addr, unsigned beats = 1)
    {
        t->awvalid = 1;
        t->awaddr = addr;
        t->awlen = (uint8_t)(beats - 1);
        tick();
        t->awvalid = 0;
    }
    void w(bool last = true)
    {
        t->wvalid = 1;
        t->wlast = last;
        tick();
        t->wvalid = 0;
    }
    void b()
    {
        t->bvalid = 1;
        tick();
        t->bvalid = 0;
    }
    void ar(uint64_t addr, unsigned beats = 1)
    {
        t->arvalid = 1;
        t->araddr = addr;
        t->arlen = (uint8_t)(beats - 1);
        tick();
        t->arvalid = 0;
    }
    void r(bool last = true)
    {
        t->rvalid = 1;
        t->rlast = last;
        tick();
        t->rvalid = 0;
    }
    void setup(bool write = true)
    {
        t->psel = 1;
        t->penable = 0;
        t->pwrite = write;
        t->pready = 0;
        tick();
        t->penable = 1;
    }
    void access(unsigned waits = 0)
    {
        setup();
        for (unsigned i = 0; i < waits; i++)
            tick();
        t->pready = 1;
        tick();
        t->psel = t->penable = t->pready = 0;
    }
    void idle(unsigned n = 3)
    {
        while (n--)
            tick();
    }
};

/* Exactly this rule was broken, at least once. */
static void expect(Pins &p, const char *text)
{
    p.idle();
    TB_CHECK(broken.count(text) > 0);
    for (const std::string &s : broken)
        if (s != text)
            std::printf("FAIL %s: also broken: %s\n", tb_row, s.c_str()), tb_failed++;
}

static void correct_traffic_breaks_nothing()
{
    tb_case("correct traffic breaks nothing");
    Pins p;
    p.t->awready = 0;
    p.t->awvalid = 1;
    p.t->awaddr = 0x1003; /* unaligned start */
    p.t->awlen = 2;
    p.idle();
    p.t->awready = 1;
    p.tick();
    p.t->awvalid = 0;
    p.t->wready = 0;
    p.t->wvalid = 1;
    p.t->wstrb = 0xf8;
    p.idle();
    p.t->wready = 1;
    p.tick();
    p.t->wstrb = 0xff;
    p.w(false);
    p.w();
    p.w(); /* data before its address */
    p.aw(0x1ff8);
    p.t->bready = 0;
    p.t->bvalid = 1;
    p.idle();
    p.t->bready = 1;
    p.tick();
    p.b();
    p.t->awsize = 2; /* one word in the upper half */
    p.aw(0x2004);
    p.t->wstrb = 0xf0;
    p.w();
    p.b();
    p.ar(0x1000, 2);
    p.ar(0x1ff8);
    p.r(false);
    p.r();
    p.t->rready = 0;
    p.t->rvalid = 1;
    p.idle();
    p.t->rready = 1;
    p.r();
    p.access();
    p.access(15);
    p.t->excused_i = 1;
    p.setup();
    p.idle(100);
    p.t->excused_i = 0;
    p.idle(15);
    p.t->pready = 1;
    p.tick();
    p.t->psel = p.t->penable = p.t->pready = 0;
    p.t->valid_i = 1;
    p.idle();
    p.t->ready_i = 1;
    p.tick();
    p.t->payload_i = 9;
    p.tick();
    p.t->valid_i = 0;
    p.ar(0x3000, 4); /* a reset in the middle forgets what was on its way */
    p.r(false);
    p.t->rst_ni = 0;
    p.idle();
    p.t->rst_ni = 1;
    p.ar(0x3000);
    p.r();
    p.idle();
    TB_EQUAL(broken.size(), 0);
    for (const std::string &s : broken)
        std::printf("    %s\n", s.c_str());
}

static void channels_hold()
{
    typedef CData &(*Pin)(Vrules_top &);
    struct {
        const char *name;
        Pin valid, ready;
    } static const channels[] = {
#define CHANNEL(name, v, r) \
    {name, [](Vrules_top &t) -> CData & { return t.v; }, [](Vrules_top &t) -> CData & { return t.r; }}
        CHANNEL("AW", awvalid, awready), CHANNEL("W", wvalid, wready), CHANNEL("B", bvalid, bready),
        CHANNEL("AR", arvalid, arready), CHANNEL("R", rvalid, rready),
    };
    for (const auto &c : channels) {
        tb_case("a valid that falls before its ready is found");
        Pins p;
        c.ready(*p.t) = 0;
        c.valid(*p.t) = 1;
        p.tick();
        c.valid(*p.t) = 0;
        expect(p, (std::string(c.name) + " valid fell before its ready").c_str());
    }
    tb_case("a payload that changes while it waits is found");
    for (unsigned i = 0; i < 5; i++) {
        Pins p;
        channels[i].ready(*p.t) = 0;
        channels[i].valid(*p.t) = 1;
        p.tick();
        p.t->awaddr ^= 1;
        p.t->wstrb ^= 1;
        p.t->bresp ^= 2;
        p.t->arprot ^= 1;
        p.t->rdata ^= UINT64_C(1) << 63;
        expect(p, (std::string(channels[i].name) + " payload changed while it waits").c_str());
    }
    tb_case("a record stream that gives up or changes is found, a request may give up");
    {
        Pins p;
        p.t->valid_i = 1;
        p.tick();
        p.t->valid_i = 0;
        expect(p, "stream valid fell before its ready");
    }
    Pins p;
    p.t->valid_i = 1;
    p.tick();
    p.t->payload_i = 1;
    p.idle();
    TB_CHECK(broken.count("stream payload changed while it waits") > 0);
    TB_CHECK(broken.count("request payload changed while it waits") > 0);
}

static void write_bursts()
{
    tb_case("wrong write bursts are found");
    {
        Pins p;
        p.aw(0x1ff0, 3);
        expect(p, "AW burst crosses 4 KiB");
    }
    {
        Pins p;
        p.t->awburst = 0;
        p.aw(0);
        expect(p, "AW burst is not INCR");
    }
    {
        Pins p;
        p.t->awsize = 4;
        p.aw(0);
        expect(p, "AW size is wider than the bus");
    }
    {
        Pins p;
        p.t->awsize = 2;
        p.aw(0, 2);
        expect(p, "AW burst of narrow beats");
    }
    tb_case("wrong write data is found");
    {
        Pins p; /* too early */
        p.aw(0, 3);
        p.w();
        expect(p, "wlast is not on the last beat");
    }
    {
        Pins p; /* too late */
        p.aw(0, 2);
        p.w(false);
        p.w(false);
        expect(p, "wlast is not on the last beat");
    }
    {
        Pins p; /* of data before its address */
        p.w();
        p.aw(0, 2);
        expect(p, "wlast is not on the last beat");
    }
    {
        Pins p; /* below the start of an unaligned burst */
        p.aw(3);
        p.t->wstrb = 0xfc;
        p.w();
        expect(p, "W strobes outside the lanes of the beat");
    }
    {
        Pins p; /* beside a narrow beat */
        p.t->awsize = 2;
        p.aw(4);
        p.w();
        expect(p, "W strobes outside the lanes of the beat");
    }
    tb_case("wrong write answers are found");
    {
        Pins p;
        p.b();
        expect(p, "an answer for no complete write");
    }
    {
        Pins p; /* the data is not complete */
        p.aw(0, 2);
        p.w(false);
        p.b();
        expect(p, "an answer for no complete write");
    }
    {
        Pins p; /* the address is not there */
        p.w();
        p.b();
        expect(p, "an answer for no complete write");
    }
    Pins p;
    p.aw(0);
    p.w();
    p.t->bid = 8;
    p.b();
    expect(p, "an answer with the wrong ID");
}

static void read_bursts()
{
    tb_case("wrong read bursts are found");
    {
        Pins p;
        p.ar(0x1ff9, 2);
        expect(p, "AR burst crosses 4 KiB");
    }
    {
        Pins p;
        p.t->arburst = 2;
        p.ar(0);
        expect(p, "AR burst is not INCR");
    }
    {
        Pins p;
        p.t->arsize = 4;
        p.ar(0);
        expect(p, "AR size is wider than the bus");
    }
    {
        Pins p;
        p.t->arsize = 0;
        p.ar(0, 2);
        expect(p, "AR burst of narrow beats");
    }
    tb_case("wrong read data is found");
    {
        Pins p;
        p.r();
        expect(p, "read data for no burst");
    }
    {
        Pins p;
        p.ar(0);
        p.t->rid = 8;
        p.r();
        expect(p, "read data with the wrong ID");
    }
    for (unsigned early = 0; early < 2; early++) {
        Pins p;
        p.ar(0, early ? 2 : 1);
        p.r(early);
        expect(p, "rlast is not on the last beat");
    }
}

static void apb()
{
    tb_case("wrong APB masters are found");
    {
        Pins p;
        p.t->penable = 1;
        expect(p, "penable without psel");
    }
    {
        Pins p;
        p.t->psel = p.t->penable = 1;
        p.t->pready = 1;
        p.tick();
        p.t->psel = p.t->penable = 0;
        expect(p, "no setup phase");
    }
    {
        Pins p; /* the next access without leaving the access phase */
        p.setup();
        p.t->pready = 1;
        p.idle(2);
        p.t->psel = p.t->penable = 0;
        expect(p, "no setup phase");
    }
    {
        Pins p;
        p.setup();
        p.tick();
        p.t->psel = p.t->penable = 0;
        expect(p, "psel fell before pready");
    }
    {
        Pins p;
        p.setup();
        p.t->penable = 0;
        p.tick();
        p.t->penable = p.t->pready = 1;
        p.tick();
        p.t->psel = p.t->penable = 0;
        expect(p, "no access phase after the setup phase");
    }
    for (unsigned what = 0; what < 3; what++) {
        Pins p;
        p.setup();
        p.tick();
        p.t->paddr = what == 0;
        p.t->pwdata = what == 1;
        p.t->pwrite = what != 2;
        p.t->pready = 1;
        p.tick();
        p.t->psel = p.t->penable = 0;
        expect(p, "the request changed while it waits");
    }
    tb_case("a slave that takes longer than it may is found");
    Pins p;
    p.access(16);
    expect(p, "no answer in time");
}

int main()
{
    correct_traffic_breaks_nothing();
    channels_hold();
    write_bursts();
    read_bursts();
    apb();
    return tb_finish();
}
