// Address decoder of an engine's register window (udma.md §1.1, §8-§10): which block and queue an offset belongs to,
// and for stored registers their place in udma_store with reset value and fields. refuse_o marks what this engine does
// not have: interrupt controllers, NOTIFIC, the broadcast mirror, everything above. Combinational.
`default_nettype none
`include "regs.vh"

module udma_addr (
    input  wire [19:0] addr_i,
    output wire        refuse_o,
    output wire        in_m2sq_o, // queue banks
    output wire        in_s2mq_o,
    output wire        in_m2s_o,  // engine blocks
    output wire        in_s2m_o,
    output wire        in_gen_o,
    output wire        in_app_o,
    output wire        in_trigger_o, // UAPPQ of queue q_o, offset trig_off_o
    output wire [4:0]  trig_off_o,
    output wire [3:0]  q_o,
    output wire        stored_o,
    output reg  [10:0] slot_o,
    output reg  [31:0] reset_o,
    output reg  [31:0] fields_o
);
    wire [31:0] a = {12'd0, addr_i};

    // ---- blocks ----
    wire        m2s_side = a < `UDMA_S2M_OFF;
    wire        s2m_side = !m2s_side && a < `UDMA_GEN_OFF;
    wire        gen      = a >= `UDMA_GEN_OFF && a < `UDMA_GEN_EX_OFF;
    wire        gen_ex   = a >= `UDMA_GEN_EX_OFF && a < `UDMA_APP_OFF;
    wire        app      = a >= `UDMA_APP_OFF && a < `UDMA_NOTIFIC_OFF;
    wire [4:0]  bank     = m2s_side ? addr_i[16:12] : addr_i[16:12];
    wire        has_q    = bank >= 5'd1 && bank <= 5'd16;
    wire [3:0]  bank_q   = bank[3:0] - 4'd1;

    assign in_m2sq_o = m2s_side && has_q;
    assign in_m2s_o  = m2s_side && bank == 5'd0;
    assign in_s2mq_o = s2m_side && has_q;
    assign in_s2m_o  = s2m_side && bank == 5'd0;
    assign in_gen_o  = gen;
    assign in_app_o  = app;

    // ---- tables of GEN, GEN_EX and APP ----
    wire [31:0] g        = a - `UDMA_GEN_OFF;
    wire [31:0] p        = a - `UDMA_APP_OFF;
    wire [31:0] det      = g - `UGEN_AXI_ERR_DET_OFF;
    wire [31:0] ctl      = g - `UGEN_AXI_ERR_CTRL_OFF;
    wire [31:0] axq      = g - `UGEN_AXI_QUEUE_OFF;
    wire [31:0] box      = g - `UGEN_MAILBOX_OFF;
    wire [31:0] vm       = a - (`UDMA_GEN_EX_OFF + `UGENEX_VMPR_OFF);
    wire [31:0] trig     = p - `UAPPQ_FIRST;
    wire        in_det   = gen && det < `UGEN_AXI_ERR_TABLES * `UGEN_AXI_ERR_DET_STRIDE;
    wire        in_ctl   = gen && ctl < `UGEN_AXI_ERR_TABLES * `UGEN_AXI_ERR_CTRL_STRIDE;
    wire        in_axq   = gen && axq < `UDMA_QUEUES * `UGEN_AXI_QUEUE_STRIDE;
    wire        in_box   = gen && box < `UGEN_MAILBOXES * `UGEN_MAILBOX_STRIDE && box[5:0] < 6'd12;
    wire        in_vm    = gen_ex && vm < `UDMA_QUEUES * `UGENEX_VMPR_STRIDE && vm[5:0] < 6'd16;
    wire        in_trig  = app && trig < `UDMA_QUEUES * `UAPPQ_STRIDE;
    wire [5:0]  axq_word = axq[7:2];
    wire [5:0]  axq_part = axq_word % 6'd3;              // state_request, error_status, cfg
    wire [6:0]  trig_q   = trig[8:2] / 7'd6;
    wire [6:0]  trig_part = trig[8:2] % 7'd6;            // words of UAPPQ

    wire        unused   = ^{trig_q[6:4], trig_part[6:3]};

    assign in_trigger_o = in_trig;
    assign trig_off_o   = {trig_part[2:0], 2'd0};
    assign q_o          = in_trig ? trig_q[3:0] : bank_q;

    wire iofic = gen && (g < `UIOFIC_GROUPS * `UIOFIC_STRIDE
        || (g >= `UGEN_SECONDARY_OFF && g < `UGEN_SECONDARY_OFF + `UIOFIC_SECONDARY_GROUPS * `UIOFIC_STRIDE)
        || (g >= `UGEN_AXI_IOFIC_OFF && g < `UGEN_AXI_IOFIC_END));
    assign refuse_o = iofic || a >= `UDMA_NOTIFIC_OFF;

    // ---- stored registers ----
    wire        mq_hit, sq_hit, m_hit, s_hit, gen_hit, app_hit;
    wire [4:0]  mq_slot, m_slot, app_slot;
    wire [3:0]  sq_slot, s_slot;
    wire [2:0]  gen_slot;
    wire [31:0] mq_reset, sq_reset, m_reset, s_reset, gen_reset, app_reset;
    wire [31:0] mq_fields, sq_fields, m_fields, s_fields, gen_fields, app_fields;
    udma_map_m2sq u_m2sq (.off_i(addr_i[11:0]), .hit_o(mq_hit), .slot_o(mq_slot), .reset_o(mq_reset), .fields_o(mq_fields));
    udma_map_s2mq u_s2mq (.off_i(addr_i[11:0]), .hit_o(sq_hit), .slot_o(sq_slot), .reset_o(sq_reset), .fields_o(sq_fields));
    udma_map_m2s  u_m2s  (.off_i(addr_i[11:0]), .hit_o(m_hit), .slot_o(m_slot), .reset_o(m_reset), .fields_o(m_fields));
    udma_map_s2m  u_s2m  (.off_i(addr_i[11:0]), .hit_o(s_hit), .slot_o(s_slot), .reset_o(s_reset), .fields_o(s_fields));
    udma_map_gen  u_gen  (.off_i(g[13:0]), .hit_o(gen_hit), .slot_o(gen_slot), .reset_o(gen_reset), .fields_o(gen_fields));
    udma_map_app  u_app  (.off_i(addr_i[11:0]), .hit_o(app_hit), .slot_o(app_slot), .reset_o(app_reset), .fields_o(app_fields));

    wire axq_store = in_axq && axq_part != 6'd1; // error_status has nothing to report: reads 0
    wire box_store = in_box && box[3:2] != 2'd0; // the interrupt command is no storage
    wire m_store   = in_m2s_o && m_hit;
    wire s_store   = in_s2m_o && s_hit;
    assign stored_o = (in_m2sq_o && mq_hit) || (in_s2mq_o && sq_hit) || m_store || s_store || (gen && gen_hit)
        || (app && app_hit) || in_det || in_ctl || axq_store || box_store || in_vm || in_trig;

    always @* begin
        slot_o   = 11'd0;
        reset_o  = 32'd0;
        fields_o = 32'hffffffff;
        if (in_m2sq_o)      begin slot_o = {2'b00, bank_q, mq_slot};         reset_o = mq_reset;  fields_o = mq_fields; end
        else if (in_s2mq_o) begin slot_o = {3'b010, bank_q, sq_slot};        reset_o = sq_reset;  fields_o = sq_fields; end
        else if (in_m2s_o)  begin slot_o = {6'b011000, m_slot};              reset_o = m_reset;   fields_o = m_fields; end
        else if (in_s2m_o)  begin slot_o = {7'b0110010, s_slot};             reset_o = s_reset;   fields_o = s_fields; end
        else if (in_det)    begin slot_o = {4'b1000, det[8:2]};              end
        else if (in_ctl)    begin slot_o = {7'b1001000, ctl[5:2]};           end
        else if (in_box)    begin slot_o = {7'b1001001, box[7:6], box[3:2]}; end
        else if (in_axq)    begin slot_o = {5'b10011, axq_word};             end
        else if (gen)       begin slot_o = {8'b01101100, gen_slot};          reset_o = gen_reset; fields_o = gen_fields; end
        else if (in_vm)     begin slot_o = {5'b10100, vm[9:6], vm[3:2]};     end
        else if (in_trig)   begin slot_o = {4'b1011, trig[8:2]};             end
        else if (app)       begin slot_o = {6'b011010, app_slot};           reset_o = app_reset; fields_o = app_fields; end
        if (in_axq && axq_part == 6'd2) reset_o = `UGEN_AXI_QUEUE_CFG_RESET;
        if (in_trig) begin
            case ({27'd0, trig_off_o})
                `UAPPQ_M2S_TRIGGER_OFF:  fields_o = `UAPPQ_M2S_TRIGGER_FIELDS;
                `UAPPQ_S2M_TRIGGER_OFF:  fields_o = `UAPPQ_S2M_TRIGGER_FIELDS;
                `UAPPQ_M2S_SW_QUEUE_OFF: fields_o = `UAPPQ_M2S_SW_QUEUE_FIELDS;
                `UAPPQ_S2M_SW_QUEUE_OFF: fields_o = `UAPPQ_S2M_SW_QUEUE_FIELDS;
                default:                 reset_o  = `UAPPQ_M2S_CRC_INIT_RESET;
            endcase
        end
    end
endmodule
`default_nettype wire
