BUS_RTL := rtl/bus/addr_map.v rtl/bus/rr_arb.v rtl/bus/axi_issue.v rtl/bus/axi_decerr.v rtl/bus/axi_fabric_rd.v \
           rtl/bus/axi_fabric_wr.v rtl/bus/axi_fabric.v rtl/bus/axi2apb.v rtl/bus/apb_fabric.v \
           $(RULES_V) bench/assert/bind_fabric.sv bench/assert/bind_bus.sv

BENCHES += bus64
BENCH_bus64_TOP := bus_top
BENCH_bus64_V := $(BUS_RTL) bench/bus/bus_top.sv
BENCH_bus64_CPP := bench/bus/bus_tb.cpp
BENCH_bus64_VFLAGS := -GMEM_W=64 -CFLAGS -DBUS_MEM_W=64

BENCHES += bus512
BENCH_bus512_TOP := bus_top
BENCH_bus512_V := $(BUS_RTL) bench/bus/bus_top.sv
BENCH_bus512_CPP := bench/bus/bus_tb.cpp
BENCH_bus512_VFLAGS := -GMEM_W=512 -CFLAGS -DBUS_MEM_W=512
