/* The VCD reader: what thirty tools write is read, what is damaged is refused with its place, cut never
 * passes. */
#include "dumped.h"

#include "wave/info.h"

static struct nerr err;

static void set_up(void)
{
    scratch_make();
}

static void tear_down(void)
{
    strbuf_free(&warned);
    scratch_remove();
}

#define HEAD "$timescale 1ns $end\n$scope module t $end\n"
#define BODY "$upscope $end\n$enddefinitions $end\n"

/* Dump of a file with this text, without the lines that the caller does not care for. */
static char *dumped(const char *text)
{
    write_text("x.vcd", text);
    char *d = dump_of(at("x.vcd"), &err);
    ck_assert_msg(d != NULL, "%s: %s", err.where, err.text);
    return d;
}

static void expect_text(const char *vcd, const char *golden)
{
    char *d = dumped(vcd);
    ck_assert_str_eq(d, golden);
    free(d);
}

/* ---- what is read ---- */

START_TEST(states_and_extension)
{
    expect_text(HEAD "$var wire 9 ! n [8:0] $end\n$var wire 4 \" m [3:0] $end\n" BODY
                     "#0\nb01xzUWHL- !\nb1 \"\n"
                     "#1\nbX !\nbx1 \"\n#2\nbZ0 !\nz\"\n#3\nbu1 !\n1\"\n#4\nB-0 !\nb0000000101 \"\n",
                "wave dump 1\nsignal t.m[3:0], 4 bits\nsignal t.n[8:0], 9 bits\n"
                "time 0 ns\n  t.m[3:0] = 4'h1\n  t.n[8:0] = 9'b01xzuwhl-\n"
                "time 1 ns\n  t.m[3:0] = 4'bxxx1\n  t.n[8:0] = 9'hxxx\n"
                "time 2 ns\n  t.m[3:0] = 4'hz\n  t.n[8:0] = 9'bzzzzzzzz0\n"
                "time 3 ns\n  t.m[3:0] = 4'h1\n  t.n[8:0] = 9'buuuuuuuu1\n"
                "time 4 ns\n  t.m[3:0] = 4'h5\n  t.n[8:0] = 9'b--------0\n"
                "end 4 ns\n");
}
END_TEST

START_TEST(codes_of_any_length)
{
    expect_text(
        HEAD "$var wire 1 ! a $end\n$var wire 1 !! b $end\n$var wire 1 abc c $end\n$var wire 1 abcd d $end\n"
             "$var wire 1 a_code_of_many_characters_~ e $end\n$var wire 2 \" f $end\n" BODY
             "#0\n0!\n1!!\nxabc\nzabcd\n1a_code_of_many_characters_~\nb10 \"\n",
        "wave dump 1\nsignal t.a, 1 bit\nsignal t.b, 1 bit\nsignal t.c, 1 bit\nsignal t.d, 1 bit\n"
        "signal t.e, 1 bit\nsignal t.f, 2 bits\ntime 0 ns\n  t.a = 0\n  t.b = 1\n  t.d = z\n"
        "  t.e = 1\n  t.f = 2'h2\nend 0 ns\n");
}
END_TEST

