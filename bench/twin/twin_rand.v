// W random bits a clock, the same in every simulator: one xorshift generator per 64 bits, its upper bits taken.
`default_nettype none

module twin_rand #(
    parameter        W    = 64,
    parameter [63:0] SEED = 64'd1
) (
    input  wire         clk_i,
    input  wire         rst_ni,
    output wire [W-1:0] rand_o
);
    localparam LANES = (W + 31) / 32;

    wire [32*LANES-1:0] all;
    assign rand_o = all[W-1:0];

    function [63:0] step(input [63:0] x);
        reg [63:0] a, b;
        begin
            a    = x ^ (x << 13);
            b    = a ^ (a >> 7);
            step = b ^ (b << 17);
        end
    endfunction

    genvar g;
    generate
        for (g = 0; g < LANES; g = g + 1) begin : g_lane
            localparam [63:0] NUMBER = g;
            reg [63:0] state_q;
            always @(posedge clk_i) begin
                if (!rst_ni) state_q <= (SEED * 64'h9e3779b97f4a7c15) ^ ((NUMBER + 64'd1) * 64'hd1b54a32d192ed03);
                else state_q <= step(state_q);
            end
            assign all[32*g +: 32] = state_q[63:32];
        end
    endgenerate
endmodule
`default_nettype wire
