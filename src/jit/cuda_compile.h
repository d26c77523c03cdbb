// One CUDA C++ text by one compiler, without caches.
#pragma once

#include <string>

#include "backend/cuda/nvcc.h"
#include "backend/cuda/nvrtc.h"
#include "frontend/cuda/options.h"
#include "jit/cuda_build.h"

namespace lanewise::jit {

/// A compiler that is there.
struct CudaCompiler {
    cuda_cpp::Backend backend = cuda_cpp::Backend::Clang;  ///< never Auto
    cuda::NvrtcFile nvrtc;                                 ///< of Backend::Nvrtc
    cuda::NvccFile nvcc;                                   ///< of Backend::Nvcc
    /// Which one and which version, for cache keys.
    std::string identity() const;
};

/// Errors of build_cuda for a backend that does not serve `device` or is not found.
CudaCompiler find_compiler(const cuda_cpp::Source& source, Device& device);

/// What Device::load takes. `with_text`: with Image::assembly and, from clang, Image::llvm_ir.
Image compile_with(const CudaCompiler& compiler, const cuda_cpp::Source& source, const cuda_cpp::Options& options,
                   Device& device, const CudaBuildSettings& settings, bool with_text);

}  // namespace lanewise::jit
