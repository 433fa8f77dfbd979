// Takes the beats of descriptor bursts apart, one descriptor per clock, and checks each (udma.md §6.2, §14):
//
//   bus error                  PREF_RESP (M2S bit 11, S2M bit 9), log words 0; the descriptor was not read, so the head
//                              stays and no EV_DMA_DESC is reported
//   ring id differs            RING_ID (M2S bit 17, S2M bit 11) unless masked in err_log_mask: then it executes
//   S2M DUAL_BUF or META       UNSUP (S2M bit 12)
//
// The head moves over a faulty descriptor but it does not enter the FIFO, and its queue stops. Descriptors of a stopped
// or reset queue that are still on the bus are thrown away. A packet without its LAST in the FIFO never starts, so
// nothing of a packet with such a descriptor is executed, while packets ahead of it are.
`default_nettype none
`include "regs.vh"

module udma_unpack #(
    parameter MEM_W = 512
) (
    input  wire             clk_i,
    input  wire             rst_ni,
    // beats, in the order of the fetches
    input  wire             beat_valid_i,
    input  wire [MEM_W-1:0] beat_data_i,
    input  wire             beat_err_i,
    output wire             beat_pop_o,
    // oldest fetch
    input  wire             fetch_valid_i,
    input  wire             fetch_dir_i,
    input  wire [3:0]       fetch_n_i,
    input  wire [2:0]       fetch_lane_i,
    input  wire             fetch_drop_i,
    output wire             fetch_pop_o,
    // state of its queue
    input  wire [25:0]      head_i,
    input  wire             stopped_i,
    input  wire             mask_ring_id_i,
    // results
    output wire             desc_o,  // a descriptor was read: head moves
    output wire             push_o,  // and may be executed
    output wire [127:0]     words_o,
    output wire             err_o,
    output reg  [4:0]       err_code_o,
    output wire [127:0]     err_words_o
);
    localparam PER_BEAT = MEM_W / 128; // 0: two beats per descriptor

    reg  [3:0] done_q; // descriptors of this fetch already taken
    wire       last = done_q + 4'd1 == fetch_n_i;
    wire       whole;  // a complete descriptor is there
    wire       bad;

    generate
        if (PER_BEAT == 0) begin : g_halves
            reg             half_q;
            reg [MEM_W-1:0] low_q;
            reg             low_err_q;
            assign whole      = beat_valid_i && half_q;
            assign words_o    = {beat_data_i, low_q};
            assign bad        = beat_err_i || low_err_q;
            assign beat_pop_o = fetch_valid_i && beat_valid_i;
            wire [2:0] unused_lane = fetch_lane_i;
            wire       unused      = ^unused_lane;
            always @(posedge clk_i) begin
                if (!rst_ni) begin
                    half_q    <= 1'b0;
                    low_q     <= {MEM_W{1'b0}};
                    low_err_q <= 1'b0;
                end else if (beat_pop_o) begin
                    half_q <= !half_q;
                    if (!half_q) begin
                        low_q     <= beat_data_i;
                        low_err_q <= beat_err_i;
                    end
                end
            end
        end else begin : g_lanes
            localparam LOG_P = $clog2(PER_BEAT);
            wire [2:0] place   = fetch_lane_i + done_q[2:0];
            wire [2:0] lane    = place & (PER_BEAT[2:0] - 3'd1);
            wire       at_end  = lane == PER_BEAT[2:0] - 3'd1;
            assign whole       = beat_valid_i;
            assign words_o     = beat_data_i[128*lane[LOG_P > 0 ? LOG_P-1 : 0 : 0] +: 128];
            assign bad         = beat_err_i;
            assign beat_pop_o  = fetch_valid_i && beat_valid_i && (last || at_end);
        end
    endgenerate

    wire take  = fetch_valid_i && whole;
    wire live  = take && !fetch_drop_i && !stopped_i;
    wire stale = words_o[`M2S_DESC_W0_RING_ID_LSB +: 2] != head_i[25:24] && !mask_ring_id_i;
    wire unsup = fetch_dir_i && (words_o[`S2M_DESC_W0_DUAL_BUF_LSB] || words_o[`S2M_DESC_W0_META_LSB]);

    assign fetch_pop_o = take && last;
    assign desc_o      = live && !bad;
    assign push_o      = desc_o && !stale && !unsup;
    assign err_o       = live && !push_o;
    assign err_words_o = bad ? 128'd0 : words_o;

    always @* begin
        if (bad) err_code_o = fetch_dir_i ? `S2M_ERR_PREF_RESP : `M2S_ERR_PREF_RESP;
        else if (stale) err_code_o = fetch_dir_i ? `S2M_ERR_RING_ID : `M2S_ERR_RING_ID;
        else err_code_o = `S2M_ERR_UNSUP;
    end

    wire unused_head = ^head_i[23:0];

    always @(posedge clk_i) begin
        if (!rst_ni) done_q <= 4'd0;
        else if (take) done_q <= last ? 4'd0 : done_q + 4'd1;
    end
endmodule
`default_nettype wire
