// CUDA C++ -> LLVM module in the NVVM dialect, by clang, in process.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "frontend/cuda/options.h"
#include "lanewise/device.h"
#include "lanewise/image.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace lanewise::cuda_cpp {

/// What a text says beside its code.
struct Description {
    /// Name, display name, parameters and their layout of each kernel that is defined, in source order.
    std::vector<EntryPoint> kernels;
    /// Name expressions and the symbols they stand for.
    std::vector<std::pair<std::string, std::string>> names;
    std::vector<std::string> warnings;
};

struct Translation {
    std::unique_ptr<llvm::Module> module;
    Description description;
};

/// Compiles device code for `kind`; `target` is the device's and gives the architecture on CUDA when the options do not
/// name one. Not optimised. All functions but kernels are internal unless the code is to be relocatable. Error(Compile)
/// with all diagnostics in `log`. Thread-safe.
Translation translate(const Source& source, const Options& options, DeviceKind kind, const std::string& target,
                      llvm::LLVMContext& context);

/// Reads declarations only; errors in them are passed over.
Description describe(const Source& source, const Options& options, const std::string& target);

/// clang's version.
std::string clang_version();

}  // namespace lanewise::cuda_cpp
