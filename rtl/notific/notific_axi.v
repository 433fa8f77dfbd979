// Record writes of NOTIFIC: MAX_OUT entries and the write channels of an AXI4 master (notification-queue.md §16).
//
// Each record is one INCR burst of its 16 bytes: one beat with the record on the byte lanes that its address selects,
// or two beats when MEM_W is 64. Everything of a burst is in its entry before awvalid rises, the ID included. The
// answers come in order because all writes have one ID; an entry is free again when its answer is there.
// Latency: a record pushed in clock n raises awvalid in n+1; one record per clock. An answer nobody waits for is ignored.
`default_nettype none
`include "regs.vh"

module notific_axi #(
    parameter MEM_W   = 512, // 64, 128, 256 or 512
    parameter MAX_OUT = `NQ_MAX_OUT
) (
    input  wire                  clk_i,
    input  wire                  rst_ni,

    input  wire                  push_i, // not while full_o
    input  wire [63:0]           addr_i, // multiple of 16
    input  wire [127:0]          record_i,
    input  wire [3:0]            queue_i,
    input  wire [15:0]           id_i,
    output wire                  full_o,
    output reg  [`NQ_QUEUES-1:0] busy_o, // queue has an unanswered write

    output wire                  error_o, // an error answer in this clock, for the write to error_addr_o
    output wire [63:0]           error_addr_o,

    input  wire [8:0]            look_i, // entry to show, 0 while it is free
    output wire [223:0]          look_o,

    output wire [15:0]           m_awid_o,
    output wire [63:0]           m_awaddr_o,
    output wire [7:0]            m_awlen_o,
    output wire [2:0]            m_awsize_o,
    output wire [1:0]            m_awburst_o,
    output wire [2:0]            m_awprot_o,
    output wire                  m_awvalid_o,
    input  wire                  m_awready_i,
    output wire [MEM_W-1:0]      m_wdata_o,
    output wire [MEM_W/8-1:0]    m_wstrb_o,
    output wire                  m_wlast_o,
    output wire                  m_wvalid_o,
    input  wire                  m_wready_i,
    input  wire                  m_berror_i, // SLVERR or DECERR
    input  wire                  m_bvalid_i,
    output wire                  m_bready_o
);
    localparam A    = $clog2(MAX_OUT);
    localparam WIDE = MEM_W >= 128; // the record fits one beat

    initial begin
        if (MEM_W != 64 && MEM_W != 128 && MEM_W != 256 && MEM_W != 512) begin
            $display("%m: MEM_W is %0d, allowed are 64, 128, 256, 512", MEM_W);
            $finish;
        end
        if (MAX_OUT < 2 || MAX_OUT > 256 || (1 << A) != MAX_OUT) begin
            $display("%m: MAX_OUT is %0d, allowed are powers of two 2..256", MAX_OUT);
            $finish;
        end
    end

    reg [63:0]  addr_q   [0:MAX_OUT-1];
    reg [127:0] record_q [0:MAX_OUT-1];
    reg [15:0]  id_q     [0:MAX_OUT-1];
    reg [3:0]   queue_q  [0:MAX_OUT-1];
    reg [A:0]   push_q, aw_q, w_q, b_q; // positions, modulo 2 * MAX_OUT: filled, address, data and answer done
    reg         beat_q;

    wire [A:0]   used   = push_q - b_q;
    wire [A-1:0] aw     = aw_q[A-1:0];
    wire [A-1:0] w      = w_q[A-1:0];
    wire [A-1:0] b      = b_q[A-1:0];
    wire         answer = m_bvalid_i && b_q != aw_q && b_q != w_q;

    assign full_o       = used[A];
    assign error_o      = answer && m_berror_i;
    assign error_addr_o = addr_q[b];

    // Payload is 0 while its valid is low: the entries are not reset and must not show.
    assign m_awvalid_o = aw_q != push_q;
    assign m_awid_o    = m_awvalid_o ? id_q[aw] : 16'd0;
    assign m_awaddr_o  = m_awvalid_o ? addr_q[aw] : 64'd0;
    assign m_awlen_o   = WIDE ? 8'd0 : 8'd1;
    assign m_awsize_o  = WIDE ? 3'd4 : 3'd3;
    assign m_awburst_o = 2'b01;
    assign m_awprot_o  = `PROT_DATA;
    assign m_wvalid_o  = w_q != push_q;
    assign m_wlast_o   = WIDE ? 1'b1 : beat_q;
    assign m_bready_o  = 1'b1;

    wire [127:0] record = m_wvalid_o ? record_q[w] : 128'd0;

    generate
        if (MEM_W == 64) begin : g_two_beats
            assign m_wdata_o = beat_q ? record[127:64] : record[63:0];
            assign m_wstrb_o = {8{m_wvalid_o}};
        end else if (MEM_W == 128) begin : g_one_lane
            assign m_wdata_o = record;
            assign m_wstrb_o = {16{m_wvalid_o}};
        end else begin : g_lanes
            localparam LANES = MEM_W / 128;
            localparam LB    = $clog2(LANES);
            wire [LB-1:0] lane = m_wvalid_o ? addr_q[w][4 +: LB] : {LB{1'b0}};
            assign m_wdata_o = {LANES{record}};
            assign m_wstrb_o = {{(MEM_W/8-16){1'b0}}, {16{m_wvalid_o}}} << {lane, 4'd0};
        end
    endgenerate

    // ---- what software and the rings want to know ----------------------------------------------------------------
    wire [A-1:0] look     = look_i[A-1:0];
    wire [A-1:0] look_age = look - b;
    wire         look_hit = look_i < MAX_OUT && {1'b0, look_age} < used;
    assign look_o = look_hit ? {28'd0, queue_q[look], addr_q[look], record_q[look]} : 224'd0;

    integer     i;
    reg [A-1:0] age;
    always @* begin
        busy_o = {`NQ_QUEUES{1'b0}};
        for (i = 0; i < MAX_OUT; i = i + 1) begin
            age = i[A-1:0] - b;
            if ({1'b0, age} < used) busy_o[queue_q[i]] = 1'b1;
        end
    end

    // ---- state ---------------------------------------------------------------------------------------------------
    always @(posedge clk_i) begin
        if (push_i) begin
            addr_q[push_q[A-1:0]]   <= addr_i;
            record_q[push_q[A-1:0]] <= record_i;
            id_q[push_q[A-1:0]]     <= id_i;
            queue_q[push_q[A-1:0]]  <= queue_i;
        end
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            push_q <= {(A+1){1'b0}};
            aw_q   <= {(A+1){1'b0}};
            w_q    <= {(A+1){1'b0}};
            b_q    <= {(A+1){1'b0}};
            beat_q <= 1'b0;
        end else begin
            if (push_i) push_q <= push_q + 1'b1;
            if (m_awvalid_o && m_awready_i) aw_q <= aw_q + 1'b1;
            if (m_wvalid_o && m_wready_i) begin
                beat_q <= !m_wlast_o;
                if (m_wlast_o) w_q <= w_q + 1'b1;
            end
            if (answer) b_q <= b_q + 1'b1;
        end
    end
endmodule
`default_nettype wire
