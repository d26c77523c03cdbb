// Bindings of kernels and device functions.
#include <fmt/format.h>

#include <algorithm>

#include "arguments.h"
#include "bindings.h"
#include "device_object.h"
#include "errors.h"
#include "kernel_object.h"
#include "launcher.h"
#include "syntax.h"
#include "type_object.h"

namespace lanewise::bindings {
namespace {

using namespace nb::literals;

/// Strong for the life of the process.
PyTypeObject* kernel_type = nullptr;
PyTypeObject* device_function_type = nullptr;

jit::KernelFunction::Settings settings_for(nb::handle function, const OptionsObject& options, int carveout) {
    if (carveout < -1 || carveout > 100)
        throw Error(
            ErrorKind::Value,
            fmt::format("carveout {} is no percentage from 0 to 100, nor -1 for the device's choice", carveout));
    jit::KernelFunction::Settings settings;
    settings.name = nb::cast<std::string>(function.attr("__qualname__"));
    settings.lowering = options.lowering;
    settings.compiling = options.compiling;
    settings.use_disk_cache = options.use_disk_cache;
    settings.carveout = carveout;
    return settings;
}

void require_function(nb::handle function) {
    if (!PyFunction_Check(function.ptr()))
        throw Error(ErrorKind::Type, fmt::format("expected a Python function, got an object of type {}",
                                                 Py_TYPE(function.ptr())->tp_name));
}

KernelObject& kernel_of(nb::handle self) {
    return *nb::inst_ptr<KernelObject>(self);
}

PyObject* subscript(PyObject* self, PyObject* config) noexcept {
    try {
        return launcher_for(self, read_settings(config)).release().ptr();
    } catch (...) {
        set_python_error();
        return nullptr;
    }
}

int traverse_kernel(PyObject* self, visitproc visit, void* arg) noexcept {
    Py_VISIT(Py_TYPE(self));
    return nb::inst_ready(self) ? kernel_of(self).traverse(visit, arg) : 0;
}

int clear_kernel(PyObject* self) noexcept {
    if (nb::inst_ready(self)) kernel_of(self).clear_references();
    return 0;
}

int traverse_device_function(PyObject* self, visitproc visit, void* arg) noexcept {
    Py_VISIT(Py_TYPE(self));
    if (nb::inst_ready(self)) {
        Py_VISIT(nb::inst_ptr<DeviceFunctionObject>(self)->function.ptr());
        Py_VISIT(nb::inst_ptr<DeviceFunctionObject>(self)->options.ptr());
    }
    return 0;
}

int clear_device_function(PyObject* self) noexcept {
    if (nb::inst_ready(self)) nb::inst_ptr<DeviceFunctionObject>(self)->function = nb::none();
    return 0;
}

PyType_Slot kernel_slots[] = {{Py_mp_subscript, reinterpret_cast<void*>(subscript)},
                              {Py_tp_traverse, reinterpret_cast<void*>(traverse_kernel)},
                              {Py_tp_clear, reinterpret_cast<void*>(clear_kernel)},
                              {0, nullptr}};

PyType_Slot device_function_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_device_function)},
                                       {Py_tp_clear, reinterpret_cast<void*>(clear_device_function)},
                                       {0, nullptr}};

std::shared_ptr<const jit::Specialization> shared(KernelObject& kernel, const jit::KernelFunction::Match& match) {
    for (const std::shared_ptr<const jit::Specialization>& item : kernel.kernel().specializations())
        if (item.get() == match.specialization) return item;
    throw Error(ErrorKind::Value,
                fmt::format("the specialisations of kernel '{}' were cleared meanwhile", kernel.name()));
}

std::vector<python::TypePtr> declared_types(const KernelObject& kernel, nb::handle types) {
    python::TypePtr result = nullptr;
    std::vector<python::TypePtr> arguments = argument_types(types, &result);
    if (result && result != python::none_type())
        throw Error(ErrorKind::Type, fmt::format("kernel '{}': a CUDA kernel must have void return type, not {}",
                                                 kernel.name(), python::to_string(result)));
    if (arguments.size() != kernel.parameter_count())
        throw Error(ErrorKind::Type,
                    fmt::format("kernel '{}' takes {} arguments, the signature {} has {}", kernel.name(),
                                kernel.parameter_count(), jit::describe(arguments), arguments.size()));
    return arguments;
}

