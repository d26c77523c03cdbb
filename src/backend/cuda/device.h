// CudaDevice: one NVIDIA GPU, used through its primary context.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "backend/cuda/driver.h"
#include "lanewise/buffer.h"
#include "lanewise/device.h"

namespace lanewise::cuda {

class CudaStream;
class HostCalls;
class RaiseWatch;
class Staging;

inline CUdeviceptr address(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer);
}

class CudaDevice final : public Device {
public:
    /// The driver is loaded. The context is not touched before the first use.
    explicit CudaDevice(int ordinal);
    ~CudaDevice() override;

    DeviceKind kind() const override { return DeviceKind::Cuda; }
    std::string name() const override { return name_; }
    std::string model() const override { return model_; }
    int ordinal() const override { return ordinal_; }
    std::string uuid() const override;
    std::string target() const override;
    std::int64_t attribute(DeviceAttribute which) override;
    MemoryInfo memory_info() override;

    std::shared_ptr<Stream> default_stream() override;
    /// The calling thread's own: every thread gets a Stream object of its own.
    std::shared_ptr<Stream> per_thread_stream() override;
    std::shared_ptr<Stream> create_stream(bool blocking, int priority) override;
    /// One object a handle as long as it is in use, so that the pool knows work on equal handles as one stream's.
    std::shared_ptr<Stream> external_stream(std::uintptr_t handle) override;
    std::shared_ptr<Event> create_event(bool timing, bool blocking_sync) override;
    Image link(Image image, const LinkOptions& options) override;
    std::shared_ptr<Module> load(Image image) override;
    void synchronize() override;
    MemoryPool& pool() override { return pool_; }

    void* allocate(MemoryKind kind, std::size_t bytes) override;
    void release(MemoryKind kind, void* pointer) override;
    void* device_address(void* mapped_host) override;
    void register_host(void* pointer, std::size_t bytes) override;
    void unregister_host(void* pointer) override;
    bool owns_address(const void* pointer) override;
    void make_current() override;

    std::unique_ptr<Linker> create_linker(const LinkOptions& options) override;
    std::size_t limit(DeviceLimit which) override;
    void set_limit(DeviceLimit which, std::size_t value) override;
    CachePreference cache_preference() override;
    void set_cache_preference(CachePreference preference) override;
    std::pair<int, int> stream_priorities() override;
    std::uintptr_t context_handle() override { return reinterpret_cast<std::uintptr_t>(context()); }
    int context_version() override;
    bool can_access_peer(Device& peer) override;
    void enable_peer_access(Device& peer) override;
    void disable_peer_access(Device& peer) override;
    MemoryRange allocation_at(const void* pointer) override;
    AllocationName name_allocation(const void* pointer) override;
    void* open_allocation(const AllocationName& name) override;
    void close_allocation(void* start) override;
    void start_profiler() override;
    void stop_profiler() override;

    /// The primary context, retained on the first call and for the rest of the process.
    CUcontext context() {
        CUcontext context = context_.load(std::memory_order_acquire);
        return context ? context : retain_context();
    }
    HostCalls& host_calls() { return *host_calls_; }
    RaiseWatch& raise_watch() { return *raise_watch_; }
    Staging& staging() { return *staging_; }
    /// The device shares the host's page tables, so that copies of pageable memory may run asynchronously.
    bool shares_page_tables() const { return shares_page_tables_; }

private:
    CUcontext retain_context();
    int driver_attribute(CUdevice_attribute which) const;

    int ordinal_;
    CUdevice handle_ = 0;
    int major_ = 0, minor_ = 0;
    bool shares_page_tables_ = false;
    std::string name_, model_;
    std::mutex mutex_;
    std::atomic<CUcontext> context_{nullptr};
    std::unique_ptr<HostCalls> host_calls_;
    std::unique_ptr<RaiseWatch> raise_watch_;
    std::unique_ptr<Staging> staging_;
    std::shared_ptr<CudaStream> null_stream_, legacy_stream_;
    std::unordered_map<std::uintptr_t, std::weak_ptr<CudaStream>> external_streams_;
    // Last, so that it gives its memory back while the rest still stands.
    MemoryPool pool_;
};

}  // namespace lanewise::cuda
