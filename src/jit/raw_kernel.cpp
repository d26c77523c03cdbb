// RawKernel: a kernel of a RawModule, found on each device on demand.
#include <algorithm>

#include "jit/dynamic_shared.h"
#include "jit/per_device.h"
#include "lanewise/raw.h"

namespace lanewise {

struct RawKernel::Impl {
    jit::PerDevice<Loaded> loaded;
};

RawKernel::RawKernel(std::shared_ptr<RawModule> module, std::string name, bool cooperative)
    : module_(std::move(module)), name_(std::move(name)), cooperative_(cooperative), impl_(std::make_unique<Impl>()) {}

RawKernel::~RawKernel() = default;

const RawKernel::Loaded* RawKernel::find(const Device& device) const noexcept {
    return impl_->loaded.find(device);
}

const RawKernel::Loaded& RawKernel::on(Device& device) {
    auto load = [&] {
        Module& module = *module_->on(device).module;
        std::shared_ptr<Kernel> kernel = module.kernel(module_->kernel_symbol(name_, device));
        const EntryPoint& entry = kernel->entry();
        const std::vector<EntryPoint>& described = module.image().entries;
        bool is_described = std::any_of(described.begin(), described.end(),
                                        [&](const EntryPoint& known) { return known.name == entry.name; });
        jit::allow_dynamic_shared(*kernel, device);
        // A kernel without parameters looks like one that nobody knows the parameters of.
        RawParameters parameters = parameters_of(entry, is_described || !entry.parameter_sizes.empty());
        return Loaded{std::move(kernel), std::move(parameters)};
    };
    return impl_->loaded.find_or_make(device, load);
}

void RawKernel::launch(Stream& stream, LaunchConfig config, std::span<const std::byte> parameters) {
    Device& device = stream.device();
    const Loaded* loaded = find(device);
    if (!loaded) loaded = &on(device);
    config.cooperative = config.cooperative || cooperative_;
    stream.launch(*loaded->kernel, config, parameters);
}

}  // namespace lanewise