/* 70000 bits: longer than any buffer of other tools, and cut by the pieces in which the file is read. */
START_TEST(wide_vectors)
{
    enum { WIDTH = 70000, STEPS = 60 };
    struct strbuf b = { 0 };
    char *value = malloc(WIDTH + 1);
    strbuf_puts(&b, HEAD "$var reg 70000 ! wide [69999:0] $end\n" BODY);
    for (int t = 0; t < STEPS; t++) {
        memset(value, "01"[t & 1], WIDTH);
        value[0] = '1';
        value[WIDTH] = '\0';
        value[t] = 'x';
        strbuf_printf(&b, "#%d\nb%s !\n", t, value);
    }
    ck_assert(!b.failed);
    write_text("wide.vcd", b.s);
    strbuf_free(&b);
    struct wave_reader *r;
    struct wave_record rec = { .kind = WAVE_TIME };
    ck_assert_int_eq(wave_reader_open(at("wide.vcd"), &r, &err), 0);
    ck_assert_int_eq(r->ops->start(r, NULL, &err), 0);
    for (int t = 0; t < STEPS; t++) {
        ck_assert_int_eq(r->ops->next(r, &rec, &err), 0);
        ck_assert_int_eq(rec.kind, WAVE_TIME);
        ck_assert_uint_eq(rec.time, (uint64_t)t);
        ck_assert_int_eq(r->ops->next(r, &rec, &err), 0);
        ck_assert_int_eq(rec.kind, WAVE_CHANGE);
        ck_assert_uint_eq(rec.len, WIDTH);
        ck_assert(rec.value[t] == 'x' && rec.value[WIDTH - 1] == "01"[t & 1]);
        ck_assert_ptr_null(memchr(rec.value + t + 1, 'x', WIDTH - (size_t)t - 1));
    }
    ck_assert_int_eq(r->ops->next(r, &rec, &err), 0);
    ck_assert_int_eq(rec.kind, WAVE_END);
    wave_reader_close(r);
    free(value);
}
END_TEST

START_TEST(names_and_scopes)
{
    expect_text("$timescale 1 ps $end\n$var wire 1 ! outside $end\n$scope module a $end\n"
                "$scope struct s $end\n$var logic 2 \" field [1:0] $end\n$upscope $end\n"
                "$scope vhdl_architecture rtl(behave) $end\n$var wire 1 # \\esc.aped[3] $end\n"
                "$var wire 1 $ bit [4] $end\n$scope module $end\n$var wire 1 % inner $end\n$upscope "
                "$end\n$upscope $end\n"
                "$attrbegin misc 02 text 1 $end\n$scope sv_array arr [0] $end\n$var wire 1 & $unit::x "
                "$end\n$upscope $end\n"
                "$enddefinitions $end\n#0\n1!\nb10 \"\n0#\n1$\n0%\n1&\n",
                "wave dump 1\nsignal a.arr[0].$unit::x, 1 bit\nsignal a.rtl(behave).\\esc.aped[3], 1 bit\n"
                "signal a.rtl(behave).bit[4], 1 bit\nsignal a.rtl(behave).inner, 1 bit\n"
                "signal a.s.field[1:0], 2 bits\nsignal outside, 1 bit\ntime 0 ps\n  a.arr[0].$unit::x = 1\n"
                "  a.rtl(behave).\\esc.aped[3] = 0\n  a.rtl(behave).bit[4] = 1\n  a.rtl(behave).inner = 0\n"
                "  a.s.field[1:0] = 2'h2\n  outside = 1\nend 0 ps\n");
}
END_TEST

/* One code for several names, also with another width or kind. */
START_TEST(aliases)
{
    expect_text(HEAD "$var wire 4 ! a [3:0] $end\n$var wire 4 ! b [3:0] $end\n$var wire 6 ! c [5:0] $end\n"
                     "$var wire 1 ! d $end\n$var real 64 ! e $end\n$var wire 1 \" f $end\n" BODY
                     "#0\nb101 !\n0\"\n#1\nr2.5 !\n#2\nb1110 !\n1\"\n",
                "wave dump 1\nsignal t.a[3:0], 4 bits\nsignal t.b[3:0], 4 bits\nsignal t.c[5:0], 6 bits\n"
                "signal t.d, 1 bit\nsignal t.e, real\nsignal t.f, 1 bit\n"
                "time 0 ns\n  t.a[3:0] = 4'h5\n  t.b[3:0] = 4'h5\n  t.c[5:0] = 6'h05\n  t.d = 1\n  t.f = 0\n"
                "time 1 ns\n  t.e = 2.5\n"
                "time 2 ns\n  t.a[3:0] = 4'he\n  t.b[3:0] = 4'he\n  t.c[5:0] = 6'h0e\n  t.d = 0\n  t.f = 1\n"
                "end 2 ns\n");
}
END_TEST

