// Python objects as operands of array operations, and numbers from arrays.
#include "nd_object.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "argument_classes.h"
#include "device_object.h"
#include "foreign.h"
#include "interface.h"
#include "lanewise/error.h"
#include "nd_bindings.h"
#include "numpy.h"
#include "raw_numbers.h"

namespace nb = nanobind;

namespace lanewise::bindings {
namespace {

/// In the order of Casting.
constexpr const char* casting_names[] = {"no", "equiv", "safe", "same_kind", "unsafe"};

std::string type_name(PyObject* object) {
    return Py_TYPE(object)->tp_name;
}

/// "a NumPy array of shape (3,)", "a list"
std::string describe(PyObject* object) {
    if (!is_ndarray(object)) return fmt::format("a {}", type_name(object));
    const NumpyArray* raw = numpy_array(object);
    return fmt::format("a NumPy array of shape {}",
                       to_string(Dims(std::span<const std::int64_t>(raw->shape, static_cast<std::size_t>(raw->ndim)))));
}

[[noreturn]] void fail_host_operand(const char* call, PyObject* object) {
    throw Error(ErrorKind::Type, fmt::format("{}: {} lies in host memory; lanewise.asarray(x) copies it to the device",
                                             call, describe(object)));
}

/// bfloat16 scalars of ml_dtypes and others that NumPy knows; none for what is no single number.
std::optional<Scalar> other_scalar(PyObject* object) {
    nb::object array = nb::steal(PyObject_CallMethod(nb::module_::import_("numpy").ptr(), "asarray", "O", object));
    if (!array.is_valid()) throw nb::python_error();
    const NumpyArray* raw = numpy_array(array);
    std::optional<DType> dtype = raw->ndim == 0 ? find_dtype(raw->dtype) : std::nullopt;
    if (!dtype) return std::nullopt;
    return Scalar::of(*dtype, raw->data);
}

Scalar scalar_of_int(PyObject* object) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (!overflow) return Scalar(static_cast<std::int64_t>(value));
    if (overflow > 0) {
        const unsigned long long wide = PyLong_AsUnsignedLongLong(object);
        if (!PyErr_Occurred()) return Scalar(static_cast<std::uint64_t>(wide));
        PyErr_Clear();
    }
    throw Error(ErrorKind::Overflow,
                "a Python integer of more than 64 bits is outside the range of every integer type");
}

bool is_numpy_generic(PyTypeObject* type) {
    static PyObject* const generic = nb::getattr(nb::module_::import_("numpy"), "generic").release().ptr();
    return PyType_IsSubtype(type, reinterpret_cast<PyTypeObject*>(generic));
}

}  // namespace

std::optional<Scalar> find_scalar(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
    if (type == &PyFloat_Type) return Scalar(PyFloat_AS_DOUBLE(object));
    if (type == &PyLong_Type) return scalar_of_int(object);
    if (type == &PyBool_Type) return Scalar(object == Py_True);
    const ArgumentClassInfo info = ArgumentClasses::find(type);
    switch (info.kind) {
        case ArgumentClass::Int:
            return scalar_of_int(object);
        case ArgumentClass::Float:
            return Scalar(PyFloat_AS_DOUBLE(object));
        case ArgumentClass::Complex: {
            const Py_complex value = PyComplex_AsCComplex(object);
            return Scalar(std::complex<double>(value.real, value.imag));
        }
        case ArgumentClass::NumpyScalar:
            return Scalar::of(info.dtype, numpy_scalar_bytes(object, info.dtype));
        case ArgumentClass::HostArray:
            if (numpy_array(object)->ndim != 0) return std::nullopt;
            return other_scalar(object);
        default:
            return is_numpy_generic(type) ? other_scalar(object) : std::nullopt;
    }
}

