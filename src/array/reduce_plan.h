// Plans of reductions and their kernels.
//
// Lanes: a row of threads walks over the elements of one result, then a tree in shared memory joins what they have
// seen. Columns: a thread walks over the elements of one result; its neighbours have the neighbouring results. Where
// there are too few results to fill the device, the elements are split, and a second reduction joins the parts: the
// order of additions depends on shapes only.
//
// On the cpu device a barrier in the loop keeps the threads of a block together, so that each round is one loop over
// neighbouring elements, which vectorises.
#pragma once

#include <memory>
#include <vector>

#include "array/axes.h"
#include "array/reduction.h"

namespace lanewise {

struct ReducePlan {
    bool lanes = false;
    Axes kept, reduced;  ///< operands: the target (kept only), then the leaves
    int width = 1;       ///< Lanes: threads for one result; Columns: threads of a block
    int rows = 1;        ///< Lanes: results of a block
    int unroll = 4;
    bool in_step = false;  ///< a barrier in the loop
    bool narrow = true;
    bool partial = false;
    bool by_line = false;  ///< Lanes: one line of the innermost reduced axis after the other
    /// argmin, argmax: positions rise along a line, so that a thread keeps values and numbers of rounds alone.
    bool rising = false;
    bool own_rows = false;  ///< Columns: threads along the innermost kept axis, blocks along the others
    std::int64_t splits = 1, chunk = 0;
    std::int64_t steps = 0;            ///< what is split: elements, or lines
    std::vector<Innermost> innermost;  ///< of leaves along the axis that neighbouring threads walk

    /// For one part of the elements.
    std::int64_t blocks() const;
};

/// Moves the program's leaves to where the plan's axes begin.
ReducePlan plan_reduction(Program& program, const ReduceSpec& spec, std::uint64_t axes, const Access& target,
                          Device& device);
/// The kernel of a plan that gives elements of type `target`, or partial results.
std::unique_ptr<ir::Module> reduce_module(const Program& program, const ReduceSpec& spec, const ReducePlan& plan,
                                          DType target);

}  // namespace lanewise
