// Arguments that reductions have in common.
#pragma once

#include <nanobind/nanobind.h>

#include "lanewise/ufunc_methods.h"
#include "nd_object.h"

namespace lanewise::bindings {

/// axis, dtype, out, keepdims, initial and where as NumPy's reductions take them; absent ones are None.
class ReduceArguments {
public:
    /// Error(Type, Value) naming `call`.
    ReduceArguments(const char* call, nanobind::handle axis, nanobind::handle dtype, nanobind::handle out,
                    bool keepdims, nanobind::handle initial = nanobind::none(),
                    nanobind::handle where = nanobind::none());
    const MaskedReduceOptions& options() const { return options_; }

private:
    MaskedReduceOptions options_;
};

/// Writes a result to the array given for it. Error(Type) when "same_kind" forbids the cast, Error(Value) for another
/// shape.
void assign_out(const char* call, const Array& out, const Array& result);

/// The result as an instance of the class, or `out` when that was given and written.
nanobind::object result_or_out(const ResultClass& cls, Array result, nanobind::handle out);

/// An index as items for get_items; `array` gets an axis of extent 1 for each boolean that is no array.
std::vector<AdvancedIndex> nd_index_items(nanobind::handle index, Array& array);

}  // namespace lanewise::bindings
