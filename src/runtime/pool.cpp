// MemoryPool: free blocks are kept per stream; a block moves to other streams once the stream that used it has passed
// an event. release() only notes the block, so it never calls the device and may run on any thread, callbacks included;
// the next allocation does the rest.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "base/log.h"
#include "lanewise/buffer.h"
#include "runtime/event_wait.h"
#include "runtime/fork_handlers.h"
#include "runtime/pool_blocks.h"

namespace lanewise {

namespace {

using pool::Block;
using pool::BlockStore;
using pool::FreeList;

using StreamPtr = std::shared_ptr<Stream>;
using EventPtr = std::shared_ptr<Event>;

std::string readable(std::size_t bytes) {
    const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double value = static_cast<double>(bytes);
    int unit = 0;
    for (; value >= 1024 && unit < 4; ++unit) value /= 1024;
    return unit == 0 ? fmt::format("{} bytes", bytes) : fmt::format("{:.2f} {}", value, units[unit]);
}

struct Released {
    void* pointer;
    StreamPtr stream;
    std::vector<StreamPtr> uses;
};

/// Free blocks of one stream, and the mark that will make them free for all.
struct StreamBlocks {
    StreamPtr stream;
    FreeList list;
    EventPtr mark;  ///< after it, blocks released up to `marked` are out of use
    std::uint64_t marked = 0;
};

/// A released block that other streams still use.
struct WaitingBlock {
    Block* block;
    StreamPtr stream;
    std::vector<EventPtr> events;
};

bool done(Event& event) {
    try {
        return event.query();
    } catch (const Error&) {
        return false;  // a failed device finishes nothing; the failure surfaces where its stream synchronises
    }
}

bool idle(Stream& stream) {
    try {
        return stream.query();
    } catch (const Error&) {
        return false;
    }
}

/// While a stream is captured, asking streams and events how far they are could break the capture.
bool is_capturing() {
    return detail::open_captures.load(std::memory_order_relaxed) != 0;
}

/// An event after the work on `stream` so far.
EventPtr mark_now(Stream& stream) {
    EventPtr event = stream.device().create_event(false);
    stream.record(*event);
    return event;
}

}  // namespace

struct MemoryPool::Impl {
    explicit Impl(Device& d) : device(d) {
        auto unlock = [this] {
            incoming_mutex.unlock();
            mutex.unlock();
        };
        auto lock = [this] {
            mutex.lock();
            incoming_mutex.lock();
        };
        fork_handler = add_fork_handler(ForkRank::Pool, {lock, unlock, unlock});
    }
    ~Impl() { remove_fork_handler(fork_handler); }

    Device& device;
    int fork_handler = 0;

    std::mutex incoming_mutex;  ///< never held across a call of the device
    std::vector<Released> incoming;

    std::mutex mutex;  ///< guards all that follows
    BlockStore store;
    std::unordered_map<Stream*, std::unique_ptr<StreamBlocks>> streams;
    FreeList clean;  ///< in use by no stream
    std::vector<WaitingBlock> waiting;
    std::vector<Released> deferred;
    std::vector<Released> postponed;  ///< of several streams, which are not asked while work is captured
    std::vector<Released> arriving;   ///< kept for its capacity
    int deferrals = 0;
    std::uint64_t releases = 0;
    PoolStatistics statistics;

