// AXI4 to APB3 bridge in front of the register targets (profiler-and-trace.md §9 rule 3). Takes only single-beat
// accesses that touch exactly one aligned 4-byte word: a write by its strobes, whatever awsize says, a read by
// arsize = 2. Anything else is drained and answered SLVERR without an APB transfer; refused reads return 0xDEADBEEF.
// One access at a time, reads and writes in turn when both wait. Latency: 2 clocks in front of the APB transfer for a
// write, 1 for a read, 1 behind it. A slave that never answers holds the bridge, not the memory port.
`default_nettype none
`include "regs.vh"

module axi2apb #(
    parameter MEM_W = 512
) (
    input  wire               clk_i,
    input  wire               rst_ni,

    input  wire [20:0]        awid_i,
    input  wire [63:0]        awaddr_i,
    input  wire [7:0]         awlen_i,
    input  wire               awvalid_i,
    output wire               awready_o,
    input  wire [MEM_W-1:0]   wdata_i,
    input  wire [MEM_W/8-1:0] wstrb_i,
    input  wire               wlast_i,
    input  wire               wvalid_i,
    output wire               wready_o,
    output wire [20:0]        bid_o,
    output wire [1:0]         bresp_o,
    output wire               bvalid_o,
    input  wire               bready_i,
    input  wire [20:0]        arid_i,
    input  wire [63:0]        araddr_i,
    input  wire [7:0]         arlen_i,
    input  wire [2:0]         arsize_i,
    input  wire               arvalid_i,
    output wire               arready_o,
    output wire [20:0]        rid_o,
    output wire [MEM_W-1:0]   rdata_o,
    output wire [1:0]         rresp_o,
    output wire               rlast_o,
    output wire               rvalid_o,
    input  wire               rready_i,

    output wire               psel_o,
    output wire               penable_o,
    output wire               pwrite_o,
    output wire [63:0]        paddr_o,    // SoC address
    output wire [31:0]        pwdata_o,
    input  wire [31:0]        prdata_i,
    input  wire               pready_i,
    input  wire               pslverr_i
);
    localparam WORDS = MEM_W / 32;
    localparam LANE  = $clog2(MEM_W / 8);

    localparam [2:0] IDLE = 3'd0, WDATA = 3'd1, SETUP = 3'd2, ACCESS = 3'd3, BRESP = 3'd4, RRESP = 3'd5;

    reg [2:0]  state_q, state_d;
    reg        write_q, write_d, turn_q, turn_d;   // turn: a write goes first
    reg        legal_q, legal_d;                   // single beat so far
    reg [20:0] id_q, id_d;
    reg [63:0] addr_q, addr_d;
    reg [7:0]  left_q, left_d;                     // read beats after the present one
    reg [31:0] data_q, data_d;
    reg [1:0]  resp_q, resp_d;

    wire take_w = state_q == IDLE && awvalid_i && (turn_q || !arvalid_i);
    wire take_r = state_q == IDLE && arvalid_i && !take_w;

    // The one word a write beat touches, if it is exactly one.
    reg [31:0]       word;
    reg [LANE-3:0]   lane;
    reg              one;
    reg              some;
    integer          i;
    always @* begin
        word = 32'd0;
        lane = {LANE-2{1'b0}};
        one  = 1'b1;
        some = 1'b0;
        i    = 0; // on every path, or it would be a latch
        if (state_q == WDATA) begin
            for (i = 0; i < WORDS; i = i + 1) begin
                if (wstrb_i[i*4 +: 4] != 4'h0) begin
                    if (some || wstrb_i[i*4 +: 4] != 4'hf) one = 1'b0;
                    some = 1'b1;
                    word = wdata_i[i*32 +: 32];
                    lane = i[LANE-3:0];
                end
            end
        end
    end

    always @* begin
        state_d = state_q;
        write_d = write_q;
        turn_d  = turn_q;
        legal_d = legal_q;
        id_d    = id_q;
        addr_d  = addr_q;
        left_d  = left_q;
        data_d  = data_q;
        resp_d  = resp_q;
        case (state_q)
        IDLE: begin
            resp_d = `AXI_OKAY;
            data_d = `SOC_POISON;
            if (take_w) begin
                write_d = 1'b1;
                turn_d  = 1'b0;
                id_d    = awid_i;
                addr_d  = awaddr_i;
                legal_d = awlen_i == 8'd0;
                state_d = WDATA;
            end else if (take_r) begin
                write_d = 1'b0;
                turn_d  = 1'b1;
                id_d    = arid_i;
                addr_d  = araddr_i;
                left_d  = arlen_i;
                legal_d = arlen_i == 8'd0 && arsize_i == 3'd2 && araddr_i[1:0] == 2'd0;
                if (legal_d) begin
                    state_d = SETUP;
                end else begin
                    resp_d  = `AXI_SLVERR;
                    state_d = RRESP;
                end
            end
        end
        WDATA: if (wvalid_i) begin
            data_d  = word;
            legal_d = legal_q && one && some;
            if (wlast_i) begin
                addr_d = {addr_q[63:LANE], lane, 2'd0};
                if (legal_d) begin
                    state_d = SETUP;
                end else begin
                    resp_d  = `AXI_SLVERR;
                    state_d = BRESP;
                end
            end
        end
        SETUP: state_d = ACCESS;
        ACCESS: if (pready_i) begin
            if (!write_q) data_d = prdata_i;
            if (pslverr_i) resp_d = `AXI_SLVERR;
            state_d = write_q ? BRESP : RRESP;
        end
        BRESP: if (bready_i) state_d = IDLE;
        RRESP: if (rready_i) begin
            left_d = left_q - 8'd1;
            if (rlast_o) state_d = IDLE;
        end
        default: state_d = IDLE;
        endcase
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            state_q <= IDLE;
            write_q <= 1'b0;
            turn_q  <= 1'b1;
            legal_q <= 1'b0;
            id_q    <= 21'd0;
            addr_q  <= 64'd0;
            left_q  <= 8'd0;
            data_q  <= 32'd0;
            resp_q  <= 2'd0;
        end else begin
            state_q <= state_d;
            write_q <= write_d;
            turn_q  <= turn_d;
            legal_q <= legal_d;
            id_q    <= id_d;
            addr_q  <= addr_d;
            left_q  <= left_d;
            data_q  <= data_d;
            resp_q  <= resp_d;
        end
    end

    assign awready_o = take_w;
    assign arready_o = take_r;
    assign wready_o  = state_q == WDATA;
    assign bvalid_o  = state_q == BRESP;
    assign bid_o     = id_q;
    assign bresp_o   = resp_q;
    assign rvalid_o  = state_q == RRESP;
    assign rid_o     = id_q;
    assign rresp_o   = resp_q;
    assign rlast_o   = left_q == 8'd0;
    assign rdata_o   = {WORDS{data_q}};
    assign psel_o    = state_q == SETUP || state_q == ACCESS;
    assign penable_o = state_q == ACCESS;
    assign pwrite_o  = write_q;
    assign paddr_o   = addr_q;
    assign pwdata_o  = data_q;
endmodule
`default_nettype wire
