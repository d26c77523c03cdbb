// BlockStore: the pool's segments of device memory, cut into blocks; free lists with best fit, splitting and
// coalescing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lanewise::pool {

inline constexpr std::size_t granule = 512;                       ///< size and alignment of blocks
inline constexpr std::size_t small_limit = std::size_t{1} << 20;  ///< up to here requests share small segments
inline constexpr std::size_t small_segment = std::size_t{2} << 20;
inline constexpr std::size_t medium_limit = std::size_t{10} << 20;  ///< up to here requests share medium segments
inline constexpr std::size_t medium_segment = std::size_t{20} << 20;
inline constexpr std::size_t segment_granule = std::size_t{2} << 20;
inline constexpr std::size_t bin_limit = std::size_t{64} << 10;  ///< up to here free blocks wait in bins of one size

struct Block;
struct FreeList;

/// Memory as the device gave it.
struct Segment {
    std::byte* base;
    std::size_t bytes;
    bool small;
};

/// A piece of a segment; the pieces of a segment are a list in address order.
struct Block {
    std::byte* pointer;
    std::size_t bytes;
    Segment* segment;
    Block* previous = nullptr;
    Block* next = nullptr;
    FreeList* list = nullptr;    ///< null while handed out
    bool binned = false;         ///< in a bin of `list`, where blocks do not coalesce
    std::uint64_t released = 0;  ///< count of releases when it became free
    std::size_t requested = 0;   ///< rounded size the holder asked for
};

struct BySize {
    bool operator()(const Block* a, const Block* b) const {
        return a->bytes != b->bytes ? a->bytes < b->bytes : a->pointer < b->pointer;
    }
};

/// Free blocks that become usable together: those of one stream, or those no stream uses any more.
struct FreeList {
    using Set = std::set<Block*, BySize>;
    std::array<Set, 2> sets;  ///< of large and of small segments
    std::array<std::vector<Block*>, bin_limit / granule + 1> bins;
    std::size_t binned = 0;
    bool empty() const { return binned == 0 && sets[0].empty() && sets[1].empty(); }
};

class BlockStore {
public:
    /// Rounded up to the granule; 0 when that overflows.
    static std::size_t round(std::size_t bytes);
    /// Size of the segment to ask the device for when `bytes` (rounded) do not fit in any.
    static std::size_t segment_bytes(std::size_t bytes);

    /// The smallest sufficient block of `list`, cut to size; null when there is none. `bytes` is rounded.
    Block* take(FreeList& list, std::size_t bytes);
    /// Puts a block that is handed out into `list`.
    void put(Block* block, FreeList& list, std::uint64_t release);
    /// Empties the bins, so that all neighbouring free blocks are joined.
    void consolidate(FreeList& list);
    /// Moves the blocks released up to `release` to another list.
    void move(FreeList& from, FreeList& to, std::uint64_t release);
    /// A new segment as one block that is handed out.
    Block* add_segment(void* base, std::size_t bytes, bool small);
    /// Gives every segment that is one free block of `list` to `give_back`; the bytes given.
    std::size_t release_segments(FreeList& list, const std::function<void(void*)>& give_back);
    /// Cuts a handed-out block to `bytes` where worth it; the rest goes to `list`.
    void cut(Block* block, std::size_t bytes, FreeList& list);

    /// The handed-out block that starts at `pointer`; null when there is none.
    Block* find(void* pointer) const;
    std::size_t held_bytes() const { return held_; }
    std::size_t segments() const { return segments_.size(); }
    /// How many blocks of each size are handed out, for the `most` largest sizes; the largest first.
    std::vector<std::pair<std::size_t, int>> largest_used(std::size_t most) const;
    /// Every segment, whatever its blocks are doing.
    void for_each_segment(const std::function<void(const Segment&)>& visit) const;

private:
    void insert(Block* block, FreeList& list);
    void detach(Block* block);
    Block* absorb_next(Block* block);

    std::unordered_map<void*, std::unique_ptr<Block>> blocks_;  ///< by address, free or not
    std::unordered_map<void*, std::unique_ptr<Segment>> segments_;
    std::size_t held_ = 0;
};

}  // namespace lanewise::pool
