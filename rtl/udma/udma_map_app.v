// Stored registers of the application wrapper (udma.md §10): for each register that software can
// read back what it wrote, its place in udma_store, its reset value and the bits that exist. hit_o is 0 for every other offset.
// Combinational.
`default_nettype none
`include "regs.vh"

module udma_map_app (
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
            `UAPP_EVENT_ACCEL_OFF:           begin slot_o = 5'd0  ; reset_o = `UAPP_EVENT_ACCEL_RESET; fields_o = `UAPP_EVENT_ACCEL_FIELDS; end
            `UAPP_SET_ADDR_LO_OFF:           begin slot_o = 5'd1  ; reset_o = `UAPP_SET_ADDR_LO_RESET; fields_o = `UAPP_SET_ADDR_LO_FIELDS; end
            `UAPP_SET_ADDR_HI_OFF:           begin slot_o = 5'd2  ; reset_o = `UAPP_SET_ADDR_HI_RESET; fields_o = `UAPP_SET_ADDR_HI_FIELDS; end
            `UAPP_CLR_ADDR_LO_OFF:           begin slot_o = 5'd3  ; reset_o = `UAPP_CLR_ADDR_LO_RESET; fields_o = `UAPP_CLR_ADDR_LO_FIELDS; end
            `UAPP_CLR_ADDR_HI_OFF:           begin slot_o = 5'd4  ; reset_o = `UAPP_CLR_ADDR_HI_RESET; fields_o = `UAPP_CLR_ADDR_HI_FIELDS; end
            `UAPP_ROB_CFG_OFF:               begin slot_o = 5'd5  ; reset_o = `UAPP_ROB_CFG_RESET; fields_o = `UAPP_ROB_CFG_FIELDS; end
            `UAPP_WOB_CFG_OFF:               begin slot_o = 5'd6  ; reset_o = `UAPP_WOB_CFG_RESET; fields_o = `UAPP_WOB_CFG_FIELDS; end
            `UAPP_BCAST_GROUP_OFF:           begin slot_o = 5'd7  ; reset_o = `UAPP_BCAST_GROUP_RESET; fields_o = `UAPP_BCAST_GROUP_FIELDS; end
            `UAPP_BCAST_LAST_NODE_OFF:       begin slot_o = 5'd8  ; reset_o = `UAPP_BCAST_LAST_NODE_RESET; fields_o = `UAPP_BCAST_LAST_NODE_FIELDS; end
            `UAPP_NOTIFIC_STALL_OFF:         begin slot_o = 5'd9  ; reset_o = `UAPP_NOTIFIC_STALL_RESET; fields_o = `UAPP_NOTIFIC_STALL_FIELDS; end
            `UAPP_TIMESTAMP_INC_OFF:         begin slot_o = 5'd10 ; reset_o = `UAPP_TIMESTAMP_INC_RESET; fields_o = `UAPP_TIMESTAMP_INC_FIELDS; end
            `UAPP_ROBERT_TXDF_OFF:           begin slot_o = 5'd11 ; reset_o = `UAPP_ROBERT_TXDF_RESET; fields_o = `UAPP_ROBERT_TXDF_FIELDS; end
            `UAPP_INFLIGHT_CME_OFF:          begin slot_o = 5'd12 ; reset_o = `UAPP_INFLIGHT_CME_RESET; fields_o = `UAPP_INFLIGHT_CME_FIELDS; end
            `UAPP_INFLIGHT_DRE_OFF:          begin slot_o = 5'd13 ; reset_o = `UAPP_INFLIGHT_DRE_RESET; fields_o = `UAPP_INFLIGHT_DRE_FIELDS; end
            `UAPP_INFLIGHT_CCE_OFF:          begin slot_o = 5'd14 ; reset_o = `UAPP_INFLIGHT_CCE_RESET; fields_o = `UAPP_INFLIGHT_CCE_FIELDS; end
            `UAPP_INFLIGHT_ATS_OFF:          begin slot_o = 5'd15 ; reset_o = `UAPP_INFLIGHT_ATS_RESET; fields_o = `UAPP_INFLIGHT_ATS_FIELDS; end
            `UAPP_INFLIGHT_DMB_OFF:          begin slot_o = 5'd16 ; reset_o = `UAPP_INFLIGHT_DMB_RESET; fields_o = `UAPP_INFLIGHT_DMB_FIELDS; end
            default: hit_o = 1'b0;
        endcase
    end
endmodule
`default_nettype wire
