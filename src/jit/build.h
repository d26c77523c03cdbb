// build: an ir::Module to a loaded Module, through the caches: this process, the disk, the code generator.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "codegen/compiler.h"
#include "ir/function.h"
#include "jit/module_cache.h"
#include "lanewise/device.h"

namespace lanewise::jit {

struct BuildRequest {
    const ir::Module& module;  ///< through passes::run_pipeline
    Device& device;
    CompileOptions options;
    /// Off for code that holds addresses of this process.
    bool use_disk_cache = true;
};

/// Error(Lowering, Compile, Driver, ...) as the code generator and the device throw them. Thread-safe.
Built build(const BuildRequest& request);

/// What decides the code of `request`: content of the IR, options, target, build of the code generator.
std::string cache_key(const BuildRequest& request);

/// The compiled image with Image::llvm_ir and Image::assembly; neither loaded nor cached.
Image compile_with_text(const ir::Module& module, DeviceKind kind, const std::string& target, CompileOptions options);

}  // namespace lanewise::jit
