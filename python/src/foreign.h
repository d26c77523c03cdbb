// Arrays of other libraries as arrays of ours, by what they offer: the C exchange table of their class, DLPack, or the
// CUDA array interface.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>

#include "argument_classes.h"
#include "lanewise/array.h"

namespace lanewise::bindings {

/// Arrays of other libraries; NumPy's are host arrays.
bool is_foreign_array(nanobind::handle object);
/// A view of such an array's memory, on the device it lies on; none for other objects. Work on `stream` comes after
/// what the library has to do; without one, or with one of another device, work on the device's current stream does.
/// What the library refuses to give away stays its exception.
std::optional<Array> find_foreign_array(nanobind::handle object, const std::shared_ptr<Stream>& stream = nullptr);

/// As find_foreign_array, and NumPy arrays in memory that devices use; none for host arrays and other objects.
std::optional<Array> find_device_memory(nanobind::handle object);
/// As find_foreign_array by the C exchange table of the object's class; none where read_exchange says false. `stream`:
/// None for the current one.
std::optional<Array> import_exchange(nanobind::handle object, nanobind::handle stream);
/// The tensor of an object whose class has a C exchange table. False when there is more to the object than a tensor can
/// say (gradients, conjugation), or when the library gives none: `__dlpack__` then says it, or why not.
bool read_exchange(const ArgumentClassInfo& info, PyObject* object, dlpack::Tensor& tensor);
/// Error(Type) for an object whose elements are the negatives of what is in its memory.
void refuse_negated(nanobind::handle object);

}  // namespace lanewise::bindings
