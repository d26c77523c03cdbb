// Conversions of float and double to 16 bits in the four rounding directions, for any 16-bit format.
#pragma once

/// The float that rounds to the same 16 bits as `x`: the first 23 bits of x's fraction, the last of which notes any
/// further ones (rounding to odd).
__LANEWISE_BOTH float __lanewise_odd_float(double x) {
    const float toward_zero = __double2float_rz(x);
    const unsigned bits = __float_as_uint(toward_zero);
    const bool exact = static_cast<double>(toward_zero) == x || x != x;
    return exact ? toward_zero : __uint_as_float(bits | 1);
}

/// Of the two neighbours of `x` in a format of 16 bits, of which `nearest` is one with the value `value`, the one in
/// the direction: 'z' zero, 'u' up, 'd' down.
__LANEWISE_BOTH unsigned short __lanewise_neighbour(unsigned short nearest, float value, float x, char direction) {
    const bool negative = nearest >> 15;
    const bool is_above = value > x, is_below = value < x;
    const bool wants_lower = direction == 'd' || (direction == 'z' && !negative);
    const bool wants_higher = direction == 'u' || (direction == 'z' && negative);
    if (wants_lower && is_above) return nearest == 0 ? 0x8001 : nearest + (negative ? 1 : -1);
    if (wants_higher && is_below) return nearest == 0x8000 ? 0x0001 : nearest + (negative ? -1 : 1);
    return nearest;
}

/// The value, or the nearer end of T's range.
template <class T, class V>
__LANEWISE_BOTH T __lanewise_clamped(V value) {
    if (sizeof(T) >= sizeof(V)) return static_cast<T>(value);
    const bool is_signed = static_cast<T>(-1) < static_cast<T>(0);
    const V highest = static_cast<V>(~0ull >> (64 - 8 * sizeof(T) + is_signed)), lowest = is_signed ? -highest - 1 : 0;
    return static_cast<T>(value > highest ? highest : value < lowest ? lowest : value);
}

/// The float that rounds to the same 16 bits as an integer: rounded to odd.
__LANEWISE_BOTH float __lanewise_odd_float(unsigned long long x) {
    const float toward_zero = __ull2float_rz(x);
    const bool exact = __float2ull_rz(toward_zero) == x;
    return exact ? toward_zero : __uint_as_float(__float_as_uint(toward_zero) | 1);
}
__LANEWISE_BOTH float __lanewise_odd_float(long long x) {
    const float magnitude =
        __lanewise_odd_float(x < 0 ? 0 - static_cast<unsigned long long>(x) : static_cast<unsigned long long>(x));
    return x < 0 ? -magnitude : magnitude;
}
template <class T>
__LANEWISE_BOTH float __lanewise_odd_integer(T x) {
    return static_cast<T>(-1) < static_cast<T>(0) ? __lanewise_odd_float(static_cast<long long>(x))
                                                  : __lanewise_odd_float(static_cast<unsigned long long>(x));
}