    // All of these expect `mutex` to be held.
    StreamBlocks& blocks_of(const StreamPtr& stream);
    void drop_abandoned_streams();
    void accept_releases();
    void accept(Released&& released);
    void finish_waiting();
    void hand_over_finished(const Stream* asking);
    Block* search(std::size_t bytes, StreamBlocks& mine);
    Block* search_everywhere(std::size_t bytes, StreamBlocks& mine);
    Block* grow(std::size_t bytes, std::size_t segment, FreeList& rest, std::string& problem);
    std::size_t give_back_free();
    std::vector<EventPtr> unfinished();
    void* hand_out(Block* block, std::size_t bytes);
    [[noreturn]] void out_of_memory(std::size_t bytes, const std::string& problem);
};

StreamBlocks& MemoryPool::Impl::blocks_of(const StreamPtr& stream) {
    std::unique_ptr<StreamBlocks>& slot = streams[stream.get()];
    if (slot) return *slot;
    slot = std::make_unique<StreamBlocks>();
    slot->stream = stream;
    StreamBlocks& fresh = *slot;
    drop_abandoned_streams();
    return fresh;
}

/// The pool must not keep every stream alive that ever freed a block in it.
void MemoryPool::Impl::drop_abandoned_streams() {
    if (is_capturing()) return;
    for (auto entry = streams.begin(); entry != streams.end();) {
        StreamBlocks& blocks = *entry->second;
        if (blocks.stream.use_count() > 1 || !idle(*blocks.stream)) {
            ++entry;
            continue;
        }
        store.move(blocks.list, clean, releases);
        entry = streams.erase(entry);
    }
}

void MemoryPool::Impl::accept_releases() {
    {
        std::lock_guard lock(incoming_mutex);
        if (incoming.empty() && postponed.empty()) return;
        arriving.swap(incoming);
    }
    const bool capturing = is_capturing();
    if (!capturing) std::move(postponed.begin(), postponed.end(), std::back_inserter(arriving));
    if (!capturing) postponed.clear();
    for (Released& released : arriving) {
        if (deferrals > 0)
            deferred.push_back(std::move(released));
        else if (capturing && !released.uses.empty())
            postponed.push_back(std::move(released));
        else
            accept(std::move(released));
    }
    arriving.clear();
}

void MemoryPool::Impl::accept(Released&& released) {
    Block* block = store.find(released.pointer);
    if (!block) {
        log(LogLevel::Error, [&] {
            return fmt::format("MemoryPool::release: {} was not handed out by the pool of {}", released.pointer,
                               device.name());
        });
        return;
    }
    statistics.used_bytes -= block->requested;
    ++releases;
    std::vector<EventPtr> events;
    for (const StreamPtr& stream : released.uses) {
        if (stream == released.stream || idle(*stream)) continue;
        try {
            events.push_back(mark_now(*stream));
        } catch (const Error& error) {
            // A stream that takes no event any more runs no work any more.
            log(LogLevel::Warning, [&] { return fmt::format("MemoryPool::release: {}", error.what()); });
        }
    }
    if (events.empty())
        store.put(block, blocks_of(released.stream).list, releases);
    else
        waiting.push_back({block, std::move(released.stream), std::move(events)});
}

void MemoryPool::Impl::finish_waiting() {
    if (is_capturing()) return;
    std::erase_if(waiting, [&](WaitingBlock& entry) {
        std::erase_if(entry.events, [](const EventPtr& event) { return done(*event); });
        if (!entry.events.empty()) return false;
        store.put(entry.block, blocks_of(entry.stream).list, releases);
        return true;
    });
}

/// Makes blocks whose stream has passed them usable by every stream, and marks the others for the next time.
void MemoryPool::Impl::hand_over_finished(const Stream* asking) {
    if (is_capturing()) return;
    for (auto& [key, blocks] : streams) {
        if (key == asking || blocks->list.empty()) continue;
        if (idle(*blocks->stream)) {
            store.move(blocks->list, clean, releases);
            blocks->mark.reset();
            continue;
        }
        if (blocks->mark && done(*blocks->mark)) {
            store.move(blocks->list, clean, blocks->marked);
            blocks->mark.reset();
        }
        if (blocks->mark || blocks->list.empty()) continue;
        blocks->mark = mark_now(*blocks->stream);
        blocks->marked = releases;
    }
}

Block* MemoryPool::Impl::search(std::size_t bytes, StreamBlocks& mine) {
    if (Block* block = store.take(mine.list, bytes)) return block;
    if (Block* block = store.take(clean, bytes)) return block;
    if (mine.list.binned + clean.binned == 0) return nullptr;
    store.consolidate(mine.list);
    store.consolidate(clean);
    if (Block* block = store.take(mine.list, bytes)) return block;
    return store.take(clean, bytes);
}

Block* MemoryPool::Impl::search_everywhere(std::size_t bytes, StreamBlocks& mine) {
    if (Block* block = search(bytes, mine)) return block;
    hand_over_finished(mine.stream.get());
    return store.take(clean, bytes);
}

Block* MemoryPool::Impl::grow(std::size_t bytes, std::size_t segment, FreeList& rest, std::string& problem) {
    if (std::size_t limit = statistics.limit_bytes; limit && segment > limit - std::min(limit, store.held_bytes())) {
        problem = fmt::format("the pool's limit is {}", readable(limit));
        return nullptr;
    }
    void* base = nullptr;
    try {
        base = device.allocate(MemoryKind::Device, segment);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::OutOfMemory) throw;
        problem = error.what();
        return nullptr;
    }
    ++statistics.device_allocations;
    Block* block = store.add_segment(base, segment, bytes <= pool::small_limit);
    store.cut(block, bytes, rest);
    return block;
}

