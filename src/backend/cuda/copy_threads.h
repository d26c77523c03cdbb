// CopyThreads: the threads that move bytes between pageable and pinned host memory. They never call the driver.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>

namespace lanewise::cuda {

struct CopyJob {
    void* dst = nullptr;
    const void* src = nullptr;
    std::size_t bytes = 0;
    /// Stores bypass the caches: for destinations that nobody reads soon.
    bool streaming = false;
    /// Guarded by CopyThreads.
    bool done = false;
};

/// Jobs start in the order they were posted. Whoever waits also works, so copies finish even where no thread can be
/// started (or survives, in a forked child). Thread-safe.
class CopyThreads {
public:
    /// The process's, with its threads started; never destroyed, because idle threads outlive static destruction.
    static CopyThreads& instance();

    /// `job` stays where it is until a wait for it returns.
    void post(CopyJob& job);
    void wait(CopyJob& job);
    bool is_done(CopyJob& job);

private:
    CopyThreads();
    void work();

    std::mutex mutex_;
    std::condition_variable posted_, finished_;
    std::deque<CopyJob*> queue_;
};

}  // namespace lanewise::cuda
