#include "backend/cpu/target/vector_doubles.h"

#include <llvm/IR/MDBuilder.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <array>
#include <deque>
#include <string>
#include <vector>

#include "backend/cpu/target/double_formulas.h"
#include "backend/cpu/target/special.h"

namespace lanewise::cpu {
namespace {

using llvm::IRBuilder;
using llvm::Value;

/// In registers of 256 and 512 bits.
std::array<unsigned, 2> lane_counts(const DoubleFormula& formula) {
    return formula.is_single ? std::array{8u, 16u} : std::array{4u, 8u};
}

std::string vector_name(const char* name, unsigned lanes) {
    return std::string("lanewise.") + name + "." + std::to_string(lanes);
}

/// Where the formula does not hold, the C library's values: ok, formula, operands -> result.
llvm::Function* special_cases(llvm::Function& of, const DoubleFormula& formula, unsigned lanes) {
    llvm::Module& module = *of.getParent();
    auto* type = llvm::cast<llvm::FixedVectorType>(of.getReturnType());
    IRBuilder<> builder(module.getContext());
    auto* mask = llvm::FixedVectorType::get(builder.getInt1Ty(), lanes);
    llvm::SmallVector<llvm::Type*> types = {mask, type};
    types.append(of.getFunctionType()->param_begin(), of.getFunctionType()->param_end());
    auto* function =
        llvm::Function::Create(llvm::FunctionType::get(type, types, false), llvm::Function::InternalLinkage,
                               vector_name(formula.name, lanes) + ".special", module);
    function->addFnAttr(llvm::Attribute::NoInline);
    function->addFnAttr(llvm::Attribute::Cold);
    builder.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "entry", function));
    Value* exact = function->getArg(1);
    for (unsigned lane = 0; lane < lanes; ++lane) {
        llvm::SmallVector<Value*> scalars;
        for (unsigned k = 0; k < formula.operands; ++k)
            scalars.push_back(builder.CreateExtractElement(function->getArg(2 + k), lane));
        exact =
            builder.CreateInsertElement(exact, call_libm(builder, formula.name, type->getElementType(), scalars), lane);
    }
    builder.CreateRet(builder.CreateSelect(function->getArg(0), function->getArg(1), exact));
    return function;
}

void define(llvm::Function& function, const DoubleFormula& formula, unsigned lanes) {
    llvm::Module& module = *function.getParent();
    llvm::LLVMContext& context = module.getContext();
    auto* type = llvm::cast<llvm::FixedVectorType>(function.getReturnType());
    function.setLinkage(llvm::Function::InternalLinkage);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
    IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", &function));
    const Formula x(builder, function.getArg(0)), y(builder, function.getArg(formula.operands - 1));
    const Formula value = formula.value(x, y);
    Value* holds = formula.holds(x, y);
    Value* everywhere = builder.CreateAndReduce(holds);
    llvm::BasicBlock* formula_end = builder.GetInsertBlock();
    llvm::BasicBlock* special = llvm::BasicBlock::Create(context, "special", &function);
    llvm::BasicBlock* done = llvm::BasicBlock::Create(context, "done", &function);
    builder.CreateCondBr(everywhere, done, special, llvm::MDBuilder(context).createLikelyBranchWeights());
    builder.SetInsertPoint(special);
    llvm::SmallVector<Value*> arguments = {holds, value};
    for (llvm::Argument& argument : function.args()) arguments.push_back(&argument);
    Value* mended = builder.CreateCall(special_cases(function, formula, lanes), arguments);
    builder.CreateBr(done);
    builder.SetInsertPoint(done);
    llvm::PHINode* result = builder.CreatePHI(type, 2);
    result->addIncoming(value, formula_end);
    result->addIncoming(mended, special);
    builder.CreateRet(result);
}

}  // namespace

void add_vector_doubles(llvm::TargetLibraryInfoImpl& libraries, const llvm::TargetMachine& machine) {
    const llvm::MCSubtargetInfo& features = *machine.getMCSubtargetInfo();
    if (!features.checkFeatures("+fma") || !features.checkFeatures("+avx2")) return;
    // Mappings only refer to their names.
    static std::deque<std::string> names;
    static const std::vector<llvm::VecDesc> mappings = [] {
        std::vector<llvm::VecDesc> all;
        auto keep = [&](std::string name) -> llvm::StringRef { return names.emplace_back(std::move(name)); };
        for (const DoubleFormula& formula : double_formulas())
            for (unsigned lanes : lane_counts(formula)) {
                const llvm::StringRef vector = keep(vector_name(formula.name, lanes));
                const llvm::StringRef shape =
                    keep("_ZGV_LLVM_N" + std::to_string(lanes) + (formula.operands == 1 ? "v" : "vv"));
                const auto count = llvm::ElementCount::getFixed(lanes);
                all.emplace_back(keep(formula.name), vector, count, false, shape);
                if (formula.is_intrinsic)
                    all.emplace_back(keep(std::string("llvm.") + formula.name + ".f64"), vector, count, false, shape);
            }
        return all;
    }();
    libraries.addVectorizableFunctions(mappings);
}

void call_double_functions(llvm::Module& module) {
    for (llvm::Function& function : module)
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
            llvm::Type* type = instruction.getType();
            const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
            const bool scales = intrinsic && intrinsic->getIntrinsicID() == llvm::Intrinsic::ldexp;
            if (!scales && instruction.getOpcode() != llvm::Instruction::FRem) continue;
            if (!type->isFloatTy() && !type->isDoubleTy()) continue;
            IRBuilder<> builder(&instruction);
            Value *x = instruction.getOperand(0), *y = instruction.getOperand(1), *result;
            if (scales) {
                // Exact as a double, or nothing but 0 or infinity as a float.
                llvm::Type* wide = builder.getDoubleTy();
                result =
                    builder.CreateFPTrunc(call_libm(builder, "ldexp", wide, {builder.CreateFPExt(x, wide), y}), type);
            } else {
                result = call_libm(builder, type->isFloatTy() ? "fmodf" : "fmod", type, {x, y});
            }
            instruction.replaceAllUsesWith(result);
            instruction.eraseFromParent();
        }
}

void define_vector_doubles(llvm::Module& module) {
    llvm::SmallVector<llvm::Function*> defined;
    for (const DoubleFormula& formula : double_formulas())
        for (unsigned lanes : lane_counts(formula)) {
            llvm::Function* function = module.getFunction(vector_name(formula.name, lanes));
            if (!function) continue;
            define(*function, formula, lanes);
            defined.push_back(function);
        }
    if (defined.empty()) return;
    llvm::removeFromUsedLists(module, [&](llvm::Constant* used) {
        return llvm::is_contained(defined, llvm::dyn_cast<llvm::Function>(used->stripPointerCasts()));
    });
}

}  // namespace lanewise::cpu
