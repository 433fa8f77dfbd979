/* See seq_model.h. */
#include "seq_model.h"

#include <cmath>
#include <cstring>
#include <set>

Slot nop()
{
    return Slot(0xa4);
}
Slot halt()
{
    return Slot(0xa1);
}
Slot drain()
{
    return Slot(0xa2).put(0x28, { 1 });
}
Slot notify(int hint, int flags, int ext)
{
    return Slot(0xa6).put(3, { hint }).put(12, { flags }).put(14, { ext & 255, ext >> 8 });
}
Slot write_to(uint64_t addr, uint64_t value, int size)
{
    return Slot(0xa5).put(12, { size }).u64(16, addr).u64(24, value);
}
Slot load(int reg, uint64_t addr)
{
    return Slot(0xaa).put(12, { 9, 0, 1, 1 }).u64(16, addr).put(32, { reg });
}
Slot store(int reg, uint64_t addr)
{
    return Slot(0xab).put(12, { 9, 0, 1, 1 }).u64(16, addr).put(32, { reg });
}
Slot move_imm(std::initializer_list<std::pair<int, uint32_t>> regs)
{
    Slot s(0xa7);
    s.put(12, { int(regs.size()), 9, 1 });
    unsigned i = 0;
    for (auto &[r, v] : regs) {
        s.put(24 + i, { r }).u32(32 + 4 * i, v);
        i++;
    }
    return s;
}
Slot move_reg(std::initializer_list<std::pair<int, int>> dst_src)
{
    Slot s(0xa7);
    s.put(12, { int(dst_src.size()), 9, 0 });
    unsigned i = 0;
    for (auto &[d, r] : dst_src) {
        s.put(16 + i, { r }).put(24 + i, { d });
        i++;
    }
    return s;
}
Slot alu_imm(int op, int dtype, int dst, int src, uint32_t imm)
{
    return Slot(0xa8).put(12, { op, dtype, 1, 0, src }).put(20, { dst }).u32(24, imm);
}
Slot alu_reg(int op, int dtype, int dst, int src0, int src1)
{
    return Slot(0xa8).put(12, { op, dtype, 0, 0, src0, 0, src1, 0, dst });
}
Slot branch(int32_t bytes)
{
    return Slot(0xa9).put(3, { 2 }).put(14, { 3 }).u32(48, uint32_t(bytes));
}
Slot branch_if(int cmp_op, int dtype, int reg, uint32_t imm_or_reg, int32_t bytes)
{
    Slot s = branch(bytes).put(12, { cmp_op, dtype }).put(32, { reg });
    return cmp_op >= 9 ? s.put(33, { int(imm_or_reg) }) : s.u32(16, imm_or_reg);
}

void Model::start(uint64_t at, uint64_t lo, uint64_t hi)
{
    lower = lo;
    upper = lo == 0 && hi == 0 ? UINT64_MAX : hi;
    if (state != ESTATE_PAUSED)
        pc = at;
    state = ESTATE_RUNNING;
    log.push_back({ EV_SEQ_STATE, ESTATE_RUNNING, pc, 0, 0 });
    if (sp8)
        fault(0, 0);
}

void Model::set(uint8_t n, uint32_t v)
{
    if (n >= 64)
        return;
    r[n] = v;
    log.push_back({ EV_SEQ_REG, n, v, 0, 0 });
}

static bool reg_ok(uint8_t n)
{
    return n < 64 || n == 128 || n == 129;
}

static bool wait_legal(uint8_t mode, uint32_t value)
{
    static const std::set<int> plain = { 0, 1, 2, 3, 4, 5, 6, 7, 0xe, 0xf, 0xfe };
    return plain.count(mode) || (mode >= 0x81 && mode <= 0x85 && value <= 63);
}

static bool update_legal(uint8_t mode, uint32_t value)
{
    static const std::set<int> plain = { 0, 1, 2, 3, 4, 5, 7, 9, 0x11, 0x12, 0x13, 0x14, 0x15, 0x17, 0x19 };
    static const std::set<int> by_reg = { 0x85, 0x87, 0x89, 0x95, 0x97, 0x99 };
    return plain.count(mode) || (by_reg.count(mode) && value <= 63);
}

