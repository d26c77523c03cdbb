// Integer intrinsics.
#pragma once

__LANEWISE_PURE int __clz(int) __asm__("__nv_clz");
__LANEWISE_PURE int __clzll(long long) __asm__("__nv_clzll");
__LANEWISE_PURE int __popc(unsigned) __asm__("__nv_popc");
__LANEWISE_PURE int __popcll(unsigned long long) __asm__("__nv_popcll");
__LANEWISE_PURE int __ffs(int) __asm__("__nv_ffs");
__LANEWISE_PURE int __ffsll(long long) __asm__("__nv_ffsll");
__LANEWISE_PURE unsigned __brev(unsigned) __asm__("__nv_brev");
__LANEWISE_PURE unsigned long long __brevll(unsigned long long) __asm__("__nv_brevll");
__LANEWISE_PURE unsigned __byte_perm(unsigned, unsigned, unsigned) __asm__("__nv_byte_perm");
__LANEWISE_PURE int __mul24(int, int) __asm__("__nv_mul24");
__LANEWISE_PURE unsigned __umul24(unsigned, unsigned) __asm__("__nv_umul24");
__LANEWISE_PURE int __mulhi(int, int) __asm__("__nv_mulhi");
__LANEWISE_PURE unsigned __umulhi(unsigned, unsigned) __asm__("__nv_umulhi");
__LANEWISE_PURE long long __mul64hi(long long, long long) __asm__("__nv_mul64hi");
__LANEWISE_PURE unsigned long long __umul64hi(unsigned long long, unsigned long long) __asm__("__nv_umul64hi");
__LANEWISE_PURE unsigned __sad(int, int, unsigned) __asm__("__nv_sad");
__LANEWISE_PURE unsigned __usad(unsigned, unsigned, unsigned) __asm__("__nv_usad");
__LANEWISE_PURE int __hadd(int, int) __asm__("__nv_hadd");
__LANEWISE_PURE int __rhadd(int, int) __asm__("__nv_rhadd");
__LANEWISE_PURE unsigned __uhadd(unsigned, unsigned) __asm__("__nv_uhadd");
__LANEWISE_PURE unsigned __urhadd(unsigned, unsigned) __asm__("__nv_urhadd");

// The 64 bits high:low, shifted; the count taken modulo 32, or limited to 32.
__LANEWISE_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned count) {
    return static_cast<unsigned>(((static_cast<unsigned long long>(high) << 32 | low) << (count & 31)) >> 32);
}
__LANEWISE_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned count) {
    return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (count & 31));
}
__LANEWISE_DEVICE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned count) {
    return static_cast<unsigned>(((static_cast<unsigned long long>(high) << 32 | low) << (count < 32 ? count : 32)) >>
                                 32);
}
__LANEWISE_DEVICE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned count) {
    return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (count < 32 ? count : 32));
}

/// The position of the set bit of rank `offset` in `mask`, counted from `base`, or all ones.
__LANEWISE_DEVICE unsigned __fns(unsigned mask, unsigned base, int offset) {
    return __nvvm_fns(mask, base, offset);
}

// Dot products of packed bytes (dp4a), and of two halves with two of the bytes (dp2a), added to c.
#define __LANEWISE_DOT_4(R, A, ELEMENT_A, ELEMENT_B, B)                                                       \
    __LANEWISE_DEVICE R __dp4a(A a, B b, R c) {                                                               \
        for (int i = 0; i < 32; i += 8) c += static_cast<ELEMENT_A>(a >> i) * static_cast<ELEMENT_B>(b >> i); \
        return c;                                                                                             \
    }
__LANEWISE_DOT_4(int, int, signed char, signed char, int)
__LANEWISE_DOT_4(unsigned, unsigned, unsigned char, unsigned char, unsigned)
#undef __LANEWISE_DOT_4
__LANEWISE_DEVICE int __dp4a(char4 a, char4 b, int c) {
    return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
__LANEWISE_DEVICE unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
    return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
__LANEWISE_DEVICE int __dp2a_lo(short2 a, char4 b, int c) {
    return c + a.x * b.x + a.y * b.y;
}
__LANEWISE_DEVICE int __dp2a_hi(short2 a, char4 b, int c) {
    return c + a.x * b.z + a.y * b.w;
}
__LANEWISE_DEVICE unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned c) {
    return c + a.x * b.x + a.y * b.y;
}
__LANEWISE_DEVICE unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned c) {
    return c + a.x * b.z + a.y * b.w;
}
#define __LANEWISE_DOT_2(NAME, FIRST)                                                          \
    __LANEWISE_DEVICE int NAME(int a, int b, int c) {                                          \
        return c + static_cast<short>(a) * static_cast<signed char>(b >> FIRST) +              \
               (a >> 16) * static_cast<signed char>(b >> (FIRST + 8));                         \
    }                                                                                          \
    __LANEWISE_DEVICE unsigned NAME(unsigned a, unsigned b, unsigned c) {                      \
        return c + (a & 0xffff) * (b >> FIRST & 0xff) + (a >> 16) * (b >> (FIRST + 8) & 0xff); \
    }
__LANEWISE_DOT_2(__dp2a_lo, 0)
__LANEWISE_DOT_2(__dp2a_hi, 16)
#undef __LANEWISE_DOT_2
