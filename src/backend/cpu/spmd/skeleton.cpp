#include "backend/cpu/spmd/skeleton.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/UnifyFunctionExitNodes.h>

namespace lanewise::cpu {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;

llvm::CallInst* meeting_of(BasicBlock& block, const SyncFilter& filter) {
    for (Instruction& instruction : block) {
        const SyncKind kind = sync_kind(instruction);
        if (kind != SyncKind::None && filter(kind)) return llvm::cast<llvm::CallInst>(&instruction);
    }
    return nullptr;
}

BasicBlock* returning_block(llvm::Function& thread) {
    for (BasicBlock& block : thread) {
        if (llvm::isa<llvm::ReturnInst>(block.getTerminator())) return &block;
    }
    return nullptr;
}

std::vector<Node> meetings(llvm::Function& thread, const SyncFilter& filter) {
    std::vector<Node> nodes;
    for (BasicBlock& block : thread) {
        if (llvm::CallInst* call = meeting_of(block, filter)) nodes.push_back({&block, sync_kind(*call), call});
    }
    return nodes;
}

/// Finds the branches that decide which node comes next. For each block the first node on all paths from it is
/// computed; where the successors of a block disagree, its branch is a node itself.
class BranchFinder {
public:
    BranchFinder(llvm::Function& thread, llvm::ArrayRef<Node> meetings, const BasicBlock* end,
                 const Uniformity& uniformity)
        : thread_(thread), uniformity_(uniformity) {
        for (const Node& node : meetings) nodes_.insert(node.block);
        if (end) nodes_.insert(end);
        find_blocks_before_meetings(meetings);
    }

    /// Blocks whose terminators are nodes; nothing when one of them is divergent.
    std::optional<llvm::SmallVector<BasicBlock*>> run() {
        llvm::SmallVector<BasicBlock*> branches;
        while (BasicBlock* block = find_disagreement()) {
            if (uniformity_.has_divergent_branch(block)) return std::nullopt;
            branches.push_back(block);
            nodes_.insert(block);
        }
        return branches;
    }

private:
    void find_blocks_before_meetings(llvm::ArrayRef<Node> meetings) {
        llvm::SmallVector<const BasicBlock*> work;
        for (const Node& node : meetings) work.push_back(node.block);
        while (!work.empty()) {
            const BasicBlock* block = work.pop_back_val();
            if (!before_meetings_.insert(block).second) continue;
            work.append(llvm::pred_begin(block), llvm::pred_end(block));
        }
    }

    /// A divergent branch to where no meeting follows only ends threads: it does not decide for the others.
    bool only_ends_threads(const BasicBlock* from, const BasicBlock* to) const {
        return before_meetings_.contains(from) && !before_meetings_.contains(to) &&
               uniformity_.has_divergent_branch(from);
    }

    BasicBlock* find_disagreement() {
        // Absent: no node is known to follow. `disagreement`: different ones follow.
        static const int marker = 0;
        const void* const disagreement = &marker;
        llvm::DenseMap<const BasicBlock*, const void*> next;
        for (const BasicBlock* node : nodes_) next[node] = node;
        const auto meet = [&](const BasicBlock* block) {
            const void* common = nullptr;
            for (const BasicBlock* successor : llvm::successors(block)) {
                if (only_ends_threads(block, successor)) continue;
                const void* of = next.lookup(successor);
                if (!of || of == common) continue;
                common = common ? disagreement : of;
            }
            return common;
        };
        bool changed = true;
        while (changed) {
            changed = false;
            for (const BasicBlock* block : llvm::post_order(&thread_)) {
                if (nodes_.contains(block)) continue;
                const void* value = meet(block);
                if (value == next.lookup(block)) continue;
                next[block] = value;
                changed = true;
            }
        }
        // The last in program order whose successors are certain; else one of a circle of doubtful blocks.
        BasicBlock* doubtful = nullptr;
        for (BasicBlock* block : llvm::post_order(&thread_)) {
            if (nodes_.contains(block) || meet(block) != disagreement) continue;
            const auto is_doubtful = [&](const BasicBlock* successor) {
                return next.lookup(successor) == disagreement;
            };
            if (llvm::none_of(llvm::successors(block), is_doubtful)) return block;
            if (!llvm::all_of(llvm::successors(block), is_doubtful)) doubtful = block;
        }
        return doubtful;
    }

