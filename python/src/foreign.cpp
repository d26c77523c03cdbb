#include "foreign.h"

#include <fmt/format.h>

#include "array_object.h"
#include "device_object.h"
#include "interface.h"
#include "lanewise/error.h"
#include "numpy.h"

namespace nb = nanobind;

namespace lanewise::bindings {
namespace {

/// What tensors of libraries with gradients are asked, as interned strings made once.
struct Names {
    PyObject* requires_grad = PyUnicode_InternFromString("requires_grad");
    PyObject* is_conj = PyUnicode_InternFromString("is_conj");
    PyObject* is_neg = PyUnicode_InternFromString("is_neg");
};

const Names& names() {
    static const Names* const made = new Names;
    return *made;
}

/// What an attribute or a call gave; none after an exception, which is dropped.
std::optional<bool> truth_of(PyObject* value) {
    const nb::object held = nb::steal(value);
    const int truth = value ? PyObject_IsTrue(value) : -1;
    if (truth < 0) PyErr_Clear();
    return truth < 0 ? std::nullopt : std::optional(truth != 0);
}

std::optional<bool> ask(PyObject* object, PyObject* method) {
    return truth_of(PyObject_CallMethodNoArgs(object, method));
}

/// False when `__dlpack__` has to be asked about the object.
bool is_plain(PyObject* object, dlpack::DataType type) {
    if (truth_of(PyObject_GetAttr(object, names().requires_grad)) != false) return false;
    const bool is_complex_type = type.code == info(DType::Complex64).dlpack_code;
    if (is_complex_type && ask(object, names().is_conj) != false) return false;
    const bool may_be_negated = is_complex_type || type.code == info(DType::Float32).dlpack_code ||
                                type.code == info(DType::BFloat16).dlpack_code;
    return !may_be_negated || ask(object, names().is_neg) == false;
}

bool has_dlpack(nb::handle object) {
    return nb::hasattr(object, "__dlpack__") && nb::hasattr(object, "__dlpack_device__");
}

}  // namespace

bool is_foreign_array(nb::handle object) {
    switch (ArgumentClasses::find(Py_TYPE(object.ptr())).kind) {
        case ArgumentClass::Exchange:
        case ArgumentClass::Interface:
        case ArgumentClass::Dlpack:
            return true;
        case ArgumentClass::Other:
            // The attributes may be the instance's own.
            return has_dlpack(object) || interface_of(object).is_valid();
        default:
            return false;
    }
}

std::optional<Array> find_foreign_array(nb::handle object, const std::shared_ptr<Stream>& stream) {
    if (!is_foreign_array(object)) return std::nullopt;
    if (has_dlpack(object)) return import_dlpack(object, stream ? nb::cast(stream) : nb::none());
    // Something that has the attribute on other devices only.
    const nb::object interface = interface_of(object);
    if (!interface.is_valid()) return std::nullopt;
    return adopt_interface(read_interface(interface), object, true);
}

std::optional<Array> find_device_memory(nb::handle object) {
    if (!is_ndarray(object)) return find_foreign_array(object);
    if (std::optional<Array> array = array_of_ndarray(object)) return array;
    const nb::object interface = interface_of(object);
    if (!interface.is_valid()) return std::nullopt;
    return adopt_interface(read_interface(interface), object, true);
}

std::optional<Array> import_exchange(nb::handle object, nb::handle stream) {
    const ArgumentClassInfo info = ArgumentClasses::find(Py_TYPE(object.ptr()));
    if (!info.exchange) return std::nullopt;
    dlpack::ManagedTensorVersioned* managed = nullptr;
    if (info.exchange->managed_from_object(object.ptr(), &managed) != 0 || !managed) {
        PyErr_Clear();
        return std::nullopt;
    }
    if (info.is_tracked && !is_plain(object.ptr(), managed->tensor.dtype)) {
        if (managed->deleter) managed->deleter(managed);
        return std::nullopt;
    }
    const dlpack::Device location = managed->tensor.device;
    Array array = adopt_managed(managed);
    if (!dlpack::has_streams(location.type)) return array;
    void* producer = nullptr;
    if (info.exchange->current_work_stream(location.type, location.id, &producer) != 0) throw nb::python_error();
    const auto handle = reinterpret_cast<std::uintptr_t>(producer);
    Device& device = array.device();
    std::shared_ptr<Stream> consumer = to_stream(stream, device);
    if (&consumer->device() != &device) consumer = current_stream(device);
    consumer->follow(*interface_stream(device, handle ? handle : 1));
    return array;
}

bool read_exchange(const ArgumentClassInfo& info, PyObject* object, dlpack::Tensor& tensor) {
    if (!info.exchange->tensor_from_object) return false;
    if (info.exchange->tensor_from_object(object, &tensor) != 0) {
        PyErr_Clear();
        return false;
    }
    return !info.is_tracked || is_plain(object, tensor.dtype);
}

void refuse_negated(nb::handle object) {
    if (!nb::hasattr(object, names().is_neg) || ask(object.ptr(), names().is_neg) != true) return;
    throw Error(ErrorKind::Type,
                fmt::format("a {} with the negative bit set is not what is in its memory; pass x.resolve_neg()",
                            Py_TYPE(object.ptr())->tp_name));
}

}  // namespace lanewise::bindings
