/* Rings: access patterns as packets, ring lengths, placement of queues and variables, entries of later
 * inferences. */
#include <check.h>
#include <stdlib.h>

#include "slots.h"

static struct e1 e1;
static struct stream s;
static struct loadplan *plan;
static struct nerr err;

/* A fresh program: one queue "q" of POOL (semaphore 10), one descriptor from `from` to `to`, both of var_size
 * bytes. */
static struct prog_desc desc[64];
static struct prog_block blocks[64];

static void setup(void)
{
    no_streams(&e1);
    memset(&s, 0, sizeof s);
    memset(desc, 0, sizeof desc);
    memset(blocks, 0, sizeof blocks);
    static char where[] = "dma[0].desc[0]", q[] = "q";
    for (unsigned i = 0; i < 64; i++) {
        desc[i].where = where;
        desc[i].nsources = 1;
        blocks[i] =
            (struct prog_block){ .queue = 0, .id = i, .desc = &desc[i], .ndesc = 1, .engine = ENG_POOL };
    }
    e1.vars[0].size = 1 << 22;
    e1.vars[2].size = 1 << 22;
    e1.queues[0].name = q;
    e1.p.nqueues = 1;
    e1.p.blocks = blocks;
    e1.p.nblocks = 64;
}

static void teardown(void)
{
    load_free(plan);
    plan = NULL;
}

static struct prog_pattern flat(size_t var, uint64_t offset, uint64_t n)
{
    return (struct prog_pattern){ .var = var, .offset = offset, .ndim = 1, .sizes = { n }, .steps = { 1 } };
}

static int try_load(void)
{
    use_stream(&e1, ENG_POOL, &s);
    return load_plan(&e1.p, NULL, &plan, &err);
}

static struct load_ring *load(void)
{
    if (!s.slots)
        add_dma(&s, "q", 0);
    ck_assert_msg(try_load() == 0, "%s: %s", err.where, err.text);
    return &plan->rings[0];
}

