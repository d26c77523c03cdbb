// Reading and writing the CUDA array interface, and DLPack capsules.
#include "interface.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "array_object.h"
#include "device_object.h"
#include "interop/dlpack.h"
#include "numpy.h"

namespace nb = nanobind;

namespace lanewise::bindings {
namespace {

constexpr const char* interface_name = "__cuda_array_interface__";

/// The keys of the interface as interned strings, made once: a launch may read many such dicts.
struct Keys {
    PyObject* interface = PyUnicode_InternFromString(interface_name);
    PyObject* mask = PyUnicode_InternFromString("mask");
    PyObject* typestr = PyUnicode_InternFromString("typestr");
    PyObject* shape = PyUnicode_InternFromString("shape");
    PyObject* data = PyUnicode_InternFromString("data");
    PyObject* strides = PyUnicode_InternFromString("strides");
    PyObject* stream = PyUnicode_InternFromString("stream");
};

const Keys& keys() {
    static const Keys* const made = new Keys;
    return *made;
}

nb::object entry(nb::handle dict, PyObject* key) {
    PyObject* value = PyDict_GetItemWithError(dict.ptr(), key);
    if (!value && PyErr_Occurred()) throw nb::python_error();
    return value ? nb::borrow(value) : nb::none();
}

/// The dtype of a plain type string in this host's byte order ("<f4", "|u1"); none for what only NumPy can read.
std::optional<DType> plain_dtype(nb::handle typestr) {
    Py_ssize_t length = 0;
    const char* text = PyUnicode_AsUTF8AndSize(typestr.ptr(), &length);
    if (!text) throw nb::python_error();
    if (length != 3 || (text[0] != '<' && text[0] != '|') || text[2] < '1' || text[2] > '8') return std::nullopt;
    return dtype_from_kind(text[1], text[2] - '0');
}

[[noreturn]] void fail_entry(const char* key, const char* expected, nb::handle got) {
    throw Error(ErrorKind::Value, fmt::format("{}: '{}' must be {}, not {}", interface_name, key, expected,
                                              nb::cast<std::string>(nb::repr(got))));
}

std::string typestr_of(DType dtype) {
    if (dtype == DType::BFloat16)
        throw Error(ErrorKind::Type, "the CUDA array interface has no bfloat16; exchange such arrays through DLPack");
    return fmt::format("{}{}{}", size_of(dtype) == 1 ? '|' : '<', kind(dtype), size_of(dtype));
}

/// The device whose kernels can read `data`; the current one where that cannot be told.
Device& device_of_address(const void* data) {
    Device& current = current_device();
    if (!data || current.owns_address(data)) return current;
    for (Device* device : devices())
        if (device->kind() == DeviceKind::Cuda && device->owns_address(data)) return *device;
    if (current.kind() == DeviceKind::Cpu) return current;
    throw Error(ErrorKind::Value,
                fmt::format("{}: address {} is no memory of {}", interface_name, data, current.name()));
}

constexpr const char* used_name = "used_dltensor";
constexpr const char* used_versioned_name = "used_dltensor_versioned";

template <class Managed>
void destroy_capsule(PyObject* capsule, const char* fresh_name) {
    // A consumer renames the capsule and calls the deleter itself.
    if (!PyCapsule_IsValid(capsule, fresh_name)) return;
    auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, fresh_name));
    managed->deleter(managed);
}

/// An Array over the tensor's memory; the last view calls the producer's deleter.
template <class Managed>
Array adopt_managed(Managed* managed, bool read_only) {
    Array array = dlpack::import(managed->tensor, read_only, [managed] {
        with_gil_if_alive([&] {
            if (managed->deleter) managed->deleter(managed);
        });
    });
    return Array::over(released_without_gil(array.buffer()), array.offset(), array.shape(), array.strides(),
                       array.dtype(), array.read_only());
}

}  // namespace

nb::object interface_of(nb::handle object) {
    PyObject* found = PyObject_GetAttr(object.ptr(), keys().interface);
    if (!found) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError)) throw nb::python_error();
        PyErr_Clear();
    }
    return nb::steal(found);
}

