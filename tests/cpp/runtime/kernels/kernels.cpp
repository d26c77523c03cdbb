// Kernels as the code generator makes them, written by hand: the HostObject that the tests of the cpu device load.
#include <cmath>
#include <cstdint>
#include <cstring>

#include "backend/cpu/abi.h"

using lanewise::ErrorSlot;
using lanewise::cpu::Launch;

namespace {

template <class T>
T parameter(const Launch* launch, std::size_t offset) {
    T value;
    std::memcpy(&value, static_cast<const char*>(launch->parameters) + offset, sizeof value);
    return value;
}

std::uint64_t threads_of_block(const Launch* launch) {
    return std::uint64_t{launch->block[0]} * launch->block[1] * launch->block[2];
}

void report(const Launch* launch, std::uint32_t site, std::uint64_t block, std::uint64_t thread, std::int64_t value) {
    ErrorSlot* slot = launch->error;
    std::uint32_t free = 0;
    if (!__atomic_compare_exchange_n(&slot->claimed, &free, 1u, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return;
    slot->thread[0] = static_cast<std::uint32_t>(thread % launch->block[0]);
    slot->thread[1] = static_cast<std::uint32_t>(thread / launch->block[0]);
    slot->block[0] = static_cast<std::uint32_t>(block % launch->grid[0]);
    slot->block[1] = static_cast<std::uint32_t>(block / launch->grid[0]);
    slot->values[0] = value;
    __atomic_store_n(&slot->site, site, __ATOMIC_RELAXED);
}

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))
#define KERNEL(name) \
    EXPORT void name(const Launch* launch, std::uint64_t first, std::uint64_t count, void* shared, void* context)

EXPORT std::int32_t table[3] = {10, 20, 30};

/// (float* out, const float* in, double factor, int64 n): out[i] = factor * in[i]
KERNEL(scale) {
    auto* out = parameter<float*>(launch, 0);
    auto* in = parameter<const float*>(launch, 8);
    auto factor = parameter<double>(launch, 16);
    auto n = parameter<std::int64_t>(launch, 24);
    std::uint64_t width = threads_of_block(launch);
    for (std::uint64_t block = first; block < first + count; ++block)
        for (std::uint64_t thread = 0; thread < width; ++thread) {
            auto i = static_cast<std::int64_t>(block * width + thread);
            if (i < n) out[i] = static_cast<float>(factor * in[i]);
        }
}

/// (uint64* cursor, uint64* log, uint64 value): log[cursor++] = value, once per block
KERNEL(append) {
    auto* cursor = parameter<std::uint64_t*>(launch, 0);
    auto* log = parameter<std::uint64_t*>(launch, 8);
    auto value = parameter<std::uint64_t>(launch, 16);
    for (std::uint64_t block = 0; block < count; ++block) log[__atomic_fetch_add(cursor, 1, __ATOMIC_RELAXED)] = value;
}

/// (uint32* hits): counts how often each block ran
KERNEL(count_blocks) {
    auto* hits = parameter<std::uint32_t*>(launch, 0);
    for (std::uint64_t block = first; block < first + count; ++block)
        __atomic_fetch_add(&hits[block], 1, __ATOMIC_RELAXED);
}

/// (int* flag): waits until it is not 0
KERNEL(wait_for_flag) {
    auto* flag = parameter<int*>(launch, 0);
    while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE)) launch->services->nanosleep(20000);
}

/// (int64* out): sums thread numbers over shared memory and context, and fills both to their ends
KERNEL(use_scratch) {
    auto* out = parameter<std::int64_t*>(launch, 0);
    std::uint64_t width = threads_of_block(launch);
    auto* per_thread = static_cast<std::int64_t*>(context);
    auto* dynamic = static_cast<std::int64_t*>(shared) + 2;  // behind 16 bytes of static shared memory
    for (std::uint64_t block = first; block < first + count; ++block) {
        auto* total = static_cast<std::int64_t*>(shared);
        *total = 0;
        for (std::uint64_t thread = 0; thread < width; ++thread) per_thread[thread] = static_cast<std::int64_t>(thread);
        for (std::uint64_t i = 0; i < launch->dynamic_shared_bytes / 8; ++i)
            dynamic[i] = static_cast<std::int64_t>(block);
        for (std::uint64_t thread = 0; thread < width; ++thread) *total += per_thread[thread];
        for (std::uint64_t i = 0; i < launch->dynamic_shared_bytes / 8; ++i) *total += dynamic[i];
        out[block] = *total;
        bool aligned =
            reinterpret_cast<std::uintptr_t>(shared) % 64 == 0 && reinterpret_cast<std::uintptr_t>(context) % 64 == 0;
        if (!aligned) out[block] = -1;
    }
}

