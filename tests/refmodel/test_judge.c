/*
 * The judge must accept what the model did and refuse every altered copy of it: per kind of event each field
 * that means something is altered in turn, and each event is left out or doubled.
 */
#include "scenes.h"

#define F_ADDR  0x01u
#define F_DATA  0x02u
#define F_INDEX 0x04u
#define F_VALUE 0x08u
#define F_UNIT  0x10u
#define F_QUEUE 0x20u
#define F_DIR   0x40u
#define F_CODE  0x80u
#define FIELDS  8u

/* The fields of a kind that carry meaning (regs/bench.regs), and how many words. */
static const struct kind {
    unsigned fields, words;
} kinds[EV_COUNT] = {
    [EV_SEQ_ISSUE] = { F_UNIT | F_ADDR, 16 },
    [EV_SEQ_PASS] = { F_UNIT | F_QUEUE | F_CODE | F_INDEX | F_VALUE, 0 },
    [EV_SEQ_READ] = { F_UNIT | F_ADDR | F_DATA | F_CODE, 0 },
    [EV_SEQ_REG] = { F_UNIT | F_INDEX | F_VALUE, 0 },
    [EV_SEQ_WRITE] = { F_UNIT | F_ADDR | F_DATA | F_VALUE, 0 },
    [EV_DMA_DESC] = { F_UNIT | F_QUEUE | F_DIR | F_INDEX | F_CODE, 4 },
    [EV_DMA_START] = { F_UNIT | F_QUEUE | F_INDEX, 0 },
    [EV_DMA_CONST] = { F_UNIT | F_QUEUE | F_INDEX | F_ADDR | F_VALUE, 0 },
    [EV_DMA_RD] = { F_UNIT | F_QUEUE | F_INDEX | F_ADDR, 0 },
    [EV_DMA_WR] = { F_UNIT | F_QUEUE | F_INDEX | F_ADDR, 0 },
    [EV_NQ_IN] = { F_CODE | F_QUEUE, 2 },
    [EV_NQ_DROP] = { F_CODE | F_QUEUE, 2 },
    [EV_NQ_WR] = { F_QUEUE | F_INDEX | F_ADDR, 2 },
    [EV_MEM_RD] = { F_CODE | F_ADDR | F_VALUE, 0 },
    [EV_MEM_WR] = { F_CODE | F_ADDR | F_DATA, 0 },
    [EV_BUS_ERR] = { F_CODE | F_ADDR | F_DIR | F_VALUE, 0 },
    [EV_SEM] = { F_UNIT | F_CODE | F_DIR | F_QUEUE | F_INDEX | F_VALUE | F_DATA, 2 },
    [EV_APB_RD] = { F_VALUE | F_DIR, 0 },
    [EV_APB_WR] = { F_DIR, 0 },
    [EV_DMA_BELL] = { F_UNIT | F_DIR | F_QUEUE | F_VALUE | F_DATA | F_CODE, 0 },
    [EV_SEQ_WRESP] = { F_UNIT | F_CODE, 0 },
    [EV_DMA_WRESP] = { F_UNIT | F_QUEUE | F_CODE, 0 },
    [EV_DMA_CPL] = { F_UNIT | F_DIR | F_QUEUE | F_VALUE | F_DATA, 0 },
    [EV_DMA_ERR] = { F_UNIT | F_DIR | F_QUEUE | F_INDEX, 0 },
    [EV_SEQ_RETIRE] = { F_UNIT | F_ADDR | F_DATA, 0 },
    [EV_SEQ_STATE] = { F_UNIT | F_CODE, 0 },
    [EV_DMA_STATE] = { F_UNIT | F_CODE, 0 },
};

static void (*const scenes[])(struct chip *) = { scene_slice, scene_scalar, scene_faults, scene_copies };
#define SCENES (sizeof scenes / sizeof scenes[0])

static struct chip c;

static void teardown(void)
{
    chip_close(&c);
}

