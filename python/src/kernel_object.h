// KernelFunction, DeviceFunction and Options as Python objects.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "jit/kernel_function.h"

namespace lanewise::bindings {

struct OptionsObject {
    python::Options lowering;
    CompileOptions compiling;
    bool use_disk_cache = true;
};

/// A Python function that kernels call.
struct DeviceFunctionObject {
    nanobind::object function;
    nanobind::object options;
    bool force_inline = false;
};

/// The configuration of a launch, as `kernel[grid, block, stream, shared]` gives it.
struct LaunchSettings {
    LaunchConfig config;
    std::shared_ptr<Stream> stream;  ///< null: the current stream at the launch
    bool operator==(const LaunchSettings& other) const;
};

/// A Python function as a kernel: what the class KernelFunction holds.
class KernelObject {
public:
    KernelObject(nanobind::object function, nanobind::object options, bool force_inline, int carveout);

    const nanobind::object& function() const { return function_; }
    const nanobind::object& options() const { return options_; }
    bool force_inline() const { return force_inline_; }
    jit::KernelFunction& kernel() { return *kernel_; }
    const std::string& name() const { return kernel_->settings().name; }
    const std::vector<std::string>& parameters() const { return parameters_; }
    std::size_t parameter_count() const { return parameters_.size(); }
    /// The default of a parameter, or an invalid handle.
    nanobind::handle default_of(std::size_t parameter) const;

    nanobind::object prepare;  ///< None, or called before each launch

    /// Compiles on a miss; gives up the GIL meanwhile, and warns of what the compile says.
    jit::KernelFunction::Match find_or_compile(Device& device, std::span<const jit::Code> codes);

    /// `kernel[...]` objects made lately: the launcher for `settings`, or an invalid object.
    nanobind::object find_launcher(const LaunchSettings& settings) const;
    void remember_launcher(nanobind::handle launcher);

    int traverse(visitproc visit, void* arg) const;
    void clear_references();

private:
    static constexpr std::size_t launchers_kept = 8;

    nanobind::object function_, options_;
    bool force_inline_;
    std::vector<std::string> parameters_;
    std::vector<nanobind::object> defaults_;
    std::unique_ptr<jit::KernelFunction> kernel_;
    mutable std::mutex mutex_;                  ///< guards what follows
    std::vector<nanobind::object> kept_alive_;  ///< device arrays whose addresses are in compiled code
    std::array<nanobind::object, launchers_kept> launchers_;
    std::size_t next_launcher_ = 0;
};

/// Null for other objects than KernelFunctions.
KernelObject* find_kernel(nanobind::handle object);
/// The Python function of a KernelFunction or DeviceFunction; invalid for other objects.
nanobind::object function_of_kernel_object(nanobind::handle object);
bool is_device_function(nanobind::handle object);
bool wants_inlining(nanobind::handle object);
/// The default options for None. Error(Type) for anything but an Options.
const OptionsObject& options_of(nanobind::handle object);

/// A _core.Specialization.
nanobind::object make_specialization(std::shared_ptr<const jit::Specialization> specialization);

void bind_options(nanobind::module_& m);
void bind_specializations(nanobind::module_& m);

}  // namespace lanewise::bindings
