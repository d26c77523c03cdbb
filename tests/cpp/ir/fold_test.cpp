// Constant folding against C++'s arithmetic and, for // and %, Python's.
#include "ir/fold.h"

#include <cmath>
#include <limits>

#include "build.h"

namespace lanewise::test {
namespace {

constexpr std::int64_t int64_min = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t interesting[] = {0,          1,
                                        2,          3,
                                        7,          31,
                                        32,         33,
                                        63,         64,
                                        127,        128,
                                        255,        -1,
                                        -2,         -7,
                                        -128,       1 << 15,
                                        0x7fffffff, -0x80000000ll,
                                        int64_min,  std::numeric_limits<std::int64_t>::max()};

std::int64_t folded(ScalarOp op, DType type, std::int64_t a, std::int64_t b) {
    Kernel k;
    Value* value = k.b.scalar(op, k.b.constant(type, a), k.b.constant(type, b));
    EXPECT_EQ(value->op, Op::Constant) << info(op).name << " " << name(type) << " " << a << " " << b;
    return constant_integer(value).value_or(-12345);
}

/// Wraps as the C++ type T does.
template <class T>
std::int64_t wrapped(std::uint64_t value) {
    return static_cast<std::int64_t>(static_cast<T>(value));
}

template <class T>
void check_integer_arithmetic(DType type) {
    for (std::int64_t wide_a : interesting)
        for (std::int64_t wide_b : interesting) {
            const T a = static_cast<T>(wide_a), b = static_cast<T>(wide_b);
            SCOPED_TRACE(std::string(name(type)) + " " + std::to_string(a) + " " + std::to_string(b));
            const std::uint64_t ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
            EXPECT_EQ(folded(ScalarOp::Add, type, a, b), wrapped<T>(ua + ub));
            EXPECT_EQ(folded(ScalarOp::Sub, type, a, b), wrapped<T>(ua - ub));
            EXPECT_EQ(folded(ScalarOp::Mul, type, a, b), wrapped<T>(ua * ub));
            EXPECT_EQ(folded(ScalarOp::BitXor, type, a, b), wrapped<T>(ua ^ ub));
            EXPECT_EQ(folded(ScalarOp::Min, type, a, b), wrapped<T>(std::min(a, b)));
            EXPECT_EQ(folded(ScalarOp::Max, type, a, b), wrapped<T>(std::max(a, b)));
            EXPECT_EQ(folded(ScalarOp::Lt, type, a, b), a < b);
            EXPECT_EQ(folded(ScalarOp::Ge, type, a, b), a >= b);
            EXPECT_EQ(folded(ScalarOp::Eq, type, a, b), a == b);
            // Counts outside [0, width) give 0, or the sign.
            const bool in_range = b >= 0 && static_cast<std::uint64_t>(b) < sizeof(T) * 8;
            EXPECT_EQ(folded(ScalarOp::Shl, type, a, b), in_range ? wrapped<T>(ua << b) : 0);
            EXPECT_EQ(folded(ScalarOp::Shr, type, a, b), in_range ? wrapped<T>(a >> b) : a < 0 ? -1 : 0);
        }
}

TEST(Fold, IntegersWrap) {
    check_integer_arithmetic<std::int8_t>(DType::Int8);
    check_integer_arithmetic<std::int16_t>(DType::Int16);
    check_integer_arithmetic<std::int32_t>(DType::Int32);
    check_integer_arithmetic<std::int64_t>(DType::Int64);
    check_integer_arithmetic<std::uint8_t>(DType::UInt8);
    check_integer_arithmetic<std::uint32_t>(DType::UInt32);
}

TEST(Fold, IntegerFloorDivisionIsPythons) {
    EXPECT_EQ(folded(ScalarOp::FloorDiv, DType::Int32, 7, 2), 3);
    EXPECT_EQ(folded(ScalarOp::FloorDiv, DType::Int32, -7, 2), -4);
    EXPECT_EQ(folded(ScalarOp::FloorDiv, DType::Int32, 7, -2), -4);
    EXPECT_EQ(folded(ScalarOp::FloorDiv, DType::Int32, -7, -2), 3);
    EXPECT_EQ(folded(ScalarOp::Mod, DType::Int32, -7, 3), 2);
    EXPECT_EQ(folded(ScalarOp::Mod, DType::Int32, 7, -3), -2);
    EXPECT_EQ(folded(ScalarOp::Mod, DType::Int32, -6, 3), 0);
    EXPECT_EQ(folded(ScalarOp::FloorDiv, DType::Int64, 5, 0), 0);
    EXPECT_EQ(folded(ScalarOp::Mod, DType::Int64, 5, 0), 0);
    EXPECT_EQ(folded(ScalarOp::FloorDiv, DType::Int64, int64_min, -1), int64_min);
    EXPECT_EQ(folded(ScalarOp::Mod, DType::Int64, int64_min, -1), 0);
    EXPECT_EQ(folded(ScalarOp::FloorDiv, DType::Int8, -128, -1), -128);
    EXPECT_EQ(folded(ScalarOp::FloorDiv, DType::UInt8, 250, 7), 35);
}

TEST(Fold, UndefinedDivisionIsLeftAlone) {
    Kernel k;
    EXPECT_EQ(k.b.scalar(ScalarOp::Div, k.b.i32(1), k.b.i32(0))->op, Op::Scalar);
    EXPECT_EQ(k.b.scalar(ScalarOp::Rem, k.b.i64(int64_min), k.b.i64(-1))->op, Op::Scalar);
}

TEST(Fold, BitCounts) {
    Kernel k;
    auto unary = [&](ScalarOp op, DType type, std::int64_t a) {
        return *constant_integer(k.b.scalar(op, k.b.constant(type, a)));
    };
    EXPECT_EQ(unary(ScalarOp::PopCount, DType::Int8, -1), 8);
    EXPECT_EQ(unary(ScalarOp::Clz, DType::UInt16, 1), 15);
    EXPECT_EQ(unary(ScalarOp::Clz, DType::Int32, 0), 32);
    EXPECT_EQ(unary(ScalarOp::Ctz, DType::Int32, 0), 32);
    EXPECT_EQ(unary(ScalarOp::Ctz, DType::Int64, int64_min), 63);
    EXPECT_EQ(unary(ScalarOp::BitReverse, DType::UInt8, 1), 128);
    EXPECT_EQ(unary(ScalarOp::Abs, DType::Int8, -128), -128);
    EXPECT_EQ(unary(ScalarOp::Neg, DType::UInt32, 1), 0xffffffff);
    EXPECT_EQ(unary(ScalarOp::BitNot, DType::Bool, 1), 0);
    EXPECT_EQ(folded(ScalarOp::MulHigh, DType::UInt64, -1, -1), -2);
    EXPECT_EQ(folded(ScalarOp::MulHigh, DType::Int32, -2, 3), -1);
}

double float_folded(ScalarOp op, DType type, double a, double b) {
    Kernel k;
    Value* value = k.b.scalar(op, k.b.constant_float(type, a), k.b.constant_float(type, b));
    EXPECT_EQ(value->op, Op::Constant);
    return constant_float(value).value_or(-12345);
}

TEST(Fold, FloatsRoundInTheirOwnPrecision) {
    EXPECT_EQ(float_folded(ScalarOp::Add, DType::Float32, 16777216.0, 1.0), 16777216.0);
    EXPECT_EQ(float_folded(ScalarOp::Div, DType::Float32, 1.0, 3.0), static_cast<double>(1.0f / 3.0f));
    EXPECT_EQ(float_folded(ScalarOp::Div, DType::Float64, 1.0, 3.0), 1.0 / 3.0);
    EXPECT_EQ(float_folded(ScalarOp::Add, DType::Float16, 2048.0, 1.0), 2048.0);
    EXPECT_EQ(float_folded(ScalarOp::Mul, DType::Float16, 60000.0, 2.0), std::numeric_limits<double>::infinity());
    EXPECT_EQ(float_folded(ScalarOp::Add, DType::BFloat16, 256.0, 1.0), 256.0);
    EXPECT_TRUE(std::signbit(float_folded(ScalarOp::Mul, DType::Float64, -0.0, 1.5)));
}

TEST(Fold, ComparisonsWithNanAreFalseButNotEqual) {
    Kernel k;
    Value* nan = k.b.constant_float(DType::Float64, std::nan(""));
    Value* one = k.b.constant_float(DType::Float64, 1);
    for (ScalarOp op : {ScalarOp::Eq, ScalarOp::Lt, ScalarOp::Le, ScalarOp::Gt, ScalarOp::Ge})
        EXPECT_EQ(constant_integer(k.b.scalar(op, nan, one)), 0);
    EXPECT_EQ(constant_integer(k.b.scalar(ScalarOp::Ne, nan, nan)), 1);
    EXPECT_EQ(constant_float(k.b.scalar(ScalarOp::Min, nan, one)), 1.0);
    EXPECT_EQ(constant_float(k.b.scalar(ScalarOp::Max, one, nan)), 1.0);
}

TEST(Fold, HalfPrecisionRoundTripsEveryValue) {
    for (DType type : {DType::Float16, DType::BFloat16})
        for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
            const double value = decode_float(type, bits);
            if (!std::isnan(value)) {
                ASSERT_EQ(encode_float(type, value), bits) << name(type);
            }
        }
}

TEST(Fold, HalfPrecisionRoundsToNearestEven) {
    // Halfway between 1 and the next float16, which is 1 + 2^-10.
    EXPECT_EQ(encode_float(DType::Float16, 1.0 + 0x1p-11), 0x3c00u);
    EXPECT_EQ(encode_float(DType::Float16, 1.0 + 0x1p-11 + 0x1p-40), 0x3c01u);
    EXPECT_EQ(encode_float(DType::Float16, 1.0 + 3 * 0x1p-11), 0x3c02u);
    EXPECT_EQ(encode_float(DType::Float16, 65519.99), 0x7bffu);
    EXPECT_EQ(encode_float(DType::Float16, 65520.0), 0x7c00u);
    EXPECT_EQ(encode_float(DType::Float16, 0x1p-25), 0x0000u);
    EXPECT_EQ(encode_float(DType::Float16, 0x1.8p-25), 0x0001u);
    EXPECT_EQ(encode_float(DType::Float16, -0x1p-24), 0x8001u);
    EXPECT_EQ(encode_float(DType::BFloat16, 1.0 + 0x1p-8), 0x3f80u);
    EXPECT_EQ(encode_float(DType::BFloat16, 1.0 + 3 * 0x1p-8), 0x3f82u);
}

std::int64_t cast(DType from, double value, DType to) {
    Kernel k;
    Value* constant =
        is_float(from) ? k.b.constant_float(from, value) : k.b.constant(from, static_cast<std::int64_t>(value));
    return *constant_integer(k.b.cast(constant, to));
}

// As numba-cuda 0.30.4 computes them on an H200 (NaN apart, which is unspecified).
TEST(Fold, FloatToIntegerTruncatesAndSaturates) {
    const double inf = std::numeric_limits<double>::infinity();
    for (DType from : {DType::Float32, DType::Float64}) {
        EXPECT_EQ(cast(from, -7.25, DType::Int32), -7);
        EXPECT_EQ(cast(from, inf, DType::Int32), 0x7fffffff);
        EXPECT_EQ(cast(from, -inf, DType::Int32), -0x80000000ll);
        EXPECT_EQ(cast(from, inf, DType::Int64), std::numeric_limits<std::int64_t>::max());
        EXPECT_EQ(cast(from, -inf, DType::Int64), int64_min);
        EXPECT_EQ(cast(from, -7.25, DType::UInt32), 0);
        EXPECT_EQ(cast(from, inf, DType::UInt64), -1);
        EXPECT_EQ(cast(from, inf, DType::Int16), 32767);
        EXPECT_EQ(cast(from, -inf, DType::Int16), -32768);
        EXPECT_EQ(cast(from, inf, DType::UInt16), 65535);
        EXPECT_EQ(cast(from, inf, DType::Int8), -1);
        EXPECT_EQ(cast(from, -inf, DType::Int8), 0);
        EXPECT_EQ(cast(from, inf, DType::UInt8), 255);
        EXPECT_EQ(cast(from, -7.25, DType::UInt8), 0);
    }
    EXPECT_EQ(cast(DType::Float16, inf, DType::Int8), 127);
    EXPECT_EQ(cast(DType::Float16, -inf, DType::Int8), -128);
    EXPECT_EQ(cast(DType::Float64, std::nan(""), DType::Bool), 1);
    EXPECT_EQ(cast(DType::Float64, -0.0, DType::Bool), 0);
}

TEST(Fold, IntegerCastsWrapAndExtendByTheSourcesSign) {
    EXPECT_EQ(cast(DType::Int64, 300, DType::UInt8), 44);
    EXPECT_EQ(cast(DType::Int32, -1, DType::UInt64), -1);
    EXPECT_EQ(cast(DType::UInt32, 4294967295.0, DType::Int64), 4294967295);
    EXPECT_EQ(cast(DType::Int64, 256, DType::Bool), 1);
    EXPECT_EQ(cast(DType::Bool, 1, DType::Int8), 1);
}

TEST(Fold, IntegerToFloatRoundsOnce) {
    Kernel k;
    auto to_float = [&](DType from, std::int64_t value, DType to) {
        return *constant_float(k.b.cast(k.b.constant(from, value), to));
    };
    EXPECT_EQ(to_float(DType::Int64, (1ll << 53) + 1, DType::Float64), 9007199254740992.0);
    EXPECT_EQ(to_float(DType::UInt64, -1, DType::Float64), 18446744073709551616.0);
    // float64 on the way would round this down to an even float32 below.
    EXPECT_EQ(to_float(DType::Int64, (1ll << 60) + (1ll << 36) + 1, DType::Float32), 0x1.000002p60);
    EXPECT_EQ(to_float(DType::Int32, 70000, DType::Float16), std::numeric_limits<double>::infinity());
    EXPECT_EQ(to_float(DType::Bool, 1, DType::Float32), 1.0);
}

}  // namespace
}  // namespace lanewise::test
