// Finds enabled rings that overlap in memory (notification-queue.md §10, interrupt 7). A write that enables a ring, or
// moves or resizes an enabled one, starts a walk over all pairs of rings, one pair per clock; only pairs with a ring
// that was written count. found_o is high for one clock at the first overlap; the walk then ends.
// Latency: at most 46 clocks after the write.
`default_nettype none
`include "regs.vh"

module notific_overlap (
    input  wire                     clk_i,
    input  wire                     rst_ni,
    input  wire [`NQ_QUEUES-1:0]    touched_i, // written in this clock
    input  wire [`NQ_QUEUES-1:0]    live_i,    // enabled and of legal size
    input  wire [64*`NQ_QUEUES-1:0] base_i,
    input  wire [32*`NQ_QUEUES-1:0] size_i,
    output wire                     found_o
);
    localparam LAST = `NQ_QUEUES - 1;

    reg [`NQ_QUEUES-1:0] fresh_q; // rings written since the last finished walk
    reg [3:0]            a_q, b_q; // the pair, a < b

    wire [64:0] base_a = {1'b0, base_i[64*a_q +: 64]};
    wire [64:0] base_b = {1'b0, base_i[64*b_q +: 64]};
    wire [64:0] end_a  = base_a + {33'd0, size_i[32*a_q +: 32]};
    wire [64:0] end_b  = base_b + {33'd0, size_i[32*b_q +: 32]};

    wire walking = fresh_q != {`NQ_QUEUES{1'b0}};
    wire last    = a_q == LAST - 1; // then b is LAST
    assign found_o = (fresh_q[a_q] || fresh_q[b_q]) && live_i[a_q] && live_i[b_q] && base_a < end_b && base_b < end_a;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            fresh_q <= {`NQ_QUEUES{1'b0}};
            a_q     <= 4'd0;
            b_q     <= 4'd1;
        end else if (touched_i != {`NQ_QUEUES{1'b0}}) begin
            fresh_q <= found_o ? touched_i : fresh_q | touched_i;
            a_q     <= 4'd0;
            b_q     <= 4'd1;
        end else if (walking) begin
            if (found_o || last) begin
                fresh_q <= {`NQ_QUEUES{1'b0}};
                a_q     <= 4'd0;
                b_q     <= 4'd1;
            end else if (b_q == LAST) begin
                a_q <= a_q + 4'd1;
                b_q <= a_q + 4'd2;
            end else begin
                b_q <= b_q + 4'd1;
            end
        end
    end
endmodule
`default_nettype wire
