# neffsim: `make run` and `make test` do everything on a fresh Debian/Ubuntu machine; `make help` lists the rest.

SHELL := /bin/sh
.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules

# SAN=1 builds a second tree with AddressSanitizer and UBSan (used by `make sanitize`), FUZZ=1 a third one for libFuzzer.
ifeq ($(SAN),1)
B        := build/san
SANFLAGS := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
else ifeq ($(FUZZ),1)
B        := build/fuzz
CC       := clang
CXX      := clang++
OPT      := -O1 -g
SANFLAGS := -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all -fno-omit-frame-pointer
else
B        := build
SANFLAGS :=
endif

CC        ?= gcc
CXX       ?= g++
ifeq ($(origin CC),default)
CC        := gcc
endif
ifeq ($(origin CXX),default)
CXX       := g++
endif
JOBS      ?= $(shell nproc 2>/dev/null || echo 2)
VERILATOR ?= verilator
PYTHON    ?= python3

# Quiet lines; `make V=1` shows the commands.
ifeq ($(V),1)
say =
Q :=
else
say = @echo "  $(1)"
Q := @
endif

WARN     := -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Werror
OPT      ?= -O2 -g
CPPFLAGS := -Ihost -Ibench -Ibuild/gen -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64
CFLAGS   := -std=c11 $(OPT) $(WARN) $(SANFLAGS)
LIBS     := -larchive -lcjson -lcrypto -lprotobuf-c -lz -lm -lpthread

.PHONY: all setup-run setup-test
all: $(B)/neffsim ; @:

# ---- field tables -----------------------------------------------------------------------------------------------
REGS := $(sort $(wildcard regs/*.regs))
GEN  := build/gen/regs.h
build/gen/regs.h: scripts/gen_regs $(REGS)
	@mkdir -p build/gen
	@$(PYTHON) scripts/gen_regs build/gen $(REGS)
	@touch $@
build/gen/regs.vh build/gen/regs.md: build/gen/regs.h ;

# ---- host program -----------------------------------------------------------------------------------------------
HOST_C := $(filter-out host/cli/main.c,$(sort $(wildcard host/*/*.c)))
HOST_O := $(HOST_C:%.c=$(B)/obj/%.o)

include host/wave/fst.mk

