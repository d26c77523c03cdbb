// Values that outlive a stretch of code between meeting points: found, recomputed where that is cheap, else put into
// slots.
#pragma once

#include "backend/cpu/spmd/uniformity.h"

namespace lanewise::cpu {

/// A variable of the thread function that holds what must survive a boundary.
struct CrossSlot {
    llvm::AllocaInst* variable = nullptr;
    bool uniform = false;  ///< one copy for all threads instead of one each
    bool scalar = true;    ///< only loaded and stored whole; otherwise an array the user's code points into
};

/// Makes every value of `thread` that is live into one of `boundaries` (blocks without phis) pass through a slot, or be
/// recomputed from arguments and other slots behind the boundary. Afterwards no SSA value is live into any of them.
std::vector<CrossSlot> demote_cross_values(llvm::Function& thread, llvm::ArrayRef<llvm::BasicBlock*> boundaries,
                                           const Uniformity& uniformity);

/// The memory of one thread's copy of a local array, padded so that copies one behind the other are aligned.
llvm::Type* padded_array_type(const llvm::AllocaInst& variable);

/// Error(Lowering) when `thread` has stack allocations other than fixed ones in its entry block: they cannot outlive a
/// meeting.
void require_fixed_allocations(const llvm::Function& thread);

/// For each block the scalar slots that may be read, from its start on, before they are written.
class SlotLiveness {
public:
    SlotLiveness(llvm::Function& thread, llvm::ArrayRef<CrossSlot> slots);
    bool is_live_into(const llvm::BasicBlock* block, const llvm::AllocaInst* variable) const;

private:
    llvm::DenseMap<const llvm::AllocaInst*, unsigned> numbers_;
    llvm::DenseMap<const llvm::BasicBlock*, llvm::BitVector> live_in_;
};

}  // namespace lanewise::cpu
