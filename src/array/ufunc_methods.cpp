// reduce, accumulate and reduceat of ufuncs by reductions, scans and trees of elementwise operations.
#include "lanewise/ufunc_methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "array/associative.h"
#include "array/normal_axis.h"
#include "array/operands.h"
#include "array/scan.h"

namespace lanewise {
namespace {

Index slice(std::optional<std::int64_t> start, std::optional<std::int64_t> stop,
            std::optional<std::int64_t> step = {}) {
    Index item;
    item.kind = Index::Kind::Slice;
    item.start = start;
    item.stop = stop;
    item.step = step;
    return item;
}

/// x[..., part]
Array along_last(const Array& x, const Index& part) {
    Index rest;
    rest.kind = Index::Kind::Ellipsis;
    const Index items[] = {rest, part};
    return x.index(items);
}

/// With `axis` moved to the end, and back.
Array to_last(const Array& x, int axis) {
    Dims axes;
    for (int d = 0; d < x.ndim(); ++d)
        if (d != axis) axes.push_back(d);
    axes.push_back(axis);
    return x.transpose(axes);
}
Array from_last(const Array& x, int axis) {
    Dims axes;
    for (int d = 0; d < x.ndim(); ++d) axes.push_back(d < axis ? d : d == axis ? x.ndim() - 1 : d - 1);
    return x.transpose(axes);
}

std::optional<Reduction> reduction_of(Ufunc ufunc, DType type) {
    switch (ufunc) {
        case Ufunc::Add:
            return Reduction::Sum;
        case Ufunc::Multiply:
            return Reduction::Prod;
        case Ufunc::Minimum:
            return Reduction::Min;
        case Ufunc::Maximum:
            return Reduction::Max;
        case Ufunc::Fmin:
            return Reduction::FMin;
        case Ufunc::Fmax:
            return Reduction::FMax;
        case Ufunc::LogicalAnd:
            return Reduction::All;
        case Ufunc::LogicalOr:
            return Reduction::Any;
        case Ufunc::BitwiseAnd:
            return is_bool(type) ? std::optional(Reduction::All) : std::nullopt;
        case Ufunc::BitwiseOr:
            return is_bool(type) ? std::optional(Reduction::Any) : std::nullopt;
        default:
            return std::nullopt;
    }
}

Ufunc ufunc_of(Reduction reduction) {
    switch (reduction) {
        case Reduction::Sum:
            return Ufunc::Add;
        case Reduction::Prod:
            return Ufunc::Multiply;
        case Reduction::Min:
            return Ufunc::Minimum;
        case Reduction::Max:
            return Ufunc::Maximum;
        case Reduction::FMin:
            return Ufunc::Fmin;
        case Reduction::FMax:
            return Ufunc::Fmax;
        case Reduction::All:
            return Ufunc::LogicalAnd;
        case Reduction::Any:
            return Ufunc::LogicalOr;
        default:
            throw Error(ErrorKind::Type, "this reduction takes no initial value");
    }
}

/// The mask of where= for the elements of `x`: anything but booleans is a mistake.
Array mask_over(std::string_view call, const Array& mask, const Array& x) {
    if (!is_bool(mask.dtype()))
        throw Error(ErrorKind::Type,
                    fmt::format("{}: where must be a boolean array, not {}", call, name(mask.dtype())));
    return mask.shape() == x.shape() ? mask : broadcast_to(mask, x.shape());
}

/// `x` as elements of the type the function computes in.
Array as_loop_type(Ufunc ufunc, const Array& x, std::optional<DType> dtype) {
    const DType given[] = {dtype.value_or(x.dtype())};
    const auto [loop, result] = resolve(ufunc, given);
    return astype(x, info(ufunc).result == 'b' ? DType::Bool : loop, Casting::Unsafe, false);
}

/// The reduction over the last axis, by halves.
Array tree(Ufunc ufunc, Array x) {
    while (x.shape().back() > 1) {
        const std::int64_t n = x.shape().back(), even = n / 2 * 2;
        Array pairs =
            apply(ufunc, {{Operand(along_last(x, slice(0, even, 2))), Operand(along_last(x, slice(1, even, 2)))}});
        if (even < n) {
            const Array parts[] = {pairs, along_last(x, slice(even, n))};
            pairs = concatenate(parts, -1);
        }
        x = pairs;
    }
    return x.squeeze(Dims{-1});
}

std::int64_t extent_over(const Array& x, const std::optional<Dims>& axes) {
    if (!axes) return x.size();
    std::int64_t count = 1;
    for (std::int64_t axis : *axes)
        if (axis >= -x.ndim() && axis < x.ndim())
            count *= x.shape()[static_cast<int>(axis < 0 ? axis + x.ndim() : axis)];
    return count;
}

/// A number converted to the dtype of `x`, whatever its own; Error(Overflow) where an integer does not fit.
Array element_like(const Array& x, const Scalar& number) {
    if (number.is_integral() && !number.fits(x.dtype()))
        throw Error(ErrorKind::Overflow,
                    fmt::format("the initial value is out of bounds for results of {}", name(x.dtype())));
    return full({}, number, x.dtype(), stream_of(x));
}

std::optional<Array> identity_like(Ufunc ufunc, const Array& x) {
    // All bits, which is no number of the unsigned types.
    if (ufunc == Ufunc::BitwiseAnd) return invert(element_like(x, 0));
    const std::optional<Scalar> number = identity(ufunc);
    return number ? std::optional(element_like(x, *number)) : std::nullopt;
}

ReduceOptions without_out(const MaskedReduceOptions& options) {
    ReduceOptions plain = options;
    plain.out = std::nullopt;
    return plain;
}

}  // namespace

bool is_associative(Ufunc ufunc) {
    switch (ufunc) {
        case Ufunc::Add:
        case Ufunc::Multiply:
        case Ufunc::BitwiseAnd:
        case Ufunc::BitwiseOr:
        case Ufunc::BitwiseXor:
        case Ufunc::LogicalAnd:
        case Ufunc::LogicalOr:
        case Ufunc::LogicalXor:
        case Ufunc::Maximum:
        case Ufunc::Minimum:
        case Ufunc::Fmax:
        case Ufunc::Fmin:
        case Ufunc::Gcd:
        case Ufunc::Lcm:
        case Ufunc::Hypot:
        case Ufunc::LogAddExp:
        case Ufunc::LogAddExp2:
            return true;
        default:
            return false;
    }
}

void require_associative(Ufunc ufunc, const char* method) {
    if (info(ufunc).inputs != 2)
        throw Error(ErrorKind::Value,
                    fmt::format("{}.{}: only functions of two operands have it", info(ufunc).name, method));
    if (!is_associative(ufunc))
        throw Error(ErrorKind::NotImplemented,
                    fmt::format("{}.{}: the function is not associative, so that its result depends on one order of "
                                "steps that cannot be taken in parallel",
                                info(ufunc).name, method));
}

std::optional<Scalar> identity(Ufunc ufunc) {
    switch (ufunc) {
        case Ufunc::Add:
        case Ufunc::Hypot:
        case Ufunc::BitwiseOr:
        case Ufunc::BitwiseXor:
        case Ufunc::Gcd:
            return Scalar(0);
        case Ufunc::Multiply:
            return Scalar(1);
        case Ufunc::BitwiseAnd:
            return Scalar(-1);
        case Ufunc::LogicalAnd:
            return Scalar(true);
        case Ufunc::LogicalOr:
        case Ufunc::LogicalXor:
            return Scalar(false);
        case Ufunc::LogAddExp:
        case Ufunc::LogAddExp2:
            return Scalar(-std::numeric_limits<double>::infinity());
        default:
            return std::nullopt;
    }
}

Array reduce(Reduction reduction, const Array& given, const MaskedReduceOptions& options) {
    if (!options.where && !options.initial) return reduce(reduction, given, static_cast<const ReduceOptions&>(options));
    const Ufunc ufunc = ufunc_of(reduction);
    const std::string_view call = info(ufunc).name;
    Array x = given;
    if (options.where) {
        const Array mask = mask_over(call, *options.where, x);
        // An initial value would count several times where it is no identity, as for sum.
        std::optional<Array> rest = identity_like(ufunc, x);
        if (!rest && options.initial) rest = element_like(x, *options.initial);
        if (!rest)
            throw Error(ErrorKind::Value,
                        fmt::format("{}: a reduction without identity takes `initial` with `where`", call));
        x = where(mask, x, *rest);
    }
    if (!options.initial) return into(reduce(reduction, x, without_out(options)), options.out);
    if (extent_over(x, options.axes) == 0 && !identity(ufunc)) {
        // Nothing but the initial value.
        ReduceOptions sums = without_out(options);
        sums.dtype = options.dtype.value_or(x.dtype());
        const Array none = sum(x, sums);
        const Array rest = element_like(none, *options.initial);
        return into(broadcast_to(rest, none.shape()).copy(Order::C, stream_of(x)), options.out);
    }
    const Array reduced = reduce(reduction, x, without_out(options));
    return into(apply(ufunc, {{Operand(reduced), Operand(element_like(reduced, *options.initial))}}), options.out);
}

Array moment(Moment which, const Array& x, const MaskedReduceOptions& options, double ddof) {
    if (!options.where) {
        if (which == Moment::Mean) return mean(x, options);
        return which == Moment::Var ? var(x, options, ddof) : stddev(x, options, ddof);
    }
    const char* call = which == Moment::Mean ? "mean" : which == Moment::Var ? "var" : "std";
    const Array mask = mask_over(call, *options.where, x);
    const bool exact = !is_float(x.dtype()) && !is_complex(x.dtype());
    const DType result = options.dtype.value_or(exact ? DType::Float64 : x.dtype());
    const DType type = options.dtype ? result : size_of(result) == 2 ? DType::Float32 : result;
    const Array wide = astype(x, type, Casting::Unsafe, false);
    ReduceOptions plain = without_out(options);
    plain.dtype = std::nullopt;
    ReduceOptions kept = plain;
    kept.keepdims = true;
    auto average = [&](const Array& values, const ReduceOptions& over) {
        return divide(sum(where(mask, values, 0), over), astype(count_nonzero(mask, over), real_of(type)));
    };
    if (which == Moment::Mean) return into(astype(average(wide, plain), result, Casting::Unsafe, false), options.out);
    const Array difference = subtract(wide, average(wide, kept));
    const Array squares =
        is_complex(type) ? add(square(real(difference)), square(imag(difference))) : square(difference);
    const Array freedom = maximum(subtract(astype(count_nonzero(mask, plain), real_of(type)), ddof), 0);
    Array value = divide(sum(where(mask, squares, 0), plain), freedom);
    if (which == Moment::Std) value = sqrt(value);
    return into(astype(value, real_of(result), Casting::Unsafe, false), options.out);
}

Array reduce(Ufunc ufunc, const Array& given, const MaskedReduceOptions& options) {
    require_associative(ufunc, "reduce");
    if (const auto reduction = reduction_of(ufunc, given.dtype())) {
        // Of booleans min and max of the logical functions compute in bool whatever dtype is asked for.
        return reduce(*reduction, given, options);
    }
    Array x = as_loop_type(ufunc, given, options.dtype);
    if (options.where) {
        const Array mask = mask_over(info(ufunc).name, *options.where, x);
        std::optional<Array> rest = identity_like(ufunc, x);
        if (!rest && options.initial) rest = element_like(x, *options.initial);
        if (!rest)
            throw Error(
                ErrorKind::Value,
                fmt::format("{}.reduce: a function without identity takes `initial` with `where`", info(ufunc).name));
        x = where(mask, x, *rest);
    }
    std::uint64_t reduced = 0;
    if (options.axes) {
        for (std::int64_t axis : *options.axes) {
            const std::uint64_t bit = std::uint64_t(1) << normal_axis(info(ufunc).name, axis, x.ndim());
            if (reduced & bit)
                throw Error(ErrorKind::Value, fmt::format("{}.reduce: axis {} is repeated", info(ufunc).name, axis));
            reduced |= bit;
        }
    } else {
        reduced = x.ndim() == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << x.ndim()) - 1;
    }
    Dims order, kept, shape;
    std::int64_t extent = 1;
    for (int d = 0; d < x.ndim(); ++d) {
        if (reduced >> d & 1) continue;
        order.push_back(d);
        kept.push_back(x.shape()[d]);
    }
    for (int d = 0; d < x.ndim(); ++d) {
        if (!(reduced >> d & 1)) {
            shape.push_back(x.shape()[d]);
            continue;
        }
        order.push_back(d);
        extent *= x.shape()[d];
        if (options.keepdims) shape.push_back(1);
    }
    Array result = x;
    if (extent == 0) {
        const std::optional<Array> value =
            options.initial ? element_like(x, *options.initial) : identity_like(ufunc, x);
        if (!value)
            throw Error(ErrorKind::Value, fmt::format("{}.reduce: no elements along the axes, and the function has no "
                                                      "identity",
                                                      info(ufunc).name));
        return into(broadcast_to(*value, shape).copy(Order::C, stream_of(x)), options.out);
    }
    kept.push_back(extent);
    result = reshape(tree(ufunc, reshape(x.transpose(order), kept)), shape);
    if (extent == 1) result = result.copy(Order::Keep, stream_of(x));  // of the elements themselves
    if (options.initial) result = apply(ufunc, {{Operand(result), Operand(element_like(result, *options.initial))}});
    return into(result, options.out);
}

