#include "backend/cpu/spmd/uniformity.h"

#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/PatternMatch.h>

#include "backend/cpu/abi.h"
#include "backend/cpu/spmd/sync.h"
#include "backend/cpu/target/flatten.h"

namespace lanewise::cpu {
namespace {

using llvm::Value;

constexpr llvm::StringLiteral uniform_mark = "lanewise.uniform";

bool is_multiple_of_warp(const Value* value, const SlotFunction& thread);

/// Whether lanes 0 to 31 of an aligned warp have the values m, m + 1, ..., m + 31 with m a multiple of 32.
bool counts_lanes(const Value* value, const SlotFunction& thread) {
    using namespace llvm::PatternMatch;
    if (value == thread[Slot::ThreadX] || value == thread[Slot::Linear]) return true;
    Value *a, *b;
    if (match(value, m_ZExtOrSExt(m_Value(a))) || match(value, m_Trunc(m_Value(a)))) return counts_lanes(a, thread);
    if (match(value, m_Add(m_Value(a), m_Value(b))) || match(value, m_DisjointOr(m_Value(a), m_Value(b)))) {
        return (counts_lanes(a, thread) && is_multiple_of_warp(b, thread)) ||
               (counts_lanes(b, thread) && is_multiple_of_warp(a, thread));
    }
    return false;
}

/// Whether `value` is the same for all lanes of an aligned warp and a multiple of 32.
bool is_multiple_of_warp(const Value* value, const SlotFunction& thread) {
    using namespace llvm::PatternMatch;
    if (value == thread[Slot::BlockDimX]) return true;
    Value *a, *b;
    const llvm::APInt* c;
    if (match(value, m_APInt(c))) return c->countr_zero() >= 5;
    if (match(value, m_ZExtOrSExt(m_Value(a))) || match(value, m_Trunc(m_Value(a))))
        return is_multiple_of_warp(a, thread);
    // The other factor must be uniform; slots of the block are, and so is what is made of them.
    const auto is_block_value = [&](const Value* factor) {
        while (match(factor, m_ZExtOrSExt(m_Value(a)))) factor = a;
        const auto* argument = llvm::dyn_cast<llvm::Argument>(factor);
        return llvm::isa<llvm::Constant>(factor) || (argument && (argument->getArgNo() < thread.own + block_slots ||
                                                                  argument->getArgNo() >= thread.own + thread_slots));
    };
    if (match(value, m_Mul(m_Value(a), m_Value(b)))) {
        return (is_multiple_of_warp(a, thread) && is_block_value(b)) ||
               (is_multiple_of_warp(b, thread) && is_block_value(a));
    }
    if (match(value, m_Shl(m_Value(a), m_APInt(c)))) return c->uge(5) && is_block_value(a);
    if (match(value, m_Add(m_Value(a), m_Value(b))) || match(value, m_Sub(m_Value(a), m_Value(b)))) {
        return is_multiple_of_warp(a, thread) && is_multiple_of_warp(b, thread);
    }
    return false;
}

/// Operations on lane-counting values that cannot tell the lanes of a warp apart: the warp's number, and comparisons
/// with multiples of the warp size.
bool merges_lanes(const Value* value, const SlotFunction& thread) {
    using namespace llvm::PatternMatch;
    Value *a, *b;
    const llvm::APInt* c;
    if (match(value, m_Shr(m_Value(a), m_APInt(c)))) return c->uge(5) && counts_lanes(a, thread);
    if (match(value, m_UDiv(m_Value(a), m_APInt(c)))) return c->countr_zero() >= 5 && counts_lanes(a, thread);
    if (match(value, m_And(m_Value(a), m_APInt(c)))) return c->countr_zero() >= 5 && counts_lanes(a, thread);
    llvm::CmpInst::Predicate predicate;
    if (!match(value, m_ICmp(predicate, m_Value(a), m_Value(b)))) return false;
    if (!counts_lanes(a, thread)) {
        std::swap(a, b);
        predicate = llvm::CmpInst::getSwappedPredicate(predicate);
    }
    if (!counts_lanes(a, thread)) return false;
    switch (predicate) {
        case llvm::CmpInst::ICMP_ULT:
        case llvm::CmpInst::ICMP_UGE:
        case llvm::CmpInst::ICMP_SLT:
        case llvm::CmpInst::ICMP_SGE:
            return is_multiple_of_warp(b, thread);
        case llvm::CmpInst::ICMP_ULE:
        case llvm::CmpInst::ICMP_UGT:
        case llvm::CmpInst::ICMP_SLE:
        case llvm::CmpInst::ICMP_SGT:
            return match(b, m_APInt(c)) && (*c + 1).countr_zero() >= 5;
        default:
            return false;
    }
}

/// Whether all lanes that take part in the operation get the same result, given that they name the same lanes.
bool has_common_result(const llvm::CallInst& call, SyncKind kind) {
    const auto is_common_mask = [](const Value* mask) {
        const auto* source = llvm::dyn_cast<llvm::CallInst>(mask);
        return llvm::isa<llvm::Constant>(mask) || (source && has_common_result(*source, sync_kind(*source)));
    };
    switch (kind) {
        case SyncKind::VoteAll:
        case SyncKind::VoteAny:
        case SyncKind::VoteEqual:
        case SyncKind::Ballot:
        case SyncKind::MatchAll:
        case SyncKind::ActiveMask:
            return is_common_mask(sync_operands(call, kind).mask);
        default:
            return is_reduction(kind) && is_common_mask(sync_operands(call, kind).mask);
    }
}

/// The object a pointer is based on. Where shared memory is also addressed by number, all of it is one object.
const Value* object_of(const Value* pointer, const Value* shared) {
    const Value* object = llvm::getUnderlyingObject(pointer, 0);
    const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object);
    return global && is_shared(*global) && !shared->use_empty() ? shared : object;
}

/// Plain loads that may see a store of their own barrier-free interval, through the same object.
llvm::DenseSet<const llvm::LoadInst*> unstable_loads(llvm::Function& function, const Value* shared) {
    llvm::DenseMap<const Value*, llvm::SmallVector<const llvm::Instruction*, 4>> writes;
    llvm::SmallVector<const llvm::LoadInst*> loads;
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
        if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) loads.push_back(load);
        const Value* pointer = nullptr;
        if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
            pointer = store->getPointerOperand();
        else if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
            pointer = update->getPointerOperand();
        else if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
            pointer = exchange->getPointerOperand();
        } else if (const auto* copy = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
            pointer = copy->getRawDest();
        if (pointer) writes[object_of(pointer, shared)].push_back(&instruction);
    }
    if (writes.empty()) return {};

    // Blocks reachable from the end of a block without meeting a barrier.
    const auto has_barrier = [](const llvm::BasicBlock* block) {
        return llvm::any_of(*block, [](const llvm::Instruction& i) { return is_block_sync(sync_kind(i)); });
    };
    llvm::DenseMap<const llvm::BasicBlock*, llvm::SmallPtrSet<const llvm::BasicBlock*, 16>> reachable;
    const auto reach = [&](const llvm::BasicBlock* from) -> llvm::SmallPtrSet<const llvm::BasicBlock*, 16>& {
        auto [entry, fresh] = reachable.try_emplace(from);
        if (!fresh) return entry->second;
        llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
        llvm::SmallVector<const llvm::BasicBlock*> work(llvm::successors(from));
        while (!work.empty()) {
            const llvm::BasicBlock* block = work.pop_back_val();
            if (!seen.insert(block).second || has_barrier(block)) continue;
            work.append(llvm::succ_begin(block), llvm::succ_end(block));
        }
        return reachable[from] = std::move(seen);
    };
    llvm::DenseSet<const llvm::LoadInst*> unstable;
    for (const llvm::LoadInst* load : loads) {
        const auto found = writes.find(object_of(load->getPointerOperand(), shared));
        if (found == writes.end()) continue;
        const llvm::BasicBlock* home = load->getParent();
        for (const llvm::Instruction* write : found->second) {
            const llvm::BasicBlock* other = write->getParent();
            // Synchronising calls stand alone in their blocks, so two instructions of one block share an interval.
            if (other == home || reach(home).contains(other) || reach(other).contains(home)) {
                unstable.insert(load);
                break;
            }
        }
    }
    return unstable;
}

