// AXI4 interconnect (architecture §4, profiler-and-trace.md §9): N_M masters to three ports, in this order of the
// flattened port vectors: 0 memory, 1 AXI-to-APB bridge, 2 the DECERR responder (inside, rule 1).
// IDs behind the fabric are {master[4:0], id[15:0]}.
//
// Order: a master may have many bursts outstanding, but to one port at a time; it waits with a burst to another port
// until its earlier ones are answered. So the responses of a master come in its own order whatever it addresses.
// Latency: address 1 clock, data and responses 0. Throughput: one address, one write beat and one read beat per clock.
// A master that does not accept its responses holds the port it reads from; masters promise not to (docs/rtl.md).
`default_nettype none
`include "regs.vh"

module axi_fabric #(
    parameter N_M         = 8,   // masters, 2..32
    parameter MEM_W       = 512, // data bits: 64, 128, 256 or 512
    parameter N_DMA       = 2,   // DMA engines in the address map
    parameter OUTSTANDING = 64   // bursts a master may have outstanding per direction
) (
    input  wire                   clk_i,
    input  wire                   rst_ni,

    // masters, master i in slice i
    input  wire [N_M*16-1:0]      m_awid_i,
    input  wire [N_M*64-1:0]      m_awaddr_i,
    input  wire [N_M*8-1:0]       m_awlen_i,
    input  wire [N_M*3-1:0]       m_awsize_i,
    input  wire [N_M*2-1:0]       m_awburst_i,
    input  wire [N_M*3-1:0]       m_awprot_i,
    input  wire [N_M-1:0]         m_awvalid_i,
    output wire [N_M-1:0]         m_awready_o,
    input  wire [N_M*MEM_W-1:0]   m_wdata_i,
    input  wire [N_M*MEM_W/8-1:0] m_wstrb_i,
    input  wire [N_M-1:0]         m_wlast_i,
    input  wire [N_M-1:0]         m_wvalid_i,
    output wire [N_M-1:0]         m_wready_o,
    output wire [N_M*16-1:0]      m_bid_o,
    output wire [N_M*2-1:0]       m_bresp_o,
    output wire [N_M-1:0]         m_bvalid_o,
    input  wire [N_M-1:0]         m_bready_i,
    input  wire [N_M*16-1:0]      m_arid_i,
    input  wire [N_M*64-1:0]      m_araddr_i,
    input  wire [N_M*8-1:0]       m_arlen_i,
    input  wire [N_M*3-1:0]       m_arsize_i,
    input  wire [N_M*2-1:0]       m_arburst_i,
    input  wire [N_M*3-1:0]       m_arprot_i,
    input  wire [N_M-1:0]         m_arvalid_i,
    output wire [N_M-1:0]         m_arready_o,
    output wire [N_M*16-1:0]      m_rid_o,
    output wire [N_M*MEM_W-1:0]   m_rdata_o,
    output wire [N_M*2-1:0]       m_rresp_o,
    output wire [N_M-1:0]         m_rlast_o,
    output wire [N_M-1:0]         m_rvalid_o,
    input  wire [N_M-1:0]         m_rready_i,

    // port 0 memory, port 1 bridge
    output wire [2*21-1:0]        s_awid_o,
    output wire [2*64-1:0]        s_awaddr_o,
    output wire [2*8-1:0]         s_awlen_o,
    output wire [2*3-1:0]         s_awsize_o,
    output wire [2*2-1:0]         s_awburst_o,
    output wire [2*3-1:0]         s_awprot_o,
    output wire [1:0]             s_awvalid_o,
    input  wire [1:0]             s_awready_i,
    output wire [2*MEM_W-1:0]     s_wdata_o,
    output wire [2*MEM_W/8-1:0]   s_wstrb_o,
    output wire [1:0]             s_wlast_o,
    output wire [1:0]             s_wvalid_o,
    input  wire [1:0]             s_wready_i,
    input  wire [2*21-1:0]        s_bid_i,
    input  wire [2*2-1:0]         s_bresp_i,
    input  wire [1:0]             s_bvalid_i,
    output wire [1:0]             s_bready_o,
    output wire [2*21-1:0]        s_arid_o,
    output wire [2*64-1:0]        s_araddr_o,
    output wire [2*8-1:0]         s_arlen_o,
    output wire [2*3-1:0]         s_arsize_o,
    output wire [2*2-1:0]         s_arburst_o,
    output wire [2*3-1:0]         s_arprot_o,
    output wire [1:0]             s_arvalid_o,
    input  wire [1:0]             s_arready_i,
    input  wire [2*21-1:0]        s_rid_i,
    input  wire [2*MEM_W-1:0]     s_rdata_i,
    input  wire [2*2-1:0]         s_rresp_i,
    input  wire [1:0]             s_rlast_i,
    input  wire [1:0]             s_rvalid_i,
    output wire [1:0]             s_rready_o
);
    initial begin
        if (N_M < 2 || N_M > 32) begin
            $display("%m: N_M is %0d, allowed are 2..32", N_M);
            $finish;
        end
        if (MEM_W != 64 && MEM_W != 128 && MEM_W != 256 && MEM_W != 512) begin
            $display("%m: MEM_W is %0d, allowed are 64, 128, 256 and 512", MEM_W);
            $finish;
        end
        if (OUTSTANDING < 1 || OUTSTANDING > 127) begin
            $display("%m: OUTSTANDING is %0d, allowed are 1..127", OUTSTANDING);
            $finish;
        end
    end

    wire [20:0]        e_awid, e_bid, e_arid, e_rid;
    wire [63:0]        e_awaddr, e_araddr;
    wire [7:0]         e_awlen, e_arlen;
    wire               e_awvalid, e_awready, e_wlast, e_wvalid, e_wready, e_bvalid, e_bready;
    wire               e_arvalid, e_arready, e_rlast, e_rvalid, e_rready;
    wire [1:0]         e_bresp, e_rresp;
    wire [MEM_W-1:0]   e_wdata, e_rdata;
    wire [MEM_W/8-1:0] e_wstrb;
    wire [2:0]         e_awsize, e_awprot, e_arsize, e_arprot;
    wire [1:0]         e_awburst, e_arburst;

    axi_fabric_wr #(.N_M(N_M), .MEM_W(MEM_W), .N_DMA(N_DMA), .OUTSTANDING(OUTSTANDING)) u_wr (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .m_awid_i(m_awid_i), .m_awaddr_i(m_awaddr_i), .m_awlen_i(m_awlen_i), .m_awsize_i(m_awsize_i),
        .m_awburst_i(m_awburst_i), .m_awprot_i(m_awprot_i), .m_awvalid_i(m_awvalid_i), .m_awready_o(m_awready_o),
        .m_wdata_i(m_wdata_i), .m_wstrb_i(m_wstrb_i), .m_wlast_i(m_wlast_i), .m_wvalid_i(m_wvalid_i),
        .m_wready_o(m_wready_o),
        .m_bid_o(m_bid_o), .m_bresp_o(m_bresp_o), .m_bvalid_o(m_bvalid_o), .m_bready_i(m_bready_i),
        .s_awid_o({e_awid, s_awid_o}), .s_awaddr_o({e_awaddr, s_awaddr_o}), .s_awlen_o({e_awlen, s_awlen_o}),
        .s_awsize_o({e_awsize, s_awsize_o}), .s_awburst_o({e_awburst, s_awburst_o}),
        .s_awprot_o({e_awprot, s_awprot_o}), .s_awvalid_o({e_awvalid, s_awvalid_o}),
        .s_awready_i({e_awready, s_awready_i}),
        .s_wdata_o({e_wdata, s_wdata_o}), .s_wstrb_o({e_wstrb, s_wstrb_o}), .s_wlast_o({e_wlast, s_wlast_o}),
        .s_wvalid_o({e_wvalid, s_wvalid_o}), .s_wready_i({e_wready, s_wready_i}),
        .s_bid_i({e_bid, s_bid_i}), .s_bresp_i({e_bresp, s_bresp_i}), .s_bvalid_i({e_bvalid, s_bvalid_i}),
        .s_bready_o({e_bready, s_bready_o})
    );

    axi_fabric_rd #(.N_M(N_M), .MEM_W(MEM_W), .N_DMA(N_DMA), .OUTSTANDING(OUTSTANDING)) u_rd (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .m_arid_i(m_arid_i), .m_araddr_i(m_araddr_i), .m_arlen_i(m_arlen_i), .m_arsize_i(m_arsize_i),
        .m_arburst_i(m_arburst_i), .m_arprot_i(m_arprot_i), .m_arvalid_i(m_arvalid_i), .m_arready_o(m_arready_o),
        .m_rid_o(m_rid_o), .m_rdata_o(m_rdata_o), .m_rresp_o(m_rresp_o), .m_rlast_o(m_rlast_o),
        .m_rvalid_o(m_rvalid_o), .m_rready_i(m_rready_i),
        .s_arid_o({e_arid, s_arid_o}), .s_araddr_o({e_araddr, s_araddr_o}), .s_arlen_o({e_arlen, s_arlen_o}),
        .s_arsize_o({e_arsize, s_arsize_o}), .s_arburst_o({e_arburst, s_arburst_o}),
        .s_arprot_o({e_arprot, s_arprot_o}), .s_arvalid_o({e_arvalid, s_arvalid_o}),
        .s_arready_i({e_arready, s_arready_i}),
        .s_rid_i({e_rid, s_rid_i}), .s_rdata_i({e_rdata, s_rdata_i}), .s_rresp_i({e_rresp, s_rresp_i}),
        .s_rlast_i({e_rlast, s_rlast_i}), .s_rvalid_i({e_rvalid, s_rvalid_i}), .s_rready_o({e_rready, s_rready_o})
    );

    axi_decerr #(.MEM_W(MEM_W)) u_decerr (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .awid_i(e_awid), .awvalid_i(e_awvalid), .awready_o(e_awready),
        .wlast_i(e_wlast), .wvalid_i(e_wvalid), .wready_o(e_wready),
        .bid_o(e_bid), .bresp_o(e_bresp), .bvalid_o(e_bvalid), .bready_i(e_bready),
        .arid_i(e_arid), .arlen_i(e_arlen), .arvalid_i(e_arvalid), .arready_o(e_arready),
        .rid_o(e_rid), .rdata_o(e_rdata), .rresp_o(e_rresp), .rlast_o(e_rlast), .rvalid_o(e_rvalid),
        .rready_i(e_rready)
    );

    wire unused = &{1'b0, e_awaddr, e_awlen, e_awsize, e_awburst, e_awprot, e_wdata, e_wstrb,
                    e_araddr, e_arsize, e_arburst, e_arprot};
endmodule
`default_nettype wire
