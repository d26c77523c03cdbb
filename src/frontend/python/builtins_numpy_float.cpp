// NumPy's float functions on scalars: elementary functions, rounding, classification. Functions of arrays are not here:
// kernels compute on elements.
#include <fmt/format.h>

#include <numbers>

#include "frontend/python/builtin_arguments.h"
#include "frontend/python/builtin_groups.h"
#include "frontend/python/float_functions.h"
#include "frontend/python/numpy_types.h"

namespace lanewise::python {

using ir::ScalarOp;
using ir::Value;

namespace {

/// The argument converted to the float dtype its own dtype computes in.
Operand float_argument(Call& c, std::size_t index) {
    return convert(c.e, c.args[index], scalar_type(numpy_float_dtype(scalar_argument(c, index).type->dtype)));
}

template <ScalarOp op>
Operand call_unary(Call& c) {
    c.bind({"x"}, 1);
    const Operand x = float_argument(c, 0);
    return emit_scalar(c.e, x.type->dtype, [&](ir::Builder& b) { return b.scalar(op, x.value()); });
}

/// floor, ceil and trunc leave integers as they are.
template <ScalarOp op>
Operand call_rounding(Call& c) {
    c.bind({"x"}, 1);
    return scalar_argument(c, 0).type->is_float() ? call_unary<op>(c) : c.args[0];
}

Operand call_round(Call& c) {
    c.bind({"a", "decimals"}, 1);
    const Operand& x = scalar_argument(c, 0);
    if (given(c, 1) && constant_integer(c.args[1]) != 0) {
        if (!x.type->is_float()) c.fail_argument(1, "rounding integers to decimals is not supported in kernels");
        Call rounded{c.e, "builtins.round", c.spelling, c.at, c.args, c.arg_locations, {}};
        return find_builtin("builtins.round")(rounded);
    }
    c.args.resize(1);
    return call_rounding<ScalarOp::Rint>(c);
}

template <ScalarOp op>
Operand call_pair(Call& c) {
    c.bind({"x1", "x2"}, 2);
    const DType dtype = numpy_float_dtype(numpy_common_dtype(c));
    return emit_scalar(
        c.e, dtype, [&](ir::Builder& b) { return b.scalar(op, argument_as(c, 0, dtype), argument_as(c, 1, dtype)); });
}

using PairFunction = Value* (*)(ir::Builder&, Value*, Value*);

template <PairFunction function>
Operand call_composed_pair(Call& c) {
    c.bind({"x1", "x2"}, 2);
    const DType dtype = numpy_float_dtype(numpy_common_dtype(c));
    return emit_scalar(c.e, dtype,
                       [&](ir::Builder& b) { return function(b, argument_as(c, 0, dtype), argument_as(c, 1, dtype)); });
}

Value* logaddexp(ir::Builder& b, Value* x, Value* y) {
    return logaddexp_of(b, x, y, false);
}
Value* logaddexp2(ir::Builder& b, Value* x, Value* y) {
    return logaddexp_of(b, x, y, true);
}

Operand scaled(Call& c, double factor) {
    c.bind({"x"}, 1);
    const Operand x = float_argument(c, 0);
    return emit_scalar(c.e, x.type->dtype,
                       [&](ir::Builder& b) { return b.mul(x.value(), b.constant_float(x.type->dtype, factor)); });
}

Operand call_degrees(Call& c) {
    return scaled(c, 180 / std::numbers::pi);
}
Operand call_radians(Call& c) {
    return scaled(c, std::numbers::pi / 180);
}

Operand call_signbit(Call& c) {
    c.bind({"x"}, 1);
    const Operand& x = scalar_argument(c, 0);
    if (is_unsigned(x.type->dtype) || x.type->is_bool()) return constant_bool(c.e, false);
    return emit_scalar(c.e, DType::Bool, [&](ir::Builder& b) {
        if (x.type->is_float()) return b.scalar(ScalarOp::SignBit, x.value());
        return b.lt(x.value(), b.constant(x.type->dtype, 0));
    });
}

Operand call_spacing(Call& c) {
    c.bind({"x"}, 1);
    const Operand x = float_argument(c, 0);
    return emit_scalar(c.e, x.type->dtype, [&](ir::Builder& b) { return spacing_of(b, x.value()); });
}

Operand call_frexp(Call& c) {
    c.bind({"x"}, 1);
    return frexp_of(c.e, float_argument(c, 0));
}

Operand call_modf(Call& c) {
    c.bind({"x"}, 1);
    return modf_of(c.e, float_argument(c, 0));
}

Operand call_ldexp(Call& c) {
    c.bind({"x1", "x2"}, 2);
    integer_argument(c, 1);
    return ldexp_of(c.e, float_argument(c, 0), c.args[1]);
}

Operand call_float_power(Call& c) {
    c.bind({"x1", "x2"}, 2);
    scalar_argument(c, 0);
    scalar_argument(c, 1);
    return emit_scalar(c.e, DType::Float64, [&](ir::Builder& b) {
        return b.scalar(ScalarOp::Pow, argument_as(c, 0, DType::Float64), argument_as(c, 1, DType::Float64));
    });
}

constexpr Builtin table[] = {
    {"numpy.sin", call_unary<ScalarOp::Sin>},
    {"numpy.cos", call_unary<ScalarOp::Cos>},
    {"numpy.tan", call_unary<ScalarOp::Tan>},
    {"numpy.arcsin", call_unary<ScalarOp::Asin>},
    {"numpy.asin", call_unary<ScalarOp::Asin>},
    {"numpy.arccos", call_unary<ScalarOp::Acos>},
    {"numpy.acos", call_unary<ScalarOp::Acos>},
    {"numpy.arctan", call_unary<ScalarOp::Atan>},
    {"numpy.atan", call_unary<ScalarOp::Atan>},
    {"numpy.sinh", call_unary<ScalarOp::Sinh>},
    {"numpy.cosh", call_unary<ScalarOp::Cosh>},
    {"numpy.tanh", call_unary<ScalarOp::Tanh>},
    {"numpy.arcsinh", call_unary<ScalarOp::Asinh>},
    {"numpy.asinh", call_unary<ScalarOp::Asinh>},
    {"numpy.arccosh", call_unary<ScalarOp::Acosh>},
    {"numpy.acosh", call_unary<ScalarOp::Acosh>},
    {"numpy.arctanh", call_unary<ScalarOp::Atanh>},
    {"numpy.atanh", call_unary<ScalarOp::Atanh>},
    {"numpy.exp", call_unary<ScalarOp::Exp>},
    {"numpy.exp2", call_unary<ScalarOp::Exp2>},
    {"numpy.expm1", call_unary<ScalarOp::Expm1>},
    {"numpy.log", call_unary<ScalarOp::Log>},
    {"numpy.log2", call_unary<ScalarOp::Log2>},
    {"numpy.log10", call_unary<ScalarOp::Log10>},
    {"numpy.log1p", call_unary<ScalarOp::Log1p>},
    {"numpy.sqrt", call_unary<ScalarOp::Sqrt>},
    {"numpy.cbrt", call_unary<ScalarOp::Cbrt>},
    {"numpy.fabs", call_unary<ScalarOp::Abs>},
    {"numpy.rint", call_unary<ScalarOp::Rint>},
    {"numpy.floor", call_rounding<ScalarOp::Floor>},
    {"numpy.ceil", call_rounding<ScalarOp::Ceil>},
    {"numpy.trunc", call_rounding<ScalarOp::Trunc>},
    {"numpy.fix", call_rounding<ScalarOp::Trunc>},
    {"numpy.round", call_round},
    {"numpy.around", call_round},
    {"numpy.degrees", call_degrees},
    {"numpy.rad2deg", call_degrees},
    {"numpy.radians", call_radians},
    {"numpy.deg2rad", call_radians},
    {"numpy.arctan2", call_pair<ScalarOp::Atan2>},
    {"numpy.atan2", call_pair<ScalarOp::Atan2>},
    {"numpy.hypot", call_pair<ScalarOp::Hypot>},
    {"numpy.copysign", call_pair<ScalarOp::CopySign>},
    {"numpy.nextafter", call_pair<ScalarOp::NextAfter>},
    {"numpy.heaviside", call_composed_pair<heaviside_of>},
    {"numpy.logaddexp", call_composed_pair<logaddexp>},
    {"numpy.logaddexp2", call_composed_pair<logaddexp2>},
    {"numpy.isnan", call_classify<ScalarOp::IsNan, false>},
    {"numpy.isinf", call_classify<ScalarOp::IsInf, false>},
    {"numpy.isfinite", call_classify<ScalarOp::IsFinite, true>},
    {"numpy.signbit", call_signbit},
    {"numpy.spacing", call_spacing},
    {"numpy.frexp", call_frexp},
    {"numpy.modf", call_modf},
    {"numpy.ldexp", call_ldexp},
    {"numpy.float_power", call_float_power},
};

}  // namespace

std::span<const Builtin> numpy_float_builtins() {
    return table;
}

}  // namespace lanewise::python
