// Twin benches: the same RTL and the same stimulus under two simulators, whose waves must agree (tests/cli/wave_twin.sh).
// Everything hangs on clk_i: the stimulus is registers, so no simulator has a choice of order. The clock comes from
// twin_main.cpp under Verilator and from twin_icarus.v under Icarus.
`default_nettype none
`timescale 1ns / 1ns

module twin (
    input wire clk_i
);
    reg [15:0] cycle_q;
    reg        rst_n_q;

    initial begin
        cycle_q = 16'd0;
        rst_n_q = 1'b0;
    end

    always @(posedge clk_i) begin
        cycle_q <= cycle_q + 16'd1;
        rst_n_q <= cycle_q >= 16'd4;
    end

    twin_evt u_evt (.clk_i(clk_i), .rst_ni(rst_n_q));
    twin_notific u_notific (.clk_i(clk_i), .rst_ni(rst_n_q));
    twin_udma u_udma (.clk_i(clk_i), .rst_ni(rst_n_q));
    twin_seq u_seq (.clk_i(clk_i), .rst_ni(rst_n_q));
    twin_bus u_bus (.clk_i(clk_i), .rst_ni(rst_n_q));
endmodule
`default_nettype wire
