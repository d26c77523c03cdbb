// Memory by raw address: copies, fills and strided copies whose device side is an address, as CUDA's driver has them.
#include "raw_memory.h"

#include <fmt/format.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "array/copy_kernel.h"
#include "array/copy_plan.h"
#include "array_object.h"
#include "bindings.h"
#include "device_object.h"
#include "lanewise/ops.h"
#include "numpy.h"

namespace lanewise::bindings {
namespace {

using namespace nb::literals;

constexpr int invalid_value = 1;  // CUDA_ERROR_INVALID_VALUE

[[noreturn]] void refuse(const char* call, const std::string& problem) {
    Error error(ErrorKind::Driver, fmt::format("{}: {}", call, problem));
    error.code = invalid_value;
    throw error;
}

/// Streams on which work uses memory by its address.
class TrackedStreams {
public:
    void add(std::shared_ptr<Stream> stream) {
        std::lock_guard lock(mutex_);
        drop_idle();
        if (std::find(streams_.begin(), streams_.end(), stream) == streams_.end())
            streams_.push_back(std::move(stream));
    }
    std::vector<std::shared_ptr<Stream>> of(const Device& device) {
        std::lock_guard lock(mutex_);
        drop_idle();
        std::vector<std::shared_ptr<Stream>> found;
        for (const auto& stream : streams_)
            if (&stream->device() == &device) found.push_back(stream);
        return found;
    }

private:
    /// A stream that nobody else holds is kept only while it still works. One of another library may be gone by then,
    /// and a driver asked about it would crash.
    void drop_idle() {
        std::erase_if(streams_, [](const std::shared_ptr<Stream>& stream) {
            if (stream.use_count() > 1) return false;
            if (stream->kind() == StreamKind::External) return true;
            try {
                return stream->query();
            } catch (const Error&) {
                return true;
            }
        });
    }

    std::mutex mutex_;
    std::vector<std::shared_ptr<Stream>> streams_;
};

/// Never destroyed: blocks may be released while the process ends.
TrackedStreams& tracked_streams() {
    static auto* streams = new TrackedStreams;
    return *streams;
}

/// The contiguous memory of a Python object, held while this lives.
class HostMemory {
public:
    HostMemory(nb::handle object, bool writable, const char* call) : object_(nb::borrow(object)) {
        if (is_ndarray(object)) {
            const NumpyArray* array = numpy_array(object);
            if (!array->has(NumpyArray::c_contiguous_flag) && !array->has(NumpyArray::f_contiguous_flag))
                throw Error(ErrorKind::Value, fmt::format("{}: the array is not contiguous; copy it with "
                                                          "numpy.ascontiguousarray, or copy it strided",
                                                          call));
            if (writable && !array->has(NumpyArray::writeable_flag))
                throw Error(ErrorKind::Value, fmt::format("{}: the array to copy to is read-only", call));
            data_ = array->data;
            bytes_ = nb::cast<std::size_t>(object.attr("nbytes"));
            return;
        }
        if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_ANY_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0)))
            throw nb::python_error();
        data_ = view_.buf;
        bytes_ = static_cast<std::size_t>(view_.len);
    }
    HostMemory(const HostMemory&) = delete;
    HostMemory& operator=(const HostMemory&) = delete;
    ~HostMemory() {
        if (view_.obj) PyBuffer_Release(&view_);
    }
    void* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }
    /// Memory of ours outlives the work that `stream` has now.
    void used_on(const std::shared_ptr<Stream>& stream) const {
        if (is_ndarray(object_)) note_host_use(object_, stream);
    }

private:
    nb::object object_;
    Py_buffer view_{};
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

/// Events behind the work of all streams that may use memory of `device` by its address.
std::vector<std::shared_ptr<Event>> record_work(Device& device) {
    std::vector<std::shared_ptr<Stream>> streams = tracked_streams().of(device);
    streams.push_back(device.default_stream());
    std::vector<std::shared_ptr<Event>> events;
    for (const std::shared_ptr<Stream>& stream : streams) {
        events.push_back(device.create_event(false));
        stream->record(*events.back());
    }
    return events;
}

