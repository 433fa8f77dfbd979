// The only decoder of SoC addresses (profiler-and-trace.md §9): masks the attribute bits 57:55 and turns an address
// into a target (enum TARGET of regs/soc.regs) and, for register targets, the byte offset in the target's window.
// Combinational. An address in no window gives TARGET_NONE; the bus then answers DECERR (§9 rule 1).
`default_nettype none
`include "regs.vh"

module addr_map #(
    parameter N_DMA = 2 // DMA engines, 1..16
) (
    input  wire [63:0] addr_i,
    output wire [63:0] soc_o,    // addr_i without its attribute bits
    output reg  [4:0]  target_o,
    output wire [19:0] offset_o  // meaningful for register targets only
);
    initial begin
        if (N_DMA < 1 || N_DMA > 16) begin
            $display("%m: N_DMA is %0d, allowed are 1..16", N_DMA);
            $finish;
        end
    end

    localparam [63:0] UDMA_ALL = N_DMA * `SOC_UDMA_STRIDE;

    assign soc_o = addr_i & ~`SOC_ADDR_ATTR_MASK;

    function in_window;
        input [63:0] addr;
        input [63:0] base;
        input [63:0] bytes;
        in_window = addr >= base && addr - base < bytes;
    endfunction

    wire mem = in_window(soc_o, `SOC_HBM0, `SOC_HBM0_BYTES) || in_window(soc_o, `SOC_SBUF, `SOC_SBUF_BYTES) ||
               in_window(soc_o, `SOC_PSUM, `SOC_PSUM_BYTES) || in_window(soc_o, `SOC_HOST, `SOC_HOST_BYTES);

    wire [63:0] udma_offset = soc_o - `SOC_UDMA0;
    wire [4:0]  udma_target = `TARGET_UDMA + {1'b0, udma_offset[23:20]};

    reg [63:0] base;
    always @* begin
        target_o = `TARGET_NONE;
        base     = 64'd0;
        if (mem) begin
            target_o = `TARGET_MEM;
        end else if (in_window(soc_o, `SOC_LREG_PE, `SOC_LREG_BYTES)) begin
            target_o = `TARGET_LREG + `MASTER_SEQ_PE;
            base     = `SOC_LREG_PE;
        end else if (in_window(soc_o, `SOC_LREG_ACT, `SOC_LREG_BYTES)) begin
            target_o = `TARGET_LREG + `MASTER_SEQ_ACT;
            base     = `SOC_LREG_ACT;
        end else if (in_window(soc_o, `SOC_LREG_POOL, `SOC_LREG_BYTES)) begin
            target_o = `TARGET_LREG + `MASTER_SEQ_POOL;
            base     = `SOC_LREG_POOL;
        end else if (in_window(soc_o, `SOC_LREG_DVE, `SOC_LREG_BYTES)) begin
            target_o = `TARGET_LREG + `MASTER_SEQ_DVE;
            base     = `SOC_LREG_DVE;
        end else if (in_window(soc_o, `SOC_LREG_SP, `SOC_LREG_BYTES)) begin
            target_o = `TARGET_LREG + `MASTER_SEQ_SP;
            base     = `SOC_LREG_SP;
        end else if (in_window(soc_o, `SOC_EVT, `SOC_EVT_BYTES)) begin
            target_o = `TARGET_EVT;
            base     = `SOC_EVT;
        end else if (in_window(soc_o, `SOC_TPB_CTRL, `SOC_TPB_CTRL_BYTES)) begin
            target_o = `TARGET_TPB_CTRL;
            base     = `SOC_TPB_CTRL;
        end else if (in_window(soc_o, `SOC_NOTIFIC, `SOC_NOTIFIC_BYTES)) begin
            target_o = `TARGET_NOTIFIC;
            base     = `SOC_NOTIFIC;
        end else if (in_window(soc_o, `SOC_TOPSP0, `SOC_EVT_BYTES)) begin
            target_o = `TARGET_TOPSP_EVT;
            base     = `SOC_TOPSP0;
        end else if (in_window(soc_o, `SOC_UDMA0, UDMA_ALL)) begin
            target_o = udma_target;
            base     = {soc_o[63:20], 20'd0};
        end
    end

    // Every window is at most 1 MiB, so the low bits of the difference are the offset.
    assign offset_o = soc_o[19:0] - base[19:0];

    wire unused = &{1'b0, base[63:20], udma_offset[63:24], udma_offset[19:0]};
endmodule
`default_nettype wire
