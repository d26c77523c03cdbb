// CpuModule and CpuKernel: a loaded host image and its entry points.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "backend/cpu/abi.h"
#include "backend/cpu/device_facts.h"
#include "backend/cpu/shared_object.h"
#include "lanewise/device.h"

namespace lanewise::cpu {

/// What the device knows of an entry point, for all Kernel objects of it; lives as long as the module.
struct KernelState {
    const EntryPoint* entry = nullptr;
    KernelFunction function = nullptr;
    std::atomic<int> max_dynamic_shared{0};
    std::atomic<int> shared_carveout{-1};
    /// Nanoseconds a block took on one thread, by the latest launches; 0 before the first.
    std::atomic<float> block_ns{0};

    /// Most threads of a block: the kernel's launch bounds, else the device's limit.
    std::uint32_t max_threads() const {
        return entry->max_threads ? std::min<std::uint32_t>(entry->max_threads, max_threads_per_block)
                                  : max_threads_per_block;
    }
};

class CpuModule final : public Module {
public:
    /// `device_target` is Device::target(). Error(Value) when the image is not for it or does not export what it lists.
    CpuModule(Image image, const std::string& device_target);

    const Image& image() const override { return image_; }
    std::shared_ptr<Kernel> kernel(const std::string& name) override;
    std::pair<void*, std::size_t> global(const std::string& name) override;

private:
    const Image image_;
    const SharedObject object_;
    std::vector<KernelState> states_;  ///< in the order of Image::entries
    std::mutex mutex_;
    std::vector<std::weak_ptr<Kernel>> kernels_;
};

class CpuKernel final : public Kernel {
public:
    CpuKernel(std::shared_ptr<Module> module, KernelState& state) : module_(std::move(module)), state_(state) {}

    const EntryPoint& entry() const override { return *state_.entry; }
    const std::shared_ptr<Module>& module() const override { return module_; }
    int attribute(KernelAttribute which) const override;
    void set_attribute(KernelAttribute which, int value) override;
    int max_active_blocks(int threads, std::size_t dynamic_shared) const override;
    std::pair<int, int> suggested_block_and_grid(std::size_t dynamic_shared, int block_limit) const override;

    KernelState& state() const { return state_; }

private:
    const std::shared_ptr<Module> module_;
    KernelState& state_;
};

}  // namespace lanewise::cpu
