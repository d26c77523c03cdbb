#include "ir/fold.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace lanewise::ir {

namespace {

/// Rounds a double once to a 16-bit format with `mantissa` stored mantissa bits.
std::uint16_t encode_small_float(double value, int mantissa) {
    const int exponent_bits = 15 - mantissa;
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const std::uint16_t infinity = ((1 << exponent_bits) - 1) << mantissa;
    if (std::isnan(value)) return infinity | (1 << (mantissa - 1));
    const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const double magnitude = std::fabs(value);
    if (magnitude == 0) return sign;
    if (std::isinf(magnitude)) return sign | infinity;
    const int exponent = std::max(std::ilogb(magnitude), 1 - bias);
    // nearbyint rounds to nearest even; the quotient has at most mantissa + 1 integer bits, so it is exact but for
    // that.
    const double units = std::nearbyint(std::ldexp(magnitude, mantissa - exponent));
    // A carry out of the mantissa moves to the next exponent by itself, subnormals become normal the same way.
    const std::uint32_t encoded =
        (static_cast<std::uint32_t>(exponent + bias - 1) << mantissa) + static_cast<std::uint32_t>(units);
    return sign | static_cast<std::uint16_t>(std::min<std::uint32_t>(encoded, infinity));
}

double decode_small_float(std::uint16_t bits, int mantissa) {
    const int exponent_bits = 15 - mantissa;
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = (bits >> mantissa) & ((1 << exponent_bits) - 1);
    const int fraction = bits & ((1 << mantissa) - 1);
    double magnitude;
    if (exponent == (1 << exponent_bits) - 1)
        magnitude = fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    else if (exponent == 0)
        magnitude = std::ldexp(fraction, 1 - bias - mantissa);
    else
        magnitude = std::ldexp((1 << mantissa) + fraction, exponent - bias - mantissa);
    return bits & 0x8000 ? -magnitude : magnitude;
}

constexpr int mantissa_of(DType type) {
    return type == DType::BFloat16 ? 7 : 10;
}

std::uint64_t width_mask(DType type) {
    return bits(type) == 64 ? ~0ull : (1ull << bits(type)) - 1;
}

std::optional<std::uint64_t> fold_integer(ScalarOp op, DType type, std::span<const std::uint64_t> operands) {
    const bool sign = is_signed(type);
    const int width = is_bool(type) ? 1 : bits(type);
    const std::uint64_t ua = operands[0], ub = operands.size() > 1 ? operands[1] : 0;
    const std::int64_t a = decode_integer(type, ua), b = operands.size() > 1 ? decode_integer(type, ub) : 0;
    const std::int64_t lowest = sign ? static_cast<std::int64_t>(~0ull << (width - 1)) : 0;
    const bool overflows = sign && a == lowest && b == -1;
    auto wrap = [&](std::uint64_t v) { return is_bool(type) ? v & 1 : v & width_mask(type); };
    auto less = [&](std::uint64_t x, std::uint64_t y) {
        return sign ? decode_integer(type, x) < decode_integer(type, y) : x < y;
    };
    switch (op) {
        case ScalarOp::Add:
            return wrap(ua + ub);
        case ScalarOp::Sub:
            return wrap(ua - ub);
        case ScalarOp::Mul:
            return wrap(ua * ub);
        case ScalarOp::Neg:
            return wrap(-ua);
        case ScalarOp::Abs:
            return wrap(a < 0 && sign ? -ua : ua);
        case ScalarOp::Div:
            if (ub == 0 || overflows) return std::nullopt;
            return wrap(sign ? static_cast<std::uint64_t>(a / b) : ua / ub);
        case ScalarOp::Rem:
            if (ub == 0 || overflows) return std::nullopt;
            return wrap(sign ? static_cast<std::uint64_t>(a % b) : ua % ub);
        case ScalarOp::FloorDiv:
            if (ub == 0) return 0;
            if (overflows) return ua;
            if (!sign) return ua / ub;
            return wrap(static_cast<std::uint64_t>(a / b - (a % b != 0 && (a % b < 0) != (b < 0))));
        case ScalarOp::Mod:
            if (ub == 0 || overflows) return 0;
            if (!sign) return ua % ub;
            return wrap(static_cast<std::uint64_t>(a % b + (a % b != 0 && (a % b < 0) != (b < 0) ? b : 0)));
        case ScalarOp::Min:
        case ScalarOp::Minimum:
            return less(ub, ua) ? ub : ua;
        case ScalarOp::Max:
        case ScalarOp::Maximum:
            return less(ua, ub) ? ub : ua;
        case ScalarOp::MulHigh:
            return wrap(sign ? static_cast<std::uint64_t>((static_cast<__int128>(a) * b) >> width)
                             : static_cast<std::uint64_t>((static_cast<unsigned __int128>(ua) * ub) >> width));
        case ScalarOp::BitAnd:
            return ua & ub;
        case ScalarOp::BitOr:
            return ua | ub;
        case ScalarOp::BitXor:
            return ua ^ ub;
        case ScalarOp::BitNot:
            return wrap(~ua);
        case ScalarOp::Shl:
            return ub >= static_cast<std::uint64_t>(width) ? 0 : wrap(ua << ub);
        case ScalarOp::Shr:
            if (ub >= static_cast<std::uint64_t>(width)) return wrap(sign && a < 0 ? ~0ull : 0);
            return wrap(sign ? static_cast<std::uint64_t>(a >> ub) : ua >> ub);
        case ScalarOp::PopCount:
            return std::popcount(ua);
        case ScalarOp::Clz:
            return std::countl_zero(ua) - (64 - width);
        case ScalarOp::Ctz:
            return std::min(std::countr_zero(ua), width);
        case ScalarOp::BitReverse: {
            std::uint64_t reversed = 0;
            for (int i = 0; i < width; ++i) reversed |= (ua >> i & 1) << (width - 1 - i);
            return reversed;
        }
        case ScalarOp::Eq:
            return ua == ub;
        case ScalarOp::Ne:
            return ua != ub;
        case ScalarOp::Lt:
            return less(ua, ub);
        case ScalarOp::Le:
            return !less(ub, ua);
        case ScalarOp::Gt:
            return less(ub, ua);
        case ScalarOp::Ge:
            return !less(ua, ub);
        default:
            return std::nullopt;
    }
}

/// In precision F (float for float32 and the 16-bit types, whose basic operations survive the second rounding).
template <class F>
std::optional<std::uint64_t> fold_float(ScalarOp op, DType type, std::span<const std::uint64_t> operands) {
    const F a = static_cast<F>(decode_float(type, operands[0]));
    const F b = operands.size() > 1 ? static_cast<F>(decode_float(type, operands[1])) : F(0);
    auto result = [&](F value) { return encode_float(type, value); };
    switch (op) {
        case ScalarOp::Add:
            return result(a + b);
        case ScalarOp::Sub:
            return result(a - b);
        case ScalarOp::Mul:
            return result(a * b);
        case ScalarOp::Div:
            return result(a / b);
        case ScalarOp::Rem:
            return result(std::fmod(a, b));
        case ScalarOp::Neg:
            return operands[0] ^ (1ull << (bits(type) - 1));
        case ScalarOp::Abs:
            return operands[0] & ~(1ull << (bits(type) - 1));
        case ScalarOp::CopySign: {
            const std::uint64_t sign = 1ull << (bits(type) - 1);
            return (operands[0] & ~sign) | (operands[1] & sign);
        }
        case ScalarOp::Fma:
            if (size_of(type) == 2) return std::nullopt;
            return result(std::fma(a, b, static_cast<F>(decode_float(type, operands[2]))));
        case ScalarOp::Min:
        case ScalarOp::Max:
            // The sign of the result for zeros of both signs is the target's choice.
            if (a == 0 && b == 0 && std::signbit(a) != std::signbit(b)) return std::nullopt;
            return result(op == ScalarOp::Min ? std::fmin(a, b) : std::fmax(a, b));
        case ScalarOp::Eq:
            return a == b;
        case ScalarOp::Ne:
            return a != b;
        case ScalarOp::Lt:
            return a < b;
        case ScalarOp::Le:
            return a <= b;
        case ScalarOp::Gt:
            return a > b;
        case ScalarOp::Ge:
            return a >= b;
        case ScalarOp::IsNan:
            return std::isnan(a);
        case ScalarOp::IsInf:
            return std::isinf(a);
        case ScalarOp::IsFinite:
            return std::isfinite(a);
        case ScalarOp::SignBit:
            return operands[0] >> (bits(type) - 1);
        case ScalarOp::Floor:
            return result(std::floor(a));
        case ScalarOp::Ceil:
            return result(std::ceil(a));
        case ScalarOp::Trunc:
            return result(std::trunc(a));
        case ScalarOp::Rint:
            return result(std::nearbyint(a));
        case ScalarOp::Sqrt:
            return result(std::sqrt(a));
        default:
            return std::nullopt;
    }
}

std::uint64_t saturate(double value, DType to) {
    if (std::isnan(value)) return 0;
    const int width = bits(to);
    const double truncated = std::trunc(value);
    if (is_signed(to)) {
        const double limit = std::ldexp(1.0, width - 1);
        if (truncated >= limit) return encode_integer(to, static_cast<std::int64_t>((1ull << (width - 1)) - 1));
        if (truncated < -limit) return encode_integer(to, static_cast<std::int64_t>(~0ull << (width - 1)));
        return encode_integer(to, static_cast<std::int64_t>(truncated));
    }
    if (truncated <= 0) return 0;
    if (truncated >= std::ldexp(1.0, width)) return width_mask(to);
    return static_cast<std::uint64_t>(truncated);
}

}  // namespace

