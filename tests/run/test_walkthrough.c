/*
 * slice-walkthrough.md on the RTL, end to end: vectors/allreduce is loaded and run as `neffsim run` does it,
 * and everything the device then did is compared with that page: register writes (§5), fetched slots (§4) and
 * descriptors (§3), the order of the run (§6, §11), the agent (§7), semaphores (§8), records (§9) and the
 * final state (§10). The lockstep checker is on, but nothing here relies on it. tests/load/test_slice.c holds
 * the same page against the loader alone. With fixed timing and with random timing: what the page calls free
 * may change, nothing else.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../load/slice_images.h"
#include "../load/slice_writes.h"
#include "run/run_private.h"
#include "run/vcase.h"
#include "util/bytes.h"

#define VAR_BYTES    128u
#define INPUT        0x01000000u
#define OUTPUT       0x01001000u
#define GRADIENT_IN  0x01002000u
#define GRADIENT_OUT 0x01003000u
#define RECORD_RING  0x400000110000ull /* queue 1 */

static const struct queue { /* §3 */
    unsigned e, q, sem;
    uint64_t s2m_bell, m2s_bell; /* SoC */
    uint32_t m2s, s2m;           /* BAR0 banks */
    unsigned by;                 /* who rings */
} queues[3] = {
    { 0, 0, 10, 0x1002021038, 0x1002001038, 0x82001000, 0x82021000, ENG_POOL },
    { 1, 0, 11, 0x1002121038, 0x1002101038, 0x82101000, 0x82121000, ENG_POOL },
    { 0, 15, 22, 0x1002030038, 0x1002010038, 0x82010000, 0x82030000, MASTER_HOST },
};

static struct vcase vcase;
static struct run_result res;
static struct run r = { .cfg = &vcase.cfg, .res = &res };
static struct dev_event *events;
static size_t nevents, capacity;
static size_t start; /* first event after the load: the host's first increment of a start gate comes later */
static size_t end;   /* events before the final comparison reads registers */

static int collect(void *ctx, const struct dev_event *ev)
{
    (void)ctx;
    if (nevents == capacity) {
        capacity = capacity ? 2 * capacity : 4096;
        events = realloc(events, capacity * sizeof *events);
        if (!events)
            abort();
    }
    events[nevents++] = *ev;
    return 0;
}

static uint32_t reg(uint64_t bar0)
{
    struct nerr err;
    uint32_t v;
    ck_assert_msg(r.raw->ops->reg_read32(r.raw, bar0, &v, &err) == 0, "%s", err.text);
    return v;
}

static void memory(uint64_t addr, uint8_t *buf, size_t len)
{
    struct nerr err;
    ck_assert_msg(r.raw->ops->mem_read(r.raw, addr, buf, len, &err) == 0, "%s", err.text);
}

static void input_bytes(uint8_t in[VAR_BYTES])
{
    for (unsigned i = 0; i < VAR_BYTES / 4; i++) {
        float v = 1.0f + 10.0f * (float)i;
        uint32_t w;
        memcpy(&w, &v, sizeof w);
        put_le32(in + 4 * i, w);
    }
}

/* §6 steps 1 to 6. */
static void run_to_the_end(bool random_timing, uint64_t seed)
{
    struct nerr err = { 0 };
    int rc = vcase_open("vectors/allreduce", &vcase, &err);
    vcase.cfg.dev.random_timing = random_timing;
    vcase.cfg.dev.seed = seed;
    if (!rc)
        rc = neff_open_memory(vcase.neff, vcase.neff_len, &(struct neff_options){ 0 }, &r.neff, &err);
    if (!rc)
        rc = program_read(r.neff, NULL, &r.prog, &err);
    if (!rc)
        rc = load_plan(r.prog, &vcase.cfg.load, &r.plan, &err);
    if (!rc && !(r.chk = chk_new(r.plan, true, &err)))
        rc = err.code;
    if (!rc)
        rc = dev_open("rtl", &vcase.cfg.dev, &r.raw, &err);
    if (!rc)
        rc = chk_attach(r.chk, r.raw, collect, NULL, &r.dev, &err);
    if (!rc)
        rc = run_load(&r, &err);
    start = nevents;
    if (!rc)
        rc = run_start(&r, &err);
    if (!rc)
        rc = run_inference(&r, &err);
    unsigned why;
    if (!rc) /* the last engines reach their gates */
        rc = r.dev->ops->advance(r.dev, 2000, 0, &why, &err);
    end = nevents;
    ck_assert_msg(rc == 0, "%s: %s", err.where, err.text);
}

