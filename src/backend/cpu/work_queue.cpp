#include "backend/cpu/work_queue.h"

#include <fmt/format.h>

#include <limits>
#include <new>

#include "backend/cpu/thread_start.h"
#include "base/log.h"
#include "lanewise/error.h"

namespace lanewise::cpu {

namespace {
constexpr int wait_spin_us = 50;
constexpr std::uint64_t to_the_end = std::numeric_limits<std::uint64_t>::max();

std::uint64_t next_id() {
    // Small numbers are CUDA's names for its default streams.
    static std::atomic<std::uint64_t> last{15};
    return ++last;
}
}  // namespace

WorkQueue::WorkQueue(ElasticThreads& threads, std::shared_ptr<PendingErrors> errors)
    : id_(next_id()), threads_(threads), errors_(std::move(errors)) {}

std::uint64_t WorkQueue::push(std::unique_ptr<Command> command) {
    std::uint64_t sequence;
    {
        std::lock_guard lock(mutex_);
        commands_.push_back(std::move(command));
        sequence = pushed_.load(std::memory_order_relaxed) + 1;
        pushed_.store(sequence, std::memory_order_release);
        if (state_ != State::Idle) return sequence;
        state_ = State::Ready;
    }
    post();
    return sequence;
}

std::uint64_t WorkQueue::try_begin() {
    std::lock_guard lock(mutex_);
    if (state_ != State::Idle) return 0;
    state_ = State::Running;
    std::uint64_t sequence = pushed_.load(std::memory_order_relaxed) + 1;
    pushed_.store(sequence, std::memory_order_release);
    return sequence;
}

void WorkQueue::finish() {
    std::unique_lock lock(mutex_);
    complete_one(lock);
    let_go(lock);
}

void WorkQueue::post() {
    try {
        threads_.post({shared_from_this(), [](void* queue) { static_cast<WorkQueue*>(queue)->run_posted(); }});
    } catch (const Error& error) {
        // Still Ready: whoever waits for the queue runs it.
        log(LogLevel::Error, [&] { return error.what(); });
    }
}

void WorkQueue::run_posted() {
    {
        std::lock_guard lock(mutex_);
        // Somebody who waits for the queue may have taken it in the meantime.
        if (state_ != State::Ready) return;
        state_ = State::Running;
    }
    drain(to_the_end, true);
}

bool WorkQueue::try_take_while_waiting() {
    if (!has_large_stack()) return false;
    std::lock_guard lock(mutex_);
    if (state_ != State::Ready || commands_.front()->needs_runtime_thread()) return false;
    state_ = State::Running;
    return true;
}

void WorkQueue::drain(std::uint64_t last, bool runtime_thread) {
    std::unique_lock lock(mutex_);
    for (;;) {
        if (commands_.empty() || completed_.load(std::memory_order_relaxed) >= last) return let_go(lock);
        Command& next = *commands_.front();
        if (!runtime_thread && next.needs_runtime_thread()) return let_go(lock);
        if (!next.after.empty()) {
            QueuePoint point = std::move(next.after.back());
            next.after.pop_back();
            if (park_until(point, lock)) return;
            continue;
        }
        std::unique_ptr<Command> command = std::move(commands_.front());
        commands_.pop_front();
        lock.unlock();
        try {
            command->run();
        } catch (...) {
            errors_->add(id_, completed_.load(std::memory_order_relaxed) + 1, std::current_exception());
        }
        // What it holds is released before anybody learns that it is done.
        command.reset();
        lock.lock();
        complete_one(lock);
    }
}

/// False when `point` is reached already. Else the queue may be in other hands when this returns.
bool WorkQueue::park_until(const QueuePoint& point, std::unique_lock<std::mutex>& lock) {
    state_ = State::Parked;
    lock.unlock();
    bool parked = point.queue->call_when_done(point.sequence, shared_from_this());
    if (parked) return true;
    lock.lock();
    state_ = State::Running;
    return false;
}

bool WorkQueue::call_when_done(std::uint64_t sequence, std::shared_ptr<WorkQueue> waiter) {
    std::lock_guard lock(mutex_);
    if (done(sequence)) return false;
    waiters_.push_back({sequence, std::move(waiter)});
    return true;
}

void WorkQueue::resume() {
    {
        std::lock_guard lock(mutex_);
        state_ = State::Ready;
    }
    post();
}

/// Counts the running command as done and tells who waits for that. The lock is released in between.
void WorkQueue::complete_one(std::unique_lock<std::mutex>& lock) {
    std::uint64_t now = completed_.load(std::memory_order_relaxed) + 1;
    completed_.store(now, std::memory_order_release);
    if (sleepers_ > 0) progress_.notify_all();
    if (waiters_.empty()) return;
    std::vector<std::shared_ptr<WorkQueue>> reached;
    std::erase_if(waiters_, [&](Waiter& waiter) {
        if (waiter.sequence > now) return false;
        reached.push_back(std::move(waiter.queue));
        return true;
    });
    lock.unlock();
    for (const std::shared_ptr<WorkQueue>& queue : reached) queue->resume();
    reached.clear();
    lock.lock();
}

void WorkQueue::let_go(std::unique_lock<std::mutex>& lock) {
    state_ = commands_.empty() ? State::Idle : State::Ready;
    bool more = state_ == State::Ready;
    lock.unlock();
    if (more) post();
}

void WorkQueue::wait(std::uint64_t sequence) {
    while (!done(sequence)) {
        if (try_take_while_waiting()) {
            KernelFloatState state;
            drain(sequence, false);
            continue;
        }
        if (spin_until([&] { return done(sequence); }, wait_spin_us)) break;
        std::unique_lock lock(mutex_);
        ++sleepers_;
        progress_.wait(lock, [&] { return done(sequence); });
        --sleepers_;
    }
}

void WorkQueue::lose_pending_in_child() {
    new (&progress_) std::condition_variable;
    sleepers_ = 0;
    // Their destructors belong to the parent, so they are dropped without being run.
    new (&waiters_) std::vector<Waiter>;
    new (&commands_) std::deque<std::unique_ptr<Command>>;
    state_ = State::Idle;
    std::uint64_t pushed = pushed_.load(std::memory_order_relaxed);
    std::uint64_t lost = pushed - completed_.load(std::memory_order_relaxed);
    completed_.store(pushed, std::memory_order_relaxed);
    if (lost == 0) return;
    errors_->add(
        id_, pushed,
        std::make_exception_ptr(Error(
            ErrorKind::Driver,
            fmt::format("cpu device: {} commands of a stream were pending when the process forked; they run in the "
                        "parent only. Synchronize before os.fork(), or use the spawn start method",
                        lost))));
}

}  // namespace lanewise::cpu
