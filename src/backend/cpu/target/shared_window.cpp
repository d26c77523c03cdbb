#include "backend/cpu/target/shared_window.h"

#include <llvm/IR/ReplaceConstant.h>

#include "codegen/llvm.h"

namespace lanewise::cpu {
namespace {

using llvm::IRBuilder;
using llvm::Value;

constexpr unsigned shared_space = 3;

bool is_shared_pointer(const llvm::Type* type) {
    return type->isPointerTy() && type->getPointerAddressSpace() == shared_space;
}

/// They all start at the same place, which optimisations must not take for different ones.
void unite_dynamic_variables(llvm::Module& module) {
    llvm::GlobalVariable* common = nullptr;
    for (llvm::GlobalVariable& global : llvm::make_early_inc_range(module.globals())) {
        if (global.getAddressSpace() != shared_space || !global.isDeclaration()) continue;
        if (!common) {
            common = &global;
            continue;
        }
        common->setAlignment(std::max(common->getAlign().valueOrOne(), global.getAlign().valueOrOne()));
        global.replaceAllUsesWith(common);
        global.eraseFromParent();
    }
}

}  // namespace

Value* shared_base(IRBuilder<>& builder) {
    llvm::Module& module = *builder.GetInsertBlock()->getModule();
    llvm::FunctionCallee base = module.getOrInsertFunction(shared_base_name, builder.getPtrTy());
    auto* function = llvm::cast<llvm::Function>(base.getCallee());
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    return builder.CreateCall(base);
}

Value* from_shared_address(IRBuilder<>& builder, Value* address) {
    return builder.CreateGEP(builder.getInt8Ty(), shared_base(builder),
                             builder.CreateZExtOrTrunc(address, builder.getInt64Ty()));
}

Value* to_shared_address(IRBuilder<>& builder, Value* pointer) {
    llvm::Type* i64 = builder.getInt64Ty();
    return builder.CreateSub(builder.CreatePtrToInt(pointer, i64), builder.CreatePtrToInt(shared_base(builder), i64));
}

void number_shared_memory(llvm::Module& module) {
    unite_dynamic_variables(module);
    llvm::SmallVector<llvm::Constant*> variables;
    for (llvm::GlobalVariable& global : module.globals()) {
        if (global.getAddressSpace() == shared_space) variables.push_back(&global);
    }
    llvm::convertUsersOfConstantsToInstructions(variables);
    for (llvm::Function& function : module) {
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
            IRBuilder<> builder(&instruction);
            Value* converted = nullptr;
            if (auto* number = llvm::dyn_cast<llvm::PtrToIntInst>(&instruction);
                number && is_shared_pointer(number->getSrcTy())) {
                Value* pointer = builder.CreateAddrSpaceCast(number->getPointerOperand(), builder.getPtrTy());
                converted = builder.CreateZExtOrTrunc(to_shared_address(builder, pointer), number->getType());
            } else if (auto* pointer = llvm::dyn_cast<llvm::IntToPtrInst>(&instruction);
                       pointer && is_shared_pointer(pointer->getType())) {
                converted = builder.CreateAddrSpaceCast(from_shared_address(builder, pointer->getOperand(0)),
                                                        pointer->getType());
            }
            if (!converted) continue;
            instruction.replaceAllUsesWith(converted);
            instruction.eraseFromParent();
        }
    }
}

}  // namespace lanewise::cpu