# Generated protobuf code: none of our warnings.
PROTO_C := $(patsubst host/%.proto,build/gen/%.pb-c.c,$(sort $(wildcard host/*/*.proto)))
HOST_O  += $(PROTO_C:build/gen/%.c=$(B)/obj/gen/%.o)
GEN     += $(PROTO_C)
build/gen/%.pb-c.c: host/%.proto
	@mkdir -p $(@D)
	$(call say,PROTOC $<)
	$(Q)protoc-c --c_out=build/gen -Ihost $<
$(B)/obj/gen/%.o: build/gen/%.c
	@mkdir -p $(@D)
	$(call say,CC $<)
	$(Q)$(CC) -std=c11 $(OPT) $(SANFLAGS) -w -Ibuild/gen -c $< -o $@

$(B)/obj/%.o: %.c | $(GEN)
	@mkdir -p $(@D)
	$(call say,CC $<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(B)/libhost.a: $(HOST_O)
	@rm -f $@
	$(call say,AR $@)
	$(Q)ar rcs $@ $(HOST_O)

# ---- the Verilated bench: built once, shared by the program, the tests and both variants -------------------------
include bench/sim/sim.mk

# A C++ link: the Verilated model is C++.
LINK = $(Q)$(CXX) $(SANFLAGS) -o $@ $(filter %.o %.a,$^) $(LIBS) -lpthread

$(B)/neffsim: $(B)/obj/host/cli/main.o $(B)/libhost.a build/rtl/libsim.a
	$(LINK)

# ---- unit tests (Check) -----------------------------------------------------------------------------------------
# TEST_SIM: stations whose tests open devices and so need the model; the others link without it.
TEST_SIM := tests/device tests/check tests/run tests/cli
TEST_C   := $(sort $(wildcard tests/*/test_*.c))
TEST_BIN := $(TEST_C:%.c=$(B)/%)
CHECKLIBS = -lcheck -lsubunit -lrt -lpthread

$(B)/tests/%: $(B)/obj/tests/%.o $(B)/libhost.a
	@mkdir -p $(@D)
	$(call say,LD $@)
	$(Q)$(CXX) $(SANFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(CHECKLIBS) $(LIBS)
$(filter $(addprefix $(B)/,$(addsuffix /%,$(TEST_SIM))),$(TEST_BIN)): build/rtl/libsim.a

# ---- random stress: the chip against the model, one seed after the other ------------------------------------------
STRESS_O := $(patsubst %.c,$(B)/obj/%.o,$(sort $(wildcard tests/stress/*.c)))
STRESS   := build/tests/stress/stress
STRESS_TEST_SEEDS ?= 24
STRESS_SOAK_SEEDS ?= 3000
$(STRESS): $(STRESS_O) $(B)/libhost.a build/rtl/libsim.a
	@mkdir -p $(@D)
	$(call say,LD $@)
	$(LINK)

# ---- libFuzzer harnesses: tests/fuzz/NAME.c with seeds in tests/fuzz/seeds/NAME -------------------------------------
FUZZ_C   := $(sort $(wildcard tests/fuzz/*.c))
FUZZ_BIN := $(FUZZ_C:tests/fuzz/%.c=build/fuzz/bin/%)
FUZZ_TEST_RUNS ?= 20000
SECONDS  ?= 60
.PHONY: fuzz fuzz-built fuzz-bin
ifeq ($(FUZZ),1)
build/fuzz/bin/%: $(B)/obj/tests/fuzz/%.o $(B)/libhost.a
	@mkdir -p $(@D)
	$(call say,LD $@)
	$(Q)$(CXX) -fsanitize=fuzzer,address,undefined -o $@ $^ $(LIBS)
fuzz-bin: $(FUZZ_BIN)
endif
fuzz-built: $(GEN)
	@$(MAKE) --no-print-directory FUZZ=1 fuzz-bin
fuzz: setup-test
	@$(MAKE) --no-print-directory -j $(JOBS) fuzz-built
	@scripts/fuzz --seconds $(SECONDS) $(FUZZ_BIN)

# ---- speed of the host side: bench/host/NAME.c ---------------------------------------------------------------------
HOST_BENCH := $(patsubst bench/host/%.c,build/bench/host/%,$(sort $(wildcard bench/host/*.c)))
build/bench/host/%: $(B)/obj/bench/host/%.o $(B)/libhost.a
	@mkdir -p $(@D)
	$(call say,LD $@)
	$(LINK)

# ---- directed benches of single RTL blocks ------------------------------------------------------------------------
# BENCHES run under Verilator, IV_BENCHES (four-state) under iverilog.
BENCHES :=
IV_BENCHES :=
-include $(sort $(wildcard bench/*/bench.mk))
BENCH_BIN := $(foreach b,$(BENCHES) $(IV_BENCHES) sim,build/bench/$(b)/run)

define bench_rule
build/bench/$(1)/run: $$(BENCH_$(1)_V) $$(BENCH_$(1)_CPP) $$(wildcard $$(dir $$(firstword $$(BENCH_$(1)_CPP)))*.h) \
                      bench/tb.h bench/latency.h $$(GEN)
	@mkdir -p $$(@D)
	$$(call say,BENCH $(1))
	$$(Q)$$(VERILATOR) --cc --exe --build -j 1 -O3 -Wno-fatal --top-module $$(BENCH_$(1)_TOP) -Ibuild/gen \
	  $$(BENCH_$(1)_VFLAGS) -CFLAGS "-O1 -I$$(CURDIR)/bench -I$$(CURDIR)/host -I$$(CURDIR)/build/gen $$(BENCH_$(1)_CFLAGS)" \
	  -Mdir $$(@D) -o run $$(BENCH_$(1)_V) $$(addprefix $$(CURDIR)/,$$(BENCH_$(1)_CPP)) >$$(@D)/build.log 2>&1 \
	  || { tail -n 30 $$(@D)/build.log; exit 1; }
endef
$(foreach b,$(BENCHES),$(eval $(call bench_rule,$(b))))

define iv_bench_rule
build/bench/$(1)/run: $$(IV_$(1)_V) $$(GEN)
	@mkdir -p $$(@D)
	$$(call say,BENCH $(1))
	$$(Q)iverilog -g2012 -Ibuild/gen -s $$(IV_$(1)_TOP) $$(IV_$(1)_FLAGS) -o $$@ $$(IV_$(1)_V)
endef
$(foreach b,$(IV_BENCHES),$(eval $(call iv_bench_rule,$(b))))

# ---- what people type -------------------------------------------------------------------------------------------
CASE_DIRS   := $(patsubst %/,%,$(sort $(dir $(wildcard vectors/*/case.json vectors/*/*/case.json))))
TEST_SEEDS  ?= 5
SOAK_SEEDS  ?= 200

.PHONY: help run test test-built lint sanitize bench bench-host soak golden clean install setup-run setup-test
help:
	@echo "make            builds build/neffsim"
	@echo "make run        set up, build, run the all-reduce NEFF on the RTL and judge it"
	@echo "make test       set up, build, run all tests; ends with 'N passed, N failed'"
	@echo "make lint       verilator -Wall, iverilog, yosys check, cppcheck, clang-format"
	@echo "make sanitize   unit tests under AddressSanitizer and UBSan (part of make test)"
	@echo "make rules      every case on a model that checks every bus handshake (bench/assert)"
	@echo "make bench      speed, as ratios measured in the same run (make bench-host: the file tools only)"
	@echo "make fuzz       every libFuzzer harness for SECONDS=$(SECONDS) each"
	@echo "make soak       $(SOAK_SEEDS) random-timing seeds of every case (SOAK_SEEDS=n), $(STRESS_SOAK_SEEDS) of random stress"
	@echo "make golden CASE=x   records the golden wave of a case again, showing the difference first"
	@echo "make install PREFIX=/usr/local   the program, its man pages and what q7_link needs"
	@echo "make clean      removes build/"

setup-run:
	@scripts/setup run
setup-test:
	@scripts/setup test

run: setup-run
	@$(MAKE) --no-print-directory -j $(JOBS) all
	@$(B)/neffsim case vectors/allreduce

test: setup-test
	@$(MAKE) --no-print-directory -j $(JOBS) test-built

# One suite each, so that the summary says where a failure is.
SUITES = "lint=scripts/lint" "regs=tests/regs/agree.py build/gen" \
  $(foreach t,$(TEST_BIN),"$(t:$(B)/tests/%=%)=$(t)") \
  $(foreach b,$(BENCHES) $(IV_BENCHES) sim,"bench/$(b)=build/bench/$(b)/run") \
  $(foreach d,$(CASE_DIRS),"case $(d:vectors/%=%)=$(B)/neffsim case $(d)") \
  $(foreach d,$(CASE_DIRS),"seeds $(d:vectors/%=%)=$(B)/neffsim case $(d) --timing random --seeds $(TEST_SEEDS)") \
  $(foreach s,$(sort $(wildcard tests/cli/*.sh)),"$(s:tests/%=%)=$(s) $(B)/neffsim") \
  $(foreach f,$(FUZZ_BIN),"fuzz $(notdir $(f))=scripts/fuzz --runs $(FUZZ_TEST_RUNS) $(f)") \
  "stress=$(STRESS) --seeds $(STRESS_TEST_SEEDS)"

test-built: $(B)/neffsim $(STRESS) $(TEST_BIN) $(BENCH_BIN) san-built fuzz-built
	@scripts/run_tests -j $(JOBS) $(SUITES) $(foreach t,$(SAN_BIN),"san $(t:build/san/tests/%=%)=$(t)")

# Unit tests that do not need the Verilated model, built with the sanitizers.
SAN_C   := $(filter-out $(addsuffix /%,$(TEST_SIM)),$(TEST_C))
SAN_BIN := $(SAN_C:%.c=build/san/%)
.PHONY: san-built san-tests
san-built: $(GEN)
	@$(MAKE) --no-print-directory SAN=1 san-tests
ifeq ($(SAN),1)
san-tests: $(SAN_BIN)
endif
sanitize: setup-test
	@$(MAKE) --no-print-directory -j $(JOBS) san-built
	@scripts/run_tests -j $(JOBS) $(foreach t,$(SAN_BIN),"san $(t:build/san/tests/%=%)=$(t)")

lint: $(GEN)
	@scripts/lint

# The cases once more on a model that watches every handshake.
.PHONY: rules
ifeq ($(RULES),1)
$(SIM_B)/neffsim: $(B)/obj/host/cli/main.o $(B)/libhost.a $(SIM_B)/rtl/libsim.a
	$(LINK)
endif
rules: setup-run
	@$(MAKE) --no-print-directory -j $(JOBS) SIM_B=build/rules RULES=1 build/rules/neffsim build/rules/bench/sim/run
	@scripts/run_tests -j $(JOBS) "bench/sim=build/rules/bench/sim/run" \
	  $(foreach d,$(CASE_DIRS),"rules $(d:vectors/%=%)=build/rules/neffsim case $(d) --timing random --seeds $(TEST_SEEDS)")

build/bench/speed/run: $(B)/obj/bench/speed/speed.o $(B)/libhost.a build/rtl/libsim.a
	@mkdir -p $(@D)
	$(LINK)

bench: setup-run
	@$(MAKE) --no-print-directory -j $(JOBS) build/bench/speed/run
	@build/bench/speed/run vectors/pingpong build/bench/speed/wave.fst
	@$(MAKE) --no-print-directory bench-host
# Each host bench gets the path of neffsim and a scratch folder that it may fill.
bench-host: setup-run
	@$(MAKE) --no-print-directory -j $(JOBS) all $(HOST_BENCH)
	@mkdir -p build/bench/scratch
	@for b in $(HOST_BENCH); do $$b $(B)/neffsim build/bench/scratch || exit 1; done

soak: setup-run
	@$(MAKE) --no-print-directory -j $(JOBS) all $(STRESS)
	@scripts/run_tests -j $(JOBS) $(foreach d,$(CASE_DIRS),"soak $(d:vectors/%=%)=$(B)/neffsim case $(d) --timing random --seeds $(SOAK_SEEDS)") \
	  "stress=$(STRESS) --seeds $(STRESS_SOAK_SEEDS)"

golden: setup-run
	@test -n "$(CASE)" || { echo "usage: make golden CASE=allreduce"; exit 2; }
	@$(MAKE) --no-print-directory -j $(JOBS) all
	@$(B)/neffsim case vectors/$(CASE) --record-golden

PREFIX ?= /usr/local
install: all
	@$(PYTHON) scripts/gen_man $(B)/neffsim build/man
	install -D -m 755 $(B)/neffsim $(DESTDIR)$(PREFIX)/bin/neffsim
	install -d $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 build/man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -D -m 755 scripts/q7_link $(DESTDIR)$(PREFIX)/bin/q7_link
	install -D -m 644 share/neffsim/q7.ld $(DESTDIR)$(PREFIX)/share/neffsim/q7.ld
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/share/neffsim/gtkwave share/neffsim/gtkwave/*
	install -D -m 755 scripts/xtensa_binutils $(DESTDIR)$(PREFIX)/share/neffsim/xtensa_binutils
	install -D -m 644 scripts/xtensa_config.c $(DESTDIR)$(PREFIX)/share/neffsim/xtensa_config.c

clean:
	rm -rf build

-include $(STRESS_O:.o=.d) $(HOST_O:.o=.d) $(B)/obj/host/cli/main.d $(TEST_C:%.c=$(B)/obj/%.d) $(FUZZ_C:%.c=$(B)/obj/%.d)
