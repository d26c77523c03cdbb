// Python's, math's and NumPy's functions on scalars beyond the table; expectations from CPython and NumPy.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "frontend/python/scalar_constants.h"
#include "frontend/python/scalar_rules.h"
#include "ir/fold.h"
#include "kernel_expression.h"

namespace lanewise::testing {

using python::Emitter;
using python::Operand;
using ::testing::IsSubstring;

namespace {

std::uint64_t bits_of(DType dtype, double value) {
    return is_float(dtype) ? ir::encode_float(dtype, value)
                           : ir::encode_integer(dtype, static_cast<std::int64_t>(value));
}

double number_of(DType dtype, std::uint64_t bits) {
    return is_float(dtype) ? ir::decode_float(dtype, bits) : static_cast<double>(ir::decode_integer(dtype, bits));
}

/// The function on values of one dtype; the result as a double.
double value(const std::string& name, DType dtype, std::initializer_list<double> arguments) {
    std::vector<std::uint64_t> bits;
    for (double argument : arguments) bits.push_back(bits_of(dtype, argument));
    const Expression expression(std::vector<DType>(arguments.size(), dtype), function(name));
    return number_of(expression.result().type->dtype, expression(bits)[0]);
}

std::optional<std::int64_t> constant_of(const Body& body) {
    ir::Module module;
    const python::Options options;
    Emitter e(module, options);
    return python::constant_integer(body(e, {}));
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

}  // namespace

TEST(PythonFunctions, MinAndMaxTakeManyMixedArguments) {
    EXPECT_EQ(type_name("builtins.min", {DType::Int32, DType::Float32, DType::Int8}), "float64");
    EXPECT_EQ(value("builtins.max", DType::Int64, {3, -5, 9, 2}), 9);
    EXPECT_EQ(value("builtins.min", DType::Float32, {nan, 2, 1}), 1);
    EXPECT_EQ(constant_of([](Emitter& e, const auto&) {
                  return call(e, "builtins.max", {e.tuple({literal(e, std::int64_t{4}), literal(e, std::int64_t{6})})});
              }),
              6);
}

TEST(PythonFunctions, RoundIsHalfToEven) {
    EXPECT_EQ(value("builtins.round", DType::Float64, {2.5}), 2);
    EXPECT_EQ(value("builtins.round", DType::Float64, {-3.5}), -4);
    const auto to_digits = [](double x, std::int64_t digits) {
        const Expression expression({DType::Float64}, [=](Emitter& e, const auto& a) {
            return call(e, "builtins.round", {a[0], literal(e, digits)});
        });
        return ir::decode_float(DType::Float64, expression({bits_of(DType::Float64, x)})[0]);
    };
    EXPECT_EQ(to_digits(1234.5678, 2), 1234.57);
    EXPECT_EQ(to_digits(1250, -2), 1200);
    EXPECT_EQ(to_digits(0.125, 2), 0.12);
    EXPECT_EQ(to_digits(1e300, 300), 1e300);
    EXPECT_TRUE(std::isnan(to_digits(nan, 1)));
    const Expression at_run_time({DType::Float64, DType::Int64}, function("builtins.round"));
    EXPECT_EQ(ir::decode_float(DType::Float64,
                               at_run_time({bits_of(DType::Float64, 1250), static_cast<std::uint64_t>(-2)})[0]),
              1200);
    EXPECT_EQ(ir::decode_float(DType::Float64, at_run_time({bits_of(DType::Float64, 2.675), 1})[0]), 2.7);
}

TEST(PythonFunctions, DivmodIsFloored) {
    const Expression expression({DType::Int32, DType::Int32}, function("builtins.divmod"));
    const auto results = expression({bits_of(DType::Int32, -7), bits_of(DType::Int32, 2)});
    EXPECT_EQ(static_cast<std::int64_t>(results[0]), -4);
    EXPECT_EQ(static_cast<std::int64_t>(results[1]), 1);
    const Expression floats({DType::Float64, DType::Float64}, function("builtins.divmod"));
    const auto parts = floats({bits_of(DType::Float64, -7.5), bits_of(DType::Float64, 2)});
    EXPECT_EQ(ir::decode_float(DType::Float64, parts[0]), -4.0);
    EXPECT_EQ(ir::decode_float(DType::Float64, parts[1]), 0.5);
}

TEST(PythonFunctions, IsinstanceAndLenAreKnownAtCompileTime) {
    const auto is = [](DType of, const Body& cls) {
        return constant_of([=](Emitter& e, const auto&) {
            return call(e, "builtins.isinstance", {e.scalar(of, nullptr), cls(e, {})});
        });
    };
    const auto builtin = [](const std::string& name) -> Body {
        return [name](Emitter&, const auto&) {
            python::Type type;
            type.kind = python::Type::Kind::Builtin;
            type.builtin = name;
            Operand operand;
            operand.type = python::intern(type);
            return operand;
        };
    };
    EXPECT_EQ(is(DType::Int8, builtin("builtins.int")), 1);
    EXPECT_EQ(is(DType::Float32, builtin("builtins.int")), 0);
    EXPECT_EQ(is(DType::Float32, builtin("builtins.float")), 1);
    EXPECT_EQ(is(DType::Int8,
                 [](Emitter& e, const auto&) { return e.tuple({dtype(e, DType::Int16), dtype(e, DType::Int8)}); }),
              1);
    EXPECT_EQ(
        constant_of([](Emitter& e, const auto&) { return call(e, "builtins.len", {e.tuple({e.none(), e.none()})}); }),
        2);
    EXPECT_EQ(constant_of([](Emitter& e, const auto&) { return call(e, "builtins.len", {text(e, "abc")}); }), 3);
}

TEST(PythonFunctions, FloatReadsConstantStrings) {
    const auto number = [](const std::string& spelled) {
        ir::Module module;
        const python::Options options;
        Emitter e(module, options);
        return *python::constant_number(call(e, "builtins.float", {text(e, spelled)}));
    };
    EXPECT_EQ(number("inf"), inf);
    EXPECT_EQ(number("-inf"), -inf);
    EXPECT_TRUE(std::isnan(number("nan")));
    EXPECT_EQ(number(" 1e-3 "), 1e-3);
    EXPECT_PRED_FORMAT2(IsSubstring, "does not read as a number", refusal({}, [](Emitter& e, const auto&) {
                            return call(e, "builtins.float", {text(e, "one")});
                        }));
}

TEST(PythonFunctions, RangesTakeTheTypeOfTheirArguments) {
    EXPECT_EQ(type_of({DType::Int32}, function("builtins.range"))->dtype, DType::Int32);
    EXPECT_EQ(type_of({DType::Int32, DType::Int64}, function("builtins.range"))->dtype, DType::Int64);
    EXPECT_EQ(type_of({DType::UInt8}, function("builtins.range"))->dtype, DType::UInt64);
    EXPECT_EQ(type_of({DType::UInt32, DType::Int32}, function("builtins.range"))->dtype, DType::Int64);
    EXPECT_PRED_FORMAT2(IsSubstring, "takes an integer", refusal({DType::Float64}, function("builtins.range")));
    EXPECT_PRED_FORMAT2(IsSubstring, "one to three integers", refusal({}, function("builtins.range")));
}

TEST(PythonFunctions, LengthOfRanges) {
    const Body length = [](Emitter& e, const auto& x) {
        return call(e, "builtins.len", {call(e, "builtins.range", x)});
    };
    const Expression expression({DType::Int64, DType::Int64, DType::Int64}, length);
    const auto of = [&](std::int64_t start, std::int64_t stop, std::int64_t step) {
        return static_cast<std::int64_t>(
            expression({static_cast<std::uint64_t>(start), static_cast<std::uint64_t>(stop),
                        static_cast<std::uint64_t>(step)})[0]);
    };
    EXPECT_EQ(of(0, 10, 3), 4);
    EXPECT_EQ(of(10, 0, -3), 4);
    EXPECT_EQ(of(0, 9, 3), 3);
    EXPECT_EQ(of(5, 5, 1), 0);
    EXPECT_EQ(of(5, 0, 1), 0);
}

TEST(ScalarMethods, BitCountViewAndCast) {
    EXPECT_EQ(value("scalar.bit_count", DType::Int32, {-5}), 2);
    EXPECT_EQ(value("scalar.bit_count", DType::UInt8, {255}), 8);
    const Expression view({DType::Float32}, [](Emitter& e, const auto& x) {
        return call(e, "scalar.view", {x[0], dtype(e, DType::UInt32)});
    });
    EXPECT_EQ(view({bits_of(DType::Float32, 1)})[0], 0x3f800000u);
    EXPECT_PRED_FORMAT2(IsSubstring, "sizes must be equal", refusal({DType::Float32}, [](Emitter& e, const auto& x) {
                            return call(e, "scalar.view", {x[0], dtype(e, DType::Int64)});
                        }));
    EXPECT_PRED_FORMAT2(IsSubstring, "float16 values are not supported in kernels",
                        refusal({DType::Float32}, [](Emitter& e, const auto& x) {
                            return python::convert(e, x[0], python::scalar_type(DType::Float16));
                        }));
}

TEST(MathFunctions, FollowC) {
    EXPECT_EQ(type_name("math.floor", {DType::Float32}), "float32");
    EXPECT_EQ(value("math.remainder", DType::Float64, {5, 3}), -1);
    EXPECT_EQ(value("math.nextafter", DType::Float64, {1, 2}), 1 + 0x1p-52);
    EXPECT_EQ(value("math.gcd", DType::Int64, {-12, 18}), 6);
    EXPECT_EQ(value("math.gcd", DType::Int64, {0, 0}), 0);
    EXPECT_EQ(value("math.lcm", DType::Int64, {4, -6}), 12);
    EXPECT_EQ(value("math.lcm", DType::Int64, {0, 6}), 0);
    EXPECT_NEAR(value("math.log", DType::Float64, {8, 2}), 3, 1e-15);
    const Expression ldexp({DType::Float64, DType::Int64}, function("math.ldexp"));
    EXPECT_EQ(ir::decode_float(DType::Float64, ldexp({bits_of(DType::Float64, 1.5), 4})[0]), 24);
    EXPECT_EQ(ir::decode_float(DType::Float64, ldexp({bits_of(DType::Float64, 1), std::uint64_t{1} << 40})[0]), inf);
}

TEST(MathFunctions, RefuseWhatIsNoNumber) {
    EXPECT_PRED_FORMAT2(IsSubstring, "math.sin(none): argument 1 (none): takes a number",
                        refusal({}, [](Emitter& e, const auto&) { return call(e, "math.sin", {e.none()}); }));
    EXPECT_PRED_FORMAT2(IsSubstring, "takes at most 1 arguments: math.sin(x)",
                        refusal({DType::Float32, DType::Float32}, function("math.sin")));
    EXPECT_PRED_FORMAT2(IsSubstring, "needs `y`", refusal({DType::Float32}, function("math.atan2")));
    EXPECT_PRED_FORMAT2(IsSubstring, "has no parameter `z`", refusal({DType::Float32}, [](Emitter& e, const auto& x) {
                            return call(e, "math.sin", {}, {{"z", x[0]}});
                        }));
}

TEST(NumpyFunctions, KeepThePromotedDtype) {
    EXPECT_EQ(type_name("numpy.add", {DType::Int32, DType::Int8}), "int32");
    EXPECT_EQ(type_name("numpy.add", {DType::Int64, DType::UInt64}), "float64");
    EXPECT_EQ(type_name("numpy.add", {DType::Bool, DType::Bool}), "bool");
    EXPECT_EQ(type_name("numpy.true_divide", {DType::Int8, DType::Int8}), "float64");
    EXPECT_EQ(type_name("numpy.sqrt", {DType::Float32}), "float32");
    EXPECT_EQ(type_name("numpy.sqrt", {DType::Int32}), "float64");
    EXPECT_EQ(type_name("numpy.floor", {DType::Int32}), "int32");
    EXPECT_EQ(type_name("numpy.float_power", {DType::Float32, DType::Float32}), "float64");
    EXPECT_EQ(type_name("numpy.less", {DType::Float32, DType::Int8}), "bool");
    EXPECT_EQ(type_name("numpy.left_shift", {DType::Int8, DType::Int8}), "int8");
}

TEST(NumpyFunctions, MaximumPropagatesNaNAndFmaxIgnoresIt) {
    EXPECT_TRUE(std::isnan(value("numpy.maximum", DType::Float64, {nan, 1})));
    EXPECT_TRUE(std::isnan(value("numpy.minimum", DType::Float32, {1, nan})));
    EXPECT_EQ(value("numpy.fmax", DType::Float64, {nan, 1}), 1);
    EXPECT_EQ(value("numpy.fmin", DType::Float64, {2, nan}), 2);
    EXPECT_EQ(value("numpy.maximum", DType::Int8, {-3, 4}), 4);
}

TEST(NumpyFunctions, DivideAsNumpyDoes) {
    EXPECT_EQ(value("numpy.floor_divide", DType::Int32, {-7, 2}), -4);
    EXPECT_EQ(value("numpy.floor_divide", DType::Int32, {7, 0}), 0);
    EXPECT_EQ(value("numpy.remainder", DType::Int32, {-7, 3}), 2);
    EXPECT_EQ(value("numpy.fmod", DType::Int32, {-7, 3}), -1);
    EXPECT_EQ(value("numpy.fmod", DType::Int32, {-7, 0}), 0);
    EXPECT_EQ(value("numpy.fmod", DType::Int32, {-2147483648.0, -1}), 0);
    EXPECT_EQ(value("numpy.fmod", DType::Float64, {-7.5, 2}), -1.5);
    EXPECT_EQ(value("numpy.power", DType::Int32, {3, 4}), 81);
    EXPECT_EQ(value("numpy.reciprocal", DType::Int32, {2}), 0);
    EXPECT_EQ(value("numpy.reciprocal", DType::Int32, {-1}), -1);
    EXPECT_EQ(value("numpy.reciprocal", DType::Float32, {4}), 0.25);
}

TEST(NumpyFunctions, CompareUnsignedWithSignedExactly) {
    const auto compared = [](const std::string& name, std::int64_t a, std::uint64_t b) {
        return Expression({DType::Int64, DType::UInt64}, function(name))({static_cast<std::uint64_t>(a), b})[0];
    };
    EXPECT_EQ(compared("numpy.less", -1, 0), 1u);
    EXPECT_EQ(compared("numpy.greater", -1, 0), 0u);
    EXPECT_EQ(compared("numpy.equal", -1, ~std::uint64_t{0}), 0u);
    EXPECT_EQ(compared("numpy.not_equal", -1, ~std::uint64_t{0}), 1u);
    EXPECT_EQ(compared("numpy.equal", std::numeric_limits<std::int64_t>::max(), std::uint64_t{1} << 63), 0u);
    EXPECT_EQ(compared("numpy.greater_equal", 5, 5), 1u);
    const Expression reversed({DType::UInt64, DType::Int64}, function("numpy.greater"));
    EXPECT_EQ(reversed({0, static_cast<std::uint64_t>(-1)})[0], 1u);
}

TEST(NumpyFunctions, SignsAndRounding) {
    EXPECT_EQ(value("numpy.sign", DType::Float64, {-2.5}), -1);
    EXPECT_FALSE(std::signbit(value("numpy.sign", DType::Float64, {-0.0})));
    EXPECT_TRUE(std::isnan(value("numpy.sign", DType::Float64, {nan})));
    EXPECT_EQ(value("numpy.sign", DType::Int8, {-4}), -1);
    EXPECT_EQ(value("numpy.sign", DType::UInt8, {4}), 1);
    EXPECT_EQ(value("numpy.rint", DType::Float64, {2.5}), 2);
    EXPECT_EQ(value("numpy.signbit", DType::Float64, {-0.0}), 1);
    EXPECT_EQ(value("numpy.signbit", DType::Int32, {-3}), 1);
    EXPECT_EQ(value("numpy.absolute", DType::Int8, {-128}), -128);
    EXPECT_EQ(value("numpy.heaviside", DType::Float64, {0, 0.5}), 0.5);
    EXPECT_EQ(value("numpy.heaviside", DType::Float64, {-1, 0.5}), 0);
    EXPECT_EQ(value("numpy.heaviside", DType::Float64, {2, 0.5}), 1);
    EXPECT_TRUE(std::isnan(value("numpy.heaviside", DType::Float64, {nan, 0.5})));
    EXPECT_EQ(value("numpy.spacing", DType::Float64, {1}), 0x1p-52);
    EXPECT_EQ(value("numpy.spacing", DType::Float64, {-1}), -0x1p-52);
    EXPECT_TRUE(std::isnan(value("numpy.spacing", DType::Float64, {inf})));
}

TEST(NumpyFunctions, LogaddexpIsStable) {
    EXPECT_NEAR(value("numpy.logaddexp", DType::Float64, {1000, 1000}), 1000 + std::log(2.0), 1e-12);
    EXPECT_NEAR(value("numpy.logaddexp", DType::Float64, {0, std::log(3.0)}), std::log(4.0), 1e-15);
    EXPECT_EQ(value("numpy.logaddexp", DType::Float64, {inf, inf}), inf);
    EXPECT_EQ(value("numpy.logaddexp", DType::Float64, {-inf, -inf}), -inf);
    EXPECT_EQ(value("numpy.logaddexp", DType::Float64, {-inf, 2}), 2);
    EXPECT_TRUE(std::isnan(value("numpy.logaddexp", DType::Float64, {nan, 2})));
    EXPECT_NEAR(value("numpy.logaddexp2", DType::Float64, {3, 3}), 4, 1e-15);
    EXPECT_NEAR(value("numpy.logaddexp2", DType::Float64, {0, 1}), std::log2(3.0), 1e-15);
}

TEST(NumpyFunctions, BitsAndClip) {
    EXPECT_EQ(value("numpy.bitwise_count", DType::Int16, {-3}), 2);
    EXPECT_EQ(value("numpy.invert", DType::Int8, {5}), -6);
    EXPECT_EQ(value("numpy.right_shift", DType::Int8, {-128, 10}), -1);
    EXPECT_EQ(value("numpy.left_shift", DType::Int8, {1, 8}), 0);
    EXPECT_EQ(value("numpy.clip", DType::Float32, {5, 0, 2}), 2);
    EXPECT_EQ(value("numpy.clip", DType::Int32, {-5, 0, 2}), 0);
    EXPECT_EQ(value("numpy.gcd", DType::Int8, {-128, 0}), -128);
    EXPECT_PRED_FORMAT2(IsSubstring, "booleans cannot be subtracted",
                        refusal({DType::Bool, DType::Bool}, function("numpy.subtract")));
    EXPECT_PRED_FORMAT2(IsSubstring, "takes an integer",
                        refusal({DType::Float32, DType::Int8}, function("numpy.bitwise_and")));
    EXPECT_PRED_FORMAT2(IsSubstring, "no common integer type",
                        refusal({DType::Int64, DType::UInt64}, function("numpy.bitwise_or")));
}

TEST(Libdevice, ComputesWhereTheIrHasTheOperation) {
    EXPECT_EQ(type_name("libdevice.sinf", {DType::Int32}), "float32");
    EXPECT_EQ(type_name("libdevice.umin", {DType::Int32, DType::Int32}), "int32");
    EXPECT_EQ(value("libdevice.umin", DType::Int32, {-1, 5}), 5);
    EXPECT_EQ(value("libdevice.float2int_rn", DType::Float32, {2.5}), 2);
    EXPECT_EQ(value("libdevice.float2int_ru", DType::Float32, {2.1}), 3);
    EXPECT_EQ(value("libdevice.double2uint_rz", DType::Float64, {4294967295.0}), -1);
    EXPECT_EQ(value("libdevice.float_as_int", DType::Float32, {1}), 0x3f800000);
    EXPECT_EQ(value("libdevice.clzll", DType::Int64, {1}), 63);
    EXPECT_EQ(value("libdevice.isnanf", DType::Float32, {nan}), 1);
}

TEST(Libdevice, GivesOutputsAsATuple) {
    EXPECT_EQ(type_name("libdevice.sincosf", {DType::Float32}), "UniTuple(float32 x 2)");
    EXPECT_EQ(type_name("libdevice.frexp", {DType::Float64}), "Tuple(float64, int32)");
    EXPECT_EQ(type_name("libdevice.remquof", {DType::Float32, DType::Float32}), "Tuple(float32, int32)");
    EXPECT_PRED_FORMAT2(IsSubstring, "takes 2 positional arguments",
                        refusal({DType::Float32}, function("libdevice.powf")));
}

TEST(Registry, FindsEveryNameAndSuggestsNearOnes) {
    EXPECT_GE(python::builtin_names("libdevice.").size(), 317u);
    EXPECT_GE(python::builtin_names("math.").size(), 42u);
    EXPECT_EQ(python::find_builtin("math.sine"), nullptr);
    EXPECT_EQ(python::closest_builtin("math.sine"), "math.sin");
    EXPECT_EQ(python::closest_builtin("cuda.syncthread"), "cuda.syncthreads");
    EXPECT_EQ(python::closest_builtin("math.zzzzzzzz"), "");
}

}  // namespace lanewise::testing
