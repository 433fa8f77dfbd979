// Reports every committed update of EVT_SEM as EV_SEM (regs/bench.regs). Field notes: code is the engine number (enum
// ENG) or 5 for the bus; the operand is what the requester gave (ignored by INC and DEC, whose amount is 1; the written
// word of a bus access; 0 for the side effect of a wait, which has queue 1 and mode EVT_WAIT_SET or EVT_WAIT_CLEAR).
`include "regs.vh"

module evt_tap #(
    parameter int UNIT = 0
) (
    input logic        clk_i,
    input logic        rst_ni,
    input logic        commit,
    input logic        by_wait,
    input logic        is_sem,
    input logic [2:0]  source,
    input logic [7:0]  mode,
    input logic [7:0]  idx,
    input logic [31:0] value,
    input logic [31:0] new_value,
    input logic        error,
    input logic [7:0]  error_id
);
    localparam logic [7:0] NO_ERROR = 8'hff;
    wire [31:0] error_word = {24'd0, error ? error_id : NO_ERROR};

    always @(posedge clk_i) begin
        if (rst_ni && commit)
            ev_pkg::neffsim_ev_words(`EV_SEM, UNIT, 32'(by_wait), 32'(is_sem), 32'(source), 32'(idx), value, 64'd0,
                                     {32'd0, new_value}, 2, {448'd0, error_word, 24'd0, mode});
    end
endmodule

bind evt_sem evt_tap #(.UNIT(UNIT)) u_evt_tap (.*);
