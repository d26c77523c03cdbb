#include "backend/cpu/target/rounding.h"

#include <llvm/IR/FPEnv.h>

#include <cfenv>

#include "backend/cpu/target/special.h"

namespace lanewise::cpu {
namespace {

using llvm::IRBuilder;
using llvm::Value;

int host_mode(char mode) {
    return mode == 'z' ? FE_TOWARDZERO : mode == 'u' ? FE_UPWARD : FE_DOWNWARD;
}

/// The operation under the builder's rounding.
Value* apply(IRBuilder<>& builder, RoundedOp operation, llvm::Type* result, llvm::ArrayRef<Value*> operands) {
    const auto intrinsic = [&](llvm::Intrinsic::ID id) -> Value* {
        if (!builder.getIsFPConstrained()) return builder.CreateIntrinsic(id, {result}, operands);
        const auto constrained = id == llvm::Intrinsic::sqrt ? llvm::Intrinsic::experimental_constrained_sqrt
                                                             : llvm::Intrinsic::experimental_constrained_fma;
        llvm::Module* module = builder.GetInsertBlock()->getModule();
        return builder.CreateConstrainedFPCall(llvm::Intrinsic::getDeclaration(module, constrained, {result}),
                                               operands);
    };
    switch (operation) {
        case RoundedOp::Add:
            return builder.CreateFAdd(operands[0], operands[1]);
        case RoundedOp::Sub:
            return builder.CreateFSub(operands[0], operands[1]);
        case RoundedOp::Mul:
            return builder.CreateFMul(operands[0], operands[1]);
        case RoundedOp::Div:
            return builder.CreateFDiv(operands[0], operands[1]);
        case RoundedOp::Sqrt:
            return intrinsic(llvm::Intrinsic::sqrt);
        case RoundedOp::Fma:
            return intrinsic(llvm::Intrinsic::fma);
        case RoundedOp::Truncate:
            return builder.CreateFPTrunc(operands[0], result);
        case RoundedOp::FromSigned:
            return builder.CreateSIToFP(operands[0], result);
        default:
            return builder.CreateUIToFP(operands[0], result);
    }
}

std::string type_name(llvm::Type* type) {
    std::string text;
    llvm::raw_string_ostream(text) << *type;
    return text;
}

llvm::Function* rounded_function(llvm::Module& module, RoundedOp operation, char mode, llvm::Type* result,
                                 llvm::ArrayRef<llvm::Type*> types) {
    const std::string name = "lanewise.rounded." + std::to_string(static_cast<int>(operation)) + "." + mode + "." +
                             type_name(result) + "." + type_name(types.front());
    if (llvm::Function* existing = module.getFunction(name)) return existing;
    llvm::LLVMContext& context = module.getContext();
    llvm::Function* function = llvm::Function::Create(llvm::FunctionType::get(result, types, false),
                                                      llvm::GlobalValue::InternalLinkage, name, module);
    // Seen from outside it is pure; inside, the switch of the mode must stay around the operation.
    for (const auto kind : {llvm::Attribute::NoInline, llvm::Attribute::NoUnwind, llvm::Attribute::WillReturn,
                            llvm::Attribute::StrictFP}) {
        function->addFnAttr(kind);
    }
    function->setDoesNotAccessMemory();
    mark_helper(*function);

    IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", function));
    builder.setIsFPConstrained(true);
    builder.setDefaultConstrainedRounding(llvm::RoundingMode::Dynamic);
    builder.setDefaultConstrainedExcept(llvm::fp::ebIgnore);
    const llvm::FunctionCallee set_mode =
        module.getOrInsertFunction("fesetround", builder.getInt32Ty(), builder.getInt32Ty());
    const auto switch_to = [&](int value) {
        builder.CreateCall(set_mode, builder.getInt32(static_cast<std::uint32_t>(value)))
            ->addFnAttr(llvm::Attribute::StrictFP);
    };
    switch_to(host_mode(mode));
    llvm::SmallVector<Value*> operands;
    for (llvm::Argument& argument : function->args()) operands.push_back(&argument);
    Value* value = apply(builder, operation, result, operands);
    switch_to(FE_TONEAREST);
    builder.CreateRet(value);
    return function;
}

}  // namespace

Value* rounded(IRBuilder<>& builder, RoundedOp operation, char mode, llvm::Type* result,
               llvm::ArrayRef<Value*> operands) {
    if (mode == 'n') return apply(builder, operation, result, operands);
    llvm::SmallVector<llvm::Type*> types;
    for (Value* operand : operands) types.push_back(operand->getType());
    llvm::Module* module = builder.GetInsertBlock()->getModule();
    return builder.CreateCall(rounded_function(*module, operation, mode, result, types), operands);
}

Value* rounded_to_integer(IRBuilder<>& builder, Value* value, char mode, llvm::Type* type, bool is_signed) {
    const llvm::Intrinsic::ID rounding = mode == 'n'   ? llvm::Intrinsic::roundeven
                                         : mode == 'z' ? llvm::Intrinsic::trunc
                                         : mode == 'u' ? llvm::Intrinsic::ceil
                                                       : llvm::Intrinsic::floor;
    value = builder.CreateUnaryIntrinsic(rounding, value);
    return builder.CreateIntrinsic(is_signed ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat,
                                   {type, value->getType()}, {value});
}

/// Nearest, then one step back if that went too far.
Value* narrow_towards_zero(IRBuilder<>& builder, Value* value, llvm::Type* type) {
    Value* nearest = builder.CreateFPTrunc(value, type);
    Value* back = builder.CreateFPExt(nearest, value->getType());
    Value* too_far = builder.CreateFCmpOGT(builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, back),
                                           builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value));
    Value* bits = builder.CreateBitCast(nearest, builder.getInt16Ty());
    Value* step = builder.CreateZExt(too_far, builder.getInt16Ty());
    return builder.CreateBitCast(builder.CreateSub(bits, step), type);
}

Value* to_tf32(IRBuilder<>& builder, Value* value) {
    Value* bits = builder.CreateBitCast(value, builder.getInt32Ty());
    Value* cut = builder.CreateAnd(builder.CreateAdd(bits, builder.getInt32(0x1000)), ~std::uint64_t{0x1fff});
    // A NaN keeps what it can of its payload, and stays one.
    Value* kept = builder.CreateAnd(bits, ~std::uint64_t{0x1fff});
    Value* is_lost = builder.CreateIsNull(builder.CreateAnd(bits, 0x7fe000));
    Value* of_nan = builder.CreateSelect(is_lost, builder.getInt32(0x7fffe000), kept);
    return builder.CreateSelect(builder.CreateFCmpUNO(value, value), of_nan, cut);
}

}  // namespace lanewise::cpu
