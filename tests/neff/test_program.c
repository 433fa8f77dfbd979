/*
 * The manifest rules of neff-container.md §8 to §18. Each case takes the members of E1 (and a few more),
 * changes one text in one of them, packs that in memory and demands a sentence at a place. `old` must occur
 * exactly once in the member.
 */
#include "refusals.h"

/* E1 with n edits and one extra member (or, with data NULL, without the member of that name). */
static int read_edited(const struct edit *edits, size_t n, const struct neff_file *extra, struct program **p,
                       struct neff **neff)
{
    struct neff_file list[] = { extra ? *extra : (struct neff_file){ 0 }, { 0 } };
    *neff = edit_open(edits, n, list);
    int rc = program_read(*neff, NULL, p, &err);
    if (rc)
        neff_close(*neff);
    return rc;
}

START_TEST(a_broken_rule_is_refused_at_its_place)
{
    const struct refusal *r = &refusals[_i];
    struct program *p;
    struct neff *n;
    int rc = read_edited(&r->edit, 1, NULL, &p, &n);
    ck_assert_msg(rc != 0, "accepted: %s", r->edit.new);
    ck_assert_msg(strstr(err.where, r->where) && strstr(err.text, r->text), "%s -> \"%s\": \"%s\"",
                  r->edit.new, err.where, err.text);
    ck_assert_int_eq(rc, r->code);
    ck_assert_int_eq(err.runtime_code, 2);
}
END_TEST

static struct program *accept(const struct edit *e, size_t count, const struct neff_file *extra,
                              struct neff **n)
{
    struct program *p;
    int rc = read_edited(e, count, extra, &p, n);
    ck_assert_msg(rc == 0, "%s: %s", err.where, err.text);
    return p;
}

static void done(struct program *p, struct neff *n)
{
    program_free(p);
    neff_close(n);
}

START_TEST(row_16_without_neff_json)
{
    struct program *p;
    struct neff *n;
    ck_assert_int_eq(read_edited(NULL, 0, &(struct neff_file){ "neff.json", NULL, 0 }, &p, &n), NERR_RULE);
    ck_assert_int_eq(err.gate, 16);
    ck_assert_int_eq(err.runtime_code, 2);
    ck_assert_str_eq(err.text, "Invalid NN: , neff.json is missing");
}
END_TEST

START_TEST(kelp_json_is_the_fallback)
{
    const struct neff_member *m = neff_find(base, "neff.json");
    struct neff_file files[] = { { "kelp.json", m->data, m->size } };
    struct neff_pack_settings s;
    struct neff *n;
    uint8_t *packed;
    size_t len, count;
    const char **graphs;
    neff_pack_defaults(&s);
    ck_assert_int_eq(neff_pack_memory(files, 1, &s, &packed, &len, &err), 0);
    ck_assert_int_eq(neff_open_memory(packed, len, NULL, &n, &err), 0);
    ck_assert_int_eq(program_graphs(n, &graphs, &count, &err), NERR_RULE);
    ck_assert_str_eq(err.where, "kelf-a.json"); /* found the head, went on to the next link */
    neff_close(n);
    free(packed);
}
END_TEST

START_TEST(an_unknown_graph_is_an_argument_error)
{
    struct program *p;
    ck_assert_int_eq(program_read(base, "sg07", &p, &err), NERR_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "sg07"));
    ck_assert_int_eq(program_read(base, "sg00", &p, &err), 0);
    program_free(p);
}
END_TEST

START_TEST(absent_debug_members_and_unknown_keys_are_tolerated)
{
    struct neff *n;
    struct edit e[] = { { DEF, "\"act\": \"act.json\"",
                          "\"#note\": 1, \"later\": {\"x\": []}, \"act\": \"act.json\"" } };
    struct program *p = accept(e, 1, NULL, &n);
    ck_assert_uint_eq(p->nvars, 5);
    done(p, n);
}
END_TEST

START_TEST(a_missing_engine_key_is_an_empty_placeholder)
{
    struct neff *n;
    struct edit e[] = { { DEF, "\"sp\": \"sp.json\",\n", "" } };
    struct program *p = accept(e, 1, NULL, &n);
    ck_assert(!p->engines[ENG_SP].present);
    ck_assert_ptr_null(p->engines[ENG_SP].json_name);
    ck_assert_uint_eq(p->engines[ENG_SP].code_size, 0);
    ck_assert_int_eq(warnings, 1);
    ck_assert_ptr_nonnull(strstr(last_warning, "Engine sp not found in NEFF , using empty placeholder"));
    done(p, n);
}
END_TEST

