// Compile-time values: Python's exact arithmetic on constant integers and booleans, so that TPB * 2 can be a shape.
#pragma once

#include <optional>

#include "frontend/python/emitter.h"

namespace lanewise::python {

/// None when Python raises, the result is no integer, or it does not fit int64.
std::optional<std::int64_t> fold_binary(syntax::BinaryOp op, std::int64_t a, std::int64_t b);
bool fold_compare(syntax::CompareOp op, std::int64_t a, std::int64_t b);

syntax::CapturedPtr integer_constant(std::int64_t value);
syntax::CapturedPtr bool_constant(bool value);
syntax::CapturedPtr float_constant(double value);
/// The exact value of an integer or bool constant; none where it does not fit int64.
std::optional<std::int64_t> constant_integer(const Operand& a);
/// The constant as a double: a Python or NumPy float, an integer or bool; none otherwise.
std::optional<double> constant_number(const Operand& a);
/// True for the constant of a string operand; `text` receives it.
const std::string* constant_text(const Operand& a);

/// An operand with a constant and, unless dry, its IR constant.
Operand constant_bool(Emitter& e, bool value);
Operand constant_float64(Emitter& e, double value);

}  // namespace lanewise::python
