// The CUDA headers of src/frontend/cuda/headers, carried in the shared object.
#pragma once

#include <span>
#include <string_view>

namespace lanewise::cuda_cpp {

struct EmbeddedHeader {
    std::string_view path;  ///< relative to the headers' folder
    std::string_view text;  ///< NUL-terminated
};

/// Sorted by path. Defined in a file that the build makes.
std::span<const EmbeddedHeader> embedded_headers();

}  // namespace lanewise::cuda_cpp
