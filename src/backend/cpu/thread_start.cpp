#include "backend/cpu/thread_start.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include <memory>

namespace lanewise::cpu {

namespace {

constexpr std::size_t stack_bytes = std::size_t{16} << 20;
constexpr std::size_t large_stack_bytes = std::size_t{4} << 20;

struct Start {
    const char* name;
    void (*main)(void*);
    void* argument;
};

void* run(void* data) {
    std::unique_ptr<Start> start(static_cast<Start*>(data));
    pthread_setname_np(pthread_self(), start->name);
    // A new thread inherits its creator's floating-point state.
    KernelFloatState state;
    start->main(start->argument);
    return nullptr;
}

#if defined(__x86_64__)
constexpr std::uint64_t default_state = 0x1f80;  // MXCSR: round to nearest, all exceptions masked, denormals kept
std::uint64_t float_state() {
    return __builtin_ia32_stmxcsr();
}
void set_float_state(std::uint64_t state) {
    __builtin_ia32_ldmxcsr(static_cast<unsigned>(state));
}
#elif defined(__aarch64__)
constexpr std::uint64_t default_state = 0;
std::uint64_t float_state() {
    std::uint64_t state;
    asm volatile("mrs %0, fpcr" : "=r"(state));
    return state;
}
void set_float_state(std::uint64_t state) {
    asm volatile("msr fpcr, %0" : : "r"(state));
}
#endif

}  // namespace

bool start_thread(const char* name, void (*main)(void*), void* argument) {
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) sigdelset(&blocked, fault);
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, stack_bytes);
    auto start = std::make_unique<Start>(Start{name, main, argument});
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    pthread_t thread;
    bool started = pthread_create(&thread, &attributes, run, start.get()) == 0;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    pthread_attr_destroy(&attributes);
    if (started) start.release();
    return started;
}

bool has_large_stack() {
    thread_local const bool large = [] {
        pthread_attr_t attributes;
        if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
        void* start = nullptr;
        std::size_t bytes = 0;
        bool known = pthread_attr_getstack(&attributes, &start, &bytes) == 0;
        pthread_attr_destroy(&attributes);
        return known && bytes >= large_stack_bytes;
    }();
    return large;
}

KernelFloatState::KernelFloatState() : saved_(float_state()) {
    if (saved_ != default_state) set_float_state(default_state);
}

KernelFloatState::~KernelFloatState() {
    set_float_state(saved_);
}

std::int64_t now_ns() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace lanewise::cpu
