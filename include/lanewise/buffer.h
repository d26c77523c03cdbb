// Buffer: reference-counted memory with stream-ordered release; MemoryPool: where device memory comes from and goes
// back to.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "lanewise/device.h"

namespace lanewise {

class GraphMemory;

namespace detail {
/// Captures of streams that are under way, on all devices.
extern std::atomic<int> open_captures;
}  // namespace detail

/// A block of memory. The last owner gives it back: to the pool, once the streams that used it have passed their last
/// use, or to `deleter` for foreign memory. Thread-safe.
class Buffer : public std::enable_shared_from_this<Buffer> {
public:
    /// From `stream.device().pool()`; usable on `stream` at once.
    static std::shared_ptr<Buffer> create(const std::shared_ptr<Stream>& stream, std::size_t bytes);
    /// Pinned, Mapped or Managed memory of `device`.
    static std::shared_ptr<Buffer> create_host(Device& device, MemoryKind kind, std::size_t bytes);
    /// Memory of somebody else's, kept alive by `owner`'s copy held in `deleter`.
    static std::shared_ptr<Buffer> foreign(Device& device, MemoryKind kind, void* pointer, std::size_t bytes,
                                           std::shared_ptr<Stream> stream, std::function<void()> deleter);
    /// Memory within `whole`, which only the holders of this one use. At its end `whole` learns of all uses, then
    /// `released` is called and `whole` let go; nothing waits.
    static std::shared_ptr<Buffer> within(std::shared_ptr<Buffer> whole, std::size_t offset, std::size_t bytes,
                                          std::shared_ptr<Stream> stream, std::function<void()> released);
    ~Buffer();
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    Device& device() const { return *device_; }
    MemoryKind kind() const { return kind_; }
    /// Address for kernels of `device`.
    void* data() const { return data_; }
    /// Address for the host: same as data() unless Mapped; null for Device memory of a CUDA device.
    void* host_data() const { return host_data_; }
    std::size_t bytes() const { return bytes_; }
    const std::shared_ptr<Stream>& stream() const { return stream_; }

    /// Somebody outside may write to the memory at any time: foreign and host memory, and what was exported. Pending
    /// operations never read it later than the program asked for them.
    bool is_shared() const { return shared_.load(std::memory_order_relaxed); }
    void mark_shared() { shared_.store(true, std::memory_order_relaxed); }

    /// Work that is put on `stream` from now on reads or writes this buffer. One compare when it is the buffer's own
    /// stream. Work that is captured keeps the buffer for its graph.
    void used_on(const std::shared_ptr<Stream>& stream) {
        if (stream.get() != stream_.get() || detail::open_captures.load(std::memory_order_relaxed) != 0)
            add_use(stream);
    }
    /// Later work on `stream` comes after all work noted by used_on(), on whichever streams: what reads by the host and
    /// by other libraries need, which the program does not order itself. One compare while only `stream` has used it.
    void order_after_uses(Stream& stream) {
        if (&stream != stream_.get() || has_uses_.load(std::memory_order_acquire)) follow_uses(stream);
    }
    /// Waits for all work noted by used_on(), and throws what it reported.
    void synchronize();
    /// The work on the buffer's own stream that gives it its value may have been put there later than the program's
    /// order says: uses on other streams follow it.
    void mark_late() { late_.store(true, std::memory_order_relaxed); }

private:
    Buffer() = default;
    void add_use(const std::shared_ptr<Stream>& stream);
    void follow_uses(Stream& stream);
    std::vector<std::shared_ptr<Stream>> all_uses();

    Device* device_ = nullptr;
    MemoryKind kind_ = MemoryKind::Device;
    void* data_ = nullptr;
    void* host_data_ = nullptr;
    std::size_t bytes_ = 0;
    std::shared_ptr<Stream> stream_;
    std::atomic<bool> shared_{false};
    std::atomic<bool> late_{false};
    std::atomic<bool> has_uses_{false};
    std::mutex uses_mutex_;
    std::vector<std::shared_ptr<Stream>> uses_;
    std::function<void()> deleter_;
    std::shared_ptr<GraphMemory> graph_memory_;  ///< where it came from, if not from the pool
    std::shared_ptr<Buffer> whole_;              ///< of a part
};

struct PoolStatistics {
    std::size_t used_bytes = 0;  ///< handed out
    std::size_t held_bytes = 0;  ///< taken from the device, used or free
    std::size_t peak_used_bytes = 0;
    std::size_t limit_bytes = 0;         ///< 0: none
    std::size_t allocations = 0;         ///< served since start
    std::size_t device_allocations = 0;  ///< of these, the ones that went to the device
};

/// Stream-ordered caching allocator: a freed block is reused at once on the stream that used it last; on other streams
/// after an event. On exhaustion frees what it holds and tries again; then Error(OutOfMemory) with the pool's state.
class MemoryPool {
public:
    explicit MemoryPool(Device& device);
    ~MemoryPool();

    /// At least `bytes` bytes, 512-byte aligned; nullptr for 0.
    void* allocate(std::size_t bytes, const std::shared_ptr<Stream>& stream);
    /// Memory that no stream uses.
    void* allocate_unused(std::size_t bytes);
    /// `uses` are the other streams with work that may still touch the block.
    void release(void* pointer, const std::shared_ptr<Stream>& stream, std::span<const std::shared_ptr<Stream>> uses);
    /// Gives free blocks back to the device; returns the bytes given back.
    std::size_t trim();
    /// Makes blocks that streams are done with usable by all.
    void collect();
    void set_limit(std::size_t bytes);
    PoolStatistics statistics() const;

    /// While at least one is alive, released blocks are kept aside (numba's defer_cleanup), unless memory runs out.
    class Deferral;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

class MemoryPool::Deferral {
public:
    explicit Deferral(MemoryPool& pool);
    ~Deferral();
    Deferral(const Deferral&) = delete;
    Deferral& operator=(const Deferral&) = delete;

private:
    MemoryPool& pool_;
};

}  // namespace lanewise
