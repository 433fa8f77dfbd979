// How a handshake rule reports that it was broken. `place` is the instance, `text` the sentence of the rule. A bench that
// hears of one fails (bench/tb.h); in the simulated chip it becomes an event that the checker refuses (EV_RULE).
package rule_pkg;
  import "DPI-C" context function void neffsim_rule(input string place, input string text);
endpackage
