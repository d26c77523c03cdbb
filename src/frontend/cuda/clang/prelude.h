// The prelude, what CUDA C++ offers without an #include, as clang's precompiled header.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/cuda/clang/clang.h"

namespace lanewise::cuda_cpp {

/// Precompiles it for language_arguments(); nothing when that fails, with the reasons in `log`.
std::optional<std::string> precompile_prelude(const std::vector<std::string>& arguments, std::string& log);

/// The precompiled header for language_arguments(), which lives on. For the arguments without any options it comes with
/// the shared object; for others it is made on the second call with them in the process, as making one costs more than
/// one compile gains. Thread-safe.
std::optional<llvm::StringRef> precompiled_prelude(const std::vector<std::string>& arguments);

}  // namespace lanewise::cuda_cpp

/// The one that comes with the shared object; absent while it is being made.
extern "C" __attribute__((weak, visibility("hidden"))) const char lanewise_prelude_begin[];
extern "C" __attribute__((weak, visibility("hidden"))) const char lanewise_prelude_end[];
