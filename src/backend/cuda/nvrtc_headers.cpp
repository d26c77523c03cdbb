#include "backend/cuda/nvrtc_headers.h"

#include <sys/stat.h>

#include <algorithm>

namespace lanewise::cuda {

namespace {

// A text may be included inside extern "C" { }: what needs C++ linkage says so.

// What has no part in device code: its names are unknown, as NVRTC then says where they are used.
constexpr std::string_view host_only = "#pragma once\n";

constexpr std::string_view stdint_text = R"(#pragma once
#if __has_include(<cuda/std/cstdint>)
extern "C++" {
#include <cuda/std/cstdint>
}
#else
typedef signed char int8_t;
typedef signed short int16_t;
typedef signed int int32_t;
typedef signed long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef int8_t int_fast8_t, int_least8_t;
typedef int16_t int_fast16_t, int_least16_t;
typedef int32_t int_fast32_t, int_least32_t;
typedef int64_t int_fast64_t, int_least64_t, intptr_t, intmax_t;
typedef uint8_t uint_fast8_t, uint_least8_t;
typedef uint16_t uint_fast16_t, uint_least16_t;
typedef uint32_t uint_fast32_t, uint_least32_t;
typedef uint64_t uint_fast64_t, uint_least64_t, uintptr_t, uintmax_t;
#endif
#ifndef INT8_MAX
#define INT8_MIN (-128)
#define INT16_MIN (-32767 - 1)
#define INT32_MIN (-2147483647 - 1)
#define INT64_MIN (-9223372036854775807LL - 1)
#define INT8_MAX 127
#define INT16_MAX 32767
#define INT32_MAX 2147483647
#define INT64_MAX 9223372036854775807LL
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615ULL
#endif
#ifndef SIZE_MAX
#define SIZE_MAX 18446744073709551615UL
#define PTRDIFF_MAX 9223372036854775807L
#define PTRDIFF_MIN (-9223372036854775807L - 1)
#endif
namespace std {
using ::int8_t;
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::uint8_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::intptr_t;
using ::uintptr_t;
using ::intmax_t;
using ::uintmax_t;
}
)";

constexpr std::string_view stddef_text = R"(#pragma once
#ifndef NULL
#define NULL 0
#endif
#ifndef offsetof
#define offsetof(type, member) ((size_t) & (((type*)0)->member))
#endif
namespace std {
using ::size_t;
using ::ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
}
)";

constexpr std::string_view limits_text = R"(#pragma once
#ifndef INT_MAX
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-32767 - 1)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295U
#define LONG_MIN (-9223372036854775807L - 1)
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MIN (-9223372036854775807LL - 1)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
#endif
)";

constexpr std::string_view float_text = R"(#pragma once
#ifndef FLT_MAX
#define FLT_RADIX 2
#define FLT_MANT_DIG 24
#define FLT_DIG 6
#define FLT_MIN_EXP (-125)
#define FLT_MAX_EXP 128
#define FLT_MIN_10_EXP (-37)
#define FLT_MAX_10_EXP 38
#define FLT_MAX 3.402823466e+38F
#define FLT_MIN 1.175494351e-38F
#define FLT_EPSILON 1.192092896e-07F
#define DBL_MANT_DIG 53
#define DBL_DIG 15
#define DBL_MIN_EXP (-1021)
#define DBL_MAX_EXP 1024
#define DBL_MIN_10_EXP (-307)
#define DBL_MAX_10_EXP 308
#define DBL_MAX 1.7976931348623157e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#endif
)";

