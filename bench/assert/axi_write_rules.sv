// AXI4 write channels as docs/rtl.md narrows them, seen between one master and one slave. INCR only; a burst stays in its
// 4 KiB; more than one beat means full-width beats; wlast on the last beat; strobes only in the lanes of the beat; an answer
// only for a burst whose address and data are complete, and to an ID that waits for one.
// IN_ORDER: one ID, or a slave that answers in order: the ID of an answer is that of the oldest burst.
`default_nettype none

module axi_write_rules #(
    parameter int MEM_W = 512,
    parameter int IDW = 16,
    parameter bit IN_ORDER = 1,
    parameter bit STRICT = 1 // no bursts of narrow beats, no strobes outside the lanes
) (
    input wire               clk_i,
    input wire               rst_ni,
    input wire [IDW-1:0]     awid,
    input wire [63:0]        awaddr,
    input wire [7:0]         awlen,
    input wire [2:0]         awsize,
    input wire [1:0]         awburst,
    input wire [2:0]         awprot,
    input wire               awvalid,
    input wire               awready,
    input wire [MEM_W-1:0]   wdata,
    input wire [MEM_W/8-1:0] wstrb,
    input wire               wlast,
    input wire               wvalid,
    input wire               wready,
    input wire [IDW-1:0]     bid,
    input wire [1:0]         bresp,
    input wire               bvalid,
    input wire               bready
);
    localparam int B = MEM_W / 8, LB = $clog2(B);

    hold_rule #(.W(IDW + 80), .NAME("AW")) u_aw (
        .clk_i, .rst_ni, .valid_i(awvalid), .ready_i(awready),
        .payload_i({awid, awaddr, awlen, awsize, awburst, awprot}));
    hold_rule #(.W(MEM_W + B + 1), .NAME("W")) u_w (
        .clk_i, .rst_ni, .valid_i(wvalid), .ready_i(wready), .payload_i({wdata, wstrb, wlast}));
    hold_rule #(.W(IDW + 2), .NAME("B")) u_b (
        .clk_i, .rst_ni, .valid_i(bvalid), .ready_i(bready), .payload_i({bid, bresp}));

    typedef struct packed {
        logic [IDW-1:0] id;
        logic [63:0]    addr;
        logic [7:0]     len;
        logic [2:0]     size;
    } burst_t;

    wire  [63:0]  first = 64'(awaddr[11:0]) >> awsize << awsize; // of the burst in its 4 KiB, aligned
    burst_t       bursts[$];   // address taken, data not yet complete
    logic [IDW-1:0] owed[$];   // IDs of complete bursts without an answer
    int           early[$];    // beats of bursts whose data came before their address
    int           beat;        // of the burst whose data is on its way
    burst_t       now;
    logic [63:0]  at, base;
    logic [B-1:0] lanes;

    function automatic void broken(string text);
        rule_pkg::neffsim_rule($sformatf("%m"), text);
    endfunction

    function automatic void owe(burst_t b, int beats);
        if (beats != int'(b.len) + 1) broken("wlast is not on the last beat");
        owed.push_back(b.id);
    endfunction

    // first byte of beat n, and the aligned address of its container
    function automatic logic [63:0] beat_addr(burst_t b, int n);
        return n == 0 ? b.addr : ((b.addr >> b.size) + 64'(n)) << b.size;
    endfunction

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            if (bursts.size() != 0) bursts.delete();
            if (owed.size() != 0) owed.delete();
            if (early.size() != 0) early.delete();
            beat = 0;
        end else begin
            // answers first: nothing of this clock is complete before its edge
            if (bvalid && bready) begin
                automatic int from = 0;
                if (!IN_ORDER) while (from < owed.size() && owed[from] != bid) from++;
                if (from >= owed.size()) broken("an answer for no complete write");
                else begin
                    if (owed[from] != bid) broken("an answer with the wrong ID");
                    owed.delete(from);
                end
            end
            if (awvalid && awready) begin
                now = '{awid, awaddr, awlen, awsize};
                if (awburst != 2'd1) broken("AW burst is not INCR");
                if (32'(awsize) > LB) broken("AW size is wider than the bus");
                if (STRICT && awlen != 8'd0 && 32'(awsize) != LB) broken("AW burst of narrow beats");
                if (first + ((64'(awlen) + 1) << awsize) > 64'd4096) broken("AW burst crosses 4 KiB");
                if (early.size() != 0) owe(now, early.pop_front());
                else bursts.push_back(now);
            end
            if (wvalid && wready) begin
                beat = beat + 1;
                if (bursts.size() == 0) begin
                    if (wlast) early.push_back(beat);
                end else begin
                    at    = beat_addr(bursts[0], beat - 1);
                    base  = (at >> bursts[0].size) << bursts[0].size;
                    lanes = B'(~({B{1'b1}} << (1 << bursts[0].size)) << base[LB-1:0]);
                    if (32'(bursts[0].size) == LB) lanes = '1;
                    lanes = lanes & ({B{1'b1}} << at[LB-1:0]);
                    if (STRICT && (wstrb & ~lanes) != '0) broken("W strobes outside the lanes of the beat");
                    if (!wlast && beat > int'(bursts[0].len)) broken("wlast is not on the last beat");
                    if (wlast) owe(bursts.pop_front(), beat);
                end
                if (wlast) beat = 0;
            end
        end
    end
endmodule
`default_nettype wire
