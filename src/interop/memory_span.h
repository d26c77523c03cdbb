// Where the elements of strided memory of another library lie.
#pragma once

#include <cstdint>

#include "lanewise/dims.h"
#include "lanewise/dtype.h"

namespace lanewise {

/// Bytes relative to the first element: of the lowest element, and one past the highest. Equal when there is none.
struct MemorySpan {
    std::int64_t low = 0, high = 0;
};

/// Error(Value), naming `what`, when extents are negative, lengths differ, the bytes exceed the address space, or there
/// are elements at address 0 or where kernels could not load them, not aligned to their size.
MemorySpan memory_span(const char* what, const void* data, const Dims& shape, const Dims& strides, DType dtype);

}  // namespace lanewise
