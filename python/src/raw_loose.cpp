// Packing arguments by PyCUDA's rules: the argument's own type says how it is passed, and Python's numbers, which have
// no width, are refused.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "array_object.h"
#include "interface.h"
#include "numpy.h"
#include "raw_arguments.h"

namespace nb = nanobind;

namespace lanewise::bindings {
namespace {

const void* pointer_from_index(nb::handle object) {
    nb::object index = nb::steal(PyNumber_Index(object.ptr()));
    if (!index.is_valid()) throw nb::python_error();
    std::uint64_t address = PyLong_AsUnsignedLongLong(index.ptr());
    if (PyErr_Occurred()) {
        PyErr_Clear();
        throw Error(ErrorKind::Overflow, "an address is an integer from 0 to 2**64 - 1");
    }
    return reinterpret_cast<const void*>(address);
}

[[noreturn]] void fail_without_width(nb::handle object, std::size_t index) {
    std::string text = fmt::format("invalid type on parameter #{} (0-based)", index);
    if (PyBool_Check(object.ptr()) || PyLong_Check(object.ptr()) || PyFloat_Check(object.ptr()))
        text += fmt::format(": a Python {} has no width; pass a NumPy number of the parameter's type, such as {}",
                            Py_TYPE(object.ptr())->tp_name,
                            PyFloat_Check(object.ptr()) ? "numpy.float32(x)" : "numpy.int32(x)");
    else
        text += fmt::format(": a {} is neither a NumPy number nor device memory", Py_TYPE(object.ptr())->tp_name);
    throw Error(ErrorKind::Type, text);
}

/// The bytes of an array may be an address, but only if they are one integer.
void require_address(nb::handle array) {
    nb::object dtype = array.attr("dtype");
    auto kind = nb::cast<std::string>(dtype.attr("kind"));
    if (nb::cast<std::size_t>(array.attr("nbytes")) == sizeof(void*) && (kind == "i" || kind == "u")) return;
    throw Error(ErrorKind::Type,
                "a NumPy array lies in the host's memory; pass device memory with its contents, or "
                "pycuda.driver.In(x), Out(x) or InOut(x), which copy it");
}

}  // namespace

void RawArguments::read_loose(PyObject* const* args, std::size_t count) {
    if (parameters_.layout_known) {
        require_count(count);
        start(parameters_.bytes);
    }
    for (std::size_t i = 0; i < count; ++i) {
        const RawParameter* parameter = parameters_.layout_known ? &parameters_.items[i] : nullptr;
        bool stored = false;
        try {
            stored = store_loose(parameter, args[i]);
        } catch (const Error& error) {
            rethrow(error, i);
        }
        if (!stored) fail_without_width(args[i], i);
    }
}

void RawArguments::place_loose(const RawParameter* parameter, nb::handle object, const void* bytes, std::size_t size,
                               std::size_t align) {
    if (!parameter) return append_bytes(bytes, size, align);
    if (size != parameter->size)
        throw Error(ErrorKind::Type, fmt::format("the {} has {} bytes, the parameter has {}",
                                                 Py_TYPE(object.ptr())->tp_name, size, parameter->size));
    std::memcpy(data_ + parameter->offset, bytes, size);
}

std::optional<const void*> RawArguments::loose_address(nb::handle object) {
    if (Buffer* buffer = find_buffer(object)) {
        arrays_.use(*buffer);
        return buffer->data();
    }
    if (nb::object dict = interface_of(object); dict.is_valid()) {
        // The host's memory has no allocator that knows streams.
        if (arrays_.device().kind() == DeviceKind::Cpu) arrays_.extras_needed().wait_at_end();
        return read_interface(dict).data;
    }
    if (nb::object data = nb::getattr(object, "gpudata", nb::object()); data.is_valid()) {
        // Arrays without elements have no memory.
        if (data.is_none()) return nullptr;
        if (Buffer* buffer = find_buffer(data)) {
            arrays_.use(*buffer);
            return buffer->data();
        }
        return pointer_from_index(data);
    }
    if (PyIndex_Check(object.ptr())) return pointer_from_index(object);
    return std::nullopt;
}

bool RawArguments::store_loose(const RawParameter* parameter, PyObject* raw) {
    nb::handle object(raw);
    auto place_pointer = [&](const void* pointer) {
        place_loose(parameter, object, &pointer, sizeof(pointer), sizeof(pointer));
        return true;
    };
    ArgumentClassInfo info = ArgumentClasses::find(Py_TYPE(raw));
    switch (info.kind) {
        case ArgumentClass::NumpyScalar: {
            std::size_t size = static_cast<std::size_t>(size_of(info.dtype));
            if (parameter && parameter->kind == ParameterKind::Scalar && size != parameter->size)
                store_number(*number_of(raw, info), parameter->dtype, true, data_ + parameter->offset);
            else
                place_loose(parameter, object, numpy_scalar_bytes(raw, info.dtype), size,
                            is_complex(info.dtype) ? size / 2 : size);
            return true;
        }
        case ArgumentClass::Array: {
            const Array& array = *nb::inst_ptr<Array>(object);
            arrays_.use(array);
            return place_pointer(array.data());
        }
        case ArgumentClass::HostArray: {
            if (std::optional<Array> mapped = array_of_ndarray(object)) {
                arrays_.use(*mapped);
                return place_pointer(mapped->data());
            }
            if (parameter && parameter->kind == ParameterKind::Pointer) require_address(object);
            nb::object contiguous = nb::module_::import_("numpy").attr("ascontiguousarray")(object);
            std::size_t size = nb::cast<std::size_t>(contiguous.attr("nbytes"));
            std::size_t align = nb::cast<std::size_t>(contiguous.attr("dtype").attr("alignment"));
            place_loose(parameter, object, numpy_array(contiguous)->data, size, std::clamp<std::size_t>(align, 1, 16));
            return true;
        }
        case ArgumentClass::Bool:
        case ArgumentClass::Int:
        case ArgumentClass::Float:
        case ArgumentClass::Complex:
        case ArgumentClass::None:
        case ArgumentClass::Tuple:
            return false;
        default:
            break;
    }
    if (is_numpy_void(object)) {
        nb::object array = nb::module_::import_("numpy").attr("asarray")(object);
        std::size_t align = nb::cast<std::size_t>(array.attr("dtype").attr("alignment"));
        place_loose(parameter, object, numpy_array(array)->data, nb::cast<std::size_t>(array.attr("nbytes")),
                    std::clamp<std::size_t>(align, 1, 16));
        return true;
    }
    if (std::optional<const void*> address = loose_address(object)) return place_pointer(*address);
    return false;
}

}  // namespace lanewise::bindings
