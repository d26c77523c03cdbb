// Shapes and views of arrays, as methods and as functions.
#include <fmt/format.h>

#include "array/normal_axis.h"
#include "bindings.h"
#include "lanewise/error.h"
#include "lanewise/ufunc_methods.h"
#include "lanewise/views.h"
#include "nd_bindings.h"
#include "numpy.h"

namespace lanewise::bindings {
namespace {

using namespace nb::literals;

const Array& array_of(nb::handle self) {
    return *nb::inst_ptr<NdArray>(self);
}

/// (2, 3) from f(2, 3), f((2, 3)) or f([2, 3]).
Dims spread(const nb::args& args, const char* what) {
    if (args.size() == 1 && (PyTuple_Check(nb::handle(args[0]).ptr()) || !PyIndex_Check(nb::handle(args[0]).ptr())))
        return to_dims(args[0], what);
    return to_dims(args, what);
}

/// copy: True always, False never (ValueError), None where it takes one.
Array reshaped(const Array& x, const Dims& shape, nb::handle order, nb::handle copy) {
    const Order layout = to_layout(order, x);
    if (layout == Order::Keep) throw Error(ErrorKind::Value, "reshape: order 'K' is not permitted");
    const Array result = lanewise::reshape(x, shape, layout);
    const bool is_view = may_share_memory(result, x) || x.size() == 0;
    if (copy.is_none()) return result;
    if (PyObject_IsTrue(copy.ptr()) == 1) return is_view ? astype(result, result.dtype()) : result;
    if (!is_view)
        throw Error(ErrorKind::Value, fmt::format("reshape: shape {} with strides {} takes a copy to become {}",
                                                  to_string(x.shape()), to_string(x.strides()), to_string(shape)));
    return result;
}

Array swapped(const Array& x, std::int64_t a, std::int64_t b) {
    Dims axes(x.ndim());
    for (int i = 0; i < x.ndim(); ++i) axes[i] = i;
    std::swap(axes[normal_axis("swapaxes", a, x.ndim())], axes[normal_axis("swapaxes", b, x.ndim())]);
    return x.transpose(axes);
}

Array moved(const Array& x, const Dims& from, const Dims& to) {
    if (from.size() != to.size())
        throw Error(ErrorKind::Value, fmt::format("moveaxis: {} axes to {} places", from.size(), to.size()));
    Dims axes(x.ndim(), -1);
    std::uint64_t taken = 0, placed = 0;
    for (int i = 0; i < from.size(); ++i) {
        const int source = normal_axis("moveaxis", from[i], x.ndim()),
                  target = normal_axis("moveaxis", to[i], x.ndim());
        if (taken >> source & 1 || placed >> target & 1)
            throw Error(ErrorKind::Value, "moveaxis: an axis or a place is repeated");
        taken |= std::uint64_t(1) << source;
        placed |= std::uint64_t(1) << target;
        axes[target] = source;
    }
    int next = 0;
    for (int i = 0; i < x.ndim(); ++i) {
        if (axes[i] >= 0) continue;
        while (taken >> next & 1) ++next;
        axes[i] = next++;
    }
    return x.transpose(axes);
}

/// A new array whose class is that of the argument.
nb::object made(nb::handle like, Array result) {
    ResultClass cls;
    cls.see(like.ptr());
    return cls.make(std::move(result));
}

}  // namespace

void bind_nd_shapes(nb::class_<NdArray, Array>& type) {
    type.def_prop_ro("T", [](nb::handle self) { return make_nd(self, array_of(self).transpose()); })
        .def_prop_ro("mT",
                     [](nb::handle self) {
                         const Array& x = array_of(self);
                         if (x.ndim() < 2)
                             throw Error(ErrorKind::Value,
                                         fmt::format("mT: an array of {} dimensions has no matrices", x.ndim()));
                         return make_nd(self, swapped(x, -1, -2));
                     })
        .def(
            "reshape",
            [](nb::handle self, const nb::args& shape, nb::handle order, nb::handle copy) {
                return make_nd(self, reshaped(array_of(self), spread(shape, "shape"), order, copy));
            },
            "shape"_a, "order"_a = "C", "copy"_a.none() = nb::none())
        .def(
            "ravel",
            [](nb::handle self, nb::handle order) {
                return make_nd(self, lanewise::ravel(array_of(self), to_layout(order, array_of(self))));
            },
            "order"_a = "C")
        .def(
            "flatten",
            [](nb::handle self, nb::handle order) {
                const Array flat = lanewise::ravel(array_of(self), to_layout(order, array_of(self)));
                return make_nd(self, may_share_memory(flat, array_of(self)) ? astype(flat, flat.dtype()) : flat);
            },
            "order"_a = "C")
        .def(
            "transpose",
            [](nb::handle self, const nb::args& axes) {
                if (axes.size() == 0 || (axes.size() == 1 && nb::handle(axes[0]).is_none()))
                    return make_nd(self, array_of(self).transpose());
                return make_nd(self, array_of(self).transpose(spread(axes, "axes")));
            },
            "axes"_a)
        .def(
            "swapaxes",
            [](nb::handle self, std::int64_t a, std::int64_t b) {
                return make_nd(self, swapped(array_of(self), a, b));
            },
            "axis1"_a, "axis2"_a)
        .def(
            "squeeze",
            [](nb::handle self, nb::handle axis) { return make_nd(self, array_of(self).squeeze(find_axes(axis))); },
            "axis"_a.none() = nb::none())
        .def(
            "view",
            [](nb::handle self, nb::handle dtype, nb::handle cls) {
                nb::handle target = cls.is_none() ? nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(self.ptr()))) : cls;
                // x.view(cls), as NumPy takes it.
                const bool is_class = PyType_Check(dtype.ptr()) &&
                                      PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(dtype.ptr()), array_type());
                if (is_class) target = dtype;
                if (!PyType_Check(target.ptr()) ||
                    !PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(target.ptr()), array_type()))
                    throw Error(ErrorKind::Type, "view: type must be a class of arrays");
                const Array& x = array_of(self);
                return make_array(target, is_class || dtype.is_none() ? x : x.view_as(require_dtype(dtype)));
            },
            "dtype"_a.none() = nb::none(), "type"_a.none() = nb::none())
        .def(
            "diagonal",
            [](nb::handle self, std::int64_t offset, int a, int b) {
                return make_nd(self, diagonal(array_of(self), offset, a, b));
            },
            "offset"_a = 0, "axis1"_a = 0, "axis2"_a = 1);
}

