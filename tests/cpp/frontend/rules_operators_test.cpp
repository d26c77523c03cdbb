// Operators beyond the table: compile-time values, weak literals, warnings, debug checks, tuples, refusals.
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
using syntax::BinaryOp;
using syntax::CompareOp;
using syntax::UnaryOp;
using ::testing::IsNotSubstring;
using ::testing::IsSubstring;

namespace {

std::string type_name(const std::vector<DType>& parameters, const Body& body, const python::Options& options = {}) {
    return python::to_string(type_of(parameters, body, options));
}

/// The compile-time integer of an expression without parameters.
std::optional<std::int64_t> constant_of(const Body& body) {
    ir::Module module;
    const python::Options options;
    Emitter e(module, options);
    return python::constant_integer(body(e, {}));
}

Body on_literals(BinaryOp op, std::int64_t a, std::int64_t b) {
    return [=](Emitter& e, const auto&) { return python::binary(e, op, literal(e, a), literal(e, b)); };
}

float as_float(std::uint64_t bits) {
    return static_cast<float>(ir::decode_float(DType::Float32, bits));
}

constexpr std::int64_t int64_min = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();

}  // namespace

TEST(Constants, IntegerArithmeticIsExactPython) {
    EXPECT_EQ(constant_of(on_literals(BinaryOp::Add, 2, 3)), 5);
    EXPECT_EQ(constant_of(on_literals(BinaryOp::Mul, -4, 16)), -64);
    EXPECT_EQ(constant_of(on_literals(BinaryOp::FloorDiv, -7, 2)), -4);
    EXPECT_EQ(constant_of(on_literals(BinaryOp::FloorDiv, 7, -2)), -4);
    EXPECT_EQ(constant_of(on_literals(BinaryOp::Mod, -7, 3)), 2);
    EXPECT_EQ(constant_of(on_literals(BinaryOp::Mod, 7, -3)), -2);
    EXPECT_EQ(constant_of(on_literals(BinaryOp::Pow, 2, 10)), 1024);
    EXPECT_EQ(constant_of(on_literals(BinaryOp::Pow, -2, 63)), int64_min);
    EXPECT_EQ(constant_of(on_literals(BinaryOp::LShift, 1, 5)), 32);
    EXPECT_EQ(constant_of(on_literals(BinaryOp::RShift, -5, 1)), -3);
    EXPECT_EQ(constant_of(on_literals(BinaryOp::RShift, -5, 200)), -1);
    EXPECT_EQ(constant_of(on_literals(BinaryOp::BitXor, 6, 3)), 5);
}

TEST(Constants, WhatDoesNotFitInt64OrRaisesHasNoValue) {
    EXPECT_EQ(constant_of(on_literals(BinaryOp::Add, int64_max, 1)), std::nullopt);
    EXPECT_EQ(constant_of(on_literals(BinaryOp::Mul, int64_min, -1)), std::nullopt);
    EXPECT_EQ(constant_of(on_literals(BinaryOp::FloorDiv, int64_min, -1)), std::nullopt);
    EXPECT_EQ(constant_of(on_literals(BinaryOp::FloorDiv, 1, 0)), std::nullopt);
    EXPECT_EQ(constant_of(on_literals(BinaryOp::Mod, 1, 0)), std::nullopt);
    EXPECT_EQ(constant_of(on_literals(BinaryOp::Pow, 2, 63)), std::nullopt);
    EXPECT_EQ(constant_of(on_literals(BinaryOp::Pow, 2, -1)), std::nullopt);
    EXPECT_EQ(constant_of(on_literals(BinaryOp::LShift, 1, -1)), std::nullopt);
    EXPECT_EQ(constant_of(on_literals(BinaryOp::TrueDiv, 4, 2)), std::nullopt);
}

TEST(Constants, AResultOfArithmeticIsNoLiteralButANegatedLiteralIsOne) {
    ir::Module module;
    const python::Options options;
    Emitter e(module, options);
    EXPECT_FALSE(python::binary(e, BinaryOp::Add, literal(e, std::int64_t{1}), literal(e, std::int64_t{2})).is_literal);
    const Operand negated = python::unary(e, UnaryOp::Neg, literal(e, 0.5));
    EXPECT_TRUE(negated.is_literal);
    EXPECT_EQ(python::constant_number(negated), -0.5);
}

