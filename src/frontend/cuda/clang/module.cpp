#include "frontend/cuda/clang/module.h"

#include <fmt/format.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace lanewise::cuda_cpp {

namespace {

constexpr unsigned shared_space = 3;

llvm::SmallPtrSet<const llvm::Function*, 8> kernels_of(const llvm::Module& module) {
    llvm::SmallPtrSet<const llvm::Function*, 8> kernels;
    if (const llvm::NamedMDNode* annotations = module.getNamedMetadata("nvvm.annotations"))
        for (const llvm::MDNode* node : annotations->operands()) {
            const auto* key = llvm::dyn_cast<llvm::MDString>(node->getOperand(1));
            if (key && key->getString() == "kernel")
                kernels.insert(llvm::mdconst::dyn_extract_or_null<llvm::Function>(node->getOperand(0)));
        }
    return kernels;
}

/// What the tables of classes have in the place of functions that are pure or deleted.
bool is_absent_virtual(llvm::StringRef name) {
    return name == "__cxa_pure_virtual" || name == "__cxa_deleted_virtual";
}

/// A call of them ends the kernel.
void define_absent_virtuals(llvm::Module& module) {
    for (llvm::Function& function : module) {
        if (!function.isDeclaration() || !is_absent_virtual(function.getName())) continue;
        llvm::IRBuilder<> b(llvm::BasicBlock::Create(module.getContext(), "entry", &function));
        b.CreateIntrinsic(llvm::Intrinsic::trap, {}, {});
        b.CreateUnreachable();
    }
}

/// Of CUDA's device run time; the targets and the driver know them.
bool is_supplied(llvm::StringRef name) {
    static const llvm::StringSet<> names = {"vprintf", "malloc", "free", "__assertfail"};
    return names.contains(name) || is_absent_virtual(name) || name.starts_with("llvm.") || name.starts_with("__nv_") ||
           name.starts_with("__lanewise_") || name == "__nvvm_reflect";
}

/// nvcc's choice: div.full is right to 2 units in the last place over the whole range; fast math takes div.approx,
/// which gives up very large divisors.
void approximate_divisions(llvm::Module& module, const Options& options) {
    llvm::Type* type = llvm::Type::getFloatTy(module.getContext());
    const char* flush = options.flush_denormals ? ".ftz" : "";
    const auto instruction = [&](const char* name, llvm::ArrayRef<llvm::Type*> operands, const char* places) {
        return llvm::InlineAsm::get(llvm::FunctionType::get(type, operands, false),
                                    fmt::format("{}{}.f32 {};", name, flush, places),
                                    operands.size() == 1 ? "=f,f" : "=f,f,f", /*hasSideEffects=*/false);
    };
    llvm::InlineAsm* division = instruction(options.fast_math ? "div.approx" : "div.full", {type, type}, "$0, $1, $2");
    llvm::InlineAsm* reciprocal = instruction("rcp.approx", {type}, "$0, $1");
    for (llvm::Function& function : module)
        for (llvm::Instruction& exact : llvm::make_early_inc_range(llvm::instructions(function))) {
            if (exact.getOpcode() != llvm::Instruction::FDiv || exact.getType() != type) continue;
            llvm::IRBuilder<> b(&exact);
            llvm::Value *dividend = exact.getOperand(0), *divisor = exact.getOperand(1);
            const auto* constant = llvm::dyn_cast<llvm::ConstantFP>(dividend);
            llvm::Value* quotient = constant && constant->isExactlyValue(1.0)
                                        ? b.CreateCall(reciprocal, {divisor})
                                        : b.CreateCall(division, {dividend, divisor});
            exact.replaceAllUsesWith(quotient);
            exact.eraseFromParent();
        }
}

}  // namespace

std::vector<const llvm::GlobalValue*> undefined_symbols(const llvm::Module& module) {
    std::vector<const llvm::GlobalValue*> undefined;
    for (const llvm::Function& function : module)
        if (function.isDeclaration() && !function.use_empty() && !is_supplied(function.getName()))
            undefined.push_back(&function);
    // Dynamic shared memory is declared like a variable of another module.
    for (const llvm::GlobalVariable& variable : module.globals())
        if (variable.isDeclaration() && !variable.use_empty() && variable.getAddressSpace() != shared_space)
            undefined.push_back(&variable);
    return undefined;
}

void finish_module(llvm::Module& module, const Options& options, DeviceKind kind) {
    define_absent_virtuals(module);
    const auto kernels = kernels_of(module);
    if (llvm::is_contained(options.other, "--restrict"))
        for (const llvm::Function* kernel : kernels)
            for (llvm::Argument& argument : module.getFunction(kernel->getName())->args())
                if (argument.getType()->isPointerTy() && !argument.hasByValAttr())
                    argument.addAttr(llvm::Attribute::NoAlias);
    if (!options.relocatable) {
        for (llvm::Function& function : module) {
            if (function.isDeclaration() || kernels.contains(&function)) continue;
            function.setComdat(nullptr);
            function.setLinkage(llvm::GlobalValue::InternalLinkage);
        }
    }
    module.setModuleFlag(llvm::Module::Override, "lanewise-precise-sqrt",
                         llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(
                             llvm::Type::getInt32Ty(module.getContext()), options.precise_sqrt)));
    if (!options.precise_divide && kind == DeviceKind::Cuda) approximate_divisions(module, options);
}

}  // namespace lanewise::cuda_cpp
