/*
 * Run loop and C API of the Verilated bench (rtl_sim.h).
 *
 * Clock k takes the time from k * 1000 ps, its rising edge, to (k + 1) * 1000 ps; an event of clock k is what a tap
 * sampled at the edge that ends it, so a wave cursor at k * 1000 ps shows the wires the event speaks of.
 */
#include "sim/rtl_sim.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

#include "regs.h"
#include "sim/rtl_state.h"

/* Clocks after which an APB access counts as unanswered: far beyond EVT_SEM's reset walk. */
static constexpr unsigned APB_LIMIT = 4096;

rtl_sim::~rtl_sim()
{
    rtl_wave_stop(this);
    if (top)
        top->final();
    sparse_free(memory);
}

/* ---- one clock ------------------------------------------------------------------------------------------------- */

static void wave_clock(struct rtl_sim *s)
{
    if (s->cycle < s->wave_from)
        return;
    if (s->cycle > s->wave_to) {
        rtl_wave_stop(s);
        return;
    }
    s->fst.dump(s->cycle * SIM_CLOCK_PS + (s->top->clk_i ? 0 : SIM_CLOCK_PS / 2));
    s->wave_dumped = true;
}

/* Events of the clock in kind order; equal kinds keep their order. */
static void deliver(struct rtl_sim *s)
{
    size_t n = s->pending.size();
    std::vector<struct dev_event> &p = s->pending;
    for (size_t i = 1; i < n; i++) {
        size_t to = i;
        while (to > 0 && p[to - 1].kind > p[i].kind)
            to--;
        if (to != i) {
            struct dev_event ev = p[i];
            std::memmove(&p[to + 1], &p[to], (i - to) * sizeof ev);
            p[to] = ev;
        }
    }
    for (size_t i = 0; i < n; i++) {
        p[i].cycle = s->cycle;
        if (s->inject.active())
            s->inject.observe(p[i]);
        if (s->sink && s->sink(s->sink_ctx, &p[i]))
            s->stopped = true;
    }
    p.clear();
}

static void inject_clock(struct rtl_sim *s)
{
    for (const MemBeat &beat : s->inject.due(s->cycle))
        rtl_commit(s, beat);
}

static inline void clock_once(struct rtl_sim *s)
{
    if (s->wave)
        wave_clock(s);
    s->top->clk_i = 0;
    s->top->eval();
    if (s->wave)
        wave_clock(s);
    s->top->clk_i = 1;
    s->top->eval();
    if (s->inject.active())
        inject_clock(s);
    if (!s->pending.empty()) {
        deliver(s);
        const Inject::Poke poke = s->inject.poke();
        if (poke.what != Inject::Poke::NOTHING)
            s->inject.poked(rtl_poke(s->top.get(), poke));
    }
    s->cycle++;
}

/* ---- open, run, close ------------------------------------------------------------------------------------------ */

struct rtl_sim *rtl_open(const struct rtl_config *cfg, struct nerr *err)
{
    std::unique_ptr<struct rtl_sim> s(new (std::nothrow) struct rtl_sim);
    if (!s) {
        nerr_set(err, NERR_MEM, "rtl", "out of memory");
        return nullptr;
    }
    if (s->inject.parse(cfg->inject, err))
        return nullptr;
    s->memory = sparse_new();
    if (!s->memory) {
        nerr_set(err, NERR_MEM, "rtl", "out of memory");
        return nullptr;
    }
    s->random = cfg->random_timing;
    s->rnd = cfg->seed * 2 + 1;
    s->listening = s->inject.active();
    s->pending.reserve(64);
    s->context.traceEverOn(true);
    s->fst.set_time_unit("1ps"); /* of the time argument of dump() and of the file */
    s->fst.set_time_resolution("1ps");
    s->context.randReset(0);
    rtl_current = s.get();
    s->top.reset(new Vsim_top(&s->context, "sim_top"));
    s->top->random_i = cfg->random_timing;
    s->top->seed_i = cfg->seed;
    s->top->rst_ni = 0;
    s->top->clk_i = 1;
    s->top->eval();
    for (unsigned i = 0; i < SIM_RESET_CLOCKS; i++)
        clock_once(s.get());
    s->top->rst_ni = 1;
    return s.release();
}

void rtl_close(struct rtl_sim *sim)
{
    rtl_current = sim;
    delete sim;
}

void rtl_sink(struct rtl_sim *sim, dev_event_fn sink, void *ctx)
{
    sim->sink = sink;
    sim->sink_ctx = ctx;
    sim->listening = sink || sim->inject.active();
}

