// Global registers of NOTIFIC (notification-queue.md §2) and its time (§7). The registers of the coalescer and of the
// write-order buffer are storage: this block always writes record by record (§9.5). Offsets that are not listed read 0
// and ignore writes; so do bits that no field declares. Written at the end of the access, read combinational.
`default_nettype none
`include "regs.vh"

module notific_regs #(
    parameter NIQ_COUNT = 60,
    parameter NAQ_COUNT = `NQ_MAX_OUT
) (
    input  wire                  clk_i,
    input  wire                  rst_ni,
    input  wire                  ts_rst_i, // clears the time and nothing else

    input  wire                  write_i, // APB access phase
    input  wire                  read_i,
    input  wire [11:0]           addr_i,
    input  wire [31:0]           wdata_i,
    output reg  [31:0]           rdata_o, // 0 outside these registers

    output reg  [`NQ_QUEUES-1:0] enable_o,
    output wire [`NQ_QUEUES-1:0] turned_on_o,  // the bit rises with the write of this clock
    output wire [`NQ_QUEUES-1:0] turned_off_o, // or falls
    output reg  [`NQ_QUEUES-1:0] sw_backpressure_o,
    output reg  [`NQ_QUEUES-1:0] ignore_full_o,
    output reg  [`NQ_QUEUES-1:0] threshold_en_o,
    output reg  [63:0]           hw_backpressure_o,
    output reg  [63:0]           class_on_o,
    output reg                   uart_o,
    output reg  [15:0]           axi_id_o,
    output wire [63:0]           time_o, // picoseconds

    input  wire                  written_i,  // a record went to the AXI side in this clock
    input  wire                  stall_i,    // the AXI side stalls the pipe
    input  wire                  error_i,    // error answer
    input  wire [63:0]           error_addr_i,
    input  wire [`NQ_QUEUES-1:0] full_i,
    input  wire [`NQ_QUEUES-1:0] passed_i,

    output reg  [8:0]            niq_index_o,
    input  wire [143:0]          niq_i,
    output reg  [8:0]            naq_index_o,
    input  wire [223:0]          naq_i
);
    localparam TIME_W = 64 + `NQ_TIMESTAMP_FRAC;

    reg [TIME_W-1:0] time_q;
    reg [23:0]       inc_q;
    reg [63:0]       error_addr_q;
    reg [31:0]       stalls_q, stats_q, coal_timer_q, spare0_q, spare1_q;
    reg [20:0]       coal_ctrl_q;
    reg [2:0]        wob_ctrl_q;

    assign time_o       = time_q[TIME_W-1 -: 64];
    wire   enable_write = write_i && addr_i == `NQ_ENABLE_OFF;
    assign turned_on_o  = enable_write ? wdata_i[`NQ_QUEUES-1:0] & ~enable_o : {`NQ_QUEUES{1'b0}};
    assign turned_off_o = enable_write ? ~wdata_i[`NQ_QUEUES-1:0] & enable_o : {`NQ_QUEUES{1'b0}};

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            hw_backpressure_o[63:32] <= `NQ_HW_BACKPRESSURE_HI_RESET;
            hw_backpressure_o[31:0]  <= `NQ_HW_BACKPRESSURE_LO_RESET;

            sw_backpressure_o <= `NQ_SW_BACKPRESSURE_RESET;
            enable_o          <= `NQ_ENABLE_RESET;
            ignore_full_o     <= `NQ_SW_OVERFLOW_RESET;
            uart_o            <= `NQ_UART_MODE_RESET;
            axi_id_o          <= `NQ_AXI_ID_RESET;
            class_on_o[63:32] <= `NQ_WR_BUF_ENABLE_HI_RESET;
            class_on_o[31:0]  <= `NQ_WR_BUF_ENABLE_LO_RESET;
            niq_index_o       <= `NQ_NIQ_BUFFER_INDEX_RESET;
            naq_index_o       <= `NQ_NAQ_BUFFER_INDEX_RESET;
            coal_timer_q      <= `NQ_COAL_TIMER_RESET;
            coal_ctrl_q       <= `NQ_COAL_CTRL_RESET;
            wob_ctrl_q        <= `NQ_WOB_CTRL_RESET;
            threshold_en_o    <= `NQ_THRESHOLD_EN_RESET;
            inc_q             <= `NQ_TIMESTAMP_INC_RESET;
            spare0_q          <= `NQ_SPARE_0S_RESET;
            spare1_q          <= `NQ_SPARE_1S_RESET;
        end else if (write_i) begin
            case (addr_i)
                `NQ_SW_BACKPRESSURE_OFF:    sw_backpressure_o        <= wdata_i[`NQ_QUEUES-1:0];
                `NQ_HW_BACKPRESSURE_LO_OFF: hw_backpressure_o[31:0]  <= wdata_i;
                `NQ_HW_BACKPRESSURE_HI_OFF: hw_backpressure_o[63:32] <= wdata_i;
                `NQ_ENABLE_OFF:             enable_o                 <= wdata_i[`NQ_QUEUES-1:0];
                `NQ_SW_OVERFLOW_OFF:        ignore_full_o            <= wdata_i[`NQ_QUEUES-1:0];
                `NQ_UART_MODE_OFF:          uart_o                   <= wdata_i[0];
                `NQ_AXI_ID_OFF:             axi_id_o                 <= wdata_i[15:0];
                `NQ_WR_BUF_ENABLE_LO_OFF:   class_on_o[31:0]         <= wdata_i;
                `NQ_WR_BUF_ENABLE_HI_OFF:   class_on_o[63:32]        <= wdata_i;
                `NQ_NIQ_BUFFER_INDEX_OFF:   niq_index_o              <= wdata_i[8:0];
                `NQ_NAQ_BUFFER_INDEX_OFF:   naq_index_o              <= wdata_i[8:0];
                `NQ_COAL_TIMER_OFF:         coal_timer_q             <= wdata_i;
                `NQ_COAL_CTRL_OFF:          coal_ctrl_q              <= wdata_i[20:0];
                `NQ_WOB_CTRL_OFF:           wob_ctrl_q               <= wdata_i[2:0];
                `NQ_THRESHOLD_EN_OFF:       threshold_en_o           <= wdata_i[`NQ_QUEUES-1:0];
                `NQ_TIMESTAMP_INC_OFF:      inc_q                    <= wdata_i[23:0];
                `NQ_SPARE_0S_OFF:           spare0_q                 <= wdata_i;
                `NQ_SPARE_1S_OFF:           spare1_q                 <= wdata_i;
                default: ;
            endcase
        end
    end

    // Counters that clear when they are read keep what happens in the clock of the read.
    wire stats_read  = read_i && addr_i == `NQ_STATS_OFF;
    wire stalls_read = read_i && addr_i == `NQ_PIPELINE_STALL_COUNT_OFF;
    wire stalls_clr  = write_i && addr_i == `NQ_PIPELINE_STALL_OFF && wdata_i[`NQ_PIPELINE_STALL_CLR_LSB];

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            stats_q      <= `NQ_STATS_RESET;
            stalls_q     <= `NQ_PIPELINE_STALL_COUNT_RESET;
            error_addr_q[63:32] <= `NQ_ERROR_ADDR_HI_RESET;
            error_addr_q[31:0]  <= `NQ_ERROR_ADDR_LO_RESET;
        end else begin
            stats_q  <= (stats_read ? 32'd0 : stats_q) + {31'd0, written_i};
            stalls_q <= (stalls_read || stalls_clr ? 32'd0 : stalls_q) + {31'd0, stall_i};
            if (error_i) error_addr_q <= error_addr_i;
        end
    end

    always @(posedge clk_i) begin
        if (!rst_ni || ts_rst_i) time_q <= {TIME_W{1'b0}};
        else time_q <= time_q + {{(TIME_W-24){1'b0}}, inc_q};
    end

    always @* begin
        case (addr_i)
            `NQ_TIMESTAMP_LO_OFF:         rdata_o = time_o[31:0];
            `NQ_TIMESTAMP_HI_OFF:         rdata_o = time_o[63:32];
            `NQ_SW_BACKPRESSURE_OFF:      rdata_o = {{(32-`NQ_QUEUES){1'b0}}, sw_backpressure_o};
            `NQ_HW_BACKPRESSURE_LO_OFF:   rdata_o = hw_backpressure_o[31:0];
            `NQ_HW_BACKPRESSURE_HI_OFF:   rdata_o = hw_backpressure_o[63:32];
            `NQ_ENABLE_OFF:               rdata_o = {{(32-`NQ_QUEUES){1'b0}}, enable_o};
            `NQ_SW_OVERFLOW_OFF:          rdata_o = {{(32-`NQ_QUEUES){1'b0}}, ignore_full_o};
            `NQ_UART_MODE_OFF:            rdata_o = {31'd0, uart_o};
            `NQ_AXI_ID_OFF:               rdata_o = {16'd0, axi_id_o};
            `NQ_WR_BUF_ENABLE_LO_OFF:     rdata_o = class_on_o[31:0];
            `NQ_WR_BUF_ENABLE_HI_OFF:     rdata_o = class_on_o[63:32];
            `NQ_ERROR_ADDR_LO_OFF:        rdata_o = error_addr_q[31:0];
            `NQ_ERROR_ADDR_HI_OFF:        rdata_o = error_addr_q[63:32];
            `NQ_PIPELINE_STALL_COUNT_OFF: rdata_o = stalls_q;
            `NQ_NIQ_BUFFER_COUNT_OFF:     rdata_o = NIQ_COUNT;
            `NQ_NIQ_BUFFER_INDEX_OFF:     rdata_o = {23'd0, niq_index_o};
            `NQ_NIQ_BUFFER_0_OFF:         rdata_o = niq_i[31:0];
            `NQ_NIQ_BUFFER_1_OFF:         rdata_o = niq_i[63:32];
            `NQ_NIQ_BUFFER_2_OFF:         rdata_o = niq_i[95:64];
            `NQ_NIQ_BUFFER_3_OFF:         rdata_o = niq_i[127:96];
            `NQ_NIQ_BUFFER_4_OFF:         rdata_o = {16'd0, niq_i[143:128]};
            `NQ_NAQ_BUFFER_COUNT_OFF:     rdata_o = NAQ_COUNT;
            `NQ_NAQ_BUFFER_INDEX_OFF:     rdata_o = {23'd0, naq_index_o};
            `NQ_NAQ_BUFFER_0_OFF:         rdata_o = naq_i[31:0];
            `NQ_NAQ_BUFFER_1_OFF:         rdata_o = naq_i[63:32];
            `NQ_NAQ_BUFFER_2_OFF:         rdata_o = naq_i[95:64];
            `NQ_NAQ_BUFFER_3_OFF:         rdata_o = naq_i[127:96];
            `NQ_NAQ_BUFFER_4_OFF:         rdata_o = naq_i[159:128];
            `NQ_NAQ_BUFFER_5_OFF:         rdata_o = naq_i[191:160];
            `NQ_NAQ_BUFFER_6_OFF:         rdata_o = naq_i[223:192];
            `NQ_STATS_OFF:                rdata_o = stats_q;
            `NQ_COAL_TIMER_OFF:           rdata_o = coal_timer_q;
            `NQ_COAL_CTRL_OFF:            rdata_o = {11'd0, coal_ctrl_q};
            `NQ_WOB_CTRL_OFF:             rdata_o = {29'd0, wob_ctrl_q};
            `NQ_THRESHOLD_EN_OFF:         rdata_o = {{(32-`NQ_QUEUES){1'b0}}, threshold_en_o};
            `NQ_FULL_OFF:                 rdata_o = {{(32-`NQ_QUEUES){1'b0}}, full_i};
            `NQ_THRESHOLD_PASSED_OFF:     rdata_o = {{(32-`NQ_QUEUES){1'b0}}, passed_i};
            `NQ_TIMESTAMP_INC_OFF:        rdata_o = {8'd0, inc_q};
            `NQ_SPARE_0S_OFF:             rdata_o = spare0_q;
            `NQ_SPARE_1S_OFF:             rdata_o = spare1_q;
            default:                      rdata_o = 32'd0;
        endcase
    end
endmodule
`default_nettype wire
