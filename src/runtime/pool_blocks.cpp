#include "runtime/pool_blocks.h"

#include <algorithm>
#include <map>

namespace lanewise::pool {

std::size_t BlockStore::round(std::size_t bytes) {
    return bytes > SIZE_MAX - segment_granule ? 0 : (bytes + granule - 1) / granule * granule;
}

std::size_t BlockStore::segment_bytes(std::size_t bytes) {
    if (bytes <= small_limit) return small_segment;
    if (bytes <= medium_limit) return medium_segment;
    return (bytes + segment_granule - 1) / segment_granule * segment_granule;
}

Block* BlockStore::take(FreeList& list, std::size_t bytes) {
    if (bytes <= bin_limit) {
        std::vector<Block*>& bin = list.bins[bytes / granule];
        if (!bin.empty()) {
            Block* block = bin.back();
            bin.pop_back();
            --list.binned;
            block->list = nullptr;
            block->binned = false;
            return block;
        }
    }
    FreeList::Set& set = list.sets[bytes <= small_limit];
    Block key{nullptr, bytes, nullptr};
    auto found = set.lower_bound(&key);
    if (found == set.end()) return nullptr;
    Block* block = *found;
    detach(block);
    cut(block, bytes, list);
    return block;
}

void BlockStore::cut(Block* block, std::size_t bytes, FreeList& list) {
    // In large segments only rests that can serve a large request are cut off.
    std::size_t rest = block->bytes - bytes;
    if (rest < granule || (!block->segment->small && rest <= small_limit)) return;
    auto tail = std::make_unique<Block>(Block{block->pointer + bytes, rest, block->segment});
    tail->previous = block;
    tail->next = block->next;
    if (tail->next) tail->next->previous = tail.get();
    tail->released = block->released;
    Block* free_tail = tail.get();
    blocks_.emplace(free_tail->pointer, std::move(tail));
    block->next = free_tail;
    block->bytes = bytes;
    insert(free_tail, list);
}

void BlockStore::put(Block* block, FreeList& list, std::uint64_t release) {
    block->released = release;
    if (block->bytes <= bin_limit) {
        block->list = &list;
        block->binned = true;
        list.bins[block->bytes / granule].push_back(block);
        ++list.binned;
        return;
    }
    insert(block, list);
}

void BlockStore::consolidate(FreeList& list) {
    if (list.binned == 0) return;
    for (std::vector<Block*>& bin : list.bins) {
        for (Block* block : bin) {
            block->list = nullptr;
            block->binned = false;
        }
    }
    // insert() joins only blocks that are in a set, so it never frees one whose turn is still to come.
    for (std::vector<Block*>& bin : list.bins) {
        for (Block* block : bin) insert(block, list);
        bin.clear();
    }
    list.binned = 0;
}

void BlockStore::move(FreeList& from, FreeList& to, std::uint64_t release) {
    consolidate(from);
    std::vector<Block*> moving;
    for (FreeList::Set& set : from.sets)
        for (Block* block : set)
            if (block->released <= release) moving.push_back(block);
    for (Block* block : moving) detach(block);
    for (Block* block : moving) insert(block, to);
}

Block* BlockStore::add_segment(void* base, std::size_t bytes, bool small) {
    auto segment = std::make_unique<Segment>(Segment{static_cast<std::byte*>(base), bytes, small});
    auto block = std::make_unique<Block>(Block{segment->base, bytes, segment.get()});
    Block* whole = block.get();
    segments_.emplace(base, std::move(segment));
    blocks_.emplace(base, std::move(block));
    held_ += bytes;
    return whole;
}

std::size_t BlockStore::release_segments(FreeList& list, const std::function<void(void*)>& give_back) {
    consolidate(list);
    std::vector<Block*> whole;
    for (FreeList::Set& set : list.sets)
        for (Block* block : set)
            if (block->bytes == block->segment->bytes) whole.push_back(block);
    std::size_t given = 0;
    for (Block* block : whole) {
        detach(block);
        void* base = block->pointer;
        std::size_t bytes = block->bytes;
        blocks_.erase(base);
        segments_.erase(base);
        held_ -= bytes;
        given += bytes;
        give_back(base);
    }
    return given;
}

Block* BlockStore::find(void* pointer) const {
    auto found = blocks_.find(pointer);
    return found == blocks_.end() || found->second->list ? nullptr : found->second.get();
}

std::vector<std::pair<std::size_t, int>> BlockStore::largest_used(std::size_t most) const {
    std::map<std::size_t, int, std::greater<>> counts;
    for (const auto& [pointer, block] : blocks_)
        if (!block->list) ++counts[block->requested];
    std::vector<std::pair<std::size_t, int>> found(counts.begin(), counts.end());
    if (found.size() > most) found.resize(most);
    return found;
}

void BlockStore::for_each_segment(const std::function<void(const Segment&)>& visit) const {
    for (const auto& [base, segment] : segments_) visit(*segment);
}

void BlockStore::insert(Block* block, FreeList& list) {
    auto joins = [&](Block* other) { return other && other->list == &list && !other->binned; };
    if (joins(block->next)) {
        detach(block->next);
        block = absorb_next(block);
    }
    if (joins(block->previous)) {
        block = block->previous;
        detach(block);
        block = absorb_next(block);
    }
    block->list = &list;
    list.sets[block->segment->small].insert(block);
}

void BlockStore::detach(Block* block) {
    block->list->sets[block->segment->small].erase(block);
    block->list = nullptr;
}

Block* BlockStore::absorb_next(Block* block) {
    Block* next = block->next;
    block->bytes += next->bytes;
    block->released = std::max(block->released, next->released);
    block->next = next->next;
    if (block->next) block->next->previous = block;
    blocks_.erase(next->pointer);
    return block;
}

}  // namespace lanewise::pool
