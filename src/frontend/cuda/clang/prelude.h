// The prelude, what CUDA C++ offers without an #include, as clang's precompiled header.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/cuda/clang/clang.h"
#include "frontend/cuda/options.h"

namespace lanewise::cuda_cpp {

/// What a precompiled header is made from.
struct Prelude {
    std::vector<std::string> arguments;  ///< language_arguments()
    std::string header;                  ///< one of the slow headers, included as well; "": none
    auto operator<=>(const Prelude&) const = default;
};

/// The one that `source` profits from: one that precompiles a header of ours that takes long to parse, if the text
/// includes it.
Prelude prelude_of(const Source& source, const Options& options);

/// Those that come with the shared object: for code without options.
std::vector<Prelude> embedded_preludes();

/// The file that a precompiled header is made from; clang looks at it again when it reads the header.
inline constexpr char prelude_source_file[] = "/lanewise/prelude.cu";
std::string prelude_source(const Prelude& prelude);

/// Nothing when it fails, with the reasons in `log`.
std::optional<std::string> precompile(const Prelude& prelude, std::string& log);

/// The precompiled header, which lives on. One that does not come with the shared object is made on the second call
/// with it in the process, as making it costs more than one compile gains. Thread-safe.
std::optional<llvm::StringRef> precompiled(const Prelude& prelude);

}  // namespace lanewise::cuda_cpp

/// The bytes of embedded_preludes(): their sizes (64 bits each), then each at a multiple of 16. Absent while they are
/// being made.
extern "C" __attribute__((weak, visibility("hidden"))) const char lanewise_embedded_preludes[];
