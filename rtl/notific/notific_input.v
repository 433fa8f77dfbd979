// Input side of NOTIFIC: one buffer per source, round robin over them, and the stage that holds the record which the
// ring logic looks at (notification-queue.md §9.1 steps 1-3). The time is stamped when a record enters that stage.
// hw_backpressure and wr_buf_enable are looked up by the class bit of the record.
// Latency: accepted in clock n, staged in n+2 at the earliest; one record per clock.
`default_nettype none
`include "regs.vh"

module notific_input #(
    parameter N_SRC     = 15,
    parameter NIQ_DEPTH = `NQ_NIQ_DEPTH
) (
    input  wire                 clk_i,
    input  wire                 rst_ni,

    input  wire [N_SRC-1:0]     src_valid_i,
    output wire [N_SRC-1:0]     src_ready_o,
    input  wire [5*N_SRC-1:0]   src_type_i,
    input  wire [24*N_SRC-1:0]  src_body0_i,
    input  wire [32*N_SRC-1:0]  src_body1_i,
    input  wire [4*N_SRC-1:0]   src_queue_i,
    input  wire [6*N_SRC-1:0]   src_class_i,
    input  wire [N_SRC-1:0]     src_ovf_i,

    input  wire [63:0]          class_on_i,     // wr_buf_enable
    input  wire [63:0]          backpressure_i, // hw_backpressure
    input  wire [63:0]          time_i,

    output reg                  valid_o,        // the staged record; it leaves with done_i
    output reg  [3:0]           queue_o,
    output reg                  ovf_o,
    output reg  [4:0]           type_o,
    output reg  [23:0]          body0_o,
    output reg  [31:0]          body1_o,
    output reg  [63:0]          time_o,
    input  wire                 done_i,

    input  wire [8:0]           look_i,         // buffer entry to show: source * NIQ_DEPTH + place
    output wire [143:0]         look_o,

    output wire                 full_stall_o,   // one-clock pulses: a source began to stall,
    output wire                 full_drop_o,    // a record was dropped at a full buffer
    output reg  [`NQ_DBG_CLASSES-1:0] stall_dbg_o, // the same by class bit
    output reg  [`NQ_DBG_CLASSES-1:0] drop_dbg_o
);
    localparam A  = $clog2(NIQ_DEPTH);
    localparam SW = $clog2(N_SRC);
    localparam W  = 6 + 4 + 5 + 24 + 32; // class, queue, type, body0, body1

    wire [N_SRC-1:0]   head, pop, head_ovf;
    wire [W*N_SRC-1:0] head_data;
    wire [N_SRC-1:0]   class_drop, full_drop, full_stall;
    reg  [N_SRC-1:0]   full_stall_q;
    wire [(W+1)*N_SRC-1:0] look_all;

    genvar s;
    generate
        for (s = 0; s < N_SRC; s = s + 1) begin : g_source
            wire [5:0] class_bit = src_class_i[6*s +: 6];
            notific_niq #(.W(W), .DEPTH(NIQ_DEPTH), .A(A)) u_niq (
                .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(src_valid_i[s]), .ready_o(src_ready_o[s]),
                .data_i({class_bit, src_queue_i[4*s +: 4], src_type_i[5*s +: 5], src_body0_i[24*s +: 24],
                         src_body1_i[32*s +: 32]}),
                .ovf_i(src_ovf_i[s]), .class_on_i(class_on_i[class_bit]),
                .backpressure_i(backpressure_i[class_bit]),
                .valid_o(head[s]), .data_o(head_data[W*s +: W]), .ovf_o(head_ovf[s]), .pop_i(pop[s]),
                .look_i(look_i[A-1:0]), .look_o(look_all[(W+1)*s +: W+1]),
                .class_drop_o(class_drop[s]), .full_drop_o(full_drop[s]),
                .full_stall_o(full_stall[s]));
        end
    endgenerate

    // ---- arbitration and the staged record ---------------------------------------------------------------------
    wire             room = !valid_o || done_i;
    wire [N_SRC-1:0] grant;
    wire [SW-1:0]    pick;
    reg  [W-1:0]     picked;
    reg              picked_ovf;

    rr_arb #(.N(N_SRC), .W(SW)) u_arb (
        .clk_i(clk_i), .rst_ni(rst_ni), .req_i(head), .take_i(room), .grant_o(grant), .index_o(pick));
    assign pop = room ? grant : {N_SRC{1'b0}};

    integer k;
    always @* begin
        picked     = {W{1'b0}};
        picked_ovf = 1'b0;
        for (k = 0; k < N_SRC; k = k + 1)
            if (grant[k]) begin
                picked     = picked | head_data[W*k +: W];
                picked_ovf = picked_ovf | head_ovf[k];
            end
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            valid_o <= 1'b0;
            {queue_o, type_o, body0_o, body1_o} <= {(W-6){1'b0}};
            ovf_o   <= 1'b0;
            time_o  <= 64'd0;
        end else if (room) begin
            valid_o <= head != {N_SRC{1'b0}};
            {queue_o, type_o, body0_o, body1_o} <= picked[W-7:0];
            ovf_o   <= picked_ovf;
            time_o  <= time_i;
        end
    end

    // ---- the entry that software looks at ----------------------------------------------------------------------
    // Words 0 and 1 of the record as they will be written but for phase and software overflow; no time yet.
    reg  [W:0] look_data;
    wire [5:0] look_class = look_data[W-1 -: 6];
    wire [3:0] look_queue = look_data[W-7 -: 4];
    assign look_o = {6'd0, look_class, look_queue, 64'd0, look_data[31:0], 1'b0, look_data[W], 1'b0, look_data[60:32]};

    integer j;
    always @* begin
        look_data = {(W+1){1'b0}};
        for (j = 0; j < N_SRC; j = j + 1)
            if ({23'd0, look_i} >> A == j) look_data = look_data | look_all[(W+1)*j +: W+1];
    end

    // ---- diagnostic pulses -------------------------------------------------------------------------------------
    wire [N_SRC-1:0] stall_edge = full_stall & ~full_stall_q;
    assign full_stall_o = stall_edge != {N_SRC{1'b0}};
    assign full_drop_o  = full_drop != {N_SRC{1'b0}};

    always @(posedge clk_i) begin
        if (!rst_ni) full_stall_q <= {N_SRC{1'b0}};
        else full_stall_q <= full_stall;
    end

    // The class bit has done its work when a record is picked. class_drop is for the tap.
    wire unused = &{1'b0, picked[W-1 -: 6], pick, class_drop};

    integer   i;
    reg [5:0] class_i;
    always @* begin
        stall_dbg_o = {`NQ_DBG_CLASSES{1'b0}};
        drop_dbg_o  = {`NQ_DBG_CLASSES{1'b0}};
        for (i = 0; i < N_SRC; i = i + 1) begin
            class_i = src_class_i[6*i +: 6];
            if (class_i < `NQ_DBG_CLASSES && stall_edge[i]) stall_dbg_o[class_i[4:0]] = 1'b1;
            if (class_i < `NQ_DBG_CLASSES && full_drop[i]) drop_dbg_o[class_i[4:0]] = 1'b1;
        end
    end
endmodule
`default_nettype wire