/// GPUs' drivers check addresses themselves; on the host a wrong one would end the process.
void require_mapped(const Stream& stream, const void* address, std::size_t bytes, const char* call) {
    Device& device = stream.device();
    if (device.kind() != DeviceKind::Cpu) return;
    if (!device.owns_address(address) || !device.owns_address(static_cast<const char*>(address) + bytes - 1))
        refuse(call, fmt::format("{} bytes at address {}, where the process has no memory", bytes, address));
}

void copy_to_device(nb::handle target, nb::handle source, nb::handle stream_object, bool wait) {
    HostMemory host(source, false, "copy to device");
    if (host.bytes() == 0) return;
    void* device = to_address(target, host.bytes(), "copy to device");
    std::shared_ptr<Stream> stream = to_stream(stream_object, nb::none());
    require_mapped(*stream, device, host.bytes(), "copy to device");
    host.used_on(stream);
    nb::gil_scoped_release release;
    stream->copy_to_device(device, host.data(), host.bytes());
    // Pageable memory has been read by now.
    if (wait && stream->device().owns_address(host.data())) synchronize(*stream);
}

void copy_to_host(nb::handle target, nb::handle source, nb::handle stream_object, bool wait) {
    HostMemory host(target, true, "copy to host");
    if (host.bytes() == 0) return;
    const void* device = to_address(source, host.bytes(), "copy to host");
    std::shared_ptr<Stream> stream = to_stream(stream_object, nb::none());
    require_mapped(*stream, device, host.bytes(), "copy to host");
    host.used_on(stream);
    nb::gil_scoped_release release;
    stream->copy_to_host(host.data(), device, host.bytes());
    if (wait) synchronize(*stream);
}

void copy_on_device(nb::handle target, nb::handle source, std::size_t bytes, nb::handle stream_object) {
    if (bytes == 0) return;
    void* to = to_address(target, bytes, "copy on the device");
    const void* from = to_address(source, bytes, "copy on the device");
    std::shared_ptr<Stream> stream = to_stream(stream_object, nb::none());
    require_mapped(*stream, to, bytes, "copy on the device");
    require_mapped(*stream, from, bytes, "copy on the device");
    nb::gil_scoped_release release;
    stream->copy_on_device(to, from, bytes);
}

void fill(nb::handle target, std::uint64_t pattern, int width, std::size_t columns, std::size_t rows, std::size_t pitch,
          nb::handle stream_object) {
    if (columns == 0 || rows == 0) return;
    std::size_t row = columns * static_cast<std::size_t>(width);
    if (rows > 1 && pitch < row)
        refuse("fill", fmt::format("rows of {} bytes do not fit into a pitch of {} bytes", row, pitch));
    std::size_t extent = rows == 1 ? row : (rows - 1) * pitch + row;
    void* start = to_address(target, extent, "fill");
    std::shared_ptr<Stream> stream = to_stream(stream_object, nb::none());
    require_mapped(*stream, start, extent, "fill");
    nb::gil_scoped_release release;
    if (rows == 1 || pitch == row) return stream->fill(start, pattern, width, columns * rows);
    std::shared_ptr<Buffer> element = Buffer::create(stream, sizeof pattern);
    stream->copy_to_device(element->data(), &pattern, sizeof pattern);
    Dims shape(2), strides(2), none(2);
    shape[0] = static_cast<std::int64_t>(rows);
    shape[1] = static_cast<std::int64_t>(columns);
    strides[0] = static_cast<std::int64_t>(pitch);
    strides[1] = width;
    run_on_device(CopyPlan(shape, strides, none, width), start, element->data(), stream);
}

/// A box of bytes, slowest axis first, as each side lays it out; the last axis is a run of bytes.
struct Box {
    Dims shape, target_strides, source_strides;
    std::int64_t item_bytes = 1;

