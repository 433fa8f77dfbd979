// Wait predicate of one engine (events-semaphores.md §5.1), combinational on the registered arrays.
//   hold_o: the predicate is true now and the wait has no side effect.
//   take_o: the predicate is true now and passing must also change the event to new_o, which needs the arbiter.
// Both stay 0 for a code that is not in the table: the sequencer faults on it before it asks.
`default_nettype none
`include "regs.vh"

module evt_wait #(
    parameter SEM_UNSIGNED_CMP = 0 // 1: semaphores compare as unsigned words
) (
    input  wire [7:0]  mode_i,
    input  wire [31:0] value_i,
    input  wire [31:0] sem_i, // the semaphore and the event that the wait names
    input  wire        evt_i,
    output reg         hold_o,
    output reg         take_o,
    output wire        new_o
);
    // Flipping the sign bits turns a signed comparison into an unsigned one.
    localparam [31:0] BIAS = SEM_UNSIGNED_CMP != 0 ? 32'd0 : 32'h8000_0000;

    wire equal = sem_i == value_i;
    wire less  = (sem_i ^ BIAS) < (value_i ^ BIAS);

    assign new_o = mode_i == `WAIT_EVT_CLEAR_THEN_SET;

    always @* begin
        hold_o = 1'b0;
        take_o = 1'b0;
        case (mode_i)
            `WAIT_NONE, `WAIT_UNORDERED:         hold_o = 1'b1;
            `WAIT_SEM_EQ_IMM, `WAIT_SEM_EQ_REG:  hold_o = equal;
            `WAIT_SEM_LT_IMM, `WAIT_SEM_LT_REG:  hold_o = less;
            `WAIT_SEM_LE_IMM, `WAIT_SEM_LE_REG:  hold_o = less || equal;
            `WAIT_SEM_GT_IMM, `WAIT_SEM_GT_REG:  hold_o = !less && !equal;
            `WAIT_SEM_GE_IMM, `WAIT_SEM_GE_REG:  hold_o = !less;
            `WAIT_EVT_SET:                       hold_o = evt_i;
            `WAIT_EVT_CLEAR:                     hold_o = !evt_i;
            `WAIT_EVT_SET_THEN_CLEAR:            take_o = evt_i;
            `WAIT_EVT_CLEAR_THEN_SET:            take_o = !evt_i;
            default: ;
        endcase
    end
endmodule
`default_nettype wire
