// CudaModule and CudaKernel: an image loaded into a device's primary context, and its entry points.
#pragma once

#include <atomic>
#include <mutex>
#include <unordered_map>

#include "backend/cuda/device.h"
#include "runtime/error_slot.h"

namespace lanewise::cuda {

class CudaModule;

class CudaKernel final : public Kernel, public std::enable_shared_from_this<CudaKernel> {
public:
    /// `layout_known`: entry.parameter_bytes is the true size of the parameter buffer.
    CudaKernel(std::shared_ptr<CudaModule> module, EntryPoint entry, bool layout_known, CUfunction function);

    const EntryPoint& entry() const override { return entry_; }
    const std::shared_ptr<Module>& module() const override { return module_; }
    int attribute(KernelAttribute which) const override;
    void set_attribute(KernelAttribute which, int value) override;
    int max_active_blocks(int threads, std::size_t dynamic_shared) const override;
    std::pair<int, int> suggested_block_and_grid(std::size_t dynamic_shared, int block_limit) const override;

    CudaDevice& device() const { return device_; }
    CudaModule& cuda_module() const { return *cuda_module_; }
    CUfunction function() const { return function_; }
    const std::string* label() const { return label_; }
    /// False where the driver is too old to tell the parameters of a kernel that came without a description.
    bool layout_known() const { return layout_known_; }

    /// Lets a launch use `bytes` of dynamic shared memory; Error(Value) naming the device's limit. One compare when
    /// they are allowed already.
    void allow_dynamic_shared(std::uint32_t bytes) const {
        if (bytes > dynamic_shared_limit_.load(std::memory_order_relaxed)) [[unlikely]]
            opt_in_dynamic_shared(bytes);
    }
    /// Lets a launch use clusters of `blocks` blocks; more than 8 are opted in on the first such launch.
    void allow_cluster(std::uint64_t blocks);
    bool has_large_clusters() const { return large_clusters_; }
    std::uint32_t dynamic_shared_limit() const { return dynamic_shared_limit_; }
    int function_attribute(CUfunction_attribute which) const;

private:
    void opt_in_dynamic_shared(std::uint32_t bytes) const;
    void set_function_attribute(CUfunction_attribute which, int value) const;
    /// Most dynamic shared memory a launch of this kernel can have.
    std::int64_t most_dynamic_shared() const;

    std::shared_ptr<Module> module_;
    CudaModule* cuda_module_;
    CudaDevice& device_;
    EntryPoint entry_;
    bool layout_known_;
    CUfunction function_;
    const std::string* label_;
    /// The driver's MaxDynamicSharedBytes as last set through this object.
    mutable std::atomic<std::uint32_t> dynamic_shared_limit_{0};
    std::atomic<bool> large_clusters_{false};
};

class CudaModule final : public Module {
public:
    /// Loads `image` (Cubin or Ptx); Error(Compile) with the driver's log.
    CudaModule(CudaDevice& device, Image image);
    ~CudaModule() override;

    const Image& image() const override { return image_; }
    std::shared_ptr<Kernel> kernel(const std::string& name) override;
    std::pair<void*, std::size_t> global(const std::string& name) override;

    CudaDevice& device() const { return device_; }
    /// Device address of the error slot; 0 when no kernel of the image can raise.
    CUdeviceptr error_slot() const { return error_slot_; }

private:
    std::vector<std::string> kernel_names() const;
    EntryPoint describe_entry(const std::string& name, CUfunction function, bool& layout_known) const;
    static EntryPoint describe_by_driver(const std::string& name, CUfunction function, bool& layout_known);

    CudaDevice& device_;
    Image image_;
    CUmodule handle_ = nullptr;
    CUdeviceptr error_slot_ = 0;
    std::mutex mutex_;
    /// Kernels own the module, so the module only remembers them.
    std::unordered_map<std::string, std::weak_ptr<CudaKernel>> kernels_;
};

}  // namespace lanewise::cuda
