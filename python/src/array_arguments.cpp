// Array arguments of launches.
#include "array_arguments.h"

#include <fmt/format.h>
#include <nanobind/stl/shared_ptr.h>

#include "array_object.h"
#include "device_object.h"
#include "foreign.h"
#include "interface.h"
#include "lanewise/ops.h"
#include "numpy.h"

namespace nb = nanobind;

namespace lanewise::bindings {

bool can_share(nb::handle ndarray) {
    const NumpyArray* array = numpy_array(ndarray);
    return array->has(NumpyArray::aligned_flag) && find_dtype(array->dtype).has_value();
}

const Array& LaunchExtras::device_array(nb::handle ndarray, bool copy_in, bool copy_out) {
    for (const std::unique_ptr<HostCopy>& copy : copies_)
        if (copy->array.is(ndarray)) {
            copy->copy_out |= copy_out;
            return copy->device;
        }
    NumpyArray* raw = numpy_array(ndarray);
    bool read_only = !raw->has(NumpyArray::writeable_flag);
    HostArray host = to_host_array(ndarray);
    if (stream_->device().kind() == DeviceKind::Cpu && can_share(ndarray)) {
        waits_ = true;
        std::int64_t low = 0,
                     high = element_count(host.view.shape, size_of(host.view.dtype)) > 0 ? size_of(host.view.dtype) : 0;
        for (int i = 0; high > 0 && i < host.view.shape.size(); ++i)
            (host.view.strides[i] < 0 ? low : high) += (host.view.shape[i] - 1) * host.view.strides[i];
        // No stream: finish() waits, so that the buffer's end need not, with the GIL held.
        auto buffer = Buffer::foreign(stream_->device(), MemoryKind::Device, raw->data + low,
                                      static_cast<std::size_t>(high - low), nullptr, {});
        Array array =
            Array::over(std::move(buffer), -low, host.view.shape, host.view.strides, host.view.dtype, read_only);
        copies_.push_back(
            std::make_unique<HostCopy>(HostCopy{nb::borrow(ndarray), host.view, std::move(array), false}));
        return copies_.back()->device;
    }
    copied_ = true;
    if (host.array.ptr() != ndarray.ptr() && copy_out && !read_only)
        throw Error(ErrorKind::Value,
                    "a host array in foreign byte order cannot be written by a kernel; convert it first");
    std::optional<Array> device;
    {
        nb::gil_scoped_release release;
        if (copy_in) {
            device = Array::from_host(host.view, stream_);
        } else {
            bool fortran = !is_contiguous(host.view.shape, host.view.strides, size_of(host.view.dtype), Order::C) &&
                           is_contiguous(host.view.shape, host.view.strides, size_of(host.view.dtype), Order::F);
            device = Array::empty(host.view.shape, host.view.dtype, stream_, fortran ? Order::F : Order::C);
        }
    }
    if (read_only) device = device->as_read_only();
    note_host_use(host.array, stream_);
    copies_.push_back(std::make_unique<HostCopy>(
        HostCopy{std::move(host.array), host.view, std::move(*device), copy_out && !read_only}));
    return copies_.back()->device;
}

void LaunchExtras::order_with(std::shared_ptr<Stream> producer) {
    if (producer == stream_) return;
    stream_->follow(*producer);
    producers_.push_back(std::move(producer));
}

void LaunchExtras::finish() {
    for (const std::shared_ptr<Stream>& producer : producers_) producer->follow(*stream_);
    nb::gil_scoped_release release;
    for (const std::unique_ptr<HostCopy>& copy : copies_) {
        if (!copy->copy_out) continue;
        copy->device.copy_to_host(copy->view, stream_);
        // Copies into pinned memory are not complete yet.
        waits_ = true;
    }
    if (waits_) synchronize(*stream_);
}

LaunchExtras& ArrayArguments::extras_needed() {
    if (!extras_) extras_ = std::make_unique<LaunchExtras>(*stream_);
    return *extras_;
}

void ArrayArguments::fail_device(const Device& device, const char* what) const {
    throw Error(ErrorKind::Value, fmt::format("the {} lies on {}, but the kernel is launched on {}", what,
                                              device.name(), device_->name()));
}

void ArrayArguments::order_with(std::uintptr_t handle) {
    std::uintptr_t own = (*stream_)->handle();
    // 0 and 1 are two names of the default stream.
    if (handle == own || (handle <= 1 && own <= 1)) return;
    extras_needed().order_with(interface_stream(*device_, handle ? handle : 1));
}

std::optional<ForeignArray> ArrayArguments::exchange(const ArgumentClassInfo& info, PyObject* object) {
    dlpack::Tensor tensor{};
    if (!read_exchange(info, object, tensor)) return std::nullopt;
    dlpack::Layout layout = dlpack::layout_of(tensor);
    bool on_cpu = tensor.device.type == dlpack::cpu;
    if (stream_) {
        bool matches = on_cpu ? device_->kind() == DeviceKind::Cpu
                              : device_->kind() == DeviceKind::Cuda && device_->ordinal() == tensor.device.id;
        if (!matches)
            throw Error(ErrorKind::Value,
                        fmt::format("the array lies on DLPack device ({}, {}), but the kernel is launched on {}",
                                    tensor.device.type, tensor.device.id, device_->name()));
        if (!dlpack::has_streams(tensor.device.type)) {
            extras_needed().wait_at_end();
        } else {
            void* stream = nullptr;
            if (info.exchange->current_work_stream(tensor.device.type, tensor.device.id, &stream) != 0)
                throw nb::python_error();
            order_with(reinterpret_cast<std::uintptr_t>(stream));
        }
    }
    return ForeignArray{layout.data, layout.dtype, false, std::move(layout.shape), std::move(layout.strides)};
}

std::optional<ForeignArray> ArrayArguments::interface(nb::handle object) {
    nb::object dict = interface_of(object);
    if (!dict.is_valid()) return std::nullopt;
    Interface found = read_interface(dict);
    if (found.version < 3 && !found.stream && nb::hasattr(object, "__dlpack__")) return std::nullopt;
    if (stream_) {
        if (found.stream) order_with(*found.stream);
        // Host memory has no allocator that knows streams.
        if (device_->kind() == DeviceKind::Cpu) extras_needed().wait_at_end();
    }
    return ForeignArray{found.data, found.dtype, found.read_only, std::move(found.shape), std::move(found.strides)};
}

Array ArrayArguments::adopt(nb::handle object) {
    std::optional<Array> array = find_foreign_array(object, stream_ ? *stream_ : nullptr);
    if (!array)
        throw Error(ErrorKind::Type,
                    fmt::format("a {} gives no array away, though its class can", Py_TYPE(object.ptr())->tp_name));
    if (!stream_) return *array;
    use(*array);
    // The producer learns nothing of our stream: its memory is given back when the kernel is through.
    extras_needed().wait_at_end();
    extras_needed().keep(*array);
    return *array;
}

}  // namespace lanewise::bindings
