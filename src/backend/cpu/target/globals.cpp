#include "backend/cpu/target/globals.h"

#include <fmt/format.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "codegen/llvm.h"
#include "lanewise/error.h"

namespace lanewise::cpu {
namespace {

constexpr unsigned shared_space = 3;

void drop_lists_of_used(llvm::Module& module) {
    for (const char* name : {"llvm.used", "llvm.compiler.used"}) {
        if (llvm::GlobalVariable* list = module.getNamedGlobal(name)) list->eraseFromParent();
    }
}

}  // namespace

void settle_globals(llvm::Module& module) {
    // What the program marks as used is kept even if it has no name outside.
    llvm::SmallVector<llvm::GlobalValue*> used;
    llvm::collectUsedGlobalVariables(module, used, false);
    for (llvm::GlobalVariable& variable : module.globals()) {
        const unsigned space = variable.getAddressSpace();
        if (variable.isDeclaration() || variable.hasAppendingLinkage()) continue;
        variable.setComdat(nullptr);
        variable.setVisibility(llvm::GlobalValue::DefaultVisibility);
        variable.setDSOLocal(true);
        const bool is_seen = variable.isExternallyInitialized() ||
                             (!variable.hasLocalLinkage() && space != shared_space && space != 0) ||
                             (llvm::is_contained(used, &variable) && space != shared_space);
        variable.setLinkage(is_seen ? llvm::GlobalValue::ExternalLinkage : llvm::GlobalValue::InternalLinkage);
        if (!is_seen) continue;
        // The host side reads and writes it between launches.
        variable.setConstant(false);
        variable.setExternallyInitialized(true);
        variable.setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::None);
    }
    drop_lists_of_used(module);
}

void check_globals(const llvm::Module& module) {
    for (const llvm::GlobalVariable& variable : module.globals()) {
        if (!variable.isDeclaration() || variable.use_empty()) continue;
        throw Error(ErrorKind::Lowering,
                    fmt::format("the variable '{}' is declared but nowhere defined; define it in the same program",
                                llvm::demangle(variable.getName())));
    }
}

}  // namespace lanewise::cpu
