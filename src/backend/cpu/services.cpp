#include "backend/cpu/services.h"

#include <time.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

#include "backend/cpu/grid_barrier.h"
#include "backend/cpu/host_cpu.h"
#include "backend/cpu/interleave.h"
#include "backend/cpu/print.h"
#include "backend/cpu/thread_start.h"

namespace lanewise::cpu {

namespace {

void barrier_mismatch(Launch* launch, std::uint32_t line) {
    if (claim(*launch->error, barrier_site)) launch->error->values[0] = line;
}

void sleep_for(std::uint32_t nanoseconds) {
    timespec time{static_cast<time_t>(nanoseconds / 1'000'000'000), static_cast<long>(nanoseconds % 1'000'000'000)};
    while (nanosleep(&time, &time) != 0 && errno == EINTR) {
    }
}

std::uint64_t clock64() {
    return cycle_counter();
}

std::uint64_t global_timer() {
    return static_cast<std::uint64_t>(now_ns());
}

std::int32_t grid_sync(const Launch* launch) {
    // Outside a cooperative launch there is nobody to meet but oneself.
    auto* barrier = static_cast<GridBarrier*>(launch->grid_barrier);
    return !barrier || barrier->arrive_and_wait();
}

}  // namespace

const Services kernel_services = {
    .vprintf = kernel_vprintf,
    .barrier_mismatch = barrier_mismatch,
    .nanosleep = sleep_for,
    .clock64 = clock64,
    .global_timer = global_timer,
    .allocate = std::malloc,
    .free = std::free,
    .grid_sync = grid_sync,
    .interleave = interleave,
};

bool claim(ErrorSlot& error, std::uint32_t site) {
    std::uint32_t free = 0;
    if (!std::atomic_ref(error.claimed).compare_exchange_strong(free, 1, std::memory_order_acq_rel)) return false;
    std::atomic_ref(error.site).store(site, std::memory_order_relaxed);
    return true;
}

bool ends_launch(const ErrorSlot& error) {
    std::uint32_t site = std::atomic_ref(const_cast<std::uint32_t&>(error.site)).load(std::memory_order_relaxed);
    return site >= index_site;
}

}  // namespace lanewise::cpu
