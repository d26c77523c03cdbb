#include "backend/cpu/grid_barrier.h"

#include "backend/cpu/host_threads.h"
#include "backend/cpu/services.h"
#include "backend/cpu/thread_start.h"

namespace lanewise::cpu {

namespace {
constexpr int spin_us = 20;
}

GridBarrier::GridBarrier(std::uint64_t blocks, ErrorSlot& error)
    : blocks_(blocks), error_(error), spin_(blocks <= static_cast<std::uint64_t>(host_threads().workers.threads())) {}

bool GridBarrier::arrive_and_wait() {
    std::unique_lock lock(mutex_);
    if (broken_) return false;
    std::uint64_t generation = generation_.load(std::memory_order_relaxed);
    if (++arrived_ == blocks_) {
        arrived_ = 0;
        generation_.store(generation + 1, std::memory_order_release);
        met_.notify_all();
        return true;
    }
    break_if_stuck();
    auto met = [&] { return generation_.load(std::memory_order_acquire) != generation; };
    if (spin_ && !broken_) {
        lock.unlock();
        if (spin_until(met, spin_us)) return true;
        lock.lock();
    }
    met_.wait(lock, [&] { return broken_ || met(); });
    return met();
}

void GridBarrier::leave() {
    std::lock_guard lock(mutex_);
    ++ended_;
    break_if_stuck();
}

void GridBarrier::break_if_stuck() {
    if (broken_ || arrived_ == 0 || arrived_ + ended_ < blocks_) return;
    broken_ = true;
    claim(error_, barrier_site);
    met_.notify_all();
}

}  // namespace lanewise::cpu
