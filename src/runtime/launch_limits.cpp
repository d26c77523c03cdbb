#include "runtime/launch_limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/entry_name.h"

namespace lanewise {

namespace {

std::string shape(const Dim3& d) {
    return fmt::format("({}, {}, {})", d.x, d.y, d.z);
}

[[noreturn]] void refuse(const EntryPoint& entry, const std::string& problem) {
    throw Error(ErrorKind::Value, fmt::format("launch of kernel '{}': {}", shown_name(entry), problem));
}

void check_extent(const EntryPoint& entry, const std::string& device_name, const char* what, const char* unit,
                  const Dim3& given, const Dim3& limit) {
    const std::uint32_t values[] = {given.x, given.y, given.z};
    const std::uint32_t limits[] = {limit.x, limit.y, limit.z};
    for (int i = 0; i < 3; ++i) {
        char axis = "xyz"[i];
        if (values[i] == 0)
            refuse(entry,
                   fmt::format("{} {} has 0 {} in dimension {}; it needs at least 1", what, shape(given), unit, axis));
        if (values[i] > limits[i])
            refuse(entry, fmt::format("{} {} has {} {} in dimension {}; {} allows at most {}", what, shape(given),
                                      values[i], unit, axis, device_name, limits[i]));
    }
}

void check_cluster(const EntryPoint& entry, const std::string& device_name, const LaunchLimits& limits,
                   const LaunchConfig& config) {
    const Dim3& cluster = config.cluster;
    if (limits.cluster_blocks == 0)
        refuse(entry,
               fmt::format("cluster {} asked for; {} has no thread block clusters", shape(cluster), device_name));
    if (cluster.count() == 0)
        refuse(entry, fmt::format("cluster {} has a dimension of 0; it needs at least 1 in each", shape(cluster)));
    if (cluster.count() > limits.cluster_blocks)
        refuse(entry, fmt::format("cluster {} has {} blocks; {} allows at most {}", shape(cluster), cluster.count(),
                                  device_name, limits.cluster_blocks));
    if (config.grid.x % cluster.x || config.grid.y % cluster.y || config.grid.z % cluster.z)
        refuse(entry, fmt::format("grid {} is no multiple of the cluster {} in every dimension", shape(config.grid),
                                  shape(cluster)));
}

}  // namespace

LaunchLimits LaunchLimits::of(Device& device) {
    auto ask = [&](DeviceAttribute which) {
        return static_cast<std::uint32_t>(std::clamp<std::int64_t>(device.attribute(which), 0, UINT32_MAX));
    };
    LaunchLimits limits;
    limits.block = {ask(DeviceAttribute::MaxBlockX), ask(DeviceAttribute::MaxBlockY), ask(DeviceAttribute::MaxBlockZ)};
    limits.grid = {ask(DeviceAttribute::MaxGridX), ask(DeviceAttribute::MaxGridY), ask(DeviceAttribute::MaxGridZ)};
    limits.threads_per_block = ask(DeviceAttribute::MaxThreadsPerBlock);
    limits.shared_bytes = ask(DeviceAttribute::MaxSharedPerBlock);
    limits.shared_bytes_optin = ask(DeviceAttribute::MaxSharedPerBlockOptin);
    limits.cluster_blocks = ask(DeviceAttribute::ComputeCapabilityMajor) >= 9 ? 8 : 0;
    return limits;
}

void check_launch(const LaunchLimits& limits, const std::string& device_name, const EntryPoint& entry,
                  std::uint64_t max_threads, std::uint64_t max_dynamic_shared, const LaunchConfig& config,
                  std::size_t parameter_bytes) {
    check_extent(entry, device_name, "block", "threads", config.block, limits.block);
    check_extent(entry, device_name, "grid", "blocks", config.grid, limits.grid);
    if (std::uint64_t threads = config.block.count(); threads > limits.threads_per_block)
        refuse(entry, fmt::format("block {} has {} threads; {} allows at most {} threads per block",
                                  shape(config.block), threads, device_name, limits.threads_per_block));
    else if (threads > max_threads)
        refuse(entry, fmt::format("block {} has {} threads; this kernel allows at most {} threads per block",
                                  shape(config.block), threads, max_threads));
    if (config.dynamic_shared_bytes > max_dynamic_shared) {
        std::uint64_t optin =
            limits.shared_bytes_optin - std::min<std::uint64_t>(limits.shared_bytes_optin, entry.static_shared_bytes);
        std::string remedy =
            max_dynamic_shared < optin
                ? fmt::format("; setting the kernel's max_dynamic_shared_size_bytes raises this to at most {}", optin)
                : std::string();
        refuse(entry,
               fmt::format("{} bytes of dynamic shared memory; {} allows at most {} beside the kernel's {} bytes of "
                           "static shared memory{}",
                           config.dynamic_shared_bytes, device_name, max_dynamic_shared, entry.static_shared_bytes,
                           remedy));
    }
    if (config.cluster.x | config.cluster.y | config.cluster.z) check_cluster(entry, device_name, limits, config);
    if (parameter_bytes != entry.parameter_bytes)
        refuse(entry, fmt::format("{} bytes of packed parameters given; the kernel takes {}", parameter_bytes,
                                  entry.parameter_bytes));
}

}  // namespace lanewise