TEST(Constants, TheLeastInt64CanBeWritten) {
    ir::Module module;
    const python::Options options;
    Emitter e(module, options);
    Operand huge = literal(e, int64_min);
    auto captured = std::make_shared<syntax::Captured>(*huge.constant);
    captured->is_uint64 = true;
    huge.constant = captured;
    huge.type = python::scalar_type(DType::UInt64);
    const Operand least = python::unary(e, UnaryOp::Neg, huge);
    EXPECT_EQ(least.type, python::scalar_type(DType::Int64));
    EXPECT_EQ(python::constant_integer(least), int64_min);
    EXPECT_EQ(python::constant_integer(huge), std::nullopt);
}

TEST(Constants, ComparisonsAndTruthOfConstantsAreKnown) {
    EXPECT_EQ(constant_of([](Emitter& e, const auto&) {
                  return python::compare(e, CompareOp::Lt, literal(e, std::int64_t{-1}), literal(e, std::int64_t{0}));
              }),
              1);
    EXPECT_EQ(constant_of([](Emitter& e, const auto&) { return python::truth(e, literal(e, std::nan(""))); }), 1);
    EXPECT_EQ(constant_of([](Emitter& e, const auto&) { return python::truth(e, literal(e, -0.0)); }), 0);
    EXPECT_EQ(constant_of([](Emitter& e, const auto&) { return python::truth(e, e.none()); }), 0);
    EXPECT_EQ(constant_of([](Emitter& e, const auto&) { return python::truth(e, e.tuple({})); }), 0);
    EXPECT_EQ(constant_of([](Emitter& e, const auto&) { return python::truth(e, text(e, "x")); }), 1);
    EXPECT_EQ(constant_of([](Emitter& e, const auto&) { return python::unary(e, UnaryOp::Not, e.integer(3)); }), 0);
}

TEST(Constants, ConversionKeepsWhatTheDtypeHolds) {
    const auto converted = [](std::int64_t value, DType to) {
        return constant_of(
            [=](Emitter& e, const auto&) { return python::convert(e, literal(e, value), python::scalar_type(to)); });
    };
    EXPECT_EQ(converted(200, DType::UInt8), 200);
    EXPECT_EQ(converted(300, DType::UInt8), std::nullopt);
    EXPECT_EQ(converted(-1, DType::UInt64), std::nullopt);
    EXPECT_EQ(converted(-128, DType::Int8), -128);
    EXPECT_EQ(converted(7, DType::Bool), 1);
}

TEST(WeakLiterals, LeaveFloat32Alone) {
    python::Options weak;
    weak.weak_literals = true;
    const auto times = [](auto value) {
        return [=](Emitter& e, const auto& x) { return python::binary(e, BinaryOp::Mul, x[0], literal(e, value)); };
    };
    EXPECT_EQ(type_name({DType::Float32}, times(0.5), weak), "float32");
    EXPECT_EQ(type_name({DType::Float32}, times(std::int64_t{2}), weak), "float32");
    EXPECT_EQ(type_name({DType::Float32}, times(0.5)), "float64");
    EXPECT_EQ(type_name({DType::Float64}, times(0.5), weak), "float64");
    EXPECT_EQ(type_name({DType::Int32}, times(std::int64_t{2}), weak), "int64");
    EXPECT_EQ(type_name({DType::Int32}, times(0.5), weak), "float64");
    const auto computed = [](Emitter& e, const auto& x) {
        return python::binary(e, BinaryOp::Mul, x[0], python::binary(e, BinaryOp::Add, e.integer(1), e.integer(1)));
    };
    EXPECT_EQ(type_name({DType::Float32}, computed, weak), "float64");
}

TEST(WeakLiterals, AreRoundedToFloat32WhereTheyAreUsed) {
    python::Options weak;
    weak.weak_literals = true;
    const Body is_tenth = [](Emitter& e, const auto& x) {
        return python::compare(e, CompareOp::Eq, x[0], literal(e, 0.1));
    };
    const std::uint64_t tenth = ir::encode_float(DType::Float32, 0.1f);
    EXPECT_EQ(Expression({DType::Float32}, is_tenth, weak)({tenth})[0], 1u);
    EXPECT_EQ(Expression({DType::Float32}, is_tenth)({tenth})[0], 0u);
    const Body power = [](Emitter& e, const auto& x) {
        return python::binary(e, BinaryOp::Pow, x[0], literal(e, std::int64_t{3}));
    };
    EXPECT_EQ(as_float(Expression({DType::Float32}, power, weak)({ir::encode_float(DType::Float32, 3)})[0]), 27.0f);
}

