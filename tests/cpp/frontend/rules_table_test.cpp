// Every recorded expression on bool, integers, float32 and float64: the inferred type must be Numba's, the value too
// but for the deviations named here.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>

#include "frontend/python/scalar_rules.h"
#include "ir/fold.h"
#include "kernel_expression.h"
#include "semantics_table.h"

namespace lanewise::testing {

using python::Emitter;
using python::Operand;
using syntax::BinaryOp;
using syntax::CompareOp;
using syntax::UnaryOp;

namespace {

const std::map<std::string, BinaryOp> binary_ops = {
    {"add", BinaryOp::Add},         {"sub", BinaryOp::Sub},           {"mul", BinaryOp::Mul},
    {"truediv", BinaryOp::TrueDiv}, {"floordiv", BinaryOp::FloorDiv}, {"mod", BinaryOp::Mod},
    {"pow", BinaryOp::Pow},         {"lshift", BinaryOp::LShift},     {"rshift", BinaryOp::RShift},
    {"and_", BinaryOp::BitAnd},     {"or_", BinaryOp::BitOr},         {"xor", BinaryOp::BitXor},
};
const std::map<std::string, CompareOp> compare_ops = {
    {"eq", CompareOp::Eq}, {"ne", CompareOp::Ne}, {"lt", CompareOp::Lt},
    {"le", CompareOp::Le}, {"gt", CompareOp::Gt}, {"ge", CompareOp::Ge},
};
const std::map<std::string, UnaryOp> unary_ops = {
    {"neg", UnaryOp::Neg}, {"pos", UnaryOp::Pos}, {"inv", UnaryOp::Invert}, {"not_", UnaryOp::Not}};
/// (function, item of its result)
const std::map<std::string, std::pair<std::string, int>> calls = {
    {"abs", {"builtins.abs", -1}},     {"bool", {"builtins.bool", -1}},     {"int", {"builtins.int", -1}},
    {"float", {"builtins.float", -1}}, {"round", {"builtins.round", -1}},   {"min", {"builtins.min", -1}},
    {"max", {"builtins.max", -1}},     {"divmod0", {"builtins.divmod", 0}}, {"frexp0", {"math.frexp", 0}},
    {"modf0", {"math.modf", 0}},       {"modf1", {"math.modf", 1}},
};

Operand literal_of(Emitter& e, const std::string& spelling) {
    if (spelling == "True") return literal(e, true);
    if (spelling.find('.') != std::string::npos) return literal(e, std::strtod(spelling.c_str(), nullptr));
    return literal(e, static_cast<std::int64_t>(std::strtoll(spelling.c_str(), nullptr, 10)));
}

/// `a and b`, `a or b`, `a if ... else b`: the type is what both unify to.
Operand select_of(Emitter& e, const Operand& condition, const Operand& if_true, const Operand& if_false) {
    const python::TypePtr type = python::unify_or_fail(e, if_true.type, if_false.type, "test");
    const Operand left = python::convert(e, if_true, type), right = python::convert(e, if_false, type);
    return e.scalar(type->dtype,
                    e.dry() ? nullptr : e.builder().select(condition.value(), left.value(), right.value()));
}

/// The expression of a record; null for those that this table does not cover.
Body body_of(const Record& record) {
    const std::string& op = record.op;
    if (const auto found = binary_ops.find(op); found != binary_ops.end()) {
        return [op = found->second](Emitter& e, const auto& x) { return python::binary(e, op, x[0], x[1]); };
    }
    if (const auto found = compare_ops.find(op); found != compare_ops.end()) {
        return [op = found->second](Emitter& e, const auto& x) { return python::compare(e, op, x[0], x[1]); };
    }
    if (const auto found = unary_ops.find(op); found != unary_ops.end()) {
        return [op = found->second](Emitter& e, const auto& x) { return python::unary(e, op, x[0]); };
    }
    if (op == "land") {
        return [](Emitter& e, const auto& x) { return select_of(e, python::truth(e, x[0]), x[1], x[0]); };
    }
    if (op == "lor") {
        return [](Emitter& e, const auto& x) { return select_of(e, python::truth(e, x[0]), x[0], x[1]); };
    }
    if (op.starts_with("lit_") || op.starts_with("rlit_")) {
        const bool reversed = op[0] == 'r';
        const std::size_t name_at = op.find('_') + 1, literal_at = op.rfind('_') + 1;
        const BinaryOp binary_op = binary_ops.at(op.substr(name_at, literal_at - 1 - name_at));
        const std::string spelling = op.substr(literal_at);
        return [=](Emitter& e, const auto& x) {
            const Operand other = literal_of(e, spelling);
            return reversed ? python::binary(e, binary_op, other, x[0]) : python::binary(e, binary_op, x[0], other);
        };
    }
    if (op.starts_with("cast_")) {
        const auto to = dtype_from_name(op == "cast_bool_" ? "bool" : op.substr(5));
        return [to](Emitter& e, const auto& x) { return python::convert(e, x[0], python::scalar_type(*to)); };
    }
    if (op == "round1") {
        return [](Emitter& e, const auto& x) { return call(e, "builtins.round", {x[0], literal(e, std::int64_t{1})}); };
    }
    std::pair<std::string, int> function;
    if (const auto found = calls.find(op); found != calls.end()) {
        function = found->second;
    } else if (op.starts_with("math_") || op.starts_with("np_")) {
        const bool numpy = op[0] == 'n';
        function = {(numpy ? "numpy." : "math.") + op.substr(numpy ? 3 : 5), -1};
    } else {
        return nullptr;
    }
    return [function](Emitter& e, const auto& x) {
        const Operand result = call(e, function.first, x);
        return function.second < 0 ? result : e.item(result, static_cast<std::size_t>(function.second));
    };
}

std::vector<DType> parameters_of(const Record& record) {
    std::vector<DType> parameters = {*record.a};
    if (record.b) parameters.push_back(*record.b);
    return parameters;
}

std::string title(const Record& record) {
    return record.expression + " for " + std::string(name(*record.a)) +
           (record.b ? ", " + std::string(name(*record.b)) : "");
}

/// What Numba refuses and lanewise computes by NumPy's rules: functions of NumPy on scalars, min and max with booleans,
/// float(bool).
bool is_extension(const Record& record) {
    if (record.op.starts_with("np_") || record.op == "float") return true;
    return (record.op == "min" || record.op == "max") && (is_bool(*record.a) || (record.b && is_bool(*record.b)));
}

bool is_complex_result(const Record& record) {
    return record.op == "complex" || !record.type || is_complex(*record.type);
}

}  // namespace

TEST(RulesTable, TypesAreNumbas) {
    std::size_t checked = 0;
    for (const Record& record : semantics_table()) {
        const Body body = body_of(record);
        if (!body || record.op == "cast_float16" || record.op.starts_with("cast_complex")) continue;
        std::string type;
        try {
            type = python::to_string(type_of(parameters_of(record), body));
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::Typing);
            type = "refused";
        }
        ++checked;
        if (record.refused) {
            if (!is_extension(record)) EXPECT_EQ(type, "refused") << title(record);
        } else if (!is_complex_result(record)) {
            EXPECT_EQ(type, name(*record.type)) << title(record);
        }
    }
    EXPECT_GT(checked, 4000u);
}

