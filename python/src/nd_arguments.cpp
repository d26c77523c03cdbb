#include "nd_arguments.h"

#include <fmt/format.h>

#include "lanewise/error.h"

namespace nb = nanobind;

namespace lanewise::bindings {

ReduceArguments::ReduceArguments(const char* call, nb::handle axis, nb::handle dtype, nb::handle out, bool keepdims,
                                 nb::handle initial, nb::handle where) {
    options_.axes = find_axes(axis);
    options_.keepdims = keepdims;
    options_.dtype = find_dtype_argument(dtype);
    if (const Array* target = find_out(call, out)) options_.out = *target;
    if (!initial.is_none()) {
        options_.initial = find_scalar(initial.ptr());
        if (!options_.initial)
            throw Error(ErrorKind::Type,
                        fmt::format("{}: initial must be a number, not {}", call, Py_TYPE(initial.ptr())->tp_name));
    }
    if (where.is_none() || where.ptr() == Py_True) return;
    options_.where = require_array(call, where);
}

void assign_out(const char* call, const Array& out, const Array& result) {
    if (!can_cast(result.dtype(), out.dtype(), Casting::SameKind))
        throw Error(ErrorKind::Type,
                    fmt::format("{}: cannot cast the result from {} to the {} of out with casting rule "
                                "'same_kind'",
                                call, name(result.dtype()), name(out.dtype())));
    if (!(result.shape() == out.shape()))
        throw Error(ErrorKind::Value, fmt::format("{}: out has shape {}, the result {}", call, to_string(out.shape()),
                                                  to_string(result.shape())));
    assign(out, result, Casting::SameKind);
}

nb::object result_or_out(const ResultClass& cls, Array result, nb::handle out) {
    if (out.is_none()) return cls.make(std::move(result));
    if (!PyTuple_Check(out.ptr())) return nb::borrow(out);
    return nb::borrow(PyTuple_GET_ITEM(out.ptr(), 0));
}

}  // namespace lanewise::bindings
