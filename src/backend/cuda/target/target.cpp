#include "backend/cuda/target/target.h"

#include <fmt/format.h>
#include <llvm/Analysis/SimplifyQuery.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include <mutex>

#include "backend/cuda/target/device_functions.h"
#include "backend/cuda/target/entries.h"
#include "backend/cuda/target/libdevice.h"
#include "backend/cuda/target/trip_counts.h"
#include "backend/cuda/target/truth_vectors.h"
#include "backend/cuda/target/wide_copies.h"
#include "base/dump.h"
#include "codegen/llvm.h"
#include "codegen/module_text.h"
#include "runtime/launch_limits.h"

namespace lanewise::cuda {

using namespace llvm;

namespace {

/// Architectures of LLVM 19, oldest first.
constexpr int known_architectures[] = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90};
constexpr std::uint32_t static_shared_bytes = 48 * 1024;

struct Architecture {
    int number;       ///< 10 * major + minor
    std::string cpu;  ///< LLVM's name
};

Architecture parse_target(const std::string& target) {
    StringRef text = target;
    int number = 0;
    StringRef rest = text;
    const bool numbered = rest.consume_front("sm_") && !rest.consumeInteger(10, number);
    if (!numbered || !(rest.empty() || rest == "a" || rest == "f") || number < known_architectures[0])
        throw Error(ErrorKind::Value,
                    fmt::format("'{}' is no CUDA target: expected \"sm_\" and a compute capability from "
                                "5.0 on, for instance \"sm_80\" or \"sm_90a\"",
                                target));
    int best = known_architectures[0];
    for (int known : known_architectures)
        if (known <= number) best = known;
    // Features of an "a" target do not carry forward, so only that very architecture may use them.
    const bool specific = number == 90 && rest == "a";
    return {best, fmt::format("sm_{}{}", best, specific ? "a" : "")};
}

CodeGenOptLevel codegen_level(const CompileOptions& options) {
    if (options.debug || options.opt_level <= 0) return CodeGenOptLevel::None;
    return options.opt_level == 1   ? CodeGenOptLevel::Less
           : options.opt_level == 2 ? CodeGenOptLevel::Default
                                    : CodeGenOptLevel::Aggressive;
}

OptimizationLevel optimization_level(const CompileOptions& options) {
    if (options.debug || options.opt_level <= 0) return OptimizationLevel::O0;
    return options.opt_level == 1   ? OptimizationLevel::O1
           : options.opt_level == 2 ? OptimizationLevel::O2
                                    : OptimizationLevel::O3;
}

/// What ptxas would refuse with less to say.
void check_limits(const std::vector<EntryPoint>& entries, const Architecture& architecture) {
    const std::uint32_t parameter_limit =
        architecture.number >= 70 ? max_parameter_bytes : max_parameter_bytes_before_7_0;
    for (const EntryPoint& entry : entries) {
        if (entry.static_shared_bytes > static_shared_bytes)
            throw Error(
                ErrorKind::Lowering,
                fmt::format("kernel '{}' declares {} bytes of shared memory; a CUDA kernel has at most {} of static "
                            "shared memory. Dynamic shared memory (shape 0, and its size at the launch) goes beyond.",
                            entry.name, entry.static_shared_bytes, static_shared_bytes));
        if (entry.parameter_bytes > parameter_limit)
            throw Error(ErrorKind::Lowering,
                        fmt::format("kernel '{}' takes {} bytes of parameters; on sm_{} at most {} fit", entry.name,
                                    entry.parameter_bytes, architecture.number, parameter_limit));
    }
}

/// PTX 8.0 is the first with sm_90a and known to every driver since 525; parameters beyond 4 KiB came with 8.1.
const char* ptx_version(const std::vector<EntryPoint>& entries) {
    for (const EntryPoint& entry : entries)
        if (entry.parameter_bytes > max_parameter_bytes_before_7_0) return "+ptx81";
    return "+ptx80";
}

std::unique_ptr<TargetMachine> create_machine(const std::string& triple, const Architecture& architecture,
                                              const char* ptx, const CompileOptions& options) {
    static std::once_flag once;
    std::call_once(once, [] {
        LLVMInitializeNVPTXTargetInfo();
        LLVMInitializeNVPTXTarget();
        LLVMInitializeNVPTXTargetMC();
        LLVMInitializeNVPTXAsmPrinter();
    });
    std::string problem;
    const Target* target = TargetRegistry::lookupTarget(triple, problem);
    if (!target) throw Error(ErrorKind::Internal, "NVPTX code generator: " + problem);
    TargetOptions target_options;
    target_options.AllowFPOpFusion = options.contract || options.fastmath ? FPOpFusion::Fast : FPOpFusion::Strict;
    return std::unique_ptr<TargetMachine>(target->createTargetMachine(
        triple, architecture.cpu, ptx, target_options, Reloc::PIC_, std::nullopt, codegen_level(options)));
}

void optimize(llvm::Module& module, TargetMachine& machine, const CompileOptions& options) {
    PipelineTuningOptions tuning;
    // There are no vector units to fill; memory accesses are paired by the code generator's own pass.
    tuning.LoopVectorization = false;
    tuning.LoopInterleaving = false;
    tuning.SLPVectorization = false;
    PassBuilder builder(&machine, tuning);
    LoopAnalysisManager loops;
    FunctionAnalysisManager functions;
    CGSCCAnalysisManager components;
    ModuleAnalysisManager modules;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
    builder.registerOptimizerEarlyEPCallback([](ModulePassManager& passes, OptimizationLevel level) {
        if (level == OptimizationLevel::O0) return;
        FunctionPassManager counting;
        counting.addPass(LoopSimplifyPass());
        counting.addPass(TripCountPass());
        passes.addPass(createModuleToFunctionPassAdaptor(std::move(counting)));
    });
    const OptimizationLevel level = optimization_level(options);
    ModulePassManager passes = level == OptimizationLevel::O0 ? builder.buildO0DefaultPipeline(level)
                                                              : builder.buildPerModuleDefaultPipeline(level);
    passes.run(module, modules);
}

/// The device's conversions saturate by themselves, so after optimisation, when nothing takes an out-of-range result
/// for undefined any more, the saturating intrinsics become plain conversions. From float64, and to 64 bits, the device
/// gives the lowest number for NaN, not 0: there a test stays.
void use_native_conversions(llvm::Module& module) {
    for (llvm::Function& function : module) {
        const bool is_signed = function.getIntrinsicID() == Intrinsic::fptosi_sat;
        if (!is_signed && function.getIntrinsicID() != Intrinsic::fptoui_sat) continue;
        for (User* user : make_early_inc_range(function.users())) {
            auto* call = cast<CallInst>(user);
            IRBuilder<> b(call);
            Value* value = call->getArgOperand(0);
            llvm::Type* type = call->getType();
            Value* converted = is_signed ? b.CreateFPToSI(value, type) : b.CreateFPToUI(value, type);
            const bool minimum_for_nan = value->getType()->isDoubleTy() || type->getScalarSizeInBits() == 64;
            if (minimum_for_nan && !isKnownNeverNaN(value, 0, SimplifyQuery(module.getDataLayout(), call)))
                converted = b.CreateSelect(b.CreateFCmpORD(value, value), converted, Constant::getNullValue(type));
            call->replaceAllUsesWith(converted);
            call->eraseFromParent();
        }
    }
}

/// LLVM 19 puts .ftz on bfloat16 instructions, which have no such form; modules with them keep denormals.
bool uses_bfloat(const llvm::Module& module) {
    for (const llvm::Function& function : module)
        for (const Instruction& instruction : instructions(function)) {
            if (instruction.getType()->isBFloatTy()) return true;
            for (const Use& operand : instruction.operands())
                if (operand->getType()->isBFloatTy()) return true;
        }
    return false;
}

/// What the module says of its own arithmetic, as CUDA C++ does option by option; else `otherwise`.
bool module_flag(const llvm::Module& module, const char* name, bool otherwise) {
    const auto* value = mdconst::extract_or_null<ConstantInt>(module.getModuleFlag(name));
    return value ? !value->isZero() : otherwise;
}

}  // namespace

