// Elementwise kernels whose operands do not all run along the same axis: square tiles turned in shared memory.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "array/axes.h"
#include "array/kernel_code.h"
#include "array/launcher.h"

namespace lanewise {

/// Stores run along the last axis; some leaves run along another one.
struct TilePlan {
    int across = 0;            ///< that other axis
    int edge = 32;             ///< elements of a tile along both axes
    std::vector<bool> turned;  ///< leaves that run along it
    bool no_alias = true;
};

/// None where nothing is to be turned, or tiles would be mostly empty. `axes` are of the stores, then of the leaves.
std::optional<TilePlan> plan_tiles(const Program& program, const Axes& axes, bool no_alias, DeviceKind kind);
std::unique_ptr<ir::Module> tiled_module(const Program& program, const Axes& axes, const TilePlan& plan);
void launch_tiled(const Program& program, const Axes& axes, const TilePlan& plan,
                  const std::shared_ptr<Stream>& stream);

}  // namespace lanewise
