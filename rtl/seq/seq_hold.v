// One-entry holding register of a record stream. The producer loads it while `idle_o` is high and may then forget the
// record; `done_o` is high in the clock in which the consumer takes it. Latency 1 clock, one record per 2 clocks. A
// consumer that never answers keeps it full.
`default_nettype none

module seq_hold #(
    parameter W = 32
) (
    input  wire         clk_i,
    input  wire         rst_ni,
    input  wire         load_i,
    input  wire [W-1:0] data_i,
    output wire         idle_o,
    output wire         done_o,
    output wire         valid_o,
    input  wire         ready_i,
    output wire [W-1:0] data_o
);

    reg         valid_q;
    reg [W-1:0] data_q;

    assign idle_o = !valid_q;
    assign done_o = valid_q && ready_i;
    assign valid_o = valid_q;
    assign data_o = data_q;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            valid_q <= 1'b0;
            data_q <= {W{1'b0}};
        end else if (load_i && !valid_q) begin
            valid_q <= 1'b1;
            data_q <= data_i;
        end else if (ready_i) begin
            valid_q <= 1'b0;
        end
    end

endmodule

`default_nettype wire
