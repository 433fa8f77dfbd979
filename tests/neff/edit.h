/*
 * E1 with changes in its members, packed in memory, for the tests of the manifests. An edit replaces one text
 * that occurs exactly once in its member; edits of one member add up.
 */
#ifndef TESTS_NEFF_EDIT_H
#define TESTS_NEFF_EDIT_H

#include "e1.h"

struct edit {
    const char *member, *old, *new;
};

static struct neff *base; /* E1 as it is */
static char last_warning[600];
static int warnings;

static inline void edit_warn(void *ctx, const char *where, const char *text)
{
    (void)ctx;
    warnings++;
    snprintf(last_warning, sizeof last_warning, "%s: %s", where, text);
}

static inline void edit_setup(void)
{
    e1_stored();
    ck_assert_int_eq(neff_open_memory(image, image_len, NULL, &base, &err), 0);
}

static inline void edit_teardown(void)
{
    neff_close(base);
    e1_free();
}

/* Replaces the only place of e->old in *text, which is an allocation. */
static inline void edit_text(char **text, const struct edit *e)
{
    char *at = strstr(*text, e->old);
    ck_assert_msg(at != NULL, "%s lacks %s", e->member, e->old);
    ck_assert_msg(strstr(at + 1, e->old) == NULL, "%s has %s twice", e->member, e->old);
    char *result = text_printf("%.*s%s%s", (int)(at - *text), *text, e->new, at + strlen(e->old));
    free(*text);
    *text = result;
}

/*
 * Packs E1 with n edits and `extra` (up to a name NULL): a member with data NULL is left out, another is
 * added or replaced. header: what to change in the header, may be NULL. The caller frees *packed.
 */
static inline void edit_pack(const struct edit *edits, size_t n, const struct neff_file *extra,
                             const struct neff_pack_settings *settings, uint8_t **packed, size_t *len)
{
    struct neff_file files[64];
    char *texts[64] = { NULL };
    size_t count = 0, i;
    bool used[64] = { false };
    struct neff_pack_settings s;
    for (i = 0; i < neff_member_count(base); i++) {
        const struct neff_member *m = neff_member_at(base, i);
        const struct neff_file *x = extra;
        while (x && x->name && strcmp(x->name, m->name) != 0)
            x++;
        if (x && x->name)
            continue;
        files[count] = (struct neff_file){ m->name, m->data, m->size };
        for (size_t k = 0; k < n; k++) {
            if (strcmp(edits[k].member, m->name) != 0)
                continue;
            if (!texts[count])
                texts[count] = text_copy_n((const char *)m->data, m->size);
            edit_text(&texts[count], &edits[k]);
            files[count].data = texts[count];
            files[count].size = strlen(texts[count]);
            used[k] = true;
        }
        count++;
    }
    for (const struct neff_file *x = extra; x && x->name; x++)
        if (x->data)
            files[count++] = *x;
    for (size_t k = 0; k < n; k++)
        ck_assert_msg(used[k], "no member %s", edits[k].member);
    neff_pack_defaults(&s);
    memset(&err, 0, sizeof err);
    ck_assert_msg(neff_pack_memory(files, count, settings ? settings : &s, packed, len, &err) == 0, "%s: %s",
                  err.where, err.text);
    for (i = 0; i < 64; i++)
        free(texts[i]);
}

/* The same, opened. */
static inline struct neff *edit_open(const struct edit *edits, size_t n, const struct neff_file *extra)
{
    struct neff_options opt = { .warn = edit_warn };
    struct neff *neff;
    uint8_t *packed;
    size_t len;
    edit_pack(edits, n, extra, NULL, &packed, &len);
    warnings = 0;
    ck_assert_int_eq(neff_open_memory(packed, len, &opt, &neff, &err), 0);
    free(packed);
    return neff;
}

#define NEFF_JSON "neff.json"
#define KELF      "kelf-a.json"
#define DEF       "sg00/def.json"
#define POOL      "sg00/pool.json"
#define ACT       "sg00/act.json"

#define SB_VAR    "\"type\": \"state-buffer\",\n      \"var_id\": 1"
#define GOUT      "\"size\": 128,\n      \"type\": \"tmp-buf\",\n      \"var_id\": 4"
#define QIN       "\"semaphore\": 10,\n      \"type\": \"in\""
#define FIRST_FROM                                                                                           \
    "\"from\": \"input\",\n          \"from_off\": 0,\n          \"from_sizes\": [\n            128,\n     " \
    "       1\n          ],\n          \"from_steps\": [\n            1,\n            128\n          ]"
#define FIRST_TO                                                                                             \
    ",\n          \"to\": \"gradient_in\",\n          \"to_off\": 0,\n          \"to_sizes\": [\n          " \
    "  128,"                                                                                                 \
    "\n            1\n          ],\n          \"to_steps\": [\n            1,\n            128\n          ]"
#define RESERVED "\"runtime_statebuffer_reservation\": []"

#endif
