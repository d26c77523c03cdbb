// matmul and dot: shapes and types; the device's library where it takes the matrices, else a kernel of our own.
#include "array/matmul.h"

#include <fmt/format.h>

#include "array/operands.h"
#include "array/reduction.h"
#include "runtime/blas.h"

namespace lanewise {
namespace {

Dims leading(const Dims& shape) {
    return Dims(std::span<const std::int64_t>(shape).first(static_cast<std::size_t>(shape.size() - 2)));
}

/// Matrices as a library takes them: one stride of a matrix is an element, the batch is evenly spaced.
std::optional<MatrixBatch> library_batch(const Array& x, const Dims& batch, std::int64_t rows, std::int64_t columns) {
    const std::int64_t item = x.item_bytes();
    const int ndim = x.ndim();
    MatrixBatch result;
    std::int64_t row = x.strides()[ndim - 2], column = x.strides()[ndim - 1];
    // Strides along single rows and columns say nothing.
    if (columns == 1) column = item;
    if (rows == 1) row = column == item ? columns * item : item;
    if (columns == 1 && row == item && rows > 1) column = rows * item;
    if (row % item != 0 || column % item != 0 || row <= 0 || column <= 0) return std::nullopt;
    result.row = row / item;
    result.column = column / item;
    const bool by_rows = result.column == 1 && result.row >= columns;
    const bool by_columns = result.row == 1 && result.column >= rows;
    if (!by_rows && !by_columns) return std::nullopt;
    std::int64_t count = 1;
    for (int d = batch.size() - 1; d >= 0; --d) {
        const int own = d - (batch.size() - (ndim - 2));
        const std::int64_t stride = own >= 0 && x.shape()[own] > 1 ? x.strides()[own] : 0;
        if (batch[d] == 1) continue;
        if (stride % item != 0) return std::nullopt;
        if (count == 1)
            result.batch = stride / item;
        else if (stride != result.batch * count * item)
            return std::nullopt;
        count *= batch[d];
    }
    result.data = x.data();
    return result;
}

/// The axes of `ndim` with the last two exchanged.
Dims swapped(int ndim) {
    Dims axes(ndim);
    for (int d = 0; d < ndim; ++d) axes[d] = d;
    std::swap(axes[ndim - 2], axes[ndim - 1]);
    return axes;
}

MatmulOperand operand_of(const Array& x, const Dims& batch) {
    MatmulOperand operand;
    operand.data = x.data();
    operand.row = x.strides()[x.ndim() - 2];
    operand.column = x.strides()[x.ndim() - 1];
    operand.batch = Dims(batch.size());
    for (int i = 0; i < x.ndim() - 2; ++i)
        if (x.shape()[i] > 1) operand.batch[batch.size() - (x.ndim() - 2) + i] = x.strides()[i];
    return operand;
}

/// The product with a matrix of one row or one column: a reduction that reads the other matrix once, and fuses.
Array product_by_vector(const Array& a, const Array& b, DType type) {
    const bool by_column = b.shape()[b.ndim() - 1] == 1;
    const DType wide = accumulator(type);
    const Array left = astype(by_column ? a : a.transpose(swapped(a.ndim())), wide, Casting::Unsafe, false);
    const Array right = astype(by_column ? b.transpose(swapped(b.ndim())) : b, wide, Casting::Unsafe, false);
    ReduceOptions options;
    options.axes = Dims{by_column ? -1 : -2};
    options.keepdims = true;
    options.dtype = wide;
    const Array sum = reduce(is_bool(type) ? Reduction::Any : Reduction::Sum, multiply(left, right), options);
    return astype(sum, type, Casting::Unsafe, false);
}

}  // namespace

Array matmul(const Array& given_a, const Array& given_b) {
    if (given_a.ndim() == 0 || given_b.ndim() == 0)
        throw Error(ErrorKind::Value, "matmul: arrays without axes have no matrix product; use multiply");
    const Operand operands[] = {given_a, given_b};
    const std::shared_ptr<Stream> stream = operand_stream(operands, nullptr);
    const DType type = common_dtype(operands);
    Array a = astype(given_a.ndim() == 1 ? expand_dims(given_a, Dims{0}) : given_a, type, Casting::Unsafe, false);
    Array b = astype(given_b.ndim() == 1 ? expand_dims(given_b, Dims{1}) : given_b, type, Casting::Unsafe, false);
    MatmulShape shape;
    shape.rows = a.shape()[a.ndim() - 2];
    shape.inner = a.shape()[a.ndim() - 1];
    shape.columns = b.shape()[b.ndim() - 1];
    if (b.shape()[b.ndim() - 2] != shape.inner)
        throw Error(
            ErrorKind::Value,
            fmt::format("matmul: shapes {} and {} do not fit: {} columns of the first, {} rows of the second",
                        to_string(given_a.shape()), to_string(given_b.shape()), shape.inner, b.shape()[b.ndim() - 2]));
    shape.batch = broadcast_dims("matmul", leading(a.shape()), leading(b.shape()));
    Dims result_shape = shape.batch;
    result_shape.push_back(shape.rows);
    result_shape.push_back(shape.columns);
    // A vector's axis of extent 1 is no axis of the result.
    Dims wanted = shape.batch;
    if (given_a.ndim() > 1) wanted.push_back(shape.rows);
    if (given_b.ndim() > 1) wanted.push_back(shape.columns);
    if (shape.rows == 1 || shape.columns == 1) return reshape(product_by_vector(a, b, type), wanted);
    const Array c = Array::empty(result_shape, type, stream);
    if (c.size() == 0) return c.reshape(wanted);
    if (shape.inner == 0) {
        assign(c, 0);
        return c.reshape(wanted);
    }
    a.use_on(stream);
    b.use_on(stream);
    c.use_on(stream);
    if (is_float(type) || is_complex(type)) {
        if (Blas* blas = blas_of(stream->device())) {
            MatrixProduct product;
            product.type = type;
            for (std::int64_t extent : shape.batch) product.count *= extent;
            product.rows = shape.rows;
            product.columns = shape.columns;
            product.inner = shape.inner;
            const auto left = library_batch(a, shape.batch, shape.rows, shape.inner);
            const auto right = library_batch(b, shape.batch, shape.inner, shape.columns);
            if (left && right) {
                product.a = *left;
                product.b = *right;
                product.c = {c.data(), shape.rows * shape.columns, shape.columns, 1};
                if (blas->multiply(*stream, product)) return c.reshape(wanted);
            }
        }
    }
    const MatmulOperand left = operand_of(a, shape.batch), right = operand_of(b, shape.batch);
    void* out = c.data();
    const engine::Exclusive lock;
    launch_matmul(type, shape, left, right, out, stream);
    return c.reshape(wanted);
}

Array dot(const Array& a, const Array& b) {
    if (a.ndim() == 0 || b.ndim() == 0) return multiply(a, b);
    if (b.ndim() <= 2) return matmul(a, b);
    // Along the last axis of a and the last but one of b: the other axes of both follow each other.
    const int inner = b.ndim() - 2;
    Dims axes{inner};
    std::int64_t rest = 1;
    Dims shape(std::span<const std::int64_t>(a.shape()).first(static_cast<std::size_t>(a.ndim() - 1)));
    for (int d = 0; d < b.ndim(); ++d)
        if (d != inner) {
            axes.push_back(d);
            rest *= b.shape()[d];
            shape.push_back(b.shape()[d]);
        }
    return reshape(matmul(a, reshape(b.transpose(axes), {b.shape()[inner], rest})), shape);
}

}  // namespace lanewise