START_TEST(a_program_of_odd_size_is_a_warning)
{
    struct neff *n;
    struct neff_file odd = { "sg00/pe.bin", "0123456789", 10 };
    struct program *p = accept(NULL, 0, &odd, &n);
    ck_assert_uint_eq(p->engines[ENG_PE].code_size, 10);
    ck_assert_int_eq(warnings, 1);
    ck_assert_ptr_nonnull(strstr(last_warning, "no multiple of the 64-byte slot"));
    done(p, n);
}
END_TEST

START_TEST(raw_weights_are_the_whole_member)
{
    struct neff *n;
    struct edit e[] = { { DEF, SB_VAR,
                          "\"type\": \"file\", \"file_name\": \"w.bin\", \"size\": 7, \"var_id\": 1" } };
    struct neff_file w = { "sg00/w.bin", "weights!!", 9 };
    struct program *p = accept(e, 1, &w, &n);
    ck_assert_int_eq(p->vars[1].kind, VARK_BUFFER);
    ck_assert_uint_eq(p->vars[1].size, 9);
    ck_assert_mem_eq(p->vars[1].payload, "weights!!", 9);
    ck_assert_str_eq(p->vars[1].file_name, "w.bin");
    ck_assert_int_eq(warnings, 1); /* the size key says 7 */
    done(p, n);
}
END_TEST

START_TEST(npy_weights_lose_their_header)
{
    struct neff *n;
    struct edit e[] = { { DEF, SB_VAR, "\"type\": \"buffer\", \"file_name\": \"w.npy\", \"var_id\": 1" } };
    struct neff_file w = { "sg00/w.npy", "\x93NUMPY\x01\x00\x02\x00{}data", 16 };
    struct program *p = accept(e, 1, &w, &n);
    ck_assert_uint_eq(p->vars[1].size, 4);
    ck_assert_mem_eq(p->vars[1].payload, "data", 4);
    done(p, n);
}
END_TEST

START_TEST(a_broken_npy_weight_has_the_runtimes_message)
{
    struct neff *n;
    struct program *p;
    struct edit e[] = { { DEF, SB_VAR, "\"type\": \"file\", \"file_name\": \"w.npy\", \"var_id\": 1" } };
    struct neff_file w = { "sg00/w.npy", "junk", 4 };
    ck_assert_int_eq(read_edited(e, 1, &w, &p, &n), NERR_INPUT);
    ck_assert_str_eq(err.text, "NUMPY sg00/w.npy bad header 756a != 0x4e93");
    ck_assert_str_eq(err.where, "sg00/w.npy");
    ck_assert_int_eq(err.runtime_code, 2);
}
END_TEST

START_TEST(other_variable_kinds_are_read)
{
    struct neff *n;
    struct edit e[] = {
        { DEF, SB_VAR,
          "\"type\": \"virtual\", \"size\": 8, \"backing_variable_off\": 18446744073709551607, "
          "\"backing_buf\": \"main\", \"dtype\": \"float8_e4m3fn_x4\", \"var_id\": 1},"
          "\"p\": {\"type\": \"pointer\", \"size\": 8, \"referenced_var_id\": 6, \"var_id\": 5},"
          "\"q\": {\"type\": \"pointer\", \"size\": 8, \"referenced_var_id\": 0, \"var_id\": 6},"
          "\"l\": {\"type\": \"list\", \"list\": [0, 1], \"var_id\": 7},"
          "\"r\": {\"type\": \"remote\", \"remote_vtpb_rel_sg_id\": 1, \"var_id\": 8},"
          "\"d\": {\"type\": \"dge-table\", \"alignment\": 4096, \"var_id\": 9" }
    };
    struct program *p = accept(e, 1, NULL, &n);
    ck_assert_uint_eq(p->nvars, 10);
    ck_assert_uint_eq(p->vars[1].backing_off, UINT64_MAX - 8);
    ck_assert_int_eq(p->vars[1].backing, 3);
    ck_assert_str_eq(p->vars[1].dtype, "float8_e4m3fn_x4");
    ck_assert_uint_eq(p->vars[5].referenced_id, 6);
    ck_assert_int_eq(p->vars[7].kind, VARK_LIST);
    ck_assert_int_eq(p->vars[8].kind, VARK_REMOTE);
    ck_assert_uint_eq(p->vars[9].alignment, 4096);
    done(p, n);
}
END_TEST

