// UDMA engine: 16 M2S and 16 S2M descriptor queues that copy memory to memory (udma.md §2-§6, §8-§11, §13, §14).
//
// Way of a packet:  doorbell -> udma_queue -> udma_fetch/udma_rchan/udma_unpack (descriptors into udma_pfifo)
//   -> udma_sched (whole packet checked, started) -> udma_read (bursts) -> udma_rchan (data beats)
//   -> udma_write with udma_align (S2M buffers, complete bursts) -> udma_issue (barriers, AXI write)
//   -> udma_complete (responses, completion heads).  udma_track knows what each queue has in the pipeline.
//
// Choices where the specification leaves room:
//  * A packet is checked as a whole before anything of it happens; after an error nothing of the faulty packet is
//    executed, packets ahead of it complete, current does not move over it, and the queue stops (status.prefetch 0)
//    until rst_q. As the interrupt controllers do not exist yet, an error stops its queue and not the engine.
//    err_log_mask keeps an error out of the log; only the ring id check (bit 17 / 11) is also switched off by it.
//    Which bit means what: udma_sched.v and udma_unpack.v. Data read error: M2S 8; write error: S2M 1. Both, and a
//    packet that lacks an S2M descriptor because its S2M queue stopped, stop both directions of the queue.
//  * S2M UNSUP (bit 12, log words 0) also stops an S2M queue whose comp_cfg.en_comp_ring_update is set (as it is after
//    reset) at its first prefetch: completion rings do not exist yet.
//  * rst_q while packets of the queue are in flight: pointers and FIFO are cleared at once, new doorbells are taken,
//    what is in the pipeline is discarded (bursts whose address was already given complete on the bus), and the queue
//    starts again when that is over. The other direction stops until its own rst_q. rst_q clears the packet counter of its direction.
//  * dis: nothing new starts, packets in flight finish (their S2M descriptors are still fetched). abort: as rst_q of
//    everything but pointers stay readable, all queues stop; rst_q of every queue, then normal.
//  * encode_64k 0 and length 0: a packet without bytes closes one S2M descriptor with 0 bytes.
//  * A constant is served for up to 4 bytes at exactly the configured address that end their descriptor; else the bus is
//    asked (and has nothing there).
//
// Refused with pslverr, without effect: IOFIC and mailbox interrupts, NOTIFIC and broadcast windows; writes that set
// en_comp_ring_update, a notification trigger_en, data_tail_pointer_enable or tail_inc of the data tail, S2M flush, or
// q_sw_ctrl pointer resets without rst_q. So udma.md §18.1 passes except its step 3. INT_EN is taken and raises nothing.
// QoS, DWRR, rate limits, thresholds, ROB/WOB, AXI attributes: stored, without effect.
//
// Parameters: ENGINE_ID names the engine in events. MEM_W 64..512. PREF_DEPTH descriptors per queue and direction; a
// larger max_desc_per_pkt is cut to it.
// Latency, idle engine: doorbell 4 clocks to the descriptor fetch, its last beat 7 to the first data read, last data beat of
// a burst 4 to its write, last answer 0 to the completion heads. Throughput: one beat per clock each way for long
// descriptors, one packet per 2 clocks for short ones.
// Other side misbehaving: error responses stop the queue as above; an answer that never comes stalls the queue for ever,
// visible in its pointers; doorbells that would exceed the ring are refused and change nothing.
`default_nettype none
`include "regs.vh"

