// Integer ALU of the control instructions: ALU_OP on 32-bit operands and the fold of POLL_SEM (tpb-compute.md §4 for
// the codes). Both bands give the same operation; signedness is that of a code marked INT or UINT, else `signed_i`
// (the slot's dtype). Arithmetic is modulo 2^32, shift amounts of 32 and more shift everything out, compares and
// logical operations give 1 or 0, divide and remainder truncate toward zero (INT_MIN / -1 wraps to INT_MIN, rest 0).
// Everything is combinational except divide and remainder: `start_i` with the operands, `done_o` 33 clocks later with
// the result on `result_o` in that clock. A divisor of 0 is reported by `zero_o` and must not be started.
`default_nettype none
`include "regs.vh"

module seq_alu (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire [ 7:0] op_i,
    input  wire        signed_i,
    input  wire [31:0] a_i,
    input  wire [31:0] b_i,
    output reg  [31:0] result_o,
    output wire        divides_o,
    output wire        zero_o,
    input  wire        start_i,
    output wire        done_o
);

    wire either = op_i <= `ALU_INT_ADD || op_i == `ALU_INT_SUB || op_i == `ALU_INT_EQ || op_i == `ALU_INT_NE;
    wire is_signed = either ? signed_i : op_i < `ALU_UINT_MAX;
    wire neg_a = is_signed && a_i[31];
    wire neg_b = is_signed && b_i[31];
    wire [31:0] abs_a = neg_a ? -a_i : a_i;
    wire [31:0] abs_b = neg_b ? -b_i : b_i;

    wire eq = a_i == b_i;
    wire lt = is_signed ? $signed(a_i) < $signed(b_i) : a_i < b_i;
    wire big_shift = |b_i[31:5];
    wire [31:0] shl = big_shift ? 32'd0 : a_i << b_i[4:0];
    wire [31:0] shr = big_shift ? 32'd0 : a_i >> b_i[4:0];
    wire signed [31:0] value = a_i;
    wire [31:0] sar = value >>> (big_shift ? 5'd31 : b_i[4:0]);

    wire is_div = op_i == `ALU_DIVIDE || op_i == `ALU_INT_DIV || op_i == `ALU_UINT_DIV;
    wire is_mod = op_i == `ALU_MOD || op_i == `ALU_INT_MOD || op_i == `ALU_UINT_MOD;

    assign divides_o = is_div || is_mod;
    assign zero_o = divides_o && b_i == 32'd0;

    // Restoring division of the magnitudes, one quotient bit per clock.
    reg [31:0] quo_q, rem_q, den_q;
    reg [ 5:0] left_q;
    reg        run_q, neg_quo_q, neg_rem_q;
    wire [32:0] part = {rem_q, quo_q[31]};
    wire [32:0] diff = part - {1'b0, den_q};

    assign done_o = run_q && left_q == 6'd0;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            run_q <= 1'b0;
            left_q <= 6'd0;
            quo_q <= 32'd0;
            rem_q <= 32'd0;
            den_q <= 32'd0;
            neg_quo_q <= 1'b0;
            neg_rem_q <= 1'b0;
        end else if (start_i) begin
            run_q <= 1'b1;
            left_q <= 6'd32;
            quo_q <= abs_a;
            rem_q <= 32'd0;
            den_q <= abs_b;
            neg_quo_q <= neg_a != neg_b;
            neg_rem_q <= neg_a;
        end else if (done_o) begin
            run_q <= 1'b0;
        end else if (run_q) begin
            left_q <= left_q - 6'd1;
            quo_q <= {quo_q[30:0], !diff[32]};
            rem_q <= diff[32] ? part[31:0] : diff[31:0];
        end
    end

    always @* begin
        case (op_i)
            `ALU_NOT: result_o = ~a_i;
            `ALU_SHL, `ALU_SHL_ARITH: result_o = shl;
            `ALU_SHR: result_o = shr;
            `ALU_SHR_ARITH: result_o = sar;
            `ALU_ADD, `ALU_INT_ADD: result_o = a_i + b_i;
            `ALU_SUB, `ALU_INT_SUB: result_o = a_i - b_i;
            `ALU_MULT, `ALU_INT_MULT, `ALU_UINT_MULT: result_o = a_i * b_i;
            `ALU_DIVIDE, `ALU_INT_DIV, `ALU_UINT_DIV: result_o = neg_quo_q ? -quo_q : quo_q;
            `ALU_MOD, `ALU_INT_MOD, `ALU_UINT_MOD: result_o = neg_rem_q ? -rem_q : rem_q;
            `ALU_MAX, `ALU_INT_MAX, `ALU_UINT_MAX: result_o = lt ? b_i : a_i;
            `ALU_MIN, `ALU_INT_MIN, `ALU_UINT_MIN: result_o = lt ? a_i : b_i;
            `ALU_AND: result_o = a_i & b_i;
            `ALU_OR: result_o = a_i | b_i;
            `ALU_XOR: result_o = a_i ^ b_i;
            `ALU_LOGICAL_AND: result_o = {31'd0, (|a_i) && (|b_i)};
            `ALU_LOGICAL_OR: result_o = {31'd0, (|a_i) || (|b_i)};
            `ALU_LOGICAL_XOR: result_o = {31'd0, (|a_i) != (|b_i)};
            `ALU_EQ, `ALU_INT_EQ: result_o = {31'd0, eq};
            `ALU_NE, `ALU_INT_NE: result_o = {31'd0, !eq};
            `ALU_GT, `ALU_INT_GT, `ALU_UINT_GT: result_o = {31'd0, !lt && !eq};
            `ALU_GE, `ALU_INT_GE, `ALU_UINT_GE: result_o = {31'd0, !lt};
            `ALU_LE, `ALU_INT_LE, `ALU_UINT_LE: result_o = {31'd0, lt || eq};
            `ALU_LT, `ALU_INT_LT, `ALU_UINT_LT: result_o = {31'd0, lt};
            `ALU_ABSDIFF, `ALU_INT_ABSDIFF: result_o = lt ? b_i - a_i : a_i - b_i;
            `ALU_ABS: result_o = abs_a;
            `ALU_INT_ABSMAX: result_o = abs_a < abs_b ? abs_b : abs_a;
            `ALU_INT_ABSMIN: result_o = abs_a < abs_b ? abs_a : abs_b;
            default: result_o = a_i; // ALU_BYPASS; every other code is refused before it gets here
        endcase
    end

endmodule

`default_nettype wire
