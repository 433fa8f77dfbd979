// Clock and dump of the twin benches under Icarus; twin_main.cpp does the same for Verilator. +wave=FILE names the VCD.
`default_nettype none
`timescale 1ns / 1ns

module twin_icarus;
    parameter CLOCKS = 1200;

    reg          clk = 1'b0;
    reg [1023:0] file;

    twin twin (.clk_i(clk));

    integer i;
    initial begin
        if (!$value$plusargs("wave=%s", file)) file = "twin.vcd";
        $dumpfile(file);
        $dumpvars(0, twin);
        for (i = 0; i < 2 * CLOCKS; i = i + 1) begin
            #5 clk = !clk;
        end
        #5 $finish;
    end
endmodule
`default_nettype wire
