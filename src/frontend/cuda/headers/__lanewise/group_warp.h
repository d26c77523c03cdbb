// The groups within a warp: tiles of a fixed size, and the threads of any mask.
#pragma once

namespace cooperative_groups {

/// Threads of a warp with their ranks among each other.
class coalesced_group {
public:
    __LANEWISE_DEVICE explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
        : mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}

    __LANEWISE_DEVICE void sync() const { __syncwarp(mask_); }
    __LANEWISE_DEVICE unsigned size() const { return __popc(mask_); }
    __LANEWISE_DEVICE unsigned num_threads() const { return size(); }
    __LANEWISE_DEVICE unsigned thread_rank() const { return __popc(mask_ & __lanewise::lanes_below()); }
    __LANEWISE_DEVICE unsigned meta_group_rank() const { return meta_rank_; }
    __LANEWISE_DEVICE unsigned meta_group_size() const { return meta_size_; }

    template <class T>
    __LANEWISE_DEVICE T shfl(T value, unsigned rank) const {
        return __lanewise::shuffle(mask_, value, __lanewise::lane_of(mask_, rank % size()));
    }
    /// From the member `distance` ranks below, or the own value.
    template <class T>
    __LANEWISE_DEVICE T shfl_up(T value, unsigned distance) const {
        const unsigned rank = thread_rank();
        return shfl(value, rank >= distance ? rank - distance : rank);
    }
    template <class T>
    __LANEWISE_DEVICE T shfl_down(T value, unsigned distance) const {
        const unsigned rank = thread_rank();
        return shfl(value, rank + distance < size() ? rank + distance : rank);
    }
    __LANEWISE_DEVICE int any(int predicate) const { return __any_sync(mask_, predicate); }
    __LANEWISE_DEVICE int all(int predicate) const { return __all_sync(mask_, predicate); }
    __LANEWISE_DEVICE unsigned ballot(int predicate) const {
        return __lanewise::pack(__ballot_sync(mask_, predicate), mask_);
    }
    template <class T>
    __LANEWISE_DEVICE unsigned match_any(T value) const {
        return __lanewise::pack(__match_any_sync(mask_, value), mask_);
    }
    template <class T>
    __LANEWISE_DEVICE unsigned match_all(T value, int& all) const {
        return __lanewise::pack(__match_all_sync(mask_, value, &all), mask_);
    }
    __LANEWISE_DEVICE unsigned __mask() const { return mask_; }

private:
    unsigned mask_, meta_rank_, meta_size_;
};
__LANEWISE_DEVICE coalesced_group coalesced_threads() {
    return coalesced_group(__activemask());
}

/// `Size` neighbouring threads.
template <unsigned Size, class Parent = void>
class thread_block_tile {
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads: tiles of several warps are not supported");

public:
    __LANEWISE_DEVICE explicit thread_block_tile(unsigned meta_rank = __lanewise::block_rank() / Size,
                                                 unsigned meta_size = (__lanewise::block_size() + Size - 1) / Size)
        : meta_rank_(meta_rank), meta_size_(meta_size) {}
    template <class Other>
    __LANEWISE_DEVICE thread_block_tile(const thread_block_tile<Size, Other>& other)
        : meta_rank_(other.meta_group_rank()), meta_size_(other.meta_group_size()) {}

    __LANEWISE_DEVICE void sync() const { __syncwarp(__mask()); }
    __LANEWISE_DEVICE static unsigned thread_rank() { return __lanewise::lane() & (Size - 1); }
    __LANEWISE_DEVICE static constexpr unsigned size() { return Size; }
    __LANEWISE_DEVICE static constexpr unsigned num_threads() { return Size; }
    __LANEWISE_DEVICE unsigned meta_group_rank() const { return meta_rank_; }
    __LANEWISE_DEVICE unsigned meta_group_size() const { return meta_size_; }

    template <class T>
    __LANEWISE_DEVICE T shfl(T value, int rank) const {
        return __lanewise::shuffle(__mask(), value, rank, Size);
    }
    template <class T>
    __LANEWISE_DEVICE T shfl_up(T value, unsigned distance) const {
        return __lanewise::shuffle_up(__mask(), value, distance, Size);
    }
    template <class T>
    __LANEWISE_DEVICE T shfl_down(T value, unsigned distance) const {
        return __lanewise::shuffle_down(__mask(), value, distance, Size);
    }
    template <class T>
    __LANEWISE_DEVICE T shfl_xor(T value, unsigned bits) const {
        return __lanewise::shuffle_xor(__mask(), value, bits, Size);
    }
    __LANEWISE_DEVICE int any(int predicate) const { return __any_sync(__mask(), predicate); }
    __LANEWISE_DEVICE int all(int predicate) const { return __all_sync(__mask(), predicate); }
    __LANEWISE_DEVICE unsigned ballot(int predicate) const { return own(__ballot_sync(__mask(), predicate)); }
    template <class T>
    __LANEWISE_DEVICE unsigned match_any(T value) const {
        return own(__match_any_sync(__mask(), value));
    }
    template <class T>
    __LANEWISE_DEVICE unsigned match_all(T value, int& all) const {
        return own(__match_all_sync(__mask(), value, &all));
    }
    __LANEWISE_DEVICE unsigned __mask() const { return (0xffffffff >> (32 - Size)) << first(); }

private:
    __LANEWISE_DEVICE static unsigned first() { return __lanewise::lane() & ~(Size - 1); }
    __LANEWISE_DEVICE static unsigned own(unsigned lanes) { return lanes >> first(); }

    unsigned meta_rank_, meta_size_;
};

/// A group whose kind is known when the program runs: a block, or threads of a warp.
class thread_group {
public:
    __LANEWISE_DEVICE thread_group(const thread_block&) : mask_(0), meta_rank_(0), meta_size_(1) {}
    __LANEWISE_DEVICE thread_group(const coalesced_group& group)
        : mask_(group.__mask()), meta_rank_(group.meta_group_rank()), meta_size_(group.meta_group_size()) {}
    template <unsigned Size, class Parent>
    __LANEWISE_DEVICE thread_group(const thread_block_tile<Size, Parent>& tile)
        : mask_(tile.__mask()), meta_rank_(tile.meta_group_rank()), meta_size_(tile.meta_group_size()) {}

    __LANEWISE_DEVICE void sync() const {
        if (mask_)
            __syncwarp(mask_);
        else
            __syncthreads();
    }
    __LANEWISE_DEVICE unsigned size() const { return mask_ ? __popc(mask_) : __lanewise::block_size(); }
    __LANEWISE_DEVICE unsigned num_threads() const { return size(); }
    __LANEWISE_DEVICE unsigned thread_rank() const {
        return mask_ ? __popc(mask_ & __lanewise::lanes_below()) : __lanewise::block_rank();
    }
    __LANEWISE_DEVICE unsigned meta_group_rank() const { return meta_rank_; }
    __LANEWISE_DEVICE unsigned meta_group_size() const { return meta_size_; }
    __LANEWISE_DEVICE unsigned __mask() const { return mask_; }

private:
    unsigned mask_;  ///< 0: the block
    unsigned meta_rank_, meta_size_;
};

}  // namespace cooperative_groups