START_TEST(second_model_accepts_the_scene)
{
    scenes[_i](&c);
    chip_accepted(&c);
}
END_TEST

START_TEST(the_scenes_hold_every_kind_of_event)
{
    bool seen[EV_COUNT] = { false };
    for (size_t s = 0; s < SCENES; s++) {
        if (s)
            chip_close(&c);
        scenes[s](&c);
        for (size_t i = 0; i < c.n; i++)
            seen[c.items[i].ev.kind % EV_COUNT] = true;
    }
    for (unsigned k = 0; k < EV_COUNT; k++)
        if (dev_event_name(k)[0] != '?' && k != EV_RULE) /* no model breaks a handshake rule */
            ck_assert_msg(seen[k], "no scene has %s", dev_event_name(k));
}
END_TEST

/* Changes one field; false when that field means nothing for the kind. */
static bool alter(struct dev_event *ev, unsigned field, unsigned variant)
{
    static const uint32_t flips[] = { 1, 4, 0x40 };
    uint32_t flip = flips[variant % 3];
    if (field >= FIELDS) {
        unsigned w = field - FIELDS;
        ev->words[w < 16 ? w : 0] ^= flip;
        return w < kinds[ev->kind].words;
    }
    if (!(kinds[ev->kind].fields >> field & 1))
        return false;
    bool bus_error =
        ev->kind == EV_DMA_ERR && (ev->code == M2S_ERR_DATA_RESP || ev->code == S2M_ERR_DATA_RESP);
    if (bus_error && 1u << field == F_INDEX)
        return false; /* nobody says which descriptor a refused access is blamed on */
    switch (1u << field) {
    case F_ADDR: /* of a beat, the first byte or the aligned address may be given */
        ev->addr ^= ev->kind == EV_MEM_RD || ev->kind == EV_MEM_WR ? 0x40 : flip;
        break;
    case F_DATA:
        ev->data ^= flip;
        break;
    case F_INDEX:
        ev->index ^= flip;
        break;
    case F_VALUE: /* a register read may be the value of a moment ago */
        ev->value ^= ev->kind == EV_APB_RD ? 0x40000 : flip;
        break;
    case F_UNIT:
        ev->unit ^= 1;
        break;
    case F_QUEUE:
        ev->queue ^= 1;
        break;
    case F_DIR:
        ev->dir ^= 1;
        break;
    default:
        ev->code ^= (uint8_t)(ev->kind == EV_SEM || ev->kind == EV_DMA_STATE ? 1 : flip & 7 ? flip & 7 : 2);
        break;
    }
    return true;
}

/* Which events of a kind are tried: the first ones and then ever fewer, so that the test stays fast. */
static bool tried(unsigned nth)
{
    return nth < 3 || (nth & (nth - 1)) == 0;
}

START_TEST(altered_fields_are_refused)
{
    unsigned kind_count[EV_COUNT] = { 0 };
    size_t altered = 0;
    scenes[_i](&c);
    for (size_t i = 0; i < c.n; i++) {
        const struct dev_event *ev = &c.items[i].ev;
        if (c.items[i].bytes || !tried(kind_count[ev->kind]++))
            continue;
        for (unsigned f = 0; f < FIELDS + 16; f++) {
            struct dev_event wrong = *ev;
            struct nerr err = { 0 };
            if (!alter(&wrong, f, (unsigned)i))
                continue;
            char was[200], now[200];
            dev_event_text(ev, was, sizeof was);
            dev_event_text(&wrong, now, sizeof now);
            size_t at = chip_rejudge(&c, i, &wrong, &err);
            ck_assert_msg(at <= c.n, "field %u of item %zu altered, all accepted:\n  %s\n  %s", f, i, was,
                          now);
            /* Another engine or queue may be in the same place, and a bus update is known by its answer only.
             */
            bool may_be_legal = f < FIELDS && ((1u << f) & (F_UNIT | F_QUEUE | F_DIR)) != 0;
            bool by_bus = ev->kind == EV_SEM && ev->code == EVT_PORT_BUS;
            ck_assert_msg(at == i || may_be_legal || by_bus,
                          "field %u of item %zu altered, only item %zu was refused (%s: %s):\n  %s\n  %s", f,
                          i, at, err.where, err.text, was, now);
            ck_assert_int_eq(err.code, NERR_MISMATCH);
            ck_assert_msg(err.where[0] && err.text[0], "no words for field %u of %s", f, was);
            altered++;
        }
    }
    ck_assert_uint_gt(altered, 100);
}
END_TEST

