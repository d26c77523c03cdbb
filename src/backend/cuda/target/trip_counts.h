// Trip counts computed ahead of a loop, so that it can be unrolled.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lanewise::cuda {

/// Innermost loops whose iterations are known only by dividing by a number of the run (`for i in range(start, n,
/// stride)` with the grid's size as stride) get a counter that runs down from the quotient, taken once before the loop.
///
/// LLVM's unroller refuses such loops because the division is costly; on a GPU one division before the loop is cheap
/// beside the loads that unrolling lets overlap, and nvcc does the same. To run before the loop unroller on rotated
/// loops in simplified form.
struct TripCountPass : llvm::PassInfoMixin<TripCountPass> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lanewise::cuda
