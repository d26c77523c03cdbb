// Launcher: a launch from Python's vectorcall to Stream::launch. On the hit path, with device arrays and scalars, it
// takes no lock, allocates nothing and runs no Python code.
#include "launcher.h"

#include <fmt/format.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <structmember.h>

#include <cstddef>

#include "arguments.h"
#include "bindings.h"
#include "device_object.h"
#include "errors.h"
#include "lanewise/device.h"
#include "lanewise/ops.h"

namespace lanewise::bindings {
namespace {

/// Fewer blocks than this leave most of a GPU idle (the bound Numba warns at).
constexpr std::uint64_t few_blocks = 128;

struct LauncherObject {
    PyObject_HEAD vectorcallfunc vectorcall;
    PyObject* kernel_reference;
    KernelObject* kernel;
    LaunchSettings settings;
};

PyTypeObject* launcher_type = nullptr;

LauncherObject* launcher(PyObject* self) {
    return reinterpret_cast<LauncherObject*>(self);
}

[[noreturn]] void rethrow_naming_argument(const KernelObject& kernel, const Error& error, std::size_t index) {
    throw Error(error.kind(),
                fmt::format("kernel '{}', argument {} ('{}'): {}", kernel.name(), index + 1,
                            index < kernel.parameter_count() ? kernel.parameters()[index] : "?", error.what()));
}

[[noreturn]] void fail_argument_count(const KernelObject& kernel, std::size_t given) {
    std::string names;
    for (const std::string& name : kernel.parameters()) names += (names.empty() ? "" : ", ") + name;
    throw Error(ErrorKind::Type, fmt::format("kernel '{}' takes {} argument{} ({}), but {} {} given", kernel.name(),
                                             kernel.parameter_count(), kernel.parameter_count() == 1 ? "" : "s", names,
                                             given, given == 1 ? "was" : "were"));
}

/// Positional arguments from positional and keyword ones and the function's defaults. The items are borrowed.
std::vector<PyObject*> bind_arguments(const KernelObject& kernel, PyObject* const* args, std::size_t count,
                                      PyObject* names) {
    std::size_t expected = kernel.parameter_count();
    if (count > expected) fail_argument_count(kernel, count);
    std::vector<PyObject*> bound(args, args + count);
    bound.resize(expected, nullptr);
    for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); ++i) {
        std::string name = nb::cast<std::string>(nb::handle(PyTuple_GET_ITEM(names, i)));
        auto found = std::find(kernel.parameters().begin(), kernel.parameters().end(), name);
        if (found == kernel.parameters().end())
            throw Error(ErrorKind::Type, fmt::format("kernel '{}' has no parameter '{}'", kernel.name(), name));
        PyObject*& slot = bound[static_cast<std::size_t>(found - kernel.parameters().begin())];
        if (slot)
            throw Error(ErrorKind::Type,
                        fmt::format("kernel '{}': parameter '{}' is given twice", kernel.name(), name));
        slot = args[count + static_cast<std::size_t>(i)];
    }
    for (std::size_t i = 0; i < expected; ++i)
        if (!bound[i] && !(bound[i] = kernel.default_of(i).ptr()))
            fail_argument_count(kernel, count + static_cast<std::size_t>(names ? PyTuple_GET_SIZE(names) : 0));
    return bound;
}

void launch_repacked(Stream& stream, const jit::KernelFunction::Match& match, const LaunchConfig& config,
                     std::span<const std::byte> parameters) {
    constexpr std::size_t inline_bytes = jit::ArgumentWriter::inline_bytes;
    alignas(8) std::byte inline_storage[inline_bytes];
    std::unique_ptr<std::byte[]> heap;
    std::size_t bytes = match.repacking->bytes();
    std::byte* packed = inline_storage;
    if (bytes > inline_bytes) {
        heap.reset(new std::byte[bytes]);
        packed = heap.get();
    }
    match.repacking->apply(parameters.data(), packed);
    stream.launch(*match.specialization->kernel, config, {packed, bytes});
}