START_TEST(lost_events_are_found)
{
    unsigned kind_count[EV_COUNT] = { 0 };
    scenes[_i](&c);
    for (size_t i = 0; i < c.n; i++) {
        const struct dev_event *ev = &c.items[i].ev;
        bool free_to_lose = ev->kind == EV_APB_RD || (ev->kind == EV_APB_WR && ev->code == MASTER_HOST);
        if (scenes[_i] == scene_faults && (ev->kind == EV_DMA_DESC || ev->kind == EV_DMA_CPL))
            free_to_lose = true; /* the queues of this scene are held by errors */
        if (c.items[i].bytes || free_to_lose || !tried(kind_count[ev->kind]++))
            continue;
        char text[200];
        struct nerr err = { 0 };
        dev_event_text(ev, text, sizeof text);
        ck_assert_msg(chip_rejudge(&c, i, NULL, &err) <= c.n, "item %zu was left out and nobody noticed: %s",
                      i, text);
    }
}
END_TEST

/* Doubles item i. */
static size_t doubled(size_t i, struct nerr *err)
{
    struct ref *second = ref_new(&c.cfg);
    size_t result = c.n + 1;
    ck_assert_ptr_nonnull(second);
    for (size_t k = 0; k < c.n && result > c.n; k++) {
        const struct item *it = &c.items[k];
        if (it->bytes)
            ck_assert(ref_mem_write(second, it->addr, it->bytes, it->len));
        else if (ref_judge(second, &it->ev, err) != 0 || (k == i && ref_judge(second, &it->ev, err) != 0))
            result = k;
    }
    if (result > c.n && !ref_quiet(second, err))
        result = c.n;
    ref_free(second);
    return result;
}

START_TEST(doubled_events_are_refused)
{
    unsigned kind_count[EV_COUNT] = { 0 };
    scenes[_i](&c);
    for (size_t i = 0; i < c.n; i++) {
        const struct dev_event *ev = &c.items[i].ev;
        bool harmless = ev->kind == EV_APB_RD || (ev->kind == EV_APB_WR && ev->code == MASTER_HOST) ||
                        (ev->kind == EV_BUS_ERR && ev->dir == 0);
        if (c.items[i].bytes || harmless || !tried(kind_count[ev->kind]++))
            continue;
        char text[200];
        struct nerr err = { 0 };
        dev_event_text(ev, text, sizeof text);
        ck_assert_msg(doubled(i, &err) <= c.n, "item %zu came twice and nobody noticed: %s", i, text);
    }
}
END_TEST

START_TEST(an_event_before_its_cause_is_refused)
{
    size_t refused = 0, swapped = 0;
    scene_slice(&c);
    for (size_t i = 0; i + 1 < c.n; i++) { /* steps of one engine or one queue may not change places */
        struct item a = c.items[i], b = c.items[i + 1];
        bool same_engine = !a.bytes && !b.bytes && a.ev.kind <= EV_SEQ_WRITE && b.ev.kind >= EV_SEQ_RETIRE &&
                           a.ev.unit == b.ev.unit;
        if (!same_engine)
            continue;
        swapped++;
        c.items[i] = b;
        c.items[i + 1] = a;
        c.items[i].ev.cycle = a.ev.cycle;
        c.items[i + 1].ev.cycle = b.ev.cycle;
        struct nerr err = { 0 };
        refused += chip_rejudge(&c, c.n, NULL, &err) == i;
        c.items[i] = a;
        c.items[i + 1] = b;
    }
    ck_assert_uint_eq(refused, swapped);
}
END_TEST

