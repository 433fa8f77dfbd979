// The two DPI functions through which every tap reports. Kinds and fields: regs/bench.regs (enum EV).
// qu is the field `queue`, a word that Verilator 5.006 cannot emit as a C++ argument name.
package ev_pkg;
  import "DPI-C" context function void neffsim_ev(input int kind, input int unit, input int qu, input int dir,
      input int code, input int index, input int value, input longint addr, input longint data);
  // nwords: how many 32-bit words of w are meaningful (2, 4 or 16).
  import "DPI-C" context function void neffsim_ev_words(input int kind, input int unit, input int qu, input int dir,
      input int code, input int index, input int value, input longint addr, input longint data, input int nwords,
      input bit [511:0] w);
endpackage
