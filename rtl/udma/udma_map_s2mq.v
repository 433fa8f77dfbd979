// Stored registers of an S2M queue bank (udma.md §8.2): for each register that software can
// read back what it wrote, its place in udma_store, its reset value and the bits that exist. hit_o is 0 for every other offset.
// Combinational.
`default_nettype none
`include "regs.vh"

module udma_map_s2mq (
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
            `S2MQ_DESC_PREF_CFG_OFF:         begin slot_o = 4'd0  ; reset_o = `S2MQ_DESC_PREF_CFG_RESET; fields_o = `S2MQ_DESC_PREF_CFG_FIELDS; end
            `S2MQ_CFG_OFF:                   begin slot_o = 4'd1  ; reset_o = `S2MQ_CFG_RESET; fields_o = `S2MQ_CFG_FIELDS; end
            `S2MQ_RDRBP_LOW_OFF:             begin slot_o = 4'd2  ; reset_o = `S2MQ_RDRBP_LOW_RESET; fields_o = `S2MQ_RDRBP_LOW_FIELDS; end
            `S2MQ_RDRBP_HIGH_OFF:            begin slot_o = 4'd3  ; reset_o = `S2MQ_RDRBP_HIGH_RESET; fields_o = `S2MQ_RDRBP_HIGH_FIELDS; end
            `S2MQ_RDRL_OFF:                  begin slot_o = 4'd4  ; reset_o = `S2MQ_RDRL_RESET; fields_o = `S2MQ_RDRL_FIELDS; end
            `S2MQ_RCRBP_LOW_OFF:             begin slot_o = 4'd5  ; reset_o = `S2MQ_RCRBP_LOW_RESET; fields_o = `S2MQ_RCRBP_LOW_FIELDS; end
            `S2MQ_RCRBP_HIGH_OFF:            begin slot_o = 4'd6  ; reset_o = `S2MQ_RCRBP_HIGH_RESET; fields_o = `S2MQ_RCRBP_HIGH_FIELDS; end
            `S2MQ_COMP_CFG_OFF:              begin slot_o = 4'd7  ; reset_o = `S2MQ_COMP_CFG_RESET; fields_o = `S2MQ_COMP_CFG_FIELDS; end
            `S2MQ_COMP_CFG_2_OFF:            begin slot_o = 4'd8  ; reset_o = `S2MQ_COMP_CFG_2_RESET; fields_o = `S2MQ_COMP_CFG_2_FIELDS; end
            `S2MQ_PKT_CFG_OFF:               begin slot_o = 4'd9  ; reset_o = `S2MQ_PKT_CFG_RESET; fields_o = `S2MQ_PKT_CFG_FIELDS; end
            `S2MQ_QOS_CFG_OFF:               begin slot_o = 4'd10 ; reset_o = `S2MQ_QOS_CFG_RESET; fields_o = `S2MQ_QOS_CFG_FIELDS; end
            default: hit_o = 1'b0;
        endcase
    end
endmodule
`default_nettype wire
