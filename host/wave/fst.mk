# The FST library of Verilator's include folder. Include after HOST_O is defined and before it is used.

FST_DIR := $(shell $(VERILATOR) --getenv VERILATOR_ROOT 2>/dev/null)/include/gtkwave
FST_O   := $(B)/obj/third/fst.o
HOST_O  += $(FST_O)

# What the loop over the bits of a vector does instead for eight whole bits; a library without this loop is built as it is.
FST_EIGHT := if((j \& 7) || len - j < 8) & \
             else { memcpy(xc->temp_signal_value_buf + j, eight_states[vdata[byte]], 8); j += 7; }

# Third-party code: none of our warnings and no sanitizer, and a prefix for every symbol (host/wave/third/fst.c).
$(FST_O): host/wave/third/fst.c host/wave/fst.mk
	@mkdir -p $(@D)
	sed 's/xc->temp_signal_value_buf\[j\] = ch;/$(FST_EIGHT)/' $(FST_DIR)/fstapi.c >$(@D)/fstapi.c
	$(CC) -std=gnu11 -O2 -g -w -I$(@D) -I$(FST_DIR) -c $< -o $@.plain
	nm -g --defined-only $@.plain | awk '{ print $$3, "wave_third_" $$3 }' >$@.names
	objcopy --redefine-syms=$@.names $@.plain $@

# System headers to the compiler, so that our warnings do not apply to them.
$(B)/obj/host/wave/%.o $(B)/obj/tests/wave/%.o $(B)/obj/tests/fuzz/fst.o: CPPFLAGS += -isystem $(FST_DIR)