bool read_operand(const char* call, PyObject* object, Operand& operand) {
    PyTypeObject* type = Py_TYPE(object);
    if (type == default_nd_class()) {
        operand = Operand(*static_cast<const Array*>(nb::inst_ptr<NdArray>(object)));
        return true;
    }
    if (const Array* array = find_array(object)) {
        operand = Operand(*array);
        return true;
    }
    if (std::optional<Scalar> scalar = find_scalar(object)) {
        operand = Operand(*scalar);
        return true;
    }
    if (is_ndarray(object) || PyList_Check(object) || PyTuple_Check(object)) fail_host_operand(call, object);
    return false;
}

HeldOperand require_operand(const char* call, nb::handle object) {
    Operand operand(false);
    if (read_operand(call, object.ptr(), operand)) return operand;
    if (std::optional<Array> view = find_foreign_array(object)) return std::make_shared<const Array>(std::move(*view));
    throw Error(ErrorKind::Type,
                fmt::format("{}: expected an array or a number, got {}", call, describe(object.ptr())));
}

Array require_array(const char* call, nb::handle object) {
    const HeldOperand operand = require_operand(call, object);
    if (operand.array()) return *operand.array();
    const Scalar& scalar = *operand.scalar();
    return full({}, scalar, scalar.dtype() ? *scalar.dtype() : default_dtype(scalar.kind()),
                current_stream(current_device()));
}

const Array* find_out(const char* call, nb::handle out) {
    if (out.is_none()) return nullptr;
    // NumPy's way of giving one result a place.
    if (PyTuple_Check(out.ptr()) && PyTuple_GET_SIZE(out.ptr()) == 1) out = PyTuple_GET_ITEM(out.ptr(), 0);
    if (out.is_none()) return nullptr;
    if (const Array* array = find_array(out)) return array;
    throw Error(ErrorKind::Type,
                fmt::format("{}: out must be an array of lanewise, not {}{}", call, describe(out.ptr()),
                            is_foreign_array(out) ? "; lanewise.asarray(x) makes it one over the same memory" : ""));
}

Array require_indices(const char* call, nb::handle object, const Array& indexed) {
    if (const Array* array = find_array(object)) return *array;
    if (is_foreign_array(object)) return *value_beside(object, indexed);
    if (PyUnicode_Check(object.ptr()) ||
        (!is_ndarray(object) && !PySequence_Check(object.ptr()) && !PyIndex_Check(object.ptr())))
        throw Error(ErrorKind::Index,
                    fmt::format("{}: only integers, slices (':'), ellipsis ('...'), None and arrays of "
                                "integers or booleans are valid indices, not {}",
                                call, describe(object.ptr())));
    HostArray host = to_host_array(object);
    // Of an empty list NumPy makes floats.
    if (!is_ndarray(object) && !is_integer(host.view.dtype) && !is_bool(host.view.dtype) &&
        element_count(host.view.shape, 1) == 0)
        host = to_host_array(object, DType::Int64);
    if (!is_integer(host.view.dtype) && !is_bool(host.view.dtype))
        throw Error(ErrorKind::Index,
                    fmt::format("{}: arrays used as indices must be of integer or boolean type, not {}", call,
                                name(host.view.dtype)));
    const std::shared_ptr<Stream> stream = work_stream(indexed);
    note_host_use(host.array, stream);
    return without_gil([&] { return Array::from_host(host.view, stream); });
}

const std::shared_ptr<Stream>& work_stream(const Array& array) {
    return current_stream(array.device());
}

nb::object python_number(DType dtype, const void* element) {
    const Scalar scalar = Scalar::of(dtype, element);
    switch (scalar.kind()) {
        case WeakKind::Bool:
            return nb::bool_(scalar.integer() != 0);
        case WeakKind::Int:
            if (is_unsigned(dtype))
                return nb::steal(PyLong_FromUnsignedLongLong(static_cast<unsigned long long>(scalar.integer())));
            return nb::steal(PyLong_FromLongLong(static_cast<long long>(scalar.integer())));
        case WeakKind::Float:
            return nb::steal(PyFloat_FromDouble(scalar.real()));
        case WeakKind::Complex:
            break;
    }
    return nb::steal(PyComplex_FromDoubles(scalar.real(), scalar.imag()));
}

