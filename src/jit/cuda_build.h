// build_cuda: a CUDA C++ text to a loaded Module, through the caches: this process, the disk, the compiler chosen for
// it. And images that a user brings.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "jit/build.h"
#include "lanewise/cuda_cpp.h"
#include "lanewise/device.h"

namespace lanewise::jit {

struct CudaBuildSettings {
    /// Neither read nor written when off.
    bool use_disk_cache = true;
    /// Folder for the files that nvcc leaves behind (Backend::Nvcc only); "": none are kept.
    std::string keep_folder{};
    /// Off: the module is this call's own, with global variables that no other build sees.
    bool share_loaded = true;
};

struct CudaBuilt : Built {
    cuda_cpp::Backend backend = cuda_cpp::Backend::Clang;  ///< which compiler the code is from; never Auto
};

/// The kernels of `source` on `device`. Symbols of name expressions are in module->image().names, the compiler's
/// warnings in module->image().warnings, parameters of the kernels in Kernel::entry().parameters.
/// Error(Value) for options that no compiler has and for a backend that does not serve the device;
/// Error(DeviceUnavailable) for a compiler that is not found, saying where it was looked for and what would work;
/// Error(Compile) with the compiler's output in `log`. Thread-safe.
CudaBuilt build_cuda(const cuda_cpp::Source& source, Device& device, const CudaBuildSettings& settings = {});

/// The image that build_cuda loads, from the disk cache or compiled; not loaded. Errors as build_cuda's.
Image compile_cuda(const cuda_cpp::Source& source, Device& device, const CudaBuildSettings& settings = {});

/// As compile_cuda, but always compiled, with Image::assembly (PTX; the cpu device's assembly) and, from clang,
/// Image::llvm_ir.
Image compile_cuda_with_text(const cuda_cpp::Source& source, Device& device, const CudaBuildSettings& settings = {});

/// The compiler that serves `source` on `device`; never Auto. Errors as build_cuda's.
cuda_cpp::Backend choose_backend(const cuda_cpp::Source& source, Device& device);

/// PTX, a cubin or a fatbin made elsewhere: told apart by its first bytes, linked when it is PTX, and loaded. `options`
/// count for PTX. `name` is what errors call it. Error(Value) for bytes that are none of these and for what `device`
/// cannot run; Error(Compile) with the driver's log.
std::shared_ptr<Module> load_image(std::span<const std::uint8_t> bytes, const std::string& name, Device& device,
                                   const LinkOptions& options = {});
/// load_image of a file's content; Error(Value) when it cannot be read.
std::shared_ptr<Module> load_image_file(const std::string& path, Device& device, const LinkOptions& options = {});

}  // namespace lanewise::jit
