// Running reductions along an axis: the plan and the kernels.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "array/reduction.h"
#include "lanewise/ops.h"

namespace lanewise {

/// Digits of a tile's number within its line, for the totals that tiles publish.
constexpr int scan_radix_bits = 5;

struct ScanPlan {
    enum class Kind : std::uint8_t {
        Serial,  ///< a thread walks along a chunk of a line; its neighbours have the neighbouring lines
        Tiles,   ///< threads side by side share a tile of a line
    };
    Kind kind = Kind::Serial;
    std::int64_t lines = 1, length = 0;
    Dims line_shape;
    std::vector<Dims> line_strides;  ///< of the target, then of the leaves
    std::vector<std::int64_t> steps;

    // Serial.
    bool in_step = false;  ///< a barrier in the loop
    bool totals = false;   ///< only the chunk's total is stored
    bool offsets = false;  ///< chunks start from running totals
    std::int64_t chunk = 0, chunks = 1;

    // Tiles.
    int lanes = 0;                     ///< threads of a tile: a part of a warp, or all of the block
    int vector = 1;                    ///< neighbouring elements that a thread loads and stores at once
    int rounds = 1;                    ///< runs of `vector` elements of a thread
    bool exact = false;                ///< lines are whole runs
    int levels = 0;                    ///< of published totals; 0: a tile is a line
    std::vector<Innermost> innermost;  ///< of the leaves, along the line
    std::int64_t tiles = 1;            ///< of a line

    std::int64_t tile_elements() const { return std::int64_t(lanes) * vector * rounds; }
    bool is_held() const { return lanes > 32; }
    int block_threads() const { return is_held() ? lanes : 256; }
    /// Totals of a level that a line publishes, the finest level first.
    std::int64_t level_words(int level) const;
    std::int64_t line_words() const;
};

ScanPlan plan_scan(const Program& program, int axis, const Access& target, DType accumulated, Device& device);
std::unique_ptr<ir::Module> scan_module(const Program& program, const ReduceSpec& spec, const ScanPlan& plan,
                                        DType target);

/// The running reduction of x's elements in type `type`, along an axis or, without one, in C order. `op` has no index.
Array running(const char* call, Reduction op, const Array& x, std::optional<int> axis, DType type);

}  // namespace lanewise