    llvm::Function& thread_;
    const Uniformity& uniformity_;
    llvm::SmallPtrSet<const BasicBlock*, 16> nodes_;
    llvm::SmallPtrSet<const BasicBlock*, 16> before_meetings_;
};

/// A block on each edge out of `block`.
void split_outgoing_edges(BasicBlock* block, llvm::SmallVectorImpl<BasicBlock*>& roots) {
    Instruction* terminator = block->getTerminator();
    for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i) {
        BasicBlock* successor = terminator->getSuccessor(i);
        BasicBlock* edge = BasicBlock::Create(block->getContext(), block->getName() + ".out", block->getParent());
        llvm::BranchInst::Create(successor, edge);
        terminator->setSuccessor(i, edge);
        for (llvm::PHINode& phi : successor->phis()) phi.setIncomingBlock(phi.getBasicBlockIndex(block), edge);
        roots.push_back(edge);
    }
}

void collect_regions(llvm::Function& thread, Skeleton& skeleton) {
    llvm::SmallPtrSet<const BasicBlock*, 16> nodes;
    llvm::SmallVector<BasicBlock*> roots = {&thread.getEntryBlock()};
    for (const Node& node : skeleton.nodes) nodes.insert(node.block);
    for (const Node& node : skeleton.nodes) split_outgoing_edges(node.block, roots);
    for (BasicBlock* root : roots) {
        Region& region = skeleton.regions.emplace_back();
        region.root = root;
        llvm::SmallPtrSet<const BasicBlock*, 16> seen = {root};
        region.blocks.push_back(root);
        bool reaches_end = false;
        for (std::size_t i = 0; i < region.blocks.size(); ++i) {
            for (BasicBlock* successor : llvm::successors(region.blocks[i])) {
                if (successor == skeleton.end)
                    reaches_end = true;
                else if (nodes.contains(successor))
                    region.next = successor;
                else if (seen.insert(successor).second)
                    region.blocks.push_back(successor);
            }
        }
        region.may_end_threads = reaches_end && region.next;
        if (!region.next) region.next = skeleton.end;
        skeleton.threads_end_early |= region.may_end_threads;
    }
}

}  // namespace

const Region& Skeleton::region_at(const BasicBlock* root) const {
    return *llvm::find_if(regions, [&](const Region& region) { return region.root == root; });
}

void isolate_meetings(llvm::Function& thread, const SyncFilter& filter) {
    llvm::SmallVector<llvm::CallInst*> calls;
    for (Instruction& instruction : llvm::instructions(thread)) {
        const SyncKind kind = sync_kind(instruction);
        if (kind != SyncKind::None && filter(kind)) calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
    }
    for (llvm::CallInst* call : calls) {
        Instruction* last = call;
        for (llvm::User* user : llvm::make_early_inc_range(call->users())) {
            if (auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(user)) {
                part->moveAfter(last);
                last = part;
            }
        }
        call->getParent()->splitBasicBlock(call, "meeting");
        call->getParent()->splitBasicBlock(last->getNextNode(), "after");
    }
    // Returns meet in an otherwise empty block.
    BasicBlock* end = BasicBlock::Create(thread.getContext(), "end", &thread);
    for (BasicBlock& block : thread) {
        if (!llvm::isa_and_present<llvm::ReturnInst>(block.getTerminator())) continue;
        block.getTerminator()->eraseFromParent();
        llvm::BranchInst::Create(end, &block);
    }
    if (llvm::pred_empty(end))
        end->eraseFromParent();
    else
        llvm::ReturnInst::Create(thread.getContext(), end);
}

std::optional<Skeleton> find_skeleton(llvm::Function& thread, const SyncFilter& filter, const Uniformity& uniformity) {
    Skeleton skeleton;
    skeleton.end = returning_block(thread);
    skeleton.nodes = meetings(thread, filter);
    // A barrier for some of the threads is no place that all pass together.
    if (llvm::any_of(skeleton.nodes, [](const Node& node) { return is_partial_sync(node.sync); })) {
        return std::nullopt;
    }
    const auto branches = BranchFinder(thread, skeleton.nodes, skeleton.end, uniformity).run();
    if (!branches) return std::nullopt;
    for (BasicBlock* block : *branches) {
        skeleton.nodes.push_back({block->splitBasicBlock(block->getTerminator(), "branch")});
    }
    collect_regions(thread, skeleton);
    return skeleton;
}

Skeleton find_meetings(llvm::Function& thread, const SyncFilter& filter) {
    Skeleton skeleton;
    skeleton.end = returning_block(thread);
    skeleton.nodes = meetings(thread, filter);
    collect_regions(thread, skeleton);
    return skeleton;
}

}  // namespace lanewise::cpu
