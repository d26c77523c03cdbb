// Where the code generator's shared object lies, without loading it.
#pragma once

#include <string>

namespace lanewise::jit {

/// Path of the library or program that contains this function.
std::string core_library_path();
/// LANEWISE_COMPILER, or liblanewise_compiler.so beside the core, or its bare name for the dynamic linker's search.
std::string compiler_library_path();

}  // namespace lanewise::jit