START_TEST(the_first_of_two_variables_with_one_name_counts)
{
    struct neff *n;
    struct edit e[] = { { DEF, SB_VAR,
                          SB_VAR "}, \"SB\": {\"type\": \"tmp-buf\", \"size\": 4, \"var_id\": 77" } };
    struct program *p = accept(e, 1, NULL, &n);
    ck_assert_uint_eq(p->nvars, 5);
    ck_assert_int_eq(p->vars[1].kind, VARK_SB);
    done(p, n);
}
END_TEST

START_TEST(replica_groups_give_topologies_and_world_size)
{
    struct neff *n;
    struct edit e[] = { { DEF, "\"replica_groups\": [\n    []",
                          "\"replica_groups\": [\n    [[0,1],[2,3]], [[0,1,2,3]], []" } };
    struct program *p = accept(e, 1, NULL, &n);
    ck_assert_uint_eq(p->ngroups, 3);
    ck_assert_uint_eq(p->world_size, 4);
    done(p, n);
}
END_TEST

START_TEST(queues_are_sorted_and_tell_what_is_special)
{
    struct neff *n;
    struct edit e[] = {
        { DEF, QIN,
          QIN " }, \"a\": {\"owner\": \"act\", \"type\": \"data\", \"indirect_memcpy\": true, "
              "\"num_queues\": 2}, \"z\": {\"owner\": \"sp\", \"type\": \"data\", \"dge\": true" }
    };
    struct program *p = accept(e, 1, NULL, &n);
    ck_assert_uint_eq(p->nqueues, 4);
    ck_assert_str_eq(p->queues[0].name, "a");
    ck_assert_int_eq(p->queues[0].ring_kind, 9);
    ck_assert_int_eq(p->queues[0].semaphore, -1);
    ck_assert_str_eq(p->queues[0].extra, "num_queues");
    ck_assert_ptr_null(p->queues[1].extra);
    ck_assert_str_eq(p->queues[3].extra, "dge");
    ck_assert_int_eq(p->queues[3].owner, ENG_SP);
    done(p, n);
}
END_TEST

START_TEST(flat_sizes_of_early_producers_are_read)
{
    struct neff *n;
    struct edit e[] = { { POOL, FIRST_FROM, "\"from\": \"input\", \"size\": 128" } };
    struct program *p = accept(e, 1, NULL, &n);
    ck_assert_uint_eq(p->blocks[0].desc[0].from.ndim, 1);
    ck_assert_uint_eq(p->blocks[0].desc[0].from.sizes[0], 128);
    ck_assert_int_eq(p->blocks[0].desc[0].from.steps[0], 1);
    ck_assert(!p->blocks[0].desc[0].typed);
    done(p, n);
}
END_TEST

START_TEST(negative_steps_inside_the_variable_are_fine)
{
    struct neff *n;
    struct edit e[] = {
        { POOL, FIRST_FROM,
          "\"from\": \"input\", \"from_off\": 127, \"from_sizes\": [128], \"from_steps\": [-1]" }
    };
    struct program *p = accept(e, 1, NULL, &n);
    ck_assert_int_eq(p->blocks[0].desc[0].from.steps[0], -1);
    ck_assert_uint_eq(p->blocks[0].desc[0].from.offset, 127);
    done(p, n);
}
END_TEST

START_TEST(compute_descriptors_keep_operation_and_sources)
{
    struct neff *n;
    struct edit e[] = {
        { POOL, FIRST_FROM FIRST_TO,
          "\"op\": \"add\", \"to\": \"gradient_in\", \"to_dtype\": \"float32\", \"to_sizes\": [32], "
          "\"to_steps\": [4], \"from_arr\": ["
          "{\"from\": \"input\", \"from_dtype\": \"float32\", \"from_sizes\": [32], \"from_steps\": [4]},"
          "{\"from\": \"gradient_out\", \"from_dtype\": \"float32\", \"from_sizes\": [32], \"from_steps\": "
          "[4], \"scale\": 0.5}]" }
    };
    struct program *p = accept(e, 1, NULL, &n);
    ck_assert_int_eq(p->blocks[0].desc[0].op, KDMAOP_ADD);
    ck_assert_uint_eq(p->blocks[0].desc[0].nsources, 2);
    ck_assert(p->blocks[0].desc[0].typed);
    ck_assert_uint_eq(p->blocks[0].desc[0].from.var, 0);
    ck_assert_int_eq(p->blocks[0].desc[0].from.dtype, KDTYPE_FLOAT32);
    ck_assert_uint_eq(p->blocks[0].desc[0].more[0].var, 4);
    ck_assert(p->blocks[0].desc[0].more[0].scale == 0.5);
    ck_assert_uint_eq(p->blocks[0].desc[0].bytes, 128);
    ck_assert_uint_eq(p->blocks[0].bytes, 128);
    done(p, n);
}
END_TEST