static uint32_t word(const uint8_t *ring, size_t entry, size_t w)
{
    const uint8_t *at = ring + entry * DESC_BYTES + 4 * w;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

START_TEST(a_copy_is_cut_at_64_kib)
{
    desc[0].from = flat(0, 3, 3 * 65536 + 5);
    desc[0].to = flat(2, 7, 3 * 65536 + 5);
    struct load_ring *r = load();
    ck_assert_uint_eq(r->m2s_used, 5);
    ck_assert_uint_eq(r->s2m_used, 5);
    for (size_t k = 0; k < 3; k++) {
        ck_assert_uint_eq(word(r->m2s, k, 0), 0x0d000000); /* length 0 is 64 KiB */
        ck_assert_uint_eq(word(r->m2s, k, 1), 0x01080003);
        ck_assert_uint_eq(word(r->m2s, k, 2), 0x1000003 + 0x10000 * k);
        ck_assert_uint_eq(word(r->s2m, k, 0), 0x01000000);
        ck_assert_uint_eq(word(r->s2m, k, 2), plan->vars[2].addr + 7 + 0x10000 * k);
    }
    ck_assert_uint_eq(word(r->m2s, 3, 0), 0x0d000005);
    ck_assert_uint_eq(word(r->m2s, 4, 0), 0x0d000004);
    ck_assert_uint_eq(word(r->s2m, 4, 0), 0x21000004);
    ck_assert_uint_eq(r->entries, 32);
}
END_TEST

START_TEST(source_runs_are_gathered_into_one_packet)
{
    desc[0].from =
        (struct prog_pattern){ .var = 0, .offset = 16, .ndim = 2, .sizes = { 32, 3 }, .steps = { 1, 100 } };
    desc[0].to = flat(2, 0, 96);
    struct load_ring *r = load();
    ck_assert_uint_eq(r->m2s_used, 4);
    ck_assert_uint_eq(r->s2m_used, 2);
    static const uint32_t w0[] = { 0x05000020, 0x81000020, 0x89000020 }, w1[] = { 0x01080003, 0, 0 };
    for (size_t k = 0; k < 3; k++) {
        ck_assert_uint_eq(word(r->m2s, k, 0), w0[k]);
        ck_assert_uint_eq(word(r->m2s, k, 1), w1[k]);
        ck_assert_uint_eq(word(r->m2s, k, 2), 0x1000010 + 100 * k);
    }
    ck_assert_uint_eq(word(r->s2m, 0, 0), 0x01000060);
    /* the doorbells say 2 and 4 */
    const uint8_t *main = plan->images[ENG_POOL].bytes + plan->images[ENG_POOL].main;
    ck_assert_uint_eq(main[SLOT_WRITE_VALUE_OFF], 2);
    ck_assert_uint_eq(main[SLOT_BYTES + SLOT_WRITE_VALUE_OFF], 4);
}
END_TEST

START_TEST(destination_runs_are_scattered_from_one_packet)
{
    desc[0].from = flat(0, 0, 96);
    desc[0].to =
        (struct prog_pattern){ .var = 2, .offset = 0, .ndim = 2, .sizes = { 32, 3 }, .steps = { 1, 50 } };
    struct load_ring *r = load();
    ck_assert_uint_eq(r->m2s_used, 2);
    ck_assert_uint_eq(r->s2m_used, 4);
    ck_assert_uint_eq(word(r->m2s, 0, 0), 0x0d000060);
    for (size_t k = 0; k < 3; k++)
        ck_assert_uint_eq(word(r->s2m, k, 0), 0x01000020);
}
END_TEST

START_TEST(a_packet_has_at_most_64_descriptors)
{
    desc[0].from = (struct prog_pattern){ .var = 0, .ndim = 2, .sizes = { 2, 130 }, .steps = { 1, 4 } };
    desc[0].to = flat(2, 0, 260);
    struct load_ring *r = load();
    ck_assert_uint_eq(r->m2s_used, 131);
    ck_assert_uint_eq(r->s2m_used, 4);
    ck_assert_uint_eq(word(r->s2m, 0, 0) & 0xffff, 128);
    ck_assert_uint_eq(word(r->s2m, 1, 0) & 0xffff, 128);
    ck_assert_uint_eq(word(r->s2m, 2, 0) & 0xffff, 4);
    ck_assert_uint_eq(word(r->m2s, 63, 0) >> 24, 0x89);
    ck_assert_uint_eq(word(r->m2s, 64, 0) >> 24, 0x05);
    ck_assert_uint_eq(r->entries, 144);
}
END_TEST

START_TEST(a_single_run_left_over_is_a_plain_pair)
{
    desc[0].from = (struct prog_pattern){ .var = 0, .ndim = 2, .sizes = { 40000, 2 }, .steps = { 1, 50000 } };
    desc[0].to = flat(2, 0, 80000);
    struct load_ring *r = load();
    ck_assert_uint_eq(r->m2s_used, 3);
    ck_assert_uint_eq(r->s2m_used, 3);
    ck_assert_uint_eq(word(r->m2s, 0, 0), 0x0d000000 | 40000);
    ck_assert_uint_eq(word(r->m2s, 1, 0), 0x0d000000 | 40000);
}
END_TEST

/* Follows the packets of a ring and checks that byte i of the copy goes where the two patterns say. */
static void expect_bytes(const struct load_ring *r, const struct prog_pattern *from,
                         const struct prog_pattern *to, size_t n)
{
    size_t m = 0, d = 0, done = 0, d_left = 0, in_packet = 0, s_in_packet = 0;
    uint64_t d_addr = 0;
    bool open = false;
    while (done < n) {
        uint32_t w0 = word(r->m2s, m, 0);
        ck_assert_int_eq(!open, (w0 & M2S_DESC_W0_FIRST_MASK) != 0);
        ck_assert_int_eq(open, (w0 & M2S_DESC_W0_CONCAT_MASK) != 0);
        uint64_t s_addr = word(r->m2s, m, 2);
        size_t len = w0 & 0xffff ? w0 & 0xffff : 65536;
        if (!open) {
            ck_assert_uint_eq(d_left, 0); /* a packet starts at a fresh destination descriptor */
            in_packet = s_in_packet = 0;
        }
        ck_assert_uint_le(++in_packet, 64);
        open = true;
        for (size_t i = 0; i < len; i++, done++) {
            if (!d_left) {
                d_addr = word(r->s2m, d, 2);
                d_left = word(r->s2m, d, 0) & 0xffff ? word(r->s2m, d, 0) & 0xffff : 65536;
                d++;
                ck_assert_uint_le(++s_in_packet, 64);
            }
            uint64_t a = plan->vars[from->var].addr + from->offset, b = plan->vars[to->var].addr + to->offset;
            size_t x = done, y = done;
            for (size_t k = 0; k < from->ndim; x /= from->sizes[k++])
                a += (uint64_t)from->steps[k] * (x % from->sizes[k]);
            for (size_t k = 0; k < to->ndim; y /= to->sizes[k++])
                b += (uint64_t)to->steps[k] * (y % to->sizes[k]);
            if (s_addr + i != a || d_addr != b)
                ck_abort_msg("byte %zu: %llx -> %llx, want %llx -> %llx", done,
                             (unsigned long long)(s_addr + i), (unsigned long long)d_addr,
                             (unsigned long long)a, (unsigned long long)b);
            d_addr++;
            d_left--;
        }
        if (w0 & M2S_DESC_W0_LAST_MASK) {
            ck_assert_uint_eq(d_left, 0);
            open = false;
        }
        m++;
    }
    ck_assert(!open);
    ck_assert_uint_eq(m + 1, r->m2s_used); /* the increment follows */
    ck_assert_uint_eq(d + 1, r->s2m_used);
}

START_TEST(any_pair_of_patterns_moves_the_right_bytes)
{
    static const struct {
        struct prog_pattern from, to;
        size_t n;
    } rows[] = {
        { { .ndim = 1, .sizes = { 1 }, .steps = { 1 } },
          { .offset = 9, .ndim = 1, .sizes = { 1 }, .steps = { 5 } },
          1 },
        { { .ndim = 2, .sizes = { 48, 20 }, .steps = { 1, 96 } },
          { .ndim = 2, .sizes = { 64, 15 }, .steps = { 1, 80 } },
          960 },
        { { .ndim = 3, .sizes = { 4, 16, 8 }, .steps = { 1, 32, 4 } },
          { .ndim = 3, .sizes = { 4, 8, 16 }, .steps = { 1, 64, 4 } },
          512 },
        { { .offset = 1000, .ndim = 2, .sizes = { 4, 64 }, .steps = { 1, -4 } },
          { .ndim = 1, .sizes = { 256 }, .steps = { 1 } },
          256 },
        { { .ndim = 2, .sizes = { 8, 100 }, .steps = { 1, 0 } },
          { .ndim = 1, .sizes = { 800 }, .steps = { 1 } },
          800 },
        { { .ndim = 2, .sizes = { 7, 200 }, .steps = { 2, 16 } },
          { .ndim = 1, .sizes = { 1400 }, .steps = { 1 } },
          1400 },
        { { .ndim = 1, .sizes = { 1400 }, .steps = { 1 } },
          { .ndim = 2, .sizes = { 7, 200 }, .steps = { 2, 16 } },
          1400 },
        { { .ndim = 8, .sizes = { 3, 1, 2, 2, 1, 2, 2, 3 }, .steps = { 1, 9, 4, 11, 7, 31, 77, 211 } },
          { .ndim = 8, .sizes = { 2, 2, 2, 2, 3, 3, 1, 1 }, .steps = { 1, 2, 7, 19, 41, 150, 1, 1 } },
          144 },
        { { .ndim = 2, .sizes = { 70000, 3 }, .steps = { 1, 70001 } },
          { .ndim = 2, .sizes = { 105000, 2 }, .steps = { 1, 105007 } },
          210000 },
        { { .ndim = 3, .sizes = { 100, 10, 4 }, .steps = { 1, 100, 1500 } },
          { .ndim = 2, .sizes = { 2000, 2 }, .steps = { 1, 4000 } },
          4000 },
    };
    desc[0].from = rows[_i].from;
    desc[0].to = rows[_i].to;
    desc[0].to.var = 2;
    expect_bytes(load(), &desc[0].from, &desc[0].to, rows[_i].n);
}
END_TEST

START_TEST(broken_patterns_are_refused)
{
    static const struct {
        struct prog_pattern from, to;
        const char *part;
    } rows[] = {
        { { .ndim = 0 }, { .ndim = 1, .sizes = { 1 }, .steps = { 1 } }, "no dimensions" },
        { { .ndim = 1, .sizes = { 0 }, .steps = { 1 } },
          { .ndim = 1, .sizes = { 1 }, .steps = { 1 } },
          "Size cannot be 0" },
        { { .ndim = 1, .sizes = { 2 }, .steps = { 1 } },
          { .ndim = 1, .sizes = { 1 }, .steps = { 1 } },
          "from has 2 bytes" },
        { { .ndim = 1, .sizes = { (1 << 22) + 1 }, .steps = { 1 } },
          { .ndim = 1, .sizes = { 1 }, .steps = { 1 } },
          "leaves its variable" },
        { { .offset = 3, .ndim = 2, .sizes = { 4, 2 }, .steps = { 1, -4 } },
          { .ndim = 1, .sizes = { 8 }, .steps = { 1 } },
          "leaves its variable" },
        { { .offset = UINT64_MAX, .ndim = 1, .sizes = { 1 }, .steps = { 1 } },
          { .ndim = 1, .sizes = { 1 }, .steps = { 1 } },
          "leaves its variable" },
        { { .ndim = 2, .sizes = { UINT64_MAX, 2 }, .steps = { 0, 0 } },
          { .ndim = 1, .sizes = { 1 }, .steps = { 1 } },
          "2^64" },
        { { .ndim = 1, .sizes = { 1 }, .steps = { INT64_MIN } },
          { .ndim = 2, .sizes = { 1, 2 }, .steps = { INT64_MAX, INT64_MAX } },
          "leaves its variable" },
        { { .ndim = 1, .sizes = { UINT64_C(1) << 40 }, .steps = { 0 } },
          { .ndim = 1, .sizes = { UINT64_C(1) << 40 }, .steps = { 0 } },
          "descriptors" },
    };
    desc[0].from = rows[_i].from;
    desc[0].to = rows[_i].to;
    desc[0].to.var = 2;
    add_dma(&s, "q", 0);
    ck_assert_int_eq(try_load(), NERR_RULE);
    ck_assert_msg(strstr(err.text, rows[_i].part) != NULL, "%s", err.text);
}
END_TEST

START_TEST(blocks_follow_in_trigger_order_and_repeat)
{
    for (unsigned i = 0; i < 3; i++) {
        desc[i].from = flat(0, 100 * i, 10 + i);
        desc[i].to = flat(2, 100 * i, 10 + i);
    }
    add_dma(&s, "q", 2);
    add_dma(&s, "q", 0);
    add_dma(&s, "q", 2);
    struct load_ring *r = load();
    ck_assert_uint_eq(r->m2s_used, 6);
    static const uint32_t lengths[] = { 12, 4, 10, 4, 12, 4 };
    for (size_t k = 0; k < 6; k++)
        ck_assert_uint_eq(word(r->m2s, k, 0) & 0xffff, lengths[k]);
}
END_TEST

START_TEST(a_queue_without_semaphore_gets_no_increment)
{
    e1.queues[0].semaphore = -1;
    desc[0].from = flat(0, 0, 8);
    desc[0].to = flat(2, 0, 8);
    struct load_ring *r = load();
    ck_assert_uint_eq(r->m2s_used, 1);
    ck_assert_uint_eq(r->s2m_used, 1);
    load_free(plan);
    blocks[0].ndesc = 0;
    ck_assert_int_eq(try_load(), NERR_RULE);
    ck_assert_ptr_nonnull(strstr(err.text, "no descriptors"));
}
END_TEST

START_TEST(queues_are_spread_over_engines_by_name)
{
    static char names[30][4];
    static struct prog_queue queues[30];
    for (unsigned i = 0; i < 30; i++) {
        snprintf(names[i], sizeof names[i], "q%02u", i);
        queues[i] = (struct prog_queue){
            .name = names[i], .ring_kind = RINGK_DATA, .owner = ENG_POOL, .semaphore = -1
        };
    }
    e1.p.queues = queues;
    e1.p.nqueues = 28;
    e1.p.nblocks = 0;
    ck_assert_int_eq(try_load(), 0);
    for (unsigned i = 0; i < 28; i++) {
        ck_assert_uint_eq(plan->rings[i].engine, i % 2);
        ck_assert_uint_eq(plan->rings[i].queue, i / 2);
        ck_assert_uint_eq(plan->rings[i].m2s_base, 0x800000 + 0x2000 * i);
    }
    load_free(plan);
    e1.p.nqueues = 29;
    ck_assert_int_eq(try_load(), NERR_RULE);
    ck_assert_ptr_nonnull(strstr(err.text, "DMA engines hold 28"));
}
END_TEST

START_TEST(arenas_move_up_when_what_is_below_grows)
{
    desc[0].from = (struct prog_pattern){ .var = 0, .ndim = 2, .sizes = { 1, 400000 }, .steps = { 1, 2 } };
    desc[0].to = (struct prog_pattern){ .var = 2, .ndim = 2, .sizes = { 1, 400000 }, .steps = { 1, 2 } };
    struct load_ring *r = load();
    ck_assert_uint_eq(r->entries, 400016);
    ck_assert_uint_eq(r->m2s_base, 0x800000);
    ck_assert_uint_eq(r->s2m_base, 0x800000 + ((400016 * 16 + 0xfff) & ~0xfffu));
    uint64_t end = r->s2m_base + 400016 * 16;
    ck_assert_uint_eq(plan->vars[0].addr, (end + 0xfffff) & ~UINT64_C(0xfffff));
}
END_TEST

START_TEST(variables_keep_guard_bytes_and_alignment)
{
    e1.vars[0].size = 0x1000 - 63; /* 63 bytes to the page end are not enough */
    e1.vars[2].size = 0x1000 - 64;
    e1.vars[3].size = 1;
    e1.vars[3].alignment = 0x10000;
    ck_assert_int_eq(try_load(), 0);
    ck_assert_uint_eq(plan->vars[0].addr, 0x1000000);
    ck_assert_uint_eq(plan->vars[2].addr, 0x1002000);
    ck_assert_uint_eq(plan->vars[3].addr, 0x1010000);
    ck_assert_uint_eq(plan->vars[4].addr, 0x1011000);
    load_free(plan);
    plan = NULL;
    e1.vars[3].alignment = 3;
    ck_assert_int_eq(try_load(), NERR_RULE);
    e1.vars[3].alignment = 64;
    e1.vars[3].size = UINT64_MAX - 100;
    ck_assert_int_eq(try_load(), NERR_RULE);
    ck_assert_ptr_nonnull(strstr(err.text, "HBM"));
}
END_TEST

START_TEST(weights_are_copied_and_state_buffer_takes_no_hbm)
{
    static const uint8_t weight[5] = { 1, 2, 3, 4, 5 };
    e1.vars[3].kind = VARK_BUFFER;
    e1.vars[3].size = sizeof weight;
    e1.vars[3].payload = weight;
    desc[0].from = flat(3, 1, 4);
    desc[0].to = flat(1, 0x105, 4);
    struct load_ring *r = load();
    ck_assert_uint_eq(word(r->s2m, 0, 2), 0x105);
    ck_assert_uint_eq(word(r->s2m, 0, 3), 0x20);
    bool found = false;
    for (size_t i = 0; i < plan->ninit; i++)
        if (plan->init[i].bytes == weight) {
            found = true;
            ck_assert_uint_eq(plan->init[i].addr, plan->vars[3].addr);
            ck_assert_uint_eq(plan->init[i].len, 5);
            ck_assert_str_eq(plan->init[i].label, "weight gradient_in");
        }
    ck_assert(found);
}
END_TEST

START_TEST(local_virtual_variables_share_one_area)
{
    e1.vars[3] = (struct prog_var){ .name = e1.vars[3].name,
                                    .kind = VARK_VIRTUAL,
                                    .var_id = 3,
                                    .size = 100,
                                    .alignment = 64,
                                    .backing_off = 0x2000 };
    e1.vars[4] = (struct prog_var){ .name = e1.vars[4].name,
                                    .kind = VARK_VIRTUAL,
                                    .var_id = 4,
                                    .size = 300,
                                    .alignment = 64,
                                    .backing_off = 0x10 };
    ck_assert_int_eq(try_load(), 0);
    ck_assert_uint_eq(plan->vars[3].addr - plan->vars[4].addr, 0x1ff0);
    ck_assert_uint_gt(plan->vars[4].addr, plan->vars[2].addr + e1.vars[2].size);
    load_free(plan);
    plan = NULL;
    e1.vars[4].backing = BACKING_SHARED;
    ck_assert_int_eq(try_load(), NERR_RULE);
    e1.vars[4].backing = BACKING_LOCAL;
    e1.vars[4].backing_off = UINT64_MAX;
    ck_assert_int_eq(try_load(), NERR_RULE);
}
END_TEST

START_TEST(later_inferences_continue_where_the_ring_stands)
{
    struct load_ring r = {
        .entries = 32, .m2s_used = 23, .s2m_used = 32, .m2s_base = 0x800000, .s2m_base = 0x801000
    };
    static uint8_t m2s[32 * DESC_BYTES], s2m[32 * DESC_BYTES], buf[32 * DESC_BYTES];
    for (unsigned i = 0; i < 32; i++) {
        m2s[i * DESC_BYTES] = (uint8_t)i;
        m2s[i * DESC_BYTES + 3] = 0x8d;
        s2m[i * DESC_BYTES + 3] = 0x21;
    }
    r.m2s = m2s;
    r.s2m = s2m;
    struct load_stamp st[2];
    ck_assert_uint_eq(load_restamp(&r, 0, 0, buf, st), 1);
    ck_assert_uint_eq(st[0].addr, 0x800000);
    ck_assert_uint_eq(st[0].len, 23 * DESC_BYTES);
    ck_assert_mem_eq(buf, m2s, 23 * DESC_BYTES);
    /* inference 1 starts at 23: nine entries of lap 1, fourteen of lap 2 */
    ck_assert_uint_eq(load_restamp(&r, 0, 1, buf, st), 2);
    ck_assert_uint_eq(r.first[0], 23);
    ck_assert_uint_eq(st[0].addr, 0x800000 + 23 * DESC_BYTES);
    ck_assert_uint_eq(st[0].len, 9 * DESC_BYTES);
    ck_assert_uint_eq(st[1].addr, 0x800000);
    ck_assert_uint_eq(st[1].len, 14 * DESC_BYTES);
    ck_assert_uint_eq(st[0].bytes[0], 0);
    ck_assert_uint_eq(st[0].bytes[3], 0x8d);
    ck_assert_uint_eq(st[1].bytes[0], 9);
    ck_assert_uint_eq(st[1].bytes[3], 0x8e);
    /* a full ring: one lap each, ids 1, 2, 3, 0, 1 */
    static const uint8_t ids[] = { 0x21, 0x22, 0x23, 0x20, 0x21 };
    for (unsigned k = 0; k < 5; k++) {
        ck_assert_uint_eq(load_restamp(&r, 1, k, buf, st), 1);
        ck_assert_uint_eq(st[0].addr, 0x801000);
        ck_assert_uint_eq(st[0].len, 32 * DESC_BYTES);
        for (unsigned i = 0; i < 32; i++)
            ck_assert_uint_eq(buf[i * DESC_BYTES + 3], ids[k]);
    }
    r.m2s_used = 0;
    ck_assert_uint_eq(load_restamp(&r, 0, 3, buf, st), 0);
}
END_TEST

START_TEST(descriptor_texts_follow_the_ring)
{
    for (unsigned i = 0; i < 20; i++) {
        desc[i].from = flat(0, 0, 8);
        desc[i].to = flat(2, 0, 8);
    }
    for (unsigned i = 0; i < 13; i++)
        add_dma(&s, "q", i);
    struct load_ring *r = load();
    ck_assert_uint_eq(r->m2s_used, 26);
    static uint8_t buf[26 * DESC_BYTES];
    struct load_stamp st[2];
    char t[128];
    load_restamp(r, 0, 1, buf, st);
    ck_assert_str_eq(load_desc_text(plan, 0, 0, 0, 26, t, sizeof t), "q M2S[26] (e0 q0): dma[0].desc[0]");
    ck_assert_str_eq(load_desc_text(plan, 0, 0, 0, 1, t, sizeof t),
                     "q M2S[1] (e0 q0): def.json q.semaphore 10");
    ck_assert_str_eq(load_desc_text(plan, 0, 0, 0, 25, t, sizeof t), "q M2S[25] (e0 q0): unused entry");
    ck_assert_str_eq(load_desc_text(plan, 0, 0, 1, 25, t, sizeof t),
                     "q S2M[25] (e0 q0): def.json q.semaphore 10");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("load rings");
    TCase *tc = tcase_create("rings");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_copy_is_cut_at_64_kib);
    tcase_add_test(tc, source_runs_are_gathered_into_one_packet);
    tcase_add_test(tc, destination_runs_are_scattered_from_one_packet);
    tcase_add_test(tc, a_packet_has_at_most_64_descriptors);
    tcase_add_test(tc, a_single_run_left_over_is_a_plain_pair);
    tcase_add_loop_test(tc, any_pair_of_patterns_moves_the_right_bytes, 0, 10);
    tcase_add_loop_test(tc, broken_patterns_are_refused, 0, 9);
    tcase_add_test(tc, blocks_follow_in_trigger_order_and_repeat);
    tcase_add_test(tc, a_queue_without_semaphore_gets_no_increment);
    tcase_add_test(tc, queues_are_spread_over_engines_by_name);
    tcase_add_test(tc, arenas_move_up_when_what_is_below_grows);
    tcase_add_test(tc, variables_keep_guard_bytes_and_alignment);
    tcase_add_test(tc, weights_are_copied_and_state_buffer_takes_no_hbm);
    tcase_add_test(tc, local_virtual_variables_share_one_area);
    tcase_add_test(tc, later_inferences_continue_where_the_ring_stands);
    tcase_add_test(tc, descriptor_texts_follow_the_ring);
    suite_add_tcase(suite, tc);
    SRunner *sr = srunner_create(suite);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
