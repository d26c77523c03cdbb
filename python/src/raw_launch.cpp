// Launches of CUDA C++ kernels, from Python's vectorcall to Stream::launch. On the hit path, with numbers and arrays of
// ours, they take no lock, allocate nothing and run no Python code.
#include <fmt/format.h>

#include "bindings.h"
#include "device_object.h"
#include "errors.h"
#include "launcher.h"
#include "raw_arguments.h"
#include "raw_kernel.h"

namespace lanewise::bindings {
namespace {

/// The items of `args`, a tuple or a list; Error(Type) for others.
std::span<PyObject* const> items_of(const RawKernel& kernel, nb::handle args) {
    if (PyTuple_Check(args.ptr()) || PyList_Check(args.ptr())) [[likely]]
        return {PySequence_Fast_ITEMS(args.ptr()), static_cast<std::size_t>(PySequence_Fast_GET_SIZE(args.ptr()))};
    throw Error(ErrorKind::Type, fmt::format("kernel '{}': its arguments are given as a tuple, kernel(grid, block, "
                                             "(x, n)), not as a {}",
                                             kernel.name(), Py_TYPE(args.ptr())->tp_name));
}

enum class Rules : std::uint8_t { Declared, Loose };

void launch(RawKernelObject& self, LaunchConfig config, const std::shared_ptr<Stream>& stream,
            std::span<PyObject* const> args, Rules rules) {
    RawKernel& kernel = *self.kernel;
    Device& device = stream->device();
    const RawKernel::Loaded* loaded = kernel.find(device);
    if (!loaded) [[unlikely]]
        loaded = &loaded_on(kernel, device);
    RawArguments packed(kernel, *loaded, self.lenient, device, stream);
    if (rules == Rules::Declared)
        packed.read(args.data(), args.size());
    else
        packed.read_loose(args.data(), args.size());
    config.cooperative = config.cooperative || kernel.cooperative();
    stream->launch(*loaded->kernel, config, packed.bytes());
    if (LaunchExtras* extras = packed.extras()) [[unlikely]]
        extras->finish();
}

/// What a launch is asked for, borrowed from the call's arguments.
struct CallArguments {
    nb::handle grid, block, args, shared, stream;
};

CallArguments read_call(const RawKernel& kernel, PyObject* const* args, std::size_t count, PyObject* names) {
    constexpr const char* keywords[] = {"grid", "block", "args", "shared_mem", "stream"};
    constexpr std::size_t positional = 3;
    CallArguments call;
    nb::handle* slots[] = {&call.grid, &call.block, &call.args, &call.shared, &call.stream};
    if (count > positional)
        throw Error(ErrorKind::Type,
                    fmt::format("kernel '{}' is called as kernel(grid, block, args, *, shared_mem=0, stream=None); {} "
                                "positional arguments were given",
                                kernel.name(), count));
    for (std::size_t i = 0; i < count; ++i) *slots[i] = args[i];
    for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); ++i) {
        PyObject* name = PyTuple_GET_ITEM(names, i);
        std::size_t k = 0;
        while (k < std::size(keywords) && PyUnicode_CompareWithASCIIString(name, keywords[k]) != 0) ++k;
        if (k == std::size(keywords) || slots[k]->is_valid())
            throw Error(
                ErrorKind::Type,
                fmt::format("kernel '{}' called with {} '{}'; it takes grid, block, args, shared_mem and stream",
                            kernel.name(), k == std::size(keywords) ? "unknown keyword" : "two values for",
                            nb::cast<std::string>(nb::handle(name))));
        *slots[k] = args[count + static_cast<std::size_t>(i)];
    }
    if (!call.grid.is_valid() || !call.block.is_valid())
        throw Error(
            ErrorKind::Type,
            fmt::format("kernel '{}': a launch needs grid and block: kernel(grid, block, args)", kernel.name()));
    return call;
}

RawKernelObject& raw_kernel(nb::handle self) {
    return *nb::inst_ptr<RawKernelObject>(self);
}

/// The current stream of the current device where `given` is None.
std::shared_ptr<Stream> launch_stream(nb::handle given) {
    if (given.is_valid() && !given.is_none())
        if (std::shared_ptr<Stream> stream = find_stream(given)) return stream;
    return current_stream(current_device());
}

}  // namespace

