// The core: five sequencers, EVT_SEM, the tpb control block, NOTIFIC, N_DMA DMA engines and the EVT_SEM unit of TOP_SP_0
// behind one AXI4 fabric and one APB fabric (architecture §4, profiler-and-trace.md §9). Wiring only; latencies are those of
// the blocks (docs/rtl.md). A memory that never answers stalls the masters that wait for it, the host port stays alive.
//
// Bus master m is enum MASTER: 0..4 sequencers, 5 NOTIFIC, 6 + e DMA engine e. Memory port IDs are {m[4:0], id[15:0]}.
// Sources of NOTIFIC are in class order (notification-queue.md §8.1): first the streams of PE, POOL, ACT, DVE, SP and
// EVT_SEM, then the errors; error records go to the errors queue. Error records of all sequencers share class
// MEMORY_ERROR, so they are merged in front of it.
`default_nettype none
`include "regs.vh"

module neuron_core #(
    parameter MEM_W            = 512,
    parameter N_DMA            = 2,  // 1..16
    parameter SEM_UNSIGNED_CMP = 0,
    parameter PHASE_FIRST      = `NQ_PHASE_FIRST
) (
    input  wire               clk_i,
    input  wire               rst_ni,

    // AXI4 master to memory
    output wire [20:0]        mem_awid_o,
    output wire [63:0]        mem_awaddr_o,
    output wire [7:0]         mem_awlen_o,
    output wire [2:0]         mem_awsize_o,
    output wire [1:0]         mem_awburst_o,
    output wire [2:0]         mem_awprot_o,
    output wire               mem_awvalid_o,
    input  wire               mem_awready_i,
    output wire [MEM_W-1:0]   mem_wdata_o,
    output wire [MEM_W/8-1:0] mem_wstrb_o,
    output wire               mem_wlast_o,
    output wire               mem_wvalid_o,
    input  wire               mem_wready_i,
    input  wire [20:0]        mem_bid_i,
    input  wire [1:0]         mem_bresp_i,
    input  wire               mem_bvalid_i,
    output wire               mem_bready_o,
    output wire [20:0]        mem_arid_o,
    output wire [63:0]        mem_araddr_o,
    output wire [7:0]         mem_arlen_o,
    output wire [2:0]         mem_arsize_o,
    output wire [1:0]         mem_arburst_o,
    output wire [2:0]         mem_arprot_o,
    output wire               mem_arvalid_o,
    input  wire               mem_arready_i,
    input  wire [20:0]        mem_rid_i,
    input  wire [MEM_W-1:0]   mem_rdata_i,
    input  wire [1:0]         mem_rresp_i,
    input  wire               mem_rlast_i,
    input  wire               mem_rvalid_i,
    output wire               mem_rready_o,

    // APB3 slave for the host, 64-bit SoC addresses
    input  wire               host_psel_i,
    input  wire               host_penable_i,
    input  wire               host_pwrite_i,
    input  wire [63:0]        host_paddr_i,
    input  wire [31:0]        host_pwdata_i,
    output wire [31:0]        host_prdata_o,
    output wire               host_pready_o,
    output wire               host_pslverr_o,

    input  wire [4:0]         pause_req_i, // by engine
    output wire [4:0]         irq_o
);
    localparam N_M = `MASTER_UDMA0 + N_DMA;
    localparam N_S = `TARGET_UDMA - `TARGET_LREG + N_DMA;

    // ---- buses ----------------------------------------------------------------------------------------------------
    wire [N_M*16-1:0]      awid, bid, arid, rid;
    wire [N_M*64-1:0]      awaddr, araddr;
    wire [N_M*8-1:0]       awlen, arlen;
    wire [N_M*3-1:0]       awsize, awprot, arsize, arprot;
    wire [N_M*2-1:0]       awburst, arburst, bresp, rresp;
    wire [N_M-1:0]         awvalid, awready, wlast, wvalid, wready, bvalid, bready;
    wire [N_M-1:0]         arvalid, arready, rlast, rvalid, rready;
    wire [N_M*MEM_W-1:0]   wdata, rdata;
    wire [N_M*MEM_W/8-1:0] wstrb;

    wire [20:0]            b_awid, b_bid, b_arid, b_rid;
    wire [63:0]            b_awaddr, b_araddr, b_paddr;
    wire [7:0]             b_awlen, b_arlen;
    wire [2:0]             b_awsize, b_awprot, b_arsize, b_arprot;
    wire [1:0]             b_awburst, b_arburst, b_bresp, b_rresp;
    wire                   b_awvalid, b_awready, b_wlast, b_wvalid, b_wready, b_bvalid, b_bready;
    wire                   b_arvalid, b_arready, b_rlast, b_rvalid, b_rready;
    wire [MEM_W-1:0]       b_wdata, b_rdata;
    wire [MEM_W/8-1:0]     b_wstrb;
    wire                   b_psel, b_penable, b_pwrite, b_pready, b_pslverr;
    wire [31:0]            b_pwdata, b_prdata;
    wire                   unused_bridge = &{1'b0, b_awsize, b_awprot, b_awburst, b_arprot, b_arburst};

    wire [N_S-1:0]         psel, penable, pwrite, pready, pslverr;
    wire [N_S*20-1:0]      paddr;
    wire [N_S*32-1:0]      pwdata, prdata;

    axi_fabric #(.N_M(N_M), .MEM_W(MEM_W), .N_DMA(N_DMA)) u_fabric (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .m_awid_i(awid), .m_awaddr_i(awaddr), .m_awlen_i(awlen), .m_awsize_i(awsize), .m_awburst_i(awburst),
        .m_awprot_i(awprot), .m_awvalid_i(awvalid), .m_awready_o(awready),
        .m_wdata_i(wdata), .m_wstrb_i(wstrb), .m_wlast_i(wlast), .m_wvalid_i(wvalid), .m_wready_o(wready),
        .m_bid_o(bid), .m_bresp_o(bresp), .m_bvalid_o(bvalid), .m_bready_i(bready),
        .m_arid_i(arid), .m_araddr_i(araddr), .m_arlen_i(arlen), .m_arsize_i(arsize), .m_arburst_i(arburst),
        .m_arprot_i(arprot), .m_arvalid_i(arvalid), .m_arready_o(arready),
        .m_rid_o(rid), .m_rdata_o(rdata), .m_rresp_o(rresp), .m_rlast_o(rlast), .m_rvalid_o(rvalid),
        .m_rready_i(rready),
        .s_awid_o({b_awid, mem_awid_o}), .s_awaddr_o({b_awaddr, mem_awaddr_o}), .s_awlen_o({b_awlen, mem_awlen_o}),
        .s_awsize_o({b_awsize, mem_awsize_o}), .s_awburst_o({b_awburst, mem_awburst_o}),
        .s_awprot_o({b_awprot, mem_awprot_o}), .s_awvalid_o({b_awvalid, mem_awvalid_o}),
        .s_awready_i({b_awready, mem_awready_i}),
        .s_wdata_o({b_wdata, mem_wdata_o}), .s_wstrb_o({b_wstrb, mem_wstrb_o}), .s_wlast_o({b_wlast, mem_wlast_o}),
        .s_wvalid_o({b_wvalid, mem_wvalid_o}), .s_wready_i({b_wready, mem_wready_i}),
        .s_bid_i({b_bid, mem_bid_i}), .s_bresp_i({b_bresp, mem_bresp_i}), .s_bvalid_i({b_bvalid, mem_bvalid_i}),
        .s_bready_o({b_bready, mem_bready_o}),
        .s_arid_o({b_arid, mem_arid_o}), .s_araddr_o({b_araddr, mem_araddr_o}), .s_arlen_o({b_arlen, mem_arlen_o}),
        .s_arsize_o({b_arsize, mem_arsize_o}), .s_arburst_o({b_arburst, mem_arburst_o}),
        .s_arprot_o({b_arprot, mem_arprot_o}), .s_arvalid_o({b_arvalid, mem_arvalid_o}),
        .s_arready_i({b_arready, mem_arready_i}),
        .s_rid_i({b_rid, mem_rid_i}), .s_rdata_i({b_rdata, mem_rdata_i}), .s_rresp_i({b_rresp, mem_rresp_i}),
        .s_rlast_i({b_rlast, mem_rlast_i}), .s_rvalid_i({b_rvalid, mem_rvalid_i}),
        .s_rready_o({b_rready, mem_rready_o})
    );

    axi2apb #(.MEM_W(MEM_W)) u_bridge (
        .clk_i(clk_i), .rst_ni(rst_ni),
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
        .clk_i(clk_i), .rst_ni(rst_ni),
        .m_psel_i({host_psel_i, b_psel}), .m_penable_i({host_penable_i, b_penable}),
        .m_pwrite_i({host_pwrite_i, b_pwrite}), .m_paddr_i({host_paddr_i, b_paddr}),
        .m_pwdata_i({host_pwdata_i, b_pwdata}), .m_prdata_o({host_prdata_o, b_prdata}),
        .m_pready_o({host_pready_o, b_pready}), .m_pslverr_o({host_pslverr_o, b_pslverr}),
        .s_psel_o(psel), .s_penable_o(penable), .s_pwrite_o(pwrite), .s_paddr_o(paddr), .s_pwdata_o(pwdata),
        .s_prdata_i(prdata), .s_pready_i(pready), .s_pslverr_i(pslverr)
    );

    // ---- sequencers -----------------------------------------------------------------------------------------------
    localparam E = `ENG_COUNT;

    wire [E-1:0]    wait_req, wait_pass, upd_req, upd_ack;
    wire [E*8-1:0]  wait_mode, wait_idx, upd_mode, upd_idx;
    wire [E*32-1:0] wait_val, upd_val;
    wire [E-1:0]    rec_valid, rec_ready, flt_valid, flt_ready, merr_valid, merr_ready;
    wire [E*5-1:0]  rec_type;
    wire [E*24-1:0] rec_body0, flt_body0;
    wire [E*32-1:0] rec_body1, flt_body1, merr_body1;
    wire [E*4-1:0]  rec_queue, nx_queue, explicit_queue;
    wire [3:0]      events_queue, errors_queue;

    genvar g;
    generate
        for (g = 0; g < E; g = g + 1) begin : g_seq
            seq_core #(.ENGINE(g), .MEM_W(MEM_W)) u_seq (
                .clk_i(clk_i), .rst_ni(rst_ni),
                .psel_i(psel[g]), .penable_i(penable[g]), .pwrite_i(pwrite[g]), .paddr_i(paddr[g*20 +: 16]),
                .pwdata_i(pwdata[g*32 +: 32]), .prdata_o(prdata[g*32 +: 32]), .pready_o(pready[g]),
                .pslverr_o(pslverr[g]),
                .wait_req_o(wait_req[g]), .wait_mode_o(wait_mode[g*8 +: 8]), .wait_idx_o(wait_idx[g*8 +: 8]),
                .wait_val_o(wait_val[g*32 +: 32]), .wait_pass_i(wait_pass[g]),
                .upd_req_o(upd_req[g]), .upd_mode_o(upd_mode[g*8 +: 8]), .upd_idx_o(upd_idx[g*8 +: 8]),
                .upd_val_o(upd_val[g*32 +: 32]), .upd_ack_i(upd_ack[g]),
                .nx_queue_i(nx_queue[g*4 +: 4]), .explicit_queue_i(explicit_queue[g*4 +: 4]),
                .rec_valid_o(rec_valid[g]), .rec_ready_i(rec_ready[g]), .rec_type_o(rec_type[g*5 +: 5]),
                .rec_body0_o(rec_body0[g*24 +: 24]), .rec_body1_o(rec_body1[g*32 +: 32]),
                .rec_queue_o(rec_queue[g*4 +: 4]),
                .flt_valid_o(flt_valid[g]), .flt_ready_i(flt_ready[g]), .flt_body0_o(flt_body0[g*24 +: 24]),
                .flt_body1_o(flt_body1[g*32 +: 32]),
                .merr_valid_o(merr_valid[g]), .merr_ready_i(merr_ready[g]), .merr_body1_o(merr_body1[g*32 +: 32]),
                .pause_req_i(pause_req_i[g]), .irq_o(irq_o[g]),
                .m_awid_o(awid[g*16 +: 16]), .m_awaddr_o(awaddr[g*64 +: 64]), .m_awlen_o(awlen[g*8 +: 8]),
                .m_awsize_o(awsize[g*3 +: 3]), .m_awburst_o(awburst[g*2 +: 2]), .m_awprot_o(awprot[g*3 +: 3]),
                .m_awvalid_o(awvalid[g]), .m_awready_i(awready[g]),
                .m_wdata_o(wdata[g*MEM_W +: MEM_W]), .m_wstrb_o(wstrb[g*MEM_W/8 +: MEM_W/8]), .m_wlast_o(wlast[g]),
                .m_wvalid_o(wvalid[g]), .m_wready_i(wready[g]),
                .m_bid_i(bid[g*16 +: 16]), .m_bresp_i(bresp[g*2 +: 2]), .m_bvalid_i(bvalid[g]), .m_bready_o(bready[g]),
                .m_arid_o(arid[g*16 +: 16]), .m_araddr_o(araddr[g*64 +: 64]), .m_arlen_o(arlen[g*8 +: 8]),
                .m_arsize_o(arsize[g*3 +: 3]), .m_arburst_o(arburst[g*2 +: 2]), .m_arprot_o(arprot[g*3 +: 3]),
                .m_arvalid_o(arvalid[g]), .m_arready_i(arready[g]),
                .m_rid_i(rid[g*16 +: 16]), .m_rdata_i(rdata[g*MEM_W +: MEM_W]), .m_rresp_i(rresp[g*2 +: 2]),
                .m_rlast_i(rlast[g]), .m_rvalid_i(rvalid[g]), .m_rready_o(rready[g])
            );
        end
    endgenerate

    // ---- events and semaphores, control block --------------------------------------------------------------------
    localparam S_EVT   = `TARGET_EVT - `TARGET_LREG;
    localparam S_TPB   = `TARGET_TPB_CTRL - `TARGET_LREG;
    localparam S_NQ    = `TARGET_NOTIFIC - `TARGET_LREG;
    localparam S_TOPSP = `TARGET_TOPSP_EVT - `TARGET_LREG;

    wire        evt_valid, evt_ready, evt_ovf, eerr_valid, eerr_ready, eerr_ovf, evsem_backpressure, notify_en;
    wire [4:0]  evt_type;
    wire [23:0] evt_body0;
    wire [31:0] evt_body1, sem_low, sem_high, fake_data;
    wire [7:0]  eerr_id, eerr_index;
    wire        fake_valid, fake_ready;

    evt_sem #(.SEM_UNSIGNED_CMP(SEM_UNSIGNED_CMP), .UNIT(0)) u_evt (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .psel_i(psel[S_EVT]), .penable_i(penable[S_EVT]), .pwrite_i(pwrite[S_EVT]), .paddr_i(paddr[S_EVT*20 +: 20]),
        .pwdata_i(pwdata[S_EVT*32 +: 32]), .prdata_o(prdata[S_EVT*32 +: 32]), .pready_o(pready[S_EVT]),
        .pslverr_o(pslverr[S_EVT]),
        .wait_req_i(wait_req), .wait_mode_i(wait_mode), .wait_idx_i(wait_idx), .wait_val_i(wait_val),
        .wait_pass_o(wait_pass),
        .upd_req_i(upd_req), .upd_mode_i(upd_mode), .upd_idx_i(upd_idx), .upd_val_i(upd_val), .upd_ack_o(upd_ack),
        .sem_low_i(sem_low), .sem_high_i(sem_high), .notify_en_i(notify_en),
        .evsem_backpressure_i(evsem_backpressure),
        .nq_valid_o(evt_valid), .nq_ready_i(evt_ready), .nq_type_o(evt_type), .nq_body0_o(evt_body0),
        .nq_body1_o(evt_body1), .nq_ovf_o(evt_ovf),
        .err_valid_o(eerr_valid), .err_ready_i(eerr_ready), .err_id_o(eerr_id), .err_index_o(eerr_index),
        .err_ovf_o(eerr_ovf)
    );

    // TOP_SP_0: no engines, no control block, so it makes no records.
    wire [4:0]  t_pass, t_ack, t_type;
    wire [23:0] t_body0;
    wire [31:0] t_body1;
    wire [7:0]  t_id, t_index;
    wire        t_valid, t_ovf, t_err, t_eovf;
    wire        unused_topsp = &{1'b0, t_pass, t_ack, t_type, t_body0, t_body1, t_id, t_index, t_valid, t_ovf, t_err,
                                 t_eovf};

    evt_sem #(.SEM_UNSIGNED_CMP(SEM_UNSIGNED_CMP), .UNIT(1)) u_topsp (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .psel_i(psel[S_TOPSP]), .penable_i(penable[S_TOPSP]), .pwrite_i(pwrite[S_TOPSP]), .paddr_i(paddr[S_TOPSP*20 +: 20]),
        .pwdata_i(pwdata[S_TOPSP*32 +: 32]), .prdata_o(prdata[S_TOPSP*32 +: 32]), .pready_o(pready[S_TOPSP]),
        .pslverr_o(pslverr[S_TOPSP]),
        .wait_req_i(5'd0), .wait_mode_i(40'd0), .wait_idx_i(40'd0), .wait_val_i(160'd0), .wait_pass_o(t_pass),
        .upd_req_i(5'd0), .upd_mode_i(40'd0), .upd_idx_i(40'd0), .upd_val_i(160'd0), .upd_ack_o(t_ack),
        .sem_low_i(32'd0), .sem_high_i(32'hffffffff), .notify_en_i(1'b0), .evsem_backpressure_i(1'b0),
        .nq_valid_o(t_valid), .nq_ready_i(1'b1), .nq_type_o(t_type), .nq_body0_o(t_body0), .nq_body1_o(t_body1),
        .nq_ovf_o(t_ovf),
        .err_valid_o(t_err), .err_ready_i(1'b1), .err_id_o(t_id), .err_index_o(t_index), .err_ovf_o(t_eovf)
    );

    wire [4*E-5:0] datapath_queue;
    wire           unused_ctrl = &{1'b0, datapath_queue};

    tpb_ctrl u_ctrl (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .psel_i(psel[S_TPB]), .penable_i(penable[S_TPB]), .pwrite_i(pwrite[S_TPB]), .paddr_i(paddr[S_TPB*20 +: 12]),
        .pwdata_i(pwdata[S_TPB*32 +: 32]), .prdata_o(prdata[S_TPB*32 +: 32]), .pready_o(pready[S_TPB]),
        .pslverr_o(pslverr[S_TPB]),
        .sem_low_o(sem_low), .sem_high_o(sem_high), .notify_en_o(notify_en),
        .nx_queue_o(nx_queue), .explicit_queue_o(explicit_queue), .datapath_queue_o(datapath_queue),
        .events_queue_o(events_queue), .errors_queue_o(errors_queue),
        .fake_valid_o(fake_valid), .fake_ready_i(fake_ready), .fake_data_o(fake_data)
    );

    // ---- NOTIFIC --------------------------------------------------------------------------------------------------
    localparam N_SRC = 15;

    wire [N_SRC-1:0]           src_valid, src_ready, src_ovf;
    wire [5*N_SRC-1:0]         src_type;
    wire [24*N_SRC-1:0]        src_body0;
    wire [32*N_SRC-1:0]        src_body1;
    wire [4*N_SRC-1:0]         src_queue;
    wire [6*N_SRC-1:0]         src_class;
    wire [`NINTR_COUNT-1:0]    nq_intr;
    wire [`NQ_DBG_CLASSES-1:0] nq_drop, nq_full;
    wire                       unused_nq = &{1'b0, nq_intr, nq_drop, nq_full};

    record_sources #(.N_SRC(N_SRC)) u_sources (
        .clk_i(clk_i), .rst_ni(rst_ni), .events_queue_i(events_queue), .errors_queue_i(errors_queue),
        .rec_valid_i(rec_valid), .rec_ready_o(rec_ready), .rec_type_i(rec_type), .rec_body0_i(rec_body0),
        .rec_body1_i(rec_body1), .rec_queue_i(rec_queue),
        .flt_valid_i(flt_valid), .flt_ready_o(flt_ready), .flt_body0_i(flt_body0), .flt_body1_i(flt_body1),
        .merr_valid_i(merr_valid), .merr_ready_o(merr_ready), .merr_body1_i(merr_body1),
        .evt_valid_i(evt_valid), .evt_ready_o(evt_ready), .evt_type_i(evt_type), .evt_body0_i(evt_body0),
        .evt_body1_i(evt_body1), .evt_ovf_i(evt_ovf),
        .err_valid_i(eerr_valid), .err_ready_o(eerr_ready), .err_id_i(eerr_id), .err_index_i(eerr_index),
        .err_ovf_i(eerr_ovf),
        .fake_valid_i(fake_valid), .fake_ready_o(fake_ready), .fake_data_i(fake_data),
        .src_valid_o(src_valid), .src_ready_i(src_ready), .src_type_o(src_type), .src_body0_o(src_body0),
        .src_body1_o(src_body1), .src_queue_o(src_queue), .src_class_o(src_class), .src_ovf_o(src_ovf)
    );

    localparam N = `MASTER_NOTIFIC;

    notific #(.N_SRC(N_SRC), .PHASE_FIRST(PHASE_FIRST), .MEM_W(MEM_W)) u_notific (
        .clk_i(clk_i), .rst_ni(rst_ni), .ts_rst_i(1'b0),
        .psel_i(psel[S_NQ]), .penable_i(penable[S_NQ]), .pwrite_i(pwrite[S_NQ]), .paddr_i(paddr[S_NQ*20 +: 12]),
        .pwdata_i(pwdata[S_NQ*32 +: 32]), .prdata_o(prdata[S_NQ*32 +: 32]), .pready_o(pready[S_NQ]),
        .pslverr_o(pslverr[S_NQ]),
        .src_valid_i(src_valid), .src_ready_o(src_ready), .src_type_i(src_type), .src_body0_i(src_body0),
        .src_body1_i(src_body1), .src_queue_i(src_queue), .src_class_i(src_class), .src_ovf_i(src_ovf),
        .m_awid_o(awid[N*16 +: 16]), .m_awaddr_o(awaddr[N*64 +: 64]), .m_awlen_o(awlen[N*8 +: 8]),
        .m_awsize_o(awsize[N*3 +: 3]), .m_awburst_o(awburst[N*2 +: 2]), .m_awprot_o(awprot[N*3 +: 3]),
        .m_awvalid_o(awvalid[N]), .m_awready_i(awready[N]),
        .m_wdata_o(wdata[N*MEM_W +: MEM_W]), .m_wstrb_o(wstrb[N*MEM_W/8 +: MEM_W/8]), .m_wlast_o(wlast[N]),
        .m_wvalid_o(wvalid[N]), .m_wready_i(wready[N]),
        .m_bid_i(bid[N*16 +: 16]), .m_bresp_i(bresp[N*2 +: 2]), .m_bvalid_i(bvalid[N]), .m_bready_o(bready[N]),
        .evsem_backpressure_o(evsem_backpressure), .intr_o(nq_intr), .drop_dbg_o(nq_drop), .full_dbg_o(nq_full)
    );

    // NOTIFIC reads nothing; no register window but EVT_SEM's and UDMA's needs all address bits.
    wire unused_bus = &{1'b0, rid[N*16 +: 16], rresp[N*2 +: 2], rdata[N*MEM_W +: MEM_W], rlast[N], rvalid[N],
                        arready[N], paddr};
    assign arid[N*16 +: 16]   = 16'd0;
    assign araddr[N*64 +: 64] = 64'd0;
    assign arlen[N*8 +: 8]    = 8'd0;
    assign arsize[N*3 +: 3]   = 3'd0;
    assign arburst[N*2 +: 2]  = 2'd1;
    assign arprot[N*3 +: 3]   = 3'd0;
    assign arvalid[N]         = 1'b0;
    assign rready[N]          = 1'b1;

    // ---- DMA engines ----------------------------------------------------------------------------------------------
    generate
        for (g = 0; g < N_DMA; g = g + 1) begin : g_dma
            localparam M = `MASTER_UDMA0 + g;
            localparam S = `TARGET_UDMA - `TARGET_LREG + g;

            udma #(.ENGINE_ID(g), .MEM_W(MEM_W)) u_udma (
                .clk_i(clk_i), .rst_ni(rst_ni),
                .psel_i(psel[S]), .penable_i(penable[S]), .pwrite_i(pwrite[S]), .paddr_i(paddr[S*20 +: 20]),
                .pwdata_i(pwdata[S*32 +: 32]), .prdata_o(prdata[S*32 +: 32]), .pready_o(pready[S]),
                .pslverr_o(pslverr[S]),
                .m_awid_o(awid[M*16 +: 16]), .m_awaddr_o(awaddr[M*64 +: 64]), .m_awlen_o(awlen[M*8 +: 8]),
                .m_awsize_o(awsize[M*3 +: 3]), .m_awburst_o(awburst[M*2 +: 2]), .m_awprot_o(awprot[M*3 +: 3]),
                .m_awvalid_o(awvalid[M]), .m_awready_i(awready[M]),
                .m_wdata_o(wdata[M*MEM_W +: MEM_W]), .m_wstrb_o(wstrb[M*MEM_W/8 +: MEM_W/8]), .m_wlast_o(wlast[M]),
                .m_wvalid_o(wvalid[M]), .m_wready_i(wready[M]),
                .m_bid_i(bid[M*16 +: 16]), .m_bresp_i(bresp[M*2 +: 2]), .m_bvalid_i(bvalid[M]), .m_bready_o(bready[M]),
                .m_arid_o(arid[M*16 +: 16]), .m_araddr_o(araddr[M*64 +: 64]), .m_arlen_o(arlen[M*8 +: 8]),
                .m_arsize_o(arsize[M*3 +: 3]), .m_arburst_o(arburst[M*2 +: 2]), .m_arprot_o(arprot[M*3 +: 3]),
                .m_arvalid_o(arvalid[M]), .m_arready_i(arready[M]),
                .m_rid_i(rid[M*16 +: 16]), .m_rdata_i(rdata[M*MEM_W +: MEM_W]), .m_rresp_i(rresp[M*2 +: 2]),
                .m_rlast_i(rlast[M]), .m_rvalid_i(rvalid[M]), .m_rready_o(rready[M])
            );
        end
    endgenerate
endmodule
`default_nettype wire
