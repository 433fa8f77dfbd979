/* The register writes and the ring entries of slice-walkthrough.md §3 and §5, written out from that page with
 * literal numbers: BAR0 offsets, in the order in which the host issues them. */
#ifndef NEFFSIM_TEST_SLICE_WRITES_H
#define NEFFSIM_TEST_SLICE_WRITES_H

#include <stddef.h>
#include <stdint.h>

static const struct {
    unsigned ring, dir, at;
    const char *bytes;
    const char *from;
} slice_entries[] = {
    { 0, 0, 0x800000, "8000000d030008010000000100000000", "sg00/pool.json dma[0].desc[0]" },
    { 0, 0, 0x800010, "0400000d030008010400000090000000", "def.json q_gradient_in.semaphore 10" },
    { 0, 1, 0x801000, "80000001000000000020000100000000", "sg00/pool.json dma[0].desc[0]" },
    { 0, 1, 0x801010, "04000021000000002818700228000000", "def.json q_gradient_in.semaphore 10" },
    { 1, 0, 0x802000, "8000000d030008010030000100000000", "sg00/pool.json dma[1].desc[0]" },
    { 1, 0, 0x802010, "0400000d030008010400000090000000", "def.json q_gradient_out.semaphore 11" },
    { 1, 1, 0x803000, "80000001000000000010000100000000", "sg00/pool.json dma[1].desc[0]" },
    { 1, 1, 0x803010, "04000021000000002c18700228000000", "def.json q_gradient_out.semaphore 11" },
    { 2, 0, 0x804000, "8000000d030008010020000100000000", "sg00/pe.bin slot 1, tensors 3, 4" },
    { 2, 0, 0x804010, "0400000d030008010400000090000000", "sg00/pe.bin slot 1, update_idx 22" },
    { 2, 1, 0x805000, "80000001000000000030000100000000", "sg00/pe.bin slot 1, tensors 3, 4" },
    { 2, 1, 0x805010, "04000021000000005818700228000000", "sg00/pe.bin slot 1, update_idx 22" },
};

static uint64_t want_addr[256];
static uint32_t want_value[256];
static size_t nwant; /* of §5: 133 */

static void want(uint64_t addr, uint32_t value)
{
    want_addr[nwant] = addr;
    want_value[nwant++] = value;
}

static void want_r1_to_r3(void)
{
    static const unsigned queues[4][4] = { { 0x104, 0x100, 0x108, 0x10c },
                                           { 0x12c, 0x128, 0x130, 0x134 },
                                           { 0x154, 0x150, 0x158, 0x15c },
                                           { 0x17c, 0x178, 0x180, 0x184 } };
    want(0x6001030, 0xffffffff);
    want(0x6001034, 0xffffffff);
    want(0x6001008, 0x3ff);
    want(0x600100c, 0xffffffff);
    want(0x6001010, 0xffffffff);
    want(0x60010cc, 0xfa000);
    for (unsigned q = 0; q < 4; q++) {
        want(0x6001000 + queues[q][0], 0x4000);
        want(0x6001000 + queues[q][1], 0x100000 + 0x10000 * q);
        want(0x6001000 + queues[q][2], 0x10000);
        want(0x6001000 + queues[q][3], 0);
    }
    want(0x6001014, 0xf);
    want(0x6000a00, 0x100010);
    want(0x6000a04, 0x100010);
    want(0x6000a08, 0x20010);
    want(0x6000a0c, 3);
    want(0xd2701428, 0);
    want(0xd270142c, 0);
    want(0xd2701458, 0);
    for (uint32_t a = 0xd27017c0; a <= 0xd27017e4; a += 4)
        want(a, 0);
    want(0xf0001400, 0);
}

static void want_r4(void)
{
    static const struct {
        uint32_t m2s, m2s_base, s2m, s2m_base;
    } q[] = { { 0x82001000, 0x800000, 0x82021000, 0x801000 },
              { 0x82101000, 0x802000, 0x82121000, 0x803000 },
              { 0x82010000, 0x804000, 0x82030000, 0x805000 } };
    for (uint32_t b = 0x82000000; b <= 0x82100000; b += 0x100000) {
        want(b + 0x254, 0x10fffff);
        want(b + 0x304, 0x10041);
        want(b + 0x40000, 1);
    }
    for (unsigned i = 0; i < 3; i++) {
        want(q[i].m2s + 0x74, 3);
        want(q[i].m2s + 0x20, 0x3000000);
        want(q[i].m2s + 0xb0, 0x100);
        want(q[i].m2s + 0x28, q[i].m2s_base);
        want(q[i].m2s + 0x2c, 0);
        want(q[i].m2s + 0x30, 0x20);
        want(q[i].m2s + 0xa0, 0);
        want(q[i].m2s + 0x20, 0x3030000);
        want(q[i].s2m + 0x20, 0x3000000);
        want(q[i].s2m + 0x64, 0x100);
        want(q[i].s2m + 0x28, q[i].s2m_base);
        want(q[i].s2m + 0x2c, 0);
        want(q[i].s2m + 0x30, 0x20);
        want(q[i].s2m + 0x54, 0);
        want(q[i].s2m + 0x20, 0x3030000);
    }
}

static void want_r5(void)
{
    static const struct {
        uint32_t l, base, last;
    } e[] = { { 0xd2660000, 0x100000, 0x10027f },
              { 0xd2460000, 0x108000, 0x10823f },
              { 0xd3060000, 0x110000, 0x11037f },
              { 0xd2b78000, 0x118000, 0x11823f },
              { 0xd2860000, 0x120000, 0x1203ff } };
    for (unsigned i = 0; i < 5; i++) {
        want(e[i].l + 0x1060, e[i].base);
        want(e[i].l + 0x1080, 0);
        want(e[i].l + 0x10a0, e[i].base);
        want(e[i].l + 0x10c0, 0);
        want(e[i].l + 0x10e0, e[i].last);
        want(e[i].l + 0x1100, 0);
        if (i == 4)
            want(e[i].l + 0x1120, 0);
        want(e[i].l, 0);
        want(e[i].l + 4, 1);
    }
}

/* All of §5, in order. Returns how many. */
static size_t want_all(void)
{
    nwant = 0;
    want_r1_to_r3();
    want_r4();
    want_r5();
    return nwant;
}

#endif
