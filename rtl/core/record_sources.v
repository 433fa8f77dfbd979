// Puts every record stream of the core in front of NOTIFIC, one source per class bit in class order
// (notification-queue.md §8.1): first PE, POOL, ACT, DVE, SP and EVT_SEM, then the errors. Error records are of type
// TPB_ERROR and go to the errors queue. Latency 0; combinational but for the merge of the five MEMORY_ERROR streams.
`default_nettype none
`include "regs.vh"

module record_sources #(
    parameter N_SRC = 15
) (
    input  wire                     clk_i,
    input  wire                     rst_ni,
    input  wire [3:0]               events_queue_i,
    input  wire [3:0]               errors_queue_i,

    // sequencers, engine e in slice e: own records, fatal faults, bus errors
    input  wire [`ENG_COUNT-1:0]    rec_valid_i,
    output wire [`ENG_COUNT-1:0]    rec_ready_o,
    input  wire [5*`ENG_COUNT-1:0]  rec_type_i,
    input  wire [24*`ENG_COUNT-1:0] rec_body0_i,
    input  wire [32*`ENG_COUNT-1:0] rec_body1_i,
    input  wire [4*`ENG_COUNT-1:0]  rec_queue_i,
    input  wire [`ENG_COUNT-1:0]    flt_valid_i,
    output wire [`ENG_COUNT-1:0]    flt_ready_o,
    input  wire [24*`ENG_COUNT-1:0] flt_body0_i,
    input  wire [32*`ENG_COUNT-1:0] flt_body1_i,
    input  wire [`ENG_COUNT-1:0]    merr_valid_i,
    output wire [`ENG_COUNT-1:0]    merr_ready_o,
    input  wire [32*`ENG_COUNT-1:0] merr_body1_i,

    // EVT_SEM: updates, errors
    input  wire                     evt_valid_i,
    output wire                     evt_ready_o,
    input  wire [4:0]               evt_type_i,
    input  wire [23:0]              evt_body0_i,
    input  wire [31:0]              evt_body1_i,
    input  wire                     evt_ovf_i,
    input  wire                     err_valid_i,
    output wire                     err_ready_o,
    input  wire [7:0]               err_id_i,
    input  wire [7:0]               err_index_i,
    input  wire                     err_ovf_i,

    // test hook of the tpb control block
    input  wire                     fake_valid_i,
    output wire                     fake_ready_o,
    input  wire [31:0]              fake_data_i,

    output wire [N_SRC-1:0]         src_valid_o,
    input  wire [N_SRC-1:0]         src_ready_i,
    output wire [5*N_SRC-1:0]       src_type_o,
    output wire [24*N_SRC-1:0]      src_body0_o,
    output wire [32*N_SRC-1:0]      src_body1_o,
    output wire [4*N_SRC-1:0]       src_queue_o,
    output wire [6*N_SRC-1:0]       src_class_o,
    output wire [N_SRC-1:0]         src_ovf_o
);
    // Sources 0..4 and 10..14 are the engines in class order, with the class bits of their rows.
    localparam EVSEM = 5, MERR = 6, FAKE = 7, SEM_ERR = 8, EVENT_ERR = 9, FATAL = 10;

    localparam [4:0]  ERROR_TYPE   = `NTYPE_TPB_ERROR;
    localparam [23:0] MERR_BODY0   = `NERR_MEMORY_ERROR;
    localparam [23:0] FAKE_BODY0   = `NERR_FAKE_ERROR;

    initial begin
        if (N_SRC != FATAL + `ENG_COUNT) begin
            $display("%m: N_SRC is %0d, the core has %0d sources", N_SRC, FATAL + `ENG_COUNT);
            $finish;
        end
    end

    // Engine number of place p in class order: PE, POOL, ACT, DVE, SP.
    function integer engine_at;
        input integer p;
        engine_at = p == 0 ? `ENG_PE : p == 1 ? `ENG_POOL : p == 2 ? `ENG_ACT : p == 3 ? `ENG_DVE : `ENG_SP;
    endfunction

    function [5:0] own_class;
        input integer p;
        own_class = p == 0 ? `NCLASS_PE_0 : p == 1 ? `NCLASS_POOL_0 : p == 2 ? `NCLASS_ACT_0 :
                    p == 3 ? `NCLASS_DVE_0 : `NCLASS_SP;
    endfunction

    function [5:0] fatal_class;
        input integer p;
        fatal_class = p == 0 ? `NCLASS_PE_FATAL : p == 1 ? `NCLASS_POOL_FATAL : p == 2 ? `NCLASS_ACT_FATAL :
                      p == 3 ? `NCLASS_DVE_FATAL : `NCLASS_SP_FATAL;
    endfunction

    genvar p;
    generate
        for (p = 0; p < `ENG_COUNT; p = p + 1) begin : g_engine
            localparam E = engine_at(p);
            assign src_valid_o[p]                  = rec_valid_i[E];
            assign src_type_o[5*p +: 5]            = rec_type_i[5*E +: 5];
            assign src_body0_o[24*p +: 24]         = rec_body0_i[24*E +: 24];
            assign src_body1_o[32*p +: 32]         = rec_body1_i[32*E +: 32];
            assign src_queue_o[4*p +: 4]           = rec_queue_i[4*E +: 4];
            assign src_class_o[6*p +: 6]           = own_class(p);
            assign src_ovf_o[p]                    = 1'b0;
            assign rec_ready_o[E]                  = src_ready_i[p];

            assign src_valid_o[FATAL+p]            = flt_valid_i[E];
            assign src_type_o[5*(FATAL+p) +: 5]    = ERROR_TYPE;
            assign src_body0_o[24*(FATAL+p) +: 24] = flt_body0_i[24*E +: 24];
            assign src_body1_o[32*(FATAL+p) +: 32] = flt_body1_i[32*E +: 32];
            assign src_queue_o[4*(FATAL+p) +: 4]   = errors_queue_i;
            assign src_class_o[6*(FATAL+p) +: 6]   = fatal_class(p);
            assign src_ovf_o[FATAL+p]              = 1'b0;
            assign flt_ready_o[E]                  = src_ready_i[FATAL+p];
        end
    endgenerate

    assign src_valid_o[EVSEM]          = evt_valid_i;
    assign src_type_o[5*EVSEM +: 5]    = evt_type_i;
    assign src_body0_o[24*EVSEM +: 24] = evt_body0_i;
    assign src_body1_o[32*EVSEM +: 32] = evt_body1_i;
    assign src_queue_o[4*EVSEM +: 4]   = events_queue_i;
    assign src_class_o[6*EVSEM +: 6]   = `NCLASS_EVSEM;
    assign src_ovf_o[EVSEM]            = evt_ovf_i;
    assign evt_ready_o                 = src_ready_i[EVSEM];

    rec_merge #(.N(`ENG_COUNT)) u_merr (
        .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(merr_valid_i), .ready_o(merr_ready_o), .body1_i(merr_body1_i),
        .valid_o(src_valid_o[MERR]), .ready_i(src_ready_i[MERR]), .body1_o(src_body1_o[32*MERR +: 32])
    );
    assign src_body0_o[24*MERR +: 24] = MERR_BODY0;
    assign src_class_o[6*MERR +: 6]   = `NCLASS_ERROR_MEMORY_ERROR;
    assign src_ovf_o[MERR]            = 1'b0;

    assign src_valid_o[FAKE]          = fake_valid_i;
    assign src_body0_o[24*FAKE +: 24] = FAKE_BODY0;
    assign src_body1_o[32*FAKE +: 32] = fake_data_i;
    assign src_class_o[6*FAKE +: 6]   = `NCLASS_ERROR_FAKE_ERROR;
    assign src_ovf_o[FAKE]            = 1'b0;
    assign fake_ready_o               = src_ready_i[FAKE];

    // One stream of EVT_SEM errors, two class bits.
    wire sem_error = err_id_i == `NERR_SEMAPHORE_ERROR;
    assign src_valid_o[SEM_ERR]            = err_valid_i && sem_error;
    assign src_valid_o[EVENT_ERR]          = err_valid_i && !sem_error;
    assign src_body0_o[24*SEM_ERR +: 24]   = {16'd0, err_id_i};
    assign src_body0_o[24*EVENT_ERR +: 24] = {16'd0, err_id_i};
    assign src_body1_o[32*SEM_ERR +: 32]   = {24'd0, err_index_i};
    assign src_body1_o[32*EVENT_ERR +: 32] = {24'd0, err_index_i};
    assign src_class_o[6*SEM_ERR +: 6]     = `NCLASS_ERROR_SEMAPHORE_ERROR;
    assign src_class_o[6*EVENT_ERR +: 6]   = `NCLASS_ERROR_EVENT_ERROR;
    assign src_ovf_o[SEM_ERR]              = err_ovf_i;
    assign src_ovf_o[EVENT_ERR]            = err_ovf_i;
    assign err_ready_o                     = sem_error ? src_ready_i[SEM_ERR] : src_ready_i[EVENT_ERR];

    assign src_type_o[5*MERR +: 20]  = {4{ERROR_TYPE}};
    assign src_queue_o[4*MERR +: 16] = {4{errors_queue_i}};
endmodule
`default_nettype wire
