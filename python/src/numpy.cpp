// NumPy without its headers: the tables of dtype objects and scalar classes, and the check of the layouts.
#include "numpy.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <array>
#include <cstring>
#include <string>
#include <unordered_map>

#include "bindings.h"
#include "lanewise/error.h"

using namespace nb::literals;

namespace lanewise::bindings {
namespace {

/// Borrowed for the life of the process: never released, as static destructors run after the interpreter's end.
struct Numpy {
    PyObject* module = nullptr;
    PyTypeObject* ndarray = nullptr;
    PyTypeObject* dtype = nullptr;
    PyTypeObject* ufunc = nullptr;
    PyTypeObject* void_scalar = nullptr;
    std::array<PyObject*, dtype_count> dtypes{};
    std::unordered_map<const void*, DType> by_scalar_class;
    std::unordered_map<const void*, DType> by_dtype_object;
};
Numpy numpy;

nb::object attribute(nb::handle object, const char* name) {
    return nb::getattr(object, name);
}

[[noreturn]] void fail_layout(const char* what) {
    PyErr_Format(PyExc_ImportError,
                 "lanewise: this NumPy lays out %s in memory in another way than lanewise was made for", what);
    throw nb::python_error();
}

/// Compares the mirrored structs with what Python's own access says.
void check_layouts() {
    nb::object array = nb::handle(numpy.module).attr("arange")(6, "dtype"_a = "int16").attr("reshape")(2, 3);
    nb::object view = array[nb::slice(nb::int_(0), nb::int_(2), nb::int_(1))].attr("T");
    NumpyArray* raw = numpy_array(view);
    bool same =
        reinterpret_cast<std::uintptr_t>(raw->data) == nb::cast<std::uintptr_t>(view.attr("ctypes").attr("data")) &&
        raw->ndim == 2 && raw->shape[0] == 3 && raw->shape[1] == 2 && raw->strides[0] == 2 && raw->strides[1] == 6 &&
        raw->base != nullptr && raw->dtype == view.attr("dtype").ptr() && raw->has(NumpyArray::f_contiguous_flag) &&
        !raw->has(NumpyArray::c_contiguous_flag) && raw->has(NumpyArray::aligned_flag) &&
        raw->has(NumpyArray::writeable_flag);
    view.attr("setflags")("write"_a = false);
    if (!same || raw->has(NumpyArray::writeable_flag)) fail_layout("arrays");
    auto check = [](const char* name, auto expected) {
        nb::object scalar = nb::handle(numpy.module).attr(name)(expected);
        using T = decltype(expected);
        if (std::memcmp(&reinterpret_cast<NumpyScalar<T>*>(scalar.ptr())->value, &expected, sizeof(T)) != 0)
            fail_layout("scalars");
    };
    check("float32", 1.5f);
    check("float64", -2.25);
    check("int8", std::int8_t(-7));
    check("uint16", std::uint16_t(65000));
    check("int64", std::int64_t(-1234567890123));
    check("bool_", true);
}

nb::object load_bfloat16() {
    try {
        return nb::handle(numpy.module).attr("dtype")(nb::module_::import_("ml_dtypes").attr("bfloat16"));
    } catch (nb::python_error&) {
        throw Error(ErrorKind::Type,
                    "NumPy has no bfloat16 of its own: install ml_dtypes to exchange bfloat16 arrays with it");
    }
}

}  // namespace

void load_numpy() {
    numpy.module = nb::module_::import_("numpy").release().ptr();
    nb::handle np = numpy.module;
    numpy.ndarray = reinterpret_cast<PyTypeObject*>(attribute(np, "ndarray").release().ptr());
    numpy.dtype = reinterpret_cast<PyTypeObject*>(attribute(np, "dtype").release().ptr());
    numpy.ufunc = reinterpret_cast<PyTypeObject*>(attribute(np, "ufunc").release().ptr());
    numpy.void_scalar = reinterpret_cast<PyTypeObject*>(attribute(np, "void").release().ptr());
    for (char c : std::string("?bhilqBHILQefdFD")) {
        nb::object dtype = np.attr("dtype")(std::string(1, c));
        char kind = nb::cast<std::string>(dtype.attr("kind"))[0];
        std::optional<DType> id = dtype_from_kind(kind, nb::cast<int>(dtype.attr("itemsize")));
        if (!id) continue;
        numpy.by_scalar_class.emplace(dtype.attr("type").ptr(), *id);
        numpy.by_dtype_object.emplace(dtype.ptr(), *id);
        PyObject*& slot = numpy.dtypes[static_cast<int>(*id)];
        if (!slot) slot = dtype.ptr();
        dtype.release();
    }
    check_layouts();
}

bool is_ndarray(nb::handle object) {
    return PyObject_TypeCheck(object.ptr(), numpy.ndarray);
}
PyTypeObject* ndarray_type() {
    return numpy.ndarray;
}
bool is_numpy_void(nb::handle object) {
    return PyObject_TypeCheck(object.ptr(), numpy.void_scalar);
}
bool is_numpy_dtype(nb::handle object) {
    return PyObject_TypeCheck(object.ptr(), numpy.dtype);
}
bool is_ufunc(nb::handle object) {
    return PyObject_TypeCheck(object.ptr(), numpy.ufunc);
}

std::optional<DType> find_dtype(nb::handle dtype) {
    if (auto found = numpy.by_dtype_object.find(dtype.ptr()); found != numpy.by_dtype_object.end())
        return found->second;
    std::string name = nb::cast<std::string>(dtype.attr("name"));
    if (name == "bfloat16") return DType::BFloat16;
    if (!nb::cast<bool>(dtype.attr("isnative")) || !dtype.attr("subdtype").is_none()) return std::nullopt;
    char kind = nb::cast<std::string>(dtype.attr("kind"))[0];
    if (kind == 'V' || kind == 'O') return std::nullopt;
    return dtype_from_kind(kind, nb::cast<int>(dtype.attr("itemsize")));
}

DType require_dtype(nb::handle dtype_like) {
    if (is_numpy_dtype(dtype_like)) {
        if (std::optional<DType> found = find_dtype(dtype_like)) return *found;
    } else if (std::optional<DType> scalar = scalar_class_dtype(dtype_like.ptr())) {
        return *scalar;
    } else if (nb::isinstance<nb::str>(dtype_like) && nb::cast<std::string>(dtype_like) == "bfloat16") {
        return DType::BFloat16;
    } else if (std::optional<DType> found = find_dtype(nb::handle(numpy.module).attr("dtype")(dtype_like))) {
        return *found;
    }
    throw Error(ErrorKind::Type,
                fmt::format("dtype {} is not supported; there are bool, int8 to int64, uint8 to uint64, "
                            "float16, bfloat16, float32, float64, complex64 and complex128 in native byte order",
                            nb::cast<std::string>(nb::str(dtype_like))));
}

std::optional<DType> scalar_class_dtype(const void* type_object) {
    auto found = numpy.by_scalar_class.find(type_object);
    if (found == numpy.by_scalar_class.end()) return std::nullopt;
    return found->second;
}

nb::object numpy_dtype(DType dtype) {
    if (PyObject* object = numpy.dtypes[static_cast<int>(dtype)]) return nb::borrow(object);
    return load_bfloat16();
}

nb::object make_numpy_scalar(DType dtype, const void* data) {
    nb::object array = empty_ndarray(dtype, nb::make_tuple(), 'C');
    std::memcpy(numpy_array(array)->data, data, static_cast<std::size_t>(size_of(dtype)));
    return array[nb::make_tuple()];
}

void store_number(nb::handle value, DType dtype, void* data) {
    nb::object array = nb::handle(numpy.module).attr("asarray")(value);
    if (numpy_array(array)->ndim != 0 || !find_dtype(array.attr("dtype")))
        throw Error(ErrorKind::Type, fmt::format("expected a number, got {}", nb::cast<std::string>(nb::repr(value))));
    nb::object cast = array.attr("astype")(numpy_dtype(dtype));
    std::memcpy(data, numpy_array(cast)->data, static_cast<std::size_t>(size_of(dtype)));
}

nb::object empty_ndarray(DType dtype, nb::handle shape, char order) {
    return nb::handle(numpy.module).attr("empty")(shape, numpy_dtype(dtype), std::string(1, order));
}

}  // namespace lanewise::bindings
