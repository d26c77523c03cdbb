// The functions of complex numbers. Branch cuts and signs of zero are the C standard's.
#pragma once

#include <__lanewise/complex.h>

namespace __lanewise {

template <class T>
__LANEWISE_BOTH constexpr T real(const complex<T>& z) {
    return z.real();
}
template <class T>
__LANEWISE_BOTH constexpr T imag(const complex<T>& z) {
    return z.imag();
}
template <class T>
__LANEWISE_BOTH T abs(const complex<T>& z) {
    return ::hypot(z.real(), z.imag());
}
template <class T>
__LANEWISE_BOTH T arg(const complex<T>& z) {
    return ::atan2(z.imag(), z.real());
}
template <class T>
__LANEWISE_BOTH constexpr T norm(const complex<T>& z) {
    return z.real() * z.real() + z.imag() * z.imag();
}
template <class T>
__LANEWISE_BOTH constexpr complex<T> conj(const complex<T>& z) {
    return {z.real(), -z.imag()};
}
template <class T>
__LANEWISE_BOTH complex<T> proj(const complex<T>& z) {
    if (::isinf(z.real()) || ::isinf(z.imag())) return {T(__builtin_inf()), ::copysign(T(0), z.imag())};
    return z;
}
template <class T>
__LANEWISE_BOTH complex<T> polar(const T& magnitude, const T& angle = T()) {
    return {magnitude * ::cos(angle), magnitude * ::sin(angle)};
}
template <class T>
__LANEWISE_BOTH bool isnan(const complex<T>& z) {
    return ::isnan(z.real()) || ::isnan(z.imag());
}
template <class T>
__LANEWISE_BOTH bool isinf(const complex<T>& z) {
    return ::isinf(z.real()) || ::isinf(z.imag());
}
template <class T>
__LANEWISE_BOTH bool isfinite(const complex<T>& z) {
    return ::isfinite(z.real()) && ::isfinite(z.imag());
}

/// z turned by a quarter: i z, and back: -i z.
template <class T>
__LANEWISE_BOTH constexpr complex<T> __times_i(const complex<T>& z) {
    return {-z.imag(), z.real()};
}
template <class T>
__LANEWISE_BOTH constexpr complex<T> __over_i(const complex<T>& z) {
    return {z.imag(), -z.real()};
}

template <class T>
__LANEWISE_BOTH complex<T> exp(const complex<T>& z) {
    const T scale = ::exp(z.real());
    if (z.imag() == 0) return {scale, z.imag()};
    T sine, cosine;
    ::sincos(z.imag(), &sine, &cosine);
    return {scale * cosine, scale * sine};
}
template <class T>
__LANEWISE_BOTH complex<T> log(const complex<T>& z) {
    const T x = ::fabs(z.real()), y = ::fabs(z.imag());
    const T large = x > y ? x : y, small = x > y ? y : x;
    const T magnitude = ::hypot(x, y);
    // Near the unit circle the logarithm of the rounded magnitude would keep few digits.
    const bool is_near = magnitude > T(0.5) && magnitude < T(2);
    const T re = is_near ? T(0.5) * ::log1p((large - 1) * (large + 1) + small * small) : ::log(magnitude);
    return {re, arg(z)};
}
template <class T>
__LANEWISE_BOTH complex<T> log10(const complex<T>& z) {
    return log(z) * T(0.43429448190325182765);
}
template <class T>
__LANEWISE_BOTH complex<T> sqrt(const complex<T>& z) {
    T x = z.real(), y = z.imag(), unit = 1;
    if (x == 0 && y == 0) return {T(0), y};
    if (::isinf(y)) return {::fabs(y), y};
    // Where the magnitude could overflow, or has lost digits below the normal range.
    const T large = sizeof(T) == 4 ? T(1e37) : T(1e307), small = sizeof(T) == 4 ? T(1e-37) : T(1e-307);
    if (::fabs(x) > large || ::fabs(y) > large)
        x *= T(0.0625), y *= T(0.0625), unit = 4;
    else if (::fabs(x) < small && ::fabs(y) < small)
        x *= T(1152921504606846976.0), y *= T(1152921504606846976.0), unit = T(9.31322574615478515625e-10);
    const T root = ::sqrt(T(0.5) * (::hypot(x, y) + ::fabs(x)));
    const T other = ::fabs(y) / (2 * root);
    return z.real() >= 0 ? complex<T>(unit * root, ::copysign(unit * other, z.imag()))
                         : complex<T>(unit * other, ::copysign(unit * root, z.imag()));
}

template <class T, class U>
__LANEWISE_BOTH __complex_sum<T, U> pow(const complex<T>& z, const complex<U>& exponent) {
    typedef complex<__sum_type<T, U>> R;
    if (z == T(0)) return exponent == U(0) ? R(1) : exponent.real() > 0 ? R(0) : R(1) / R(0);
    return exp(log(R(z)) * R(exponent));
}
template <class T, class U>
__LANEWISE_BOTH __with_scalar<T, U> pow(const complex<T>& z, const U& exponent) {
    typedef __sum_type<T, U> R;
    return pow(complex<R>(z), complex<R>(exponent));
}
template <class T, class U>
__LANEWISE_BOTH __with_scalar<T, U> pow(const U& x, const complex<T>& exponent) {
    typedef __sum_type<T, U> R;
    return pow(complex<R>(x), complex<R>(exponent));
}

template <class T>
__LANEWISE_BOTH complex<T> sinh(const complex<T>& z) {
    T sine, cosine;
    ::sincos(z.imag(), &sine, &cosine);
    return {::sinh(z.real()) * cosine, ::cosh(z.real()) * sine};
}
template <class T>
__LANEWISE_BOTH complex<T> cosh(const complex<T>& z) {
    T sine, cosine;
    ::sincos(z.imag(), &sine, &cosine);
    return {::cosh(z.real()) * cosine, ::sinh(z.real()) * sine};
}
template <class T>
__LANEWISE_BOTH complex<T> tanh(const complex<T>& z) {
    const T x = z.real(), y = z.imag();
    if (::fabs(x) > (sizeof(T) == 4 ? T(10) : T(22))) {
        T sine, cosine;
        ::sincos(y, &sine, &cosine);
        return {::copysign(T(1), x), 4 * sine * cosine * ::exp(-2 * ::fabs(x))};
    }
    // Kahan's form, which cancels nowhere.
    const T tangent = ::tan(y), growth = 1 + tangent * tangent, sine = ::sinh(x);
    const T scale = 1 + growth * sine * sine;
    return {growth * ::sqrt(1 + sine * sine) * sine / scale, tangent / scale};
}
template <class T>
__LANEWISE_BOTH complex<T> sin(const complex<T>& z) {
    return __over_i(sinh(__times_i(z)));
}
template <class T>
__LANEWISE_BOTH complex<T> cos(const complex<T>& z) {
    return cosh(__times_i(z));
}
template <class T>
__LANEWISE_BOTH complex<T> tan(const complex<T>& z) {
    return __over_i(tanh(__times_i(z)));
}

// Kahan's formulas, by the square roots of 1 + z and 1 - z.
template <class T>
__LANEWISE_BOTH complex<T> asin(const complex<T>& z) {
    const complex<T> minus = sqrt(complex<T>(1 - z.real(), -z.imag()));
    const complex<T> plus = sqrt(complex<T>(1 + z.real(), z.imag()));
    return {::atan2(z.real(), minus.real() * plus.real() - minus.imag() * plus.imag()),
            ::asinh(minus.real() * plus.imag() - minus.imag() * plus.real())};
}
template <class T>
__LANEWISE_BOTH complex<T> acos(const complex<T>& z) {
    const complex<T> minus = sqrt(complex<T>(1 - z.real(), -z.imag()));
    const complex<T> plus = sqrt(complex<T>(1 + z.real(), z.imag()));
    return {2 * ::atan2(minus.real(), plus.real()), ::asinh(plus.real() * minus.imag() - plus.imag() * minus.real())};
}
template <class T>
__LANEWISE_BOTH complex<T> acosh(const complex<T>& z) {
    const complex<T> minus = sqrt(complex<T>(z.real() - 1, z.imag()));
    const complex<T> plus = sqrt(complex<T>(z.real() + 1, z.imag()));
    return {::asinh(minus.real() * plus.real() + minus.imag() * plus.imag()), 2 * ::atan2(minus.imag(), plus.real())};
}
template <class T>
__LANEWISE_BOTH complex<T> atanh(const complex<T>& z) {
    const T x = z.real(), y = z.imag(), rest = 1 - ::fabs(x);
    const T re = T(0.25) * ::log1p(4 * ::fabs(x) / (rest * rest + y * y));
    return {::copysign(re, x), T(0.5) * ::atan2(2 * y, rest * (1 + ::fabs(x)) - y * y)};
}
template <class T>
__LANEWISE_BOTH complex<T> asinh(const complex<T>& z) {
    return __over_i(asin(__times_i(z)));
}
template <class T>
__LANEWISE_BOTH complex<T> atan(const complex<T>& z) {
    return __over_i(atanh(__times_i(z)));
}

}  // namespace __lanewise