Interface read_interface(nb::handle dict) {
    if (!PyDict_Check(dict.ptr()))
        throw Error(ErrorKind::Type,
                    fmt::format("{} must be a dict, not {}", interface_name, Py_TYPE(dict.ptr())->tp_name));
    Interface result;
    if (!entry(dict, keys().mask).is_none())
        throw Error(ErrorKind::NotImplemented, fmt::format("{}: masked arrays are not supported", interface_name));
    nb::object typestr = entry(dict, keys().typestr);
    if (!PyUnicode_Check(typestr.ptr())) fail_entry("typestr", "a string", typestr);
    const std::optional<DType> plain = plain_dtype(typestr);
    result.dtype = plain ? *plain : require_dtype(nb::module_::import_("numpy").attr("dtype")(typestr));
    nb::object shape = entry(dict, keys().shape);
    if (!PySequence_Check(shape.ptr())) fail_entry("shape", "a tuple of integers", shape);
    result.shape = to_dims(shape, "__cuda_array_interface__ shape");
    nb::object data = entry(dict, keys().data);
    if (!PyTuple_Check(data.ptr()) || PyTuple_GET_SIZE(data.ptr()) != 2)
        fail_entry("data", "a tuple (address, read-only)", data);
    nb::handle address = PyTuple_GET_ITEM(data.ptr(), 0);
    if (!address.is_none()) result.data = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(nb::int_(address)));
    result.read_only = PyObject_IsTrue(PyTuple_GET_ITEM(data.ptr(), 1)) == 1;
    nb::object strides = entry(dict, keys().strides);
    result.strides = strides.is_none() ? contiguous_strides(result.shape, size_of(result.dtype), Order::C)
                                       : to_dims(strides, "__cuda_array_interface__ strides");
    nb::object stream = entry(dict, keys().stream);
    if (!stream.is_none()) {
        result.stream = nb::cast<std::uintptr_t>(nb::int_(stream));
        if (*result.stream == 0) fail_entry("stream", "None or a stream other than 0, which is ambiguous", stream);
    }
    return result;
}

nb::dict export_interface(const Array& array) {
    array.share();
    nb::dict dict;
    dict["shape"] = to_tuple(array.shape());
    dict["typestr"] = typestr_of(array.dtype());
    dict["data"] = nb::make_tuple(reinterpret_cast<std::uintptr_t>(array.data()), array.read_only());
    dict["strides"] = array.is_c_contiguous() ? nb::none() : to_tuple(array.strides());
    Stream& stream = *current_stream(array.device());
    array.buffer()->order_after_uses(stream);
    // 1 names the stream whose CUstream is null.
    dict["stream"] = stream.handle() ? stream.handle() : 1;
    dict["version"] = 3;
    return dict;
}

std::shared_ptr<Stream> interface_stream(Device& device, std::uintptr_t handle) {
    if (handle == 1) return device.default_stream();
    if (handle == 2) return device.per_thread_stream();
    return device.external_stream(handle);
}

Array adopt_interface(const Interface& interface, nb::handle owner, bool sync) {
    Device& device = device_of_address(interface.data);
    std::int64_t item = size_of(interface.dtype);
    std::int64_t low = 0, high = element_count(interface.shape, item) > 0 ? item : 0;
    for (int i = 0; high > 0 && i < interface.shape.size(); ++i)
        (interface.strides[i] < 0 ? low : high) += (interface.shape[i] - 1) * interface.strides[i];
    void* first = interface.data ? static_cast<std::byte*>(interface.data) + low : nullptr;
    std::shared_ptr<Buffer> buffer =
        foreign_buffer(device, MemoryKind::Device, first, static_cast<std::size_t>(high - low), owner);
    if (sync && interface.stream) current_stream(device)->follow(*interface_stream(device, *interface.stream));
    return Array::over(std::move(buffer), -low, interface.shape, interface.strides, interface.dtype,
                       interface.read_only);
}

std::pair<int, int> dlpack_device(const Array& array) {
    dlpack::Device device = dlpack::device_of(array);
    return {device.type, device.id};
}