/* Same width, another kind. */
START_TEST(aliases_of_another_kind)
{
    expect_text(
        HEAD
        "$var wire 1 ! a $end\n$var event 1 ! b $end\n$var real 64 \" c $end\n$var wire 64 \" d $end\n" BODY
        "#0\n0!\nr1.5 \"\n#1\n1!\nb1 \"\n#2\n1!\n",
        "wave dump 1\nsignal t.a, 1 bit\nsignal t.b, event\nsignal t.c, real\nsignal t.d, 64 bits\n"
        "time 0 ns\n  t.a = 0\n  t.b = fires\n  t.c = 1.5\n"
        "time 1 ns\n  t.a = 1\n  t.b = fires\n  t.d = 64'h0000000000000001\n"
        "time 2 ns\n  t.b = fires\nend 2 ns\n");
}
END_TEST

/* Codes that are beginnings of each other, enough of them to meet in the table. */
START_TEST(codes_that_begin_alike)
{
    enum { MOST = 300 };
    struct strbuf b = { 0 };
    char code[MOST + 1];
    memset(code, 'a', MOST);
    code[MOST] = '\0';
    strbuf_puts(&b, HEAD);
    for (int k = 1; k <= MOST; k++)
        strbuf_printf(&b, "$var wire 16 %.*s v%03d $end\n", k, code, k);
    strbuf_puts(&b, BODY "#0\n");
    for (int k = 1; k <= MOST; k++) {
        strbuf_puts(&b, "b");
        for (int bit = 15; bit >= 0; bit--)
            strbuf_puts(&b, k >> bit & 1 ? "1" : "0");
        strbuf_printf(&b, " %.*s\n", k, code);
    }
    char *d = dumped(b.s), line[64];
    for (int k = 1; k <= MOST; k++) {
        snprintf(line, sizeof line, "\n  t.v%03d = 16'h%04x\n", k, (unsigned)k);
        ck_assert_msg(strstr(d, line) != NULL, "%s", line);
    }
    free(d);
    strbuf_free(&b);
}
END_TEST

START_TEST(blocks_and_comments)
{
    expect_text(
        HEAD "$comment a $var inside $end $var wire 1 ! a $end\n$var wire 2 \" b $end\n" BODY
             "$dumpvars\n0!\nb00 \"\n$end\n#5\n1!\n$dumpoff\nx!\nbx \"\n$end\n#9\n$dumpon\n1!\nb10 \"\n$end\n"
             "$comment #3 1! $end\n#10\n$dumpall 1! b10 \" $end\n#11\n$vcdclose #11 $end\n",
        "wave dump 1\nsignal t.a, 1 bit\nsignal t.b, 2 bits\n"
        "time 0 ns\n  t.a = 0\n  t.b = 2'h0\ntime 5 ns\n  t.a = x\n  t.b = 2'hx\n"
        "time 9 ns\n  t.a = 1\n  t.b = 2'h2\nend 11 ns\n");
}
END_TEST

START_TEST(reals_strings_and_events)
{
    expect_text(
        HEAD
        "$var real 64 ! r $end\n$var realtime 64 @ q $end\n$var string 1 \" s $end\n$var event 1 # e $end\n"
        "$var integer 32 $ i $end\n" BODY "#0\nr0.1 !\nRnan @\ns \"\nb101 $\n#1\nr1e-1 !\nr-inf "
        "@\nSa\\tb\\\\c \"\n1#\n#2\nr0.30000000000000004 !\n"
        "1#\n1#\n#3\nr0.3 !\n",
        "wave dump 1\nsignal t.e, event\nsignal t.i, 32 bits\nsignal t.q, real\nsignal t.r, real\n"
        "signal t.s, string\n"
        "time 0 ns\n  t.i = 32'h00000005\n  t.r = 0.1\n"
        "time 1 ns\n  t.e = fires\n  t.q = -inf\n  t.s = \"a\\x09b\\\\c\"\n"
        "time 2 ns\n  t.e = fires\n  t.r = 0.3\n" /* 16 digits */
        "end 3 ns\n");
}
END_TEST

