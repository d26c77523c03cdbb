#include "base/log.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string_view>

#include "base/env.h"

namespace lanewise {

namespace {
constexpr std::array<std::string_view, 5> level_names = {"off", "error", "warning", "info", "debug"};
}

namespace detail {

std::atomic<std::uint8_t> log_level{0xff};

LogLevel read_log_level() {
    std::string wanted = env::text("LANEWISE_LOG").value_or("off");
    for (std::size_t i = 0; i < level_names.size(); ++i) {
        if (wanted != level_names[i]) continue;
        log_level.store(static_cast<std::uint8_t>(i), std::memory_order_relaxed);
        return static_cast<LogLevel>(i);
    }
    // A log call may come from anywhere, destructors too, so a bad level is reported and not thrown.
    log_level.store(static_cast<std::uint8_t>(LogLevel::Error), std::memory_order_relaxed);
    write_log(LogLevel::Error, fmt::format("LANEWISE_LOG={}: expected off, error, warning, info or debug", wanted));
    return LogLevel::Error;
}

void write_log(LogLevel level, const std::string& text) {
    static const auto start = std::chrono::steady_clock::now();
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::string line =
        fmt::format("[lanewise {:10.6f} {}] {}\n", seconds, level_names[static_cast<std::size_t>(level)], text);
    // One write per line, so that lines of several threads and processes do not mix.
    std::size_t done = 0;
    while (done < line.size()) {
        ssize_t wrote = write(STDERR_FILENO, line.data() + done, line.size() - done);
        if (wrote <= 0) return;
        done += static_cast<std::size_t>(wrote);
    }
}

}  // namespace detail

void set_log_level(LogLevel level) {
    detail::log_level.store(static_cast<std::uint8_t>(level), std::memory_order_relaxed);
}

}  // namespace lanewise
