// General registers R0..R63 of one sequencer and the read-only R128/R129, the PC of the slot in hand
// (tpb-sequencer.md §4). Two asynchronous read ports and one write port, so the array can be distributed RAM; writes
// to R128/R129 are ignored. `clear_i` (and reset) zeroes the array one register per clock while `busy_o` is high
// (64 clocks); nothing else may write then. Register numbers are legal by the time they get here (seq_legal.v).
`default_nettype none
`include "regs.vh"

module seq_rf (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        clear_i,
    output wire        busy_o,
    input  wire [63:0] pc_i,
    input  wire [ 7:0] ra_i,
    input  wire [ 7:0] rb_i,
    output wire [31:0] a_o,
    output wire [31:0] b_o,
    input  wire        we_i,
    input  wire [ 7:0] wa_i,
    input  wire [31:0] wd_i
);

    reg [31:0] r [0:`REG_COUNT-1];
    reg [ 6:0] walk_q;

    wire       write = we_i && wa_i < `REG_COUNT;

    assign busy_o = !walk_q[6];
    assign a_o = ra_i == `REG_PC_LO ? pc_i[31:0] : ra_i == `REG_PC_HI ? pc_i[63:32] : r[ra_i[5:0]];
    assign b_o = rb_i == `REG_PC_LO ? pc_i[31:0] : rb_i == `REG_PC_HI ? pc_i[63:32] : r[rb_i[5:0]];

    always @(posedge clk_i) begin
        if (!rst_ni || clear_i) walk_q <= 7'd0;
        else if (busy_o) walk_q <= walk_q + 7'd1;
    end

    always @(posedge clk_i) begin
        if (busy_o || write) r[busy_o ? walk_q[5:0] : wa_i[5:0]] <= busy_o ? 32'd0 : wd_i;
    end

endmodule

`default_nettype wire
