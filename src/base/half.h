// 16-bit floats as bits: from and to double, each rounded once (to nearest, ties to even).
#pragma once

#include <cstdint>

namespace lanewise {

/// IEEE binary16: what __half and numpy.float16 hold.
std::uint16_t half_from_double(double value);
double double_from_half(std::uint16_t bits);

/// The upper half of a binary32: what __nv_bfloat16 holds.
std::uint16_t bfloat16_from_double(double value);
double double_from_bfloat16(std::uint16_t bits);

}  // namespace lanewise
