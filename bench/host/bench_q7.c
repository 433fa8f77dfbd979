/*
 * Speed of the prelinker on a synthetic library far larger than a window: bytes of segments per second,
 * beside memcpy of the same bytes in the same run, and relocations per second in the mix of the shipped image
 * (8 none, 30 words, 101 pairs of constants). The windows and the size gate are lifted by options that only
 * this bench sets.
 */
#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "q7/q7.h"
#include "util/bytes.h"

#define CODE      0x10000000u
#define DATA      0x40000000u
#define INFO      0x60000000u
#define SEGMENT   (32u << 20)
#define HEAD      0x100u
#define DYNAMIC   0x40u
#define MANY      (1u << 20)
#define REPEATS   5
#define CODE_BASE 0x04000000u
#define DATA_BASE 0x0a000000u

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void put_words(uint8_t *p, const uint32_t *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put_le32(p + 4 * i, words[i]);
}

static void put_header(uint8_t *f, uint32_t relocs)
{
    const uint32_t info_off = HEAD + 2 * SEGMENT, info = DYNAMIC + 12 * relocs;
    const uint32_t phdr[4][8] = {
        { PT_LOAD, HEAD, CODE, CODE, SEGMENT, SEGMENT, 5, 0x80 },
        { PT_LOAD, HEAD + SEGMENT, DATA, DATA, SEGMENT, SEGMENT, 7, 0x80 },
        { PT_LOAD, info_off, INFO, INFO, info, info, 3, 0x80 },
        { PT_DYNAMIC, info_off, INFO, INFO, DYNAMIC, DYNAMIC, 6, 4 },
    };
    const uint32_t dynamic[] = {
        DT_RELA, INFO + DYNAMIC, DT_RELASZ, 12 * relocs, DT_RELAENT, 12, DT_NULL, 0
    };
    memcpy(f, ELFMAG "\1\1\1", 7);
    put_le16(f + offsetof(Elf32_Ehdr, e_type), ET_EXEC);
    put_le16(f + offsetof(Elf32_Ehdr, e_machine), EM_XTENSA);
    put_le32(f + offsetof(Elf32_Ehdr, e_version), EV_CURRENT);
    put_le32(f + offsetof(Elf32_Ehdr, e_entry), CODE);
    put_le32(f + offsetof(Elf32_Ehdr, e_phoff), sizeof(Elf32_Ehdr));
    put_le32(f + offsetof(Elf32_Ehdr, e_flags), Q7_EF_XT_INSN | Q7_EF_XT_LIT);
    put_le16(f + offsetof(Elf32_Ehdr, e_ehsize), sizeof(Elf32_Ehdr));
    put_le16(f + offsetof(Elf32_Ehdr, e_phentsize), sizeof(Elf32_Phdr));
    put_le16(f + offsetof(Elf32_Ehdr, e_phnum), 4);
    put_words(f + sizeof(Elf32_Ehdr), &phdr[0][0], 32);
    put_words(f + info_off, dynamic, sizeof dynamic / sizeof dynamic[0]);
}

/* Entry i of a table that ascends through both segments, as linkers write it; words at every byte offset. */
static void put_reloc(uint8_t *f, uint32_t i)
{
    uint32_t n = i % 240, at = i * ((SEGMENT - 16) / MANY);
    uint32_t words[3] = { 0, Q7_REL_NONE, 0 };
    if (n >= 38) { /* ALT and OP alternate */
        at += i % 6;
        f[HEAD + at] = Q7_OP0_CONST16;
        words[0] = CODE + at;
        words[1] = n % 2 ? Q7_REL_SLOT_OP : Q7_REL_SLOT_ALT;
        words[2] = DATA + i;
    } else if (n >= 8) {
        words[0] = DATA + at + i % 4;
        words[1] = Q7_REL_RELATIVE;
    }
    put_words(f + HEAD + 2 * SEGMENT + DYNAMIC + 12 * (size_t)i, words, 3);
}

/* Best of REPEATS runs of prelink and image, in seconds; negative on failure. */
static double measure(const uint8_t *f, size_t len, const struct q7_options *opt, uint8_t *out)
{
    double best = 1e9;
    for (unsigned i = 0; i < REPEATS; i++) {
        struct q7_image img;
        struct q7_error err;
        double start = now();
        if (q7_prelink(f, len, opt, &img, &err)) {
            fprintf(stderr, "bench_q7: status %d: %s: %s\n", err.status, err.where, err.detail);
            return -1;
        }
        q7_image_write(&img, out);
        q7_image_free(&img);
        double t = now() - start;
        best = t < best ? t : best;
    }
    return best;
}

static double measure_copy(const uint8_t *f, uint8_t *out)
{
    double best = 1e9;
    for (unsigned i = 0; i < REPEATS; i++) {
        double start = now();
        memcpy(out, f + HEAD, 2 * SEGMENT);
        double t = now() - start;
        best = t < best ? t : best;
    }
    return best;
}

int main(void)
{
    const size_t len = HEAD + 2 * (size_t)SEGMENT + DYNAMIC + 12 * (size_t)MANY;
    uint8_t *f = calloc(1, len), *out = calloc(1, 2 * (size_t)SEGMENT + 0x100);
    struct q7_options opt;
    if (!f || !out || !q7_options_for(ARCH_CAYMAN, &opt))
        return 1;
    opt.code = (struct q7_window){ CODE_BASE, SEGMENT };
    opt.data = (struct q7_window){ DATA_BASE, SEGMENT };
    opt.image_max = 0;
    put_header(f, 0);
    double copy = measure_copy(f, out), plain = measure(f, len, &opt, out);
    put_header(f, MANY);
    for (uint32_t i = 0; i < MANY; i++)
        put_reloc(f, i);
    double many = plain < 0 ? -1 : measure(f, len, &opt, out);
    free(f);
    free(out);
    if (many < 0)
        return 1;
    double walk = many > plain ? many - plain : 1e-9;
    printf("q7 prelink: %.0f MB/s of segment bytes (want 200), memcpy %.0f MB/s, %.1f times its time\n",
           2 * SEGMENT / plain / 1e6, 2 * SEGMENT / copy / 1e6, plain / copy);
    printf(
        "q7 relocations: %.1f million/s (want 5), %u in %.1f ms with %u MB of segments; %.0f MB/s all in\n",
        MANY / walk / 1e6, MANY, 1e3 * many, 2 * SEGMENT >> 20, 2 * SEGMENT / many / 1e6);
    return 0;
}