/// Feeds LLVM's uniformity analysis, which takes its facts from a TargetTransformInfo.
class Facts : public llvm::TargetTransformInfoImplCRTPBase<Facts> {
public:
    Facts(const llvm::DataLayout& layout, const SlotFunction& thread, Scope scope,
          const llvm::DenseSet<const llvm::LoadInst*>& unstable)
        : TargetTransformInfoImplCRTPBase(layout), thread_(thread), scope_(scope), unstable_(unstable) {}

    bool hasBranchDivergence(const llvm::Function*) const { return true; }

    bool isSourceOfDivergence(const Value* value) const {
        if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value)) return is_varying_argument(*argument);
        if (llvm::isa<llvm::AllocaInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(value)) return true;
        if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value))
            return !load->isSimple() || unstable_.contains(load);
        const auto* call = llvm::dyn_cast<llvm::CallInst>(value);
        return call &&
               (sync_kind(*call) != SyncKind::None || call->mayReadOrWriteMemory() || !call->getCalledFunction());
    }

    bool isAlwaysUniform(const Value* value) const {
        if (scope_ == Scope::AlignedWarp && merges_lanes(value, thread_)) return true;
        const auto* call = llvm::dyn_cast<llvm::CallInst>(value);
        if (!call) return false;
        const SyncKind kind = sync_kind(*call);
        return is_block_sync(kind) ||
               (scope_ != Scope::Block && kind != SyncKind::None && has_common_result(*call, kind));
    }

