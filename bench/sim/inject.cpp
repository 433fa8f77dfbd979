/* Fault injection: see inject.h. */
#include "sim/inject.h"

#include <cstdlib>
#include <cstring>
#include <string>

#include "regs.h"

namespace {
/* Clocks by which delay-response holds a write back: longer than any barrier of the DMA engine can take by itself. */
constexpr uint64_t HOLD_CLOCKS = 400;

bool is_dma(unsigned master) { return master >= MASTER_UDMA0 && master < MASTER_HOST; }

void flip(uint32_t *line, uint64_t byte, unsigned bit) { line[byte / 4] ^= 1u << (8 * (byte % 4) + bit); }
} // namespace

const Inject::Name Inject::names_[NONE] = {
    { "flip-data", "flip one bit of the N-th data beat a DMA engine reads" },
    { "drop-semaphore", "lose the N-th semaphore update that changes a value" },
    { "duplicate-doorbell", "advance a DMA ring's tail once more after the N-th doorbell" },
    { "corrupt-descriptor", "flip one address bit in the N-th descriptor beat a DMA engine reads" },
    { "lose-notification", "answer the N-th record write of NOTIFIC without doing it" },
    { "delay-response", "answer the N-th DMA data write at once but do it 400 clocks later" },
    { "swap-writes", "do the N-th DMA write beat after the next one of the same engine" },
};

const char *Inject::kind(unsigned i, const char **meaning)
{
    if (i >= NONE)
        return nullptr;
    if (meaning)
        *meaning = names_[i].meaning;
    return names_[i].name;
}

int Inject::parse(const char *spec, struct nerr *err)
{
    if (!spec)
        return 0;
    const char *at = std::strchr(spec, '@');
    std::string name(spec, at ? (size_t)(at - spec) : std::strlen(spec)), all;
    for (unsigned i = 0; i < NONE; i++) {
        if (name == names_[i].name)
            kind_ = (Kind)i;
        all += (i ? ", " : "") + std::string(names_[i].name);
    }
    if (kind_ == NONE)
        return nerr_set(err, NERR_INPUT, "--inject", "kind '%s' is unknown, allowed are %s", name.c_str(), all.c_str());
    if (!at)
        return 0;
    char *end;
    at_ = std::strtoull(at + 1, &end, 10);
    if (at[1] < '0' || at[1] > '9' || *end || at_ == 0 || std::strlen(at + 1) > 18)
        return nerr_set(err, NERR_INPUT, "--inject", "'@%s' is no occurrence, allowed are @1, @2, ...", at + 1);
    return 0;
}

void Inject::read_beat(unsigned master, unsigned prot, uint64_t addr, uint32_t *line)
{
    if (!is_dma(master))
        return;
    if (kind_ == FLIP_DATA && prot == PROT_DATA && hit()) {
        flip(line, addr % 64, 0);
        happened_ = finished_ = true;
    } else if (kind_ == CORRUPT_DESCRIPTOR && prot == PROT_DESC && hit()) {
        flip(line, addr % 64 + 8, 6); /* buffer address of the first descriptor in the beat */
        happened_ = finished_ = true;
    }
}

bool Inject::write_beat(const MemBeat &beat, uint64_t cycle)
{
    switch (kind_) {
    case LOSE_NOTIFICATION:
        if (beat.master == MASTER_NOTIFIC && hit()) {
            happened_ = finished_ = true;
            return true;
        }
        return false;
    case DELAY_RESPONSE:
        if (!is_dma(beat.master))
            return false;
        if (!burst_open_ && !holding_ && !happened_ && ++seen_ == at_) {
            holding_ = true;
            happened_ = true;
            release_ = cycle + HOLD_CLOCKS;
            held_.push_back(beat);
            if (beat.last)
                holding_ = false;
            return true;
        }
        if (holding_ && beat.master == held_.front().master) {
            held_.push_back(beat);
            holding_ = !beat.last;
            return true;
        }
        burst_open_ = !beat.last;
        return false;
    case SWAP_WRITES:
        if (!is_dma(beat.master))
            return false;
        if (holding_ && beat.master == held_.front().master) {
            due_ = { beat, held_.front() };
            held_.clear();
            holding_ = false;
            happened_ = true;
            return true;
        }
        if (hit()) {
            holding_ = true;
            release_ = cycle + HOLD_CLOCKS;
            held_.push_back(beat);
            return true;
        }
        return false;
    default:
        return false;
    }
}

std::vector<MemBeat> Inject::due(uint64_t cycle)
{
    std::vector<MemBeat> out;
    out.swap(due_);
    if (!held_.empty() && cycle >= release_) {
        out.insert(out.end(), held_.begin(), held_.end());
        held_.clear();
        holding_ = false;
    }
    finished_ = happened_ && held_.empty();
    return out;
}

void Inject::observe(const struct dev_event &ev)
{
    if (kind_ == DROP_SEMAPHORE && ev.kind == EV_SEM && ev.dir == 1) {
        uint32_t &value = semaphores_[(uint32_t)ev.unit << 8 | ev.index];
        if (value != (uint32_t)ev.data && hit()) {
            poke_ = { Poke::SEMAPHORE, ev.unit, 0, 0, ev.index, value };
        } else {
            value = (uint32_t)ev.data;
        }
    } else if (kind_ == DUPLICATE_DOORBELL && ev.kind == EV_DMA_BELL && ev.code == 0 && ev.value != 0 && hit()) {
        poke_ = { Poke::TAIL, ev.unit, ev.dir, ev.queue, 0, ev.value };
    }
}

Inject::Poke Inject::poke()
{
    Poke p = poke_;
    poke_.what = Poke::NOTHING;
    return p;
}
