// Byte realigner: turns the read beats of one piece, whose first byte lies at offset_i of the first beat, into bytes at
// any lane of a write beat. It holds the current read beat; the next one is looked at in the data FIFO, so a write beat
// may take bytes of two read beats and one write beat per clock is sustained whatever the two alignments are.
// Latency 1 clock.
`default_nettype none

module udma_align #(
    parameter MEM_W = 512
) (
    input  wire               clk_i,
    input  wire               rst_ni,
    // new piece, possibly with the last beat of the one before: forget the beat in hand
    input  wire               start_i,
    input  wire [5:0]         offset_i,
    input  wire [16:0]        len_i,
    // data FIFO
    input  wire               raw_valid_i,
    input  wire [MEM_W-1:0]   raw_data_i,
    input  wire               raw_bad_i,
    output wire               raw_pop_o,
    // one write beat: bytes_i bytes from lane lane_i on
    input  wire [5:0]         lane_i,
    input  wire [6:0]         bytes_i,
    output wire               have_o,
    output wire [MEM_W-1:0]   data_o,
    output wire [MEM_W/8-1:0] strb_o,
    output wire               bad_o,
    input  wire               take_i,
    // throw the rest of the piece away
    input  wire               drain_i,
    output wire               drained_o
);
    localparam       B     = MEM_W / 8;
    localparam [6:0] BYTES = MEM_W[9:3];
    localparam       LOG_B = $clog2(B);

    reg [MEM_W-1:0] held_q;
    reg             held_bad_q;
    reg             valid_q;
    reg [6:0]       pos_q;  // next byte in the held beat; B: it is used up
    reg [13:0]      left_q; // beats of the piece still in the FIFO (or on their way)

    wire [17:0] span      = {12'd0, offset_i} + {1'b0, len_i} + {11'd0, BYTES - 7'd1};
    wire [17:0] beats     = span >> LOG_B;
    wire [7:0]  end_pos   = {1'b0, pos_q} + {1'b0, bytes_i};
    wire        need_next = end_pos > {1'b0, BYTES};
    wire        used_up   = end_pos >= {1'b0, BYTES};
    wire        more      = left_q != 14'd0;

    assign have_o    = valid_q && (!need_next || raw_valid_i);
    assign bad_o     = held_bad_q || (need_next && raw_bad_i);
    assign drained_o = !more;
    // refill: nothing in hand, or the beat in hand ends with this write beat
    assign raw_pop_o = more && raw_valid_i && (drain_i || (!valid_q && !start_i) || (take_i && used_up));

    // lane L takes byte pos + L - lane of {next, held}
    wire                 ahead  = pos_q[5:0] >= lane_i; // pos < B while a beat is in hand
    wire [6:0]           by     = {1'b0, pos_q[5:0]} - {1'b0, lane_i};
    wire [LOG_B-1:0]     turn   = by[LOG_B-1:0];
    wire [2*MEM_W-1:0]   window = ahead ? {raw_data_i, held_q} : {held_q, {MEM_W{1'b0}}};
    wire [2*MEM_W-1:0]   moved  = window >> {turn, 3'd0};
    wire [MEM_W/8-1:0]   ones   = ~({MEM_W/8{1'b1}} << bytes_i);
    assign data_o = moved[MEM_W-1:0];
    assign strb_o = ones << lane_i;

    wire unused = ^{by, beats[17:14], moved[2*MEM_W-1:MEM_W]};

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            held_q     <= {MEM_W{1'b0}};
            held_bad_q <= 1'b0;
            valid_q    <= 1'b0;
            pos_q      <= 7'd0;
            left_q     <= 14'd0;
        end else if (start_i) begin
            valid_q <= 1'b0;
            pos_q   <= {1'b0, offset_i};
            left_q  <= len_i == 17'd0 ? 14'd0 : beats[13:0];
        end else begin
            if (raw_pop_o) begin
                held_q     <= raw_data_i;
                held_bad_q <= raw_bad_i;
                left_q     <= left_q - 14'd1;
            end
            if (raw_pop_o) valid_q <= 1'b1;
            else if (take_i && used_up) valid_q <= 1'b0;
            if (take_i) pos_q <= used_up ? end_pos[6:0] - BYTES : end_pos[6:0];
        end
    end
endmodule
`default_nettype wire