/// What follows a launch that is more than a launch.
void finish_launch(const KernelObject& kernel, const std::shared_ptr<Stream>& stream, LaunchExtras* extras,
                   bool can_raise) {
    if (extras && extras->copied_host_arrays())
        warn("host-copy",
             fmt::format("kernel '{}': host arrays are copied to the device and back at each launch; keep them there "
                         "with to_device()",
                         kernel.name()));
    if (extras) extras->finish();
    if (can_raise) {
        nb::gil_scoped_release release;
        synchronize(*stream);
    }
}

void launch(const LauncherObject& self, PyObject* const* args, std::size_t count,
            const std::shared_ptr<Stream>& stream) {
    KernelObject& kernel = *self.kernel;
    Device& device = stream->device();
    jit::ArgumentWriter writer(&device);
    ArgumentReader reader(writer, device, &stream);
    std::size_t i = 0;
    try {
        for (; i < count; ++i) reader.read(args[i]);
    } catch (const Error& error) {
        rethrow_naming_argument(kernel, error, i);
    }
    jit::KernelFunction::Match match = kernel.kernel().find(&device, writer.hash(), writer.codes());
    if (!match) [[unlikely]]
        match = kernel.find_or_compile(device, writer.codes());
    if (!match.repacking) [[likely]]
        stream->launch(*match.specialization->kernel, self.settings.config, writer.parameters());
    else
        launch_repacked(*stream, match, self.settings.config, writer.parameters());
    if (reader.extras() || match.specialization->can_raise) [[unlikely]]
        finish_launch(kernel, stream, reader.extras(), match.specialization->can_raise);
}

/// Calls the kernel's `prepare` around the launch.
void launch_prepared(const LauncherObject& self, const std::vector<PyObject*>& args,
                     const std::shared_ptr<Stream>& stream) {
    nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(args.size())));
    for (std::size_t i = 0; i < args.size(); ++i)
        PyTuple_SET_ITEM(tuple.ptr(), static_cast<Py_ssize_t>(i), Py_NewRef(args[i]));
    nb::object prepared = self.kernel->prepare(tuple, stream);
    nb::object passed = nb::steal(PySequence_Tuple(nb::object(prepared[nb::int_(0)]).ptr()));
    if (!passed.is_valid()) throw nb::python_error();
    std::size_t count = static_cast<std::size_t>(PyTuple_GET_SIZE(passed.ptr()));
    if (count != args.size()) fail_argument_count(*self.kernel, count);
    launch(self, &PyTuple_GET_ITEM(passed.ptr(), 0), count, stream);
    for (nb::handle after : nb::object(prepared[nb::int_(1)])) after();
}

PyObject* call(PyObject* object, PyObject* const* args, std::size_t flagged_count, PyObject* names) {
    LauncherObject& self = *launcher(object);
    std::size_t count = static_cast<std::size_t>(PyVectorcall_NARGS(flagged_count));
    try {
        const std::shared_ptr<Stream> current = self.settings.stream ? nullptr : current_stream(current_device());
        const std::shared_ptr<Stream>& stream = current ? current : self.settings.stream;
        if (names || count != self.kernel->parameter_count() || !self.kernel->prepare.is_none()) [[unlikely]] {
            std::vector<PyObject*> bound = bind_arguments(*self.kernel, args, count, names);
            if (self.kernel->prepare.is_none())
                launch(self, bound.data(), bound.size(), stream);
            else
                launch_prepared(self, bound, stream);
        } else {
            launch(self, args, count, stream);
        }
        Py_RETURN_NONE;
    } catch (...) {
        set_python_error();
        return nullptr;
    }
}

int traverse(PyObject* object, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(launcher(object)->kernel_reference);
    return 0;
}

/// The kernel keeps launchers, a launcher keeps its kernel: the kernel's side breaks the cycle.
void deallocate(PyObject* object) {
    PyObject_GC_UnTrack(object);
    LauncherObject* self = launcher(object);
    PyTypeObject* type = Py_TYPE(object);
    Py_XDECREF(self->kernel_reference);
    self->settings.~LaunchSettings();
    PyObject_GC_Del(object);
    Py_DECREF(type);
}

