// Python values as compile-time constants of a kernel.
#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cstring>

#include "array_object.h"
#include "interface.h"
#include "kernel_object.h"
#include "lanewise/array.h"
#include "numpy.h"
#include "syntax.h"
#include "type_object.h"

namespace nb = nanobind;

namespace lanewise::bindings {
namespace {

using syntax::Captured;
using syntax::CapturedPtr;

CapturedPtr make(Captured value) {
    return std::make_shared<const Captured>(std::move(value));
}

CapturedPtr make_text(Captured::Kind kind, std::string text) {
    Captured value;
    value.kind = kind;
    value.text = std::move(text);
    return make(std::move(value));
}

CapturedPtr make_dtype(DType dtype) {
    Captured value;
    value.kind = Captured::Kind::DType;
    value.dtype = dtype;
    return make(std::move(value));
}

CapturedPtr captured_int(nb::handle object) {
    Captured value;
    value.kind = Captured::Kind::Int;
    int overflow = 0;
    value.integer = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
    if (overflow > 0) {
        std::uint64_t wide = PyLong_AsUnsignedLongLong(object.ptr());
        if (!PyErr_Occurred()) {
            value.integer = static_cast<std::int64_t>(wide);
            value.is_uint64 = true;
            return make(std::move(value));
        }
        PyErr_Clear();
    }
    if (overflow)
        throw Error(ErrorKind::Typing,
                    fmt::format("the integer {} needs more than 64 bits, the widest integers kernels have",
                                nb::cast<std::string>(nb::str(object))));
    return make(std::move(value));
}

CapturedPtr captured_numpy_scalar(nb::handle object, DType dtype) {
    Captured value;
    value.kind = Captured::Kind::NumpyScalar;
    value.dtype = dtype;
    if (is_float(dtype)) {
        value.number = nb::cast<double>(nb::float_(object));
    } else if (is_unsigned(dtype)) {
        value.integer = static_cast<std::int64_t>(nb::cast<std::uint64_t>(nb::int_(object)));
        value.is_uint64 = value.integer < 0;
    } else if (!is_complex(dtype)) {
        value.integer = nb::cast<std::int64_t>(nb::int_(object));
    } else {
        return make_text(Captured::Kind::Other, "complex number");
    }
    return make(std::move(value));
}

CapturedPtr captured_device_array(const Array& array) {
    Captured value;
    value.kind = Captured::Kind::DeviceArray;
    value.dtype = array.dtype();
    value.shape.assign(array.shape().begin(), array.shape().end());
    value.strides.assign(array.strides().begin(), array.strides().end());
    value.c_order = array.is_c_contiguous();
    value.integer = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(array.data()));
    return make(std::move(value));
}

std::string module_of(nb::handle object) {
    nb::object module = nb::getattr(object, "__module__", nb::none());
    return nb::isinstance<nb::str>(module) ? nb::cast<std::string>(module) : std::string();
}

std::string name_of(nb::handle object) {
    nb::object name = nb::getattr(object, "__qualname__", nb::none());
    if (!nb::isinstance<nb::str>(name)) name = nb::getattr(object, "__name__", nb::none());
    return nb::isinstance<nb::str>(name) ? nb::cast<std::string>(name) : std::string();
}

bool is_numpy_module(const std::string& module) {
    return module == "numpy" || module.starts_with("numpy.");
}

}  // namespace

std::string builtin_marker(nb::handle object) {
    nb::object marker = nb::getattr(object, "__lanewise_builtin__", nb::none());
    return nb::isinstance<nb::str>(marker) ? nb::cast<std::string>(marker) : std::string();
}

nb::object python_function(nb::handle object) {
    if (PyFunction_Check(object.ptr())) return nb::borrow(object);
    if (nb::object inner = function_of_kernel_object(object); inner.is_valid()) return inner;
    nb::object inner = nb::getattr(object, "py_func", nb::none());
    return PyFunction_Check(inner.ptr()) ? inner : nb::object();
}