Model::Verdict Model::legal() const
{
    static const std::set<int> known = { 0x9f, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7,
                                         0xa8, 0xa9, 0xaa, 0xab, 0xb0, 0xb1, 0xb3, 0xb5 };
    auto addr_legal = [&] {
        int marker = s[23] & 0xfc;
        return marker == 0 || (marker == 0x80 && reg_ok(s[16]) && reg_ok(s[17]));
    };
    uint8_t op = s[0];
    if (!known.count(op))
        return BAD;
    if (!wait_legal(s[4], u32(8)) || !update_legal(s[6], u32(8)))
        return ILLEGAL;
    switch (op) {
    case 0xa0:
        return wait_legal(s[0x20], u32(0x24)) && update_legal(s[0x22], u32(0x28)) ? OK : ILLEGAL;
    case 0xa5:
        return (s[12] == 1 || s[12] == 2 || s[12] == 4 || s[12] == 8) && addr_legal() ? OK : ILLEGAL;
    case 0xa7: {
        if (s[12] < 1 || s[12] > 8 || s[14] > 1)
            return ILLEGAL;
        if (s[13] < 8 || s[13] > 10)
            return ASSERT;
        if (s[15])
            return ILLEGAL;
        std::set<int> dst;
        unsigned used_src = s[14] ? 0 : s[12];
        for (unsigned i = 0; i < s[12]; i++)
            if (!reg_ok(s[24 + i]) || !dst.insert(s[24 + i]).second)
                return ILLEGAL;
        for (unsigned i = 0; i < 8; i++)
            if (i < used_src ? !reg_ok(s[16 + i]) || dst.count(s[16 + i]) : s[16 + i] != 0)
                return ILLEGAL;
        return OK;
    }
    case 0xa8: {
        uint8_t f = s[12], t = s[13];
        bool integer = f == 0x1b || (f >= 0xc4 && f <= 0xdd && f != 0xce);
        if ((f > 0x19 && !integer) || (t != 8 && t != 9))
            return ILLEGAL;
        if (s[15] && (integer ? s[15] != t : s[15] != 8 && s[15] != 9))
            return ILLEGAL;
        if (s[14] > 1 || !reg_ok(s[16]) || (s[14] == 0 && !reg_ok(s[18])) || !reg_ok(s[20]))
            return ILLEGAL;
        return OK;
    }
    case 0xa9: {
        uint8_t cmp = s[12], mode = s[14];
        if (cmp == 7 || cmp == 8 || cmp >= 15 || mode > 10)
            return ASSERT;
        if (mode != 1 && mode != 3 && mode != 4)
            return ILLEGAL;
        if (mode == 3 ? u32(48) % 64 != 0 : !reg_ok(s[34]) || (mode == 1 && !reg_ok(s[35])))
            return ILLEGAL;
        if (cmp && ((s[13] < 8 || s[13] > 10) || !reg_ok(s[32]) || (cmp >= 9 && !reg_ok(s[33]))))
            return ILLEGAL;
        return OK;
    }
    case 0xaa:
    case 0xab:
        return s[12] >= 8 && s[12] <= 10 && s[14] == 1 && s[15] == 1 && addr_legal() && reg_ok(s[32])
                   ? OK
                   : ILLEGAL;
    case 0xb0:
        return s[12] == 2 || (s[12] == 1 && s[13] <= s[14]) ? OK : ILLEGAL;
    case 0xb1:
        return s[12] <= 1 ? OK : ILLEGAL;
    case 0xb3: {
        return s[12] >= 1 && s[12] <= 16 && reg_ok(s[13]) && s[14] == 9 ? OK : ILLEGAL;
    }
    case 0xb5:
        return s[12] > 1 ? ASSERT : s[14] == 3 ? OK : ILLEGAL;
    default:
        return OK;
    }
}

