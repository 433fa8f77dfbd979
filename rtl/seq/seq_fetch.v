// Instruction fetch of one sequencer (tpb-image.md §2.2, §2.3): 4 lines of 2048 bytes, round-robin replacement, one
// line fill at a time, a fill is one INCR burst of full-width beats (2048-aligned, so it never crosses 4 KiB).
//
//   * `hit_o` in the clock of `req_i`: the line of pc_i is valid; its slot is on `slot_o` from the next clock until
//     the next hit. `err_o`: the line was answered with a bus error. Neither: keep asking, the line is being filled.
//   * When the PC enters a block, the next block is prefetched, and so is the target of the armed branch hint when
//     that branch lies in the block. A prefetch outside the bounds is skipped and counted in skips_q; a prefetched
//     line that answered with an error only matters when a slot of it is asked for.
//   * `flush_i` drops all lines, the hint and a fill in flight (its beats are taken and thrown away).
//   * `stop_i`: start no fill. A fill that was started always finishes; beats are always accepted.
// Latency: hit 1 clock; miss = memory latency + beats + 1.
`default_nettype none
`include "regs.vh"

module seq_fetch #(
    parameter MEM_W = 512
) (
    input  wire             clk_i,
    input  wire             rst_ni,
    input  wire             flush_i,
    input  wire             stop_i,
    input  wire             req_i,
    /* verilator lint_off UNUSEDSIGNAL */ // addresses are used by block only
    input  wire [     63:0] pc_i,
    /* verilator lint_on UNUSEDSIGNAL */
    input  wire [     63:0] lower_i,
    input  wire [     63:0] upper_i,
    output wire             hit_o,
    output wire             err_o,
    output wire [    511:0] slot_o,
    output wire             idle_o,
    input  wire             hint_arm_i,
    input  wire             hint_disarm_i,
    /* verilator lint_off UNUSEDSIGNAL */
    input  wire [     63:0] hint_branch_i,
    input  wire [     63:0] hint_target_i,
    /* verilator lint_on UNUSEDSIGNAL */
    output wire             ar_valid_o,
    output wire [     63:0] ar_addr_o,
    input  wire             ar_ready_i,
    input  wire             r_valid_i,
    input  wire [MEM_W-1:0] r_data_i,
    input  wire             r_err_i,
    input  wire             r_last_i
);

    localparam BLK = 64 - 11; // bits of a block number: address / FETCH_BLOCK_BYTES
    localparam LANES = 512 / MEM_W;
    localparam [2:0] LANE_MASK = LANES[2:0] - 3'd1;
    localparam LANE_LOG = MEM_W == 512 ? 0 : MEM_W == 256 ? 1 : MEM_W == 128 ? 2 : 3;

    initial
        if (MEM_W != 64 && MEM_W != 128 && MEM_W != 256 && MEM_W != 512) begin
            $display("%m: MEM_W must be 64, 128, 256 or 512");
            $finish;
        end

    // Lines
    reg [BLK-1:0] tag_q [0:`FETCH_LINES-1];
    reg [`FETCH_LINES-1:0] valid_q, bad_q;
    reg [1:0] next_way_q;

    // Fill in flight
    reg busy_q, ar_q, drop_q, fill_bad_q;
    reg [1:0] fill_way_q;
    reg [BLK-1:0] fill_blk_q;
    reg [7:0] beat_q;

    // Prefetch requests and the hint
    reg seen_q, next_pend_q, hint_pend_q, armed_q;
    reg [BLK-1:0] seen_blk_q, next_blk_q, branch_blk_q, target_blk_q;
    reg [15:0] skips_q;

    wire [BLK-1:0] blk = pc_i[63:11];
    wire [BLK-1:0] pf_blk = hint_pend_q ? target_blk_q : next_blk_q;
    wire [`FETCH_LINES-1:0] here, pf_here;
    wire [1:0] way = {here[3] || here[2], here[3] || here[1]}; // at most one line holds a block
    genvar w;
    generate
        for (w = 0; w < `FETCH_LINES; w = w + 1) begin : g_line
            assign here[w] = valid_q[w] && tag_q[w] == blk;
            assign pf_here[w] = valid_q[w] && tag_q[w] == pf_blk;
        end
    endgenerate

    function in_bounds(input [BLK-1:0] b, input [63:0] lower, input [63:0] upper);
        in_bounds = {b, 11'd0} >= lower && {b, 11'd0} <= upper;
    endfunction

    wire resident = |here;
    assign hit_o = req_i && resident && !bad_q[way];
    assign err_o = req_i && resident && bad_q[way];
    assign idle_o = !busy_q;
    assign ar_valid_o = ar_q;
    assign ar_addr_o = {fill_blk_q, 11'd0};

    wire enters = hit_o && !(seen_q && seen_blk_q == blk);
    wire [BLK-1:0] next_blk = blk + {{BLK-1{1'b0}}, 1'b1};
    wire next_ok = blk != {BLK{1'b1}} && in_bounds(next_blk, lower_i, upper_i);
    wire hint_here = armed_q && branch_blk_q == blk;
    wire hint_ok = in_bounds(target_blk_q, lower_i, upper_i);

    wire pf_pend = next_pend_q || hint_pend_q;
    wire pf_done = |pf_here || (busy_q && !drop_q && fill_blk_q == pf_blk);
    wire can_start = !busy_q && !stop_i && !flush_i;
    wire start_demand = can_start && req_i && !resident;
    wire start_pf = can_start && !start_demand && pf_pend && !pf_done;
    wire start = start_demand || start_pf;
    // A prefetch must not evict the block that is being executed.
    wire [1:0] victim = next_way_q + {1'b0, start_pf && valid_q[next_way_q] && tag_q[next_way_q] == blk};
    wire evicts_hint = start && valid_q[victim] && tag_q[victim] == target_blk_q;

    wire last = busy_q && r_valid_i && r_last_i;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            valid_q <= {`FETCH_LINES{1'b0}};
            bad_q <= {`FETCH_LINES{1'b0}};
            next_way_q <= 2'd0;
            busy_q <= 1'b0;
            ar_q <= 1'b0;
            drop_q <= 1'b0;
            fill_bad_q <= 1'b0;
            fill_way_q <= 2'd0;
            fill_blk_q <= {BLK{1'b0}};
            beat_q <= 8'd0;
        end else begin
            if (ar_ready_i) ar_q <= 1'b0;
            if (start) begin
                busy_q <= 1'b1;
                ar_q <= 1'b1;
                drop_q <= 1'b0;
                fill_bad_q <= 1'b0;
                fill_way_q <= victim;
                fill_blk_q <= start_demand ? blk : pf_blk;
                beat_q <= 8'd0;
                next_way_q <= victim + 2'd1;
                valid_q[victim] <= 1'b0;
            end
            if (busy_q && r_valid_i) begin
                beat_q <= beat_q + 8'd1;
                fill_bad_q <= fill_bad_q || r_err_i;
            end
            if (last) begin
                busy_q <= 1'b0;
                valid_q[fill_way_q] <= !drop_q;
                bad_q[fill_way_q] <= fill_bad_q || r_err_i;
            end
            if (flush_i) begin
                valid_q <= {`FETCH_LINES{1'b0}};
                drop_q <= 1'b1;
            end
        end
    end

    always @(posedge clk_i)
        if (start) tag_q[victim] <= start_demand ? blk : pf_blk;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            seen_q <= 1'b0;
            next_pend_q <= 1'b0;
            hint_pend_q <= 1'b0;
            armed_q <= 1'b0;
            seen_blk_q <= {BLK{1'b0}};
            next_blk_q <= {BLK{1'b0}};
            branch_blk_q <= {BLK{1'b0}};
            target_blk_q <= {BLK{1'b0}};
            skips_q <= 16'd0;
        end else begin
            if (pf_pend && (pf_done || start_pf)) begin
                if (hint_pend_q) hint_pend_q <= 1'b0;
                else next_pend_q <= 1'b0;
            end
            if (enters) begin
                seen_q <= 1'b1;
                seen_blk_q <= blk;
                next_blk_q <= next_blk;
                next_pend_q <= next_ok;
                hint_pend_q <= hint_here && hint_ok;
                skips_q <= skips_q + {15'd0, !next_ok} + {15'd0, hint_here && !hint_ok};
            end
            if (hint_arm_i) begin
                armed_q <= 1'b1;
                branch_blk_q <= hint_branch_i[63:11];
                target_blk_q <= hint_target_i[63:11];
                hint_pend_q <= 1'b0;
                seen_q <= 1'b0; // the hint may be for the block the PC is already in
            end
            if (flush_i || hint_disarm_i || evicts_hint) begin
                armed_q <= 1'b0;
                hint_pend_q <= 1'b0;
            end
            if (flush_i) begin
                seen_q <= 1'b0;
                next_pend_q <= 1'b0;
            end
        end
    end

    // Line data: one slot per word, written MEM_W bits at a time
    wire [6:0] waddr = {fill_way_q, beat_q[LANE_LOG +: 5]};
    wire [6:0] raddr = {way, pc_i[10:6]};
    genvar l;
    generate
        for (l = 0; l < LANES; l = l + 1) begin : g_lane
            reg [MEM_W-1:0] ram [0:127];
            reg [MEM_W-1:0] out_q;
            wire here_we = busy_q && r_valid_i && (beat_q[2:0] & LANE_MASK) == l[2:0];
            always @(posedge clk_i) begin
                if (here_we) ram[waddr] <= r_data_i;
                if (hit_o) out_q <= ram[raddr];
            end
            assign slot_o[l*MEM_W +: MEM_W] = out_q;
        end
    endgenerate

endmodule

`default_nettype wire
