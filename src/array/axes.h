// Axes of an iteration space that several strided operands share, brought to as few as they need.
#pragma once

#include <span>
#include <vector>

#include "array/program.h"

namespace lanewise {

/// Of each operand: its strides over `shape`, and by how much its first element moves when axes are reversed.
struct Axes {
    Dims shape;
    std::vector<Dims> strides;
    std::vector<std::int64_t> offsets;

    std::int64_t size() const;
};

/// Drops axes of extent 1, turns those around along which operand `first` runs backwards, sorts by its strides, largest
/// first, and merges axes that run on into each other for all operands.
Axes collapse(const Dims& shape, std::span<const Dims* const> strides, std::size_t first);

}  // namespace lanewise
