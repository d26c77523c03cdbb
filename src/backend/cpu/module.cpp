#include "backend/cpu/module.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/cpu/host_threads.h"
#include "runtime/entry_name.h"

namespace lanewise::cpu {

namespace {

Image checked(Image image, const std::string& device_target) {
    if (image.format != ImageFormat::HostObject)
        throw Error(ErrorKind::Value,
                    fmt::format("cpu device: cannot load an image for '{}'; it loads host objects only", image.target));
    if (image.target != device_target)
        throw Error(ErrorKind::Value,
                    fmt::format("cpu device: the image is for '{}', this host is '{}'; compile it again here",
                                image.target, device_target));
    return image;
}

std::string title(const Image& image) {
    if (image.entries.empty()) return "image";
    return shown_name(image.entries.front());
}

std::string entry_names(const Image& image) {
    std::string names;
    for (const EntryPoint& entry : image.entries) names += (names.empty() ? "'" : ", '") + entry.name + "'";
    return names.empty() ? "none" : names;
}

}  // namespace

CpuModule::CpuModule(Image image, const std::string& device_target)
    : image_(checked(std::move(image), device_target)),
      object_(image_.bytes, title(image_)),
      states_(image_.entries.size()),
      kernels_(image_.entries.size()) {
    for (std::size_t i = 0; i < states_.size(); ++i) {
        const EntryPoint& entry = image_.entries[i];
        KernelState& state = states_[i];
        state.entry = &entry;
        state.function = reinterpret_cast<KernelFunction>(object_.function(entry.name.c_str()));
        if (!state.function)
            throw Error(ErrorKind::Value,
                        fmt::format("cpu device: the image does not export its kernel '{}'", entry.name));
        if (entry.static_shared_bytes > static_cast<std::uint32_t>(shared_per_block_optin))
            throw Error(
                ErrorKind::Value,
                fmt::format("cpu device: kernel '{}' has {} bytes of static shared memory; at most {} are possible",
                            entry.name, entry.static_shared_bytes, shared_per_block_optin));
        state.max_dynamic_shared = std::max(0, shared_per_block - static_cast<int>(entry.static_shared_bytes));
    }
}

std::shared_ptr<Kernel> CpuModule::kernel(const std::string& name) {
    for (std::size_t i = 0; i < states_.size(); ++i) {
        if (image_.entries[i].name != name) continue;
        std::lock_guard lock(mutex_);
        std::shared_ptr<Kernel> kernel = kernels_[i].lock();
        if (!kernel) {
            kernel = std::make_shared<CpuKernel>(shared_from_this(), states_[i]);
            kernels_[i] = kernel;
        }
        return kernel;
    }
    throw Error(ErrorKind::Value,
                fmt::format("no kernel '{}' in the module; it has {}", name,
                            image_.entries.empty() ? "no kernels (__global__ functions)" : entry_names(image_)));
}

std::pair<void*, std::size_t> CpuModule::global(const std::string& name) {
    if (auto found = object_.variable(name.c_str())) return *found;
    throw Error(ErrorKind::Value, fmt::format("no global variable '{}' in the module", name));
}

int CpuKernel::attribute(KernelAttribute which) const {
    switch (which) {
        case KernelAttribute::MaxThreadsPerBlock:
            return static_cast<int>(state_.max_threads());
        case KernelAttribute::StaticSharedBytes:
            return static_cast<int>(entry().static_shared_bytes);
        case KernelAttribute::ConstantBytes:
            return 0;
        case KernelAttribute::LocalBytes:
            return static_cast<int>(entry().context_bytes_per_thread);
        case KernelAttribute::Registers:
            return registers_per_thread;
        case KernelAttribute::PtxVersion:
        case KernelAttribute::BinaryVersion:
            return compute_capability_major * 10 + compute_capability_minor;
        case KernelAttribute::MaxDynamicSharedBytes:
            return state_.max_dynamic_shared;
        case KernelAttribute::PreferredSharedCarveout:
            return state_.shared_carveout;
    }
    throw Error(ErrorKind::Value, fmt::format("Kernel::attribute: unknown attribute {}", static_cast<int>(which)));
}

void CpuKernel::set_attribute(KernelAttribute which, int value) {
    if (which == KernelAttribute::MaxDynamicSharedBytes) {
        int most = shared_per_block_optin - static_cast<int>(entry().static_shared_bytes);
        if (value < 0 || value > most)
            throw Error(
                ErrorKind::Value,
                fmt::format("Kernel::set_attribute: MaxDynamicSharedBytes {} of kernel '{}'; it must be from 0 to {}",
                            value, shown_name(entry()), most));
        state_.max_dynamic_shared = value;
    } else if (which == KernelAttribute::PreferredSharedCarveout) {
        if (value < -1 || value > 100)
            throw Error(ErrorKind::Value,
                        fmt::format("Kernel::set_attribute: PreferredSharedCarveout {} of kernel '{}'; it must be a "
                                    "percentage from 0 to 100, or -1 for the default",
                                    value, shown_name(entry())));
        state_.shared_carveout = value;
    } else {
        throw Error(ErrorKind::Value,
                    "Kernel::set_attribute: only MaxDynamicSharedBytes and PreferredSharedCarveout can be set");
    }
}

int CpuKernel::max_active_blocks(int threads, std::size_t dynamic_shared) const {
    if (threads <= 0 || threads > static_cast<int>(state_.max_threads())) return 0;
    std::size_t shared = entry().static_shared_bytes + dynamic_shared;
    if (shared > static_cast<std::size_t>(shared_per_block_optin)) return 0;
    int warps = (threads + static_cast<int>(warp_size) - 1) / static_cast<int>(warp_size);
    int by_threads = max_threads_per_multiprocessor / (warps * static_cast<int>(warp_size));
    int by_shared = static_cast<int>(shared_per_multiprocessor / (shared + shared_reserved_per_block));
    return std::min({by_threads, by_shared, max_blocks_per_multiprocessor});
}

std::pair<int, int> CpuKernel::suggested_block_and_grid(std::size_t dynamic_shared, int block_limit) const {
    // Long enough to pay for a block's start many times over, short enough for its context to stay in the first cache.
    int block = std::min(256, static_cast<int>(state_.max_threads()));
    if (block_limit > 0) block = std::min(block, block_limit);
    return {block, max_active_blocks(block, dynamic_shared) * host_threads().workers.threads()};
}

}  // namespace lanewise::cpu
