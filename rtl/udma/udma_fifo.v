// First-in first-out buffer with a visible fill count. Latency one clock: a word pushed in clock n is at the head from
// clock n+1. The owner pushes only while count_o < DEPTH and pops only while valid_o; nothing is checked here.
`default_nettype none

module udma_fifo #(
    parameter W     = 8,
    parameter DEPTH = 16 // power of two, 2..256
) (
    input  wire         clk_i,
    input  wire         rst_ni,
    input  wire         push_i,
    input  wire [W-1:0] data_i,
    input  wire         pop_i,
    output wire         valid_o,
    output wire [W-1:0] data_o, // 0 while !valid_o: the memory is not reset and must not show
    output wire [8:0]   count_o
);
    localparam A = $clog2(DEPTH);

    initial begin
        if (DEPTH < 2 || DEPTH > 256 || (1 << A) != DEPTH) begin
            $display("%m: DEPTH is %0d, allowed are powers of two 2..256", DEPTH);
            $finish;
        end
    end

    reg [W-1:0] mem [0:DEPTH-1];
    reg [A-1:0] wr_q, rd_q;
    reg [8:0]   count_q;

    assign valid_o = count_q != 9'd0;
    assign data_o  = valid_o ? mem[rd_q] : {W{1'b0}};
    assign count_o = count_q;

    always @(posedge clk_i) begin
        if (push_i) mem[wr_q] <= data_i;
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            wr_q    <= {A{1'b0}};
            rd_q    <= {A{1'b0}};
            count_q <= 9'd0;
        end else begin
            if (push_i) wr_q <= wr_q + 1'b1;
            if (pop_i) rd_q <= rd_q + 1'b1;
            count_q <= count_q + {8'd0, push_i} - {8'd0, pop_i};
        end
    end
endmodule
`default_nettype wire
