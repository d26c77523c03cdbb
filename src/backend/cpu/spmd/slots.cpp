#include "backend/cpu/spmd/slots.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Transforms/Utils/Local.h>

#include "lanewise/error.h"

namespace lanewise::cpu {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// Instructions a recomputation may take; beyond that, a slot's store and load are cheaper.
constexpr unsigned recompute_limit = 8;

class Demoter {
public:
    Demoter(llvm::Function& thread, llvm::ArrayRef<BasicBlock*> boundaries, const Uniformity& uniformity)
        : thread_(thread), boundaries_(boundaries.begin(), boundaries.end()), uniformity_(uniformity) {}

    std::vector<CrossSlot> run() {
        recompute_cheap_values();
        llvm::SmallVector<Instruction*> cross = cross_values();
        std::vector<CrossSlot> slots;
        for (Instruction* value : cross) {
            CrossSlot slot;
            slot.uniform = uniformity_.is_uniform(value);
            slot.variable = llvm::DemoteRegToStack(*value, false, thread_.getEntryBlock().begin());
            slots.push_back(slot);
        }
        return slots;
    }

private:
    llvm::SmallVector<Instruction*> cross_values() {
        llvm::SmallVector<Instruction*> cross;
        for (BasicBlock& block : thread_) {
            for (Instruction& instruction : block) {
                if (!llvm::isa<llvm::AllocaInst>(instruction) && crosses(instruction)) cross.push_back(&instruction);
            }
        }
        return cross;
    }

    /// Walks back from the uses to the definition; the value is live into every block on the way.
    bool crosses(const Instruction& value) {
        const BasicBlock* home = value.getParent();
        llvm::SmallPtrSet<const BasicBlock*, 16> live_into;
        llvm::SmallVector<const BasicBlock*> work;
        for (const llvm::Use& use : value.uses()) {
            const auto* user = llvm::cast<Instruction>(use.getUser());
            const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
            const BasicBlock* block = phi ? phi->getIncomingBlock(use) : user->getParent();
            if (block != home && live_into.insert(block).second) work.push_back(block);
        }
        while (!work.empty()) {
            const BasicBlock* block = work.pop_back_val();
            if (boundaries_.contains(block)) return true;
            for (const BasicBlock* before : llvm::predecessors(block)) {
                if (before != home && live_into.insert(before).second) work.push_back(before);
            }
        }
        return false;
    }

    void recompute_cheap_values() {
        bool changed = true;
        while (changed) {
            changed = false;
            for (Instruction* value : cross_values()) {
                if (!can_recompute(value)) continue;
                recompute(*value);
                changed = true;
            }
        }
    }

    /// Whether a tree of at most recompute_limit operations makes `root` from arguments, constants and uniform values.
    bool can_recompute(Instruction* root) {
        if (!is_cheap(*root)) return false;
        unsigned count = 0;
        llvm::SmallVector<const Instruction*> work = {root};
        while (!work.empty()) {
            const Instruction* next = work.pop_back_val();
            if (++count > recompute_limit) return false;
            for (const Value* operand : next->operand_values()) {
                const auto* instruction = llvm::dyn_cast<Instruction>(operand);
                if (!instruction || llvm::isa<llvm::AllocaInst>(instruction)) continue;
                if (is_cheap(*instruction))
                    work.push_back(instruction);
                else if (!uniformity_.is_uniform(instruction))
                    return false;
            }
        }
        return true;
    }

    static bool is_cheap(const Instruction& instruction) {
        if (!llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst, llvm::CmpInst, llvm::SelectInst,
                       llvm::FreezeInst>(instruction)) {
            return false;
        }
        switch (instruction.getOpcode()) {
            case Instruction::UDiv:
            case Instruction::SDiv:
            case Instruction::URem:
            case Instruction::SRem:
            case Instruction::FDiv:
            case Instruction::FRem:
                return false;
            default:
                return llvm::isSafeToSpeculativelyExecute(&instruction);
        }
    }

