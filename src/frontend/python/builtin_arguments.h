// What most handlers do with their arguments: insist on scalars, convert them, and make the result.
#pragma once

#include "frontend/python/builtins.h"
#include "frontend/python/scalar_constants.h"
#include "frontend/python/scalar_operands.h"
#include "frontend/python/scalar_rules.h"
#include "frontend/python/scalar_types.h"

namespace lanewise::python {

/// The argument, which must be a bool, integer or float; else the call fails saying so.
const Operand& scalar_argument(const Call& call, std::size_t index);
/// The same for bool or integer, and for integer or float arrays of the kernel language.
const Operand& integer_argument(const Call& call, std::size_t index);
const Operand& array_argument(const Call& call, std::size_t index);
/// False for an optional argument that was not given, or given as None.
bool given(const Call& call, std::size_t index);
/// The argument's value as `dtype`; null in a dry run.
ir::Value* argument_as(const Call& call, std::size_t index, DType dtype);

/// Types the result and, unless dry, emits it: `emit` gets the builder and gives the value.
template <typename Emit>
Operand emit_scalar(Emitter& e, DType dtype, Emit emit) {
    return e.scalar(dtype, e.dry() ? nullptr : emit(e.builder()));
}

/// A handler of isnan and the like: `op` of a float, `of_integers` for whatever else.
template <ir::ScalarOp op, bool of_integers>
Operand call_classify(Call& c) {
    c.bind({"x"}, 1);
    const Operand& x = scalar_argument(c, 0);
    if (!x.type->is_float()) return constant_bool(c.e, of_integers);
    return emit_scalar(c.e, DType::Bool, [&](ir::Builder& b) { return b.scalar(op, x.value()); });
}

}  // namespace lanewise::python
