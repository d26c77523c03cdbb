// Errors of the core as Python exceptions, and warnings.
#pragma once

#include <Python.h>

#include <string>

#include "lanewise/error.h"

namespace lanewise::bindings {

/// Sets the Python exception for the C++ exception in flight; for code that is not behind nanobind.
void set_python_error() noexcept;
/// Sets the Python exception for `error`.
void set_python_error(const Error& error);

/// Calls the warning hook (or warnings.warn); throws nanobind::python_error when it raises.
void warn(const char* category, const std::string& text);

}  // namespace lanewise::bindings
