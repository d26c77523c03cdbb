// Python's math module. Integers compute in float64, float32 stays; floor, ceil and trunc give floats, as Numba's do.
#include <fmt/format.h>

#include <numbers>

#include "frontend/python/builtin_arguments.h"
#include "frontend/python/builtin_groups.h"
#include "frontend/python/float_functions.h"
#include "frontend/python/integer_functions.h"

namespace lanewise::python {

using ir::ScalarOp;
using ir::Value;

namespace {

/// float32 for float32, else float64.
DType float_dtype(const Operand& x) {
    return x.type->dtype == DType::Float32 ? DType::Float32 : DType::Float64;
}

/// atan2, hypot: integers alone go as float64.
DType wide_pair(DType a, DType b) {
    return is_float(a) || is_float(b) ? arithmetic_dtype(a, b) : DType::Float64;
}

/// fmod, copysign and the rest: Numba's lists start with (float32, float32), so narrow integers alone go as float32.
DType narrow_pair(DType a, DType b) {
    return float_for(a) == DType::Float32 && float_for(b) == DType::Float32 ? DType::Float32 : DType::Float64;
}

template <ScalarOp op>
Operand call_unary(Call& c) {
    c.bind({"x"}, 1);
    const DType dtype = float_dtype(scalar_argument(c, 0));
    return emit_scalar(c.e, dtype, [&](ir::Builder& b) { return b.scalar(op, argument_as(c, 0, dtype)); });
}

template <ScalarOp op, DType (*rule)(DType, DType)>
Operand call_pair(Call& c) {
    c.bind({"x", "y"}, 2);
    const auto [left, right] = operand_dtypes(c.e, scalar_argument(c, 0), scalar_argument(c, 1));
    const DType dtype = rule(left, right);
    warn_promotion(c.e, c.spelling, dtype, c.args[0], c.args[1]);
    return emit_scalar(
        c.e, dtype, [&](ir::Builder& b) { return b.scalar(op, argument_as(c, 0, dtype), argument_as(c, 1, dtype)); });
}

/// math.log(x, base) is the quotient of the logarithms.
Operand call_log(Call& c) {
    c.bind({"x", "base"}, 1);
    const Operand& x = scalar_argument(c, 0);
    DType dtype = float_dtype(x);
    if (given(c, 1)) {
        const auto [left, right] = operand_dtypes(c.e, x, scalar_argument(c, 1));
        dtype = wide_pair(left, right);
    }
    return emit_scalar(c.e, dtype, [&](ir::Builder& b) {
        Value* log = b.scalar(ScalarOp::Log, argument_as(c, 0, dtype));
        return given(c, 1) ? b.scalar(ScalarOp::Div, log, b.scalar(ScalarOp::Log, argument_as(c, 1, dtype))) : log;
    });
}

Operand scaled(Call& c, double factor) {
    c.bind({"x"}, 1);
    const DType dtype = float_dtype(scalar_argument(c, 0));
    return emit_scalar(
        c.e, dtype, [&](ir::Builder& b) { return b.mul(argument_as(c, 0, dtype), b.constant_float(dtype, factor)); });
}

Operand call_degrees(Call& c) {
    return scaled(c, 180 / std::numbers::pi);
}
Operand call_radians(Call& c) {
    return scaled(c, std::numbers::pi / 180);
}

/// The overload Numba picks from (float32, int32), (float64, int32), (float32, float32), (float64, float64): the base's
/// dtype, and whether the exponent goes as an int32.
struct PowOverload {
    DType base;
    bool integer_exponent;
};

PowOverload pow_overload(DType a, DType b) {
    const bool exponent_is_int32 = b == DType::Int32 || b == DType::UInt16;
    const bool narrow = float_for(b) == DType::Float32;
    if (a == DType::Float32 || float_for(a) == DType::Float32) {
        if (is_float(b)) return {narrow ? DType::Float32 : DType::Float64, false};
        if (b == DType::Int32 || (b == DType::UInt16 && a == DType::Float32)) return {DType::Float32, true};
        return narrow ? PowOverload{DType::Float32, true} : PowOverload{DType::Float64, exponent_is_int32};
    }
    return {DType::Float64, !is_float(b) && (narrow || exponent_is_int32)};
}

Operand call_pow(Call& c) {
    c.bind({"x", "y"}, 2);
    const auto [left, right] = operand_dtypes(c.e, scalar_argument(c, 0), scalar_argument(c, 1));
    const PowOverload overload = pow_overload(left, right);
    warn_promotion(c.e, c.spelling, overload.base, c.args[0], c.args[1]);
    return emit_scalar(c.e, overload.base, [&](ir::Builder& b) {
        Value* base = argument_as(c, 0, overload.base);
        if (overload.integer_exponent) return b.scalar(ScalarOp::Powi, base, argument_as(c, 1, DType::Int32));
        return b.scalar(ScalarOp::Pow, base, argument_as(c, 1, overload.base));
    });
}

Operand call_frexp(Call& c) {
    c.bind({"x"}, 1);
    return frexp_of(c.e, convert(c.e, c.args[0], scalar_type(float_for(scalar_argument(c, 0).type->dtype))));
}

Operand call_modf(Call& c) {
    c.bind({"x"}, 1);
    return modf_of(c.e, convert(c.e, c.args[0], scalar_type(float_dtype(scalar_argument(c, 0)))));
}

Operand call_ldexp(Call& c) {
    c.bind({"x", "i"}, 2);
    integer_argument(c, 1);
    return ldexp_of(c.e, convert(c.e, c.args[0], scalar_type(float_dtype(scalar_argument(c, 0)))), c.args[1]);
}

template <Operand (*function)(Emitter&, const Operand&, const Operand&)>
Operand call_integers(Call& c) {
    c.bind({"a", "b"}, 2);
    const TypePtr type =
        scalar_type(arithmetic_dtype(integer_argument(c, 0).type->dtype, integer_argument(c, 1).type->dtype));
    return function(c.e, convert(c.e, c.args[0], type), convert(c.e, c.args[1], type));
}

constexpr Builtin table[] = {
    {"math.acos", call_unary<ScalarOp::Acos>},
    {"math.acosh", call_unary<ScalarOp::Acosh>},
    {"math.asin", call_unary<ScalarOp::Asin>},
    {"math.asinh", call_unary<ScalarOp::Asinh>},
    {"math.atan", call_unary<ScalarOp::Atan>},
    {"math.atanh", call_unary<ScalarOp::Atanh>},
    {"math.cbrt", call_unary<ScalarOp::Cbrt>},
    {"math.ceil", call_unary<ScalarOp::Ceil>},
    {"math.cos", call_unary<ScalarOp::Cos>},
    {"math.cosh", call_unary<ScalarOp::Cosh>},
    {"math.erf", call_unary<ScalarOp::Erf>},
    {"math.erfc", call_unary<ScalarOp::Erfc>},
    {"math.exp", call_unary<ScalarOp::Exp>},
    {"math.exp2", call_unary<ScalarOp::Exp2>},
    {"math.expm1", call_unary<ScalarOp::Expm1>},
    {"math.fabs", call_unary<ScalarOp::Abs>},
    {"math.floor", call_unary<ScalarOp::Floor>},
    {"math.gamma", call_unary<ScalarOp::Gamma>},
    {"math.lgamma", call_unary<ScalarOp::LogGamma>},
    {"math.log10", call_unary<ScalarOp::Log10>},
    {"math.log1p", call_unary<ScalarOp::Log1p>},
    {"math.log2", call_unary<ScalarOp::Log2>},
    {"math.sin", call_unary<ScalarOp::Sin>},
    {"math.sinh", call_unary<ScalarOp::Sinh>},
    {"math.sqrt", call_unary<ScalarOp::Sqrt>},
    {"math.tan", call_unary<ScalarOp::Tan>},
    {"math.tanh", call_unary<ScalarOp::Tanh>},
    {"math.trunc", call_unary<ScalarOp::Trunc>},
    {"math.log", call_log},
    {"math.atan2", call_pair<ScalarOp::Atan2, wide_pair>},
    {"math.hypot", call_pair<ScalarOp::Hypot, wide_pair>},
    {"math.copysign", call_pair<ScalarOp::CopySign, narrow_pair>},
    {"math.fmod", call_pair<ScalarOp::Rem, narrow_pair>},
    {"math.nextafter", call_pair<ScalarOp::NextAfter, narrow_pair>},
    {"math.remainder", call_pair<ScalarOp::IeeeRemainder, narrow_pair>},
    {"math.pow", call_pow},
    {"math.isnan", call_classify<ScalarOp::IsNan, false>},
    {"math.isinf", call_classify<ScalarOp::IsInf, false>},
    {"math.isfinite", call_classify<ScalarOp::IsFinite, true>},
    {"math.degrees", call_degrees},
    {"math.radians", call_radians},
    {"math.frexp", call_frexp},
    {"math.modf", call_modf},
    {"math.ldexp", call_ldexp},
    {"math.gcd", call_integers<gcd_of>},
    {"math.lcm", call_integers<lcm_of>},
};

}  // namespace

std::span<const Builtin> math_builtins() {
    return table;
}

}  // namespace lanewise::python