TEST(RulesTable, EveryFormOfTheTableIsCovered) {
    std::map<std::string, int> missed;
    for (const Record& record : semantics_table()) {
        if (!body_of(record)) ++missed[record.op];
    }
    missed.erase("complex");
    missed.erase("ternary");
    for (const auto& [op, count] : missed) ADD_FAILURE() << op << " " << count;
}

namespace {

double number(const std::string& text, DType dtype) {
    const std::uint64_t bits = encode(text, dtype);
    if (is_float(dtype)) return ir::decode_float(dtype, bits);
    const std::int64_t value = ir::decode_integer(dtype, bits);
    return dtype == DType::UInt64 ? static_cast<double>(static_cast<std::uint64_t>(value)) : static_cast<double>(value);
}

/// Where the recorded value is a quirk of Numba's code generation that lanewise does not copy.
bool is_deviation(const Record& record, std::size_t i) {
    const DType a = *record.a;
    const double x = number(record.in_a[i], a);
    const double y = record.b ? number(record.in_b[i], *record.b) : 0;
    const std::string& op = record.op;
    const bool float_result = is_float(*record.type);
    const bool converts = op.starts_with("cast_") || op == "int" || op == "round";
    // Not a number has no integer; out of range int8 conversions saturate as all others do.
    if (converts && !float_result && is_float(a) && std::isnan(x)) return true;
    if (op == "cast_int8" && is_float(a) && std::isinf(x)) return true;
    // The least int64 over -1 wraps to itself, as in NumPy; uint64 operands beside signed ones are int64.
    if ((op == "floordiv" || op == "divmod0") && !float_result && std::abs(x) == 0x1p63 && (y == -1 || y == 0x1p64))
        return true;
    // Shift counts out of [0, 64): undefined in Numba.
    if ((op == "lshift" || op == "rshift") && (y < 0 || y > 63)) return true;
    // Negated in 16 bits without wrapping, alone among the widths.
    if (op == "neg" && a == DType::Int16 && x == -0x1p15) return true;
    // CUDA's float32 powi flushes subnormal results.
    if (op == "math_pow" && record.type == DType::Float32 && y == -128) return true;
    if (op == "pow" && record.b && !is_float(*record.b)) {
        // The least exponent has no magnitude in Numba's loop, and parity above 2**53 is lost in float64.
        if (y == static_cast<double>(std::numeric_limits<std::int64_t>::min()) || y == -0x1p31 || y == -0x1p15 ||
            y == -128) {
            return true;
        }
        if (!float_result && (x < 0 || x >= 0x1p63) && y > 0x1p53) return true;
    }
    // Python's modulo and floor division of floats: Numba's remainder is inexact and NaN for infinite divisors.
    const bool divides = op.find("mod") != std::string::npos || op.find("floordiv") != std::string::npos;
    if (divides && float_result) {
        const double divisor = record.b ? y : 1;
        if (std::isinf(divisor) || std::isinf(x) || std::abs(x / divisor) > 0x1p24) return true;
    }
    // Numba rounds to an int64 on the way: no -0.0, and nothing beyond its range.
    if (op == "round1" && (x == 0 || std::abs(x) > 0x1p59)) return true;
    return false;
}

std::int64_t ordered(std::uint64_t bits, DType dtype) {
    if (dtype == DType::Float32) {
        const auto value = static_cast<std::int32_t>(bits);
        return value < 0 ? std::int64_t{std::numeric_limits<std::int32_t>::min()} - value : value;
    }
    const auto value = static_cast<std::int64_t>(bits);
    return value < 0 ? static_cast<std::int64_t>(std::uint64_t{1} << 63) - value : value;
}

bool is_exact(const std::string& op) {
    return !op.starts_with("math_") && !op.starts_with("np_") && op.find("pow") == std::string::npos;
}

bool close(std::uint64_t got, std::uint64_t wanted, const Record& record) {
    const DType dtype = *record.type;
    if (got == wanted) return true;
    if (!is_float(dtype)) return false;
    const double x = ir::decode_float(dtype, got), y = ir::decode_float(dtype, wanted);
    if (std::isnan(x) && std::isnan(y)) return true;
    if (is_exact(record.op) || !std::isfinite(x) || !std::isfinite(y)) return false;
    const std::int64_t distance = std::abs(ordered(got, dtype) - ordered(wanted, dtype));
    return distance <= 16 || std::abs(x - y) < 4e-6 * std::abs(y);
}

}  // namespace

