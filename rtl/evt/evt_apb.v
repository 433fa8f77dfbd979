// APB3 side of EVT_SEM: the address selects the operation (events-semaphores.md §3). Combinational.
// A write to a window that changes something becomes a request and is answered in the clock of its commit (§9.4);
// every other access is answered at once. Reserved space, addresses that are not a multiple of 4, reads of the
// write-only windows and writes of the read-only one read 0 and change nothing; there is never a slave error.
`default_nettype none
`include "regs.vh"

module evt_apb (
    input  wire        ready_i, // 0 while the reset walk runs
    input  wire        psel_i,
    input  wire        penable_i,
    input  wire        pwrite_i,
    input  wire [19:0] paddr_i,
    input  wire        pwdata0_i, // bit 0, all that decides; evt_sem takes the whole word as the operand
    output reg  [31:0] prdata_o,
    output wire        pready_o,
    output wire        req_o, // to the arbiter: this update, held until grant_i
    output reg  [7:0]  mode_o,
    output wire [7:0]  idx_o,
    input  wire        grant_i,
    input  wire [31:0] sem_i, // entry idx_o of the arrays
    input  wire        evt_i
);
    // All windows have the same size, so the window is the address above it.
    localparam WIN_BITS = $clog2(`EVT_WIN_SIZE);

    wire        access = psel_i && penable_i && ready_i;
    wire        whole  = paddr_i[1:0] == 2'd0;
    wire [19:0] window = {paddr_i[19:WIN_BITS], {WIN_BITS{1'b0}}};
    reg         acts;   // a write to this window changes an entry

    assign idx_o = paddr_i[WIN_BITS-1:2];

    always @* begin
        prdata_o = 32'd0;
        mode_o   = `UPD_NONE;
        acts     = 1'b0;
        case (window)
            `EVT_WIN_EVENT: begin
                acts     = 1'b1;
                mode_o   = pwdata0_i ? `UPD_EVT_SET_COMPLETE : `UPD_EVT_CLR_COMPLETE;
                prdata_o = {31'd0, evt_i};
            end
            `EVT_WIN_SEM_READ: prdata_o = sem_i;
            `EVT_WIN_SEM_SET: begin
                acts   = 1'b1;
                mode_o = `UPD_SEM_WR_IMM_COMPLETE;
            end
            `EVT_WIN_SEM_INC: begin
                acts   = 1'b1;
                mode_o = `UPD_SEM_ADD_IMM_COMPLETE;
            end
            `EVT_WIN_SEM_DEC: begin
                acts   = 1'b1;
                mode_o = `UPD_SEM_SUB_IMM_COMPLETE;
            end
            default: ;
        endcase
        if (!whole || pwrite_i || !access) prdata_o = 32'd0;
    end

    assign req_o    = access && pwrite_i && whole && acts;
    assign pready_o = access && (!req_o || grant_i);
endmodule
`default_nettype wire
