// Two APB3 masters (the bridge of the devices and the host port) to N_S register targets. Every slave has its own
// round robin between the two, so an access that waits at one slave never blocks the other master at another
// (profiler-and-trace.md §9 rule 3). Slave s is target TARGET_LREG + s of the address map.
// Latency: 1 clock in front of the slave's setup phase. An address that is no register target is answered at once with
// pslverr and 0xDEADBEEF. A slave that never answers holds the master that asked it, and nobody at other slaves.
`default_nettype none
`include "regs.vh"

module apb_fabric #(
    parameter N_DMA = 2,
    parameter N_S   = 11 // 9 + N_DMA
) (
    input  wire              clk_i,
    input  wire              rst_ni,

    // masters: 0 bridge, 1 host; 64-bit SoC addresses
    input  wire [1:0]        m_psel_i,
    input  wire [1:0]        m_penable_i,
    input  wire [1:0]        m_pwrite_i,
    input  wire [2*64-1:0]   m_paddr_i,
    input  wire [2*32-1:0]   m_pwdata_i,
    output wire [2*32-1:0]   m_prdata_o,
    output wire [1:0]        m_pready_o,
    output wire [1:0]        m_pslverr_o,

    output wire [N_S-1:0]    s_psel_o,
    output wire [N_S-1:0]    s_penable_o,
    output wire [N_S-1:0]    s_pwrite_o,
    output wire [N_S*20-1:0] s_paddr_o,  // offset in the target's window
    output wire [N_S*32-1:0] s_pwdata_o,
    input  wire [N_S*32-1:0] s_prdata_i,
    input  wire [N_S-1:0]    s_pready_i,
    input  wire [N_S-1:0]    s_pslverr_i
);
    initial begin
        if (N_S != `TARGET_UDMA - `TARGET_LREG + N_DMA) begin
            $display("%m: N_S is %0d, %0d DMA engines need %0d", N_S, N_DMA, `TARGET_UDMA - `TARGET_LREG + N_DMA);
            $finish;
        end
    end

    wire [2*20-1:0]  offset;
    wire [2*N_S-1:0] hit;   // per master, one-hot: the slave it addresses
    reg  [N_S-1:0]   busy_q, access_q, owner_q, last_q;

    genvar m, s;
    generate
        for (m = 0; m < 2; m = m + 1) begin : g_master
            wire [63:0] soc;
            wire [4:0]  target;
            wire [4:0]  number = target - `TARGET_LREG;
            wire        mapped = target >= `TARGET_LREG;
            wire        mine   = (hit[m*N_S +: N_S] & busy_q & access_q & (m == 0 ? ~owner_q : owner_q) &
                                  s_pready_i) != {N_S{1'b0}};

            addr_map #(.N_DMA(N_DMA)) u_map (
                .addr_i(m_paddr_i[m*64 +: 64]), .soc_o(soc), .target_o(target), .offset_o(offset[m*20 +: 20])
            );
            wire unused = &{1'b0, soc};

            assign hit[m*N_S +: N_S]        = mapped ? {{(N_S-1){1'b0}}, 1'b1} << number : {N_S{1'b0}};
            assign m_pready_o[m]            = mapped ? mine : m_penable_i[m];
            assign m_pslverr_o[m]           = mapped ? (hit[m*N_S +: N_S] & s_pslverr_i) != {N_S{1'b0}} && mine :
                                                       m_penable_i[m];
            assign m_prdata_o[m*32 +: 32]   = mapped ? s_prdata_i[number*32 +: 32] : `SOC_POISON;
        end

        for (s = 0; s < N_S; s = s + 1) begin : g_slave
            wire request0 = m_psel_i[0] && hit[s];
            wire request1 = m_psel_i[1] && hit[N_S+s];
            wire done     = busy_q[s] && access_q[s] && s_pready_i[s];

            assign s_psel_o[s]             = busy_q[s];
            assign s_penable_o[s]          = access_q[s];
            assign s_pwrite_o[s]           = owner_q[s] ? m_pwrite_i[1] : m_pwrite_i[0];
            assign s_paddr_o[s*20 +: 20]   = owner_q[s] ? offset[20 +: 20] : offset[0 +: 20];
            assign s_pwdata_o[s*32 +: 32]  = owner_q[s] ? m_pwdata_i[32 +: 32] : m_pwdata_i[0 +: 32];

            always @(posedge clk_i) begin
                if (!rst_ni) begin
                    busy_q[s]   <= 1'b0;
                    access_q[s] <= 1'b0;
                    owner_q[s]  <= 1'b0;
                    last_q[s]   <= 1'b0;
                end else if (!busy_q[s]) begin
                    busy_q[s]  <= request0 || request1;
                    owner_q[s] <= request0 && request1 ? !last_q[s] : request1;
                end else begin
                    access_q[s] <= !done;
                    if (done) begin
                        busy_q[s] <= 1'b0;
                        last_q[s] <= owner_q[s];
                    end
                end
            end
        end
    endgenerate
endmodule
`default_nettype wire
