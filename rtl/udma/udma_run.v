// Run state of one direction (udma.md §11): running after reset; dis stops at a packet boundary, normal runs again and
// ends an abort, abort is sticky. Of several command bits in one write abort wins, then dis. Latency 1 clock.
`default_nettype none

module udma_run (
    input  wire clk_i,
    input  wire rst_ni,
    input  wire normal_i,
    input  wire dis_i,
    input  wire abort_i,
    output reg  run_o,
    output reg  abort_o
);
    always @(posedge clk_i) begin
        if (!rst_ni) begin
            run_o   <= 1'b1;
            abort_o <= 1'b0;
        end else if (abort_i) begin
            abort_o <= 1'b1;
        end else if (dis_i) begin
            run_o <= 1'b0;
        end else if (normal_i) begin
            run_o   <= 1'b1;
            abort_o <= 1'b0;
        end
    end
endmodule
`default_nettype wire
