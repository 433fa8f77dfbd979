// Registers that change what the engine does, as wires (udma.md §8-§10). udma_store answers reads of the same
// registers; this block listens to the same writes. Everything comes up with the reset value of the field tables.
// A write is in force from the next clock.
`default_nettype none
`include "regs.vh"

module udma_cfg (
    input  wire         clk_i,
    input  wire         rst_ni,
    // a write that is accepted, already reduced to the fields that exist
    input  wire         m2sq_i,
    input  wire         s2mq_i,
    input  wire         m2s_i,
    input  wire         s2m_i,
    input  wire         gen_i,
    input  wire         app_i,
    input  wire [3:0]   q_i,
    input  wire [13:0]  off_i,
    input  wire [31:0]  data_i,
    // per queue
    output reg  [15:0]  m_pref_o,
    output reg  [15:0]  m_sched_o,
    output reg  [15:0]  s_pref_o,
    output reg  [15:0]  s_stream_o,
    output reg  [15:0]  dmb_mask_o,
    output reg  [15:0]  comp_ring_o,
    output reg  [383:0] m_len_o,
    output reg  [383:0] s_len_o,
    output reg  [927:0] m_base_o,    // 58 bits per queue: address bits 63:6
    output reg  [927:0] s_base_o,
    // per engine
    output reg  [15:0]  m_queue_en_o,
    output reg  [15:0]  s_queue_en_o,
    output reg          m_disable_o, // stream_cfg.disable
    output reg          s_disable_o,
    output reg          s_stop_pref_o,
    output reg  [7:0]   m_fetch_o,   // descriptors per burst
    output reg  [7:0]   s_fetch_o,
    output wire [9:0]   rd_cap_o,
    output wire [9:0]   wr_cap_o,
    output reg  [11:0]  max_desc_o,
    output reg  [19:0]  max_pkt_o,
    output reg          encode_64k_o,
    output reg  [31:0]  m_mask_o,    // err_log_mask
    output reg  [31:0]  s_mask_o,
    output reg  [3:0]   indirect_o,
    output reg          hide_cpl_o,  // spare_reg bit 0
    output reg          accel_en_o,
    output reg  [63:0]  set_addr_o,
    output reg  [63:0]  clr_addr_o
);
    wire [31:0] off = {18'd0, off_i};

    // two registers limit data reads and two limit data writes; 0 is no limit (udma.md §12)
    reg [9:0] rd_a_q, rd_b_q, wr_a_q, wr_b_q;
    function [9:0] tighter;
        input [9:0] a;
        input [9:0] b;
        tighter = a == 10'd0 ? b : b == 10'd0 ? a : a < b ? a : b;
    endfunction
    assign rd_cap_o = tighter(rd_a_q, rd_b_q);
    assign wr_cap_o = tighter(wr_a_q, wr_b_q);

    localparam [31:0] M_CFG = `M2SQ_CFG_RESET, S_CFG = `S2MQ_CFG_RESET, M_RATE = `M2SQ_RATE_LIMIT_MASK_RESET,
        S_COMP = `S2MQ_COMP_CFG_RESET, BASE = `M2SQ_TDRBP_LOW_RESET, M_LEN = `M2SQ_TDRL_RESET, M_FETCH = `M2S_DESC_RD_CFG_3_RESET,
        S_FETCH = `S2M_DESC_RD_CFG_3_RESET, OST_RD = `M2S_OSTAND_CFG_RESET, OST_RD_B = `M2S_ENHANCED_OSTAND_CFG_RESET,
        OST_WR = `S2M_OSTAND_CFG_WR_RESET, OST_WR_B = `S2M_OSTAND_CFG_WR_2_RESET, DESC2 = `M2S_DESC_PREF_CFG_2_RESET,
        LEN = `M2S_CFG_LEN_RESET, M_STREAM = `M2S_STREAM_CFG_RESET, S_STREAM = `S2M_STREAM_CFG_RESET,
        M_QEN = `M2S_PREF_QUEUE_EN_RESET, S_QEN = `S2M_PREF_QUEUE_EN_RESET, SPARE = `UGEN_SPARE_RESET,
        ACCEL = `UAPP_EVENT_ACCEL_RESET;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            m_pref_o     <= {16{M_CFG[`M2SQ_CFG_EN_PREF_LSB]}};
            m_sched_o    <= {16{M_CFG[`M2SQ_CFG_EN_SCHED_LSB]}};
            s_pref_o     <= {16{S_CFG[`S2MQ_CFG_EN_PREF_LSB]}};
            s_stream_o   <= {16{S_CFG[`S2MQ_CFG_EN_STREAM_LSB]}};
            dmb_mask_o   <= {16{M_RATE[`M2SQ_RATE_LIMIT_MASK_PAUSE_DMB_LSB]}};
            comp_ring_o  <= {16{S_COMP[`S2MQ_COMP_CFG_EN_RING_LSB]}};
            m_len_o      <= {16{M_LEN[23:0]}};
            s_len_o      <= {16{M_LEN[23:0]}};
            m_base_o     <= {16{32'd0, BASE[31:6]}};
            s_base_o     <= {16{32'd0, BASE[31:6]}};
        end else begin
            if (m2sq_i) begin
                case (off)
                    `M2SQ_CFG_OFF: begin
                        m_pref_o[q_i]  <= data_i[`M2SQ_CFG_EN_PREF_LSB];
                        m_sched_o[q_i] <= data_i[`M2SQ_CFG_EN_SCHED_LSB];
                    end
                    `M2SQ_TDRBP_LOW_OFF:       m_base_o[58*q_i +: 26] <= data_i[31:6];
                    `M2SQ_TDRBP_HIGH_OFF:      m_base_o[58*q_i + 26 +: 32] <= data_i;
                    `M2SQ_TDRL_OFF:            m_len_o[24*q_i +: 24] <= data_i[23:0];
                    `M2SQ_RATE_LIMIT_MASK_OFF: dmb_mask_o[q_i] <= data_i[`M2SQ_RATE_LIMIT_MASK_PAUSE_DMB_LSB];
                    default: ;
                endcase
            end
            if (s2mq_i) begin
                case (off)
                    `S2MQ_CFG_OFF: begin
                        s_pref_o[q_i]   <= data_i[`S2MQ_CFG_EN_PREF_LSB];
                        s_stream_o[q_i] <= data_i[`S2MQ_CFG_EN_STREAM_LSB];
                    end
                    `S2MQ_RDRBP_LOW_OFF:  s_base_o[58*q_i +: 26] <= data_i[31:6];
                    `S2MQ_RDRBP_HIGH_OFF: s_base_o[58*q_i + 26 +: 32] <= data_i;
                    `S2MQ_RDRL_OFF:       s_len_o[24*q_i +: 24] <= data_i[23:0];
                    `S2MQ_COMP_CFG_OFF:   comp_ring_o[q_i] <= data_i[`S2MQ_COMP_CFG_EN_RING_LSB];
                    default: ;
                endcase
            end
        end
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            m_queue_en_o  <= M_QEN[15:0];
            s_queue_en_o  <= S_QEN[15:0];
            m_disable_o   <= M_STREAM[`M2S_STREAM_CFG_DISABLE_LSB];
            s_disable_o   <= S_STREAM[`S2M_STREAM_CFG_DISABLE_LSB];
            s_stop_pref_o <= S_STREAM[`S2M_STREAM_CFG_STOP_PREFETCH_LSB];
            m_fetch_o     <= M_FETCH[7:0];
            s_fetch_o     <= S_FETCH[7:0];
            rd_a_q        <= {2'd0, OST_RD[`M2S_OSTAND_CFG_DATA_RD_MSB:`M2S_OSTAND_CFG_DATA_RD_LSB]};
            rd_b_q        <= OST_RD_B[9:0];
            wr_a_q        <= {2'd0, OST_WR[`S2M_OSTAND_CFG_WR_DATA_WR_MSB:`S2M_OSTAND_CFG_WR_DATA_WR_LSB]};
            wr_b_q        <= OST_WR_B[9:0];
            max_desc_o    <= DESC2[11:0];
            max_pkt_o     <= LEN[19:0];
            encode_64k_o  <= LEN[`M2S_CFG_LEN_ENCODE_64K_LSB];
            m_mask_o      <= `M2S_ERR_LOG_MASK_RESET;
            s_mask_o      <= `S2M_ERR_LOG_MASK_RESET;
            indirect_o    <= 4'd0;
            hide_cpl_o    <= SPARE[`UGEN_SPARE_DIS_COMP_HEAD_LSB];
            accel_en_o    <= ACCEL[`UAPP_EVENT_ACCEL_EN_LSB];
            set_addr_o    <= `DMA_CONST_SET_ADDR;
            clr_addr_o    <= `DMA_CONST_CLR_ADDR;
        end else begin
            if (m2s_i) begin
                case (off)
                    `M2S_PREF_QUEUE_EN_OFF:       m_queue_en_o <= data_i[15:0];
                    `M2S_STREAM_CFG_OFF:          m_disable_o <= data_i[`M2S_STREAM_CFG_DISABLE_LSB];
                    `M2S_DESC_RD_CFG_3_OFF:       m_fetch_o <= data_i[7:0];
                    `M2S_OSTAND_CFG_OFF:          rd_a_q <= {2'd0, data_i[7:0]};
                    `M2S_ENHANCED_OSTAND_CFG_OFF: rd_b_q <= data_i[9:0];
                    `M2S_DESC_PREF_CFG_2_OFF:     max_desc_o <= data_i[11:0];
                    `M2S_CFG_LEN_OFF: begin
                        max_pkt_o    <= data_i[19:0];
                        encode_64k_o <= data_i[`M2S_CFG_LEN_ENCODE_64K_LSB];
                    end
                    `M2S_ERR_LOG_MASK_OFF:        m_mask_o <= data_i;
                    `M2S_INDIRECT_CTRL_OFF:       indirect_o <= data_i[3:0];
                    default: ;
                endcase
            end
            if (s2m_i) begin
                case (off)
                    `S2M_PREF_QUEUE_EN_OFF:   s_queue_en_o <= data_i[15:0];
                    `S2M_STREAM_CFG_OFF: begin
                        s_disable_o   <= data_i[`S2M_STREAM_CFG_DISABLE_LSB];
                        s_stop_pref_o <= data_i[`S2M_STREAM_CFG_STOP_PREFETCH_LSB];
                    end
                    `S2M_DESC_RD_CFG_3_OFF:   s_fetch_o <= data_i[7:0];
                    `S2M_OSTAND_CFG_WR_OFF:   wr_a_q <= {2'd0, data_i[7:0]};
                    `S2M_OSTAND_CFG_WR_2_OFF: wr_b_q <= data_i[9:0];
                    `S2M_ERR_LOG_MASK_OFF:    s_mask_o <= data_i;
                    default: ;
                endcase
            end
            if (gen_i && off == `UGEN_SPARE_OFF) hide_cpl_o <= data_i[`UGEN_SPARE_DIS_COMP_HEAD_LSB];
            if (app_i) begin
                case (off)
                    `UAPP_EVENT_ACCEL_OFF: accel_en_o <= data_i[`UAPP_EVENT_ACCEL_EN_LSB];
                    `UAPP_SET_ADDR_LO_OFF: set_addr_o[31:0] <= data_i;
                    `UAPP_SET_ADDR_HI_OFF: set_addr_o[63:32] <= data_i;
                    `UAPP_CLR_ADDR_LO_OFF: clr_addr_o[31:0] <= data_i;
                    `UAPP_CLR_ADDR_HI_OFF: clr_addr_o[63:32] <= data_i;
                    default: ;
                endcase
            end
        end
    end
endmodule
`default_nettype wire
