// RawModule, RawKernel and RawLauncher as Python objects.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "kernel_object.h"
#include "lanewise/raw.h"

namespace lanewise::bindings {

/// What the class RawModule holds.
struct RawModuleObject {
    std::shared_ptr<RawModule> module;
    bool cooperative = false;
};

/// What the class RawKernel holds. `vectorcall` comes first: CPython reads it.
struct RawKernelObject {
    vectorcallfunc vectorcall = nullptr;
    std::shared_ptr<RawKernel> kernel;
    bool lenient = false;
    bool from_module = false;  ///< made by RawModule.get_function
};

/// What the class RawLauncher holds.
struct RawLauncherObject {
    vectorcallfunc vectorcall = nullptr;
    nanobind::object owner;  ///< the RawKernel
    LaunchSettings settings;
};

RawKernelObject make_raw_kernel(std::shared_ptr<RawKernel> kernel, bool lenient, bool from_module);

/// The module on `device`; compiles without the GIL and warns of what the compiler says.
const RawModule::Loaded& loaded_on(RawModule& module, Device& device);
/// The kernel on `device`, likewise.
const RawKernel::Loaded& loaded_on(RawKernel& kernel, Device& device);
/// As loaded_on for the current device; the compiler's words go to `stream` (a file object or None).
void compile_now(RawModule& module, nanobind::handle stream);

/// A source from constructor arguments. Error(Type, Value, NotImplemented).
struct RawOptions {
    std::vector<std::string> options;
    cuda_cpp::Backend backend = cuda_cpp::Backend::Auto;
    std::vector<std::string> name_expressions;
};
RawOptions read_raw_options(const char* call, nanobind::handle options, nanobind::handle backend,
                            nanobind::handle name_expressions, bool jitify);
std::string read_code(const char* call, nanobind::handle code);
const char* backend_name(cuda_cpp::Backend backend);
nanobind::tuple to_tuple(const std::vector<std::string>& texts);

/// Calls of instances of nanobind's class `type` go to the function that T::vectorcall holds.
void enable_vectorcall(nanobind::handle type);

/// Launches.
PyObject* call_raw_kernel(PyObject* self, PyObject* const* args, std::size_t flagged_count, PyObject* names);
PyObject* call_raw_launcher(PyObject* self, PyObject* const* args, std::size_t flagged_count, PyObject* names);
PyObject* make_raw_launcher(PyObject* kernel, PyObject* config) noexcept;
void launch_packed(nanobind::handle self, nanobind::handle grid, nanobind::handle block, nanobind::handle shared,
                   nanobind::handle stream, nanobind::handle parameters);
void launch_loose(nanobind::handle self, nanobind::handle grid, nanobind::handle block, nanobind::handle args,
                  nanobind::handle shared, nanobind::handle stream);
void bind_raw_kernel_class(nanobind::module_& m);
void bind_raw_launcher(nanobind::module_& m);

}  // namespace lanewise::bindings
