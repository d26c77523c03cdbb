// Classification of Python types as kernel arguments.
#include "argument_classes.h"

#include <nanobind/nanobind.h>

#include <mutex>

#include "arguments.h"
#include "array_object.h"
#include "numpy.h"

namespace nb = nanobind;

namespace lanewise::bindings {
namespace {

/// The class's C exchange table; null when it has none that can be used.
const dlpack::ExchangeTable* exchange_table(nb::handle type) {
    nb::object capsule = nb::getattr(type, "__dlpack_c_exchange_api__", nb::none());
    if (!PyCapsule_IsValid(capsule.ptr(), dlpack::exchange_capsule_name)) return nullptr;
    return dlpack::usable_table(
        static_cast<const dlpack::ExchangeTable*>(PyCapsule_GetPointer(capsule.ptr(), dlpack::exchange_capsule_name)));
}

ArgumentClassInfo classify(PyTypeObject* type) {
    if (type == Py_TYPE(Py_None)) return {ArgumentClass::None, {}, nullptr};
    if (type == &PyBool_Type) return {ArgumentClass::Bool, {}, nullptr};
    if (std::optional<DType> dtype = scalar_class_dtype(type)) return {ArgumentClass::NumpyScalar, *dtype, nullptr};
    if (PyType_IsSubtype(type, array_type())) return {ArgumentClass::Array, {}, nullptr};
    if (PyType_IsSubtype(type, &PyLong_Type)) return {ArgumentClass::Int, {}, nullptr};
    if (PyType_IsSubtype(type, &PyFloat_Type)) return {ArgumentClass::Float, {}, nullptr};
    if (PyType_IsSubtype(type, &PyComplex_Type)) return {ArgumentClass::Complex, {}, nullptr};
    if (PyType_IsSubtype(type, &PyTuple_Type)) return {ArgumentClass::Tuple, {}, nullptr};
    if (PyType_IsSubtype(type, ndarray_type())) return {ArgumentClass::HostArray, {}, nullptr};
    nb::handle object(reinterpret_cast<PyObject*>(type));
    if (PyType_IsSubtype(type, reinterpret_cast<PyTypeObject*>(nb::type<HostArgument>().ptr())))
        return {ArgumentClass::HostArgument, {}, nullptr};
    if (nb::hasattr(object, "__lanewise_argument__")) return {ArgumentClass::Extension, {}, nullptr};
    if (nb::hasattr(object, "__members__")) return {ArgumentClass::Enum, {}, nullptr};
    if (const dlpack::ExchangeTable* table = exchange_table(object)) {
        const bool is_tracked =
            nb::hasattr(object, "requires_grad") && nb::hasattr(object, "is_conj") && nb::hasattr(object, "is_neg");
        return {ArgumentClass::Exchange, {}, table, is_tracked};
    }
    if (nb::hasattr(object, "__cuda_array_interface__")) return {ArgumentClass::Interface, {}, nullptr};
    if (nb::hasattr(object, "__dlpack__")) return {ArgumentClass::Dlpack, {}, nullptr};
    return {};
}

}  // namespace

ArgumentClasses::Slot ArgumentClasses::slots_[table_size];

ArgumentClassInfo ArgumentClasses::add(PyTypeObject* type) {
    static std::mutex mutex;
    static std::size_t count = 0;
    // Outside the lock: it may run Python code.
    ArgumentClassInfo info = classify(type);
    std::lock_guard lock(mutex);
    if (count == most_types) return info;
    std::size_t i = slot_of(type);
    while (PyTypeObject* found = slots_[i].type.load(std::memory_order_relaxed)) {
        if (found == type) return info;
        i = (i + 1) & (table_size - 1);
    }
    Py_INCREF(type);
    slots_[i].info = info;
    slots_[i].type.store(type, std::memory_order_release);
    ++count;
    return info;
}

}  // namespace lanewise::bindings
