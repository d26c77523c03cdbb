#include "backend/cpu/target/lock_step.h"

#include <llvm/Analysis/ValueTracking.h>

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

/// Whether a thread can come from `store` to a volatile access of shared memory without meeting others.
bool is_followed(const llvm::StoreInst& store) {
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
    llvm::SmallVector<const llvm::BasicBlock*> work;
    const auto scan = [&](llvm::BasicBlock::const_iterator begin, const llvm::BasicBlock& block) {
        for (const llvm::Instruction& instruction : llvm::make_range(begin, block.end())) {
            if (sync_kind(instruction) != SyncKind::None) return false;
            if (volatile_shared_address(instruction)) return true;
        }
        for (const llvm::BasicBlock* next : llvm::successors(&block))
            if (seen.insert(next).second) work.push_back(next);
        return false;
    };
    if (scan(std::next(store.getIterator()), *store.getParent())) return true;
    while (!work.empty()) {
        const llvm::BasicBlock& block = *work.pop_back_val();
        if (scan(block.begin(), block)) return true;
    }
    return false;
}

void meet(llvm::Instruction& before) {
    llvm::IRBuilder<> builder(&before);
    builder.CreateIntrinsic(llvm::Intrinsic::nvvm_activemask, {}, {});
}

}  // namespace

void keep_lock_step(llvm::Module& module, llvm::ArrayRef<std::string> kernels) {
    for (const std::string& name : kernels) {
        llvm::SmallVector<llvm::StoreInst*> stores;
        for (llvm::Instruction& instruction : llvm::instructions(*module.getFunction(name)))
            if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
                store && volatile_shared_address(*store) && is_followed(*store))
                stores.push_back(store);
        for (llvm::StoreInst* store : stores) {
            meet(*store);
            meet(*store->getNextNode());
        }
    }
}

}  // namespace lanewise::cpu
