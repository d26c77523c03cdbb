// The door of liblanewise_compiler.so. No LLVM type crosses it; the core opens it with dlopen on the first cache miss.
#pragma once

#include <string>

#include "frontend/cuda/options.h"
#include "ir/function.h"
#include "lanewise/device.h"
#include "lanewise/image.h"

namespace lanewise {

/// Everything beside the IR that decides generated code. Part of every cache key (hash()).
struct CompileOptions {
    int opt_level = 3;
    bool contract = true;   ///< a * b + c may become one fma (nvcc's and Numba's default on CUDA)
    bool fastmath = false;  ///< ftz, approximate division and square root, reassociation: all of LLVM's fast flags
    bool line_info = false;
    bool debug = false;  ///< no optimisation of variables away; full debug information
    int max_registers = 0;
    int max_threads_per_block = 0;  ///< launch bounds; 0: none
    int min_blocks_per_multiprocessor = 0;
    int max_cluster_blocks = 0;
    bool keep_text = false;  ///< fill Image::llvm_ir and Image::assembly
    std::string hash() const;
};

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