START_TEST(extended_ports)
{
    expect_text(HEAD "$var port [3:0] <0 in $end\n$var port 1 <1 out $end\n" BODY
                     "$dumpports\npDUNZ 6666 0000 <0\npX 6 6 <1\n$end\n#4\npLHT0 6 6 <0\npH 0 6 <1\n",
                "wave dump 1\nsignal t.in, 4 bits\nsignal t.out, 1 bit\ntime 0 ns\n  t.in = 4'b01xz\n"
                "time 4 ns\n  t.in = 4'b01z0\n  t.out = 1\nend 4 ns\n");
}
END_TEST

START_TEST(timescales)
{
    static const struct {
        const char *text;
        int exponent;
        uint32_t factor;
    } t[] = { { "1s", 0, 1 },     { "10 ms", -2, 1 }, { "100us", -4, 1 },    { "1\n\tns\n", -9, 1 },
              { "10ps", -11, 1 }, { "1fs", -15, 1 },  { "244 ns", -9, 244 }, { "20 ps", -11, 2 } };
    char text[200];
    struct wave_reader *r;
    for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
        snprintf(text, sizeof text, "$timescale %s $end $var wire 1 ! a $end $enddefinitions $end\n#1\n1!\n",
                 t[i].text);
        write_text("t.vcd", text);
        ck_assert_msg(wave_reader_open(at("t.vcd"), &r, &err) == 0, "%s: %s", t[i].text, err.text);
        ck_assert_int_eq(r->exponent, t[i].exponent);
        ck_assert_uint_eq(r->factor, t[i].factor);
        ck_assert(r->has_timescale);
        wave_reader_close(r);
    }
    write_text("t.vcd", "$timezero -7 $end $var wire 1 ! a $end $enddefinitions $end\n#1\n1!\n");
    ck_assert_int_eq(wave_reader_open(at("t.vcd"), &r, &err), 0);
    ck_assert(!r->has_timescale);
    ck_assert_int_eq(r->timezero, -7);
    wave_reader_close(r);
}
END_TEST

/* gtkwave, ekiwi/wellen#40: an unknown command is skipped, and said. */
START_TEST(unknown_commands_are_skipped_with_a_warning)
{
    char *d = dumped(HEAD "$crash\n$end\n$var wire 1 ! a $end\n" BODY "#0\n$strange 1! $end\n0!\n");
    ck_assert_ptr_nonnull(strstr(d, "t.a = 0"));
    free(d);
    ck_assert_ptr_nonnull(
        strstr(warned.s, "x.vcd line 3, byte 41: command '$crash' is not known and was skipped\n"));
    ck_assert_ptr_nonnull(strstr(warned.s, "line 9, byte 112: command '$strange'"));
}
END_TEST

START_TEST(unwanted_signals_are_left_out)
{
    static const uint8_t wanted[] = { 0, 1 };
    struct wave_reader *r;
    struct wave_record rec = { .kind = WAVE_TIME };
    write_text("x.vcd", HEAD "$var wire 1 ! a $end\n$var wire 1 \" b $end\n" BODY "#0\n0!\n1\"\n#1\n1!\n");
    ck_assert_int_eq(wave_reader_open(at("x.vcd"), &r, &err), 0);
    for (int round = 0; round < 2; round++) { /* a stream can be started again */
        unsigned n = 0;
        ck_assert_int_eq(r->ops->start(r, wanted, &err), 0);
        do {
            ck_assert_int_eq(r->ops->next(r, &rec, &err), 0);
            n += rec.kind == WAVE_CHANGE;
            ck_assert(rec.kind != WAVE_CHANGE || rec.signal == 1);
        } while (rec.kind != WAVE_END);
        ck_assert_uint_eq(n, 1);
    }
    wave_reader_close(r);
}
END_TEST

/* ---- what is refused ---- */

