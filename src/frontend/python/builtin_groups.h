// The groups of builtins: each builtins_<group>.cpp gives its table, builtins.cpp makes the registry of them.
#pragma once

#include <span>

#include "frontend/python/builtins.h"

namespace lanewise::python {

std::span<const Builtin> python_builtins();
std::span<const Builtin> iteration_builtins();
std::span<const Builtin> operator_builtins();
std::span<const Builtin> scalar_method_builtins();
std::span<const Builtin> print_builtins();
std::span<const Builtin> math_builtins();
std::span<const Builtin> numpy_float_builtins();
std::span<const Builtin> numpy_arithmetic_builtins();
std::span<const Builtin> cuda_builtins();
std::span<const Builtin> warp_builtins();
std::span<const Builtin> memory_builtins();
std::span<const Builtin> array_builtins();
std::span<const Builtin> atomic_builtins();
std::span<const Builtin> libdevice_builtins();

/// Attributes that are values.
std::span<const Builtin> cuda_builtin_values();

}  // namespace lanewise::python
