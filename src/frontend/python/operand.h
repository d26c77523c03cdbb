// Operand: a value of the kernel language while a function is lowered. In a dry run (typing only) it has no parts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/python/types.h"
#include "ir/builder.h"

namespace lanewise::python {

struct Operand {
    TypePtr type = nullptr;
    /// IR values, as parts_of(type) lists them; empty in a dry run.
    std::vector<ir::Value*> parts;
    /// The compile-time value when there is one: literals, captured values, and integer, bool and tuple arithmetic on
    /// them.
    syntax::CapturedPtr constant;
    /// Written as a literal or captured (not computed): what jit(literals="weak") treats as weak.
    bool is_literal = false;
    /// How the source spells it ("x", "buf"), for messages; may be empty.
    std::string spelling;

    ir::Value* value() const { return parts.empty() ? nullptr : parts[0]; }
    /// The constant as an int64 when it is an integer or bool; none otherwise.
    std::optional<std::int64_t> constant_int() const;
};

}  // namespace lanewise::python
