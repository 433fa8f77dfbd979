// The head pointer that the rings use: `head mod size` with the low 4 bits cleared (notification-queue.md §3).
//
// After a write of head or size, that queue is stale until its value is settled; the ring logic holds a record of a
// stale queue. Legal heads and power-of-two sizes take 1 clock; a head beyond a ring of any other size is divided,
// one bit per clock (30 clocks). Queues wait for each other, lowest number first.
`default_nettype none
`include "regs.vh"

module notific_head (
    input  wire                     clk_i,
    input  wire                     rst_ni,
    input  wire [`NQ_QUEUES-1:0]    write_i, // head or size is written in this clock
    input  wire [32*`NQ_QUEUES-1:0] head_i,
    input  wire [32*`NQ_QUEUES-1:0] size_i,
    output wire [32*`NQ_QUEUES-1:0] head_o,
    output wire [`NQ_QUEUES-1:0]    stale_o
);
    localparam DIGITS = 28; // pointers count 16-byte slots

    reg [`NQ_QUEUES-1:0] stale_q;
    reg [DIGITS-1:0]     slot_q [0:`NQ_QUEUES-1];
    reg                  busy_q;
    reg [3:0]            divided_q; // queue of the running division
    reg [4:0]            digit_q;
    reg [DIGITS-1:0]     rest_q;

    assign stale_o = stale_q;

    genvar q;
    generate
        for (q = 0; q < `NQ_QUEUES; q = q + 1) begin : g_queue
            assign head_o[32*q +: 32] = {slot_q[q], 4'd0};
        end
    endgenerate

    // ---- the queue that is served: the divided one, else the lowest stale one ------------------------------------
    reg [3:0] sel;
    integer   k;
    always @* begin
        sel = divided_q;
        for (k = `NQ_QUEUES - 1; k >= 0; k = k - 1)
            if (stale_q[k] && !busy_q) sel = k[3:0];
    end

    wire [DIGITS-1:0] head  = head_i[32*sel + 4 +: DIGITS];
    wire [DIGITS-1:0] slots = size_i[32*sel + 4 +: DIGITS];
    wire [DIGITS-1:0] mask  = slots - 1'b1;
    wire              two_n = (slots & mask) == {DIGITS{1'b0}};
    wire              quick = two_n || head < slots;

    wire [DIGITS:0]   shifted = {rest_q, head[digit_q]};
    wire              fits    = shifted >= {1'b0, slots};
    wire [DIGITS-1:0] rest    = fits ? shifted[DIGITS-1:0] - slots : shifted[DIGITS-1:0];

    wire serve  = stale_q[sel];
    wire done   = serve && (busy_q ? digit_q == 5'd0 : quick);
    wire [DIGITS-1:0] result = busy_q ? rest : two_n ? head & mask : head;

    integer i;
    always @(posedge clk_i) begin
        if (!rst_ni) begin
            stale_q   <= {`NQ_QUEUES{1'b0}};
            busy_q    <= 1'b0;
            divided_q <= 4'd0;
            digit_q   <= 5'd0;
            rest_q    <= {DIGITS{1'b0}};
            for (i = 0; i < `NQ_QUEUES; i = i + 1)
                slot_q[i] <= {DIGITS{1'b0}};
        end else begin
            if (done) begin
                slot_q[sel]  <= result;
                stale_q[sel] <= 1'b0;
                busy_q       <= 1'b0;
            end else if (serve && !busy_q) begin
                busy_q    <= 1'b1;
                divided_q <= sel;
                digit_q   <= DIGITS - 1;
                rest_q    <= {DIGITS{1'b0}};
            end else if (busy_q) begin
                digit_q <= digit_q - 5'd1;
                rest_q  <= rest;
            end
            // A write during the division of its own queue starts that division again.
            for (i = 0; i < `NQ_QUEUES; i = i + 1)
                if (write_i[i]) begin
                    stale_q[i] <= 1'b1;
                    if (sel == i[3:0]) busy_q <= 1'b0;
                end
        end
    end
endmodule
`default_nettype wire
