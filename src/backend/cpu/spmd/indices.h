// Indices that kernels compute in 32 bits.
#pragma once

#include <array>

#include "backend/cpu/spmd/thread.h"

namespace lanewise::cpu {

/// What a kernel's code takes for granted of the grid it runs on.
struct IndexAssumptions {
    struct Axis {
        bool threads = false;      ///< grid * block is below `index_limit`
        std::uint64_t factor = 0;  ///< grid * factor is below it
    };
    std::array<Axis, 3> axes;

    bool any() const;
};

/// Room for a thread's number within its block above the largest start of a block.
inline constexpr std::uint64_t index_limit = (std::uint64_t{1} << 31) - 1024;

/// CUDA C++ computes `blockIdx.x * blockDim.x + threadIdx.x` in 32 bits, where it may wrap; an address made of it is
/// then no plain count of threads, and no loop over threads vectorises. This marks such sums and products as not
/// wrapping; what that takes for granted is to be checked when the kernel starts.
IndexAssumptions assume_indices_fit(const SlotFunction& thread);

/// Emits, at the builder's place, the check of `assumptions`: an i1 that is true when they hold. `slots` are the block
/// slots' values. Otherwise it has been reported.
llvm::Value* check_indices(llvm::IRBuilder<>& builder, const IndexAssumptions& assumptions,
                           llvm::ArrayRef<llvm::Value*> slots);

}  // namespace lanewise::cpu