nb::object export_dlpack(const Array& given, nb::handle stream, nb::handle max_version, nb::handle dl_device,
                         nb::handle copy) {
    if (!dl_device.is_none()) {
        std::pair<int, int> asked{nb::cast<int>(dl_device[nb::int_(0)]), nb::cast<int>(dl_device[nb::int_(1)])};
        if (asked != dlpack_device(given))
            throw Error(
                ErrorKind::Value,
                fmt::format("__dlpack__: the array is on device ({}, {}) and is not moved to ({}, {})",
                            dlpack_device(given).first, dlpack_device(given).second, asked.first, asked.second));
    }
    bool wants_copy = copy.ptr() == Py_True;
    Array array = wants_copy ? given.copy(Order::Keep, current_stream(given.device())) : given;
    const std::shared_ptr<Buffer> buffer = array.buffer();
    if (given.device().kind() == DeviceKind::Cpu) {
        // The consumer reads at once.
        nb::gil_scoped_release release;
        buffer->synchronize();
    } else if (std::int64_t handle = stream.is_none() ? 1 : nb::cast<std::int64_t>(stream); handle != -1) {
        if (handle == 0)
            throw Error(ErrorKind::Value,
                        "__dlpack__: stream 0 is ambiguous; give 1 (legacy), 2 (per-thread) or a handle");
        buffer->order_after_uses(*interface_stream(array.device(), static_cast<std::uintptr_t>(handle)));
    }
    if (!max_version.is_none() && nb::cast<int>(max_version[nb::int_(0)]) >= 1) {
        PyObject* capsule = PyCapsule_New(
            dlpack::export_versioned(array, wants_copy), "dltensor_versioned",
            [](PyObject* self) { destroy_capsule<dlpack::ManagedTensorVersioned>(self, "dltensor_versioned"); });
        return nb::steal(capsule);
    }
    PyObject* capsule = PyCapsule_New(dlpack::export_unversioned(array), "dltensor",
                                      [](PyObject* self) { destroy_capsule<dlpack::ManagedTensor>(self, "dltensor"); });
    return nb::steal(capsule);
}

Array import_dlpack(nb::handle source, nb::handle stream_object) {
    nb::object location = source.attr("__dlpack_device__")();
    int type = nb::cast<int>(nb::int_(location[nb::int_(0)]));
    Device& device = type == dlpack::cpu ? cpu_device()
                                         : device_by_name(fmt::format("cuda:{}", nb::cast<int>(location[nb::int_(1)])));
    nb::object method = source.attr("__dlpack__");
    nb::dict arguments;
    if (type != dlpack::cpu) {
        std::uintptr_t handle = to_stream(stream_object, device)->handle();
        arguments["stream"] = handle ? handle : 1;
    }
    nb::object capsule;
    try {
        nb::dict with_version = nb::borrow<nb::dict>(arguments.attr("copy")());
        with_version["max_version"] = nb::make_tuple(dlpack::version.major, dlpack::version.minor);
        capsule = method(**with_version);
    } catch (nb::python_error& error) {
        // Producers from before DLPack 1.0 do not know the keyword.
        if (!error.matches(PyExc_TypeError)) throw;
        capsule = method(**arguments);
    }
    if (PyCapsule_IsValid(capsule.ptr(), "dltensor_versioned")) {
        auto* managed =
            static_cast<dlpack::ManagedTensorVersioned*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor_versioned"));
        if (managed->version.major != dlpack::version.major)
            throw Error(ErrorKind::Type, fmt::format("DLPack version {}.{} is not supported", managed->version.major,
                                                     managed->version.minor));
        PyCapsule_SetName(capsule.ptr(), used_versioned_name);
        return adopt_managed(managed, (managed->flags & dlpack::read_only_flag) != 0);
    }
    if (!PyCapsule_IsValid(capsule.ptr(), "dltensor"))
        throw Error(ErrorKind::Type, "__dlpack__ did not return a DLPack capsule");
    auto* managed = static_cast<dlpack::ManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
    PyCapsule_SetName(capsule.ptr(), used_name);
    return adopt_managed(managed, false);
}

}  // namespace lanewise::bindings
