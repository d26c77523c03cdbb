#include "backend/cpu/spmd/steps.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "backend/cpu/spmd/skeleton.h"
#include "backend/cpu/spmd/sync.h"
#include "backend/cpu/spmd/uniformity.h"

namespace lanewise::cpu {
namespace {

using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

/// How values move from a thread to its neighbour along x.
class Neighbours {
public:
    Neighbours(const SlotFunction& thread, const Uniformity& uniformity)
        : thread_(thread), uniformity_(uniformity), layout_(thread.function->getParent()->getDataLayout()) {}

    /// Whether a load reads the same or the next element in the next thread.
    bool reads_in_order(const llvm::LoadInst& load) const {
        const auto distance = pointer_distance(load.getPointerOperand(), 8);
        return distance &&
               (*distance == 0 || *distance == static_cast<std::int64_t>(layout_.getTypeStoreSize(load.getType())));
    }

private:
    using Distance = std::optional<std::int64_t>;

    /// In bytes; nothing where it is not known.
    Distance pointer_distance(const Value* pointer, int depth) const {
        if (uniformity_.is_uniform(pointer)) return 0;
        if (depth == 0) return std::nullopt;
        if (const auto* phi = llvm::dyn_cast<PHINode>(pointer)) return advanced(*phi, depth);
        const auto* element = llvm::dyn_cast<llvm::GEPOperator>(pointer);
        if (!element) return std::nullopt;
        Distance sum = pointer_distance(element->getPointerOperand(), depth - 1);
        for (auto index = llvm::gep_type_begin(element), end = llvm::gep_type_end(element); sum && index != end;
             ++index) {
            if (index.isStruct()) continue;
            const Distance of = distance(index.getOperand(), depth - 1);
            if (!of) return std::nullopt;
            *sum += *of * index.getSequentialElementStride(layout_).getFixedValue();
        }
        return sum;
    }

    /// Of an integer.
    Distance distance(const Value* value, int depth) const {
        if (uniformity_.is_uniform(value)) return 0;
        if (value == thread_[Slot::ThreadX] || value == thread_[Slot::Linear]) return 1;
        if (value == thread_[Slot::ThreadY] || value == thread_[Slot::ThreadZ]) return 0;
        if (depth == 0) return std::nullopt;
        if (const auto* phi = llvm::dyn_cast<PHINode>(value)) return advanced(*phi, depth);
        const auto* instruction = llvm::dyn_cast<Instruction>(value);
        if (!instruction) return std::nullopt;
        const auto of = [&](unsigned operand) { return distance(instruction->getOperand(operand), depth - 1); };
        const auto* constant = instruction->getNumOperands() == 2
                                   ? llvm::dyn_cast<llvm::ConstantInt>(instruction->getOperand(1))
                                   : nullptr;
        switch (instruction->getOpcode()) {
            case Instruction::ZExt:
            case Instruction::SExt:
            case Instruction::Trunc:
                return of(0);
            case Instruction::Add: {
                const Distance a = of(0), b = of(1);
                return a && b ? Distance(*a + *b) : std::nullopt;
            }
            case Instruction::Sub: {
                const Distance a = of(0), b = of(1);
                return a && b ? Distance(*a - *b) : std::nullopt;
            }
            case Instruction::Or: {
                if (!llvm::cast<llvm::PossiblyDisjointInst>(instruction)->isDisjoint()) return std::nullopt;
                const Distance a = of(0), b = of(1);
                return a && b ? Distance(*a + *b) : std::nullopt;
            }
            case Instruction::Mul: {
                const Distance a = of(0), b = of(1);
                if (a == 0 && b == 0) return 0;
                return a && constant && constant->getBitWidth() <= 64 ? Distance(*a * constant->getSExtValue())
                                                                      : std::nullopt;
            }
            case Instruction::Shl: {
                const Distance a = of(0);
                return a && constant && constant->getValue().ult(32) ? Distance(*a << constant->getZExtValue())
                                                                     : std::nullopt;
            }
            default:
                return std::nullopt;
        }
    }

    /// Of a loop's counter: where all threads advance it alike, its start decides.
    Distance advanced(const PHINode& phi, int depth) const {
        if (phi.getNumIncomingValues() != 2) return std::nullopt;
        for (unsigned start = 0; start < 2; ++start) {
            const Value* next = phi.getIncomingValue(1 - start);
            const auto* step = llvm::dyn_cast<Instruction>(next);
            if (!step) continue;
            const bool integer = step->getOpcode() == Instruction::Add && step->getOperand(0) == &phi;
            const auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(step);
            const bool pointer = element && element->getPointerOperand() == &phi && element->getNumIndices() == 1;
            if ((integer || pointer) && uniformity_.is_uniform(step->getOperand(1))) {
                return pointer ? pointer_distance(phi.getIncomingValue(start), depth - 1)
                               : distance(phi.getIncomingValue(start), depth - 1);
            }
        }
        return std::nullopt;
    }

    const SlotFunction& thread_;
    const Uniformity& uniformity_;
    const llvm::DataLayout& layout_;
};

/// Carried from round to round by a chain that must keep its order.
bool is_chain(const PHINode& phi, const Uniformity& uniformity) {
    return phi.getType()->isFPOrFPVectorTy() && !uniformity.is_uniform(&phi);
}

bool is_candidate(const llvm::Loop& loop, const Uniformity& uniformity, const Neighbours& neighbours) {
    const llvm::BasicBlock* exiting = loop.getExitingBlock();
    const llvm::BasicBlock* latch = loop.getLoopLatch();
    if (!loop.isInnermost() || !latch || !exiting || loop.getNumBlocks() > 2 ||
        uniformity.has_divergent_branch(exiting))
        return false;
    if (llvm::none_of(loop.getHeader()->phis(), [&](const PHINode& phi) { return is_chain(phi, uniformity); }))
        return false;
    for (const llvm::BasicBlock* block : loop.blocks()) {
        for (const Instruction& instruction : *block) {
            if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
                if (!load->isSimple() || !neighbours.reads_in_order(*load)) return false;
            } else if (instruction.mayReadOrWriteMemory() || instruction.mayHaveSideEffects() ||
                       sync_kind(instruction) != SyncKind::None) {
                return false;
            }
        }
    }
    return true;
}

/// Whether the threads of the block that have not ended pass all meetings together.
bool keeps_together(const SlotFunction& thread) {
    llvm::ValueToValueMapTy map;
    const SlotFunction copy = {llvm::CloneFunction(thread.function, map), thread.own};
    isolate_meetings(*copy.function, is_block_sync);
    const bool together = find_skeleton(*copy.function, is_block_sync, Uniformity(copy, Scope::Block)).has_value();
    copy.function->eraseFromParent();
    return together;
}

}  // namespace

void walk_in_step(const SlotFunction& thread) {
    llvm::DominatorTree dominators(*thread.function);
    llvm::LoopInfo loops(dominators);
    const Uniformity uniformity(thread, Scope::Block);
    const Neighbours neighbours(thread, uniformity);
    llvm::Function* meet =
        llvm::Intrinsic::getDeclaration(thread.function->getParent(), llvm::Intrinsic::nvvm_barrier0);
    for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
        if (!is_candidate(*loop, uniformity, neighbours)) continue;
        auto* meeting = llvm::CallInst::Create(meet, "", loop->getLoopLatch()->getTerminator()->getIterator());
        if (!keeps_together(thread)) meeting->eraseFromParent();
    }
}

}  // namespace lanewise::cpu
