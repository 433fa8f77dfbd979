// EVT_SEM: 256 events and 256 semaphores with five engine ports and one APB3 port (events-semaphores.md, all of it).
//
// One update is committed per clock, round robin over SP, PE, ACT, POOL, DVE, bus (enum EVT_PORT); a requester that may
// be granted waits at most 6 clocks (§9). Predicates read the registered arrays: an update granted in clock n is seen
// by waits and bus reads from clock n+1. A wait with a side effect is a request like an update.
//
// Parameters: SEM_UNSIGNED_CMP (§4); UNIT, the number that event taps report. As the unit of a TOP_SP the engine ports
// are tied to 0. Engine e (enum ENG) owns slice e of every engine vector.
// Latency: a pure wait 0 clocks, a lone update or wait with a side effect 0 (answered in the clock of the request).
// After reset the semaphores, a RAM, are cleared one per clock; for those 256 clocks nothing is answered.
//
// Misuse: a code outside the tables of §5 is never granted and never passes, so the engine hangs visibly; an engine that
// raises both requests gets its update first. A lost record (below) is announced by the ovf bit of the next one.
`default_nettype none
`include "regs.vh"

module evt_sem #(
    parameter SEM_UNSIGNED_CMP = 0,
    parameter UNIT             = 0
) (
    input  wire         clk_i,
    input  wire         rst_ni,

    input  wire         psel_i,
    input  wire         penable_i,
    input  wire         pwrite_i,
    input  wire [19:0]  paddr_i,
    input  wire [31:0]  pwdata_i,
    output wire [31:0]  prdata_o,
    output wire         pready_o,
    output wire         pslverr_o,

    input  wire [4:0]   wait_req_i,
    input  wire [39:0]  wait_mode_i,
    input  wire [39:0]  wait_idx_i,
    input  wire [159:0] wait_val_i,
    output wire [4:0]   wait_pass_o,
    input  wire [4:0]   upd_req_i,
    input  wire [39:0]  upd_mode_i,
    input  wire [39:0]  upd_idx_i,
    input  wire [159:0] upd_val_i,
    output wire [4:0]   upd_ack_o,

    // From the tpb control block and the EVSEM bit of NOTIFIC's hw_backpressure.
    input  wire [31:0]  sem_low_i,
    input  wire [31:0]  sem_high_i,
    input  wire         notify_en_i,
    input  wire         evsem_backpressure_i,

    // Records of updates; ovf: earlier records were lost and the header must say so (§8.2).
    output wire         nq_valid_o,
    input  wire         nq_ready_i,
    output wire [4:0]   nq_type_o,
    output wire [23:0]  nq_body0_o,
    output wire [31:0]  nq_body1_o,
    output wire         nq_ovf_o,

    // SEMAPHORE_ERROR and EVENT_ERROR (§8.3); ovf as above.
    output wire         err_valid_o,
    input  wire         err_ready_i,
    output wire [7:0]   err_id_o,
    output wire [7:0]   err_index_o,
    output wire         err_ovf_o
);
    localparam PORTS = 6;

    initial begin
        if (UNIT < 0 || UNIT > 255) begin
            $display("%m: UNIT is %0d, allowed are 0..255", UNIT);
            $finish;
        end
    end

    // ---- arrays -----------------------------------------------------------------------------------------------
    reg [31:0]           sem_q [0:`SEM_COUNT-1];
    reg [`EVT_COUNT-1:0] evt_q;
    reg [8:0]            walk_q; // next semaphore to clear; bit 8: the walk is over
    wire                 ready = walk_q[8];

    // ---- engine ports: predicates ----------------------------------------------------------------------------
    wire [4:0] hold, take, take_new, known;
    wire [4:0] eng_req;

    function is_update; // a code of the update table, in any of its READ, COMPLETE and register forms
        input [7:0] mode;
        case (mode & ~(8'd0 | `UPD_REG_BIT | `UPD_COMPLETE_BIT))
            `UPD_EVT_SET_READ, `UPD_EVT_CLR_READ, `UPD_SEM_INC_READ, `UPD_SEM_DEC_READ,
            `UPD_SEM_ADD_IMM_READ, `UPD_SEM_SUB_IMM_READ, `UPD_SEM_WR_IMM_READ: is_update = 1'b1;
            default: is_update = 1'b0;
        endcase
    endfunction

    genvar e;
    generate
        for (e = 0; e < `ENG_COUNT; e = e + 1) begin : g_engine
            wire [7:0] idx = wait_idx_i[8*e +: 8];
            evt_wait #(.SEM_UNSIGNED_CMP(SEM_UNSIGNED_CMP)) u_wait (
                .mode_i(wait_mode_i[8*e +: 8]), .value_i(wait_val_i[32*e +: 32]),
                .sem_i(sem_q[idx]), .evt_i(evt_q[idx]),
                .hold_o(hold[e]), .take_o(take[e]), .new_o(take_new[e]));
            assign known[e] = is_update(upd_mode_i[8*e +: 8]);
        end
    endgenerate

    // ---- bus port --------------------------------------------------------------------------------------------
    wire       bus_req, bus_grant;
    wire [7:0] bus_mode, bus_idx;

    evt_apb u_apb (
        .ready_i(ready), .psel_i(psel_i), .penable_i(penable_i), .pwrite_i(pwrite_i), .paddr_i(paddr_i),
        .pwdata0_i(pwdata_i[0]), .prdata_o(prdata_o), .pready_o(pready_o), .req_o(bus_req), .mode_o(bus_mode),
        .idx_o(bus_idx), .grant_i(bus_grant), .sem_i(sem_q[bus_idx]), .evt_i(evt_q[bus_idx]));
    assign pslverr_o = 1'b0;

    // ---- arbitration -----------------------------------------------------------------------------------------
    // Ports are in EVT_PORT order: SP (engine 4) first, then engines 0..3, then the bus.
    wire             nq_full;
    wire             eng_open = ready && !(nq_full && evsem_backpressure_i);
    wire [4:0]       by_upd   = upd_req_i & known; // this engine's request is its update
    wire [PORTS-1:0] req, grant;
    wire [2:0]       port;
    wire [4:0]       eng_grant = {grant[`EVT_PORT_SP], grant[`EVT_PORT_BUS-1:`EVT_PORT_PE]};

    assign eng_req   = {5{eng_open}} & (by_upd | (wait_req_i & take));
    assign req       = {bus_req, eng_req[`ENG_SP-1:0], eng_req[`ENG_SP]};
    assign bus_grant = grant[`EVT_PORT_BUS];

    rr_arb #(.N(PORTS), .W(3)) u_arb (
        .clk_i(clk_i), .rst_ni(rst_ni), .req_i(req), .take_i(1'b1), .grant_o(grant), .index_o(port));

    assign upd_ack_o   = eng_grant & by_upd;
    assign wait_pass_o = {5{ready}} & wait_req_i & (hold | (eng_grant & take & ~by_upd));

    // ---- the update of this clock ----------------------------------------------------------------------------
    wire        commit   = req != {PORTS{1'b0}};
    wire        from_bus = port == `EVT_PORT_BUS;
    wire [2:0]  source   = from_bus ? `ENG_COUNT : port == `EVT_PORT_SP ? `ENG_SP : port - `EVT_PORT_PE;
    wire [2:0]  eng      = from_bus ? 3'd0 : source;
    wire        by_wait  = !from_bus && !by_upd[eng];
    reg  [7:0]  mode, idx;
    reg  [31:0] value;

    always @* begin
        mode  = upd_mode_i[8*eng +: 8];
        idx   = upd_idx_i[8*eng +: 8];
        value = upd_val_i[32*eng +: 32];
        if (from_bus) begin
            mode  = bus_mode;
            idx   = bus_idx;
            value = pwdata_i;
        end else if (by_wait) begin
            mode  = take_new[eng] ? `EVT_WAIT_SET : `EVT_WAIT_CLEAR;
            idx   = wait_idx_i[8*eng +: 8];
            value = 32'd0;
        end
    end

    wire        is_sem, double, wrap;
    wire [31:0] new_value;

    evt_update u_update (
        .mode_i(mode), .value_i(value), .sem_i(sem_q[idx]), .evt_i(evt_q[idx]),
        .is_sem_o(is_sem), .new_o(new_value), .double_o(double), .wrap_o(wrap));

    always @(posedge clk_i) begin
        if (!ready) sem_q[walk_q[7:0]] <= 32'd0;
        else if (commit && is_sem) sem_q[idx] <= new_value;
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            walk_q <= 9'd0;
            evt_q  <= {`EVT_COUNT{1'b0}};
        end else begin
            if (!ready) walk_q <= walk_q + 9'd1;
            if (commit && !is_sem) evt_q[idx] <= new_value[0];
        end
    end

    // ---- records and errors ----------------------------------------------------------------------------------
    wire [4:0] eng_type = `NTYPE_ENG_BASE + `NTYPE_ENG_STRIDE * eng + `NKIND_EVT_SEM;
    wire [4:0] rec_type = from_bus ? `NTYPE_AXI_EVT_SEM : eng_type;
    wire       outside  = new_value <= sem_low_i || new_value >= sem_high_i; // unsigned always (§4)

    // A bus write only sets the double flag of its record (§8.3).
    wire       error    = commit && (wrap || (double && !from_bus));
    wire [7:0] error_id = is_sem ? `NERR_SEMAPHORE_ERROR : `NERR_EVENT_ERROR;

    evt_report u_report (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .record_i(commit && notify_en_i && (!is_sem || outside)),
        .type_i(rec_type),
        .body0_i({mode, 6'd0, double, is_sem, idx}), .body1_i(new_value), .nq_full_o(nq_full),
        .nq_valid_o(nq_valid_o), .nq_ready_i(nq_ready_i), .nq_type_o(nq_type_o), .nq_body0_o(nq_body0_o),
        .nq_body1_o(nq_body1_o), .nq_ovf_o(nq_ovf_o),
        .error_i(error), .error_id_i(error_id), .error_index_i(idx),
        .err_valid_o(err_valid_o), .err_ready_i(err_ready_i), .err_id_o(err_id_o), .err_index_o(err_index_o),
        .err_ovf_o(err_ovf_o));
endmodule
`default_nettype wire