std::size_t MemoryPool::Impl::give_back_free() {
    drop_abandoned_streams();
    hand_over_finished(nullptr);
    return store.release_segments(clean, [&](void* base) { device.release(MemoryKind::Device, base); });
}

/// Events after which every free block is out of use.
std::vector<EventPtr> MemoryPool::Impl::unfinished() {
    std::vector<EventPtr> events;
    hand_over_finished(nullptr);
    for (auto& [key, blocks] : streams)
        if (blocks->mark) events.push_back(blocks->mark);
    for (WaitingBlock& entry : waiting) events.insert(events.end(), entry.events.begin(), entry.events.end());
    return events;
}

void* MemoryPool::Impl::hand_out(Block* block, std::size_t bytes) {
    block->requested = bytes;
    ++statistics.allocations;
    statistics.used_bytes += bytes;
    statistics.peak_used_bytes = std::max(statistics.peak_used_bytes, statistics.used_bytes);
    return block->pointer;
}

void MemoryPool::Impl::out_of_memory(std::size_t bytes, const std::string& problem) {
    std::size_t held = store.held_bytes();
    std::string limit = statistics.limit_bytes ? readable(statistics.limit_bytes) : "none";
    std::string memory;
    try {
        MemoryInfo info = device.memory_info();
        memory = fmt::format("; the device has {} of {} free", readable(info.free), readable(info.total));
    } catch (const Error&) {
        // The device cannot even say how full it is; the pool's own state must do.
    }
    std::string blocks;
    for (auto [size, count] : store.largest_used(5)) {
        blocks += blocks.empty() ? "; the largest blocks in use: " : ", ";
        blocks += count > 1 ? fmt::format("{} x {}", count, readable(size)) : readable(size);
    }
    throw Error(
        ErrorKind::OutOfMemory,
        fmt::format("out of memory on {}: {} ({} bytes) asked for; the pool holds {}, of which {} are in use, in "
                    "{} segments{}; its limit is {}{}; {}",
                    device.name(), readable(bytes), bytes, readable(held), readable(statistics.used_bytes),
                    store.segments(), blocks, limit, memory, problem));
}

MemoryPool::MemoryPool(Device& device) : impl_(std::make_unique<Impl>(device)) {}

MemoryPool::~MemoryPool() {
    try {
        trim();
    } catch (const Error& error) {
        log(LogLevel::Warning, [&] { return fmt::format("~MemoryPool: {}", error.what()); });
    }
    // What is left is still in use by someone who outlives the pool; the device takes it back all the same.
    std::lock_guard lock(impl_->mutex);
    impl_->store.for_each_segment(
        [&](const pool::Segment& segment) { impl_->device.release(MemoryKind::Device, segment.base); });
}

