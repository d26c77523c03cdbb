// The matrix product by a kernel of our own: any element type and strides.
#pragma once

#include "array/program.h"
#include "lanewise/device.h"

namespace lanewise {

/// Strides in bytes.
struct MatmulOperand {
    void* data = nullptr;
    std::int64_t row = 0, column = 0;
    Dims batch;  ///< over MatmulShape::batch
};
struct MatmulShape {
    Dims batch;
    std::int64_t rows = 0, columns = 0, inner = 0;
};

/// c = a b in `type`; c is contiguous in C order. The evaluation lock is held.
void launch_matmul(DType type, const MatmulShape& shape, const MatmulOperand& a, const MatmulOperand& b, void* c,
                   const std::shared_ptr<Stream>& stream);

}  // namespace lanewise
