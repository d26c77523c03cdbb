// Python objects as kernel arguments: classified by exact type, written straight into a launch's signature and buffer.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <vector>

#include "interop/dlpack.h"
#include "jit/arguments.h"
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

/// Reads arguments into an ArgumentWriter. Device arrays and scalars touch neither the heap nor Python code.
class ArgumentReader {
public:
    /// For a launch on `*stream`, a stream of `device`; for the types only (no copies, arrays of any device) when it is
    /// null.
    ArgumentReader(jit::ArgumentWriter& writer, Device& device, const std::shared_ptr<Stream>* stream)
        : writer_(writer), stream_(stream), device_(&device) {}

    /// Error(Type, Value, Overflow) without the argument's name.
    void read(PyObject* object);

    /// Null when the launch needs nothing besides.
    LaunchExtras* extras() const { return extras_.get(); }

private:
    void read_array(const Array& array);
    void read_int(PyObject* object);
    void read_tuple(PyObject* tuple);
    void read_host_array(nanobind::handle ndarray, bool copy_in, bool copy_out);
    void read_other(PyObject* object);
    void read_exchange(const dlpack::ExchangeTable& table, PyObject* object);
    bool read_interface(nanobind::handle object);
    void read_dlpack(nanobind::handle object);
    void write(const Array& array);
    LaunchExtras& extras_needed();
    /// The launch and the work on the stream of this handle (0 and 1: the default stream) follow each other.
    void order_with(std::uintptr_t handle);

    jit::ArgumentWriter& writer_;
    const std::shared_ptr<Stream>* stream_;
    Device* device_;
    int depth_ = 0;
    std::unique_ptr<LaunchExtras> extras_;
};

}  // namespace lanewise::bindings
