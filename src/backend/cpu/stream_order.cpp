#include "backend/cpu/stream_order.h"

#include "runtime/fork_handlers.h"

namespace lanewise::cpu {

namespace {

void drop_unused(std::vector<std::shared_ptr<WorkQueue>>& queues) {
    // A pending queue is also held by the thread or the other queue that will go on with it.
    std::erase_if(queues,
                  [](const std::shared_ptr<WorkQueue>& queue) { return queue.use_count() == 1 && queue->idle(); });
}

}  // namespace

StreamOrder::StreamOrder(ElasticThreads& threads, std::shared_ptr<PendingErrors> errors)
    : threads_(threads), errors_(errors), default_queue_(std::make_shared<WorkQueue>(threads, errors)) {
    add_fork_handler(ForkRank::Queues, {[this] { lock_for_fork(); }, [this] { unlock_after_fork(false); },
                                        [this] { unlock_after_fork(true); }});
}

std::shared_ptr<WorkQueue> StreamOrder::create(QueueRole role) {
    auto queue = std::make_shared<WorkQueue>(threads_, errors_);
    std::lock_guard lock(mutex_);
    drop_unused(blocking_);
    drop_unused(non_blocking_);
    (role == QueueRole::Blocking ? blocking_ : non_blocking_).push_back(queue);
    blocking_count_.store(static_cast<int>(blocking_.size()), std::memory_order_release);
    return queue;
}

std::vector<QueuePoint> StreamOrder::before_next(const WorkQueue& queue, QueueRole role) {
    std::vector<QueuePoint> points;
    if (role == QueueRole::NonBlocking) return points;
    auto add_pending = [&](const std::shared_ptr<WorkQueue>& other) {
        std::uint64_t last = other->pushed();
        if (!other->done(last)) points.push_back({other, last});
    };
    if (role == QueueRole::Blocking) {
        add_pending(default_queue_);
        return points;
    }
    if (blocking_count_.load(std::memory_order_acquire) == 0) return points;
    std::lock_guard lock(mutex_);
    for (const std::shared_ptr<WorkQueue>& other : blocking_) add_pending(other);
    return points;
}

std::vector<QueuePoint> StreamOrder::everything() {
    std::vector<QueuePoint> points{{default_queue_, default_queue_->pushed()}};
    std::lock_guard lock(mutex_);
    for (const auto* list : {&blocking_, &non_blocking_})
        for (const std::shared_ptr<WorkQueue>& queue : *list) points.push_back({queue, queue->pushed()});
    return points;
}

void StreamOrder::lock_for_fork() {
    mutex_.lock();
    default_queue_->lock_for_fork();
    for (const auto* list : {&blocking_, &non_blocking_})
        for (const std::shared_ptr<WorkQueue>& queue : *list) queue->lock_for_fork();
    errors_->mutex().lock();
}

void StreamOrder::unlock_after_fork(bool child) {
    errors_->mutex().unlock();
    auto unlock = [&](const std::shared_ptr<WorkQueue>& queue) {
        if (child) queue->lose_pending_in_child();
        queue->unlock_after_fork();
    };
    for (const auto* list : {&blocking_, &non_blocking_})
        for (const std::shared_ptr<WorkQueue>& queue : *list) unlock(queue);
    unlock(default_queue_);
    mutex_.unlock();
}

}  // namespace lanewise::cpu