void enable_vectorcall(nb::handle type) {
    // Values of nanobind's instances lie at a fixed place behind the object's header.
    nb::object probe = nb::inst_alloc(type);
    auto* object = reinterpret_cast<PyTypeObject*>(type.ptr());
    object->tp_vectorcall_offset = static_cast<char*>(nb::inst_ptr<void>(probe)) - reinterpret_cast<char*>(probe.ptr());
    object->tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL;
    PyType_Modified(object);
}

PyObject* call_raw_kernel(PyObject* object, PyObject* const* args, std::size_t flagged_count, PyObject* names) {
    try {
        RawKernelObject& self = raw_kernel(object);
        CallArguments call =
            read_call(*self.kernel, args, static_cast<std::size_t>(PyVectorcall_NARGS(flagged_count)), names);
        LaunchConfig config;
        config.grid = read_dim3(call.grid, "grid");
        config.block = read_dim3(call.block, "block");
        if (call.shared.is_valid()) config.dynamic_shared_bytes = read_shared_bytes(call.shared);
        std::span<PyObject* const> items;
        if (call.args.is_valid()) items = items_of(*self.kernel, call.args);
        launch(self, config, launch_stream(call.stream), items, Rules::Declared);
        Py_RETURN_NONE;
    } catch (...) {
        set_python_error();
        return nullptr;
    }
}

PyObject* call_raw_launcher(PyObject* object, PyObject* const* args, std::size_t flagged_count, PyObject* names) {
    try {
        const RawLauncherObject& self = *nb::inst_ptr<RawLauncherObject>(object);
        RawKernelObject& kernel = raw_kernel(self.owner);
        if (names && PyTuple_GET_SIZE(names))
            throw Error(ErrorKind::Type, fmt::format("kernel '{}' takes no keyword arguments: the names of parameters "
                                                     "in CUDA C++ are no part of its interface",
                                                     kernel.kernel->name()));
        std::shared_ptr<Stream> stream = self.settings.stream ? self.settings.stream : current_stream(current_device());
        launch(kernel, self.settings.config, stream,
               {args, static_cast<std::size_t>(PyVectorcall_NARGS(flagged_count))}, Rules::Declared);
        Py_RETURN_NONE;
    } catch (...) {
        set_python_error();
        return nullptr;
    }
}

PyObject* make_raw_launcher(PyObject* kernel, PyObject* config) noexcept {
    try {
        RawLauncherObject made;
        made.vectorcall = call_raw_launcher;
        made.owner = nb::borrow(kernel);
        made.settings = read_settings(config);
        return nb::cast(std::move(made)).release().ptr();
    } catch (...) {
        set_python_error();
        return nullptr;
    }
}

void launch_packed(nb::handle self, nb::handle grid, nb::handle block, nb::handle shared, nb::handle stream,
                   nb::handle parameters) {
    RawKernel& kernel = *raw_kernel(self).kernel;
    LaunchConfig config;
    config.grid = read_dim3(grid, "grid");
    config.block = read_dim3(block, "block");
    config.dynamic_shared_bytes = read_shared_bytes(shared);
    config.cooperative = kernel.cooperative();
    std::shared_ptr<Stream> queue = launch_stream(stream);
    const RawKernel::Loaded& loaded = loaded_on(kernel, queue->device());
    Py_buffer view{};
    if (PyObject_GetBuffer(parameters.ptr(), &view, PyBUF_SIMPLE) != 0) throw nb::python_error();
    struct Release {
        Py_buffer& view;
        ~Release() { PyBuffer_Release(&view); }
    } release{view};
    queue->launch(*loaded.kernel, config,
                  {static_cast<const std::byte*>(view.buf), static_cast<std::size_t>(view.len)});
}

void launch_loose(nb::handle self, nb::handle grid, nb::handle block, nb::handle args, nb::handle shared,
                  nb::handle stream) {
    RawKernelObject& object = raw_kernel(self);
    LaunchConfig config;
    config.grid = read_dim3(grid, "grid");
    config.block = read_dim3(block, "block");
    config.dynamic_shared_bytes = read_shared_bytes(shared);
    launch(object, config, launch_stream(stream), items_of(*object.kernel, args), Rules::Loose);
}

}  // namespace lanewise::bindings