    Dims compact_strides() const { return contiguous_strides(shape, item_bytes, Order::C); }
    std::size_t bytes() const { return static_cast<std::size_t>(element_count(shape, item_bytes) * item_bytes); }

    /// Counts in the largest elements that everything is a multiple of.
    void widen(std::uintptr_t target, std::uintptr_t source) {
        int last = shape.size() - 1;
        std::uintptr_t bits = target | source | static_cast<std::uintptr_t>(shape[last]);
        for (int i = 0; i < last; ++i)
            bits |= static_cast<std::uintptr_t>(target_strides[i]) | static_cast<std::uintptr_t>(source_strides[i]);
        while (item_bytes < 8 && bits % static_cast<std::uintptr_t>(item_bytes * 2) == 0) item_bytes *= 2;
        shape[last] /= item_bytes;
        target_strides[last] = source_strides[last] = item_bytes;
    }
};

bool is_run(const Box& box, const Dims& strides) {
    return is_contiguous(box.shape, strides, box.item_bytes, Order::C);
}

void box_to_device(const Box& box, void* target, const void* source, const std::shared_ptr<Stream>& stream) {
    std::shared_ptr<Buffer> staged;
    void* up = target;
    if (!is_run(box, box.target_strides)) {
        staged = Buffer::create(stream, box.bytes());
        up = staged->data();
    }
    if (is_run(box, box.source_strides)) {
        stream->copy_to_device(up, source, box.bytes());
    } else {
        std::vector<std::byte> packed(box.bytes());
        run_on_host(CopyPlan(box.shape, box.compact_strides(), box.source_strides, box.item_bytes), packed.data(),
                    source);
        stream->copy_to_device(up, packed.data(), packed.size());
    }
    if (staged)
        run_on_device(CopyPlan(box.shape, box.target_strides, box.compact_strides(), box.item_bytes), target,
                      staged->data(), stream);
}

void box_to_host(const Box& box, void* target, const void* source, const std::shared_ptr<Stream>& stream) {
    std::shared_ptr<Buffer> staged;
    const void* down = source;
    if (!is_run(box, box.source_strides)) {
        staged = Buffer::create(stream, box.bytes());
        run_on_device(CopyPlan(box.shape, box.compact_strides(), box.source_strides, box.item_bytes), staged->data(),
                      source, stream);
        down = staged->data();
    }
    if (is_run(box, box.target_strides)) return stream->copy_to_host(target, down, box.bytes());
    std::vector<std::byte> packed(box.bytes());
    stream->copy_to_host(packed.data(), down, packed.size());
    run_on_host(CopyPlan(box.shape, box.target_strides, box.compact_strides(), box.item_bytes), target, packed.data());
}

void copy_box(std::uintptr_t target, std::uintptr_t source, nb::handle shape, nb::handle target_strides,
              nb::handle source_strides, bool target_on_host, bool source_on_host, nb::handle stream_object,
              bool wait) {
    Box box{to_dims(shape, "shape"), to_dims(target_strides, "target_strides"),
            to_dims(source_strides, "source_strides")};
    if (box.shape.size() == 0 || box.target_strides.size() != box.shape.size() ||
        box.source_strides.size() != box.shape.size())
        refuse("strided copy", "shape and strides must have the same, non-zero number of items");
    for (int i = 0; i < box.shape.size(); ++i)
        if (box.shape[i] < 0 || box.target_strides[i] < 0 || box.source_strides[i] < 0)
            refuse("strided copy", "extents and strides cannot be negative");
    int last = box.shape.size() - 1;
    if (box.target_strides[last] != 1 || box.source_strides[last] != 1)
        refuse("strided copy", "the last axis counts bytes: its strides are 1");
    if (box.bytes() == 0) return;
    if (!target || !source)
        refuse("strided copy", fmt::format("{} bytes {} address 0", box.bytes(), target ? "from" : "to"));
    box.widen(target, source);
    std::shared_ptr<Stream> stream = to_stream(stream_object, nb::none());
    auto* to = reinterpret_cast<void*>(target);
    const auto* from = reinterpret_cast<const void*>(source);
    nb::gil_scoped_release release;
    CopyPlan plan(box.shape, box.target_strides, box.source_strides, box.item_bytes);
    if (target_on_host && source_on_host) {
        synchronize(*stream);
        run_on_host(plan, to, from);
    } else if (source_on_host) {
        box_to_device(box, to, from, stream);
    } else if (target_on_host) {
        box_to_host(box, to, from, stream);
    } else {
        run_on_device(plan, to, from, stream);
    }
    if (wait) synchronize(*stream);
}

}  // namespace

