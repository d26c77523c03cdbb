// Functions of floats that take more than one scalar operation; shared by math and numpy.
#pragma once

#include "frontend/python/emitter.h"

namespace lanewise::python {

/// (fraction, int32 exponent)
Operand frexp_of(Emitter& e, const Operand& x);
/// (fractional part, integral part), both with the sign of x; (0, inf) of infinities.
Operand modf_of(Emitter& e, const Operand& x);
Operand ldexp_of(Emitter& e, const Operand& x, const Operand& exponent);
/// 0 below zero, `at_zero` at zero, 1 above, NaN of NaN.
ir::Value* heaviside_of(ir::Builder& builder, ir::Value* x, ir::Value* at_zero);
/// log(exp(x) + exp(y)) without overflow; with base 2 log2(2**x + 2**y).
ir::Value* logaddexp_of(ir::Builder& builder, ir::Value* x, ir::Value* y, bool base_two);
/// -1, 0, 1, or NaN of NaN.
ir::Value* float_sign_of(ir::Builder& builder, ir::Value* x);
/// The distance to the next float away from zero, with the sign of x.
ir::Value* spacing_of(ir::Builder& builder, ir::Value* x);

}  // namespace lanewise::python
