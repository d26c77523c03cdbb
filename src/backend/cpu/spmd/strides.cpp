#include "backend/cpu/spmd/strides.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/PatternMatch.h>

#include "backend/cpu/spmd/uniformity.h"

namespace lanewise::cpu {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::PHINode;
using llvm::Value;

/// A loop of the form this transformation takes.
struct StrideLoop {
    BasicBlock *before, *header, *body, *latch;
    llvm::BranchInst* branch;  ///< of the header
    llvm::ICmpInst* condition;
    PHINode* counter;
    llvm::BinaryOperator* advance;
    Value *start, *step, *bound;
};

class Walker {
public:
    Walker(const SlotFunction& thread, const Uniformity& uniformity) : thread_(thread), uniformity_(uniformity) {}

    std::optional<StrideLoop> recognise(const llvm::Loop& loop) const {
        using namespace llvm::PatternMatch;
        StrideLoop found{};
        found.header = loop.getHeader();
        found.latch = loop.getLoopLatch();
        found.before = loop.getLoopPredecessor();
        if (loop.getLoopDepth() != 1 || !loop.isInnermost() || !found.latch || found.latch == found.header ||
            !found.before || loop.getExitingBlock() != found.header)
            return std::nullopt;
        found.branch = llvm::dyn_cast<llvm::BranchInst>(found.header->getTerminator());
        if (!found.branch || !found.branch->isConditional() || !loop.contains(found.branch->getSuccessor(0)))
            return std::nullopt;
        found.body = found.branch->getSuccessor(0);
        found.condition = llvm::dyn_cast<llvm::ICmpInst>(found.branch->getCondition());
        if (!found.condition || found.condition->getParent() != found.header || !is_pure(*found.header) ||
            (found.condition->getPredicate() != llvm::CmpInst::ICMP_SLT &&
             found.condition->getPredicate() != llvm::CmpInst::ICMP_ULT))
            return std::nullopt;
        found.counter = llvm::dyn_cast<PHINode>(found.condition->getOperand(0));
        found.bound = found.condition->getOperand(1);
        if (!found.counter || found.counter->getParent() != found.header || !is_fixed(loop, found.bound))
            return std::nullopt;
        found.start = found.counter->getIncomingValueForBlock(found.before);
        found.advance = llvm::dyn_cast<llvm::BinaryOperator>(found.counter->getIncomingValueForBlock(found.latch));
        if (!found.advance || !match(found.advance, m_c_Add(m_Specific(found.counter), m_Value(found.step))) ||
            llvm::isa<llvm::Constant>(found.step) || !is_fixed(loop, found.step) ||
            uniformity_.is_uniform(found.start) || !has_lowest(found.start, found.condition->isSigned()))
            return std::nullopt;
        // After the loop the counter would be that of the last thread.
        for (const Instruction& instruction : *found.header) {
            if (llvm::isa<PHINode>(instruction) && &instruction != found.counter) continue;
            for (const llvm::User* user : instruction.users())
                if (!loop.contains(llvm::cast<Instruction>(user))) return std::nullopt;
        }
        return found;
    }