std::shared_ptr<Buffer> create_raw_buffer(const std::shared_ptr<Stream>& stream, std::size_t bytes) {
    std::shared_ptr<Buffer> buffer = Buffer::create(stream, bytes);
    buffer->mark_shared();
    Buffer* raw = buffer.get();
    return std::shared_ptr<Buffer>(raw, [owner = std::move(buffer)](Buffer*) mutable {
        for (const std::shared_ptr<Stream>& used : tracked_streams().of(owner->device())) owner->used_on(used);
        owner->used_on(owner->device().default_stream());
        owner.reset();
    });
}

void* to_address(nb::handle object, std::size_t bytes, const char* call) {
    if (const Buffer* buffer = find_buffer(object)) {
        if (bytes > buffer->bytes())
            refuse(call, fmt::format("{} bytes at an allocation of {} bytes", bytes, buffer->bytes()));
        return buffer->data();
    }
    void* address = nullptr;
    if (const Array* array = find_array(object)) {
        address = array->data();
    } else {
        if (!PyIndex_Check(object.ptr()))
            throw Error(ErrorKind::Type,
                        fmt::format("{}: expected device memory (an allocation, or an address as an int), got {}", call,
                                    Py_TYPE(object.ptr())->tp_name));
        nb::object index = nb::steal(PyNumber_Index(object.ptr()));
        if (!index.is_valid()) throw nb::python_error();
        address = PyLong_AsVoidPtr(index.ptr());
        if (!address && PyErr_Occurred()) throw nb::python_error();
    }
    if (!address && bytes) refuse(call, fmt::format("{} bytes at address 0", bytes));
    return address;
}

void bind_raw_memory(nb::module_& m) {
    m.def(
        "track_raw_stream", [](std::shared_ptr<Stream> stream) { tracked_streams().add(std::move(stream)); },
        "stream"_a);
    m.def(
        "record_raw_work", [](nb::handle device) { return record_work(to_device(device)); },
        "device"_a.none() = nb::none());
    m.def("raw_copy_to_device", &copy_to_device, "target"_a, "source"_a, "stream"_a.none() = nb::none(),
          "wait"_a = true);
    m.def("raw_copy_to_host", &copy_to_host, "target"_a, "source"_a, "stream"_a.none() = nb::none(), "wait"_a = true);
    m.def("raw_copy", &copy_on_device, "target"_a, "source"_a, "bytes"_a, "stream"_a.none() = nb::none());
    m.def("raw_fill", &fill, "target"_a, "pattern"_a, "width"_a, "columns"_a, "rows"_a = 1, "pitch"_a = 0,
          "stream"_a.none() = nb::none());
    m.def("raw_copy_box", &copy_box, "target"_a, "source"_a, "shape"_a, "target_strides"_a, "source_strides"_a,
          nb::kw_only(), "target_on_host"_a = false, "source_on_host"_a = false, "stream"_a.none() = nb::none(),
          "wait"_a = true);
    m.def(
        "host_address",
        [](nb::handle object, bool writable) {
            HostMemory host(object, writable, "host_address");
            return std::pair(reinterpret_cast<std::uintptr_t>(host.data()), host.bytes());
        },
        "object"_a, "writable"_a = false);
}

}  // namespace lanewise::bindings
