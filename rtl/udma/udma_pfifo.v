// Prefetched descriptors of the 16 queues of one direction (udma.md §12): one RAM with PREF_DEPTH entries per queue and
// two read ports. Room is reserved when descriptors are requested (alloc), filled when they arrive (push), and freed
// when one leaves for execution (pop). rst_i (rst_q) empties its queue and wins over all of these.
// A read address given in clock n answers in clock n+1.
`default_nettype none

module udma_pfifo #(
    parameter PREF_DEPTH = 128, // power of two, 16..128
    parameter AW         = 7    // log2(PREF_DEPTH)
) (
    input  wire          clk_i,
    input  wire          rst_ni,
    input  wire          rst_i,
    input  wire [3:0]    rst_q_i,
    input  wire          alloc_i,
    input  wire [3:0]    alloc_q_i,
    input  wire [3:0]    alloc_n_i,
    output wire [7:0]    alloc_room_o, // of alloc_q_i
    input  wire          push_i,
    input  wire [3:0]    push_q_i,
    input  wire [127:0]  push_data_i,
    input  wire          pop_i,
    input  wire [3:0]    pop_q_i,
    input  wire [3:0]    front_q_i,
    output wire [AW-1:0] front_o,      // place of the oldest descriptor of front_q_i
    input  wire [AW+3:0] a_addr_i,     // {queue, place}
    output wire [127:0]  a_data_o,
    input  wire [AW+3:0] b_addr_i,
    output wire [127:0]  b_data_o,
    output reg  [15:0]   room_o,       // queue has room for at least one more
    output reg  [127:0]  level_o       // 8 bits per queue: descriptors held
);
    localparam [7:0] FULL = PREF_DEPTH[7:0];

    initial begin
        if ((1 << AW) != PREF_DEPTH || PREF_DEPTH < 16 || PREF_DEPTH > 128) begin
            $display("%m: PREF_DEPTH is %0d, allowed are powers of two 16..128", PREF_DEPTH);
            $finish;
        end
    end

    reg [127:0]  ram [0:16*PREF_DEPTH-1];
    reg [127:0]  a_q, b_q;
    reg [AW-1:0] wr_q [0:15];
    reg [AW-1:0] rd_q [0:15];
    reg [7:0]    level_q [0:15];
    reg [7:0]    alloc_q [0:15];

    assign a_data_o     = a_q;
    assign b_data_o     = b_q;
    assign front_o      = rd_q[front_q_i];
    assign alloc_room_o = FULL - alloc_q[alloc_q_i];

    integer k;
    always @* begin
        for (k = 0; k < 16; k = k + 1) begin
            room_o[k]        = alloc_q[k] != FULL;
            level_o[8*k+:8]  = level_q[k];
        end
    end

    always @(posedge clk_i) begin
        if (push_i) ram[{push_q_i, wr_q[push_q_i]}] <= push_data_i;
        a_q <= ram[a_addr_i];
        b_q <= ram[b_addr_i];
    end

    wire push_pop  = push_i && pop_i && push_q_i == pop_q_i;
    wire alloc_pop = alloc_i && pop_i && alloc_q_i == pop_q_i;

    integer i;
    always @(posedge clk_i) begin
        if (!rst_ni) begin
            for (i = 0; i < 16; i = i + 1) begin
                wr_q[i]    <= {AW{1'b0}};
                rd_q[i]    <= {AW{1'b0}};
                level_q[i] <= 8'd0;
                alloc_q[i] <= 8'd0;
            end
        end else begin
            if (push_i) begin
                wr_q[push_q_i] <= wr_q[push_q_i] + 1'b1;
                if (!push_pop) level_q[push_q_i] <= level_q[push_q_i] + 8'd1;
            end
            if (pop_i) begin
                rd_q[pop_q_i] <= rd_q[pop_q_i] + 1'b1;
                if (!push_pop) level_q[pop_q_i] <= level_q[pop_q_i] - 8'd1;
                if (!alloc_pop) alloc_q[pop_q_i] <= alloc_q[pop_q_i] - 8'd1;
            end
            if (alloc_i) alloc_q[alloc_q_i] <= alloc_q[alloc_q_i] + {4'd0, alloc_n_i} - {7'd0, alloc_pop};
            if (rst_i) begin
                wr_q[rst_q_i]    <= {AW{1'b0}};
                rd_q[rst_q_i]    <= {AW{1'b0}};
                level_q[rst_q_i] <= 8'd0;
                alloc_q[rst_q_i] <= 8'd0;
            end
        end
    end
endmodule
`default_nettype wire