nb::object only_item(const char* call, const Array& array) {
    if (array.size() != 1)
        throw Error(ErrorKind::Type,
                    fmt::format("{}: only arrays of one element convert to Python numbers, not shape {}", call,
                                to_string(array.shape())));
    const Array one = array.reshape({});
    alignas(16) std::byte bytes[16];
    const std::shared_ptr<Stream> stream = work_stream(one);
    without_gil([&] { one.copy_to_host({bytes, one.dtype(), {}, {}}, stream); });
    return python_number(one.dtype(), bytes);
}

std::optional<Dims> find_axes(nb::handle axis) {
    if (axis.is_none()) return std::nullopt;
    return to_dims(axis, "axis");
}

std::optional<int> find_axis(const char* call, nb::handle axis) {
    if (axis.is_none()) return std::nullopt;
    if (!PyIndex_Check(axis.ptr()))
        throw Error(ErrorKind::Type,
                    fmt::format("{}: axis must be an integer or None, not {}", call, describe(axis.ptr())));
    const Py_ssize_t value = PyNumber_AsSsize_t(axis.ptr(), PyExc_OverflowError);
    if (value == -1 && PyErr_Occurred()) throw nb::python_error();
    if (value < -Dims::max_size || value > Dims::max_size)
        throw Error(ErrorKind::Value, fmt::format("{}: axis {} is out of bounds", call, value));
    return static_cast<int>(value);
}

std::optional<DType> find_dtype_argument(nb::handle dtype) {
    if (dtype.is_none()) return std::nullopt;
    return require_dtype(dtype);
}

Casting to_casting(nb::handle casting) {
    const std::string text = nb::cast<std::string>(nb::str(casting));
    for (std::size_t i = 0; i < std::size(casting_names); ++i)
        if (text == casting_names[i]) return static_cast<Casting>(i);
    throw Error(ErrorKind::Value,
                fmt::format("casting '{}': expected 'no', 'equiv', 'safe', 'same_kind' or 'unsafe'", text));
}

const char* casting_name(Casting casting) {
    return casting_names[static_cast<int>(casting)];
}

IndexMode to_index_mode(nb::handle mode) {
    const std::string text = nb::cast<std::string>(nb::str(mode));
    if (text == "raise") return IndexMode::Raise;
    if (text == "wrap") return IndexMode::Wrap;
    if (text == "clip") return IndexMode::Clip;
    throw Error(ErrorKind::Value, fmt::format("mode '{}': expected 'raise', 'wrap' or 'clip'", text));
}

Order to_layout(nb::handle order, const Array& array) {
    const std::string text = order.is_none() ? "C" : nb::cast<std::string>(nb::str(order));
    if (text == "C") return Order::C;
    if (text == "F") return Order::F;
    if (text == "K") return Order::Keep;
    if (text == "A") return array.is_f_contiguous() && !array.is_c_contiguous() ? Order::F : Order::C;
    throw Error(ErrorKind::Value, fmt::format("order '{}': expected 'C', 'F', 'A' or 'K'", text));
}

Dims broadcast_shapes(const char* call, const Dims& a, const Dims& b) {
    Dims result(std::max(a.size(), b.size()), 1);
    for (const Dims* shape : {&a, &b})
        for (int i = 0; i < shape->size(); ++i) {
            std::int64_t& extent = result[result.size() - shape->size() + i];
            if (extent == 1)
                extent = (*shape)[i];
            else if ((*shape)[i] != 1 && (*shape)[i] != extent)
                throw Error(ErrorKind::Value, fmt::format("{}: shapes {} and {} do not broadcast together", call,
                                                          to_string(a), to_string(b)));
        }
    return result;
}

}  // namespace lanewise::bindings
