// Headers for programs in CUDA C++, carried in the shared objects that need them.
#pragma once

#include <span>
#include <string_view>

namespace lanewise::cuda_cpp {

struct EmbeddedHeader {
    std::string_view path;  ///< relative to the headers' folder
    std::string_view text;  ///< NUL-terminated
};

/// Those of src/frontend/cuda/headers, sorted by path. Defined in a file that the build makes.
std::span<const EmbeddedHeader> embedded_headers();

}  // namespace lanewise::cuda_cpp
