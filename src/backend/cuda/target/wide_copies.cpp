#include "backend/cuda/target/wide_copies.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace lanewise::cuda {

using namespace llvm;

namespace {

constexpr std::uint64_t width = 16, longest = 128;

bool is_wide(const MemCpyInst& copy) {
    const auto* length = dyn_cast<ConstantInt>(copy.getLength());
    if (!length || copy.isVolatile()) return false;
    const std::uint64_t bytes = length->getZExtValue();
    return bytes % width == 0 && bytes <= longest && copy.getDestAlign().valueOrOne().value() >= width &&
           copy.getSourceAlign().valueOrOne().value() >= width;
}

}  // namespace

void widen_copies(llvm::Module& module) {
    for (llvm::Function& function : module) {
        for (Instruction& instruction : make_early_inc_range(instructions(function))) {
            auto* copy = dyn_cast<MemCpyInst>(&instruction);
            if (!copy || !is_wide(*copy)) continue;
            IRBuilder<> b(copy);
            llvm::Type* words = FixedVectorType::get(b.getInt32Ty(), width / 4);
            const std::uint64_t count = cast<ConstantInt>(copy->getLength())->getZExtValue() / width;
            SmallVector<Value*, longest / width> values;
            for (std::uint64_t i = 0; i < count; ++i)
                values.push_back(
                    b.CreateAlignedLoad(words, b.CreateConstGEP1_64(words, copy->getSource(), i), llvm::Align(width)));
            for (std::uint64_t i = 0; i < count; ++i)
                b.CreateAlignedStore(values[i], b.CreateConstGEP1_64(words, copy->getDest(), i), llvm::Align(width));
            copy->eraseFromParent();
        }
    }
}

}  // namespace lanewise::cuda
