// Twin bench of EVT_SEM: five engines that wait for and update few events and semaphores at random, the bus in between,
// records and errors taken at random.
`default_nettype none
`include "regs.vh"

module twin_evt (
    input wire clk_i,
    input wire rst_ni
);
    wire [191:0] r;
    twin_rand #(.W(192), .SEED(64'd3)) u_rand (.clk_i(clk_i), .rst_ni(rst_ni), .rand_o(r));

    reg          psel, penable, pwrite;
    reg  [19:0]  paddr;
    reg  [31:0]  pwdata;
    wire [31:0]  prdata;
    wire         pready, pslverr;
    reg  [4:0]   wait_req, upd_req;
    reg  [39:0]  wait_mode, wait_idx, upd_mode, upd_idx;
    reg  [159:0] wait_val, upd_val;
    wire [4:0]   wait_pass, upd_ack;
    wire         nq_valid, nq_ovf, err_valid, err_ovf;
    reg          nq_ready, err_ready, hold;
    wire [4:0]   nq_type;
    wire [23:0]  nq_body0;
    wire [31:0]  nq_body1;
    wire [7:0]   err_id, err_index;

    evt_sem #(.UNIT(3)) u_dut (
        .clk_i(clk_i), .rst_ni(rst_ni), .psel_i(psel), .penable_i(penable), .pwrite_i(pwrite), .paddr_i(paddr),
        .pwdata_i(pwdata), .prdata_o(prdata), .pready_o(pready), .pslverr_o(pslverr),
        .wait_req_i(wait_req), .wait_mode_i(wait_mode), .wait_idx_i(wait_idx), .wait_val_i(wait_val),
        .wait_pass_o(wait_pass), .upd_req_i(upd_req), .upd_mode_i(upd_mode), .upd_idx_i(upd_idx), .upd_val_i(upd_val),
        .upd_ack_o(upd_ack), .sem_low_i(32'd1), .sem_high_i(32'd6), .notify_en_i(1'b1), .evsem_backpressure_i(hold),
        .nq_valid_o(nq_valid), .nq_ready_i(nq_ready), .nq_type_o(nq_type), .nq_body0_o(nq_body0),
        .nq_body1_o(nq_body1), .nq_ovf_o(nq_ovf),
        .err_valid_o(err_valid), .err_ready_i(err_ready), .err_id_o(err_id), .err_index_o(err_index),
        .err_ovf_o(err_ovf));

    function [7:0] a_wait(input [3:0] n);
        case (n)
            4'd0:    a_wait = `WAIT_SEM_EQ_IMM;
            4'd1:    a_wait = `WAIT_SEM_LT_IMM;
            4'd2:    a_wait = `WAIT_SEM_LE_IMM;
            4'd3:    a_wait = `WAIT_SEM_GT_IMM;
            4'd4:    a_wait = `WAIT_SEM_GE_REG;
            4'd5:    a_wait = `WAIT_EVT_SET;
            4'd6:    a_wait = `WAIT_EVT_CLEAR;
            4'd7:    a_wait = `WAIT_EVT_SET_THEN_CLEAR;
            4'd8:    a_wait = `WAIT_EVT_CLEAR_THEN_SET;
            4'd9:    a_wait = `WAIT_INVALID;
            default: a_wait = `WAIT_SEM_GE_IMM;
        endcase
    endfunction

    function [7:0] an_update(input [3:0] n);
        case (n)
            4'd0:    an_update = `UPD_EVT_SET_READ;
            4'd1:    an_update = `UPD_EVT_CLR_COMPLETE;
            4'd2:    an_update = `UPD_SEM_DEC_READ;
            4'd3:    an_update = `UPD_SEM_ADD_IMM_COMPLETE;
            4'd4:    an_update = `UPD_SEM_SUB_IMM_READ;
            4'd5:    an_update = `UPD_SEM_WR_IMM_READ;
            4'd6:    an_update = `UPD_SEM_WR_REG_COMPLETE;
            4'd7:    an_update = `UPD_INVALID;
            default: an_update = `UPD_SEM_INC_COMPLETE;
        endcase
    endfunction

    // An engine gives up a request now and then, or codes that never pass would end the traffic.
    genvar e;
    generate
        for (e = 0; e < 5; e = e + 1) begin : g_engine
            wire [31:0] n = r[32*e +: 32];
            always @(posedge clk_i) begin
                if (!rst_ni) begin
                    {wait_req[e], upd_req[e]} <= 2'd0;
                    wait_mode[8*e +: 8]  <= 8'd0;
                    wait_idx[8*e +: 8]   <= 8'd0;
                    wait_val[32*e +: 32] <= 32'd0;
                    upd_mode[8*e +: 8]   <= 8'd0;
                    upd_idx[8*e +: 8]    <= 8'd0;
                    upd_val[32*e +: 32]  <= 32'd0;
                end else begin
                    if (!wait_req[e] || wait_pass[e] || n[4:0] == 5'd0) begin
                        wait_req[e]          <= n[5];
                        wait_mode[8*e +: 8]  <= a_wait(n[9:6]);
                        wait_idx[8*e +: 8]   <= {6'd0, n[11:10]};
                        wait_val[32*e +: 32] <= {{30{n[31] && n[30:29] == 2'd0}}, n[13:12]};
                    end
                    if (!upd_req[e] || upd_ack[e] || n[18:14] == 5'd0) begin
                        upd_req[e]          <= n[19];
                        upd_mode[8*e +: 8]  <= an_update(n[23:20]);
                        upd_idx[8*e +: 8]   <= {6'd0, n[25:24]};
                        upd_val[32*e +: 32] <= {{29{n[28] && n[15:14] == 2'd0}}, n[28:26]};
                    end
                end
            end
        end
    endgenerate

    wire [31:0] n = r[160 +: 32];
    always @(posedge clk_i) begin
        if (!rst_ni) begin
            {psel, penable, pwrite, nq_ready, err_ready, hold} <= 6'd0;
            paddr  <= 20'd0;
            pwdata <= 32'd0;
        end else begin
            nq_ready  <= n[1:0] != 2'd0;
            err_ready <= n[2];
            if (n[9:3] == 7'd0) hold <= !hold;
            if (!psel) begin
                psel   <= n[10];
                pwrite <= n[11];
                paddr  <= n[12] ? `EVT_WIN_EVENT + {n[14:13], 2'd0} :
                          n[15] ? `EVT_WIN_SEM_INC + {n[14:13], 2'd0} :
                          n[16] ? `EVT_WIN_SEM_SET + {n[14:13], 2'd0} : `EVT_WIN_SEM_READ + {n[14:13], 2'd0};
                pwdata <= {29'd0, n[19:17]};
            end else if (!penable) penable <= 1'b1;
            else if (pready) {psel, penable} <= 2'b00;
        end
    end
endmodule
`default_nettype wire