START_TEST(blocks_of_def_json_belong_to_the_owner_of_their_queue)
{
    struct neff *n;
    struct edit e[] = {
        { DEF, "\"dve\": \"dve.json\"",
          "\"dma\": [{\"queue\": \"q_gradient_in\", \"id\": 5, \"desc\": [{\"from\": \"input\", \"to\": "
          "\"gradient_in\", \"size\": 4}]}], \"dve\": \"dve.json\"" }
    };
    struct program *p = accept(e, 1, NULL, &n);
    ck_assert_uint_eq(p->nblocks, 3);
    ck_assert_int_eq(p->blocks[0].engine, ENG_POOL);
    ck_assert_uint_eq(p->blocks[0].id, 5);
    ck_assert_str_eq(p->blocks[0].desc[0].where, "sg00/def.json dma[0].desc[0]");
    done(p, n);
}
END_TEST

START_TEST(a_ucode_library_that_passes_its_gates_is_noted)
{
    struct neff *n;
    static const char manifest[] =
        "{\"ucode_lib\": [{\"library\": \"kelf-a.json\", \"ulib_to_ucode_version\": \"1.21.1.0\","
        "\"cpu_id\": 0, \"total_cpus\": 8, \"functions\": [{\"name\": \"f\", \"opcode\": -123}, "
        "{\"name\": \"g\", \"opcode\": 133, \"sub_opcode\": 254}, "
        "{\"name\": \"h\", \"opcode\": 133, \"sub_opcode\": 255}]}]}";
    struct edit e[] = { { DEF, RESERVED, RESERVED ", \"ucode_lib\": \"ucode_lib.json\"" } };
    struct neff_file lib = { "sg00/ucode_lib.json", manifest, sizeof manifest - 1 };
    struct program *p = accept(e, 1, &lib, &n);
    ck_assert(p->has_ucode_lib);
    ck_assert_uint_eq(p->libraries[0].functions[0].opcode, 133);
    ck_assert_int_eq(p->libraries[0].functions[0].sub_opcode, -1);
    ck_assert_int_eq(p->libraries[0].functions[1].sub_opcode, 254);
    ck_assert_int_eq(p->libraries[0].functions[2].sub_opcode, -1); /* 0xff: unset */
    done(p, n);
}
END_TEST

START_TEST(targets_gate_the_chip)
{
    static const struct {
        const char *target;
        unsigned arch;
    } rows[] = { { "sunda", 2 }, { "v2", 2 },      { "", 2 },  { "cayman", 3 },
                 { "v3", 3 },    { "mariana", 4 }, { "v4", 4 } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct neff *n;
        char quoted[32];
        snprintf(quoted, sizeof quoted, "\"%s\"", rows[i].target);
        struct edit e[] = { { KELF, "\"*\"", quoted } };
        struct program *p = accept(e, 1, NULL, &n);
        for (unsigned arch = 2; arch <= 4; arch++)
            ck_assert_int_eq(program_check_arch(p, arch, &err), arch == rows[i].arch ? 0 : NERR_RULE);
        done(p, n);
    }
    ck_assert_str_eq(
        err.text,
        "Loading a NEFF compiled for a different arch is not allowed, NEFF arch: v4, instance arch: v3");
    ck_assert_int_eq(err.runtime_code, 2);
}
END_TEST

static int carveout(const char *entry)
{
    struct neff *n;
    char *text = text_printf("\"runtime_statebuffer_reservation\": [%s]", entry);
    struct edit e[] = { { DEF, RESERVED, text } };
    struct program *p = accept(e, 1, NULL, &n);
    ck_assert(p->has_evtaccel);
    ck_assert_int_eq(program_check_arch(p, ARCH_MARIANA, &err), 0);
    int rc = program_check_arch(p, ARCH_CAYMAN, &err);
    done(p, n);
    free(text);
    return rc;
}

