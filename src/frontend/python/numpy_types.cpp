// Dtype rules of NumPy's functions.
#include "frontend/python/numpy_types.h"

#include "frontend/python/builtin_arguments.h"

namespace lanewise::python {

DType numpy_float_dtype(DType dtype) {
    if (is_float(dtype)) return dtype;
    return bits(dtype) <= 16 ? DType::Float32 : DType::Float64;
}

DType numpy_common_dtype(const Call& call, std::size_t first) {
    const Operand& a = scalar_argument(call, first);
    const Operand& b = scalar_argument(call, first + 1);
    const auto [left, right] = operand_dtypes(call.e, a, b);
    const DType common = unify_or_fail(call.e, scalar_type(left), scalar_type(right), call.spelling)->dtype;
    warn_promotion(call.e, call.spelling, common, a, b);
    return common;
}

}  // namespace lanewise::python
