// What each queue has in the pipeline between "packet scheduled" and "packet acknowledged", and why it must stop:
//
//   flight  packets scheduled and not yet acknowledged or discarded
//   writes  write bursts issued and not yet answered
//   stop    the direction's queue met an error (udma.md §14.3): no prefetch until its rst_q; what was prefetched before
//           a faulty descriptor still runs
//   halt    and no new packet either: a packet failed, so nothing behind it may run
//   kill    everything of the queue in the pipeline is discarded without effect on pointers (rst_q while busy, abort,
//           write error); ends when the pipeline holds nothing of the queue
//   rd_dead, wr_dead  the same from the read stage or the write stage on: packets ahead still complete
//
// While any of the last three is set no new packet of the queue starts and nothing is prefetched for it. rst_q of one
// direction while packets are in flight stops the other direction too, until its own rst_q: it holds half a packet.
// Latency 1 clock, one event of each kind per clock.
`default_nettype none

module udma_track (
    input  wire         clk_i,
    input  wire         rst_ni,
    input  wire         start_i,      // packet scheduled
    input  wire [3:0]   start_q_i,
    input  wire         leave_i,      // packet acknowledged or discarded
    input  wire [3:0]   leave_q_i,
    input  wire         issue_i,      // write burst issued
    input  wire [3:0]   issue_q_i,
    input  wire         answer_i,     // write burst answered
    input  wire [3:0]   answer_q_i,
    input  wire         answer_err_i,
    input  wire         rd_err_i,     // data read failed
    input  wire [3:0]   rd_err_q_i,
    input  wire         wr_dead_i,    // write stage gives the queue's packet up
    input  wire [3:0]   wr_dead_q_i,
    input  wire [15:0]  stop_m2s_i,   // one bit per queue, strobes
    input  wire [15:0]  stop_s2m_i,
    input  wire [15:0]  halt_m2s_i,
    input  wire         m_rst_i,      // rst_q
    input  wire         s_rst_i,
    input  wire [3:0]   rst_q_i,
    input  wire         abort_set_i,  // change_state.abort, strobe
    input  wire         abort_i,      // engine is aborted
    output wire [15:0]  busy_o,       // packets in flight
    output wire [15:0]  kill_o,
    output wire [15:0]  rd_dead_o,
    output wire [15:0]  wr_dead_o,
    output wire [15:0]  stop_m2s_o,
    output wire [15:0]  stop_s2m_o,
    output wire [15:0]  halt_o,
    output wire [15:0]  writing_o     // write bursts unanswered
);
    reg [7:0]  flight_q [0:15];
    reg [7:0]  writes_q [0:15];
    reg [15:0] busy_q, kill_q, rd_dead_q, wr_dead_q, stop_m2s_q, stop_s2m_q, halt_m2s_q, halt_s2m_q, writing_q;

    assign busy_o     = busy_q;
    assign kill_o     = kill_q;
    assign rd_dead_o  = rd_dead_q;
    assign wr_dead_o  = wr_dead_q;
    assign stop_m2s_o = stop_m2s_q;
    assign stop_s2m_o = stop_s2m_q;
    assign halt_o     = halt_m2s_q | halt_s2m_q;
    assign writing_o  = writing_q;

    function [15:0] bit_of;
        input       on;
        input [3:0] q;
        bit_of = on ? 16'd1 << q : 16'd0;
    endfunction

    wire        both_flight = start_i && leave_i && start_q_i == leave_q_i;
    wire        both_writes = issue_i && answer_i && issue_q_i == answer_q_i;
    wire [15:0] m_rst       = bit_of(m_rst_i, rst_q_i);
    wire [15:0] s_rst       = bit_of(s_rst_i, rst_q_i);
    wire [15:0] wr_err      = bit_of(answer_i && answer_err_i, answer_q_i);
    // a rst_q now leaves the other direction with half a packet, also of one that starts in this clock
    wire [15:0] halved      = (busy_q | bit_of(start_i, start_q_i)) & ~kill_q;
    // half a packet on each side; a rst_q in the same clock has already cleaned up its side
    wire [15:0] lost        = wr_err | bit_of(wr_dead_i, wr_dead_q_i) | {16{abort_set_i}};
    wire [15:0] m_lost      = (lost & ~m_rst) | (halved & s_rst);
    wire [15:0] s_lost      = (lost & ~s_rst) | (halved & m_rst);

    integer i;
    always @(posedge clk_i) begin
        if (!rst_ni) begin
            for (i = 0; i < 16; i = i + 1) begin
                flight_q[i] <= 8'd0;
                writes_q[i] <= 8'd0;
            end
            busy_q     <= 16'd0;
            writing_q  <= 16'd0;
            kill_q     <= 16'd0;
            rd_dead_q  <= 16'd0;
            wr_dead_q  <= 16'd0;
            stop_m2s_q <= 16'd0;
            stop_s2m_q <= 16'd0;
            halt_m2s_q <= 16'd0;
            halt_s2m_q <= 16'd0;
        end else begin
            if (start_i && !both_flight) begin
                flight_q[start_q_i] <= flight_q[start_q_i] + 8'd1;
                busy_q[start_q_i]   <= 1'b1;
            end
            if (leave_i && !both_flight) begin
                flight_q[leave_q_i] <= flight_q[leave_q_i] - 8'd1;
                busy_q[leave_q_i]   <= flight_q[leave_q_i] != 8'd1;
            end
            if (issue_i && !both_writes) begin
                writes_q[issue_q_i]  <= writes_q[issue_q_i] + 8'd1;
                writing_q[issue_q_i] <= 1'b1;
            end
            if (answer_i && !both_writes) begin
                writes_q[answer_q_i]  <= writes_q[answer_q_i] - 8'd1;
                writing_q[answer_q_i] <= writes_q[answer_q_i] != 8'd1;
            end
            kill_q    <= (kill_q & busy_q) | m_rst | s_rst | wr_err | {16{abort_i || abort_set_i}};
            rd_dead_q <= (rd_dead_q & busy_q) | bit_of(rd_err_i, rd_err_q_i);
            wr_dead_q <= (wr_dead_q & busy_q) | bit_of(wr_dead_i, wr_dead_q_i);
            stop_m2s_q <= ((stop_m2s_q | stop_m2s_i | halt_m2s_i) & ~m_rst) | m_lost;
            stop_s2m_q <= ((stop_s2m_q | stop_s2m_i) & ~s_rst) | s_lost;
            halt_m2s_q <= ((halt_m2s_q | halt_m2s_i) & ~m_rst) | m_lost;
            halt_s2m_q <= (halt_s2m_q & ~s_rst) | s_lost;
        end
    end
endmodule
`default_nettype wire