    void rewrite(const StrideLoop& loop) const {
        llvm::LLVMContext& context = loop.header->getContext();
        llvm::Function& function = *thread_.function;
        BasicBlock* active = BasicBlock::Create(context, "active", &function, loop.body);
        BasicBlock* again = BasicBlock::Create(context, "again", &function);
        llvm::Type* type = loop.counter->getType();

        // The counter is its start plus a distance that all threads share.
        IRBuilder<> builder(loop.before->getTerminator());
        Value* lowest_start = lowest(loop.start, builder);
        builder.SetInsertPoint(loop.header, loop.header->begin());
        PHINode* distance = builder.CreatePHI(type, 2, "distance");
        builder.SetInsertPoint(loop.header, loop.header->getFirstNonPHIIt());
        const bool is_signed = loop.condition->isSigned();
        const auto advanced = [&](Value* from, Value* by, const llvm::Twine& name) {
            return builder.CreateAdd(from, by, name, !is_signed, is_signed);
        };
        Value* counter = advanced(loop.start, distance, loop.counter->getName());

        builder.SetInsertPoint(loop.branch);
        Value* any =
            builder.CreateICmp(loop.condition->getPredicate(), advanced(lowest_start, distance, ""), loop.bound, "any");
        BasicBlock* exit = loop.branch->getSuccessor(1);
        builder.CreateCondBr(any, active, exit);
        builder.SetInsertPoint(active);
        builder.CreateCondBr(loop.condition, loop.body, again);
        loop.branch->eraseFromParent();
        loop.body->replacePhiUsesWith(loop.header, active);
        loop.latch->getTerminator()->replaceSuccessorWith(loop.header, again);

        builder.SetInsertPoint(again);
        for (PHINode& carried : llvm::make_early_inc_range(loop.header->phis())) {
            if (&carried == distance || &carried == loop.counter) continue;
            PHINode* next = builder.CreatePHI(carried.getType(), 2);
            next->addIncoming(carried.getIncomingValueForBlock(loop.latch), loop.latch);
            next->addIncoming(&carried, active);
            carried.setIncomingValue(carried.getBasicBlockIndex(loop.latch), next);
            carried.setIncomingBlock(carried.getBasicBlockIndex(loop.latch), again);
        }
        Value* next_distance = advanced(distance, loop.step, "distance.next");
        llvm::Function* meet = llvm::Intrinsic::getDeclaration(function.getParent(), llvm::Intrinsic::nvvm_barrier0);
        builder.CreateCall(meet);
        builder.CreateBr(loop.header);
        distance->addIncoming(llvm::ConstantInt::get(type, 0), loop.before);
        distance->addIncoming(next_distance, again);
        loop.counter->replaceAllUsesWith(counter);
        loop.counter->eraseFromParent();
        if (loop.advance->use_empty()) loop.advance->eraseFromParent();
    }

private:
    bool is_fixed(const llvm::Loop& loop, const Value* value) const {
        return loop.isLoopInvariant(value) && uniformity_.is_uniform(value);
    }

    static bool is_pure(const BasicBlock& block) {
        for (const Instruction& instruction : block)
            if (instruction.mayReadOrWriteMemory() || instruction.mayHaveSideEffects()) return false;
        return true;
    }

    /// `value` is lowest in the thread with coordinates 0, and lowest() can tell what it is there.
    bool has_lowest(const Value* value, bool is_signed, int depth = 8) const {
        if (is_coordinate(value) || uniformity_.is_uniform(value)) return true;
        const auto* instruction = llvm::dyn_cast<Instruction>(value);
        if (!instruction || depth == 0) return false;
        switch (instruction->getOpcode()) {
            case Instruction::Add:
                if (!instruction->hasNoUnsignedWrap() && !(is_signed && instruction->hasNoSignedWrap())) return false;
                return has_lowest(instruction->getOperand(0), is_signed, depth - 1) &&
                       has_lowest(instruction->getOperand(1), is_signed, depth - 1);
            case Instruction::ZExt:
            case Instruction::SExt:
                return has_lowest(instruction->getOperand(0), llvm::isa<llvm::SExtInst>(instruction), depth - 1);
            case Instruction::Shl:
            case Instruction::Mul:
                // By a constant factor of at least 1.
                return instruction->hasNoUnsignedWrap() && instruction->hasNoSignedWrap() &&
                       llvm::isa<llvm::ConstantInt>(instruction->getOperand(1)) &&
                       !llvm::cast<llvm::ConstantInt>(instruction->getOperand(1))->isNegative() &&
                       has_lowest(instruction->getOperand(0), is_signed, depth - 1);
            default:
                return false;
        }
    }

    Value* lowest(Value* value, IRBuilder<>& builder) const {
        if (is_coordinate(value)) return llvm::ConstantInt::get(value->getType(), 0);
        if (uniformity_.is_uniform(value)) return value;
        auto* instruction = llvm::cast<Instruction>(value);
        Instruction* copy = instruction->clone();
        for (llvm::Use& operand : copy->operands()) operand.set(lowest(operand.get(), builder));
        return builder.Insert(copy, "lowest");
    }

    bool is_coordinate(const Value* value) const {
        for (const Slot slot : {Slot::ThreadX, Slot::ThreadY, Slot::ThreadZ, Slot::Linear})
            if (value == thread_[slot]) return true;
        return false;
    }

    const SlotFunction& thread_;
    const Uniformity& uniformity_;
};

}  // namespace

void walk_side_by_side(const SlotFunction& thread) {
    llvm::DominatorTree dominators(*thread.function);
    llvm::LoopInfo loops(dominators);
    const Uniformity uniformity(thread, Scope::Block);
    const Walker walker(thread, uniformity);
    std::vector<StrideLoop> found;
    for (const llvm::Loop* loop : loops)
        if (auto taken = walker.recognise(*loop)) found.push_back(*taken);
    for (const StrideLoop& loop : found) walker.rewrite(loop);
}

}  // namespace lanewise::cpu
