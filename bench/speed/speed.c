/*
 * Speed of the simulation, as ratios within one run (make bench):
 *   bare      the Verilated top alone: loaded and started, then clocked without host, taps or wave
 *   no-check  neffsim run --no-check
 *   checked   neffsim run
 *   wave      neffsim run --wave
 * and the DMA engine's beats per clock on 64 KiB and on 64 B descriptors. Prints; asserts nothing.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/device.h"
#include "load/loadplan.h"
#include "regs.h"
#include "run/run.h"
#include "run/vcase.h"
#include "sim/rtl_sim.h"
#include "util/bytes.h"

#define ROUNDS 3 /* the best of these counts: the machine's other work only ever slows */

static double seconds(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

static void die(const struct nerr *err)
{
    fprintf(stderr, "speed: %s: %s\n", err->where, err->text);
    exit(1);
}

static void reg_write(struct rtl_sim *sim, uint64_t bar0, uint32_t value)
{
    struct nerr err;
    uint64_t soc;
    if (dev_bar0_to_soc(bar0, &soc, &err) != 0)
        die(&err);
    if (rtl_apb_write(sim, soc, value) != 0) {
        nerr_set(&err, NERR_RULE, "register", "write to 0x%" PRIx64 " refused", bar0);
        die(&err);
    }
}

/* The plan's writes straight into the bench. */
static void apply(struct rtl_sim *sim, const struct loadplan *plan)
{
    for (size_t i = 0; i < plan->ninit; i++) {
        const struct load_op *op = &plan->init[i];
        if (op->kind == LOAD_MEM_WRITE && op->bytes)
            rtl_mem_write(sim, op->addr, op->bytes, op->len);
        else if (op->kind == LOAD_REG_WRITE)
            reg_write(sim, op->addr, op->value);
    }
}

/* Clocks per second of the bare model over `cycles` clocks of the case. */
static double bare(const struct vcase *c, uint64_t cycles)
{
    struct neff_options opt = { 0 };
    struct rtl_config rc = { .seed = 1 };
    struct nerr err;
    struct neff *neff;
    struct program *prog;
    struct loadplan *plan;
    if (neff_open_memory(c->neff, c->neff_len, &opt, &neff, &err) != 0 ||
        program_read(neff, NULL, &prog, &err) != 0 || load_plan(prog, &c->cfg.load, &plan, &err) != 0)
        die(&err);
    struct rtl_sim *sim = rtl_open(&rc, &err);
    if (!sim)
        die(&err);
    apply(sim, plan);
    for (unsigned e = 0; e < PROG_ENGINES; e++)
        reg_write(sim, BAR0_EVT + EVT_WIN_SEM_INC + 4 * (SEM_START_GATE + e), 1);
    double start = seconds();
    rtl_run(sim, cycles, false);
    double rate = (double)cycles / (seconds() - start);
    rtl_close(sim);
    load_free(plan);
    program_free(prog);
    neff_close(neff);
    return rate;
}

/* Clocks per second of a whole run; *cycles gets its length. */
static double whole(struct vcase *c, bool check, const char *wave, uint64_t *cycles)
{
    struct run_result res;
    c->cfg.no_check = !check;
    c->cfg.wave = wave;
    if (run_execute(&c->cfg, &res) != 0)
        die(&res.err);
    double rate = (double)res.cycles / res.seconds;
    *cycles = res.cycles;
    run_result_free(&res);
    return rate;
}

static double best(double a, double b)
{
    return a > b ? a : b;
}

static void simulation(const char *dir, const char *wave)
{
    struct vcase c;
    struct nerr err;
    uint64_t cycles;
    double rate[4] = { 0 };
    static const char *const names[] = { "bare Verilated top", "run --no-check", "run", "run --wave" };
    if (vcase_open(dir, &c, &err) != 0)
        die(&err);
    whole(&c, false, NULL, &cycles);
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t n;
        rate[0] = best(rate[0], bare(&c, cycles));
        rate[1] = best(rate[1], whole(&c, false, NULL, &n));
        rate[2] = best(rate[2], whole(&c, true, NULL, &n));
    }
    rate[3] = whole(&c, true, wave, &cycles);
    printf("%s: %" PRIu64 " clocks, best of %d\n", c.name, cycles, ROUNDS);
    for (int i = 0; i < 4; i++)
        printf("  %-20s %8.1f kHz  %.2f of bare\n", names[i], rate[i] / 1000, rate[i] / rate[0]);
    vcase_free(&c);
}

