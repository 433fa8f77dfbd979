# The handshake rules; bind_*.sv put them on the blocks.
RULES_V := bench/assert/rule_pkg.sv bench/assert/hold_rule.sv bench/assert/axi_write_rules.sv \
           bench/assert/axi_read_rules.sv bench/assert/apb_rules.sv
