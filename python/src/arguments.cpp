// Reading kernel arguments.
#include "arguments.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "argument_classes.h"
#include "array_object.h"
#include "device_object.h"
#include "interface.h"
#include "numpy.h"

namespace nb = nanobind;

namespace lanewise::bindings {
namespace {

constexpr int most_nested_tuples = 16;

python::Layout layout_of(const Array& array) {
    return array.is_c_contiguous()   ? python::Layout::C
           : array.is_f_contiguous() ? python::Layout::F
                                     : python::Layout::A;
}

python::Layout layout_of(const Dims& shape, const Dims& strides, std::int64_t item_bytes) {
    return is_contiguous(shape, strides, item_bytes, Order::C)   ? python::Layout::C
           : is_contiguous(shape, strides, item_bytes, Order::F) ? python::Layout::F
                                                                 : python::Layout::A;
}

/// Kernels of the cpu device can work on such an array's own memory.
bool can_share(const NumpyArray* array) {
    return array->has(NumpyArray::aligned_flag) && find_dtype(array->dtype).has_value();
}

}  // namespace

const Array& LaunchExtras::device_array(nb::handle ndarray, bool copy_in, bool copy_out) {
    for (const std::unique_ptr<HostCopy>& copy : copies_)
        if (copy->array.is(ndarray)) {
            copy->copy_out |= copy_out;
            return copy->device;
        }
    NumpyArray* raw = numpy_array(ndarray);
    bool read_only = !raw->has(NumpyArray::writeable_flag);
    HostArray host = to_host_array(ndarray);
    if (stream_->device().kind() == DeviceKind::Cpu && can_share(raw)) {
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
    if (producer == stream_ || producer->handle() == stream_->handle()) return;
    wait_for_stream(stream_, producer);
    producers_.push_back(std::move(producer));
}

void LaunchExtras::finish() {
    for (const std::shared_ptr<Stream>& producer : producers_) wait_for_stream(producer, stream_);
    nb::gil_scoped_release release;
    for (const std::unique_ptr<HostCopy>& copy : copies_) {
        if (!copy->copy_out) continue;
        copy->device.copy_to_host(copy->view, stream_);
        // Copies into pinned memory are not complete yet.
        waits_ = true;
    }
    if (waits_) stream_->synchronize();
}

LaunchExtras& ArgumentReader::extras_needed() {
    if (!extras_) extras_ = std::make_unique<LaunchExtras>(*stream_);
    return *extras_;
}

void ArgumentReader::read(PyObject* object) {
    // The order of the first tests is that of frequency; each is one compare.
    PyTypeObject* type = Py_TYPE(object);
    if (type == &PyFloat_Type) return writer_.scalar(DType::Float64, PyFloat_AS_DOUBLE(object));
    if (type == &PyLong_Type) return read_int(object);
    ArgumentClassInfo info = ArgumentClasses::find(type);
    switch (info.kind) {
        case ArgumentClass::Array:
            return read_array(*nb::inst_ptr<Array>(object));
        case ArgumentClass::NumpyScalar:
            return writer_.scalar_bytes(
                info.dtype,
                reinterpret_cast<const char*>(object) +
                    (size_of(info.dtype) > 8 ? offsetof(NumpyScalar<std::complex<double>>, value) : sizeof(PyObject)));
        case ArgumentClass::Bool:
            return writer_.scalar(DType::Bool, object == Py_True);
        case ArgumentClass::Int:
            return read_int(object);
        case ArgumentClass::Float:
            return writer_.scalar(DType::Float64, PyFloat_AS_DOUBLE(object));
        case ArgumentClass::None:
            return writer_.none();
        case ArgumentClass::Tuple:
            return read_tuple(object);
        case ArgumentClass::HostArray:
            return read_host_array(object, true, true);
        case ArgumentClass::Exchange:
            return read_exchange(*info.exchange, object);
        default:
            return read_other(object);
    }
}

void ArgumentReader::write(const Array& array) {
    writer_.array(array.dtype(), array.ndim(), layout_of(array), array.read_only(), array.data(), array.shape().data(),
                  array.strides().data());
}

void ArgumentReader::read_array(const Array& array) {
    if (stream_) {
        if (&array.device() != device_) [[unlikely]]
            throw Error(ErrorKind::Value, fmt::format("the array lies on {}, but the kernel is launched on {}",
                                                      array.device().name(), device_->name()));
        array.buffer()->used_on(*stream_);
    }
    write(array);
}

void ArgumentReader::read_int(PyObject* object) {
    int overflow = 0;
    std::int64_t value = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (!overflow) return writer_.scalar(DType::Int64, value);
    std::uint64_t wide = overflow > 0 ? PyLong_AsUnsignedLongLong(object) : 0;
    if (overflow < 0 || PyErr_Occurred()) {
        PyErr_Clear();
        throw Error(ErrorKind::Overflow, fmt::format("the integer {} needs more than 64 bits",
                                                     nb::cast<std::string>(nb::str(nb::handle(object)))));
    }
    writer_.scalar(DType::UInt64, wide);
}

void ArgumentReader::read_tuple(PyObject* tuple) {
    Py_ssize_t count = PyTuple_GET_SIZE(tuple);
    if (count > jit::max_tuple_items || depth_ == most_nested_tuples)
        throw Error(ErrorKind::Type,
                    fmt::format("tuples can have {} items and be nested {} deep; this one has {} items",
                                jit::max_tuple_items, most_nested_tuples, count));
    ++depth_;
    writer_.tuple(static_cast<int>(count));
    for (Py_ssize_t i = 0; i < count; ++i) read(PyTuple_GET_ITEM(tuple, i));
    --depth_;
}

void ArgumentReader::read_host_array(nb::handle ndarray, bool copy_in, bool copy_out) {
    if (std::optional<Array> mapped = array_of_ndarray(ndarray)) return read_array(*mapped);
    if (stream_) return write(extras_needed().device_array(ndarray, copy_in, copy_out));
    // The types that device_array gives.
    HostArray host = to_host_array(ndarray);
    std::int64_t item = size_of(host.view.dtype);
    bool shared = device_->kind() == DeviceKind::Cpu && can_share(numpy_array(ndarray));
    python::Layout layout = layout_of(host.view.shape, host.view.strides, item);
    // What is copied becomes contiguous.
    if (layout == python::Layout::A && !shared) layout = python::Layout::C;
    writer_.array(host.view.dtype, host.view.shape.size(), layout,
                  !numpy_array(ndarray)->has(NumpyArray::writeable_flag), nullptr, host.view.shape.data(),
                  host.view.strides.data());
}

void ArgumentReader::read_other(PyObject* raw) {
    nb::handle object(raw);
    switch (ArgumentClasses::find(Py_TYPE(raw)).kind) {
        case ArgumentClass::Complex: {
            Py_complex value = PyComplex_AsCComplex(raw);
            double parts[2] = {value.real, value.imag};
            return writer_.scalar_bytes(DType::Complex128, parts);
        }
        case ArgumentClass::HostArgument: {
            const HostArgument& host = *nb::inst_ptr<HostArgument>(object);
            return read_host_array(host.array, host.copy_in, host.copy_out);
        }
        case ArgumentClass::Enum:
            return read(nb::object(object.attr("value")).ptr());
        case ArgumentClass::Extension: {
            nb::object hook = object.attr("__lanewise_argument__");
            nb::object value = PyCallable_Check(hook.ptr()) ? hook() : hook;
            if (depth_ == most_nested_tuples)
                throw Error(ErrorKind::Type, "__lanewise_argument__ gives such objects without end");
            ++depth_;
            read(value.ptr());
            --depth_;
            return;
        }
        case ArgumentClass::Dlpack:
            return read_dlpack(object);
        default:
            break;
    }
    if (read_interface(object)) return;
    if (nb::hasattr(object, "__dlpack__")) return read_dlpack(object);
    throw Error(ErrorKind::Type,
                fmt::format("an object of type {} cannot be passed to a kernel; pass numbers, arrays, tuples of "
                            "them, None, or objects with __cuda_array_interface__ or __dlpack__",
                            Py_TYPE(raw)->tp_name));
}

void ArgumentReader::order_with(std::uintptr_t handle) {
    std::uintptr_t own = (*stream_)->handle();
    // 0 and 1 are two names of the default stream.
    if (handle == own || (handle <= 1 && own <= 1)) return;
    extras_needed().order_with(interface_stream(*device_, handle ? handle : 1));
}

void ArgumentReader::read_exchange(const dlpack::ExchangeTable& table, PyObject* object) {
    dlpack::Tensor tensor{};
    if (table.tensor_from_object(object, &tensor) != 0) throw nb::python_error();
    bool on_cpu = tensor.device.type == dlpack::cpu;
    if (stream_) {
        bool matches = on_cpu ? device_->kind() == DeviceKind::Cpu
                              : device_->kind() == DeviceKind::Cuda && device_->ordinal() == tensor.device.id;
        if (!matches)
            throw Error(ErrorKind::Value,
                        fmt::format("the array lies on DLPack device ({}, {}), but the kernel is launched on {}",
                                    tensor.device.type, tensor.device.id, device_->name()));
        if (on_cpu) {
            extras_needed().wait_at_end();
        } else {
            void* stream = nullptr;
            if (table.current_work_stream(tensor.device.type, tensor.device.id, &stream) != 0) throw nb::python_error();
            order_with(reinterpret_cast<std::uintptr_t>(stream));
        }
    }
    DType dtype = dlpack::dtype_of(tensor.dtype);
    Dims shape(std::span<const std::int64_t>(tensor.shape, static_cast<std::size_t>(tensor.ndim)));
    Dims strides = contiguous_strides(shape, size_of(dtype), Order::C);
    if (tensor.strides)
        for (int i = 0; i < tensor.ndim; ++i) strides[i] = tensor.strides[i] * size_of(dtype);
    writer_.array(dtype, tensor.ndim, layout_of(shape, strides, size_of(dtype)), false,
                  static_cast<std::byte*>(tensor.data) + tensor.byte_offset, shape.data(), strides.data());
}

bool ArgumentReader::read_interface(nb::handle object) {
    nb::object dict = interface_of(object);
    if (!dict.is_valid()) return false;
    Interface found = bindings::read_interface(dict);
    if (stream_) {
        if (found.stream) order_with(*found.stream);
        // Host memory has no allocator that knows streams.
        if (device_->kind() == DeviceKind::Cpu) extras_needed().wait_at_end();
    }
    std::int64_t item = size_of(found.dtype);
    writer_.array(found.dtype, found.shape.size(), layout_of(found.shape, found.strides, item), found.read_only,
                  found.data, found.shape.data(), found.strides.data());
    return true;
}

void ArgumentReader::read_dlpack(nb::handle object) {
    if (!stream_) return write(import_dlpack(object, nb::none()));
    nb::object stream = nb::cast(*stream_);
    Array array = import_dlpack(object, stream);
    read_array(array);
    // The producer learns nothing of our stream: its memory is given back when the kernel is through.
    extras_needed().wait_at_end();
    extras_needed().keep(std::move(array));
}

}  // namespace lanewise::bindings
