// Slices: start:stop:step as an operand, and the elements it selects on an axis, by CPython's rules.
#pragma once

#include "frontend/python/emitter.h"

namespace lanewise::python {

/// Type::Kind::Slice questions, answered by type alone so that dry runs agree.
bool is_whole_slice(TypePtr slice);  ///< [:]
bool has_step(TypePtr slice);

/// int64 values; length is never negative. Nothing in a dry run.
struct SliceSpan {
    ir::Value* start = nullptr;
    ir::Value* length = nullptr;
    ir::Value* step = nullptr;
};
SliceSpan slice_span(Emitter& e, const Operand& slice, ir::Value* extent);

/// The indices a constant slice selects of `count` items; Error(Typing) when the slice is not constant.
std::vector<std::size_t> constant_slice(Emitter& e, const Operand& slice, std::size_t count);

}  // namespace lanewise::python
