// The whole bus of a core as its bench sees it: fabric, bridge and APB fabric; masters, memory and register slaves are
// the bench's.
`default_nettype none
module bus_top #(
    parameter MEM_W = 512,
    parameter N_M   = 8,
    parameter N_DMA = 2,
    parameter N_S   = 11
) (
    input  wire                   clk_i,
    input  wire                   rst_ni,
    input  wire [N_M*16-1:0]      m_awid,
    input  wire [N_M*64-1:0]      m_awaddr,
    input  wire [N_M*8-1:0]       m_awlen,
    input  wire [N_M*3-1:0]       m_awsize,
    input  wire [N_M*3-1:0]       m_awprot,
    input  wire [N_M-1:0]         m_awvalid,
    output wire [N_M-1:0]         m_awready,
    input  wire [N_M*MEM_W-1:0]   m_wdata,
    input  wire [N_M*MEM_W/8-1:0] m_wstrb,
    input  wire [N_M-1:0]         m_wlast,
    input  wire [N_M-1:0]         m_wvalid,
    output wire [N_M-1:0]         m_wready,
    output wire [N_M*16-1:0]      m_bid,
    output wire [N_M*2-1:0]       m_bresp,
    output wire [N_M-1:0]         m_bvalid,
    input  wire [N_M-1:0]         m_bready,
    input  wire [N_M*16-1:0]      m_arid,
    input  wire [N_M*64-1:0]      m_araddr,
    input  wire [N_M*8-1:0]       m_arlen,
    input  wire [N_M*3-1:0]       m_arsize,
    input  wire [N_M*3-1:0]       m_arprot,
    input  wire [N_M-1:0]         m_arvalid,
    output wire [N_M-1:0]         m_arready,
    output wire [N_M*16-1:0]      m_rid,
    output wire [N_M*MEM_W-1:0]   m_rdata,
    output wire [N_M*2-1:0]       m_rresp,
    output wire [N_M-1:0]         m_rlast,
    output wire [N_M-1:0]         m_rvalid,
    input  wire [N_M-1:0]         m_rready,

    output wire [20:0]            s_awid,
    output wire [63:0]            s_awaddr,
    output wire [7:0]             s_awlen,
    output wire [2:0]             s_awsize,
    output wire [1:0]             s_awburst,
    output wire [2:0]             s_awprot,
    output wire                   s_awvalid,
    input  wire                   s_awready,
    output wire [MEM_W-1:0]       s_wdata,
    output wire [MEM_W/8-1:0]     s_wstrb,
    output wire                   s_wlast,
    output wire                   s_wvalid,
    input  wire                   s_wready,
    input  wire [20:0]            s_bid,
    input  wire [1:0]             s_bresp,
    input  wire                   s_bvalid,
    output wire                   s_bready,
    output wire [20:0]            s_arid,
    output wire [63:0]            s_araddr,
    output wire [7:0]             s_arlen,
    output wire [2:0]             s_arsize,
    output wire [1:0]             s_arburst,
    output wire [2:0]             s_arprot,
    output wire                   s_arvalid,
    input  wire                   s_arready,
    input  wire [20:0]            s_rid,
    input  wire [MEM_W-1:0]       s_rdata,
    input  wire [1:0]             s_rresp,
    input  wire                   s_rlast,
    input  wire                   s_rvalid,
    output wire                   s_rready,

    input  wire                   h_psel,
    input  wire                   h_penable,
    input  wire                   h_pwrite,
    input  wire [63:0]            h_paddr,
    input  wire [31:0]            h_pwdata,
    output wire [31:0]            h_prdata,
    output wire                   h_pready,
    output wire                   h_pslverr,

    output wire [N_S-1:0]         p_psel,
    output wire [N_S-1:0]         p_penable,
    output wire [N_S-1:0]         p_pwrite,
    output wire [N_S*20-1:0]      p_paddr,
    output wire [N_S*32-1:0]      p_pwdata,
    input  wire [N_S*32-1:0]      p_prdata,
    input  wire [N_S-1:0]         p_pready,
    input  wire [N_S-1:0]         p_pslverr,

    output wire                   bridge_next // the bridge asks for its slave from the next clock on
);
    wire [20:0]        b_awid, b_bid, b_arid, b_rid;
    wire [63:0]        b_awaddr, b_araddr, b_paddr;
    wire [7:0]         b_awlen, b_arlen;
    wire [2:0]         b_awsize, b_awprot, b_arsize, b_arprot;
    wire [1:0]         b_awburst, b_arburst, b_bresp, b_rresp;
    wire               b_awvalid, b_awready, b_wlast, b_wvalid, b_wready, b_bvalid, b_bready;
    wire               b_arvalid, b_arready, b_rlast, b_rvalid, b_rready;
    wire [MEM_W-1:0]   b_wdata, b_rdata;
    wire [MEM_W/8-1:0] b_wstrb;
    wire               b_psel, b_penable, b_pwrite, b_pready, b_pslverr;
    wire [31:0]        b_pwdata, b_prdata;
    wire               unused = &{1'b0, b_awsize, b_awprot, b_arprot, b_awburst, b_arburst};

    axi_fabric #(.N_M(N_M), .MEM_W(MEM_W), .N_DMA(N_DMA)) u_fabric (
        .clk_i, .rst_ni,
        .m_awid_i(m_awid), .m_awaddr_i(m_awaddr), .m_awlen_i(m_awlen), .m_awsize_i(m_awsize),
        .m_awburst_i({N_M{2'b01}}), .m_awprot_i(m_awprot), .m_awvalid_i(m_awvalid), .m_awready_o(m_awready),
        .m_wdata_i(m_wdata), .m_wstrb_i(m_wstrb), .m_wlast_i(m_wlast), .m_wvalid_i(m_wvalid), .m_wready_o(m_wready),
        .m_bid_o(m_bid), .m_bresp_o(m_bresp), .m_bvalid_o(m_bvalid), .m_bready_i(m_bready),
        .m_arid_i(m_arid), .m_araddr_i(m_araddr), .m_arlen_i(m_arlen), .m_arsize_i(m_arsize),
        .m_arburst_i({N_M{2'b01}}), .m_arprot_i(m_arprot), .m_arvalid_i(m_arvalid), .m_arready_o(m_arready),
        .m_rid_o(m_rid), .m_rdata_o(m_rdata), .m_rresp_o(m_rresp), .m_rlast_o(m_rlast), .m_rvalid_o(m_rvalid),
        .m_rready_i(m_rready),
        .s_awid_o({b_awid, s_awid}), .s_awaddr_o({b_awaddr, s_awaddr}), .s_awlen_o({b_awlen, s_awlen}),
        .s_awsize_o({b_awsize, s_awsize}), .s_awburst_o({b_awburst, s_awburst}), .s_awprot_o({b_awprot, s_awprot}),
        .s_awvalid_o({b_awvalid, s_awvalid}), .s_awready_i({b_awready, s_awready}),
        .s_wdata_o({b_wdata, s_wdata}), .s_wstrb_o({b_wstrb, s_wstrb}), .s_wlast_o({b_wlast, s_wlast}),
        .s_wvalid_o({b_wvalid, s_wvalid}), .s_wready_i({b_wready, s_wready}),
        .s_bid_i({b_bid, s_bid}), .s_bresp_i({b_bresp, s_bresp}), .s_bvalid_i({b_bvalid, s_bvalid}),
        .s_bready_o({b_bready, s_bready}),
        .s_arid_o({b_arid, s_arid}), .s_araddr_o({b_araddr, s_araddr}), .s_arlen_o({b_arlen, s_arlen}),
        .s_arsize_o({b_arsize, s_arsize}), .s_arburst_o({b_arburst, s_arburst}), .s_arprot_o({b_arprot, s_arprot}),
        .s_arvalid_o({b_arvalid, s_arvalid}), .s_arready_i({b_arready, s_arready}),
        .s_rid_i({b_rid, s_rid}), .s_rdata_i({b_rdata, s_rdata}), .s_rresp_i({b_rresp, s_rresp}),
        .s_rlast_i({b_rlast, s_rlast}), .s_rvalid_i({b_rvalid, s_rvalid}), .s_rready_o({b_rready, s_rready})
    );

    assign bridge_next = b_wvalid && b_wready && b_wlast;

    axi2apb #(.MEM_W(MEM_W)) u_bridge (
        .clk_i, .rst_ni,
        .awid_i(b_awid), .awaddr_i(b_awaddr), .awlen_i(b_awlen), .awvalid_i(b_awvalid), .awready_o(b_awready),
        .wdata_i(b_wdata), .wstrb_i(b_wstrb), .wlast_i(b_wlast), .wvalid_i(b_wvalid), .wready_o(b_wready),
        .bid_o(b_bid), .bresp_o(b_bresp), .bvalid_o(b_bvalid), .bready_i(b_bready),
        .arid_i(b_arid), .araddr_i(b_araddr), .arlen_i(b_arlen), .arsize_i(b_arsize), .arvalid_i(b_arvalid),
        .arready_o(b_arready), .rid_o(b_rid), .rdata_o(b_rdata), .rresp_o(b_rresp), .rlast_o(b_rlast),
        .rvalid_o(b_rvalid), .rready_i(b_rready),
        .psel_o(b_psel), .penable_o(b_penable), .pwrite_o(b_pwrite), .paddr_o(b_paddr), .pwdata_o(b_pwdata),
        .prdata_i(b_prdata), .pready_i(b_pready), .pslverr_i(b_pslverr)
    );

    apb_fabric #(.N_DMA(N_DMA), .N_S(N_S)) u_apb (
        .clk_i, .rst_ni,
        .m_psel_i({h_psel, b_psel}), .m_penable_i({h_penable, b_penable}), .m_pwrite_i({h_pwrite, b_pwrite}),
        .m_paddr_i({h_paddr, b_paddr}), .m_pwdata_i({h_pwdata, b_pwdata}), .m_prdata_o({h_prdata, b_prdata}),
        .m_pready_o({h_pready, b_pready}), .m_pslverr_o({h_pslverr, b_pslverr}),
        .s_psel_o(p_psel), .s_penable_o(p_penable), .s_pwrite_o(p_pwrite), .s_paddr_o(p_paddr),
        .s_pwdata_o(p_pwdata), .s_prdata_i(p_prdata), .s_pready_i(p_pready), .s_pslverr_i(p_pslverr)
    );
endmodule
`default_nettype wire