constexpr std::string_view math_text = R"(#pragma once
#ifndef INFINITY
#define INFINITY __builtin_bit_cast(float, 0x7f800000)
#endif
#ifndef NAN
#define NAN __builtin_bit_cast(float, 0x7fc00000)
#endif
#ifndef HUGE_VAL
#define HUGE_VAL __builtin_bit_cast(double, 0x7ff0000000000000LL)
#define HUGE_VALF INFINITY
#endif
#ifndef M_PI
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif
namespace std {
using ::abs;
using ::fabs;
using ::fmod;
using ::remainder;
using ::fma;
using ::fmax;
using ::fmin;
using ::fdim;
using ::exp;
using ::exp2;
using ::expm1;
using ::log;
using ::log10;
using ::log1p;
using ::log2;
using ::pow;
using ::sqrt;
using ::cbrt;
using ::hypot;
using ::sin;
using ::cos;
using ::tan;
using ::asin;
using ::acos;
using ::atan;
using ::atan2;
using ::sinh;
using ::cosh;
using ::tanh;
using ::asinh;
using ::acosh;
using ::atanh;
using ::erf;
using ::erfc;
using ::tgamma;
using ::lgamma;
using ::ceil;
using ::floor;
using ::trunc;
using ::round;
using ::lround;
using ::llround;
using ::rint;
using ::lrint;
using ::llrint;
using ::nearbyint;
using ::frexp;
using ::ldexp;
using ::modf;
using ::scalbn;
using ::logb;
using ::ilogb;
using ::nextafter;
using ::copysign;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::signbit;
}
)";

constexpr std::string_view stdlib_text = R"(#pragma once
#include <stddef.h>
namespace std {
using ::malloc;
using ::free;
using ::abs;
using ::labs;
using ::llabs;
}
)";

constexpr std::string_view string_text = R"(#pragma once
#include <stddef.h>
namespace std {
using ::memcpy;
using ::memset;
}
)";

constexpr std::string_view stdio_text = R"(#pragma once
#include <stddef.h>
namespace std {
using ::printf;
}
)";

constexpr std::string_view time_text = R"(#pragma once
namespace std {
using ::clock;
using ::clock_t;
}
)";

constexpr std::string_view types_text = R"(#pragma once
#include <stdint.h>
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef long ssize_t;
)";

constexpr std::string_view algorithm_text = R"(#pragma once
extern "C++" {
namespace std {
template <class T>
__host__ __device__ constexpr const T& min(const T& a, const T& b) {
    return b < a ? b : a;
}
template <class T>
__host__ __device__ constexpr const T& max(const T& a, const T& b) {
    return a < b ? b : a;
}
template <class T>
__host__ __device__ constexpr const T& clamp(const T& v, const T& low, const T& high) {
    return v < low ? low : high < v ? high : v;
}
template <class T>
__host__ __device__ void swap(T& a, T& b) {
    T kept = static_cast<T&&>(a);
    a = static_cast<T&&>(b);
    b = static_cast<T&&>(kept);
}
}
}
)";

// In front of the headers with complex numbers, which are written for our own clang.
constexpr std::string_view complex_needs = R"(#pragma once
#define __LANEWISE_BOTH __host__ __device__ __forceinline__
#define __builtin_inf() __builtin_bit_cast(double, 0x7ff0000000000000LL)
template <class T>
struct __lanewise_is_number {
    static constexpr bool value = false;
};
#define __LANEWISE_NUMBER(type)             \
    template <>                             \
    struct __lanewise_is_number<type> {     \
        static constexpr bool value = true; \
    };
__LANEWISE_NUMBER(bool)
__LANEWISE_NUMBER(char)
__LANEWISE_NUMBER(signed char)
__LANEWISE_NUMBER(unsigned char)
__LANEWISE_NUMBER(short)
__LANEWISE_NUMBER(unsigned short)
__LANEWISE_NUMBER(int)
__LANEWISE_NUMBER(unsigned)
__LANEWISE_NUMBER(long)
__LANEWISE_NUMBER(unsigned long)
__LANEWISE_NUMBER(long long)
__LANEWISE_NUMBER(unsigned long long)
__LANEWISE_NUMBER(float)
__LANEWISE_NUMBER(double)
#undef __LANEWISE_NUMBER
template <bool condition, class T>
struct __lanewise_if {};
template <class T>
struct __lanewise_if<true, T> {
    using type = T;
};
)";

// What nvcc includes in front of every program.
constexpr std::string_view prelude_text = R"(#pragma once
#include <sys/types.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <algorithm>
)";