/// (int64 limit): raises site 0 in every thread whose number is not below `limit`
KERNEL(raise_from) {
    auto limit = parameter<std::int64_t>(launch, 0);
    std::uint64_t width = threads_of_block(launch);
    for (std::uint64_t block = first; block < first + count; ++block)
        for (std::uint64_t thread = 0; thread < width; ++thread) {
            auto i = static_cast<std::int64_t>(block * width + thread);
            if (i >= limit) report(launch, 0, block, thread, i);
        }
}

/// (uint32* hits): block 0 traps
KERNEL(trap_first) {
    auto* hits = parameter<std::uint32_t*>(launch, 0);
    for (std::uint64_t block = first; block < first + count; ++block) {
        if (block == 0) return report(launch, lanewise::cpu::trap_site, block, 5, 0);
        __atomic_fetch_add(hits, 1, __ATOMIC_RELAXED);
    }
}

/// (): its threads do not all reach a barrier of line 12
KERNEL(mismatch) {
    launch->services->barrier_mismatch(const_cast<Launch*>(launch), 12);
}

/// (int64 tag): every block prints two lines
KERNEL(print_lines) {
    auto tag = parameter<std::int64_t>(launch, 0);
    for (std::uint64_t block = first; block < first + count; ++block)
        for (std::int32_t line = 0; line < 2; ++line) {
            struct {
                std::int64_t tag;
                std::int32_t block;
                std::int32_t line;
                const char* text;
            } arguments = {tag, static_cast<std::int32_t>(block), line, "end"};
            launch->services->vprintf("tag %lld block %d line %d %s\n", &arguments);
        }
}

/// (int64* sums, int64 rounds), cooperative: each round adds up what all blocks wrote in the round before
KERNEL(grid_rounds) {
    auto* sums = parameter<std::int64_t*>(launch, 0);
    auto rounds = parameter<std::int64_t>(launch, 8);
    auto blocks = static_cast<std::int64_t>(launch->grid[0]);
    for (std::int64_t round = 0; round < rounds; ++round) {
        auto* now = sums + (round + 1) * blocks;
        const auto* before = sums + round * blocks;
        std::int64_t total = 0;
        for (std::int64_t i = 0; i < blocks; ++i) total += before[i];
        now[first] = total + static_cast<std::int64_t>(first);
        if (!launch->services->grid_sync(launch)) return;
    }
}

/// (), cooperative: block 1 ends while the others wait for it
KERNEL(grid_deserter) {
    if (first == 1) return;
    while (launch->services->grid_sync(launch)) {
    }
}

/// (float* out): whether denormals are kept and rounding is to nearest
KERNEL(float_state) {
    auto* out = parameter<float*>(launch, 0);
    volatile float tiny = 1e-39f, one = 1.0f, third = 3.0f;
    out[0] = tiny * one;
    out[1] = one / third;
}

/// (big struct of 1024 bytes, int64* out): sums its bytes
KERNEL(large_parameters) {
    std::int64_t total = 0;
    for (std::size_t i = 0; i < 1024; ++i) total += parameter<std::uint8_t>(launch, i);
    *parameter<std::int64_t*>(launch, 1024) = total;
}

/// (uint64* out): clock, timer, allocation
KERNEL(call_services) {
    auto* out = parameter<std::uint64_t*>(launch, 0);
    out[0] = launch->services->clock64();
    out[1] = launch->services->global_timer();
    launch->services->nanosleep(1000000);
    out[2] = launch->services->clock64();
    out[3] = launch->services->global_timer();
    void* memory = launch->services->allocate(1000);
    std::memset(memory, 1, 1000);
    launch->services->free(memory);
}
