// Input buffer of one record source of NOTIFIC: notification-queue.md §9.1 steps 1 and 2, overflow flag §9.4.
//   class off            the record is taken and discarded
//   buffer full          backpressure: not taken; otherwise taken and dropped, and the newest record in the buffer
//                        gets the hardware overflow flag
// Full is registered state, so the newest record is never the one that leaves in the same clock (DEPTH >= 2).
// Latency: a record accepted in clock n is at the head from clock n+1.
`default_nettype none

module notific_niq #(
    parameter W     = 71, // bits of a record without its overflow flag
    parameter DEPTH = 4,  // power of two, 2..64
    parameter A     = 2   // log2 of DEPTH
) (
    input  wire         clk_i,
    input  wire         rst_ni,

    input  wire         valid_i,
    output wire         ready_o,
    input  wire [W-1:0] data_i,
    input  wire         ovf_i,          // the source lost records itself
    input  wire         class_on_i,
    input  wire         backpressure_i,

    output wire         valid_o,
    output wire [W-1:0] data_o,
    output wire         ovf_o,
    input  wire         pop_i,

    input  wire [A-1:0] look_i,         // entry to show, 0 while it holds no record
    output wire [W:0]   look_o,         // {overflow flag, record}

    output wire         class_drop_o,   // what happens to the offered record in this clock
    output wire         full_drop_o,
    output wire         full_stall_o
);
    reg [W-1:0]     mem [0:DEPTH-1];
    reg [DEPTH-1:0] used_q, ovf_q;
    reg [A-1:0]     wr_q, rd_q;

    wire         full   = used_q[wr_q];
    wire         wanted = valid_i && class_on_i;
    wire         push   = wanted && !full;
    wire [A-1:0] newest = wr_q - 1'b1;

    assign ready_o      = !class_on_i || !full || !backpressure_i;
    assign class_drop_o = valid_i && !class_on_i;
    assign full_drop_o  = wanted && full && !backpressure_i;
    assign full_stall_o = wanted && full && backpressure_i;

    assign valid_o = used_q[rd_q];
    assign data_o  = mem[rd_q];
    assign ovf_o   = ovf_q[rd_q];
    assign look_o  = used_q[look_i] ? {ovf_q[look_i], mem[look_i]} : {(W+1){1'b0}};

    always @(posedge clk_i) begin
        if (push) mem[wr_q] <= data_i;
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            used_q <= {DEPTH{1'b0}};
            ovf_q  <= {DEPTH{1'b0}};
            wr_q   <= {A{1'b0}};
            rd_q   <= {A{1'b0}};
        end else begin
            if (pop_i) begin
                used_q[rd_q] <= 1'b0;
                rd_q         <= rd_q + 1'b1;
            end
            if (push) begin
                used_q[wr_q] <= 1'b1;
                ovf_q[wr_q]  <= ovf_i;
                wr_q         <= wr_q + 1'b1;
            end
            if (full_drop_o) ovf_q[newest] <= 1'b1;
        end
    end
endmodule
`default_nettype wire