void Model::fault(uint8_t code, uint8_t aux)
{
    static const int block_of[5] = { 2, 1, 3, 6, 4 };
    uint32_t no = uint32_t((pc - lower) / 64) & 0xfff;
    error_word = uint32_t(code) | uint32_t(block_of[ENGINE]) << 8 | no << 12 | uint32_t(aux) << 24;
    halt_reason = 16;
    resume = pc;
    state = ESTATE_FAULT;
    log.push_back({ LOG_FLT, uint64_t(code) << 8 | 0x0a,
                    uint64_t(block_of[ENGINE]) | no << 4 | uint64_t(aux) << 16, 0, 0 });
    log.push_back({ EV_SEQ_STATE, ESTATE_FAULT, pc, 16, error_word });
}

bool Model::wait(unsigned lane, uint8_t mode, uint8_t idx, uint32_t raw)
{
    if (mode == 0 || mode == 0xfe)
        return true;
    uint32_t v = mode & 0x80 ? reg(uint8_t(raw)) : raw;
    uint8_t plain = mode & 0x7f;
    if (!sync.holds(plain, idx, v)) {
        Sync before = sync;
        sync.satisfy(plain, idx, v);
        if (!sync.holds(plain, idx, v)) {
            sync = before;
            stuck = true;
            breakable = lane == 0 || !(s[4] == 7 || s[4] == 0xf);
            return false;
        }
        fixes.push_back({ issued, lane, plain, idx, v });
    }
    log.push_back({ EV_SEQ_PASS, lane, mode, idx, v });
    sync.side_effect(plain, idx);
    return true;
}

void Model::update(uint8_t mode, uint8_t idx, uint32_t raw)
{
    if (!mode)
        return;
    uint32_t v = mode & 0x80 ? reg(uint8_t(raw)) : raw;
    log.push_back({ LOG_UPD, mode, idx, v, 0 });
    sync.update(mode, idx, v);
}

void Model::record(int kind, uint32_t body1)
{
    uint32_t w0 = (uint32_t((pc - lower) / 64) & 0xfffff) | uint32_t(s[3] & 15) << 20;
    log.push_back({ LOG_REC, uint64_t(4 + 4 * ENGINE + kind), w0, body1,
                    uint64_t(kind == 2 ? explicit_queue : nx_queue) });
}

void Model::write(uint64_t addr, uint64_t v, unsigned n)
{
    if (n < 8)
        v &= (uint64_t(1) << (8 * n)) - 1;
    log.push_back({ EV_SEQ_WRITE, addr, v, n, 0 });
    writes.push_back({ addr, v, n });
    if (addr >= bad_lo && addr <= bad_hi)
        merrs.push_back(uint32_t(addr));
    else
        mem.put(addr, v, n);
}

uint32_t Model::read(uint64_t addr)
{
    bool bad = addr >= bad_lo && addr <= bad_hi;
    if (bad)
        merrs.push_back(uint32_t(addr));
    uint32_t v = uint32_t(mem.get(addr, 4));
    log.push_back({ EV_SEQ_READ, addr, v, bad ? 2u : 0u, 0 });
    return v;
}

