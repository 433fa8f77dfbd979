// Lays the stream of pieces into the S2M buffers (udma.md §5): a packet starts at a fresh descriptor, a descriptor is
// filled before the next is taken, and the end of the packet closes the one in use (current moves at the close). A
// packet without bytes closes one descriptor with 0 bytes.
//
// Write beats of one burst are collected in the write buffer; a burst ends at a 256-byte boundary, at the end of the
// S2M buffer or at the end of the M2S piece, and its command is handed to udma_issue only when all its beats are there.
// A burst with a bad byte (read error) is taken back, the packet and everything behind it of that queue is drained
// (wr_dead). So is a packet that needs a descriptor of a stopped, empty S2M queue: it must not hold the stream.
// Throughput: one beat per clock, and 1 clock more per S2M descriptor.
`default_nettype none
`include "regs.vh"

module udma_write #(
    parameter MEM_W  = 512,
    parameter AW     = 7,
    parameter W_SIZE = 32 // beats of the write buffer, at least one burst of 256 bytes
) (
    input  wire               clk_i,
    input  wire               rst_ni,
    // pieces, as udma_read makes them
    input  wire               piece_valid_i,
    input  wire [37:0]        piece_i,
    output wire               piece_pop_o,
    // data beats
    input  wire               raw_valid_i,
    input  wire [MEM_W-1:0]   raw_data_i,
    input  wire               raw_bad_i,
    output wire               raw_pop_o,
    // S2M prefetch FIFO
    output wire [3:0]         s2m_q_o,    // queue whose oldest descriptor is at s2m_front_i
    input  wire [AW-1:0]      s2m_front_i,
    output wire [AW+3:0]      s2m_addr_o,
    input  wire [127:0]       s2m_data_i,
    input  wire [127:0]       s2m_level_i,
    output wire               take_o,     // descriptor leaves the FIFO
    output wire               close_o,    // descriptor closed: current moves
    output wire [3:0]         q_o,
    input  wire [23:0]        idx_i,      // ring index of the descriptor in use (S2M current)
    output wire               claim_end_o,
    // health
    input  wire [15:0]        kill_i,
    input  wire [15:0]        dead_i,
    input  wire [15:0]        s2m_stop_i,
    output wire               wr_dead_o,
    // write buffer, read side
    input  wire               w_pop_i,
    output wire [MEM_W-1:0]   w_data_o,
    output wire [MEM_W/8-1:0] w_strb_o,
    output wire               w_last_o,
    // commands: {words, idx, S2M descriptors, M2S descriptors, bytes, beats, address, sow, barrier, end, drop, burst, q}
    input  wire               cmd_room_i,
    output wire               cmd_push_o,
    output wire [255:0]       cmd_o,
    output wire               busy_o
);
    localparam       B     = MEM_W / 8;
    localparam [6:0] BYTES = MEM_W[9:3];
    localparam [5:0] B_1   = MEM_W[8:3] - 6'd1;
    localparam [8:0] LINE  = `UDMA_READ_BURST_BYTES; // writes end at the same boundaries as reads
    localparam       WA    = $clog2(W_SIZE);

    localparam [2:0] IDLE = 3'd0, TAKE = 3'd1, GOT = 3'd2, FILL = 3'd3, DRAIN = 3'd4, CLOSE = 3'd5;
    reg [2:0] state_q, state_d;
    wire      start;     // a piece begins
    wire      closing;   // the S2M descriptor in use ends
    wire      burst_bad; // a byte of the burst so far could not be read

    // ---- the piece in hand ----
    reg [3:0]  q_q;
    reg [16:0] rem_q;
    reg        eop_q, barrier_q;
    reg [7:0]  m2s_n_q;
    wire [3:0]  p_q       = piece_i[3:0];
    wire [5:0]  p_offset  = piece_i[9:4];
    wire [16:0] p_len     = piece_i[26:10];
    wire        p_sop     = piece_i[27];
    wire        p_eop     = piece_i[28];
    wire        p_barrier = piece_i[29];
    wire [7:0]  p_m2s_n   = piece_i[37:30];

    // ---- the S2M descriptor in use ----
    reg         open_q, sow_q;
    reg [63:0]  addr_q;
    reg [16:0]  room_q;
    reg [7:0]   s2m_n_q;  // descriptors taken by the packet
    reg [127:0] words_q;
    wire [15:0] s2m_len   = s2m_data_i[`S2M_DESC_W0_LENGTH_MSB:`S2M_DESC_W0_LENGTH_LSB];
    wire        dead      = kill_i[q_q] || dead_i[q_q];
    wire        there     = s2m_level_i[8*s2m_q_o +: 8] != 8'd0;
    wire        starved   = state_q == TAKE && !dead && !there && s2m_stop_i[q_q];
    wire        got       = state_q == GOT;

    assign s2m_q_o    = start ? p_q : q_q;
    assign s2m_addr_o = {s2m_q_o, s2m_front_i};
    assign take_o     = got && !dead;
    assign q_o        = q_q;

    // ---- one write beat ----
    wire [5:0]  lane    = addr_q[5:0] & B_1;
    wire [6:0]  to_end  = BYTES - {1'b0, lane};
    wire [16:0] fits    = rem_q < room_q ? rem_q : room_q;
    wire [6:0]  bytes   = fits < {10'd0, to_end} ? fits[6:0] : to_end;
    wire        end_piece = {10'd0, bytes} == rem_q;
    wire        end_desc  = {10'd0, bytes} == room_q;
    wire [8:0]  line_pos  = {1'b0, addr_q[7:0]} + {2'd0, bytes};
    wire        last    = end_piece || end_desc || line_pos == LINE;
    wire        have, bad, drained;
    wire [MEM_W-1:0] beat;
    wire [B-1:0]     strb;
    wire        w_room;
    wire        fill    = state_q == FILL && !dead && have && w_room && cmd_room_i;
    wire        finish  = fill && end_piece && !burst_bad; // the next piece may begin in the next clock
    assign start       = piece_valid_i && (state_q == IDLE || finish);
    assign piece_pop_o = start;

    udma_align #(.MEM_W(MEM_W)) u_align (
        .clk_i(clk_i), .rst_ni(rst_ni), .start_i(start), .offset_i(p_offset), .len_i(p_len),
        .raw_valid_i(raw_valid_i), .raw_data_i(raw_data_i), .raw_bad_i(raw_bad_i), .raw_pop_o(raw_pop_o),
        .lane_i(lane), .bytes_i(bytes), .have_o(have), .data_o(beat), .strb_o(strb), .bad_o(bad), .take_i(fill),
        .drain_i(state_q == DRAIN), .drained_o(drained)
    );

    // ---- write buffer with take-back ----
    reg [MEM_W+B:0] buf_mem [0:W_SIZE-1];
    reg [WA:0]      buf_wr_q, buf_ok_q, buf_rd_q;
    reg             burst_bad_q;
    reg [63:0]      burst_addr_q;
    reg [8:0]       burst_bytes_q; // of the burst so far
    reg [5:0]       burst_beats_q;
    wire            burst_new  = burst_beats_q == 6'd0;
    assign          burst_bad  = bad || (burst_bad_q && !burst_new);
    wire            commit     = fill && last && !burst_bad;
    wire            take_back  = (fill && last && burst_bad) || (state_q == FILL && dead);
    wire [WA:0]     buf_used   = buf_wr_q - buf_rd_q;
    wire [MEM_W+B:0] buf_out   = buf_mem[buf_rd_q[WA-1:0]];

    assign w_room   = !buf_used[WA];
    assign w_data_o = buf_out[MEM_W-1:0];
    assign w_strb_o = buf_out[MEM_W +: B];
    assign w_last_o = buf_out[MEM_W+B];

    always @(posedge clk_i) begin
        if (fill) buf_mem[buf_wr_q[WA-1:0]] <= {last, strb, beat};
    end

    // ---- steps ----
    wire give_up  = (fill && last && burst_bad) || starved;
    wire drain_end = state_q == DRAIN && drained && (!eop_q || cmd_room_i);
    wire zero_end = state_q == CLOSE && cmd_room_i;
    // what a piece without bytes left does next
    function [2:0] after_empty;
        input needs_desc;
        input says_something;
        after_empty = needs_desc ? TAKE : says_something ? CLOSE : IDLE;
    endfunction

    always @* begin
        state_d = state_q;
        case (state_q)
            TAKE: if (dead || starved) state_d = DRAIN;
                  else if (there) state_d = GOT;
            GOT:  state_d = dead ? DRAIN : rem_q == 17'd0 ? CLOSE : FILL;
            FILL: if (dead || (fill && last && burst_bad)) state_d = DRAIN;
                  else if (finish) state_d = IDLE;
                  else if (fill && end_desc) state_d = TAKE;
            DRAIN: if (drain_end) state_d = IDLE;
            CLOSE: if (cmd_room_i) state_d = IDLE;
            default: ;
        endcase
        if (start) begin
            if (kill_i[p_q] || dead_i[p_q]) state_d = DRAIN;
            else if (p_len == 17'd0) state_d = after_empty(p_eop && (p_sop || s2m_n_q == 8'd0), p_eop || p_barrier);
            else state_d = open_q && !closing && !p_sop ? FILL : there ? GOT : TAKE;
        end
    end

    // A packet whose last bytes already left with an earlier piece ends with a command that carries no burst.
    assign closing     = (commit && (end_desc || (end_piece && eop_q))) || (zero_end && eop_q && open_q);
    wire   unused      = ^{s2m_data_i[`S2M_DESC_W0_DUAL_BUF_LSB:`S2M_DESC_W0_META_LSB]};

    assign close_o     = closing && !dead;
    assign wr_dead_o   = give_up;
    assign claim_end_o = (take_o && s2m_n_q == 8'd0) || (drain_end && eop_q && s2m_n_q == 8'd0);
    assign cmd_push_o  = commit || zero_end || (drain_end && eop_q);
    assign cmd_o = {words_q, idx_i, s2m_n_q, m2s_n_q, burst_bytes_q + {2'd0, bytes}, burst_beats_q + 6'd1,
                    burst_new ? addr_q : burst_addr_q, sow_q, commit ? barrier_q && end_piece : barrier_q,
                    commit ? eop_q && end_piece : eop_q, state_q == DRAIN, commit, q_q};
    assign busy_o = state_q != IDLE || piece_valid_i;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            state_q       <= IDLE;
            q_q           <= 4'd0;
            rem_q         <= 17'd0;
            eop_q         <= 1'b0;
            barrier_q     <= 1'b0;
            m2s_n_q       <= 8'd0;
            open_q        <= 1'b0;
            sow_q         <= 1'b0;
            addr_q        <= 64'd0;
            room_q        <= 17'd0;
            s2m_n_q       <= 8'd0;
            words_q       <= 128'd0;
            buf_wr_q      <= {(WA+1){1'b0}};
            buf_ok_q      <= {(WA+1){1'b0}};
            buf_rd_q      <= {(WA+1){1'b0}};
            burst_bad_q   <= 1'b0;
            burst_addr_q  <= 64'd0;
            burst_bytes_q <= 9'd0;
            burst_beats_q <= 6'd0;
        end else begin
            state_q <= state_d;
            if (take_o) begin
                open_q  <= 1'b1;
                sow_q   <= s2m_data_i[`S2M_DESC_W0_SOW_LSB];
                addr_q  <= s2m_data_i[127:64];
                room_q  <= {s2m_len == 16'd0, s2m_len};
                words_q <= s2m_data_i;
                s2m_n_q <= s2m_n_q + 8'd1;
            end
            if (fill) begin
                rem_q         <= rem_q - {10'd0, bytes};
                room_q        <= room_q - {10'd0, bytes};
                addr_q        <= addr_q + {57'd0, bytes};
                burst_addr_q  <= burst_new ? addr_q : burst_addr_q;
                burst_bytes_q <= last ? 9'd0 : burst_bytes_q + {2'd0, bytes};
                burst_beats_q <= last ? 6'd0 : burst_beats_q + 6'd1;
                burst_bad_q   <= burst_bad;
                if (last) sow_q <= 1'b0; // only the first burst of the descriptor waits
            end
            if (closing || state_q == DRAIN) open_q <= 1'b0;
            if (start) begin
                q_q       <= p_q;
                rem_q     <= p_len;
                eop_q     <= p_eop;
                barrier_q <= p_barrier;
                m2s_n_q   <= p_m2s_n;
                if (p_sop) begin
                    open_q  <= 1'b0;
                    s2m_n_q <= 8'd0;
                end
            end
            if (take_back) begin
                buf_wr_q      <= buf_ok_q;
                burst_bytes_q <= 9'd0;
                burst_beats_q <= 6'd0;
            end else if (fill) begin
                buf_wr_q <= buf_wr_q + 1'b1;
                if (last) buf_ok_q <= buf_wr_q + 1'b1;
            end
            if (w_pop_i) buf_rd_q <= buf_rd_q + 1'b1;
        end
    end
endmodule
`default_nettype wire
