// The door of liblanewise_compiler.so. No LLVM type crosses it; the core opens it with dlopen on the first cache miss.
#pragma once

#include <string>

#include "frontend/cuda/options.h"
#include "ir/function.h"
#include "ir/options.h"
#include "lanewise/device.h"
#include "lanewise/image.h"

namespace lanewise {

class Compiler {
public:
    virtual ~Compiler() = default;
    /// All kernels of `module` (already through passes::run_pipeline) for `target` (Device::target()).
    /// Cuda: Ptx image. Cpu: HostObject image. Error(Lowering) with the source line for what the target cannot do.
    virtual Image compile(const ir::Module& module, DeviceKind kind, const std::string& target,
                          const CompileOptions& options) = 0;
    /// All kernels of a CUDA C++ text, by clang: Ptx or HostObject image as above, with EntryPoint::parameters,
    /// Image::names and the compiler's warnings. `parsed` are source.options, `options` what follows from them for the
    /// code generator. Error(Compile) with the diagnostics (source line and caret each) in `log`.
    virtual Image compile_cuda(const cuda_cpp::Source& source, const cuda_cpp::Options& parsed, DeviceKind kind,
                               const std::string& target, const CompileOptions& options) = 0;
    /// Only what the declarations of a CUDA C++ text say: an Image without bytes whose entries have names, parameters
    /// and their layout, and whose `names` are filled. Function bodies are not looked at; what cannot be understood (a
    /// header that is missing) is left out, and never an error.
    virtual Image describe_cuda(const cuda_cpp::Source& source, const cuda_cpp::Options& parsed,
                                const std::string& target) = 0;
    /// LLVM's version and the backends linked in, for `lanewise info`.
    virtual std::string description() const = 0;
};

/// Loads the shared object on the first call (path: beside the core, or LANEWISE_COMPILER). Error(Internal) with
/// dlopen's message and the path when it cannot be loaded. Implemented in src/jit/compiler.cpp.
Compiler& compiler();

}  // namespace lanewise

/// The one exported symbol.
extern "C" lanewise::Compiler* lanewise_compiler();
