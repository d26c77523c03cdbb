// Host code from kernels: an LLVM module in the NVVM dialect becomes a HostObject image as src/backend/cpu/abi.h
// describes.
#pragma once

#include <memory>
#include <string>

#include "codegen/compiler.h"
#include "lanewise/image.h"

namespace llvm {
class Module;
}

namespace lanewise::cpu {

/// Compiles every kernel of `module` (calling convention ptx_kernel, or !nvvm.annotations "kernel").
///
/// `target` is "<arch>" or "<arch>:<features>" with LLVM's names, for instance "x86_64:+avx2,+fma"; "<arch>" alone is
/// that architecture's baseline. Tuning follows the CPU this runs on.
///
/// Fills Image::entries in module order: name, parameters, shared bytes, can_raise, cooperative, context bytes; texts
/// if `options.keep_text`. display_name is the name; raise_sites and files are left to the caller.
///
/// Beside llvm.nvvm.* and __nv_* the dialect knows these external functions:
/// - `void @__lanewise_raise(i32 site, ptr values, i32 count)` reports an error with at most 6 int64 values and
/// returns;
/// - `void @__lanewise_grid_barrier()`: all threads of a cooperative launch meet;
/// - CUDA's `i32 @vprintf(ptr format, ptr arguments)`, `ptr @malloc(i64)`, `void @free(ptr)` and
///   `void @__assertfail(ptr message, ptr file, i32 line, ptr function, i64 char_size)`.
///
/// llvm.trap ends the thread and reports ErrorSlot::site == trap_site, __assertfail assert_site.
///
/// `module` need not be optimised: what clang makes of CUDA C++ is taken as it is. Inline assembly is PTX. Variables
/// with external linkage are exported under their names (Module::global), written by the host between launches.
///
/// Error(Lowering) names the kernel and the operation for what the host cannot do; Error(Value) for an unknown target.
/// Thread-safe.
Image compile(std::unique_ptr<llvm::Module> module, const std::string& target, const CompileOptions& options);

}  // namespace lanewise::cpu
