// NumPy without its headers: dtypes, scalar classes, and the two memory layouts that are read directly. The layouts are
// NumPy's frozen ABI; they are checked against live objects at import, and ImportError is raised when they differ.
#pragma once

#include <nanobind/nanobind.h>

#include <complex>
#include <cstdint>
#include <optional>

#include "lanewise/dtype.h"

namespace lanewise::bindings {

/// Layout of numpy.ndarray objects up to `flags`.
struct NumpyArray {
    PyObject_HEAD char* data;
    int ndim;
    Py_ssize_t* shape;
    Py_ssize_t* strides;
    PyObject* base;
    PyObject* dtype;
    int flags;

    static constexpr int c_contiguous_flag = 0x1, f_contiguous_flag = 0x2, aligned_flag = 0x100, writeable_flag = 0x400;
    bool has(int flag) const { return (flags & flag) != 0; }
};

/// Layout of the number scalars: numpy.float32 and its like.
template <class T>
struct NumpyScalar {
    PyObject_HEAD T value;
};

/// Imports NumPy and fills the tables behind the functions below. Called once, by the module's initialisation.
void load_numpy();

/// numpy.ndarray or a subclass.
bool is_ndarray(nanobind::handle object);
PyTypeObject* ndarray_type();
inline NumpyArray* numpy_array(nanobind::handle array) {
    return reinterpret_cast<NumpyArray*>(array.ptr());
}

/// The element type of a numpy.dtype object; none for records, strings, objects and foreign byte order.
std::optional<DType> find_dtype(nanobind::handle numpy_dtype);
/// Of anything numpy.dtype() takes, or the name of one of ours. Error(Type) when kernels have no such type.
DType require_dtype(nanobind::handle dtype_like);
/// Of a NumPy scalar class (numpy.float32); none for other objects.
std::optional<DType> scalar_class_dtype(const void* type_object);
/// The numpy.dtype object. Error(Type) for bfloat16 while ml_dtypes is not installed.
nanobind::object numpy_dtype(DType dtype);

/// A numpy.void: an element of a structured array.
bool is_numpy_void(nanobind::handle object);
/// numpy.dtype instances and numpy.ufunc instances.
bool is_numpy_dtype(nanobind::handle object);
bool is_ufunc(nanobind::handle object);

/// A NumPy scalar object holding the element at `data`.
nanobind::object make_numpy_scalar(DType dtype, const void* data);
/// Writes a Python or NumPy number to `data` as an element, cast as numpy.asarray(value).astype would.
void store_number(nanobind::handle value, DType dtype, void* data);

/// A new uninitialised array.
nanobind::object empty_ndarray(DType dtype, nanobind::handle shape, char order);

}  // namespace lanewise::bindings
