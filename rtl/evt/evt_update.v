// What one update code does to its event or semaphore (events-semaphores.md §4, §5.2). Combinational.
// READ and COMPLETE forms have the same effect and bit 7 (operand came from a register) is ignored. The code must be
// one of the table; evt_sem grants no other.
`default_nettype none
`include "regs.vh"

module evt_update (
    input  wire [7:0]  mode_i,
    input  wire [31:0] value_i,
    input  wire [31:0] sem_i, // present values
    input  wire        evt_i,
    output reg         is_sem_o,
    output reg  [31:0] new_o,    // new value; of an event 0 or 1
    output wire        double_o, // set of a set event or clear of a clear one
    output reg         wrap_o    // the counter left the signed range
);
    wire [7:0]  code   = mode_i & ~(8'd0 | `UPD_REG_BIT | `UPD_COMPLETE_BIT);
    wire        step   = code == `UPD_SEM_INC_READ || code == `UPD_SEM_DEC_READ;
    wire [31:0] amount = step ? 32'd1 : value_i;
    wire [31:0] sum    = sem_i + amount;
    wire [31:0] rest   = sem_i - amount;

    always @* begin
        is_sem_o = 1'b1;
        new_o    = value_i; // SEM_WR
        wrap_o   = 1'b0;
        case (code)
            `UPD_EVT_SET_READ, `UPD_EVT_CLR_READ: begin
                is_sem_o = 1'b0;
                new_o    = {31'd0, code == `UPD_EVT_SET_READ};
            end
            `UPD_SEM_INC_READ, `UPD_SEM_ADD_IMM_READ: begin
                new_o  = sum;
                wrap_o = sem_i[31] == amount[31] && sum[31] != sem_i[31];
            end
            `UPD_SEM_DEC_READ, `UPD_SEM_SUB_IMM_READ: begin
                new_o  = rest;
                wrap_o = sem_i[31] != amount[31] && rest[31] != sem_i[31];
            end
            default: ;
        endcase
    end

    assign double_o = !is_sem_o && new_o[0] == evt_i;
endmodule
`default_nettype wire
