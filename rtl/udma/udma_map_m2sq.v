// Stored registers of an M2S queue bank (udma.md §8.1): for each register that software can
// read back what it wrote, its place in udma_store, its reset value and the bits that exist. hit_o is 0 for every other offset.
// Combinational.
`default_nettype none
`include "regs.vh"

module udma_map_m2sq (
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
            `M2SQ_DESC_PREF_CFG_OFF:         begin slot_o = 5'd0  ; reset_o = `M2SQ_DESC_PREF_CFG_RESET; fields_o = `M2SQ_DESC_PREF_CFG_FIELDS; end
            `M2SQ_CFG_OFF:                   begin slot_o = 5'd1  ; reset_o = `M2SQ_CFG_RESET; fields_o = `M2SQ_CFG_FIELDS; end
            `M2SQ_TDRBP_LOW_OFF:             begin slot_o = 5'd2  ; reset_o = `M2SQ_TDRBP_LOW_RESET; fields_o = `M2SQ_TDRBP_LOW_FIELDS; end
            `M2SQ_TDRBP_HIGH_OFF:            begin slot_o = 5'd3  ; reset_o = `M2SQ_TDRBP_HIGH_RESET; fields_o = `M2SQ_TDRBP_HIGH_FIELDS; end
            `M2SQ_TDRL_OFF:                  begin slot_o = 5'd4  ; reset_o = `M2SQ_TDRL_RESET; fields_o = `M2SQ_TDRL_FIELDS; end
            `M2SQ_TCRBP_LOW_OFF:             begin slot_o = 5'd5  ; reset_o = `M2SQ_TCRBP_LOW_RESET; fields_o = `M2SQ_TCRBP_LOW_FIELDS; end
            `M2SQ_TCRBP_HIGH_OFF:            begin slot_o = 5'd6  ; reset_o = `M2SQ_TCRBP_HIGH_RESET; fields_o = `M2SQ_TCRBP_HIGH_FIELDS; end
            `M2SQ_RATE_LIMIT_CFG_1_OFF:      begin slot_o = 5'd7  ; reset_o = `M2SQ_RATE_LIMIT_CFG_1_RESET; fields_o = `M2SQ_RATE_LIMIT_CFG_1_FIELDS; end
            `M2SQ_RATE_LIMIT_CYCLE_OFF:      begin slot_o = 5'd8  ; reset_o = `M2SQ_RATE_LIMIT_CYCLE_RESET; fields_o = `M2SQ_RATE_LIMIT_CYCLE_FIELDS; end
            `M2SQ_RATE_LIMIT_TOKEN_1_OFF:    begin slot_o = 5'd9  ; reset_o = `M2SQ_RATE_LIMIT_TOKEN_1_RESET; fields_o = `M2SQ_RATE_LIMIT_TOKEN_1_FIELDS; end
            `M2SQ_RATE_LIMIT_TOKEN_2_OFF:    begin slot_o = 5'd10 ; reset_o = `M2SQ_RATE_LIMIT_TOKEN_2_RESET; fields_o = `M2SQ_RATE_LIMIT_TOKEN_2_FIELDS; end
            `M2SQ_RATE_LIMIT_MASK_OFF:       begin slot_o = 5'd11 ; reset_o = `M2SQ_RATE_LIMIT_MASK_RESET; fields_o = `M2SQ_RATE_LIMIT_MASK_FIELDS; end
            `M2SQ_DWRR_CFG_1_OFF:            begin slot_o = 5'd12 ; reset_o = `M2SQ_DWRR_CFG_1_RESET; fields_o = `M2SQ_DWRR_CFG_1_FIELDS; end
            `M2SQ_DWRR_CFG_2_OFF:            begin slot_o = 5'd13 ; reset_o = `M2SQ_DWRR_CFG_2_RESET; fields_o = `M2SQ_DWRR_CFG_2_FIELDS; end
            `M2SQ_DWRR_CFG_3_OFF:            begin slot_o = 5'd14 ; reset_o = `M2SQ_DWRR_CFG_3_RESET; fields_o = `M2SQ_DWRR_CFG_3_FIELDS; end
            `M2SQ_COMP_CFG_OFF:              begin slot_o = 5'd15 ; reset_o = `M2SQ_COMP_CFG_RESET; fields_o = `M2SQ_COMP_CFG_FIELDS; end
            `M2SQ_READ_DATA_SNP_OFF:         begin slot_o = 5'd16 ; reset_o = `M2SQ_READ_DATA_SNP_RESET; fields_o = `M2SQ_READ_DATA_SNP_FIELDS; end
            default: hit_o = 1'b0;
        endcase
    end
endmodule
`default_nettype wire
