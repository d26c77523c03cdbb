// Bindings of CUDA C++ kernels: the class RawKernel.
#include "raw_kernel.h"

#include <fmt/format.h>
#include <nanobind/stl/pair.h>

#include <cctype>

#include "bindings.h"
#include "device_object.h"
#include "errors.h"

namespace lanewise::bindings {
namespace {

using namespace nb::literals;

struct AttributeRow {
    const char* name;
    KernelAttribute attribute;
};
/// CuPy's names. cache_mode_ca, which no device of ours has, is beside them.
constexpr AttributeRow attribute_rows[] = {
    {"max_threads_per_block", KernelAttribute::MaxThreadsPerBlock},
    {"shared_size_bytes", KernelAttribute::StaticSharedBytes},
    {"const_size_bytes", KernelAttribute::ConstantBytes},
    {"local_size_bytes", KernelAttribute::LocalBytes},
    {"num_regs", KernelAttribute::Registers},
    {"ptx_version", KernelAttribute::PtxVersion},
    {"binary_version", KernelAttribute::BinaryVersion},
    {"max_dynamic_shared_size_bytes", KernelAttribute::MaxDynamicSharedBytes},
    {"preferred_shared_memory_carveout", KernelAttribute::PreferredSharedCarveout},
};

const RawKernel::Loaded& loaded_here(const RawKernelObject& self) {
    return loaded_on(*self.kernel, current_device());
}

nb::dict attributes(const RawKernelObject& self) {
    const Kernel& kernel = *loaded_here(self).kernel;
    nb::dict result;
    for (const AttributeRow& row : attribute_rows) result[row.name] = kernel.attribute(row.attribute);
    result["cache_mode_ca"] = 0;
    return result;
}

/// A name that is no plain or mangled one is asked for as a name expression.
bool is_expression(const std::string& name) {
    for (char c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return true;
    return false;
}

void init(RawKernelObject* self, nb::handle code, nb::handle name_object, nb::handle options, nb::handle backend,
          bool cooperative, bool jitify, bool lenient) {
    RawOptions read = read_raw_options("RawKernel", options, backend, nb::none(), jitify);
    cuda_cpp::Source source;
    source.text = read_code("RawKernel", code);
    if (!PyUnicode_Check(name_object.ptr()) || PyUnicode_GET_LENGTH(name_object.ptr()) == 0)
        throw Error(ErrorKind::Type, fmt::format("RawKernel: the name of the kernel is a str, not {}",
                                                 nb::cast<std::string>(nb::repr(name_object))));
    std::string name = nb::cast<std::string>(name_object);
    source.options = std::move(read.options);
    source.backend = read.backend;
    if (is_expression(name)) source.name_expressions.push_back(name);
    RawModule::BuildSettings settings;
    settings.share_loaded = true;
    std::shared_ptr<RawModule> module = RawModule::from_source(std::move(source), settings);
    new (self) RawKernelObject(make_raw_kernel(module->function(std::move(name), cooperative), lenient, false));
}

nb::object reduce(nb::handle object) {
    const RawKernelObject& self = *nb::inst_ptr<RawKernelObject>(object);
    const RawKernel& kernel = *self.kernel;
    if (self.from_module) {
        nb::object getter = nb::module_::import_("operator")
                                .attr("methodcaller")("get_function", kernel.name(), "lenient"_a = self.lenient);
        return nb::make_tuple(getter, nb::make_tuple(object.attr("raw_module")));
    }
    const cuda_cpp::Source& source = *kernel.module()->source();
    nb::object make = nb::module_::import_("functools")
                          .attr("partial")(object.type(), "enable_cooperative_groups"_a = kernel.cooperative(),
                                           "lenient"_a = self.lenient);
    return nb::make_tuple(
        make, nb::make_tuple(source.text, kernel.name(), to_tuple(source.options), backend_name(source.backend)));
}

nb::object raw_module(const RawKernelObject& self) {
    return nb::cast(RawModuleObject{self.kernel->module(), self.kernel->cooperative()});
}

nb::tuple parameters(const RawKernelObject& self) {
    nb::list list;
    for (const RawParameter& item : loaded_here(self).parameters.items)
        list.append(nb::make_tuple(item.name, item.type));
    return nb::tuple(list);
}

nb::tuple parameter_layout(const RawKernelObject& self) {
    nb::list list;
    for (const RawParameter& item : loaded_here(self).parameters.items)
        list.append(nb::make_tuple(item.offset, item.size));
    return nb::tuple(list);
}

int traverse(PyObject* self, visitproc visit, void* arg) noexcept {
    Py_VISIT(Py_TYPE(self));
    return 0;
}

// Having `traverse`, instances are made of zeroed memory: one whose __init__ did not run is not callable.
PyType_Slot kernel_slots[] = {{Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                              {Py_mp_subscript, reinterpret_cast<void*>(make_raw_launcher)},
                              {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                              {0, nullptr}};

int traverse_launcher(PyObject* self, visitproc visit, void* arg) noexcept {
    Py_VISIT(Py_TYPE(self));
    if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<RawLauncherObject>(self)->owner.ptr());
    return 0;
}

PyType_Slot launcher_slots[] = {{Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                                {Py_tp_traverse, reinterpret_cast<void*>(traverse_launcher)},
                                {0, nullptr}};

void bind_attributes(nb::class_<RawKernelObject>& type) {
    type.def_prop_ro("attributes", attributes).def_prop_ro("cache_mode_ca", [](const RawKernelObject&) { return 0; });
    for (const AttributeRow& row : attribute_rows) {
        auto get = [which = row.attribute](const RawKernelObject& self) {
            return loaded_here(self).kernel->attribute(which);
        };
        auto set = [which = row.attribute](const RawKernelObject& self, int value) {
            loaded_here(self).kernel->set_attribute(which, value);
        };
        bool settable = row.attribute == KernelAttribute::MaxDynamicSharedBytes ||
                        row.attribute == KernelAttribute::PreferredSharedCarveout;
        if (settable)
            type.def_prop_rw(row.name, get, set);
        else
            type.def_prop_ro(row.name, get);
    }
}

}  // namespace

RawKernelObject make_raw_kernel(std::shared_ptr<RawKernel> kernel, bool lenient, bool from_module) {
    return {call_raw_kernel, std::move(kernel), lenient, from_module};
}

const RawModule::Loaded& loaded_on(RawModule& module, Device& device) {
    if (const RawModule::Loaded* known = module.find(device)) return *known;
    bool first = false;
    const RawModule::Loaded* loaded = nullptr;
    {
        nb::gil_scoped_release release;
        loaded = &module.on(device, &first);
    }
    if (first)
        for (const std::string& text : loaded->module->image().warnings) warn("compile", text);
    return *loaded;
}

const RawKernel::Loaded& loaded_on(RawKernel& kernel, Device& device) {
    if (const RawKernel::Loaded* known = kernel.find(device)) return *known;
    loaded_on(*kernel.module(), device);
    nb::gil_scoped_release release;
    return kernel.on(device);
}

void compile_now(RawModule& module, nb::handle stream) {
    if (stream.is_none()) {
        loaded_on(module, current_device());
        return;
    }
    nb::object write = stream.attr("write");
    try {
        Device& device = current_device();
        const RawModule::Loaded* loaded = nullptr;
        {
            nb::gil_scoped_release release;
            loaded = &module.on(device);
        }
        for (const std::string& text : loaded->module->image().warnings) write(text + "\n");
    } catch (const Error& error) {
        if (!error.log.empty()) write(error.log + (error.log.ends_with('\n') ? "" : "\n"));
        throw;
    }
}

void bind_raw_kernel_class(nb::module_& m) {
    nb::class_<RawKernelObject> type(m, "RawKernel", nb::type_slots(kernel_slots), nb::is_weak_referenceable());
    type.def(
            "__init__",
            [](RawKernelObject* self, nb::handle code, nb::handle name, nb::handle options, nb::handle backend, bool,
               bool cooperative, bool jitify,
               bool lenient) { init(self, code, name, options, backend, cooperative, jitify, lenient); },
            "code"_a.none(), "name"_a.none(), "options"_a = nb::tuple(), "backend"_a = "auto", nb::kw_only(),
            "translate_cucomplex"_a = false, "enable_cooperative_groups"_a = false, "jitify"_a = false,
            "lenient"_a = false)
        .def_prop_ro("name", [](const RawKernelObject& k) { return k.kernel->name(); })
        .def_prop_ro("cooperative", [](const RawKernelObject& k) { return k.kernel->cooperative(); })
        .def_ro("lenient", &RawKernelObject::lenient)
        .def_prop_ro("raw_module", raw_module)
        .def_prop_ro("kernel",
                     [](nb::object self) {
                         loaded_here(*nb::inst_ptr<RawKernelObject>(self));
                         return self;
                     })
        .def_prop_ro("symbol", [](const RawKernelObject& k) { return loaded_here(k).kernel->entry().name; })
        .def_prop_ro("parameters", parameters)
        .def_prop_ro("parameter_layout", parameter_layout)
        .def_prop_ro("parameter_bytes", [](const RawKernelObject& k) { return loaded_here(k).parameters.bytes; })
        .def_prop_ro("signature",
                     [](const RawKernelObject& k) {
                         return fmt::format("void {}({})", k.kernel->name(), to_string(loaded_here(k).parameters));
                     })
        .def("launch_packed", launch_packed, "grid"_a, "block"_a, "shared"_a, "stream"_a.none(), "parameters"_a)
        .def("launch_loose", launch_loose, "grid"_a, "block"_a, "args"_a, "shared"_a = 0,
             "stream"_a.none() = nb::none())
        .def(
            "compile",
            [](const RawKernelObject& k, nb::handle log) {
                compile_now(*k.kernel->module(), log);
                loaded_here(k);
            },
            "log_stream"_a.none() = nb::none())
        .def(
            "max_active_blocks",
            [](const RawKernelObject& k, int threads, std::size_t shared) {
                return loaded_here(k).kernel->max_active_blocks(threads, shared);
            },
            "threads"_a, "shared_mem"_a = 0)
        .def(
            "suggested_block_and_grid",
            [](const RawKernelObject& k, std::size_t shared, int limit) {
                return loaded_here(k).kernel->suggested_block_and_grid(shared, limit);
            },
            "shared_mem"_a = 0, "block_limit"_a = 0)
        .def("__reduce__", [](nb::handle self) { return reduce(self); })
        .def("__repr__",
             [](const RawKernelObject& k) { return fmt::format("<CUDA C++ kernel '{}'>", k.kernel->name()); });
    for (const char* name : {"code", "options", "backend", "file_path"})
        type.attr(name) =
            nb::module_::import_("builtins")
                .attr("property")(
                    nb::module_::import_("operator").attr("attrgetter")(std::string("raw_module.") + name));
    bind_attributes(type);
    enable_vectorcall(type);
}

void bind_raw_launcher(nb::module_& m) {
    nb::class_<RawLauncherObject> type(m, "RawLauncher", nb::type_slots(launcher_slots), nb::is_final());
    type.def_ro("kernel", &RawLauncherObject::owner);
    enable_vectorcall(type);
}

}  // namespace lanewise::bindings
