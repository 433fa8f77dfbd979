// Merges the one-word error records of N sources into one stream, round robin. A record that waits keeps its place until
// it is taken, so the payload is stable. Latency 0, one record per clock.
`default_nettype none

module rec_merge #(
    parameter N = 5 // sources, 2..8
) (
    input  wire            clk_i,
    input  wire            rst_ni,
    input  wire [N-1:0]    valid_i,
    output wire [N-1:0]    ready_o,
    input  wire [32*N-1:0] body1_i,
    output wire            valid_o,
    input  wire            ready_i,
    output wire [31:0]     body1_o
);
    reg          waits_q;
    reg  [2:0]   holder_q;
    wire [2:0]   index;
    wire [N-1:0] grant;
    wire [2:0]   from = waits_q ? holder_q : index;

    rr_arb #(.N(N), .W(3)) u_arb (
        .clk_i(clk_i), .rst_ni(rst_ni), .req_i(valid_i), .take_i(!waits_q), .grant_o(grant), .index_o(index)
    );
    wire unused = &{1'b0, grant};

    assign valid_o = valid_i != {N{1'b0}};
    assign body1_o = body1_i[32*from +: 32];
    assign ready_o = {{(N-1){1'b0}}, ready_i && valid_o} << from;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            waits_q  <= 1'b0;
            holder_q <= 3'd0;
        end else begin
            waits_q  <= valid_o && !ready_i;
            holder_q <= from;
        end
    end
endmodule
`default_nettype wire
