// Typed reading of LANEWISE_* environment variables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lanewise::env {

/// The variable's text; none when it is unset or empty.
std::optional<std::string> text(const char* name);
/// 1/true/yes/on or 0/false/no/off in any case; `fallback` when unset. Error(Value) for anything else.
bool flag(const char* name, bool fallback);
/// A whole number of [least, most]; none when unset. Error(Value) for anything else.
std::optional<std::int64_t> integer(const char* name, std::int64_t least, std::int64_t most);

}  // namespace lanewise::env
