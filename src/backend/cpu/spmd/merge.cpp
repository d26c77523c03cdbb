#include "backend/cpu/spmd/merge.h"

#include <llvm/IR/PatternMatch.h>

#include "backend/cpu/spmd/services.h"
#include "backend/cpu/spmd/sync.h"

namespace lanewise::cpu {
namespace {

using llvm::Value;

/// What `value` extends to a wider type; a product only if it cannot wrap in the narrow one, where blocks would differ.
const Value* without_extensions(const Value* value) {
    while (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(value)) {
        const Value* narrow = llvm::cast<llvm::CastInst>(value)->getOperand(0);
        const auto* product = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(narrow);
        if (product &&
            !(llvm::isa<llvm::ZExtInst>(value) ? product->hasNoUnsignedWrap() : product->hasNoSignedWrap())) {
            return value;
        }
        value = narrow;
    }
    return value;
}

class Checker {
public:
    explicit Checker(const SlotFunction& thread) : thread_(thread) {}

    bool run() const {
        for (const llvm::Instruction& instruction : llvm::instructions(thread_.function)) {
            const SyncKind kind = sync_kind(instruction);
            if (kind != SyncKind::None && kind != SyncKind::Barrier) return false;
        }
        return all_uses(thread_[Slot::ThreadX], [&](const Value* user) { return is_global_index(user); }) &&
               all_uses(thread_[Slot::BlockX], [&](const Value* user) {
                   return is_block_start(user) &&
                          all_uses(user, [&](const Value* sum) { return is_global_index(sum); });
               });
    }

private:
    /// Whether `accepts` holds for every user of `value`, seen through extensions; reports of errors tell blocks apart
    /// again.
    static bool all_uses(const Value* value, llvm::function_ref<bool(const Value*)> accepts) {
        return llvm::all_of(value->users(), [&](const llvm::User* user) {
            if (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(user)) return all_uses(user, accepts);
            return is_error_report(*user) || accepts(user);
        });
    }

    /// block.x * block_dim.x
    bool is_block_start(const Value* value) const {
        using namespace llvm::PatternMatch;
        Value *a, *b;
        if (!match(value, m_Mul(m_Value(a), m_Value(b)))) return false;
        const Value* x = without_extensions(a);
        const Value* y = without_extensions(b);
        return (x == thread_[Slot::BlockX] && y == thread_[Slot::BlockDimX]) ||
               (y == thread_[Slot::BlockX] && x == thread_[Slot::BlockDimX]);
    }

    bool is_global_index(const Value* value) const {
        using namespace llvm::PatternMatch;
        Value *a, *b;
        if (!match(value, m_Add(m_Value(a), m_Value(b)))) return false;
        const Value* x = without_extensions(a);
        const Value* y = without_extensions(b);
        return (x == thread_[Slot::ThreadX] && is_block_start(y)) || (y == thread_[Slot::ThreadX] && is_block_start(x));
    }

    const SlotFunction& thread_;
};

}  // namespace

bool can_merge_blocks(const SlotFunction& thread, const SharedLayout& shared) {
    return shared.offsets.empty() && thread[Slot::Shared]->use_empty() && thread[Slot::Linear]->use_empty() &&
           !thread[Slot::ThreadX]->use_empty() && Checker(thread).run();
}

}  // namespace lanewise::cpu