static void setup_fixed(void)
{
    run_to_the_end(false, 1);
}

static void setup_random(void)
{
    run_to_the_end(true, 7);
}

static void teardown(void)
{
    r.raw->ops->close(r.raw);
    chk_free(r.chk);
    load_free(r.plan);
    program_free(r.prog);
    neff_close(r.neff);
    vcase_free(&vcase);
    run_result_free(&res);
    free(events);
    events = NULL;
    nevents = capacity = 0;
    r = (struct run){ .cfg = &vcase.cfg, .res = &res };
}

/* The n-th (from 0) event at or after `from` that `is` accepts; `end` when there is none. */
static size_t find(size_t from, bool (*is)(const struct dev_event *, uint64_t), uint64_t arg)
{
    while (from < end && !is(&events[from], arg))
        from++;
    return from;
}

static bool host_writes(const struct dev_event *ev, uint64_t any)
{
    (void)any;
    return ev->kind == EV_APB_WR && ev->code == MASTER_HOST;
}

START_TEST(the_device_sees_the_133_register_writes_in_order)
{
    size_t at = 0;
    ck_assert_uint_eq(want_all(), 133);
    for (size_t i = 0; i < nwant; i++, at++) {
        struct nerr err;
        uint64_t soc;
        at = find(at, host_writes, 0);
        ck_assert_uint_lt(at, start);
        ck_assert_int_eq(dev_bar0_to_soc(want_addr[i], &soc, &err), 0);
        ck_assert_msg(events[at].addr == soc && events[at].value == want_value[i] && events[at].dir == 0,
                      "write %zu is %llx = %08x, want %llx = %08x", i, (unsigned long long)events[at].addr,
                      events[at].value, (unsigned long long)soc, want_value[i]);
    }
    ck_assert_uint_ge(find(at, host_writes, 0), start); /* and not one more */
}
END_TEST

START_TEST(engines_issue_and_retire_the_slots_of_the_page)
{
    unsigned issued[ENG_COUNT] = { 0 }, retired[ENG_COUNT] = { 0 }, total = 0;
    for (size_t i = 0; i < end; i++) {
        const struct dev_event *ev = &events[i];
        if (ev->kind != EV_SEQ_ISSUE && ev->kind != EV_SEQ_RETIRE)
            continue;
        unsigned e = ev->unit, slots = slice_images[e].slots;
        unsigned *count = ev->kind == EV_SEQ_ISSUE ? issued : retired;
        unsigned n = count[e] < slots ? count[e] : 1; /* after the last slot the gate waits again */
        ck_assert_uint_le(count[e]++, ev->kind == EV_SEQ_ISSUE ? slots : slots - 1);
        ck_assert_uint_eq(ev->addr, slice_images[e].base + n * SLOT_BYTES);
        total += ev->kind == EV_SEQ_RETIRE;
        if (ev->kind == EV_SEQ_RETIRE)
            continue;
        uint8_t want_slot[SLOT_BYTES];
        slice_slot(slice_images[e].lines[n], want_slot);
        for (unsigned w = 0; w < SLOT_BYTES / 4; w++)
            ck_assert_msg(ev->words[w] == get_le32(want_slot + 4 * w), "engine %u slot %s: word %u is %08x",
                          e, slice_images[e].lines[n], w, ev->words[w]);
    }
    static const unsigned want_retired[ENG_COUNT] = { 10, 9, 14, 9, 16 };
    for (unsigned e = 0; e < ENG_COUNT; e++) {
        ck_assert_uint_eq(retired[e], want_retired[e]);
        ck_assert_uint_eq(issued[e], want_retired[e] + 1);
    }
    ck_assert_uint_eq(total, 58);
}
END_TEST

