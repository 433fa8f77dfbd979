// Stored registers of the S2M engine block (udma.md §9.2): for each register that software can
// read back what it wrote, its place in udma_store, its reset value and the bits that exist. hit_o is 0 for every other offset.
// Combinational.
`default_nettype none
`include "regs.vh"

module udma_map_s2m (
    input  wire [11:0] off_i,
    output reg         hit_o,
    output reg  [3:0]  slot_o,
    output reg  [31:0] reset_o,
    output reg  [31:0] fields_o
);
    always @* begin
        hit_o    = 1'b1;
        slot_o   = 4'd0;
        reset_o  = 32'd0;
        fields_o = 32'hffffffff;
        case ({20'd0, off_i})
            `S2M_DESC_RD_CFG_3_OFF:         begin slot_o = 4'd0  ; reset_o = `S2M_DESC_RD_CFG_3_RESET; fields_o = `S2M_DESC_RD_CFG_3_FIELDS; end
            `S2M_OSTAND_CFG_RD_OFF:         begin slot_o = 4'd1  ; reset_o = `S2M_OSTAND_CFG_RD_RESET; fields_o = `S2M_OSTAND_CFG_RD_FIELDS; end
            `S2M_OSTAND_CFG_WR_OFF:         begin slot_o = 4'd2  ; reset_o = `S2M_OSTAND_CFG_WR_RESET; fields_o = `S2M_OSTAND_CFG_WR_FIELDS; end
            `S2M_OSTAND_CFG_WR_2_OFF:       begin slot_o = 4'd3  ; reset_o = `S2M_OSTAND_CFG_WR_2_RESET; fields_o = `S2M_OSTAND_CFG_WR_2_FIELDS; end
            `S2M_ERR_LOG_MASK_OFF:          begin slot_o = 4'd4  ; reset_o = `S2M_ERR_LOG_MASK_RESET; fields_o = `S2M_ERR_LOG_MASK_FIELDS; end
            `S2M_FIFO_EN_OFF:               begin slot_o = 4'd5  ; reset_o = `S2M_FIFO_EN_RESET; fields_o = `S2M_FIFO_EN_FIELDS; end
            `S2M_STREAM_CFG_OFF:            begin slot_o = 4'd6  ; reset_o = `S2M_STREAM_CFG_RESET; fields_o = `S2M_STREAM_CFG_FIELDS; end
            `S2M_PREF_QUEUE_EN_OFF:         begin slot_o = 4'd7  ; reset_o = `S2M_PREF_QUEUE_EN_RESET; fields_o = `S2M_PREF_QUEUE_EN_FIELDS; end
            `S2M_DESC_PREF_CFG_2_OFF:       begin slot_o = 4'd8  ; reset_o = `S2M_DESC_PREF_CFG_2_RESET; fields_o = `S2M_DESC_PREF_CFG_2_FIELDS; end
            `S2M_DESC_PREF_CFG_3_OFF:       begin slot_o = 4'd9  ; reset_o = `S2M_DESC_PREF_CFG_3_RESET; fields_o = `S2M_DESC_PREF_CFG_3_FIELDS; end
            `S2M_WR_DATA_CFG_1_OFF:         begin slot_o = 4'd10 ; reset_o = `S2M_WR_DATA_CFG_1_RESET; fields_o = `S2M_WR_DATA_CFG_1_FIELDS; end
            `S2M_WR_DATA_CFG_2_OFF:         begin slot_o = 4'd11 ; reset_o = `S2M_WR_DATA_CFG_2_RESET; fields_o = `S2M_WR_DATA_CFG_2_FIELDS; end
            `S2M_COMP_CFG_1C_OFF:           begin slot_o = 4'd12 ; reset_o = `S2M_COMP_CFG_1C_RESET; fields_o = `S2M_COMP_CFG_1C_FIELDS; end
            `S2M_COMP_CFG_2C_OFF:           begin slot_o = 4'd13 ; reset_o = `S2M_COMP_CFG_2C_RESET; fields_o = `S2M_COMP_CFG_2C_FIELDS; end
            `S2M_COMP_CFG_ACK_OFF:          begin slot_o = 4'd14 ; reset_o = `S2M_COMP_CFG_ACK_RESET; fields_o = `S2M_COMP_CFG_ACK_FIELDS; end
            default: hit_o = 1'b0;
        endcase
    end
endmodule
`default_nettype wire
