// Bindings of memory blocks, and NumPy arrays that live in them.
#include <fmt/format.h>

#include <cstring>

#include "array_object.h"
#include "bindings.h"
#include "device_object.h"
#include "lanewise/buffer.h"
#include "lanewise/ops.h"
#include "lanewise/shared_memory.h"
#include "numpy.h"
#include "raw_memory.h"

namespace lanewise::bindings {
namespace {

using namespace nb::literals;

/// What the class Buffer holds.
struct BufferObject {
    std::shared_ptr<Buffer> buffer;
    Buffer* operator->() const { return &required(); }
    Buffer& operator*() const { return required(); }
    Buffer& required() const {
        if (buffer) return *buffer;
        throw Error(ErrorKind::Value, "the buffer has been released");
    }
};

PyTypeObject* buffer_type = nullptr;

MemoryKind kind_by_name(const std::string& name) {
    if (name == "device") return MemoryKind::Device;
    if (name == "pinned") return MemoryKind::Pinned;
    if (name == "mapped") return MemoryKind::Mapped;
    if (name == "managed") return MemoryKind::Managed;
    throw Error(ErrorKind::Value,
                fmt::format("memory kind '{}': expected 'device', 'pinned', 'mapped' or 'managed'", name));
}

const char* kind_name(MemoryKind kind) {
    switch (kind) {
        case MemoryKind::Device:
            return "device";
        case MemoryKind::Pinned:
            return "pinned";
        case MemoryKind::Mapped:
            return "mapped";
        case MemoryKind::Managed:
            return "managed";
    }
    return "";
}

/// A Buffer or an instance of a subclass.
bool is_buffer(nb::handle object) {
    return PyObject_TypeCheck(object.ptr(), buffer_type);
}

/// What Buffer(...) makes: its users know it by address.
std::shared_ptr<Buffer> make_raw(std::size_t size, MemoryKind kind, nb::handle stream, nb::handle device) {
    if (kind == MemoryKind::Device) return create_raw_buffer(to_stream(stream, device), size);
    return released_without_gil(Buffer::create_host(to_device(device), kind, size));
}

int get_buffer(PyObject* self, Py_buffer* view, int flags) noexcept {
    Buffer* buffer = nb::inst_ptr<BufferObject>(self)->buffer.get();
    if (!buffer) {
        PyErr_SetString(PyExc_BufferError, "the buffer has been released");
        return -1;
    }
    if (!buffer->host_data() && buffer->bytes()) {
        PyErr_SetString(PyExc_BufferError, "the host cannot access this memory");
        return -1;
    }
    return PyBuffer_FillInfo(view, self, buffer->host_data(), static_cast<Py_ssize_t>(buffer->bytes()), 0, flags);
}

PyType_Slot buffer_slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)}, {0, nullptr}};

nb::object numpy_over(nb::handle self, const Buffer& buffer, const Dims& shape, const Dims& strides, DType dtype,
                      std::int64_t offset) {
    if (!buffer.host_data() && buffer.bytes())
        throw Error(ErrorKind::Type, fmt::format("the host cannot access {} memory of {}", kind_name(buffer.kind()),
                                                 buffer.device().name()));
    if (element_count(shape, size_of(dtype)) == 0) return empty_ndarray(dtype, to_tuple(shape), 'C');
    return nb::module_::import_("numpy").attr("ndarray")(to_tuple(shape), numpy_dtype(dtype), self, offset,
                                                         to_tuple(strides));
}

}  // namespace

std::shared_ptr<Buffer> released_without_gil(std::shared_ptr<Buffer> buffer) {
    Buffer* raw = buffer.get();
    return std::shared_ptr<Buffer>(raw, [owner = std::move(buffer)](Buffer*) mutable {
        if (Py_IsInitialized() && PyGILState_Check()) {
            nb::gil_scoped_release release;
            owner.reset();
        } else {
            owner.reset();
        }
    });
}