static uint32_t alu(uint8_t op, bool sgn, uint32_t a, uint32_t b)
{
    /* wide arithmetic, independent of 32-bit wrap rules */
    if (op >= 0xc5 && op != 0xc6 && op != 0xc9 && op != 0xca)
        sgn = op < 0xd5;
    int64_t x = sgn ? int64_t(int32_t(a)) : int64_t(a), y = sgn ? int64_t(int32_t(b)) : int64_t(b);
    switch (op) {
    case 0x00:
        return a;
    case 0x01:
        return ~a;
    case 0x02:
    case 0x10:
        return b > 31 ? 0 : a << b;
    case 0x03:
        return uint32_t(int64_t(int32_t(a)) >> (b > 31 ? 31 : b));
    case 0x11:
        return b > 31 ? 0 : a >> b;
    case 0x04:
    case 0xc4:
        return uint32_t(x + y);
    case 0x05:
    case 0xc6:
        return uint32_t(x - y);
    case 0x06:
    case 0xc5:
    case 0xdb:
        return uint32_t(uint64_t(x) * uint64_t(y));
    case 0x07:
    case 0xc7:
    case 0xdc:
        return uint32_t(x / y);
    case 0x1b:
    case 0xc8:
    case 0xdd:
        return uint32_t(x % y);
    case 0x08:
    case 0xcf:
    case 0xd5:
        return uint32_t(x > y ? x : y);
    case 0x09:
    case 0xd0:
    case 0xd6:
        return uint32_t(x < y ? x : y);
    case 0x0a:
        return a & b;
    case 0x0b:
        return a | b;
    case 0x0c:
        return a ^ b;
    case 0x0d:
        return a && b;
    case 0x0e:
        return a || b;
    case 0x0f:
        return (a != 0) ^ (b != 0);
    case 0x12:
    case 0xc9:
        return x == y;
    case 0x18:
    case 0xca:
        return x != y;
    case 0x13:
    case 0xd1:
    case 0xd7:
        return x > y;
    case 0x14:
    case 0xd2:
    case 0xd8:
        return x >= y;
    case 0x15:
    case 0xd3:
    case 0xd9:
        return x <= y;
    case 0x16:
    case 0xd4:
    case 0xda:
        return x < y;
    case 0x17:
    case 0xcd:
        return uint32_t(x > y ? x - y : y - x);
    case 0x19:
        return uint32_t(x < 0 ? -x : x);
    case 0xcb:
    case 0xcc: {
        int64_t p = x < 0 ? -x : x, q = y < 0 ? -y : y;
        return uint32_t((op == 0xcb) == (p > q) ? p : q);
    }
    default:
        return 0;
    }
}

static bool compare(uint8_t op, uint8_t dtype, uint32_t a, uint32_t b)
{
    double x, y;
    if (dtype == 10) {
        float f, g;
        std::memcpy(&f, &a, 4);
        std::memcpy(&g, &b, 4);
        x = f;
        y = g;
    } else {
        x = dtype == 8 ? double(int32_t(a)) : double(a);
        y = dtype == 8 ? double(int32_t(b)) : double(b);
    }
    switch (op & 7) {
    case 0:
        return true;
    case 1:
        return x < y;
    case 2:
        return x <= y;
    case 3:
        return x == y;
    case 4:
        return x != y;
    case 5:
        return x >= y;
    default:
        return x > y;
    }
}

