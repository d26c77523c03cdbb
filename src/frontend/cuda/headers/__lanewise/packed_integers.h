// Integer functions on the two halves or the four bytes of a word, and the functions that combine three numbers.
#pragma once

typedef short __lanewise_short2 __attribute__((ext_vector_type(2)));
typedef unsigned short __lanewise_ushort2 __attribute__((ext_vector_type(2)));
typedef signed char __lanewise_char4 __attribute__((ext_vector_type(4)));
typedef unsigned char __lanewise_uchar4 __attribute__((ext_vector_type(4)));

// NAME2 and NAME4 of packed x and y: signed (S) or unsigned (U) elements.
#define __LANEWISE_PACKED(NAME, V, EXPRESSION)                              \
    __LANEWISE_DEVICE unsigned NAME(unsigned a, unsigned b) {               \
        const V x = __builtin_bit_cast(V, a), y = __builtin_bit_cast(V, b); \
        return __builtin_bit_cast(unsigned, EXPRESSION);                    \
    }
#define __LANEWISE_PACKED_S(NAME, EXPRESSION)                 \
    __LANEWISE_PACKED(NAME##2, __lanewise_short2, EXPRESSION) \
    __LANEWISE_PACKED(NAME##4, __lanewise_char4, EXPRESSION)
#define __LANEWISE_PACKED_U(NAME, EXPRESSION)                  \
    __LANEWISE_PACKED(NAME##2, __lanewise_ushort2, EXPRESSION) \
    __LANEWISE_PACKED(NAME##4, __lanewise_uchar4, EXPRESSION)
#define __LANEWISE_PACKED_UNARY(NAME, EXPRESSION)                                                               \
    __LANEWISE_DEVICE unsigned NAME##2(unsigned a) {                                                            \
        const __lanewise_short2 zero __attribute__((unused)) = 0, x = __builtin_bit_cast(__lanewise_short2, a); \
        return __builtin_bit_cast(unsigned, EXPRESSION);                                                        \
    }                                                                                                           \
    __LANEWISE_DEVICE unsigned NAME##4(unsigned a) {                                                            \
        const __lanewise_char4 zero __attribute__((unused)) = 0, x = __builtin_bit_cast(__lanewise_char4, a);   \
        return __builtin_bit_cast(unsigned, EXPRESSION);                                                        \
    }

__LANEWISE_PACKED_UNARY(__vnegss, __builtin_elementwise_sub_sat(zero, x))
__LANEWISE_PACKED_UNARY(__vabs, __builtin_elementwise_abs(x))
__LANEWISE_PACKED_UNARY(__vabsss, __builtin_elementwise_max(x, __builtin_elementwise_sub_sat(zero, x)))
__LANEWISE_PACKED_U(__vadd, x + y)
__LANEWISE_PACKED_S(__vaddss, __builtin_elementwise_add_sat(x, y))
__LANEWISE_PACKED_U(__vaddus, __builtin_elementwise_add_sat(x, y))
__LANEWISE_PACKED_U(__vsub, x - y)
__LANEWISE_PACKED_S(__vsubss, __builtin_elementwise_sub_sat(x, y))
__LANEWISE_PACKED_U(__vsubus, __builtin_elementwise_sub_sat(x, y))
__LANEWISE_PACKED_S(__vmaxs, __builtin_elementwise_max(x, y))
__LANEWISE_PACKED_U(__vmaxu, __builtin_elementwise_max(x, y))
__LANEWISE_PACKED_S(__vmins, __builtin_elementwise_min(x, y))
__LANEWISE_PACKED_U(__vminu, __builtin_elementwise_min(x, y))
__LANEWISE_PACKED_U(__vabsdiffu, __builtin_elementwise_max(x, y) - __builtin_elementwise_min(x, y))
__LANEWISE_DEVICE unsigned __vabsdiffs2(unsigned a, unsigned b) {
    return __vsub2(__vmaxs2(a, b), __vmins2(a, b));
}
__LANEWISE_DEVICE unsigned __vabsdiffs4(unsigned a, unsigned b) {
    return __vsub4(__vmaxs4(a, b), __vmins4(a, b));
}
__LANEWISE_DEVICE unsigned __vneg2(unsigned a) {
    return __vsub2(0, a);
}
__LANEWISE_DEVICE unsigned __vneg4(unsigned a) {
    return __vsub4(0, a);
}
// Averages: of unsigned numbers rounded down (vhaddu) or up, of signed ones away from zero.
__LANEWISE_PACKED_U(__vhaddu, (x & y) + ((x ^ y) >> 1))
__LANEWISE_PACKED_U(__vavgu, (x | y) - ((x ^ y) >> 1))

// Comparisons: all bits of an element (vcmp), or its lowest (vset).
#define __LANEWISE_PACKED_COMPARE(NAME, KIND, OPERATOR) \
    __LANEWISE_PACKED_##KIND(__vcmp##NAME, x OPERATOR y) __LANEWISE_PACKED_##KIND(__vset##NAME, -(x OPERATOR y))
__LANEWISE_PACKED_COMPARE(eq, S, ==)
__LANEWISE_PACKED_COMPARE(ne, S, !=)
__LANEWISE_PACKED_COMPARE(ges, S, >=)
__LANEWISE_PACKED_COMPARE(gts, S, >)
__LANEWISE_PACKED_COMPARE(les, S, <=)
__LANEWISE_PACKED_COMPARE(lts, S, <)
__LANEWISE_PACKED_COMPARE(geu, U, >=)
__LANEWISE_PACKED_COMPARE(gtu, U, >)
__LANEWISE_PACKED_COMPARE(leu, U, <=)
__LANEWISE_PACKED_COMPARE(ltu, U, <)

__LANEWISE_DEVICE unsigned __vavgs2(unsigned a, unsigned b) {
    unsigned result = 0;
    for (int i = 0; i < 32; i += 16) {
        const int sum = static_cast<short>(a >> i) + static_cast<short>(b >> i);
        result |= (static_cast<unsigned>((sum + (sum > 0)) >> 1) & 0xffff) << i;
    }
    return result;
}
__LANEWISE_DEVICE unsigned __vavgs4(unsigned a, unsigned b) {
    unsigned result = 0;
    for (int i = 0; i < 32; i += 8) {
        const int sum = static_cast<signed char>(a >> i) + static_cast<signed char>(b >> i);
        result |= (static_cast<unsigned>((sum + (sum > 0)) >> 1) & 0xff) << i;
    }
    return result;
}
// Sums of the elements' absolute differences.
#define __LANEWISE_PACKED_SAD(NAME, DIFFERENCE, WIDTH)                                     \
    __LANEWISE_DEVICE unsigned NAME(unsigned a, unsigned b) {                              \
        const unsigned differences = DIFFERENCE(a, b);                                     \
        unsigned sum = 0;                                                                  \
        for (int i = 0; i < 32; i += WIDTH) sum += differences >> i & ((1u << WIDTH) - 1); \
        return sum;                                                                        \
    }
__LANEWISE_PACKED_SAD(__vsads2, __vabsdiffs2, 16)
__LANEWISE_PACKED_SAD(__vsadu2, __vabsdiffu2, 16)
__LANEWISE_PACKED_SAD(__vsads4, __vabsdiffs4, 8)
__LANEWISE_PACKED_SAD(__vsadu4, __vabsdiffu4, 8)

// The largest or smallest of three, or of a sum and a third; with relu, at least 0.
#define __LANEWISE_THREE(SUFFIX, T, ADD, MAX, MIN)           \
    __LANEWISE_DEVICE T __vimax3_##SUFFIX(T a, T b, T c) {   \
        return MAX(MAX(a, b), c);                            \
    }                                                        \
    __LANEWISE_DEVICE T __vimin3_##SUFFIX(T a, T b, T c) {   \
        return MIN(MIN(a, b), c);                            \
    }                                                        \
    __LANEWISE_DEVICE T __viaddmax_##SUFFIX(T a, T b, T c) { \
        return MAX(ADD(a, b), c);                            \
    }                                                        \
    __LANEWISE_DEVICE T __viaddmin_##SUFFIX(T a, T b, T c) { \
        return MIN(ADD(a, b), c);                            \
    }