TEST(Float64Warning, NamesTheLiteralAndTheRemedy) {
    const Body half = [](Emitter& e, const auto& x) { return python::binary(e, BinaryOp::Mul, x[0], literal(e, 0.5)); };
    const std::vector<std::string> warnings = Expression({DType::Float32}, half).warnings();
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_PRED_FORMAT2(IsSubstring, "promoted to float64", warnings[0]);
    EXPECT_PRED_FORMAT2(IsSubstring, "0.5", warnings[0]);
    EXPECT_PRED_FORMAT2(IsSubstring, "np.float32", warnings[0]);
    EXPECT_PRED_FORMAT2(IsSubstring, "jit(literals=\"weak\")", warnings[0]);
    const Body clamp = [](Emitter& e, const auto& x) { return call(e, "builtins.max", {x[0], literal(e, 0.0)}); };
    ASSERT_EQ(Expression({DType::Float32}, clamp).warnings().size(), 1u);
    EXPECT_PRED_FORMAT2(IsSubstring, "builtins.max of a float32 and the literal 0",
                        Expression({DType::Float32}, clamp).warnings()[0]);
    python::Options quiet;
    quiet.warn_float64 = false;
    EXPECT_TRUE(Expression({DType::Float32}, half, quiet).warnings().empty());
}

TEST(Float64Warning, OfAWideIntegerButNotOfAFloat64Value) {
    const Body sum = [](Emitter& e, const auto& x) { return python::binary(e, BinaryOp::Add, x[0], x[1]); };
    const std::vector<std::string> warnings = Expression({DType::Float32, DType::Int32}, sum).warnings();
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_PRED_FORMAT2(IsSubstring, "int32", warnings[0]);
    EXPECT_TRUE(Expression({DType::Float32, DType::Float64}, sum).warnings().empty());
    EXPECT_TRUE(Expression({DType::Float32, DType::Int16}, sum).warnings().empty());
    EXPECT_TRUE(Expression({DType::Float64, DType::Int32}, sum).warnings().empty());
}

TEST(Debug, DivisionByZeroRaises) {
    python::Options debug;
    debug.debug = true;
    for (BinaryOp op : {BinaryOp::FloorDiv, BinaryOp::Mod, BinaryOp::TrueDiv}) {
        const Body body = [=](Emitter& e, const auto& x) { return python::binary(e, op, x[0], x[1]); };
        EXPECT_EQ(Expression({DType::Int32, DType::Int32}, body, debug).raises(),
                  std::vector<std::string>{"ZeroDivisionError"});
        EXPECT_TRUE(Expression({DType::Int32, DType::Int32}, body).raises().empty());
    }
    const Body inverse = [](Emitter& e, const auto& x) {
        return python::binary(e, BinaryOp::Pow, x[0], literal(e, std::int64_t{-1}));
    };
    EXPECT_EQ(Expression({DType::Float32}, inverse, debug).raises(), std::vector<std::string>{"ZeroDivisionError"});
    const Body by_three = [](Emitter& e, const auto& x) {
        return python::binary(e, BinaryOp::FloorDiv, x[0], e.integer(3));
    };
    EXPECT_TRUE(Expression({DType::Int32}, by_three, debug).raises().empty());
    const Body power = [](Emitter& e, const auto& x) { return python::binary(e, BinaryOp::Pow, x[0], x[1]); };
    EXPECT_EQ(Expression({DType::Int32, DType::Int32}, power, debug).raises(),
              std::vector<std::string>{"ZeroDivisionError"});
}

TEST(Power, LiteralExponentsAreProducts) {
    const Body fifth = [](Emitter& e, const auto& x) {
        return python::binary(e, BinaryOp::Pow, x[0], literal(e, std::int64_t{5}));
    };
    const Expression expression({DType::Float32}, fifth);
    EXPECT_PRED_FORMAT2(IsNotSubstring, "pow", expression.text());
    EXPECT_EQ(as_float(expression({ir::encode_float(DType::Float32, 3)})[0]), 243.0f);
}

TEST(Power, KeepsTheSignOfHugeOddExponents) {
    const Body power = [](Emitter& e, const auto& x) { return python::binary(e, BinaryOp::Pow, x[0], x[1]); };
    const Expression ints({DType::Int64, DType::Int64}, power);
    EXPECT_EQ(ints({static_cast<std::uint64_t>(-1), static_cast<std::uint64_t>(int64_max)})[0],
              static_cast<std::uint64_t>(-1));
    const Expression floats({DType::Float32, DType::Int32}, power);
    EXPECT_EQ(as_float(floats({ir::encode_float(DType::Float32, -1), 100001})[0]), -1.0f);
}