START_TEST(twelve_descriptors_are_fetched_in_ring_order)
{
    unsigned seen[3][2] = { { 0 } }, total = 0;
    for (size_t i = 0; i < end; i++) {
        const struct dev_event *ev = &events[i];
        if (ev->kind != EV_DMA_DESC)
            continue;
        total++;
        unsigned q = ev->queue == 15 ? 2 : ev->unit;
        ck_assert(queues[q].e == ev->unit && queues[q].q == ev->queue);
        ck_assert_uint_lt(seen[q][ev->dir], 2);
        ck_assert_uint_eq(ev->index, seen[q][ev->dir]);
        char hex[33];
        for (unsigned b = 0; b < 16; b++)
            snprintf(hex + 2 * b, 3, "%02x", ev->words[b / 4] >> 8 * (b % 4) & 0xff);
        ck_assert_str_eq(hex, slice_entries[4 * q + 2 * ev->dir + seen[q][ev->dir]].bytes);
        seen[q][ev->dir]++;
    }
    ck_assert_uint_eq(total, 12);
}
END_TEST

START_TEST(semaphores_take_their_sequences)
{
    static const struct {
        unsigned unit, sem;
        const char *values; /* "new value" "by" ...: 0-4 engine, 5 bus */
    } rows[] = {
        { 0, 240, "1/5 0/0 " },
        { 0, 241, "1/5 0/1 " },
        { 0, 242, "1/5 0/2 " },
        { 0, 243, "1/5 0/3 " },
        { 0, 244, "1/5 0/4 " },
        { 0, 10, "1/5 0/4 " },
        { 0, 22, "1/5 0/4 " },
        { 0, 11, "1/5 0/4 " },
        { 0, 245, "1 2 3 4 0/4 1 2 3 4 0/4 " }, /* members in any order */
        { 0, 246, "1/4 0/0 1/4 0/0 " },
        { 0, 247, "1/4 0/1 1/4 0/1 " },
        { 0, 248, "1/4 0/2 1/4 0/2 " },
        { 0, 249, "1/4 0/3 1/4 0/3 " },
        { 1, 0, "1/5 0/5 " },
    };
    unsigned commits = 0, in_rows = 0;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        char got[160] = "";
        size_t used = 0;
        for (size_t i = start; i < end; i++) {
            const struct dev_event *ev = &events[i];
            if (ev->kind != EV_SEM || ev->unit != rows[k].unit || ev->index != rows[k].sem)
                continue;
            ck_assert_uint_eq(ev->dir, 1);
            ck_assert_uint_lt(used, sizeof got - 16);
            used += (size_t)snprintf(got + used, sizeof got - used, "%u", (unsigned)ev->data);
            if (ev->index != 245 || ev->data == 0)
                used += (size_t)snprintf(got + used, sizeof got - used, "/%u", ev->code);
            used += (size_t)snprintf(got + used, sizeof got - used, " ");
            in_rows += ev->unit == 0;
        }
        ck_assert_msg(strcmp(got, rows[k].values) == 0, "unit %u S[%u] is \"%s\", want \"%s\"", rows[k].unit,
                      rows[k].sem, got, rows[k].values);
    }
    unsigned by_host_and_dma = 0;
    for (size_t i = start; i < end; i++)
        if (events[i].kind == EV_SEM && events[i].unit == 0) {
            commits++;
            by_host_and_dma += events[i].code == 5;
        }
    ck_assert_uint_eq(commits, 42);
    ck_assert_uint_eq(by_host_and_dma, 5 + 3);
    ck_assert_uint_eq(in_rows, 42); /* no other semaphore, no event */
}
END_TEST

