// APB3 between one master and one slave: a setup clock, then the access phase with everything held until pready, then
// penable falls; the slave answers within LIMIT clocks of access (docs/rtl.md: 16). LIMIT 0: no promise. The clocks in
// which excused_i is high do not count (EVT_SEM while it clears its semaphores after reset).
`default_nettype none

module apb_rules #(
    parameter int AW = 12,
    parameter int LIMIT = 16
) (
    input wire          clk_i,
    input wire          rst_ni,
    input wire          psel,
    input wire          penable,
    input wire          pwrite,
    input wire [AW-1:0] paddr,
    input wire [31:0]   pwdata,
    input wire          pready,
    input wire          excused_i
);
    logic            sel_q, done_q;
    logic [AW+32:0]  held_q;
    int              count_q;
    wire  [AW+32:0]  request = {pwrite, paddr, pwrite ? pwdata : 32'd0};

    function automatic void broken(string text);
        rule_pkg::neffsim_rule($sformatf("%m"), text);
    endfunction

    always_ff @(posedge clk_i) begin
        if (rst_ni && (psel || penable || sel_q)) begin
            if (penable && !psel) broken("penable without psel");
            if (sel_q && !done_q) begin
                if (!psel) broken("psel fell before pready");
                else if (!penable) broken("no access phase after the setup phase");
                if (psel && request != held_q) broken("the request changed while it waits");
            end else if (penable && psel) broken("no setup phase");
            if (psel && penable && !pready && !excused_i && LIMIT != 0 && count_q >= LIMIT - 1)
                broken("no answer in time");
        end
        sel_q   <= rst_ni && psel;
        done_q  <= psel && penable && pready;
        held_q  <= request;
        if (!psel || !penable || pready) count_q <= 0;
        else if (!excused_i && count_q < LIMIT) count_q <= count_q + 1;
    end
endmodule
`default_nettype wire
