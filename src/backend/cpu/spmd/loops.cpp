#include "backend/cpu/spmd/loops.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace lanewise::cpu {
namespace {

using llvm::IRBuilder;
using llvm::Value;

bool orders_threads(const llvm::Instruction& instruction) {
    if (instruction.isAtomic() || instruction.isVolatile() || llvm::isa<llvm::FenceInst>(instruction)) return true;
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && call->mayReadOrWriteMemory() && !llvm::isa<llvm::MemIntrinsic>(call);
}

/// Puts the region's accesses into a new access group, or returns null when its threads may depend on each other.
/// Accesses to allocas stay outside: all threads of the loop share the one stack slot.
llvm::MDNode* mark_parallel(llvm::Function& region) {
    for (const llvm::Instruction& instruction : llvm::instructions(region)) {
        if (orders_threads(instruction)) return nullptr;
    }
    llvm::MDNode* group = llvm::MDNode::getDistinct(region.getContext(), {});
    for (llvm::Instruction& instruction : llvm::instructions(region)) {
        if (!instruction.mayReadOrWriteMemory()) continue;
        const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
        if (pointer && llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer, 0))) continue;
        instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
    }
    return group;
}

/// A counting loop from 0 that runs at least once.
struct Loop {
    llvm::BasicBlock* header;
    llvm::PHINode* index;

    Loop(IRBuilder<>& builder, const char* name) {
        llvm::BasicBlock* before = builder.GetInsertBlock();
        header = llvm::BasicBlock::Create(builder.getContext(), llvm::Twine("loop.") + name, before->getParent());
        builder.CreateBr(header);
        builder.SetInsertPoint(header);
        index = builder.CreatePHI(builder.getInt32Ty(), 2, name);
        index->addIncoming(builder.getInt32(0), before);
    }

    llvm::BranchInst* end(IRBuilder<>& builder, Value* count) {
        Value* next = builder.CreateAdd(index, builder.getInt32(1), index->getName() + ".next", true, true);
        index->addIncoming(next, builder.GetInsertBlock());
        llvm::BasicBlock* after =
            llvm::BasicBlock::Create(builder.getContext(), header->getName() + ".end", header->getParent());
        llvm::BranchInst* branch = builder.CreateCondBr(builder.CreateICmpULT(next, count), header, after);
        builder.SetInsertPoint(after);
        return branch;
    }
};

}  // namespace

void emit_thread_loops(IRBuilder<>& builder, const SlotFunction& block, const SlotFunction& region,
                       llvm::ArrayRef<Value*> extra) {
    llvm::MDNode* group = mark_parallel(*region.function);

    Loop z(builder, "z");
    Value* plane = builder.CreateMul(z.index, block[Slot::BlockDimY], "", true, true);
    Loop y(builder, "y");
    Value* row =
        builder.CreateMul(builder.CreateAdd(plane, y.index, "", true, true), block[Slot::BlockDimX], "row", true, true);
    Loop x(builder, "x");

    llvm::SmallVector<Value*> arguments;
    for (unsigned i = 0; i < block.own + block_slots; ++i) arguments.push_back(block.function->getArg(i));
    arguments.append({x.index, y.index, z.index, builder.CreateAdd(row, x.index, "linear", true, true)});
    arguments.append(extra.begin(), extra.end());
    llvm::CallInst* call = builder.CreateCall(region.function, arguments);

    llvm::BranchInst* latch = x.end(builder, block[Slot::BlockDimX]);
    y.end(builder, block[Slot::BlockDimY]);
    z.end(builder, block[Slot::BlockDimZ]);

    llvm::LLVMContext& context = builder.getContext();
    llvm::SmallVector<llvm::Metadata*> properties = {nullptr};
    properties.push_back(llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.mustprogress")));
    if (group) {
        properties.push_back(
            llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.parallel_accesses"), group}));
    }
    llvm::MDNode* loop = llvm::MDNode::getDistinct(context, properties);
    loop->replaceOperandWith(0, loop);
    latch->setMetadata(llvm::LLVMContext::MD_loop, loop);

    llvm::InlineFunctionInfo info;
    llvm::InlineFunction(*call, info);
}

}  // namespace lanewise::cpu
