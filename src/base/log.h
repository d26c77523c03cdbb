// The log: lines on stderr up to the level of LANEWISE_LOG (error, warning, info, debug; unset: off).
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

namespace lanewise {

enum class LogLevel : std::uint8_t { Off, Error, Warning, Info, Debug };

namespace detail {
/// 0xff until LANEWISE_LOG has been read.
extern std::atomic<std::uint8_t> log_level;
LogLevel read_log_level();
void write_log(LogLevel level, const std::string& text);
}  // namespace detail

inline bool log_enabled(LogLevel level) {
    std::uint8_t current = detail::log_level.load(std::memory_order_relaxed);
    if (current == 0xff) current = static_cast<std::uint8_t>(detail::read_log_level());
    return static_cast<std::uint8_t>(level) <= current;
}

/// Overrides LANEWISE_LOG.
void set_log_level(LogLevel level);

/// Writes the line that `make_text()` gives; when the level is off, costs one load and a compare and makes no text.
template <class MakeText>
void log(LogLevel level, MakeText&& make_text) {
    if (log_enabled(level)) [[unlikely]]
        detail::write_log(level, std::forward<MakeText>(make_text)());
}

}  // namespace lanewise
