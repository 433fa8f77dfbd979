// Every rule checker with its pins in the hands of the bench.
`default_nettype none

module rules_top (
    input wire        clk_i,
    input wire        rst_ni,
    input wire [15:0] awid,
    input wire [63:0] awaddr,
    input wire [7:0]  awlen,
    input wire [2:0]  awsize,
    input wire [1:0]  awburst,
    input wire [2:0]  awprot,
    input wire        awvalid,
    input wire        awready,
    input wire [63:0] wdata,
    input wire [7:0]  wstrb,
    input wire        wlast,
    input wire        wvalid,
    input wire        wready,
    input wire [15:0] bid,
    input wire [1:0]  bresp,
    input wire        bvalid,
    input wire        bready,
    input wire [15:0] arid,
    input wire [63:0] araddr,
    input wire [7:0]  arlen,
    input wire [2:0]  arsize,
    input wire [1:0]  arburst,
    input wire [2:0]  arprot,
    input wire        arvalid,
    input wire        arready,
    input wire [15:0] rid,
    input wire [63:0] rdata,
    input wire [1:0]  rresp,
    input wire        rlast,
    input wire        rvalid,
    input wire        rready,
    input wire        psel,
    input wire        penable,
    input wire        pwrite,
    input wire [11:0] paddr,
    input wire [31:0] pwdata,
    input wire        pready,
    input wire        excused_i,
    input wire        valid_i,
    input wire        ready_i,
    input wire [7:0]  payload_i
);
    axi_write_rules #(.MEM_W(64)) u_write (.*);
    axi_read_rules #(.MEM_W(64)) u_read (.*);
    apb_rules u_apb (.*);
    hold_rule #(.W(8), .NAME("stream")) u_stream (.*);
    hold_rule #(.W(8), .NAME("request"), .MAY_FALL(1)) u_request (.*);
endmodule
`default_nettype wire
