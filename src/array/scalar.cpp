#include "lanewise/scalar.h"

#include <fmt/format.h>

#include <cstring>

#include "ir/fold.h"
#include "lanewise/error.h"

namespace lanewise {

Scalar Scalar::of(DType dtype, const void* element) {
    Scalar result;
    result.dtype_ = dtype;
    const std::size_t part = static_cast<std::size_t>(size_of(real_of(dtype)));
    std::uint64_t words[2] = {0, 0};
    std::memcpy(&words[0], element, part);
    if (is_complex(dtype)) std::memcpy(&words[1], static_cast<const char*>(element) + part, part);
    if (is_bool(dtype)) {
        result.kind_ = WeakKind::Bool;
        result.integer_ = words[0] != 0;
    } else if (is_integer(dtype)) {
        result.kind_ = WeakKind::Int;
        std::int64_t value = ir::decode_integer(dtype, words[0]);
        result.integer_ = is_signed(dtype) ? static_cast<__int128>(value) : static_cast<std::uint64_t>(value);
    } else {
        result.kind_ = is_complex(dtype) ? WeakKind::Complex : WeakKind::Float;
        result.real_ = ir::decode_float(real_of(dtype), words[0]);
        if (is_complex(dtype)) result.imag_ = ir::decode_float(real_of(dtype), words[1]);
    }
    return result;
}

bool Scalar::fits(DType t) const {
    if (!is_integer(t)) return true;
    const __int128 one = 1;
    const __int128 low = is_signed(t) ? -(one << (lanewise::bits(t) - 1)) : 0;
    const __int128 high = (one << (is_signed(t) ? lanewise::bits(t) - 1 : lanewise::bits(t))) - 1;
    return integer_ >= low && integer_ <= high;
}

std::array<std::uint64_t, 2> Scalar::bits(DType t) const {
    if (is_integral() && is_integer(t)) {
        if (!fits(t) && !dtype_) {
            const bool negative = integer_ < 0;
            const auto magnitude = static_cast<std::uint64_t>(negative ? -integer_ : integer_);
            throw Error(ErrorKind::Overflow, fmt::format("Python integer {}{} out of bounds for {}",
                                                         negative ? "-" : "", magnitude, name(t)));
        }
        return {ir::encode_integer(t, static_cast<std::int64_t>(integer_)), 0};
    }
    if (is_bool(t)) return {std::uint64_t(is_integral() ? integer_ != 0 : real_ != 0 || imag_ != 0), 0};
    if (kind_ == WeakKind::Complex && !is_complex(t))
        throw Error(ErrorKind::Type, fmt::format("a complex number cannot become {}", name(t)));
    if (is_integer(t)) {
        if (auto folded = ir::fold_cast(DType::Float64, ir::encode_float(DType::Float64, real_), t))
            return {*folded, 0};
        throw Error(ErrorKind::Overflow, fmt::format("{} out of bounds for {}", real_, name(t)));
    }
    return {ir::encode_float(real_of(t), real()), is_complex(t) ? ir::encode_float(real_of(t), imag_) : 0};
}

}  // namespace lanewise