static const struct {
    const char *vcd, *where, *sentence;
} bad[] = {
    { "", "x.vcd", "the file is empty" },
    { "hello", "x.vcd", "neither an FST nor a VCD file" },
    { "\x1f\x8b\x08\x01", "x.vcd", "packed with gzip" },
    { "$date today $end\n", "line 2, byte 17", "the file ends before $enddefinitions" },
    { "$comment today", "line 1, byte 14", "the file ends inside a $ command, which has no $end" },
    { HEAD "$var wire 1 ! a $end\n#0\n0!\n", "line 4, byte 62", "'#0' stands before $enddefinitions" },
    { HEAD "$var wire 1 ! a $end\n$dumpvars\n0!\n$end\n", "line 4, byte 62", "'$dumpvars' stands before" },
    { HEAD "$var wire 1 ! a\n$var wire 1 \" b $end\n" BODY, "line 4", "$var has no $end before '$var'" },
    { HEAD "$var wire one ! a $end\n" BODY, "line 3, byte 51", "'one' where a number belongs" },
    { HEAD "$var wire 99999999 ! a $end\n" BODY, "line 3", "99999999, which is too large" },
    { HEAD "$var wire 1 $end\n" BODY, "line 3", "'$end' where the identifier code belongs" },
    { "$timescale 1 lightyear $end\n$enddefinitions $end\n", "line 1", "'lightyear', allowed are" },
    { "$upscope $end\n" HEAD BODY, "line 1", "$upscope without an open $scope" },
    /* ekiwi/wellen#18: a blank between value and code */
    { HEAD "$var wire 1 $ a $end\n" BODY "#0\n1 $\n", "line 7, byte 101",
      "a value without an identifier code" },
    { HEAD "$var wire 1 ! a $end\n" BODY "#0\n0?\n", "line 7, byte 101",
      "identifier code '?' was not declared" },
    { HEAD "$var wire 1 ! a $end\n" BODY "#0\nb01 abcdef\n", "line 7, byte 104",
      "code 'abcdef' was not declared" },
    { HEAD "$var wire 1 ! a $end\n" BODY "#5\n0!\n#4\n1!\n", "line 8, byte 103",
      "time goes backwards, from 5 to 4" },
    { HEAD "$var wire 1 ! a $end\n" BODY "#3.0\n0!\n", "line 6, byte 97",
      "a time that is not a whole number" },
    { HEAD "$var wire 1 ! a $end\n" BODY "#-3\n0!\n", "line 6, byte 97",
      "a time that is not a whole number" },
    { HEAD "$var wire 1 ! a $end\n" BODY "#99999999999999999999\n0!\n", "line 6", "a time beyond 2^64" },
    { HEAD "$var wire 1 ! a $end\n" BODY "#0\nb01q !\n", "line 7, byte 103", "a value that is not made of" },
    { HEAD "$var wire 1 ! a $end\n" BODY "#0\nb10 !\n", "line 7", "more bits than its signal" },
    { HEAD "$var wire 1 ! a $end\n" BODY "#0\nr1.0 !\n", "line 7", "not declared as one" },
    { HEAD "$var wire 1 ! a $end\n" BODY "#0\nsx !\n", "line 7", "not declared as a string" },
    { HEAD "$var real 1 ! a $end\n" BODY "#0\nr1.0x !\n", "line 7", "a real value that is not a number" },
    { HEAD "$var real 1 ! a $end\n" BODY "#0\n1!\n", "line 7", "declared as a real or a string" },
    { HEAD "$var wire 1 ! a $end\n" BODY "#0\nQ!\n", "line 7, byte 100",
      "neither a time, a value nor a $ command" },
    { HEAD "$var wire 1 ! a $end\n" BODY "#0\n0!\n$strange\n", "line 9",
      "ends inside a $ command that has no $end" },
    { HEAD "$var wire 1 ! a $end\n" BODY "$dumpvars\n0!\n", "line 8",
      "it ends inside $dumpvars, which has no $end" },
    { HEAD "$var wire 1 ! a $end\n" BODY "#0\n0!\n#12", "line 8, byte 106", "the file may be cut" },
    { HEAD "$var wire 1 ! a $end\n" BODY "#0\n0!", "line 7, byte 102", "the file may be cut" },
    { HEAD "$var wire 1 ! a $end\n" BODY "#10\n0!\n#1", "line 8, byte 104",
      "cut inside its last record, '#1'" },
    { HEAD "$var wire 4 ! a $end\n" BODY "#10\nb01", "line 7, byte 101",
      "cut inside its last record, 'b01'" },
};