void bind_nd_moves(nb::module_& m) {
    m.def(
        "broadcast_to",
        [](nb::handle x, nb::handle shape) {
            return made(x, broadcast_to(require_array("broadcast_to", x), to_dims(shape, "shape")));
        },
        "x"_a, "shape"_a);
    m.def("broadcast_arrays", [](const nb::args& arrays) {
        Dims shape;
        std::vector<Array> given;
        for (nb::handle array : arrays) {
            given.push_back(require_array("broadcast_arrays", array));
            shape = broadcast_shapes("broadcast_arrays", shape, given.back().shape());
        }
        nb::list result;
        for (std::size_t i = 0; i < given.size(); ++i) result.append(made(arrays[i], broadcast_to(given[i], shape)));
        return result;
    });
    m.def("broadcast_shapes", [](const nb::args& shapes) {
        Dims shape;
        for (nb::handle other : shapes) shape = broadcast_shapes("broadcast_shapes", shape, to_dims(other, "shape"));
        return to_tuple(shape);
    });
    m.def(
        "expand_dims",
        [](nb::handle x, nb::handle axis) {
            return made(x, expand_dims(require_array("expand_dims", x), to_dims(axis, "axis")));
        },
        "x"_a, "axis"_a);
    m.def(
        "flip", [](nb::handle x, nb::handle axis) { return made(x, flip(require_array("flip", x), find_axes(axis))); },
        "x"_a, "axis"_a.none() = nb::none());
    m.def(
        "reshape",
        [](nb::handle x, nb::handle shape, nb::handle order, nb::handle copy) {
            return made(x, reshaped(require_array("reshape", x), to_dims(shape, "shape"), order, copy));
        },
        "x"_a, "shape"_a, "order"_a = "C", "copy"_a.none() = nb::none());
    m.def(
        "transpose",
        [](nb::handle x, nb::handle axes) {
            const Array array = require_array("transpose", x);
            return made(x, axes.is_none() ? array.transpose() : array.transpose(to_dims(axes, "axes")));
        },
        "x"_a, "axes"_a.none() = nb::none());
    m.def(
        "moveaxis",
        [](nb::handle x, nb::handle source, nb::handle destination) {
            return made(
                x, moved(require_array("moveaxis", x), to_dims(source, "source"), to_dims(destination, "destination")));
        },
        "x"_a, "source"_a, "destination"_a);
    m.def(
        "squeeze",
        [](nb::handle x, nb::handle axis) { return made(x, require_array("squeeze", x).squeeze(find_axes(axis))); },
        "x"_a, "axis"_a.none() = nb::none());
    m.def(
        "diagonal",
        [](nb::handle x, std::int64_t offset, int a, int b) {
            return made(x, diagonal(require_array("diagonal", x), offset, a, b));
        },
        "x"_a, "offset"_a = 0, "axis1"_a = 0, "axis2"_a = 1);
    m.def(
        "repeat",
        [](nb::handle x, nb::handle repeats, nb::handle axis) {
            return made(x, nd_repeat(require_array("repeat", x), repeats, find_axis("repeat", axis)));
        },
        "x"_a, "repeats"_a, "axis"_a.none() = nb::none());
    m.def(
        "tile",
        [](nb::handle x, nb::handle reps) { return made(x, tile(require_array("tile", x), to_dims(reps, "reps"))); },
        "x"_a, "reps"_a);
    m.def(
        "roll",
        [](nb::handle x, nb::handle shift, nb::handle axis) {
            return made(x, roll(require_array("roll", x), to_dims(shift, "shift"), find_axes(axis)));
        },
        "x"_a, "shift"_a, "axis"_a.none() = nb::none());
    m.def(
        "pad",
        [](nb::handle x, nb::handle before, nb::handle after, const std::string& mode, nb::handle value) {
            constexpr std::pair<std::string_view, PadMode> modes[] = {{"constant", PadMode::Constant},
                                                                      {"edge", PadMode::Edge},
                                                                      {"reflect", PadMode::Reflect},
                                                                      {"symmetric", PadMode::Symmetric},
                                                                      {"wrap", PadMode::Wrap}};
            const std::optional<Scalar> fill = find_scalar(value.ptr());
            if (!fill) throw Error(ErrorKind::Type, "pad: the value must be a number");
            for (const auto& [known, which] : modes)
                if (mode == known)
                    return made(x, pad(require_array("pad", x), to_dims(before, "before"), to_dims(after, "after"),
                                       which, *fill));
            throw Error(ErrorKind::Value,
                        fmt::format("pad: mode '{}': expected constant, edge, reflect, symmetric or wrap", mode));
        },
        "x"_a, "before"_a, "after"_a, "mode"_a = "constant", "value"_a = 0);
}

}  // namespace lanewise::bindings
