#include "backend/cpu/pending_errors.h"

namespace lanewise::cpu {

void PendingErrors::add(std::uint64_t queue, std::uint64_t sequence, std::exception_ptr error) {
    std::lock_guard lock(mutex_);
    entries_.push_back({queue, sequence, std::move(error)});
    any_.store(true, std::memory_order_release);
}

template <class Concerns>
void PendingErrors::throw_first(Concerns concerns) {
    if (!any_.load(std::memory_order_acquire)) return;
    std::exception_ptr first;
    {
        std::lock_guard lock(mutex_);
        std::erase_if(entries_, [&](Entry& entry) {
            if (!concerns(entry)) return false;
            if (!first) first = std::move(entry.error);
            return true;
        });
        any_.store(!entries_.empty(), std::memory_order_release);
    }
    if (first) std::rethrow_exception(first);
}

void PendingErrors::throw_of(std::uint64_t queue, std::uint64_t sequence) {
    throw_first([&](const Entry& entry) { return entry.queue == queue && entry.sequence <= sequence; });
}

void PendingErrors::throw_any() {
    throw_first([](const Entry&) { return true; });
}

}  // namespace lanewise::cpu
