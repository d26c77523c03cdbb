// CpuDevice: the host's processor as a device.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "backend/cpu/device_facts.h"
#include "backend/cpu/host_memory.h"
#include "backend/cpu/stream_order.h"
#include "lanewise/buffer.h"
#include "lanewise/device.h"
#include "runtime/launch_limits.h"

namespace lanewise::cpu {

class CpuCapture;
class CpuStream;

/// Streams run asynchronously on the process's own threads; kernels are compiled host code (src/backend/cpu/abi.h).
/// After fork() the child can go on using it; work that was pending stays with the parent and is reported in the child.
class CpuDevice final : public Device {
public:
    CpuDevice();

    DeviceKind kind() const override { return DeviceKind::Cpu; }
    std::string name() const override { return "cpu"; }
    std::string model() const override { return model_; }
    int ordinal() const override { return 0; }
    std::string uuid() const override;
    std::string target() const override { return target_; }
    std::int64_t attribute(DeviceAttribute which) override;
    MemoryInfo memory_info() override { return HostMemory::info(); }

    std::shared_ptr<Stream> default_stream() override;
    std::shared_ptr<Stream> per_thread_stream() override;
    std::shared_ptr<Stream> create_stream(bool blocking, int priority) override;
    /// A stream of this device by its handle(); 0 and 1 are the default stream, 2 the thread's own, as on CUDA.
    std::shared_ptr<Stream> external_stream(std::uintptr_t handle) override;
    std::shared_ptr<Event> create_event(bool timing, bool blocking_sync) override;
    Image link(Image image, const LinkOptions& options) override { return image; }
    std::shared_ptr<Module> load(Image image) override;
    void synchronize() override;
    MemoryPool& pool() override { return pool_; }

    void* allocate(MemoryKind kind, std::size_t bytes) override { return memory_.allocate(kind, bytes); }
    void release(MemoryKind kind, void* pointer) override { memory_.release(kind, pointer); }
    void* device_address(void* mapped_host) override { return mapped_host; }
    void register_host(void* pointer, std::size_t bytes) override { memory_.add_pinned(pointer, bytes); }
    void unregister_host(void* pointer) override { memory_.remove_pinned(pointer); }
    bool owns_address(const void* pointer) override { return HostMemory::is_mapped(pointer); }
    void make_current() override {}

    /// Kept and given back, but without effect: the host has none of these bounds, and one kind of cache.
    std::size_t limit(DeviceLimit which) override;
    void set_limit(DeviceLimit which, std::size_t value) override;
    CachePreference cache_preference() override { return cache_preference_; }
    void set_cache_preference(CachePreference preference) override { cache_preference_ = preference; }
    std::pair<int, int> stream_priorities() override { return {0, greatest_stream_priority}; }

    StreamOrder& order() { return order_; }
    PendingErrors& errors() { return *errors_; }
    const HostMemory& memory() const { return memory_; }
    const LaunchLimits& limits() const { return limits_; }

    void add_capture(const std::shared_ptr<CpuCapture>& capture);
    /// A capture under way, if there is one; or one that blocking streams take part in.
    std::shared_ptr<CpuCapture> open_capture(bool of_blocking_stream);

private:
    std::shared_ptr<CpuStream> make_stream(StreamKind kind, QueueRole role);

    const std::string model_;
    const std::string target_;
    const std::shared_ptr<PendingErrors> errors_;
    HostMemory memory_;
    StreamOrder order_;
    LaunchLimits limits_;
    std::array<std::atomic<std::size_t>, device_limit_count> device_limits_;
    std::atomic<CachePreference> cache_preference_{CachePreference::None};
    std::shared_ptr<CpuStream> default_stream_;
    std::mutex streams_mutex_;
    std::unordered_map<std::uintptr_t, std::weak_ptr<Stream>> streams_;  ///< by handle
    std::vector<std::weak_ptr<CpuCapture>> captures_;
    MemoryPool pool_;
};

}  // namespace lanewise::cpu
