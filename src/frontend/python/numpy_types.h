// The dtypes NumPy's functions compute two scalars in.
#pragma once

#include <string>

#include "frontend/python/builtins.h"

namespace lanewise::python {

/// float32 for bool, integers of 8 and 16 bits and float32, else float64: as Numba's loops of sin and its like.
DType numpy_float_dtype(DType dtype);
/// NumPy's promotion of arguments `first` and `first + 1`; with weak literals as the operators have it.
DType numpy_common_dtype(const Call& call, std::size_t first = 0);

}  // namespace lanewise::python
