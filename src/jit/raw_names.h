// Names of kernels and variables of CUDA C++, as users write them, to the symbols of an image.
#pragma once

#include <optional>
#include <string>

#include "lanewise/image.h"

namespace lanewise::jit {

/// The symbol of the kernel that `name` means: a symbol, a name expression, a displayed name, or the plain name of a
/// C++ function. None when the image describes no such kernel; Error(Value) when it is the name of several.
std::optional<std::string> find_kernel_symbol(const Image& image, const std::string& name);
/// Throws Error(Value) with the names there are and the nearest of them.
[[noreturn]] void fail_missing_kernel(const Image& image, const std::string& name);

/// The symbol of the variable that `name` means: what the name expressions say of it, else `name` itself.
std::string variable_symbol(const Image& image, const std::string& name);

/// The name of a C++ function without its arguments: "ns::scale<float>" for its symbol; the symbol where it is no C++
/// name.
std::string plain_name(const std::string& symbol);

}  // namespace lanewise::jit
