// Operators on scalars (and tuples of them): the result type by scalar_types, then the IR that computes what Numba
// does.
#include "frontend/python/scalar_rules.h"

#include <fmt/format.h>

#include "frontend/python/scalar_constants.h"
#include "frontend/python/scalar_operands.h"
#include "frontend/python/scalar_power.h"
#include "frontend/python/scalar_types.h"

namespace lanewise::python {

using ir::ScalarOp;
using ir::Value;
using syntax::BinaryOp;
using syntax::CompareOp;
using syntax::UnaryOp;

namespace {

[[noreturn]] void fail_operands(Emitter& e, std::string_view operation, const Operand& a, const Operand& b) {
    std::string hint;
    if (a.type->is_array() || b.type->is_array()) {
        hint = "; kernels compute on elements: index the array, as in x[i]";
    } else if (a.type->is_scalar() && b.type->is_scalar() && operation != "@") {
        hint = "; it takes integers and booleans: convert with int(x)";
    }
    e.fail(ErrorKind::Typing,
           fmt::format("`{}` is not defined for {} and {}{}", operation, to_string(a.type), to_string(b.type), hint));
}

ScalarOp scalar_op(BinaryOp op) {
    switch (op) {
        case BinaryOp::Add:
            return ScalarOp::Add;
        case BinaryOp::Sub:
            return ScalarOp::Sub;
        case BinaryOp::Mul:
            return ScalarOp::Mul;
        case BinaryOp::TrueDiv:
            return ScalarOp::Div;
        case BinaryOp::FloorDiv:
            return ScalarOp::FloorDiv;
        case BinaryOp::Mod:
            return ScalarOp::Mod;
        case BinaryOp::LShift:
            return ScalarOp::Shl;
        case BinaryOp::RShift:
            return ScalarOp::Shr;
        case BinaryOp::BitAnd:
            return ScalarOp::BitAnd;
        case BinaryOp::BitOr:
            return ScalarOp::BitOr;
        case BinaryOp::BitXor:
            return ScalarOp::BitXor;
        case BinaryOp::Pow:
        case BinaryOp::MatMul:
            break;
    }
    return ScalarOp::Pow;
}

Value* emit_power(Emitter& e, DType result, const Operand& a, const Operand& b) {
    ir::Builder& builder = e.builder();
    Value* base = builder.cast(a.value(), result);
    if (b.type->is_float()) return builder.scalar(ScalarOp::Pow, base, builder.cast(b.value(), result));
    const DType exponent_dtype = is_unsigned(b.type->dtype) ? DType::UInt64 : DType::Int64;
    Value* exponent = builder.cast(b.value(), exponent_dtype);
    if (e.options().debug && is_signed(exponent_dtype)) {
        Value* zero = is_float(result) ? builder.constant_float(result, 0) : builder.constant(result, 0);
        Value* negative = builder.lt(exponent, builder.i64(0));
        e.raise_if(builder.scalar(ScalarOp::BitAnd, builder.eq(base, zero), negative), "ZeroDivisionError",
                   "0 cannot be raised to a negative power", {});
    }
    if (const auto known = constant_integer(b); known && *known >= -power_loop_limit && *known <= power_loop_limit) {
        return constant_power(builder, base, *known);
    }
    return runtime_power(builder, base, exponent);
}

Value* emit_binary(Emitter& e, BinaryOp op, DType result, const Operand& a, const Operand& b) {
    ir::Builder& builder = e.builder();
    Value* left = builder.cast(a.value(), result);
    Value* right = builder.cast(b.value(), result);
    const bool divides = op == BinaryOp::TrueDiv || op == BinaryOp::FloorDiv || op == BinaryOp::Mod;
    if (divides && e.options().debug) {
        Value* zero = is_float(result) ? builder.constant_float(result, 0) : builder.constant(result, 0);
        std::string message = is_float(result) ? "" : "integer ";
        message += op == BinaryOp::Mod ? "modulo by zero" : "division by zero";
        e.raise_if(builder.eq(right, zero), "ZeroDivisionError", message, {});
    }
    return builder.scalar(scalar_op(op), left, right);
}

Operand concatenate(Emitter& e, const Operand& a, const Operand& b) {
    std::vector<Operand> items;
    for (std::size_t i = 0; i < a.type->items.size(); ++i) items.push_back(e.item(a, i));
    for (std::size_t i = 0; i < b.type->items.size(); ++i) items.push_back(e.item(b, i));
    return e.tuple(items);
}

ScalarOp scalar_op(CompareOp op) {
    switch (op) {
        case CompareOp::Ne:
        case CompareOp::IsNot:
            return ScalarOp::Ne;
        case CompareOp::Lt:
            return ScalarOp::Lt;
        case CompareOp::Le:
            return ScalarOp::Le;
        case CompareOp::Gt:
            return ScalarOp::Gt;
        case CompareOp::Ge:
            return ScalarOp::Ge;
        default:
            return ScalarOp::Eq;
    }
}

bool is_identity(CompareOp op) {
    return op == CompareOp::Is || op == CompareOp::IsNot;
}
bool is_negated(CompareOp op) {
    return op == CompareOp::Ne || op == CompareOp::IsNot;
}
bool is_equality(CompareOp op) {
    return op == CompareOp::Eq || op == CompareOp::Ne || is_identity(op);
}

Operand combine(Emitter& e, ScalarOp op, const Operand& a, const Operand& b) {
    if (const auto x = constant_integer(a), y = constant_integer(b); x && y) {
        return constant_bool(e, op == ScalarOp::BitAnd ? *x && *y : *x || *y);
    }
    return e.scalar(DType::Bool, e.dry() ? nullptr : e.builder().scalar(op, a.value(), b.value()));
}

Operand negate(Emitter& e, const Operand& a) {
    if (const auto x = constant_integer(a)) return constant_bool(e, !*x);
    return e.scalar(DType::Bool, e.dry() ? nullptr : e.builder().logical_not(a.value()));
}

Operand tuples_equal(Emitter& e, const Operand& a, const Operand& b) {
    if (a.type->items.size() != b.type->items.size()) return constant_bool(e, false);
    Operand result = constant_bool(e, true);
    for (std::size_t i = 0; i < a.type->items.size(); ++i) {
        result = combine(e, ScalarOp::BitAnd, result, compare(e, CompareOp::Eq, e.item(a, i), e.item(b, i)));
    }
    return result;
}

/// Lexicographic: the first items that differ decide, else the lengths.
Operand tuples_ordered(Emitter& e, CompareOp op, const Operand& a, const Operand& b) {
    const std::size_t left = a.type->items.size(), right = b.type->items.size();
    Operand result =
        constant_bool(e, fold_compare(op, static_cast<std::int64_t>(left), static_cast<std::int64_t>(right)));
    const CompareOp strict = op == CompareOp::Lt || op == CompareOp::Le ? CompareOp::Lt : CompareOp::Gt;
    for (std::size_t i = std::min(left, right); i-- > 0;) {
        const Operand equal = compare(e, CompareOp::Eq, e.item(a, i), e.item(b, i));
        const Operand decided = compare(e, strict, e.item(a, i), e.item(b, i));
        result = combine(e, ScalarOp::BitOr, decided, combine(e, ScalarOp::BitAnd, equal, result));
    }
    return result;
}

Operand contains(Emitter& e, const Operand& item, const Operand& tuple) {
    Operand result = constant_bool(e, false);
    for (std::size_t i = 0; i < tuple.type->items.size(); ++i) {
        result = combine(e, ScalarOp::BitOr, result, compare(e, CompareOp::Eq, item, e.item(tuple, i)));
    }
    return result;
}

Operand convert_scalar(Emitter& e, const Operand& a, DType to) {
    require_kernel_scalar(e, a.type->dtype);
    require_kernel_scalar(e, to);
    Operand result = e.scalar(to, e.dry() ? nullptr : e.builder().cast(a.value(), to));
    if (const auto value = constant_integer(a)) {
        if (to == DType::Bool) {
            result.constant = bool_constant(*value != 0);
        } else if (is_integer(to) && fits(to, *value)) {
            result.constant = integer_constant(*value);
        } else if (is_float(to)) {
            result.constant = float_constant(static_cast<double>(*value));
        }
    }
    return result;
}

Operand convert_array(Emitter& e, const Operand& a, TypePtr to) {
    Operand result = a;
    result.type = to;
    if (!e.dry() && a.type->space != to->space) {
        result.parts[0] = e.builder().bitcast(a.parts[0], ir::Type::pointer(to->space));
    }
    return result;
}

/// Ranges and slices: their parts one by one.
Operand convert_parts(Emitter& e, const Operand& a, TypePtr to) {
    Operand result = a;
    result.type = to;
    const std::vector<ir::Type> types = parts_of(to);
    for (std::size_t i = 0; i < result.parts.size(); ++i)
        result.parts[i] = e.builder().cast(a.parts[i], types[i].dtype);
    return result;
}

}  // namespace

Operand binary(Emitter& e, BinaryOp op, const Operand& a, const Operand& b) {
    if (op == BinaryOp::Add && a.type->is_tuple() && b.type->is_tuple()) return concatenate(e, a, b);
    if (!a.type->is_scalar() || !b.type->is_scalar()) fail_operands(e, symbol(op), a, b);
    require_kernel_scalar(e, a.type->dtype);
    require_kernel_scalar(e, b.type->dtype);
    const auto [left, right] = operand_dtypes(e, a, b);
    const std::optional<DType> result = binary_dtype(op, left, right);
    if (!result) fail_operands(e, symbol(op), a, b);
    warn_promotion(e, fmt::format("`{}`", symbol(op)), *result, a, b);

    Value* value = nullptr;
    if (!e.dry()) {
        value = op == BinaryOp::Pow ? emit_power(e, *result, a, b) : emit_binary(e, op, *result, a, b);
    }
    Operand out = e.scalar(*result, value);
    if (const auto x = constant_integer(a), y = constant_integer(b); x && y && !is_float(*result)) {
        if (const auto folded = fold_binary(op, *x, *y); folded && fits(*result, *folded)) {
            out.constant = is_bool(*result) ? bool_constant(*folded) : integer_constant(*folded);
        }
    }
    return out;
}

Operand unary(Emitter& e, UnaryOp op, const Operand& a) {
    if (op == UnaryOp::Not) return negate(e, truth(e, a));
    const auto refuse = [&]() {
        e.fail(ErrorKind::Typing, fmt::format("`{}` is not defined for {}", symbol(op), to_string(a.type)));
    };
    if (!a.type->is_scalar()) refuse();
    require_kernel_scalar(e, a.type->dtype);
    const std::optional<DType> result = unary_dtype(op, a.type->dtype);
    if (!result) refuse();
    // -9223372036854775808 reads as the negative of a uint64 literal; the whole is an int64.
    if (op == UnaryOp::Neg && a.constant && a.constant->is_uint64 &&
        static_cast<std::uint64_t>(a.constant->integer) == std::uint64_t{1} << 63) {
        Operand least = e.integer(INT64_MIN);
        least.is_literal = a.is_literal;
        return least;
    }

    Value* value = nullptr;
    if (!e.dry()) {
        ir::Builder& builder = e.builder();
        value = a.value();
        // Negation and inversion act at the operand's own width (as Numba's do), then widen; -bool is an integer.
        if (op == UnaryOp::Neg && a.type->is_bool()) value = builder.cast(value, *result);
        if (op == UnaryOp::Neg) value = builder.scalar(ScalarOp::Neg, value);
        if (op == UnaryOp::Invert) value = builder.scalar(ScalarOp::BitNot, value);
        value = builder.cast(value, *result);
    }
    Operand out = e.scalar(*result, value);
    out.is_literal = a.is_literal;
    if (const auto x = constant_integer(a); x && !is_unsigned(*result)) {
        if (is_bool(*result)) {
            out.constant = bool_constant(!*x);
        } else if (op == UnaryOp::Pos) {
            out.constant = integer_constant(*x);
        } else if (op == UnaryOp::Invert) {
            out.constant = integer_constant(~*x);
        } else if (a.type->is_bool() || *x != least_of(a.type->dtype)) {
            out.constant = integer_constant(-*x);
        }
    } else if (a.constant && a.constant->kind == syntax::Captured::Kind::Float) {
        out.constant = float_constant(op == UnaryOp::Neg ? -a.constant->number : a.constant->number);
    }
    return out;
}

Operand compare(Emitter& e, CompareOp op, const Operand& a, const Operand& b) {
    if (op == CompareOp::In || op == CompareOp::NotIn) {
        if (!b.type->is_tuple()) fail_operands(e, symbol(op), a, b);
        const Operand found = contains(e, a, b);
        return op == CompareOp::In ? found : negate(e, found);
    }
    if (a.type->is_tuple() && b.type->is_tuple()) {
        if (!is_equality(op)) return tuples_ordered(e, op, a, b);
        const Operand equal = tuples_equal(e, a, b);
        return is_negated(op) ? negate(e, equal) : equal;
    }
    if (is_equality(op)) {
        // None, dtypes, functions and strings are compile-time values.
        const auto is_static = [](const Operand& x) { return !x.type->is_scalar() && parts_of(x.type).empty(); };
        if (is_static(a) || is_static(b)) {
            const std::string* left = constant_text(a);
            const std::string* right = constant_text(b);
            const bool equal = left && right ? *left == *right : a.type == b.type;
            return constant_bool(e, equal != is_negated(op));
        }
    }
    if (!a.type->is_scalar() || !b.type->is_scalar()) fail_operands(e, symbol(op), a, b);
    require_kernel_scalar(e, a.type->dtype);
    require_kernel_scalar(e, b.type->dtype);
    if (const auto x = constant_integer(a), y = constant_integer(b);
        x && y && !a.type->is_float() && !b.type->is_float()) {
        return constant_bool(e, fold_compare(op, *x, *y));
    }
    const auto [left, right] = operand_dtypes(e, a, b);
    Value* value = nullptr;
    if (!e.dry()) {
        ir::Builder& builder = e.builder();
        const DType common = comparison_dtype(left, right);
        value = builder.scalar(scalar_op(op), builder.cast(a.value(), common), builder.cast(b.value(), common));
    }
    return e.scalar(DType::Bool, value);
}

Operand convert(Emitter& e, const Operand& a, TypePtr to) {
    if (a.type == to) return a;
    if (a.type->is_scalar() && to->is_scalar()) return convert_scalar(e, a, to->dtype);
    if (a.type->kind == to->kind) {
        switch (to->kind) {
            case Type::Kind::Tuple:
                if (a.type->items.size() == to->items.size()) {
                    std::vector<Operand> items;
                    for (std::size_t i = 0; i < to->items.size(); ++i) {
                        items.push_back(convert(e, e.item(a, i), to->items[i]));
                    }
                    return e.tuple(items);
                }
                break;
            case Type::Kind::Array:
                if (a.type->dtype == to->dtype && a.type->ndim == to->ndim) return convert_array(e, a, to);
                break;
            case Type::Kind::Range:
            case Type::Kind::Slice:
                if (parts_of(a.type).size() == parts_of(to).size()) return convert_parts(e, a, to);
                break;
            default:
                break;
        }
    }
    e.fail(ErrorKind::Typing, fmt::format("cannot convert {} to {}", to_string(a.type), to_string(to)));
}

Operand truth(Emitter& e, const Operand& a) {
    switch (a.type->kind) {
        case Type::Kind::Scalar: {
            require_kernel_scalar(e, a.type->dtype);
            if (const auto x = constant_integer(a); x && !a.type->is_float()) return constant_bool(e, *x != 0);
            if (const auto x = constant_number(a)) return constant_bool(e, *x != 0);
            return e.scalar(DType::Bool, e.dry() ? nullptr : e.builder().cast(a.value(), DType::Bool));
        }
        case Type::Kind::Tuple:
            return constant_bool(e, !a.type->items.empty());
        case Type::Kind::None:
            return constant_bool(e, false);
        case Type::Kind::String:
            if (const std::string* text = constant_text(a)) return constant_bool(e, !text->empty());
            break;
        default:
            break;
    }
    e.fail(ErrorKind::Typing, fmt::format("{} has no truth value in a kernel{}", to_string(a.type),
                                          a.type->is_array() ? "; test len(x), x.size or an element" : ""));
}

TypePtr unify_or_fail(Emitter& e, TypePtr a, TypePtr b, const std::string& what) {
    if (TypePtr common = unify(a, b)) return common;
    e.fail(ErrorKind::Typing, fmt::format("cannot unify {} and {} for {}", to_string(a), to_string(b), what));
}

}  // namespace lanewise::python
