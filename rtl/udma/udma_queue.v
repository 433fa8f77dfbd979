// Ring pointers of the 16 queues of one direction (udma.md §6): tail, request, head, current, completion head, each a
// 2-bit ring id and a 24-bit offset, and the counts that go with them.
//
// A doorbell of 0 is ignored; one that would exceed the ring is refused and changes nothing. rst_i (rst_q) wins over
// every other update of its queue in the same clock. All answers come from registers, so an effect of clock n is seen
// in clock n+1. The request pointer runs ahead of the head by the descriptors that are on the bus.
`default_nettype none
`include "regs.vh"

module udma_queue (
    input  wire         clk_i,
    input  wire         rst_ni,
    input  wire [383:0] len_i,        // 24 bits per queue, descriptors
    // doorbell
    input  wire         bell_i,
    input  wire [3:0]   bell_q_i,
    input  wire [23:0]  bell_n_i,
    output wire         bell_ok_o,    // not 0 and fits
    output wire [25:0]  bell_tail_o,  // tail after this doorbell
    // rst_q
    input  wire         rst_i,
    input  wire [3:0]   rst_q_i,
    // request pointer, for the queue the prefetcher looks at
    input  wire         req_i,
    input  wire [3:0]   req_q_i,
    input  wire [3:0]   req_n_i,
    output wire [23:0]  req_offset_o,
    output wire [23:0]  req_left_o,   // armed and not yet requested
    // head
    input  wire         head_i,
    input  wire [3:0]   head_q_i,
    output wire [25:0]  head_ptr_o,
    // current
    input  wire         cur_i,
    input  wire [3:0]   cur_q_i,
    output wire [23:0]  cur_offset_o,
    // completion head
    input  wire         cpl_i,
    input  wire [3:0]   cpl_q_i,
    input  wire [7:0]   cpl_n_i,
    output wire [25:0]  cpl_new_o,    // completion head after this completion
    // for the register file
    input  wire [3:0]   sel_i,
    output wire [25:0]  sel_tail_o,
    output wire [25:0]  sel_head_o,
    output wire [25:0]  sel_cur_o,
    output wire [25:0]  sel_cpl_o,
    output wire [24:0]  sel_used_o,
    output wire         sel_full_o,
    output wire [15:0]  pending_o     // queue has descriptors that were not requested
);
    localparam [1:0]  FIRST_ID = `RING_ID_FIRST;
    localparam [25:0] FIRST    = {FIRST_ID, 24'd0};

    reg [25:0] tail_q [0:15];
    reg [25:0] req_q  [0:15];
    reg [25:0] head_q [0:15];
    reg [25:0] cur_q  [0:15];
    reg [25:0] cpl_q  [0:15];
    reg [24:0] used_q [0:15];
    reg [23:0] left_q [0:15];
    reg [15:0] pending_q;

    function [25:0] advance;
        input [25:0] ptr;
        input [23:0] n;
        input [23:0] len;
        reg [24:0] sum;
        begin
            sum = {1'b0, ptr[23:0]} + {1'b0, n};
            advance = sum >= {1'b0, len} ? {ptr[25:24] + 2'd1, sum[23:0] - len} : {ptr[25:24], sum[23:0]};
        end
    endfunction

    wire [23:0] bell_len  = len_i[24*bell_q_i +: 24];
    wire [24:0] bell_used = used_q[bell_q_i] + {1'b0, bell_n_i};
    wire        bell_fits = bell_used <= {1'b0, bell_len} && used_q[bell_q_i] <= {1'b0, bell_len};

    assign bell_ok_o    = bell_i && bell_n_i != 24'd0 && bell_fits;
    assign bell_tail_o  = bell_ok_o ? advance(tail_q[bell_q_i], bell_n_i, bell_len) : tail_q[bell_q_i];
    assign req_offset_o = req_q[req_q_i][23:0];
    assign req_left_o   = left_q[req_q_i];
    assign head_ptr_o   = head_q[head_q_i];
    assign cur_offset_o = cur_q[cur_q_i][23:0];
    assign cpl_new_o    = advance(cpl_q[cpl_q_i], {16'd0, cpl_n_i}, len_i[24*cpl_q_i +: 24]);
    assign pending_o    = pending_q;

    assign sel_tail_o = tail_q[sel_i];
    assign sel_head_o = head_q[sel_i];
    assign sel_cur_o  = cur_q[sel_i];
    assign sel_cpl_o  = cpl_q[sel_i];
    assign sel_used_o = used_q[sel_i];
    assign sel_full_o = used_q[sel_i] == {1'b0, len_i[24*sel_i +: 24]} && used_q[sel_i] != 25'd0;

    wire        same_req  = bell_ok_o && req_i && bell_q_i == req_q_i;
    wire        same_cpl  = bell_ok_o && cpl_i && bell_q_i == cpl_q_i;
    wire [23:0] req_rest  = left_q[req_q_i] - {20'd0, req_n_i} + (same_req ? bell_n_i : 24'd0);
    wire [24:0] cpl_rest  = used_q[cpl_q_i] - {17'd0, cpl_n_i} + (same_cpl ? {1'b0, bell_n_i} : 25'd0);

    integer i;
    always @(posedge clk_i) begin
        if (!rst_ni) begin
            for (i = 0; i < 16; i = i + 1) begin
                tail_q[i] <= FIRST;
                req_q[i]  <= FIRST;
                head_q[i] <= FIRST;
                cur_q[i]  <= FIRST;
                cpl_q[i]  <= FIRST;
                used_q[i] <= 25'd0;
                left_q[i] <= 24'd0;
            end
            pending_q <= 16'd0;
        end else begin
            if (bell_ok_o) begin
                tail_q[bell_q_i]    <= bell_tail_o;
                used_q[bell_q_i]    <= bell_used;
                left_q[bell_q_i]    <= left_q[bell_q_i] + bell_n_i;
                pending_q[bell_q_i] <= 1'b1;
            end
            if (req_i) begin
                req_q[req_q_i]     <= advance(req_q[req_q_i], {20'd0, req_n_i}, len_i[24*req_q_i +: 24]);
                left_q[req_q_i]    <= req_rest;
                pending_q[req_q_i] <= req_rest != 24'd0;
            end
            if (head_i) head_q[head_q_i] <= advance(head_q[head_q_i], 24'd1, len_i[24*head_q_i +: 24]);
            if (cur_i) cur_q[cur_q_i] <= advance(cur_q[cur_q_i], 24'd1, len_i[24*cur_q_i +: 24]);
            if (cpl_i) begin
                cpl_q[cpl_q_i]  <= cpl_new_o;
                used_q[cpl_q_i] <= cpl_rest;
            end
            if (rst_i) begin
                tail_q[rst_q_i]    <= FIRST;
                req_q[rst_q_i]     <= FIRST;
                head_q[rst_q_i]    <= FIRST;
                cur_q[rst_q_i]     <= FIRST;
                cpl_q[rst_q_i]     <= FIRST;
                used_q[rst_q_i]    <= 25'd0;
                left_q[rst_q_i]    <= 24'd0;
                pending_q[rst_q_i] <= 1'b0;
            end
        end
    end
endmodule
`default_nettype wire
