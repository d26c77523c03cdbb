#include "backend/cpu/target/optimise.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/CorrelatedValuePropagation.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include "backend/cpu/spmd/sync.h"
#include "backend/cpu/target/special.h"
#include "backend/cpu/target/vector_doubles.h"
#include "backend/cpu/target/vector_math.h"
#include "lanewise/error.h"

namespace lanewise::cpu {
namespace {

/// The analysis managers of one run, cross-registered.
struct Analyses {
    explicit Analyses(llvm::PassBuilder& builder, const llvm::TargetLibraryInfoImpl* libraries = nullptr) {
        // The first registration of an analysis stands.
        if (libraries) function.registerPass([&] { return llvm::TargetLibraryAnalysis(*libraries); });
        builder.registerModuleAnalyses(module);
        builder.registerCGSCCAnalyses(graph);
        builder.registerFunctionAnalyses(function);
        builder.registerLoopAnalyses(loop);
        builder.crossRegisterProxies(loop, function, graph, module);
    }
    llvm::LoopAnalysisManager loop;
    llvm::FunctionAnalysisManager function;
    llvm::CGSCCAnalysisManager graph;
    llvm::ModuleAnalysisManager module;
};

void emit(llvm::Module& module, llvm::TargetMachine& machine, llvm::raw_pwrite_stream& stream,
          llvm::CodeGenFileType type) {
    llvm::legacy::PassManager passes;
    if (machine.addPassesToEmitFile(passes, stream, nullptr, type)) {
        throw Error(ErrorKind::Internal, "the host's code generator cannot emit object files");
    }
    passes.run(module);
}

bool meets_in_loops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    const llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
    return llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction& instruction) {
        return sync_kind(instruction) != SyncKind::None && loops.getLoopFor(instruction.getParent());
    });
}

}  // namespace

void inline_device_functions(llvm::Module& module) {
    llvm::CallGraph graph(module);
    for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component) {
        for (llvm::CallGraphNode* node : *component) {
            llvm::Function* function = node->getFunction();
            if (!function || function->isDeclaration() || component.hasCycle() || is_helper(*function)) continue;
            function->removeFnAttr(llvm::Attribute::NoInline);
            function->removeFnAttr(llvm::Attribute::OptimizeNone);
            function->addFnAttr(llvm::Attribute::AlwaysInline);
        }
    }
    llvm::PassBuilder builder;
    Analyses analyses(builder);
    llvm::ModulePassManager passes;
    passes.addPass(llvm::AlwaysInlinerPass(false));
    passes.addPass(llvm::GlobalDCEPass());
    passes.run(module, analyses.module);
}

void simplify_functions(llvm::Module& module) {
    llvm::PassBuilder builder;
    Analyses analyses(builder);
    llvm::FunctionPassManager first, unroll, second;
    first.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    first.addPass(llvm::EarlyCSEPass(true));
    first.addPass(llvm::SimplifyCFGPass());
    // Unrolled, exchanges between fixed lanes become fixed permutations, and distances between threads constants.
    unroll.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopFullUnrollPass(3)));
    unroll.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    unroll.addPass(llvm::EarlyCSEPass(true));
    // Guarded indices are seen not to be negative before InstCombine turns the choice into arithmetic.
    second.addPass(llvm::CorrelatedValuePropagationPass());
    second.addPass(llvm::InstCombinePass());
    for (llvm::Function& function : module) {
        if (function.isDeclaration() || is_helper(function)) continue;
        first.run(function, analyses.function);
        if (meets_in_loops(function, analyses.function)) unroll.run(function, analyses.function);
        second.run(function, analyses.function);
    }
}

void simplify_thread_function(llvm::Function& function) {
    llvm::PassBuilder builder;
    Analyses analyses(builder);
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes.addPass(llvm::EarlyCSEPass(true));
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
    passes.run(function, analyses.function);
}

void simplify_region(llvm::Function& function) {
    llvm::PassBuilder builder;
    Analyses analyses(builder);
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::EarlyCSEPass(true));
    passes.addPass(llvm::SimplifyCFGPass());
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
    passes.run(function, analyses.function);
}

/// The SLP vectoriser takes seconds for a block of thousands of instructions, and minutes for a longer one.
constexpr std::size_t longest_block_for_slp = 2000;

bool has_long_block(const llvm::Module& module) {
    for (const llvm::Function& function : module)
        for (const llvm::BasicBlock& block : function)
            if (block.size() > longest_block_for_slp) return true;
    return false;
}

/// Functions of math use registers of 512 bits where those cost no lower frequency (Ice Lake and Zen 4 on). Others keep
/// to 256: memory bounds them, and short loops end sooner.
void widen_math(llvm::Module& module, const llvm::TargetMachine& machine,
                const llvm::TargetLibraryInfoImpl& libraries) {
    if (!machine.getMCSubtargetInfo()->checkFeatures("+avx512vbmi2")) return;
    auto has_wide_form = [&](const llvm::Instruction& instruction) {
        const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (!call || !call->getCalledFunction()) return false;
        const unsigned lanes = call->getType()->isDoubleTy() ? 8 : 16;
        return libraries.isFunctionVectorizable(call->getCalledFunction()->getName(),
                                                llvm::ElementCount::getFixed(lanes));
    };
    for (llvm::Function& function : module)
        if (llvm::any_of(llvm::instructions(function), has_wide_form)) function.addFnAttr("prefer-vector-width", "512");
}

void optimise_module(llvm::Module& module, llvm::TargetMachine& machine, const CompileOptions& options,
                     bool vector_math) {
    llvm::PipelineTuningOptions tuning;
    tuning.LoopVectorization = true;
    tuning.SLPVectorization = !has_long_block(module);
    llvm::PassBuilder builder(&machine, tuning);
    llvm::TargetLibraryInfoImpl libraries(llvm::Triple(module.getTargetTriple()));
    add_vector_doubles(libraries, machine);
    if (vector_math) add_vector_math(libraries, machine, options.fastmath);
    call_double_functions(module);
    widen_math(module, machine, libraries);
    Analyses analyses(builder, &libraries);
    const llvm::OptimizationLevel level = options.opt_level <= 1   ? llvm::OptimizationLevel::O1
                                          : options.opt_level == 2 ? llvm::OptimizationLevel::O2
                                                                   : llvm::OptimizationLevel::O3;
    builder.buildPerModuleDefaultPipeline(level).run(module, analyses.module);
    define_vector_doubles(module);
    llvm::ModulePassManager last;
    last.addPass(llvm::AlwaysInlinerPass(false));
    last.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::EarlyCSEPass()));
    last.addPass(llvm::GlobalDCEPass());
    last.run(module, analyses.module);
}

llvm::SmallVector<char, 0> emit_object(llvm::Module& module, llvm::TargetMachine& machine) {
    llvm::SmallVector<char, 0> object;
    llvm::raw_svector_ostream stream(object);
    emit(module, machine, stream, llvm::CodeGenFileType::ObjectFile);
    return object;
}

std::string emit_assembly(llvm::Module& module, llvm::TargetMachine& machine) {
    llvm::SmallString<0> text;
    llvm::raw_svector_ostream stream(text);
    emit(module, machine, stream, llvm::CodeGenFileType::AssemblyFile);
    return std::string(text);
}

}  // namespace lanewise::cpu
