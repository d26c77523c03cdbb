// The expansions of //, %, minimum, maximum and frexp: executed value by value, compared with CPython's and NumPy's
// rules.
#include <cmath>
#include <limits>
#include <unordered_map>

#include "build.h"
#include "ir/fold.h"
#include "passes/pipeline.h"

namespace lanewise::test {
namespace {

/// Runs the pipeline on a kernel that stores op(parameters), then interprets it for given arguments.
class Expanded {
public:
    Expanded(ScalarOp op, DType type, std::optional<std::uint64_t> constant_divisor = std::nullopt) {
        out_ = k_.parameter(Type::pointer(Space::Global));
        std::vector<Value*> operands;
        for (std::size_t i = 0; i < info(op).operands.size(); ++i)
            operands.push_back(i == 1 && constant_divisor ? k_.b.constant_bits(Type::scalar(type), *constant_divisor)
                                                          : k_.parameter(Type::scalar(type)));
        k_.b.store(out_, k_.b.scalar(op, operands));
        k_.b.ret();
        passes::run_pipeline(k_.module);
    }

    std::uint64_t operator()(std::uint64_t a, std::uint64_t b = 0) const {
        std::unordered_map<const Value*, std::uint64_t> values;
        auto at = [&](const Value* value) -> std::uint64_t {
            if (value->op == Op::Constant) return value->bits;
            if (value->op == Op::Parameter) return value->index == 1 ? a : b;
            return values.at(value);
        };
        for (const Value* value : k_.function->blocks[0]->values) {
            std::optional<std::uint64_t> result;
            if (value->op == Op::Scalar) {
                EXPECT_NE(info(value->scalar).lowering, "expand");
                std::vector<std::uint64_t> operands;
                for (const Value* operand : value->operands) operands.push_back(at(operand));
                const Value* typed = value->scalar == ScalarOp::Select ? value->operands[1] : value->operands[0];
                result = fold_scalar(value->scalar, typed->type.dtype, operands);
                EXPECT_TRUE(result) << info(value->scalar).name;
            } else if (value->op == Op::Cast) {
                result = fold_cast(value->operands[0]->type.dtype, at(value->operands[0]), value->type.dtype);
            } else if (value->op == Op::Bitcast) {
                result = at(value->operands[0]);
            } else if (value->op == Op::Store) {
                return at(value->operands[1]);
            }
            values[value] = result.value_or(0);
        }
        return 0;
    }

private:
    Kernel k_;
    Value* out_;
};

template <class T>
constexpr DType dtype_of = sizeof(T) == 1   ? (std::is_signed_v<T> ? DType::Int8 : DType::UInt8)
                           : sizeof(T) == 4 ? (std::is_signed_v<T> ? DType::Int32 : DType::UInt32)
                                            : (std::is_signed_v<T> ? DType::Int64 : DType::UInt64);

template <class T>
void check_integer_division(T a, T b, const Expanded& divide, const Expanded& modulo) {
    // In 128 bits nothing overflows; Python's rules, and 0 where it raises.
    const __int128 wide_a = a, wide_b = b;
    __int128 quotient = 0, remainder = 0;
    if (b != 0) {
        quotient = wide_a / wide_b;
        remainder = wide_a % wide_b;
        if (remainder != 0 && (remainder < 0) != (wide_b < 0)) {
            quotient -= 1;
            remainder += wide_b;
        }
    }
    auto encoded = [](T value) { return encode_integer(dtype_of<T>, static_cast<std::int64_t>(value)); };
    EXPECT_EQ(divide(encoded(a), encoded(b)), encoded(static_cast<T>(quotient))) << +a << " // " << +b;
    EXPECT_EQ(modulo(encoded(a), encoded(b)), encoded(static_cast<T>(remainder))) << +a << " % " << +b;
}

TEST(ExpandOps, EightBitDivisionIsPythonsForEveryPair) {
    const Expanded divide(ScalarOp::FloorDiv, DType::Int8), modulo(ScalarOp::Mod, DType::Int8);
    for (int a = -128; a < 128; ++a)
        for (int b = -128; b < 128; ++b)
            check_integer_division<std::int8_t>(static_cast<std::int8_t>(a), static_cast<std::int8_t>(b), divide,
                                                modulo);
    const Expanded udivide(ScalarOp::FloorDiv, DType::UInt8), umodulo(ScalarOp::Mod, DType::UInt8);
    for (int a = 0; a < 256; ++a)
        for (int b = 0; b < 256; ++b)
            check_integer_division<std::uint8_t>(static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b), udivide,
                                                 umodulo);
}

TEST(ExpandOps, EightBitDivisionByConstantsIsPythonsForEveryPair) {
    for (int b = -128; b < 128; ++b) {
        const std::uint64_t bits = encode_integer(DType::Int8, b);
        const Expanded divide(ScalarOp::FloorDiv, DType::Int8, bits), modulo(ScalarOp::Mod, DType::Int8, bits);
        for (int a = -128; a < 128; ++a)
            check_integer_division<std::int8_t>(static_cast<std::int8_t>(a), static_cast<std::int8_t>(b), divide,
                                                modulo);
    }
}

template <class T>
void check_wide_division() {
    const T interesting[] = {0,
                             1,
                             2,
                             3,
                             7,
                             16,
                             1000,
                             std::numeric_limits<T>::max(),
                             std::numeric_limits<T>::min(),
                             static_cast<T>(-1),
                             static_cast<T>(-2),
                             static_cast<T>(-7),
                             static_cast<T>(-1000)};
    const Expanded divide(ScalarOp::FloorDiv, dtype_of<T>), modulo(ScalarOp::Mod, dtype_of<T>);
    for (T b : interesting) {
        const std::uint64_t bits = encode_integer(dtype_of<T>, static_cast<std::int64_t>(b));
        const Expanded by_constant(ScalarOp::FloorDiv, dtype_of<T>, bits),
            mod_constant(ScalarOp::Mod, dtype_of<T>, bits);
        for (T a : interesting) {
            check_integer_division<T>(a, b, divide, modulo);
            check_integer_division<T>(a, b, by_constant, mod_constant);
        }
    }
}

TEST(ExpandOps, WideDivisionIsPythons) {
    check_wide_division<std::int32_t>();
    check_wide_division<std::int64_t>();
    check_wide_division<std::uint32_t>();
    check_wide_division<std::uint64_t>();
}

TEST(ExpandOps, PowersOfTwoBecomeShiftsAndMasks) {
    Kernel k;
    Value* p = k.parameter(Type::pointer(Space::Global));
    Value* x = k.parameter(i64);
    k.b.store(p, k.b.scalar(ScalarOp::FloorDiv, x, k.b.i64(16)));
    k.b.store(p, k.b.scalar(ScalarOp::Mod, x, k.b.i64(16)));
    k.b.ret();
    passes::run_pipeline(k.module);
    const std::string text = print(*k.function);
    EXPECT_TRUE(contains(text, "shr %1, 4") && contains(text, "and %1, 15")) << text;
    EXPECT_FALSE(contains(text, "div") || contains(text, "rem")) << text;
}

/// CPython's float_floor_div and float_rem (Objects/floatobject.c), with NumPy's results where CPython raises.
template <class T>
std::pair<T, T> python_divmod(T x, T y) {
    if (y == 0) return {x / y, std::fmod(x, y)};
    T remainder = std::fmod(x, y);
    T quotient = (x - remainder) / y;
    if (remainder != 0) {
        if ((y < 0) != (remainder < 0)) {
            remainder += y;
            quotient -= 1;
        }
    } else {
        remainder = std::copysign(T(0), y);
    }
    T floored;
    if (quotient != 0) {
        floored = std::floor(quotient);
        if (quotient - floored > T(0.5)) floored += 1;
    } else {
        floored = std::copysign(T(0), x / y);
    }
    return {floored, remainder};
}

template <class T>
void check_float_division(DType type) {
    const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
    const T interesting[] = {T(0),
                             T(-0.0),
                             T(0.1),
                             T(-0.1),
                             T(0.5),
                             T(1),
                             T(-1),
                             T(2.5),
                             T(-2.5),
                             T(3),
                             T(7.25),
                             T(-7.25),
                             T(1e20),
                             T(1e-20),
                             inf,
                             -inf,
                             nan,
                             std::numeric_limits<T>::denorm_min(),
                             std::numeric_limits<T>::max()};
    const Expanded divide(ScalarOp::FloorDiv, type), modulo(ScalarOp::Mod, type);
    for (T a : interesting)
        for (T b : interesting) {
            const auto [quotient, remainder] = python_divmod(a, b);
            auto run = [&](const Expanded& f) { return f(encode_float(type, a), encode_float(type, b)); };
            EXPECT_EQ(run(divide), encode_float(type, quotient)) << a << " // " << b;
            EXPECT_EQ(run(modulo), encode_float(type, remainder)) << a << " % " << b;
        }
}

TEST(ExpandOps, FloatDivisionIsCpythons) {
    check_float_division<double>(DType::Float64);
    check_float_division<float>(DType::Float32);
}

TEST(ExpandOps, HalfPrecisionModuloKeepsTheDivisorsSign) {
    const Expanded modulo(ScalarOp::Mod, DType::Float16);
    auto run = [&](double a, double b) {
        return decode_float(DType::Float16, modulo(encode_float(DType::Float16, a), encode_float(DType::Float16, b)));
    };
    EXPECT_EQ(run(-7.25, 2.5), 0.25);
    EXPECT_EQ(run(7.25, -2.5), -0.25);
}

TEST(ExpandOps, MinimumAndMaximumKeepNan) {
    const double nan = std::nan("");
    for (DType type : {DType::Float16, DType::BFloat16, DType::Float32, DType::Float64}) {
        const Expanded minimum(ScalarOp::Minimum, type), maximum(ScalarOp::Maximum, type);
        auto run = [&](const Expanded& f, double a, double b) {
            return decode_float(type, f(encode_float(type, a), encode_float(type, b)));
        };
        EXPECT_EQ(run(minimum, 1, 2), 1);
        EXPECT_EQ(run(minimum, 2, 1), 1);
        EXPECT_EQ(run(maximum, 1, 2), 2);
        EXPECT_EQ(run(maximum, -1, -2), -1);
        for (const Expanded* f : {&minimum, &maximum}) {
            EXPECT_TRUE(std::isnan(run(*f, nan, 1)));
            EXPECT_TRUE(std::isnan(run(*f, 1, nan)));
            EXPECT_TRUE(std::isnan(run(*f, nan, nan)));
        }
    }
}

TEST(ExpandOps, FrexpTakesNumbersApart) {
    const double inf = std::numeric_limits<double>::infinity();
    for (DType type : {DType::Float16, DType::Float32, DType::Float64}) {
        const Expanded fraction(ScalarOp::FrexpFraction, type), exponent(ScalarOp::FrexpExponent, type);
        for (double value : {1.0, -1.0, 0.75, 3.0, -1000.0, 0x1p-14, 0x1p-20, -0x1.8p-23, 0.0, -0.0, inf, -inf}) {
            const std::uint64_t bits = encode_float(type, value);
            int expected_exponent = 0;
            double expected = std::isinf(value) ? value : std::frexp(decode_float(type, bits), &expected_exponent);
            EXPECT_EQ(fraction(bits), encode_float(type, expected)) << name(type) << " " << value;
            EXPECT_EQ(decode_integer(DType::Int32, exponent(bits)), expected_exponent) << name(type) << " " << value;
        }
    }
    const Expanded fraction(ScalarOp::FrexpFraction, DType::Float64), exponent(ScalarOp::FrexpExponent, DType::Float64);
    const std::uint64_t smallest = 1;
    EXPECT_EQ(decode_float(DType::Float64, fraction(smallest)), 0.5);
    EXPECT_EQ(decode_integer(DType::Int32, exponent(smallest)), -1073);
}

}  // namespace
}  // namespace lanewise::test
