// The rings: what becomes of the staged record (notification-queue.md §9.1 steps 4-7, §9.2, §9.3), tail, pass bit and
// threshold of every queue. Combinational decision on registered state; one record per clock.
//
//   drop_off_o   queue >= 10, disabled or of illegal size              interrupt 1
//   drop_full_o  ring full, policy drop                                 interrupt 0
//   push_o       the record goes to the AXI side
// A record of a full ring with sw_backpressure stays staged (interrupt 0 once); so does one whose ring is being reset
// or whose head is being settled, and one that finds no free AXI entry (axi_stall_o).
`default_nettype none
`include "regs.vh"

module notific_ring #(
    parameter PHASE_FIRST = `NQ_PHASE_FIRST
) (
    input  wire                     clk_i,
    input  wire                     rst_ni,

    // Configuration; queue i at bit or slice i.
    input  wire [`NQ_QUEUES-1:0]    enable_i,
    input  wire [`NQ_QUEUES-1:0]    turned_off_i,    // enable is cleared in this clock
    input  wire [`NQ_QUEUES-1:0]    backpressure_i,  // sw_backpressure
    input  wire [`NQ_QUEUES-1:0]    ignore_full_i,
    input  wire [`NQ_QUEUES-1:0]    threshold_en_i,
    input  wire                     uart_i,
    input  wire [64*`NQ_QUEUES-1:0] base_i,
    input  wire [32*`NQ_QUEUES-1:0] size_i,
    input  wire [32*`NQ_QUEUES-1:0] head_i,
    input  wire [`NQ_QUEUES-1:0]    head_stale_i,
    input  wire [`NQ_QUEUES-1:0]    head_write_i,
    input  wire [32*`NQ_QUEUES-1:0] threshold_i,

    output wire [32*`NQ_QUEUES-1:0] tail_o,
    output wire [`NQ_QUEUES-1:0]    legal_o, // size can be used
    output wire [`NQ_QUEUES-1:0]    full_o,
    output wire [`NQ_QUEUES-1:0]    passed_o,

    input  wire                     valid_i, // the staged record
    input  wire [3:0]               queue_i,
    input  wire                     ovf_i,
    input  wire [4:0]               type_i,
    input  wire [23:0]              body0_i,
    input  wire [31:0]              body1_i,
    input  wire [63:0]              time_i,
    output wire                     done_o,

    output wire                     push_o,
    output wire [63:0]              addr_o,
    output wire [127:0]             record_o,
    input  wire                     axi_full_i,
    input  wire [`NQ_QUEUES-1:0]    axi_busy_i, // writes of this queue are not answered yet
    output wire                     axi_stall_o,

    output wire                     drop_off_o,
    output wire                     drop_full_o,
    output wire                     intr_full_o,
    output wire                     intr_threshold_o
);
    reg [31:0]           tail_q [0:`NQ_QUEUES-1];
    reg [`NQ_QUEUES-1:0] phase_q;
    reg [`NQ_QUEUES-1:0] lost_q;     // records were dropped at the full ring since the last write
    reg [`NQ_QUEUES-1:0] passed_q;   // threshold reached
    reg [`NQ_QUEUES-1:0] clearing_q; // turned off: back to the start once its writes are answered (§12.3)
    reg                  told_q;     // interrupt 0 was raised for the staged record

    // ---- every queue -------------------------------------------------------------------------------------------
    wire [32*`NQ_QUEUES-1:0] next;

    genvar g;
    generate
        for (g = 0; g < `NQ_QUEUES; g = g + 1) begin : g_queue
            wire [31:0] size = size_i[32*g +: 32];
            wire [31:0] up   = tail_q[g] + `NQ_RECORD_BYTES;
            assign next[32*g +: 32]   = up >= size ? 32'd0 : up;
            assign legal_o[g]         = size >= `NQ_MIN_RING && size[3:0] == 4'd0;
            assign full_o[g]          = enable_i[g] && legal_o[g] && next[32*g +: 32] == head_i[32*g +: 32];
            assign tail_o[32*g +: 32] = tail_q[g];
        end
    endgenerate
    assign passed_o = passed_q;

    // ---- the staged record ---------------------------------------------------------------------------------------
    wire        exists = queue_i < `NQ_QUEUES;
    wire [3:0]  q      = exists ? queue_i : 4'd0;
    wire        usable = exists && enable_i[q] && legal_o[q];
    wire        hold   = head_stale_i[q] || clearing_q[q];
    wire        full   = full_o[q];
    wire        forced = full && !backpressure_i[q] && ignore_full_i[q]; // overwrite policy
    wire        ready  = valid_i && usable && !hold;
    wire        write  = ready && (!full || forced);
    wire        refuse = ready && full && !forced;

    assign push_o      = write && !axi_full_i;
    assign axi_stall_o = write && axi_full_i;
    assign drop_off_o  = valid_i && !usable;
    assign drop_full_o = refuse && !backpressure_i[q];
    assign done_o      = push_o || drop_off_o || drop_full_o;
    assign intr_full_o = refuse && !told_q;

    wire [31:0] tail      = tail_q[q];
    wire [31:0] size      = size_i[32*q +: 32];
    wire [31:0] head      = head_i[32*q +: 32];
    wire [31:0] new_tail  = uart_i ? tail : next[32*q +: 32];
    wire [31:0] usage     = new_tail >= head ? new_tail - head : new_tail + size - head;
    wire        sw_ovf    = lost_q[q] || forced;

    assign addr_o   = base_i[64*q +: 64] + (uart_i ? 64'd0 : {32'd0, tail});
    assign record_o = {time_i, body1_i, phase_q[q], ovf_i, sw_ovf, type_i, body0_i};
    assign intr_threshold_o = push_o && threshold_en_i[q] && !passed_q[q] && usage >= threshold_i[32*q +: 32];

    // ---- state ---------------------------------------------------------------------------------------------------
    integer i;
    always @(posedge clk_i) begin
        if (!rst_ni) begin
            phase_q    <= {`NQ_QUEUES{PHASE_FIRST != 0}};
            lost_q     <= {`NQ_QUEUES{1'b0}};
            passed_q   <= {`NQ_QUEUES{1'b0}};
            clearing_q <= {`NQ_QUEUES{1'b0}};
            told_q     <= 1'b0;
            for (i = 0; i < `NQ_QUEUES; i = i + 1)
                tail_q[i] <= `NQQ_TAIL_RESET;
        end else begin
            told_q <= valid_i && !done_o && (told_q || refuse);
            if (drop_full_o) lost_q[q] <= 1'b1;
            if (push_o) begin
                lost_q[q] <= 1'b0;
                tail_q[q] <= new_tail;
                if (!uart_i && new_tail == 32'd0) phase_q[q] <= !phase_q[q];
                if (intr_threshold_o) passed_q[q] <= 1'b1;
            end
            for (i = 0; i < `NQ_QUEUES; i = i + 1) begin
                if (head_write_i[i]) passed_q[i] <= 1'b0;
                if (turned_off_i[i]) begin
                    clearing_q[i] <= 1'b1;
                end else if (clearing_q[i] && !axi_busy_i[i]) begin
                    clearing_q[i] <= 1'b0;
                    tail_q[i]     <= 32'd0;
                    phase_q[i]    <= PHASE_FIRST != 0;
                    lost_q[i]     <= 1'b0;
                end
            end
        end
    end
endmodule
`default_nettype wire
