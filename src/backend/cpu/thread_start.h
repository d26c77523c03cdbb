// Starting the cpu device's own threads, and the floating-point state kernels run under.
#pragma once

#include <cstdint>

namespace lanewise::cpu {

/// Starts a detached thread that runs `main(argument)`: with all signals but faults blocked, so that they reach the
/// program's own threads, and a stack large enough for kernels with local arrays. False when the system has no more.
bool start_thread(const char* name, void (*main)(void*), void* argument);

/// Whether the calling thread's stack has room for kernels with local arrays. Asked of the system once a thread.
bool has_large_stack();

/// While alive, the calling thread rounds to nearest and keeps denormals, whatever the program has set.
class KernelFloatState {
public:
    KernelFloatState();
    ~KernelFloatState();
    KernelFloatState(const KernelFloatState&) = delete;
    KernelFloatState& operator=(const KernelFloatState&) = delete;

private:
    std::uint64_t saved_;
};

/// Calls `done()` until it is true or about `microseconds` have passed; whether it became true.
template <class Done>
bool spin_until(Done done, int microseconds);

/// A hint to the processor that this is a waiting loop.
inline void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

std::int64_t now_ns();

template <class Done>
bool spin_until(Done done, int microseconds) {
    std::int64_t end = now_ns() + std::int64_t{microseconds} * 1000;
    do {
        for (int i = 0; i < 16; ++i) {
            if (done()) return true;
            relax();
        }
    } while (now_ns() < end);
    return done();
}

}  // namespace lanewise::cpu
