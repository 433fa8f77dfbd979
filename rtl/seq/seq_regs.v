// LOCAL_REG aperture of one sequencer (tpb-image.md §1.1): run control, 60 scratch registers lr[], hw_decode mode.
// APB3, zero wait states, never an error: an offset without a register reads 0 and ignores writes. What the engine
// writes wins over a host write in the same clock (the host's write happened first).
//   * start_ctrl is set by any non-zero write and cleared by the engine; writing 0 changes nothing.
//   * instr_halt_ctrl written as 1 also latches the EXT_BREAK surprise. Written back to 0 before the engine looks,
//     the surprise stays and the engine finds the register 0 (assertion fault, §1.3).
//   * intr_info reads 1 while RUNNING, else 0.
//   * the hw_decode bundle (profiler-and-trace.md §3) keeps what is written; of it only mode.ordering acts (strong),
//     the break and step control comes with the profiler.
`default_nettype none
`include "regs.vh"

module seq_regs (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        psel_i,
    input  wire        penable_i,
    input  wire        pwrite_i,
    input  wire [15:0] paddr_i,
    input  wire [31:0] pwdata_i,
    output wire [31:0] prdata_o,
    output wire        pready_o,
    output wire        pslverr_o,

    output wire        stall_o,      // release_run_stall
    output wire        start_o,      // start_ctrl
    output wire        surprise_o,   // EXT_BREAK latched
    output wire        halt_ctrl_o,  // instr_halt_ctrl
    output wire        strong_o,     // mode.ordering
    output wire        sp8_o,        // lr[9] bit 0
    output wire [63:0] resume_o,     // lr[4]:lr[3]
    output wire [63:0] lower_o,      // lr[6]:lr[5]
    output wire [63:0] upper_o,      // lr[8]:lr[7]
    input  wire [ 2:0] state_i,      // ESTATE_*
    input  wire        start_clr_i,
    input  wire        break_clr_i,
    input  wire        resume_we_i,
    input  wire [63:0] resume_i,
    input  wire        reason_we_i,
    input  wire [31:0] reason_i,
    input  wire        error_we_i,
    input  wire [31:0] error_i
);

    // hw_decode bundle: words from MODE to FLUSH_CNTR
    localparam HW_WORDS = (`LREG_FLUSH_CNTR_OFF - `LREG_MODE_OFF) / 4 + 1;
    function [31:0] hw_bits(input [31:0] off);
        case (off)
            `LREG_MODE_OFF:
                hw_bits = `LREG_MODE_DISABLE_HW_DECODE_MASK | `LREG_MODE_ORDERING_MASK | `LREG_MODE_BLOCK_MASK_MASK |
                          `LREG_MODE_FLUSH_EN_MASK;
            `LREG_BREAK_CTRL_OFF: hw_bits = `LREG_BREAK_CTRL_PAUSE_NOW_MASK | (`LREG_BREAK_CTRL_PAUSE_NOW_MASK - 1);
            `LREG_SEARCH_OFF:
                hw_bits = `LREG_SEARCH_BYTE0_MASK | `LREG_SEARCH_BYTE1_MASK | `LREG_SEARCH_BYTE2_MASK |
                          `LREG_SEARCH_BYTE3_MASK;
            `LREG_FLUSH_CNTR_OFF: hw_bits = `LREG_FLUSH_CNTR_CYCLES_MASK;
            default: hw_bits = 32'hffffffff;
        endcase
    endfunction
    function [31:0] hw_reset(input [31:0] off);
        case (off)
            `LREG_MODE_OFF: hw_reset = `LREG_MODE_RESET;
            `LREG_BREAK_CTRL_OFF: hw_reset = `LREG_BREAK_CTRL_RESET;
            `LREG_SEARCH_OFF: hw_reset = `LREG_SEARCH_RESET;
            `LREG_FLUSH_CNTR_OFF: hw_reset = `LREG_FLUSH_CNTR_RESET;
            default: hw_reset = 32'd0;
        endcase
    endfunction
    localparam PC_LO = (`LREG_PC_LO_OFF - `LREG_LR_BASE) / `LREG_LR_STRIDE;
    localparam PC_HI = (`LREG_PC_HI_OFF - `LREG_LR_BASE) / `LREG_LR_STRIDE;
    localparam BLL = (`LREG_BOUND_LO_LO_OFF - `LREG_LR_BASE) / `LREG_LR_STRIDE;
    localparam BLH = (`LREG_BOUND_LO_HI_OFF - `LREG_LR_BASE) / `LREG_LR_STRIDE;
    localparam BHL = (`LREG_BOUND_HI_LO_OFF - `LREG_LR_BASE) / `LREG_LR_STRIDE;
    localparam BHH = (`LREG_BOUND_HI_HI_OFF - `LREG_LR_BASE) / `LREG_LR_STRIDE;
    localparam MODE8 = (`LREG_SP_MODE_OFF - `LREG_LR_BASE) / `LREG_LR_STRIDE;
    localparam REASON = (`LREG_HALT_REASON_OFF - `LREG_LR_BASE) / `LREG_LR_STRIDE;
    localparam ERROR = (`LREG_ERROR_WORD_OFF - `LREG_LR_BASE) / `LREG_LR_STRIDE;

    reg        stall_q, start_q, surprise_q, halt_q;
    reg [ 3:0] intr_q;
    reg [31:0] hw_q [0:HW_WORDS-1];
    reg [31:0] lr_q [0:`LREG_LR_COUNT-1];

    wire       write = psel_i && penable_i && pwrite_i;
    wire       in_lr = paddr_i >= `LREG_LR_BASE && paddr_i < `LREG_LR_BASE + `LREG_LR_STRIDE * `LREG_LR_COUNT &&
                       paddr_i[4:0] == 5'd0;
    wire [5:0] n = paddr_i[10:5];
    wire       in_hw = paddr_i >= `LREG_MODE_OFF && paddr_i <= `LREG_FLUSH_CNTR_OFF && paddr_i[1:0] == 2'd0;
    wire [3:0] hw_n = paddr_i[5:2];
    wire [31:0] stored = in_lr ? lr_q[n] : in_hw ? hw_q[hw_n] : 32'd0;

    assign pready_o = 1'b1;
    assign pslverr_o = 1'b0;
    assign stall_o = stall_q;
    assign start_o = start_q;
    assign surprise_o = surprise_q;
    assign halt_ctrl_o = halt_q;
    assign strong_o = hw_q[0][`LREG_MODE_ORDERING_LSB];
    assign sp8_o = lr_q[MODE8][0];
    assign resume_o = {lr_q[PC_HI], lr_q[PC_LO]};
    assign lower_o = {lr_q[BLH], lr_q[BLL]};
    assign upper_o = {lr_q[BHH], lr_q[BHL]};

    reg [31:0] run_state, rdata;
    always @* begin
        case (state_i)
            `ESTATE_RUNNING: run_state = `RUN_RUNNING;
            `ESTATE_PAUSED: run_state = `RUN_PAUSED;
            `ESTATE_HALTED, `ESTATE_FAULT: run_state = `RUN_MARKER;
            default: run_state = `RUN_IDLE;
        endcase
        case (paddr_i)
            `LREG_RELEASE_RUN_STALL_OFF: rdata = {31'd0, stall_q};
            `LREG_START_CTRL_OFF: rdata = {31'd0, start_q};
            `LREG_RUN_STATE_OFF: rdata = run_state;
            `LREG_INSTR_HALT_CTRL_OFF: rdata = {31'd0, halt_q};
            `LREG_INTR_CTRL_OFF: rdata = {28'd0, intr_q};
            `LREG_INTR_INFO_OFF: rdata = {31'd0, state_i == `ESTATE_RUNNING};
            default: rdata = stored;
        endcase
    end
    assign prdata_o = psel_i && !pwrite_i ? rdata : 32'd0;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            stall_q <= `LREG_RELEASE_RUN_STALL_RESET != 0;
            start_q <= 1'b0;
            surprise_q <= 1'b0;
            halt_q <= 1'b0;
            intr_q <= 4'd0;
        end else begin
            if (write) begin
                case (paddr_i)
                    `LREG_RELEASE_RUN_STALL_OFF: stall_q <= pwdata_i[`LREG_RELEASE_RUN_STALL_STALL_LSB];
                    `LREG_START_CTRL_OFF: if (|pwdata_i) start_q <= 1'b1;
                    `LREG_INSTR_HALT_CTRL_OFF: begin
                        halt_q <= pwdata_i[`LREG_INSTR_HALT_CTRL_HALT_LSB];
                        if (pwdata_i[`LREG_INSTR_HALT_CTRL_HALT_LSB]) surprise_q <= 1'b1;
                    end
                    `LREG_INTR_CTRL_OFF: intr_q <= pwdata_i[3:0];
                    default: ;
                endcase
            end
            if (start_clr_i) start_q <= 1'b0;
            if (break_clr_i) begin
                surprise_q <= 1'b0;
                halt_q <= 1'b0;
            end
        end
    end

    integer i;
    always @(posedge clk_i) begin
        if (!rst_ni) begin
            for (i = 0; i < `LREG_LR_COUNT; i = i + 1) lr_q[i] <= 32'd0;
            for (i = 0; i < HW_WORDS; i = i + 1) hw_q[i] <= hw_reset(`LREG_MODE_OFF + 4 * i);
        end else begin
            if (write && in_lr) lr_q[n] <= pwdata_i;
            if (write && in_hw) hw_q[hw_n] <= pwdata_i & hw_bits({16'd0, paddr_i});
            if (resume_we_i) begin
                lr_q[PC_LO] <= resume_i[31:0];
                lr_q[PC_HI] <= resume_i[63:32];
            end
            if (reason_we_i) lr_q[REASON] <= reason_i;
            if (error_we_i) lr_q[ERROR] <= error_i;
        end
    end

endmodule

`default_nettype wire
