// Answers what the address map does not know (profiler-and-trace.md §9 rule 1): DECERR, reads return 0xDEADBEEF in
// every word. Takes one burst per direction at a time; latency 1 clock, a read gives one beat per clock.
`default_nettype none
`include "regs.vh"

module axi_decerr #(
    parameter MEM_W = 512
) (
    input  wire             clk_i,
    input  wire             rst_ni,
    input  wire [20:0]      awid_i,
    input  wire             awvalid_i,
    output wire             awready_o,
    input  wire             wlast_i,
    input  wire             wvalid_i,
    output wire             wready_o,
    output wire [20:0]      bid_o,
    output wire [1:0]       bresp_o,
    output wire             bvalid_o,
    input  wire             bready_i,
    input  wire [20:0]      arid_i,
    input  wire [7:0]       arlen_i,
    input  wire             arvalid_i,
    output wire             arready_o,
    output wire [20:0]      rid_o,
    output wire [MEM_W-1:0] rdata_o,
    output wire [1:0]       rresp_o,
    output wire             rlast_o,
    output wire             rvalid_o,
    input  wire             rready_i
);
    localparam [31:0] POISON = `SOC_POISON;
    localparam [1:0] W_IDLE = 2'd0, W_DRAIN = 2'd1, W_RESP = 2'd2;

    reg [1:0]  write_q;
    reg [20:0] bid_q, rid_q;
    reg        reading_q;
    reg [7:0]  left_q; // read beats after the present one

    assign awready_o = write_q == W_IDLE;
    assign wready_o  = write_q == W_DRAIN;
    assign bvalid_o  = write_q == W_RESP;
    assign bid_o     = bid_q;
    assign bresp_o   = `AXI_DECERR;

    assign arready_o = !reading_q;
    assign rvalid_o  = reading_q;
    assign rid_o     = rid_q;
    assign rdata_o   = {MEM_W/32{POISON}};
    assign rresp_o   = `AXI_DECERR;
    assign rlast_o   = left_q == 8'd0;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            write_q   <= W_IDLE;
            reading_q <= 1'b0;
            bid_q     <= 21'd0;
            rid_q     <= 21'd0;
            left_q    <= 8'd0;
        end else begin
            case (write_q)
            W_IDLE: if (awvalid_i) begin
                bid_q   <= awid_i;
                write_q <= W_DRAIN;
            end
            W_DRAIN: if (wvalid_i && wlast_i) write_q <= W_RESP;
            default: if (bready_i) write_q <= W_IDLE;
            endcase
            if (!reading_q) begin
                reading_q <= arvalid_i;
                rid_q     <= arid_i;
                left_q    <= arlen_i;
            end else if (rready_i) begin
                reading_q <= left_q != 8'd0;
                left_q    <= left_q - {7'd0, left_q != 8'd0};
            end
        end
    end
endmodule
`default_nettype wire
