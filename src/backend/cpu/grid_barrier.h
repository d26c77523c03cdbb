// GridBarrier: where the blocks of a cooperative launch meet.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "backend/cpu/abi.h"

namespace lanewise::cpu {

/// Thread-safe; one thread a block.
class GridBarrier {
public:
    GridBarrier(std::uint64_t blocks, ErrorSlot& error);
    /// False when not all blocks can arrive any more: at least one has ended. The error slot says so then.
    bool arrive_and_wait();
    /// A block has ended.
    void leave();

private:
    void break_if_stuck();

    const std::uint64_t blocks_;
    ErrorSlot& error_;
    const bool spin_;
    std::mutex mutex_;
    std::condition_variable met_;
    std::uint64_t arrived_ = 0;
    std::uint64_t ended_ = 0;
    std::atomic<std::uint64_t> generation_{0};
    bool broken_ = false;
};

}  // namespace lanewise::cpu
