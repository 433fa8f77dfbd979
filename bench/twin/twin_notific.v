// Twin bench of NOTIFIC: four sources that offer records at random, four queues with small rings whose heads move at
// random, a memory with random stalls.
`default_nettype none
`include "regs.vh"

module twin_notific (
    input wire clk_i,
    input wire rst_ni
);
    localparam N = 4, QUEUES = 4, RING = 'h80, SETUP = 5 + 3 * QUEUES;
    localparam [11:0] WR_BUF_LO = `NQ_WR_BUF_ENABLE_LO_OFF, WR_BUF_HI = `NQ_WR_BUF_ENABLE_HI_OFF,
                      HW_BACKPRESSURE = `NQ_HW_BACKPRESSURE_LO_OFF, SW_OVERFLOW = `NQ_SW_OVERFLOW_OFF,
                      SW_BACKPRESSURE = `NQ_SW_BACKPRESSURE_OFF;

    wire [319:0] r;
    twin_rand #(.W(320), .SEED(64'd5)) u_rand (.clk_i(clk_i), .rst_ni(rst_ni), .rand_o(r));

    // ---- registers: enables, rings, then heads that move for ever (the program wraps now and then) ------------------
    wire [7:0]  pc;
    wire [1:0]  q    = pc < SETUP ? (pc - 8'd5) / 8'd3 : r[1:0];
    wire [11:0] bank = `NQ_Q_BASE + q * `NQ_Q_STRIDE;
    wire [7:0]  step = (pc - 8'd5) % 8'd3;
    reg  [11:0] at;
    reg  [31:0] value;
    always @* begin
        at    = `NQ_ENABLE_OFF;
        value = 32'hf;
        case (pc)
            8'd0: {at, value} = {WR_BUF_LO, 32'hffffffff};
            8'd1: {at, value} = {WR_BUF_HI, 32'hffffffff};
            8'd2: {at, value} = {HW_BACKPRESSURE, 32'h00ff00ff};
            8'd3: {at, value} = {SW_OVERFLOW, 32'h2};
            8'd4: {at, value} = {SW_BACKPRESSURE, 32'h4};
            default:
                if (pc >= SETUP) begin
                    at    = bank + `NQQ_HEAD_OFF;
                    value = {25'd0, r[4:2], 4'd0};
                end else if (step == 8'd0) begin
                    at    = bank + `NQQ_BASE_LO_OFF;
                    value = 32'h8000 + 32'h1000 * q;
                end else if (step == 8'd1) begin
                    at    = bank + `NQQ_SIZE_OFF;
                    value = RING;
                end
        endcase
    end

    wire        psel, penable, pwrite, pready, pslverr;
    wire [11:0] paddr;
    wire [31:0] pwdata, prdata;
    twin_apb #(.AW(12)) u_apb (
        .clk_i(clk_i), .rst_ni(rst_ni), .rand_i(r[31:12]), .pc_o(pc), .word_i({1'b0, at, value}), .psel_o(psel),
        .penable_o(penable), .pwrite_o(pwrite), .paddr_o(paddr), .pwdata_o(pwdata), .pready_i(pready));

    // ---- sources ------------------------------------------------------------------------------------------------------
    reg  [N-1:0]    valid, ovf;
    wire [N-1:0]    ready;
    reg  [5*N-1:0]  kind;
    reg  [24*N-1:0] body0;
    reg  [32*N-1:0] body1;
    reg  [4*N-1:0]  queue;
    reg  [6*N-1:0]  class_bit;

    genvar s;
    generate
        for (s = 0; s < N; s = s + 1) begin : g_source
            wire [63:0] n = r[32 + 64*s +: 64];
            always @(posedge clk_i) begin
                if (!rst_ni) begin
                    {valid[s], ovf[s]} <= 2'd0;
                    kind[5*s +: 5]      <= 5'd0;
                    body0[24*s +: 24]   <= 24'd0;
                    body1[32*s +: 32]   <= 32'd0;
                    queue[4*s +: 4]     <= 4'd0;
                    class_bit[6*s +: 6] <= 6'd0;
                end else if (!valid[s] || ready[s]) begin
                    valid[s]            <= n[1:0] == 2'd0;
                    ovf[s]              <= n[5:2] == 4'd0;
                    kind[5*s +: 5]      <= n[10:6];
                    body0[24*s +: 24]   <= n[34:11];
                    body1[32*s +: 32]   <= {n[10:3], n[58:35]};
                    queue[4*s +: 4]     <= {2'd0, n[60:59]};
                    class_bit[6*s +: 6] <= {1'b0, n[39:35]};
                end
            end
        end
    endgenerate

    wire [15:0]                awid, bid;
    wire [63:0]                awaddr, wdata;
    wire [7:0]                 awlen, wstrb;
    wire [2:0]                 awsize, awprot;
    wire [1:0]                 awburst;
    wire                       awvalid, awready, wlast, wvalid, wready, bvalid, bready, held;
    wire [`NINTR_COUNT-1:0]    intr;
    wire [`NQ_DBG_CLASSES-1:0] drop, full;

    notific #(.N_SRC(N), .MEM_W(64), .NIQ_DEPTH(2), .MAX_OUT(2)) u_dut (
        .clk_i(clk_i), .rst_ni(rst_ni), .ts_rst_i(1'b0), .psel_i(psel), .penable_i(penable), .pwrite_i(pwrite),
        .paddr_i(paddr), .pwdata_i(pwdata), .prdata_o(prdata), .pready_o(pready), .pslverr_o(pslverr),
        .src_valid_i(valid), .src_ready_o(ready), .src_type_i(kind), .src_body0_i(body0), .src_body1_i(body1),
        .src_queue_i(queue), .src_class_i(class_bit), .src_ovf_i(ovf),
        .m_awid_o(awid), .m_awaddr_o(awaddr), .m_awlen_o(awlen), .m_awsize_o(awsize), .m_awburst_o(awburst),
        .m_awprot_o(awprot), .m_awvalid_o(awvalid), .m_awready_i(awready), .m_wdata_o(wdata), .m_wstrb_o(wstrb),
        .m_wlast_o(wlast), .m_wvalid_o(wvalid), .m_wready_i(wready), .m_bid_i(bid), .m_bresp_i(2'd0),
        .m_bvalid_i(bvalid), .m_bready_o(bready), .evsem_backpressure_o(held), .intr_o(intr), .drop_dbg_o(drop),
        .full_dbg_o(full));

    wire [15:0] rid;
    wire [63:0] rdata;
    wire        arready, rlast, rvalid;
    twin_mem u_mem (
        .clk_i(clk_i), .rst_ni(rst_ni), .rand_i(r[319:312]), .fill_i(1'b0), .fill_addr_i(16'd0), .fill_data_i(64'd0),
        .awid_i(awid), .awaddr_i(awaddr), .awvalid_i(awvalid), .awready_o(awready), .wdata_i(wdata), .wstrb_i(wstrb),
        .wlast_i(wlast), .wvalid_i(wvalid), .wready_o(wready), .bid_o(bid), .bvalid_o(bvalid), .bready_i(bready),
        .arid_i(16'd0), .araddr_i(64'd0), .arlen_i(8'd0), .arvalid_i(1'b0), .arready_o(arready), .rid_o(rid),
        .rdata_o(rdata), .rlast_o(rlast), .rvalid_o(rvalid), .rready_i(1'b0));
endmodule
`default_nettype wire