std::shared_ptr<Buffer> foreign_buffer(Device& device, MemoryKind kind, void* low, std::size_t bytes,
                                       nb::handle owner) {
    PyObject* held = owner.is_none() ? nullptr : owner.inc_ref().ptr();
    auto drop = [held] { with_gil_if_alive([&] { Py_XDECREF(held); }); };
    return released_without_gil(Buffer::foreign(device, kind, low, bytes, nullptr, drop));
}

nb::object make_buffer(std::shared_ptr<Buffer> buffer) {
    return nb::cast(BufferObject{std::move(buffer)});
}

Buffer* find_buffer(nb::handle object) {
    return is_buffer(object) ? &**nb::inst_ptr<BufferObject>(object) : nullptr;
}

std::shared_ptr<Buffer> require_buffer(nb::handle object) {
    if (find_buffer(object)) return nb::inst_ptr<BufferObject>(object)->buffer;
    throw Error(ErrorKind::Type, fmt::format("expected a Buffer, got {}", Py_TYPE(object.ptr())->tp_name));
}

std::shared_ptr<Buffer> buffer_of_ndarray(nb::handle ndarray) {
    for (PyObject* base = numpy_array(ndarray)->base; base;) {
        if (is_buffer(base)) return nb::inst_ptr<BufferObject>(base)->buffer;
        if (!is_ndarray(base)) return nullptr;
        base = numpy_array(base)->base;
    }
    return nullptr;
}

void note_host_use(nb::handle ndarray, const std::shared_ptr<Stream>& stream) {
    if (std::shared_ptr<Buffer> buffer = buffer_of_ndarray(ndarray)) buffer->used_on(stream);
}

std::optional<Array> array_of_ndarray(nb::handle ndarray) {
    std::shared_ptr<Buffer> buffer = buffer_of_ndarray(ndarray);
    if (!buffer || (buffer->kind() != MemoryKind::Mapped && buffer->kind() != MemoryKind::Managed)) return std::nullopt;
    std::optional<DType> dtype = find_dtype(numpy_array(ndarray)->dtype);
    if (!dtype) return std::nullopt;
    const NumpyArray* raw = numpy_array(ndarray);
    Dims shape(raw->ndim), strides(raw->ndim);
    std::copy_n(raw->shape, raw->ndim, shape.data());
    std::copy_n(raw->strides, raw->ndim, strides.data());
    std::int64_t offset = raw->data - static_cast<char*>(buffer->host_data());
    return Array::over(std::move(buffer), offset, shape, strides, *dtype, !raw->has(NumpyArray::writeable_flag));
}

