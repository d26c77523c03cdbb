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

enum class Purpose : std::uint8_t { Code, Description };

/// Arguments of clang's compiler proper (-cc1), the file's name last.
std::vector<std::string> clang_arguments(const Source& source, const Options& options, DeviceKind kind,
                                         const std::string& target, Purpose purpose);

/// The name of the text in diagnostics and for #include "..." beside it.
std::string file_name(const Source& source);

/// What clang reads: the user's text, wrapped as asked for, and name expressions at its end.
struct ClangText {
    std::string text;
    std::size_t begin = 0;  ///< of the user's part
    std::size_t end = 0;
};
ClangText clang_text(const Source& source, const Options& options);

/// The variable that the `index`-th name expression initialises in clang_text.
std::string name_variable(std::size_t index);

/// The machine's files, under the embedded headers and the text.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> clang_files(const Source& source, const std::string& text);

}  // namespace lanewise::cuda_cpp