nb::object compile(nb::handle self, nb::handle types, nb::handle device) {
    KernelObject& kernel = kernel_of(self);
    std::vector<jit::Code> codes = jit::codes_of(declared_types(kernel, types));
    return make_specialization(shared(kernel, kernel.find_or_compile(to_device(device), codes)));
}

nb::object specialization_for(nb::handle self, const nb::args& args, nb::handle device_object) {
    KernelObject& kernel = kernel_of(self);
    Device& device = to_device(device_object);
    if (args.size() != kernel.parameter_count())
        throw Error(ErrorKind::Type, fmt::format("kernel '{}' takes {} arguments, but {} were given", kernel.name(),
                                                 kernel.parameter_count(), args.size()));
    jit::ArgumentWriter writer(&device);
    ArgumentReader reader(writer, device, nullptr);
    for (nb::handle argument : args) reader.read(argument.ptr());
    return make_specialization(shared(kernel, kernel.find_or_compile(device, writer.codes())));
}

void bind_kernel_class(nb::module_& m) {
    nb::class_<KernelObject> type(m, "KernelFunction", nb::type_slots(kernel_slots), nb::is_weak_referenceable());
    kernel_type = reinterpret_cast<PyTypeObject*>(type.inc_ref().ptr());
    type.def(
            "__init__",
            [](KernelObject* self, nb::object function, nb::object options, bool force_inline, int carveout) {
                require_function(function);
                new (self) KernelObject(std::move(function), std::move(options), force_inline, carveout);
            },
            "function"_a, nb::kw_only(), "options"_a.none() = nb::none(), "force_inline"_a = false, "carveout"_a = -1)
        .def_prop_ro("function", [](const KernelObject& k) { return k.function(); })
        .def_prop_ro("options", [](const KernelObject& k) { return k.options(); })
        .def_prop_ro("name", [](const KernelObject& k) { return k.name(); })
        .def_prop_ro("parameters",
                     [](const KernelObject& k) {
                         nb::list names;
                         for (const std::string& name : k.parameters()) names.append(name);
                         return nb::tuple(names);
                     })
        .def_prop_ro("specialized", [](KernelObject& k) { return k.kernel().frozen(); })
        .def_prop_ro("carveout", [](KernelObject& k) { return k.kernel().settings().carveout; })
        .def_prop_rw(
            "prepare", [](const KernelObject& k) { return k.prepare; },
            [](KernelObject& k, nb::object hook) { k.prepare = std::move(hook); },
            nb::for_setter(nb::arg("hook").none()))
        .def(
            "configure",
            [](nb::handle self, nb::handle grid, nb::handle block, nb::handle stream, nb::handle shared,
               nb::handle cluster, bool cooperative) {
                return launcher_for(self, read_settings(grid, block, stream, shared, cluster, cooperative));
            },
            "grid"_a, "block"_a, "stream"_a.none() = nb::none(), "shared"_a = 0, nb::kw_only(),
            "cluster"_a.none() = nb::none(), "cooperative"_a = false)
        .def("__call__",
             [](const KernelObject& k, const nb::args&, const nb::kwargs&) {
                 throw Error(ErrorKind::Value,
                             fmt::format("kernel '{0}' was called without a launch configuration; say how many blocks "
                                         "and threads: {0}[grid, block](...)",
                                         k.name()));
             })
        .def("compile", compile, "types"_a, nb::kw_only(), "device"_a.none() = nb::none())
        .def(
            "declare",
            [](nb::handle self, nb::handle signatures, nb::handle device) {
                for (nb::handle types : nb::tuple(nb::borrow(signatures))) compile(self, types, device);
                kernel_of(self).kernel().freeze();
            },
            "signatures"_a, nb::kw_only(), "device"_a.none() = nb::none())
        .def("specialization_for", specialization_for, "args"_a, "device"_a.none() = nb::none())
        .def("specializations",
             [](KernelObject& k) {
                 nb::list list;
                 for (auto& item : k.kernel().specializations()) list.append(make_specialization(std::move(item)));
                 return list;
             })
        .def("clear", [](KernelObject& k) { k.kernel().clear(); })
        .def("statistics", [](KernelObject& k) {
            std::size_t from_disk = 0, all = 0;
            for (const auto& item : k.kernel().specializations()) {
                ++all;
                from_disk += item->from_disk;
            }
            nb::dict result;
            result["compiles"] = all - from_disk;
            result["disk_hits"] = from_disk;
            result["disk_misses"] = all - from_disk;
            return result;
        });
}

