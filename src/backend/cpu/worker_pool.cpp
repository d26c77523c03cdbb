#include "backend/cpu/worker_pool.h"

#include <algorithm>
#include <new>

#include "backend/cpu/thread_start.h"
#include "runtime/fork_handlers.h"

namespace lanewise::cpu {

namespace {
constexpr int worker_spin_us = 20;
constexpr int owner_spin_us = 50;
}  // namespace

/// Lives on the owner's stack: workers join and leave under the pool's mutex, and the owner takes it off the list and
/// waits for those inside before it returns.
struct WorkerPool::Job {
    std::uint64_t total;
    std::uint64_t chunk;
    Piece piece;
    void* context;
    std::atomic<std::uint64_t> next{0};
    int wanted;  ///< workers that may still join
    int joined = 0;
    std::atomic<int> inside{0};  ///< workers at it; written under the mutex
    bool owner_sleeps = false;

    void take_part() {
        for (;;) {
            std::uint64_t first = next.fetch_add(chunk, std::memory_order_relaxed);
            if (first >= total) return;
            piece(context, first, std::min(chunk, total - first));
        }
    }
    bool exhausted() const { return next.load(std::memory_order_relaxed) >= total; }
};

WorkerPool::WorkerPool(int threads) : threads_(std::max(1, threads)) {
    add_fork_handler(ForkRank::Threads, {[this] { mutex_.lock(); }, [this] { mutex_.unlock(); },
                                         [this] {
                                             jobs_.clear();
                                             started_ = 0;
                                             sleeping_ = 0;
                                             // Waiters that are gone must not be waited for; the old state is dropped.
                                             new (&wake_) std::condition_variable;
                                             new (&left_) std::condition_variable;
                                             mutex_.unlock();
                                         }});
}

int WorkerPool::run_job(std::uint64_t total, std::uint64_t chunk, int helpers, Piece piece, void* context) {
    chunk = std::max<std::uint64_t>(1, chunk);
    std::uint64_t pieces = total / chunk + (total % chunk != 0);
    helpers = static_cast<int>(std::min<std::uint64_t>(std::min(helpers, threads_ - 1), pieces ? pieces - 1 : 0));
    if (helpers <= 0) {
        if (total) piece(context, 0, total);
        return 1;
    }
    Job job{total, chunk, piece, context, {}, helpers};
    {
        std::lock_guard lock(mutex_);
        start_workers(helpers);
        jobs_.push_back(&job);
        published_.fetch_add(1, std::memory_order_release);
        wake_workers(helpers);
    }
    job.take_part();
    {
        std::lock_guard lock(mutex_);
        std::erase(jobs_, &job);
    }
    if (!spin_until([&] { return job.inside.load(std::memory_order_acquire) == 0; }, owner_spin_us)) {
        std::unique_lock lock(mutex_);
        job.owner_sleeps = true;
        left_.wait(lock, [&] { return job.inside.load(std::memory_order_acquire) == 0; });
    }
    return job.joined + 1;
}

void WorkerPool::start_workers(int wanted) {
    while (started_ < wanted) {
        auto main = [](void* pool) { static_cast<WorkerPool*>(pool)->work(); };
        if (!start_thread("lanewise-worker", main, this)) return;  // fewer threads, same results
        ++started_;
    }
}

/// Wakes two at most: each of them wakes two more when its turn comes, so that no thread pays for all.
void WorkerPool::wake_workers(int wanted) {
    for (int i = 0; i < std::min({wanted, sleeping_, 2}); ++i) wake_.notify_one();
}

WorkerPool::Job* WorkerPool::claim_job() {
    for (Job* job : jobs_) {
        if (job->wanted == 0 || job->exhausted()) continue;
        --job->wanted;
        ++job->joined;
        job->inside.fetch_add(1, std::memory_order_relaxed);
        return job;
    }
    return nullptr;
}

void WorkerPool::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        while (Job* job = claim_job()) {
            wake_workers(job->wanted);
            lock.unlock();
            job->take_part();
            lock.lock();
            bool owner_sleeps = job->owner_sleeps;
            // From here on the job may be gone.
            job->inside.fetch_sub(1, std::memory_order_release);
            if (owner_sleeps) left_.notify_all();
        }
        std::uint64_t seen = published_.load(std::memory_order_relaxed);
        lock.unlock();
        spin_until([&] { return published_.load(std::memory_order_acquire) != seen; }, worker_spin_us);
        lock.lock();
        if (published_.load(std::memory_order_relaxed) != seen) continue;
        ++sleeping_;
        wake_.wait(lock);
        --sleeping_;
    }
}

}  // namespace lanewise::cpu
