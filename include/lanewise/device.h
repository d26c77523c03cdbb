// The device interface: what every backend offers. Nothing above src/backend names a backend.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lanewise/error.h"
#include "lanewise/image.h"
#include "lanewise/linker.h"

namespace lanewise {

class Capture;
class Device;
class Graph;
class Stream;
class Event;
class Module;
class MemoryPool;

struct Dim3 {
    std::uint32_t x = 1, y = 1, z = 1;
    std::uint64_t count() const { return std::uint64_t(x) * y * z; }
};

enum class DeviceKind : std::uint8_t { Cpu, Cuda };

/// Where a block of memory lives and who may touch it.
enum class MemoryKind : std::uint8_t {
    Device,   ///< from the device's pool, stream-ordered
    Pinned,   ///< page-locked host memory
    Mapped,   ///< page-locked host memory the device addresses too
    Managed,  ///< migrates between host and device
};

/// Facts a caller may ask of any device; a backend without the notion answers 0.
enum class DeviceAttribute : std::int16_t {
#define LANEWISE_DEVICE_ATTRIBUTE(id, name, cuda_name, number) id = number,
#include "lanewise/tables/device_attributes.def"
#undef LANEWISE_DEVICE_ATTRIBUTE
};

/// Bounds of what kernels use of a device beside their arguments, in bytes where not said otherwise. The numbers are
/// CUDA's.
enum class DeviceLimit : std::uint8_t {
    StackSize,               ///< of a thread
    PrintfFifoSize,          ///< of the buffer that printf writes to
    MallocHeapSize,          ///< of the heap of malloc in kernels
    RuntimeSyncDepth,        ///< nested launches a kernel may wait for: a count
    RuntimePendingLaunches,  ///< launches by kernels that may be pending: a count
    MaxL2FetchGranularity,
    PersistingL2CacheSize,
};
inline constexpr int device_limit_count = 7;

/// What kernels would rather have of the memory that caches and shared memory are made of.
enum class CachePreference : std::uint8_t { None, Shared, L1, Equal };

/// Who uses managed memory: a hint for its migration.
enum class ManagedUse : std::uint8_t { Global = 1, Host = 2, SingleStream = 4 };

struct MemoryInfo {
    std::size_t free = 0, total = 0;
};

struct MemoryRange {
    void* start = nullptr;
    std::size_t bytes = 0;
};

/// How the device's driver names an allocation to other processes.
using AllocationName = std::array<std::byte, 64>;

struct LaunchConfig {
    Dim3 grid;
    Dim3 block;
    std::uint32_t dynamic_shared_bytes = 0;
    Dim3 cluster{0, 0, 0};  ///< all zero: no cluster launch
    bool cooperative = false;
};

enum class KernelAttribute : std::uint8_t {
    MaxThreadsPerBlock,
    StaticSharedBytes,
    ConstantBytes,
    LocalBytes,
    Registers,
    PtxVersion,
    BinaryVersion,
    MaxDynamicSharedBytes,
    PreferredSharedCarveout,
};

/// An entry point loaded on one device. Owned by its Module; valid while the module lives.
class Kernel {
public:
    virtual ~Kernel() = default;
    virtual const EntryPoint& entry() const = 0;
    virtual const std::shared_ptr<Module>& module() const = 0;
    virtual int attribute(KernelAttribute which) const = 0;
    /// MaxDynamicSharedBytes and PreferredSharedCarveout only; Error(Value) otherwise or out of range.
    virtual void set_attribute(KernelAttribute which, int value) = 0;
    /// Blocks of `threads` threads and `dynamic_shared` bytes that fit on one multiprocessor.
    virtual int max_active_blocks(int threads, std::size_t dynamic_shared) const = 0;
    /// Block size that gives the highest occupancy (cuOccupancyMaxPotentialBlockSize), and the grid that fills the
    /// device.
    virtual std::pair<int, int> suggested_block_and_grid(std::size_t dynamic_shared, int block_limit) const = 0;
};

/// A loaded Image.
class Module : public std::enable_shared_from_this<Module> {
public:
    virtual ~Module() = default;
    virtual const Image& image() const = 0;
    /// Error(Value) listing the names there are when `name` is none of them.
    virtual std::shared_ptr<Kernel> kernel(const std::string& name) = 0;
    /// Device address and size of a global variable; Error(Value) when there is none of that name.
    virtual std::pair<void*, std::size_t> global(const std::string& name) = 0;
};

enum class StreamKind : std::uint8_t { Owned, Null, Legacy, PerThread, External };

/// What may happen beside a capture (CUDA's modes): calls that might wait for other streams are refused to all threads,
/// to the capturing thread, or to nobody. The runtime's own calls are never refused.
enum class CaptureMode : std::uint8_t { Global, ThreadLocal, Relaxed };

/// An in-order queue of work on one device. Thread-safe.
class Stream : public std::enable_shared_from_this<Stream> {
public:
    virtual ~Stream() = default;
    virtual Device& device() const = 0;
    virtual StreamKind kind() const = 0;
    /// Ordered with the device's legacy default stream, both ways, as streams are unless they are made otherwise.
    virtual bool is_blocking() const = 0;
    /// CUstream as an integer on CUDA (0 null, 1 legacy, 2 per-thread); an opaque non-zero id on cpu.
    virtual std::uintptr_t handle() const = 0;