void bind_buffers(nb::module_& m) {
    using Holder = BufferObject;
    auto type = nb::class_<Holder>(m, "Buffer", nb::type_slots(buffer_slots), nb::is_weak_referenceable());
    buffer_type = reinterpret_cast<PyTypeObject*>(type.ptr());
    type.def(
            "__init__",
            [](Holder* self, std::size_t size, const std::string& kind, nb::handle stream, nb::handle device) {
                new (self) Holder{make_raw(size, kind_by_name(kind), stream, device)};
            },
            "size"_a, "kind"_a = "device", nb::kw_only(), "stream"_a.none() = nb::none(),
            "device"_a.none() = nb::none())
        .def("release", [](Holder& b) { b.buffer.reset(); })
        .def(
            "order_after_uses",
            [](const Holder& b, nb::handle stream) { b->order_after_uses(*to_stream(stream, b->device())); },
            "stream"_a.none() = nb::none())
        .def_prop_ro("released", [](const Holder& b) { return !b.buffer; })
        .def_prop_ro("pointer", [](const Holder& b) { return reinterpret_cast<std::uintptr_t>(b->data()); })
        .def_prop_ro("host_pointer", [](const Holder& b) { return reinterpret_cast<std::uintptr_t>(b->host_data()); })
        .def_prop_ro("size", [](const Holder& b) { return b->bytes(); })
        .def_prop_ro("device", [](const Holder& b) { return wrap_device(b->device()); })
        .def_prop_ro("kind", [](const Holder& b) { return kind_name(b->kind()); })
        .def_static(
            "allocate",
            [](std::size_t size, nb::handle stream, nb::handle device) {
                return Holder{Buffer::create(to_stream(stream, device), size)};
            },
            "size"_a, nb::kw_only(), "stream"_a.none() = nb::none(), "device"_a.none() = nb::none())
        .def_static(
            "allocate_host",
            [](std::size_t size, const std::string& kind, nb::handle device) {
                return Holder{released_without_gil(Buffer::create_host(to_device(device), kind_by_name(kind), size))};
            },
            "size"_a, "kind"_a = "pinned", nb::kw_only(), "device"_a.none() = nb::none())
        .def_static(
            "foreign",
            [](std::uintptr_t pointer, std::size_t size, nb::handle owner, const std::string& kind, nb::handle device) {
                return Holder{foreign_buffer(to_device(device), kind_by_name(kind), reinterpret_cast<void*>(pointer),
                                             size, owner)};
            },
            "pointer"_a, "size"_a, nb::kw_only(), "owner"_a.none() = nb::none(), "kind"_a = "device",
            "device"_a.none() = nb::none())
        .def_static(
            "open",
            [](nb::bytes handle, nb::handle device) {
                const MemoryHandle opened = MemoryHandle::from_bytes({handle.c_str(), handle.size()});
                return Holder{released_without_gil(open_memory(to_device(device), opened))};
            },
            "handle"_a, nb::kw_only(), "device"_a.none() = nb::none())
        .def(
            "numpy",
            [](nb::handle self, nb::handle shape_object, nb::handle dtype_object, nb::handle strides_object,
               nb::handle order, std::int64_t offset) {
                const Holder& buffer = *nb::inst_ptr<Holder>(self);
                Dims shape = to_dims(shape_object, "shape");
                DType dtype = require_dtype(dtype_object);
                Dims strides = strides_object.is_none() ? contiguous_strides(shape, size_of(dtype), to_order(order))
                                                        : to_dims(strides_object, "strides");
                return numpy_over(self, *buffer, shape, strides, dtype, offset);
            },
            "shape"_a, "dtype"_a = "float64", nb::kw_only(), "strides"_a.none() = nb::none(), "order"_a = "C",
            "offset"_a = 0)
        .def(
            "array",
            [](nb::handle self, nb::handle dtype_object, nb::handle shape_object) {
                std::shared_ptr<Buffer> buffer = require_buffer(self);
                DType dtype = require_dtype(dtype_object);
                Dims shape = shape_object.is_none() ? Dims{static_cast<std::int64_t>(buffer->bytes()) / size_of(dtype)}
                                                    : to_dims(shape_object, "shape");
                return make_array(
                    Array::over(buffer, 0, shape, contiguous_strides(shape, size_of(dtype), Order::C), dtype));
            },
            "dtype"_a, "shape"_a.none() = nb::none())
        .def("__repr__", [](const Holder& b) {
            if (!b.buffer) return std::string("<lanewise buffer, released>");
            return fmt::format("<lanewise buffer of {} bytes, {} memory of {}>", b->bytes(), kind_name(b->kind()),
                               b->device().name());
        });
    m.def(
        "export_memory",
        [](nb::handle memory, nb::handle device_object) {
            Device& device = to_device(device_object);
            const void* address = to_address(memory, 1, "export_memory");
            std::string handle;
            {
                nb::gil_scoped_release release;
                evaluate();
                handle = export_memory(device, address).to_bytes();
            }
            return nb::bytes(handle.data(), handle.size());
        },
        "memory"_a, nb::kw_only(), "device"_a.none() = nb::none());
}

}  // namespace lanewise::bindings