START_TEST(each_member_arrives_once_per_barrier)
{
    unsigned arrivals[2][ENG_COUNT] = { { 0 } }, barrier = 0;
    for (size_t i = start; i < end; i++) {
        const struct dev_event *ev = &events[i];
        if (ev->kind != EV_SEM || ev->unit != 0 || ev->index != 245)
            continue;
        ck_assert_uint_lt(barrier, 2);
        ck_assert_uint_lt(ev->code, ENG_COUNT);
        arrivals[barrier][ev->code]++;
        barrier += ev->code == ENG_SP;
    }
    for (unsigned b = 0; b < 2; b++)
        for (unsigned e = 0; e < ENG_COUNT; e++)
            ck_assert_uint_eq(arrivals[b][e], 1);
}
END_TEST

START_TEST(sp_commits_in_program_order)
{
    static const unsigned order[] = { 244, 245, 246, 247, 248, 249, 10, 11, 22, 245, 246, 247, 248, 249 };
    unsigned n = 0;
    for (size_t i = start; i < end; i++)
        if (events[i].kind == EV_SEM && events[i].code == ENG_SP) {
            ck_assert_uint_lt(n, sizeof order / sizeof order[0]);
            ck_assert_uint_eq(events[i].index, order[n++]);
        }
    ck_assert_uint_eq(n, sizeof order / sizeof order[0]);
}
END_TEST

START_TEST(fifteen_records_byte_for_byte)
{
    static const uint32_t want_w0[ENG_COUNT][3] = {
        { 0x86400000, 0x86200002, 0x86300008 }, { 0x8a400000, 0x8a200002, 0x8a300007 },
        { 0x8e400000, 0x8e200002, 0x8e30000c }, { 0x92400000, 0x92200002, 0x92300007 },
        { 0x96400000, 0x96200002, 0x9630000e },
    };
    static uint8_t ring[0x10000], empty[0x10000];
    uint64_t last = 0;
    unsigned seen[ENG_COUNT] = { 0 };
    memory(RECORD_RING, ring, sizeof ring);
    for (unsigned i = 0; i < 15; i++) {
        const uint8_t *rec = ring + 16 * i;
        unsigned e = ((get_le32(rec) >> 24 & 0x1f) - 6) / 4;
        ck_assert_uint_lt(e, ENG_COUNT);
        ck_assert_uint_lt(seen[e], 3);
        ck_assert_uint_eq(get_le32(rec), want_w0[e][seen[e]++]);
        ck_assert_uint_eq(get_le32(rec + 4), 0);
        ck_assert_uint_ge(get_le64(rec + 8), last);
        ck_assert_uint_gt(get_le64(rec + 8), 0);
        last = get_le64(rec + 8);
        if (i < 5) /* the five hint-4 records come first */
            ck_assert_uint_eq(get_le32(rec) >> 20 & 7, 4);
    }
    ck_assert_int_eq(memcmp(ring + 0xf0, empty, sizeof ring - 0xf0), 0);
    for (unsigned q = 0; q < 4; q++) {
        if (q == 1)
            continue;
        memory(0x400000100000ull + 0x10000 * q, ring, sizeof ring);
        ck_assert_int_eq(memcmp(ring, empty, sizeof ring), 0);
    }
    unsigned accepted = 0, written = 0;
    uint32_t head = 0;
    for (size_t i = 0; i < end; i++) {
        accepted += events[i].kind == EV_NQ_IN;
        written += events[i].kind == EV_NQ_WR;
        if (host_writes(&events[i], 0) && events[i].addr == 0x8006001134)
            head = events[i].value;
    }
    ck_assert_uint_eq(accepted, 15);
    ck_assert_uint_eq(written, 15);
    ck_assert_uint_eq(head, 0xf0);
}
END_TEST

static bool is_bell(const struct dev_event *ev, uint64_t addr)
{
    return ev->kind == EV_APB_WR && ev->addr == addr;
}

static bool is_increment(const struct dev_event *ev, uint64_t sem)
{
    return ev->kind == EV_SEM && ev->unit == 0 && ev->index == sem && ev->data == 1;
}

