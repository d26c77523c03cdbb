#include "interop/memory_span.h"

#include <fmt/format.h>

#include "lanewise/array.h"
#include "lanewise/error.h"

namespace lanewise {

MemorySpan memory_span(const char* what, const void* data, const Dims& shape, const Dims& strides, DType dtype) {
    const std::int64_t item_bytes = size_of(dtype);
    auto fail = [&](const char* problem) {
        throw Error(ErrorKind::Value, fmt::format("{}: shape {} with strides {} {}", what, to_string(shape),
                                                  to_string(strides), problem));
    };
    if (shape.size() != strides.size()) fail("has other axes than the strides");
    bool is_empty = false;
    for (std::int64_t extent : shape) {
        if (extent < 0) fail("has a negative extent");
        is_empty |= extent == 0;
    }
    if (is_empty) return {};
    element_count(shape, item_bytes);
    MemorySpan span{0, item_bytes};
    for (int i = 0; i < shape.size(); ++i) {
        std::int64_t reach = 0, &side = strides[i] < 0 ? span.low : span.high;
        if (__builtin_mul_overflow(shape[i] - 1, strides[i], &reach) || __builtin_add_overflow(side, reach, &side))
            fail("reaches beyond the address space");
    }
    std::int64_t bytes = 0;
    if (__builtin_sub_overflow(span.high, span.low, &bytes)) fail("reaches beyond the address space");
    if (!data) fail("has elements, but its address is 0");
    const std::int64_t alignment = is_complex(dtype) ? item_bytes / 2 : item_bytes;
    bool is_aligned = reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(alignment) == 0;
    for (int i = 0; i < shape.size(); ++i) is_aligned &= shape[i] == 1 || strides[i] % alignment == 0;
    if (!is_aligned) fail("has elements that are not aligned to their size; copy it first");
    return span;
}

}  // namespace lanewise
