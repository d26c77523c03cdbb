#include "backend/cpu/target/machine.h"

#include <fmt/format.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/TargetParser/Host.h>

#include <mutex>

#include "lanewise/error.h"

namespace lanewise::cpu {
namespace {

void check_features(const llvm::TargetMachine& machine, const std::string& target, llvm::StringRef features) {
    llvm::SmallVector<llvm::StringRef, 32> names;
    features.split(names, ',', -1, false);
    const llvm::MCSubtargetInfo& info = *machine.getMCSubtargetInfo();
    for (llvm::StringRef name : names) {
        const bool known = name.size() > 1 && (name[0] == '+' || name[0] == '-') &&
                           llvm::any_of(info.getAllProcessorFeatures(), [&](const llvm::SubtargetFeatureKV& feature) {
                               return name.drop_front() == feature.Key;
                           });
        if (!known) {
            throw Error(ErrorKind::Value,
                        fmt::format("cpu target \"{}\": \"{}\" is no feature of the architecture; features are written "
                                    "+name or -name with LLVM's names, for instance \"x86_64:+avx2,+fma\"",
                                    target, name.str()));
        }
    }
}

}  // namespace

std::unique_ptr<llvm::TargetMachine> make_target_machine(const std::string& target, const CompileOptions& options) {
    static std::once_flag once;
    std::call_once(once, [] {
        llvm::InitializeNativeTarget();
        llvm::InitializeNativeTargetAsmPrinter();
    });

    const auto [arch, features] = llvm::StringRef(target).split(':');
    llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
    triple.setArch(llvm::Triple(arch).getArch());
    std::string message;
    const llvm::Target* found = nullptr;
    if (triple.getArch() != llvm::Triple::UnknownArch) {
        found = llvm::TargetRegistry::lookupTarget(triple.str(), message);
    }
    if (!found) {
        throw Error(ErrorKind::Value,
                    fmt::format("cpu target \"{}\": no code generator for architecture \"{}\" is linked in; this build "
                                "makes code for {}",
                                target, arch.str(), llvm::Triple(llvm::sys::getProcessTriple()).getArchName().str()));
    }

    llvm::TargetOptions target_options;
    // Only instructions that carry the contract flag fuse; expansions that rely on exact rounding carry none.
    target_options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
    target_options.FunctionSections = false;
    const auto level = options.opt_level <= 0   ? llvm::CodeGenOptLevel::None
                       : options.opt_level == 1 ? llvm::CodeGenOptLevel::Less
                       : options.opt_level == 2 ? llvm::CodeGenOptLevel::Default
                                                : llvm::CodeGenOptLevel::Aggressive;
    std::unique_ptr<llvm::TargetMachine> machine(found->createTargetMachine(
        triple.str(), triple.isX86() ? "x86-64" : "generic", features, target_options, llvm::Reloc::PIC_, {}, level));
    check_features(*machine, target, features);
    return machine;
}

}  // namespace lanewise::cpu
