// Bindings of compile options, compiled kernels, and compiling without a launch.
#include <fmt/format.h>
#include <nanobind/stl/pair.h>

#include "bindings.h"
#include "device_object.h"
#include "frontend/python/builtins.h"
#include "frontend/python/frontend.h"
#include "ir/function.h"
#include "jit/build.h"
#include "kernel_object.h"
#include "syntax.h"
#include "type_object.h"

namespace lanewise::bindings {
namespace {

using namespace nb::literals;

using SpecializationPtr = std::shared_ptr<const jit::Specialization>;

/// What the class Specialization holds.
struct SpecializationObject {
    SpecializationPtr inner;
    const jit::Specialization* operator->() const { return inner.get(); }
};

int fact(const SpecializationObject& s, KernelAttribute which) {
    return s->kernel->attribute(which);
}

/// The texts of a kernel that came without them: compiled again, for reading.
Image with_text(const SpecializationObject& s) {
    nb::gil_scoped_release release;
    return jit::compile_with_text(*s->ir, s->device->kind(), s->device->target(), s->options);
}

std::string llvm_ir(const SpecializationObject& s) {
    const std::string& kept = s->module->image().llvm_ir;
    return kept.empty() ? with_text(s).llvm_ir : kept;
}

std::string assembly(const SpecializationObject& s) {
    const std::string& kept = s->module->image().assembly;
    return kept.empty() ? with_text(s).assembly : kept;
}

struct LoweredObject {
    python::Lowered lowered;
    OptionsObject options;
};

LoweredObject lower_function(nb::handle function, nb::handle types, nb::handle options, bool is_kernel,
                             const std::string& symbol) {
    LoweredObject result;
    result.options = options_of(options);
    python::TypePtr declared = nullptr;
    std::vector<python::TypePtr> arguments = argument_types(types, &declared);
    Conversion conversion;
    syntax::FunctionPtr syntax = conversion.function(function);
    nb::gil_scoped_release release;
    result.lowered = python::lower({.function = *syntax,
                                    .arguments = std::move(arguments),
                                    .options = result.options.lowering,
                                    .is_kernel = is_kernel,
                                    .result = is_kernel ? nullptr : declared,
                                    .symbol = symbol});
    return result;
}

nb::object compile_offline(nb::handle function, nb::handle types, const std::string& target, const std::string& kind,
                           nb::handle options, bool is_kernel, const std::string& symbol) {
    if (kind != "cuda" && kind != "cpu")
        throw Error(ErrorKind::Value, fmt::format("kind '{}': expected 'cuda' or 'cpu'", kind));
    LoweredObject lowered = lower_function(function, types, options, is_kernel, symbol);
    Image image;
    {
        nb::gil_scoped_release release;
        image = jit::compile_with_text(*lowered.lowered.module, kind == "cuda" ? DeviceKind::Cuda : DeviceKind::Cpu,
                                       target, lowered.options.compiling);
    }
    std::string text = image.assembly;
    if (text.empty() && image.format == ImageFormat::Ptx) text.assign(image.bytes.begin(), image.bytes.end());
    python::TypePtr result = lowered.lowered.result ? lowered.lowered.result : python::none_type();
    return nb::make_tuple(text, make_type(result), image.llvm_ir);
}

}  // namespace

nb::object make_specialization(SpecializationPtr specialization) {
    return nb::cast(SpecializationObject{std::move(specialization)});
}

const OptionsObject& options_of(nb::handle object) {
    static const OptionsObject defaults;
    if (object.is_none()) return defaults;
    if (!nb::isinstance<OptionsObject>(object))
        throw Error(ErrorKind::Type,
                    fmt::format("options: expected an Options, got {}", Py_TYPE(object.ptr())->tp_name));
    return *nb::inst_ptr<OptionsObject>(object);
}

void bind_options(nb::module_& m) {
    nb::class_<OptionsObject>(m, "Options", nb::is_final())
        .def(
            "__init__",
            [](OptionsObject* self, bool weak_literals, bool debug, bool bounds_check, bool warn_float64, int opt_level,
               bool contract, bool fastmath, bool line_info, int max_registers, int max_threads_per_block,
               int min_blocks_per_multiprocessor, int max_cluster_blocks, bool use_disk_cache) {
                if (opt_level < 0 || opt_level > 3)
                    throw Error(ErrorKind::Value, fmt::format("opt_level {} is not within 0 and 3", opt_level));
                for (auto [value, name] : {std::pair(max_registers, "max_registers"),
                                           {max_threads_per_block, "max_threads_per_block"},
                                           {min_blocks_per_multiprocessor, "min_blocks_per_multiprocessor"},
                                           {max_cluster_blocks, "max_cluster_blocks"}})
                    if (value < 0) throw Error(ErrorKind::Value, fmt::format("{} {} is negative", name, value));
                auto* o = new (self) OptionsObject;
                o->lowering.weak_literals = weak_literals;
                o->lowering.debug = o->compiling.debug = debug;
                o->lowering.bounds_check = bounds_check;
                o->lowering.warn_float64 = warn_float64;
                o->compiling.opt_level = opt_level;
                o->compiling.contract = contract;
                o->compiling.fastmath = fastmath;
                o->compiling.line_info = line_info;
                o->compiling.max_registers = max_registers;
                o->compiling.max_threads_per_block = max_threads_per_block;
                o->compiling.min_blocks_per_multiprocessor = min_blocks_per_multiprocessor;
                o->compiling.max_cluster_blocks = max_cluster_blocks;
                o->use_disk_cache = use_disk_cache;
            },
            nb::kw_only(), "weak_literals"_a = false, "debug"_a = false, "bounds_check"_a = false,
            "warn_float64"_a = true, "opt_level"_a = 3, "contract"_a = true, "fastmath"_a = false,
            "line_info"_a = false, "max_registers"_a = 0, "max_threads_per_block"_a = 0,
            "min_blocks_per_multiprocessor"_a = 0, "max_cluster_blocks"_a = 0, "use_disk_cache"_a = true)
        .def_prop_ro("weak_literals", [](const OptionsObject& o) { return o.lowering.weak_literals; })
        .def_prop_ro("debug", [](const OptionsObject& o) { return o.lowering.debug; })
        .def_prop_ro("bounds_check", [](const OptionsObject& o) { return o.lowering.bounds_check; })
        .def_prop_ro("warn_float64", [](const OptionsObject& o) { return o.lowering.warn_float64; })
        .def_prop_ro("opt_level", [](const OptionsObject& o) { return o.compiling.opt_level; })
        .def_prop_ro("contract", [](const OptionsObject& o) { return o.compiling.contract; })
        .def_prop_ro("fastmath", [](const OptionsObject& o) { return o.compiling.fastmath; })
        .def_prop_ro("line_info", [](const OptionsObject& o) { return o.compiling.line_info; })
        .def_prop_ro("max_registers", [](const OptionsObject& o) { return o.compiling.max_registers; })
        .def_prop_ro("max_threads_per_block", [](const OptionsObject& o) { return o.compiling.max_threads_per_block; })
        .def_prop_ro("min_blocks_per_multiprocessor",
                     [](const OptionsObject& o) { return o.compiling.min_blocks_per_multiprocessor; })
        .def_prop_ro("max_cluster_blocks", [](const OptionsObject& o) { return o.compiling.max_cluster_blocks; })
        .def_ro("use_disk_cache", &OptionsObject::use_disk_cache);
}

void bind_specializations(nb::module_& m) {
    using S = SpecializationObject;
    nb::class_<S>(m, "Specialization")
        .def_prop_ro("argument_types",
                     [](const S& s) {
                         nb::list types;
                         for (python::TypePtr type : s->arguments) types.append(make_type(type));
                         return nb::tuple(types);
                     })
        .def_prop_ro("device", [](const S& s) { return wrap_device(*s->device); })
        .def_prop_ro("registers", [](const S& s) { return fact(s, KernelAttribute::Registers); })
        .def_prop_ro("constant_bytes", [](const S& s) { return fact(s, KernelAttribute::ConstantBytes); })
        .def_prop_ro("static_shared_bytes", [](const S& s) { return fact(s, KernelAttribute::StaticSharedBytes); })
        .def_prop_ro("local_bytes", [](const S& s) { return fact(s, KernelAttribute::LocalBytes); })
        .def_prop_ro("max_threads_per_block", [](const S& s) { return fact(s, KernelAttribute::MaxThreadsPerBlock); })
        .def_prop_ro("max_dynamic_shared_bytes",
                     [](const S& s) { return fact(s, KernelAttribute::MaxDynamicSharedBytes); })
        .def_prop_ro("cooperative", [](const S& s) { return s->kernel->entry().cooperative; })
        .def_prop_ro("can_raise", [](const S& s) { return s->can_raise; })
        .def_prop_ro("from_disk", [](const S& s) { return s->from_disk; })
        .def_prop_ro("compile_ms", [](const S& s) { return s->milliseconds; })
        .def_prop_ro("symbol", [](const S& s) { return s->kernel->entry().name; })
        .def_prop_ro("warnings",
                     [](const S& s) {
                         nb::list texts;
                         for (const std::string& text : s->warnings) texts.append(text);
                         for (const std::string& text : s->module->image().warnings) texts.append(text);
                         return nb::tuple(texts);
                     })
        .def_prop_ro("ir", [](const S& s) { return ir::print(*s->ir); })
        .def_prop_ro("llvm_ir", llvm_ir)
        .def_prop_ro("assembly", assembly)
        .def_prop_ro("typed_source", [](const S& s) { return s->typed_source; })
        .def_prop_ro("image",
                     [](const S& s) {
                         const std::vector<std::uint8_t>& bytes = s->module->image().bytes;
                         return nb::bytes(bytes.data(), bytes.size());
                     })
        .def(
            "max_active_blocks",
            [](const S& s, int threads, std::size_t shared) { return s->kernel->max_active_blocks(threads, shared); },
            "threads"_a, "dynamic_shared"_a = 0)
        .def(
            "suggested_block_and_grid",
            [](const S& s, std::size_t shared, int limit) {
                return s->kernel->suggested_block_and_grid(shared, limit);
            },
            "dynamic_shared"_a = 0, "block_limit"_a = 0);
}

void bind_compiling(nb::module_& m) {
    m.def(
        "lower",
        [](nb::handle function, nb::handle types, nb::handle options, bool is_kernel) {
            return ir::print(*lower_function(function, types, options, is_kernel, "").lowered.module);
        },
        "function"_a, "types"_a, nb::kw_only(), "options"_a.none() = nb::none(), "is_kernel"_a = true);
    m.def("compile_offline", compile_offline, "function"_a, "types"_a, nb::kw_only(), "target"_a = "sm_75",
          "kind"_a = "cuda", "options"_a.none() = nb::none(), "is_kernel"_a = true, "symbol"_a = "");
    m.def("compiler_description", [] { return compiler().description(); });
    m.def("builtin_names", &python::builtin_names, "prefix"_a = "");
}

}  // namespace lanewise::bindings
