#include "backend/cuda/copy_threads.h"

#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <system_error>
#include <thread>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace lanewise::cuda {

namespace {

#ifdef __SSE2__
void copy_streaming(void* dst, const void* src, std::size_t bytes) {
    auto* to = static_cast<char*>(dst);
    auto* from = static_cast<const char*>(src);
    std::size_t head = std::min<std::size_t>(-reinterpret_cast<std::uintptr_t>(to) & 63, bytes);
    std::memcpy(to, from, head);
    to += head, from += head, bytes -= head;
    for (; bytes >= 64; to += 64, from += 64, bytes -= 64) {
        auto* source = reinterpret_cast<const __m128i*>(from);
        auto* target = reinterpret_cast<__m128i*>(to);
        __m128i a = _mm_loadu_si128(source), b = _mm_loadu_si128(source + 1);
        __m128i c = _mm_loadu_si128(source + 2), d = _mm_loadu_si128(source + 3);
        _mm_stream_si128(target, a);
        _mm_stream_si128(target + 1, b);
        _mm_stream_si128(target + 2, c);
        _mm_stream_si128(target + 3, d);
    }
    _mm_sfence();
    std::memcpy(to, from, bytes);
}
#else
void copy_streaming(void* dst, const void* src, std::size_t bytes) {
    std::memcpy(dst, src, bytes);
}
#endif

void run(const CopyJob& job) {
    if (job.streaming)
        copy_streaming(job.dst, job.src, job.bytes);
    else
        std::memcpy(job.dst, job.src, job.bytes);
}

}  // namespace

CopyThreads& CopyThreads::instance() {
    static auto* threads = new CopyThreads;
    return *threads;
}

CopyThreads::CopyThreads() {
    // Half of the cores saturate the bus; the other half stays for the program.
    unsigned count = std::min(8u, std::thread::hardware_concurrency() / 2);
    // Signals are for the program's own threads.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        for (unsigned i = 0; i < count; ++i) std::thread([this] { work(); }).detach();
    } catch (const std::system_error&) {
        // Fewer threads than wished: copies are slower, and whoever waits works.
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void CopyThreads::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        posted_.wait(lock, [this] { return !queue_.empty(); });
        CopyJob* job = queue_.front();
        queue_.pop_front();
        lock.unlock();
        run(*job);
        lock.lock();
        job->done = true;
        finished_.notify_all();
    }
}

void CopyThreads::post(CopyJob& job) {
    {
        std::lock_guard lock(mutex_);
        job.done = false;
        queue_.push_back(&job);
    }
    posted_.notify_one();
}

void CopyThreads::wait(CopyJob& job) {
    std::unique_lock lock(mutex_);
    while (!job.done) {
        if (queue_.empty()) {
            finished_.wait(lock);
            continue;
        }
        CopyJob* other = queue_.front();
        queue_.pop_front();
        lock.unlock();
        run(*other);
        lock.lock();
        other->done = true;
        finished_.notify_all();
    }
}

bool CopyThreads::is_done(CopyJob& job) {
    std::lock_guard lock(mutex_);
    return job.done;
}

}  // namespace lanewise::cuda
