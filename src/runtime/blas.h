// Blas: the matrix product of the library that a device has one of.
#pragma once

#include <cstdint>

#include "lanewise/device.h"
#include "lanewise/dtype.h"

namespace lanewise {

/// A batch of matrices in memory: element (b, i, j) lies at data + b * batch + i * row + j * column; strides in
/// elements, one of `row` and `column` is 1.
struct MatrixBatch {
    void* data = nullptr;
    std::int64_t batch = 0, row = 0, column = 0;
};

/// c = a b: c is (rows, columns), contiguous in C order, and so are the batches.
struct MatrixProduct {
    DType type{};
    std::int64_t count = 1, rows = 0, columns = 0, inner = 0;
    MatrixBatch a, b, c;
};

class Blas {
public:
    virtual ~Blas() = default;
    /// False, and nothing has happened, when the library does not take such matrices.
    virtual bool multiply(Stream& stream, const MatrixProduct& product) = 0;
};

/// Null when there is no library. It is looked for on the first call.
Blas* blas_of(Device& device);

}  // namespace lanewise
