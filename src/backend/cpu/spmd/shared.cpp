#include "backend/cpu/spmd/shared.h"

#include <llvm/IR/ReplaceConstant.h>

#include "backend/cpu/spmd/thread.h"
#include "backend/cpu/target/flatten.h"

namespace lanewise::cpu {
namespace {

void collect_shared_globals(const llvm::Function& function, llvm::SmallPtrSetImpl<const llvm::Value*>& used) {
    llvm::SmallVector<const llvm::User*> work;
    for (const llvm::Instruction& instruction : llvm::instructions(function)) work.push_back(&instruction);
    llvm::SmallPtrSet<const llvm::User*, 16> seen;
    while (!work.empty()) {
        for (const llvm::Value* operand : work.pop_back_val()->operand_values()) {
            const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(operand);
            if (global && is_shared(*global)) used.insert(global);
            const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(operand);
            if (expression && seen.insert(expression).second) work.push_back(expression);
        }
    }
}

}  // namespace

SharedLayout lay_out_shared(llvm::Module& module, llvm::ArrayRef<const llvm::Function*> functions) {
    llvm::SmallPtrSet<const llvm::Value*, 8> used;
    for (const llvm::Function* function : functions) collect_shared_globals(*function, used);
    SharedLayout layout;
    std::uint64_t offset = 0;
    for (llvm::GlobalVariable& global : module.globals()) {
        if (!used.contains(&global) || global.isDeclaration()) continue;
        const llvm::Align align =
            std::max(global.getAlign().valueOrOne(), module.getDataLayout().getABITypeAlign(global.getValueType()));
        offset = llvm::alignTo(offset, align);
        layout.offsets.emplace_back(&global, offset);
        offset += module.getDataLayout().getTypeAllocSize(global.getValueType());
    }
    layout.static_bytes = static_cast<std::uint32_t>(offset);
    for (llvm::GlobalVariable& global : module.globals()) {
        if (!used.contains(&global) || !global.isDeclaration()) continue;
        layout.uses_dynamic = true;
        layout.offsets.emplace_back(&global, llvm::alignTo(offset, 16));
    }
    return layout;
}

void place_shared(llvm::Module& module, const SharedLayout& layout) {
    for (llvm::Function& function : module) {
        const auto slots = noted_slots(function);
        if (!slots || function.isDeclaration()) continue;
        for (const auto& [global, offset] : layout.offsets) {
            llvm::convertUsersOfConstantsToInstructions({global}, &function, false);
            llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
            llvm::Value* address =
                builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), (*slots)[Slot::Shared], offset);
            global->replaceUsesWithIf(address, [&](const llvm::Use& use) {
                const auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
                return user && user->getFunction() == &function;
            });
            auto* unused = llvm::dyn_cast<llvm::Instruction>(address);
            if (unused && unused->use_empty()) unused->eraseFromParent();
        }
    }
}

}  // namespace lanewise::cpu
