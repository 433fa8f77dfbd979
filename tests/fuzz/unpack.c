/*
 * A tar archive (in a frame: members.h) written below a folder of its own and packed again: every member
 * keeps its bytes, nothing is written after a refusal. Slow, because it uses the file system.
 */
#define _XOPEN_SOURCE 700 /* nftw */
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "members.h"
#include "neff/pack.h"
#include "neff/unpack.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[64]; /* holds "target" while an input runs, else nothing */
static char target[sizeof folder + 8];

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *f)
{
    (void)st;
    (void)kind;
    (void)f;
    return remove(path);
}

static void remove_folder(void)
{
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    snprintf(folder, sizeof folder, "%s/neffsim-fuzz-XXXXXX", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    DEMAND(mkdtemp(folder));
    snprintf(target, sizeof target, "%s/target", folder);
    atexit(remove_folder);
    return 0;
}

static int count_files(const char *path, const struct stat *st, int kind, struct FTW *f)
{
    (void)path;
    (void)st;
    (void)f;
    DEMAND(kind == FTW_F || kind == FTW_D);
    return 0;
}

static void pack_again(const struct neff *n)
{
    const struct neff_pack_options opt = { .pkg = 0 };
    struct neff *again = NULL;
    struct nerr err;
    uint8_t *file;
    size_t len;
    if (neff_pack_folder(target, &opt, &file, &len, &err))
        return; /* members that break a rule, names that tar cannot hold */
    DEMAND(neff_open_memory(file, len, NULL, &again, &err) == 0);
    DEMAND(neff_member_count(again) == neff_member_count(n));
    for (size_t i = 0; i < neff_member_count(n); i++) {
        const struct neff_member *a = neff_member_at(n, i), *b = neff_find(again, a->name);
        DEMAND(b && a->size == b->size && memcmp(a->data, b->data, a->size) == 0);
    }
    neff_close(again);
    free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct neff *n = members_open(data, size);
    struct nerr err;
    if (n && neff_unpack(n, target, &(struct neff_unpack_options){ .overwrite = false }, &err) == 0) {
        nftw(target, count_files, 8, FTW_PHYS);
        pack_again(n);
        nftw(target, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    } else if (n) {
        DEMAND(err.code != 0 && err.text[0]);
    }
    DEMAND(access(target, F_OK) != 0);
    neff_close(n);
    return 0;
}