    /// `params` is the packed parameter buffer of kernel.entry(); it is copied before the call returns.
    /// Error(Value) with the limit for a configuration the device refuses; Error(Driver) for a driver failure.
    virtual void launch(Kernel& kernel, const LaunchConfig& config, std::span<const std::byte> params) = 0;

    /// Asynchronous where the memory allows; pageable host memory is read (to device) or written (from device)
    /// completely before the call returns, as with ordinary NumPy arrays the caller may reuse at once.
    virtual void copy_to_device(void* dst, const void* src, std::size_t bytes) = 0;
    virtual void copy_to_host(void* dst, const void* src, std::size_t bytes) = 0;
    virtual void copy_on_device(void* dst, const void* src, std::size_t bytes) = 0;
    /// Fills `count` elements of `width` (1, 2, 4 or 8) bytes with `pattern`.
    virtual void fill(void* dst, std::uint64_t pattern, int width, std::size_t count) = 0;

    virtual void record(Event& event) = 0;
    /// Later work on this stream waits for the work `event` has recorded (on any stream of any device).
    virtual void wait(Event& event) = 0;
    /// Later work on this stream waits for the work `earlier` has now; nothing to do where are_ordered() says so.
    void follow(Stream& earlier);
    /// Runs `f` on a runtime thread after all earlier work; `f` must not call the driver.
    virtual void host_call(std::function<void()> f) = 0;
    /// True when all work is done.
    virtual bool query() = 0;
    /// Waits; then throws what the device or a kernel reported: Error(KernelRaised), Error(Driver).
    virtual void synchronize() = 0;

    /// From now on work that is put on the stream is recorded instead of run, and so is that of streams that come to
    /// wait for an event of it. Operations on arrays: see begin_capture() in ops.h. Error(Driver) where that is
    /// impossible.
    virtual void begin_capture(CaptureMode mode = CaptureMode::Relaxed) = 0;
    /// The recorded work. The stream runs work again, as do the others, also when this throws: Error(Driver) when
    /// something was done that cannot be captured, or another stream's work is not waited for. But Error(Driver) on a
    /// stream that no capture began on, which changes nothing.
    virtual std::shared_ptr<Graph> end_capture() = 0;
    /// Whoever began it.
    virtual bool is_capturing() = 0;
    /// What the work is recorded into; null where it is run, or recorded by another library.
    std::shared_ptr<Capture> capture() const {
        return captured_.load(std::memory_order_acquire) ? locked_capture() : nullptr;
    }

    /// Says who uses the managed allocation that starts at `memory` from here on. A device that shares the host's
    /// memory does without.
    virtual void attach(void* memory, ManagedUse use) {}

protected:
    bool is_captured() const { return captured_.load(std::memory_order_acquire); }

private:
    friend class Capture;
    std::shared_ptr<Capture> locked_capture() const;
    void set_capture(std::shared_ptr<Capture> capture);

    std::atomic<bool> captured_{false};
    mutable std::mutex capture_mutex_;
    std::shared_ptr<Capture> capture_;
};

class Event {
public:
    virtual ~Event() = default;
    virtual Device& device() const = 0;
    virtual std::uintptr_t handle() const = 0;
    virtual bool query() = 0;
    virtual void synchronize() = 0;
    /// Milliseconds from `start` to this event; Error(Value) without timing or when not recorded.
    virtual float elapsed_ms(Event& start) = 0;
};

/// One device of one backend. Reached through lanewise::devices(); lives to the end of the process.
class Device {
public:
    virtual ~Device() = default;
    virtual DeviceKind kind() const = 0;
    /// "cpu", "cuda:0".
    virtual std::string name() const = 0;
    /// Marketing name: "NVIDIA H200", the host CPU's model name.
    virtual std::string model() const = 0;
    virtual int ordinal() const = 0;
    /// 16 raw bytes of the device's UUID.
    virtual std::string uuid() const = 0;
    /// What the code generator compiles for: "sm_90a"; "x86_64:+avx2,+fma,...". Part of every cache key.
    virtual std::string target() const = 0;
    virtual std::int64_t attribute(DeviceAttribute which) = 0;
    virtual MemoryInfo memory_info() = 0;