START_TEST(every_written_byte_is_compared)
{
    size_t flipped = 0;
    scene_copies(&c);
    for (size_t i = chip_find(&c, EV_MEM_WR, 0), nth = 0; i < c.n;
         i = chip_find(&c, EV_MEM_WR, i + 1), nth++) {
        struct nerr err = { 0 };
        struct dev_event ev = c.items[i].ev;
        unsigned byte = (unsigned)(nth * 7) % 64;
        while (!(ev.data >> byte & 1))
            byte = (byte + 1) % 64;
        ev.words[byte / 4] ^= 0x80u << (8 * (byte % 4));
        ck_assert_uint_eq(chip_rejudge(&c, i, &ev, &err), i);
        flipped++;
    }
    ck_assert_uint_gt(flipped, 20);
}
END_TEST

START_TEST(time_may_not_go_back)
{
    struct nerr err = { 0 };
    scene_slice(&c);
    size_t i = chip_find(&c, EV_SEQ_RETIRE, 0);
    struct dev_event early = c.items[i].ev;
    early.cycle = 1;
    ck_assert_uint_eq(chip_rejudge(&c, i, &early, &err), i);
}
END_TEST

START_TEST(record_time_must_be_plausible)
{
    struct nerr err = { 0 };
    scene_slice(&c);
    size_t i = chip_find(&c, EV_NQ_WR, 0);
    struct dev_event ev = c.items[i].ev;
    ev.words[3] = 1;
    ck_assert_uint_eq(chip_rejudge(&c, i, &ev, &err), i);
    ev = c.items[i].ev;
    ev.words[2] = 0;
    ck_assert_uint_eq(chip_rejudge(&c, i, &ev, &err), i);
    size_t next = chip_find(&c, EV_NQ_WR, i + 1); /* one picosecond before the record ahead of it */
    ev = c.items[next].ev;
    ev.words[2] = c.items[i].ev.words[2] - 1;
    ck_assert_uint_eq(chip_rejudge(&c, next, &ev, &err), next);
    ck_assert_ptr_nonnull(strstr(err.text, "before the previous"));
}
END_TEST

START_TEST(kinds_and_units_that_do_not_exist_are_refused)
{
    struct nerr err;
    chip_open(&c, 2);
    for (unsigned kind = 0; kind < 256; kind++) {
        struct dev_event ev = { .kind = (uint8_t)kind,
                                .unit = 200,
                                .queue = 200,
                                .code = 200,
                                .index = 70000,
                                .addr = UINT64_MAX,
                                .dir = 9 };
        ev.nwords = 255;
        int rc = ref_judge(c.r, &ev, &err);
        if (kind != EV_APB_WR && kind != EV_APB_RD)
            ck_assert_int_eq(rc, NERR_MISMATCH);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("refmodel judge");
    TCase *t = tcase_create("judge");
    tcase_set_timeout(t, 90);
    tcase_add_checked_fixture(t, NULL, teardown);
    tcase_add_loop_test(t, second_model_accepts_the_scene, 0, (int)SCENES);
    tcase_add_test(t, the_scenes_hold_every_kind_of_event);
    tcase_add_loop_test(t, altered_fields_are_refused, 0, (int)SCENES);
    tcase_add_loop_test(t, lost_events_are_found, 0, (int)SCENES);
    tcase_add_loop_test(t, doubled_events_are_refused, 0, (int)SCENES);
    tcase_add_test(t, an_event_before_its_cause_is_refused);
    tcase_add_test(t, every_written_byte_is_compared);
    tcase_add_test(t, time_may_not_go_back);
    tcase_add_test(t, record_time_must_be_plausible);
    tcase_add_test(t, kinds_and_units_that_do_not_exist_are_refused);
    suite_add_tcase(s, t);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed != 0;
}
