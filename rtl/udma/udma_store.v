// Storage behind the registers that software can read back: a RAM and one "was written" bit per word, so that reset
// costs one clock and a word that was never written reads its reset value (given by the caller). Read combinational.
`default_nettype none

module udma_store #(
    parameter WORDS = 2048, // power of two
    parameter AW    = 11
) (
    input  wire          clk_i,
    input  wire          rst_ni,
    input  wire [AW-1:0] addr_i,
    input  wire          write_i,
    input  wire [31:0]   data_i,
    input  wire [31:0]   reset_i,
    input  wire [31:0]   fields_i,
    output wire [31:0]   data_o
);
    reg [31:0]      ram [0:WORDS-1];
    reg [WORDS-1:0] written_q;

    assign data_o = (written_q[addr_i] ? ram[addr_i] : reset_i) & fields_i;

    always @(posedge clk_i) begin
        if (write_i) ram[addr_i] <= data_i;
    end

    always @(posedge clk_i) begin
        if (!rst_ni) written_q <= {WORDS{1'b0}};
        else if (write_i) written_q[addr_i] <= 1'b1;
    end
endmodule
`default_nettype wire
