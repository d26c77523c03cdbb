// What the reductions accumulate.
#include <limits>

#include "array/arithmetic.h"
#include "array/reduction.h"

namespace lanewise {
namespace {

using V = ir::Value*;
using S = ir::ScalarOp;

bool is_least(Reduction op) {
    return op == Reduction::Min || op == Reduction::FMin || op == Reduction::ArgMin;
}

/// The number that no other is beaten by: the largest for minima.
Number extreme(ir::Builder& b, DType type, bool largest) {
    if (is_bool(type)) return {b.boolean(largest)};
    if (is_integer(type)) {
        const int width = bits(type);
        if (is_unsigned(type)) return {b.constant(type, largest ? -1 : 0)};
        const std::int64_t low = std::int64_t(std::uint64_t(1) << 63) >> (64 - width);
        return {b.constant(type, largest ? ~low : low)};
    }
    const double infinity = std::numeric_limits<double>::infinity();
    V value = b.constant_float(real_of(type), largest ? infinity : -infinity);
    return {value, is_complex(type) ? value : nullptr};
}

V is_nan(ir::Builder& b, DType type, const Number& x) {
    V nan = b.scalar(S::IsNan, x.re);
    return is_complex(type) ? b.scalar(S::BitOr, nan, b.scalar(S::IsNan, x.im)) : nan;
}

Number choose(ir::Builder& b, V condition, const Number& x, const Number& y) {
    return {b.select(condition, x.re, y.re), x.im ? b.select(condition, x.im, y.im) : nullptr};
}

}  // namespace

DType accumulator(DType type) {
    return is_float(type) && size_of(type) == 2 ? DType::Float32 : type;
}

ReduceState reduce_identity(ir::Builder& b, const ReduceSpec& spec) {
    const DType type = accumulator(spec.type);
    auto whole = [&](int value) -> Number {
        if (is_bool(type)) return {b.boolean(value != 0)};
        if (is_integer(type)) return {b.constant(type, value)};
        return {b.constant_float(real_of(type), value),
                is_complex(type) ? b.constant_float(real_of(type), 0) : nullptr};
    };
    switch (spec.op) {
        case Reduction::Sum:
            return {whole(0)};
        case Reduction::Prod:
            return {whole(1)};
        case Reduction::Any:
            return {{b.boolean(false)}};
        case Reduction::All:
            return {{b.boolean(true)}};
        case Reduction::CountNonzero:
            return {{b.i64(0)}};
        case Reduction::FMin:
        case Reduction::FMax:
            if (is_float(type) || is_complex(type)) {
                V nan = b.constant_float(real_of(type), std::numeric_limits<double>::quiet_NaN());
                return {{nan, is_complex(type) ? nan : nullptr}};
            }
            [[fallthrough]];
        default:
            return {extreme(b, type, is_least(spec.op)),
                    spec.has_index() ? b.i64(std::numeric_limits<std::int64_t>::max()) : nullptr};
    }
}

ReduceState reduce_lift(ir::Builder& b, const ReduceSpec& spec, const Number& value, V index) {
    if (spec.op == Reduction::CountNonzero)
        return {{b.cast(lower_cast(b, value, spec.type, DType::Bool).re, DType::Int64)}};
    return {lower_cast(b, value, spec.type, accumulator(spec.type)), index};
}

ReduceState reduce_combine(ir::Builder& b, const ReduceSpec& spec, const ReduceState& x, const ReduceState& y) {
    const DType type = accumulator(spec.type);
    const Number args[] = {x.value, y.value};
    switch (spec.op) {
        case Reduction::Sum:
            return {lower(b, ElementOp::Add, type, type, args)};
        case Reduction::Prod:
            return {lower(b, ElementOp::Multiply, type, type, args)};
        case Reduction::Min:
            return {lower(b, ElementOp::Minimum, type, type, args)};
        case Reduction::Max:
            return {lower(b, ElementOp::Maximum, type, type, args)};
        case Reduction::FMin:
            return {lower(b, ElementOp::Fmin, type, type, args)};
        case Reduction::FMax:
            return {lower(b, ElementOp::Fmax, type, type, args)};
        case Reduction::Any:
            return {{b.scalar(S::BitOr, x.value.re, y.value.re)}};
        case Reduction::All:
            return {{b.scalar(S::BitAnd, x.value.re, y.value.re)}};
        case Reduction::CountNonzero:
            return {{b.add(x.value.re, y.value.re)}};
        case Reduction::ArgMin:
        case Reduction::ArgMax:
            break;
    }
    V first = reduce_beats(b, spec, x.value, y.value);
    V earlier = b.lt(x.index, y.index);
    first = b.scalar(S::BitOr, first, b.scalar(S::BitAnd, reduce_ties(b, spec, x.value, y.value), earlier));
    return {choose(b, first, x.value, y.value), b.select(first, x.index, y.index)};
}

Number reduce_extreme(ir::Builder& b, const ReduceSpec& spec, const Number& x, const Number& y) {
    const DType type = accumulator(spec.type);
    const Number args[] = {x, y};
    return lower(b, spec.op == Reduction::ArgMin ? ElementOp::Minimum : ElementOp::Maximum, type, type, args);
}

V reduce_beats(ir::Builder& b, const ReduceSpec& spec, const Number& x, const Number& y) {
    const DType type = accumulator(spec.type);
    const Number args[] = {x, y};
    const ElementOp beats = spec.op == Reduction::ArgMin ? ElementOp::Less : ElementOp::Greater;
    V better = lower(b, beats, type, DType::Bool, args).re;
    if (!is_float(type) && !is_complex(type)) return better;
    V y_is_number = b.logical_not(is_nan(b, type, y));
    if (is_complex(type)) better = b.scalar(S::BitAnd, better, y_is_number);
    return b.scalar(S::BitOr, better, b.scalar(S::BitAnd, is_nan(b, type, x), y_is_number));
}

V reduce_ties(ir::Builder& b, const ReduceSpec& spec, const Number& x, const Number& y) {
    const DType type = accumulator(spec.type);
    const Number args[] = {x, y};
    V equal = lower(b, ElementOp::Equal, type, DType::Bool, args).re;
    if (!is_float(type) && !is_complex(type)) return equal;
    return b.scalar(S::BitOr, equal, b.scalar(S::BitAnd, is_nan(b, type, x), is_nan(b, type, y)));
}

}  // namespace lanewise
