// CudaStream::launch: one driver call on the way that works; what is wrong is found out only when the driver refuses.
#include <fmt/format.h>

#include "backend/cuda/context.h"
#include "backend/cuda/driver_error.h"
#include "backend/cuda/module.h"
#include "backend/cuda/raise_watch.h"
#include "backend/cuda/stream.h"
#include "runtime/launch_limits.h"

namespace lanewise::cuda {

namespace {

[[noreturn, gnu::noinline]] void foreign_kernel(const Kernel& kernel, const CudaDevice& device) {
    throw Error(ErrorKind::Value, fmt::format("launch of kernel '{}': it is not loaded on {}, the device of the stream",
                                              kernel.entry().display_name, device.name()));
}

CUresult launch_with_attributes(CudaKernel& kernel, const LaunchConfig& config, bool cooperative, bool clustered,
                                CUstream queue, void** extra) {
    CUlaunchAttribute attributes[2] = {};
    unsigned count = 0;
    if (cooperative) {
        attributes[count].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
        attributes[count++].value.cooperative = 1;
    }
    if (clustered) {
        kernel.allow_cluster(config.cluster.count());
        attributes[count].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        attributes[count++].value.clusterDim = {config.cluster.x, config.cluster.y, config.cluster.z};
    }
    CUlaunchConfig launch{};
    launch.gridDimX = config.grid.x, launch.gridDimY = config.grid.y, launch.gridDimZ = config.grid.z;
    launch.blockDimX = config.block.x, launch.blockDimY = config.block.y, launch.blockDimZ = config.block.z;
    launch.sharedMemBytes = config.dynamic_shared_bytes;
    launch.hStream = queue;
    launch.attrs = attributes;
    launch.numAttrs = count;
    return driver.cuLaunchKernelEx.status(&launch, kernel.function(), nullptr, extra);
}

}  // namespace

void CudaStream::launch(Kernel& kernel, const LaunchConfig& config, std::span<const std::byte> params) {
    auto* loaded = dynamic_cast<CudaKernel*>(&kernel);
    if (!loaded || &loaded->device() != &device_) [[unlikely]]
        foreign_kernel(kernel, device_);
    const EntryPoint& entry = loaded->entry();
    std::size_t bytes = params.size();
    if (bytes != entry.parameter_bytes && loaded->layout_known()) [[unlikely]]
        refused(CUDA_ERROR_INVALID_VALUE, *loaded, config, bytes);
    ContextScope scope(device_);
    loaded->allow_dynamic_shared(config.dynamic_shared_bytes);
    note_launch(loaded->label());

    void* buffer[] = {reinterpret_cast<void*>(CU_LAUNCH_PARAM_BUFFER_POINTER), const_cast<std::byte*>(params.data()),
                      reinterpret_cast<void*>(CU_LAUNCH_PARAM_BUFFER_SIZE), &bytes,
                      reinterpret_cast<void*>(CU_LAUNCH_PARAM_END)};
    void** extra = bytes != 0 ? buffer : nullptr;
    bool cooperative = config.cooperative || entry.cooperative;
    bool clustered = (config.cluster.x | config.cluster.y | config.cluster.z) != 0;
    CUresult result;
    if (!cooperative && !clustered) [[likely]]
        result = driver.cuLaunchKernel.status(loaded->function(), config.grid.x, config.grid.y, config.grid.z,
                                              config.block.x, config.block.y, config.block.z,
                                              config.dynamic_shared_bytes, queue(), nullptr, extra);
    else
        result = launch_with_attributes(*loaded, config, cooperative, clustered, queue(), extra);
    if (result != CUDA_SUCCESS) [[unlikely]]
        refused(result, *loaded, config, bytes);
    if (is_captured()) [[unlikely]]
        note_captured(*loaded);
    else if (entry.can_raise)
        device_.raise_watch().launched(*this, *loaded);
}

void CudaStream::refused(CUresult result, CudaKernel& kernel, const LaunchConfig& config, std::size_t parameter_bytes) {
    if (is_sticky(result)) fail(result, driver.cuLaunchKernel.name());
    const EntryPoint& entry = kernel.entry();
    int threads = kernel.attribute(KernelAttribute::MaxThreadsPerBlock);
    LaunchLimits limits = LaunchLimits::of(device_);
    // Past 8 blocks the driver alone knows what the device takes.
    if (kernel.has_large_clusters()) limits.cluster_blocks = std::max<std::uint64_t>(8, config.cluster.count());
    check_launch(limits, device_.name(), entry, std::uint64_t(threads), kernel.dynamic_shared_limit(), config,
                 kernel.layout_known() ? parameter_bytes : entry.parameter_bytes);
    const std::string& name = entry.display_name.empty() ? entry.name : entry.display_name;
    std::uint64_t block = config.block.count();
    switch (result) {
        case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
            throw Error(
                ErrorKind::Value,
                fmt::format("launch of kernel '{}': a block of {} threads with {} registers each and {} bytes of "
                            "shared memory does not fit on a multiprocessor of {} ({} registers, {} bytes); use fewer "
                            "threads or bound the kernel's registers",
                            name, block, kernel.attribute(KernelAttribute::Registers),
                            entry.static_shared_bytes + config.dynamic_shared_bytes, device_.name(),
                            device_.attribute(DeviceAttribute::MaxRegistersPerBlock),
                            device_.attribute(DeviceAttribute::MaxSharedPerMultiprocessor)));
        case CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: {
            std::int64_t resident = kernel.max_active_blocks(int(block), config.dynamic_shared_bytes) *
                                    device_.attribute(DeviceAttribute::MultiprocessorCount);
            throw Error(
                ErrorKind::Value,
                fmt::format("launch of kernel '{}': a cooperative grid of {} blocks; all blocks must run at once, and "
                            "{} has room for {} of this kernel's blocks of {} threads",
                            name, config.grid.count(), device_.name(), resident, block));
        }
        case CUDA_ERROR_INVALID_CLUSTER_SIZE:
            throw Error(
                ErrorKind::Value,
                fmt::format("launch of kernel '{}': {} does not take clusters of ({}, {}, {}) blocks of {} threads",
                            name, device_.name(), config.cluster.x, config.cluster.y, config.cluster.z, block));
        default:
            throw driver_error(
                result, fmt::format("launch of kernel '{}' with grid ({}, {}, {}), block ({}, {}, {}) and {} "
                                    "bytes of dynamic shared memory: {}",
                                    name, config.grid.x, config.grid.y, config.grid.z, config.block.x, config.block.y,
                                    config.block.z, config.dynamic_shared_bytes, driver.cuLaunchKernel.name()));
    }
}

}  // namespace lanewise::cuda