    virtual std::shared_ptr<Stream> default_stream() = 0;
    virtual std::shared_ptr<Stream> per_thread_stream() = 0;
    virtual std::shared_ptr<Stream> create_stream(bool blocking = true, int priority = 0) = 0;
    virtual std::shared_ptr<Stream> external_stream(std::uintptr_t handle) = 0;
    virtual std::shared_ptr<Event> create_event(bool timing = true, bool blocking_sync = false) = 0;
    /// Turns what a code generator made into what load() takes and the disk cache keeps: links PTX to a cubin on CUDA
    /// (Error(Compile) with the driver's log), gives the image back unchanged on cpu.
    virtual Image link(Image image, const LinkOptions& options) = 0;
    /// Makes one image of several parts.
    virtual std::unique_ptr<Linker> create_linker(const LinkOptions& options);
    virtual std::shared_ptr<Module> load(Image image) = 0;
    virtual void synchronize() = 0;

    /// The stream-ordered pool of MemoryKind::Device memory.
    virtual MemoryPool& pool() = 0;

    /// Raw memory below the pool; MemoryPool and Buffer are the only callers. Error(OutOfMemory) with sizes.
    virtual void* allocate(MemoryKind kind, std::size_t bytes) = 0;
    virtual void release(MemoryKind kind, void* pointer) = 0;
    /// Address by which the device sees Mapped memory.
    virtual void* device_address(void* mapped_host) = 0;
    /// Page-locks memory of somebody else's; `unregister_host` undoes it.
    virtual void register_host(void* pointer, std::size_t bytes) = 0;
    virtual void unregister_host(void* pointer) = 0;
    /// True when `pointer` is memory this device's kernels can read.
    virtual bool owns_address(const void* pointer) = 0;
    /// Makes this device current for the calling thread (the primary context on CUDA).
    virtual void make_current() = 0;

    // What follows has a meaning on some devices only. Error(NotImplemented) with the reason where it has none, unless
    // said otherwise.

    virtual std::size_t limit(DeviceLimit which);
    virtual void set_limit(DeviceLimit which, std::size_t value);
    /// A hint for all kernels; a device without the choice keeps it.
    virtual CachePreference cache_preference();
    virtual void set_cache_preference(CachePreference preference);
    /// (least, greatest) priority of streams; the greatest is the smallest number.
    virtual std::pair<int, int> stream_priorities();
    /// The driver's handle of the context that all work runs in (CUcontext), and the version of its interface; a number
    /// of the device's own and 0 where there is no driver.
    virtual std::uintptr_t context_handle();
    virtual int context_version() { return 0; }

    /// Whether kernels of this device can reach the memory of `peer` once enable_peer_access has been called. Copies
    /// between devices need neither. False for the device itself.
    virtual bool can_access_peer(Device& peer) { return false; }
    virtual void enable_peer_access(Device& peer);
    virtual void disable_peer_access(Device& peer);

    /// The device allocation that `pointer` lies in, as the driver knows it: of memory from the pool, the segment.
    virtual MemoryRange allocation_at(const void* pointer);
    /// Allocations shared with other processes; lanewise/shared_memory.h is the only caller. `name_allocation` takes
    /// any address in the allocation, `close_allocation` what open_allocation gave: it waits for the device's work,
    /// which may still use the memory.
    virtual AllocationName name_allocation(const void* pointer);
    virtual void* open_allocation(const AllocationName& name);
    virtual void close_allocation(void* start);

    /// Begins and ends what a profiler that waits for it records; nothing where there is no profiler.
    virtual void start_profiler() {}
    virtual void stop_profiler() {}
};

/// All devices in order: CUDA devices first, the cpu device last. Found on the first call; never empty.
const std::vector<Device*>& devices();
/// The calling thread's device: LANEWISE_DEVICE, else cuda:0 when there is one, else cpu.
Device& current_device();
/// Also makes the device's context current.
void set_current_device(Device& device);
/// The cpu device.
Device& cpu_device();
/// By name: "cpu", "cuda", "cuda:1". Error(DeviceUnavailable) says which there are and why one is missing.
Device& device_by_name(const std::string& name);
/// One line on why there is no CUDA device ("" when there is one).
std::string cuda_unavailable_reason();
/// The newest CUDA version the driver supports, 12040 for CUDA 12.4; 0 without a driver.
int cuda_driver_version();
/// The driver's text for the code of an Error(Driver): "invalid argument"; "error N" for codes it does not know and
/// without a driver.
std::string cuda_error_text(int code);

/// Waits for what the runtime does in the background on its own account (the driver's compiler being loaded). To be
/// called before exit(): exit handlers of libraries that are loaded meanwhile would pull them from under it.
void finish_background_work();

/// Whether work put on either stream comes after what the other has by itself: they are the same queue, or one is the
/// legacy default stream and the other is blocking.
bool are_ordered(const Stream& a, const Stream& b);

/// The calling thread's current stream of `device` (the default stream unless set). The reference is good until the
/// thread sets another one.
const std::shared_ptr<Stream>& current_stream(Device& device);
void set_current_stream(std::shared_ptr<Stream> stream);

}  // namespace lanewise
