// Headers that NVRTC lacks and programs written for nvcc include, as texts.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "frontend/cuda/embedded_headers.h"

namespace lanewise::cuda_cpp {

/// The files of src/backend/cuda/nvrtc_headers. Defined in a file that the build makes.
std::span<const EmbeddedHeader> nvrtc_headers();
/// Of src/frontend/cuda/headers those that serve NVRTC too. Defined in a file that the build makes.
std::span<const EmbeddedHeader> shared_headers();

}  // namespace lanewise::cuda_cpp

namespace lanewise::cuda {

/// Name and text of those that a compile is given: all but those that `user_folders` have and, of the toolkit's own,
/// those that `cuda_folders` have.
std::vector<std::pair<std::string, std::string>> headers_for(const std::vector<std::string>& user_folders,
                                                             const std::vector<std::string>& cuda_folders);

}  // namespace lanewise::cuda
