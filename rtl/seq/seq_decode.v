// Takes a slot apart: header, trace request, the up to four requests to EVT_SEM (wait lanes 0 and 1, update lanes 0
// and 1; lane 1 exists in EVENT_SEMAPHORE only, tpb-sequencer.md §2.1, §4.1) and, from seq_legal.v, whether it may
// run. A lane is needed when its mode is neither NONE nor UNORDERED. Combinational; the operands of the instructions
// themselves are picked in seq_data.v. A debug_cmd that is not in the table of profiler-and-trace.md §5 asks for
// nothing.
`default_nettype none
`include "regs.vh"

module seq_decode (
    input  wire [511:0] slot_i,
    output wire [  7:0] opcode_o,
    output wire [  3:0] hint_o,        // nibble that goes into records
    output wire [ 15:0] hint_ext_o,    // extended hint of NOTIFY
    output wire         trace_start_o, // INST_START record asked for
    output wire         trace_end_o,   // INST_END, or with trace_note_o EXPLICIT, at completion
    output wire         trace_note_o,
    output wire [ 15:0] trace_ext_o,   // its extended hint
    output wire [  1:0] wait_need_o,   // bit = lane
    output wire [ 15:0] wait_mode_o,   // 8 bits per lane, as in the slot
    output wire [ 15:0] wait_idx_o,
    output wire [  1:0] upd_need_o,
    output wire [ 15:0] upd_mode_o,
    output wire [ 15:0] upd_idx_o,
    output wire         bad_o,
    output wire         illegal_o,
    output wire         assert_o
);

    wire [7:0] debug_cmd = slot_i[8*`SLOT_HDR_DEBUG_CMD_OFF +: 8];
    wire       lane1 = opcode_o == `OP_EVENT_SEMAPHORE;

    assign opcode_o = slot_i[8*`SLOT_HDR_OPCODE_OFF +: 8];
    assign hint_o = slot_i[8*`SLOT_HDR_DEBUG_HINT_OFF + `SLOT_HDR_DEBUG_HINT_NIBBLE_LSB +: 4];
    assign hint_ext_o = slot_i[8*`SLOT_NOTIFY_HINT_EXT_OFF +: 16];
    assign trace_start_o = debug_cmd == `DBG_START || debug_cmd == `DBG_START_END;
    assign trace_note_o = debug_cmd == `DBG_NOTIFY || debug_cmd == `DBG_INS_FIELD;
    assign trace_end_o = trace_note_o || debug_cmd == `DBG_END || debug_cmd == `DBG_START_END;
    assign trace_ext_o = debug_cmd == `DBG_INS_FIELD ? hint_ext_o : 16'd0;

    assign wait_mode_o = {lane1 ? slot_i[8*`SLOT_ES_WAIT_MODE_OFF +: 8] : 8'd0,
                          slot_i[8*`SLOT_HDR_WAIT_MODE_OFF +: 8]};
    assign wait_idx_o = {slot_i[8*`SLOT_ES_WAIT_IDX_OFF +: 8], slot_i[8*`SLOT_HDR_WAIT_IDX_OFF +: 8]};
    assign upd_mode_o = {lane1 ? slot_i[8*`SLOT_ES_UPDATE_MODE_OFF +: 8] : 8'd0,
                         slot_i[8*`SLOT_HDR_UPDATE_MODE_OFF +: 8]};
    assign upd_idx_o = {slot_i[8*`SLOT_ES_UPDATE_IDX_OFF +: 8], slot_i[8*`SLOT_HDR_UPDATE_IDX_OFF +: 8]};

    assign wait_need_o = {wait_mode_o[15:8] != `WAIT_NONE && wait_mode_o[15:8] != `WAIT_UNORDERED,
                          wait_mode_o[7:0] != `WAIT_NONE && wait_mode_o[7:0] != `WAIT_UNORDERED};
    assign upd_need_o = {upd_mode_o[15:8] != `UPD_NONE, upd_mode_o[7:0] != `UPD_NONE};

    seq_legal u_legal (
        .slot_i(slot_i),
        .bad_o(bad_o),
        .illegal_o(illegal_o),
        .assert_o(assert_o)
    );

endmodule

`default_nettype wire
