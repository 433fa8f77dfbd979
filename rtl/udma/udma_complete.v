// Completion (udma.md §11 steps A and C): keeps what was issued in order, takes the write responses, and when the last
// burst of a packet is answered moves the completion heads of both directions and counts the packet. Responses come in
// order, so the last one of a packet says that all its writes are globally visible.
// A response with an error (S2M DATA_RESP, bit 1) is reported; the packet and all that follows it in its queue never
// complete. Throughput: one entry per clock.
`default_nettype none
`include "regs.vh"

module udma_complete #(
    parameter ORDER = 64
) (
    input  wire         clk_i,
    input  wire         rst_ni,
    input  wire         push_i,
    input  wire [174:0] entry_i,
    output wire         room_o,
    input  wire [15:0]  kill_i,
    // AXI
    input  wire [1:0]   m_bresp_i,
    input  wire         m_bvalid_i,
    output wire         m_bready_o,
    // results, all about queue q_o
    output wire [3:0]   q_o,
    output wire         answer_o, // write burst answered
    output wire         err_o,    // with an error
    output wire [23:0]  err_idx_o,
    output wire [127:0] err_words_o,
    output wire         leave_o,  // packet leaves the pipeline
    output wire         cpl_o,    // and is complete
    output wire [7:0]   m2s_n_o,
    output wire [7:0]   s2m_n_o,
    output wire         busy_o,
    output wire [8:0]   count_o
);
    localparam [8:0] FULL = ORDER;

    wire         valid, pop;
    wire [174:0] front;
    udma_fifo #(.W(175), .DEPTH(ORDER)) u_order (
        .clk_i(clk_i), .rst_ni(rst_ni), .push_i(push_i), .data_i(entry_i), .pop_i(pop),
        .valid_o(valid), .data_o(front), .count_o(count_o)
    );

    wire       eop, burst, drop;
    assign {err_words_o, err_idx_o, s2m_n_o, m2s_n_o, drop, burst, eop, q_o} = front;

    assign room_o     = count_o < FULL;
    assign m_bready_o = valid && burst;
    assign answer_o   = m_bready_o && m_bvalid_i;
    assign pop        = answer_o || (valid && !burst);
    assign err_o      = answer_o && m_bresp_i != 2'd0 && !kill_i[q_o]; // a reset queue starts clean
    assign leave_o    = pop && eop;
    assign cpl_o      = leave_o && !drop && !err_o && !kill_i[q_o];
    assign busy_o     = valid;
endmodule
`default_nettype wire
