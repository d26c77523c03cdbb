// WorkQueue: the commands of one stream, run in order by whichever thread drains it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "backend/cpu/elastic_threads.h"
#include "backend/cpu/pending_errors.h"

namespace lanewise::cpu {

class WorkQueue;

/// A point in a queue: the command with this number and all before it.
struct QueuePoint {
    std::shared_ptr<WorkQueue> queue;
    std::uint64_t sequence = 0;
};

/// One step of a stream. Exceptions of run() become pending errors.
class Command {
public:
    virtual ~Command() = default;
    virtual void run() = 0;
    /// Must not run on a thread of the program that happens to wait for the queue.
    virtual bool needs_runtime_thread() const { return false; }

    /// Other queues' points that come first; done ones are removed.
    std::vector<QueuePoint> after;
};

/// A command that calls `f`.
template <class F>
std::unique_ptr<Command> make_command(F f) {
    struct Call final : Command {
        explicit Call(F&& function) : f(std::move(function)) {}
        void run() override { f(); }
        F f;
    };
    return std::make_unique<Call>(std::move(f));
}

/// Thread-safe. A queue is in the hands of at most one thread at a time: one of ElasticThreads, a thread that waits for
/// it (which saves the hop), or the caller of try_begin. While its next command waits for another queue no thread holds
/// it.
class WorkQueue : public std::enable_shared_from_this<WorkQueue> {
public:
    WorkQueue(ElasticThreads& threads, std::shared_ptr<PendingErrors> errors);
    WorkQueue(const WorkQueue&) = delete;
    WorkQueue& operator=(const WorkQueue&) = delete;

    std::uint64_t id() const { return id_; }

    /// Number of the command.
    std::uint64_t push(std::unique_ptr<Command> command);
    /// When nothing is pending: the caller runs a command itself between this and finish(). Its number, or 0.
    std::uint64_t try_begin();
    void finish();

    std::uint64_t pushed() const { return pushed_.load(std::memory_order_acquire); }
    bool done(std::uint64_t sequence) const { return completed_.load(std::memory_order_acquire) >= sequence; }
    bool idle() const { return done(pushed()); }
    /// Returns when command `sequence` is done; helps to get there.
    void wait(std::uint64_t sequence);
    PendingErrors& errors() const { return *errors_; }

    /// Around fork(): in the child, commands that were pending are lost, which is reported at the next synchronisation.
    void lock_for_fork() { mutex_.lock(); }
    void unlock_after_fork() { mutex_.unlock(); }
    void lose_pending_in_child();

private:
    enum class State : std::uint8_t {
        Idle,     ///< nothing pending
        Ready,    ///< posted, for any thread to take
        Running,  ///< in a thread's hands
        Parked,   ///< the next command waits for another queue, which will call resume()
    };
    struct Waiter {
        std::uint64_t sequence;
        std::shared_ptr<WorkQueue> queue;
    };

    void post();
    void run_posted();
    bool try_take_while_waiting();
    /// Runs commands; the queue is Running, in this thread's hands. Stops after `last`, or at what is not for this
    /// thread.
    void drain(std::uint64_t last, bool runtime_thread);
    bool park_until(const QueuePoint& point, std::unique_lock<std::mutex>& lock);
    bool call_when_done(std::uint64_t sequence, std::shared_ptr<WorkQueue> waiter);
    void resume();
    void complete_one(std::unique_lock<std::mutex>& lock);
    void let_go(std::unique_lock<std::mutex>& lock);

    const std::uint64_t id_;
    ElasticThreads& threads_;
    const std::shared_ptr<PendingErrors> errors_;

    std::mutex mutex_;
    std::condition_variable progress_;
    std::deque<std::unique_ptr<Command>> commands_;
    State state_ = State::Idle;
    int sleepers_ = 0;
    std::vector<Waiter> waiters_;
    std::atomic<std::uint64_t> pushed_{0};     ///< written under mutex_
    std::atomic<std::uint64_t> completed_{0};  ///< written under mutex_
};

}  // namespace lanewise::cpu
