// Bench "xprop": the whole core in four-state simulation. From the first clock edge of reset on, no output of the core and
// no signal between its blocks may be x or z: after power-up, during a reset in the middle of traffic, and in the traffic
// that follows it. Traffic: both DMA engines copy odd lengths between odd addresses and count a semaphore, all five
// sequencers write, divide, notify, provoke a bus error, wait for the DMA and halt (PE ends in a fault). The results are
// checked, so a register that reset forgets also shows as a wrong answer.
`default_nettype none
`timescale 1ns / 1ns
`include "regs.vh"

module xprop_tb;
    parameter MEM_W = 512;
    localparam B  = MEM_W / 8;
    localparam LB = $clog2(B);

    // Layout of the memory, all in HBM.
    localparam MEM_BYTES = 1 << 17;
    localparam SRC = 'h1003, DST = 'h2105, LEN = 300, COUNT = 'h3000, M2S = 'h4000, S2M = 'h5000, OUT = 'h6000,
               RINGS = 'h8000, RING_BYTES = 'h1000, IMAGES = 'h10000, IMAGE_BYTES = 'h800;
    localparam SEM_START = 16, SEM_WRITE = 40, SEM_DMA = 50, DIVIDEND = 1000, DIVISOR = 7;
    localparam [63:0] NOWHERE = 64'h8585000040;

    integer passed = 0, failed = 0;

    // ---- the core -----------------------------------------------------------------------------------------------------
    reg          clk = 1'b0, rst_n = 1'bx;
    wire [20:0]  awid, arid;
    wire [63:0]  awaddr, araddr;
    wire [7:0]   awlen, arlen;
    wire [2:0]   awsize, awprot, arsize, arprot;
    wire [1:0]   awburst, arburst;
    wire         awvalid, wlast, wvalid, bready, arvalid, rready;
    wire [MEM_W-1:0] wdata;
    wire [B-1:0] wstrb;
    reg          awready, wready, bvalid, arready, rvalid, rlast;
    reg  [20:0]  bid, rid;
    reg  [MEM_W-1:0] rdata;
    reg          psel = 1'b0, penable = 1'b0, pwrite = 1'b0;
    reg  [63:0]  paddr = 64'd0;
    reg  [31:0]  pwdata = 32'd0;
    wire [31:0]  prdata;
    wire         pready, pslverr;
    wire [4:0]   irq;

    neuron_core #(.MEM_W(MEM_W)) u_core (
        .clk_i(clk), .rst_ni(rst_n),
        .mem_awid_o(awid), .mem_awaddr_o(awaddr), .mem_awlen_o(awlen), .mem_awsize_o(awsize), .mem_awburst_o(awburst),
        .mem_awprot_o(awprot), .mem_awvalid_o(awvalid), .mem_awready_i(awready),
        .mem_wdata_o(wdata), .mem_wstrb_o(wstrb), .mem_wlast_o(wlast), .mem_wvalid_o(wvalid), .mem_wready_i(wready),
        .mem_bid_i(bid), .mem_bresp_i(2'd0), .mem_bvalid_i(bvalid), .mem_bready_o(bready),
        .mem_arid_o(arid), .mem_araddr_o(araddr), .mem_arlen_o(arlen), .mem_arsize_o(arsize), .mem_arburst_o(arburst),
        .mem_arprot_o(arprot), .mem_arvalid_o(arvalid), .mem_arready_i(arready),
        .mem_rid_i(rid), .mem_rdata_i(rdata), .mem_rresp_i(2'd0), .mem_rlast_i(rlast), .mem_rvalid_i(rvalid),
        .mem_rready_o(rready),
        .host_psel_i(psel), .host_penable_i(penable), .host_pwrite_i(pwrite), .host_paddr_i(paddr),
        .host_pwdata_i(pwdata), .host_prdata_o(prdata), .host_pready_o(pready), .host_pslverr_o(pslverr),
        .pause_req_i(5'd0), .irq_o(irq)
    );

    always #5 clk = !clk;

    // ---- x and z ------------------------------------------------------------------------------------------------------
    integer unknown = 0;   // clocks in which something was x or z
    reg     watch = 1'b0;
    reg     loud = 1'b1;   // name what is unknown

`define KNOWN(sig) \
    if (^{sig} === 1'bx) begin \
        bad = 1'b1; \
        if (loud && unknown < 10) $display("    clock %0d: %s", $time / 10, `"sig`"); \
    end

    reg bad;
    always @(negedge clk) if (watch) begin
        bad = 1'b0;
        `KNOWN(awid) `KNOWN(awaddr) `KNOWN(awlen) `KNOWN(awsize) `KNOWN(awburst) `KNOWN(awprot) `KNOWN(awvalid)
        `KNOWN(wdata) `KNOWN(wstrb) `KNOWN(wlast) `KNOWN(wvalid) `KNOWN(bready)
        `KNOWN(arid) `KNOWN(araddr) `KNOWN(arlen) `KNOWN(arsize) `KNOWN(arburst) `KNOWN(arprot) `KNOWN(arvalid)
        `KNOWN(rready) `KNOWN(prdata) `KNOWN(pready) `KNOWN(pslverr) `KNOWN(irq)
        // outputs of the blocks inside
        `KNOWN(u_core.awid) `KNOWN(u_core.awaddr) `KNOWN(u_core.awlen) `KNOWN(u_core.awsize) `KNOWN(u_core.awburst)
        `KNOWN(u_core.awprot) `KNOWN(u_core.awvalid) `KNOWN(u_core.awready) `KNOWN(u_core.wdata) `KNOWN(u_core.wstrb)
        `KNOWN(u_core.wlast) `KNOWN(u_core.wvalid) `KNOWN(u_core.wready) `KNOWN(u_core.bid) `KNOWN(u_core.bresp)
        `KNOWN(u_core.bvalid) `KNOWN(u_core.bready) `KNOWN(u_core.arid) `KNOWN(u_core.araddr) `KNOWN(u_core.arlen)
        `KNOWN(u_core.arsize) `KNOWN(u_core.arburst) `KNOWN(u_core.arprot) `KNOWN(u_core.arvalid)
        `KNOWN(u_core.arready) `KNOWN(u_core.rid) `KNOWN(u_core.rdata) `KNOWN(u_core.rresp) `KNOWN(u_core.rlast)
        `KNOWN(u_core.rvalid) `KNOWN(u_core.rready)
        `KNOWN(u_core.psel) `KNOWN(u_core.penable) `KNOWN(u_core.pwrite) `KNOWN(u_core.paddr) `KNOWN(u_core.pwdata)
        `KNOWN(u_core.prdata) `KNOWN(u_core.pready) `KNOWN(u_core.pslverr)
        `KNOWN(u_core.wait_req) `KNOWN(u_core.wait_mode) `KNOWN(u_core.wait_idx) `KNOWN(u_core.wait_val)
        `KNOWN(u_core.wait_pass) `KNOWN(u_core.upd_req) `KNOWN(u_core.upd_mode) `KNOWN(u_core.upd_idx)
        `KNOWN(u_core.upd_val) `KNOWN(u_core.upd_ack)
        `KNOWN(u_core.src_valid) `KNOWN(u_core.src_ready) `KNOWN(u_core.src_type) `KNOWN(u_core.src_body0)
        `KNOWN(u_core.src_body1) `KNOWN(u_core.src_queue) `KNOWN(u_core.src_class) `KNOWN(u_core.src_ovf)
        `KNOWN(u_core.nx_queue) `KNOWN(u_core.explicit_queue) `KNOWN(u_core.datapath_queue) `KNOWN(u_core.sem_low)
        `KNOWN(u_core.sem_high) `KNOWN(u_core.notify_en) `KNOWN(u_core.evsem_backpressure) `KNOWN(u_core.nq_intr)
        `KNOWN(u_core.nq_drop) `KNOWN(u_core.nq_full) `KNOWN(u_core.t_valid) `KNOWN(u_core.t_body0)
        `KNOWN(u_core.t_body1) `KNOWN(u_core.t_pass) `KNOWN(u_core.t_ack) `KNOWN(u_core.t_err)
        if (bad) unknown = unknown + 1;
    end

    task check(input ok, input [64*8-1:0] what);
        if (ok) passed = passed + 1;
        else begin
            failed = failed + 1;
            $display("FAIL %0s (clock %0d)", what, $time / 10);
        end
    endtask

    // ---- memory: one burst per direction at a time, random stalls -------------------------------------------------------
    reg [7:0]  mem [0:MEM_BYTES-1];
    reg        reading, writing, answering;
    reg [63:0] r_at, w_at;
    reg [7:0]  r_left;
    reg [2:0]  r_size, w_size;
    integer    i;

    always @(posedge clk) begin
        arready <= !reading && !(arvalid && arready) && $random % 4 != 0;
        awready <= !writing && !answering && !(awvalid && awready) && $random % 4 != 0;
        wready  <= writing && !(wvalid && wready && wlast) && $random % 4 != 0;
        if (arvalid && arready) begin
            reading <= 1'b1;
            {rid, r_at, r_left, r_size} <= {arid, araddr, arlen, arsize};
        end
        if (!rvalid || rready) begin
            rvalid <= 1'b0;
            if (rvalid && rlast) reading <= 1'b0;
            else if (reading && $random % 4 != 0) begin
                rvalid <= 1'b1;
                rlast  <= r_left == 8'd0;
                r_left <= r_left - 8'd1;
                r_at   <= ((r_at >> r_size) + 64'd1) << r_size;
                for (i = 0; i < B; i = i + 1) rdata[8*i +: 8] <= mem[{r_at[16:LB], {LB{1'b0}}} + i];
            end
        end
        if (awvalid && awready) begin
            writing <= 1'b1;
            {bid, w_at, w_size} <= {awid, awaddr, awsize};
        end
        if (wvalid && wready) begin
            for (i = 0; i < B; i = i + 1) if (wstrb[i]) mem[{w_at[16:LB], {LB{1'b0}}} + i] <= wdata[8*i +: 8];
            w_at <= ((w_at >> w_size) + 64'd1) << w_size;
            if (wlast) {writing, answering} <= 2'b01;
        end
        if (answering && !bvalid) bvalid <= 1'b1;
        if (bvalid && bready) {bvalid, answering} <= 2'b00;
        if (!rst_n) begin
            {reading, writing, answering, arready, awready, wready, rvalid, rlast, bvalid} <= 9'd0;
            {rid, bid, r_at, w_at, r_left, r_size, w_size} <= 184'd0;
            rdata <= {MEM_W{1'b0}};
        end
    end

    // ---- host ---------------------------------------------------------------------------------------------------------
    reg [31:0] answer;
    task access(input write, input [63:0] addr, input [31:0] data);
        begin
            {psel, penable, pwrite, paddr, pwdata} = {1'b1, 1'b0, write, addr, data};
            @(negedge clk) penable = 1'b1;
            #1 while (pready !== 1'b1) begin
                @(negedge clk);
                #1;
            end
            answer = prdata;
            @(negedge clk) {psel, penable} = 2'b00;
        end
    endtask
    task set(input [63:0] addr, input [31:0] data); access(1'b1, addr, data); endtask

    task put(input integer at, input integer bytes, input [63:0] value);
        integer n;
        for (n = 0; n < bytes; n = n + 1) mem[at + n] = value[8*n +: 8];
    endtask
    function [31:0] word(input integer at);
        word = {mem[at+3], mem[at+2], mem[at+1], mem[at]};
    endfunction

    function [63:0] lreg(input integer e);
        lreg = e == `ENG_PE ? `SOC_LREG_PE : e == `ENG_ACT ? `SOC_LREG_ACT : e == `ENG_POOL ? `SOC_LREG_POOL :
               e == `ENG_DVE ? `SOC_LREG_DVE : `SOC_LREG_SP;
    endfunction

    task slot(input integer at, input [7:0] opcode);
        put(at, 2, opcode + 256 * `SLOT_WORDS);
    endtask

    task image(input integer e);
        integer s;
        begin
            s = IMAGES + e * IMAGE_BYTES;
            slot(s, `OP_NOP); // with its two trace records, then S[SEM_START + e] += 1
            put(s + `SLOT_HDR_DEBUG_CMD_OFF, 1, 7);
            put(s + `SLOT_HDR_UPDATE_MODE_OFF, 1, `UPD_SEM_INC_COMPLETE);
            put(s + `SLOT_HDR_UPDATE_IDX_OFF, 1, SEM_START + e);
            s = s + `SLOT_BYTES;
            slot(s, `OP_NOTIFY);
            s = s + `SLOT_BYTES;
            slot(s, `OP_MOVE);
            put(s + `SLOT_MOVE_NUM_MOV_OFF, 1, 2);
            put(s + `SLOT_MOVE_DTYPE_OFF, 1, `DTYPE_UINT32);
            put(s + `SLOT_MOVE_SOURCE_OFF, 1, `SRC_IMM);
            put(s + `SLOT_MOVE_DST_OFF, 2, 'h0201);
            put(s + `SLOT_MOVE_IMM_OFF, 4, DIVIDEND + e);
            put(s + `SLOT_MOVE_IMM_OFF + 4, 4, DIVISOR);
            s = s + `SLOT_BYTES;
            slot(s, `OP_ALU_OP); // R3 = R1 / R2
            put(s + `SLOT_ALU_OP_OFF, 1, `ALU_DIVIDE);
            put(s + `SLOT_ALU_DTYPE_OFF, 1, `DTYPE_UINT32);
            put(s + `SLOT_ALU_SRC0_LO_OFF, 5, 40'h03_00_02_00_01);
            s = s + `SLOT_BYTES;
            slot(s, `OP_TENSOR_STORE);
            put(s + `SLOT_MEM_DTYPE_OFF, 1, `DTYPE_UINT32);
            put(s + `SLOT_MEM_NUM_ELEM0_OFF, 2, 'h0101);
            put(s + `SLOT_MEM_ADDR_OFF, 8, OUT + 64 * e);
            put(s + `SLOT_MEM_DATA_LO_OFF, 1, 3);
            s = s + `SLOT_BYTES;
            slot(s, `OP_TENSOR_LOAD);
            put(s + `SLOT_MEM_DTYPE_OFF, 1, `DTYPE_UINT32);
            put(s + `SLOT_MEM_NUM_ELEM0_OFF, 2, 'h0101);
            put(s + `SLOT_MEM_ADDR_OFF, 8, OUT + 64 * e);
            put(s + `SLOT_MEM_DATA_LO_OFF, 1, 4);
            s = s + `SLOT_BYTES;
            slot(s, `OP_ALU_OP); // R5 = R4 + R4
            put(s + `SLOT_ALU_OP_OFF, 1, `ALU_ADD);
            put(s + `SLOT_ALU_DTYPE_OFF, 1, `DTYPE_UINT32);
            put(s + `SLOT_ALU_SRC0_LO_OFF, 5, 40'h05_00_04_00_04);
            s = s + `SLOT_BYTES;
            slot(s, `OP_TENSOR_STORE);
            put(s + `SLOT_MEM_DTYPE_OFF, 1, `DTYPE_UINT32);
            put(s + `SLOT_MEM_NUM_ELEM0_OFF, 2, 'h0101);
            put(s + `SLOT_MEM_ADDR_OFF, 8, OUT + 64 * e + 4);
            put(s + `SLOT_MEM_DATA_LO_OFF, 1, 5);
            s = s + `SLOT_BYTES;
            slot(s, `OP_WRITE); // S[SEM_WRITE] += 1 over the bus
            put(s + `SLOT_WRITE_WR_SIZE_OFF, 1, 4);
            put(s + `SLOT_WRITE_ADDR_OFF, 8, `SOC_EVT + `EVT_WIN_SEM_INC + 4 * SEM_WRITE);
            put(s + `SLOT_WRITE_VALUE_OFF, 8, 1);
            s = s + `SLOT_BYTES;
            slot(s, `OP_WRITE);
            put(s + `SLOT_WRITE_WR_SIZE_OFF, 1, 4);
            put(s + `SLOT_WRITE_ADDR_OFF, 8, NOWHERE);
            s = s + `SLOT_BYTES;
            slot(s, `OP_NOP); // wait for both DMA engines
            put(s + `SLOT_HDR_WAIT_MODE_OFF, 1, `WAIT_SEM_GE_IMM);
            put(s + `SLOT_HDR_WAIT_IDX_OFF, 1, SEM_DMA);
            put(s + `SLOT_HDR_VALUE_OFF, 4, 2);
            s = s + `SLOT_BYTES;
            slot(s, e == `ENG_PE ? 8'd0 : `OP_HALT);
        end
    endtask

    task descriptor(input integer at, input [31:0] w0, input [31:0] w1, input [63:0] addr);
        begin
            put(at, 8, {w1, w0});
            put(at + 8, 8, addr);
        end
    endtask

    // Rings of DMA engine d: 32 descriptors at 0x200 * d.
    task memory_image;
        integer n;
        begin
            for (n = 0; n < MEM_BYTES; n = n + 1) mem[n] = 8'd0;
            for (n = 0; n < 2 * LEN; n = n + 1) mem[SRC + n] = n * 7 + n / 256;
            put(COUNT, 4, 1);
            for (n = 0; n < `ENG_COUNT; n = n + 1) image(n);
            for (n = 0; n < 2; n = n + 1) begin
                descriptor(M2S + 'h200 * n, 32'h0d000000 + LEN, 32'h05080003, SRC + LEN * n);
                descriptor(M2S + 'h200 * n + 16, 32'h0d000004, 32'h05080003, COUNT);
                descriptor(S2M + 'h200 * n, 32'h01000000 + LEN, 0, DST + LEN * n);
                descriptor(S2M + 'h200 * n + 16, 32'h01000004, 0, `SOC_EVT + `EVT_WIN_SEM_INC + 4 * SEM_DMA);
            end
        end
    endtask

    task setup_dma(input integer d);
        reg [63:0] base, q;
        begin
            base = `SOC_UDMA0 + d * `SOC_UDMA_STRIDE;
            set(base + `UDMA_APP_OFF, 1);
            q = base + `UDMA_Q_FIRST;
            set(q + `M2SQ_TDRBP_LOW_OFF, M2S + 'h200 * d);
            set(q + `M2SQ_TDRL_OFF, 32);
            set(q + `M2SQ_COMP_CFG_OFF, 0);
            set(q + `M2SQ_CFG_OFF, 32'h03030000);
            q = base + `UDMA_S2M_OFF + `UDMA_Q_FIRST;
            set(q + `S2MQ_RDRBP_LOW_OFF, S2M + 'h200 * d);
            set(q + `S2MQ_RDRL_OFF, 32);
            set(q + `S2MQ_COMP_CFG_OFF, 0);
            set(q + `S2MQ_CFG_OFF, 32'h03030000);
            set(q + `S2MQ_RDRTP_INC_OFF, 2);
            set(base + `UDMA_Q_FIRST + `M2SQ_TDRTP_INC_OFF, 2);
        end
    endtask

    task start_traffic;
        integer n;
        begin
            memory_image;
            set(`SOC_NOTIFIC + `NQ_WR_BUF_ENABLE_LO_OFF, 32'hffffffff);
            set(`SOC_NOTIFIC + `NQ_WR_BUF_ENABLE_HI_OFF, 32'hffffffff);
            for (n = 0; n < 4; n = n + 1) begin
                set(`SOC_NOTIFIC + `NQ_Q_BASE + n * `NQ_Q_STRIDE + `NQQ_BASE_LO_OFF, RINGS + n * RING_BYTES);
                set(`SOC_NOTIFIC + `NQ_Q_BASE + n * `NQ_Q_STRIDE + `NQQ_SIZE_OFF, RING_BYTES);
            end
            set(`SOC_NOTIFIC + `NQ_ENABLE_OFF, 'hf);
            set(`SOC_TPB_CTRL + `TPB_EVT_NOTIFY_OFF, 1);
            set(`SOC_TPB_CTRL + `TPB_ROUTE_ERR_OFF, `NROUTE_ERRORS);
            for (n = 0; n < `ENG_COUNT; n = n + 1) begin
                set(lreg(n) + `LREG_PC_LO_OFF, IMAGES + n * IMAGE_BYTES);
                set(lreg(n) + `LREG_BOUND_LO_LO_OFF, IMAGES + n * IMAGE_BYTES);
                set(lreg(n) + `LREG_BOUND_HI_LO_OFF, IMAGES + (n + 1) * IMAGE_BYTES - 1);
                set(lreg(n) + `LREG_RELEASE_RUN_STALL_OFF, 0);
                set(lreg(n) + `LREG_START_CTRL_OFF, 1);
            end
            setup_dma(0);
            setup_dma(1);
        end
    endtask

    integer clocks;
    task finish_traffic;
        integer n;
        reg     done, same;
        begin
            done = 1'b0;
            for (clocks = 0; clocks < 200 && !done; clocks = clocks + 1) begin
                done = 1'b1;
                for (n = 0; n < `ENG_COUNT; n = n + 1) begin
                    access(1'b0, lreg(n) + `LREG_RUN_STATE_OFF, 0);
                    if (answer == `RUN_RUNNING || answer == `RUN_IDLE) done = 1'b0;
                end
            end
            check(done, "all engines stop");
            repeat (60) @(negedge clk);
            for (n = 0; n < `ENG_COUNT; n = n + 1) begin
                check(word(OUT + 64 * n) == (DIVIDEND + n) / DIVISOR, "divided and stored");
                check(word(OUT + 64 * n + 4) == (DIVIDEND + n) / DIVISOR * 2, "loaded, added and stored");
                access(1'b0, `SOC_EVT + `EVT_WIN_SEM_READ + 4 * (SEM_START + n), 0);
                check(answer == 1, "semaphore of the first slot");
            end
            access(1'b0, `SOC_EVT + `EVT_WIN_SEM_READ + 4 * SEM_WRITE, 0);
            check(answer == `ENG_COUNT, "semaphore that all engines count over the bus");
            access(1'b0, `SOC_EVT + `EVT_WIN_SEM_READ + 4 * SEM_DMA, 0);
            check(answer == 2, "semaphore that the DMA engines count");
            same = mem[DST-1] == 8'd0 && mem[DST+2*LEN] == 8'd0;
            for (n = 0; n < 2 * LEN; n = n + 1) same = same && mem[DST+n] == mem[SRC+n];
            check(same, "copied bytes and their guards");
            access(1'b0, `SOC_NOTIFIC + `NQ_Q_BASE + `NROUTE_ERRORS * `NQ_Q_STRIDE + `NQQ_TAIL_OFF, 0);
            check(answer == 16 * (`ENG_COUNT + 1), "one MEMORY_ERROR per engine and the fault of PE");
        end
    endtask

    task reset(input integer length);
        begin
            {psel, penable} = 2'b00;
            rst_n = 1'b0;
            repeat (length) @(negedge clk);
            rst_n = 1'b1;
            @(negedge clk);
        end
    endtask

    task quiet(input [64*8-1:0] what); // nothing was unknown since the last time
        begin
            check(unknown == 0, what);
            unknown = 0;
        end
    endtask

    integer k;
    initial begin
        memory_image;
        repeat (3) @(negedge clk);
        rst_n = 1'b0;
        @(negedge clk) watch = 1'b1; // one edge is enough
        reset(2);
        repeat (20) @(negedge clk);
        quiet("no x after reset from power-up");
        start_traffic;
        finish_traffic;
        quiet("no x in the first traffic");

        for (k = 0; k < 14; k = k + 1) begin
            reset(1 + k % 3);
            start_traffic;
            repeat (29 * k) @(negedge clk);
            reset(1 + k % 3);
            quiet("no x in a reset in the middle of traffic");
            if (k % 3 == 0) begin
                start_traffic;
                finish_traffic;
                quiet("no x in the traffic after it");
            end
        end

        // The bench can fail: an x in the source reaches the bus when it is copied.
        reset(2);
        start_traffic;
        mem[SRC+LEN/2] = 8'hxx;
        mem[SRC+LEN+LEN/2] = 8'hxx;
        loud = 1'b0;
        repeat (3000) @(negedge clk);
        check(unknown != 0, "an x from memory is noticed");

        $display("%0d passed, %0d failed", passed, failed);
        $finish_and_return(failed == 0 ? 0 : 1);
    end

    initial begin
        #20000000 $display("FAIL the bench does not end");
        $display("%0d passed, %0d failed", passed, failed + 1);
        $finish_and_return(1);
    end
endmodule
`default_nettype wire
