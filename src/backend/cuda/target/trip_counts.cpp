#include "backend/cuda/target/trip_counts.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

namespace lanewise::cuda {

using namespace llvm;

namespace {

bool divides_by_variable(const SCEV* count) {
    return SCEVExprContains(count, [](const SCEV* part) {
        auto* division = dyn_cast<SCEVUDivExpr>(part);
        return division && !isa<SCEVConstant>(division->getRHS());
    });
}

/// The loop's only exit is a conditional branch at its end.
BranchInst* single_exit(const Loop& loop) {
    BasicBlock* latch = loop.getLoopLatch();
    if (!latch || loop.getExitingBlock() != latch || !loop.getLoopPreheader()) return nullptr;
    auto* branch = dyn_cast<BranchInst>(latch->getTerminator());
    return branch && branch->isConditional() ? branch : nullptr;
}

bool count_down(Loop& loop, ScalarEvolution& evolution) {
    BranchInst* exit = single_exit(loop);
    if (!exit || !loop.isInnermost()) return false;
    const SCEV* count = evolution.getBackedgeTakenCount(&loop);
    if (isa<SCEVCouldNotCompute>(count) || !count->getType()->isIntegerTy() || !divides_by_variable(count))
        return false;
    BasicBlock* preheader = loop.getLoopPreheader();
    SCEVExpander expander(evolution, preheader->getDataLayout(), "trips");
    if (!expander.isSafeToExpandAt(count, preheader->getTerminator())) return false;

    Value* quotient = expander.expandCodeFor(count, count->getType(), preheader->getTerminator());
    IRBuilder<> b(preheader->getTerminator());
    // Frozen, it is a plain number to the unroller, not a division to be made again.
    Value* first = b.CreateFreeze(quotient, "trips");
    b.SetInsertPoint(loop.getHeader(), loop.getHeader()->begin());
    PHINode* left = b.CreatePHI(first->getType(), 2, "trips.left");
    b.SetInsertPoint(exit);
    Value* next = b.CreateSub(left, ConstantInt::get(first->getType(), 1), "trips.next");
    Value* done = b.CreateICmpEQ(left, ConstantInt::get(first->getType(), 0));
    left->addIncoming(first, preheader);
    left->addIncoming(next, loop.getLoopLatch());
    exit->setCondition(exit->getSuccessor(0) == loop.getHeader() ? b.CreateNot(done) : done);
    evolution.forgetLoop(&loop);
    return true;
}

}  // namespace

PreservedAnalyses TripCountPass::run(Function& function, FunctionAnalysisManager& analyses) {
    auto& loops = analyses.getResult<LoopAnalysis>(function);
    auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    bool changed = false;
    for (Loop* loop : loops.getLoopsInPreorder()) changed |= count_down(*loop, evolution);
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace lanewise::cuda
