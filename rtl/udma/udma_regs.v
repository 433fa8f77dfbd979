// APB3 slave of the engine (udma.md §8-§10): answers in the access phase (no wait states). Stored registers read back
// from udma_store; live ones come in through the view_* and other inputs of the queue under the address (view_q_o).
// Commands leave as one-clock strobes in the clock of the access. Offsets nobody defines read 0 and ignore writes.
//
// pslverr, and no effect at all: what is not there yet (see udma.v) and what udma_addr refuses.
`default_nettype none
`include "regs.vh"

module udma_regs (
    input  wire         clk_i,
    input  wire         rst_ni,
    input  wire         psel_i,
    input  wire         penable_i,
    input  wire         pwrite_i,
    input  wire [19:0]  paddr_i,
    input  wire [31:0]  pwdata_i,
    output wire [31:0]  prdata_o,
    output wire         pready_o,
    output wire         pslverr_o,
    // accepted writes, for udma_cfg
    output wire         w_m2sq_o,
    output wire         w_s2mq_o,
    output wire         w_m2s_o,
    output wire         w_s2m_o,
    output wire         w_gen_o,
    output wire         w_app_o,
    output wire [3:0]   w_q_o,
    output wire [13:0]  w_off_o,
    output wire [31:0]  w_data_o,
    // commands
    output wire         m_bell_o,
    output wire         s_bell_o,
    output wire         m_rst_o,
    output wire         s_rst_o,
    output wire         rst_dmb_o,
    output wire         m_clear_log_o,
    output wire         s_clear_log_o,
    output wire [2:0]   m_change_o,   // abort, dis, normal
    output wire [2:0]   s_change_o,
    // live state of queue w_q_o
    input  wire [25:0]  m_tail_i, m_head_i, m_cur_i, m_cpl_i,
    input  wire [25:0]  s_tail_i, s_head_i, s_cur_i, s_cpl_i,
    input  wire [31:0]  m_status_i,
    input  wire [31:0]  s_status_i,
    input  wire [31:0]  m_packets_i,
    input  wire [31:0]  s_packets_i,
    input  wire         hide_cpl_i,
    // live state of the engine
    input  wire [31:0]  m_state_i,
    input  wire [31:0]  s_state_i,
    input  wire [127:0] m_log_i,
    input  wire [127:0] s_log_i,
    input  wire [31:0]  data_fifo_i,
    input  wire [31:0]  header_fifo_i,
    input  wire [31:0]  unack_fifo_i,
    input  wire [7:0]   sel_level_i,
    input  wire [31:0]  packets_i,
    input  wire [31:0]  m_done_i, s_done_i,
    input  wire [31:0]  m_fetched_i, s_fetched_i,
    input  wire [63:0]  m_bytes_i, s_bytes_i,
    input  wire [31:0]  num_set_i, num_clr_i
);
    wire        refuse, in_m2sq, in_s2mq, in_m2s, in_s2m, in_gen, in_app, in_trigger, stored;
    wire [4:0]  trig_off;
    wire [3:0]  q;
    wire [10:0] slot;
    wire [31:0] slot_reset, fields, stored_data;

    udma_addr u_addr (
        .addr_i({paddr_i[19:2], 2'd0}), .refuse_o(refuse), .in_m2sq_o(in_m2sq), .in_s2mq_o(in_s2mq), .in_m2s_o(in_m2s),
        .in_s2m_o(in_s2m), .in_gen_o(in_gen), .in_app_o(in_app), .in_trigger_o(in_trigger), .trig_off_o(trig_off),
        .q_o(q), .stored_o(stored), .slot_o(slot), .reset_o(slot_reset), .fields_o(fields)
    );

    wire [31:0] off    = {20'd0, paddr_i[11:2], 2'd0};
    wire [31:0] gen_off = {12'd0, paddr_i[19:2], 2'd0} - `UDMA_GEN_OFF;
    wire [31:0] trig   = {27'd0, trig_off};
    wire [31:0] data   = pwdata_i & (stored ? fields : 32'hffffffff);
    wire        access = psel_i && penable_i;

    // ---- refusals of writes: features of later versions never look as if they had been switched on ----
    localparam [31:0] M_PTRS = `M2SQ_Q_SW_CTRL_RST_TAIL_MASK | `M2SQ_Q_SW_CTRL_RST_HEAD_MASK
        | `M2SQ_Q_SW_CTRL_RST_CURRENT_MASK | `M2SQ_Q_SW_CTRL_RST_DATA_TAIL_MASK;
    localparam [31:0] S_PTRS = `S2MQ_Q_SW_CTRL_RST_TAIL_MASK | `S2MQ_Q_SW_CTRL_RST_HEAD_MASK
        | `S2MQ_Q_SW_CTRL_RST_CURRENT_MASK | `S2MQ_Q_SW_CTRL_RST_PREFETCH_MASK;
    reg unable;
    always @* begin
        unable = 1'b0;
        if (in_m2sq) begin
            case (off)
                `M2SQ_COMP_CFG_OFF:   unable = data[`M2SQ_COMP_CFG_EN_RING_LSB];
                `M2SQ_Q_SW_CTRL_OFF:  unable = (data & M_PTRS) != 32'd0 && !data[`M2SQ_Q_SW_CTRL_RST_Q_LSB];
                `M2SQ_TDRDTP_INC_OFF: unable = 1'b1;
                default: ;
            endcase
        end else if (in_s2mq) begin
            case (off)
                `S2MQ_COMP_CFG_OFF:  unable = data[`S2MQ_COMP_CFG_EN_RING_LSB];
                `S2MQ_Q_SW_CTRL_OFF: unable = (data & S_PTRS) != 32'd0 && !data[`S2MQ_Q_SW_CTRL_RST_Q_LSB];
                default: ;
            endcase
        end else if (in_m2s) begin
            unable = off == `M2S_MLA_CFG_PREFETCH_OFF && (data & `M2S_MLA_CFG_PREFETCH_DATA_TAIL_EN_MASK) != 32'd0;
        end else if (in_s2m) begin
            unable = off == `S2M_STREAM_CFG_OFF && data[`S2M_STREAM_CFG_FLUSH_LSB];
        end else if (in_trigger) begin
            unable = (trig == `UAPPQ_M2S_TRIGGER_OFF && data[`UAPPQ_M2S_TRIGGER_EN_LSB])
                || (trig == `UAPPQ_S2M_TRIGGER_OFF && data[`UAPPQ_S2M_TRIGGER_EN_LSB]);
        end else if (in_gen) begin
            unable = gen_off >= `UGEN_MAILBOX_OFF && gen_off < `UGEN_MAILBOX_OFF + `UGEN_MAILBOXES * `UGEN_MAILBOX_STRIDE
                && gen_off[5:0] == 6'd0 && data != 32'd0;
        end
    end

    wire write = access && pwrite_i && !refuse && !unable;
    assign pready_o  = 1'b1;
    assign pslverr_o = access && (refuse || (pwrite_i && unable));

    udma_store u_store (
        .clk_i(clk_i), .rst_ni(rst_ni), .addr_i(slot), .write_i(write && stored), .data_i(pwdata_i),
        .reset_i(slot_reset), .fields_i(fields), .data_o(stored_data)
    );

    // ---- writes ----
    assign w_m2sq_o = write && in_m2sq;
    assign w_s2mq_o = write && in_s2mq;
    assign w_m2s_o  = write && in_m2s;
    assign w_s2m_o  = write && in_s2m;
    assign w_gen_o  = write && in_gen;
    assign w_app_o  = write && in_app;
    assign w_q_o    = q;
    assign w_off_o  = in_gen ? gen_off[13:0] : off[13:0];
    assign w_data_o = data;

    wire m_ctrl = w_m2sq_o && off == `M2SQ_Q_SW_CTRL_OFF;
    assign m_bell_o  = w_m2sq_o && off == `M2SQ_TDRTP_INC_OFF;
    assign s_bell_o  = w_s2mq_o && off == `S2MQ_RDRTP_INC_OFF;
    assign m_rst_o   = m_ctrl && data[`M2SQ_Q_SW_CTRL_RST_Q_LSB];
    assign rst_dmb_o = m_ctrl && data[`M2SQ_Q_SW_CTRL_RST_DMB_LSB];
    assign s_rst_o   = w_s2mq_o && off == `S2MQ_Q_SW_CTRL_OFF && data[`S2MQ_Q_SW_CTRL_RST_Q_LSB];
    assign m_clear_log_o = w_m2s_o && off == `M2S_CLEAR_ERR_LOG_OFF && data[`M2S_CLEAR_ERR_LOG_CLEAR_LSB];
    assign s_clear_log_o = w_s2m_o && off == `S2M_CLEAR_ERR_LOG_OFF && data[`S2M_CLEAR_ERR_LOG_CLEAR_LSB];
    assign m_change_o = w_m2s_o && off == `M2S_CHANGE_STATE_OFF ? data[2:0] : 3'd0;
    assign s_change_o = w_s2m_o && off == `S2M_CHANGE_STATE_OFF ? data[2:0] : 3'd0;

    // ---- reads ----
    function [31:0] pointer;
        input [25:0] ptr;
        pointer = {ptr[25:24], 6'd0, ptr[23:0]};
    endfunction
    wire [31:0] m_cpl = hide_cpl_i ? `RING_PTR_RESET : pointer(m_cpl_i);
    wire [31:0] s_cpl = hide_cpl_i ? `RING_PTR_RESET : pointer(s_cpl_i);

    reg [31:0] live;
    always @* begin
        live = 32'd0;
        if (in_m2sq) begin
            case (off)
                `M2SQ_STATUS_OFF:         live = m_status_i;
                `M2SQ_TDRHP_OFF:          live = pointer(m_head_i);
                `M2SQ_TDRTP_OFF:          live = pointer(m_tail_i);
                `M2SQ_TDCP_OFF:           live = pointer(m_cur_i);
                `M2SQ_TCRHP_OFF:          live = m_cpl;
                `M2SQ_TCRHP_INTERNAL_OFF: live = m_cpl;
                `M2SQ_Q_TX_PKT_OFF:       live = m_packets_i;
                `M2SQ_TDRDTP_OFF:         live = `M2SQ_TDRDTP_RESET;
                default: ;
            endcase
        end else if (in_s2mq) begin
            case (off)
                `S2MQ_STATUS_OFF:         live = s_status_i;
                `S2MQ_RDRHP_OFF:          live = pointer(s_head_i);
                `S2MQ_RDRTP_OFF:          live = pointer(s_tail_i);
                `S2MQ_RDCP_OFF:           live = pointer(s_cur_i);
                `S2MQ_RCRHP_OFF:          live = s_cpl;
                `S2MQ_RCRHP_INTERNAL_OFF: live = s_cpl;
                `S2MQ_Q_RX_PKT_OFF:       live = s_packets_i;
                default: ;
            endcase
        end else if (in_m2s) begin
            case (off)
                `M2S_STATE_OFF:              live = m_state_i;
                `M2S_LOG_0_OFF:              live = m_log_i[31:0];
                `M2S_LOG_1_OFF:              live = m_log_i[63:32];
                `M2S_LOG_2_OFF:              live = m_log_i[95:64];
                `M2S_LOG_3_OFF:              live = m_log_i[127:96];
                `M2S_DATA_FIFO_STATUS_OFF:   live = data_fifo_i;
                `M2S_HEADER_FIFO_STATUS_OFF: live = header_fifo_i;
                `M2S_UNACK_FIFO_STATUS_OFF:  live = unack_fifo_i;
                `M2S_SEL_PREF_FIFO_OFF:      live = {24'd0, sel_level_i};
                `M2S_STAT_TX_PKT_OFF:        live = packets_i;
                `M2S_STAT_TX_BYTES_LO_OFF:   live = m_bytes_i[31:0];
                `M2S_STAT_TX_BYTES_HI_OFF:   live = m_bytes_i[63:32];
                `M2S_STAT_PREFED_DESC_OFF:   live = m_fetched_i;
                `M2S_STAT_COMP_PKT_OFF:      live = packets_i;
                `M2S_STAT_COMP_DESC_OFF:     live = m_done_i;
                `M2S_STAT_ACK_PKTS_OFF:      live = packets_i;
                `M2S_FEATURE_1_OFF:          live = `M2S_FEATURE_1_RESET;
                `M2S_DMA_VERSION_OFF:        live = `M2S_DMA_VERSION_RESET;
                default: ;
            endcase
        end else if (in_s2m) begin
            case (off)
                `S2M_STATE_OFF:            live = s_state_i;
                `S2M_LOG_0_OFF:            live = s_log_i[31:0];
                `S2M_LOG_1_OFF:            live = s_log_i[63:32];
                `S2M_LOG_2_OFF:            live = s_log_i[95:64];
                `S2M_LOG_3_OFF:            live = s_log_i[127:96];
                `S2M_STAT_RX_BYTES_LO_OFF: live = s_bytes_i[31:0];
                `S2M_STAT_RX_BYTES_HI_OFF: live = s_bytes_i[63:32];
                `S2M_STAT_PREFED_DESC_OFF: live = s_fetched_i;
                `S2M_STAT_COMP_PKT_OFF:    live = packets_i;
                `S2M_STAT_COMP_DESC_OFF:   live = s_done_i;
                `S2M_STAT_ACK_PKTS_OFF:    live = packets_i;
                default: ;
            endcase
        end else if (in_gen) begin
            if (gen_off == `UGEN_REVISION_OFF) live = `UGEN_REVISION_RESET;
        end else if (in_app) begin
            case (off)
                `UAPP_NUM_SET_OFF: live = num_set_i;
                `UAPP_NUM_CLR_OFF: live = num_clr_i;
                default: ;
            endcase
        end
    end

    assign prdata_o = !access || refuse ? 32'd0 : stored ? stored_data : live;

    wire unused = ^paddr_i[1:0];
endmodule
`default_nettype wire
