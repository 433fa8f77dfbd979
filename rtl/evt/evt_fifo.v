// First-in first-out buffer in front of NOTIFIC for the records of EVT_SEM. Full and empty are registered state: a
// word pushed in clock n can leave in clock n+1. A push while full is ignored; the owner decides what that means.
// One word in and one out per clock.
`default_nettype none

module evt_fifo #(
    parameter W     = 8,
    parameter DEPTH = 16 // power of two, 2..256
) (
    input  wire         clk_i,
    input  wire         rst_ni,
    input  wire         push_i,
    input  wire [W-1:0] data_i,
    output wire         full_o,
    output wire         valid_o,
    input  wire         ready_i,
    output wire [W-1:0] data_o // 0 while !valid_o
);
    localparam A = $clog2(DEPTH);

    initial begin
        if (DEPTH < 2 || DEPTH > 256 || (1 << A) != DEPTH) begin
            $display("%m: DEPTH is %0d, allowed are powers of two 2..256", DEPTH);
            $finish;
        end
    end

    reg [W-1:0] mem [0:DEPTH-1];
    reg [A:0]   wr_q, rd_q;

    assign full_o  = wr_q == (rd_q ^ {1'b1, {A{1'b0}}});
    assign valid_o = wr_q != rd_q;
    assign data_o  = valid_o ? mem[rd_q[A-1:0]] : {W{1'b0}};

    wire push = push_i && !full_o;

    always @(posedge clk_i) begin
        if (push) mem[wr_q[A-1:0]] <= data_i;
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            wr_q <= {(A+1){1'b0}};
            rd_q <= {(A+1){1'b0}};
        end else begin
            if (push) wr_q <= wr_q + 1'b1;
            if (valid_o && ready_i) rd_q <= rd_q + 1'b1;
        end
    end
endmodule
`default_nettype wire
