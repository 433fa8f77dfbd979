// Compare of COMPARE_BRANCH (tpb-sequencer.md §4.7): signed, unsigned or fp32 order by the slot's dtype. Fp32 follows
// IEEE 754: -0 equals +0, and with a NaN on either side only NE holds. Combinational.
`default_nettype none
`include "regs.vh"

module seq_cmp (
    input  wire [ 7:0] cmp_op_i,
    input  wire [ 7:0] dtype_i,
    input  wire [31:0] a_i,
    input  wire [31:0] b_i,
    output reg         true_o
);

    localparam FP_EXP_MAX = 8'hff; // IEEE 754 binary32: exponent of infinities and NaN

    wire fp = dtype_i == `DTYPE_FP32;
    wire nan = fp && ((a_i[30:23] == FP_EXP_MAX && |a_i[22:0]) || (b_i[30:23] == FP_EXP_MAX && |b_i[22:0]));
    wire zeros = fp && a_i[30:0] == 31'd0 && b_i[30:0] == 31'd0;

    wire eq = zeros || (a_i == b_i);
    wire lt_int = dtype_i == `DTYPE_INT32 ? $signed(a_i) < $signed(b_i) : a_i < b_i;
    wire lt_fp = a_i[31] != b_i[31] ? a_i[31] : a_i[31] ? b_i[30:0] < a_i[30:0] : a_i[30:0] < b_i[30:0];
    wire lt = fp ? lt_fp && !zeros : lt_int;

    always @* begin
        case (cmp_op_i)
            `CMP_LT_IMM, `CMP_LT_REG: true_o = !nan && lt;
            `CMP_LE_IMM, `CMP_LE_REG: true_o = !nan && (lt || eq);
            `CMP_EQ_IMM, `CMP_EQ_REG: true_o = !nan && eq;
            `CMP_NE_IMM, `CMP_NE_REG: true_o = nan || !eq;
            `CMP_GE_IMM, `CMP_GE_REG: true_o = !nan && !lt;
            `CMP_GT_IMM, `CMP_GT_REG: true_o = !nan && !lt && !eq;
            default: true_o = 1'b1; // CMP_ALWAYS; every other code is refused before it gets here
        endcase
    end

endmodule

`default_nettype wire