START_TEST(damage_is_refused_with_its_place)
{
    write_text("x.vcd", bad[_i].vcd);
    char *d = dump_of(at("x.vcd"), &err);
    ck_assert_msg(d == NULL, "case %d was read", _i);
    ck_assert_int_eq(err.code, NERR_INPUT);
    ck_assert_msg(strstr(err.where, bad[_i].where), "case %d: place '%s', not '%s' (%s)", _i, err.where,
                  bad[_i].where, err.text);
    ck_assert_msg(strstr(err.text, bad[_i].sentence), "case %d: '%s', not '%s'", _i, err.text,
                  bad[_i].sentence);
}
END_TEST

static const char *const whole =
    HEAD "$var wire 1 ! a $end\n$var wire 12 !1 b [11:0] $end\n$var real 64 \" r $end\n" BODY
         "$dumpvars\n0!\nb0 !1\nr0 \"\n$end\n#10\n1!\nb101010101010 !1\n#12\nr12.5 \"\n#120\n0!\nb11 "
         "!1\n#121\n1!\n";

/* Cut at every byte, the file is refused or lacks something that the whole one has. */
START_TEST(cut_anywhere_is_never_the_whole)
{
    struct nerr e;
    char *all = dumped(whole), name[] = "cut.vcd";
    unsigned refused = 0;
    for (size_t n = 0; n < strlen(whole); n++) {
        ck_assert_int_eq(file_write(at(name), whole, n, &e), 0);
        char *part = dump_of(at(name), &err);
        refused += part == NULL;
        if (part)
            ck_assert_msg(whole[n - 1] == '\n' && strcmp(part, all) != 0, "cut at byte %zu", n);
        free(part);
    }
    ck_assert_uint_gt(refused, strlen(whole) * 9 / 10);
    free(all);
}
END_TEST

/* With allow_incomplete a cut file shows the steps that are whole, and says up to where. */
START_TEST(cut_files_can_be_read_up_to_the_last_whole_step)
{
    struct nerr e;
    size_t n = (size_t)(strstr(whole, "#120") - whole) + 3; /* "#12", which looks like a time */
    ck_assert_int_eq(file_write(at("cut.vcd"), whole, n, &e), 0);
    char *d = dump_with(at("cut.vcd"), true, (struct wave_dump_options){ 0 }, &err);
    ck_assert_msg(d != NULL, "%s", err.text);
    ck_assert_ptr_nonnull(strstr(d, "time 12 ns\n  t.r = 12.5\nincomplete after 12 ns\n"));
    free(d);
    n = (size_t)(strstr(whole, "#121") - whole) - 2; /* inside "b11 !1" of step 120 */
    ck_assert_int_eq(file_write(at("cut.vcd"), whole, n, &e), 0);
    d = dump_with(at("cut.vcd"), true, (struct wave_dump_options){ 0 }, &err);
    ck_assert_msg(d != NULL, "%s", err.text);
    ck_assert_ptr_nonnull(strstr(d, "time 12 ns\n  t.r = 12.5\nincomplete after 12 ns\n"));
    free(d);
    d = dump_with(at("cut.vcd"), false, (struct wave_dump_options){ 0 }, &err);
    ck_assert_ptr_null(d);
    n = (size_t)(strstr(whole, "1!\nb1010") - whole) + 1;
    ck_assert_int_eq(file_write(at("cut.vcd"), whole, n, &e), 0);
    d = dump_with(at("cut.vcd"), true, (struct wave_dump_options){ 0 }, &err);
    ck_assert_ptr_null(d);
    ck_assert_ptr_nonnull(strstr(err.text, "cut inside its first time step"));
}
END_TEST

