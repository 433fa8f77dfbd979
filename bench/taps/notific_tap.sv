// Reports what NOTIFIC does with records (regs/bench.regs). EV_NQ_IN comes for every record that a source hands over
// (valid and ready), and for each of them exactly one of
//   EV_NQ_DROP CLASS_OFF         in the same clock: its class is off (index: class bit)
//   EV_NQ_DROP INPUT_FULL        in the same clock: no room; the newest record of that buffer gets the overflow flag
//   EV_NQ_DROP QUEUE_OFF, RING_FULL   later, when it reaches the rings
//   EV_NQ_WR                     later: committed to the AXI side, in the order in which memory sees the records;
//                                index is the tail at that moment (uart mode writes to the base all the same)
// Sources that act in one clock are reported lowest first. W0 carries the type, and the hardware overflow flag as far
// as it is known at that point; the software overflow flag and the phase only in EV_NQ_WR. Unit 0: one per core.
`include "regs.vh"

module notific_tap #(
    parameter int N_SRC = 15
) (
    input logic                clk_i,
    input logic                rst_ni,
    // Sources.
    input logic [5*N_SRC-1:0]  src_type_i,
    input logic [24*N_SRC-1:0] src_body0_i,
    input logic [32*N_SRC-1:0] src_body1_i,
    input logic [4*N_SRC-1:0]  src_queue_i,
    input logic [6*N_SRC-1:0]  src_class_i,
    input logic [N_SRC-1:0]    src_ovf_i,
    input logic [N_SRC-1:0]    src_valid_i,
    input logic [N_SRC-1:0]    src_ready_o,
    input logic [N_SRC-1:0]    class_drop,
    input logic [N_SRC-1:0]    full_drop,
    // The staged record.
    input logic [3:0]          st_queue,
    input logic                drop_off,
    input logic                drop_full,
    input logic                push,
    input logic [32*`NQ_QUEUES-1:0] tail,
    input logic [63:0]         addr,
    input logic [127:0]        record
);
    wire [N_SRC-1:0] taken = src_valid_i & src_ready_o;
    // The staged record without what only a written one has: time, phase, software overflow.
    wire [63:0] staged = record[63:0] & ~{32'd0, 32'(`NOTIF_W0_PHASE_MASK | `NOTIF_W0_SW_OVF_MASK)};

    function automatic void input_event(int kind, int code, int index, int s);
        ev_pkg::neffsim_ev_words(kind, 0, 32'(src_queue_i[4*s +: 4]), 0, code, index, 0, 64'd0, 64'd0, 2,
                                 {448'd0, src_body1_i[32*s +: 32], 1'b0, src_ovf_i[s], 1'b0, src_type_i[5*s +: 5],
                                  src_body0_i[24*s +: 24]});
    endfunction

    always @(posedge clk_i) begin
        if (rst_ni && taken != '0) begin
            for (int s = 0; s < N_SRC; s++) begin
                if (taken[s]) input_event(`EV_NQ_IN, 32'(src_class_i[6*s +: 6]), 0, s);
                if (class_drop[s]) input_event(`EV_NQ_DROP, `NDROP_CLASS_OFF, 32'(src_class_i[6*s +: 6]), s);
                if (full_drop[s]) input_event(`EV_NQ_DROP, `NDROP_INPUT_FULL, 32'(src_class_i[6*s +: 6]), s);
            end
        end
        if (rst_ni && drop_off)
            ev_pkg::neffsim_ev_words(`EV_NQ_DROP, 0, 32'(st_queue), 0, `NDROP_QUEUE_OFF, 0, 0, 64'd0, 64'd0, 2,
                                     {448'd0, staged});
        if (rst_ni && drop_full)
            ev_pkg::neffsim_ev_words(`EV_NQ_DROP, 0, 32'(st_queue), 0, `NDROP_RING_FULL, 0, 0, 64'd0, 64'd0, 2,
                                     {448'd0, staged});
        if (rst_ni && push)
            ev_pkg::neffsim_ev_words(`EV_NQ_WR, 0, 32'(st_queue), 0, 0, tail[32*st_queue +: 32], 0, addr,
                                     64'd0, 4, {384'd0, record});
    end
endmodule

bind notific notific_tap #(.N_SRC(N_SRC)) u_notific_tap (
    .class_drop(u_input.class_drop), .full_drop(u_input.full_drop), .*);
