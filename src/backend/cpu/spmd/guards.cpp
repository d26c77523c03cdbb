#include "backend/cpu/spmd/guards.h"

#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

namespace lanewise::cpu {
namespace {

using llvm::BasicBlock;
using llvm::CmpInst;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

constexpr unsigned depth_limit = 16;

/// Whether a thread that gets to the start of `block` just ends.
bool does_nothing(const BasicBlock* block) {
    for (unsigned steps = 0; steps < depth_limit; ++steps) {
        const Instruction& first = block->front();
        if (llvm::isa<llvm::ReturnInst>(first)) return true;
        const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&first);
        if (!branch || branch->isConditional()) return false;
        block = branch->getSuccessor(0);
    }
    return false;
}

/// A counter's predicate that a range of steps satisfies.
bool bounds_a_range(CmpInst::Predicate predicate) {
    switch (predicate) {
        case CmpInst::ICMP_EQ:
        case CmpInst::ICMP_SLT:
        case CmpInst::ICMP_SLE:
        case CmpInst::ICMP_SGT:
        case CmpInst::ICMP_SGE:
        case CmpInst::ICMP_ULT:
        case CmpInst::ICMP_ULE:
        case CmpInst::ICMP_UGT:
        case CmpInst::ICMP_UGE:
            return true;
        default:
            return false;
    }
}

void split_conjunction(Value* condition, llvm::SmallVectorImpl<Value*>& parts) {
    using namespace llvm::PatternMatch;
    Value *a, *b;
    if (match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))) {
        split_conjunction(a, parts);
        split_conjunction(b, parts);
    } else {
        parts.push_back(condition);
    }
}

/// The values of `region`'s code as they are for step 0, computed outside it.
class AtZero {
public:
    AtZero(IRBuilder<>& builder, llvm::ArrayRef<Value*> arguments) : builder_(builder), arguments_(arguments) {}

    Value* operator()(Value* value) {
        if (auto* argument = llvm::dyn_cast<llvm::Argument>(value)) return arguments_[argument->getArgNo()];
        auto* instruction = llvm::dyn_cast<Instruction>(value);
        if (!instruction) return value;
        Value*& copy = copies_[instruction];
        if (copy) return copy;
        Instruction* clone = instruction->clone();
        for (llvm::Use& operand : clone->operands()) operand.set((*this)(operand.get()));
        builder_.Insert(clone, instruction->getName());
        return copies_[instruction] = clone;
    }

private:
    IRBuilder<>& builder_;
    llvm::ArrayRef<Value*> arguments_;
    llvm::DenseMap<const Instruction*, Value*> copies_;
};

}  // namespace

Guards::Guards(llvm::Function& region, llvm::ArrayRef<llvm::Argument*> indices)
    : region_(region), indices_(indices.begin(), indices.end()) {
    while (take_leading_guard()) {
    }
}

bool Guards::take_leading_guard() {
    BasicBlock& entry = region_.getEntryBlock();
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(entry.getTerminator());
    if (!branch) return false;
    if (branch->isUnconditional()) {
        BasicBlock* next = branch->getSuccessor(0);
        return next->getSinglePredecessor() && !llvm::isa<llvm::PHINode>(next->front()) &&
               llvm::MergeBlockIntoPredecessor(next);
    }
    // What precedes the guard is not run any more for threads that fail it.
    for (const Instruction& instruction : entry) {
        if (instruction.mayHaveSideEffects()) return false;
    }
    const bool passes_if_true = does_nothing(branch->getSuccessor(1));
    if (!passes_if_true && !does_nothing(branch->getSuccessor(0))) return false;
    BasicBlock* inside = branch->getSuccessor(passes_if_true ? 0 : 1);
    if (does_nothing(inside)) return false;

    llvm::SmallVector<Value*> parts, rest;
    Value* condition = branch->getCondition();
    if (passes_if_true) {
        split_conjunction(condition, parts);
    } else if (auto* compare = llvm::dyn_cast<CmpInst>(condition); compare && compare->hasOneUse()) {
        compare->setPredicate(compare->getInversePredicate());
        branch->swapSuccessors();
        parts.push_back(compare);
    } else {
        return false;
    }
    for (Value* part : parts) {
        if (const auto guard = as_guard(part))
            guards_.push_back(*guard);
        else
            rest.push_back(part);
    }
    if (rest.size() == parts.size()) return false;
    IRBuilder<> builder(branch);
    if (!rest.empty()) {
        branch->setCondition(builder.CreateAnd(rest));
        return false;
    }
    branch->getSuccessor(1)->removePredecessor(&entry);
    builder.CreateBr(inside);
    branch->eraseFromParent();
    return true;
}

