# Four-state simulation of the whole core with iverilog, at the widest and the narrowest memory port. iverilog has nothing
# to say that scripts/lint does not check.
XPROP_V := $(sort $(wildcard rtl/*/*.v)) bench/xprop/xprop_tb.v

IV_BENCHES += xprop
IV_xprop_TOP := xprop_tb
IV_xprop_V := $(XPROP_V)

IV_BENCHES += xprop_64
IV_xprop_64_TOP := xprop_tb
IV_xprop_64_V := $(XPROP_V)
IV_xprop_64_FLAGS := -Pxprop_tb.MEM_W=64
