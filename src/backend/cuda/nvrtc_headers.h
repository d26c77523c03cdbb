// Headers that NVRTC lacks and programs written for nvcc include, as texts.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/cuda/clang/headers.h"

namespace lanewise::cuda_cpp {

/// Of src/frontend/cuda/headers those with complex numbers. Defined in a file that the build makes.
std::span<const EmbeddedHeader> complex_headers();

}  // namespace lanewise::cuda_cpp

namespace lanewise::cuda {

struct NvrtcHeader {
    std::string_view names;  ///< with blanks between
    std::string_view text;
    bool cuda = false;  ///< stands for a header of the toolkit: given only where that one is not found
};
std::span<const NvrtcHeader> nvrtc_headers();

/// Name and text of those that a compile is given: all but those that `user_folders` have and, of the toolkit's own,
/// those that `cuda_folders` have.
std::vector<std::pair<std::string, std::string>> headers_for(const std::vector<std::string>& user_folders,
                                                             const std::vector<std::string>& cuda_folders);

}  // namespace lanewise::cuda
