// Handlers around fork(), so that locks and threads of the runtime are in a known state in the child.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>

namespace lanewise {

/// What takes its time to be made at its first use; making one may use those that follow.
enum class FirstUse : int { Devices, CpuDevice, HostThreads };

/// The lock of its making. fork() waits for it: with a function's static variable in its place, a child of a process
/// that was forked meanwhile would wait for a thread that it does not have.
std::mutex& first_use_mutex(FirstUse what);

/// The object of type T that `make` makes at the first call. Never destroyed.
template <class T, FirstUse what>
class MadeAtFirstUse {
public:
    template <class Make>
    T& get(Make make) {
        if (T* made = made_.load(std::memory_order_acquire)) return *made;
        std::lock_guard lock(first_use_mutex(what));
        T* made = made_.load(std::memory_order_relaxed);
        if (!made) made_.store(made = make(), std::memory_order_release);
        return *made;
    }

private:
    std::atomic<T*> made_{nullptr};
};

/// Rank of a handler: `prepare` runs in ascending, `parent` and `child` in descending order. A lock of a lower rank may
/// be held while one of a higher rank is taken, never the other way round.
enum class ForkRank : int { Arrays = -1, Pool = 0, Device = 1, Queues = 2, Threads = 3 };

struct ForkHandler {
    std::function<void()> prepare;  ///< in the parent before fork: take the locks
    std::function<void()> parent;   ///< in the parent after fork: give them back
    std::function<void()> child;    ///< in the child after fork: give them back and forget threads that are gone
};

/// Lives to the end of the process or until the returned number is given to remove_fork_handler.
int add_fork_handler(ForkRank rank, ForkHandler handler);
void remove_fork_handler(int id);

}  // namespace lanewise