std::uint64_t encode_integer(DType type, std::int64_t value) {
    return is_bool(type) ? value != 0 : static_cast<std::uint64_t>(value) & width_mask(type);
}

std::int64_t decode_integer(DType type, std::uint64_t encoded) {
    if (!is_signed(type)) return static_cast<std::int64_t>(encoded);
    const int unused = 64 - bits(type);
    return static_cast<std::int64_t>(encoded << unused) >> unused;
}

std::uint64_t encode_float(DType type, double value) {
    if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
    if (type == DType::Float64) return std::bit_cast<std::uint64_t>(value);
    if (type == DType::Float32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    return encode_small_float(value, mantissa_of(type));
}

double decode_float(DType type, std::uint64_t encoded) {
    if (type == DType::Float64) return std::bit_cast<double>(encoded);
    if (type == DType::Float32) return std::bit_cast<float>(static_cast<std::uint32_t>(encoded));
    return decode_small_float(static_cast<std::uint16_t>(encoded), mantissa_of(type));
}

std::optional<std::uint64_t> fold_scalar(ScalarOp op, DType type, std::span<const std::uint64_t> operands) {
    if (op == ScalarOp::Select) return operands[0] ? operands[1] : operands[2];
    if (!is_float(type)) return fold_integer(op, type, operands);
    return type == DType::Float64 ? fold_float<double>(op, type, operands) : fold_float<float>(op, type, operands);
}

std::optional<std::uint64_t> fold_cast(DType from, std::uint64_t encoded, DType to) {
    if (is_float(from)) {
        const double value = decode_float(from, encoded);
        if (is_float(to)) return encode_float(to, value);
        if (is_bool(to)) return value != 0;
        // Eight-bit results go through sixteen bits, as the device converts; its float16 conversions saturate directly.
        if (size_of(to) == 1 && from != DType::Float16)
            return saturate(value, is_signed(to) ? DType::Int16 : DType::UInt16) & 0xff;
        return saturate(value, to);
    }
    const std::int64_t value = decode_integer(from, encoded);
    if (!is_float(to)) return encode_integer(to, value);
    if (to == DType::Float64)
        return encode_float(to, is_signed(from) ? static_cast<double>(value) : static_cast<double>(encoded));
    if (to == DType::Float32)
        return encode_float(to, is_signed(from) ? static_cast<float>(value) : static_cast<float>(encoded));
    // Through float32 on every target: exact, or beyond the range of float16 anyway.
    if (to == DType::BFloat16 && (value < -(1 << 24) || value > (1 << 24))) return std::nullopt;
    return encode_float(to, is_signed(from) ? static_cast<float>(value) : static_cast<float>(encoded));
}

}  // namespace lanewise::ir
