// Register accesses and refused accesses (EV_APB_RD, EV_APB_WR, EV_BUS_ERR). A register access is one event when its
// slave answers, whoever made it; its error bit says that the slave refused it, or that the host addressed nothing.
// EV_BUS_ERR is what never reached a slave: DECERR of the fabric, SLVERR of the bridge's own rule.
`include "regs.vh"

// Accesses of the devices, at the bridge.
module bus_bridge_tap (
    input logic        clk_i,
    input logic        rst_ni,
    input logic [20:0] id_q,
    input logic        psel_o,
    input logic        penable_o,
    input logic        pready_i,
    input logic        pwrite_o,
    input logic [63:0] paddr_o,
    input logic [31:0] pwdata_o,
    input logic [31:0] prdata_i,
    input logic        pslverr_i,
    input logic        take_r,
    input logic        legal_d,
    input logic [20:0] arid_i,
    input logic [63:0] araddr_i,
    input logic        wvalid_i,
    input logic        wready_o,
    input logic        wlast_i,
    input logic [63:0] addr_q
);
    always @(posedge clk_i) begin
        if (rst_ni && psel_o && penable_o && pready_i)
            ev_pkg::neffsim_ev(pwrite_o ? `EV_APB_WR : `EV_APB_RD, 0, 0, 32'(pslverr_i), 32'(id_q[20:16]), 0,
                               pwrite_o ? pwdata_o : prdata_i, paddr_o, 64'd0);
        if (rst_ni && take_r && !legal_d)
            ev_pkg::neffsim_ev(`EV_BUS_ERR, 0, 0, 0, 32'(arid_i[20:16]), 0, `AXI_SLVERR, araddr_i, 64'd0);
        if (rst_ni && wvalid_i && wready_o && wlast_i && !legal_d)
            ev_pkg::neffsim_ev(`EV_BUS_ERR, 0, 0, 1, 32'(id_q[20:16]), 0, `AXI_SLVERR, addr_q, 64'd0);
    end
endmodule
bind axi2apb bus_bridge_tap u_tap (.*);

// Accesses of the host, at its port of the APB fabric.
module bus_host_tap (
    input logic         clk_i,
    input logic         rst_ni,
    input logic [1:0]   m_psel_i,
    input logic [1:0]   m_penable_i,
    input logic [1:0]   m_pready_o,
    input logic [1:0]   m_pwrite_i,
    input logic [127:0] m_paddr_i,
    input logic [63:0]  m_pwdata_i,
    input logic [63:0]  m_prdata_o,
    input logic [1:0]   m_pslverr_o
);
    always @(posedge clk_i) begin
        if (rst_ni && m_psel_i[1] && m_penable_i[1] && m_pready_o[1])
            ev_pkg::neffsim_ev(m_pwrite_i[1] ? `EV_APB_WR : `EV_APB_RD, 0, 0, 32'(m_pslverr_o[1]), `MASTER_HOST, 0,
                               m_pwrite_i[1] ? m_pwdata_i[63:32] : m_prdata_o[63:32],
                               m_paddr_i[127:64] & ~`SOC_ADDR_ATTR_MASK, 64'd0);
    end
endmodule
bind apb_fabric bus_host_tap u_tap (.*);

// Addresses without a target, at the fabric.
module bus_decerr_tap (
    input logic        clk_i,
    input logic        rst_ni,
    input logic        e_awvalid,
    input logic        e_awready,
    input logic [20:0] e_awid,
    input logic [63:0] e_awaddr,
    input logic        e_wvalid,
    input logic        e_wready,
    input logic        e_wlast,
    input logic        e_arvalid,
    input logic        e_arready,
    input logic [20:0] e_arid,
    input logic [63:0] e_araddr
);
    // A write is refused when its data has come too: only then has the master issued it.
    logic [20:0] awid_q;
    logic [63:0] awaddr_q;
    always @(posedge clk_i) begin
        if (rst_ni && e_arvalid && e_arready)
            ev_pkg::neffsim_ev(`EV_BUS_ERR, 0, 0, 0, 32'(e_arid[20:16]), 0, `AXI_DECERR, e_araddr, 64'd0);
        if (e_awvalid && e_awready) begin
            awid_q   <= e_awid;
            awaddr_q <= e_awaddr;
        end
        if (rst_ni && e_wvalid && e_wready && e_wlast)
            ev_pkg::neffsim_ev(`EV_BUS_ERR, 0, 0, 1, 32'(awid_q[20:16]), 0, `AXI_DECERR, awaddr_q, 64'd0);
    end
endmodule
bind axi_fabric bus_decerr_tap u_tap (.*);
