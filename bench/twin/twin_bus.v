// Twin bench of the register bus: random AXI accesses, legal and not, through axi2apb into one port of apb_fabric, a random
// host on the other, eleven targets that answer when they like.
`default_nettype none
`include "regs.vh"

module twin_bus (
    input wire clk_i,
    input wire rst_ni
);
    localparam S = 11;

    wire [447:0] r;
    twin_rand #(.W(448), .SEED(64'd13)) u_rand (.clk_i(clk_i), .rst_ni(rst_ni), .rand_o(r));

    function [63:0] an_address(input [15:0] n);
        reg [63:0] base;
        begin
            case (n[3:0])
                4'd0:    base = `SOC_LREG_PE;
                4'd1:    base = `SOC_LREG_ACT;
                4'd2:    base = `SOC_LREG_POOL;
                4'd3:    base = `SOC_LREG_DVE;
                4'd4:    base = `SOC_LREG_SP;
                4'd5:    base = `SOC_EVT;
                4'd6:    base = `SOC_TPB_CTRL;
                4'd7:    base = `SOC_NOTIFIC;
                4'd8:    base = `SOC_TOPSP0;
                4'd9:    base = `SOC_UDMA0;
                4'd10:   base = `SOC_UDMA0 + `SOC_UDMA_STRIDE;
                4'd11:   base = `SOC_RDM;
                default: base = `SOC_EVT;
            endcase
            an_address = base + {54'd0, n[11:4], 2'd0};
        end
    endfunction

    // ---- AXI side -----------------------------------------------------------------------------------------------------
    reg  [20:0] awid, arid;
    reg  [63:0] awaddr, araddr, wdata;
    reg  [7:0]  awlen, arlen, wstrb, left;
    reg  [2:0]  arsize;
    reg         awvalid, wvalid, bready, arvalid, rready, writing;
    wire        awready, wready, bvalid, arready, rlast, rvalid;
    wire [20:0] bid, rid;
    wire [1:0]  bresp, rresp;
    wire [63:0] rdata;
    wire        wlast = left == 8'd0;
    wire [95:0] n = r[95:0];

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            {awvalid, wvalid, bready, arvalid, rready, writing} <= 6'd0;
            {awid, arid} <= 42'd0;
            {awaddr, araddr, wdata} <= 192'd0;
            {awlen, arlen, wstrb, left} <= 32'd0;
            arsize <= 3'd0;
        end else begin
            bready <= n[0];
            rready <= n[1];
            if (!writing && n[3:2] == 2'd0) begin
                writing <= 1'b1;
                awvalid <= 1'b1;
                awid    <= n[24:4];
                awaddr  <= an_address(n[40:25]);
                awlen   <= n[43:41] == 3'd0 ? {6'd0, n[45:44]} : 8'd0;
                left    <= n[43:41] == 3'd0 ? {6'd0, n[45:44]} : 8'd0;
            end
            if (awvalid && awready) awvalid <= 1'b0;
            if (writing && !wvalid && n[46]) begin
                wvalid <= 1'b1;
                wdata  <= {n[20:0], n[63:21]};
                wstrb  <= n[49:47] == 3'd0 ? n[57:50] : n[47] ? 8'hf0 : 8'h0f;
            end
            if (wvalid && wready) begin
                wvalid <= 1'b0;
                left   <= left - 8'd1;
                if (wlast) writing <= 1'b0;
            end
            if (!arvalid || arready) begin
                arvalid <= n[65:64] == 2'd0;
                arid    <= n[86:66];
                araddr  <= an_address({n[33:22], n[90:87]});
                arlen   <= n[93:91] == 3'd0 ? 8'd1 : 8'd0;
                arsize  <= n[95:94] == 2'd0 ? 3'd3 : 3'd2;
            end
        end
    end

    // A burst's data goes only after its address was taken, so that `left` belongs to it.
    wire        b_psel, b_penable, b_pwrite, b_pready, b_pslverr;
    wire [63:0] b_paddr;
    wire [31:0] b_pwdata, b_prdata;
    axi2apb #(.MEM_W(64)) u_bridge (
        .clk_i(clk_i), .rst_ni(rst_ni), .awid_i(awid), .awaddr_i(awaddr), .awlen_i(awlen), .awvalid_i(awvalid),
        .awready_o(awready), .wdata_i(wdata), .wstrb_i(wstrb), .wlast_i(wlast), .wvalid_i(wvalid), .wready_o(wready),
        .bid_o(bid), .bresp_o(bresp), .bvalid_o(bvalid), .bready_i(bready), .arid_i(arid), .araddr_i(araddr),
        .arlen_i(arlen), .arsize_i(arsize), .arvalid_i(arvalid), .arready_o(arready), .rid_o(rid), .rdata_o(rdata),
        .rresp_o(rresp), .rlast_o(rlast), .rvalid_o(rvalid), .rready_i(rready), .psel_o(b_psel),
        .penable_o(b_penable), .pwrite_o(b_pwrite), .paddr_o(b_paddr), .pwdata_o(b_pwdata), .prdata_i(b_prdata),
        .pready_i(b_pready), .pslverr_i(b_pslverr));

    // ---- host ---------------------------------------------------------------------------------------------------------
    reg         h_psel, h_penable, h_pwrite;
    reg  [63:0] h_paddr;
    reg  [31:0] h_pwdata;
    wire [31:0] h_prdata;
    wire        h_pready, h_pslverr;
    always @(posedge clk_i) begin
        if (!rst_ni) begin
            {h_psel, h_penable, h_pwrite} <= 3'd0;
            h_paddr  <= 64'd0;
            h_pwdata <= 32'd0;
        end else if (!h_psel) begin
            h_psel   <= r[96];
            h_pwrite <= r[97];
            h_paddr  <= an_address(r[113:98]) | (r[114] ? 64'd1 << `SOC_ADDR_ATTR_LSB : 64'd0);
            h_pwdata <= {r[40:25], r[130:115]};
        end else if (!h_penable) h_penable <= 1'b1;
        else if (h_pready) {h_psel, h_penable} <= 2'b00;
    end

    // ---- targets ------------------------------------------------------------------------------------------------------
    wire [S-1:0]    psel, penable, pwrite;
    wire [S*20-1:0] paddr;
    wire [S*32-1:0] pwdata;
    wire [S-1:0]    pready  = r[131 +: S] & r[142 +: S];
    wire [S-1:0]    pslverr = r[153 +: S] & r[164 +: S];
    wire [S*32-1:0] prdata;

    genvar t;
    generate
        for (t = 0; t < S; t = t + 1) begin : g_target
            localparam [7:0] NUMBER = t;
            assign prdata[32*t +: 32] = {r[200 + 8*t +: 24], NUMBER};
        end
    endgenerate

    apb_fabric #(.N_DMA(2), .N_S(S)) u_fabric (
        .clk_i(clk_i), .rst_ni(rst_ni), .m_psel_i({h_psel, b_psel}), .m_penable_i({h_penable, b_penable}),
        .m_pwrite_i({h_pwrite, b_pwrite}), .m_paddr_i({h_paddr, b_paddr}), .m_pwdata_i({h_pwdata, b_pwdata}),
        .m_prdata_o({h_prdata, b_prdata}), .m_pready_o({h_pready, b_pready}), .m_pslverr_o({h_pslverr, b_pslverr}),
        .s_psel_o(psel), .s_penable_o(penable), .s_pwrite_o(pwrite), .s_paddr_o(paddr), .s_pwdata_o(pwdata),
        .s_prdata_i(prdata), .s_pready_i(pready), .s_pslverr_i(pslverr));
endmodule
`default_nettype wire