Image compile(std::unique_ptr<llvm::Module> module, const std::string& target, const CompileOptions& options) {
    const Architecture architecture = parse_target(target);
    Image image;
    image.format = ImageFormat::Ptx;
    image.target = target;
    image.entries = entry_points(*module);
    check_limits(image.entries, architecture);
    std::unique_ptr<TargetMachine> machine =
        create_machine(module->getTargetTriple(), architecture, ptx_version(image.entries), options);
    module->setDataLayout(machine->createDataLayout());
    if (options.keep_text) image.llvm_ir = codegen::module_text(*module);

    const bool flush = module_flag(*module, "nvvm-reflect-ftz", options.fastmath) && !uses_bfloat(*module);
    const bool precise_sqrt = module_flag(*module, "lanewise-precise-sqrt", !options.fastmath);
    define_device_functions(*module);
    link_libdevice(*module,
                   {.compute_capability = architecture.number, .flush_denormals = flush, .precise_sqrt = precise_sqrt});
    // On every function: one of another denormal mode than the kernel's would not be inlined into it.
    for (llvm::Function& function : *module) {
        function.removeFnAttr("denormal-fp-math-f32");
        if (flush && !function.isDeclaration())
            function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
    }
    optimize(*module, *machine, options);
    use_native_conversions(*module);
    split_extended_truth_vectors(*module);
    widen_copies(*module);
    if (dump_requested("llvm-opt")) dump("optimised llvm ir for " + target, codegen::module_text(*module));

    SmallString<0> ptx;
    raw_svector_ostream stream(ptx);
    legacy::PassManager emission;
    if (machine->addPassesToEmitFile(emission, stream, nullptr, CodeGenFileType::AssemblyFile, /*DisableVerify=*/true))
        throw Error(ErrorKind::Internal, "NVPTX code generator: cannot emit assembly");
    emission.run(*module);
    if (dump_requested("ptx")) dump("ptx for " + target, std::string_view(ptx.data(), ptx.size()));

    image.bytes.assign(ptx.begin(), ptx.end());
    image.bytes.push_back(0);
    if (options.keep_text) image.assembly.assign(ptx.begin(), ptx.end());
    return image;
}

}  // namespace lanewise::cuda
