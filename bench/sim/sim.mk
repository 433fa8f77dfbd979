# The simulated chip: Verilator model, taps, C++ shim -> $(SIM_B)/rtl/libsim.a (objects of the model, of the shim and of
# Verilator's runtime; link with host objects, -lz -lstdc++ -lm -pthread). build/gen must hold the generated headers.
SIM_B ?= build
include bench/assert/rules.mk
SIM_V := bench/taps/ev_pkg.sv $(sort $(wildcard rtl/*/*.v)) bench/sim/axi_mem.sv bench/sim/host_port.sv \
         bench/sim/sim_top.sv \
         $(filter-out bench/taps/ev_pkg.sv,$(sort $(wildcard bench/taps/*.sv))) bench/sim/public.vlt
# RULES=1: with the handshake rules of bench/assert in the chip. They cost a sixth of the speed, so they have a model of their
# own (`make rules`).
ifeq ($(RULES),1)
SIM_V += $(RULES_V) $(filter-out bench/assert/bind_bus.sv,$(sort $(wildcard bench/assert/bind_*.sv)))
else
SIM_V += bench/assert/rule_pkg.sv
endif
SIM_CPP := bench/sim/rtl_sim.cpp bench/sim/rtl_dpi.cpp bench/sim/rtl_poke.cpp bench/sim/inject.cpp
SIM_H := bench/sim/rtl_sim.h bench/sim/rtl_state.h bench/sim/inject.h
SIM_VFLAGS := -O3 --x-assign fast --x-initial fast --noassert --no-timing --trace-fst --output-split 20000 \
              -Wall -Wno-DECLFILENAME -Wno-UNUSEDSIGNAL -Wno-UNUSEDPARAM -Wno-fatal
SIM_OPT := -O2 -fno-stack-protector

SIM_OBJ := $(SIM_B)/rtl/obj
SIM_ROOT := $(shell $(VERILATOR) --getenv VERILATOR_ROOT 2>/dev/null)
SIM_RUNTIME := verilated.o verilated_dpi.o verilated_fst_c.o verilated_threads.o
SIM_INC := -Ibuild/gen -Ihost -Ibench -I$(SIM_OBJ) -isystem $(SIM_ROOT)/include -isystem $(SIM_ROOT)/include/vltstd
SIM_SHIM := $(patsubst bench/sim/%.cpp,$(SIM_B)/rtl/%.o,$(SIM_CPP))

$(SIM_OBJ)/Vsim_top.mk: $(SIM_V) build/gen/regs.vh bench/sim/sim.mk
	@mkdir -p $(SIM_B)/rtl
	@rm -rf $(SIM_OBJ)
	$(call say,VERILATE sim_top)
	$(Q)$(VERILATOR) --cc $(SIM_VFLAGS) -Ibuild/gen --Mdir $(SIM_OBJ) --prefix Vsim_top --top-module sim_top $(SIM_V)

$(SIM_B)/rtl/%.o: bench/sim/%.cpp $(SIM_H) $(SIM_OBJ)/Vsim_top.mk
	$(call say,CXX $<)
	$(Q)$(CXX) -std=c++17 -O2 -Wall -Wextra $(SIM_INC) -c $< -o $@

$(SIM_B)/rtl/libsim.a: $(SIM_OBJ)/Vsim_top.mk $(SIM_SHIM)
	$(call say,CXX the Verilated model (a few minutes))
	$(Q)$(MAKE) $(if $(Q),-s) -C $(SIM_OBJ) -f Vsim_top.mk OPT_FAST="$(SIM_OPT)" OPT_SLOW="-O1" OPT_GLOBAL="-O2" \
	    Vsim_top__ALL.a $(SIM_RUNTIME) >$(SIM_B)/rtl/build.log 2>&1 || { tail -n 30 $(SIM_B)/rtl/build.log; exit 1; }
	@rm -f $@
	$(Q)ar rcs $@ $(SIM_OBJ)/*.o $(SIM_SHIM)

# Bench "sim": the assembled chip through the C API.
$(SIM_B)/bench/sim/run: bench/sim/sim_smoke.cpp $(SIM_B)/rtl/libsim.a host/util/nerr.c host/util/sparse.c
	@mkdir -p $(SIM_B)/bench/sim
	$(call say,BENCH sim)
	$(Q)$(CC) -std=c11 -O2 -Ihost -c host/util/nerr.c -o $(SIM_B)/bench/sim/nerr.o
	$(Q)$(CC) -std=c11 -O2 -Ihost -c host/util/sparse.c -o $(SIM_B)/bench/sim/sparse.o
	$(Q)$(CXX) -std=c++17 -O1 -Wall -Wextra $(SIM_INC) bench/sim/sim_smoke.cpp $(SIM_B)/bench/sim/nerr.o \
	    $(SIM_B)/bench/sim/sparse.o $(SIM_B)/rtl/libsim.a -lz -pthread -o $@