Array accumulate(Ufunc ufunc, const Array& given, int axis, std::optional<DType> dtype) {
    require_associative(ufunc, "accumulate");
    const int at = normal_axis(info(ufunc).name, axis, given.ndim());
    if (ufunc == Ufunc::Add) return cumsum(given, at, dtype);
    if (ufunc == Ufunc::Multiply) return cumprod(given, at, dtype);
    const Array elements = as_loop_type(ufunc, given, dtype);
    if (const auto reduction = reduction_of(ufunc, elements.dtype()))
        return running(info(ufunc).name.data(), *reduction, elements, at, elements.dtype());
    Array x = to_last(elements, at);
    const std::int64_t n = x.shape().back();
    if (n < 2) return from_last(x, at).copy(Order::Keep, stream_of(x));
    for (std::int64_t step = 1; step < n; step *= 2) {
        const Array sums =
            apply(ufunc, {{Operand(along_last(x, slice(0, n - step))), Operand(along_last(x, slice(step, n)))}});
        const Array parts[] = {along_last(x, slice(0, step)), sums};
        x = concatenate(parts, -1);
    }
    return from_last(x, at);
}

Array reduceat(Ufunc ufunc, const Array& given, const Array& indices, int axis, std::optional<DType> dtype) {
    require_associative(ufunc, "reduceat");
    const int at = normal_axis(info(ufunc).name, axis, given.ndim());
    if (indices.ndim() != 1 || !is_integer(indices.dtype()))
        throw Error(ErrorKind::Type,
                    fmt::format("{}.reduceat: the indices must be a one-dimensional array of integers, "
                                "not {} of shape {}",
                                info(ufunc).name, name(indices.dtype()), to_string(indices.shape())));
    const auto reduction = reduction_of(ufunc, given.dtype());
    const bool sums = reduction == Reduction::Sum || reduction == Reduction::Prod;
    std::optional<DType> type = dtype;
    if (sums && !dtype && !is_float(given.dtype()) && !is_complex(given.dtype()))
        type = is_unsigned(given.dtype()) ? DType::UInt64 : DType::Int64;
    const Array x = to_last(as_loop_type(ufunc, given, type), at);
    const std::int64_t n = x.shape().back(), m = indices.size();
    const Array start = astype(indices, DType::Int64, Casting::Unsafe, false);
    const Array last = full({std::min<std::int64_t>(m, 1)}, n, DType::Int64, stream_of(x));
    const Array ends[] = {start.index(std::vector{slice(1, std::nullopt)}), last};
    const Array length = maximum(subtract(concatenate(ends, 0), start), 1);
    // Ranges are put together from runs of 2**k elements, each the reduction of two runs of half its length.
    Array run = x, position = start;
    std::optional<Array> result;
    for (int k = 0; n > 0 && std::int64_t(1) << k <= n; ++k) {
        const std::int64_t width = std::int64_t(1) << k;
        const Array takes = not_equal(bitwise_and(length, width), 0);
        // The first element is checked; the others lie before the end.
        const Array part = take(run, position, -1, k == 0 ? IndexMode::Raise : IndexMode::Clip);
        if (!result) {
            result = part;
        } else {
            const Array has = not_equal(bitwise_and(length, width - 1), 0);
            const Array joined = where(has, apply(ufunc, {{Operand(*result), Operand(part)}}), part);
            result = where(takes, joined, *result);
        }
        position = add(position, where(takes, width, 0));
        if (2 * width <= n) {
            const std::int64_t count = run.shape().back();
            run = apply(ufunc, {{Operand(along_last(run, slice(0, count - width))),
                                 Operand(along_last(run, slice(width, count)))}});
        }
    }
    if (!result) result = take(x, start, -1);
    return from_last(*result, at);
}

}  // namespace lanewise
