// Reports what a DMA engine does as EV_DMA_* (regs/bench.regs). Field notes:
//   DMA_BELL   a doorbell of 0 is ignored and not reported
//   DMA_DESC   index and code (ring id) are those of the head, where the descriptor was expected
//   DMA_RD     at the address handshake; value: bytes the burst covers, addr: the first of them. So is DMA_WR
//   DMA_CPL    S2M and M2S, in the clock in which the packet is acknowledged
//   DMA_ERR    of one clock: M2S prefetch, scheduler, data read, then S2M prefetch, data write, refused queue
//   DMA_STATE  in the clock after the command; 2 if either direction is aborted, 1 if both run
`include "regs.vh"

module udma_tap #(
    parameter int UNIT = 0
) (
    input logic         clk_i,
    input logic         rst_ni,
    // doorbells
    input logic         m_bell, s_bell, m_bell_ok, s_bell_ok,
    input logic [3:0]   w_q,
    input logic [31:0]  w_data,
    input logic [25:0]  m_bell_tail, s_bell_tail,
    // descriptors
    input logic         desc, pf_dir,
    input logic [3:0]   pf_q,
    input logic [25:0]  m_head_ptr, s_head_ptr,
    input logic [127:0] pf_words,
    // packets
    input logic         start,
    input logic [3:0]   start_q,
    input logic [23:0]  start_idx,
    // reads
    input logic         const_served, r_one,
    input logic [3:0]   r_q,
    input logic [23:0]  r_idx,
    input logic [63:0]  r_addr,
    input logic         m_arvalid_o, m_arready_i,
    input logic [2:0]   m_arprot_o,
    input logic [63:0]  m_araddr_o,
    input logic [3:0]   ar_q,
    input logic [23:0]  ar_idx,
    input logic [8:0]   ar_bytes,
    // writes
    input logic         m_awvalid_o, m_awready_i,
    input logic [63:0]  m_awaddr_o,
    input logic [3:0]   aw_q,
    input logic [23:0]  aw_idx,
    input logic [8:0]   aw_bytes,
    input logic         answer,
    input logic [1:0]   m_bresp_i,
    input logic [3:0]   done_q,
    // completion
    input logic         cpl,
    input logic [7:0]   m2s_n, s2m_n,
    input logic [25:0]  m_cpl_new, s_cpl_new,
    // errors
    input logic         pf_err, sched_err, rd_err, wr_err, refuse,
    input logic [4:0]   pf_code, sched_code,
    input logic [127:0] pf_err_words, sched_words, rd_err_words, wr_err_words,
    input logic [3:0]   rd_err_q, pick_q,
    input logic [23:0]  sched_err_idx, rd_err_idx, wr_err_idx, s_req_offset,
    // run state
    input logic         m_run, s_run, m_abort, s_abort
);
    function automatic void note(int kind, int queue, int dir, int code, int index, int value, longint addr, longint data);
        ev_pkg::neffsim_ev(kind, UNIT, queue, dir, code, index, value, addr, data);
    endfunction

    function automatic void fault(int queue, int dir, int code, int index, bit [127:0] words);
        ev_pkg::neffsim_ev_words(`EV_DMA_ERR, UNIT, queue, dir, code, index, 0, 64'd0, 64'd0, 4, {384'd0, words});
    endfunction

    // a pointer as its register shows it
    function automatic longint pointer(logic [25:0] ptr);
        return {32'd0, ptr[25:24], 6'd0, ptr[23:0]};
    endfunction

    wire [25:0] head = pf_dir ? s_head_ptr : m_head_ptr;
    wire [1:0]  state = m_abort || s_abort ? 2'd2 : {1'b0, m_run && s_run};
    logic [1:0] state_q;

    always @(posedge clk_i) begin
        state_q <= rst_ni ? state : 2'd1;
        if (rst_ni) begin
            if (desc)
                ev_pkg::neffsim_ev_words(`EV_DMA_DESC, UNIT, 32'(pf_q), 32'(pf_dir), 32'(head[25:24]), 32'(head[23:0]), 0,
                                         64'd0, 64'd0, 4, {384'd0, pf_words});
            if (start) note(`EV_DMA_START, 32'(start_q), 0, 0, 32'(start_idx), 0, 64'd0, 64'd0);
            if (const_served) note(`EV_DMA_CONST, 32'(r_q), 0, 0, 32'(r_idx), 32'(r_one), r_addr, 64'd0);
            if (m_arvalid_o && m_arready_i && m_arprot_o == `PROT_DATA)
                note(`EV_DMA_RD, 32'(ar_q), 0, 0, 32'(ar_idx), 32'(ar_bytes), m_araddr_o, 64'd0);
            if (m_awvalid_o && m_awready_i)
                note(`EV_DMA_WR, 32'(aw_q), 1, 0, 32'(aw_idx), 32'(aw_bytes), m_awaddr_o, 64'd0);
            if (m_bell && w_data[23:0] != 24'd0)
                note(`EV_DMA_BELL, 32'(w_q), 0, 32'(!m_bell_ok), 0, 32'(w_data[23:0]), 64'd0, pointer(m_bell_tail));
            if (s_bell && w_data[23:0] != 24'd0)
                note(`EV_DMA_BELL, 32'(w_q), 1, 32'(!s_bell_ok), 0, 32'(w_data[23:0]), 64'd0, pointer(s_bell_tail));
            if (answer) note(`EV_DMA_WRESP, 32'(done_q), 1, 32'(m_bresp_i), 0, 0, 64'd0, 64'd0);
            if (cpl) begin
                note(`EV_DMA_CPL, 32'(done_q), 1, 0, 0, 32'(s2m_n), 64'd0, pointer(s_cpl_new));
                note(`EV_DMA_CPL, 32'(done_q), 0, 0, 0, 32'(m2s_n), 64'd0, pointer(m_cpl_new));
            end
            if (pf_err && !pf_dir) fault(32'(pf_q), 0, 32'(pf_code), 32'(head[23:0]), pf_err_words);
            if (sched_err) fault(32'(start_q), 0, 32'(sched_code), 32'(sched_err_idx), sched_words);
            if (rd_err) fault(32'(rd_err_q), 0, `M2S_ERR_DATA_RESP, 32'(rd_err_idx), rd_err_words);
            if (pf_err && pf_dir) fault(32'(pf_q), 1, 32'(pf_code), 32'(head[23:0]), pf_err_words);
            if (wr_err) fault(32'(done_q), 1, `S2M_ERR_DATA_RESP, 32'(wr_err_idx), wr_err_words);
            if (refuse) fault(32'(pick_q), 1, `S2M_ERR_UNSUP, 32'(s_req_offset), 128'd0);
            if (state != state_q) note(`EV_DMA_STATE, 0, 0, 32'(state), 0, 0, 64'd0, 64'd0);
        end
    end
endmodule

bind udma udma_tap #(.UNIT(ENGINE_ID)) u_udma_tap (.*);
