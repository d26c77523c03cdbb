// CudaDevice's context as a whole: its limits and preferences, its peers, and what a profiler records of it.
#include <fmt/format.h>

#include "backend/cuda/context.h"

namespace lanewise::cuda {

namespace {

/// The context of another GPU; the cpu device has none.
CUcontext context_of_peer(Device& peer, const CudaDevice& device, const char* call) {
    auto* other = dynamic_cast<CudaDevice*>(&peer);
    if (!other)
        throw Error(ErrorKind::NotImplemented,
                    fmt::format("{}: {} is no peer of {}; GPUs are", call, peer.name(), device.name()));
    return other->context();
}

}  // namespace

std::size_t CudaDevice::limit(DeviceLimit which) {
    ContextScope scope(*this);
    std::size_t value = 0;
    driver.cuCtxGetLimit(&value, static_cast<CUlimit>(which));
    return value;
}

void CudaDevice::set_limit(DeviceLimit which, std::size_t value) {
    ContextScope scope(*this);
    driver.cuCtxSetLimit(static_cast<CUlimit>(which), value);
}

CachePreference CudaDevice::cache_preference() {
    ContextScope scope(*this);
    CUfunc_cache value = CU_FUNC_CACHE_PREFER_NONE;
    driver.cuCtxGetCacheConfig(&value);
    return static_cast<CachePreference>(value);
}

void CudaDevice::set_cache_preference(CachePreference preference) {
    ContextScope scope(*this);
    driver.cuCtxSetCacheConfig(static_cast<CUfunc_cache>(preference));
}

std::pair<int, int> CudaDevice::stream_priorities() {
    ContextScope scope(*this);
    std::pair<int, int> range;
    driver.cuCtxGetStreamPriorityRange(&range.first, &range.second);
    return range;
}

int CudaDevice::context_version() {
    unsigned version = 0;
    driver.cuCtxGetApiVersion(context(), &version);
    return static_cast<int>(version);
}

bool CudaDevice::can_access_peer(Device& peer) {
    auto* other = dynamic_cast<CudaDevice*>(&peer);
    if (!other || other == this) return false;
    int possible = 0;
    driver.cuDeviceCanAccessPeer(&possible, handle_, other->handle_);
    return possible != 0;
}

void CudaDevice::enable_peer_access(Device& peer) {
    CUcontext other = context_of_peer(peer, *this, "enable_peer_access");
    ContextScope scope(*this);
    driver.cuCtxEnablePeerAccess(other, 0);
}

void CudaDevice::disable_peer_access(Device& peer) {
    CUcontext other = context_of_peer(peer, *this, "disable_peer_access");
    ContextScope scope(*this);
    driver.cuCtxDisablePeerAccess(other);
}

void CudaDevice::start_profiler() {
    ContextScope scope(*this);
    driver.cuProfilerStart();
}

void CudaDevice::stop_profiler() {
    ContextScope scope(*this);
    driver.cuProfilerStop();
}

}  // namespace lanewise::cuda
