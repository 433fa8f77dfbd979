/* Numbers as text and back: see number.h. */
#include "isa/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DIGITS = 24,                /* of any 64-bit number */
    F32_EXACT_DIGITS = 1 << 24, /* integers below are exact in binary32 */
    F32_DECIMALS = 8,           /* fraction digits of the fast path; powers of ten up to 10^10 are exact */
    F32_MAX_PRECISION = 9,      /* significant digits that always suffice */
    F32_ADDRESS_LIMIT = 0x20000000, /* positive bits below are rather an address or an integer */
};
static const uint32_t f32_sign = 0x80000000u, f32_inf = 0x7f800000u, f32_subnormal_end = 0x00800000u;

static const double power10[F32_DECIMALS + 1] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8 };

/* The decimal digits of v in front of end; returns the first one. Two at a time: division is what costs. */
static char *digits_before(char *end, uint64_t v)
{
    static const char pairs[] =
        "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
        "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
        "8081828384858687888990919293949596979899";
    for (; v >= 100; v /= 100) {
        end -= 2;
        memcpy(end, pairs + 2 * (v % 100), 2);
    }
    if (v >= 10) {
        end -= 2;
        memcpy(end, pairs + 2 * v, 2);
    } else
        *--end = (char)('0' + v);
    return end;
}

char *put_u64(char *p, uint64_t v)
{
    if (v < 10) {
        *p = (char)('0' + v);
        return p + 1;
    }
    char digits[DIGITS], *d = digits_before(digits + sizeof digits, v);
    size_t n = (size_t)(digits + sizeof digits - d);
    memcpy(p, d, n);
    return p + n;
}

char *put_i64(char *p, int64_t v)
{
    if (v >= 0)
        return put_u64(p, (uint64_t)v);
    *p = '-';
    return put_u64(p + 1, 0 - (uint64_t)v);
}

static const char hex_digits[] = "0123456789abcdef";

char *put_hex(char *p, uint64_t v)
{
    *p++ = '0';
    *p++ = 'x';
    unsigned shift = 0;
    while (shift < 60 && v >> shift >> 4)
        shift += 4;
    for (;; shift -= 4) {
        *p++ = hex_digits[v >> shift & 0xf];
        if (!shift)
            return p;
    }
}

char *put_hex_bytes(char *p, const uint8_t *b, size_t n)
{
    for (; n; n--, b++) {
        *p++ = hex_digits[*b >> 4];
        *p++ = hex_digits[*b & 0xf];
    }
    return p;
}

/* integer / 10^decimals with exactly that many fraction digits; decimals is minimal, so no zero ends it. */
static char *put_fixed(char *p, uint32_t integer, unsigned decimals)
{
    char digits[DIGITS], *d = digits + sizeof digits;
    for (unsigned i = 0; integer || i <= decimals; i++) {
        if (i == decimals && i)
            *--d = '.';
        *--d = (char)('0' + integer % 10);
        integer /= 10;
    }
    size_t n = (size_t)(digits + sizeof digits - d);
    memcpy(p, d, n);
    return p + n;
}

static float f32_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static uint32_t f32_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

char *put_f32(char *p, uint32_t bits)
{
    uint32_t magnitude = bits & ~f32_sign;
    if (magnitude > f32_inf || (bits && bits < F32_ADDRESS_LIMIT) ||
        (magnitude && magnitude < f32_subnormal_end))
        return put_hex(p, bits);
    if (bits & f32_sign)
        *p++ = '-';
    if (magnitude == f32_inf) {
        memcpy(p, "inf", 3);
        return p + 3;
    }
    float f = f32_of(magnitude);
    for (unsigned k = 0; k <= F32_DECIMALS; k++) {
        double scaled = (double)f * power10[k];
        if (scaled >= F32_EXACT_DIGITS)
            break;
        uint32_t n = (uint32_t)(scaled + 0.5);
        /* Both operands are exact in binary32, so the quotient is the correctly rounded value of the text. */
        if (n < F32_EXACT_DIGITS && (float)n / (float)power10[k] == f)
            return put_fixed(p, n, k);
    }
    char text[NUMBER_MAX];
    int n = 0;
    for (int precision = 1; precision <= F32_MAX_PRECISION; precision++) {
        n = snprintf(text, sizeof text, "%.*g", precision, (double)f);
        if (strtof(text, NULL) == f)
            break;
    }
    memcpy(p, text, (size_t)n);
    return p + n;
}

/* The form of a literal: digits, fraction, exponent. *fast: at most 7 digits and no exponent. */
static bool scan_f32(const char *s, const char *end, uint32_t *integer, unsigned *decimals, bool *fast)
{
    unsigned digits = 0;
    bool any = false, point = false;
    *integer = 0;
    *decimals = 0;
    *fast = true;
    for (; s < end && ((*s >= '0' && *s <= '9') || (*s == '.' && !point)); s++) {
        if (*s == '.') {
            point = true;
            continue;
        }
        any = true;
        digits += digits || *s != '0';
        if (digits <= 7)
            *integer = *integer * 10 + (uint32_t)(*s - '0');
        *decimals += point;
    }
    if (digits > 7 || *decimals > F32_DECIMALS || s != end)
        *fast = false;
    if (!any || s == end)
        return any;
    if (*s != 'e' && *s != 'E')
        return false;
    if (++s < end && (*s == '+' || *s == '-'))
        s++;
    if (s == end)
        return false;
    while (s < end && *s >= '0' && *s <= '9')
        s++;
    return s == end;
}

bool read_f32(const char *s, size_t n, uint32_t *bits)
{
    uint32_t sign = n && *s == '-' ? f32_sign : 0;
    s += sign != 0;
    n -= sign != 0;
    if (n == 3 && memcmp(s, "inf", 3) == 0) {
        *bits = sign | f32_inf;
        return true;
    }
    uint32_t integer;
    unsigned decimals;
    bool fast;
    if (n > NUMBER_TEXT_MAX || !scan_f32(s, s + n, &integer, &decimals, &fast))
        return false;
    char text[NUMBER_TEXT_MAX + 1];
    if (fast) {
        *bits = sign | f32_bits((float)integer / (float)power10[decimals]);
        return true;
    }
    memcpy(text, s, n);
    text[n] = '\0';
    *bits = sign | f32_bits(strtof(text, NULL));
    return (*bits & ~sign) != f32_inf; /* a decimal too large is a mistake, not infinity */
}