#define LANEWISE_CCCL(name)                                                                                          \
    "#pragma once\n#if __has_include(<cuda/std/" name ">)\nextern \"C++\" {\n#include <cuda/std/" name               \
    ">\n"                                                                                                            \
    "namespace std {\nusing namespace cuda::std;\n}\n}\n#else\n#error \"<" name "> in device code is cuda/std/" name \
    " of CUDA's C++ libraries (CCCL), which were not found: set CUDA_HOME or install the wheel "                     \
    "nvidia-cuda-cccl\"\n#endif\n"
#define LANEWISE_CCCL_ROW(name) {name, LANEWISE_CCCL(name)}

constexpr NvrtcHeader rows[] = {
    {"assert.h cassert", host_only},  // assert is built in
    {"stdint.h cstdint inttypes.h cinttypes", stdint_text},
    {"stddef.h cstddef", stddef_text},
    {"limits.h climits", limits_text},
    {"float.h cfloat", float_text},
    {"math.h cmath", math_text},
    {"stdlib.h cstdlib", stdlib_text},
    {"string.h cstring memory.h", string_text},
    {"stdio.h cstdio", stdio_text},
    {"time.h ctime", time_text},
    {"sys/types.h", types_text},
    {"algorithm", algorithm_text},
    {"stdbool.h stdarg.h cstdarg errno.h cerrno signal.h unistd.h sys/time.h", host_only},
    {"iostream ostream istream fstream sstream iomanip string vector map set memory thread mutex chrono random "
     "stdexcept exception typeinfo new initializer_list",
     host_only},
    {"lanewise/nvcc_prelude.h", prelude_text},
    LANEWISE_CCCL_ROW("type_traits"),
    LANEWISE_CCCL_ROW("limits"),
    LANEWISE_CCCL_ROW("utility"),
    LANEWISE_CCCL_ROW("tuple"),
    LANEWISE_CCCL_ROW("array"),
    LANEWISE_CCCL_ROW("functional"),
    LANEWISE_CCCL_ROW("iterator"),
    LANEWISE_CCCL_ROW("numeric"),
    LANEWISE_CCCL_ROW("atomic"),
    LANEWISE_CCCL_ROW("optional"),
    LANEWISE_CCCL_ROW("variant"),
    LANEWISE_CCCL_ROW("span"),
    LANEWISE_CCCL_ROW("bit"),
    LANEWISE_CCCL_ROW("concepts"),
    // Built into NVRTC, in the main.
    {"cuda.h cuda_runtime.h cuda_runtime_api.h device_launch_parameters.h device_functions.h math_functions.h "
     "vector_types.h vector_functions.h driver_types.h builtin_types.h device_types.h host_defines.h "
     "device_atomic_functions.h sm_20_atomic_functions.h sm_30_intrinsics.h",
     host_only, true},
};

bool exists(const std::string& folder, const std::string& name) {
    struct stat status{};
    return ::stat((folder + "/" + name).c_str(), &status) == 0;
}

}  // namespace

std::span<const NvrtcHeader> nvrtc_headers() {
    return rows;
}

std::vector<std::pair<std::string, std::string>> headers_for(const std::vector<std::string>& user_folders,
                                                             const std::vector<std::string>& cuda_folders) {
    auto in = [](const std::vector<std::string>& folders, const std::string& name) {
        return std::any_of(folders.begin(), folders.end(), [&](const std::string& f) { return exists(f, name); });
    };
    std::vector<std::pair<std::string, std::string>> given;
    for (const NvrtcHeader& row : rows)
        for (std::string_view rest = row.names; !rest.empty();) {
            std::size_t end = std::min(rest.find(' '), rest.size());
            std::string name(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
            if (in(user_folders, name) || (row.cuda && in(cuda_folders, name))) continue;
            given.emplace_back(std::move(name), row.text);
        }
    for (const cuda_cpp::EmbeddedHeader& header : cuda_cpp::complex_headers()) {
        std::string name(header.path), text(header.text);
        if (name == "__lanewise/complex.h") text.insert(0, complex_needs);
        if (!in(user_folders, name)) given.emplace_back(std::move(name), std::move(text));
    }
    return given;
}

}  // namespace lanewise::cuda
