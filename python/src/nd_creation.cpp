// Arrays made of nothing or of host memory, indexing as functions, and the engine.
#include <fmt/format.h>

#include "bindings.h"
#include "device_object.h"
#include "foreign.h"
#include "interface.h"
#include "lanewise/error.h"
#include "nd_arguments.h"
#include "nd_bindings.h"
#include "numpy.h"

namespace lanewise::bindings {
namespace {

using namespace nb::literals;

nb::object made(nb::handle cls, Array array) {
    if (cls.is_none()) return make_nd(default_nd_class(), std::move(array));
    if (!PyType_Check(cls.ptr()) || !is_nd_class(reinterpret_cast<PyTypeObject*>(cls.ptr())))
        throw Error(ErrorKind::Type, "cls must be a subclass of ndarray");
    return make_nd(reinterpret_cast<PyTypeObject*>(cls.ptr()), std::move(array));
}

Scalar require_scalar(const char* call, nb::handle value) {
    if (std::optional<Scalar> scalar = find_scalar(value.ptr())) return *scalar;
    throw Error(ErrorKind::Type, fmt::format("{}: expected a number, got {}", call, Py_TYPE(value.ptr())->tp_name));
}

DType dtype_or(nb::handle dtype, DType otherwise) {
    return dtype.is_none() ? otherwise : require_dtype(dtype);
}

Array from_host(nb::handle source, nb::handle dtype, nb::handle order_object, const std::shared_ptr<Stream>& stream) {
    HostArray host = to_host_array(source, find_dtype_argument(dtype));
    const std::string order = order_object.is_none() ? "K" : nb::cast<std::string>(nb::str(order_object));
    if (order != "C" && order != "F" && order != "K" && order != "A")
        throw Error(ErrorKind::Value, fmt::format("order '{}': expected 'C', 'F', 'A' or 'K'", order));
    if (order == "C" || order == "F") {
        const Order wanted = order == "F" ? Order::F : Order::C;
        if (!is_contiguous(host.view.shape, host.view.strides, size_of(host.view.dtype), wanted))
            host = to_host_array(nb::module_::import_("numpy").attr("asarray")(host.array, "order"_a = order));
    }
    note_host_use(host.array, stream);
    return without_gil([&] { return Array::from_host(host.view, stream); });
}

/// Stays until __exit__.
struct EagerObject {
    EagerObject() = default;
    EagerObject(const EagerObject&) = delete;
    std::vector<std::unique_ptr<Eager>> entered;
};

}  // namespace

void bind_nd_creation(nb::module_& m) {
    // Each takes stream, device and cls by name.
    auto define = [&](const char* name, auto function, auto... arguments) {
        m.def(name, function, arguments..., nb::kw_only(), "stream"_a.none() = nb::none(),
              "device"_a.none() = nb::none(), "cls"_a.none() = nb::none());
    };
    define(
        "empty",
        [](nb::handle shape, nb::handle dtype, nb::handle order, nb::handle stream, nb::handle device, nb::handle cls) {
            return made(cls, Array::empty(to_dims(shape, "shape"), dtype_or(dtype, DType::Float64),
                                          to_stream(stream, device), to_order(order)));
        },
        "shape"_a, "dtype"_a.none() = nb::none(), "order"_a.none() = "C");
    define(
        "full",
        [](nb::handle shape, nb::handle value, nb::handle dtype, nb::handle stream, nb::handle device, nb::handle cls) {
            const Scalar scalar = require_scalar("full", value);
            const DType own = scalar.dtype() ? *scalar.dtype() : default_dtype(scalar.kind());
            return made(cls, full(to_dims(shape, "shape"), scalar, dtype_or(dtype, own), to_stream(stream, device)));
        },
        "shape"_a, "value"_a, "dtype"_a.none() = nb::none());
    define(
        "arange",
        [](nb::handle start, nb::handle stop, nb::handle step, nb::handle dtype, nb::handle stream, nb::handle device,
           nb::handle cls) {
            const Scalar first = stop.is_none() ? Scalar(0) : require_scalar("arange", start);
            const Scalar last = require_scalar("arange", stop.is_none() ? start : stop);
            const Scalar by = step.is_none() ? Scalar(1) : require_scalar("arange", step);
            return made(cls, arange(first, last, by, find_dtype_argument(dtype), to_stream(stream, device)));
        },
        "start"_a, "stop"_a.none() = nb::none(), "step"_a.none() = 1, "dtype"_a.none() = nb::none());
    define(
        "linspace",
        [](double start, double stop, std::int64_t count, bool endpoint, nb::handle dtype, nb::handle stream,
           nb::handle device, nb::handle cls) {
            return made(cls, linspace(start, stop, count, endpoint, dtype_or(dtype, DType::Float64),
                                      to_stream(stream, device)));
        },
        "start"_a, "stop"_a, "num"_a = 50, "endpoint"_a = true, "dtype"_a.none() = nb::none());
    using Matrix = Array (*)(std::int64_t, std::int64_t, std::int64_t, DType, const std::shared_ptr<Stream>&);
    for (auto [name, function] : {std::pair<const char*, Matrix>{"eye", eye}, {"tri", tri}})
        define(
            name,
            [function](std::int64_t rows, std::optional<std::int64_t> columns, std::int64_t k, nb::handle dtype,
                       nb::handle stream, nb::handle device, nb::handle cls) {
                return made(cls, function(rows, columns.value_or(rows), k, dtype_or(dtype, DType::Float64),
                                          to_stream(stream, device)));
            },
            "rows"_a, "columns"_a.none() = nb::none(), "k"_a = 0, "dtype"_a.none() = nb::none());
    define(
        "positions",
        [](nb::handle shape, int axis, nb::handle stream, nb::handle device, nb::handle cls) {
            return made(cls, positions(to_dims(shape, "shape"), axis, to_stream(stream, device)));
        },
        "shape"_a, "axis"_a);
    define(
        "from_host",
        [](nb::handle source, nb::handle dtype, nb::handle order, nb::handle stream, nb::handle device,
           nb::handle cls) { return made(cls, from_host(source, dtype, order, to_stream(stream, device))); },
        "source"_a, "dtype"_a.none() = nb::none(), "order"_a.none() = "K");
    m.def(
        "wrap",
        [](nb::handle x, nb::handle cls) {
            if (const Array* array = find_array(x)) {
                const bool is_it = cls.is_none() ? is_nd_class(Py_TYPE(x.ptr()))
                                                 : reinterpret_cast<PyObject*>(Py_TYPE(x.ptr())) == cls.ptr();
                return is_it ? nb::borrow(x) : made(cls, *array);
            }
            if (std::optional<Array> found = find_device_memory(x)) return made(cls, std::move(*found));
            throw Error(ErrorKind::Type,
                        fmt::format("an object of type {} is no device array", Py_TYPE(x.ptr())->tp_name));
        },
        "x"_a, "cls"_a.none() = nb::none());
}

void bind_nd_indexing(nb::module_& m) {
    auto made_like = [](nb::handle like, Array array) {
        ResultClass cls;
        cls.see(like.ptr());
        return cls.make(std::move(array));
    };
    m.def(
        "take",
        [](nb::handle given, nb::handle indices, nb::handle axis, nb::handle out, nb::handle mode) {
            const Array x = require_array("take", given);
            Array result = take(x, require_indices("take", indices, x), find_axis("take", axis), to_index_mode(mode));
            if (const Array* target = find_out("take", out)) assign_out("take", *target, result);
            ResultClass cls;
            cls.see(given.ptr());
            return result_or_out(cls, std::move(result), out);
        },
        "x"_a, "indices"_a, "axis"_a.none() = nb::none(), "out"_a.none() = nb::none(), "mode"_a = "raise");
    m.def(
        "put",
        [](nb::handle x, nb::handle indices, nb::handle values, nb::handle mode) {
            const Array* target = find_array(x);
            if (!target) throw Error(ErrorKind::Type, "put: the target must be a device array");
            nd_put(*target, indices, values, mode);
        },
        "x"_a, "indices"_a, "values"_a, "mode"_a = "raise");
    m.def(
        "take_along_axis",
        [made_like](nb::handle given, nb::handle indices, nb::handle axis) {
            const Array x = require_array("take_along_axis", given);
            const std::optional<int> at = find_axis("take_along_axis", axis);
            return made_like(given, take_along_axis(at ? x : lanewise::reshape(x, {-1}),
                                                    require_indices("take_along_axis", indices, x), at.value_or(0)));
        },
        "x"_a, "indices"_a, "axis"_a.none() = -1);
    m.def(
        "put_along_axis",
        [](nb::handle given, nb::handle indices_object, nb::handle values, nb::handle axis) {
            const Array* target = find_array(given);
            if (!target) throw Error(ErrorKind::Type, "put_along_axis: the target must be a device array");
            const std::optional<int> at = find_axis("put_along_axis", axis);
            if (!at && !target->is_c_contiguous())
                throw Error(ErrorKind::NotImplemented, "put_along_axis: axis None takes a C contiguous array");
            const Array x = at ? *target : target->reshape({-1});
            const Array indices = require_indices("put_along_axis", indices_object, x);
            const int along = at.value_or(0) < 0 ? at.value_or(0) + x.ndim() : at.value_or(0);
            if (indices.ndim() != x.ndim() || along < 0 || along >= x.ndim())
                throw Error(ErrorKind::Value,
                            fmt::format("put_along_axis: indices of shape {} along axis {} of an array "
                                        "of shape {}",
                                        to_string(indices.shape()), along, to_string(x.shape())));
            std::vector<AdvancedIndex> items;
            for (int d = 0; d < x.ndim(); ++d) {
                Dims shape(x.ndim(), 1);
                shape[d] = x.shape()[d];
                items.emplace_back(d == along ? indices : positions(shape, d, work_stream(x)));
            }
            const std::optional<Array> beside = value_beside(values, x);
            const HeldOperand operand = beside ? HeldOperand(*beside) : require_operand("put_along_axis", values);
            without_gil([&] { set_items(x, items, operand); });
        },
        "x"_a, "indices"_a, "values"_a, "axis"_a.none() = -1);
    m.def(
        "nonzero",
        [made_like](nb::handle given) {
            const Array x = require_array("nonzero", given);
            nb::list result;
            for (Array& places : without_gil([&] { return nonzero(x); }))
                result.append(made_like(given, std::move(places)));
            return nb::tuple(result);
        },
        "x"_a);
    m.def(
        "compress",
        [made_like](nb::handle condition, nb::handle given, nb::handle axis) {
            const Array x = require_array("compress", given);
            const Array mask = require_indices("compress", condition, x);
            const std::optional<int> at = find_axis("compress", axis);
            return made_like(given, without_gil([&] { return compress(mask, x, at); }));
        },
        "condition"_a, "x"_a, "axis"_a.none() = nb::none());
}

void bind_nd_engine(nb::module_& m) {
    m.def(
        "evaluate",
        [](nb::handle what) {
            if (what.is_none()) return without_gil([] { evaluate(); });
            if (const Array* array = find_array(what)) return without_gil([&] { evaluate(*array); });
            if (std::shared_ptr<Stream> stream = find_stream(what)) return without_gil([&] { evaluate(*stream); });
            throw Error(ErrorKind::Type, "evaluate: expected an array, a stream or None");
        },
        "what"_a.none() = nb::none());
    nb::class_<EagerObject>(m, "Eager")
        .def(nb::init<>())
        .def("__enter__",
             [](nb::handle self) {
                 nb::cast<EagerObject&>(self).entered.push_back(std::make_unique<Eager>());
                 return nb::borrow(self);
             })
        .def("__exit__", [](EagerObject& self, const nb::args&) {
            if (self.entered.empty()) throw Error(ErrorKind::Value, "Eager: left more often than entered");
            self.entered.pop_back();
        });
    m.def("engine_statistics", [] {
        const EngineStatistics statistics = engine_statistics();
        nb::dict result;
        result["nodes"] = statistics.nodes;
        result["launches"] = statistics.launches;
        result["kernels"] = statistics.kernels;
        result["pending"] = statistics.pending;
        return result;
    });
}

}  // namespace lanewise::bindings
