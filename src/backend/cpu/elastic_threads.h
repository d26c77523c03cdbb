// ElasticThreads: a thread for every task, at once; threads are kept for later tasks and leave when unused.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>

namespace lanewise::cpu {

/// Runs streams, host calls and the blocks of cooperative launches: work that may wait for other work, so that it must
/// never queue behind it. Lives to the end of the process. Thread-safe; after fork() the child starts threads of its
/// own.
class ElasticThreads {
public:
    /// `run(data.get())` on a thread of its own.
    struct Task {
        std::shared_ptr<void> data;
        void (*run)(void* data);
    };

    ElasticThreads();
    ElasticThreads(const ElasticThreads&) = delete;
    ElasticThreads& operator=(const ElasticThreads&) = delete;

    /// Error(Driver) when a thread is needed and the system has none left.
    void post(Task task);

private:
    void work();

    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Task> tasks_;  ///< guarded by mutex_, as are the counts
    int spinning_ = 0;
    int sleeping_ = 0;
    std::atomic<int> waiting_tasks_{0};  ///< tasks_.size(): what a spinning thread watches
};

}  // namespace lanewise::cpu
