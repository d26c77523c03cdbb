// Bindings of device arrays: making them, views, copies.
#include "lanewise/array.h"

#include <fmt/format.h>

#include <numeric>

#include "array_object.h"
#include "bindings.h"
#include "device_object.h"
#include "exchange_table.h"
#include "foreign.h"
#include "indexing.h"
#include "interface.h"
#include "numpy.h"

namespace lanewise::bindings {
namespace {

using namespace nb::literals;

/// Strong references for the life of the process.
PyTypeObject* base_type = nullptr;
PyObject* default_class = nullptr;

using Release = nb::call_guard<nb::gil_scoped_release>;

const Array& array_of(nb::handle self) {
    return *nb::inst_ptr<Array>(self);
}

nb::object like(nb::handle self, Array array) {
    return make_array(self.type(), std::move(array));
}

nb::object empty(nb::handle cls, nb::handle shape_object, nb::handle dtype_object, nb::handle order,
                 nb::handle strides_object, nb::handle stream_object, nb::handle device) {
    Dims shape = to_dims(shape_object, "shape");
    DType dtype = require_dtype(dtype_object);
    std::shared_ptr<Stream> stream = to_stream(stream_object, device);
    if (strides_object.is_none()) return make_array(cls, Array::empty(shape, dtype, stream, to_order(order)));
    Dims strides = to_dims(strides_object, "strides");
    std::int64_t bytes = element_count(shape, size_of(dtype)) ? size_of(dtype) : 0;
    for (int i = 0; bytes && i < std::min(shape.size(), strides.size()); ++i) {
        if (strides[i] < 0)
            throw Error(ErrorKind::Value, fmt::format("strides {} must not be negative", to_string(strides)));
        bytes += (shape[i] - 1) * strides[i];
    }
    return make_array(cls,
                      Array::over(Buffer::create(stream, static_cast<std::size_t>(bytes)), 0, shape, strides, dtype));
}

nb::object from_host(nb::handle cls, nb::handle source, nb::handle stream_object, nb::handle device, nb::handle dtype) {
    HostArray host = to_host_array(source, dtype.is_none() ? std::nullopt : std::optional(require_dtype(dtype)));
    std::shared_ptr<Stream> stream = to_stream(stream_object, device);
    note_host_use(host.array, stream);
    std::optional<Array> array;
    {
        nb::gil_scoped_release release;
        array = Array::from_host(host.view, stream);
    }
    return make_array(cls, std::move(*array));
}

nb::object from_buffer(nb::handle cls, nb::handle buffer, nb::handle shape_object, nb::handle dtype_object,
                       nb::handle strides_object, std::int64_t offset, nb::handle order, bool read_only) {
    Dims shape = to_dims(shape_object, "shape");
    DType dtype = require_dtype(dtype_object);
    Dims strides = strides_object.is_none() ? contiguous_strides(shape, size_of(dtype), to_order(order))
                                            : to_dims(strides_object, "strides");
    return make_array(cls, Array::over(require_buffer(buffer), offset, shape, strides, dtype, read_only));
}

nb::object from_interface(nb::handle cls, nb::handle source, nb::handle owner, bool sync) {
    bool is_dict = nb::isinstance<nb::dict>(source);
    nb::object dict = is_dict ? nb::borrow(source) : interface_of(source);
    if (!dict.is_valid())
        throw Error(ErrorKind::Type, fmt::format("an object of type {} has no __cuda_array_interface__",
                                                 Py_TYPE(source.ptr())->tp_name));
    return make_array(cls, adopt_interface(read_interface(dict), is_dict || !owner.is_none() ? owner : source, sync));
}

std::shared_ptr<Stream> stream_for(const Array& array, nb::handle stream) {
    return to_stream(stream, array.device());
}

nb::object to_host(nb::handle self, nb::object out, nb::handle stream_object) {
    const Array& array = array_of(self);
    std::shared_ptr<Stream> stream = stream_for(array, stream_object);
    if (out.is_none()) {
        bool fortran = !array.is_c_contiguous() && array.is_f_contiguous();
        out = empty_ndarray(array.dtype(), to_tuple(array.shape()), fortran ? 'F' : 'C');
    } else if (!is_ndarray(out)) {
        throw Error(ErrorKind::Type,
                    fmt::format("to_host: expected a NumPy array to copy into, got {}", Py_TYPE(out.ptr())->tp_name));
    } else if (!numpy_array(out)->has(NumpyArray::writeable_flag)) {
        throw Error(ErrorKind::Value, "to_host: the target array is read-only");
    }
    NumpyArray* raw = numpy_array(out);
    std::optional<DType> dtype = find_dtype(raw->dtype);
    if (!dtype || *dtype != array.dtype())
        throw Error(ErrorKind::Type,
                    fmt::format("to_host: the target has dtype {}, the array {}",
                                nb::cast<std::string>(nb::str(nb::handle(raw->dtype))), name(array.dtype())));
    HostView view{raw->data, *dtype, Dims(raw->ndim), Dims(raw->ndim)};
    std::copy_n(raw->shape, raw->ndim, view.shape.data());
    std::copy_n(raw->strides, raw->ndim, view.strides.data());
    note_host_use(out, stream);
    {
        nb::gil_scoped_release release;
        array.copy_to_host(view, stream);
    }
    return out;
}

nb::object element(const Array& array) {
    alignas(16) std::byte bytes[16];
    {
        nb::gil_scoped_release release;
        array.copy_to_host({bytes, array.dtype(), array.shape(), array.strides()}, current_stream(array.device()));
    }
    return make_numpy_scalar(array.dtype(), bytes);
}

/// The only element, as a NumPy scalar.
nb::object only_element(nb::handle self, const char* call) {
    const Array& array = array_of(self);
    if (array.size() != 1)
        throw Error(ErrorKind::Type, fmt::format("{}: the array has {} elements, not one", call, array.size()));
    return element(array.reshape({}));
}

void assign(const Array& target, nb::handle value, nb::handle stream_object, bool cast_arrays) {
    std::shared_ptr<Stream> stream = stream_for(target, stream_object);
    std::optional<Array> device_source;
    if (const Array* source = find_array(value)) {
        device_source = *source;
    } else {
        device_source = find_foreign_array(value);
    }
    if (device_source) {
        nb::gil_scoped_release release;
        return target.copy_from(*device_source, stream);
    }
    if (target.read_only()) throw Error(ErrorKind::Value, "the array is read-only");
    nb::object array = nb::module_::import_("numpy").attr("asarray")(value);
    bool is_scalar = numpy_array(array)->ndim == 0;
    HostArray host = to_host_array(array, is_scalar || cast_arrays ? std::optional(target.dtype()) : std::nullopt);
    note_host_use(host.array, stream);
    nb::gil_scoped_release release;
    if (is_scalar)
        target.fill(host.view.data, stream);
    else
        target.copy_from_host(host.view, stream);
}

nb::object get_item(nb::handle self, nb::handle index) {
    const Array& array = array_of(self);
    ParsedIndex parsed(index);
    Array view = array.index(parsed.items());
    if (parsed.is_full_integer(array.ndim())) return element(view);
    return like(self, std::move(view));
}

void set_item(nb::handle self, nb::handle index, nb::handle value) {
    assign(array_of(self).index(ParsedIndex(index).items()), value, nb::none(), true);
}

/// (2, 3) from f(2, 3), f((2, 3)) or f([2, 3]).
Dims spread(const nb::args& args, const char* what) {
    if (args.size() == 1 && !PyIndex_Check(nb::handle(args[0]).ptr())) return to_dims(args[0], what);
    return to_dims(args, what);
}

nb::object transpose(nb::handle self, const nb::args& axes) {
    if (axes.size() == 0 || (axes.size() == 1 && nb::handle(axes[0]).is_none()))
        return like(self, array_of(self).transpose());
    return like(self, array_of(self).transpose(spread(axes, "axes")));
}

nb::object as_numpy(nb::handle self, nb::handle dtype, nb::handle copy) {
    if (copy.ptr() == Py_False)
        throw Error(ErrorKind::Value, "a device array becomes a NumPy array only by a copy; copy=False cannot be met");
    nb::object host = to_host(self, nb::none(), nb::none());
    return dtype.is_none() ? host : host.attr("astype")(dtype, "copy"_a = false);
}

void bind_properties(nb::class_<Array>& type) {
    type.def_prop_ro("shape", [](const Array& a) { return to_tuple(a.shape()); })
        .def_prop_ro("strides", [](const Array& a) { return to_tuple(a.strides()); })
        .def_prop_ro("dtype", [](const Array& a) { return numpy_dtype(a.dtype()); })
        .def_prop_ro("ndim", &Array::ndim)
        .def_prop_ro("size", &Array::size)
        .def_prop_ro("itemsize", &Array::item_bytes)
        .def_prop_ro("nbytes", &Array::bytes)
        .def_prop_ro("address", [](const Array& a) { return reinterpret_cast<std::uintptr_t>(a.data()); })
        // Whoever asks for these may use the memory at any time from now on.
        .def_prop_ro("pointer",
                     [](const Array& a) {
                         a.share();
                         return reinterpret_cast<std::uintptr_t>(a.data());
                     })
        .def_prop_ro("buffer",
                     [](const Array& a) {
                         a.share();
                         return make_buffer(a.buffer());
                     })
        .def_prop_ro("device", [](const Array& a) { return wrap_device(a.device()); })
        .def_prop_ro("stream", [](const Array& a) { return a.stream() ? a.stream() : a.device().default_stream(); })
        .def_prop_ro("is_c_contiguous", &Array::is_c_contiguous)
        .def_prop_ro("is_f_contiguous", &Array::is_f_contiguous)
        .def_prop_ro("read_only", &Array::read_only)
        .def_prop_ro("T", [](nb::handle self) { return like(self, array_of(self).transpose()); })
        .def_prop_ro("__cuda_array_interface__", [](const Array& a) { return export_interface(a); });
}

void bind_constructors(nb::class_<Array>& type) {
    // Class methods, so that subclasses make instances of themselves.
    auto class_method = [&](const char* name, auto function, auto... extra) {
        nb::object made = nb::cpp_function(function, nb::name(name), extra...);
        type.attr(name) = nb::steal(PyClassMethod_New(made.ptr()));
    };
    class_method("empty", empty, "cls"_a, "shape"_a, "dtype"_a = "float64", nb::kw_only(), "order"_a = "C",
                 "strides"_a.none() = nb::none(), "stream"_a.none() = nb::none(), "device"_a.none() = nb::none());
    class_method("from_host", from_host, "cls"_a, "source"_a, nb::kw_only(), "stream"_a.none() = nb::none(),
                 "device"_a.none() = nb::none(), "dtype"_a.none() = nb::none());
    class_method("from_buffer", from_buffer, "cls"_a, "buffer"_a, "shape"_a, "dtype"_a = "float64", nb::kw_only(),
                 "strides"_a.none() = nb::none(), "offset"_a = 0, "order"_a = "C", "read_only"_a = false);
    class_method("from_interface", from_interface, "cls"_a, "interface"_a, nb::kw_only(), "owner"_a.none() = nb::none(),
                 "sync"_a = true);
    class_method(
        "from_dlpack",
        [](nb::handle cls, nb::handle source, nb::handle stream) {
            const bool is_capsule = PyCapsule_CheckExact(source.ptr());
            return make_array(cls, is_capsule ? adopt_capsule(source) : import_dlpack(source, stream));
        },
        "cls"_a, "source"_a, nb::kw_only(), "stream"_a.none() = nb::none());
    class_method("wrap", [](nb::handle cls, const Array& array) { return make_array(cls, array); }, "cls"_a, "array"_a);
}

void bind_views(nb::class_<Array>& type) {
    type.def("__getitem__", get_item)
        .def(
            "get_view",
            [](nb::handle self, nb::handle index) {
                return like(self, array_of(self).index(ParsedIndex(index).items()));
            },
            "index"_a.none())
        .def(
            "reshape",
            [](nb::handle self, const nb::args& shape, nb::handle order) {
                return like(self, array_of(self).reshape(spread(shape, "shape"), to_order(order, true)));
            },
            "shape"_a, "order"_a = "C")
        .def(
            "ravel",
            [](nb::handle self, nb::handle order) {
                return like(self, array_of(self).reshape({-1}, to_order(order, true)));
            },
            "order"_a = "C")
        .def("transpose", transpose, "axes"_a)
        .def(
            "squeeze",
            [](nb::handle self, nb::handle axis) {
                return like(
                    self, array_of(self).squeeze(axis.is_none() ? std::nullopt : std::optional(to_dims(axis, "axis"))));
            },
            "axis"_a.none() = nb::none())
        .def(
            "broadcast_to",
            [](nb::handle self, nb::handle shape) {
                return like(self, array_of(self).broadcast_to(to_dims(shape, "shape")));
            },
            "shape"_a)
        .def(
            "view",
            [](nb::handle self, nb::handle dtype) {
                return like(self, dtype.is_none() ? array_of(self) : array_of(self).view_as(require_dtype(dtype)));
            },
            "dtype"_a.none() = nb::none());
}

void bind_copies(nb::class_<Array>& type) {
    type.def("to_host", to_host, "out"_a.none() = nb::none(), nb::kw_only(), "stream"_a.none() = nb::none())
        .def(
            "copy_from",
            [](nb::handle self, nb::handle source, nb::handle stream) {
                assign(array_of(self), source, stream, false);
            },
            "source"_a, nb::kw_only(), "stream"_a.none() = nb::none())
        .def(
            "copy",
            [](nb::handle self, nb::handle order_object, nb::handle stream_object) {
                Order order = to_order(order_object, true);
                std::shared_ptr<Stream> stream = stream_for(array_of(self), stream_object);
                std::optional<Array> result;
                {
                    nb::gil_scoped_release release;
                    result = array_of(self).copy(order, stream);
                }
                return like(self, std::move(*result));
            },
            "order"_a = "K", nb::kw_only(), "stream"_a.none() = nb::none())
        .def(
            "fill",
            [](nb::handle self, nb::handle value, nb::handle stream) {
                const Array& array = array_of(self);
                alignas(16) std::byte bytes[16];
                store_number(value, array.dtype(), bytes);
                std::shared_ptr<Stream> on = stream_for(array, stream);
                nb::gil_scoped_release release;
                array.fill(bytes, on);
            },
            "value"_a, nb::kw_only(), "stream"_a.none() = nb::none())
        .def("item",
             [](nb::handle self, const nb::args& index) {
                 if (index.size() == 0) return only_element(self, "item");
                 return element(array_of(self).index(ParsedIndex(index).items()).reshape({}));
             })
        .def("__setitem__", set_item, "index"_a.none(), "value"_a)
        .def("__len__",
             [](const Array& a) {
                 if (a.ndim() == 0) throw Error(ErrorKind::Type, "len() of a 0-dimensional array");
                 return a.shape()[0];
             })
        .def("__bool__",
             [](nb::handle self) {
                 if (array_of(self).size() != 1)
                     throw Error(ErrorKind::Value,
                                 "the truth value of an array with other than one element is ambiguous");
                 return nb::cast<bool>(nb::module_::import_("builtins").attr("bool")(only_element(self, "bool")));
             })
        .def("__int__", [](nb::handle self) { return nb::int_(only_element(self, "int")); })
        .def("__float__", [](nb::handle self) { return nb::float_(only_element(self, "float")); })
        .def("__array__", as_numpy, "dtype"_a.none() = nb::none(), "copy"_a.none() = nb::none())
        .def(
            "__dlpack__",
            [](nb::handle self, nb::handle stream, nb::handle max_version, nb::handle dl_device, nb::handle copy) {
                return export_dlpack(array_of(self), stream, max_version, dl_device, copy);
            },
            nb::kw_only(), "stream"_a.none() = nb::none(), "max_version"_a.none() = nb::none(),
            "dl_device"_a.none() = nb::none(), "copy"_a.none() = nb::none())
        .def("__dlpack_device__", [](const Array& a) {
            auto [kind, ordinal] = dlpack_device(a);
            return nb::make_tuple(kind, ordinal);
        });
}

}  // namespace

const Array* find_array(nb::handle object) {
    return PyObject_TypeCheck(object.ptr(), base_type) ? nb::inst_ptr<Array>(object) : nullptr;
}

PyTypeObject* array_type() {
    return base_type;
}

nb::object make_array(nb::handle type, Array array) {
    nb::object object = nb::inst_alloc(type);
    new (nb::inst_ptr<Array>(object)) Array(std::move(array));
    nb::inst_mark_ready(object);
    return object;
}

nb::object make_array(Array array) {
    return make_array(default_class, std::move(array));
}

Dims to_dims(nb::handle object, const char* what) {
    auto integer = [&](nb::handle item) -> std::int64_t {
        Py_ssize_t value = PyIndex_Check(item.ptr()) ? PyNumber_AsSsize_t(item.ptr(), PyExc_OverflowError) : -1;
        if (!PyIndex_Check(item.ptr()))
            throw Error(ErrorKind::Type,
                        fmt::format("{}: expected integers, got {}", what, nb::cast<std::string>(nb::repr(object))));
        if (value == -1 && PyErr_Occurred()) throw nb::python_error();
        return value;
    };
    if (PyIndex_Check(object.ptr())) return {integer(object)};
    nb::object sequence = nb::steal(PySequence_Tuple(object.ptr()));
    if (!sequence.is_valid()) throw nb::python_error();
    Dims dims(static_cast<int>(std::min<Py_ssize_t>(PyTuple_GET_SIZE(sequence.ptr()), Dims::max_size + 1)));
    for (int i = 0; i < dims.size(); ++i) dims[i] = integer(PyTuple_GET_ITEM(sequence.ptr(), i));
    return dims;
}

nb::object to_tuple(const Dims& dims) {
    nb::object tuple = nb::steal(PyTuple_New(dims.size()));
    for (int i = 0; i < dims.size(); ++i) PyTuple_SET_ITEM(tuple.ptr(), i, PyLong_FromLongLong(dims[i]));
    return tuple;
}

Order to_order(nb::handle order, bool allow_keep) {
    std::string text = order.is_none() ? "C" : nb::cast<std::string>(nb::str(order));
    if (text == "C") return Order::C;
    if (text == "F") return Order::F;
    if (allow_keep && (text == "K" || text == "A")) return Order::Keep;
    throw Error(ErrorKind::Value, fmt::format("order '{}': expected 'C' or 'F'{}", text, allow_keep ? " or 'K'" : ""));
}

HostArray to_host_array(nb::handle object, std::optional<DType> dtype) {
    HostArray host;
    nb::handle np = nb::module_::import_("numpy");
    host.array = dtype ? np.attr("asarray")(object, numpy_dtype(*dtype)) : np.attr("asarray")(object);
    NumpyArray* raw = numpy_array(host.array);
    std::optional<DType> found = find_dtype(raw->dtype);
    if (!found && !nb::cast<bool>(nb::handle(raw->dtype).attr("isnative"))) {
        host.array = host.array.attr("astype")(nb::handle(raw->dtype).attr("newbyteorder")("="));
        raw = numpy_array(host.array);
        found = find_dtype(raw->dtype);
    }
    host.view.dtype = found ? *found : require_dtype(raw->dtype);
    host.view.data = raw->data;
    host.view.shape = Dims(raw->ndim);
    host.view.strides = Dims(raw->ndim);
    std::copy_n(raw->shape, raw->ndim, host.view.shape.data());
    std::copy_n(raw->strides, raw->ndim, host.view.strides.data());
    return host;
}

void bind_arrays(nb::module_& m) {
    nb::class_<Array> type(m, "Array", nb::is_weak_referenceable());
    base_type = reinterpret_cast<PyTypeObject*>(type.inc_ref().ptr());
    default_class = type.inc_ref().ptr();
    type.attr("__array_priority__") = 1000.0;
    bind_properties(type);
    bind_constructors(type);
    bind_views(type);
    bind_copies(type);
    bind_exchange_table(type, false);

    m.def(
        "set_array_class",
        [](nb::handle cls) {
            if (!PyType_Check(cls.ptr()) || !PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(cls.ptr()), base_type))
                throw Error(ErrorKind::Type, "set_array_class: expected a subclass of Array");
            PyObject* old = default_class;
            default_class = cls.inc_ref().ptr();
            Py_DECREF(old);
        },
        "cls"_a);
    m.def(
        "asarray",
        [](nb::object object) -> nb::object {
            if (find_array(object)) return object;
            if (std::optional<Array> array = find_device_memory(object)) return make_array(std::move(*array));
            throw Error(ErrorKind::Type,
                        fmt::format("an object of type {} is no device array", Py_TYPE(object.ptr())->tp_name));
        },
        "obj"_a);
    m.def(
        "is_device_array",
        [](nb::handle object) { return find_array(object) || nb::hasattr(object, "__cuda_array_interface__"); },
        "obj"_a.none());
}

}  // namespace lanewise::bindings
