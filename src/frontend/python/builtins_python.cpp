// Python's own functions on numbers and tuples: abs, min, round, int, isinstance and their like.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "frontend/python/builtin_arguments.h"
#include "frontend/python/builtin_groups.h"

namespace lanewise::python {

using ir::ScalarOp;
using ir::Value;
using syntax::BinaryOp;
using syntax::CompareOp;

namespace {

Operand call_abs(Call& c) {
    c.bind({"x"}, 1);
    const Operand& x = scalar_argument(c, 0);
    // Numba gives abs(bool) as an int8.
    const DType dtype = x.type->is_bool() ? DType::Int8 : x.type->dtype;
    Operand result = emit_scalar(c.e, dtype, [&](ir::Builder& b) {
        Value* value = b.cast(x.value(), dtype);
        return is_unsigned(dtype) ? value : b.scalar(ScalarOp::Abs, value);
    });
    if (const auto value = constant_integer(x); value && *value != INT64_MIN && fits(dtype, std::abs(*value))) {
        result.constant = integer_constant(std::abs(*value));
    }
    return result;
}

Operand call_bool(Call& c) {
    c.bind({"x"}, 0);
    return c.args[0].type ? truth(c.e, c.args[0]) : constant_bool(c.e, false);
}

Operand call_int(Call& c) {
    c.bind({"x"}, 0);
    if (!c.args[0].type) return c.e.integer(0);
    const Operand& x = scalar_argument(c, 0);
    if (const auto number = constant_number(x); number && x.type->is_float() && std::abs(*number) < 0x1p62) {
        return c.e.integer(static_cast<std::int64_t>(*number));
    }
    return x.type->is_integer() ? x : convert(c.e, x, scalar_type(DType::Int64));
}

/// float("inf"), float("1e-3"): the value of a constant string.
Operand float_of_text(Call& c, std::string text) {
    std::erase_if(text, [](char ch) { return ch == ' ' || ch == '_'; });
    const char* first = text.data() + (text.starts_with('+') ? 1 : 0);
    const char* last = text.data() + text.size();
    double value = 0;
    const auto [end, error] = std::from_chars(first, last, value);
    if (error != std::errc() || end != last || first == last) c.fail_argument(0, "does not read as a number");
    return constant_float64(c.e, value);
}

Operand call_float(Call& c) {
    c.bind({"x"}, 0);
    if (!c.args[0].type) return constant_float64(c.e, 0);
    if (const std::string* text = constant_text(c.args[0])) return float_of_text(c, *text);
    const Operand& x = scalar_argument(c, 0);
    return x.type->is_float() ? x : convert(c.e, x, scalar_type(DType::Float64));
}

Operand refuse_complex(Call& c) {
    c.fail("complex values are not supported in kernels");
}

Operand range_length(Call& c, const Operand& range) {
    return emit_scalar(c.e, DType::Int64, [&](ir::Builder& b) {
        Value* start = b.cast(range.parts[0], DType::Int64);
        Value* stop = b.cast(range.parts[1], DType::Int64);
        Value* step = b.cast(range.parts[2], DType::Int64);
        Value* zero = b.i64(0);
        Value* one = b.i64(1);
        Value* upward = b.scalar(ScalarOp::Gt, step, zero);
        Value* span = b.select(upward, b.sub(stop, start), b.sub(start, stop));
        Value* stride = b.select(upward, step, b.scalar(ScalarOp::Neg, step));
        Value* whole = b.scalar(ScalarOp::FloorDiv, b.sub(b.add(span, stride), one), stride);
        return b.select(b.scalar(ScalarOp::Gt, span, zero), whole, zero);
    });
}

Operand call_len(Call& c) {
    c.bind({"x"}, 1);
    const Operand& x = c.args[0];
    switch (x.type->kind) {
        case Type::Kind::Array:
            if (x.type->ndim == 0) c.fail_argument(0, "has no dimension, so no length");
            return c.e.scalar(DType::Int64, c.e.dry() ? nullptr : x.parts[1]);
        case Type::Kind::Tuple:
            return c.e.integer(static_cast<std::int64_t>(x.type->items.size()));
        case Type::Kind::String:
            if (const std::string* text = constant_text(x)) return c.e.integer(static_cast<std::int64_t>(text->size()));
            break;
        case Type::Kind::Range:
            return range_length(c, x);
        default:
            break;
    }
    c.fail_argument(0, "has no length");
}

/// min(a, b) and max(a, b). Two floats: the other one where one is NaN. Otherwise Python's order: a unless b is beyond
/// it.
Operand smaller_or_larger(Call& c, bool larger, const Operand& a, const Operand& b) {
    Emitter& e = c.e;
    auto [left, right] = operand_dtypes(e, a, b);
    const TypePtr common = unify_or_fail(e, scalar_type(left), scalar_type(right), c.spelling);
    warn_promotion(e, c.spelling, common->dtype, a, b);
    const auto x = constant_integer(a), y = constant_integer(b);
    if (x && y && !is_float(common->dtype)) {
        return convert(e, (larger ? *y > *x : *y < *x) ? b : a, common);
    }
    if (left == right || (is_float(left) && is_float(right))) {
        return emit_scalar(e, common->dtype, [&](ir::Builder& builder) {
            return builder.scalar(larger ? ScalarOp::Max : ScalarOp::Min, builder.cast(a.value(), common->dtype),
                                  builder.cast(b.value(), common->dtype));
        });
    }
    const Operand beyond = compare(e, larger ? CompareOp::Gt : CompareOp::Lt, b, a);
    return emit_scalar(e, common->dtype, [&](ir::Builder& builder) {
        return builder.select(beyond.value(), builder.cast(b.value(), common->dtype),
                              builder.cast(a.value(), common->dtype));
    });
}

Operand call_min_max(Call& c) {
    const bool larger = c.name == "builtins.max";
    if (!c.keywords.empty()) c.fail(fmt::format("takes no keyword `{}` in kernels", c.keywords[0].first));
    if (c.args.size() == 1 && c.args[0].type->is_tuple()) {
        const Operand tuple = c.args[0];
        c.args.clear();
        for (std::size_t i = 0; i < tuple.type->items.size(); ++i) c.args.push_back(c.e.item(tuple, i));
    } else if (c.args.size() == 1) {
        c.fail(fmt::format("takes two or more numbers or one tuple of numbers, as in {}(a, b)", c.spelling));
    }
    if (c.args.empty()) c.fail("takes at least one number");
    Operand result = scalar_argument(c, 0);
    for (std::size_t i = 1; i < c.args.size(); ++i) {
        result = smaller_or_larger(c, larger, result, scalar_argument(c, i));
    }
    return result;
}

/// round(x): half to even, an int64.
Operand round_to_integer(Call& c, const Operand& x) {
    if (x.type->dtype == DType::UInt64) {
        // Numba goes through float64 and saturates; the saturation is kept, the loss of digits is not.
        return emit_scalar(c.e, DType::Int64, [&](ir::Builder& b) {
            Value* most = b.constant(DType::UInt64, INT64_MAX);
            return b.cast(b.scalar(ScalarOp::Min, x.value(), most), DType::Int64);
        });
    }
    if (!x.type->is_float()) return convert(c.e, x, scalar_type(DType::Int64));
    return emit_scalar(c.e, DType::Int64,
                       [&](ir::Builder& b) { return b.cast(b.scalar(ScalarOp::Rint, x.value()), DType::Int64); });
}

/// round(x, n): scaled by 10 ** n in float64, rounded half to even, scaled back; what overflows is left as it is.
Operand round_to_digits(Call& c, const Operand& x, const Operand& digits) {
    const DType dtype = x.type->is_float() ? x.type->dtype : float_for(x.type->dtype);
    Emitter& e = c.e;
    const Operand ten = constant_float64(e, 10);
    const auto constant = constant_integer(digits);
    const Operand zero = e.integer(0);
    const Operand magnitude = emit_scalar(
        e, DType::Int64, [&](ir::Builder& b) { return b.scalar(ScalarOp::Abs, b.cast(digits.value(), DType::Int64)); });
    const Operand power = constant && *constant >= -308 && *constant <= 308
                              ? constant_float64(e, std::pow(10.0, std::abs(static_cast<double>(*constant))))
                              : binary(e, BinaryOp::Pow, ten, magnitude);
    const Operand upward = compare(e, CompareOp::Ge, digits, zero);
    return emit_scalar(e, dtype, [&](ir::Builder& b) {
        Value* wide = b.cast(x.value(), DType::Float64);
        Value* scale = power.value();
        Value* scaled = b.select(upward.value(), b.mul(wide, scale), b.scalar(ScalarOp::Div, wide, scale));
        Value* whole = b.scalar(ScalarOp::Rint, scaled);
        Value* back = b.select(upward.value(), b.scalar(ScalarOp::Div, whole, scale), b.mul(whole, scale));
        Value* finite = b.scalar(ScalarOp::IsFinite, scaled);
        return b.cast(b.select(finite, back, wide), dtype);
    });
}

Operand call_round(Call& c) {
    c.bind({"number", "ndigits"}, 1);
    const Operand& x = scalar_argument(c, 0);
    return given(c, 1) ? round_to_digits(c, x, integer_argument(c, 1)) : round_to_integer(c, x);
}

Operand call_divmod(Call& c) {
    c.bind({"x", "y"}, 2);
    const TypePtr common =
        scalar_type(divmod_dtype(scalar_argument(c, 0).type->dtype, scalar_argument(c, 1).type->dtype));
    const Operand x = convert(c.e, c.args[0], common);
    const Operand y = convert(c.e, c.args[1], common);
    return c.e.tuple({binary(c.e, BinaryOp::FloorDiv, x, y), binary(c.e, BinaryOp::Mod, x, y)});
}

Operand call_pow(Call& c) {
    c.bind({"base", "exp", "mod"}, 2);
    if (given(c, 2)) c.fail("a modulus is not supported in kernels; write pow(a, b) % m");
    return binary(c.e, BinaryOp::Pow, c.args[0], c.args[1]);
}

Operand call_tuple(Call& c) {
    c.bind({"iterable"}, 0);
    if (!c.args[0].type) return c.e.tuple({});
    if (!c.args[0].type->is_tuple())
        c.fail_argument(0, "takes a tuple: the number of items must be known at compile time");
    return c.args[0];
}

bool is_instance_of(Call& c, TypePtr type, const Operand& class_or_tuple) {
    if (class_or_tuple.type->is_tuple()) {
        for (std::size_t i = 0; i < class_or_tuple.type->items.size(); ++i) {
            if (is_instance_of(c, type, c.e.item(class_or_tuple, i))) return true;
        }
        return false;
    }
    if (class_or_tuple.type->is(Type::Kind::DType))
        return type->is_scalar() && type->dtype == class_or_tuple.type->dtype;
    const std::string& name = class_or_tuple.type->builtin;
    if (class_or_tuple.type->is(Type::Kind::Builtin)) {
        if (name == "builtins.int") return type->is_integer() || type->is_bool();
        if (name == "builtins.float") return type->is_float();
        if (name == "builtins.bool") return type->is_bool();
        if (name == "builtins.complex") return false;
        if (name == "builtins.tuple") return type->is_tuple();
        if (name == "builtins.str") return type->is(Type::Kind::String);
    }
    c.fail_argument(1, "names no type that kernels can test for; int, float, bool, tuple and dtypes are");
}

Operand call_isinstance(Call& c) {
    c.bind({"object", "class_or_tuple"}, 2);
    return constant_bool(c.e, is_instance_of(c, c.args[0].type, c.args[1]));
}

Operand call_type(Call& c) {
    c.bind({"object"}, 1);
    const Operand& x = c.args[0];
    if (!x.type->is_scalar()) c.fail_argument(0, "type() is supported on numbers only");
    Operand result;
    Type type;
    type.kind = Type::Kind::DType;
    type.dtype = x.type->dtype;
    result.type = intern(type);
    return result;
}

constexpr Builtin table[] = {
    {"builtins.abs", call_abs},
    {"builtins.bool", call_bool},
    {"builtins.int", call_int},
    {"builtins.float", call_float},
    {"builtins.complex", refuse_complex},
    {"builtins.len", call_len},
    {"builtins.min", call_min_max},
    {"builtins.max", call_min_max},
    {"builtins.round", call_round},
    {"builtins.divmod", call_divmod},
    {"builtins.pow", call_pow},
    {"builtins.tuple", call_tuple},
    {"builtins.isinstance", call_isinstance},
    {"builtins.type", call_type},
};

}  // namespace

std::span<const Builtin> python_builtins() {
    return table;
}

}  // namespace lanewise::python
