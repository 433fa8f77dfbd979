// Twin bench of the DMA engine: two queues copy random lengths between random addresses in a memory with random stalls;
// doorbells come in small numbers until the rings have wrapped.
`default_nettype none
`include "regs.vh"

module twin_udma (
    input wire clk_i,
    input wire rst_ni
);
    localparam RING = 32, M2S = 'hc000, S2M = 'hd000, QUEUE = 'h800, LAST = 80; // descriptors, bytes

    wire [95:0] r;
    twin_rand #(.W(96), .SEED(64'd7)) u_rand (.clk_i(clk_i), .rst_ni(rst_ni), .rand_o(r));

    // ---- descriptors: word half_q of descriptor {queue, direction, number} a clock ------------------------------------
    reg  [7:0]  fill_q; // bit 7: all written
    reg         half_q;
    wire        fill    = !fill_q[7];
    wire [4:0]  number  = fill_q[4:0];
    wire        receive = fill_q[5];
    wire        second  = fill_q[6];
    wire [31:0] from    = 32'h103 + 32'd257 * number, to = 32'h8005 + 32'd131 * number + (second ? 32'h1800 : 32'd0);
    wire [23:0] len     = 24'd1 + 24'd37 * number % 24'd120;
    wire [63:0] data    = half_q ? {32'd0, receive ? to : from} :
                          receive ? {32'd0, 8'h01, len} : {32'h05080003, 8'h0d, len};
    wire [15:0] fill_at = (receive ? S2M : M2S) + (second ? QUEUE : 0) + {6'd0, number, half_q, 3'd0};
    always @(posedge clk_i) begin
        if (!rst_ni) {fill_q, half_q} <= 9'd0;
        else if (fill) {fill_q, half_q} <= {fill_q, half_q} + 9'd1;
    end

    // ---- registers ----------------------------------------------------------------------------------------------------
    wire [7:0]  pc;
    wire        q     = pc >= 8'd10;
    wire [19:0] m2s   = `UDMA_Q_FIRST + (q ? `UDMA_Q_STRIDE : 0);
    wire [19:0] s2m   = m2s + `UDMA_S2M_OFF;
    wire [19:0] bell  = `UDMA_Q_FIRST + (pc[1] ? `UDMA_Q_STRIDE : 0);
    wire [31:0] base  = q ? QUEUE : 0;
    reg  [19:0] at;
    reg  [31:0] value;
    always @* begin
        case (pc)
            8'd0, 8'd9:  at = `UDMA_APP_OFF;
            8'd1, 8'd10: at = m2s + `M2SQ_TDRBP_LOW_OFF;
            8'd2, 8'd11: at = m2s + `M2SQ_TDRL_OFF;
            8'd3, 8'd12: at = m2s + `M2SQ_COMP_CFG_OFF;
            8'd4, 8'd13: at = m2s + `M2SQ_CFG_OFF;
            8'd5, 8'd14: at = s2m + `S2MQ_RDRBP_LOW_OFF;
            8'd6, 8'd15: at = s2m + `S2MQ_RDRL_OFF;
            8'd7, 8'd16: at = s2m + `S2MQ_COMP_CFG_OFF;
            8'd8, 8'd17: at = s2m + `S2MQ_CFG_OFF;
            default:     at = bell + (pc[0] ? `M2SQ_TDRTP_INC_OFF : `UDMA_S2M_OFF + `S2MQ_RDRTP_INC_OFF);
        endcase
        case (pc)
            8'd0, 8'd9:                 value = 32'd1;
            8'd1, 8'd10:                value = base + M2S;
            8'd5, 8'd14:                value = base + S2M;
            8'd2, 8'd6, 8'd11, 8'd15:   value = RING;
            8'd3, 8'd7, 8'd12, 8'd16:   value = 32'd0;
            8'd4, 8'd8, 8'd13, 8'd17:   value = 32'h03030000;
            default:                    value = 32'd1 + pc[4:2] % 32'd5; // doorbells of both queues, receive side first
        endcase
    end

    wire        psel, penable, pwrite, pready, pslverr;
    wire [19:0] paddr;
    wire [31:0] pwdata, prdata;
    twin_apb #(.AW(20)) u_apb (
        .clk_i(clk_i), .rst_ni(rst_ni && !fill), .rand_i({r[31:12], pc < 8'd18 ? 8'd1 : r[41:34] & {8{r[43:42] == 2'd0}}}),
        .pc_o(pc), .word_i({pc == LAST, at, value}), .psel_o(psel), .penable_o(penable), .pwrite_o(pwrite), .paddr_o(paddr),
        .pwdata_o(pwdata), .pready_i(pready));

    wire [15:0] awid, bid, arid, rid;
    wire [63:0] awaddr, araddr, wdata, rdata;
    wire [7:0]  awlen, arlen, wstrb;
    wire [2:0]  awsize, awprot, arsize, arprot;
    wire [1:0]  awburst, arburst;
    wire        awvalid, awready, wlast, wvalid, wready, bvalid, bready, arvalid, arready, rlast, rvalid, rready;

    udma #(.MEM_W(64)) u_dut (
        .clk_i(clk_i), .rst_ni(rst_ni), .psel_i(psel), .penable_i(penable), .pwrite_i(pwrite), .paddr_i(paddr),
        .pwdata_i(pwdata), .prdata_o(prdata), .pready_o(pready), .pslverr_o(pslverr),
        .m_awid_o(awid), .m_awaddr_o(awaddr), .m_awlen_o(awlen), .m_awsize_o(awsize), .m_awburst_o(awburst),
        .m_awprot_o(awprot), .m_awvalid_o(awvalid), .m_awready_i(awready), .m_wdata_o(wdata), .m_wstrb_o(wstrb),
        .m_wlast_o(wlast), .m_wvalid_o(wvalid), .m_wready_i(wready), .m_bid_i(bid), .m_bresp_i(2'd0),
        .m_bvalid_i(bvalid), .m_bready_o(bready), .m_arid_o(arid), .m_araddr_o(araddr), .m_arlen_o(arlen),
        .m_arsize_o(arsize), .m_arburst_o(arburst), .m_arprot_o(arprot), .m_arvalid_o(arvalid),
        .m_arready_i(arready), .m_rid_i(rid), .m_rdata_i(rdata), .m_rresp_i(2'd0), .m_rlast_i(rlast),
        .m_rvalid_i(rvalid), .m_rready_o(rready));

    twin_mem u_mem (
        .clk_i(clk_i), .rst_ni(rst_ni), .rand_i(r[95:88]), .fill_i(fill), .fill_addr_i(fill_at), .fill_data_i(data),
        .awid_i(awid), .awaddr_i(awaddr), .awvalid_i(awvalid), .awready_o(awready), .wdata_i(wdata), .wstrb_i(wstrb),
        .wlast_i(wlast), .wvalid_i(wvalid), .wready_o(wready), .bid_o(bid), .bvalid_o(bvalid), .bready_i(bready),
        .arid_i(arid), .araddr_i(araddr), .arlen_i(arlen), .arvalid_i(arvalid), .arready_o(arready), .rid_o(rid),
        .rdata_o(rdata), .rlast_o(rlast), .rvalid_o(rvalid), .rready_i(rready));
endmodule
`default_nettype wire
