// Reductions: checks, the node, and what is made of sums and extrema.
#include <fmt/format.h>

#include <limits>

#include "array/normal_axis.h"
#include "array/operands.h"

namespace lanewise {
namespace {

struct ReductionInfo {
    std::string_view name;
    char type;
    char identity;
};
constexpr ReductionInfo reduction_table[] = {
#define LANEWISE_REDUCTION(Id, name, type, identity) {#name, type, identity},
#include "lanewise/tables/reduce.def"
#undef LANEWISE_REDUCTION
};

std::uint64_t axis_bits(std::string_view call, const Array& x, const std::optional<Dims>& axes) {
    if (!axes) return x.ndim() == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << x.ndim()) - 1;
    std::uint64_t bits = 0;
    for (std::int64_t given : *axes) {
        const std::uint64_t bit = std::uint64_t(1) << normal_axis(call, given, x.ndim());
        if (bits & bit) throw Error(ErrorKind::Value, fmt::format("{}: axis {} is repeated", call, given));
        bits |= bit;
    }
    return bits;
}

/// The type NumPy's sum gives: small integers become the 64-bit one.
DType sum_type(DType t) {
    if (is_bool(t) || is_signed(t)) return DType::Int64;
    return is_unsigned(t) ? DType::UInt64 : t;
}

/// Number of elements along the axes.
std::int64_t count_over(std::string_view call, const Array& x, const std::optional<Dims>& axes) {
    const std::uint64_t bits = axis_bits(call, x, axes);
    std::int64_t count = 1;
    for (int d = 0; d < x.ndim(); ++d)
        if (bits >> d & 1) count *= x.shape()[d];
    return count;
}

/// The same reduction over the same axes, with axes kept or not.
ReduceOptions over(const ReduceOptions& options, bool keepdims, std::optional<DType> dtype = std::nullopt) {
    ReduceOptions result;
    result.axes = options.axes;
    result.keepdims = keepdims;
    result.dtype = dtype;
    return result;
}

/// The type mean and var compute in, and the type of what they give.
std::pair<DType, DType> mean_types(const Array& x, const ReduceOptions& options) {
    if (options.dtype) return {*options.dtype, *options.dtype};
    if (!is_float(x.dtype()) && !is_complex(x.dtype())) return {DType::Float64, DType::Float64};
    if (size_of(x.dtype()) == 2) return {DType::Float32, x.dtype()};
    return {x.dtype(), x.dtype()};
}

bool has_nan(DType t) {
    return is_float(t) || is_complex(t);
}

Array without_nan(const Array& x, const Scalar& instead) {
    return has_nan(x.dtype()) ? where(isnan(x), instead, x) : x;
}

/// Number of elements that are no NaN.
Array count_numbers(const Array& x, const ReduceOptions& options) {
    return count_nonzero(logical_not(isnan(x)), over(options, options.keepdims));
}

}  // namespace

std::string_view name(Reduction reduction) {
    return reduction_table[static_cast<int>(reduction)].name;
}

Array reduce(Reduction reduction, const Array& x, const ReduceOptions& options) {
    const ReductionInfo& row = reduction_table[static_cast<int>(reduction)];
    const std::uint64_t axes = axis_bits(row.name, x, options.axes);
    DType type = x.dtype();
    if (row.type == 's') type = options.dtype ? *options.dtype : sum_type(type);
    if (row.type == 'b') type = DType::Bool;
    if (row.type == 'T' && options.dtype) type = *options.dtype;
    const bool counts = row.type == 'x';
    std::int64_t reduced = 1;
    Dims shape;
    for (int d = 0; d < x.ndim(); ++d) {
        if (axes >> d & 1) {
            reduced *= x.shape()[d];
            if (options.keepdims) shape.push_back(1);
        } else {
            shape.push_back(x.shape()[d]);
        }
    }
    if (row.identity == '-' && reduced == 0 && (x.size() == 0)) {
        std::int64_t results = 1;
        for (std::int64_t extent : shape) results *= extent;
        if (results > 0)
            throw Error(ErrorKind::Value,
                        fmt::format("{}: an array of shape {} has no elements along the axes, and the reduction no "
                                    "identity",
                                    row.name, to_string(x.shape())));
    }
    auto node = std::make_shared<Node>();
    node->kind = Node::Kind::Reduce;
    node->reduction = reduction;
    node->type = type;
    node->dtype = counts ? DType::Int64 : type;
    node->shape = shape;
    node->size = element_count(shape, size_of(node->dtype));
    node->strides = contiguous_strides(shape, size_of(node->dtype), Order::C);
    node->stream = stream_of(x);
    node->full_shape = x.shape();
    node->axes = axes;
    node->inputs.push_back(ArrayAccess::input(x, x.shape()));
    if (is_complex(x.dtype()) && !is_complex(type) && !is_bool(type)) return reduce(reduction, real(x), options);
    return into(engine::record(node), options.out);
}

