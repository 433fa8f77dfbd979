// Reports what one sequencer does (regs/bench.regs, enum EV, SEQ_*). Field notes:
//   SEQ_ISSUE   once per slot, at decode. A PC that cannot be fetched (alignment, bounds, bus error) and an SP8 start
//               fault without it. After a break at a wait the slot is issued again.
//   SEQ_PASS    only for real predicates; code is the mode byte of the slot (bit 7 kept), value the resolved operand.
//   SEQ_REG     R0..R63 written by a slot; not the clearing in RESET.
//   SEQ_WRITE   in the clock in which address and data are both accepted.
//   SEQ_RETIRE  data next PC. HALT retires in the clock of its SEQ_STATE, before it.
//   SEQ_STATE   addr: PC with which the new state begins (resume PC, faulting PC, 0 in RESET); index and value are 0
//               except HALTED (index reason) and FAULT (index HALT_FATAL, value error word).
`include "regs.vh"

module seq_tap #(
    parameter int ENGINE = 0
) (
    input logic         clk_i,
    input logic         rst_ni,
    input logic         issue,
    input logic         pass,
    input logic         lane,
    input logic         retire,
    input logic [ 63:0] pc,
    input logic [ 63:0] next_pc,
    input logic [511:0] slot,
    input logic [  7:0] wait_mode,
    input logic [  7:0] wait_idx,
    input logic [ 31:0] wait_val,
    input logic         read_done,
    input logic [ 63:0] read_addr,
    input logic [ 31:0] read_data,
    input logic [  1:0] read_resp,
    input logic         reg_write,
    input logic [  7:0] reg_no,
    input logic [ 31:0] reg_value,
    input logic         write_done,
    input logic [ 63:0] write_addr,
    input logic [ 63:0] write_data,
    input logic [  1:0] write_size,
    input logic         bvalid,
    input logic [  1:0] bresp,
    input logic [  2:0] run_q,
    input logic [  2:0] run_d,
    input logic [ 63:0] state_pc,
    input logic [ 31:0] reason,
    input logic [ 31:0] error_word
);
    import ev_pkg::*;

    localparam int U = ENGINE;
    // Data right-aligned, bytes that are not written are 0.
    wire [6:0]  write_bits = 7'd8 << write_size;
    wire [63:0] write_mask = write_size == 2'd3 ? '1 : (64'd1 << write_bits) - 64'd1;

    always @(posedge clk_i) begin
        if (rst_ni) begin
            if (issue) neffsim_ev_words(`EV_SEQ_ISSUE, U, 0, 0, 0, 0, 0, pc, 0, 16, slot);
            if (pass) neffsim_ev(`EV_SEQ_PASS, U, 32'(lane), 0, 32'(wait_mode), 32'(wait_idx), wait_val, 0, 0);
            if (read_done) neffsim_ev(`EV_SEQ_READ, U, 0, 0, 32'(read_resp), 0, 4, read_addr, 64'(read_data));
            if (reg_write) neffsim_ev(`EV_SEQ_REG, U, 0, 0, 0, 32'(reg_no), reg_value, 0, 0);
            if (write_done)
                neffsim_ev(`EV_SEQ_WRITE, U, 0, 0, 0, 0, 32'd1 << write_size, write_addr, write_data & write_mask);
            if (bvalid) neffsim_ev(`EV_SEQ_WRESP, U, 0, 0, 32'(bresp), 0, 0, 0, 0);
            if (retire) neffsim_ev(`EV_SEQ_RETIRE, U, 0, 0, 0, 0, 0, pc, next_pc);
            if (run_d != run_q)
                neffsim_ev(`EV_SEQ_STATE, U, 0, 0, 32'(run_d),
                           run_d == `ESTATE_HALTED ? reason : run_d == `ESTATE_FAULT ? `HALT_FATAL : 0,
                           run_d == `ESTATE_FAULT ? error_word : 0, state_pc, 0);
        end
    end
endmodule

bind seq_core seq_tap #(
    .ENGINE(ENGINE)
) u_seq_tap (
    .clk_i(clk_i),
    .rst_ni(rst_ni),
    .issue(u_exec.issue),
    .pass(u_exec.pass),
    .lane(sel_wait1),
    .retire(u_exec.retire),
    .pc(pc),
    .next_pc(u_exec.next_d),
    .slot(slot),
    .wait_mode(u_exec.lane_wait),
    .wait_idx(wait_idx_o),
    .wait_val(wait_val_o),
    .read_done(rd_done),
    .read_addr(u_bus.raddr_q),
    .read_data(rd_data),
    .read_resp(m_rresp_i),
    .reg_write(u_data.u_rf.write),
    .reg_no(u_data.u_rf.wa_i),
    .reg_value(u_data.u_rf.wd_i),
    .write_done(wr_done),
    .write_addr(u_bus.waddr_q),
    .write_data(u_bus.wdata_q),
    .write_size(u_bus.wsize_q),
    .bvalid(m_bvalid_i),
    .bresp(m_bresp_i),
    .run_q(run),
    .run_d(u_exec.run_d),
    .state_pc(u_exec.pc_d),
    .reason(reason),
    .error_word(error_word)
);
