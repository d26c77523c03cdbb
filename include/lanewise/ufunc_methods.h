// What ufuncs do besides being called (reduce, accumulate, reduceat, at), and reductions with a mask or an initial
// value.
#pragma once

#include <optional>

#include "lanewise/ops.h"

namespace lanewise {

struct MaskedReduceOptions : ReduceOptions {
    std::optional<Array> where;     ///< bool: the elements that count
    std::optional<Scalar> initial;  ///< one more element of each result
};
/// Error(Value) for min and max with `where` and without `initial`, as they have no identity.
Array reduce(Reduction reduction, const Array& x, const MaskedReduceOptions& options);
/// `ddof` counts for var and stddev.
enum class Moment : std::uint8_t { Mean, Var, Std };
Array moment(Moment which, const Array& x, const MaskedReduceOptions& options, double ddof = 0);

/// f(x[0], f(x[1], ...)) along axes, in any grouping but in order. Error(NotImplemented) when f is not associative.
Array reduce(Ufunc ufunc, const Array& x, const MaskedReduceOptions& options);
Array accumulate(Ufunc ufunc, const Array& x, int axis, std::optional<DType> dtype = std::nullopt);
/// NumPy's reduceat: for each index the reduction up to the next one, or the element at it when the next is no larger.
Array reduceat(Ufunc ufunc, const Array& x, const Array& indices, int axis, std::optional<DType> dtype = std::nullopt);
/// x[items] = f(x[items], value), once for each place that the items name. Waits for the device.
void apply_at(Ufunc ufunc, const Array& x, std::span<const AdvancedIndex> items,
              const std::optional<Operand>& value = std::nullopt);

/// The identity of a ufunc of two operands, where it has one.
std::optional<Scalar> identity(Ufunc ufunc);

}  // namespace lanewise
