#include "backend/cpu/target/conversions.h"

#include <cmath>

#include "codegen/llvm.h"

namespace lanewise::cpu {
namespace {

using llvm::Value;

/// The plain conversion's result is poison outside the bounds, where it is not chosen.
Value* saturate(llvm::IRBuilder<>& builder, Value* x, llvm::Type* to, bool is_signed) {
    const unsigned bits = to->getScalarSizeInBits();
    const int exponent = static_cast<int>(is_signed ? bits - 1 : bits);
    // Beyond the range of float16 these are infinities, and the comparisons still say what saturates.
    Value* above = llvm::ConstantFP::get(x->getType(), std::ldexp(1.0, exponent));
    const llvm::APInt highest = is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
    Value* result = is_signed ? builder.CreateFPToSI(x, to) : builder.CreateFPToUI(x, to);
    result = builder.CreateSelect(builder.CreateFCmpOGE(x, above), llvm::ConstantInt::get(to, highest), result);
    Value* zero = llvm::Constant::getNullValue(to);
    if (!is_signed) {
        // NaN is not positive either.
        Value* positive = builder.CreateFCmpOGT(x, llvm::Constant::getNullValue(x->getType()));
        return builder.CreateSelect(positive, result, zero);
    }
    Value* lowest = llvm::ConstantInt::get(to, llvm::APInt::getSignedMinValue(bits));
    Value* below = llvm::ConstantFP::get(x->getType(), -std::ldexp(1.0, exponent));
    result = builder.CreateSelect(builder.CreateFCmpOLE(x, below), lowest, result);
    return builder.CreateSelect(builder.CreateFCmpUNO(x, x), zero, result);
}

}  // namespace

void expand_saturating_conversions(llvm::Module& module) {
    for (llvm::Function& function : module) {
        const bool is_signed = function.getIntrinsicID() == llvm::Intrinsic::fptosi_sat;
        if (!is_signed && function.getIntrinsicID() != llvm::Intrinsic::fptoui_sat) continue;
        for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
            auto* call = llvm::cast<llvm::CallInst>(user);
            llvm::IRBuilder<> builder(call);
            call->replaceAllUsesWith(saturate(builder, call->getArgOperand(0), call->getType(), is_signed));
            call->eraseFromParent();
        }
    }
}

}  // namespace lanewise::cpu