TEST(RulesTable, ValuesAreNumbas) {
    std::size_t checked = 0;
    std::map<std::string, int> failures;
    for (const Record& record : semantics_table()) {
        const Body body = body_of(record);
        if (!body || record.refused || is_complex_result(record) || *record.type == DType::Float16) continue;
        const Expression expression(parameters_of(record), body);
        for (std::size_t i = 0; i < record.in_a.size(); ++i) {
            std::vector<std::uint64_t> arguments = {encode(record.in_a[i], *record.a)};
            if (record.b) arguments.push_back(encode(record.in_b[i], *record.b));
            const std::uint64_t got = expression(arguments)[0];
            const std::uint64_t wanted = encode(record.out[i], *record.type);
            ++checked;
            if (close(got, wanted, record) || is_deviation(record, i)) continue;
            if (++failures[record.op] > 3) continue;
            const bool floating = is_float(*record.type);
            ADD_FAILURE() << title(record) << ": (" << record.in_a[i] << (record.b ? ", " + record.in_b[i] : "")
                          << ") gave "
                          << (floating ? std::to_string(ir::decode_float(*record.type, got))
                                       : std::to_string(ir::decode_integer(*record.type, got)))
                          << ", recorded " << record.out[i];
        }
    }
    EXPECT_GT(checked, 200'000u);
}

}  // namespace lanewise::testing
