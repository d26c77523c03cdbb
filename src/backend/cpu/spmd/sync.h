// The operations at which threads of a block or lanes of a warp meet.
#pragma once

#include "backend/cpu/interleave.h"
#include "codegen/llvm.h"

namespace lanewise::cpu {

/// What `instruction` is, whichever of the intrinsic's spellings it uses.
SyncKind sync_kind(const llvm::Instruction& instruction);

/// The operands of a synchronising call by meaning; null where the operation has none.
struct SyncOperands {
    llvm::Value* mask = nullptr;  ///< i32 member mask; full for the forms before sm_70, which have none
    bool has_mask = false;        ///< the mask is the program's
    llvm::Value* value =
        nullptr;                  ///< exchanged, compared or reduced value; predicate (i1 or i32) of votes and barriers
    llvm::Value* lane = nullptr;  ///< shuffles: source lane, delta or lane mask
    llvm::Value* clamp = nullptr;       ///< shuffles: PTX operand c, (segment mask << 8) | clamp
    llvm::Value* identifier = nullptr;  ///< partial barriers
    llvm::Value* count = nullptr;       ///< partial barriers
};
SyncOperands sync_operands(const llvm::CallInst& call, SyncKind kind);

// Meetings that no intrinsic stands for.
void yield(llvm::IRBuilder<>& builder);
void arrive_at_barrier(llvm::IRBuilder<>& builder, llvm::Value* identifier, llvm::Value* count);

}  // namespace lanewise::cpu
