// _core.Type: types of the kernel language as Python objects.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "frontend/python/types.h"

namespace lanewise::bindings {

/// Of a Type, or of an object whose attribute `__lanewise_type__` is one; null for other objects.
python::TypePtr find_type(nanobind::handle object);
/// As find_type; a str is parsed. Error(Type) otherwise.
python::TypePtr require_type(nanobind::handle object);
nanobind::object make_type(python::TypePtr type);

/// Argument types from a sequence of types or the text of a signature. `result`, if given, gets the declared result
/// type (null when the text names none).
std::vector<python::TypePtr> argument_types(nanobind::handle types, python::TypePtr* result = nullptr);

}  // namespace lanewise::bindings