START_TEST(the_event_accelerator_carveout_is_checked_on_cayman)
{
    ck_assert_int_eq(
        carveout(
            "{\"type\":\"evtaccel\",\"offset\":229368,\"size\":8,\"base_partition\":0,\"partitions\":128}"),
        0);
    ck_assert_int_eq(
        carveout(
            "{\"type\":\"evtaccel\",\"offset\":229368,\"size\":8,\"base_partition\":1,\"partitions\":128}"),
        NERR_RULE);
    ck_assert_ptr_nonnull(strstr(err.text, "Event Accel carveout SB partition must start at 0. Got 1"));
    ck_assert_int_eq(
        carveout(
            "{\"type\":\"evtaccel\",\"offset\":229368,\"size\":8,\"base_partition\":0,\"partitions\":64}"),
        NERR_RULE);
    ck_assert_ptr_nonnull(strstr(err.text, "partition count must be 128. Got 64"));
    ck_assert_int_eq(
        carveout("{\"type\":\"evtaccel\",\"offset\":16,\"size\":8,\"base_partition\":0,\"partitions\":128}"),
        NERR_RULE);
    ck_assert_ptr_nonnull(strstr(err.text, "offset must start at 0x37ff8. Got 0x10"));
    ck_assert_int_eq(
        carveout(
            "{\"type\":\"evtaccel\",\"offset\":229368,\"size\":4,\"base_partition\":0,\"partitions\":128}"),
        NERR_RULE);
    ck_assert_ptr_nonnull(strstr(err.text, "size must be 8. Got 4"));
}
END_TEST

START_TEST(a_missing_or_corrupted_reservation_key_fails_on_cayman_only)
{
    struct neff *n;
    struct edit e[] = { { DEF, "  " RESERVED ",\n", _i ? "\"runtime_statebuffer_reservation\": {}," : "" } };
    struct program *p = accept(e, 1, NULL, &n);
    ck_assert(!p->has_sb_reservation);
    ck_assert_int_eq(program_check_arch(p, ARCH_SUNDA, &err), 0);
    ck_assert_int_eq(program_check_arch(p, ARCH_CAYMAN, &err), NERR_RULE);
    ck_assert_int_eq(
        strncmp(err.text, "Missing or corrupted runtime_statebuffer_reservation field in def.json", 70), 0);
    done(p, n);
}
END_TEST

/* Every manifest with every byte removed, one at a time: whatever comes out, nothing may crash or leak. */
START_TEST(no_missing_byte_crashes_the_reader)
{
    static const char *const names[] = { NEFF_JSON, KELF, DEF, POOL, ACT };
    const struct neff_member *m = neff_find(base, names[_i]);
    for (size_t i = 0; i < m->size; i += 3) {
        char *text = malloc(m->size);
        struct neff *n;
        struct program *p;
        memcpy(text, m->data, i);
        memcpy(text + i, m->data + i + 1, m->size - i - 1);
        struct neff_file f = { m->name, text, m->size - 1 };
        if (read_edited(NULL, 0, &f, &p, &n) == 0)
            done(p, n);
        else
            ck_assert_uint_gt(strlen(err.text), 0);
        free(text);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("neff/program");
    TCase *t = tcase_create("program");
    tcase_add_checked_fixture(t, edit_setup, edit_teardown);
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, a_broken_rule_is_refused_at_its_place, 0,
                        (int)(sizeof refusals / sizeof refusals[0]));
    tcase_add_test(t, row_16_without_neff_json);
    tcase_add_test(t, kelp_json_is_the_fallback);
    tcase_add_test(t, an_unknown_graph_is_an_argument_error);
    tcase_add_test(t, absent_debug_members_and_unknown_keys_are_tolerated);
    tcase_add_test(t, a_missing_engine_key_is_an_empty_placeholder);
    tcase_add_test(t, a_program_of_odd_size_is_a_warning);
    tcase_add_test(t, raw_weights_are_the_whole_member);
    tcase_add_test(t, npy_weights_lose_their_header);
    tcase_add_test(t, a_broken_npy_weight_has_the_runtimes_message);
    tcase_add_test(t, other_variable_kinds_are_read);
    tcase_add_test(t, the_first_of_two_variables_with_one_name_counts);
    tcase_add_test(t, replica_groups_give_topologies_and_world_size);
    tcase_add_test(t, queues_are_sorted_and_tell_what_is_special);
    tcase_add_test(t, flat_sizes_of_early_producers_are_read);
    tcase_add_test(t, negative_steps_inside_the_variable_are_fine);
    tcase_add_test(t, compute_descriptors_keep_operation_and_sources);
    tcase_add_test(t, blocks_of_def_json_belong_to_the_owner_of_their_queue);
    tcase_add_test(t, a_ucode_library_that_passes_its_gates_is_noted);
    tcase_add_test(t, targets_gate_the_chip);
    tcase_add_test(t, the_event_accelerator_carveout_is_checked_on_cayman);
    tcase_add_loop_test(t, a_missing_or_corrupted_reservation_key_fails_on_cayman_only, 0, 2);
    tcase_add_loop_test(t, no_missing_byte_crashes_the_reader, 0, 5);
    suite_add_tcase(s, t);
    return e1_main(s);
}
