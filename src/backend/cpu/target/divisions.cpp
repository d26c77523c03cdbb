#include "backend/cpu/target/divisions.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>

#include "codegen/llvm.h"

namespace lanewise::cpu {
namespace {

using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

void guard(llvm::BinaryOperator& division, bool by_zero, bool by_minus_one) {
    IRBuilder<> builder(&division);
    llvm::Type* type = division.getType();
    Value* dividend = division.getOperand(0);
    // Looked at more than once: it must be one value.
    Value* divisor = builder.CreateFreeze(division.getOperand(1));
    Value* is_zero = builder.CreateIsNull(divisor);
    Value* is_minus_one = builder.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type));
    Value* unsafe = by_zero && by_minus_one ? builder.CreateOr(is_zero, is_minus_one)
                    : by_zero               ? is_zero
                                            : is_minus_one;
    Value* safe = builder.CreateSelect(unsafe, llvm::ConstantInt::get(type, 1), divisor);
    const auto opcode = division.getOpcode();
    const bool is_quotient = opcode == Instruction::SDiv || opcode == Instruction::UDiv;
    Value* result = builder.CreateBinOp(opcode, dividend, safe);
    // x / 1 is x and x % 1 is 0: a remainder by -1 is right as it is.
    if (by_minus_one && is_quotient) result = builder.CreateSelect(is_minus_one, builder.CreateNeg(dividend), result);
    if (by_zero) result = builder.CreateSelect(is_zero, llvm::Constant::getAllOnesValue(type), result);
    division.replaceAllUsesWith(result);
    division.eraseFromParent();
}

void guard_divisions_of(llvm::Function& function) {
    llvm::SmallVector<llvm::BinaryOperator*> divisions;
    for (Instruction& instruction : llvm::instructions(function)) {
        if (instruction.isIntDivRem()) divisions.push_back(llvm::cast<llvm::BinaryOperator>(&instruction));
    }
    if (divisions.empty()) return;
    const llvm::DataLayout& layout = function.getParent()->getDataLayout();
    llvm::DominatorTree dominators(function);
    llvm::AssumptionCache assumptions(function);
    struct Guarded {
        llvm::BinaryOperator* division;
        bool by_zero, by_minus_one;
    };
    llvm::SmallVector<Guarded> guarded;
    for (llvm::BinaryOperator* division : divisions) {
        const llvm::SimplifyQuery query(layout, &dominators, &assumptions, division);
        const Value* divisor = division->getOperand(1);
        const bool by_zero = !llvm::isKnownNonZero(divisor, query);
        const bool is_signed = division->getOpcode() == Instruction::SDiv || division->getOpcode() == Instruction::SRem;
        bool by_minus_one = false;
        if (is_signed) {
            const llvm::KnownBits bits = llvm::computeKnownBits(divisor, 0, query);
            const llvm::KnownBits dividend = llvm::computeKnownBits(division->getOperand(0), 0, query);
            by_minus_one = bits.Zero.isZero() && !dividend.isNonNegative();
        }
        if (by_zero || by_minus_one) guarded.push_back({division, by_zero, by_minus_one});
    }
    for (const Guarded& each : guarded) guard(*each.division, each.by_zero, each.by_minus_one);
}

}  // namespace

void guard_divisions(llvm::Module& module) {
    for (llvm::Function& function : module) {
        if (!function.isDeclaration()) guard_divisions_of(function);
    }
}

}  // namespace lanewise::cpu