CapturedPtr Conversion::captured(nb::handle object) {
    PyObject* raw = object.ptr();
    if (object.is_none()) return make(Captured{});
    if (PyBool_Check(raw)) {
        Captured value;
        value.kind = Captured::Kind::Bool;
        value.integer = raw == Py_True;
        return make(std::move(value));
    }
    if (std::optional<DType> dtype = scalar_class_dtype(Py_TYPE(raw))) return captured_numpy_scalar(object, *dtype);
    if (PyLong_Check(raw)) return captured_int(object);
    if (PyFloat_Check(raw)) {
        Captured value;
        value.kind = Captured::Kind::Float;
        value.number = PyFloat_AS_DOUBLE(raw);
        return make(std::move(value));
    }
    if (PyUnicode_Check(raw)) return make_text(Captured::Kind::String, nb::cast<std::string>(object));
    if (PyTuple_Check(raw)) return captured_sequence(object);
    if (const Array* array = find_array(object)) {
        kept_alive_.push_back(nb::borrow(object));
        return captured_device_array(*array);
    }
    if (is_ndarray(object)) return captured_host_array(object);
    if (is_numpy_dtype(object)) {
        if (std::optional<DType> dtype = find_dtype(object)) return make_dtype(*dtype);
        return make_text(Captured::Kind::Other, "dtype " + nb::cast<std::string>(nb::str(object)));
    }
    if (python::TypePtr type = find_type(object); type && type->is_scalar()) return make_dtype(type->dtype);
    return captured_builtin_object(object);
}

CapturedPtr Conversion::captured_sequence(nb::handle tuple) {
    Captured value;
    value.kind = Captured::Kind::Tuple;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple.ptr()); ++i)
        value.items.push_back(captured(PyTuple_GET_ITEM(tuple.ptr(), i)));
    return make(std::move(value));
}

CapturedPtr Conversion::captured_host_array(nb::handle array) {
    std::optional<DType> dtype = find_dtype(array.attr("dtype"));
    if (!dtype)
        return make_text(Captured::Kind::Other,
                         "NumPy array of dtype " + nb::cast<std::string>(nb::str(array.attr("dtype"))));
    const NumpyArray* raw = numpy_array(array);
    Captured value;
    value.kind = Captured::Kind::Array;
    value.dtype = *dtype;
    value.shape.assign(raw->shape, raw->shape + raw->ndim);
    value.c_order = raw->has(NumpyArray::c_contiguous_flag) || !raw->has(NumpyArray::f_contiguous_flag);
    nb::bytes data(array.attr("tobytes")(value.c_order ? "C" : "F"));
    const auto* bytes = static_cast<const std::uint8_t*>(data.data());
    value.bytes.assign(bytes, bytes + data.size());
    return make(std::move(value));
}

CapturedPtr Conversion::captured_builtin_object(nb::handle object) {
    if (std::string marker = builtin_marker(object); !marker.empty())
        return make_text(Captured::Kind::Builtin, std::move(marker));
    if (PyModule_Check(object.ptr()))
        return make_text(Captured::Kind::Module, nb::cast<std::string>(object.attr("__name__")));
    if (PyType_Check(object.ptr())) {
        if (std::optional<DType> dtype = scalar_class_dtype(object.ptr())) return make_dtype(*dtype);
        std::string module = module_of(object), name = name_of(object);
        if (module == "builtins") return make_text(Captured::Kind::Builtin, "builtins." + name);
        if (PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(object.ptr()),
                             reinterpret_cast<PyTypeObject*>(PyExc_BaseException)))
            return make_text(Captured::Kind::Builtin, "exceptions." + name);
        if (is_numpy_module(module)) return make_text(Captured::Kind::Builtin, "numpy." + name);
        return make_text(Captured::Kind::Other, "class " + name);
    }
    if (is_ufunc(object))
        return make_text(Captured::Kind::Builtin, "numpy." + nb::cast<std::string>(object.attr("__name__")));
    // An enumerator stands for its value; those of IntEnum are ints already.
    if (nb::hasattr(object.type(), "__members__") && nb::hasattr(object, "value"))
        return captured(object.attr("value"));
    if (PyCallable_Check(object.ptr())) {
        std::string module = module_of(object);
        if (is_numpy_module(module)) {
            std::string suffix = module.substr(std::strlen("numpy"));
            // Functions of private modules are public under numpy itself.
            if (suffix.starts_with("._") || suffix.starts_with(".lib")) suffix.clear();
            return make_text(Captured::Kind::Builtin, "numpy" + suffix + "." + name_of(object));
        }
        if (PyCFunction_Check(object.ptr())) {
            if (module == "_operator") module = "operator";
            return make_text(Captured::Kind::Builtin, module + "." + name_of(object));
        }
        if (nb::object inner = python_function(object); inner.is_valid()) {
            Captured value;
            value.kind = Captured::Kind::Function;
            value.function = function(object);
            return make(std::move(value));
        }
    }
    if (nb::object dict = interface_of(object); dict.is_valid()) {
        kept_alive_.push_back(nb::borrow(object));
        return captured_device_array(adopt_interface(read_interface(dict), object, true));
    }
    return make_text(Captured::Kind::Other, fmt::format("object of type {}", Py_TYPE(object.ptr())->tp_name));
}

}  // namespace lanewise::bindings
