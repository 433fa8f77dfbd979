/* The manifests of a NEFF (as text: folder.h) through both readers: graph by graph, and all that is wrong. */
#include "folder.h"
#include "load/verify.h"
#include "neff/check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_program(const struct program *p)
{
    struct nerr err;
    for (size_t i = 0; i < p->nvars; i++) {
        DEMAND(p->vars[i].var_id == i);
        DEMAND(program_find_var(p, p->vars[i].name) == (long)i);
        DEMAND(program_var_kind_name(p->vars[i].kind)[0] != '?');
        if (p->vars[i].payload)
            frame_touch(p->vars[i].payload, (size_t)p->vars[i].size);
    }
    for (size_t i = 0; i < p->nqueues; i++)
        DEMAND(program_find_queue(p, p->queues[i].name) == (long)i);
    for (size_t i = 0; i < p->nblocks; i++) {
        DEMAND(p->blocks[i].queue < p->nqueues);
        for (size_t d = 0; d < p->blocks[i].ndesc; d++)
            DEMAND(p->blocks[i].desc[d].from.var < p->nvars && p->blocks[i].desc[d].to.var < p->nvars);
    }
    for (size_t i = 0; i < PROG_ENGINES; i++)
        frame_touch(p->engines[i].code, p->engines[i].code ? p->engines[i].code_size : 0);
    for (unsigned arch = ARCH_SUNDA; arch <= ARCH_MARIANA; arch++)
        (void)program_check_arch(p, arch, &err);
}

/* Every graph alone; false when one is refused. */
static bool read_graphs(const struct neff *n)
{
    const char **names = NULL;
    size_t count = 0;
    struct nerr err;
    bool good = true;
    if (program_graphs(n, &names, &count, &err)) {
        DEMAND(err.code != 0 && err.text[0]);
        return false;
    }
    for (size_t i = 0; i < count && i < 3; i++) {
        struct program *p = NULL;
        if (program_read(n, names[i], &p, &err) == 0) {
            check_program(p);
            program_free(p);
        } else {
            DEMAND(err.code != 0 && err.text[0]);
            good = false;
        }
    }
    free(names);
    return good;
}

/* All graphs with all their problems; returns the exit code of `check`. */
static int find_problems(const struct neff *n, unsigned arch, size_t limit)
{
    struct check_options opt = { .arch = arch };
    struct findings f = { .limit = limit };
    struct program **list = NULL;
    size_t count = 0;
    struct nerr err;
    DEMAND(neff_check(n, &opt, &f, &list, &count, &err) == 0);
    for (size_t i = 0; i < count; i++)
        DEMAND(load_verify(list[i], arch, &f, &err) == 0);
    program_free_all(list, count);
    for (size_t i = 0; i < f.count; i++)
        DEMAND(f.list[i].text[0] && f.list[i].member && f.list[i].place);
    int code = findings_exit_code(&f);
    findings_free(&f);
    return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct neff *n = folder_open(data, size);
    if (n) {
        bool good = read_graphs(n);
        DEMAND(good || find_problems(n, 0, 50) != 0); /* what one reader refuses is a finding for the other */
        (void)find_problems(n, ARCH_CAYMAN, 1 + size % 7); /* looking stops in the middle */
    }
    neff_close(n);
    return 0;
}
