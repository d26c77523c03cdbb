// Counters of what compiling cost this process.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace lanewise::jit {

struct Statistics {
    std::atomic<std::uint64_t> compiles{0};        ///< times the code generator ran
    std::atomic<std::uint64_t> shared_modules{0};  ///< times a module already loaded in this process served
    std::atomic<std::uint64_t> disk_hits{0}, disk_misses{0}, disk_stores{0}, corrupt_entries{0};
    std::atomic<std::uint64_t> lower_ns{0}, compile_ns{0}, link_ns{0}, load_ns{0};
};
Statistics& statistics();

/// Adds the time of its scope to a counter.
class ScopeTimer {
public:
    explicit ScopeTimer(std::atomic<std::uint64_t>& total) : total_(total), start_(std::chrono::steady_clock::now()) {}
    ~ScopeTimer() { total_ += static_cast<std::uint64_t>(nanoseconds()); }
    std::int64_t nanoseconds() const {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    std::atomic<std::uint64_t>& total_;
    std::chrono::steady_clock::time_point start_;
};

}  // namespace lanewise::jit
