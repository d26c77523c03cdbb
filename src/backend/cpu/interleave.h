// Threads of a block that run apart: each is resumed until it meets others or ends, and this schedules the meetings.
#pragma once

#include <cstdint>

namespace lanewise::cpu {

struct Launch;

/// The operations at which threads of a block or lanes of a warp meet. Stored in ThreadRecord: part of the ABI.
enum class SyncKind : std::uint32_t {
    None,
    // Block: all threads that have not ended.
    Barrier,
    BarrierCount,  ///< popc of a predicate
    BarrierAnd,
    BarrierOr,
    GridBarrier,
    PartialBarrier,  ///< a named barrier for a stated number of threads
    PartialArrive,   ///< counts at such a barrier without waiting
    Yield,           ///< lets the others run before it goes on
    // Warp: the lanes of a mask.
    WarpSync,
    ShuffleIndex,
    ShuffleUp,
    ShuffleDown,
    ShuffleXor,
    VoteAll,
    VoteAny,
    VoteEqual,
    Ballot,
    MatchAny,
    MatchAll,
    ActiveMask,
    ReduceAdd,
    ReduceMin,
    ReduceMax,
    ReduceUnsignedMin,
    ReduceUnsignedMax,
    ReduceAnd,
    ReduceOr,
    ReduceXor,
};

inline bool is_block_sync(SyncKind kind) {
    return kind >= SyncKind::Barrier && kind <= SyncKind::Yield;
}
/// Not for all threads of the block together.
inline bool is_partial_sync(SyncKind kind) {
    return kind >= SyncKind::PartialBarrier && kind <= SyncKind::Yield;
}
inline bool is_warp_sync(SyncKind kind) {
    return kind >= SyncKind::WarpSync;
}
inline bool is_shuffle(SyncKind kind) {
    return kind >= SyncKind::ShuffleIndex && kind <= SyncKind::ShuffleXor;
}
inline bool is_reduction(SyncKind kind) {
    return kind >= SyncKind::ReduceAdd && kind <= SyncKind::ReduceXor;
}

/// What one thread waits for, and what it gets. Plain C layout: kernels access it by offset.
struct ThreadRecord {
    static constexpr std::uint32_t ended = 0xffffffff;

    std::uint32_t state;  ///< 0: not begun; `ended`; else the number, from 1, of the meeting in the kernel's code
    SyncKind kind;
    std::uint32_t mask;   ///< member mask of a warp operation; 0: whoever arrives together
    std::uint32_t lane;   ///< shuffles: PTX operand b; partial barriers: their name
    std::uint32_t clamp;  ///< shuffles: PTX operand c; partial barriers: how many threads meet
    std::uint32_t line;   ///< source line of the meeting, or 0
    std::uint64_t value;  ///< exchanged value, zero-extended; predicates 0 or not
    std::uint64_t result;
    std::uint32_t predicate;  ///< second component of the result
    std::uint32_t waits;      ///< the scheduler's: not 0 until the meeting is over
};

/// Runs threads [0, count) to their ends. resume(frame, i) runs thread i from where records[i] says to its next
/// meeting, which it describes in records[i], or to its end. Thread 0 is lane 0 of a warp. The contents of `records`
/// are unspecified on entry.
///
/// Barriers wait for all threads that have not ended. A warp operation waits for those lanes of its mask that have not;
/// they must be at the same operation (any WarpSync for WarpSync) with the same mask. A shuffle from a lane that takes
/// no part gives the reader its own value. Threads that yield go on when all others have stopped. When nothing can go
/// on, Services::barrier_mismatch is called and the threads are dropped; likewise after a grid barrier that failed.
void interleave(const Launch* launch, void (*resume)(void* frame, std::uint32_t thread), void* frame,
                ThreadRecord* records, std::uint32_t count);

}  // namespace lanewise::cpu
