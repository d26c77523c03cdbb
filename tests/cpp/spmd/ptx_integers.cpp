// Integer instructions as the PTX ISA defines them.
#include <algorithm>
#include <bit>

#include "ptx_cases.h"

namespace lanewise::cpu::testing {
namespace {

using U = std::uint32_t;
using S = std::int32_t;
using UL = std::uint64_t;
using SL = std::int64_t;
__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

SL s32(Bits x) {
    return S(x);
}
SL s16(Bits x) {
    return std::int16_t(x);
}
SL clamp32(SL x) {
    return std::clamp<SL>(x, INT32_MIN, INT32_MAX);
}
SL s24(Bits x) {
    return SL(x << 40) >> 40;
}
UL u24(Bits x) {
    return x & 0xffffff;
}

/// PTX's loop over the bits of the result.
Bits bfe(Bits a, Bits b, Bits c, unsigned width, bool is_signed) {
    const unsigned msb = width - 1, pos = b & 0xff, len = c & 0xff;
    const bool sign = is_signed && len != 0 && (a >> std::min(pos + len - 1, msb) & 1);
    Bits d = 0;
    for (unsigned i = 0; i <= msb; ++i) d |= Bits(i < len && pos + i <= msb ? a >> (pos + i) & 1 : sign) << i;
    return d;
}

Bits bfi(Bits a, Bits b, Bits c, Bits d, unsigned width) {
    const unsigned msb = width - 1, pos = c & 0xff, len = d & 0xff;
    Bits f = b;
    for (unsigned i = 0; i < len && pos + i <= msb; ++i) {
        f = (f & ~(Bits(1) << (pos + i))) | (a >> i & 1) << (pos + i);
    }
    return f;
}

Bits bfind(Bits a, unsigned width, bool is_signed, bool shift) {
    const unsigned msb = width - 1;
    if (is_signed && (a >> msb & 1)) a = ~a;
    for (int i = int(msb); i >= 0; --i) {
        if (a >> i & 1) return shift ? msb - unsigned(i) : unsigned(i);
    }
    return 0xffffffff;
}

Bits prmt(Bits a, Bits b, unsigned selectors) {
    const UL bytes = b << 32 | a;
    Bits d = 0;
    for (unsigned i = 0; i < 4; ++i) {
        const unsigned nibble = selectors >> (4 * i) & 15;
        Bits byte = bytes >> (8 * (nibble & 7)) & 0xff;
        if (nibble & 8) byte = byte & 0x80 ? 0xff : 0;
        d |= byte << (8 * i);
    }
    return d;
}

Bits bmsk(Bits a, Bits b, bool clamp) {
    const U a1 = a & 31, b1 = b & 31, sum = a1 + b1;
    U mask0 = ~0u << a1;
    if (clamp && a >= 32) mask0 = 0;
    const bool overflow = sum >= 32 || (clamp && (a >= 32 || b >= 32));
    const U mask1 = overflow ? 0 : ~0u << sum;
    return mask0 & ~mask1;
}

Bits szext(Bits a, Bits b, bool clamp, bool is_signed) {
    const U b1 = b & 31;
    const bool too_large = clamp && b >= 32;
    const U mask = too_large ? 0 : ~0u << b1;
    const bool sign = is_signed && b1 != 0 && !too_large && (a >> ((b1 - 1) & 31) & 1);
    return (U(a) & ~mask) | (sign ? mask : 0);
}

Bits lop3(Bits a, Bits b, Bits c, unsigned table) {
    Bits d = 0;
    for (unsigned i = 0; i < 32; ++i) {
        const unsigned index = unsigned((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1));
        d |= Bits(table >> index & 1) << i;
    }
    return d;
}

Bits fns(Bits mask, int base, int offset) {
    if (offset == 0) return mask >> base & 1 ? Bits(base) : 0xffffffff;
    int count = (offset > 0 ? offset : -offset) - 1;
    for (int position = base; position >= 0 && position < 32; position += offset > 0 ? 1 : -1) {
        if ((mask >> position & 1) && count-- == 0) return Bits(position);
    }
    return 0xffffffff;
}

Bits shf(Bits a, Bits b, Bits c, bool left, bool wrap) {
    const UL pair = b << 32 | a;
    const unsigned n = wrap ? c & 31 : unsigned(std::min<Bits>(c, 32));
    return left ? pair << n >> 32 : pair >> n;
}

SL byte(Bits x, unsigned i, bool is_signed) {
    return is_signed ? SL(std::int8_t(x >> (8 * i))) : SL(std::uint8_t(x >> (8 * i)));
}

Bits dp4a(Bits a, Bits b, Bits c, bool a_signed, bool b_signed) {
    SL sum = s32(c);
    for (unsigned i = 0; i < 4; ++i) sum += byte(a, i, a_signed) * byte(b, i, b_signed);
    return Bits(sum);
}

Bits dp2a(Bits a, Bits b, Bits c, bool high, bool a_signed, bool b_signed) {
    SL sum = s32(c);
    for (unsigned i = 0; i < 2; ++i) {
        const SL half = a_signed ? SL(std::int16_t(a >> (16 * i))) : SL(std::uint16_t(a >> (16 * i)));
        sum += half * byte(b, i + (high ? 2 : 0), b_signed);
    }
    return Bits(sum);
}

}  // namespace

const std::vector<PtxCase>& arithmetic_cases() {
    static const std::vector<PtxCase> cases = {
        {"add.s32 $0, $1, $2;", "rrr", [](Bits a, Bits b, Bits, Bits) { return a + b; }},
        {"add.sat.s32 $0, $1, $2;", "rrr", [](Bits a, Bits b, Bits, Bits) { return Bits(clamp32(s32(a) + s32(b))); }},
        {"add.u16 $0, $1, $2;", "hhh", [](Bits a, Bits b, Bits, Bits) { return a + b; }},
        {"add.s64 $0, $1, -5;", "ll", [](Bits a, Bits, Bits, Bits) { return a - 5; }},
        {"sub.u32 $0, $1, $2;", "rrr", [](Bits a, Bits b, Bits, Bits) { return a - b; }},
        {"sub.sat.s32 $0, $1, $2;", "rrr", [](Bits a, Bits b, Bits, Bits) { return Bits(clamp32(s32(a) - s32(b))); }},
        {"add.u16x2 $0, $1, $2;", "rrr",
         [](Bits a, Bits b, Bits, Bits) { return ((a + b) & 0xffff) | ((a & 0xffff0000) + (b & 0xffff0000)); }},
        {"mul.lo.s32 $0, $1, $2;", "rrr", [](Bits a, Bits b, Bits, Bits) { return a * b; }},
        {"mul.hi.s32 $0, $1, $2;", "rrr", [](Bits a, Bits b, Bits, Bits) { return Bits(s32(a) * s32(b)) >> 32; }},
        {"mul.hi.u32 $0, $1, $2;", "rrr", [](Bits a, Bits b, Bits, Bits) { return a * b >> 32; }},
        {"mul.hi.u64 $0, $1, $2;", "lll", [](Bits a, Bits b, Bits, Bits) { return Bits(Wide(a) * b >> 64); }},
        {"mul.hi.s64 $0, $1, $2;", "lll",
         [](Bits a, Bits b, Bits, Bits) { return Bits(SignedWide(SL(a)) * SL(b) >> 64); }},
        {"mul.hi.s16 $0, $1, $2;", "hhh", [](Bits a, Bits b, Bits, Bits) { return Bits(s16(a) * s16(b)) >> 16; }},
        {"mul.wide.s32 $0, $1, $2;", "lrr", [](Bits a, Bits b, Bits, Bits) { return Bits(s32(a) * s32(b)); }},
        {"mul.wide.u32 $0, $1, $2;", "lrr", [](Bits a, Bits b, Bits, Bits) { return a * b; }},
        {"mul.wide.s16 $0, $1, $2;", "rhh", [](Bits a, Bits b, Bits, Bits) { return Bits(s16(a) * s16(b)); }},
        {"mul.wide.u16 $0, $1, 3;", "rh", [](Bits a, Bits, Bits, Bits) { return a * 3; }},
        {"mad.lo.s32 $0, $1, $2, $3;", "rrrr", [](Bits a, Bits b, Bits c, Bits) { return a * b + c; }},
        {"mad.hi.u32 $0, $1, $2, $3;", "rrrr", [](Bits a, Bits b, Bits c, Bits) { return (a * b >> 32) + c; }},
        {"mad.hi.sat.s32 $0, $1, $2, $3;", "rrrr",
         [](Bits a, Bits b, Bits c, Bits) { return Bits(clamp32((s32(a) * s32(b) >> 32) + s32(c))); }},
        {"mad.wide.u32 $0, $1, $2, $3;", "lrrl", [](Bits a, Bits b, Bits c, Bits) { return a * b + c; }},
        {"mad.wide.s32 $0, $1, $2, $3;", "lrrl",
         [](Bits a, Bits b, Bits c, Bits) { return Bits(s32(a) * s32(b)) + c; }},
        {"mul24.lo.s32 $0, $1, $2;", "rrr", [](Bits a, Bits b, Bits, Bits) { return Bits(s24(a) * s24(b)); }},
        {"mul24.hi.u32 $0, $1, $2;", "rrr", [](Bits a, Bits b, Bits, Bits) { return u24(a) * u24(b) >> 16; }},
        {"mad24.lo.u32 $0, $1, $2, $3;", "rrrr", [](Bits a, Bits b, Bits c, Bits) { return u24(a) * u24(b) + c; }},
        // A division by 0 has no defined result; what the hardware gives is all ones.
        {"div.s32 $0, $1, $2;", "rrr",
         [](Bits a, Bits b, Bits, Bits) { return b == 0 ? ~Bits(0) : Bits(s32(a) / s32(b)); }},
        {"div.u32 $0, $1, $2;", "rrr", [](Bits a, Bits b, Bits, Bits) { return b == 0 ? ~Bits(0) : a / b; }},
        {"div.u64 $0, $1, $2;", "lll", [](Bits a, Bits b, Bits, Bits) { return b == 0 ? ~Bits(0) : a / b; }},
        {"rem.s32 $0, $1, $2;", "rrr",
         [](Bits a, Bits b, Bits, Bits) { return b == 0 ? ~Bits(0) : Bits(s32(a) % s32(b)); }},
        {"rem.u64 $0, $1, $2;", "lll", [](Bits a, Bits b, Bits, Bits) { return b == 0 ? ~Bits(0) : a % b; }},
        {"rem.u32 $0, $1, 7;", "rr", [](Bits a, Bits, Bits, Bits) { return a % 7; }},
        {"min.s32 $0, $1, $2;", "rrr", [](Bits a, Bits b, Bits, Bits) { return Bits(std::min(s32(a), s32(b))); }},
        {"min.u64 $0, $1, $2;", "lll", [](Bits a, Bits b, Bits, Bits) { return std::min(a, b); }},
        {"max.u32 $0, $1, $2;", "rrr", [](Bits a, Bits b, Bits, Bits) { return std::max(a, b); }},
        {"max.s16 $0, $1, $2;", "hhh", [](Bits a, Bits b, Bits, Bits) { return Bits(std::max(s16(a), s16(b))); }},
        {"max.s32.relu $0, $1, $2;", "rrr",
         [](Bits a, Bits b, Bits, Bits) { return Bits(std::max({s32(a), s32(b), SL(0)})); }},
        {"abs.s32 $0, $1;", "rr", [](Bits a, Bits, Bits, Bits) { return s32(a) < 0 ? -a : a; }},
        {"abs.s64 $0, $1;", "ll", [](Bits a, Bits, Bits, Bits) { return SL(a) < 0 ? -a : a; }},
        {"neg.s32 $0, $1;", "rr", [](Bits a, Bits, Bits, Bits) { return -a; }},
        {"sad.s32 $0, $1, $2, $3;", "rrrr",
         [](Bits a, Bits b, Bits c, Bits) { return (s32(a) < s32(b) ? b - a : a - b) + c; }},
        {"sad.u32 $0, $1, $2, $3;", "rrrr", [](Bits a, Bits b, Bits c, Bits) { return (a < b ? b - a : a - b) + c; }},
        {"dp4a.s32.s32 $0, $1, $2, $3;", "rrrr",
         [](Bits a, Bits b, Bits c, Bits) { return dp4a(a, b, c, true, true); }},
        {"dp4a.u32.s32 $0, $1, $2, $3;", "rrrr",
         [](Bits a, Bits b, Bits c, Bits) { return dp4a(a, b, c, false, true); }},
        {"dp2a.lo.s32.u32 $0, $1, $2, $3;", "rrrr",
         [](Bits a, Bits b, Bits c, Bits) { return dp2a(a, b, c, false, true, false); }},
        {"dp2a.hi.u32.u32 $0, $1, $2, $3;", "rrrr",
         [](Bits a, Bits b, Bits c, Bits) { return dp2a(a, b, c, true, false, false); }},
        // Chains through the condition code register: 128-bit numbers as pairs of 64-bit ones and the like.
        {"{ .reg .u32 lo, hi; add.cc.u32 lo, $1, $2; addc.u32 hi, $3, $4; xor.b32 $0, hi, lo; }", "rrrrr",
         [](Bits a, Bits b, Bits c, Bits d) { return (a + b) ^ (c + d + ((a + b) >> 32)); }},
        {"{ .reg .u32 t; add.cc.u32 t, $1, $2; addc.cc.u32 t, $3, $4; addc.u32 $0, 0, 0; }", "rrrrr",
         [](Bits a, Bits b, Bits c, Bits d) { return (c + d + ((a + b) >> 32)) >> 32; }},
        {"{ .reg .u32 t; sub.cc.u32 t, $1, $2; subc.u32 $0, $3, $4; }", "rrrrr",
         [](Bits a, Bits b, Bits c, Bits d) { return c - d - (a < b ? 1 : 0); }},
        {"{ .reg .u64 t; sub.cc.u64 t, $1, $2; subc.cc.u64 t, $3, $4; subc.u64 $0, 0, 0; }", "lllll",
         [](Bits a, Bits b, Bits c, Bits d) { return c < d || (c == d && a < b) ? ~Bits(0) : 0; }},
        {"{ .reg .u32 t; mad.lo.cc.u32 t, $1, $2, $3; madc.hi.u32 $0, $1, $2, 0; }", "rrrr",
         [](Bits a, Bits b, Bits c, Bits) { return (a * b + c) >> 32; }},
        {"{ .reg .u64 t; mad.lo.cc.u64 t, $1, $2, $3; madc.hi.cc.u64 $0, $1, $2, 0; }", "llll",
         [](Bits a, Bits b, Bits c, Bits) { return Bits((Wide(a) * b + c) >> 64); }},
    };
    return cases;
}

const std::vector<PtxCase>& bit_cases() {
    static const std::vector<PtxCase> cases = {
        {"and.b32 $0, $1, $2;", "rrr", [](Bits a, Bits b, Bits, Bits) { return a & b; }},
        {"or.b64 $0, $1, $2;", "lll", [](Bits a, Bits b, Bits, Bits) { return a | b; }},
        {"xor.b16 $0, $1, $2;", "hhh", [](Bits a, Bits b, Bits, Bits) { return a ^ b; }},
        {"not.b32 $0, $1;", "rr", [](Bits a, Bits, Bits, Bits) { return ~a; }},
        {"cnot.b32 $0, $1;", "rr", [](Bits a, Bits, Bits, Bits) { return Bits(a == 0); }},
        {"shl.b32 $0, $1, $2;", "rrr", [](Bits a, Bits b, Bits, Bits) { return b > 31 ? 0 : a << b; }},
        {"shl.b64 $0, $1, $2;", "llr", [](Bits a, Bits b, Bits, Bits) { return b > 63 ? 0 : a << b; }},
        {"shr.u32 $0, $1, $2;", "rrr", [](Bits a, Bits b, Bits, Bits) { return b > 31 ? 0 : a >> b; }},
        {"shr.s32 $0, $1, $2;", "rrr",
         [](Bits a, Bits b, Bits, Bits) { return Bits(s32(a) >> std::min<Bits>(b, 31)); }},
        {"shr.s64 $0, $1, $2;", "llr", [](Bits a, Bits b, Bits, Bits) { return Bits(SL(a) >> std::min<Bits>(b, 63)); }},
        {"shr.b16 $0, $1, $2;", "hhr", [](Bits a, Bits b, Bits, Bits) { return b > 15 ? 0 : a >> b; }},
        {"shf.l.wrap.b32 $0, $1, $2, $3;", "rrrr",
         [](Bits a, Bits b, Bits c, Bits) { return shf(a, b, c, true, true); }},
        {"shf.l.clamp.b32 $0, $1, $2, $3;", "rrrr",
         [](Bits a, Bits b, Bits c, Bits) { return shf(a, b, c, true, false); }},
        {"shf.r.wrap.b32 $0, $1, $2, $3;", "rrrr",
         [](Bits a, Bits b, Bits c, Bits) { return shf(a, b, c, false, true); }},
        {"shf.r.clamp.b32 $0, $1, $2, $3;", "rrrr",
         [](Bits a, Bits b, Bits c, Bits) { return shf(a, b, c, false, false); }},
        {"lop3.b32 $0, $1, $2, $3, 0x96;", "rrrr", [](Bits a, Bits b, Bits c, Bits) { return a ^ b ^ c; }},
        {"lop3.b32 $0, $1, $2, $3, 0xE8;", "rrrr", [](Bits a, Bits b, Bits c, Bits) { return lop3(a, b, c, 0xe8); }},
        {"lop3.b32 $0, $1, $2, $3, 0x1A;", "rrrr", [](Bits a, Bits b, Bits c, Bits) { return lop3(a, b, c, 0x1a); }},
        {"prmt.b32 $0, $1, $2, $3;", "rrrr", [](Bits a, Bits b, Bits c, Bits) { return prmt(a, b, unsigned(c)); }},
        {"prmt.b32.f4e $0, $1, $2, $3;", "rrrr",
         [](Bits a, Bits b, Bits c, Bits) { return (b << 32 | a) >> (8 * (c & 3)); }},
        {"prmt.b32.b4e $0, $1, $2, $3;", "rrrr",
         [](Bits a, Bits b, Bits c, Bits) {
             const unsigned s = c & 3;
             return prmt(a, b, s | ((s + 7) & 7) << 4 | ((s + 6) & 7) << 8 | ((s + 5) & 7) << 12);
         }},
        {"prmt.b32.rc8 $0, $1, $2, $3;", "rrrr",
         [](Bits a, Bits, Bits c, Bits) { return (a >> (8 * (c & 3)) & 0xff) * 0x01010101; }},
        {"prmt.b32.ecl $0, $1, $2, $3;", "rrrr",
         [](Bits a, Bits b, Bits c, Bits) {
             const unsigned s = c & 3;
             return prmt(a, b, s | std::max(1u, s) << 4 | std::max(2u, s) << 8 | 3u << 12);
         }},
        {"prmt.b32.ecr $0, $1, $2, $3;", "rrrr",
         [](Bits a, Bits b, Bits c, Bits) {
             const unsigned s = c & 3;
             return prmt(a, b, std::min(1u, s) << 4 | std::min(2u, s) << 8 | s << 12);
         }},
        {"prmt.b32.rc16 $0, $1, $2, $3;", "rrrr",
         [](Bits a, Bits, Bits c, Bits) { return (a >> (16 * (c & 1)) & 0xffff) * 0x00010001; }},
        {"popc.b32 $0, $1;", "rr", [](Bits a, Bits, Bits, Bits) { return Bits(std::popcount(a)); }},
        {"popc.b64 $0, $1;", "rl", [](Bits a, Bits, Bits, Bits) { return Bits(std::popcount(a)); }},
        {"clz.b32 $0, $1;", "rr", [](Bits a, Bits, Bits, Bits) { return Bits(std::countl_zero(U(a))); }},
        {"clz.b64 $0, $1;", "rl", [](Bits a, Bits, Bits, Bits) { return Bits(std::countl_zero(a)); }},
        {"brev.b32 $0, $1;", "rr",
         [](Bits a, Bits, Bits, Bits) {
             Bits d = 0;
             for (int i = 0; i < 32; ++i) d |= (a >> i & 1) << (31 - i);
             return d;
         }},
        {"bfind.u32 $0, $1;", "rr", [](Bits a, Bits, Bits, Bits) { return bfind(a, 32, false, false); }},
        {"bfind.s32 $0, $1;", "rr", [](Bits a, Bits, Bits, Bits) { return bfind(a, 32, true, false); }},
        {"bfind.shiftamt.u64 $0, $1;", "rl", [](Bits a, Bits, Bits, Bits) { return bfind(a, 64, false, true); }},
        {"bfe.u32 $0, $1, $2, $3;", "rrrr", [](Bits a, Bits b, Bits c, Bits) { return bfe(a, b, c, 32, false); }},
        {"bfe.s32 $0, $1, $2, $3;", "rrrr", [](Bits a, Bits b, Bits c, Bits) { return bfe(a, b, c, 32, true); }},
        {"{ .reg .b32 p, n; and.b32 p, $2, 255; and.b32 n, $3, 255; bfe.u64 $0, $1, p, n; }", "llrr",
         [](Bits a, Bits b, Bits c, Bits) { return bfe(a, b, c, 64, false); }},
        {"{ .reg .b32 p, n; and.b32 p, $2, 255; and.b32 n, $3, 255; bfe.s64 $0, $1, p, n; }", "llrr",
         [](Bits a, Bits b, Bits c, Bits) { return bfe(a, b, c, 64, true); }},
        {"bfi.b32 $0, $1, $2, $3, $4;", "rrrrr", [](Bits a, Bits b, Bits c, Bits d) { return bfi(a, b, c, d, 32); }},
        {"{ .reg .b32 p, n; and.b32 p, $3, 255; and.b32 n, $4, 255; bfi.b64 $0, $1, $2, p, n; }", "lllrr",
         [](Bits a, Bits b, Bits c, Bits d) { return bfi(a, b, c, d, 64); }},
        {"bmsk.clamp.b32 $0, $1, $2;", "rrr", [](Bits a, Bits b, Bits, Bits) { return bmsk(a, b, true); }},
        {"bmsk.wrap.b32 $0, $1, $2;", "rrr", [](Bits a, Bits b, Bits, Bits) { return bmsk(a, b, false); }},
        {"szext.clamp.s32 $0, $1, $2;", "rrr", [](Bits a, Bits b, Bits, Bits) { return szext(a, b, true, true); }},
        {"szext.wrap.s32 $0, $1, $2;", "rrr", [](Bits a, Bits b, Bits, Bits) { return szext(a, b, false, true); }},
        {"szext.wrap.u32 $0, $1, $2;", "rrr", [](Bits a, Bits b, Bits, Bits) { return szext(a, b, false, false); }},
        {"{ .reg .s32 b, n; and.b32 b, $2, 31; and.b32 n, $3, 7; sub.s32 n, n, 3; fns.b32 $0, $1, b, n; }", "rrrr",
         [](Bits a, Bits b, Bits c, Bits) { return fns(a, int(b & 31), int(c & 7) - 3); }},
        // Comparisons and selections.
        {"{ .reg .pred p; setp.lt.s32 p, $1, $2; selp.b32 $0, $3, $4, p; }", "rrrrr",
         [](Bits a, Bits b, Bits c, Bits d) { return s32(a) < s32(b) ? c : d; }},
        {"{ .reg .pred p, q; setp.hs.u32 p|q, $1, $2; selp.u32 $0, 1, 0, q; }", "rrr",
         [](Bits a, Bits b, Bits, Bits) { return Bits(!(a >= b)); }},
        {"{ .reg .pred p, q; setp.ne.s32 q, $3, 0; setp.gt.and.s32 p, $1, $2, !q; selp.u32 $0, 7, 9, p; }", "rrrr",
         [](Bits a, Bits b, Bits c, Bits) { return Bits(s32(a) > s32(b) && c == 0 ? 7 : 9); }},
        {"set.le.u32.s32 $0, $1, $2;", "rrr",
         [](Bits a, Bits b, Bits, Bits) { return s32(a) <= s32(b) ? ~Bits(0) : 0; }},
        {"set.eq.f32.u32 $0, $1, $2;", "frr", [](Bits a, Bits b, Bits, Bits) { return Bits(a == b ? 0x3f800000 : 0); }},
        {"slct.s32.s32 $0, $1, $2, $3;", "rrrr", [](Bits a, Bits b, Bits c, Bits) { return s32(c) >= 0 ? a : b; }},
        {"{ .reg .pred p; setp.eq.u32 p, $1, $2; mov.u32 $0, $3; @p add.u32 $0, $0, 1; @!p mov.u32 $0, 5; }", "rrrr",
         [](Bits a, Bits b, Bits c, Bits) { return a == b ? c + 1 : 5; }},
        {"{ .reg .pred %p<3>; setp.lo.u32 %p0, $1, $2; setp.lo.u32 %p1, $2, $3; xor.pred %p2, %p0, %p1; not.pred %p2, "
         "%p2;"
         " selp.b32 $0, 1, 0, %p2; }",
         "rrrr", [](Bits a, Bits b, Bits c, Bits) { return Bits((a < b) == (b < c)); }},
        // Moves that pack and unpack, registers of a scope, comments.
        {"mov.b64 $0, {$1, $2};", "lrr", [](Bits a, Bits b, Bits, Bits) { return b << 32 | a; }},
        {"{ .reg .b32 lo, hi; mov.b64 {lo, hi}, $1; mov.b64 $0, {hi, lo}; }", "ll",
         [](Bits a, Bits, Bits, Bits) { return a << 32 | a >> 32; }},
        {"{ .reg .b16 t; mov.b32 {_, t}, $1; mov.b32 $0, {t, t}; }", "rr",
         [](Bits a, Bits, Bits, Bits) { return (a >> 16) * 0x10001; }},
        {"{ .reg .u32 t; mov.u32 t, 3; { .reg .u32 t; mov.u32 t, 4; } add.u32 $0, $1, t; /* ; */ } // }", "rr",
         [](Bits a, Bits, Bits, Bits) { return a + 3; }},
        {"{ .reg .u32 %r<2>; mov.u32 %r1, 0x10; add.u32 %r0, %r1, 010; sub.u32 $0, $1, %r0; }", "rr",
         [](Bits a, Bits, Bits, Bits) { return a - 24; }},
        {"mad.lo.u32 $0, $1, WARP_SZ, 0b101;", "rr", [](Bits a, Bits, Bits, Bits) { return a * 32 + 5; }},
    };
    return cases;
}

}  // namespace lanewise::cpu::testing
