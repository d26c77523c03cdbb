// What devices answer whose backend has no notion of what is asked for.
#include "lanewise/device.h"

#include <fmt/format.h>

namespace lanewise {

namespace {

[[noreturn]] void unsupported(const Device& device, const char* call, const char* reason) {
    throw Error(ErrorKind::NotImplemented, fmt::format("Device::{}: {} {}", call, device.name(), reason));
}

constexpr const char* no_linker =
    "runs code compiled for this host, which is not linked from parts; give CUDA C++ text";
constexpr const char* no_limits = "has no such limits";
constexpr const char* no_peers = "has no peers, whose kernels could reach its memory";
constexpr const char* no_ranges = "does not know allocations by the addresses in them";
constexpr const char* no_sharing =
    "has ordinary memory of this process, which has no name in others; share it with multiprocessing.shared_memory";

}  // namespace

std::unique_ptr<Linker> Device::create_linker(const LinkOptions&) {
    unsupported(*this, "create_linker", no_linker);
}

std::size_t Device::limit(DeviceLimit) {
    unsupported(*this, "limit", no_limits);
}

void Device::set_limit(DeviceLimit, std::size_t) {
    unsupported(*this, "set_limit", no_limits);
}

CachePreference Device::cache_preference() {
    return CachePreference::None;
}

void Device::set_cache_preference(CachePreference) {}

std::pair<int, int> Device::stream_priorities() {
    return {0, 0};
}

std::uintptr_t Device::context_handle() {
    return reinterpret_cast<std::uintptr_t>(this);
}

void Device::enable_peer_access(Device&) {
    unsupported(*this, "enable_peer_access", no_peers);
}

void Device::disable_peer_access(Device&) {
    unsupported(*this, "disable_peer_access", no_peers);
}

MemoryRange Device::allocation_at(const void*) {
    unsupported(*this, "allocation_at", no_ranges);
}

AllocationName Device::name_allocation(const void*) {
    unsupported(*this, "name_allocation", no_sharing);
}

void* Device::open_allocation(const AllocationName&) {
    unsupported(*this, "open_allocation", no_sharing);
}

void Device::close_allocation(void*) {
    unsupported(*this, "close_allocation", no_sharing);
}

}  // namespace lanewise