private:
    bool is_varying_argument(const llvm::Argument& argument) const {
        const unsigned first = thread_.own + block_slots;
        if (argument.getArgNo() < first || argument.getArgNo() >= thread_.own + thread_slots) return false;
        const auto slot = static_cast<Slot>(argument.getArgNo() - thread_.own);
        return scope_ != Scope::AlignedWarp || (slot != Slot::ThreadY && slot != Slot::ThreadZ);
    }

    SlotFunction thread_;
    Scope scope_;
    const llvm::DenseSet<const llvm::LoadInst*>& unstable_;
};

}  // namespace

Uniformity::Uniformity(const SlotFunction& thread, Scope scope) {
    llvm::Function& function = *thread.function;
    const llvm::DenseSet<const llvm::LoadInst*> unstable = unstable_loads(function, thread[Slot::Shared]);
    llvm::FunctionAnalysisManager manager;
    manager.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
    manager.registerPass([] { return llvm::DominatorTreeAnalysis(); });
    manager.registerPass([] { return llvm::CycleAnalysis(); });
    manager.registerPass([] { return llvm::UniformityInfoAnalysis(); });
    manager.registerPass([&] {
        return llvm::TargetIRAnalysis([&](const llvm::Function& of) {
            return llvm::TargetTransformInfo(Facts(of.getParent()->getDataLayout(), thread, scope, unstable));
        });
    });
    llvm::UniformityInfo& analysis = manager.getResult<llvm::UniformityInfoAnalysis>(function);

    for (const llvm::Argument& argument : function.args()) {
        if (analysis.isDivergent(&argument)) divergent_arguments_.insert(&argument);
    }
    llvm::MDNode* mark = llvm::MDNode::get(function.getContext(), {});
    for (llvm::BasicBlock& block : function) {
        if (analysis.hasDivergentTerminator(block)) divergent_blocks_.insert(&block);
        for (llvm::Instruction& instruction : block) {
            const Value& value = instruction;
            const bool used_divergently =
                llvm::any_of(value.uses(), [&](const llvm::Use& use) { return analysis.isDivergentUse(use); });
            const bool divergent = analysis.isDivergent(&value) || used_divergently;
            instruction.setMetadata(uniform_mark, divergent ? nullptr : mark);
        }
    }
}

bool Uniformity::is_uniform(const Value* value) const {
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value)) return !divergent_arguments_.contains(argument);
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return !instruction || instruction->getMetadata(uniform_mark);
}

}  // namespace lanewise::cpu
