#include "backend/cuda/staging.h"

#include <algorithm>
#include <cstring>

#include "backend/cuda/context.h"
#include "backend/cuda/copy_threads.h"
#include "backend/cuda/driver_error.h"

namespace lanewise::cuda {

namespace {

constexpr std::size_t slot_bytes = std::size_t(2) << 20;
constexpr std::size_t slot_count = 16;
constexpr std::size_t ring_limit = 4;
constexpr std::size_t smallest_chunk = std::size_t(256) << 10;

/// Small transfers are cut finer, so that several threads have a part in them.
std::size_t chunk_size(std::size_t bytes) {
    std::size_t eighth = (bytes / 8 + 4095) & ~std::size_t(4095);
    return std::clamp(eighth, smallest_chunk, slot_bytes);
}

}  // namespace

/// Pinned buffers with an event each that marks the end of the device's use. Used by one transfer at a time.
class Staging::Ring {
public:
    struct Slot {
        std::byte* memory = nullptr;
        CUevent event = nullptr;
        bool in_flight = false;
        CopyJob job;

        void wait() {
            if (in_flight) driver.cuEventSynchronize(event);
            in_flight = false;
        }
        bool is_ready() {
            if (in_flight && driver.cuEventQuery.status(event) == CUDA_SUCCESS) in_flight = false;
            return !in_flight;
        }
    };

    ~Ring() {
        for (Slot& slot : slots) {
            driver.cuEventDestroy.status(slot.event);
            driver.cuMemFreeHost.status(slot.memory);
        }
    }

    /// Grows to at most `count` slots; fewer where the system gives no more pinned memory.
    void grow(std::size_t count) {
        slots.reserve(slot_count);
        while (slots.size() < count) {
            Slot slot;
            void* memory = nullptr;
            if (driver.cuMemHostAlloc.status(&memory, slot_bytes, CU_MEMHOSTALLOC_PORTABLE) != CUDA_SUCCESS) return;
            if (driver.cuEventCreate.status(&slot.event, CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS) {
                driver.cuMemFreeHost.status(memory);
                return;
            }
            slot.memory = static_cast<std::byte*>(memory);
            slots.push_back(slot);
        }
    }
    bool is_idle() {
        return std::all_of(slots.begin(), slots.end(), [](Slot& slot) { return slot.is_ready(); });
    }

    std::vector<Slot> slots;
    CUstream stream = nullptr;
    bool leased = false;
};

/// A ring held for one transfer, and the transfer's open copy jobs.
class Staging::Lease {
public:
    Lease(Staging& staging, CUstream stream, std::size_t slots)
        : staging_(staging), ring_(staging.acquire(stream, slots)) {}
    ~Lease() {
        if (!ring_) return;
        // Threads may still work on memory of the caller's.
        for (std::size_t i = waited_; i < posted_; ++i) threads_.wait(slot(i).job);
        std::lock_guard lock(staging_.mutex_);
        // A transfer that failed half-way leaves slots whose use by the device is unknown: that ring stays out of use.
        if (finished_) ring_->leased = false;
    }
    explicit operator bool() const { return ring_ && !ring_->slots.empty(); }
    std::size_t size() const { return ring_->slots.size(); }
    Ring::Slot& slot(std::size_t chunk) { return ring_->slots[chunk % ring_->slots.size()]; }

    /// Chunks are posted and waited for in order.
    void post(const CopyJob& job) {
        CopyJob& own = slot(posted_).job;
        own = job;
        threads_.post(own);
        ++posted_;
    }
    void wait_next() {
        threads_.wait(slot(waited_).job);
        ++waited_;
    }
    bool next_is_done() { return threads_.is_done(slot(waited_).job); }
    std::size_t posted() const { return posted_; }
    std::size_t waited() const { return waited_; }
    void finish() { finished_ = true; }

private:
    Staging& staging_;
    Ring* ring_;
    CopyThreads& threads_ = CopyThreads::instance();
    std::size_t posted_ = 0, waited_ = 0;
    bool finished_ = false;
};

Staging::Staging(CudaDevice& device) : device_(device) {}

Staging::~Staging() = default;

Staging::Ring* Staging::acquire(CUstream stream, std::size_t slots) {
    Ring* ring = nullptr;
    {
        std::lock_guard lock(mutex_);
        // The stream's own ring first: waiting for its slots is waiting for work this transfer comes after anyway. A
        // ring that is busy on another stream could make the transfer wait for unrelated work.
        for (auto& candidate : rings_)
            if (!candidate->leased && candidate->stream == stream) ring = candidate.get();
        for (auto& candidate : rings_)
            if (!ring && !candidate->leased && candidate->is_idle()) ring = candidate.get();
        if (!ring && rings_.size() < ring_limit) ring = rings_.emplace_back(std::make_unique<Ring>()).get();
        if (!ring) return nullptr;
        ring->leased = true;
        ring->stream = stream;
    }
    ring->grow(std::min(slots, slot_count));
    return ring;
}

bool Staging::upload(CUdeviceptr dst, const void* src, std::size_t bytes, CUstream stream) {
    const std::size_t chunk = chunk_size(bytes), count = (bytes + chunk - 1) / chunk;
    Lease lease(*this, stream, count);
    if (!lease) {
        lease.finish();
        return false;
    }
    auto size_of_chunk = [&](std::size_t i) { return std::min(chunk, bytes - i * chunk); };
    auto* from = static_cast<const std::byte*>(src);
    for (std::size_t i = 0; i < count; ++i) {
        while (lease.posted() < count && lease.posted() - i < lease.size()) {
            std::size_t next = lease.posted();
            Ring::Slot& slot = lease.slot(next);
            if (next == i) slot.wait();
            if (!slot.is_ready()) break;
            lease.post({slot.memory, from + next * chunk, size_of_chunk(next)});
        }
        lease.wait_next();
        Ring::Slot& slot = lease.slot(i);
        driver.cuMemcpyAsync(dst + i * chunk, address(slot.memory), size_of_chunk(i), stream);
        driver.cuEventRecord(slot.event, stream);
        slot.in_flight = true;
    }
    lease.finish();
    return true;
}

bool Staging::download(void* dst, CUdeviceptr src, std::size_t bytes, CUstream stream) {
    const std::size_t chunk = chunk_size(bytes), count = (bytes + chunk - 1) / chunk;
    Lease lease(*this, stream, count);
    if (!lease) {
        lease.finish();
        return false;
    }
    auto size_of_chunk = [&](std::size_t i) { return std::min(chunk, bytes - i * chunk); };
    auto* to = static_cast<std::byte*>(dst);
    std::size_t issued = 0;
    for (std::size_t i = 0; i < count; ++i) {
        while (issued < count && issued - i < lease.size()) {
            // The slot's previous chunk must have left it for the caller's memory.
            if (issued >= lease.size() && lease.waited() + lease.size() <= issued) {
                if (issued != i && !lease.next_is_done()) break;
                lease.wait_next();
            }
            Ring::Slot& slot = lease.slot(issued);
            slot.wait();
            driver.cuMemcpyAsync(address(slot.memory), src + issued * chunk, size_of_chunk(issued), stream);
            driver.cuEventRecord(slot.event, stream);
            slot.in_flight = true;
            ++issued;
        }
        Ring::Slot& slot = lease.slot(i);
        slot.wait();
        lease.post({to + i * chunk, slot.memory, size_of_chunk(i), true});
    }
    while (lease.waited() < lease.posted()) lease.wait_next();
    lease.finish();
    return true;
}

}  // namespace lanewise::cuda
