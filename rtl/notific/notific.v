// NOTIFIC, the 10-queue notification block (notification-queue.md §1-§4, §7-§10, §12, §16): takes records from N_SRC
// sources, stamps time, phase and loss flags, and writes each as 16 bytes into one of ten rings in memory.
//
// Parameters: N_SRC sources (2..64), NIQ_DEPTH records buffered per source, MAX_OUT writes outstanding, PHASE_FIRST the
// phase bit of the first pass, MEM_W the AXI data width. Source s owns bit or slice s of the src_ vectors.
// src_ovf_i goes with a record: the source itself lost records before it (events-semaphores.md §8.2).
// Latency: a record accepted in clock n raises awvalid in n+3; throughput one record per clock.
// APB: no wait states, no error. Interrupts (enum NINTR) are one-clock pulses; 8 never fires, nothing is coalesced.
// Rings must not be resized while enabled; size and base are used as they are in the clock in which a record is issued.
`default_nettype none
`include "regs.vh"

module notific #(
    parameter N_SRC       = 15,
    parameter NIQ_DEPTH   = `NQ_NIQ_DEPTH,
    parameter MAX_OUT     = `NQ_MAX_OUT,
    parameter PHASE_FIRST = `NQ_PHASE_FIRST,
    parameter MEM_W       = 512
) (
    input  wire                       clk_i,
    input  wire                       rst_ni,
    input  wire                       ts_rst_i,

    input  wire                       psel_i,
    input  wire                       penable_i,
    input  wire                       pwrite_i,
    input  wire [11:0]                paddr_i,
    input  wire [31:0]                pwdata_i,
    output wire [31:0]                prdata_o,
    output wire                       pready_o,
    output wire                       pslverr_o,

    input  wire [N_SRC-1:0]           src_valid_i,
    output wire [N_SRC-1:0]           src_ready_o,
    input  wire [5*N_SRC-1:0]         src_type_i,
    input  wire [24*N_SRC-1:0]        src_body0_i,
    input  wire [32*N_SRC-1:0]        src_body1_i,
    input  wire [4*N_SRC-1:0]         src_queue_i,
    input  wire [6*N_SRC-1:0]         src_class_i,
    input  wire [N_SRC-1:0]           src_ovf_i,

    output wire [15:0]                m_awid_o,
    output wire [63:0]                m_awaddr_o,
    output wire [7:0]                 m_awlen_o,
    output wire [2:0]                 m_awsize_o,
    output wire [1:0]                 m_awburst_o,
    output wire [2:0]                 m_awprot_o,
    output wire                       m_awvalid_o,
    input  wire                       m_awready_i,
    output wire [MEM_W-1:0]           m_wdata_o,
    output wire [MEM_W/8-1:0]         m_wstrb_o,
    output wire                       m_wlast_o,
    output wire                       m_wvalid_o,
    input  wire                       m_wready_i,
    input  wire [15:0]                m_bid_i,
    input  wire [1:0]                 m_bresp_i,
    input  wire                       m_bvalid_i,
    output wire                       m_bready_o,

    output wire                       evsem_backpressure_o, // hw_backpressure of the EVSEM class, for EVT_SEM
    output wire [`NINTR_COUNT-1:0]    intr_o,
    output wire [`NQ_DBG_CLASSES-1:0] drop_dbg_o, // by class bit, detail of interrupts 3 and 2
    output wire [`NQ_DBG_CLASSES-1:0] full_dbg_o
);
    initial begin
        if (N_SRC < 2 || N_SRC > 64) begin
            $display("%m: N_SRC is %0d, allowed are 2..64", N_SRC);
            $finish;
        end
        if (NIQ_DEPTH < 2 || NIQ_DEPTH > 64 || (1 << $clog2(NIQ_DEPTH)) != NIQ_DEPTH || NIQ_DEPTH * N_SRC > 511) begin
            $display("%m: NIQ_DEPTH is %0d, allowed are powers of two 2..64, at most 511 buffers in all", NIQ_DEPTH);
            $finish;
        end
    end

    // ---- registers -----------------------------------------------------------------------------------------------
    wire                     access = psel_i && penable_i;
    wire                     write  = access && pwrite_i;
    wire [31:0]              rdata_global, rdata_queue;
    wire [`NQ_QUEUES-1:0]    enable, turned_on, turned_off, sw_backpressure, ignore_full, threshold_en;
    wire [63:0]              hw_backpressure, class_on, now;
    wire                     uart;
    wire [15:0]              axi_id;
    wire [64*`NQ_QUEUES-1:0] base;
    wire [32*`NQ_QUEUES-1:0] size, head_written, head, threshold, tail;
    wire [`NQ_QUEUES-1:0]    head_write, size_write, base_write, head_stale;
    wire [`NQ_QUEUES-1:0]    legal, full, passed, busy;
    wire [8:0]               niq_index, naq_index;
    wire [143:0]             niq_entry;
    wire [223:0]             naq_entry;

    // ---- the record on its way -----------------------------------------------------------------------------------
    wire                     st_valid, st_ovf, st_done; // staged record
    wire [3:0]               st_queue;
    wire [4:0]               st_type;
    wire [23:0]              st_body0;
    wire [31:0]              st_body1;
    wire [63:0]              st_time;
    wire                     push, axi_full, axi_stall, axi_error;
    wire [63:0]              addr, error_addr;
    wire [127:0]             record;
    wire                     drop_off, drop_full, intr_full, intr_threshold, intr_overlap, full_stall, full_drop;
    reg                      axi_stall_q;

    assign prdata_o             = rdata_global | rdata_queue;
    assign pready_o             = 1'b1;
    assign pslverr_o            = 1'b0;
    assign evsem_backpressure_o = hw_backpressure[`NCLASS_EVSEM];

    notific_regs #(.NIQ_COUNT(NIQ_DEPTH * N_SRC), .NAQ_COUNT(MAX_OUT)) u_regs (
        .clk_i(clk_i), .rst_ni(rst_ni), .ts_rst_i(ts_rst_i), .write_i(write), .read_i(access && !pwrite_i),
        .addr_i(paddr_i), .wdata_i(pwdata_i), .rdata_o(rdata_global), .enable_o(enable), .turned_on_o(turned_on),
        .turned_off_o(turned_off), .sw_backpressure_o(sw_backpressure), .ignore_full_o(ignore_full),
        .threshold_en_o(threshold_en), .hw_backpressure_o(hw_backpressure), .class_on_o(class_on), .uart_o(uart),
        .axi_id_o(axi_id), .time_o(now), .written_i(push), .stall_i(axi_stall), .error_i(axi_error),
        .error_addr_i(error_addr), .full_i(full), .passed_i(passed), .niq_index_o(niq_index), .niq_i(niq_entry),
        .naq_index_o(naq_index), .naq_i(naq_entry));

    notific_qregs u_qregs (
        .clk_i(clk_i), .rst_ni(rst_ni), .write_i(write), .addr_i(paddr_i), .wdata_i(pwdata_i), .rdata_o(rdata_queue),
        .base_o(base), .size_o(size), .head_o(head_written), .threshold_o(threshold), .tail_i(tail),
        .head_write_o(head_write), .size_write_o(size_write), .base_write_o(base_write));

    notific_head u_head (
        .clk_i(clk_i), .rst_ni(rst_ni), .write_i(head_write | size_write), .head_i(head_written), .size_i(size),
        .head_o(head), .stale_o(head_stale));

    notific_input #(.N_SRC(N_SRC), .NIQ_DEPTH(NIQ_DEPTH)) u_input (
        .clk_i(clk_i), .rst_ni(rst_ni), .src_valid_i(src_valid_i), .src_ready_o(src_ready_o), .src_type_i(src_type_i),
        .src_body0_i(src_body0_i), .src_body1_i(src_body1_i), .src_queue_i(src_queue_i), .src_class_i(src_class_i),
        .src_ovf_i(src_ovf_i), .class_on_i(class_on), .backpressure_i(hw_backpressure), .time_i(now),
        .valid_o(st_valid), .queue_o(st_queue), .ovf_o(st_ovf), .type_o(st_type), .body0_o(st_body0),
        .body1_o(st_body1), .time_o(st_time), .done_i(st_done), .look_i(niq_index), .look_o(niq_entry),
        .full_stall_o(full_stall), .full_drop_o(full_drop), .stall_dbg_o(full_dbg_o), .drop_dbg_o(drop_dbg_o));

    notific_ring #(.PHASE_FIRST(PHASE_FIRST)) u_ring (
        .clk_i(clk_i), .rst_ni(rst_ni), .enable_i(enable), .turned_off_i(turned_off),
        .backpressure_i(sw_backpressure), .ignore_full_i(ignore_full), .threshold_en_i(threshold_en), .uart_i(uart),
        .base_i(base), .size_i(size), .head_i(head), .head_stale_i(head_stale), .head_write_i(head_write),
        .threshold_i(threshold), .tail_o(tail), .legal_o(legal), .full_o(full), .passed_o(passed),
        .valid_i(st_valid), .queue_i(st_queue), .ovf_i(st_ovf), .type_i(st_type), .body0_i(st_body0),
        .body1_i(st_body1), .time_i(st_time), .done_o(st_done), .push_o(push), .addr_o(addr), .record_o(record),
        .axi_full_i(axi_full), .axi_busy_i(busy), .axi_stall_o(axi_stall), .drop_off_o(drop_off),
        .drop_full_o(drop_full), .intr_full_o(intr_full), .intr_threshold_o(intr_threshold));

    notific_axi #(.MEM_W(MEM_W), .MAX_OUT(MAX_OUT)) u_axi (
        .clk_i(clk_i), .rst_ni(rst_ni), .push_i(push), .addr_i(addr), .record_i(record), .queue_i(st_queue),
        .id_i(axi_id), .full_o(axi_full), .busy_o(busy), .error_o(axi_error), .error_addr_o(error_addr),
        .look_i(naq_index), .look_o(naq_entry), .m_awid_o(m_awid_o), .m_awaddr_o(m_awaddr_o), .m_awlen_o(m_awlen_o),
        .m_awsize_o(m_awsize_o), .m_awburst_o(m_awburst_o), .m_awprot_o(m_awprot_o), .m_awvalid_o(m_awvalid_o),
        .m_awready_i(m_awready_i), .m_wdata_o(m_wdata_o), .m_wstrb_o(m_wstrb_o), .m_wlast_o(m_wlast_o),
        .m_wvalid_o(m_wvalid_o), .m_wready_i(m_wready_i), .m_berror_i(m_bresp_i[1]), .m_bvalid_i(m_bvalid_i),
        .m_bready_o(m_bready_o));

    notific_overlap u_overlap (
        .clk_i(clk_i), .rst_ni(rst_ni), .touched_i(turned_on | (enable & (base_write | size_write))),
        .live_i(enable & legal), .base_i(base), .size_i(size), .found_o(intr_overlap));

    // ---- interrupts ----------------------------------------------------------------------------------------------
    always @(posedge clk_i) begin
        if (!rst_ni) axi_stall_q <= 1'b0;
        else axi_stall_q <= axi_stall;
    end

    assign intr_o[`NINTR_SW_NQ_FULL]            = intr_full;
    assign intr_o[`NINTR_QUEUE_DISABLED]        = drop_off;
    assign intr_o[`NINTR_WR_BUFFER_FULL_STALL]  = full_stall;
    assign intr_o[`NINTR_WR_BUFFER_FULL_DROP]   = full_drop;
    assign intr_o[`NINTR_AXI_WRITE_ERR]         = axi_error;
    assign intr_o[`NINTR_AXI_OUTSTANDING_STALL] = axi_stall && !axi_stall_q;
    assign intr_o[`NINTR_SW_NQ_THLD_REACHED]    = intr_threshold;
    assign intr_o[`NINTR_OVERLAP]               = intr_overlap;
    assign intr_o[`NINTR_COAL_MULTI_HIT]        = 1'b0;

    // One ID, so the answers are in order and their ID says nothing. drop_full is for the tap.
    wire unused = &{1'b0, m_bid_i, m_bresp_i[0], drop_full};
endmodule
`default_nettype wire