void bind_device_function_class(nb::module_& m) {
    nb::class_<DeviceFunctionObject> type(m, "DeviceFunction", nb::type_slots(device_function_slots),
                                          nb::is_weak_referenceable());
    device_function_type = reinterpret_cast<PyTypeObject*>(type.inc_ref().ptr());
    type.def(
            "__init__",
            [](DeviceFunctionObject* self, nb::object function, nb::object options, bool force_inline) {
                require_function(function);
                options_of(options);
                new (self) DeviceFunctionObject{std::move(function), std::move(options), force_inline};
            },
            "function"_a, nb::kw_only(), "options"_a.none() = nb::none(), "force_inline"_a = false)
        .def_prop_ro("function", [](const DeviceFunctionObject& d) { return d.function; })
        .def_prop_ro("options", [](const DeviceFunctionObject& d) { return d.options; })
        .def_ro("force_inline", &DeviceFunctionObject::force_inline)
        .def("__call__", [](const DeviceFunctionObject& d, const nb::args& args,
                            const nb::kwargs& kwargs) { return d.function(*args, **kwargs); })
        .def(
            "__get__",
            [](nb::object self, nb::handle instance, nb::handle) -> nb::object {
                if (instance.is_none()) return self;
                return nb::steal(PyMethod_New(self.ptr(), instance.ptr()));
            },
            "instance"_a.none(), "owner"_a.none() = nb::none());
}

}  // namespace

KernelObject::KernelObject(nb::object function, nb::object options, bool force_inline, int carveout)
    : prepare(nb::none()), function_(std::move(function)), options_(std::move(options)), force_inline_(force_inline) {
    kernel_ = std::make_unique<jit::KernelFunction>(settings_for(function_, options_of(options_), carveout));
    nb::object code = function_.attr("__code__");
    constexpr int varargs = 0x04, varkeywords = 0x08;  // inspect.CO_VARARGS, CO_VARKEYWORDS
    if (nb::cast<int>(code.attr("co_flags")) & (varargs | varkeywords))
        throw Error(
            ErrorKind::UnsupportedSyntax,
            fmt::format("kernel '{}' cannot take *args or **kwargs: name its parameters, or pass a tuple", name()));
    std::size_t positional = nb::cast<std::size_t>(code.attr("co_argcount"));
    std::size_t count = positional + nb::cast<std::size_t>(code.attr("co_kwonlyargcount"));
    nb::tuple names(code.attr("co_varnames"));
    nb::object defaults = function_.attr("__defaults__"), keyword_defaults = function_.attr("__kwdefaults__");
    std::size_t with_default = defaults.is_none() ? 0 : nb::len(defaults);
    for (std::size_t i = 0; i < count; ++i) {
        parameters_.push_back(nb::cast<std::string>(names[i]));
        nb::object value;
        if (i >= positional)
            value = nb::borrow(keyword_defaults.is_none()
                                   ? nullptr
                                   : PyDict_GetItem(keyword_defaults.ptr(), nb::handle(names[i]).ptr()));
        else if (i + with_default >= positional)
            value = defaults[nb::int_(i + with_default - positional)];
        defaults_.push_back(std::move(value));
    }
}

nb::handle KernelObject::default_of(std::size_t parameter) const {
    return defaults_[parameter];
}