unsigned rtl_run(struct rtl_sim *sim, uint64_t cycles, bool until_notify)
{
    rtl_current = sim;
    sim->notified = false;
    while (cycles-- > 0 && !sim->stopped) {
        clock_once(sim);
        if (sim->notified && until_notify)
            break;
    }
    unsigned why = (sim->notified && until_notify ? 1u : 0u) | (sim->stopped ? 2u : 0u);
    sim->stopped = false;
    return why;
}

uint64_t rtl_cycle(const struct rtl_sim *sim) { return sim->cycle; }

bool rtl_injected(const struct rtl_sim *sim) { return sim->inject.done(); }

const char *rtl_inject_kind(unsigned i, const char **meaning) { return Inject::kind(i, meaning); }

/* ---- host ports ------------------------------------------------------------------------------------------------ */

static uint64_t chance(struct rtl_sim *s)
{
    s->rnd ^= s->rnd << 13;
    s->rnd ^= s->rnd >> 7;
    s->rnd ^= s->rnd << 17;
    return s->rnd;
}

static int apb(struct rtl_sim *s, bool write, uint64_t soc, uint32_t *value)
{
    Vsim_top *t = s->top.get();
    rtl_current = s;
    if (s->random)
        for (uint64_t idle = chance(s) % 8; idle > 0; idle--)
            clock_once(s);
    t->host_req_i = !t->host_req_i;
    t->host_write_i = write;
    t->host_addr_i = soc;
    t->host_data_i = write ? *value : 0;
    for (unsigned i = 0; i < APB_LIMIT; i++) {
        clock_once(s);
        if (t->host_ack_o == t->host_req_i) {
            if (!write)
                *value = t->host_data_o;
            return t->host_error_o ? 1 : 0;
        }
    }
    return 2; /* the access stays pending: the port is dead from here on */
}

int rtl_apb_write(struct rtl_sim *sim, uint64_t soc, uint32_t value) { return apb(sim, true, soc, &value); }

int rtl_apb_read(struct rtl_sim *sim, uint64_t soc, uint32_t *value) { return apb(sim, false, soc, value); }

static bool is_memory(uint64_t soc, size_t len)
{
    static const uint64_t target[][2] = {
        { SOC_HBM0, SOC_HBM0_BYTES }, { SOC_SBUF, SOC_SBUF_BYTES }, { SOC_PSUM, SOC_PSUM_BYTES },
        { SOC_HOST, SOC_HOST_BYTES }
    };
    for (const auto &t : target)
        if (soc >= t[0] && soc - t[0] <= t[1] && len <= t[1] - (soc - t[0]))
            return true;
    return false;
}

int rtl_mem_write(struct rtl_sim *sim, uint64_t soc, const void *buf, size_t len)
{
    return is_memory(soc, len) && sparse_write(sim->memory, soc, buf, len) ? 0 : 1;
}

int rtl_mem_read(struct rtl_sim *sim, uint64_t soc, void *buf, size_t len)
{
    if (!is_memory(soc, len))
        return 1;
    sparse_read(sim->memory, soc, buf, len);
    return 0;
}

/* ---- waves ----------------------------------------------------------------------------------------------------- */

int rtl_wave_start(struct rtl_sim *sim, const char *path, uint64_t from, uint64_t to, struct nerr *err)
{
    rtl_wave_stop(sim);
    if (to < from || to < sim->cycle)
        return nerr_set(err, NERR_INPUT, path, "clocks %llu..%llu are empty or over, now is clock %llu",
                        (unsigned long long)from, (unsigned long long)to, (unsigned long long)sim->cycle);
    FILE *probe = std::fopen(path, "wb"); /* the FST writer would not say why it cannot */
    if (!probe)
        return nerr_set(err, NERR_IO, path, "cannot write the wave file: %s", std::strerror(errno));
    std::fclose(probe);
    if (!sim->wave_traced)
        sim->top->trace(&sim->fst, 99);
    sim->wave_traced = true;
    sim->fst.open(path);
    if (!sim->fst.isOpen()) {
        std::remove(path);
        return nerr_set(err, NERR_IO, path, "cannot write the wave file");
    }
    sim->wave_path = path;
    sim->wave_from = from;
    sim->wave_to = to;
    sim->wave_dumped = false;
    sim->wave = true;
    return 0;
}

void rtl_wave_stop(struct rtl_sim *sim)
{
    if (!sim->wave)
        return;
    sim->wave = false;
    sim->fst.close();
    if (!sim->wave_dumped)
        std::remove(sim->wave_path.c_str()); /* the window was never reached: no file rather than an empty one */
}
