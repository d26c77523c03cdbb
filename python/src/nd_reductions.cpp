// Reductions and scans, as methods and as functions with the same arguments.
#include <fmt/format.h>

#include "bindings.h"
#include "lanewise/error.h"
#include "lanewise/ufunc_methods.h"
#include "nd_arguments.h"
#include "nd_bindings.h"

namespace lanewise::bindings {
namespace {

using namespace nb::literals;

nb::object finish(nb::handle x, Array result, nb::handle out) {
    ResultClass cls;
    cls.see(x.ptr());
    return result_or_out(cls, std::move(result), out);
}

/// One axis of an index reduction.
ReduceOptions one_axis(const char* call, nb::handle axis, nb::handle out, bool keepdims) {
    ReduceOptions options;
    if (const std::optional<int> at = find_axis(call, axis)) options.axes = Dims{*at};
    options.keepdims = keepdims;
    if (const Array* target = find_out(call, out)) options.out = *target;
    return options;
}

using Masked = Array (*)(const Array&, const MaskedReduceOptions&);

template <Reduction reduction>
Array masked(const Array& x, const MaskedReduceOptions& options) {
    return reduce(reduction, x, options);
}
/// NaNs are replaced, so that masks and initial values mean what they mean without them.
template <Reduction reduction, int instead>
Array masked_nan(const Array& x, const MaskedReduceOptions& options) {
    const bool has_nan = is_float(x.dtype()) || is_complex(x.dtype());
    return reduce(reduction, has_nan ? where(isnan(x), instead, x) : x, options);
}
template <Moment which>
Array masked_moment(const Array& x, const MaskedReduceOptions& options) {
    return moment(which, x, options);
}
Array masked_nanmean(const Array& x, const MaskedReduceOptions& options) {
    if (!options.where) return nanmean(x, options);
    MaskedReduceOptions numbers = options;
    numbers.where = logical_and(*options.where, logical_not(isnan(x)));
    return moment(Moment::Mean, x, numbers);
}

using WithDdof = Array (*)(const Array&, const MaskedReduceOptions&, double);
template <Moment which>
Array spread(const Array& x, const MaskedReduceOptions& options, double ddof) {
    return moment(which, x, options, ddof);
}
template <Moment which>
Array nan_spread(const Array& x, const MaskedReduceOptions& options, double ddof) {
    if (!options.where) return which == Moment::Var ? nanvar(x, options, ddof) : nanstd(x, options, ddof);
    MaskedReduceOptions numbers = options;
    numbers.where = logical_and(*options.where, logical_not(isnan(x)));
    return moment(which, x, numbers, ddof);
}

using ByIndex = Array (*)(const Array&, const ReduceOptions&);
using Scan = Array (*)(const Array&, std::optional<int>, std::optional<DType>);

/// A method whose array is `self`, or a function with the array as `x`.
template <class To, class F, class... Arguments>
void define(To& to, const char* name, F function, Arguments... arguments) {
    if constexpr (std::is_same_v<To, nb::module_>)
        to.def(name, function, "x"_a, arguments...);
    else
        to.def(name, function, arguments...);
}

template <class To>
void define_sum(To& to, const char* name, Masked function) {
    define(
        to, name,
        [name, function](nb::handle x, nb::handle axis, nb::handle dtype, nb::handle out, bool keepdims,
                         nb::handle initial, nb::handle where) {
            const ReduceArguments given(name, axis, dtype, out, keepdims, initial, where);
            return finish(x, function(require_array(name, x), given.options()), out);
        },
        "axis"_a.none() = nb::none(), "dtype"_a.none() = nb::none(), "out"_a.none() = nb::none(), "keepdims"_a = false,
        "initial"_a.none() = nb::none(), "where"_a.none() = nb::none());
}
template <class To>
void define_extremum(To& to, const char* name, Masked function) {
    define(
        to, name,
        [name, function](nb::handle x, nb::handle axis, nb::handle out, bool keepdims, nb::handle initial,
                         nb::handle where) {
            const ReduceArguments given(name, axis, nb::none(), out, keepdims, initial, where);
            return finish(x, function(require_array(name, x), given.options()), out);
        },
        "axis"_a.none() = nb::none(), "out"_a.none() = nb::none(), "keepdims"_a = false,
        "initial"_a.none() = nb::none(), "where"_a.none() = nb::none());
}
template <class To>
void define_truth(To& to, const char* name, Masked function) {
    define(
        to, name,
        [name, function](nb::handle x, nb::handle axis, nb::handle out, bool keepdims, nb::handle where) {
            const ReduceArguments given(name, axis, nb::none(), out, keepdims, nb::none(), where);
            return finish(x, function(require_array(name, x), given.options()), out);
        },
        "axis"_a.none() = nb::none(), "out"_a.none() = nb::none(), "keepdims"_a = false, "where"_a.none() = nb::none());
}
template <class To>
void define_mean(To& to, const char* name, Masked function) {
    define(
        to, name,
        [name, function](nb::handle x, nb::handle axis, nb::handle dtype, nb::handle out, bool keepdims,
                         nb::handle where) {
            const ReduceArguments given(name, axis, dtype, out, keepdims, nb::none(), where);
            return finish(x, function(require_array(name, x), given.options()), out);
        },
        "axis"_a.none() = nb::none(), "dtype"_a.none() = nb::none(), "out"_a.none() = nb::none(), "keepdims"_a = false,
        "where"_a.none() = nb::none());
}
template <class To>
void define_spread(To& to, const char* name, WithDdof function) {
    define(
        to, name,
        [name, function](nb::handle x, nb::handle axis, nb::handle dtype, nb::handle out, double ddof, bool keepdims,
                         nb::handle where) {
            const ReduceArguments given(name, axis, dtype, out, keepdims, nb::none(), where);
            return finish(x, function(require_array(name, x), given.options(), ddof), out);
        },
        "axis"_a.none() = nb::none(), "dtype"_a.none() = nb::none(), "out"_a.none() = nb::none(), "ddof"_a = 0.0,
        "keepdims"_a = false, "where"_a.none() = nb::none());
}
template <class To>
void define_index(To& to, const char* name, ByIndex function) {
    define(
        to, name,
        [name, function](nb::handle x, nb::handle axis, nb::handle out, bool keepdims) {
            return finish(x, function(require_array(name, x), one_axis(name, axis, out, keepdims)), out);
        },
        "axis"_a.none() = nb::none(), "out"_a.none() = nb::none(), "keepdims"_a = false);
}
template <class To>
void define_scan(To& to, const char* name, Scan function) {
    define(
        to, name,
        [name, function](nb::handle x, nb::handle axis, nb::handle dtype, nb::handle out) {
            Array result = function(require_array(name, x), find_axis(name, axis), find_dtype_argument(dtype));
            if (const Array* target = find_out(name, out)) assign_out(name, *target, result);
            return finish(x, std::move(result), out);
        },
        "axis"_a.none() = nb::none(), "dtype"_a.none() = nb::none(), "out"_a.none() = nb::none());
}

/// What methods and functions have in common.
template <class To>
void define_all(To& to) {
    define_sum(to, "sum", masked<Reduction::Sum>);
    define_sum(to, "prod", masked<Reduction::Prod>);
    define_extremum(to, "min", masked<Reduction::Min>);
    define_extremum(to, "max", masked<Reduction::Max>);
    define_truth(to, "any", masked<Reduction::Any>);
    define_truth(to, "all", masked<Reduction::All>);
    define_mean(to, "mean", masked_moment<Moment::Mean>);
    define_spread(to, "var", spread<Moment::Var>);
    define_spread(to, "std", spread<Moment::Std>);
    define_index(to, "argmin", argmin);
    define_index(to, "argmax", argmax);
    define_scan(to, "cumsum", cumsum);
    define_scan(to, "cumprod", cumprod);
    define(
        to, "ptp",
        [](nb::handle x, nb::handle axis, nb::handle out, bool keepdims) {
            const ReduceArguments given("ptp", axis, nb::none(), nb::none(), keepdims);
            const Array array = require_array("ptp", x);
            Array result = subtract(max(array, given.options()), min(array, given.options()));
            if (const Array* target = find_out("ptp", out)) assign_out("ptp", *target, result);
            return finish(x, std::move(result), out);
        },
        "axis"_a.none() = nb::none(), "out"_a.none() = nb::none(), "keepdims"_a = false);
}

}  // namespace

void bind_nd_reductions(nb::class_<NdArray, Array>& type, nb::module_& m) {
    define_all(type);
    define_all(m);
    define_sum(m, "nansum", masked_nan<Reduction::Sum, 0>);
    define_sum(m, "nanprod", masked_nan<Reduction::Prod, 1>);
    define_extremum(m, "nanmin", masked<Reduction::FMin>);
    define_extremum(m, "nanmax", masked<Reduction::FMax>);
    define_mean(m, "nanmean", masked_nanmean);
    define_spread(m, "nanvar", nan_spread<Moment::Var>);
    define_spread(m, "nanstd", nan_spread<Moment::Std>);
    define_index(m, "nanargmin", nanargmin);
    define_index(m, "nanargmax", nanargmax);
    m.def(
        "count_nonzero",
        [](nb::handle x, nb::handle axis, bool keepdims) {
            const ReduceArguments given("count_nonzero", axis, nb::none(), nb::none(), keepdims);
            return finish(x, count_nonzero(require_array("count_nonzero", x), given.options()), nb::none());
        },
        "x"_a, "axis"_a.none() = nb::none(), "keepdims"_a = false);
}

}  // namespace lanewise::bindings