    /// Every use outside the value's block gets a copy of the tree, one for each block of uses.
    void recompute(Instruction& root) {
        const BasicBlock* home = root.getParent();
        llvm::SmallVector<llvm::Use*> uses;
        for (llvm::Use& use : root.uses()) {
            const auto* user = llvm::cast<Instruction>(use.getUser());
            if (llvm::isa<llvm::PHINode>(user) || user->getParent() != home) uses.push_back(&use);
        }
        llvm::DenseMap<BasicBlock*, Value*> at_end;
        for (llvm::Use* use : uses) {
            auto* user = llvm::cast<Instruction>(use->getUser());
            auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
            if (!phi) {
                use->set(copy_tree(&root, user));
                continue;
            }
            // All edges of a phi from one block must bring the same value.
            BasicBlock* block = phi->getIncomingBlock(*use);
            if (block == home) continue;
            Value*& copy = at_end[block];
            if (!copy) copy = copy_tree(&root, block->getTerminator());
            use->set(copy);
        }
        llvm::RecursivelyDeleteTriviallyDeadInstructions(&root);
    }

    Value* copy_tree(Instruction* value, Instruction* before) {
        if (!is_cheap(*value)) return value;
        Instruction* copy = value->clone();
        copy->insertBefore(before->getIterator());
        copy->setName(value->getName());
        for (llvm::Use& operand : copy->operands()) {
            if (auto* instruction = llvm::dyn_cast<Instruction>(operand.get()))
                operand.set(copy_tree(instruction, copy));
        }
        return copy;
    }

    llvm::Function& thread_;
    llvm::SmallPtrSet<const BasicBlock*, 16> boundaries_;
    const Uniformity& uniformity_;
};

}  // namespace

std::vector<CrossSlot> demote_cross_values(llvm::Function& thread, llvm::ArrayRef<BasicBlock*> boundaries,
                                           const Uniformity& uniformity) {
    return Demoter(thread, boundaries, uniformity).run();
}

llvm::Type* padded_array_type(const llvm::AllocaInst& variable) {
    const llvm::DataLayout& layout = variable.getModule()->getDataLayout();
    const std::uint64_t size = variable.getAllocationSize(layout)->getFixedValue();
    return llvm::ArrayType::get(llvm::Type::getInt8Ty(variable.getContext()), llvm::alignTo(size, variable.getAlign()));
}

void require_fixed_allocations(const llvm::Function& thread) {
    for (const Instruction& instruction : llvm::instructions(thread)) {
        const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        if (!variable || variable->isStaticAlloca()) continue;
        throw Error(
            ErrorKind::Lowering,
            "kernel '" + shown_name(thread) +
                "' allocates stack memory of variable size and has barriers or warp operations; on the cpu device "
                "local arrays of such kernels need a constant size");
    }
}

SlotLiveness::SlotLiveness(llvm::Function& thread, llvm::ArrayRef<CrossSlot> slots) {
    for (const CrossSlot& slot : slots) {
        if (slot.scalar) numbers_[slot.variable] = static_cast<unsigned>(numbers_.size());
    }
    const auto count = static_cast<unsigned>(numbers_.size());
    struct Effects {
        llvm::BitVector read_first, written;
    };
    llvm::DenseMap<const BasicBlock*, Effects> effects;
    for (const BasicBlock& block : thread) {
        Effects& of = effects[&block];
        of.read_first.resize(count);
        of.written.resize(count);
        live_in_[&block].resize(count);
        for (const Instruction& instruction : block) {
            const auto* variable =
                llvm::dyn_cast_or_null<llvm::AllocaInst>(llvm::getLoadStorePointerOperand(&instruction));
            const auto number = numbers_.find(variable);
            if (number == numbers_.end()) continue;
            if (llvm::isa<llvm::StoreInst>(instruction))
                of.written.set(number->second);
            else if (!of.written.test(number->second))
                of.read_first.set(number->second);
        }
    }
    bool changed = true;
    while (changed) {
        changed = false;
        for (const BasicBlock* block : llvm::post_order(&thread)) {
            llvm::BitVector live(count);
            for (const BasicBlock* next : llvm::successors(block)) live |= live_in_[next];
            live.reset(effects[block].written);
            live |= effects[block].read_first;
            if (live != live_in_[block]) {
                live_in_[block] = std::move(live);
                changed = true;
            }
        }
    }
}

bool SlotLiveness::is_live_into(const BasicBlock* block, const llvm::AllocaInst* variable) const {
    return live_in_.find(block)->second.test(numbers_.find(variable)->second);
}

}  // namespace lanewise::cpu
