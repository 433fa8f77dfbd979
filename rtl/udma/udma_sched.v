// Packet scheduler (udma.md §11 step S): round robin over the queues whose prefetch FIFO holds a whole packet and whose
// S2M queue holds a descriptor nobody has claimed (§5: no head-of-line deadlock). It walks the packet's descriptors and
// checks every one before anything of the packet is executed; the first fault, in this order, is reported, the queue
// stops and the packet never starts:
//
//   FIRST (15)        no FIRST on the first descriptor, or FIRST inside the packet
//   MAX_DESC (14)     more than max_desc_per_pkt descriptors, or than the prefetch FIFO can hold
//   PKT_LEN (13)      more than max_pkt_size bytes
//   LAST (16)         early LAST: on a metadata descriptor, so that the packet would end before its data
//   STREAM_RESP (2)   the block asks for an application engine or a function that is not there: op is not CME, optype is
//                     not COPY, copy_source_data is 0, any checksum field (bits 18:3) or the v4 notify bit is set
//
// Word 1 is taken from the first data descriptor of each block (§4.3), never from a metadata descriptor. DMB (§13): the
// packet waits until the queue has nothing in flight, or for rst_dmb.
// Throughput: one packet per 1 + descriptors clocks.
`default_nettype none
`include "regs.vh"

