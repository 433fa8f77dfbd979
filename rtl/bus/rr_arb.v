// Round-robin arbiter: grants the first requester above the one that was taken last. Combinational grant; the
// position moves only in a clock with take_i, so a grant that is not taken stays where it is.
`default_nettype none

module rr_arb #(
    parameter N = 4, // requesters, 2..32
    parameter W = 5  // bits of index_o
) (
    input  wire         clk_i,
    input  wire         rst_ni,
    input  wire [N-1:0] req_i,
    input  wire         take_i,
    output wire [N-1:0] grant_o, // one-hot, 0 without a request
    output reg  [W-1:0] index_o  // number of the granted requester
);
    initial begin
        if (N < 2 || N > (1 << W)) begin
            $display("%m: %0d requesters do not fit an index of %0d bits", N, W);
            $finish;
        end
    end

    reg  [N-1:0] above_q; // requesters after the one taken last
    wire [N-1:0] first = (req_i & above_q) != {N{1'b0}} ? req_i & above_q : req_i;

    assign grant_o = first & (~first + {{(N-1){1'b0}}, 1'b1});

    integer i;
    always @* begin
        index_o = {W{1'b0}};
        for (i = 0; i < N; i = i + 1)
            if (grant_o[i]) index_o = index_o | i[W-1:0];
    end

    always @(posedge clk_i) begin
        if (!rst_ni) above_q <= {N{1'b1}};
        else if (take_i && req_i != {N{1'b0}}) above_q <= ~(grant_o | (grant_o - {{(N-1){1'b0}}, 1'b1}));
    end
endmodule
`default_nettype wire
