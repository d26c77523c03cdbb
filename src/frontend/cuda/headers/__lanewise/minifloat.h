// Floating-point numbers of 8 bits: conversions by their definition.
#pragma once

namespace __lanewise_minifloat {

/// 4 bits of exponent and 3 of fraction, without infinities; or 5 and 2, like the upper byte of a half.
struct e4m3 {
    static constexpr int fraction_bits = 3, lowest_exponent = -6;
    static constexpr unsigned largest = 0x7e, overflow = 0x7f;
};
struct e5m2 {
    static constexpr int fraction_bits = 2, lowest_exponent = -14;
    static constexpr unsigned largest = 0x7b, overflow = 0x7c;
};

/// The nearest number, ties to even; what is too large becomes the largest, or the overflow code.
template <class Format>
__LANEWISE_BOTH unsigned char encode(float x, bool saturates) {
    const unsigned bits = __float_as_uint(x), sign = bits >> 31 << 7;
    const unsigned magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return 0x7f;
    int exponent = static_cast<int>(magnitude >> 23) - 127;
    if (exponent < Format::lowest_exponent) exponent = Format::lowest_exponent;
    unsigned code = Format::largest + 1;
    if (exponent < 20) {
        // In units of the last place at that exponent.
        const float units = ldexpf(__uint_as_float(magnitude), Format::fraction_bits - exponent);
        code = ((exponent - Format::lowest_exponent) << Format::fraction_bits) + static_cast<unsigned>(rintf(units));
    }
    if (code > Format::largest) code = saturates ? Format::largest : Format::overflow;
    return static_cast<unsigned char>(sign | code);
}

template <class Format>
__LANEWISE_BOTH float decode(unsigned char code) {
    const unsigned magnitude = code & 0x7f;
    float value;
    if (magnitude > Format::largest) {
        value = magnitude == 0x7c ? __uint_as_float(0x7f800000) : __uint_as_float(0x7fffffff);
        if (value != value) return value;
    } else {
        const int exponent = static_cast<int>(magnitude >> Format::fraction_bits);
        const int fraction = static_cast<int>(magnitude & ((1u << Format::fraction_bits) - 1));
        const int units = exponent == 0 ? fraction : fraction + (1 << Format::fraction_bits);
        value = ldexpf(static_cast<float>(units),
                       (exponent == 0 ? 0 : exponent - 1) + Format::lowest_exponent - Format::fraction_bits);
    }
    return code & 0x80 ? -value : value;
}

}  // namespace __lanewise_minifloat
