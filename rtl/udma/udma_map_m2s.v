// Stored registers of the M2S engine block (udma.md §9.1): for each register that software can
// read back what it wrote, its place in udma_store, its reset value and the bits that exist. hit_o is 0 for every other offset.
// Combinational.
`default_nettype none
`include "regs.vh"

module udma_map_m2s (
    input  wire [11:0] off_i,
    output reg         hit_o,
    output reg  [4:0]  slot_o,
    output reg  [31:0] reset_o,
    output reg  [31:0] fields_o
);
    always @* begin
        hit_o    = 1'b1;
        slot_o   = 5'd0;
        reset_o  = 32'd0;
        fields_o = 32'hffffffff;
        case ({20'd0, off_i})
            `M2S_MLA_CFG_OUTSTANDING_OFF:   begin slot_o = 5'd0  ; reset_o = `M2S_MLA_CFG_OUTSTANDING_RESET; fields_o = `M2S_MLA_CFG_OUTSTANDING_FIELDS; end
            `M2S_MLA_CFG_PREFETCH_OFF:      begin slot_o = 5'd1  ; reset_o = `M2S_MLA_CFG_PREFETCH_RESET; fields_o = `M2S_MLA_CFG_PREFETCH_FIELDS; end
            `M2S_MLA_TDR_REQ_HIGH_OFF:      begin slot_o = 5'd2  ; reset_o = `M2S_MLA_TDR_REQ_HIGH_RESET; fields_o = `M2S_MLA_TDR_REQ_HIGH_FIELDS; end
            `M2S_COMP_WR_CFG_1_OFF:         begin slot_o = 5'd3  ; reset_o = `M2S_COMP_WR_CFG_1_RESET; fields_o = `M2S_COMP_WR_CFG_1_FIELDS; end
            `M2S_COMP_WR_CFG_2_OFF:         begin slot_o = 5'd4  ; reset_o = `M2S_COMP_WR_CFG_2_RESET; fields_o = `M2S_COMP_WR_CFG_2_FIELDS; end
            `M2S_DATA_RD_CFG_1_OFF:         begin slot_o = 5'd5  ; reset_o = `M2S_DATA_RD_CFG_1_RESET; fields_o = `M2S_DATA_RD_CFG_1_FIELDS; end
            `M2S_DATA_RD_CFG_2_OFF:         begin slot_o = 5'd6  ; reset_o = `M2S_DATA_RD_CFG_2_RESET; fields_o = `M2S_DATA_RD_CFG_2_FIELDS; end
            `M2S_DESC_RD_CFG_1_OFF:         begin slot_o = 5'd7  ; reset_o = `M2S_DESC_RD_CFG_1_RESET; fields_o = `M2S_DESC_RD_CFG_1_FIELDS; end
            `M2S_DESC_RD_CFG_2_OFF:         begin slot_o = 5'd8  ; reset_o = `M2S_DESC_RD_CFG_2_RESET; fields_o = `M2S_DESC_RD_CFG_2_FIELDS; end
            `M2S_DATA_RD_CFG_OFF:           begin slot_o = 5'd9  ; reset_o = `M2S_DATA_RD_CFG_RESET; fields_o = `M2S_DATA_RD_CFG_FIELDS; end
            `M2S_DESC_RD_CFG_3_OFF:         begin slot_o = 5'd10 ; reset_o = `M2S_DESC_RD_CFG_3_RESET; fields_o = `M2S_DESC_RD_CFG_3_FIELDS; end
            `M2S_DESC_WR_CFG_1_OFF:         begin slot_o = 5'd11 ; reset_o = `M2S_DESC_WR_CFG_1_RESET; fields_o = `M2S_DESC_WR_CFG_1_FIELDS; end
            `M2S_OSTAND_CFG_OFF:            begin slot_o = 5'd12 ; reset_o = `M2S_OSTAND_CFG_RESET; fields_o = `M2S_OSTAND_CFG_FIELDS; end
            `M2S_ENHANCED_OSTAND_CFG_OFF:   begin slot_o = 5'd13 ; reset_o = `M2S_ENHANCED_OSTAND_CFG_RESET; fields_o = `M2S_ENHANCED_OSTAND_CFG_FIELDS; end
            `M2S_ERR_LOG_MASK_OFF:          begin slot_o = 5'd14 ; reset_o = `M2S_ERR_LOG_MASK_RESET; fields_o = `M2S_ERR_LOG_MASK_FIELDS; end
            `M2S_INDIRECT_CTRL_OFF:         begin slot_o = 5'd15 ; reset_o = `M2S_INDIRECT_CTRL_RESET; fields_o = `M2S_INDIRECT_CTRL_FIELDS; end
            `M2S_CHECK_EN_OFF:              begin slot_o = 5'd16 ; reset_o = `M2S_CHECK_EN_RESET; fields_o = `M2S_CHECK_EN_FIELDS; end
            `M2S_FIFO_EN_OFF:               begin slot_o = 5'd17 ; reset_o = `M2S_FIFO_EN_RESET; fields_o = `M2S_FIFO_EN_FIELDS; end
            `M2S_CFG_LEN_OFF:               begin slot_o = 5'd18 ; reset_o = `M2S_CFG_LEN_RESET; fields_o = `M2S_CFG_LEN_FIELDS; end
            `M2S_STREAM_CFG_OFF:            begin slot_o = 5'd19 ; reset_o = `M2S_STREAM_CFG_RESET; fields_o = `M2S_STREAM_CFG_FIELDS; end
            `M2S_PREF_QUEUE_EN_OFF:         begin slot_o = 5'd20 ; reset_o = `M2S_PREF_QUEUE_EN_RESET; fields_o = `M2S_PREF_QUEUE_EN_FIELDS; end
            `M2S_DESC_PREF_CFG_2_OFF:       begin slot_o = 5'd21 ; reset_o = `M2S_DESC_PREF_CFG_2_RESET; fields_o = `M2S_DESC_PREF_CFG_2_FIELDS; end
            `M2S_DESC_PREF_CFG_3_OFF:       begin slot_o = 5'd22 ; reset_o = `M2S_DESC_PREF_CFG_3_RESET; fields_o = `M2S_DESC_PREF_CFG_3_FIELDS; end
            `M2S_DATA_CFG_OFF:              begin slot_o = 5'd23 ; reset_o = `M2S_DATA_CFG_RESET; fields_o = `M2S_DATA_CFG_FIELDS; end
            `M2S_DWRR_CFG_SCHED_OFF:        begin slot_o = 5'd24 ; reset_o = `M2S_DWRR_CFG_SCHED_RESET; fields_o = `M2S_DWRR_CFG_SCHED_FIELDS; end
            `M2S_RATE_LIMIT_GEN_CFG_OFF:    begin slot_o = 5'd25 ; reset_o = `M2S_RATE_LIMIT_GEN_CFG_RESET; fields_o = `M2S_RATE_LIMIT_GEN_CFG_FIELDS; end
            `M2S_STREAM_RATE_MASK_OFF:      begin slot_o = 5'd26 ; reset_o = `M2S_STREAM_RATE_MASK_RESET; fields_o = `M2S_STREAM_RATE_MASK_FIELDS; end
            `M2S_COMP_CFG_1C_OFF:           begin slot_o = 5'd27 ; reset_o = `M2S_COMP_CFG_1C_RESET; fields_o = `M2S_COMP_CFG_1C_FIELDS; end
            `M2S_COMP_CFG_COAL_OFF:         begin slot_o = 5'd28 ; reset_o = `M2S_COMP_CFG_COAL_RESET; fields_o = `M2S_COMP_CFG_COAL_FIELDS; end
            `M2S_COMP_CFG_ACK_OFF:          begin slot_o = 5'd29 ; reset_o = `M2S_COMP_CFG_ACK_RESET; fields_o = `M2S_COMP_CFG_ACK_FIELDS; end
            `M2S_STAT_CFG_OFF:              begin slot_o = 5'd30 ; reset_o = `M2S_STAT_CFG_RESET; fields_o = `M2S_STAT_CFG_FIELDS; end
            default: hit_o = 1'b0;
        endcase
    end
endmodule
`default_nettype wire