jit::KernelFunction::Match KernelObject::find_or_compile(Device& device, std::span<const jit::Code> codes) {
    std::vector<nb::object> kept;
    bool compiled = false;
    auto make_source = [&] {
        nb::gil_scoped_acquire gil;
        Conversion conversion;
        jit::KernelFunction::Source source;
        source.function = conversion.function(function_);
        kept = conversion.kept_alive();
        source.holds_addresses = !kept.empty();
        compiled = true;
        return source;
    };
    jit::KernelFunction::Match match;
    {
        nb::gil_scoped_release release;
        match = kernel_->find_or_compile(device, codes, make_source);
    }
    if (!kept.empty()) {
        std::lock_guard lock(mutex_);
        for (nb::object& object : kept) kept_alive_.push_back(std::move(object));
    }
    if (compiled) {
        for (const std::string& text : match.specialization->warnings) warn("float64", text);
        for (const std::string& text : match.specialization->module->image().warnings) warn("compile", text);
    }
    return match;
}

nb::object KernelObject::find_launcher(const LaunchSettings& settings) const {
    std::lock_guard lock(mutex_);
    for (const nb::object& launcher : launchers_)
        if (launcher.is_valid() && settings_of(launcher) == settings) return launcher;
    return nb::object();
}

void KernelObject::remember_launcher(nb::handle launcher) {
    // The one that goes is dropped outside the lock: that may run any code.
    nb::object gone = nb::borrow(launcher);
    std::lock_guard lock(mutex_);
    std::swap(launchers_[next_launcher_], gone);
    next_launcher_ = (next_launcher_ + 1) % launchers_kept;
}

int KernelObject::traverse(visitproc visit, void* arg) const {
    Py_VISIT(function_.ptr());
    Py_VISIT(options_.ptr());
    Py_VISIT(prepare.ptr());
    for (const nb::object& object : defaults_) Py_VISIT(object.ptr());
    for (const nb::object& object : kept_alive_) Py_VISIT(object.ptr());
    for (const nb::object& object : launchers_) Py_VISIT(object.ptr());
    return 0;
}

void KernelObject::clear_references() {
    for (nb::object& launcher : launchers_) launcher.reset();
    kept_alive_.clear();
    prepare = nb::none();
    function_ = nb::none();
}

KernelObject* find_kernel(nb::handle object) {
    return PyObject_TypeCheck(object.ptr(), kernel_type) ? nb::inst_ptr<KernelObject>(object) : nullptr;
}

nb::object function_of_kernel_object(nb::handle object) {
    if (KernelObject* kernel = find_kernel(object)) return kernel->function();
    if (is_device_function(object)) return nb::inst_ptr<DeviceFunctionObject>(object)->function;
    return nb::object();
}

bool is_device_function(nb::handle object) {
    return PyObject_TypeCheck(object.ptr(), device_function_type);
}

bool wants_inlining(nb::handle object) {
    if (is_device_function(object)) return nb::inst_ptr<DeviceFunctionObject>(object)->force_inline;
    KernelObject* kernel = find_kernel(object);
    return kernel && kernel->force_inline();
}

void bind_kernels(nb::module_& m) {
    nb::class_<HostArgument>(m, "HostArgument")
        .def(
            "__init__",
            [](HostArgument* self, nb::object array, bool copy_in, bool copy_out) {
                new (self) HostArgument{nb::module_::import_("numpy").attr("asarray")(array), copy_in, copy_out};
            },
            "array"_a, nb::kw_only(), "copy_in"_a = true, "copy_out"_a = true)
        .def_ro("array", &HostArgument::array)
        .def_ro("copy_in", &HostArgument::copy_in)
        .def_ro("copy_out", &HostArgument::copy_out);
    bind_options(m);
    bind_specializations(m);
    bind_kernel_class(m);
    bind_device_function_class(m);
    bind_launcher(m);
    m.def(
        "typeof",
        [](nb::handle object) {
            jit::ArgumentWriter writer(nullptr);
            ArgumentReader(writer, current_device(), nullptr).read(object.ptr());
            return make_type(jit::types_of(writer.codes())[0]);
        },
        "obj"_a.none());
}

}  // namespace lanewise::bindings
