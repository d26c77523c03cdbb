#include "runtime/graph_memory.h"

#include <algorithm>

#include "base/log.h"

namespace lanewise {

using pool::Block;
using pool::BlockStore;
using pool::FreeList;

GraphMemory::GraphMemory(Device& device) : device_(device) {}

GraphMemory::~GraphMemory() {
    store_.for_each_segment([&](const pool::Segment& segment) { give_back(segment.base); });
}

void GraphMemory::give_back(void* segment) {
    device_.pool().release(segment, device_.default_stream(), uses_);
}

void* GraphMemory::allocate(std::size_t bytes, const std::shared_ptr<Stream>& stream) {
    if (bytes == 0) return nullptr;
    std::lock_guard lock(mutex_);
    accept_releases();
    const std::size_t rounded = BlockStore::round(bytes);
    std::unique_ptr<FreeList>& list = lists_[stream.get()];
    if (!list) list = std::make_unique<FreeList>();
    Block* block = rounded ? store_.take(*list, rounded) : nullptr;
    if (!block && rounded) {
        store_.consolidate(*list);
        block = store_.take(*list, rounded);
    }
    if (!block) {
        const std::size_t segment = rounded ? BlockStore::segment_bytes(rounded) : bytes;
        void* base = device_.pool().allocate_unused(segment);
        block = store_.add_segment(base, segment, rounded <= pool::small_limit);
        store_.cut(block, rounded, *list);
    }
    block->requested = rounded;
    return block->pointer;
}

void GraphMemory::release(void* pointer, const std::shared_ptr<Stream>& stream,
                          std::span<const std::shared_ptr<Stream>> uses) {
    if (!pointer) return;
    std::lock_guard lock(incoming_mutex_);
    incoming_.push_back({pointer, stream.get(), !uses.empty()});
    note_use(stream);
    for (const std::shared_ptr<Stream>& use : uses) note_use(use);
}

void GraphMemory::note_use(const std::shared_ptr<Stream>& stream) {
    // Captured work does nothing yet, and a captured stream that held its own capture would never go.
    if (stream->capture() || std::find(uses_.begin(), uses_.end(), stream) != uses_.end()) return;
    uses_.push_back(stream);
}

void GraphMemory::accept_releases() {
    std::vector<Released> arrived;
    {
        std::lock_guard lock(incoming_mutex_);
        arrived.swap(incoming_);
    }
    for (const Released& released : arrived) {
        Block* block = store_.find(released.pointer);
        auto list = lists_.find(released.stream);
        const bool reusable = open_ && !released.used_elsewhere && list != lists_.end();
        store_.put(block, reusable ? *list->second : spent_, 0);
    }
}

void GraphMemory::close() {
    std::lock_guard lock(mutex_);
    accept_releases();
    open_ = false;
    for (auto& [stream, list] : lists_) store_.move(*list, spent_, 0);
    lists_.clear();
}

void GraphMemory::used_on(const std::shared_ptr<Stream>& stream) {
    std::lock_guard lock(incoming_mutex_);
    note_use(stream);
}

void GraphMemory::trim() {
    std::lock_guard lock(mutex_);
    accept_releases();
    store_.release_segments(spent_, [&](void* segment) { give_back(segment); });
}

}  // namespace lanewise
