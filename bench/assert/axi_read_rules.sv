// AXI4 read channels as docs/rtl.md narrows them, seen between one master and one slave: INCR only, a burst stays in its
// 4 KiB, more than one beat means full-width beats; data only for a burst that was asked for, in its ID, with rlast on its
// last beat. IN_ORDER: bursts are answered one after the other in the order of their addresses.
`default_nettype none

module axi_read_rules #(
    parameter int MEM_W = 512,
    parameter int IDW = 16,
    parameter bit IN_ORDER = 1,
    parameter bit STRICT = 1 // no bursts of narrow beats
) (
    input wire             clk_i,
    input wire             rst_ni,
    input wire [IDW-1:0]   arid,
    input wire [63:0]      araddr,
    input wire [7:0]       arlen,
    input wire [2:0]       arsize,
    input wire [1:0]       arburst,
    input wire [2:0]       arprot,
    input wire             arvalid,
    input wire             arready,
    input wire [IDW-1:0]   rid,
    input wire [MEM_W-1:0] rdata,
    input wire [1:0]       rresp,
    input wire             rlast,
    input wire             rvalid,
    input wire             rready
);
    localparam int LB = $clog2(MEM_W / 8);

    hold_rule #(.W(IDW + 80), .NAME("AR")) u_ar (
        .clk_i, .rst_ni, .valid_i(arvalid), .ready_i(arready),
        .payload_i({arid, araddr, arlen, arsize, arburst, arprot}));
    hold_rule #(.W(IDW + MEM_W + 3), .NAME("R")) u_r (
        .clk_i, .rst_ni, .valid_i(rvalid), .ready_i(rready), .payload_i({rid, rdata, rresp, rlast}));

    typedef struct packed {
        logic [IDW-1:0] id;
        logic [8:0]     left; // beats still to come
    } burst_t;

    burst_t      bursts[$];
    burst_t      now;
    wire  [63:0] first = 64'(araddr[11:0]) >> arsize << arsize; // of the burst in its 4 KiB, aligned

    function automatic void broken(string text);
        rule_pkg::neffsim_rule($sformatf("%m"), text);
    endfunction

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            if (bursts.size() != 0) bursts.delete();
        end else begin
            if (rvalid && rready) begin
                automatic int from = 0;
                if (!IN_ORDER) while (from < bursts.size() && bursts[from].id != rid) from++;
                if (from >= bursts.size()) broken("read data for no burst");
                else begin
                    automatic burst_t b = bursts[from];
                    if (b.id != rid) broken("read data with the wrong ID");
                    if (rlast != (b.left == 9'd1)) broken("rlast is not on the last beat");
                    b.left -= 9'd1;
                    if (rlast || b.left == 9'd0) bursts.delete(from);
                    else bursts[from] = b;
                end
            end
            if (arvalid && arready) begin
                if (arburst != 2'd1) broken("AR burst is not INCR");
                if (32'(arsize) > LB) broken("AR size is wider than the bus");
                if (STRICT && arlen != 8'd0 && 32'(arsize) != LB) broken("AR burst of narrow beats");
                if (first + ((64'(arlen) + 1) << arsize) > 64'd4096) broken("AR burst crosses 4 KiB");
                now = '{arid, 9'(arlen) + 9'd1};
                bursts.push_back(now);
            end
        end
    end
endmodule
`default_nettype wire
