// From the IR to LLVM: one module in the NVVM dialect, the same for every device but for what its Target supplies.
#pragma once

#include <memory>

#include "codegen/compiler.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace lanewise::codegen {

/// Kernels get the calling convention ptx_kernel and the annotation "kernel", one LLVM parameter an IR parameter (bool
/// as i8). Device functions are internal; several results come back as a struct. Pointers into local memory are
/// generic. Beside llvm.* the module may declare:
/// - `__nv_NAME`: libdevice's functions.
/// - `void __lanewise_raise(i32 site, ptr values, i32 count)`: reports an error and returns; `values` has room for six.
/// - `void __lanewise_grid_barrier()`: all threads of a cooperative launch meet.
/// - `i32 vprintf(ptr format, ptr arguments)`: CUDA's device printf.
///
/// Special registers without an intrinsic are read by inline assembly, "mov.u32 $0, %NAME;"; modules for the host hold
/// no other. Data layout and triple are NVPTX's, for the host's code generator too. Error(Lowering) with the source
/// line for what the device cannot do.
std::unique_ptr<llvm::Module> emit(const ir::Module& module, DeviceKind kind, const CompileOptions& options,
                                   llvm::LLVMContext& context);

}  // namespace lanewise::codegen
