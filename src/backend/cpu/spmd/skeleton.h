// Splits a thread function at its meeting points into regions that each thread runs through without meeting another.
#pragma once

#include <functional>
#include <optional>

#include "backend/cpu/spmd/sync.h"
#include "backend/cpu/spmd/uniformity.h"

namespace lanewise::cpu {

/// A place all threads pass together: a meeting, a branch that decides which meeting comes next, or the end.
struct Node {
    llvm::BasicBlock* block = nullptr;
    SyncKind sync = SyncKind::None;  ///< None: a branch, or the end
    llvm::CallInst* call = nullptr;  ///< of a meeting
};

/// The code from `root` up to the next nodes.
struct Region {
    llvm::BasicBlock* root = nullptr;
    llvm::SmallVector<llvm::BasicBlock*> blocks;  ///< root first
    llvm::BasicBlock* next = nullptr;             ///< the node block that threads reach
    bool may_end_threads = false;  ///< some threads may go to the end instead, though `next` is another node
};

struct Skeleton {
    llvm::BasicBlock* end = nullptr;  ///< the one returning block; null when no thread returns
    std::vector<Node> nodes;          ///< without the end
    std::vector<Region> regions;      ///< the entry's first; then one for each edge out of a node
    bool threads_end_early = false;

    const Region& region_at(const llvm::BasicBlock* root) const;
};

using SyncFilter = std::function<bool(SyncKind)>;

/// Puts each meeting that `filter` accepts into a block of its own (results taken apart by extractvalue stay with it)
/// and makes one block return.
void isolate_meetings(llvm::Function& thread, const SyncFilter& filter);

/// Finds nodes and regions of a function prepared by isolate_meetings and gives each edge out of a node a block of its
/// own. Nothing when threads may part ways before a meeting: there is a partial barrier, or a branch that decides which
/// meeting comes next, other than by ending threads, is divergent. The function is then unchanged.
std::optional<Skeleton> find_skeleton(llvm::Function& thread, const SyncFilter& filter, const Uniformity& uniformity);

/// Every meeting is a node, no branch is: the form for threads that are run one at a time.
Skeleton find_meetings(llvm::Function& thread, const SyncFilter& filter);

}  // namespace lanewise::cpu
