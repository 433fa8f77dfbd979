/*
 * Shared by the directed benches of single RTL blocks (bench/<block>/<name>_tb.cpp): named checks, a count, a verdict.
 * A bench prints one line per failed check, then "N passed, N failed", and returns tb_finish() from main.
 */
#ifndef NEFFSIM_BENCH_TB_H
#define NEFFSIM_BENCH_TB_H

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

inline unsigned tb_passed, tb_failed; /* one count for all files of a bench */
inline const char *tb_row = "";

/* Names the acceptance row or behaviour that the following checks belong to. */
static inline void tb_case(const char *name) { tb_row = name; }

static inline void tb_check_at(bool ok, const char *what, const char *file, int line)
{
    if (ok) {
        tb_passed++;
        return;
    }
    tb_failed++;
    std::printf("FAIL %s: %s (%s:%d)\n", tb_row, what, file, line);
}

static inline void tb_equal_at(uint64_t got, uint64_t want, const char *what, const char *file, int line)
{
    if (got == want) {
        tb_passed++;
        return;
    }
    tb_failed++;
    std::printf("FAIL %s: %s is 0x%" PRIx64 ", expected 0x%" PRIx64 " (%s:%d)\n", tb_row, what, got, want, file, line);
}

#define TB_CHECK(cond) tb_check_at((cond), #cond, __FILE__, __LINE__)
#define TB_EQUAL(got, want) tb_equal_at((uint64_t)(got), (uint64_t)(want), #got, __FILE__, __LINE__)

/* A handshake rule of bench/assert was broken: the bench fails. One that provokes them defines TB_OWN_RULES. */
#ifndef TB_OWN_RULES
extern "C" __attribute__((used)) inline void neffsim_rule(const char *place, const char *text)
{
    if (tb_failed++ < 20)
        std::printf("FAIL %s: rule broken: %s (%s)\n", tb_row, text, place);
}
#endif

static inline int tb_finish(void)
{
    if (tb_passed + tb_failed == 0)
        tb_failed = 1;
    std::printf("%u passed, %u failed\n", tb_passed, tb_failed);
    return tb_failed ? 1 : 0;
}

/* xorshift64*: the same random numbers everywhere for a seed. */
static inline uint64_t tb_random(uint64_t *s)
{
    *s ^= *s >> 12;
    *s ^= *s << 25;
    *s ^= *s >> 27;
    return *s * UINT64_C(2685821657736338717);
}
#endif
