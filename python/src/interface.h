// The CUDA array interface and DLPack: device arrays of other libraries.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string>

#include "interop/dlpack.h"
#include "lanewise/array.h"
#include "lanewise/error.h"

namespace lanewise::bindings {

/// What a `__cuda_array_interface__` says.
struct Interface {
    void* data = nullptr;
    bool read_only = false;
    DType dtype{};
    Dims shape, strides;
    int version = 0;
    /// The producer's stream: 1 legacy, 2 per-thread, else a handle; none: no wait is needed.
    std::optional<std::uintptr_t> stream;
};

/// Error(Type, Value, NotImplemented) for a malformed or masked one.
Interface read_interface(nanobind::handle dict);
/// The `__cuda_array_interface__` dict of `object`; invalid when it has none.
nanobind::object interface_of(nanobind::handle object);
/// Version 3.
nanobind::dict export_interface(const Array& array);

/// An Array over the memory, kept alive by `owner`. With `sync` the device's current stream waits for the producer's.
Array adopt_interface(const Interface& interface, nanobind::handle owner, bool sync);

/// The stream of a CUDA array interface's entry on `device`.
std::shared_ptr<Stream> interface_stream(Device& device, std::uintptr_t handle);

/// A capsule, versioned when the consumer knows DLPack 1. BufferError for what cannot be exported, or not without a
/// copy that is forbidden.
nanobind::object export_dlpack(const Array& array, nanobind::handle stream, nanobind::handle max_version,
                               nanobind::handle dl_device, nanobind::handle copy);
std::pair<int, int> dlpack_device(const Array& array);
/// By `__dlpack__` of the object, for work on `stream` (None: the current one).
Array import_dlpack(nanobind::handle source, nanobind::handle stream);
/// Of a DLPack capsule, which is used up. Error(Value) when it was before, Error(Type) when it is none.
Array adopt_capsule(nanobind::handle capsule);
/// Takes the tensor, whatever comes of it. Error(Type) for another major version of DLPack.
Array adopt_managed(dlpack::ManagedTensorVersioned* managed);

/// Raises BufferError.
[[noreturn]] void fail_buffer(const std::string& text);
/// Runs `f`, with a BufferError for what its arguments cannot express.
template <class F>
auto as_buffer_error(F&& f) {
    try {
        return f();
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::Value && error.kind() != ErrorKind::Type) throw;
        fail_buffer(error.what());
    }
}

}  // namespace lanewise::bindings
