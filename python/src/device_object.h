// Devices and streams given as Python arguments.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "lanewise/device.h"

namespace lanewise::bindings {

/// None: the current device; a name, a CUDA ordinal or a Device.
Device& to_device(nanobind::handle device);
/// A Stream; an object with `__cuda_stream__`, or with an integer `ptr`, `handle` or `cuda_stream`; an integer handle.
/// Null for None and 0, the current stream. Error(Type) otherwise. Foreign handles are taken for the current device.
std::shared_ptr<Stream> find_stream(nanobind::handle stream);
/// As find_stream; None: the current stream of `device`.
std::shared_ptr<Stream> to_stream(nanobind::handle stream, Device& device);
/// The stream of work on `device`: from `stream`, from `device`, or the current ones, in this order.
std::shared_ptr<Stream> to_stream(nanobind::handle stream, nanobind::handle device);

nanobind::object wrap_device(Device& device);

/// Defines the members of the class Device that are in device_settings.cpp.
void bind_device_settings(nanobind::class_<Device>& device);

/// False once the interpreter ends: a thread that then waits for the GIL never comes back.
inline bool can_take_gil() {
    if (!Py_IsInitialized()) return false;
    if (PyGILState_Check()) return true;
#if PY_VERSION_HEX >= 0x030d0000
    return !Py_IsFinalizing();
#else
    return !_Py_IsFinalizing();
#endif
}

/// Runs `f` with the GIL when the interpreter still runs; does nothing otherwise.
template <class F>
void with_gil_if_alive(F&& f) {
    if (!can_take_gil()) return;
    nanobind::gil_scoped_acquire gil;
    f();
}

}  // namespace lanewise::bindings