bool Model::execute(uint64_t &next)
{
    uint8_t op = s[0];
    auto address = [&] {
        return (s[23] & 0xfc) == 0x80 ? reg(s[16]) | uint64_t(reg(s[17])) << 32
                                      : u64(16) & ((uint64_t(1) << 56) - 1);
    };
    auto illegal = [&] {
        fault(0, op);
        return false;
    };
    switch (op) {
    case 0xa5: {
        uint64_t a = address();
        if (a % s[12])
            return illegal();
        write(a, u64(24), s[12]);
        break;
    }
    case 0xa6:
        if ((s[12] & 3) != 2)
            record(2, resets | uint32_t(s[14]) << 16 | uint32_t(s[15]) << 24);
        break;
    case 0xa7:
        for (unsigned i = 0; i < s[12]; i++)
            set(s[24 + i], s[14] ? u32(32 + 4 * i) : reg(s[16 + i]));
        break;
    case 0xa8: {
        uint32_t b = s[14] ? u32(24) : reg(s[18]);
        static const std::set<int> divides = { 0x07, 0x1b, 0xc7, 0xc8, 0xdc, 0xdd };
        if (b == 0 && divides.count(s[12])) {
            fault(2, 0);
            return false;
        }
        set(s[20], alu(s[12], s[13] == 8, reg(s[16]), b));
        break;
    }
    case 0xa9: {
        uint8_t c = s[12];
        if (c && !compare(c >= 9 ? c - 8 : c, s[13], reg(s[32]), c >= 9 ? reg(s[33]) : u32(16)))
            break;
        if (s[14] == 1)
            next = reg(s[34]) | uint64_t(reg(s[35])) << 32;
        else
            next = pc + uint64_t(int64_t(int32_t(s[14] == 3 ? u32(48) : reg(s[34]))));
        break;
    }
    case 0xaa:
    case 0xab: {
        uint64_t a = address();
        uint64_t bare = a & ~(uint64_t(7) << 55);
        if (a % 4 || (op == 0xab && bare >= 0x2802000000 && bare < 0x2802400000))
            return illegal();
        if (op == 0xaa)
            set(s[32], read(a));
        else
            write(a, reg(s[32]), 4);
        break;
    }
    case 0xb0:
        for (unsigned i = 0; i < 256; i++)
            if (s[12] == 1 ? i >= s[13] && i <= s[14] : s[32 + i / 8] >> (i % 8) & 1) {
                log.push_back({ LOG_UPD, 0x19, i, 0, 0 });
                sync.sem[i] = 0;
            }
        break;
    case 0xb1:
        strong = s[12];
        break;
    case 0xb3: {
        uint64_t a = u64(16), w = u64(24);
        if (a % 4 || w % 4)
            return illegal();
        uint32_t acc = 0;
        for (unsigned i = 0; i < s[12]; i++) {
            uint32_t v = read(a + 4 * i);
            acc = i && acc < v ? acc : v;
        }
        set(s[13], acc);
        for (unsigned i = 0; acc && i < s[12]; i++)
            write(w + 4 * i, acc, 4);
        break;
    }
    default:
        break;
    }
    return true;
}

bool Model::step()
{
    if (state != ESTATE_RUNNING)
        return false;
    if (pc % 64)
        return fault(0, 0), false;
    if (pc < lower || pc > upper)
        return fault(0x50, 0), false;
    /* a whole line has the error when any byte of it does */
    if (bad_lo <= bad_hi && (pc | 2047) >= bad_lo && (pc & ~uint64_t(2047)) <= bad_hi)
        return fault(0x50, 1), false;
    for (unsigned i = 0; i < 64; i++)
        s[i] = mem.at(pc + i);
    uint8_t op = s[0];
    log.push_back({ EV_SEQ_ISSUE, pc, op, 0, 0 });
    issued++;
    switch (legal()) {
    case BAD:
    case ILLEGAL:
        return fault(0, op), false;
    case ASSERT:
        return fault(0, 0), false;
    default:
        break;
    }
    if (!wait(0, s[4], s[5], u32(8)) || (op == 0xa0 && !wait(1, s[0x20], s[0x21], u32(0x24))))
        return false;
    if (s[2] == 3 || s[2] == 7)
        record(0, resets);
    uint64_t next = pc + 64;
    if (!execute(next))
        return false;
    update(s[6], s[7], u32(8));
    if (op == 0xa0)
        update(s[0x22], s[0x23], u32(0x28));
    if (s[2] == 5 || s[2] == 7)
        record(1, 0);
    if (s[2] == 1 || s[2] == 9)
        record(2, resets | (s[2] == 9 ? uint32_t(s[14]) << 16 | uint32_t(s[15]) << 24 : 0));
    if (op == 0xa6 && (s[3] & 15) == 3)
        resets++;
    log.push_back({ EV_SEQ_RETIRE, pc, next, 0, 0 });
    pc = next;
    if (op == 0xa1) {
        state = pause_req ? ESTATE_PAUSED : ESTATE_HALTED;
        if (!pause_req) {
            resume = pc;
            halt_reason = 0;
        }
        log.push_back({ EV_SEQ_STATE, uint64_t(state), pc, 0, 0 });
    }
    return true;
}

bool Model::run(uint64_t max_slots)
{
    while (max_slots-- && state == ESTATE_RUNNING)
        if (!step())
            break;
    return state != ESTATE_RUNNING;
}
