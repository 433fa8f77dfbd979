// AXI4 memory of 64 KiB behind a 64-bit port: one burst per direction at a time, random stalls, every address wraps.
// The first 32 KiB start as bytes that tell their address, the rest as 0. fill_i writes a word, one a clock, before traffic.
`default_nettype none

module twin_mem (
    input  wire         clk_i,
    input  wire         rst_ni,
    input  wire [7:0]   rand_i,
    input  wire         fill_i,
    input  wire [15:0]  fill_addr_i,
    input  wire [63:0]  fill_data_i,
    input  wire [15:0]  awid_i,
    input  wire [63:0]  awaddr_i,
    input  wire         awvalid_i,
    output reg          awready_o,
    input  wire [63:0]  wdata_i,
    input  wire [7:0]   wstrb_i,
    input  wire         wlast_i,
    input  wire         wvalid_i,
    output reg          wready_o,
    output reg  [15:0]  bid_o,
    output reg          bvalid_o,
    input  wire         bready_i,
    input  wire [15:0]  arid_i,
    input  wire [63:0]  araddr_i,
    input  wire [7:0]   arlen_i,
    input  wire         arvalid_i,
    output reg          arready_o,
    output reg  [15:0]  rid_o,
    output reg  [63:0]  rdata_o,
    output reg          rlast_o,
    output reg          rvalid_o,
    input  wire         rready_i
);
    reg [63:0] mem [0:8191];
    reg        reading_q, writing_q, answering_q;
    reg [12:0] r_at_q, w_at_q; // words
    reg [7:0]  r_left_q;
    integer    i;

    initial begin
        for (i = 0; i < 4096; i = i + 1) mem[i] = {4{i[15:0]}} * 64'h0101_0301_0503_0701;
        for (i = 4096; i < 8192; i = i + 1) mem[i] = 64'd0;
    end

    wire [12:0] fill_at = fill_addr_i[15:3];
    wire [63:0] old = mem[w_at_q];
    reg  [63:0] merged;
    integer     k;
    always @* begin
        merged = old;
        for (k = 0; k < 8; k = k + 1) if (wstrb_i[k]) merged[8*k +: 8] = wdata_i[8*k +: 8];
    end

    always @(posedge clk_i) begin
        if (fill_i) mem[fill_at] <= fill_data_i;
        else if (wvalid_i && wready_o) mem[w_at_q] <= merged;
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            {reading_q, writing_q, answering_q, awready_o, wready_o, bvalid_o, arready_o, rlast_o, rvalid_o} <= 9'd0;
            {bid_o, rid_o} <= 32'd0;
            {r_at_q, w_at_q} <= 26'd0;
            r_left_q <= 8'd0;
            rdata_o <= 64'd0;
        end else begin
            arready_o <= !reading_q && !(arvalid_i && arready_o) && rand_i[1:0] != 2'd0;
            awready_o <= !writing_q && !answering_q && !(awvalid_i && awready_o) && rand_i[3:2] != 2'd0;
            wready_o  <= writing_q && !(wvalid_i && wready_o && wlast_i) && rand_i[5:4] != 2'd0;
            if (arvalid_i && arready_o) begin
                reading_q <= 1'b1;
                rid_o     <= arid_i;
                r_at_q    <= araddr_i[15:3];
                r_left_q  <= arlen_i;
            end
            if (!rvalid_o || rready_i) begin
                rvalid_o <= 1'b0;
                if (rvalid_o && rlast_o) begin
                    reading_q <= 1'b0;
                    rlast_o   <= 1'b0;
                end else if (reading_q && rand_i[7:6] != 2'd0) begin
                    rvalid_o <= 1'b1;
                    rlast_o  <= r_left_q == 8'd0;
                    rdata_o  <= mem[r_at_q];
                    r_left_q <= r_left_q - 8'd1;
                    r_at_q   <= r_at_q + 13'd1;
                end
            end
            if (awvalid_i && awready_o) begin
                writing_q <= 1'b1;
                bid_o     <= awid_i;
                w_at_q    <= awaddr_i[15:3];
            end
            if (wvalid_i && wready_o) begin
                w_at_q <= w_at_q + 13'd1;
                if (wlast_i) {writing_q, answering_q} <= 2'b01;
            end
            if (answering_q && !bvalid_o) bvalid_o <= 1'b1;
            if (bvalid_o && bready_i) {bvalid_o, answering_q} <= 2'b00;
        end
    end
endmodule
`default_nettype wire
