// Arrays and the host: copies, numbers, NumPy views, pickling; flags.
#include <fmt/format.h>

#include "bindings.h"
#include "device_object.h"
#include "lanewise/error.h"
#include "lanewise/views.h"
#include "nd_bindings.h"
#include "numpy.h"

namespace lanewise::bindings {
namespace {

using namespace nb::literals;

const Array& array_of(nb::handle self) {
    return *nb::inst_ptr<NdArray>(self);
}

struct Flags {
    bool c, f, own, writeable, aligned;

    bool by_name(const std::string& name) const {
        if (name == "C_CONTIGUOUS" || name == "C" || name == "CONTIGUOUS") return c;
        if (name == "F_CONTIGUOUS" || name == "F" || name == "FORTRAN") return f;
        if (name == "OWNDATA" || name == "O") return own;
        if (name == "WRITEABLE" || name == "W") return writeable;
        if (name == "ALIGNED" || name == "A") return aligned;
        if (name == "WRITEBACKIFCOPY" || name == "X") return false;
        if (name == "FNC") return f && !c;
        if (name == "FORC" || name == "CA") return f || c;
        PyErr_Format(PyExc_KeyError, "unknown flag '%s'", name.c_str());
        throw nb::python_error();
    }
};

Flags flags_of(const Array& x) {
    return {x.is_c_contiguous(), x.is_f_contiguous(), owns_memory(x), !x.read_only(), x.offset() % x.item_bytes() == 0};
}

HostView view_of(nb::handle ndarray, DType dtype) {
    const NumpyArray* raw = numpy_array(ndarray);
    HostView view{raw->data, dtype, Dims(raw->ndim), Dims(raw->ndim)};
    std::copy_n(raw->shape, raw->ndim, view.shape.data());
    std::copy_n(raw->strides, raw->ndim, view.strides.data());
    return view;
}

/// A host array of the array's dtype, or Error(Type, Value).
void require_target(const Array& x, nb::handle out) {
    if (!is_ndarray(out))
        throw Error(ErrorKind::Type,
                    fmt::format("get: out must be a NumPy array, not {}", Py_TYPE(out.ptr())->tp_name));
    const NumpyArray* raw = numpy_array(out);
    if (!raw->has(NumpyArray::writeable_flag)) throw Error(ErrorKind::Value, "get: out is read-only");
    const std::optional<DType> dtype = find_dtype(raw->dtype);
    if (!dtype || *dtype != x.dtype())
        throw Error(ErrorKind::Type,
                    fmt::format("get: out has dtype {}, the array {}",
                                nb::cast<std::string>(nb::str(nb::handle(raw->dtype))), name(x.dtype())));
}

nb::object get(const Array& x, nb::handle stream_object, char order, nb::object out) {
    if (out.is_none())
        out = empty_ndarray(x.dtype(), to_tuple(x.shape()), order);
    else
        require_target(x, out);
    const HostView view = view_of(out, x.dtype());
    const std::shared_ptr<Stream> stream = to_stream(stream_object, x.device());
    note_host_use(out, stream);
    without_gil([&] { x.copy_to_host(view, stream); });
    return out;
}

char host_order(nb::handle order, const Array& x) {
    const Order layout = to_layout(order, x);
    if (layout == Order::Keep) return x.is_f_contiguous() && !x.is_c_contiguous() ? 'F' : 'C';
    return layout == Order::F ? 'F' : 'C';
}

void set(nb::handle self, nb::handle source, nb::handle stream_object) {
    const Array& x = array_of(self);
    HostArray host = to_host_array(source);
    if (host.view.dtype != x.dtype())
        throw Error(ErrorKind::Type,
                    fmt::format("set: the source has dtype {}, the array {}", name(host.view.dtype), name(x.dtype())));
    if (!(host.view.shape == x.shape()))
        throw Error(ErrorKind::Value, fmt::format("set: the source has shape {}, the array {}",
                                                  to_string(host.view.shape), to_string(x.shape())));
    const std::shared_ptr<Stream> stream = to_stream(stream_object, x.device());
    note_host_use(host.array, stream);
    without_gil([&] { x.copy_from_host(host.view, stream); });
}

/// The memory of an array of the cpu device as a NumPy array.
nb::object host_view(const Array& x) {
    x.share();
    const std::shared_ptr<Buffer> buffer = x.buffer();
    without_gil([&] { buffer->synchronize(); });
    if (x.size() == 0) return empty_ndarray(x.dtype(), to_tuple(x.shape()), 'C');
    nb::object view = nb::module_::import_("numpy").attr("ndarray")(
        to_tuple(x.shape()), numpy_dtype(x.dtype()), make_buffer(buffer), x.offset(), to_tuple(x.strides()));
    if (x.read_only()) view.attr("setflags")("write"_a = false);
    return view;
}

nb::object as_numpy(nb::handle self, nb::handle dtype, nb::handle copy) {
    const Array& x = array_of(self);
    if (x.device().kind() != DeviceKind::Cpu)
        throw Error(ErrorKind::Type,
                    fmt::format("an array on {} does not become a NumPy array by itself; use x.get() or "
                                "lanewise.asnumpy(x)",
                                x.device().name()));
    nb::object view = host_view(x);
    if (copy.ptr() == Py_True) view = view.attr("copy")("K");
    if (dtype.is_none()) return view;
    nb::object cast = view.attr("astype")(dtype, "copy"_a = false);
    if (copy.ptr() == Py_False && !cast.is(view))
        throw Error(ErrorKind::Value, fmt::format("an array of {} takes a copy to become {}; copy=False cannot be met",
                                                  name(x.dtype()), nb::cast<std::string>(nb::str(dtype))));
    return cast;
}

nb::object item(nb::handle self, const nb::args& index) {
    const Array& x = array_of(self);
    if (index.size() == 0) {
        if (x.size() != 1)
            throw Error(ErrorKind::Value, fmt::format("item: an index is needed for an array of shape {}; only arrays "
                                                      "of one element convert without one",
                                                      to_string(x.shape())));
        return only_item("item", x);
    }
    nb::handle first = index[0];
    std::int64_t flat = 0;
    if (index.size() == 1 && !PyTuple_Check(first.ptr()) && x.ndim() != 1) {
        // A position among the elements in C order.
        flat = to_dims(first, "item")[0];
        if (flat < -x.size() || flat >= x.size())
            throw Error(ErrorKind::Index, fmt::format("item: index {} is out of bounds for size {}", flat, x.size()));
        if (flat < 0) flat += x.size();
        std::vector<Index> items(static_cast<std::size_t>(x.ndim()));
        for (int d = x.ndim() - 1; d >= 0; --d) {
            items[static_cast<std::size_t>(d)].value = flat % x.shape()[d];
            flat /= x.shape()[d];
        }
        return only_item("item", x.index(items));
    }
    const Dims given = index.size() == 1 ? to_dims(first, "item") : to_dims(index, "item");
    if (given.size() != x.ndim())
        throw Error(ErrorKind::Value,
                    fmt::format("item: {} indices for an array of {} dimensions", given.size(), x.ndim()));
    std::vector<Index> items(static_cast<std::size_t>(given.size()));
    for (int i = 0; i < given.size(); ++i) items[static_cast<std::size_t>(i)].value = given[i];
    return only_item("item", x.index(items));
}

}  // namespace

void bind_nd_host(nb::module_& m, nb::class_<NdArray, Array>& type) {
    nb::class_<Flags>(m, "Flags")
        .def_ro("c_contiguous", &Flags::c)
        .def_ro("f_contiguous", &Flags::f)
        .def_ro("owndata", &Flags::own)
        .def_ro("writeable", &Flags::writeable)
        .def_ro("aligned", &Flags::aligned)
        .def_prop_ro("fnc", [](const Flags& f) { return f.f && !f.c; })
        .def_prop_ro("forc", [](const Flags& f) { return f.f || f.c; })
        .def("__getitem__", &Flags::by_name, "name"_a)
        .def("__repr__", [](const Flags& f) {
            auto line = [](const char* name, bool value) {
                return fmt::format("  {} : {}\n", name, value ? "True" : "False");
            };
            return line("C_CONTIGUOUS", f.c) + line("F_CONTIGUOUS", f.f) + line("OWNDATA", f.own) +
                   line("WRITEABLE", f.writeable) + line("ALIGNED", f.aligned);
        });
    type.def_prop_ro("flags", [](const NdArray& x) { return flags_of(x); })
        .def(
            "get",
            [](nb::handle self, nb::handle stream, nb::handle order, nb::object out, bool) {
                const Array& x = array_of(self);
                return get(x, stream, host_order(order, x), std::move(out));
            },
            "stream"_a.none() = nb::none(), "order"_a = "C", "out"_a.none() = nb::none(), "blocking"_a = true)
        .def(
            "to_host",
            [](nb::handle self, nb::object out, nb::handle stream) {
                const Array& x = array_of(self);
                return get(x, stream, host_order(nb::str("K"), x), std::move(out));
            },
            "out"_a.none() = nb::none(), nb::kw_only(), "stream"_a.none() = nb::none())
        .def("set", set, "ary"_a, "stream"_a.none() = nb::none())
        .def("item", item)
        .def("tolist",
             [](nb::handle self) { return get(array_of(self), nb::none(), 'C', nb::none()).attr("tolist")(); })
        .def(
            "tobytes",
            [](nb::handle self, nb::handle order) {
                const Array& x = array_of(self);
                return get(x, nb::none(), host_order(order, x), nb::none()).attr("tobytes")("order"_a = "A");
            },
            "order"_a = "C")
        .def("__array__", as_numpy, "dtype"_a.none() = nb::none(), "copy"_a.none() = nb::none())
        .def("__reduce__", [](nb::handle self) {
            nb::object host = get(array_of(self), nb::none(), host_order(nb::str("K"), array_of(self)), nb::none());
            nb::handle cls(reinterpret_cast<PyObject*>(Py_TYPE(self.ptr())));
            return nb::make_tuple(cls.attr("from_host"), nb::make_tuple(host));
        });
}

}  // namespace lanewise::bindings
