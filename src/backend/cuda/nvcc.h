// nvcc: the toolkit's compiler driver, run as a process.
#pragma once

#include <string>

#include "frontend/cuda/options.h"
#include "lanewise/cuda_cpp.h"
#include "lanewise/image.h"

namespace lanewise::cuda {

/// A compiler found on this machine.
struct NvccFile {
    std::string path;      ///< "": there is none
    std::string identity;  ///< changes with the file
    std::string searched;  ///< where it was looked for, in words
};

/// LANEWISE_NVCC, else bin/nvcc of CUDA_HOME, CUDA_PATH or CUDA_ROOT, else of PATH, else of base/cuda_places.h.
NvccFile find_nvcc();
/// Error(DeviceUnavailable) that says where nvcc was looked for and what would work.
[[noreturn]] void fail_without_nvcc(const NvccFile& file, const std::string& call);

/// The kernels of `source` for a GPU whose target is `target`: a Cubin image, or a Ptx image when the options ask for
/// another architecture than the GPU's. `keep_folder`: where the text and nvcc's files are left, made when it does not
/// exist; "": in a temporary folder that is removed. What the name expressions name is in the code; their symbols are
/// not told. Errors as Nvrtc::compile's.
Image compile_with_nvcc(const cuda_cpp::Source& source, const cuda_cpp::Options& options, const NvccFile& file,
                        const std::string& target, const std::string& keep_folder, bool with_text);

}  // namespace lanewise::cuda
