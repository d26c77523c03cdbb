// PTX from kernels: an LLVM module in the NVVM dialect becomes a Ptx image.
#pragma once

#include <memory>
#include <string>

#include "codegen/compiler.h"
#include "lanewise/image.h"

namespace llvm {
class Module;
}

namespace lanewise::cuda {

/// Compiles every kernel of `module` for `target`, "sm_90a" or alike. A GPU newer than the code generator knows gets
/// PTX of the newest it knows, which the driver compiles forward.
///
/// Fills Image::entries in module order; display_name is the name. Texts if `options.keep_text`: the LLVM IR as it came
/// and the PTX. raise_sites and files are left to the caller.
///
/// Defines what codegen/emit.h lists as declared; __nv_* functions come from libdevice. Error(Lowering) when libdevice
/// is needed and not found; Error(Value) for an unknown target. Thread-safe.
Image compile(std::unique_ptr<llvm::Module> module, const std::string& target, const CompileOptions& options);

}  // namespace lanewise::cuda
