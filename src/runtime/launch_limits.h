// LaunchLimits: what a device allows of a launch, and the check every backend makes before it launches.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lanewise/device.h"

namespace lanewise {

/// Most bytes of packed parameters since compute capability 7.0, and before it: what CUDA documents.
inline constexpr std::uint32_t max_parameter_bytes = 32764;
inline constexpr std::uint32_t max_parameter_bytes_before_7_0 = 4096;

struct LaunchLimits {
    Dim3 block;  ///< most threads of a block along each dimension
    Dim3 grid;   ///< most blocks of a grid along each dimension
    std::uint64_t threads_per_block = 0;
    std::uint64_t shared_bytes = 0;  ///< static and dynamic shared memory of a block without opting in
    std::uint64_t shared_bytes_optin = 0;
    std::uint64_t cluster_blocks = 8;  ///< most blocks of a cluster; 0: the device has no clusters

    /// From the device's attributes.
    static LaunchLimits of(Device& device);
};

/// Error(Value) naming kernel, dimension, value and limit when `config` or the size of the packed parameters is not
/// what the device and the kernel allow. `max_dynamic_shared` is the kernel's MaxDynamicSharedBytes, `max_threads` its
/// MaxThreadsPerBlock. `device_name` appears in the text. Cheap when all is well.
void check_launch(const LaunchLimits& limits, const std::string& device_name, const EntryPoint& entry,
                  std::uint64_t max_threads, std::uint64_t max_dynamic_shared, const LaunchConfig& config,
                  std::size_t parameter_bytes);

}  // namespace lanewise