/* A name that needs more than the first piece of the file, and a file that comes through a pipe. */
START_TEST(pieces_and_pipes)
{
    enum { STEPS = 200000 };
    struct strbuf b = { 0 };
    strbuf_puts(&b, HEAD "$var wire 8 ! a [7:0] $end\n" BODY);
    for (int t = 0; t < STEPS; t++)
        strbuf_printf(&b, "#%d\nb%d%d1 !\n", t, t & 1, t >> 1 & 1);
    write_text("big.vcd", b.s);
    strbuf_free(&b);
    struct wave_summary s, p;
    struct wave_open_options o = { 0 };
    ck_assert_msg(wave_summarise(at("big.vcd"), &o, &s, &err) == 0, "%s", err.text);
    ck_assert_uint_eq(s.steps, STEPS);
    ck_assert_uint_eq(s.changes, STEPS);
    ck_assert_uint_eq(s.end, STEPS - 1);
    char command[200], path[32];
    snprintf(command, sizeof command, "cat '%s'", at("big.vcd"));
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    snprintf(path, sizeof path, "/dev/fd/%d", fileno(pipe));
    ck_assert_msg(wave_summarise(path, &o, &p, &err) == 0, "%s", err.text);
    pclose(pipe);
    ck_assert_uint_eq(p.changes, s.changes);
    wave_summary_free(&s);
    wave_summary_free(&p);
}
END_TEST

START_TEST(counts)
{
    struct wave_summary s;
    struct wave_open_options o = { 0 };
    write_text(
        "x.vcd", HEAD
        "$var wire 1 ! a $end\n$var wire 1 \" quiet $end\n$scope module u $end\n$var wire 1 ! alias $end\n"
        "$var wire 4 # n $end\n$upscope $end\n" BODY "#2\n0!\n1\"\nb0 #\n#4\n1!\nb0 #\n#6\n0!\n1!\n#9\n");
    ck_assert_int_eq(wave_summarise(at("x.vcd"), &o, &s, &err), 0);
    ck_assert_str_eq(s.format, "VCD");
    ck_assert_uint_eq(s.start, 2);
    ck_assert_uint_eq(s.end, 9);
    ck_assert_uint_eq(s.scopes, 2);
    ck_assert_uint_eq(s.names, 4);
    ck_assert_uint_eq(s.signals, 3);
    ck_assert_uint_eq(s.steps, 4);
    ck_assert_uint_eq(s.records, 7);
    ck_assert_uint_eq(s.changes, 4); /* first values, and a at 4 */
    ck_assert_uint_eq(s.quiet, 2);
    ck_assert_uint_eq(s.nlist, 2);
    ck_assert_str_eq(s.list[0].scope, "t");
    ck_assert_uint_eq(s.list[0].changes, 3);
    ck_assert_str_eq(s.list[1].scope, "t.u");
    ck_assert_uint_eq(s.list[1].names, 2);
    wave_summary_free(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("wave/vcd");
    TCase *tc = tcase_create("vcd");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_set_timeout(tc, 100);
    tcase_add_test(tc, states_and_extension);
    tcase_add_test(tc, codes_of_any_length);
    tcase_add_test(tc, wide_vectors);
    tcase_add_test(tc, names_and_scopes);
    tcase_add_test(tc, aliases);
    tcase_add_test(tc, aliases_of_another_kind);
    tcase_add_test(tc, codes_that_begin_alike);
    tcase_add_test(tc, blocks_and_comments);
    tcase_add_test(tc, reals_strings_and_events);
    tcase_add_test(tc, extended_ports);
    tcase_add_test(tc, timescales);
    tcase_add_test(tc, unknown_commands_are_skipped_with_a_warning);
    tcase_add_test(tc, unwanted_signals_are_left_out);
    tcase_add_loop_test(tc, damage_is_refused_with_its_place, 0, (int)(sizeof bad / sizeof bad[0]));
    tcase_add_test(tc, cut_anywhere_is_never_the_whole);
    tcase_add_test(tc, cut_files_can_be_read_up_to_the_last_whole_step);
    tcase_add_test(tc, pieces_and_pipes);
    tcase_add_test(tc, counts);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? 1 : 0;
}
