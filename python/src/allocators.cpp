// Allocators written in Python.
#include <fmt/format.h>

#include "array_object.h"
#include "bindings.h"
#include "device_object.h"
#include "lanewise/allocator.h"
#include "lanewise/error.h"

namespace lanewise::bindings {
namespace {

using namespace nb::literals;

/// A reference that may be dropped on any thread, also while the interpreter ends.
std::shared_ptr<PyObject> shared_reference(nb::handle object) {
    return {object.inc_ref().ptr(), [](PyObject* held) { with_gil_if_alive([held] { Py_DECREF(held); }); }};
}

/// What `function(size, stream)` gives, as memory: a Buffer, the offset in it, and what is kept while it is used.
std::shared_ptr<Buffer> call(PyObject* function, const std::shared_ptr<Stream>& stream, std::size_t bytes) {
    nb::gil_scoped_acquire gil;
    nb::object given = nb::handle(function)(bytes, stream);
    if (!PyTuple_Check(given.ptr()) || PyTuple_GET_SIZE(given.ptr()) != 3)
        throw Error(ErrorKind::Type,
                    fmt::format("set_allocator: the function must give (Buffer, offset, owner), not {}",
                                nb::cast<std::string>(nb::repr(given))));
    std::shared_ptr<Buffer> whole = require_buffer(given[0]);
    // The owner goes when this does, which its function object holds.
    return Buffer::within(std::move(whole), nb::cast<std::size_t>(given[1]), bytes, stream,
                          [owner = shared_reference(nb::object(given[2]))]() mutable { owner.reset(); });
}

std::shared_ptr<const Allocator> make_allocator(nb::handle function) {
    if (function.is_none()) return nullptr;
    if (!PyCallable_Check(function.ptr()))
        throw Error(ErrorKind::Type, fmt::format("set_allocator: expected a function or None, not {}",
                                                 Py_TYPE(function.ptr())->tp_name));
    return std::make_shared<const Allocator>(
        [held = shared_reference(function)](const std::shared_ptr<Stream>& stream, std::size_t bytes) {
            return call(held.get(), stream, bytes);
        });
}

}  // namespace

void bind_allocators(nb::module_& m) {
    m.def(
        "set_allocator",
        [](nb::handle function, bool thread) {
            std::shared_ptr<const Allocator> allocator = make_allocator(function);
            thread ? set_thread_allocator(std::move(allocator)) : set_allocator(std::move(allocator));
        },
        "function"_a.none(), nb::kw_only(), "thread"_a = false);
    m.def("is_allocating", [] { return is_allocating(); });
}

}  // namespace lanewise::bindings
