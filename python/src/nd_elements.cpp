// Methods that choose, cast and change elements.
#include <fmt/format.h>

#include "array/normal_axis.h"
#include "bindings.h"
#include "device_object.h"
#include "lanewise/error.h"
#include "lanewise/ufunc_methods.h"
#include "lanewise/views.h"
#include "nd_arguments.h"
#include "nd_bindings.h"
#include "numpy.h"

namespace lanewise::bindings {
namespace {

using namespace nb::literals;

const Array& array_of(nb::handle self) {
    return *nb::inst_ptr<NdArray>(self);
}

std::optional<HeldOperand> bound(const char* call, nb::handle value) {
    if (value.is_none()) return std::nullopt;
    return require_operand(call, value);
}

/// As it lies, or in another order.
Array in_layout(const Array& x, Order order) {
    if (order == Order::Keep || (order == Order::C ? x.is_c_contiguous() : x.is_f_contiguous())) return x;
    return x.copy(order, work_stream(x));
}

Array copied(const Array& x, nb::handle order_object, nb::handle stream) {
    const Order order = to_layout(order_object, x);
    if (!stream.is_none()) {
        const std::shared_ptr<Stream> on = to_stream(stream, x.device());
        return without_gil([&] { return x.copy(order, on); });
    }
    const Array ordered = in_layout(x, order);
    return same_elements(ordered, x) ? astype(x, x.dtype()) : ordered;
}

/// Into `out` when that is given.
nb::object finish(const char* call, nb::handle self, Array result, nb::handle out) {
    const Array* target = find_out(call, out);
    if (!target) return make_nd(self, std::move(result));
    assign_out(call, *target, result);
    return result_or_out({}, std::move(result), out);
}

/// Of real numbers the array itself, as in NumPy.
nb::object conjugated(nb::handle self) {
    const Array& x = array_of(self);
    return is_complex(x.dtype()) ? make_nd(self, conjugate(x)) : nb::borrow(self);
}

/// Parts of the elements as views, for which they must be in memory.
Array real_view(const Array& x) {
    evaluate(x);
    return real(x);
}
Array imag_view(const Array& x) {
    evaluate(x);
    const Array part = imag(x);
    return is_complex(x.dtype()) ? part : part.as_read_only();
}

[[noreturn]] void fail_unsupported(const char* method) {
    throw Error(ErrorKind::NotImplemented, fmt::format("ndarray.{} is not offered", method));
}

}  // namespace

Array nd_dot(const Array& a, const Operand& b) {
    if (!b.array() || b.array()->ndim() == 0 || a.ndim() == 0) return multiply(a, b);
    return dot(a, *b.array());
}

void nd_put(const Array& x, nb::handle indices, nb::handle values, nb::handle mode) {
    const Array places = require_indices("put", indices, x);
    const std::optional<Array> beside = value_beside(values, x);
    const HeldOperand operand = beside ? HeldOperand(*beside) : require_operand("put", values);
    put(x, places, operand, to_index_mode(mode));
}

Array nd_repeat(const Array& x, nb::handle repeats, std::optional<int> axis) {
    const Array* array = find_array(repeats);
    const std::optional<Array> beside = array ? std::nullopt : value_beside(repeats, x);
    if (!array && !beside) {
        if (!PyIndex_Check(repeats.ptr()))
            throw Error(ErrorKind::Type, fmt::format("repeat: a number or an array of numbers is needed, not {}",
                                                     Py_TYPE(repeats.ptr())->tp_name));
        const Py_ssize_t count = PyNumber_AsSsize_t(repeats.ptr(), PyExc_OverflowError);
        if (count == -1 && PyErr_Occurred()) throw nb::python_error();
        return repeat(x, count, axis);
    }
    return without_gil([&] { return repeat(x, array ? *array : *beside, axis); });
}

void bind_nd_elements(nb::class_<NdArray, Array>& type) {
    type.def_prop_rw(
            "real",
            [](nb::handle self) {
                return is_complex(array_of(self).dtype()) ? make_nd(self, real_view(array_of(self))) : nb::borrow(self);
            },
            [](nb::handle self, nb::handle value) { nd_assign(real_view(array_of(self)), value); },
            nb::for_setter(nb::arg("value").none()))
        .def_prop_rw(
            "imag", [](nb::handle self) { return make_nd(self, imag_view(array_of(self))); },
            [](nb::handle self, nb::handle value) {
                if (!is_complex(array_of(self).dtype()))
                    throw Error(ErrorKind::Type, fmt::format("imag: a {} array has no imaginary part to set",
                                                             name(array_of(self).dtype())));
                nd_assign(imag_view(array_of(self)), value);
            },
            nb::for_setter(nb::arg("value").none()))
        .def(
            "astype",
            [](nb::handle self, nb::handle dtype, nb::handle order, nb::handle casting, bool, bool copy) {
                const Array& x = array_of(self);
                const DType wanted = require_dtype(dtype);
                const Order layout = to_layout(order, x);
                const Array result = in_layout(astype(x, wanted, to_casting(casting), copy), layout);
                if (same_elements(result, x)) return nb::borrow(self);
                return make_nd(self, result);
            },
            "dtype"_a, "order"_a = "K", "casting"_a = "unsafe", "subok"_a = true, "copy"_a = true)
        .def(
            "copy",
            [](nb::handle self, nb::handle order, nb::handle stream) {
                return make_nd(self, copied(array_of(self), order, stream));
            },
            "order"_a = "C", nb::kw_only(), "stream"_a.none() = nb::none())
        .def("__copy__", [](nb::handle self) { return make_nd(self, astype(array_of(self), array_of(self).dtype())); })
        .def(
            "__deepcopy__",
            [](nb::handle self, nb::handle) { return make_nd(self, astype(array_of(self), array_of(self).dtype())); },
            "memo"_a.none())
        .def(
            "fill",
            [](nb::handle self, nb::handle value, nb::handle stream) {
                const Array& x = array_of(self);
                if (!stream.is_none()) {
                    alignas(16) std::byte bytes[16];
                    store_number(value, x.dtype(), bytes);
                    return x.fill(bytes, to_stream(stream, x.device()));
                }
                const HeldOperand operand = require_operand("fill", value);
                if (operand.array() && operand.array()->size() != 1)
                    throw Error(ErrorKind::Value, fmt::format("fill: expected one value, got an array of shape {}",
                                                              to_string(operand.array()->shape())));
                assign(x, operand);
            },
            "value"_a, nb::kw_only(), "stream"_a.none() = nb::none())
        .def(
            "take",
            [](nb::handle self, nb::handle indices, nb::handle axis, nb::handle out, nb::handle mode) {
                const Array& x = array_of(self);
                return finish(
                    "take", self,
                    take(x, require_indices("take", indices, x), find_axis("take", axis), to_index_mode(mode)), out);
            },
            "indices"_a, "axis"_a.none() = nb::none(), "out"_a.none() = nb::none(), "mode"_a = "raise")
        .def(
            "put",
            [](nb::handle self, nb::handle indices, nb::handle values, nb::handle mode) {
                nd_put(array_of(self), indices, values, mode);
            },
            "indices"_a, "values"_a, "mode"_a = "raise")
        .def(
            "repeat",
            [](nb::handle self, nb::handle repeats, nb::handle axis) {
                return make_nd(self, nd_repeat(array_of(self), repeats, find_axis("repeat", axis)));
            },
            "repeats"_a, "axis"_a.none() = nb::none())
        .def(
            "compress",
            [](nb::handle self, nb::handle condition, nb::handle axis, nb::handle out) {
                const Array& x = array_of(self);
                const Array mask = require_indices("compress", condition, x);
                const std::optional<int> at = find_axis("compress", axis);
                return finish("compress", self, without_gil([&] { return compress(mask, x, at); }), out);
            },
            "condition"_a, "axis"_a.none() = nb::none(), "out"_a.none() = nb::none())
        .def("nonzero",
             [](nb::handle self) {
                 const Array& x = array_of(self);
                 nb::list result;
                 for (Array& places : without_gil([&] { return nonzero(x); }))
                     result.append(make_nd(self, std::move(places)));
                 return nb::tuple(result);
             })
        .def(
            "clip",
            [](nb::handle self, nb::handle low, nb::handle high, nb::handle out) {
                return finish("clip", self, clip(array_of(self), bound("clip", low), bound("clip", high)), out);
            },
            "min"_a.none() = nb::none(), "max"_a.none() = nb::none(), "out"_a.none() = nb::none())
        .def(
            "round",
            [](nb::handle self, int decimals, nb::handle out) {
                return finish("round", self, round(array_of(self), decimals), out);
            },
            "decimals"_a = 0, "out"_a.none() = nb::none())
        .def("conj", conjugated)
        .def("conjugate", conjugated)
        .def(
            "dot",
            [](nb::handle self, nb::handle b, nb::handle out) {
                return finish("dot", self, nd_dot(array_of(self), require_operand("dot", b)), out);
            },
            "b"_a, "out"_a.none() = nb::none())
        .def(
            "trace",
            [](nb::handle self, std::int64_t offset, int a, int b, nb::handle dtype, nb::handle out) {
                ReduceOptions options;
                options.axes = Dims{-1};
                options.dtype = find_dtype_argument(dtype);
                return finish("trace", self, sum(diagonal(array_of(self), offset, a, b), options), out);
            },
            "offset"_a = 0, "axis1"_a = 0, "axis2"_a = 1, "dtype"_a.none() = nb::none(), "out"_a.none() = nb::none());
    type.def("sort", [](nb::handle, const nb::args&, const nb::kwargs&) { fail_unsupported("sort"); })
        .def("argsort", [](nb::handle, const nb::args&, const nb::kwargs&) { fail_unsupported("argsort"); })
        .def("partition", [](nb::handle, const nb::args&, const nb::kwargs&) { fail_unsupported("partition"); })
        .def("argpartition", [](nb::handle, const nb::args&, const nb::kwargs&) { fail_unsupported("argpartition"); })
        .def("searchsorted", [](nb::handle, const nb::args&, const nb::kwargs&) { fail_unsupported("searchsorted"); });
}

}  // namespace lanewise::bindings
