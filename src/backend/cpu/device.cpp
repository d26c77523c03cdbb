#include "backend/cpu/device.h"

#include <fmt/format.h>

#include <fstream>
#include <utility>

#include "backend/cpu/event.h"
#include "backend/cpu/graph.h"
#include "backend/cpu/host_cpu.h"
#include "backend/cpu/host_threads.h"
#include "backend/cpu/module.h"
#include "backend/cpu/stream.h"
#include "base/hash.h"
#include "runtime/backend.h"
#include "runtime/fork_handlers.h"

namespace lanewise::cpu {

CpuDevice::CpuDevice()
    : model_(host_model_name()),
      target_(host_target()),
      errors_(std::make_shared<PendingErrors>()),
      order_(host_threads().elastic, errors_),
      default_stream_(std::make_shared<CpuStream>(*this, StreamKind::Null, QueueRole::Default, order_.default_queue())),
      pool_(*this) {
    limits_ = LaunchLimits::of(*this);
    for (std::size_t i = 0; i < default_limits.size(); ++i) device_limits_[i] = default_limits[i];
    add_fork_handler(ForkRank::Device, {[this] { streams_mutex_.lock(); }, [this] { streams_mutex_.unlock(); },
                                        [this] { streams_mutex_.unlock(); }});
}

std::string CpuDevice::uuid() const {
    std::string machine;
    std::ifstream("/etc/machine-id") >> machine;
    std::string digits = hash128("lanewise cpu device of " + machine + model_);
    std::string raw;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
        raw += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
    return raw;
}

std::int64_t CpuDevice::attribute(DeviceAttribute which) {
    switch (which) {
        case DeviceAttribute::MaxThreadsPerBlock:
        case DeviceAttribute::MaxBlockX:
        case DeviceAttribute::MaxBlockY:
            return max_threads_per_block;
        case DeviceAttribute::MaxBlockZ:
            return max_block_z;
        case DeviceAttribute::MaxGridX:
            return max_grid_x;
        case DeviceAttribute::MaxGridY:
        case DeviceAttribute::MaxGridZ:
            return max_grid_yz;
        case DeviceAttribute::WarpSize:
            return warp_size;
        case DeviceAttribute::MultiprocessorCount:
            return host_threads().workers.threads();
        case DeviceAttribute::MaxThreadsPerMultiprocessor:
            return max_threads_per_multiprocessor;
        case DeviceAttribute::MaxSharedPerBlock:
            return shared_per_block;
        case DeviceAttribute::MaxSharedPerBlockOptin:
            return shared_per_block_optin;
        case DeviceAttribute::MaxSharedPerMultiprocessor:
            return shared_per_multiprocessor;
        case DeviceAttribute::MaxRegistersPerBlock:
            return registers_per_block;
        case DeviceAttribute::ComputeCapabilityMajor:
            return compute_capability_major;
        case DeviceAttribute::ComputeCapabilityMinor:
            return compute_capability_minor;
        case DeviceAttribute::ClockRateKHz:
            return host_clock_khz();
        case DeviceAttribute::L2Bytes:
            return host_cache_bytes();
        case DeviceAttribute::TotalConstantMemory:
            return 64 << 10;
        case DeviceAttribute::ConcurrentKernels:
        case DeviceAttribute::CooperativeLaunch:
        case DeviceAttribute::UnifiedAddressing:
        case DeviceAttribute::ManagedMemory:
        case DeviceAttribute::ConcurrentManagedAccess:
        case DeviceAttribute::CanMapHostMemory:
        case DeviceAttribute::Integrated:
        case DeviceAttribute::AsyncEngineCount:
        case DeviceAttribute::GpuOverlap:
        case DeviceAttribute::StreamPrioritiesSupported:
        case DeviceAttribute::GlobalL1CacheSupported:
        case DeviceAttribute::LocalL1CacheSupported:
        case DeviceAttribute::HostNativeAtomicSupported:
        case DeviceAttribute::PageableMemoryAccess:
        case DeviceAttribute::CanUseHostPointerForRegisteredMem:
        case DeviceAttribute::HostRegisterSupported:
        case DeviceAttribute::PageableMemoryAccessUsesHostPageTables:
        case DeviceAttribute::DirectManagedMemAccessFromHost:
        case DeviceAttribute::MemoryPoolsSupported:
        case DeviceAttribute::UnifiedFunctionPointers:
            return 1;
        case DeviceAttribute::MaxPitch:
            return max_pitch;
        case DeviceAttribute::TextureAlignment:
        case DeviceAttribute::SurfaceAlignment:
            return texture_alignment;
        case DeviceAttribute::TexturePitchAlignment:
            return texture_pitch_alignment;
        case DeviceAttribute::MaxRegistersPerMultiprocessor:
            return registers_per_multiprocessor;
        case DeviceAttribute::SingleToDoublePrecisionPerfRatio:
            return single_to_double_ratio;
        case DeviceAttribute::MaxBlocksPerMultiprocessor:
            return max_blocks_per_multiprocessor;
        case DeviceAttribute::ReservedSharedMemoryPerBlock:
            return shared_reserved_per_block;
        default:
            return 0;
    }
}

std::size_t CpuDevice::limit(DeviceLimit which) {
    return device_limits_.at(static_cast<std::size_t>(which));
}

void CpuDevice::set_limit(DeviceLimit which, std::size_t value) {
    device_limits_.at(static_cast<std::size_t>(which)) = value;
}

std::shared_ptr<CpuStream> CpuDevice::make_stream(StreamKind kind, QueueRole role) {
    auto stream = std::make_shared<CpuStream>(*this, kind, role, order_.create(role));
    std::lock_guard lock(streams_mutex_);
    std::erase_if(streams_, [](const auto& entry) { return entry.second.expired(); });
    streams_.emplace(stream->handle(), stream);
    return stream;
}

std::shared_ptr<Stream> CpuDevice::default_stream() {
    return default_stream_;
}

std::shared_ptr<Stream> CpuDevice::per_thread_stream() {
    thread_local std::vector<std::pair<CpuDevice*, std::shared_ptr<Stream>>> own;
    for (auto& [device, stream] : own)
        if (device == this) return stream;
    own.emplace_back(this, make_stream(StreamKind::PerThread, QueueRole::Blocking));
    return own.back().second;
}

std::shared_ptr<Stream> CpuDevice::create_stream(bool blocking, int priority) {
    return make_stream(StreamKind::Owned, blocking ? QueueRole::Blocking : QueueRole::NonBlocking);
}

std::shared_ptr<Stream> CpuDevice::external_stream(std::uintptr_t handle) {
    if (handle <= 1) return default_stream();
    if (handle == 2) return per_thread_stream();
    std::lock_guard lock(streams_mutex_);
    auto found = streams_.find(handle);
    std::shared_ptr<Stream> stream = found == streams_.end() ? nullptr : found->second.lock();
    if (!stream)
        throw Error(ErrorKind::Value,
                    fmt::format("Device::external_stream: {} is no handle of a living stream of cpu", handle));
    return stream;
}

std::shared_ptr<Event> CpuDevice::create_event(bool timing, bool blocking_sync) {
    return std::make_shared<CpuEvent>(*this, timing);
}

std::shared_ptr<Module> CpuDevice::load(Image image) {
    return std::make_shared<CpuModule>(std::move(image), target_);
}

void CpuDevice::add_capture(const std::shared_ptr<CpuCapture>& capture) {
    std::lock_guard lock(streams_mutex_);
    std::erase_if(captures_, [](const auto& known) { return known.expired(); });
    captures_.push_back(capture);
}

std::shared_ptr<CpuCapture> CpuDevice::open_capture(bool of_blocking_stream) {
    if (detail::open_captures.load(std::memory_order_relaxed) == 0) return nullptr;
    std::lock_guard lock(streams_mutex_);
    for (const std::weak_ptr<CpuCapture>& known : captures_)
        if (std::shared_ptr<CpuCapture> capture = known.lock())
            if (capture->is_open() && (!of_blocking_stream || capture->includes_blocking_stream())) return capture;
    return nullptr;
}

void CpuDevice::synchronize() {
    if (const std::shared_ptr<CpuCapture> open = open_capture(/*of_blocking_stream=*/false))
        open->fail(CaptureFault::Unsupported,
                   "Device::synchronize: a stream of the device is being captured; end the capture first");
    for (const QueuePoint& point : order_.everything()) point.queue->wait(point.sequence);
    errors_->throw_any();
}

}  // namespace lanewise::cpu

namespace lanewise::backend {

std::unique_ptr<Device> cpu_device() {
    return std::make_unique<cpu::CpuDevice>();
}

}  // namespace lanewise::backend
