// The read channel: arbitrates descriptor bursts against data bursts, keeps the order of everything asked for (one ID,
// responses in order), and sorts the answers into the descriptor beats and the data beats.
//
// A data request may be "local": its beats are made here, in order with the bus, without a bus access. That is how the
// event accelerator serves its constants (udma.md §7.5) and how a dead packet is drained; local beats can be marked bad.
// Room for the answer is reserved before a request leaves, so r_ready_o never waits for anything but the order.
// Latency of a request: 1 clock. Data bursts on the bus are capped at cap_i (0: no cap, udma.md §12).
`default_nettype none
`include "regs.vh"

module udma_rchan #(
    parameter MEM_W     = 512,
    parameter RAW_BEATS = 128 // data beats in hand
) (
    input  wire             clk_i,
    input  wire             rst_ni,
    // descriptor burst
    input  wire             d_valid_i,
    input  wire [63:0]      d_addr_i,
    input  wire [5:0]       d_beats_i,
    output wire             d_ready_o,
    // data burst
    input  wire             r_valid_i,
    input  wire             r_local_i,
    input  wire             r_local_bad_i,
    input  wire             r_local_one_i,
    input  wire [63:0]      r_addr_i,
    input  wire [8:0]       r_bytes_i,
    input  wire [5:0]       r_beats_i,
    input  wire [3:0]       r_q_i,
    input  wire [23:0]      r_idx_i,
    input  wire [127:0]     r_words_i,
    output wire             r_ready_o,
    input  wire [9:0]       cap_i,
    // AXI
    output wire [63:0]      m_araddr_o,
    output wire [7:0]       m_arlen_o,
    output wire [2:0]       m_arsize_o,
    output wire [2:0]       m_arprot_o,
    output wire             m_arvalid_o,
    input  wire             m_arready_i,
    input  wire [MEM_W-1:0] m_rdata_i,
    input  wire [1:0]       m_rresp_i,
    input  wire             m_rlast_i,
    input  wire             m_rvalid_i,
    output wire             m_rready_o,
    // burst whose address is on the bus, for the tap
    output wire [3:0]       ar_q_o,
    output wire [23:0]      ar_idx_o,
    output wire [8:0]       ar_bytes_o,
    // descriptor beats
    output wire             desc_push_o,
    // data beats
    output wire             raw_valid_o,
    output wire [MEM_W-1:0] raw_data_o,
    output wire             raw_bad_o,
    input  wire             raw_pop_i,
    output wire [8:0]       raw_count_o,
    // data read error, once per burst
    output wire             err_o,
    output wire [3:0]       err_q_o,
    output wire [23:0]      err_idx_o,
    output wire [127:0]     err_words_o,
    output wire             busy_o
);
    localparam [1:0] DESC = 2'd0, DATA = 2'd1, LOCAL = 2'd2;
    localparam       ORDER = 64;
    localparam       OW    = 2 + 2 + 6 + 4 + 24 + 128;
    localparam       LOG_B = $clog2(MEM_W / 8);
    localparam [2:0] FULL_SIZE = LOG_B[2:0];
    localparam [2:0] WORD_SIZE = 3'd2;

    // ---- requests ----
    reg  [8:0] reserved_q;              // raw beats in the FIFO or on their way
    reg  [9:0] reading_q;               // data bursts on the bus
    reg        turn_q;                  // the other one was served last
    wire [8:0] order_count;
    wire       order_room = order_count < ORDER;
    wire       raw_room   = {1'b0, reserved_q} + {4'd0, r_beats_i} <= RAW_BEATS[9:0];
    wire       cap_ok     = cap_i == 10'd0 || reading_q < cap_i;
    reg        ar_valid_q;
    wire       ar_free    = !ar_valid_q || m_arready_i;
    wire       d_can      = d_valid_i && order_room && ar_free;
    // a local request waits for the address before it, so that reads and constants leave in stream order
    wire       r_can      = r_valid_i && order_room && raw_room && (r_local_i ? !ar_valid_q : ar_free && cap_ok);
    wire       d_go       = d_can && (!r_can || turn_q);
    wire       r_go       = r_can && !d_go;

    assign d_ready_o = d_go;
    assign r_ready_o = r_go;

    reg [63:0] ar_addr_q;
    reg [7:0]  ar_len_q;
    reg [2:0]  ar_size_q, ar_prot_q;
    reg [3:0]  ar_q_q;
    reg [23:0] ar_idx_q;
    reg [8:0]  ar_bytes_q;

    assign m_araddr_o  = ar_addr_q;
    assign m_arlen_o   = ar_len_q;
    assign m_arsize_o  = ar_size_q;
    assign m_arprot_o  = ar_prot_q;
    assign m_arvalid_o = ar_valid_q;
    assign ar_q_o      = ar_q_q;
    assign ar_idx_o    = ar_idx_q;
    assign ar_bytes_o  = ar_bytes_q;

    // one aligned word is read as a word, so that it can also be a register (docs/rtl.md)
    wire is_word = r_bytes_i == 9'd4 && r_addr_i[1:0] == 2'd0;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            ar_valid_q <= 1'b0;
            ar_addr_q  <= 64'd0;
            ar_len_q   <= 8'd0;
            ar_size_q  <= 3'd0;
            ar_prot_q  <= 3'd0;
            ar_q_q     <= 4'd0;
            ar_idx_q   <= 24'd0;
            ar_bytes_q <= 9'd0;
            turn_q     <= 1'b0;
        end else begin
            if (m_arready_i) ar_valid_q <= 1'b0;
            if (d_go || r_go) turn_q <= r_go;
            if (d_go) begin
                ar_valid_q <= 1'b1;
                ar_addr_q  <= d_addr_i;
                ar_len_q   <= {2'd0, d_beats_i} - 8'd1;
                ar_size_q  <= FULL_SIZE;
                ar_prot_q  <= `PROT_DESC;
            end else if (r_go && !r_local_i) begin
                ar_valid_q <= 1'b1;
                ar_addr_q  <= r_addr_i;
                ar_len_q   <= {2'd0, r_beats_i} - 8'd1;
                ar_size_q  <= is_word ? WORD_SIZE : FULL_SIZE;
                ar_prot_q  <= `PROT_DATA;
                ar_q_q     <= r_q_i;
                ar_idx_q   <= r_idx_i;
                ar_bytes_q <= r_bytes_i;
            end
        end
    end

    // ---- order ----
    wire          front_valid;
    wire [OW-1:0] front;
    wire [1:0]    front_kind = front[1:0];
    wire          front_one  = front[2];
    wire          front_bad  = front[3];
    wire [5:0]    front_n    = front[9:4];
    wire          front_pop;
    udma_fifo #(.W(OW), .DEPTH(ORDER)) u_order (
        .clk_i(clk_i), .rst_ni(rst_ni), .push_i(d_go || r_go),
        .data_i({r_words_i, r_idx_i, r_q_i, r_beats_i, r_local_bad_i, r_local_one_i,
                 d_go ? DESC : r_local_i ? LOCAL : DATA}),
        .pop_i(front_pop), .valid_o(front_valid), .data_o(front), .count_o(order_count)
    );

    // ---- answers ----
    reg  [5:0] local_q;  // local beats already made
    reg        failed_q; // this burst already reported its error
    wire       is_local   = front_valid && front_kind == LOCAL;
    wire       beat       = m_rvalid_i && m_rready_o;
    wire       data_beat  = beat && front_kind == DATA;
    wire       local_last = local_q + 6'd1 == front_n;
    wire       beat_bad   = m_rresp_i != 2'd0;

    assign m_rready_o  = front_valid && front_kind != LOCAL;
    assign front_pop   = is_local ? local_last : beat && m_rlast_i;
    assign desc_push_o = beat && front_kind == DESC;
    assign err_o       = data_beat && beat_bad && !failed_q;
    assign {err_words_o, err_idx_o, err_q_o} = front[OW-1:10];
    assign busy_o      = front_valid;

    wire             raw_push = data_beat || is_local;
    wire [MEM_W-1:0] made     = {MEM_W/32{31'd0, front_one}};
    wire [MEM_W:0]   raw_in   = is_local ? {front_bad, made} : {beat_bad || failed_q, m_rdata_i};
    udma_fifo #(.W(MEM_W + 1), .DEPTH(RAW_BEATS)) u_raw (
        .clk_i(clk_i), .rst_ni(rst_ni), .push_i(raw_push), .data_i(raw_in), .pop_i(raw_pop_i),
        .valid_o(raw_valid_o), .data_o({raw_bad_o, raw_data_o}), .count_o(raw_count_o)
    );

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            reserved_q <= 9'd0;
            reading_q  <= 10'd0;
            local_q    <= 6'd0;
            failed_q   <= 1'b0;
        end else begin
            reserved_q <= reserved_q + (r_go ? {3'd0, r_beats_i} : 9'd0) - {8'd0, raw_pop_i};
            reading_q  <= reading_q + {9'd0, r_go && !r_local_i} - {9'd0, data_beat && m_rlast_i};
            local_q    <= is_local && !local_last ? local_q + 6'd1 : 6'd0;
            if (data_beat) failed_q <= !m_rlast_i && (failed_q || beat_bad);
        end
    end
endmodule
`default_nettype wire
