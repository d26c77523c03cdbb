// The contract between compiled host kernels and the cpu device. Plain C layout: the code generator emits accesses to
// these structs by offset, so a change here is a change of `abi_version` (which is part of every cache key).
//
// A HostObject image is an ELF shared object. For each EntryPoint it exports a function `<name>` of type
// KernelFunction. It has no other undefined symbols than those of libm, libmvec and libgcc; everything else it needs
// comes through Services.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/error_slot.h"

namespace lanewise::cpu {

inline constexpr std::uint32_t abi_version = 3;
inline constexpr std::uint32_t warp_size = 32;

/// Values of ErrorSlot::site that are no index into Image::raise_sites.
inline constexpr std::uint32_t trap_site = 0xffffffff;  ///< llvm.trap
/// A failed assert(); values are addresses of the texts of condition, file and function, and the line.
inline constexpr std::uint32_t assert_site = 0xfffffffd;
/// A grid on which the kernel's 32-bit indices would wrap; values[0] is the index they would reach.
inline constexpr std::uint32_t index_site = 0xfffffffc;
inline constexpr std::uint32_t barrier_site = 0xfffffffe;  ///< barrier_mismatch; values[0] is the source line or 0

/// What the device offers to a running kernel. Called through pointers, never linked.
struct Services {
    /// printf from a kernel: CUDA's vprintf convention, `arguments` packed at natural alignment after C's default
    /// promotions (int 4, also for char, short and bool; long, long long, double and pointer 8). `%s` takes a pointer.
    /// Returns the number of arguments, -1 for a null format.
    std::int32_t (*vprintf)(const char* format, const void* arguments);
    /// A block's threads cannot all reach a barrier (some returned, some wait): ends the launch with an error.
    void (*barrier_mismatch)(struct Launch* launch, std::uint32_t line);
    /// Nanosleep; clock in cycles; nanoseconds of a steady clock.
    void (*nanosleep)(std::uint32_t nanoseconds);
    std::uint64_t (*clock64)();
    std::uint64_t (*global_timer)();
    /// Memory for coroutine frames; freed with free().
    void* (*allocate)(std::size_t bytes);
    void (*free)(void* pointer);
    /// A block of a cooperative launch, all its threads together, waits for all other blocks. False (0) when they can
    /// never all arrive because one has ended: the launch has reported that and the block returns.
    std::int32_t (*grid_sync)(const struct Launch* launch);
    /// backend/cpu/interleave.h: runs threads that meet in divergent code.
    void (*interleave)(const struct Launch* launch, void (*resume)(void* frame, std::uint32_t thread), void* frame,
                       struct ThreadRecord* records, std::uint32_t count);
};

/// One launch; shared by all blocks of it, read only but for `error`.
struct Launch {
    std::uint32_t grid[3];
    std::uint32_t block[3];
    std::uint32_t dynamic_shared_bytes;
    std::uint32_t reserved;
    const void* parameters;  ///< packed, natural alignment: EntryPoint::parameter_offsets
    ErrorSlot* error;
    const Services* services;
    /// State of a cooperative launch's grid_sync; null otherwise.
    void* grid_barrier;
};

/// Runs blocks [first, first + count) of the grid, in x-fastest linear order, on the calling thread.
/// `shared` is that thread's block-shared memory: EntryPoint::static_shared_bytes, then (16-byte aligned)
/// dynamic_shared_bytes. `context` is its scratch of EntryPoint::context_bytes_per_thread * threads of a block rounded
/// up to a multiple of warp_size. Both 64-byte aligned; contents on entry are unspecified.
using KernelFunction = void (*)(const Launch* launch, std::uint64_t first, std::uint64_t count, void* shared,
                                void* context);

}  // namespace lanewise::cpu
