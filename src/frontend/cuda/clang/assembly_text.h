// PTX registers in the user's inline assembly, spelled as clang reads them.
#pragma once

#include <string>
#include <string_view>

namespace lanewise::cuda_cpp {

/// `text` with "%laneid" in the templates of asm statements that have operands written "%%laneid", which is how GCC's
/// syntax calls the register; nvcc and NVRTC take both spellings.
std::string with_escaped_registers(std::string_view text);

}  // namespace lanewise::cuda_cpp
