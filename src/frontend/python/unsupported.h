// What to say about Python that kernels do not have: the construct and what to write instead.
#pragma once

#include <string>

namespace lanewise::python {

/// For a class of CPython's ast: "ListComp", "Try", "With", ...
std::string unsupported_syntax(const std::string& ast_class);

/// What to write instead of a builtin function that kernels do not have; empty when nothing is known.
std::string replacement_of_builtin(const std::string& canonical_name);

}  // namespace lanewise::python
