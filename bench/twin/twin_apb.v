// APB3 master that writes the words of a program, one after the other: pc_o asks, word_i answers in the same clock
// ({last, address, data}). After the last word it reads random registers for ever. Pauses are random.
`default_nettype none

module twin_apb #(
    parameter AW = 20
) (
    input  wire           clk_i,
    input  wire           rst_ni,
    input  wire [AW+7:0]  rand_i,
    output reg  [7:0]     pc_o,
    input  wire [AW+32:0] word_i,
    output reg            psel_o,
    output reg            penable_o,
    output reg            pwrite_o,
    output reg  [AW-1:0]  paddr_o,
    output reg  [31:0]    pwdata_o,
    input  wire           pready_i
);
    reg done_q;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            {psel_o, penable_o, pwrite_o, done_q} <= 4'd0;
            paddr_o  <= {AW{1'b0}};
            pwdata_o <= 32'd0;
            pc_o     <= 8'd0;
        end else if (!psel_o) begin
            psel_o   <= rand_i[1:0] != 2'd0;
            pwrite_o <= !done_q;
            paddr_o  <= done_q ? {rand_i[AW+7:10], 2'd0} : word_i[32 +: AW];
            pwdata_o <= done_q ? 32'd0 : word_i[31:0];
        end else if (!penable_o) begin
            penable_o <= 1'b1;
        end else if (pready_i) begin
            {psel_o, penable_o} <= 2'b00;
            if (!done_q) pc_o <= pc_o + 8'd1;
            if (word_i[AW+32]) done_q <= 1'b1;
        end
    end
endmodule
`default_nettype wire