module udma_sched #(
    parameter PREF_DEPTH = 128,
    parameter AW         = 7
) (
    input  wire          clk_i,
    input  wire          rst_ni,
    // descriptors entering the FIFO
    input  wire          push_i,
    input  wire [3:0]    push_q_i,
    input  wire          push_last_i,
    // FIFO read port
    output wire [AW+3:0] ram_addr_o,
    input  wire [127:0]  ram_data_i,
    // configuration and state
    input  wire [15:0]   enable_i,     // may start a packet
    input  wire [15:0]   busy_i,       // has packets in flight
    input  wire [15:0]   dmb_mask_i,   // rate_limit_mask.internal_pause_dmb: DMB ignored
    input  wire [127:0]  s2m_level_i,
    input  wire [383:0]  len_i,
    input  wire [11:0]   max_desc_i,
    input  wire [19:0]   max_pkt_i,
    input  wire          encode_64k_i,
    input  wire          rst_i,        // M2S rst_q
    input  wire [3:0]    rst_q_i,
    input  wire          rst_dmb_i,
    input  wire [3:0]    rst_dmb_q_i,
    // write side took the first S2M descriptor of a packet, or gave the packet up before
    input  wire          claim_end_i,
    input  wire [3:0]    claim_end_q_i,
    // result
    input  wire          job_room_i,
    output wire          start_o,
    output wire [3:0]    q_o,
    output wire [7:0]    n_o,          // descriptors of the packet
    output wire [23:0]   first_idx_o,
    output wire          err_o,
    output reg  [4:0]    err_code_o,
    output wire [23:0]   err_idx_o,
    output wire [127:0]  err_words_o,
    output wire [15:0]   dmb_wait_o
);
    localparam [7:0] DEPTH = PREF_DEPTH[7:0];

    reg  [7:0]    unscanned_q [0:15]; // descriptors in the FIFO not yet part of a started packet
    reg  [7:0]    lasts_q [0:15];     // LAST flags among them
    reg  [7:0]    claims_q [0:15];    // packets started that have not taken their first S2M descriptor
    reg  [AW-1:0] place_q [0:15];     // FIFO place of the next packet
    reg  [23:0]   idx_q [0:15];       // its ring index
    reg  [15:0]   dmb_wait_q, dmb_pass_q;

    // ---- choice ----
    wire [7:0]  max_desc = max_desc_i > {4'd0, DEPTH} ? DEPTH : max_desc_i[7:0];
    reg  [15:0] ready;
    integer k;
    always @* begin
        for (k = 0; k < 16; k = k + 1)
            ready[k] = enable_i[k] && s2m_level_i[8*k +: 8] > claims_q[k]
                && (lasts_q[k] != 8'd0 || unscanned_q[k] > max_desc || unscanned_q[k] == DEPTH)
                && !(dmb_wait_q[k] && busy_i[k]);
    end

    reg         scan_q;
    reg [3:0]   q_q;
    reg [7:0]   n_q;      // descriptors already checked
    reg [AW-1:0] at_q;    // FIFO place and ring index of the one at the RAM output
    reg [23:0]  ring_q;
    reg [20:0]  bytes_q;
    reg         open_q;   // a data descriptor was seen

    wire        pick = !scan_q && ready != 16'd0 && job_room_i;
    wire [3:0]  win;
    wire [15:0] unused_grant;
    rr_arb #(.N(16), .W(4)) u_rr (
        .clk_i(clk_i), .rst_ni(rst_ni), .req_i(ready), .take_i(pick), .grant_o(unused_grant), .index_o(win)
    );

    // ---- check of the descriptor at the RAM output ----
    wire        is_first = ram_data_i[`M2S_DESC_W0_FIRST_LSB];
    wire        is_last  = ram_data_i[`M2S_DESC_W0_LAST_LSB];
    wire        is_md    = ram_data_i[`M2S_DESC_W0_MD_LSB];
    wire        block    = !is_md && (!ram_data_i[`M2S_DESC_W0_CONCAT_LSB] || !open_q);
    wire [15:0] length   = ram_data_i[`M2S_DESC_W0_LENGTH_MSB:`M2S_DESC_W0_LENGTH_LSB];
    wire [20:0] bytes    = bytes_q + (is_md ? 21'd0 : {4'd0, length == 16'd0 && encode_64k_i, length});
    wire [31:0] word1    = ram_data_i[63:32];
    wire        is_copy  = word1[`M2S_DESC_W1_OP_MSB:`M2S_DESC_W1_OP_LSB] == `DMA_OP_CME
        && word1[`M2S_DESC_W1_OPTYPE_MSB:`M2S_DESC_W1_OPTYPE_LSB] == `DMA_OPTYPE_COPY
        && word1[`M2S_DESC_W1_COPY_SRC_LSB] && !word1[`M2S_DESC_W1_NOTIFY_LSB]
        && word1[`M2S_DESC_W1_STORE_SRC_CRC_MSB:`M2S_DESC_W1_CRC_IV_LSB] == 16'd0;
    wire        dmb      = n_q == 8'd0 && is_first && ram_data_i[`M2S_DESC_W0_DMB_LSB] && !dmb_mask_i[q_q]
        && !dmb_pass_q[q_q] && busy_i[q_q];
    // A packet in flight may take the S2M descriptor that was seen at the choice as its own next buffer.
    wire        claimed  = s2m_level_i[8*q_q +: 8] <= claims_q[q_q];
    wire        gone     = !enable_i[q_q] || claimed || (rst_i && rst_q_i == q_q);
    wire [7:0]  n        = n_q + 8'd1;

    wire unused = ^{word1[`M2S_DESC_W1_COUNT_MSB:`M2S_DESC_W1_COUNT_LSB], word1[27:26], word1[2:0]};

    reg fault;
    always @* begin
        fault      = 1'b1;
        err_code_o = `M2S_ERR_FIRST;
        if (is_first != (n_q == 8'd0)) err_code_o = `M2S_ERR_FIRST;
        else if (n_q == max_desc || (n == DEPTH && !is_last)) err_code_o = `M2S_ERR_MAX_DESC;
        else if (bytes > {1'b0, max_pkt_i}) err_code_o = `M2S_ERR_PKT_LEN;
        else if (is_md && is_last) err_code_o = `M2S_ERR_LAST;
        else if (block && !is_copy) err_code_o = `M2S_ERR_STREAM_RESP;
        else fault = 1'b0;
    end

    wire check = scan_q && !gone;
    wire hold  = check && dmb;
    wire next  = check && !dmb && !fault && !is_last;

    assign err_o       = check && !dmb && fault;
    assign start_o     = check && !dmb && !fault && is_last;
    assign q_o         = q_q;
    assign n_o         = n;
    assign first_idx_o = idx_q[q_q];
    assign err_idx_o   = ring_q;
    assign err_words_o = ram_data_i;
    assign dmb_wait_o  = dmb_wait_q;

    wire [3:0]    ram_q     = pick ? win : q_q;
    wire [AW-1:0] ram_place = pick ? place_q[win] : at_q + 1'b1;
    assign ram_addr_o = {ram_q, ram_place};

    wire [23:0] ring_next = ring_q + 24'd1 == len_i[24*q_q +: 24] ? 24'd0 : ring_q + 24'd1;
    wire        claim_up  = start_o && !(claim_end_i && claim_end_q_i == q_q);
    wire        claim_dn  = claim_end_i && !(start_o && claim_end_q_i == q_q);
    wire        same_q    = push_i && start_o && push_q_i == q_q;

    integer i;
    always @(posedge clk_i) begin
        if (!rst_ni) begin
            for (i = 0; i < 16; i = i + 1) begin
                unscanned_q[i] <= 8'd0;
                lasts_q[i]     <= 8'd0;
                claims_q[i]    <= 8'd0;
                place_q[i]     <= {AW{1'b0}};
                idx_q[i]       <= 24'd0;
            end
            dmb_wait_q <= 16'd0;
            dmb_pass_q <= 16'd0;
            scan_q     <= 1'b0;
            q_q        <= 4'd0;
            n_q        <= 8'd0;
            at_q       <= {AW{1'b0}};
            ring_q     <= 24'd0;
            bytes_q    <= 21'd0;
            open_q     <= 1'b0;
        end else begin
            scan_q <= pick || next;
            if (pick) begin
                q_q     <= win;
                n_q     <= 8'd0;
                at_q    <= place_q[win];
                ring_q  <= idx_q[win];
                bytes_q <= 21'd0;
                open_q  <= 1'b0;
            end else if (next) begin
                n_q     <= n;
                at_q    <= at_q + 1'b1;
                ring_q  <= ring_next;
                bytes_q <= bytes;
                open_q  <= open_q || !is_md;
            end
            if (push_i) begin
                unscanned_q[push_q_i] <= unscanned_q[push_q_i] + 8'd1;
                if (push_last_i) lasts_q[push_q_i] <= lasts_q[push_q_i] + 8'd1;
            end
            if (start_o) begin
                unscanned_q[q_q] <= unscanned_q[q_q] - n + {7'd0, same_q};
                lasts_q[q_q]     <= lasts_q[q_q] - 8'd1 + {7'd0, same_q && push_last_i};
                place_q[q_q]     <= at_q + 1'b1;
                idx_q[q_q]       <= ring_next;
                dmb_wait_q[q_q]  <= 1'b0;
                dmb_pass_q[q_q]  <= 1'b0;
            end
            if (hold) dmb_wait_q[q_q] <= 1'b1;
            if (rst_dmb_i) begin
                dmb_wait_q[rst_dmb_q_i] <= 1'b0;
                if (dmb_wait_q[rst_dmb_q_i]) dmb_pass_q[rst_dmb_q_i] <= 1'b1;
            end
            if (claim_up) claims_q[q_q] <= claims_q[q_q] + 8'd1;
            if (claim_dn) claims_q[claim_end_q_i] <= claims_q[claim_end_q_i] - 8'd1;
            if (rst_i) begin
                unscanned_q[rst_q_i] <= 8'd0;
                lasts_q[rst_q_i]     <= 8'd0;
                place_q[rst_q_i]     <= {AW{1'b0}};
                idx_q[rst_q_i]       <= 24'd0;
                dmb_wait_q[rst_q_i]  <= 1'b0;
                dmb_pass_q[rst_q_i]  <= 1'b0;
            end
        end
    end
endmodule
`default_nettype wire
