// The typing and lowering rules of scalars: what Numba infers and computes for an operator on two dtypes. Each function
// types its result, and emits it unless the emitter is dry. Error(Typing) names the operator and the operand types.
#pragma once

#include "frontend/python/emitter.h"

namespace lanewise::python {

Operand binary(Emitter& e, syntax::BinaryOp op, const Operand& a, const Operand& b);
Operand unary(Emitter& e, syntax::UnaryOp op, const Operand& a);
/// Scalars only; Eq..Ge, Is, IsNot.
Operand compare(Emitter& e, syntax::CompareOp op, const Operand& a, const Operand& b);
/// Conversion by assignment, cast or store: any scalar to any scalar; tuples and arrays to what unify() gave.
Operand convert(Emitter& e, const Operand& a, TypePtr to);
/// bool(a): what `if a` tests. Scalars != 0 (NaN is true), tuples by length, None false.
Operand truth(Emitter& e, const Operand& a);
/// The type of `a and b`, `a or b`, `x if c else y`: unify, or Error(Typing) naming both types.
TypePtr unify_or_fail(Emitter& e, TypePtr a, TypePtr b, const std::string& what);

}  // namespace lanewise::python