module udma #(
    parameter ENGINE_ID  = 0,
    parameter MEM_W      = 512,
    parameter PREF_DEPTH = `UDMA_PREF_DEPTH
) (
    input  wire               clk_i,
    input  wire               rst_ni,
    // APB3 slave
    input  wire               psel_i,
    input  wire               penable_i,
    input  wire               pwrite_i,
    input  wire [19:0]        paddr_i,
    input  wire [31:0]        pwdata_i,
    output wire [31:0]        prdata_o,
    output wire               pready_o,
    output wire               pslverr_o,
    // AXI4 master
    output wire [15:0]        m_awid_o,
    output wire [63:0]        m_awaddr_o,
    output wire [7:0]         m_awlen_o,
    output wire [2:0]         m_awsize_o,
    output wire [1:0]         m_awburst_o,
    output wire [2:0]         m_awprot_o,
    output wire               m_awvalid_o,
    input  wire               m_awready_i,
    output wire [MEM_W-1:0]   m_wdata_o,
    output wire [MEM_W/8-1:0] m_wstrb_o,
    output wire               m_wlast_o,
    output wire               m_wvalid_o,
    input  wire               m_wready_i,
    input  wire [15:0]        m_bid_i,
    input  wire [1:0]         m_bresp_i,
    input  wire               m_bvalid_i,
    output wire               m_bready_o,
    output wire [15:0]        m_arid_o,
    output wire [63:0]        m_araddr_o,
    output wire [7:0]         m_arlen_o,
    output wire [2:0]         m_arsize_o,
    output wire [1:0]         m_arburst_o,
    output wire [2:0]         m_arprot_o,
    output wire               m_arvalid_o,
    input  wire               m_arready_i,
    input  wire [15:0]        m_rid_i,
    input  wire [MEM_W-1:0]   m_rdata_i,
    input  wire [1:0]         m_rresp_i,
    input  wire               m_rlast_i,
    input  wire               m_rvalid_i,
    output wire               m_rready_o
);
    localparam       AW       = $clog2(PREF_DEPTH);
    localparam       W_SIZE   = MEM_W >= 512 ? 32 : 8192 * 2 / MEM_W; // beats: 8 bursts of 256 bytes
    localparam       D_BEATS  = 8 * 1024 / MEM_W;                     // beats: 8 bursts of 8 descriptors
    localparam       RAW      = 128;                                  // read data beats
    localparam [1:0] INCR     = 2'd1;
    localparam [4:0] M_DATA_RESP = `M2S_ERR_DATA_RESP, S_DATA_RESP = `S2M_ERR_DATA_RESP, S_UNSUP = `S2M_ERR_UNSUP;

    initial begin
        if (MEM_W != 64 && MEM_W != 128 && MEM_W != 256 && MEM_W != 512) begin
            $display("%m: MEM_W is %0d, allowed are 64, 128, 256, 512", MEM_W);
            $finish;
        end
        if (ENGINE_ID < 0 || ENGINE_ID >= `UDMA_ENGINES) begin
            $display("%m: ENGINE_ID is %0d, allowed are 0..%0d", ENGINE_ID, `UDMA_ENGINES - 1);
            $finish;
        end
    end

    assign m_awid_o    = 16'd0;
    assign m_awburst_o = INCR;
    assign m_awprot_o  = `PROT_DATA;
    assign m_arid_o    = 16'd0;
    assign m_arburst_o = INCR;
    wire unused_id = ^{m_bid_i, m_rid_i};

    // ---- registers ----
    wire         w_m2sq, w_s2mq, w_m2s, w_s2m, w_gen, w_app;
    wire [3:0]   w_q;
    wire [13:0]  w_off;
    wire [31:0]  w_data;
    wire         m_bell, s_bell, m_rst, s_rst, rst_dmb, m_clear_log, s_clear_log;
    wire [2:0]   m_change, s_change;
    wire [25:0]  m_tail, m_head, m_cur, m_cpl, s_tail, s_head, s_cur, s_cpl;
    wire [31:0]  m_status, s_status, m_state, s_state, m_packets, s_packets, packets;
    wire [31:0]  m_done, s_done, m_fetched, s_fetched, num_set, num_clr;
    wire [63:0]  m_bytes, s_bytes;
    wire [127:0] m_log, s_log;
    wire [31:0]  data_fifo, header_fifo, unack_fifo;
    wire [7:0]   sel_level;
    wire [15:0]  busy, dmb_wait;
    wire         hide_cpl;

    udma_regs u_regs (
        .clk_i(clk_i), .rst_ni(rst_ni), .psel_i(psel_i), .penable_i(penable_i), .pwrite_i(pwrite_i), .paddr_i(paddr_i),
        .pwdata_i(pwdata_i), .prdata_o(prdata_o), .pready_o(pready_o), .pslverr_o(pslverr_o),
        .w_m2sq_o(w_m2sq), .w_s2mq_o(w_s2mq), .w_m2s_o(w_m2s), .w_s2m_o(w_s2m), .w_gen_o(w_gen), .w_app_o(w_app),
        .w_q_o(w_q), .w_off_o(w_off), .w_data_o(w_data), .m_bell_o(m_bell), .s_bell_o(s_bell), .m_rst_o(m_rst),
        .s_rst_o(s_rst), .rst_dmb_o(rst_dmb), .m_clear_log_o(m_clear_log), .s_clear_log_o(s_clear_log),
        .m_change_o(m_change), .s_change_o(s_change),
        .m_tail_i(m_tail), .m_head_i(m_head), .m_cur_i(m_cur), .m_cpl_i(m_cpl),
        .s_tail_i(s_tail), .s_head_i(s_head), .s_cur_i(s_cur), .s_cpl_i(s_cpl),
        .m_status_i(m_status), .s_status_i(s_status), .m_packets_i(m_packets), .s_packets_i(s_packets), .hide_cpl_i(hide_cpl),
        .m_state_i(m_state), .s_state_i(s_state), .m_log_i(m_log), .s_log_i(s_log), .data_fifo_i(data_fifo),
        .header_fifo_i(header_fifo), .unack_fifo_i(unack_fifo), .sel_level_i(sel_level), .packets_i(packets), .m_done_i(m_done), .s_done_i(s_done), .m_fetched_i(m_fetched),
        .s_fetched_i(s_fetched), .m_bytes_i(m_bytes), .s_bytes_i(s_bytes), .num_set_i(num_set), .num_clr_i(num_clr)
    );

    wire [15:0]  m_pref_en, m_sched_en, s_pref_en, s_stream_en, dmb_mask, comp_ring, m_queue_en, s_queue_en;
    wire [383:0] m_len, s_len;
    wire [927:0] m_base, s_base;
    wire         m_disable, s_disable, s_stop_pref, encode_64k, accel_en;
    wire [7:0]   m_fetch_max, s_fetch_max;
    wire [9:0]   rd_cap, wr_cap;
    wire [11:0]  max_desc;
    wire [19:0]  max_pkt;
    wire [31:0]  m_mask, s_mask;
    wire [3:0]   indirect;
    wire [63:0]  set_addr, clr_addr;

    udma_cfg u_cfg (
        .clk_i(clk_i), .rst_ni(rst_ni), .m2sq_i(w_m2sq), .s2mq_i(w_s2mq), .m2s_i(w_m2s), .s2m_i(w_s2m), .gen_i(w_gen),
        .app_i(w_app), .q_i(w_q), .off_i(w_off), .data_i(w_data), .m_pref_o(m_pref_en), .m_sched_o(m_sched_en),
        .s_pref_o(s_pref_en), .s_stream_o(s_stream_en), .dmb_mask_o(dmb_mask), .comp_ring_o(comp_ring), .m_len_o(m_len),
        .s_len_o(s_len), .m_base_o(m_base), .s_base_o(s_base), .m_queue_en_o(m_queue_en), .s_queue_en_o(s_queue_en),
        .m_disable_o(m_disable), .s_disable_o(s_disable), .s_stop_pref_o(s_stop_pref), .m_fetch_o(m_fetch_max),
        .s_fetch_o(s_fetch_max), .rd_cap_o(rd_cap), .wr_cap_o(wr_cap), .max_desc_o(max_desc), .max_pkt_o(max_pkt),
        .encode_64k_o(encode_64k), .m_mask_o(m_mask), .s_mask_o(s_mask), .indirect_o(indirect), .hide_cpl_o(hide_cpl),
        .accel_en_o(accel_en), .set_addr_o(set_addr), .clr_addr_o(clr_addr)
    );

    wire m_run, m_abort, s_run, s_abort;
    udma_run u_m_run (.clk_i(clk_i), .rst_ni(rst_ni), .normal_i(m_change[0]), .dis_i(m_change[1]), .abort_i(m_change[2]),
                      .run_o(m_run), .abort_o(m_abort));
    udma_run u_s_run (.clk_i(clk_i), .rst_ni(rst_ni), .normal_i(s_change[0]), .dis_i(s_change[1]), .abort_i(s_change[2]),
                      .run_o(s_run), .abort_o(s_abort));

    // ---- pipeline state per queue ----
    wire         start, leave, issue, answer, wr_err, rd_err_raw, wr_dead;
    wire [3:0]   start_q, done_q, issue_q, rd_err_q, write_q;
    wire [15:0]  kill, rd_dead_v, wr_dead_v, m_stop, s_stop, halt, writing;
    wire         pf_err, pf_dir, sched_err, refuse;
    wire [3:0]   pf_q, pick_q;
    wire         rd_err = rd_err_raw && !kill[rd_err_q] && !rd_dead_v[rd_err_q];

    function [15:0] bit_of;
        input       on;
        input [3:0] q;
        bit_of = on ? 16'd1 << q : 16'd0;
    endfunction

    udma_track u_track (
        .clk_i(clk_i), .rst_ni(rst_ni), .start_i(start), .start_q_i(start_q), .leave_i(leave), .leave_q_i(done_q),
        .issue_i(issue), .issue_q_i(issue_q), .answer_i(answer), .answer_q_i(done_q), .answer_err_i(wr_err),
        .rd_err_i(rd_err), .rd_err_q_i(rd_err_q), .wr_dead_i(wr_dead), .wr_dead_q_i(write_q),
        .stop_m2s_i(bit_of(pf_err && !pf_dir, pf_q)),
        .stop_s2m_i(bit_of(pf_err && pf_dir, pf_q) | bit_of(refuse, pick_q)),
        .halt_m2s_i(bit_of(sched_err, start_q) | bit_of(rd_err, rd_err_q)),
        .m_rst_i(m_rst), .s_rst_i(s_rst), .rst_q_i(w_q), .abort_set_i(m_change[2] || s_change[2]),
        .abort_i(m_abort || s_abort), .busy_o(busy), .kill_o(kill), .rd_dead_o(rd_dead_v), .wr_dead_o(wr_dead_v),
        .stop_m2s_o(m_stop), .stop_s2m_o(s_stop), .halt_o(halt), .writing_o(writing)
    );
    wire [15:0] dying = kill | rd_dead_v | wr_dead_v;

    // ---- ring pointers ----
    wire         m_bell_ok, s_bell_ok, pick_dir, take, desc, read_take, close, cpl;
    wire [25:0]  m_bell_tail, s_bell_tail, m_head_ptr, s_head_ptr, m_cpl_new, s_cpl_new;
    wire [23:0]  m_req_offset, m_req_left, s_req_offset, s_req_left, m_cur_idx, s_cur_idx;
    wire [3:0]   take_n, read_q;
    wire [7:0]   m2s_n, s2m_n;
    wire [15:0]  m_pending, s_pending;
    wire [24:0]  m_used, s_used;
    wire         m_full, s_full;
    wire         m_pop = read_take && !kill[read_q];

    udma_queue u_m2s_queue (
        .clk_i(clk_i), .rst_ni(rst_ni), .len_i(m_len), .bell_i(m_bell), .bell_q_i(w_q), .bell_n_i(w_data[23:0]),
        .bell_ok_o(m_bell_ok), .bell_tail_o(m_bell_tail), .rst_i(m_rst), .rst_q_i(w_q), .req_i(take && !pick_dir),
        .req_q_i(pick_q), .req_n_i(take_n), .req_offset_o(m_req_offset), .req_left_o(m_req_left),
        .head_i(desc && !pf_dir), .head_q_i(pf_q), .head_ptr_o(m_head_ptr), .cur_i(m_pop), .cur_q_i(read_q),
        .cur_offset_o(m_cur_idx), .cpl_i(cpl), .cpl_q_i(done_q), .cpl_n_i(m2s_n), .cpl_new_o(m_cpl_new), .sel_i(w_q),
        .sel_tail_o(m_tail), .sel_head_o(m_head), .sel_cur_o(m_cur), .sel_cpl_o(m_cpl), .sel_used_o(m_used),
        .sel_full_o(m_full), .pending_o(m_pending)
    );
    udma_queue u_s2m_queue (
        .clk_i(clk_i), .rst_ni(rst_ni), .len_i(s_len), .bell_i(s_bell), .bell_q_i(w_q), .bell_n_i(w_data[23:0]),
        .bell_ok_o(s_bell_ok), .bell_tail_o(s_bell_tail), .rst_i(s_rst), .rst_q_i(w_q), .req_i(take && pick_dir),
        .req_q_i(pick_q), .req_n_i(take_n), .req_offset_o(s_req_offset), .req_left_o(s_req_left),
        .head_i(desc && pf_dir), .head_q_i(pf_q), .head_ptr_o(s_head_ptr), .cur_i(close), .cur_q_i(write_q),
        .cur_offset_o(s_cur_idx), .cpl_i(cpl), .cpl_q_i(done_q), .cpl_n_i(s2m_n), .cpl_new_o(s_cpl_new), .sel_i(w_q),
        .sel_tail_o(s_tail), .sel_head_o(s_head), .sel_cur_o(s_cur), .sel_cpl_o(s_cpl), .sel_used_o(s_used),
        .sel_full_o(s_full), .pending_o(s_pending)
    );

    // ---- prefetch ----
    wire          push, write_take, d_valid, d_ready, d_push;
    wire [127:0]  pf_words, pf_err_words, m_levels, s_levels, scan_words, read_words, write_words;
    wire [4:0]    pf_code;
    wire [15:0]   m_room, s_room;
    wire [7:0]    m_alloc_room, s_alloc_room;
    wire [AW-1:0] m_front, s_front;
    wire [AW+3:0] scan_addr, read_addr, write_addr;
    wire [3:0]    job_q, front_q;
    wire [63:0]   d_addr;
    wire [5:0]    d_beats;
    wire          fetch_valid, fetch_drop, fetch_pop, beat_valid, beat_err, beat_pop;
    wire [3:0]    fetch_n;
    wire [2:0]    fetch_lane;
    wire [MEM_W-1:0] beat_data;
    wire [8:0]    unused_beats;
    wire [127:0]  unused_port;

    wire [15:0] m_want = m_pending & m_room & m_pref_en & m_queue_en & ~m_stop & ~dying & {16{m_run && !m_abort}};
    wire [15:0] s_want = s_pending & s_room & s_pref_en & s_queue_en & ~s_stop & ~dying
        & ({16{s_run}} | busy) & {16{!s_abort && !s_stop_pref}};

    udma_pfifo #(.PREF_DEPTH(PREF_DEPTH), .AW(AW)) u_m2s_fifo (
        .clk_i(clk_i), .rst_ni(rst_ni), .rst_i(m_rst), .rst_q_i(w_q), .alloc_i(take && !pick_dir), .alloc_q_i(pick_q),
        .alloc_n_i(take_n), .alloc_room_o(m_alloc_room), .push_i(push && !pf_dir), .push_q_i(pf_q),
        .push_data_i(pf_words), .pop_i(m_pop), .pop_q_i(read_q), .front_q_i(job_q), .front_o(m_front),
        .a_addr_i(scan_addr), .a_data_o(scan_words), .b_addr_i(read_addr), .b_data_o(read_words), .room_o(m_room),
        .level_o(m_levels)
    );
    udma_pfifo #(.PREF_DEPTH(PREF_DEPTH), .AW(AW)) u_s2m_fifo (
        .clk_i(clk_i), .rst_ni(rst_ni), .rst_i(s_rst), .rst_q_i(w_q), .alloc_i(take && pick_dir), .alloc_q_i(pick_q),
        .alloc_n_i(take_n), .alloc_room_o(s_alloc_room), .push_i(push && pf_dir), .push_q_i(pf_q),
        .push_data_i(pf_words), .pop_i(write_take), .pop_q_i(write_q), .front_q_i(front_q), .front_o(s_front),
        .a_addr_i(write_addr), .a_data_o(write_words), .b_addr_i(write_addr), .b_data_o(unused_port), .room_o(s_room),
        .level_o(s_levels)
    );

    udma_fetch #(.MEM_W(MEM_W)) u_fetch (
        .clk_i(clk_i), .rst_ni(rst_ni), .want_i({s_want, m_want}), .comp_ring_i(comp_ring), .pick_dir_o(pick_dir),
        .pick_q_o(pick_q), .offset_i(pick_dir ? s_req_offset : m_req_offset), .left_i(pick_dir ? s_req_left : m_req_left),
        .len_i(pick_dir ? s_len[24*pick_q +: 24] : m_len[24*pick_q +: 24]),
        .base_i(pick_dir ? s_base[58*pick_q +: 58] : m_base[58*pick_q +: 58]),
        .room_i(pick_dir ? s_alloc_room : m_alloc_room), .max_i(pick_dir ? s_fetch_max : m_fetch_max), .take_o(take),
        .take_n_o(take_n), .refuse_o(refuse), .ar_valid_o(d_valid), .ar_addr_o(d_addr), .ar_beats_o(d_beats),
        .ar_ready_i(d_ready), .m_rst_i(m_rst), .s_rst_i(s_rst), .rst_q_i(w_q), .fetch_valid_o(fetch_valid),
        .fetch_dir_o(pf_dir), .fetch_q_o(pf_q), .fetch_n_o(fetch_n), .fetch_lane_o(fetch_lane),
        .fetch_drop_o(fetch_drop), .fetch_pop_i(fetch_pop)
    );
    udma_fifo #(.W(MEM_W + 1), .DEPTH(D_BEATS)) u_desc_beats (
        .clk_i(clk_i), .rst_ni(rst_ni), .push_i(d_push), .data_i({m_rresp_i != 2'd0, m_rdata_i}), .pop_i(beat_pop),
        .valid_o(beat_valid), .data_o({beat_err, beat_data}), .count_o(unused_beats)
    );
    udma_unpack #(.MEM_W(MEM_W)) u_unpack (
        .clk_i(clk_i), .rst_ni(rst_ni), .beat_valid_i(beat_valid), .beat_data_i(beat_data), .beat_err_i(beat_err),
        .beat_pop_o(beat_pop), .fetch_valid_i(fetch_valid), .fetch_dir_i(pf_dir), .fetch_n_i(fetch_n),
        .fetch_lane_i(fetch_lane), .fetch_drop_i(fetch_drop || (pf_dir ? s_rst : m_rst) && w_q == pf_q),
        .fetch_pop_o(fetch_pop), .head_i(pf_dir ? s_head_ptr : m_head_ptr),
        .stopped_i(pf_dir ? s_stop[pf_q] : m_stop[pf_q]),
        .mask_ring_id_i(pf_dir ? s_mask[`S2M_ERR_RING_ID] : m_mask[`M2S_ERR_RING_ID]), .desc_o(desc), .push_o(push),
        .words_o(pf_words), .err_o(pf_err), .err_code_o(pf_code), .err_words_o(pf_err_words)
    );

    // ---- scheduler ----
    wire         job_valid, job_pop, claim_end;
    wire [7:0]   start_n, job_n;
    wire [23:0]  start_idx, sched_err_idx;
    wire [4:0]   sched_code;
    wire [127:0] sched_words;
    wire [8:0]   job_count, piece_count;
    wire [15:0]  may_start = m_sched_en & m_pref_en & m_queue_en & s_stream_en & s_pref_en & s_queue_en & ~halt
        & ~dying & {16{m_run && s_run && !m_abort && !s_abort && !m_disable && !s_disable}};

    udma_sched #(.PREF_DEPTH(PREF_DEPTH), .AW(AW)) u_sched (
        .clk_i(clk_i), .rst_ni(rst_ni), .push_i(push && !pf_dir), .push_q_i(pf_q),
        .push_last_i(pf_words[`M2S_DESC_W0_LAST_LSB]), .ram_addr_o(scan_addr), .ram_data_i(scan_words),
        .enable_i(may_start), .busy_i(busy), .dmb_mask_i(dmb_mask), .s2m_level_i(s_levels), .len_i(m_len),
        .max_desc_i(max_desc), .max_pkt_i(max_pkt), .encode_64k_i(encode_64k), .rst_i(m_rst), .rst_q_i(w_q),
        .rst_dmb_i(rst_dmb), .rst_dmb_q_i(w_q), .claim_end_i(claim_end), .claim_end_q_i(write_q),
        .job_room_i(job_count < 9'd3), .start_o(start), .q_o(start_q), .n_o(start_n), .first_idx_o(start_idx),
        .err_o(sched_err), .err_code_o(sched_code), .err_idx_o(sched_err_idx), .err_words_o(sched_words),
        .dmb_wait_o(dmb_wait)
    );
    udma_fifo #(.W(12), .DEPTH(4)) u_jobs (
        .clk_i(clk_i), .rst_ni(rst_ni), .push_i(start), .data_i({start_n, start_q}), .pop_i(job_pop),
        .valid_o(job_valid), .data_o({job_n, job_q}), .count_o(job_count)
    );

    // ---- reading ----
    wire         piece_push, piece_valid, piece_pop, r_valid, r_local, r_bad, r_one, r_ready, const_served, read_busy;
    wire [37:0]  piece_in, piece;
    wire [63:0]  r_addr;
    wire [8:0]   r_bytes;
    wire [5:0]   r_beats;
    wire [3:0]   r_q;
    wire [23:0]  r_idx;
    wire [127:0] r_words;

    udma_read #(.MEM_W(MEM_W), .AW(AW)) u_read (
        .clk_i(clk_i), .rst_ni(rst_ni), .job_valid_i(job_valid), .job_q_i(job_q), .job_n_i(job_n), .job_pop_o(job_pop),
        .front_i(m_front), .ram_addr_o(read_addr), .ram_data_i(read_words), .take_o(read_take), .take_q_o(read_q),
        .take_idx_i(m_cur_idx), .encode_64k_i(encode_64k), .accel_en_i(accel_en), .set_addr_i(set_addr),
        .clr_addr_i(clr_addr), .kill_i(kill), .dead_i(rd_dead_v | wr_dead_v), .piece_room_i(piece_count < 9'd16),
        .piece_push_o(piece_push), .piece_o(piece_in), .r_valid_o(r_valid), .r_local_o(r_local), .r_local_bad_o(r_bad),
        .r_local_one_o(r_one), .r_addr_o(r_addr), .r_bytes_o(r_bytes), .r_beats_o(r_beats), .r_q_o(r_q),
        .r_idx_o(r_idx), .r_words_o(r_words), .r_ready_i(r_ready), .const_o(const_served), .busy_o(read_busy)
    );
    udma_fifo #(.W(38), .DEPTH(16)) u_pieces (
        .clk_i(clk_i), .rst_ni(rst_ni), .push_i(piece_push), .data_i(piece_in), .pop_i(piece_pop),
        .valid_o(piece_valid), .data_o(piece), .count_o(piece_count)
    );

    wire             raw_valid, raw_bad, raw_pop, rchan_busy;
    wire [MEM_W-1:0] raw_data;
    wire [8:0]       raw_count, ar_bytes;
    wire [3:0]       ar_q;
    wire [23:0]      ar_idx, rd_err_idx;
    wire [127:0]     rd_err_words;
    udma_rchan #(.MEM_W(MEM_W), .RAW_BEATS(RAW)) u_rchan (
        .clk_i(clk_i), .rst_ni(rst_ni), .d_valid_i(d_valid), .d_addr_i(d_addr), .d_beats_i(d_beats), .d_ready_o(d_ready),
        .r_valid_i(r_valid), .r_local_i(r_local), .r_local_bad_i(r_bad), .r_local_one_i(r_one), .r_addr_i(r_addr),
        .r_bytes_i(r_bytes), .r_beats_i(r_beats), .r_q_i(r_q), .r_idx_i(r_idx), .r_words_i(r_words), .r_ready_o(r_ready),
        .cap_i(rd_cap), .m_araddr_o(m_araddr_o), .m_arlen_o(m_arlen_o), .m_arsize_o(m_arsize_o),
        .m_arprot_o(m_arprot_o), .m_arvalid_o(m_arvalid_o), .m_arready_i(m_arready_i), .m_rdata_i(m_rdata_i),
        .m_rresp_i(m_rresp_i), .m_rlast_i(m_rlast_i), .m_rvalid_i(m_rvalid_i), .m_rready_o(m_rready_o), .ar_q_o(ar_q),
        .ar_idx_o(ar_idx), .ar_bytes_o(ar_bytes), .desc_push_o(d_push), .raw_valid_o(raw_valid), .raw_data_o(raw_data),
        .raw_bad_o(raw_bad), .raw_pop_i(raw_pop), .raw_count_o(raw_count), .err_o(rd_err_raw), .err_q_o(rd_err_q),
        .err_idx_o(rd_err_idx), .err_words_o(rd_err_words), .busy_o(rchan_busy)
    );

    // ---- writing ----
    wire               w_pop, w_last, cmd_valid, cmd_push, cmd_pop, write_busy, order_room, order_push, order_busy;
    wire [MEM_W-1:0]   w_beat;
    wire [MEM_W/8-1:0] w_strb;
    wire [255:0]       cmd_in, cmd;
    wire [8:0]         cmd_count, order_count, aw_bytes;
    wire [174:0]       order;
    wire [3:0]         aw_q;
    wire [23:0]        aw_idx, wr_err_idx;
    wire [127:0]       wr_err_words;

    udma_write #(.MEM_W(MEM_W), .AW(AW), .W_SIZE(W_SIZE)) u_write (
        .clk_i(clk_i), .rst_ni(rst_ni), .piece_valid_i(piece_valid), .piece_i(piece), .piece_pop_o(piece_pop),
        .raw_valid_i(raw_valid), .raw_data_i(raw_data), .raw_bad_i(raw_bad), .raw_pop_o(raw_pop), .s2m_q_o(front_q),
        .s2m_front_i(s_front), .s2m_addr_o(write_addr), .s2m_data_i(write_words), .s2m_level_i(s_levels),
        .take_o(write_take), .close_o(close), .q_o(write_q), .idx_i(s_cur_idx), .claim_end_o(claim_end), .kill_i(kill),
        .dead_i(wr_dead_v), .s2m_stop_i(s_stop), .wr_dead_o(wr_dead), .w_pop_i(w_pop), .w_data_o(w_beat),
        .w_strb_o(w_strb), .w_last_o(w_last), .cmd_room_i(cmd_count < 9'd4), .cmd_push_o(cmd_push), .cmd_o(cmd_in),
        .busy_o(write_busy)
    );
    udma_fifo #(.W(256), .DEPTH(4)) u_cmds (
        .clk_i(clk_i), .rst_ni(rst_ni), .push_i(cmd_push), .data_i(cmd_in), .pop_i(cmd_pop), .valid_o(cmd_valid),
        .data_o(cmd), .count_o(cmd_count)
    );
    udma_issue #(.MEM_W(MEM_W)) u_issue (
        .clk_i(clk_i), .rst_ni(rst_ni), .cmd_valid_i(cmd_valid), .cmd_i(cmd), .cmd_pop_o(cmd_pop), .kill_i(kill),
        .writing_i(writing), .cap_i(wr_cap), .w_pop_o(w_pop), .w_data_i(w_beat), .w_strb_i(w_strb), .w_last_i(w_last),
        .order_room_i(order_room), .order_push_o(order_push), .order_o(order), .issue_o(issue), .issue_q_o(issue_q),
        .answer_i(answer), .m_awaddr_o(m_awaddr_o), .m_awlen_o(m_awlen_o), .m_awsize_o(m_awsize_o),
        .m_awvalid_o(m_awvalid_o), .m_awready_i(m_awready_i), .m_wdata_o(m_wdata_o), .m_wstrb_o(m_wstrb_o),
        .m_wlast_o(m_wlast_o), .m_wvalid_o(m_wvalid_o), .m_wready_i(m_wready_i), .aw_q_o(aw_q), .aw_idx_o(aw_idx),
        .aw_bytes_o(aw_bytes)
    );
    udma_complete #(.ORDER(64)) u_complete (
        .clk_i(clk_i), .rst_ni(rst_ni), .push_i(order_push), .entry_i(order), .room_o(order_room), .kill_i(kill),
        .m_bresp_i(m_bresp_i), .m_bvalid_i(m_bvalid_i), .m_bready_o(m_bready_o), .q_o(done_q), .answer_o(answer),
        .err_o(wr_err), .err_idx_o(wr_err_idx), .err_words_o(wr_err_words), .leave_o(leave), .cpl_o(cpl),
        .m2s_n_o(m2s_n), .s2m_n_o(s2m_n), .busy_o(order_busy), .count_o(order_count)
    );

    // ---- reporting ----
    udma_err u_m_err (
        .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(m_clear_log), .mask_i(m_mask),
        .err_i({rd_err, sched_err, pf_err && !pf_dir}), .code_i({M_DATA_RESP, sched_code, pf_code}),
        .words_i({rd_err_words, sched_words, pf_err_words}), .log_o(m_log)
    );
    udma_err u_s_err (
        .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(s_clear_log), .mask_i(s_mask),
        .err_i({refuse, wr_err, pf_err && pf_dir}), .code_i({S_UNSUP, S_DATA_RESP, pf_code}),
        .words_i({128'd0, wr_err_words, pf_err_words}), .log_o(s_log)
    );

    udma_stat u_stat (
        .clk_i(clk_i), .rst_ni(rst_ni), .cpl_i(cpl), .cpl_q_i(done_q), .cpl_m2s_n_i(m2s_n), .cpl_s2m_n_i(s2m_n),
        .m_desc_i(desc && !pf_dir), .s_desc_i(desc && pf_dir), .rd_i(r_valid && r_ready && !r_bad), .rd_bytes_i(r_bytes),
        .wr_i(m_awvalid_o && m_awready_i), .wr_bytes_i(aw_bytes), .const_i(const_served), .const_one_i(r_one), .q_i(w_q),
        .m_rst_i(m_rst), .s_rst_i(s_rst), .m_packets_o(m_packets), .s_packets_o(s_packets), .packets_o(packets), .m_done_o(m_done), .s_done_o(s_done), .m_fetched_o(m_fetched),
        .s_fetched_o(s_fetched), .m_bytes_o(m_bytes), .s_bytes_o(s_bytes), .num_set_o(num_set), .num_clr_o(num_clr)
    );

    // status words of queue w_q
    wire m_fetching = fetch_valid && !pf_dir && pf_q == w_q;
    wire s_fetching = fetch_valid && pf_dir && pf_q == w_q;
    wire m_may_pref = m_pref_en[w_q] && m_queue_en[w_q] && !m_stop[w_q] && m_run && !m_abort;
    wire s_may_pref = s_pref_en[w_q] && s_queue_en[w_q] && !s_stop[w_q] && s_run && !s_abort;
    assign m_status = {m_full, dmb_wait[w_q], m_sched_en[w_q] || busy[w_q], m_may_pref || m_fetching, 3'd0, m_used};
    assign s_status = {s_full, 1'b0, s_stream_en[w_q] || busy[w_q], s_may_pref || s_fetching, 3'd0, s_used};

    function [1:0] state_of;
        input aborted;
        input active;
        state_of = aborted ? `UDMA_STATE_ABORT : active ? `UDMA_STATE_NORMAL : `UDMA_STATE_IDLE;
    endfunction
    wire [1:0] m_st_comp = state_of(m_abort, busy != 16'd0);
    wire [1:0] m_st_data = state_of(m_abort, read_busy);
    wire [1:0] m_st_pref = state_of(m_abort, d_valid || fetch_valid);
    wire [1:0] s_st_comp = state_of(s_abort, busy != 16'd0);
    wire [1:0] s_st_strm = state_of(s_abort, write_busy || rchan_busy);
    wire [1:0] s_st_data = state_of(s_abort, cmd_valid || order_busy);
    wire [1:0] s_st_pref = state_of(s_abort, d_valid || fetch_valid);
    assign m_state = {18'd0, m_st_pref, 2'd0, m_st_data, 2'd0, m_st_data, 2'd0, m_st_comp};
    assign s_state = {14'd0, s_st_data, 2'd0, s_st_pref, 2'd0, s_st_data, 2'd0, s_st_strm, 2'd0, s_st_comp};

    function [31:0] fifo_status;
        input [8:0] used;
        input       full;
        fifo_status = {3'd0, full, 3'd0, used == 9'd0, 8'd0, 7'd0, used};
    endfunction
    assign data_fifo   = fifo_status(raw_count, raw_count == RAW);
    assign header_fifo = fifo_status(piece_count, piece_count == 9'd16);
    assign unack_fifo  = fifo_status(order_count, !order_room);
    assign sel_level   = m_levels[8*indirect +: 8];

    // what only the tap looks at
    wire unused_tap = ^{m_bell_ok, s_bell_ok, m_bell_tail, s_bell_tail, m_cpl_new, s_cpl_new, start_idx,
                        sched_err_idx, ar_bytes, ar_q, ar_idx, rd_err_idx, aw_q, aw_idx, wr_err_idx};
endmodule
`default_nettype wire
