#include "lanewise/allocator.h"

#include <fmt/format.h>

#include <atomic>
#include <mutex>
#include <utility>

namespace lanewise {
namespace {

using AllocatorPtr = std::shared_ptr<const Allocator>;

/// Allocators that are set, of all threads and of single ones.
std::atomic<int> in_use{0};

/// Counts itself while it holds an allocator.
class Slot {
public:
    ~Slot() { set(nullptr); }
    AllocatorPtr set(AllocatorPtr allocator) {
        in_use += (allocator ? 1 : 0) - (allocator_ ? 1 : 0);
        return std::exchange(allocator_, std::move(allocator));
    }
    const AllocatorPtr& get() const { return allocator_; }

private:
    AllocatorPtr allocator_;
};

thread_local Slot of_thread;
thread_local bool allocating = false;

struct Everyones {
    std::mutex mutex;
    Slot slot;
};
/// Never destroyed: threads may allocate while the process ends.
Everyones& everyones() {
    static auto* made = new Everyones;
    return *made;
}

AllocatorPtr chosen() {
    if (of_thread.get()) return of_thread.get();
    std::lock_guard lock(everyones().mutex);
    return everyones().slot.get();
}

}  // namespace

void set_thread_allocator(AllocatorPtr allocator) {
    of_thread.set(std::move(allocator));
}

void set_allocator(AllocatorPtr allocator) {
    AllocatorPtr before;  // destroyed after the lock
    std::lock_guard lock(everyones().mutex);
    before = everyones().slot.set(std::move(allocator));
}

bool is_allocating() {
    return allocating;
}

std::shared_ptr<Buffer> allocate(const std::shared_ptr<Stream>& stream, std::size_t bytes) {
    if (in_use.load(std::memory_order_relaxed) == 0 || bytes == 0 || allocating) return Buffer::create(stream, bytes);
    const AllocatorPtr allocator = chosen();
    if (!allocator) return Buffer::create(stream, bytes);
    struct Flag {
        Flag() { allocating = true; }
        ~Flag() { allocating = false; }
    } flag;
    std::shared_ptr<Buffer> buffer = (*allocator)(stream, bytes);
    if (!buffer || &buffer->device() != &stream->device() || buffer->bytes() < bytes)
        throw Error(
            ErrorKind::Value,
            fmt::format("the allocator was asked for {} bytes on {} and gave {}", bytes, stream->device().name(),
                        buffer ? fmt::format("{} bytes on {}", buffer->bytes(), buffer->device().name()) : "nothing"));
    return buffer;
}

}  // namespace lanewise
