// The Python front end: a syntax tree and argument types in, a verified ir::Module out. No Python.h, no LLVM.
#pragma once

#include <string>
#include <vector>

#include "frontend/python/emitter.h"
#include "frontend/python/types.h"
#include "ir/function.h"

namespace lanewise::python {

struct Request {
    const syntax::Function& function;
    std::vector<TypePtr> arguments;
    Options options;
    bool is_kernel = true;
    /// A device function's declared result; null: inferred. Kernels: none.
    TypePtr result = nullptr;
    /// Symbol; empty: made from the name.
    std::string symbol;
};

struct Lowered {
    std::unique_ptr<ir::Module> module;  ///< through passes::run_pipeline
    TypePtr result = nullptr;            ///< of a device function; none for kernels
    std::vector<std::string> warnings;
    /// Text of inspect_types: source lines with the types of the variables assigned on them.
    std::string typed_source;
};

/// Error(Typing, UnsupportedSyntax, Lowering, ...) with file:line:column, source line and caret.
Lowered lower(const Request& request);

}  // namespace lanewise::python
