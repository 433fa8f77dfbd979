// Registers of the ten queues (notification-queue.md §3): storage, the read multiplexer and the write strobes.
// What the values mean is decided in notific_ring and notific_head; nothing latches before the ring is enabled, so the
// order in which software writes them does not matter (§12.2). Written at the end of the access, read combinational.
`default_nettype none
`include "regs.vh"

module notific_qregs (
    input  wire                        clk_i,
    input  wire                        rst_ni,
    input  wire                        write_i, // APB access phase of a write
    input  wire [11:0]                 addr_i,
    input  wire [31:0]                 wdata_i,
    output reg  [31:0]                 rdata_o, // 0 outside the queue registers

    // Queue i at slice i.
    output wire [64*`NQ_QUEUES-1:0]    base_o, // low 4 bits are 0
    output wire [32*`NQ_QUEUES-1:0]    size_o,
    output wire [32*`NQ_QUEUES-1:0]    head_o,
    output wire [32*`NQ_QUEUES-1:0]    threshold_o,
    input  wire [32*`NQ_QUEUES-1:0]    tail_i,
    output wire [`NQ_QUEUES-1:0]       head_write_o, // pulse in the clock of the write
    output wire [`NQ_QUEUES-1:0]       size_write_o,
    output wire [`NQ_QUEUES-1:0]       base_write_o
);
    wire [32*`NQ_QUEUES-1:0] rdata;

    genvar q;
    generate
        for (q = 0; q < `NQ_QUEUES; q = q + 1) begin : g_queue
            localparam [11:0] FIRST = `NQ_Q_BASE + q * `NQ_Q_STRIDE;

            reg  [31:0] base_lo_q, base_hi_q, size_q, head_q, threshold_q;
            wire        hit = addr_i >= FIRST && addr_i < FIRST + `NQ_Q_STRIDE;
            wire [11:0] off = hit ? addr_i - FIRST : 12'hfff; // no register is there
            reg  [31:0] word;

            always @(posedge clk_i) begin
                if (!rst_ni) begin
                    base_lo_q   <= `NQQ_BASE_LO_RESET;
                    base_hi_q   <= `NQQ_BASE_HI_RESET;
                    size_q      <= `NQQ_SIZE_RESET;
                    head_q      <= `NQQ_HEAD_RESET;
                    threshold_q <= `NQQ_THRESHOLD_RESET;
                end else if (write_i) begin
                    case (off)
                        `NQQ_BASE_LO_OFF:   base_lo_q   <= wdata_i;
                        `NQQ_BASE_HI_OFF:   base_hi_q   <= wdata_i;
                        `NQQ_SIZE_OFF:      size_q      <= wdata_i;
                        `NQQ_HEAD_OFF:      head_q      <= wdata_i;
                        `NQQ_THRESHOLD_OFF: threshold_q <= wdata_i;
                        default: ;
                    endcase
                end
            end

            always @* begin
                case (off)
                    `NQQ_BASE_LO_OFF:   word = base_lo_q;
                    `NQQ_BASE_HI_OFF:   word = base_hi_q;
                    `NQQ_SIZE_OFF:      word = size_q;
                    `NQQ_HEAD_OFF:      word = head_q;
                    `NQQ_TAIL_OFF:      word = tail_i[32*q +: 32];
                    `NQQ_THRESHOLD_OFF: word = threshold_q;
                    default:            word = 32'd0;
                endcase
            end

            assign rdata[32*q +: 32]       = word;
            assign base_o[64*q +: 64]      = {base_hi_q, base_lo_q[31:4], 4'd0};
            assign size_o[32*q +: 32]      = size_q;
            assign head_o[32*q +: 32]      = head_q;
            assign threshold_o[32*q +: 32] = threshold_q;
            assign head_write_o[q]         = write_i && off == `NQQ_HEAD_OFF;
            assign size_write_o[q]         = write_i && off == `NQQ_SIZE_OFF;
            assign base_write_o[q]         = write_i && (off == `NQQ_BASE_LO_OFF || off == `NQQ_BASE_HI_OFF);
        end
    endgenerate

    integer i;
    always @* begin
        rdata_o = 32'd0;
        for (i = 0; i < `NQ_QUEUES; i = i + 1)
            rdata_o = rdata_o | rdata[32*i +: 32];
    end
endmodule
`default_nettype wire
