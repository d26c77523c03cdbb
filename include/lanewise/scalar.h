// Scalar: a number beside arrays: Python's (weak: it takes its type from the arrays) or NumPy's (with a dtype).
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <optional>

#include "lanewise/dtype.h"
#include "lanewise/promotion.h"

namespace lanewise {

class Scalar {
public:
    Scalar(bool value) : kind_(WeakKind::Bool), integer_(value) {}
    Scalar(int value) : kind_(WeakKind::Int), integer_(value) {}
    Scalar(std::int64_t value) : kind_(WeakKind::Int), integer_(value) {}
    Scalar(std::uint64_t value) : kind_(WeakKind::Int), integer_(value) {}
    Scalar(double value) : kind_(WeakKind::Float), real_(value) {}
    Scalar(std::complex<double> value) : kind_(WeakKind::Complex), real_(value.real()), imag_(value.imag()) {}
    /// One element of `dtype`, whose type counts in promotion.
    static Scalar of(DType dtype, const void* element);

    WeakKind kind() const { return kind_; }
    /// The dtype of a NumPy scalar; none for Python numbers.
    std::optional<DType> dtype() const { return dtype_; }
    bool is_integral() const { return kind_ <= WeakKind::Int; }
    __int128 integer() const { return integer_; }
    double real() const { return is_integral() ? static_cast<double>(integer_) : real_; }
    double imag() const { return imag_; }

    /// Whether the integer lies in the range of the integer type `t`.
    bool fits(DType t) const;
    /// The bits of this number as a `t`: one word, two for complex types. Error(Overflow) for a Python integer outside
    /// the range of an integer `t`; Error(Type) when that would drop an imaginary part.
    std::array<std::uint64_t, 2> bits(DType t) const;

private:
    Scalar() = default;
    WeakKind kind_ = WeakKind::Bool;
    std::optional<DType> dtype_;
    __int128 integer_ = 0;
    double real_ = 0, imag_ = 0;
};

}  // namespace lanewise
