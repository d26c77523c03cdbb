// Conditions at the start of a region under which threads have nothing to do: taken out of the code, they bound its
// loop.
#pragma once

#include "backend/cpu/spmd/thread.h"

namespace lanewise::cpu {

/// Takes leading guards of `region` out of it: afterwards it must only be run for threads that pass them. `indices` are
/// the arguments that count along the innermost loop (each grows by 1 from one thread to the next); the others are the
/// same for all threads of that loop.
class Guards {
public:
    Guards(llvm::Function& region, llvm::ArrayRef<llvm::Argument*> indices);

    bool empty() const { return guards_.empty(); }

    /// The half-open range of loop steps [first, second), i32, that pass, out of [0, count). `at_zero` are the region's
    /// arguments for step 0; emitted at the builder's place, which must dominate the loop. first <= second.
    std::pair<llvm::Value*, llvm::Value*> bounds(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::Value*> at_zero,
                                                 llvm::Value* count) const;

private:
    /// `counter` PREDICATE `bound`, where `counter` grows by 1 with each step; or, without a counter, `bound` is true.
    struct Guard {
        llvm::Value* counter = nullptr;
        llvm::Value* bound = nullptr;
        llvm::CmpInst::Predicate predicate{};
    };

    bool take_leading_guard();
    std::optional<Guard> as_guard(llvm::Value* condition);
    bool is_invariant(const llvm::Value* value, unsigned depth = 0) const;
    bool is_counter(const llvm::Value* value, bool is_signed) const;

    llvm::Function& region_;
    llvm::SmallPtrSet<const llvm::Argument*, 4> indices_;
    llvm::SmallVector<Guard> guards_;
};

}  // namespace lanewise::cpu
