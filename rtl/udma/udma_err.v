// Error log of one direction (udma.md §14.3): the first error whose err_log_mask bit is clear leaves the four words of
// its descriptor in log_0..3; later ones do not change them until clear_err_log, which makes them 0 (an error in that
// clock is the first of the new time). Of errors in one clock the lowest numbered input wins. Latency 1 clock.
`default_nettype none

module udma_err (
    input  wire         clk_i,
    input  wire         rst_ni,
    input  wire         clear_i,
    input  wire [31:0]  mask_i,
    input  wire [2:0]   err_i,
    input  wire [14:0]  code_i,  // 5 bits each
    input  wire [383:0] words_i, // 128 bits each
    output wire [127:0] log_o
);
    reg         held_q;
    reg [127:0] log_q;
    assign log_o = log_q;

    wire [2:0] log = err_i & {!mask_i[code_i[14:10]], !mask_i[code_i[9:5]], !mask_i[code_i[4:0]]};

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            held_q <= 1'b0;
            log_q  <= 128'd0;
        end else if (clear_i && log == 3'd0) begin
            held_q <= 1'b0;
            log_q  <= 128'd0;
        end else if ((!held_q || clear_i) && log != 3'd0) begin
            held_q <= 1'b1;
            log_q  <= log[0] ? words_i[127:0] : log[1] ? words_i[255:128] : words_i[383:256];
        end
    end
endmodule
`default_nettype wire
