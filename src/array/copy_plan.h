// CopyPlan: a strided copy reduced to as few axes as it needs, slowest first.
#pragma once

#include "lanewise/dims.h"

namespace lanewise {

/// Axes of extent 1 are gone, axes that run on into each other on both sides are one, the target's slowest axis is
/// first. No axes: one element. Target strides are positive unless the target itself overlaps.
struct CopyPlan {
    Dims shape, target_strides, source_strides;
    std::int64_t item_bytes = 0;
    /// Bytes from the given first elements to where the plan starts (axes with negative target strides are flipped).
    std::int64_t target_offset = 0, source_offset = 0;

    CopyPlan(const Dims& shape, const Dims& target_strides, const Dims& source_strides, std::int64_t item_bytes);

    std::int64_t elements() const;
    /// Both sides are one run of memory.
    bool is_one_run() const;
    /// The innermost axis is a run on both sides.
    bool has_runs() const;
};

/// The copy on the host.
void run_on_host(const CopyPlan& plan, void* target, const void* source);

}  // namespace lanewise
