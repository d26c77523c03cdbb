// _core.ndarray as a Python object: classes of results, and Python objects as operands.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "array_object.h"
#include "lanewise/ops.h"

namespace lanewise::bindings {

/// The C++ class behind _core.ndarray: an Array with NumPy's operators.
struct NdArray : Array {
    explicit NdArray(Array array) : Array(std::move(array)) {}
};
static_assert(sizeof(NdArray) == sizeof(Array));

/// _core.ndarray itself.
PyTypeObject* nd_type();
/// The class set by set_ndarray_class.
PyTypeObject* default_nd_class();
inline bool is_nd_class(PyTypeObject* type) {
    return type == default_nd_class() || PyType_IsSubtype(type, nd_type());
}

/// A new instance of `type`, a subclass of _core.ndarray.
nanobind::object make_nd(PyTypeObject* type, Array array);
inline nanobind::object make_nd(nanobind::handle like, Array array) {
    return make_nd(Py_TYPE(like.ptr()), std::move(array));
}

/// The class of a result: of the first ndarray among the arguments, or of a later one whose class is derived from it.
class ResultClass {
public:
    void see(PyObject* argument) {
        PyTypeObject* type = Py_TYPE(argument);
        if (type == found_ || !is_nd_class(type)) return;
        if (!found_ || PyType_IsSubtype(type, found_)) found_ = type;
    }
    PyTypeObject* get() const { return found_ ? found_ : default_nd_class(); }
    nanobind::object make(Array array) const { return make_nd(get(), std::move(array)); }

private:
    PyTypeObject* found_ = nullptr;
};

/// An operand that owns the view of another library's array that it refers to.
class HeldOperand : public Operand {
public:
    HeldOperand(const Operand& operand) : Operand(operand) {}
    HeldOperand(std::shared_ptr<const Array> view) : Operand(*view), view_(std::move(view)) {}

private:
    std::shared_ptr<const Array> view_;
};

/// `object` as an operand that refers to it. False for objects that are no operands of operators; Error(Type) for NumPy
/// arrays and sequences, which name `call`.
bool read_operand(const char* call, PyObject* object, Operand& operand);
/// As read_operand, and arrays of other libraries, whose memory is used as it is. Error(Type) for all that is no
/// operand.
HeldOperand require_operand(const char* call, nanobind::handle object);
/// Of a Python or NumPy number; none for other objects.
std::optional<Scalar> find_scalar(PyObject* object);

/// An argument that is an array; a number becomes a 0-d array. Error(Type) for others.
Array require_array(const char* call, nanobind::handle object);
/// Null for None; Error(Type) for what is no Array.
const Array* find_out(const char* call, nanobind::handle out);
/// Indices and masks: an array, or a host array or sequence, which is copied to the device of the array that is
/// indexed.
Array require_indices(const char* call, nanobind::handle object, const Array& indexed);

/// The stream of operations on the array: the current one of its device.
const std::shared_ptr<Stream>& work_stream(const Array& array);
/// The only element of an array as a Python number; waits for the device without the GIL. Error(Type).
nanobind::object only_item(const char* call, const Array& array);
nanobind::object python_number(DType dtype, const void* element);

/// None: no axes given.
std::optional<Dims> find_axes(nanobind::handle axis);
std::optional<int> find_axis(const char* call, nanobind::handle axis);
std::optional<DType> find_dtype_argument(nanobind::handle dtype);
Casting to_casting(nanobind::handle casting);
const char* casting_name(Casting casting);
IndexMode to_index_mode(nanobind::handle mode);
Order to_layout(nanobind::handle order, const Array& array);

/// The shape that both broadcast to; Error(Value).
Dims broadcast_shapes(const char* call, const Dims& a, const Dims& b);

/// Runs `f` without the GIL and gives what it gives.
template <class F>
auto without_gil(F&& f) {
    nanobind::gil_scoped_release release;
    return f();
}

PyObject* nd_get_item(PyObject* self, PyObject* index);
int nd_set_item(PyObject* self, PyObject* index, PyObject* value);
void nd_assign(const Array& target, nanobind::handle value);
/// What is assigned and is no array of ours, as an array on the device of `like`: a copy of a NumPy array, list or
/// tuple, of the dtype NumPy gives it, and the memory of another library's array, a copy of it where it lies on the
/// host. None for other objects.
std::optional<Array> value_beside(nanobind::handle value, const Array& like);

Array nd_repeat(const Array& x, nanobind::handle repeats, std::optional<int> axis);
void nd_put(const Array& x, nanobind::handle indices, nanobind::handle values, nanobind::handle mode);
/// A number, or an array without axes, multiplies.
Array nd_dot(const Array& a, const Operand& b);

}  // namespace lanewise::bindings
