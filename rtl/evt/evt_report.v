// What EVT_SEM tells NOTIFIC: a queue of update records (events-semaphores.md §8.2) and one of error records (§8.3).
// A record that finds its queue full is lost; the next one that enters carries the ovf bit, which becomes
// hardware_queue_overflow of its header. nq_full_o is registered state, so the owner can hold engines back with it.
// Latency 1 clock, one record of each kind per clock.
`default_nettype none
`include "regs.vh"

module evt_report (
    input  wire        clk_i,
    input  wire        rst_ni,

    input  wire        record_i,
    input  wire [4:0]  type_i,
    input  wire [23:0] body0_i,
    input  wire [31:0] body1_i,
    output wire        nq_full_o,
    output wire        nq_valid_o,
    input  wire        nq_ready_i,
    output wire [4:0]  nq_type_o,
    output wire [23:0] nq_body0_o,
    output wire [31:0] nq_body1_o,
    output wire        nq_ovf_o,

    input  wire        error_i,
    input  wire [7:0]  error_id_i,
    input  wire [7:0]  error_index_i,
    output wire        err_valid_o,
    input  wire        err_ready_i,
    output wire [7:0]  err_id_o,
    output wire [7:0]  err_index_o,
    output wire        err_ovf_o
);
    reg  nq_lost_q, err_lost_q; // something was dropped since the last push
    wire err_full;

    evt_fifo #(.W(62), .DEPTH(`EVT_FIFO_DEPTH)) u_records (
        .clk_i(clk_i), .rst_ni(rst_ni), .push_i(record_i), .data_i({nq_lost_q, type_i, body0_i, body1_i}),
        .full_o(nq_full_o), .valid_o(nq_valid_o), .ready_i(nq_ready_i),
        .data_o({nq_ovf_o, nq_type_o, nq_body0_o, nq_body1_o}));

    evt_fifo #(.W(17), .DEPTH(`EVT_ERR_DEPTH)) u_errors (
        .clk_i(clk_i), .rst_ni(rst_ni), .push_i(error_i), .data_i({err_lost_q, error_id_i, error_index_i}),
        .full_o(err_full), .valid_o(err_valid_o), .ready_i(err_ready_i),
        .data_o({err_ovf_o, err_id_o, err_index_o}));

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            nq_lost_q  <= 1'b0;
            err_lost_q <= 1'b0;
        end else begin
            if (record_i) nq_lost_q <= nq_full_o;
            if (error_i) err_lost_q <= err_full;
        end
    end
endmodule
`default_nettype wire