PyObject* dim3_tuple(const Dim3& dim) {
    return Py_BuildValue("(III)", dim.x, dim.y, dim.z);
}

PyObject* representation(PyObject* object) {
    try {
        const LauncherObject& self = *launcher(object);
        const Dim3 &g = self.settings.config.grid, &b = self.settings.config.block;
        std::string text = fmt::format("<kernel '{}' over a grid of ({}, {}, {}) blocks of ({}, {}, {}) threads>",
                                       self.kernel->name(), g.x, g.y, g.z, b.x, b.y, b.z);
        return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
    } catch (...) {
        set_python_error();
        return nullptr;
    }
}

PyGetSetDef properties[] = {
    {"kernel", [](PyObject* o, void*) { return Py_NewRef(launcher(o)->kernel_reference); }, nullptr, nullptr, nullptr},
    {"grid", [](PyObject* o, void*) { return dim3_tuple(launcher(o)->settings.config.grid); }, nullptr, nullptr,
     nullptr},
    {"block", [](PyObject* o, void*) { return dim3_tuple(launcher(o)->settings.config.block); }, nullptr, nullptr,
     nullptr},
    {"stream",
     [](PyObject* o, void*) -> PyObject* {
         try {
             const std::shared_ptr<Stream>& stream = launcher(o)->settings.stream;
             return stream ? nb::cast(stream).release().ptr() : Py_NewRef(Py_None);
         } catch (...) {
             set_python_error();
             return nullptr;
         }
     },
     nullptr, nullptr, nullptr},
    {"shared",
     [](PyObject* o, void*) { return PyLong_FromUnsignedLong(launcher(o)->settings.config.dynamic_shared_bytes); },
     nullptr, nullptr, nullptr},
    {"cluster",
     [](PyObject* o, void*) {
         const Dim3& cluster = launcher(o)->settings.config.cluster;
         return cluster.count() ? dim3_tuple(cluster) : Py_NewRef(Py_None);
     },
     nullptr, nullptr, nullptr},
    {"cooperative", [](PyObject* o, void*) { return PyBool_FromLong(launcher(o)->settings.config.cooperative); },
     nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMemberDef members[] = {{"__vectorcalloffset__", T_PYSSIZET, offsetof(LauncherObject, vectorcall), READONLY, nullptr},
                         {nullptr, 0, 0, 0, nullptr}};

PyType_Slot slots[] = {{Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                       {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                       {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
                       {Py_tp_repr, reinterpret_cast<void*>(representation)},
                       {Py_tp_getset, properties},
                       {Py_tp_members, members},
                       {0, nullptr}};

PyType_Spec spec = {
    "lanewise._core.Launcher", sizeof(LauncherObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

}  // namespace

const LaunchSettings& settings_of(nb::handle object) {
    return launcher(object.ptr())->settings;
}

nb::object launcher_for(nb::handle kernel, const LaunchSettings& settings) {
    KernelObject& inner = *find_kernel(kernel);
    if (nb::object known = inner.find_launcher(settings); known.is_valid()) return known;
    if (settings.config.grid.count() < few_blocks) {
        Device& device = settings.stream ? settings.stream->device() : current_device();
        if (device.kind() == DeviceKind::Cuda)
            warn("occupancy",
                 fmt::format("Grid size {} will likely result in GPU under-utilization due to low occupancy.",
                             settings.config.grid.count()));
    }
    LauncherObject* made = PyObject_GC_New(LauncherObject, launcher_type);
    if (!made) throw nb::python_error();
    made->vectorcall = call;
    made->kernel_reference = kernel.inc_ref().ptr();
    made->kernel = &inner;
    new (&made->settings) LaunchSettings(settings);
    nb::object result = nb::steal(reinterpret_cast<PyObject*>(made));
    PyObject_GC_Track(made);
    inner.remember_launcher(result);
    return result;
}

void bind_launcher(nb::module_& m) {
    PyObject* type = PyType_FromSpec(&spec);
    if (!type) throw nb::python_error();
    launcher_type = reinterpret_cast<PyTypeObject*>(type);
    m.attr("Launcher") = nb::handle(type);
}

}  // namespace lanewise::bindings
