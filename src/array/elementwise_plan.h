// Plans of elementwise kernels.
#pragma once

#include <memory>
#include <vector>

#include "array/axes.h"
#include "array/kernel_code.h"

namespace lanewise {

constexpr std::int64_t elementwise_block = 256;
/// What a thread of the cpu device walks along, of a row that indices move as a whole.
constexpr std::int64_t elementwise_piece = 2048;

enum class ElementwisePath : std::uint8_t {
    Flat,     ///< one axis, all operands contiguous or the same for all elements
    Divided,  ///< several axes: positions by division
    Rows,     ///< the innermost axis along the threads, the others along the blocks
    Pieces,   ///< cpu: a thread walks along a piece of the innermost axis, all of whose elements have the same indices
};

struct ElementwisePlan {
    ElementwisePath path{};
    Axes axes;
    int vector = 1;           ///< elements a thread, next to each other along the innermost axis
    int apart = 1;            ///< elements a thread, a block apart
    bool whole_rows = false;  ///< Divided, cpu: the innermost axis is short, and a thread computes all of it
    bool narrow = true;
    bool no_alias = true;
    std::vector<Innermost> innermost;  ///< of the stores, then of the leaves
    std::vector<bool> common;          ///< values that neighbouring elements share; empty: they are not looked for
    std::int64_t units = 0;  ///< threads with work (Flat: whole vectors and single elements are counted apart)
};

/// The kernel of a plan.
std::unique_ptr<ir::Module> write_elementwise(const Program& program, const ElementwisePlan& plan);

}  // namespace lanewise