#define __LANEWISE_THREE_RELU(SUFFIX, T, ADD, MAX, MIN)             \
    __LANEWISE_DEVICE T __vimax_##SUFFIX##_relu(T a, T b) {         \
        return MAX(MAX(a, b), T(0));                                \
    }                                                               \
    __LANEWISE_DEVICE T __vimin_##SUFFIX##_relu(T a, T b) {         \
        return MAX(MIN(a, b), T(0));                                \
    }                                                               \
    __LANEWISE_DEVICE T __vimax3_##SUFFIX##_relu(T a, T b, T c) {   \
        return MAX(__vimax3_##SUFFIX(a, b, c), T(0));               \
    }                                                               \
    __LANEWISE_DEVICE T __vimin3_##SUFFIX##_relu(T a, T b, T c) {   \
        return MAX(__vimin3_##SUFFIX(a, b, c), T(0));               \
    }                                                               \
    __LANEWISE_DEVICE T __viaddmax_##SUFFIX##_relu(T a, T b, T c) { \
        return MAX(__viaddmax_##SUFFIX(a, b, c), T(0));             \
    }                                                               \
    __LANEWISE_DEVICE T __viaddmin_##SUFFIX##_relu(T a, T b, T c) { \
        return MAX(__viaddmin_##SUFFIX(a, b, c), T(0));             \
    }
#define __LANEWISE_SUM(a, b) ((a) + (b))
__LANEWISE_THREE(s32, int, __LANEWISE_SUM, max, min)
__LANEWISE_THREE(u32, unsigned, __LANEWISE_SUM, max, min)
__LANEWISE_THREE(s16x2, unsigned, __vadd2, __vmaxs2, __vmins2)
__LANEWISE_THREE(u16x2, unsigned, __vadd2, __vmaxu2, __vminu2)
__LANEWISE_THREE_RELU(s32, int, __LANEWISE_SUM, max, min)
__LANEWISE_THREE_RELU(s16x2, unsigned, __vadd2, __vmaxs2, __vmins2)

#undef __LANEWISE_PACKED
#undef __LANEWISE_PACKED_S
#undef __LANEWISE_PACKED_U
#undef __LANEWISE_PACKED_UNARY
#undef __LANEWISE_PACKED_COMPARE
#undef __LANEWISE_PACKED_SAD
#undef __LANEWISE_THREE
#undef __LANEWISE_THREE_RELU
#undef __LANEWISE_SUM
