// Arrays made of numbers: they are pending too, and cost no memory where they are only read.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "array/operands.h"

namespace lanewise {
namespace {

/// The int64 start + sum of position * step.
Array iota(const Dims& shape, std::int64_t start, Dims steps, const std::shared_ptr<Stream>& stream) {
    Input in;
    in.kind = Input::Kind::Iota;
    in.dtype = DType::Int64;
    in.offset = start;
    in.strides = std::move(steps);
    NodePtr node = engine::make_node(ElementOp::Copy, DType::Int64, DType::Int64, shape, stream, {in});
    node->strides = contiguous_strides(shape, 8, Order::C);
    return engine::record(node);
}

}  // namespace

Array full(const Dims& shape, const Scalar& value, DType dtype, const std::shared_ptr<Stream>& stream) {
    return engine::record(
        engine::make_node(ElementOp::Copy, dtype, dtype, shape, stream, {scalar_input(value, dtype, shape.size())}));
}

Array positions(const Dims& shape, int axis, const std::shared_ptr<Stream>& stream) {
    Dims steps(shape.size());
    if (axis < 0 || axis >= shape.size())
        throw Error(ErrorKind::Value, fmt::format("positions: axis {} of {} dimensions", axis, shape.size()));
    steps[axis] = 1;
    return iota(shape, 0, std::move(steps), stream);
}

Array arange(const Scalar& start, const Scalar& stop, const Scalar& step, std::optional<DType> dtype,
             const std::shared_ptr<Stream>& stream) {
    if (step.is_integral() ? step.integer() == 0 : step.real() == 0)
        throw Error(ErrorKind::Value, "arange: the step is zero");
    const bool integral = start.is_integral() && stop.is_integral() && step.is_integral();
    const DType type = dtype ? *dtype : integral ? DType::Int64 : DType::Float64;
    double length = 0;
    if (integral) {
        const __int128 span = stop.integer() - start.integer(), by = step.integer();
        const __int128 count = by > 0 ? (span + by - 1) / by : (span + by + 1) / by;
        length = static_cast<double>(std::max<__int128>(count, 0));
    } else {
        length = std::max(0.0, std::ceil((stop.real() - start.real()) / step.real()));
    }
    if (!(length < 9.2e18))
        throw Error(ErrorKind::Value, fmt::format("arange: {} elements are more than an array can have", length));
    const auto count = static_cast<std::int64_t>(length);
    if (integral)
        return astype(iota({count}, static_cast<std::int64_t>(start.integer()),
                           {static_cast<std::int64_t>(step.integer())}, stream),
                      type, Casting::Unsafe, false);
    // As NumPy: from the difference of the first two elements.
    const double delta = (start.real() + step.real()) - start.real();
    const Array index = astype(iota({count}, 0, {1}, stream), DType::Float64);
    return astype(add(multiply(index, delta), start.real()), type, Casting::Unsafe, false);
}

Array linspace(double start, double stop, std::int64_t count, bool endpoint, DType dtype,
               const std::shared_ptr<Stream>& stream) {
    if (count < 0) throw Error(ErrorKind::Value, fmt::format("linspace: {} samples", count));
    const std::int64_t divisions = endpoint ? count - 1 : count;
    const Array index = iota({count}, 0, {1}, stream);
    const Array position = astype(index, DType::Float64);
    const double delta = stop - start, step = divisions > 0 ? delta / static_cast<double>(divisions) : NAN;
    Array value = divisions > 0 && step == 0 ? multiply(divide(position, static_cast<double>(divisions)), delta)
                                             : multiply(position, divisions > 0 ? step : delta);
    value = add(value, start);
    if (endpoint && count > 1) value = where(equal(index, count - 1), stop, value);
    if (is_integer(dtype)) value = floor(value);
    return astype(value, dtype, Casting::Unsafe, false);
}

namespace {

/// Column minus row minus k.
Array beyond_diagonal(std::int64_t rows, std::int64_t columns, std::int64_t k, const std::shared_ptr<Stream>& stream) {
    if (rows < 0 || columns < 0)
        throw Error(ErrorKind::Value, fmt::format("a matrix of {} rows and {} columns", rows, columns));
    return iota({rows, columns}, -k, {-1, 1}, stream);
}

}  // namespace

Array eye(std::int64_t rows, std::int64_t columns, std::int64_t k, DType dtype, const std::shared_ptr<Stream>& stream) {
    return astype(equal(beyond_diagonal(rows, columns, k, stream), 0), dtype);
}

Array tri(std::int64_t rows, std::int64_t columns, std::int64_t k, DType dtype, const std::shared_ptr<Stream>& stream) {
    return astype(less_equal(beyond_diagonal(rows, columns, k, stream), 0), dtype);
}

}  // namespace lanewise
