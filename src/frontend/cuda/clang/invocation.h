// What clang is told: its arguments, and the files it sees.
#pragma once

#include <string>
#include <vector>

#include "frontend/cuda/clang/clang.h"
#include "frontend/cuda/options.h"
#include "lanewise/device.h"

namespace lanewise::cuda_cpp {

/// Folder of the embedded headers in clang's file system.
inline constexpr char header_folder[] = "/lanewise/include";

/// What every program includes first, before its own text.
inline constexpr char prelude_file[] = "__lanewise_cuda.h";
/// The same, precompiled.
inline constexpr char precompiled_file[] = "/lanewise/prelude.pch";

enum class Purpose : std::uint8_t { Code, Description };

/// Arguments of clang's compiler proper (-cc1) that decide what the prelude means: those of the language, and macros.
/// The architecture is none of them: the prelude does not look at it.
std::vector<std::string> language_arguments(const Options& options);

/// clang's name of the architecture that a text is compiled for, "sm_90a".
std::string architecture_of(const Options& options, DeviceKind kind, const std::string& target);

/// The other arguments. The prelude comes from its text or as a precompiled header.
std::vector<std::string> text_arguments(const Options& options, DeviceKind kind, const std::string& architecture,
                                        Purpose purpose, bool precompiled);

/// Sets `compiler` up for the text of `file` but for its files; false when clang refuses an argument, which `consumer`
/// is told.
bool prepare(clang::CompilerInstance& compiler, std::vector<std::string> arguments, const std::string& file,
             clang::DiagnosticConsumer& consumer);

/// Whether `folder` is that of a CUDA toolkit's headers.
bool is_toolkit(const std::string& folder);

/// The name of the text in diagnostics and for #include "..." beside it.
std::string file_name(const Source& source);

/// What clang reads: macros of the architecture, forced includes, the user's text, wrapped as asked for, and name
/// expressions at its end.
struct ClangText {
    std::string text;
    std::size_t begin = 0;  ///< of the user's part
    std::size_t end = 0;
};
ClangText clang_text(const Source& source, const Options& options, const std::string& architecture);

/// The variable that the `index`-th name expression initialises in clang_text.
std::string name_variable(std::size_t index);

/// Files in memory by their paths; the texts are not copied.
using MemoryFiles = std::vector<std::pair<std::string, llvm::StringRef>>;

/// The machine's files under the embedded headers and `files`.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> clang_files(const MemoryFiles& files);

}  // namespace lanewise::cuda_cpp
