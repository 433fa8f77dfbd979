// Twin bench of the sequencer's decoder and ALU: random slots, half of them with an opcode of the control set and small
// fields, and every operation on random and edge operands; divisions are started and waited for.
`default_nettype none
`include "regs.vh"

module twin_seq (
    input wire clk_i,
    input wire rst_ni
);
    wire [639:0] r;
    twin_rand #(.W(640), .SEED(64'd11)) u_rand (.clk_i(clk_i), .rst_ni(rst_ni), .rand_o(r));

    // ---- decoder ------------------------------------------------------------------------------------------------------
    reg  [511:0] slot;
    wire [7:0]   opcode;
    wire [3:0]   hint;
    wire [15:0]  hint_ext, trace_ext, wait_mode, wait_idx, upd_mode, upd_idx;
    wire         trace_start, trace_end, trace_note, bad, illegal, failed;
    wire [1:0]   wait_need, upd_need;

    integer i;
    always @(posedge clk_i) begin
        if (!rst_ni) slot <= 512'd0;
        else begin
            for (i = 0; i < 64; i = i + 1)
                slot[8*i +: 8] <= r[512] ? r[8*i +: 8] : r[8*i+7] ? 8'd0 : {4'd0, r[8*i +: 4]};
            if (!r[513]) slot[8*`SLOT_HDR_OPCODE_OFF +: 8] <= {3'b101, r[518:514]};
        end
    end

    seq_decode u_decode (
        .slot_i(slot), .opcode_o(opcode), .hint_o(hint), .hint_ext_o(hint_ext), .trace_start_o(trace_start),
        .trace_end_o(trace_end), .trace_note_o(trace_note), .trace_ext_o(trace_ext), .wait_need_o(wait_need),
        .wait_mode_o(wait_mode), .wait_idx_o(wait_idx), .upd_need_o(upd_need), .upd_mode_o(upd_mode),
        .upd_idx_o(upd_idx), .bad_o(bad), .illegal_o(illegal), .assert_o(failed));

    // ---- ALU ----------------------------------------------------------------------------------------------------------
    reg  [7:0]  op;
    reg         is_signed, start, busy;
    reg  [31:0] a, b;
    wire [31:0] result;
    wire        divides, zero, done;
    wire        start_now = start && divides && !zero;

    function [31:0] operand(input [34:0] n);
        case (n[34:32])
            3'd0:    operand = 32'h80000000;
            3'd1:    operand = 32'hffffffff;
            3'd2:    operand = {27'd0, n[4:0]};
            3'd3:    operand = {n[0], 31'd0} - {31'd0, n[1]};
            default: operand = n[31:0];
        endcase
    endfunction

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            {is_signed, start, busy} <= 3'd0;
            op     <= 8'd0;
            {a, b} <= 64'd0;
        end else if (busy) begin
            start <= 1'b0;
            if (done) busy <= 1'b0;
        end else if (start_now) begin
            start <= 1'b0;
            busy  <= 1'b1;
        end else begin
            start     <= 1'b1;
            is_signed <= r[519];
            op        <= r[520] ? {3'b000, r[525:521]} : {3'b110, r[525:521]};
            a         <= operand(r[560:526]);
            b         <= operand(r[595:561]);
        end
    end

    seq_alu u_alu (
        .clk_i(clk_i), .rst_ni(rst_ni), .op_i(op), .signed_i(is_signed), .a_i(a), .b_i(b), .result_o(result),
        .divides_o(divides), .zero_o(zero), .start_i(start_now), .done_o(done));
endmodule
`default_nettype wire
