/* The address decoder of the model: SoC address -> target and offset (profiler-and-trace.md §9). */
#include "refmodel/ref_private.h"

static const struct {
    uint64_t base, bytes;
} memories[] = {
    { SOC_HBM0, SOC_HBM0_BYTES },
    { SOC_SBUF, SOC_SBUF_BYTES },
    { SOC_PSUM, SOC_PSUM_BYTES },
    { SOC_HOST, SOC_HOST_BYTES },
};

static const uint64_t lreg_bases[ENG_COUNT] = {
    [ENG_PE] = SOC_LREG_PE,   [ENG_ACT] = SOC_LREG_ACT, [ENG_POOL] = SOC_LREG_POOL,
    [ENG_DVE] = SOC_LREG_DVE, [ENG_SP] = SOC_LREG_SP,
};

static bool inside(uint64_t addr, uint64_t base, uint64_t bytes, uint64_t *off)
{
    *off = addr - base;
    return addr >= base && *off < bytes;
}

uint64_t ref_lreg_base(unsigned engine)
{
    return lreg_bases[engine];
}

unsigned ref_decode(const struct ref *r, uint64_t soc, uint64_t *off)
{
    uint64_t addr = soc & ~(uint64_t)SOC_ADDR_ATTR_MASK;
    for (unsigned i = 0; i < sizeof memories / sizeof memories[0]; i++) {
        if (inside(addr, memories[i].base, memories[i].bytes, off)) {
            *off = addr;
            return TARGET_MEM;
        }
    }
    for (unsigned e = 0; e < ENG_COUNT; e++)
        if (inside(addr, lreg_bases[e], SOC_LREG_BYTES, off))
            return TARGET_LREG + e;
    if (inside(addr, SOC_EVT, SOC_EVT_BYTES, off))
        return TARGET_EVT;
    if (inside(addr, SOC_TPB_CTRL, SOC_TPB_CTRL_BYTES, off))
        return TARGET_TPB_CTRL;
    if (inside(addr, SOC_NOTIFIC, SOC_NOTIFIC_BYTES, off))
        return TARGET_NOTIFIC;
    if (inside(addr, SOC_TOPSP0, SOC_EVT_BYTES, off))
        return TARGET_TOPSP_EVT;
    if (inside(addr, SOC_UDMA0, (uint64_t)r->cfg.n_dma * SOC_UDMA_STRIDE, off)) {
        unsigned e = (unsigned)(*off / SOC_UDMA_STRIDE);
        *off %= SOC_UDMA_STRIDE;
        return TARGET_UDMA + e;
    }
    *off = 0;
    return TARGET_NONE;
}

bool ref_is_memory(const struct ref *r, uint64_t soc, uint64_t len)
{
    uint64_t off;
    if (len == 0)
        return ref_decode(r, soc, &off) == TARGET_MEM;
    return soc + (len - 1) >= soc && ref_decode(r, soc, &off) == TARGET_MEM &&
           ref_decode(r, soc + (len - 1), &off) == TARGET_MEM;
}

bool ref_refuses(const struct ref *r, uint64_t soc)
{
    uint64_t off;
    unsigned target = ref_decode(r, soc, &off);
    return target == TARGET_NONE || target == TARGET_MEM || soc % 4 != 0 ||
           (target >= TARGET_UDMA && udma_refuses((uint32_t)off));
}

/* A slave also refuses to switch on what is not built, so that nothing looks as if it worked. */
bool ref_refuses_write(const struct ref *r, uint64_t soc, uint32_t value)
{
    uint64_t off;
    unsigned target = ref_decode(r, soc, &off);
    if (ref_refuses(r, soc))
        return true;
    if (target == TARGET_TPB_CTRL)
        return tpb_refuses_write(r, (uint32_t)off, value);
    return target >= TARGET_UDMA && udma_refuses_write((uint32_t)off, value);
}

/* A register takes exactly one aligned word (profiler-and-trace.md §9 rule 3). */
uint8_t ref_write_resp(const struct ref *r, uint64_t addr, uint32_t len)
{
    uint64_t off;
    switch (ref_decode(r, addr, &off)) {
    case TARGET_NONE:
        return AXI_DECERR;
    case TARGET_MEM:
        return AXI_OKAY;
    default:
        return len == 4 && !ref_refuses(r, addr) ? AXI_OKAY : AXI_SLVERR;
    }
}
