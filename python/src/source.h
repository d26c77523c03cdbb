// Finding the source text of a Python function and parsing it into CPython's ast.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string_view>

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

/// "FunctionDef" for an ast.FunctionDef.
std::string_view class_name(nanobind::handle node);

/// Error(UnsupportedSyntax) when no source text can be found: functions typed at a plain prompt or made by exec.
ParsedSource parse_source(nanobind::handle function);

}  // namespace lanewise::bindings
