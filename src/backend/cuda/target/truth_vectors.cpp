#include "backend/cuda/target/truth_vectors.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace lanewise::cuda {

void split_extended_truth_vectors(llvm::Module& module) {
    using namespace llvm;
    for (llvm::Function& function : module) {
        for (Instruction& instruction : make_early_inc_range(instructions(function))) {
            auto* extension = dyn_cast<CastInst>(&instruction);
            if (!extension || (!isa<SExtInst>(extension) && !isa<ZExtInst>(extension))) continue;
            auto* from = dyn_cast<FixedVectorType>(extension->getSrcTy());
            if (!from || !from->getElementType()->isIntegerTy(1)) continue;
            IRBuilder<> b(extension);
            llvm::Type* element = extension->getDestTy()->getScalarType();
            Value* whole = PoisonValue::get(extension->getDestTy());
            for (unsigned i = 0; i < from->getNumElements(); ++i) {
                Value* bit = b.CreateExtractElement(extension->getOperand(0), i);
                whole = b.CreateInsertElement(whole, b.CreateCast(extension->getOpcode(), bit, element), i);
            }
            extension->replaceAllUsesWith(whole);
            extension->eraseFromParent();
        }
    }
}

}  // namespace lanewise::cuda