std::optional<Guards::Guard> Guards::as_guard(Value* condition) {
    if (is_invariant(condition)) return Guard{nullptr, condition, {}};
    auto* compare = llvm::dyn_cast<llvm::ICmpInst>(condition);
    if (!compare) return std::nullopt;
    Value* counter = compare->getOperand(0);
    Value* bound = compare->getOperand(1);
    CmpInst::Predicate predicate = compare->getPredicate();
    if (is_invariant(counter)) {
        std::swap(counter, bound);
        predicate = CmpInst::getSwappedPredicate(predicate);
    }
    // A counter without sign that is not 0 is above it.
    const auto* constant = llvm::dyn_cast<llvm::Constant>(bound);
    if (predicate == CmpInst::ICMP_NE && constant && constant->isNullValue()) predicate = CmpInst::ICMP_UGT;
    if (!bounds_a_range(predicate) || !is_invariant(bound)) return std::nullopt;
    const bool is_signed = CmpInst::isSigned(predicate);
    if (!is_counter(counter, is_signed) && !(predicate == CmpInst::ICMP_EQ && is_counter(counter, true))) {
        return std::nullopt;
    }
    return Guard{counter, bound, predicate};
}

bool Guards::is_invariant(const Value* value, unsigned depth) const {
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value)) return !indices_.contains(argument);
    const auto* instruction = llvm::dyn_cast<Instruction>(value);
    if (!instruction) return true;
    if (depth > depth_limit || llvm::isa<llvm::PHINode, llvm::AllocaInst, llvm::CallBase>(instruction)) return false;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction); load && !load->isSimple()) return false;
    return llvm::all_of(instruction->operand_values(),
                        [&](const Value* operand) { return is_invariant(operand, depth + 1); });
}

/// Whether each step adds exactly 1, without wrapping in the signedness of the comparison.
bool Guards::is_counter(const Value* value, bool is_signed) const {
    using namespace llvm::PatternMatch;
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value)) return indices_.contains(argument);
    Value *a, *b;
    if (match(value, m_ZExt(m_Value(a)))) return is_counter(a, false);
    if (match(value, m_SExt(m_Value(a)))) return is_counter(a, true);
    const bool adds =
        is_signed ? match(value, m_NSWAdd(m_Value(a), m_Value(b))) : match(value, m_NUWAdd(m_Value(a), m_Value(b)));
    if (adds) return (is_counter(a, is_signed) && is_invariant(b)) || (is_counter(b, is_signed) && is_invariant(a));
    const bool subtracts =
        is_signed ? match(value, m_NSWSub(m_Value(a), m_Value(b))) : match(value, m_NUWSub(m_Value(a), m_Value(b)));
    return subtracts && is_counter(a, is_signed) && is_invariant(b);
}

std::pair<Value*, Value*> Guards::bounds(IRBuilder<>& builder, llvm::ArrayRef<Value*> at_zero, Value* count) const {
    AtZero outside(builder, at_zero);
    llvm::Type* i32 = builder.getInt32Ty();
    Value* low = builder.getInt32(0);
    Value* high = count;
    for (const Guard& guard : guards_) {
        Value* bound = outside(guard.bound);
        if (!guard.counter) {
            high = builder.CreateSelect(bound, high, builder.getInt32(0));
            continue;
        }
        // The counter is base + step; steps are below 2^31, so distances clamp to that.
        Value* base = outside(guard.counter);
        const bool is_signed = CmpInst::isSigned(guard.predicate) || guard.predicate == CmpInst::ICMP_EQ;
        llvm::Type* type = base->getType();
        if (type->getIntegerBitWidth() < 64) {
            type = builder.getInt64Ty();
            base = builder.CreateIntCast(base, type, is_signed);
            bound = builder.CreateIntCast(bound, type, is_signed);
        }
        Value* zero = llvm::ConstantInt::get(type, 0);
        const auto clamp = [&](Value* distance) {
            Value* limit = builder.CreateZExt(count, type);
            if (is_signed) distance = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, distance, zero);
            distance = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, distance, limit);
            return builder.CreateTrunc(distance, i32);
        };
        const auto saturating = [&](llvm::Intrinsic::ID with_sign, llvm::Intrinsic::ID without, Value* a, Value* b) {
            return builder.CreateBinaryIntrinsic(is_signed ? with_sign : without, a, b);
        };
        Value* distance = saturating(llvm::Intrinsic::ssub_sat, llvm::Intrinsic::usub_sat, bound, base);
        // Without sign, a distance of 0 may hide that the bound lies below the base.
        const auto after = [&] {
            Value* next = saturating(llvm::Intrinsic::sadd_sat, llvm::Intrinsic::uadd_sat, distance,
                                     llvm::ConstantInt::get(type, 1));
            return is_signed ? next : builder.CreateSelect(builder.CreateICmpULT(bound, base), zero, next);
        };
        const auto lower = [&](Value* value) {
            high = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, high, value);
        };
        const auto raise = [&](Value* value) {
            low = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umax, low, value);
        };
        switch (guard.predicate) {
            case CmpInst::ICMP_SLT:
            case CmpInst::ICMP_ULT:
                lower(clamp(distance));
                break;
            case CmpInst::ICMP_SLE:
            case CmpInst::ICMP_ULE:
                lower(clamp(after()));
                break;
            case CmpInst::ICMP_SGE:
            case CmpInst::ICMP_UGE:
                raise(clamp(distance));
                break;
            case CmpInst::ICMP_SGT:
            case CmpInst::ICMP_UGT:
                raise(clamp(after()));
                break;
            default:
                // Equal: the one step at that distance, if it is neither negative nor beyond the end.
                raise(clamp(distance));
                lower(clamp(after()));
                break;
        }
    }
    high = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umax, low, high);
    return {low, high};
}

}  // namespace lanewise::cpu