struct beats {
    uint64_t read, written, first, last;
};

static int count_beats(void *ctx, const struct dev_event *ev)
{
    struct beats *b = ctx;
    bool data = (ev->kind == EV_MEM_RD && ev->dir == PROT_DATA) || ev->kind == EV_MEM_WR;
    if (!data || ev->code < MASTER_UDMA0)
        return 0;
    if (b->read + b->written == 0)
        b->first = ev->cycle;
    b->last = ev->cycle;
    if (ev->kind == EV_MEM_RD)
        b->read++;
    else
        b->written++;
    return 0;
}

/* One queue copies `count` descriptors of `bytes` each. */
static void dma(unsigned count, unsigned bytes)
{
    enum { RING = 64 };
    static uint8_t m2s[RING * M2S_DESC_SIZE], s2m[RING * S2M_DESC_SIZE];
    const uint64_t src = LOAD_VAR_BASE, dst = 0x4000000, tx = LOAD_RING_BASE,
                   rx = LOAD_RING_BASE + LOAD_RING_ALIGN;
    struct rtl_config rc = { .seed = 1 };
    struct nerr err;
    struct rtl_sim *sim = rtl_open(&rc, &err);
    if (!sim)
        die(&err);
    memset(m2s, 0, sizeof m2s);
    memset(s2m, 0, sizeof s2m);
    for (unsigned i = 0; i < count; i++) {
        uint64_t at = (uint64_t)i * bytes;
        uint32_t len = bytes & M2S_DESC_W0_LENGTH_MASK, ring = 1u << M2S_DESC_W0_RING_ID_LSB;
        put_le32(m2s + i * M2S_DESC_SIZE, len | ring | M2S_DESC_W0_FIRST_MASK | M2S_DESC_W0_LAST_MASK);
        put_le32(m2s + i * M2S_DESC_SIZE + 4, DMA_COPY_WORD);
        put_le64(m2s + i * M2S_DESC_SIZE + 8, src + at);
        put_le32(s2m + i * S2M_DESC_SIZE, len | ring);
        put_le64(s2m + i * S2M_DESC_SIZE + 8, dst + at);
    }
    rtl_mem_write(sim, tx, m2s, sizeof m2s);
    rtl_mem_write(sim, rx, s2m, sizeof s2m);
    uint64_t m = BAR0_UDMA0 + UDMA_M2S_OFF, s = BAR0_UDMA0 + UDMA_S2M_OFF;
    uint64_t mq = m + UDMA_Q_FIRST, sq = s + UDMA_Q_FIRST;
    uint32_t on = M2SQ_CFG_EN_PREF_MASK | M2SQ_CFG_EN_SCHED_MASK | M2SQ_CFG_RESET;
    reg_write(sim, mq + M2SQ_TDRBP_LOW_OFF, (uint32_t)tx);
    reg_write(sim, mq + M2SQ_TDRL_OFF, RING);
    reg_write(sim, mq + M2SQ_COMP_CFG_OFF, 0);
    reg_write(sim, mq + M2SQ_CFG_OFF, on);
    reg_write(sim, sq + S2MQ_RDRBP_LOW_OFF, (uint32_t)rx);
    reg_write(sim, sq + S2MQ_RDRL_OFF, RING);
    reg_write(sim, sq + S2MQ_COMP_CFG_OFF, 0);
    reg_write(sim, sq + S2MQ_CFG_OFF, on);
    struct beats b = { 0 };
    rtl_sink(sim, count_beats, &b);
    reg_write(sim, sq + S2MQ_RDRTP_INC_OFF, count);
    reg_write(sim, mq + M2SQ_TDRTP_INC_OFF, count);
    rtl_run(sim, 4 * (uint64_t)count * (bytes / 64 + 100), false);
    rtl_close(sim);
    double clocks = (double)(b.last - b.first + 1);
    printf(
        "  %5u-byte descriptors: %.3f read and %.3f written beats of 64 bytes per clock (%u descriptors)\n",
        bytes, (double)b.read / clocks, (double)b.written / clocks, count);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: speed CASE-DIR SCRATCH.fst\n", stderr);
        return 2;
    }
    simulation(argv[1], argv[2]);
    remove(argv[2]);
    puts("DMA engine, one queue, memory latency fixed");
    dma(32, 65536);
    dma(60, 64);
    return 0;
}
