// CudaKernel: attributes, opt-ins and occupancy of an entry point.
#include <fmt/format.h>

#include <algorithm>

#include "backend/cuda/context.h"
#include "backend/cuda/driver_error.h"
#include "backend/cuda/module.h"
#include "runtime/entry_name.h"

namespace lanewise::cuda {

CudaKernel::CudaKernel(std::shared_ptr<CudaModule> module, EntryPoint entry, bool layout_known, CUfunction function)
    : module_(module),
      cuda_module_(module.get()),
      device_(module->device()),
      entry_(std::move(entry)),
      layout_known_(layout_known),
      function_(function),
      label_(launch_label(fmt::format("{} ({})", shown_name(entry_), device_.name()))) {
    dynamic_shared_limit_ = std::uint32_t(function_attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES));
}

int CudaKernel::function_attribute(CUfunction_attribute which) const {
    ContextScope scope(device_);
    int value = 0;
    driver.cuFuncGetAttribute(&value, which, function_);
    return value;
}

void CudaKernel::set_function_attribute(CUfunction_attribute which, int value) const {
    ContextScope scope(device_);
    driver.cuFuncSetAttribute(function_, which, value);
}

int CudaKernel::attribute(KernelAttribute which) const {
    switch (which) {
        case KernelAttribute::MaxThreadsPerBlock:
            return function_attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
        case KernelAttribute::StaticSharedBytes:
            return function_attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
        case KernelAttribute::ConstantBytes:
            return function_attribute(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
        case KernelAttribute::LocalBytes:
            return function_attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
        case KernelAttribute::Registers:
            return function_attribute(CU_FUNC_ATTRIBUTE_NUM_REGS);
        case KernelAttribute::PtxVersion:
            return function_attribute(CU_FUNC_ATTRIBUTE_PTX_VERSION);
        case KernelAttribute::BinaryVersion:
            return function_attribute(CU_FUNC_ATTRIBUTE_BINARY_VERSION);
        case KernelAttribute::MaxDynamicSharedBytes:
            return function_attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
        case KernelAttribute::PreferredSharedCarveout:
            return function_attribute(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
    }
    throw Error(ErrorKind::Internal, fmt::format("no driver attribute for KernelAttribute {}", int(which)));
}

void CudaKernel::set_attribute(KernelAttribute which, int value) {
    if (which == KernelAttribute::MaxDynamicSharedBytes) {
        if (value < 0 || value > most_dynamic_shared())
            throw Error(
                ErrorKind::Value,
                fmt::format("set_attribute: MaxDynamicSharedBytes of kernel '{}' cannot be {}; {} allows 0 to {} "
                            "beside its {} bytes of static shared memory",
                            shown_name(entry_), value, device_.name(), most_dynamic_shared(),
                            function_attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)));
        set_function_attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, value);
        dynamic_shared_limit_ = std::uint32_t(value);
    } else if (which == KernelAttribute::PreferredSharedCarveout) {
        if (value < -1 || value > 100)
            throw Error(
                ErrorKind::Value,
                fmt::format("set_attribute: PreferredSharedCarveout of kernel '{}' cannot be {}; it is a percentage "
                            "from 0 to 100, or -1 for the default",
                            shown_name(entry_), value));
        set_function_attribute(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, value);
    } else {
        throw Error(
            ErrorKind::Value,
            fmt::format("set_attribute: kernel '{}': only MaxDynamicSharedBytes and PreferredSharedCarveout can be "
                        "set; the others are results of the compilation",
                        shown_name(entry_)));
    }
}

std::int64_t CudaKernel::most_dynamic_shared() const {
    return device_.attribute(DeviceAttribute::MaxSharedPerBlockOptin) -
           function_attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
}

void CudaKernel::opt_in_dynamic_shared(std::uint32_t bytes) const {
    std::int64_t most = most_dynamic_shared();
    if (bytes > most)
        throw Error(
            ErrorKind::Value,
            fmt::format("launch of kernel '{}': {} bytes of dynamic shared memory; {} allows at most {} beside the "
                        "kernel's {} bytes of static shared memory",
                        shown_name(entry_), bytes, device_.name(), most,
                        function_attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)));
    // The whole allowance at once: it is only a bound, what counts is each launch's own size.
    set_function_attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, int(most));
    dynamic_shared_limit_ = std::uint32_t(most);
}

void CudaKernel::allow_cluster(std::uint64_t blocks) {
    // Every device with clusters takes 8; more depends on the device and must be asked for.
    if (blocks <= 8 || large_clusters_.load(std::memory_order_relaxed)) return;
    set_function_attribute(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
    large_clusters_ = true;
}

int CudaKernel::max_active_blocks(int threads, std::size_t dynamic_shared) const {
    ContextScope scope(device_);
    if (std::int64_t(dynamic_shared) > most_dynamic_shared()) return 0;
    allow_dynamic_shared(std::uint32_t(dynamic_shared));
    int blocks = 0;
    driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function_, threads, dynamic_shared);
    return blocks;
}

std::pair<int, int> CudaKernel::suggested_block_and_grid(std::size_t dynamic_shared, int block_limit) const {
    ContextScope scope(device_);
    allow_dynamic_shared(std::uint32_t(std::min<std::size_t>(dynamic_shared, UINT32_MAX)));
    int grid = 0, block = 0;
    driver.cuOccupancyMaxPotentialBlockSize(&grid, &block, function_, nullptr, dynamic_shared, block_limit);
    return {block, grid};
}

}  // namespace lanewise::cuda
