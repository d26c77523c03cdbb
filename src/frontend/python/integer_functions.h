// Greatest common divisor and least common multiple of two integers of one dtype.
#pragma once

#include "frontend/python/emitter.h"

namespace lanewise::python {

/// Not negative; gcd(0, 0) is 0. Continues in a fresh block.
Operand gcd_of(Emitter& e, const Operand& a, const Operand& b);
/// Not negative; 0 when either is 0. Continues in a fresh block.
Operand lcm_of(Emitter& e, const Operand& a, const Operand& b);

}  // namespace lanewise::python
