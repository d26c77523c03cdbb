// Reductions of programs: the plan, the kernels, and the passes over partial results.
#pragma once

#include "array/kernel_code.h"
#include "array/lower.h"
#include "array/program.h"

namespace lanewise {

/// What is reduced: a value of the program, and for argmin and argmax the index of each element.
struct ReduceSpec {
    Reduction op{};
    DType type{};  ///< of the value; accumulated in accumulator(type)
    ValueId value = 0;
    ValueId index = 0;
    bool has_index() const { return op == Reduction::ArgMin || op == Reduction::ArgMax; }
};

/// float32 for the 16-bit floats.
DType accumulator(DType type);

/// What a reduction has seen so far.
struct ReduceState {
    Number value;
    ir::Value* index = nullptr;
};
ReduceState reduce_identity(ir::Builder& b, const ReduceSpec& spec);
/// The state of one element, of spec.type.
ReduceState reduce_lift(ir::Builder& b, const ReduceSpec& spec, const Number& value, ir::Value* index);
ReduceState reduce_combine(ir::Builder& b, const ReduceSpec& spec, const ReduceState& x, const ReduceState& y);
/// Of argmin and argmax: the value that wins, whether x wins whatever the positions, whether positions decide.
Number reduce_extreme(ir::Builder& b, const ReduceSpec& spec, const Number& x, const Number& y);
ir::Value* reduce_beats(ir::Builder& b, const ReduceSpec& spec, const Number& x, const Number& y);
ir::Value* reduce_ties(ir::Builder& b, const ReduceSpec& spec, const Number& x, const Number& y);

/// Reduces over `axes` (bits) of the program's shape into `target`, whose strides are over the program's shape (0 along
/// reduced axes). Partial results take memory of the stream.
void launch_reduction(Program& program, const ReduceSpec& spec, std::uint64_t axes, const Access& target,
                      const std::shared_ptr<Stream>& stream);

/// A Reduce node's value into its buffer. The evaluation lock is held.
void realise_reduction(Node& node, const std::shared_ptr<Buffer>& buffer);

}  // namespace lanewise
