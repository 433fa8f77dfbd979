// Memory port of one sequencer: the only AXI4 master, shared by line fills and the scalar accesses of slots.
//   * Line fills: one burst at a time, prot PROT_FETCH; beats go straight to seq_fetch.v.
//   * Reads of slots: one at a time, single beat. `rd_done_o` with the data, right-aligned; 4 bytes at most.
//   * Writes of slots: single beat, posted. `wr_done_o` in the clock in which address and data are both accepted; up
//     to 8 may be unanswered (WQ), after that `wr_ready_o` stays low. `wr_idle_o`: all answered.
//   * A response with an error makes one MEMORY_ERROR record with the address (tpb-image.md §3.1). Every write keeps
//     its place in WQ until its record, if any, is on its way, so responses are always accepted at once.
// One ID (ENGINE), so writes arrive in order. Addresses are naturally aligned by the time they get here. Nothing can
// be withdrawn: a reset of the engine waits for `idle_o`.
`default_nettype none
`include "regs.vh"

module seq_bus #(
    parameter ENGINE = 0,
    parameter MEM_W = 512
) (
    input  wire               clk_i,
    input  wire               rst_ni,
    // line fills
    input  wire               fill_valid_i,
    input  wire [       63:0] fill_addr_i,
    output wire               fill_ready_o,
    output wire               fill_rvalid_o,
    output wire [  MEM_W-1:0] fill_rdata_o,
    output wire               fill_rerr_o,
    output wire               fill_rlast_o,
    // accesses of slots; size is log2 of the bytes
    input  wire               rd_req_i,
    input  wire               wr_req_i,
    input  wire [       63:0] addr_i,
    input  wire [        1:0] size_i,
    input  wire [       63:0] wdata_i,
    output wire               rd_ready_o,
    output wire               rd_done_o,
    output wire [       31:0] rd_data_o,
    output wire               wr_ready_o,
    output wire               wr_done_o,
    output wire               wr_idle_o,
    output wire               idle_o,
    // MEMORY_ERROR records
    output wire               merr_valid_o,
    input  wire               merr_ready_i,
    output wire [       31:0] merr_body1_o,
    // AXI4
    output wire [       15:0] m_awid_o,
    output wire [       63:0] m_awaddr_o,
    output wire [        7:0] m_awlen_o,
    output wire [        2:0] m_awsize_o,
    output wire [        1:0] m_awburst_o,
    output wire [        2:0] m_awprot_o,
    output wire               m_awvalid_o,
    input  wire               m_awready_i,
    output wire [  MEM_W-1:0] m_wdata_o,
    output wire [MEM_W/8-1:0] m_wstrb_o,
    output wire               m_wlast_o,
    output wire               m_wvalid_o,
    input  wire               m_wready_i,
    input  wire [        1:0] m_bresp_i,
    input  wire               m_bvalid_i,
    output wire               m_bready_o,
    output wire [       15:0] m_arid_o,
    output wire [       63:0] m_araddr_o,
    output wire [        7:0] m_arlen_o,
    output wire [        2:0] m_arsize_o,
    output wire [        1:0] m_arburst_o,
    output wire [        2:0] m_arprot_o,
    output wire               m_arvalid_o,
    input  wire               m_arready_i,
    input  wire [  MEM_W-1:0] m_rdata_i,
    input  wire [        1:0] m_rresp_i,
    input  wire               m_rlast_i,
    input  wire               m_rvalid_i,
    output wire               m_rready_o
);

    localparam BYTES = MEM_W / 8;
    localparam BYTES_LOG = $clog2(BYTES);
    localparam FILL_LEN = `FETCH_BLOCK_BYTES / BYTES - 1;
    localparam INCR = 2'b01;
    localparam [2:0] READ_SIZE = 3'd2; // slots read 4 bytes
    localparam WQ_LOG = 3; // 8 writes

    // ---- writes ----
    reg aw_q, w_q;
    reg [63:0] waddr_q, wdata_q;
    reg [1:0] wsize_q;
    reg [31:0] wq_addr [0:(1<<WQ_LOG)-1];
    reg [(1<<WQ_LOG)-1:0] wq_err_q;
    reg [WQ_LOG:0] push_q, resp_q, pop_q; // issued, answered, done with
    wire [WQ_LOG:0] held = push_q - pop_q;
    wire wr_take = wr_req_i && wr_ready_o;
    wire merr_load;

    assign wr_ready_o = !aw_q && !w_q && !held[WQ_LOG];
    assign wr_done_o = (aw_q || w_q) && (!aw_q || m_awready_i) && (!w_q || m_wready_i);
    assign wr_idle_o = push_q == resp_q;

    // Pop in order: a good write at once, a bad one when its record can be handed over.
    wire wq_some = pop_q != resp_q;
    wire wq_bad = wq_some && wq_err_q[pop_q[WQ_LOG-1:0]];
    wire wq_pop = wq_some && (!wq_bad || merr_load);

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            aw_q <= 1'b0;
            w_q <= 1'b0;
            waddr_q <= 64'd0;
            wdata_q <= 64'd0;
            wsize_q <= 2'd0;
            wq_err_q <= {(1<<WQ_LOG){1'b0}};
            push_q <= {WQ_LOG+1{1'b0}};
            resp_q <= {WQ_LOG+1{1'b0}};
            pop_q <= {WQ_LOG+1{1'b0}};
        end else begin
            if (m_awready_i) aw_q <= 1'b0;
            if (m_wready_i) w_q <= 1'b0;
            if (wr_take) begin
                aw_q <= 1'b1;
                w_q <= 1'b1;
                waddr_q <= addr_i;
                wdata_q <= wdata_i;
                wsize_q <= size_i;
                push_q <= push_q + 1'b1;
            end
            if (m_bvalid_i) begin
                wq_err_q[resp_q[WQ_LOG-1:0]] <= m_bresp_i != 2'b00;
                resp_q <= resp_q + 1'b1;
            end
            if (wq_pop) pop_q <= pop_q + 1'b1;
        end
    end
    always @(posedge clk_i)
        if (wr_take) wq_addr[push_q[WQ_LOG-1:0]] <= addr_i[31:0];

    wire [7:0] size_strb = wsize_q == 2'd0 ? 8'h01 : wsize_q == 2'd1 ? 8'h03 : wsize_q == 2'd2 ? 8'h0f : 8'hff;
    assign m_awid_o = ENGINE[15:0];
    assign m_awaddr_o = waddr_q;
    assign m_awlen_o = 8'd0;
    assign m_awsize_o = {1'b0, wsize_q};
    assign m_awburst_o = INCR;
    assign m_awprot_o = `PROT_DATA;
    assign m_awvalid_o = aw_q;
    assign m_wdata_o = {{MEM_W-64{1'b0}}, wdata_q} << {waddr_q[BYTES_LOG-1:0], 3'd0};
    assign m_wstrb_o = {{BYTES-8{1'b0}}, size_strb} << waddr_q[BYTES_LOG-1:0];
    assign m_wlast_o = 1'b1;
    assign m_wvalid_o = w_q;
    assign m_bready_o = 1'b1;

    // ---- reads: order of the at most two bursts in flight, bit set = line fill ----
    reg ar_q, ar_fill_q, rd_pend_q, rd_busy_q, rerr_q;
    reg [63:0] ar_addr_q, raddr_q;
    reg [1:0] order_q, order_n_q;
    wire ar_free = !ar_q || m_arready_i;
    wire take_rd = ar_free && rd_pend_q;
    wire take_fill = ar_free && !rd_pend_q && fill_valid_i;
    wire r_fill = order_q[0];
    wire r_end = m_rvalid_i && m_rlast_i;
    wire [1:0] order_left = order_n_q - {1'b0, r_end};
    wire [1:0] order_kept = r_end ? {1'b0, order_q[1]} : order_q;

    assign fill_ready_o = take_fill;
    assign fill_rvalid_o = m_rvalid_i && r_fill;
    assign fill_rdata_o = m_rdata_i;
    assign fill_rerr_o = m_rresp_i != 2'b00;
    assign fill_rlast_o = m_rlast_i;
    assign rd_ready_o = !rd_busy_q && !rerr_q;
    assign rd_done_o = m_rvalid_i && !r_fill;
    /* verilator lint_off UNUSEDSIGNAL */
    wire [MEM_W-1:0] rshift = m_rdata_i >> {raddr_q[BYTES_LOG-1:0], 3'd0};
    /* verilator lint_on UNUSEDSIGNAL */
    assign rd_data_o = rshift[31:0];
    assign m_rready_o = 1'b1;
    assign idle_o = wr_idle_o && !aw_q && !w_q && !rd_busy_q;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            ar_q <= 1'b0;
            ar_fill_q <= 1'b0;
            ar_addr_q <= 64'd0;
            rd_pend_q <= 1'b0;
            rd_busy_q <= 1'b0;
            rerr_q <= 1'b0;
            raddr_q <= 64'd0;
            order_q <= 2'd0;
            order_n_q <= 2'd0;
        end else begin
            if (m_arready_i) ar_q <= 1'b0;
            if (take_rd || take_fill) begin
                ar_q <= 1'b1;
                ar_fill_q <= take_fill;
                ar_addr_q <= take_fill ? fill_addr_i : raddr_q;
            end
            order_q <= order_kept | ({1'b0, take_fill} << order_left[0]);
            order_n_q <= order_left + {1'b0, take_rd || take_fill};
            if (take_rd) rd_pend_q <= 1'b0;
            if (rd_req_i && rd_ready_o) begin
                rd_pend_q <= 1'b1;
                rd_busy_q <= 1'b1;
                raddr_q <= addr_i;
            end
            if (rd_done_o) begin
                rd_busy_q <= 1'b0;
                rerr_q <= m_rresp_i != 2'b00;
            end
            if (merr_load && !wq_bad) rerr_q <= 1'b0;
        end
    end

    assign m_arid_o = ENGINE[15:0];
    assign m_araddr_o = ar_addr_q;
    assign m_arlen_o = ar_fill_q ? FILL_LEN[7:0] : 8'd0;
    assign m_arsize_o = ar_fill_q ? BYTES_LOG[2:0] : READ_SIZE;
    assign m_arburst_o = INCR;
    assign m_arprot_o = ar_fill_q ? `PROT_FETCH : `PROT_DATA;
    assign m_arvalid_o = ar_q;

    // ---- MEMORY_ERROR records ----
    wire merr_idle, merr_done;
    assign merr_load = merr_idle && (wq_bad || rerr_q);
    seq_hold #(
        .W(32)
    ) u_merr (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .load_i(merr_load),
        .data_i(wq_bad ? wq_addr[pop_q[WQ_LOG-1:0]] : raddr_q[31:0]),
        .idle_o(merr_idle),
        .done_o(merr_done),
        .valid_o(merr_valid_o),
        .ready_i(merr_ready_i),
        .data_o(merr_body1_o)
    );

    wire unused = &{1'b0, merr_done};

endmodule

`default_nettype wire
