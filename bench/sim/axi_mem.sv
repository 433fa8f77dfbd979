// AXI4 memory of the bench in front of the sparse memory of rtl_sim.cpp. Reads are served and writes committed in DPI
// calls, at the latest moment the protocol allows: a read when its beat is put on the bus, a write one clock before its
// response can be seen, so that nothing in the core can rely on early data. In one clock reads come before writes.
//
// Latency: SIM_MEM_LATENCY clocks, or with random_i 1..SIM_MEM_LATENCY_MAX per burst and stalls on AR, R, AW, W and B
// whose density changes every 256 clocks. All bursts in order. Throughput: one read and one write beat per clock.
`default_nettype none
`include "regs.vh"

module axi_mem #(
    parameter int W = `SIM_MEM_W
) (
    input  wire           clk_i,
    input  wire           rst_ni,
    input  wire           random_i,
    input  wire [63:0]    seed_i,
    input  wire [20:0]    awid_i,
    input  wire [63:0]    awaddr_i,
    input  wire [7:0]     awlen_i,
    input  wire [2:0]     awsize_i,
    input  wire [2:0]     awprot_i,
    input  wire           awvalid_i,
    output wire           awready_o,
    input  wire [W-1:0]   wdata_i,
    input  wire [W/8-1:0] wstrb_i,
    input  wire           wlast_i,
    input  wire           wvalid_i,
    output wire           wready_o,
    output logic [20:0]   bid_o,
    output wire [1:0]     bresp_o,
    output logic          bvalid_o,
    input  wire           bready_i,
    input  wire [20:0]    arid_i,
    input  wire [63:0]    araddr_i,
    input  wire [7:0]     arlen_i,
    input  wire [2:0]     arsize_i,
    input  wire [2:0]     arprot_i,
    input  wire           arvalid_i,
    output wire           arready_o,
    output logic [20:0]   rid_o,
    output logic [W-1:0]  rdata_o,
    output wire [1:0]     rresp_o,
    output logic          rlast_o,
    output logic          rvalid_o,
    input  wire           rready_i
);
    import "DPI-C" function void neffsim_mem_read(input int id, input int prot, input longint addr, input int bytes,
        output bit [511:0] line);
    import "DPI-C" function void neffsim_mem_write(input int id, input int prot, input longint addr,
        input longint strobe, input bit last, input bit [511:0] line);

    localparam int LANE = $clog2(W / 8);
    localparam int DEPTH = 64; // bursts or beats; more than the longest latency, so that one beat per clock is possible
    localparam logic [6:0] FULL = 7'(DEPTH);

    typedef struct packed {
        logic [20:0] id;
        logic [63:0] addr;
        logic [7:0]  len;
        logic [2:0]  size;
        logic [2:0]  prot;
        logic [31:0] due;
    } burst_t;

    // ---- time and chance --------------------------------------------------------------------------------------
    logic        random_q; // timing mode, taken at reset
    logic [31:0] now_q;
    logic [63:0] rnd_q;
    logic [19:0] density_q; // of 16, per channel: how often it stalls
    logic [4:0]  stall;
    logic [31:0] due;

    wire [63:0] rnd1 = rnd_q ^ (rnd_q << 13);
    wire [63:0] rnd2 = rnd1 ^ (rnd1 >> 7);

    always_comb begin
        stall = '0;
        due   = now_q + `SIM_MEM_LATENCY;
        if (random_q) begin
            for (int c = 0; c < 5; c++) stall[c] = rnd_q[4*c +: 4] < density_q[4*c +: 4];
            due = now_q + 32'd1 + 32'(rnd_q[31:20]) % `SIM_MEM_LATENCY_MAX;
        end
    end
    wire stall_ar = stall[0], stall_r = stall[1], stall_aw = stall[2], stall_w = stall[3], stall_b = stall[4];

    always_ff @(posedge clk_i) begin
        now_q <= now_q + 1;
        if (random_q) begin
            rnd_q <= rnd2 ^ (rnd2 << 17);
            if (now_q[7:0] == 8'd0) density_q <= rnd_q[51:32] & {5{4'hd}};
        end
        if (!rst_ni) begin
            random_q  <= random_i;
            now_q     <= '0;
            rnd_q     <= {seed_i[62:0], 1'b1} ^ 64'h9e3779b97f4a7c14;
            density_q <= '0;
        end
    end

    // ---- reads ------------------------------------------------------------------------------------------------
    burst_t      ar_q [DEPTH];
    logic [6:0]  ar_in_q, ar_out_q;
    logic [63:0] r_addr_q;  // next beat of the burst at the head, when r_beat_q > 0
    logic [7:0]  r_beat_q;
    bit [511:0]  r_line;

    wire [6:0]   ar_count = ar_in_q - ar_out_q;
    wire burst_t ar_head  = ar_q[ar_out_q[5:0]];
    wire [63:0]  r_addr   = r_beat_q == 0 ? ar_head.addr : r_addr_q;
    wire [63:0]  r_next   = ((r_addr >> ar_head.size) + 64'd1) << ar_head.size;
    wire         r_load   = ar_count != 0 && ar_head.due <= now_q && (!rvalid_o || rready_i) && !stall_r;
    wire         r_last   = r_beat_q == ar_head.len;

    assign arready_o = ar_count != FULL && !stall_ar;
    assign rresp_o   = `AXI_OKAY;

    // ---- writes -----------------------------------------------------------------------------------------------
    typedef struct packed {
        logic [20:0]    id;
        logic [2:0]     prot;
        logic [63:0]    addr;
        logic [31:0]    due;
        logic           last;
        logic [W/8-1:0] strobe;
        logic [W-1:0]   data;
    } beat_t;

    burst_t      aw_q [DEPTH];
    beat_t       w_q [DEPTH];
    logic [20:0] b_q [DEPTH];
    logic [6:0]  aw_in_q, aw_out_q, w_in_q, w_out_q, b_in_q, b_out_q;
    logic [63:0] w_addr_q;
    logic        w_first_q;

    wire [6:0]   aw_count = aw_in_q - aw_out_q, w_count = w_in_q - w_out_q, b_count = b_in_q - b_out_q;
    wire burst_t aw_head  = aw_q[aw_out_q[5:0]];
    wire [63:0]  w_addr   = w_first_q ? aw_head.addr : w_addr_q;
    wire [63:0]  w_next   = ((w_addr >> aw_head.size) + 64'd1) << aw_head.size;
    wire beat_t  w_head   = w_q[w_out_q[5:0]];
    wire         w_take   = wvalid_i && wready_o;
    wire         w_commit = w_count != 0 && w_head.due <= now_q && (!w_head.last || b_count != FULL);

    assign awready_o = aw_count != FULL && !stall_aw;
    assign wready_o  = aw_count != 0 && w_count != FULL && !stall_w;
    assign bresp_o   = `AXI_OKAY;

    always_ff @(posedge clk_i) begin
        if (rready_i) rvalid_o <= 1'b0;
        if (r_load && rst_ni) begin
            neffsim_mem_read(32'(ar_head.id), 32'(ar_head.prot), r_addr, 32'(r_next - r_addr), r_line);
            rvalid_o <= 1'b1;
            rid_o    <= ar_head.id;
            rdata_o  <= r_line[W-1:0];
            rlast_o  <= r_last;
            r_addr_q <= r_next;
            r_beat_q <= r_last ? 8'd0 : r_beat_q + 8'd1;
            ar_out_q <= ar_out_q + 7'(r_last);
        end
        if (arvalid_i && arready_o) begin
            ar_q[ar_in_q[5:0]] <= '{arid_i, araddr_i, arlen_i, arsize_i, arprot_i, due};
            ar_in_q <= ar_in_q + 7'd1;
        end

        if (bready_i) bvalid_o <= 1'b0;
        if (b_count != 0 && (!bvalid_o || bready_i) && !stall_b) begin
            bvalid_o <= 1'b1;
            bid_o    <= b_q[b_out_q[5:0]];
            b_out_q  <= b_out_q + 7'd1;
        end
        if (w_commit && rst_ni) begin
            neffsim_mem_write(32'(w_head.id), 32'(w_head.prot), w_head.addr, 64'(w_head.strobe), w_head.last,
                              512'(w_head.data));
            w_out_q <= w_out_q + 7'd1;
            if (w_head.last) begin
                b_q[b_in_q[5:0]] <= w_head.id;
                b_in_q <= b_in_q + 7'd1;
            end
        end
        if (w_take) begin
            w_q[w_in_q[5:0]] <= '{aw_head.id, aw_head.prot, {w_addr[63:LANE], {LANE{1'b0}}},
                                  random_q ? due : now_q + `SIM_MEM_LATENCY - 32'd1, wlast_i, wstrb_i, wdata_i};
            w_in_q    <= w_in_q + 7'd1;
            w_addr_q  <= w_next;
            w_first_q <= wlast_i;
            aw_out_q  <= aw_out_q + 7'(wlast_i);
        end
        if (awvalid_i && awready_o) begin
            aw_q[aw_in_q[5:0]] <= '{awid_i, awaddr_i, awlen_i, awsize_i, awprot_i, due};
            aw_in_q <= aw_in_q + 7'd1;
        end
        if (!rst_ni) begin
            {ar_in_q, ar_out_q, aw_in_q, aw_out_q, w_in_q, w_out_q, b_in_q, b_out_q} <= '0;
            {rvalid_o, bvalid_o, r_beat_q, r_addr_q, w_addr_q, rid_o, rdata_o, rlast_o, bid_o} <= '0;
            w_first_q <= 1'b1;
        end
    end

    wire unused = &{1'b0, aw_head.due, aw_head.len};
endmodule
`default_nettype wire
