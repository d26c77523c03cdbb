#include "backend/cpu/spmd/indices.h"

#include <llvm/IR/PatternMatch.h>

#include "backend/cpu/abi.h"
#include "backend/cpu/spmd/services.h"

namespace lanewise::cpu {
namespace {

using llvm::IRBuilder;
using llvm::Value;

class Marker {
public:
    explicit Marker(const SlotFunction& thread) : thread_(thread) {}

    IndexAssumptions run() {
        for (unsigned axis = 0; axis < 3; ++axis) {
            for (llvm::User* user : slot(Slot::BlockX, axis)->users()) mark_start(user, axis);
            for (llvm::User* user : slot(Slot::GridDimX, axis)->users()) {
                if (is_product(user, slot(Slot::GridDimX, axis), slot(Slot::BlockDimX, axis))) {
                    mark(user);
                    assumptions_.axes[axis].threads = true;
                }
            }
        }
        return assumptions_;
    }

private:
    llvm::Argument* slot(Slot first, unsigned axis) const {
        return thread_[static_cast<Slot>(static_cast<unsigned>(first) + axis)];
    }

    static bool is_product(const Value* value, const Value* a, const Value* b) {
        using namespace llvm::PatternMatch;
        return match(value, m_c_Mul(m_Specific(a), m_Specific(b)));
    }

    static void mark(Value* value) {
        auto* operation = llvm::cast<llvm::Instruction>(value);
        operation->setHasNoSignedWrap(true);
        operation->setHasNoUnsignedWrap(true);
    }

    /// block * block_dim, or by a constant; then the sum with a number of a thread in its block.
    void mark_start(Value* start, unsigned axis) {
        using namespace llvm::PatternMatch;
        const Value* block = slot(Slot::BlockX, axis);
        IndexAssumptions::Axis& assumed = assumptions_.axes[axis];
        const llvm::APInt* constant = nullptr;
        if (is_product(start, block, slot(Slot::BlockDimX, axis))) {
            assumed.threads = true;
        } else if (match(start, m_c_Mul(m_Specific(block), m_APInt(constant))) && constant->isStrictlyPositive()) {
            assumed.factor = std::max(assumed.factor, constant->getZExtValue());
        } else if (match(start, m_Shl(m_Specific(block), m_APInt(constant))) && constant->ult(31)) {
            assumed.factor = std::max(assumed.factor, std::uint64_t{1} << constant->getZExtValue());
        } else {
            return;
        }
        mark(start);
        for (llvm::User* user : start->users()) {
            Value* other = nullptr;
            if (match(user, m_c_Add(m_Specific(start), m_Value(other))) && is_thread_number(other)) mark(user);
        }
    }

    bool is_thread_number(const Value* value) const {
        return llvm::is_contained({thread_[Slot::ThreadX], thread_[Slot::ThreadY], thread_[Slot::ThreadZ]}, value);
    }

    const SlotFunction& thread_;
    IndexAssumptions assumptions_;
};

}  // namespace

bool IndexAssumptions::any() const {
    return llvm::any_of(axes, [](const Axis& axis) { return axis.threads || axis.factor > 0; });
}

IndexAssumptions assume_indices_fit(const SlotFunction& thread) {
    return Marker(thread).run();
}

Value* check_indices(IRBuilder<>& builder, const IndexAssumptions& assumptions, llvm::ArrayRef<Value*> slots) {
    llvm::Type* i64 = builder.getInt64Ty();
    const auto wide = [&](Slot first, unsigned axis) {
        return builder.CreateZExt(slots[static_cast<unsigned>(first) + axis], i64);
    };
    Value* largest = builder.getInt64(0);
    for (unsigned axis = 0; axis < 3; ++axis) {
        const IndexAssumptions::Axis& assumed = assumptions.axes[axis];
        const auto consider = [&](Value* factor) {
            Value* product = builder.CreateMul(wide(Slot::GridDimX, axis), factor);
            largest = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umax, largest, product);
        };
        if (assumed.threads) consider(wide(Slot::BlockDimX, axis));
        if (assumed.factor > 0) consider(builder.getInt64(assumed.factor));
    }
    Value* fit = builder.CreateICmpULT(largest, builder.getInt64(index_limit));
    raise_unless(builder, fit, slots[static_cast<unsigned>(Slot::Launch)], index_site, largest);
    return fit;
}

}  // namespace lanewise::cpu
