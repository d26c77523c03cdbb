// StreamOrder: CUDA's implicit order between the default stream and the blocking streams of a device.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "backend/cpu/work_queue.h"

namespace lanewise::cpu {

enum class QueueRole : std::uint8_t {
    Default,      ///< the legacy default stream
    Blocking,     ///< ordered with the default stream, both ways
    NonBlocking,  ///< ordered with nothing
};

/// Knows all queues of a device. Thread-safe.
class StreamOrder {
public:
    StreamOrder(ElasticThreads& threads, std::shared_ptr<PendingErrors> errors);

    std::shared_ptr<WorkQueue> create(QueueRole role);
    /// What work that is pushed next to `queue` has to wait for beside what is in the queue: the default stream's waits
    /// for everything pending in blocking streams, theirs for everything pending in the default stream.
    std::vector<QueuePoint> before_next(const WorkQueue& queue, QueueRole role);
    /// The last command of every queue.
    std::vector<QueuePoint> everything();
    const std::shared_ptr<WorkQueue>& default_queue() const { return default_queue_; }

private:
    void lock_for_fork();
    void unlock_after_fork(bool child);

    ElasticThreads& threads_;
    const std::shared_ptr<PendingErrors> errors_;
    const std::shared_ptr<WorkQueue> default_queue_;
    std::mutex mutex_;
    /// Queues go from these lists when only the list refers to them.
    std::vector<std::shared_ptr<WorkQueue>> blocking_, non_blocking_;
    std::atomic<int> blocking_count_{0};
};

}  // namespace lanewise::cpu
