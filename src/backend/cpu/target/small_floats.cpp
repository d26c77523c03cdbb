#include "backend/cpu/target/small_floats.h"

#include <llvm/CodeGen/AtomicExpandUtils.h>

#include "codegen/llvm.h"

namespace lanewise::cpu {
namespace {

namespace I = llvm::Intrinsic;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

bool is_bfloat(const llvm::Type* type) {
    return type->getScalarType()->isBFloatTy();
}

llvm::Type* like(llvm::Type* shape, llvm::Type* element) {
    const auto* vector = llvm::dyn_cast<llvm::VectorType>(shape);
    return vector ? llvm::VectorType::get(element, vector->getElementCount()) : element;
}

/// bfloat becomes float; other types stay.
llvm::Type* widened(llvm::Type* type) {
    return is_bfloat(type) ? like(type, llvm::Type::getFloatTy(type->getContext())) : type;
}

Value* widen(IRBuilder<>& builder, Value* value) {
    llvm::Type* type = value->getType();
    if (!is_bfloat(type)) return value;
    Value* bits = builder.CreateBitCast(value, like(type, builder.getInt16Ty()));
    bits = builder.CreateShl(builder.CreateZExt(bits, like(type, builder.getInt32Ty())), 16);
    return builder.CreateBitCast(bits, widened(type));
}

/// double to float with inexact results made odd: a second rounding, to fewer bits, then gives what one would have.
Value* round_to_odd_float(IRBuilder<>& builder, Value* value) {
    llvm::Type* type = value->getType();
    llvm::Type* bits_type = like(type, builder.getInt32Ty());
    Value* nearest = builder.CreateFPTrunc(value, like(type, builder.getFloatTy()));
    Value* back = builder.CreateFPExt(nearest, type);
    Value* bits = builder.CreateBitCast(nearest, bits_type);
    Value* away = builder.CreateFCmpOGT(builder.CreateUnaryIntrinsic(I::fabs, back),
                                        builder.CreateUnaryIntrinsic(I::fabs, value));
    Value* odd = builder.CreateOr(builder.CreateSub(bits, builder.CreateZExt(away, bits_type)),
                                  llvm::ConstantInt::get(bits_type, 1));
    Value* chosen = builder.CreateSelect(builder.CreateFCmpONE(back, value), odd, bits);
    return builder.CreateBitCast(chosen, nearest->getType());
}

/// Float (or double) to bfloat, to nearest even; a NaN stays one.
Value* narrow(IRBuilder<>& builder, Value* value) {
    if (value->getType()->getScalarType()->isDoubleTy()) value = round_to_odd_float(builder, value);
    llvm::Type* type = value->getType();
    llvm::Type* bits_type = like(type, builder.getInt32Ty());
    const auto number = [&](std::uint64_t of) { return llvm::ConstantInt::get(bits_type, of); };
    Value* bits = builder.CreateBitCast(value, bits_type);
    Value* high = builder.CreateLShr(bits, number(16));
    // A carry out of the lower half, which adds up to a tie exactly when the upper half is odd.
    Value* rounding = builder.CreateAdd(builder.CreateAnd(high, number(1)), number(0x7fff));
    Value* rounded = builder.CreateLShr(builder.CreateAdd(bits, rounding), number(16));
    Value* quiet = builder.CreateOr(high, number(0x40));
    Value* result = builder.CreateSelect(builder.CreateFCmpUNO(value, value), quiet, rounded);
    return builder.CreateBitCast(builder.CreateTrunc(result, like(type, builder.getInt16Ty())),
                                 like(type, builder.getBFloatTy()));
}

bool touches_bfloat(const Instruction& instruction) {
    return is_bfloat(instruction.getType()) ||
           llvm::any_of(instruction.operands(), [](const llvm::Use& use) { return is_bfloat(use->getType()); });
}

/// The operation on floats, or null for one that only moves values.
Value* compute(IRBuilder<>& builder, Instruction& instruction) {
    const auto operand = [&](unsigned i) { return widen(builder, instruction.getOperand(i)); };
    if (instruction.isBinaryOp()) {
        return builder.CreateBinOp(static_cast<Instruction::BinaryOps>(instruction.getOpcode()), operand(0),
                                   operand(1));
    }
    if (auto* compare = llvm::dyn_cast<llvm::FCmpInst>(&instruction)) {
        return builder.CreateFCmp(compare->getPredicate(), operand(0), operand(1));
    }
    switch (instruction.getOpcode()) {
        case Instruction::FNeg:
            return builder.CreateFNeg(operand(0));
        case Instruction::FPTrunc:
            return operand(0);
        case Instruction::FPExt: {
            llvm::Type* wanted = instruction.getType();
            Value* value = operand(0);
            return value->getType() == wanted ? value : builder.CreateFPExt(value, wanted);
        }
        case Instruction::SIToFP:
        case Instruction::UIToFP:
        case Instruction::FPToSI:
        case Instruction::FPToUI:
            return builder.CreateCast(static_cast<Instruction::CastOps>(instruction.getOpcode()), operand(0),
                                      widened(instruction.getType()));
        default:
            break;
    }
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!call) return nullptr;
    llvm::SmallVector<llvm::Type*> types, overloads;
    llvm::SmallVector<Value*> arguments;
    for (Value* argument : call->args()) {
        arguments.push_back(widen(builder, argument));
        types.push_back(arguments.back()->getType());
    }
    auto* type = llvm::FunctionType::get(widened(call->getType()), types, false);
    if (!I::getIntrinsicSignature(call->getIntrinsicID(), type, overloads)) return nullptr;
    return builder.CreateCall(I::getDeclaration(call->getModule(), call->getIntrinsicID(), overloads), arguments);
}

void expand_atomics(llvm::Function& function) {
    llvm::SmallVector<llvm::AtomicRMWInst*> updates;
    for (Instruction& instruction : llvm::instructions(function)) {
        auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
        if (update && update->isFloatingPointOperation() && is_bfloat(update->getType())) updates.push_back(update);
    }
    const auto exchange = [](llvm::IRBuilderBase& builder, Value* address, Value* loaded, Value* wanted,
                             llvm::Align align, llvm::AtomicOrdering order, llvm::SyncScope::ID scope, Value*& success,
                             Value*& seen) {
        llvm::Type* type = loaded->getType();
        llvm::Type* bits = builder.getInt16Ty();
        Value* pair = builder.CreateAtomicCmpXchg(address, builder.CreateBitCast(loaded, bits),
                                                  builder.CreateBitCast(wanted, bits), align, order,
                                                  llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(order), scope);
        seen = builder.CreateBitCast(builder.CreateExtractValue(pair, 0), type);
        success = builder.CreateExtractValue(pair, 1);
    };
    for (llvm::AtomicRMWInst* update : updates) llvm::expandAtomicRMWToCmpXchg(update, exchange);
}

}  // namespace

void expand_small_floats(llvm::Module& module) {
    for (llvm::Function& function : module) {
        if (function.isDeclaration()) continue;
        expand_atomics(function);
        for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
            IRBuilder<> builder(&instruction);
            Value* result = nullptr;
            if (touches_bfloat(instruction)) {
                result = compute(builder, instruction);
                if (result && is_bfloat(instruction.getType())) result = narrow(builder, result);
            } else if (instruction.getOpcode() == Instruction::FPTrunc &&
                       instruction.getType()->getScalarType()->isHalfTy() &&
                       instruction.getOperand(0)->getType()->getScalarType()->isDoubleTy()) {
                result = builder.CreateFPTrunc(round_to_odd_float(builder, instruction.getOperand(0)),
                                               instruction.getType());
            }
            if (!result) continue;
            instruction.replaceAllUsesWith(result);
            instruction.eraseFromParent();
        }
    }
}

}  // namespace lanewise::cpu
