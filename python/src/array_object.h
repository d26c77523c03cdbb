// _core.Array and _core.Buffer as Python objects.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>

#include "lanewise/array.h"

namespace lanewise::bindings {

/// The Array of a _core.Array instance (or of a subclass); null for other objects.
const Array* find_array(nanobind::handle object);
/// _core.Array itself.
PyTypeObject* array_type();
/// A new instance of `type`, _core.Array or a subclass; the class set by set_array_class when `type` is not given.
nanobind::object make_array(nanobind::handle type, Array array);
nanobind::object make_array(Array array);

nanobind::object make_buffer(std::shared_ptr<Buffer> buffer);
/// The Buffer of a _core.Buffer instance (or of a subclass); null for other objects. Error(Value) when it was released.
Buffer* find_buffer(nanobind::handle object);
/// Error(Type) for anything but a _core.Buffer.
std::shared_ptr<Buffer> require_buffer(nanobind::handle object);
/// The Buffer a NumPy array (or the array it is a view of) lives in; null for memory that is not ours.
std::shared_ptr<Buffer> buffer_of_ndarray(nanobind::handle ndarray);
/// Asynchronous work on `stream` uses the array's memory: memory of ours then outlives it.
void note_host_use(nanobind::handle ndarray, const std::shared_ptr<Stream>& stream);
/// A NumPy array in Mapped or Managed memory as a device array; none for other memory.
std::optional<Array> array_of_ndarray(nanobind::handle ndarray);

/// A buffer whose destruction may wait for streams: its last owner drops it without the GIL.
std::shared_ptr<Buffer> released_without_gil(std::shared_ptr<Buffer> buffer);
/// Foreign memory from `low` on, kept alive by a Python object.
std::shared_ptr<Buffer> foreign_buffer(Device& device, MemoryKind kind, void* low, std::size_t bytes,
                                       nanobind::handle owner);

/// Extents from an integer or a sequence of integers.
Dims to_dims(nanobind::handle object, const char* what);
nanobind::object to_tuple(const Dims& dims);
Order to_order(nanobind::handle order, bool allow_keep = false);

/// A NumPy array with one of our dtypes in native byte order, and its memory. `object` goes through numpy.asarray.
struct HostArray {
    nanobind::object array;
    HostView view;
};
HostArray to_host_array(nanobind::handle object, std::optional<DType> dtype = std::nullopt);

}  // namespace lanewise::bindings
