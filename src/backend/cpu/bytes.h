// Copies and fills of host memory, by several threads when they are large.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lanewise::cpu {

/// The ranges may overlap.
void copy_bytes(void* dst, const void* src, std::size_t bytes);
/// `width` is 1, 2, 4 or 8.
void fill_elements(void* dst, std::uint64_t pattern, int width, std::size_t count);

}  // namespace lanewise::cpu
