// LANEWISE_DUMP: which intermediate forms are printed to stderr: a list of ir, llvm, llvm-opt, ptx.
#pragma once

#include <string_view>

namespace lanewise {

/// True when `form` is one of the comma-separated words of LANEWISE_DUMP. Read anew on each call.
bool dump_requested(std::string_view form);
/// Writes "; title", the text and a final newline to stderr in one piece.
void dump(std::string_view title, std::string_view text);

}  // namespace lanewise
