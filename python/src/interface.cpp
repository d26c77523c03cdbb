// Reading and writing the CUDA array interface, and DLPack capsules.
#include "interface.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "array_object.h"
#include "device_object.h"
#include "foreign.h"
#include "interop/dlpack.h"
#include "interop/memory_span.h"
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
    PyObject* version = PyUnicode_InternFromString("version");
    PyObject* stream = PyUnicode_InternFromString("stream");
};

const Keys& keys() {
    static const Keys* const made = new Keys;
    return *made;
}

nb::object check_made(PyObject* object) {
    if (!object) throw nb::python_error();
    return nb::steal(object);
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

bool is_integer(nb::handle object) {
    return PyIndex_Check(object.ptr()) && !PyBool_Check(object.ptr());
}
bool is_sequence(nb::handle object) {
    return PyTuple_Check(object.ptr()) || PyList_Check(object.ptr());
}

/// An address, or a stream's handle.
std::uintptr_t handle_of(const char* key, const char* expected, nb::handle object) {
    if (!is_integer(object)) fail_entry(key, expected, object);
    const nb::object index = check_made(PyNumber_Index(object.ptr()));
    const unsigned long long value = PyLong_AsUnsignedLongLong(index.ptr());
    if (value == static_cast<unsigned long long>(-1) && PyErr_Occurred()) {
        PyErr_Clear();
        fail_entry(key, expected, object);
    }
    return static_cast<std::uintptr_t>(value);
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

constexpr const char* fresh_name = "dltensor";
constexpr const char* used_name = "used_dltensor";
constexpr const char* fresh_versioned_name = "dltensor_versioned";
constexpr const char* used_versioned_name = "used_dltensor_versioned";

/// The producer's deleter, which may be Python code; an exception that is on its way stays.
template <class Managed>
void give_back(Managed* managed) {
    if (!managed->deleter) return;
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    managed->deleter(managed);
    PyErr_Restore(type, value, trace);
}

/// A consumer renames the capsule and calls the deleter itself.
template <class Managed>
void destroy_capsule(PyObject* capsule, const char* name) {
    if (PyCapsule_IsValid(capsule, name)) give_back(static_cast<Managed*>(PyCapsule_GetPointer(capsule, name)));
}

nb::object make_capsule(dlpack::ManagedTensorVersioned* managed) {
    PyObject* capsule = PyCapsule_New(managed, fresh_versioned_name, [](PyObject* self) {
        destroy_capsule<dlpack::ManagedTensorVersioned>(self, fresh_versioned_name);
    });
    if (!capsule) managed->deleter(managed);
    return check_made(capsule);
}

nb::object make_capsule(dlpack::ManagedTensor* managed) {
    PyObject* capsule = PyCapsule_New(managed, fresh_name,
                                      [](PyObject* self) { destroy_capsule<dlpack::ManagedTensor>(self, fresh_name); });
    if (!capsule) managed->deleter(managed);
    return check_made(capsule);
}

/// An Array over the tensor's memory; the last view calls the producer's deleter.
template <class Managed>
Array adopt(Managed* managed, bool read_only) {
    Array array = dlpack::import_tensor(managed->tensor, read_only,
                                        [managed] { with_gil_if_alive([&] { give_back(managed); }); });
    return Array::over(released_without_gil(array.buffer()), array.offset(), array.shape(), array.strides(),
                       array.dtype(), array.read_only());
}

/// An integer argument of `__dlpack__` or `__dlpack_device__`; enumerators count as their values.
std::int64_t integer(nb::handle object, const char* what) {
    nb::object value = nb::borrow(object);
    if (!PyIndex_Check(value.ptr()) && nb::hasattr(value, "value")) value = value.attr("value");
    const Py_ssize_t result = PyIndex_Check(value.ptr()) ? PyNumber_AsSsize_t(value.ptr(), PyExc_OverflowError) : -1;
    if (!PyIndex_Check(value.ptr()))
        throw Error(ErrorKind::Type,
                    fmt::format("{} must be an integer, not {}", what, nb::cast<std::string>(nb::repr(object))));
    if (result == -1 && PyErr_Occurred()) throw nb::python_error();
    return result;
}

/// Two integers, of a tuple.
std::pair<int, int> integers(nb::handle object, const char* what) {
    if (!PyTuple_Check(object.ptr()) || PyTuple_GET_SIZE(object.ptr()) != 2)
        throw Error(ErrorKind::Type, fmt::format("{} must be a tuple of two integers, not {}", what,
                                                 nb::cast<std::string>(nb::repr(object))));
    auto at = [&](Py_ssize_t i) { return static_cast<int>(integer(PyTuple_GET_ITEM(object.ptr(), i), what)); };
    return {at(0), at(1)};
}

/// A copy on the cpu device, complete.
Array copied_to_host(const Array& x) {
    nb::gil_scoped_release release;
    const std::shared_ptr<Stream>& stream = current_stream(cpu_device());
    const bool fortran = x.is_f_contiguous() && !x.is_c_contiguous();
    const Array host = Array::empty(x.shape(), x.dtype(), stream, fortran ? Order::F : Order::C);
    stream->synchronize();
    x.copy_to_host({host.data(), host.dtype(), host.shape(), host.strides()}, current_stream(x.device()));
    return host;
}

/// The array that is exported: itself, a copy where that is asked for, or a copy on the host.
std::pair<Array, bool> exported(const Array& given, nb::handle dl_device, nb::handle copy) {
    const std::pair<int, int> location = dlpack_device(given);
    const std::pair<int, int> asked = dl_device.is_none() ? location : integers(dl_device, "__dlpack__: dl_device");
    if (asked == location || (asked.first == dlpack::cpu && location.first == dlpack::cpu)) {
        if (copy.ptr() != Py_True) return {given, false};
        return {given.copy(Order::Keep, current_stream(given.device())), true};
    }
    if (asked.first != dlpack::cpu)
        fail_buffer(
            fmt::format("__dlpack__: the array is on device ({}, {}); it is copied to the host for dl_device "
                        "({}, 0), but not to ({}, {})",
                        location.first, location.second, int(dlpack::cpu), asked.first, asked.second));
    if (copy.ptr() == Py_False)
        fail_buffer(fmt::format("__dlpack__: copy=False, but an array on {} has to be copied to the host",
                                given.device().name()));
    return {copied_to_host(given), true};
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
    nb::object version = entry(dict, keys().version);
    if (!version.is_none()) {
        if (!is_integer(version)) fail_entry("version", "an integer", version);
        result.version = nb::cast<int>(nb::int_(version));
    }
    nb::object typestr = entry(dict, keys().typestr);
    if (!PyUnicode_Check(typestr.ptr())) fail_entry("typestr", "a string", typestr);
    const std::optional<DType> plain = plain_dtype(typestr);
    result.dtype = plain ? *plain : require_dtype(nb::module_::import_("numpy").attr("dtype")(typestr));
    nb::object shape = entry(dict, keys().shape);
    if (!is_sequence(shape)) fail_entry("shape", "a tuple of integers", shape);
    result.shape = to_dims(shape, "__cuda_array_interface__ shape");
    nb::object data = entry(dict, keys().data);
    if (!PyTuple_Check(data.ptr()) || PyTuple_GET_SIZE(data.ptr()) != 2)
        fail_entry("data", "a tuple (address, read-only)", data);
    nb::handle address = PyTuple_GET_ITEM(data.ptr(), 0), read_only = PyTuple_GET_ITEM(data.ptr(), 1);
    // None: producers without elements.
    if (!address.is_none()) result.data = reinterpret_cast<void*>(handle_of("data", "an address", address));
    if (!PyNumber_Check(read_only.ptr())) fail_entry("data", "a tuple (address, read-only)", data);
    const int truth = PyObject_IsTrue(read_only.ptr());
    if (truth < 0) throw nb::python_error();
    result.read_only = truth != 0;
    nb::object strides = entry(dict, keys().strides);
    if (!strides.is_none() && !is_sequence(strides)) fail_entry("strides", "None or a tuple of integers", strides);
    result.strides = strides.is_none() ? contiguous_strides(result.shape, size_of(result.dtype), Order::C)
                                       : to_dims(strides, "__cuda_array_interface__ strides");
    memory_span(interface_name, result.data, result.shape, result.strides, result.dtype);
    nb::object stream = entry(dict, keys().stream);
    if (!stream.is_none()) {
        result.stream = handle_of("stream", "None or a stream's handle", stream);
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
    const auto [low, high] =
        memory_span(interface_name, interface.data, interface.shape, interface.strides, interface.dtype);
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

void fail_buffer(const std::string& text) {
    PyErr_SetString(PyExc_BufferError, text.c_str());
    throw nb::python_error();
}

nb::object export_dlpack(const Array& given, nb::handle stream, nb::handle max_version, nb::handle dl_device,
                         nb::handle copy) {
    if (!copy.is_none() && !PyBool_Check(copy.ptr()))
        throw Error(ErrorKind::Type, "__dlpack__: copy must be True, False or None");
    const bool versioned = !max_version.is_none() && integers(max_version, "__dlpack__: max_version").first >= 1;
    const std::int64_t handle = stream.is_none() ? 1 : integer(stream, "__dlpack__: stream");
    const auto [array, is_copy] = exported(given, dl_device, copy);
    const std::shared_ptr<Buffer> buffer = array.buffer();
    if (array.device().kind() == DeviceKind::Cpu) {
        // The consumer reads at once.
        nb::gil_scoped_release release;
        buffer->synchronize();
    } else if (handle != -1) {
        if (handle <= 0)
            throw Error(ErrorKind::Value, fmt::format("__dlpack__: stream {} is none; give 1 (legacy), 2 (per-thread), "
                                                      "a handle, or -1 for no order",
                                                      handle));
        buffer->order_after_uses(*interface_stream(array.device(), static_cast<std::uintptr_t>(handle)));
    }
    return as_buffer_error([&] {
        return versioned ? make_capsule(dlpack::export_versioned(array, is_copy))
                         : make_capsule(dlpack::export_unversioned(array));
    });
}

Array adopt_managed(dlpack::ManagedTensorVersioned* managed) {
    if (managed->version.major == dlpack::version.major)
        return adopt(managed, (managed->flags & dlpack::read_only_flag) != 0);
    const dlpack::Version version = managed->version;
    give_back(managed);
    throw Error(ErrorKind::Type, fmt::format("DLPack version {}.{} is not supported", version.major, version.minor));
}

Array import_dlpack(nb::handle source, nb::handle stream_object) {
    if (std::optional<Array> array = import_exchange(source, stream_object)) return *array;
    refuse_negated(source);
    const auto [type, id] = integers(source.attr("__dlpack_device__")(), "__dlpack_device__");
    nb::object method = source.attr("__dlpack__");
    nb::dict arguments;
    if (dlpack::has_streams(type)) {
        std::uintptr_t handle = to_stream(stream_object, dlpack::find_device({type, id}))->handle();
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
    return adopt_capsule(capsule);
}

Array adopt_capsule(nb::handle capsule) {
    if (PyCapsule_IsValid(capsule.ptr(), fresh_versioned_name)) {
        auto* managed =
            static_cast<dlpack::ManagedTensorVersioned*>(PyCapsule_GetPointer(capsule.ptr(), fresh_versioned_name));
        PyCapsule_SetName(capsule.ptr(), used_versioned_name);
        return adopt_managed(managed);
    }
    if (PyCapsule_IsValid(capsule.ptr(), fresh_name)) {
        auto* managed = static_cast<dlpack::ManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), fresh_name));
        PyCapsule_SetName(capsule.ptr(), used_name);
        return adopt(managed, false);
    }
    if (PyCapsule_IsValid(capsule.ptr(), used_name) || PyCapsule_IsValid(capsule.ptr(), used_versioned_name))
        throw Error(ErrorKind::Value, "this DLPack capsule was consumed before; a capsule can be consumed once");
    throw Error(ErrorKind::Type,
                fmt::format("__dlpack__ gave no DLPack capsule, but {}", nb::cast<std::string>(nb::repr(capsule))));
}

}  // namespace lanewise::bindings
