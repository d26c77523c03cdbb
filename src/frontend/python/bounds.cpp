#include "frontend/python/bounds.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace lanewise::python {

using ir::Intrinsic;
using ir::Op;
using ir::ScalarOp;

namespace {

/// Inclusive; wide enough that sums and products of the hardware's limits do not overflow.
struct Interval {
    std::int64_t low, high;
};

constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t int32_max = std::numeric_limits<std::int32_t>::max();
/// Extents, lengths and counters: no memory has this many elements, and nothing counts this far.
constexpr std::int64_t counter_max = huge - (std::int64_t{1} << 42);
constexpr int depth_limit = 6;

std::optional<Interval> interval(const Emitter& e, const ir::Value* v, int depth);

/// The limits CUDA states for every device: blocks of 1024 threads, grids of 2**31 - 1 blocks.
std::optional<Interval> of_intrinsic(Intrinsic which) {
    switch (which) {
        case Intrinsic::TidX:
        case Intrinsic::TidY:
        case Intrinsic::TidZ:
            return Interval{0, 1023};
        case Intrinsic::NtidX:
        case Intrinsic::NtidY:
        case Intrinsic::NtidZ:
            return Interval{1, 1024};
        case Intrinsic::CtaidX:
        case Intrinsic::CtaidY:
        case Intrinsic::CtaidZ:
            return Interval{0, int32_max - 1};
        case Intrinsic::NctaidX:
        case Intrinsic::NctaidY:
        case Intrinsic::NctaidZ:
            return Interval{1, int32_max};
        case Intrinsic::LaneId:
            return Interval{0, 31};
        case Intrinsic::WarpSize:
            return Interval{32, 32};
        default:
            return std::nullopt;
    }
}

std::optional<Interval> of_type(DType dtype) {
    if (!is_integer(dtype) || dtype == DType::UInt64) return std::nullopt;
    const int width = bits(dtype);
    if (is_unsigned(dtype)) return Interval{0, (std::int64_t{1} << width) - 1};
    const std::int64_t top = huge >> (64 - width);
    return Interval{-top - 1, top};
}

/// The interval if it fits the type the result has, where arithmetic wraps.
std::optional<Interval> within(Interval found, DType dtype) {
    const auto whole = of_type(dtype);
    if (!whole || found.low < whole->low || found.high > whole->high) return std::nullopt;
    return found;
}

std::optional<Interval> of_scalar(const Emitter& e, const ir::Value* v, int depth) {
    if (v->operands.size() < 2 || v->scalar == ScalarOp::Select) return std::nullopt;
    const auto a = interval(e, v->operands[0], depth - 1), b = interval(e, v->operands[1], depth - 1);
    if (!b) return std::nullopt;
    const DType dtype = v->type.dtype;
    // A remainder or a mask is bounded by its right side alone.
    if (v->scalar == ScalarOp::Mod && b->low > 0) return within({0, b->high - 1}, dtype);
    if (v->scalar == ScalarOp::BitAnd && b->low >= 0) return within({0, b->high}, dtype);
    if (!a) return std::nullopt;
    std::int64_t low = 0, high = 0;
    switch (v->scalar) {
        case ScalarOp::Add:
            if (__builtin_add_overflow(a->low, b->low, &low) || __builtin_add_overflow(a->high, b->high, &high))
                return std::nullopt;
            return within({low, high}, dtype);
        case ScalarOp::Sub:
            if (__builtin_sub_overflow(a->low, b->high, &low) || __builtin_sub_overflow(a->high, b->low, &high))
                return std::nullopt;
            return within({low, high}, dtype);
        case ScalarOp::Mul:
            if (a->low < 0 || b->low < 0 || __builtin_mul_overflow(a->high, b->high, &high)) return std::nullopt;
            return within({a->low * b->low, high}, dtype);
        case ScalarOp::FloorDiv:
        case ScalarOp::Div:
            if (a->low < 0 || b->low < 1) return std::nullopt;
            return Interval{a->low / b->high, a->high / b->low};
        case ScalarOp::Shr:
            if (a->low < 0) return std::nullopt;
            return Interval{0, a->high};
        default:
            return std::nullopt;
    }
}

std::optional<Interval> interval(const Emitter& e, const ir::Value* v, int depth) {
    if (!v->type.is_scalar() || (!is_integer(v->type.dtype) && !is_bool(v->type.dtype))) return std::nullopt;
    if (is_bool(v->type.dtype)) return Interval{0, 1};
    if (auto constant = ir::constant_integer(v)) {
        if (v->type.is(DType::UInt64) && *constant < 0) return std::nullopt;
        return Interval{*constant, *constant};
    }
    if (e.noted_never_negative(v)) {
        const auto whole = of_type(v->type.dtype);
        return Interval{0, std::min(whole ? whole->high : huge, counter_max)};
    }
    if (depth == 0) return of_type(v->type.dtype);
    std::optional<Interval> found;
    if (v->op == Op::Intrinsic) found = of_intrinsic(v->intrinsic);
    if (v->op == Op::Scalar) found = of_scalar(e, v, depth);
    if (v->op == Op::Cast)
        if (auto from = interval(e, v->operands[0], depth - 1)) found = within(*from, v->type.dtype);
    return found ? found : of_type(v->type.dtype);
}

}  // namespace

bool never_negative(const Emitter& e, const ir::Value* value) {
    const auto found = interval(e, value, depth_limit);
    return found && found->low >= 0;
}

bool always_positive(const Emitter& e, const ir::Value* value) {
    const auto found = interval(e, value, depth_limit);
    return found && found->low >= 1;
}

bool sum_fits(const Emitter& e, const ir::Value* a, const ir::Value* b) {
    const auto first = interval(e, a, depth_limit), second = interval(e, b, depth_limit);
    std::int64_t low = 0, high = 0;
    return first && second && !__builtin_add_overflow(first->low, second->low, &low) &&
           !__builtin_add_overflow(first->high, second->high, &high) && within({low, high}, a->type.dtype);
}

}  // namespace lanewise::python
