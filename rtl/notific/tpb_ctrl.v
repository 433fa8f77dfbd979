// The `tpb` cluster control block (notification-queue.md §8.1, events-semaphores.md §8.1): thresholds and enable of the
// event records, the queue numbers of every record class, and the FAKE_ERROR test hook as a record source.
//
// Not built: the activity monitor (ROUTE_HAM), the Q7 cores (ROUTE_Q7), queue numbers taken from the instruction
// (ROUTE_INST), and whatever else the block has. A write that would turn one of them on (a non-zero value at any offset
// without a register here) answers with a slave error and changes nothing; such an offset reads 0.
// FAKE_ERROR_CTRL: writing 1 raises one record with the FAKE_ERROR_DATA of that moment; while it waits for NOTIFIC,
// another one answers with a slave error, so none is lost in silence.
// APB: no wait states. A write is in force from the next clock. Engine e (enum ENG) owns slice e of the queue vectors; SP has no datapath queue.
`default_nettype none
`include "regs.vh"

module tpb_ctrl (
    input  wire                   clk_i,
    input  wire                   rst_ni,

    input  wire                   psel_i,
    input  wire                   penable_i,
    input  wire                   pwrite_i,
    input  wire [11:0]            paddr_i,
    input  wire [31:0]            pwdata_i,
    output reg  [31:0]            prdata_o,
    output wire                   pready_o,
    output wire                   pslverr_o,

    output reg  [31:0]            sem_low_o,
    output reg  [31:0]            sem_high_o,
    output reg                    notify_en_o,
    output wire [4*`ENG_COUNT-1:0] nx_queue_o,       // START and END of the sequencers
    output wire [4*`ENG_COUNT-1:0] explicit_queue_o, // NOTIFY
    output wire [4*`ENG_COUNT-5:0] datapath_queue_o, // START and END of the datapaths, PE to DVE
    output wire [3:0]             events_queue_o,
    output wire [3:0]             errors_queue_o,

    output reg                    fake_valid_o, // a FAKE_ERROR record waits
    input  wire                   fake_ready_i,
    output reg  [31:0]            fake_data_o
);
    localparam ROUTE_MASK = `TPB_ROUTE_PE_POOL_PE_NX_MASK | `TPB_ROUTE_PE_POOL_PE_EXPLICIT_MASK |
                            `TPB_ROUTE_PE_POOL_PE_ENGINE_MASK | `TPB_ROUTE_PE_POOL_POOL_NX_MASK |
                            `TPB_ROUTE_PE_POOL_POOL_EXPLICIT_MASK | `TPB_ROUTE_PE_POOL_POOL_ENGINE_MASK;
    localparam SP_MASK    = `TPB_ROUTE_SP_EVT_SP_NX_MASK | `TPB_ROUTE_SP_EVT_SP_EXPLICIT_MASK |
                            `TPB_ROUTE_SP_EVT_EVT_MASK;

    reg [31:0] pe_pool_q, act_dve_q, sp_evt_q; // bits outside the fields stay 0
    reg [3:0]  errors_q;
    reg [31:0] fake_word_q;

    // ---- decode --------------------------------------------------------------------------------------------------
    wire write = psel_i && penable_i && pwrite_i && !pslverr_o;
    wire raise = paddr_i == `TPB_FAKE_ERROR_CTRL_OFF && pwdata_i[`TPB_FAKE_ERROR_CTRL_RAISE_LSB];
    reg  known;

    assign pready_o  = 1'b1;
    assign pslverr_o = psel_i && penable_i && pwrite_i && ((!known && pwdata_i != 32'd0) || (raise && fake_valid_o));

    always @* begin
        known    = 1'b1;
        prdata_o = 32'd0;
        case (paddr_i)
            `TPB_SEM_LOW_OFF:         prdata_o = sem_low_o;
            `TPB_SEM_HIGH_OFF:        prdata_o = sem_high_o;
            `TPB_EVT_NOTIFY_OFF:      prdata_o = {31'd0, notify_en_o};
            `TPB_ROUTE_PE_POOL_OFF:   prdata_o = pe_pool_q;
            `TPB_ROUTE_ACT_DVE_OFF:   prdata_o = act_dve_q;
            `TPB_ROUTE_SP_EVT_OFF:    prdata_o = sp_evt_q;
            `TPB_ROUTE_ERR_OFF:       prdata_o = {28'd0, errors_q};
            `TPB_FAKE_ERROR_CTRL_OFF: prdata_o = 32'd0;
            `TPB_FAKE_ERROR_DATA_OFF: prdata_o = fake_word_q;
            default:                  known = 1'b0;
        endcase
    end

    // ---- state ---------------------------------------------------------------------------------------------------
    always @(posedge clk_i) begin
        if (!rst_ni) begin
            sem_low_o   <= `TPB_SEM_LOW_RESET;
            sem_high_o  <= `TPB_SEM_HIGH_RESET;
            notify_en_o <= `TPB_EVT_NOTIFY_RESET;
            pe_pool_q   <= `TPB_ROUTE_PE_POOL_RESET;
            act_dve_q   <= `TPB_ROUTE_ACT_DVE_RESET;
            sp_evt_q    <= `TPB_ROUTE_SP_EVT_RESET;
            errors_q    <= `TPB_ROUTE_ERR_RESET;
            fake_word_q <= `TPB_FAKE_ERROR_DATA_RESET;
        end else if (write) begin
            case (paddr_i)
                `TPB_SEM_LOW_OFF:         sem_low_o   <= pwdata_i;
                `TPB_SEM_HIGH_OFF:        sem_high_o  <= pwdata_i;
                `TPB_EVT_NOTIFY_OFF:      notify_en_o <= pwdata_i[`TPB_EVT_NOTIFY_EN_LSB];
                `TPB_ROUTE_PE_POOL_OFF:   pe_pool_q   <= pwdata_i & ROUTE_MASK;
                `TPB_ROUTE_ACT_DVE_OFF:   act_dve_q   <= pwdata_i & ROUTE_MASK;
                `TPB_ROUTE_SP_EVT_OFF:    sp_evt_q    <= pwdata_i & SP_MASK;
                `TPB_ROUTE_ERR_OFF:       errors_q    <= pwdata_i[`TPB_ROUTE_ERR_ERR_MSB:`TPB_ROUTE_ERR_ERR_LSB];
                `TPB_FAKE_ERROR_DATA_OFF: fake_word_q <= pwdata_i;
                default: ;
            endcase
        end
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            fake_valid_o <= 1'b0;
            fake_data_o  <= 32'd0;
        end else if (write && raise) begin
            fake_valid_o <= 1'b1;
            fake_data_o  <= fake_word_q;
        end else if (fake_ready_i) begin
            fake_valid_o <= 1'b0;
        end
    end

    // ---- routes: the same fields for PE and ACT in the low half, POOL and DVE in the high half ---------------------
    assign nx_queue_o = {
        sp_evt_q[`TPB_ROUTE_SP_EVT_SP_NX_MSB:`TPB_ROUTE_SP_EVT_SP_NX_LSB],
        act_dve_q[`TPB_ROUTE_ACT_DVE_DVE_NX_MSB:`TPB_ROUTE_ACT_DVE_DVE_NX_LSB],
        pe_pool_q[`TPB_ROUTE_PE_POOL_POOL_NX_MSB:`TPB_ROUTE_PE_POOL_POOL_NX_LSB],
        act_dve_q[`TPB_ROUTE_ACT_DVE_ACT_NX_MSB:`TPB_ROUTE_ACT_DVE_ACT_NX_LSB],
        pe_pool_q[`TPB_ROUTE_PE_POOL_PE_NX_MSB:`TPB_ROUTE_PE_POOL_PE_NX_LSB]};
    assign explicit_queue_o = {
        sp_evt_q[`TPB_ROUTE_SP_EVT_SP_EXPLICIT_MSB:`TPB_ROUTE_SP_EVT_SP_EXPLICIT_LSB],
        act_dve_q[`TPB_ROUTE_ACT_DVE_DVE_EXPLICIT_MSB:`TPB_ROUTE_ACT_DVE_DVE_EXPLICIT_LSB],
        pe_pool_q[`TPB_ROUTE_PE_POOL_POOL_EXPLICIT_MSB:`TPB_ROUTE_PE_POOL_POOL_EXPLICIT_LSB],
        act_dve_q[`TPB_ROUTE_ACT_DVE_ACT_EXPLICIT_MSB:`TPB_ROUTE_ACT_DVE_ACT_EXPLICIT_LSB],
        pe_pool_q[`TPB_ROUTE_PE_POOL_PE_EXPLICIT_MSB:`TPB_ROUTE_PE_POOL_PE_EXPLICIT_LSB]};
    assign datapath_queue_o = {
        act_dve_q[`TPB_ROUTE_ACT_DVE_DVE_ENGINE_MSB:`TPB_ROUTE_ACT_DVE_DVE_ENGINE_LSB],
        pe_pool_q[`TPB_ROUTE_PE_POOL_POOL_ENGINE_MSB:`TPB_ROUTE_PE_POOL_POOL_ENGINE_LSB],
        act_dve_q[`TPB_ROUTE_ACT_DVE_ACT_ENGINE_MSB:`TPB_ROUTE_ACT_DVE_ACT_ENGINE_LSB],
        pe_pool_q[`TPB_ROUTE_PE_POOL_PE_ENGINE_MSB:`TPB_ROUTE_PE_POOL_PE_ENGINE_LSB]};
    assign events_queue_o = sp_evt_q[`TPB_ROUTE_SP_EVT_EVT_MSB:`TPB_ROUTE_SP_EVT_EVT_LSB];
    assign errors_queue_o = errors_q;
endmodule
`default_nettype wire