TEST(Tuples, ConcatenateAndCompareAsPythons) {
    const auto tuple = [](Emitter& e, std::initializer_list<std::int64_t> items) {
        std::vector<Operand> operands;
        for (std::int64_t item : items) operands.push_back(literal(e, item));
        return e.tuple(operands);
    };
    const auto compared = [&](CompareOp op, std::initializer_list<std::int64_t> a,
                              std::initializer_list<std::int64_t> b) {
        return constant_of([&](Emitter& e, const auto&) { return python::compare(e, op, tuple(e, a), tuple(e, b)); });
    };
    EXPECT_EQ(compared(CompareOp::Eq, {1, 2}, {1, 2}), 1);
    EXPECT_EQ(compared(CompareOp::Eq, {1, 2}, {1, 2, 3}), 0);
    EXPECT_EQ(compared(CompareOp::Ne, {1, 2}, {1, 3}), 1);
    EXPECT_EQ(compared(CompareOp::Lt, {1, 2}, {1, 2, 0}), 1);
    EXPECT_EQ(compared(CompareOp::Lt, {2}, {1, 5}), 0);
    EXPECT_EQ(compared(CompareOp::Ge, {1, 2}, {1, 2}), 1);
    EXPECT_EQ(compared(CompareOp::Gt, {1, 2}, {1, 2}), 0);
    EXPECT_EQ(constant_of([&](Emitter& e, const auto&) {
                  return python::compare(e, CompareOp::NotIn, literal(e, std::int64_t{4}), tuple(e, {1, 2, 3}));
              }),
              1);
    EXPECT_EQ(type_name({DType::Float32},
                        [&](Emitter& e, const auto& x) {
                            return python::binary(e, BinaryOp::Add, tuple(e, {1}), e.tuple({x[0]}));
                        }),
              "Tuple(int64, float32)");
}

TEST(Identity, OfNoneIsKnownAtCompileTime) {
    EXPECT_EQ(
        constant_of([](Emitter& e, const auto&) { return python::compare(e, CompareOp::Is, e.none(), e.none()); }), 1);
    EXPECT_EQ(constant_of(
                  [](Emitter& e, const auto&) { return python::compare(e, CompareOp::IsNot, e.integer(1), e.none()); }),
              1);
    EXPECT_EQ(constant_of([](Emitter& e, const auto&) {
                  return python::compare(e, CompareOp::Eq, text(e, "a"), text(e, "a"));
              }),
              1);
    EXPECT_EQ(constant_of([](Emitter& e, const auto&) {
                  return python::compare(e, CompareOp::Eq, text(e, "a"), text(e, "b"));
              }),
              0);
}

TEST(Refusals, NameTheOperatorAndTheTypes) {
    EXPECT_PRED_FORMAT2(IsSubstring, "`&` is not defined for float32 and int64",
                        refusal({DType::Float32, DType::Int64}, [](Emitter& e, const auto& x) {
                            return python::binary(e, BinaryOp::BitAnd, x[0], x[1]);
                        }));
    EXPECT_PRED_FORMAT2(
        IsSubstring, "`~` is not defined for float64",
        refusal({DType::Float64}, [](Emitter& e, const auto& x) { return python::unary(e, UnaryOp::Invert, x[0]); }));
    EXPECT_PRED_FORMAT2(IsSubstring, "`+` is not defined for int64", refusal({}, [](Emitter& e, const auto&) {
                            return python::binary(e, BinaryOp::Add, e.integer(1), text(e, "a"));
                        }));
    EXPECT_PRED_FORMAT2(IsNotSubstring, "it takes integers", refusal({DType::Float32}, [](Emitter& e, const auto& x) {
                            return python::binary(e, BinaryOp::Add, x[0], text(e, "a"));
                        }));
    EXPECT_PRED_FORMAT2(IsSubstring, "float16 values are not supported in kernels",
                        refusal({DType::Float16}, [](Emitter& e, const auto& x) { return python::truth(e, x[0]); }));
    EXPECT_PRED_FORMAT2(IsSubstring, "cannot convert int64 to none",
                        refusal({DType::Int64}, [](Emitter& e, const auto& x) {
                            return python::convert(e, x[0], python::none_type());
                        }));
    EXPECT_PRED_FORMAT2(IsSubstring, "cannot unify int64 and none for variable 'v'",
                        refusal({DType::Int64}, [](Emitter& e, const auto& x) {
                            python::unify_or_fail(e, x[0].type, python::none_type(), "variable 'v'");
                            return x[0];
                        }));
    EXPECT_PRED_FORMAT2(IsSubstring, "index the array", refusal({}, [](Emitter& e, const auto&) {
                            Operand array;
                            array.type = python::array_type(DType::Float32, 1, python::Layout::C);
                            return python::binary(e, BinaryOp::Mul, array, e.integer(2));
                        }));
}

}  // namespace lanewise::testing