Array mean(const Array& x, const ReduceOptions& options) {
    const auto [type, result] = mean_types(x, options);
    const double count = static_cast<double>(count_over("mean", x, options.axes));
    const Array total = sum(x, over(options, options.keepdims, type));
    return into(astype(divide(total, count), result, Casting::Unsafe, false), options.out);
}

Array var(const Array& x, const ReduceOptions& options, double ddof) {
    const auto [type, result] = mean_types(x, options);
    const Array wide = astype(x, type, Casting::Unsafe, false);
    const double count = static_cast<double>(count_over("var", x, options.axes));
    const Array center = divide(sum(wide, over(options, true)), count);
    const Array difference = subtract(wide, center);
    Array squares = square(difference);
    if (is_complex(type)) squares = add(square(real(difference)), square(imag(difference)));
    const Array total = sum(squares, over(options, options.keepdims));
    return into(astype(divide(total, std::max(count - ddof, 0.0)), real_of(result), Casting::Unsafe, false),
                options.out);
}

Array stddev(const Array& x, const ReduceOptions& options, double ddof) {
    ReduceOptions inner = options;
    inner.out = std::nullopt;
    return into(sqrt(var(x, inner, ddof)), options.out);
}

Array nansum(const Array& x, const ReduceOptions& options) {
    return sum(without_nan(x, 0), options);
}
Array nanprod(const Array& x, const ReduceOptions& options) {
    return prod(without_nan(x, 1), options);
}
Array nanmin(const Array& x, const ReduceOptions& options) {
    return reduce(Reduction::FMin, x, options);
}
Array nanmax(const Array& x, const ReduceOptions& options) {
    return reduce(Reduction::FMax, x, options);
}
Array nanargmin(const Array& x, const ReduceOptions& options) {
    return argmin(without_nan(x, std::numeric_limits<double>::infinity()), options);
}
Array nanargmax(const Array& x, const ReduceOptions& options) {
    return argmax(without_nan(x, -std::numeric_limits<double>::infinity()), options);
}

Array nanmean(const Array& x, const ReduceOptions& options) {
    if (!has_nan(x.dtype())) return mean(x, options);
    const auto [type, result] = mean_types(x, options);
    const Array total = sum(without_nan(x, 0), over(options, options.keepdims, type));
    const Array count = astype(count_numbers(x, options), real_of(type));
    return into(astype(divide(total, count), result, Casting::Unsafe, false), options.out);
}

Array nanvar(const Array& x, const ReduceOptions& options, double ddof) {
    if (!has_nan(x.dtype())) return var(x, options, ddof);
    const auto [type, result] = mean_types(x, options);
    const Array wide = astype(x, type, Casting::Unsafe, false);
    const Array center = nanmean(wide, over(options, true));
    const Array difference = where(isnan(x), 0, subtract(wide, center));
    Array squares = square(difference);
    if (is_complex(type)) squares = add(square(real(difference)), square(imag(difference)));
    const Array total = sum(squares, over(options, options.keepdims));
    const Array freedom = subtract(astype(count_numbers(x, options), real_of(type)), ddof);
    const Array quotient =
        divide(total, where(less_equal(freedom, 0), std::numeric_limits<double>::quiet_NaN(), freedom));
    return into(astype(quotient, real_of(result), Casting::Unsafe, false), options.out);
}

Array nanstd(const Array& x, const ReduceOptions& options, double ddof) {
    ReduceOptions inner = options;
    inner.out = std::nullopt;
    return into(sqrt(nanvar(x, inner, ddof)), options.out);
}

}  // namespace lanewise
