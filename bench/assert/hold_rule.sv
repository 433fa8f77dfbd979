// valid never falls before ready, and the payload stands still while it waits. The one rule of every valid/ready pair:
// AXI4 channels, record streams, requests of EVT_SEM (there `ready` is the answer). MAY_FALL: valid may be withdrawn, as
// a sequencer does with a wait that a break ends; the payload still must not change under it.
`default_nettype none

module hold_rule #(
    parameter int    W = 1,
    parameter string NAME = "",
    parameter bit    MAY_FALL = 0
) (
    input wire         clk_i,
    input wire         rst_ni,
    input wire         valid_i,
    input wire         ready_i,
    input wire [W-1:0] payload_i
);
    logic         waits_q;
    logic [W-1:0] payload_q;

    always_ff @(posedge clk_i) begin
        if (waits_q && rst_ni) begin
            if (!valid_i) begin
                if (!MAY_FALL) rule_pkg::neffsim_rule($sformatf("%m"), {NAME, " valid fell before its ready"});
            end else if (payload_i != payload_q) rule_pkg::neffsim_rule($sformatf("%m"), {NAME, " payload changed while it waits"});
        end
        waits_q <= rst_ni && valid_i && !ready_i;
        if (valid_i && !ready_i && !waits_q) payload_q <= payload_i;
    end
endmodule
`default_nettype wire
