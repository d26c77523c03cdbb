// Arrays given to a launch: where they lie, and how the launch is ordered with the work of those that made them. Shared
// by kernels in Python and in CUDA C++.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <vector>

#include "argument_classes.h"
#include "lanewise/array.h"

namespace lanewise::bindings {

/// Directs the copies of a host array (numba's In, Out, InOut).
struct HostArgument {
    nanobind::object array;
    bool copy_in = true;
    bool copy_out = true;
};

/// What a launch must do besides launching: host arrays to and from the device, order with streams of other libraries.
class LaunchExtras {
public:
    explicit LaunchExtras(std::shared_ptr<Stream> stream) : stream_(std::move(stream)) {}

    /// The host array's copy on the device, made once for each object; on the cpu device its own memory where that is
    /// laid out as kernels expect.
    const Array& device_array(nanobind::handle ndarray, bool copy_in, bool copy_out);
    /// The launch follows what `producer` has now; later work of `producer` follows the launch.
    void order_with(std::shared_ptr<Stream> producer);
    /// The memory may go away when the launch returns.
    void wait_at_end() { waits_ = true; }
    /// Lives until finish() is through.
    void keep(Array array) { arrays_.push_back(std::move(array)); }
    bool copied_host_arrays() const { return copied_; }

    /// After the launch: copies back, waits where host memory was involved. Needs the GIL; gives it up while waiting.
    void finish();

private:
    struct HostCopy {
        nanobind::object array;
        HostView view;
        Array device;
        bool copy_out;
    };
    std::shared_ptr<Stream> stream_;
    std::vector<std::unique_ptr<HostCopy>> copies_;
    std::vector<std::shared_ptr<Stream>> producers_;
    std::vector<Array> arrays_;
    bool waits_ = false;
    bool copied_ = false;
};

/// Memory of another library, described for one launch.
struct ForeignArray {
    void* data = nullptr;
    DType dtype{};
    bool read_only = false;
    Dims shape, strides;
};

/// Kernels of the cpu device can work on such a NumPy array's own memory.
bool can_share(nanobind::handle ndarray);

/// The array arguments of one launch. Arrays of ours touch neither the heap nor Python code.
class ArrayArguments {
public:
    /// For a launch on `*stream`, a stream of `device`; for types only (no copies, arrays of any device) when it is
    /// null.
    ArrayArguments(Device& device, const std::shared_ptr<Stream>* stream) : stream_(stream), device_(&device) {}

    Device& device() const { return *device_; }
    bool launches() const { return stream_ != nullptr; }

    /// The launch reads or writes it. Error(Value) when it lies on another device.
    void use(const Array& array) {
        if (!stream_) return;
        if (&array.device() != device_) [[unlikely]]
            fail_device(array.device(), "array");
        array.use_on(*stream_);
    }
    void use(Buffer& buffer) {
        if (!stream_) return;
        if (&buffer.device() != device_) [[unlikely]]
            fail_device(buffer.device(), "buffer");
        buffer.used_on(*stream_);
    }
    /// LaunchExtras::device_array.
    const Array& host_array(nanobind::handle ndarray, bool copy_in, bool copy_out) {
        return extras_needed().device_array(ndarray, copy_in, copy_out);
    }
    /// By the C exchange table of the object's class; none where the table does not say all (read_exchange).
    std::optional<ForeignArray> exchange(const ArgumentClassInfo& info, PyObject* object);
    /// By `__cuda_array_interface__`; none when the object has none, or one from before version 3, which says nothing
    /// of streams, beside `__dlpack__`, which orders them.
    std::optional<ForeignArray> interface(nanobind::handle object);
    /// By whatever else the object offers (find_foreign_array). Error(Type) when that is nothing.
    Array adopt(nanobind::handle object);

    /// Null when the launch needs nothing besides.
    LaunchExtras* extras() const { return extras_.get(); }
    LaunchExtras& extras_needed();

private:
    [[noreturn]] void fail_device(const Device& device, const char* what) const;
    /// The launch and the work on the stream of this handle (0 and 1: the default stream) follow each other.
    void order_with(std::uintptr_t handle);

    const std::shared_ptr<Stream>* stream_;
    Device* device_;
    std::unique_ptr<LaunchExtras> extras_;
};

}  // namespace lanewise::bindings