/* arg: queue number in `queues`. */
static bool is_start(const struct dev_event *ev, uint64_t q)
{
    return ev->kind == EV_DMA_START && ev->unit == queues[q].e && ev->queue == queues[q].q;
}

static bool is_response(const struct dev_event *ev, uint64_t q)
{
    return ev->kind == EV_DMA_WRESP && ev->unit == queues[q].e && ev->queue == queues[q].q;
}

static bool is_completion(const struct dev_event *ev, uint64_t q)
{
    return ev->kind == EV_DMA_CPL && ev->unit == queues[q].e && ev->queue == queues[q].q && ev->dir == 1 &&
           ev->data == 0x40000002;
}

START_TEST(bells_are_rung_by_whom_the_page_says)
{
    unsigned total = 0, bells = 0;
    for (size_t i = 0; i < end; i++)
        bells += events[i].kind == EV_DMA_BELL;
    for (unsigned q = 0; q < 3; q++)
        for (unsigned dir = 0; dir < 2; dir++) {
            uint64_t addr = dir ? queues[q].s2m_bell : queues[q].m2s_bell;
            size_t at = find(0, is_bell, addr);
            ck_assert_uint_lt(at, end);
            ck_assert_uint_eq(events[at].code, queues[q].by);
            ck_assert_uint_eq(events[at].value, 2);
            ck_assert_uint_eq(find(at + 1, is_bell, addr), end);
            total++;
        }
    ck_assert_uint_eq(total, 6);
    ck_assert_uint_eq(bells, 6);
}
END_TEST

/* §11 rules 3 to 6: bells, packet, data, increment, completion; and d → e → f → g → h → i → j of §6. */
START_TEST(the_run_keeps_the_edges_of_the_page)
{
    size_t before = start;
    static const unsigned order[3] = { 0, 2, 1 }; /* q_gradient_in, agent, q_gradient_out */
    for (unsigned k = 0; k < 3; k++) {
        unsigned q = order[k];
        size_t s2m = find(start, is_bell, queues[q].s2m_bell), m2s = find(start, is_bell, queues[q].m2s_bell);
        size_t packet = find(start, is_start, q), response = find(start, is_response, q);
        size_t inc = find(start, is_increment, queues[q].sem), done = find(start, is_completion, q);
        ck_assert_uint_gt(s2m, before);
        ck_assert_uint_lt(s2m, m2s);
        ck_assert_uint_lt(m2s, packet);
        ck_assert_uint_lt(packet, response);
        ck_assert_uint_lt(response, inc);
        ck_assert_uint_lt(inc, done);
        ck_assert_uint_lt(done, end);
        before = inc;
    }
}
END_TEST

static bool is_pass(const struct dev_event *ev, uint64_t engine_sem)
{
    return ev->kind == EV_SEQ_PASS && ev->unit == engine_sem >> 8 && ev->index == (engine_sem & 0xff);
}

START_TEST(waits_pass_in_a_clock_after_their_commit)
{
    static const struct {
        unsigned engine, sem;
    } waits[] = { { ENG_PE, 10 },   { ENG_POOL, 22 },  { ENG_POOL, 11 }, { ENG_PE, 240 },
                  { ENG_ACT, 241 }, { ENG_POOL, 242 }, { ENG_DVE, 243 }, { ENG_SP, 244 } };
    for (unsigned i = 0; i < sizeof waits / sizeof waits[0]; i++) {
        size_t commit = find(start, is_increment, waits[i].sem);
        size_t pass = find(start, is_pass, (uint64_t)waits[i].engine << 8 | waits[i].sem);
        ck_assert_uint_lt(commit, pass);
        ck_assert_uint_lt(pass, end);
        ck_assert_uint_lt(events[commit].cycle, events[pass].cycle);
    }
}
END_TEST

