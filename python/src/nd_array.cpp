// The class ndarray: making instances, properties, and the submodule `functions`.
#include <fmt/format.h>

#include "bindings.h"
#include "device_object.h"
#include "errors.h"
#include "exchange_table.h"
#include "interface.h"
#include "lanewise/allocator.h"
#include "lanewise/error.h"
#include "lanewise/views.h"
#include "nd_bindings.h"
#include "numpy.h"

namespace lanewise::bindings {
namespace {

using namespace nb::literals;

/// Strong references for the life of the process.
PyTypeObject* base_class = nullptr;
PyTypeObject* result_class = nullptr;

Array make_from_arguments(PyObject* args, PyObject* kwargs) {
    static const char* names[] = {"shape", "dtype",  "buffer", "offset", "strides",
                                  "order", "stream", "device", nullptr};
    PyObject *shape_object, *dtype = Py_None, *memory = Py_None, *strides = Py_None, *order = Py_None,
                            *stream = Py_None, *device = Py_None;
    Py_ssize_t offset = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|OOnOO$OO:ndarray", const_cast<char**>(names), &shape_object,
                                     &dtype, &memory, &offset, &strides, &order, &stream, &device))
        throw nb::python_error();
    const Dims shape = to_dims(shape_object, "shape");
    const DType type = dtype == Py_None ? DType::Float64 : require_dtype(dtype);
    const Order layout = to_order(order);
    const std::int64_t item = size_of(type);
    const Dims steps = strides == Py_None ? contiguous_strides(shape, item, layout) : to_dims(strides, "strides");
    if (const Array* array = find_array(memory))
        return Array::over(array->buffer(), array->offset() + offset, shape, steps, type, array->read_only());
    if (memory != Py_None) return Array::over(require_buffer(memory), offset, shape, steps, type);
    const std::shared_ptr<Stream> on = to_stream(stream, device);
    if (strides == Py_None && offset == 0) return Array::empty(shape, type, on, layout);
    std::int64_t bytes = offset + (element_count(shape, item) ? item : 0);
    for (int i = 0; i < std::min(shape.size(), steps.size()); ++i) {
        if (steps[i] < 0)
            throw Error(ErrorKind::Value, fmt::format("ndarray: strides {} must not be negative", to_string(steps)));
        if (shape[i] > 0) bytes += (shape[i] - 1) * steps[i];
    }
    return Array::over(allocate(on, static_cast<std::size_t>(bytes)), offset, shape, steps, type);
}

PyObject* new_array(PyTypeObject* type, PyObject* args, PyObject* kwargs) noexcept {
    try {
        return make_nd(type, make_from_arguments(args, kwargs)).release().ptr();
    } catch (...) {
        set_python_error();
        return nullptr;
    }
}

/// The arguments went to `__new__`.
int init_array(PyObject*, PyObject*, PyObject*) noexcept {
    return 0;
}

/// The slots of operators and those of construction; nanobind reads them while the class is made.
PyType_Slot* all_slots() {
    static std::vector<PyType_Slot>* const slots = [] {
        auto* made = new std::vector<PyType_Slot>{{Py_tp_new, reinterpret_cast<void*>(new_array)},
                                                  {Py_tp_init, reinterpret_cast<void*>(init_array)}};
        for (PyType_Slot* slot = nd_slots(); slot->slot; ++slot) made->push_back(*slot);
        made->push_back({0, nullptr});
        return made;
    }();
    return slots->data();
}

/// The array itself gets the shape, which must do without a copy.
void set_shape(NdArray& x, nb::handle shape) {
    try {
        x = NdArray(x.reshape(to_dims(shape, "shape")));
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::NotImplemented) throw;
        PyErr_Format(PyExc_AttributeError,
                     "shape: an array of shape %s with strides %s cannot become %s without a copy; use reshape",
                     to_string(x.shape()).c_str(), to_string(x.strides()).c_str(),
                     nb::cast<std::string>(nb::str(shape)).c_str());
        throw nb::python_error();
    }
}

/// All of the memory that a view lies in, as one row; None of an array with memory of its own.
nb::object base_of(nb::handle self) {
    const Array& x = *nb::inst_ptr<NdArray>(self);
    if (owns_memory(x)) return nb::none();
    const std::shared_ptr<Buffer>& memory = x.buffer();
    const std::int64_t count = static_cast<std::int64_t>(memory->bytes()) / x.item_bytes();
    return make_nd(self, Array::over(memory, 0, {count}, {x.item_bytes()}, x.dtype(), x.read_only()));
}

void bind_properties(nb::class_<NdArray, Array>& type) {
    type.def_prop_ro("pending", &NdArray::is_pending)
        .def_prop_rw(
            "shape", [](const NdArray& x) { return to_tuple(x.shape()); }, set_shape)
        .def_prop_ro("base", base_of)
        .def("__complex__", [](const NdArray& a) {
            return nb::borrow(reinterpret_cast<PyObject*>(&PyComplex_Type))(only_item("complex", a));
        });
}

}  // namespace

PyTypeObject* nd_type() {
    return base_class;
}
PyTypeObject* default_nd_class() {
    return result_class;
}

nb::object make_nd(PyTypeObject* type, Array array) {
    nb::object object = nb::inst_alloc(nb::handle(reinterpret_cast<PyObject*>(type)));
    new (nb::inst_ptr<NdArray>(object)) NdArray(std::move(array));
    nb::inst_mark_ready(object);
    return object;
}

void bind_nd_arrays(nb::module_& m) {
    nb::class_<NdArray, Array> type(m, "ndarray", nb::type_slots(all_slots()));
    base_class = reinterpret_cast<PyTypeObject*>(type.inc_ref().ptr());
    result_class = reinterpret_cast<PyTypeObject*>(type.inc_ref().ptr());
    bind_properties(type);
    bind_nd_shapes(type);
    bind_nd_elements(type);
    bind_nd_host(m, type);
    bind_exchange_table(type, true);

    nb::module_ functions = m.def_submodule("functions", "Operations on arrays.");
    bind_nd_reductions(type, functions);
    bind_nd_elementwise(functions);
    bind_nd_creation(functions);
    bind_nd_moves(functions);
    bind_nd_indexing(functions);
    bind_nd_types(functions);
    bind_nd_engine(functions);
    bind_ufuncs(m);

    m.def(
        "set_ndarray_class",
        [](nb::handle cls) {
            if (!PyType_Check(cls.ptr()) || !PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(cls.ptr()), base_class))
                throw Error(ErrorKind::Type, "set_ndarray_class: expected a subclass of ndarray");
            PyTypeObject* before = result_class;
            result_class = reinterpret_cast<PyTypeObject*>(cls.inc_ref().ptr());
            Py_DECREF(before);
        },
        "cls"_a);
    m.def("ndarray_class", [] { return nb::borrow(reinterpret_cast<PyObject*>(result_class)); });
}

}  // namespace lanewise::bindings
