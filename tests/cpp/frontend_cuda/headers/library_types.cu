// The standard library's traits, limits, tuples and functions are what nvcc's are.
#include <algorithm>
#include <array>
#include <cfloat>
#include <climits>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <tuple>
#include <type_traits>
#include <utility>

#include "same.h"

struct Empty {};
struct Base {
    virtual void f();
};
struct Derived : Base {
    explicit Derived(int);
};
enum Plain { one };
enum class Scoped : unsigned char { two };

#define HOLDS(...) static_assert((__VA_ARGS__), #__VA_ARGS__)

HOLDS(std::is_same<std::remove_cv<const volatile int>::type, int>::value);
HOLDS(std::is_same<std::remove_reference<int&&>::type, int>::value);
HOLDS(std::is_same<std::decay<const int[3]>::type, const int*>::value);
HOLDS(std::is_same<std::conditional<true, int, float>::type, int>::value);
HOLDS(std::is_same<std::common_type<int, float, double>::type, double>::value);
HOLDS(std::is_same<std::common_type<char, short>::type, int>::value);
HOLDS(std::is_same<std::make_unsigned<long>::type, unsigned long>::value);
HOLDS(std::is_same<std::underlying_type<Scoped>::type, unsigned char>::value);
HOLDS(std::is_same<std::enable_if<true, int>::type, int>::value);
HOLDS(std::is_same<std::add_lvalue_reference<int>::type, int&>::value);
HOLDS(std::is_integral<unsigned char>::value && !std::is_integral<float>::value);
HOLDS(std::is_floating_point<const double>::value && !std::is_floating_point<int>::value);
HOLDS(std::is_arithmetic<bool>::value && !std::is_arithmetic<int*>::value);
HOLDS(std::is_signed<float>::value&& std::is_unsigned<bool>::value && !std::is_signed<unsigned>::value);
HOLDS(std::is_pointer<int*>::value&& std::is_array<int[2]>::value&& std::is_reference<int&>::value);
HOLDS(std::is_enum<Plain>::value&& std::is_class<Empty>::value&& std::is_empty<Empty>::value);
HOLDS(std::is_polymorphic<Base>::value&& std::is_base_of<Base, Derived>::value);
HOLDS(std::is_convertible<int, double>::value && !std::is_convertible<int, Derived>::value);
HOLDS(std::is_constructible<Derived, int>::value && !std::is_default_constructible<Derived>::value);
HOLDS(std::is_trivially_copyable<float4>::value && !std::is_trivially_copyable<Base>::value);
HOLDS(std::is_void<void>::value&& std::is_const<const int>::value&& std::is_function<void()>::value);
HOLDS(std::extent<int[2][3], 1>::value == 3 && std::rank<int[2][3]>::value == 2 &&
      std::alignment_of<float4>::value == 16);
HOLDS(std::integral_constant<int, 3>::value == 3 && std::true_type::value && !std::false_type());

#define LIMITS(T, MIN, MAX)                                                               \
    HOLDS(std::numeric_limits<T>::min() == MIN && std::numeric_limits<T>::max() == MAX);  \
    HOLDS(std::numeric_limits<T>::lowest() == MIN && std::numeric_limits<T>::is_integer); \
    HOLDS(std::numeric_limits<T>::is_signed == (MIN < 0) && std::numeric_limits<T>::is_specialized);
LIMITS(bool, false, true)
LIMITS(char, CHAR_MIN, CHAR_MAX)
LIMITS(signed char, SCHAR_MIN, SCHAR_MAX)
LIMITS(unsigned char, 0, UCHAR_MAX)
LIMITS(short, SHRT_MIN, SHRT_MAX)
LIMITS(unsigned short, 0, USHRT_MAX)
LIMITS(int, INT_MIN, INT_MAX)
LIMITS(unsigned, 0, UINT_MAX)
LIMITS(long, LONG_MIN, LONG_MAX)
LIMITS(unsigned long, 0, ULONG_MAX)
LIMITS(long long, LLONG_MIN, LLONG_MAX)
LIMITS(unsigned long long, 0, ULLONG_MAX)
HOLDS(std::numeric_limits<int>::digits == 31 && std::numeric_limits<unsigned char>::digits == 8);
HOLDS(std::numeric_limits<int>::digits10 == 9 && std::numeric_limits<unsigned long long>::digits10 == 19);
HOLDS(std::numeric_limits<bool>::digits == 1 && std::numeric_limits<bool>::digits10 == 0);
HOLDS(std::numeric_limits<float>::max() == FLT_MAX && std::numeric_limits<float>::min() == FLT_MIN);
HOLDS(std::numeric_limits<float>::epsilon() == FLT_EPSILON && std::numeric_limits<float>::lowest() == -FLT_MAX);
HOLDS(std::numeric_limits<double>::max() == DBL_MAX && std::numeric_limits<double>::epsilon() == DBL_EPSILON);
HOLDS(std::numeric_limits<float>::digits == 24 && std::numeric_limits<double>::max_digits10 == 17);
HOLDS(std::numeric_limits<double>::infinity() > DBL_MAX && std::numeric_limits<double>::has_quiet_NaN);
HOLDS(std::numeric_limits<float>::quiet_NaN() != std::numeric_limits<float>::quiet_NaN());
HOLDS(std::numeric_limits<double>::min_exponent == -1021 && std::numeric_limits<float>::max_exponent10 == 38);
HOLDS(std::numeric_limits<const int>::max() == INT_MAX && !std::numeric_limits<Empty>::is_specialized);

HOLDS(sizeof(int8_t) == 1 && sizeof(std::uint16_t) == 2 && sizeof(int_least32_t) == 4 && sizeof(uintptr_t) == 8);
HOLDS(INT64_MAX == LONG_MAX && UINT32_MAX == UINT_MAX && INT8_MIN == -128);

HOLDS(std::min(3, 2) == 2 && std::max(3, 2) == 3);
HOLDS(std::tuple_size<std::tuple<int, float>>::value == 2);
SAME(std::get<1>(of<std::tuple<int, float>&>()), float&);
SAME(std::make_tuple(1, 2.0), std::tuple<int, double>);
SAME(std::tie(of<int&>(), of<float&>()), std::tuple<int&, float&>);
SAME(std::make_pair(1, 2.0f), std::pair<int, float>);
SAME(std::get<0>(of<std::array<int, 3>&>()), int&);
HOLDS(std::tuple_size<std::array<int, 3>>::value == 3 && sizeof(std::array<int, 3>) == 12);
SAME(std::move(of<int&>()), int&&);
SAME(std::forward<int&>(of<int&>()), int&);
SAME(std::plus<int>()(1, 2), int);
SAME(std::less<float>()(1, 2), bool);
SAME(std::abs(1.0f), float);
SAME(std::sqrt(2), double);
SAME(std::pow(2.0f, 3.0f), float);
SAME(std::floor(of<float>()), float);
SAME(std::isnan(1.0f), bool);
SAME(std::abs(of<std::complex<float>>()), float);
SAME(of<std::complex<double>>() * 2.0, std::complex<double>);
SAME(std::exp(of<std::complex<float>>()), std::complex<float>);
HOLDS(sizeof(std::complex<float>) == 8 && std::complex<float>(1, 2).imag() == 2);
SAME((std::index_sequence_for<int, float>()), std::index_sequence<0, 1>);
SAME(of<std::initializer_list<int>>().begin(), const int*);
