#include "backend/cpu/elastic_threads.h"

#include <chrono>
#include <new>

#include "backend/cpu/thread_start.h"
#include "lanewise/error.h"
#include "runtime/fork_handlers.h"

namespace lanewise::cpu {

namespace {
constexpr int spin_us = 30;
constexpr std::chrono::seconds idle_time{10};
}  // namespace

ElasticThreads::ElasticThreads() {
    add_fork_handler(ForkRank::Threads, {[this] { mutex_.lock(); }, [this] { mutex_.unlock(); },
                                         [this] {
                                             // Tasks of the parent are the parent's to run and to destroy.
                                             new (&tasks_) std::deque<Task>;
                                             new (&wake_) std::condition_variable;
                                             spinning_ = 0;
                                             sleeping_ = 0;
                                             waiting_tasks_ = 0;
                                             mutex_.unlock();
                                         }});
}

void ElasticThreads::post(Task task) {
    std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    int waiting = static_cast<int>(tasks_.size());
    waiting_tasks_.store(waiting, std::memory_order_release);
    if (waiting <= spinning_) return;
    if (waiting <= spinning_ + sleeping_) {
        wake_.notify_one();
        return;
    }
    auto main = [](void* threads) { static_cast<ElasticThreads*>(threads)->work(); };
    if (start_thread("lanewise-stream", main, this)) return;
    tasks_.pop_back();
    waiting_tasks_.store(waiting - 1, std::memory_order_relaxed);
    throw Error(ErrorKind::Driver,
                "cpu device: the system refuses another thread; fewer streams with work pending at a time "
                "or smaller cooperative grids need fewer");
}

void ElasticThreads::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        while (!tasks_.empty()) {
            Task task = std::move(tasks_.front());
            tasks_.pop_front();
            waiting_tasks_.store(static_cast<int>(tasks_.size()), std::memory_order_relaxed);
            lock.unlock();
            task.run(task.data.get());
            task.data.reset();
            lock.lock();
        }
        if (spinning_ == 0) {
            ++spinning_;
            lock.unlock();
            spin_until([&] { return waiting_tasks_.load(std::memory_order_acquire) > 0; }, spin_us);
            lock.lock();
            --spinning_;
            if (!tasks_.empty()) continue;
        }
        ++sleeping_;
        bool woken = wake_.wait_for(lock, idle_time, [&] { return !tasks_.empty(); });
        --sleeping_;
        if (!woken) return;
    }
}

}  // namespace lanewise::cpu
