// WorkerPool: one thread a core that helps with loops over blocks or bytes.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <type_traits>
#include <vector>

namespace lanewise::cpu {

/// Shared by all streams; lives to the end of the process. Workers start with the first loop that wants them, look for
/// more work for a moment after each loop, then sleep. Thread-safe; after fork() the child starts workers of its own.
class WorkerPool {
public:
    explicit WorkerPool(int threads);
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Threads that work at once on a loop, its caller included.
    int threads() const { return threads_; }

    /// Calls body(first, count) for pieces of [0, total) of at most `chunk`, handed out in ascending order, on the
    /// calling thread and at most `helpers` workers. Returns how many threads took part. `body` must not throw.
    template <class Body>
    int run(std::uint64_t total, std::uint64_t chunk, int helpers, Body&& body) {
        using Plain = std::remove_reference_t<Body>;
        return run_job(
            total, chunk, helpers,
            [](void* context, std::uint64_t first, std::uint64_t count) {
                (*static_cast<Plain*>(context))(first, count);
            },
            const_cast<void*>(static_cast<const void*>(&body)));
    }

private:
    using Piece = void (*)(void* context, std::uint64_t first, std::uint64_t count);
    struct Job;
    int run_job(std::uint64_t total, std::uint64_t chunk, int helpers, Piece piece, void* context);
    void start_workers(int wanted);
    Job* claim_job();
    void wake_workers(int wanted);
    void work();

    const int threads_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable left_;  ///< a worker left a job whose owner waits for it
    std::vector<Job*> jobs_;        ///< guarded by mutex_, as are the counts
    int started_ = 0;
    int sleeping_ = 0;
    std::atomic<std::uint64_t> published_{0};  ///< jobs so far: what spinning workers watch
};

}  // namespace lanewise::cpu