START_TEST(agent_takes_the_trigger_and_then_rings)
{
    static const struct {
        uint64_t addr;
        uint32_t value;
    } want_access[] = { { 0x8280001c00, 1 }, { 0x1002030038, 2 }, { 0x1002010038, 2 } };
    size_t at = start, n = 0;
    uint32_t mailbox = 0;
    for (; at < end; at++) {
        const struct dev_event *ev = &events[at];
        if (ev->kind == EV_APB_RD && ev->code == MASTER_HOST && ev->addr == 0x8280001000)
            mailbox = ev->value;
        if (!host_writes(ev, 0) || ev->addr == 0x8006001134 || (ev->addr >> 20) == 0x28027)
            continue; /* record head, start gates */
        ck_assert_uint_lt(n, 3);
        ck_assert_uint_eq(ev->addr, want_access[n].addr);
        ck_assert_uint_eq(ev->value, want_access[n].value);
        if (n++ == 0)
            ck_assert_uint_eq(mailbox, 1);
    }
    ck_assert_uint_eq(n, 3);
}
END_TEST

START_TEST(memory_holds_the_input_three_times_and_nothing_else_changed)
{
    uint8_t in[VAR_BYTES], got[0x1000], want_page[0x1000];
    static const uint32_t vars[] = { INPUT, OUTPUT, GRADIENT_IN, GRADIENT_OUT };
    input_bytes(in);
    for (unsigned i = 0; i < 4; i++) { /* the variable and everything up to the next one */
        memset(want_page, 0, sizeof want_page);
        memcpy(want_page, in, sizeof in);
        memory(vars[i], got, sizeof got);
        ck_assert_mem_eq(got, want_page, sizeof got);
    }
    for (unsigned e = 0; e < ENG_COUNT; e++)
        for (unsigned n = 0; n < slice_images[e].slots; n++) {
            slice_slot(slice_images[e].lines[n], want_page);
            memory(slice_images[e].base + n * SLOT_BYTES, got, SLOT_BYTES);
            ck_assert_mem_eq(got, want_page, SLOT_BYTES);
        }
    for (unsigned i = 0; i < 12; i++) {
        char hex[33];
        memory(slice_entries[i].at, got, 16);
        for (unsigned b = 0; b < 16; b++)
            snprintf(hex + 2 * b, 3, "%02x", got[b]);
        ck_assert_str_eq(hex, slice_entries[i].bytes);
    }
    uint64_t written = 0;
    for (size_t i = 0; i < end; i++) {
        const struct dev_event *ev = &events[i];
        if (ev->kind != EV_MEM_WR)
            continue;
        for (unsigned b = 0; b < 64; b++) {
            if (!(ev->data >> b & 1))
                continue;
            uint64_t addr = (ev->addr & ~UINT64_C(63)) + b;
            bool record = addr >= RECORD_RING && addr < RECORD_RING + 0xf0;
            ck_assert_msg(
                record || (addr >= OUTPUT && addr < GRADIENT_OUT + VAR_BYTES && (addr & 0xfff) < VAR_BYTES),
                "the device wrote 0x%llx", (unsigned long long)addr);
            written++;
        }
    }
    ck_assert_uint_eq(written, 3 * VAR_BYTES + 0xf0);
}
END_TEST

START_TEST(data_bytes_and_increments)
{
    uint64_t read = 0, moved = 0, increments = 0;
    for (size_t i = 0; i < end; i++) {
        const struct dev_event *ev = &events[i];
        if (ev->kind == EV_DMA_RD)
            read += ev->value;
        if (ev->kind == EV_DMA_WR && ev->addr < 0x2000000)
            moved += ev->value;
        increments += ev->kind == EV_DMA_WR && (ev->addr >> 12) == 0x2802701;
    }
    ck_assert_uint_eq(read, 3 * VAR_BYTES); /* constants are served inside */
    ck_assert_uint_eq(moved, 3 * VAR_BYTES);
    ck_assert_uint_eq(increments, 3);
}
END_TEST

