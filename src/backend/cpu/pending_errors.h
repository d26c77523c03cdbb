// PendingErrors: what commands of a device's streams reported and nobody has been told yet.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <vector>

namespace lanewise::cpu {

/// Errors are told once: to whoever synchronises the stream, an event after the command, or the device first.
/// Thread-safe.
class PendingErrors {
public:
    void add(std::uint64_t queue, std::uint64_t sequence, std::exception_ptr error);
    /// Throws the first error of commands up to `sequence` of `queue`, if any, and forgets the later ones up to there:
    /// they come from work that saw the results of the failed command.
    void throw_of(std::uint64_t queue, std::uint64_t sequence);
    /// The same for all queues.
    void throw_any();

    std::mutex& mutex() { return mutex_; }

private:
    struct Entry {
        std::uint64_t queue;
        std::uint64_t sequence;
        std::exception_ptr error;
    };
    template <class Concerns>
    void throw_first(Concerns concerns);

    std::mutex mutex_;
    std::vector<Entry> entries_;
    std::atomic<bool> any_{false};
};

}  // namespace lanewise::cpu
