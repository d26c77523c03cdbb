#include "base/env.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>

#include "lanewise/error.h"

namespace lanewise::env {

std::optional<std::string> text(const char* name) {
    const char* value = std::getenv(name);
    if (!value || !*value) return std::nullopt;
    return value;
}

bool flag(const char* name, bool fallback) {
    std::optional<std::string> value = text(name);
    if (!value) return fallback;
    std::string lower = *value;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    for (const char* yes : {"1", "true", "yes", "on"})
        if (lower == yes) return true;
    for (const char* no : {"0", "false", "no", "off"})
        if (lower == no) return false;
    throw Error(ErrorKind::Value, fmt::format("{}={}: expected 1, true, yes, on or 0, false, no, off", name, *value));
}

std::optional<std::int64_t> integer(const char* name, std::int64_t least, std::int64_t most) {
    std::optional<std::string> value = text(name);
    if (!value) return std::nullopt;
    std::int64_t number = 0;
    const char* end = value->data() + value->size();
    auto [rest, problem] = std::from_chars(value->data(), end, number);
    if (problem != std::errc() || rest != end || number < least || number > most)
        throw Error(ErrorKind::Value,
                    fmt::format("{}={}: expected a whole number from {} to {}", name, *value, least, most));
    return number;
}

}  // namespace lanewise::env
