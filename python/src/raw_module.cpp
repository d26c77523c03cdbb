// Bindings of modules of CUDA C++: the class RawModule.
#include <fmt/format.h>

#include "array_object.h"
#include "bindings.h"
#include "device_object.h"
#include "raw_kernel.h"

namespace lanewise::bindings {
namespace {

using namespace nb::literals;

struct Given {
    nb::handle code, path, image, options, backend, name_expressions;
    bool cooperative, jitify, extern_c;
    std::string file_name;
    bool use_disk_cache;
    std::string keep_folder;
};

std::shared_ptr<RawModule> make(const Given& given) {
    RawOptions read = read_raw_options("RawModule", given.options, given.backend, given.name_expressions, given.jitify);
    int sources = !given.code.is_none() + !given.path.is_none() + !given.image.is_none();
    if (sources != 1)
        throw Error(ErrorKind::Type,
                    fmt::format("RawModule: give one of code (CUDA C++ text), path (a file of PTX, a cubin or a "
                                "fatbin) and image (the bytes of one); {} given",
                                sources == 0 ? "none was" : fmt::format("{} were", sources)));
    if (!given.code.is_none()) {
        cuda_cpp::Source source;
        source.text = read_code("RawModule", given.code);
        source.file = given.file_name;
        source.options = std::move(read.options);
        source.name_expressions = std::move(read.name_expressions);
        source.extern_c = given.extern_c;
        source.backend = read.backend;
        RawModule::BuildSettings settings;
        settings.use_disk_cache = given.use_disk_cache;
        settings.keep_folder = given.keep_folder;
        return RawModule::from_source(std::move(source), std::move(settings));
    }
    if (!read.name_expressions.empty())
        throw Error(ErrorKind::Type,
                    "RawModule: name_expressions are for code; in compiled code kernels have their symbols alone");
    if (!given.path.is_none()) {
        nb::object path = nb::steal(PyOS_FSPath(given.path.ptr()));
        if (!path.is_valid()) throw nb::python_error();
        return RawModule::from_file(nb::cast<std::string>(nb::module_::import_("os").attr("fsdecode")(path)));
    }
    nb::object bytes = nb::steal(PyBytes_FromObject(given.image.ptr()));
    if (!bytes.is_valid()) throw nb::python_error();
    const char* first = PyBytes_AS_STRING(bytes.ptr());
    return RawModule::from_image({first, first + PyBytes_GET_SIZE(bytes.ptr())});
}

RawModule& module_of(nb::handle self) {
    return *nb::inst_ptr<RawModuleObject>(self)->module;
}

const Image& image_here(const RawModuleObject& self) {
    return loaded_on(*self.module, current_device()).module->image();
}

RawKernelObject get_function(const RawModuleObject& self, const std::string& name, bool lenient) {
    Device& device = current_device();
    std::shared_ptr<RawKernel> kernel = self.module->function(name, self.cooperative);
    loaded_on(*kernel, device);
    return make_raw_kernel(std::move(kernel), lenient, true);
}

nb::object get_global(const RawModuleObject& self, const std::string& name) {
    Device& device = current_device();
    loaded_on(*self.module, device);
    return make_buffer(released_without_gil(self.module->global(name, device)));
}

nb::object reduce(nb::handle object) {
    const RawModuleObject& self = *nb::inst_ptr<RawModuleObject>(object);
    const RawModule& module = *self.module;
    nb::dict arguments;
    arguments["enable_cooperative_groups"] = self.cooperative;
    if (const cuda_cpp::Source* source = module.source()) {
        arguments["code"] = source->text;
        arguments["file_name"] = source->file;
        arguments["options"] = to_tuple(source->options);
        arguments["backend"] = backend_name(source->backend);
        arguments["name_expressions"] = to_tuple(source->name_expressions);
        arguments["extern_c"] = source->extern_c;
        arguments["use_disk_cache"] = module.build_settings().use_disk_cache;
        arguments["keep_folder"] = module.build_settings().keep_folder;
    } else if (!module.path().empty()) {
        arguments["path"] = module.path();
    } else {
        arguments["image"] = nb::bytes(module.image().data(), module.image().size());
    }
    return nb::make_tuple(nb::module_::import_("functools").attr("partial")(object.type(), **arguments),
                          nb::make_tuple());
}

nb::object compiler_here(const RawModuleObject& self) {
    const RawModule::Loaded& loaded = loaded_on(*self.module, current_device());
    return loaded.backend ? nb::object(nb::str(backend_name(*loaded.backend))) : nb::none();
}

nb::dict symbols_here(const RawModuleObject& self) {
    nb::dict result;
    for (const auto& [expression, symbol] : image_here(self).names) result[expression.c_str()] = symbol;
    return result;
}

nb::tuple kernels_here(const RawModuleObject& self) {
    nb::list names;
    for (const EntryPoint& entry : image_here(self).entries) names.append(entry.name);
    return nb::tuple(names);
}

}  // namespace

void bind_raw_kernels(nb::module_& m) {
    using Object = RawModuleObject;
    nb::class_<Object>(m, "RawModule", nb::is_weak_referenceable())
        .def(
            "__init__",
            [](Object* self, nb::handle code, nb::handle path, nb::handle image, nb::handle options, nb::handle backend,
               bool, bool cooperative, nb::handle name_expressions, bool jitify, bool extern_c,
               const std::string& file_name, bool use_disk_cache, const std::string& keep_folder) {
                new (self) Object{make({code, path, image, options, backend, name_expressions, cooperative, jitify,
                                        extern_c, file_name, use_disk_cache, keep_folder}),
                                  cooperative};
            },
            "code"_a.none() = nb::none(), nb::kw_only(), "path"_a.none() = nb::none(), "image"_a.none() = nb::none(),
            "options"_a = nb::tuple(), "backend"_a = "auto", "translate_cucomplex"_a = false,
            "enable_cooperative_groups"_a = false, "name_expressions"_a.none() = nb::none(), "jitify"_a = false,
            "extern_c"_a = false, "file_name"_a = "kernel.cu", "use_disk_cache"_a = true, "keep_folder"_a = "")
        .def_prop_ro("code",
                     [](const Object& m) {
                         const cuda_cpp::Source* source = m.module->source();
                         return source ? nb::object(nb::str(source->text.data(), source->text.size())) : nb::none();
                     })
        .def_prop_ro("options",
                     [](const Object& m) {
                         const cuda_cpp::Source* source = m.module->source();
                         return source ? to_tuple(source->options) : nb::tuple();
                     })
        .def_prop_ro("backend",
                     [](const Object& m) {
                         const cuda_cpp::Source* source = m.module->source();
                         return backend_name(source ? source->backend : cuda_cpp::Backend::Auto);
                     })
        .def_prop_ro("name_expressions",
                     [](const Object& m) {
                         const cuda_cpp::Source* source = m.module->source();
                         return source ? to_tuple(source->name_expressions) : nb::tuple();
                     })
        .def_prop_ro("file_path",
                     [](const Object& m) {
                         const std::string& path = m.module->path();
                         return path.empty() ? nb::none() : nb::object(nb::str(path.data(), path.size()));
                     })
        .def_ro("cooperative", &Object::cooperative)
        .def_prop_ro("module",
                     [](nb::object self) {
                         loaded_on(module_of(self), current_device());
                         return self;
                     })
        .def_prop_ro("compiler", compiler_here)
        .def_prop_ro("symbols", symbols_here)
        .def_prop_ro("kernels", kernels_here)
        .def(
            "compile", [](const Object& m, nb::handle log) { compile_now(*m.module, log); },
            "log_stream"_a.none() = nb::none())
        .def("get_function", get_function, "name"_a, nb::kw_only(), "lenient"_a = false)
        .def("get_global", get_global, "name"_a)
        .def("__reduce__", [](nb::handle self) { return reduce(self); })
        .def("__repr__", [](const Object& m) {
            return m.module->path().empty() ? std::string("<CUDA C++ module>")
                                            : fmt::format("<CUDA C++ module of '{}'>", m.module->path());
        });
    bind_raw_kernel_class(m);
    bind_raw_launcher(m);
    // Where users, and pickles, find them.
    for (const char* name : {"RawModule", "RawKernel", "RawLauncher"}) m.attr(name).attr("__module__") = "lanewise.raw";
}

}  // namespace lanewise::bindings
