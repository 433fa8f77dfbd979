// APB master of the bench on the host port. The pins from C++ only feed registers, so that Verilator need not follow
// them through the whole core at every evaluation: a change of req_i asks for one access, ack_o equals it again when
// the access is done.
`default_nettype none

module host_port (
    input  wire         clk_i,
    input  wire         rst_ni,
    input  wire         req_i,
    input  wire         write_i,
    input  wire [63:0]  addr_i,
    input  wire [31:0]  data_i,
    output logic        ack_o,
    output logic [31:0] data_o,
    output logic        error_o,

    output logic        psel_o,
    output logic        penable_o,
    output logic        pwrite_o,
    output logic [63:0] paddr_o,
    output logic [31:0] pwdata_o,
    input  wire  [31:0] prdata_i,
    input  wire         pready_i,
    input  wire         pslverr_i
);
    always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
            {ack_o, data_o, error_o, psel_o, penable_o, pwrite_o, paddr_o, pwdata_o} <= '0;
        end else if (!psel_o) begin
            if (req_i != ack_o) begin
                psel_o   <= 1'b1;
                pwrite_o <= write_i;
                paddr_o  <= addr_i;
                pwdata_o <= data_i;
            end
        end else if (!penable_o) begin
            penable_o <= 1'b1;
        end else if (pready_i) begin
            psel_o    <= 1'b0;
            penable_o <= 1'b0;
            ack_o     <= req_i;
            data_o    <= prdata_i;
            error_o   <= pslverr_i;
        end
    end
endmodule
`default_nettype wire
