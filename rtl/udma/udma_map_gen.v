// Stored registers of GEN outside its tables (udma.md §10): for each register that software can
// read back what it wrote, its place in udma_store, its reset value and the bits that exist. hit_o is 0 for every other offset.
// Combinational.
`default_nettype none
`include "regs.vh"

module udma_map_gen (
    input  wire [13:0] off_i,
    output reg         hit_o,
    output reg  [2:0]  slot_o,
    output reg  [31:0] reset_o,
    output reg  [31:0] fields_o
);
    always @* begin
        hit_o    = 1'b1;
        slot_o   = 3'd0;
        reset_o  = 32'd0;
        fields_o = 32'hffffffff;
        case ({18'd0, off_i})
            `UGEN_ABORT_CTL_OFF:             begin slot_o = 3'd0  ; reset_o = `UGEN_ABORT_CTL_RESET; fields_o = `UGEN_ABORT_CTL_FIELDS; end
            `UGEN_AXI_CFG_1_OFF:             begin slot_o = 3'd1  ; reset_o = `UGEN_AXI_CFG_1_RESET; fields_o = `UGEN_AXI_CFG_1_FIELDS; end
            `UGEN_AXI_ARB_PROMOTION_OFF:     begin slot_o = 3'd2  ; reset_o = `UGEN_AXI_ARB_PROMOTION_RESET; fields_o = `UGEN_AXI_ARB_PROMOTION_FIELDS; end
            `UGEN_AXI_ENDIAN_OFF:            begin slot_o = 3'd3  ; reset_o = `UGEN_AXI_ENDIAN_RESET; fields_o = `UGEN_AXI_ENDIAN_FIELDS; end
            `UGEN_SPARE_OFF:                 begin slot_o = 3'd4  ; reset_o = `UGEN_SPARE_RESET; fields_o = `UGEN_SPARE_FIELDS; end
            default: hit_o = 1'b0;
        endcase
    end
endmodule
`default_nettype wire
