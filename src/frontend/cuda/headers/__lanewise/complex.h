// The class of complex numbers that std::, thrust::, cuda::std:: and pycuda:: share, and its operators.
#pragma once

namespace __lanewise {

template <class T, class U>
using __sum_type = decltype(T() + U());

template <class T>
struct __attribute__((aligned(2 * sizeof(T)))) complex {
    typedef T value_type;

    __LANEWISE_BOTH constexpr complex(const T& re = T(), const T& im = T()) : __re(re), __im(im) {}
    template <class U>
    __LANEWISE_BOTH constexpr complex(const complex<U>& z)
        : __re(static_cast<T>(z.real())), __im(static_cast<T>(z.imag())) {}

    __LANEWISE_BOTH constexpr T real() const { return __re; }
    __LANEWISE_BOTH constexpr T imag() const { return __im; }
    __LANEWISE_BOTH constexpr T real() const volatile { return __re; }
    __LANEWISE_BOTH constexpr T imag() const volatile { return __im; }
    __LANEWISE_BOTH void real(T re) { __re = re; }
    __LANEWISE_BOTH void imag(T im) { __im = im; }

    __LANEWISE_BOTH complex& operator=(const T& re) { return *this = complex(re); }
    __LANEWISE_BOTH complex& operator+=(const T& re) {
        __re += re;
        return *this;
    }
    __LANEWISE_BOTH complex& operator-=(const T& re) {
        __re -= re;
        return *this;
    }
    __LANEWISE_BOTH complex& operator*=(const T& x) {
        __re *= x, __im *= x;
        return *this;
    }
    __LANEWISE_BOTH complex& operator/=(const T& x) {
        __re /= x, __im /= x;
        return *this;
    }
    template <class U>
    __LANEWISE_BOTH complex& operator=(const complex<U>& z) {
        return *this = complex(z);
    }
    template <class U>
    __LANEWISE_BOTH complex& operator+=(const complex<U>& z) {
        return *this = *this + z;
    }
    template <class U>
    __LANEWISE_BOTH complex& operator-=(const complex<U>& z) {
        return *this = *this - z;
    }
    template <class U>
    __LANEWISE_BOTH complex& operator*=(const complex<U>& z) {
        return *this = *this * z;
    }
    template <class U>
    __LANEWISE_BOTH complex& operator/=(const complex<U>& z) {
        return *this = *this / z;
    }

private:
    T __re, __im;
};

template <class T, class U>
using __complex_sum = complex<__sum_type<T, U>>;
/// The result with a scalar of type U.
template <class T, class U>
using __with_scalar = typename __lanewise_if<__lanewise_is_number<U>::value, complex<__sum_type<T, U>>>::type;
template <class T, class U>
using __compared_with_scalar = typename __lanewise_if<__lanewise_is_number<U>::value, bool>::type;

template <class T, class U>
__LANEWISE_BOTH constexpr __complex_sum<T, U> operator+(const complex<T>& z, const complex<U>& w) {
    return {z.real() + w.real(), z.imag() + w.imag()};
}
template <class T, class U>
__LANEWISE_BOTH constexpr __complex_sum<T, U> operator-(const complex<T>& z, const complex<U>& w) {
    return {z.real() - w.real(), z.imag() - w.imag()};
}
template <class T, class U>
__LANEWISE_BOTH constexpr __complex_sum<T, U> operator*(const complex<T>& z, const complex<U>& w) {
    return {z.real() * w.real() - z.imag() * w.imag(), z.real() * w.imag() + z.imag() * w.real()};
}
/// By the quotient of the divisor's parts (Smith), so that no square over- or underflows.
template <class T, class U>
__LANEWISE_BOTH __complex_sum<T, U> operator/(const complex<T>& z, const complex<U>& w) {
    typedef __sum_type<T, U> R;
    const R a = z.real(), b = z.imag(), c = w.real(), d = w.imag();
    if ((c < 0 ? -c : c) >= (d < 0 ? -d : d)) {
        if (c == 0 && d == 0) return {a / c, b / c};
        const R ratio = d / c, scale = c + d * ratio;
        return {(a + b * ratio) / scale, (b - a * ratio) / scale};
    }
    const R ratio = c / d, scale = c * ratio + d;
    return {(a * ratio + b) / scale, (b * ratio - a) / scale};
}

#define __LANEWISE_COMPLEX_SCALAR(OPERATOR, OF_SCALAR_LEFT, OF_SCALAR_RIGHT)                            \
    template <class T, class U>                                                                         \
    __LANEWISE_BOTH constexpr __with_scalar<T, U> operator OPERATOR(const complex<T>& z, const U & x) { \
        typedef __sum_type<T, U> R;                                                                     \
        return OF_SCALAR_RIGHT;                                                                         \
    }                                                                                                   \
    template <class T, class U>                                                                         \
    __LANEWISE_BOTH constexpr __with_scalar<T, U> operator OPERATOR(const U & x, const complex<T>& z) { \
        typedef __sum_type<T, U> R;                                                                     \
        return OF_SCALAR_LEFT;                                                                          \
    }
__LANEWISE_COMPLEX_SCALAR(+, complex<R>(x + z.real(), z.imag()), complex<R>(z.real() + x, z.imag()))
__LANEWISE_COMPLEX_SCALAR(-, complex<R>(x - z.real(), -z.imag()), complex<R>(z.real() - x, z.imag()))
__LANEWISE_COMPLEX_SCALAR(*, complex<R>(x* z.real(), x* z.imag()), complex<R>(z.real() * x, z.imag() * x))
#undef __LANEWISE_COMPLEX_SCALAR
template <class T, class U>
__LANEWISE_BOTH constexpr __with_scalar<T, U> operator/(const complex<T>& z, const U& x) {
    return complex<__sum_type<T, U>>(z.real() / x, z.imag() / x);
}
template <class T, class U>
__LANEWISE_BOTH __with_scalar<T, U> operator/(const U& x, const complex<T>& z) {
    return complex<__sum_type<T, U>>(x) / z;
}

template <class T>
__LANEWISE_BOTH constexpr complex<T> operator+(const complex<T>& z) {
    return z;
}
template <class T>
__LANEWISE_BOTH constexpr complex<T> operator-(const complex<T>& z) {
    return {-z.real(), -z.imag()};
}

template <class T, class U>
__LANEWISE_BOTH constexpr bool operator==(const complex<T>& z, const complex<U>& w) {
    return z.real() == w.real() && z.imag() == w.imag();
}
template <class T, class U>
__LANEWISE_BOTH constexpr bool operator!=(const complex<T>& z, const complex<U>& w) {
    return !(z == w);
}
template <class T, class U>
__LANEWISE_BOTH constexpr __compared_with_scalar<T, U> operator==(const complex<T>& z, const U& x) {
    return z.real() == x && z.imag() == 0;
}
template <class T, class U>
__LANEWISE_BOTH constexpr __compared_with_scalar<T, U> operator!=(const complex<T>& z, const U& x) {
    return !(z == x);
}
template <class T, class U>
__LANEWISE_BOTH constexpr __compared_with_scalar<T, U> operator==(const U& x, const complex<T>& z) {
    return z == x;
}
template <class T, class U>
__LANEWISE_BOTH constexpr __compared_with_scalar<T, U> operator!=(const U& x, const complex<T>& z) {
    return z != x;
}

}  // namespace __lanewise