void* MemoryPool::allocate(std::size_t bytes, const std::shared_ptr<Stream>& stream) {
    if (bytes == 0) return nullptr;
    Impl& self = *impl_;
    std::size_t rounded = BlockStore::round(bytes);
    std::unique_lock lock(self.mutex);
    self.accept_releases();
    if (!self.waiting.empty()) self.finish_waiting();
    if (rounded == 0) self.out_of_memory(bytes, "no device has an address space of that size");
    StreamBlocks* mine = &self.blocks_of(stream);
    Block* block = self.search_everywhere(rounded, *mine);
    std::string problem;
    std::size_t preferred = BlockStore::segment_bytes(rounded);
    if (!block) block = self.grow(rounded, preferred, mine->list, problem);
    if (!block && preferred > rounded) block = self.grow(rounded, rounded, mine->list, problem);
    if (block) return self.hand_out(block, rounded);

    log(LogLevel::Info,
        [&] { return fmt::format("{}: pool cannot grow by {}: {}", self.device.name(), rounded, problem); });
    self.give_back_free();
    block = self.grow(rounded, rounded, mine->list, problem);
    if (block) return self.hand_out(block, rounded);

    // Last resort: wait for the work that keeps free blocks busy. Not under the lock, since that work may allocate.
    for (Released& released : std::exchange(self.deferred, {})) self.accept(std::move(released));
    std::vector<EventPtr> events = self.unfinished();
    lock.unlock();
    for (const EventPtr& event : events) wait_without_report(*event);
    lock.lock();
    self.accept_releases();
    self.finish_waiting();
    mine = &self.blocks_of(stream);
    block = self.search_everywhere(rounded, *mine);
    if (!block) {
        self.give_back_free();
        mine = &self.blocks_of(stream);
        block = self.grow(rounded, rounded, mine->list, problem);
    }
    if (!block) self.out_of_memory(rounded, problem);
    return self.hand_out(block, rounded);
}

void* MemoryPool::allocate_unused(std::size_t bytes) {
    Impl& self = *impl_;
    const std::size_t rounded = BlockStore::round(bytes);
    std::lock_guard lock(self.mutex);
    self.accept_releases();
    if (rounded == 0) self.out_of_memory(bytes, "no device has an address space of that size");
    self.store.consolidate(self.clean);
    Block* block = self.store.take(self.clean, rounded);
    std::string problem;
    if (!block) block = self.grow(rounded, rounded, self.clean, problem);
    if (!block) self.out_of_memory(rounded, problem);
    return self.hand_out(block, rounded);
}

void MemoryPool::collect() {
    std::lock_guard lock(impl_->mutex);
    impl_->accept_releases();
    impl_->finish_waiting();
    impl_->hand_over_finished(nullptr);
}

void MemoryPool::release(void* pointer, const std::shared_ptr<Stream>& stream,
                         std::span<const std::shared_ptr<Stream>> uses) {
    if (!pointer) return;
    std::lock_guard lock(impl_->incoming_mutex);
    impl_->incoming.push_back({pointer, stream, {uses.begin(), uses.end()}});
}

std::size_t MemoryPool::trim() {
    std::unique_lock lock(impl_->mutex);
    impl_->accept_releases();
    std::vector<EventPtr> events = impl_->unfinished();
    lock.unlock();
    for (const EventPtr& event : events) wait_without_report(*event);
    lock.lock();
    impl_->accept_releases();
    impl_->finish_waiting();
    return impl_->give_back_free();
}

void MemoryPool::set_limit(std::size_t bytes) {
    std::lock_guard lock(impl_->mutex);
    impl_->statistics.limit_bytes = bytes;
}

PoolStatistics MemoryPool::statistics() const {
    std::lock_guard lock(impl_->mutex);
    impl_->accept_releases();
    PoolStatistics copy = impl_->statistics;
    copy.held_bytes = impl_->store.held_bytes();
    return copy;
}

MemoryPool::Deferral::Deferral(MemoryPool& pool) : pool_(pool) {
    std::lock_guard lock(pool_.impl_->mutex);
    pool_.impl_->accept_releases();
    ++pool_.impl_->deferrals;
}

MemoryPool::Deferral::~Deferral() {
    std::lock_guard lock(pool_.impl_->mutex);
    pool_.impl_->accept_releases();
    if (--pool_.impl_->deferrals > 0) return;
    for (Released& released : std::exchange(pool_.impl_->deferred, {})) pool_.impl_->accept(std::move(released));
}

}  // namespace lanewise
