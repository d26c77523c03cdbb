#include "backend/cpu/target/lock_step.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "backend/cpu/spmd/sync.h"
#include "backend/cpu/target/flatten.h"
#include "codegen/llvm.h"

namespace lanewise::cpu {
namespace {

/// The address of a volatile load or store of shared memory, null for anything else.
const llvm::Value* volatile_shared_address(const llvm::Instruction& instruction) {
    if (!instruction.isVolatile() || !llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) return nullptr;
    const llvm::Value* address = llvm::getLoadStorePointerOperand(&instruction);
    const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(address));
    return global && is_shared(*global) ? address : nullptr;
}

/// Whether a thread can come from `begin` in `block` to a volatile access of shared memory without meeting others.
bool is_followed(const llvm::BasicBlock& block, llvm::BasicBlock::const_iterator begin) {
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
    llvm::SmallVector<const llvm::BasicBlock*> work;
    const auto scan = [&](const llvm::BasicBlock& scanned, llvm::BasicBlock::const_iterator from) {
        for (const llvm::Instruction& instruction : llvm::make_range(from, scanned.end())) {
            if (sync_kind(instruction) != SyncKind::None) return false;
            if (volatile_shared_address(instruction)) return true;
        }
        for (const llvm::BasicBlock* next : llvm::successors(&scanned))
            if (seen.insert(next).second) work.push_back(next);
        return false;
    };
    if (scan(block, begin)) return true;
    while (!work.empty()) {
        const llvm::BasicBlock& next = *work.pop_back_val();
        if (scan(next, next.begin())) return true;
    }
    return false;
}

void meet(llvm::Instruction& before) {
    llvm::IRBuilder<> builder(&before);
    builder.CreateIntrinsic(llvm::Intrinsic::nvvm_activemask, {}, {});
}

/// Where lanes meet that come to `block`: for the head of a loop, a block behind the loop's body. The place that comes
/// first in the code goes first, and the head comes before the stores in the body.
llvm::BasicBlock& turning_point(llvm::BasicBlock& block) {
    const llvm::DominatorTree dominators(*block.getParent());
    llvm::SmallVector<llvm::BasicBlock*> ends_of_body;
    for (llvm::BasicBlock& before : *block.getParent())
        if (llvm::is_contained(llvm::successors(&before), &block) && dominators.dominates(&block, &before))
            ends_of_body.push_back(&before);
    if (ends_of_body.empty()) return block;
    llvm::BasicBlock* turn = llvm::SplitBlockPredecessors(&block, ends_of_body, ".turn");
    turn->moveAfter(ends_of_body.back());
    return *turn;
}

void keep_lock_step(llvm::Function& kernel) {
    llvm::SmallVector<llvm::StoreInst*> stores;
    for (llvm::Instruction& instruction : llvm::instructions(kernel))
        if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
            store && volatile_shared_address(*store) &&
            is_followed(*store->getParent(), std::next(store->getIterator())))
            stores.push_back(store);
    if (stores.empty()) return;
    // Lanes that a branch leads past a store wait for the others behind the branch.
    const llvm::PostDominatorTree after(kernel);
    llvm::SmallSetVector<llvm::BasicBlock*, 8> ends;
    for (const llvm::StoreInst* store : stores) {
        const llvm::DomTreeNode* end = after.getNode(store->getParent())->getIDom();
        if (end && end->getBlock() && is_followed(*end->getBlock(), end->getBlock()->begin()))
            ends.insert(end->getBlock());
    }
    for (llvm::StoreInst* store : stores) {
        meet(*store);
        meet(*store->getNextNode());
    }
    for (llvm::BasicBlock* end : ends) meet(*turning_point(*end).getFirstInsertionPt());
}

}  // namespace

void keep_lock_step(llvm::Module& module, llvm::ArrayRef<std::string> kernels) {
    for (const std::string& name : kernels) keep_lock_step(*module.getFunction(name));
}

}  // namespace lanewise::cpu
