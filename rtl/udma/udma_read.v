// Reads the buffers of scheduled packets (udma.md §11 step D, M2S side). Takes one packet after the other, loads each
// descriptor from the prefetch FIFO (current moves by one), announces it to the write side as a "piece" of the stream,
// and cuts it into bursts that end at 256-byte boundaries. Metadata descriptors move no bytes and make no piece.
//
// The last 4 bytes or fewer of a descriptor at one of the event accelerator's addresses are served inside (const_o).
// The pieces and bursts of a
// queue that is being killed or whose read failed carry nothing: no bus access, beats marked bad.
// Throughput: one burst per clock, one extra clock per descriptor.
`default_nettype none
`include "regs.vh"

module udma_read #(
    parameter MEM_W = 512,
    parameter AW    = 7
) (
    input  wire          clk_i,
    input  wire          rst_ni,
    // scheduled packets
    input  wire          job_valid_i,
    input  wire [3:0]    job_q_i,
    input  wire [7:0]    job_n_i,
    output wire          job_pop_o,
    // prefetch FIFO
    input  wire [AW-1:0] front_i,   // place of the oldest descriptor of job_q_i
    output wire [AW+3:0] ram_addr_o,
    input  wire [127:0]  ram_data_i,
    output wire          take_o,    // a descriptor leaves the FIFO
    output wire [3:0]    take_q_o,
    input  wire [23:0]   take_idx_i,
    // configuration
    input  wire          encode_64k_i,
    input  wire          accel_en_i,
    input  wire [63:0]   set_addr_i,
    input  wire [63:0]   clr_addr_i,
    input  wire [15:0]   kill_i,
    input  wire [15:0]   dead_i,
    // pieces: {descriptors of the packet, barrier, end of packet, start of packet, length, offset, queue}
    input  wire          piece_room_i,
    output wire          piece_push_o,
    output wire [37:0]   piece_o,
    // bursts
    output wire          r_valid_o,
    output wire          r_local_o,
    output wire          r_local_bad_o,
    output wire          r_local_one_o,
    output wire [63:0]   r_addr_o,
    output wire [8:0]    r_bytes_o,
    output wire [5:0]    r_beats_o,
    output wire [3:0]    r_q_o,
    output wire [23:0]   r_idx_o,
    output wire [127:0]  r_words_o,
    input  wire          r_ready_i,
    output wire          const_o,   // a constant was served this clock, value r_local_one_o
    output wire          busy_o
);
    localparam       LOG_B = $clog2(MEM_W / 8);
    localparam [5:0] B_1   = MEM_W[8:3] - 6'd1; // bytes of a beat, less one
    localparam [8:0] LINE  = `UDMA_READ_BURST_BYTES;

    localparam [16:0] CONST_BYTES = `DMA_INC_BYTES;

    localparam [1:0] IDLE = 2'd0, LOAD = 2'd1, ISSUE = 2'd2;

    reg [1:0]    state_q, state_d;
    reg [3:0]    q_q, q_d;
    reg [AW-1:0] place_q, place_d; // of the next descriptor to load
    reg [7:0]    left_q, left_d;   // descriptors of the packet not loaded
    reg [7:0]    n_q, n_d;         // descriptors of the packet
    reg          first_q, first_d; // no piece of the packet was made
    reg [63:0]   addr_q, addr_d;
    reg [16:0]   rem_q, rem_d;
    reg [23:0]   idx_q, idx_d;
    reg [127:0]  words_q, words_d;

    // ---- the descriptor at the RAM output ----
    wire         dead     = kill_i[q_q] || dead_i[q_q];
    wire [15:0]  length   = ram_data_i[`M2S_DESC_W0_LENGTH_MSB:`M2S_DESC_W0_LENGTH_LSB];
    wire [16:0]  bytes    = dead ? 17'd0 : {length == 16'd0 && encode_64k_i, length};
    wire         is_md    = ram_data_i[`M2S_DESC_W0_MD_LSB] && !dead;
    wire         barrier  = ram_data_i[32 + `M2S_DESC_W1_WRITE_BARRIER_LSB];
    wire [63:0]  source   = ram_data_i[127:64];
    wire         at_end   = left_q == 8'd1;
    wire         load     = state_q == LOAD && (is_md || piece_room_i);

    assign take_o       = load;
    assign take_q_o     = q_q;
    assign piece_push_o = load && !is_md;
    assign piece_o      = {n_q, barrier, at_end, first_q, bytes, source[5:0] & B_1, q_q};

    // ---- the burst ----
    wire [8:0]  to_line = LINE - {1'b0, addr_q[7:0]};
    wire [8:0]  burst   = rem_q < {8'd0, to_line} ? rem_q[8:0] : to_line;
    wire        set_hit = accel_en_i && rem_q <= CONST_BYTES && addr_q == set_addr_i;
    wire        clr_hit = accel_en_i && rem_q <= CONST_BYTES && addr_q == clr_addr_i;
    wire [9:0]  span    = {4'd0, addr_q[5:0] & B_1} + {1'b0, burst} + {4'd0, B_1};
    wire [9:0]  beats   = span >> LOG_B;
    wire        go      = state_q == ISSUE && r_ready_i;

    assign r_valid_o     = state_q == ISSUE;
    assign r_local_o     = dead || set_hit || clr_hit;
    assign r_local_bad_o = dead;
    assign r_local_one_o = set_hit;
    assign r_addr_o      = addr_q;
    assign r_bytes_o     = burst;
    assign r_beats_o     = beats[5:0];
    assign r_q_o         = q_q;
    assign r_idx_o       = idx_q;
    assign r_words_o     = words_q;
    assign const_o       = go && !dead && (set_hit || clr_hit);
    assign busy_o        = state_q != IDLE;
    wire   unused        = ^beats[9:6];
    assign ram_addr_o    = {q_d, place_d};

    wire packet_done = (load && at_end && (is_md || bytes == 17'd0)) || (go && rem_q == {8'd0, burst} && left_q == 8'd0);
    wire next_job    = job_valid_i && (state_q == IDLE || packet_done);
    assign job_pop_o = next_job;

    always @* begin
        state_d = state_q;
        q_d     = q_q;
        place_d = place_q;
        left_d  = left_q;
        n_d     = n_q;
        first_d = first_q;
        addr_d  = addr_q;
        rem_d   = rem_q;
        idx_d   = idx_q;
        words_d = words_q;
        if (load) begin
            place_d = place_q + 1'b1;
            left_d  = left_q - 8'd1;
            addr_d  = source;
            rem_d   = bytes;
            idx_d   = take_idx_i;
            words_d = ram_data_i;
            if (!is_md) begin
                first_d = 1'b0;
                if (bytes != 17'd0) state_d = ISSUE;
            end
        end
        if (go) begin
            addr_d = addr_q + {55'd0, burst};
            rem_d  = rem_q - {8'd0, burst};
            if (rem_d == 17'd0) state_d = LOAD;
        end
        if (next_job) begin
            state_d = LOAD;
            q_d     = job_q_i;
            place_d = load && q_q == job_q_i ? front_i + 1'b1 : front_i;
            left_d  = job_n_i;
            n_d     = job_n_i;
            first_d = 1'b1;
        end else if (packet_done) begin
            state_d = IDLE;
        end
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            state_q <= IDLE;
            q_q     <= 4'd0;
            place_q <= {AW{1'b0}};
            left_q  <= 8'd0;
            n_q     <= 8'd0;
            first_q <= 1'b0;
            addr_q  <= 64'd0;
            rem_q   <= 17'd0;
            idx_q   <= 24'd0;
            words_q <= 128'd0;
        end else begin
            state_q <= state_d;
            q_q     <= q_d;
            place_q <= place_d;
            left_q  <= left_d;
            n_q     <= n_d;
            first_q <= first_d;
            addr_q  <= addr_d;
            rem_q   <= rem_d;
            idx_q   <= idx_d;
            words_q <= words_d;
        end
    end
endmodule
`default_nettype wire
