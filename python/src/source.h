// Finding the source text of a Python function and parsing it into CPython's ast.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

#include "lanewise/error.h"

namespace lanewise::bindings {

struct ParsedSource {
    /// The function's own lines.
    SourceFilePtr file;
    /// The ast.FunctionDef or ast.Lambda.
    nanobind::object node;
    /// File line = ast line + line_offset.
    std::int64_t line_offset = 0;
};

/// Error(UnsupportedSyntax) when no source text can be found: functions typed at a plain prompt or made by exec.
ParsedSource parse_source(nanobind::handle function);

}  // namespace lanewise::bindings
