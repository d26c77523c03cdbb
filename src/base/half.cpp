#include "base/half.h"

#include <algorithm>
#include <cmath>

namespace lanewise {
namespace {

/// A binary format of 16 bits with this many stored bits of the significand.
template <int significand_bits>
struct Format {
    static constexpr int exponent_bits = 15 - significand_bits;
    static constexpr int bias = (1 << (exponent_bits - 1)) - 1;
    static constexpr int least_exponent = 1 - bias;  ///< of normal numbers
    static constexpr std::uint16_t infinity = ((1 << exponent_bits) - 1) << significand_bits;
    static constexpr std::uint16_t quiet_nan = infinity | 1 << (significand_bits - 1);

    static std::uint16_t from_double(double value) {
        std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
        if (std::isnan(value)) return sign | quiet_nan;
        double magnitude = std::fabs(value);
        if (std::isinf(value)) return sign | infinity;
        if (magnitude == 0) return sign;
        // In units of the last place, where rounding is rounding to an integer; subnormals share the least exponent.
        int exponent = std::max(std::ilogb(magnitude), least_exponent);
        if (exponent > bias) return sign | infinity;
        auto units = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, significand_bits - exponent)));
        // The implicit bit carries into the exponent, as does rounding up to the next power of two (or to infinity).
        std::uint32_t bits = (static_cast<std::uint32_t>(exponent - least_exponent) << significand_bits) + units;
        return sign | static_cast<std::uint16_t>(bits);
    }

    static double to_double(std::uint16_t bits) {
        int exponent = bits >> significand_bits & ((1 << exponent_bits) - 1);
        int fraction = bits & ((1 << significand_bits) - 1);
        double magnitude = 0;
        if (exponent == (1 << exponent_bits) - 1)
            magnitude = fraction ? NAN : INFINITY;
        else if (exponent == 0)
            magnitude = std::ldexp(fraction, least_exponent - significand_bits);
        else
            magnitude = std::ldexp(fraction | 1 << significand_bits, exponent - bias - significand_bits);
        return bits & 0x8000 ? -magnitude : magnitude;
    }
};

using Half = Format<10>;
using BFloat16 = Format<7>;

}  // namespace

std::uint16_t half_from_double(double value) {
    return Half::from_double(value);
}
double double_from_half(std::uint16_t bits) {
    return Half::to_double(bits);
}
std::uint16_t bfloat16_from_double(double value) {
    return BFloat16::from_double(value);
}
double double_from_bfloat16(std::uint16_t bits) {
    return BFloat16::to_double(bits);
}

}  // namespace lanewise