START_TEST(registers_at_the_end)
{
    for (unsigned q = 0; q < 3; q++)
        for (unsigned dir = 0; dir < 2; dir++) {
            uint32_t bank = dir ? queues[q].s2m : queues[q].m2s;
            ck_assert_uint_eq(reg(bank + 0x3c), 0x40000002); /* tail */
            ck_assert_uint_eq(reg(bank + 0x34), 0x40000002); /* head */
            ck_assert_uint_eq(reg(bank + 0x40), 0x40000002); /* current */
            ck_assert_uint_eq(reg(bank + 0x4c), 0x40000002); /* completion head */
            ck_assert_uint_eq(reg(bank + (dir ? 0x68 : 0xc0)), 2);
        }
    ck_assert_uint_eq(reg(0x82040014), 2);
    ck_assert_uint_eq(reg(0x82140014), 1);
    ck_assert_uint_eq(reg(0x82040018), 0);
    ck_assert_uint_eq(reg(0x82140018), 0);
    ck_assert_uint_eq(reg(0x60010b0), 15);
    ck_assert_uint_eq(reg(0x60010c4), 0);
    static const uint32_t tails[4] = { 0, 0xf0, 0, 0 };
    for (unsigned q = 0; q < 4; q++)
        ck_assert_uint_eq(reg(BAR0_NOTIFIC + NQ_Q_BASE + NQ_Q_STRIDE * q + NQQ_TAIL_OFF), tails[q]);
    for (unsigned i = 0; i < SEM_COUNT; i++) {
        ck_assert_uint_eq(reg(0xd2701000 + 4 * i), 0);
        ck_assert_uint_eq(reg(0xd2700000 + 4 * i), 0);
    }
    ck_assert_uint_eq(reg(0xf0001000), 0);
}
END_TEST

START_TEST(stop_leaves_the_engines_at_their_gate)
{
    static const uint32_t lreg[ENG_COUNT] = { 0xd2660000, 0xd2460000, 0xd3060000, 0xd2b78000, 0xd2860000 };
    struct nerr err;
    ck_assert_int_eq(chk_final(r.chk, &err), 0);
    ck_assert_int_eq(run_read_engines(&r, &err), 0);
    for (unsigned e = 0; e < ENG_COUNT; e++)
        ck_assert_int_eq(res.engine_state[e], ESTATE_RUNNING);
    ck_assert_int_eq(run_stop(&r, &err), 0);
    for (unsigned e = 0; e < ENG_COUNT; e++) {
        ck_assert_uint_eq(reg(lreg[e] + 0x8), 0x85644);
        ck_assert_uint_eq(reg(lreg[e] + 0x1740), 8);
        ck_assert_uint_eq(reg(lreg[e] + 0x1060), slice_images[e].base + 0x40);
    }
}
END_TEST

static void add(Suite *s, const char *name, void (*setup)(void))
{
    TCase *t = tcase_create(name);
    tcase_add_unchecked_fixture(t, setup, teardown); /* one run, judged by every test */
    tcase_add_test(t, the_device_sees_the_133_register_writes_in_order);
    tcase_add_test(t, engines_issue_and_retire_the_slots_of_the_page);
    tcase_add_test(t, twelve_descriptors_are_fetched_in_ring_order);
    tcase_add_test(t, semaphores_take_their_sequences);
    tcase_add_test(t, each_member_arrives_once_per_barrier);
    tcase_add_test(t, sp_commits_in_program_order);
    tcase_add_test(t, fifteen_records_byte_for_byte);
    tcase_add_test(t, bells_are_rung_by_whom_the_page_says);
    tcase_add_test(t, the_run_keeps_the_edges_of_the_page);
    tcase_add_test(t, waits_pass_in_a_clock_after_their_commit);
    tcase_add_test(t, agent_takes_the_trigger_and_then_rings);
    tcase_add_test(t, memory_holds_the_input_three_times_and_nothing_else_changed);
    tcase_add_test(t, data_bytes_and_increments);
    tcase_add_test(t, registers_at_the_end);
    tcase_add_test(t, stop_leaves_the_engines_at_their_gate);
    suite_add_tcase(s, t);
}

int main(void)
{
    Suite *s = suite_create("slice walkthrough on the RTL");
    add(s, "fixed timing", setup_fixed);
    add(s, "random timing, seed 7", setup_random);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
