// NVRTC: NVIDIA's run-time compiler of CUDA C++, found and opened at run time, with its functions from nvrtc.def.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/dynlib.h"
#include "frontend/cuda/options.h"
#include "lanewise/cuda_cpp.h"
#include "lanewise/image.h"

namespace lanewise::cuda {

using nvrtcResult = int;
using nvrtcProgram = struct NvrtcProgramState*;

/// A compiler found on this machine, not opened yet.
struct NvrtcFile {
    std::string path;      ///< "": there is none
    std::string identity;  ///< changes with the file and with the headers below
    /// CUDA's own headers, for #include <cuda_fp16.h>; empty when none were found.
    std::vector<std::string> include_folders;
    std::string searched;  ///< where it was looked for, in words
};

/// LANEWISE_NVRTC (a file or a folder), else the folders of LD_LIBRARY_PATH and of base/cuda_places.h, else what the
/// dynamic linker finds. One that is newer than the driver's CUDA version comes last. Microseconds after the first call
/// while the environment stays the same.
NvrtcFile find_nvrtc();
/// Error(DeviceUnavailable) that says where NVRTC was looked for and what would work.
[[noreturn]] void fail_without_nvrtc(const NvrtcFile& file, const std::string& call);

class Nvrtc {
public:
    /// Opens the library on the first call for its path. Error(DeviceUnavailable) when it is no NVRTC.
    static const Nvrtc& open(const std::string& path);

    /// "13.0"
    const std::string& version() const { return version_; }
    /// Compute capabilities it compiles for, ascending (10 * major + minor).
    const std::vector<int>& capabilities() const { return capabilities_; }

    /// The kernels of `source` for a GPU whose target is `target` ("sm_90a"): a Cubin image, or a Ptx image when the
    /// options ask for another architecture than the GPU's, or when this NVRTC is older than the GPU. Fills
    /// Image::names, the warnings and, if `with_text`, the assembly; no entries. A text that uses names it does not
    /// know is compiled with those that nvcc brings unasked (M_PI, uint, std::min). Error(Compile) with the whole
    /// output in `log`; Error(Value) for options or name expressions it refuses.
    Image compile(const cuda_cpp::Source& source, const cuda_cpp::Options& options, const NvrtcFile& file,
                  const std::string& target, bool with_text) const;

private:
    explicit Nvrtc(const std::string& path);
    Image compile_once(const cuda_cpp::Source& source, const cuda_cpp::Options& options, const NvrtcFile& file,
                       const std::string& target, bool with_text) const;
    /// The value of --gpu-architecture.
    std::string architecture(const cuda_cpp::Options& options, const std::string& target) const;
    /// Throws for a call that should not fail.
    void check(nvrtcResult result, const char* call) const;

    std::string path_, version_;
    std::vector<int> capabilities_;
#define LANEWISE_NVRTC(name, required, result, parameters) result(*name) parameters = nullptr;
#include "backend/cuda/nvrtc.def"
#undef LANEWISE_NVRTC
};

}  // namespace lanewise::cuda
