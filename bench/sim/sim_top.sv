// Top of the simulated chip: the core, its memory and its host. Clock, reset, host requests and timing mode are pins that
// rtl_sim.cpp drives; the taps of bench/taps bind themselves into the blocks.
`default_nettype none
`include "regs.vh"

module sim_top (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        random_i,
    input  wire [63:0] seed_i,
    input  wire        host_req_i,
    input  wire        host_write_i,
    input  wire [63:0] host_addr_i,
    input  wire [31:0] host_data_i,
    output wire        host_ack_o,
    output wire [31:0] host_data_o,
    output wire        host_error_o
);
    localparam int W = `SIM_MEM_W;

    wire [20:0]    awid, bid, arid, rid;
    wire [63:0]    awaddr, araddr;
    wire [7:0]     awlen, arlen;
    wire [2:0]     awsize, awprot, arsize, arprot;
    wire [1:0]     awburst, arburst, bresp, rresp;
    wire           awvalid, awready, wlast, wvalid, wready, bvalid, bready;
    wire           arvalid, arready, rlast, rvalid, rready;
    wire [W-1:0]   wdata, rdata;
    wire [W/8-1:0] wstrb;
    wire [4:0]     irq;
    wire           psel, penable, pwrite, pready, pslverr;
    wire [63:0]    paddr;
    wire [31:0]    pwdata, prdata;

    neuron_core #(.MEM_W(W), .N_DMA(`SIM_N_DMA)) u_core (
        .clk_i, .rst_ni,
        .mem_awid_o(awid), .mem_awaddr_o(awaddr), .mem_awlen_o(awlen), .mem_awsize_o(awsize), .mem_awburst_o(awburst),
        .mem_awprot_o(awprot), .mem_awvalid_o(awvalid), .mem_awready_i(awready),
        .mem_wdata_o(wdata), .mem_wstrb_o(wstrb), .mem_wlast_o(wlast), .mem_wvalid_o(wvalid), .mem_wready_i(wready),
        .mem_bid_i(bid), .mem_bresp_i(bresp), .mem_bvalid_i(bvalid), .mem_bready_o(bready),
        .mem_arid_o(arid), .mem_araddr_o(araddr), .mem_arlen_o(arlen), .mem_arsize_o(arsize), .mem_arburst_o(arburst),
        .mem_arprot_o(arprot), .mem_arvalid_o(arvalid), .mem_arready_i(arready),
        .mem_rid_i(rid), .mem_rdata_i(rdata), .mem_rresp_i(rresp), .mem_rlast_i(rlast), .mem_rvalid_i(rvalid),
        .mem_rready_o(rready),
        .host_psel_i(psel), .host_penable_i(penable), .host_pwrite_i(pwrite), .host_paddr_i(paddr),
        .host_pwdata_i(pwdata), .host_prdata_o(prdata), .host_pready_o(pready), .host_pslverr_o(pslverr),
        .pause_req_i(5'd0), .irq_o(irq)
    );

    host_port u_host (
        .clk_i, .rst_ni, .req_i(host_req_i), .write_i(host_write_i), .addr_i(host_addr_i), .data_i(host_data_i),
        .ack_o(host_ack_o), .data_o(host_data_o), .error_o(host_error_o),
        .psel_o(psel), .penable_o(penable), .pwrite_o(pwrite), .paddr_o(paddr), .pwdata_o(pwdata),
        .prdata_i(prdata), .pready_i(pready), .pslverr_i(pslverr)
    );

    axi_mem #(.W(W)) u_mem (
        .clk_i, .rst_ni, .random_i, .seed_i,
        .awid_i(awid), .awaddr_i(awaddr), .awlen_i(awlen), .awsize_i(awsize), .awprot_i(awprot), .awvalid_i(awvalid),
        .awready_o(awready),
        .wdata_i(wdata), .wstrb_i(wstrb), .wlast_i(wlast), .wvalid_i(wvalid), .wready_o(wready),
        .bid_o(bid), .bresp_o(bresp), .bvalid_o(bvalid), .bready_i(bready),
        .arid_i(arid), .araddr_i(araddr), .arlen_i(arlen), .arsize_i(arsize), .arprot_i(arprot), .arvalid_i(arvalid),
        .arready_o(arready),
        .rid_o(rid), .rdata_o(rdata), .rresp_o(rresp), .rlast_o(rlast), .rvalid_o(rvalid), .rready_i(rready)
    );

    wire unused = &{1'b0, awburst, arburst, irq};
endmodule
`default_nettype wire
