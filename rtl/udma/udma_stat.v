// Counters (udma.md §8 q_tx_pkt, q_rx_pkt; §9 stat block; §7.5 num_set, num_clr). Packets and their descriptors count
// when the packet is acknowledged, bytes when a data burst is asked for (M2S) or issued (S2M). They wrap. rst_q clears
// the packet counter of its queue and direction. Latency 1 clock.
`default_nettype none

module udma_stat (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        cpl_i,
    input  wire [3:0]  cpl_q_i,
    input  wire [7:0]  cpl_m2s_n_i,
    input  wire [7:0]  cpl_s2m_n_i,
    input  wire        m_desc_i,
    input  wire        s_desc_i,
    input  wire        rd_i,
    input  wire [8:0]  rd_bytes_i,
    input  wire        wr_i,
    input  wire [8:0]  wr_bytes_i,
    input  wire        const_i,
    input  wire        const_one_i,
    input  wire [3:0]  q_i,
    input  wire        m_rst_i,     // rst_q of queue q_i
    input  wire        s_rst_i,
    output wire [31:0] m_packets_o, // of queue q_i
    output wire [31:0] s_packets_o,
    output reg  [31:0] packets_o,
    output reg  [31:0] m_done_o,    // descriptors completed
    output reg  [31:0] s_done_o,
    output reg  [31:0] m_fetched_o,
    output reg  [31:0] s_fetched_o,
    output reg  [63:0] m_bytes_o,
    output reg  [63:0] s_bytes_o,
    output reg  [31:0] num_set_o,
    output reg  [31:0] num_clr_o
);
    reg [31:0] m_packets_q [0:15];
    reg [31:0] s_packets_q [0:15];
    assign m_packets_o = m_packets_q[q_i];
    assign s_packets_o = s_packets_q[q_i];

    integer i;
    always @(posedge clk_i) begin
        if (!rst_ni) begin
            for (i = 0; i < 16; i = i + 1) begin
                m_packets_q[i] <= 32'd0;
                s_packets_q[i] <= 32'd0;
            end
            packets_o   <= 32'd0;
            m_done_o    <= 32'd0;
            s_done_o    <= 32'd0;
            m_fetched_o <= 32'd0;
            s_fetched_o <= 32'd0;
            m_bytes_o   <= 64'd0;
            s_bytes_o   <= 64'd0;
            num_set_o   <= 32'd0;
            num_clr_o   <= 32'd0;
        end else begin
            if (cpl_i) begin
                m_packets_q[cpl_q_i] <= m_packets_q[cpl_q_i] + 32'd1;
                s_packets_q[cpl_q_i] <= s_packets_q[cpl_q_i] + 32'd1;
                packets_o <= packets_o + 32'd1;
                m_done_o  <= m_done_o + {24'd0, cpl_m2s_n_i};
                s_done_o  <= s_done_o + {24'd0, cpl_s2m_n_i};
            end
            if (m_rst_i) m_packets_q[q_i] <= 32'd0;
            if (s_rst_i) s_packets_q[q_i] <= 32'd0;
            if (m_desc_i) m_fetched_o <= m_fetched_o + 32'd1;
            if (s_desc_i) s_fetched_o <= s_fetched_o + 32'd1;
            if (rd_i) m_bytes_o <= m_bytes_o + {55'd0, rd_bytes_i};
            if (wr_i) s_bytes_o <= s_bytes_o + {55'd0, wr_bytes_i};
            if (const_i && const_one_i) num_set_o <= num_set_o + 32'd1;
            if (const_i && !const_one_i) num_clr_o <= num_clr_o + 32'd1;
        end
    end
endmodule
`default_nettype wire
