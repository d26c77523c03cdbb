#include "backend/cuda/target/libdevice.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Transforms/IPO/Internalize.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>

#include "base/cuda_places.h"
#include "codegen/llvm.h"
#include "lanewise/error.h"

namespace lanewise::cuda {

namespace fs = std::filesystem;

namespace {

constexpr char file_name[] = "libdevice.10.bc";

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

/// Calls visit(path) for each place in order of preference until it answers true.
template <class Visit>
void visit_places(Visit visit) {
    auto under = [&](const fs::path& toolkit) { return visit(toolkit / "nvvm" / "libdevice" / file_name); };
    const std::string listed = environment("LANEWISE_LIBDEVICE");
    for (std::size_t begin = 0; begin < listed.size();) {
        const std::size_t end = std::min(listed.find(':', begin), listed.size());
        const fs::path place = listed.substr(begin, end - begin);
        if (visit(place) || visit(place / file_name) || under(place)) return;
        begin = end + 1;
    }
    for (const std::string& root : cuda_roots())
        if (under(root)) return;
    visit(fs::path("/usr/lib/nvidia-cuda-toolkit/libdevice") / file_name);
}

/// Mapped files, kept for the process: each compile reads its own lazy module from the same bytes.
llvm::MemoryBufferRef load_file(const std::string& path) {
    static std::mutex mutex;
    static std::map<std::string, std::unique_ptr<llvm::MemoryBuffer>> loaded;
    std::lock_guard lock(mutex);
    std::unique_ptr<llvm::MemoryBuffer>& buffer = loaded[path];
    if (!buffer) {
        auto opened = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
        if (!opened)
            throw Error(ErrorKind::Lowering,
                        fmt::format("libdevice: cannot read {}: {}", path, opened.getError().message()));
        buffer = std::move(*opened);
    }
    return buffer->getMemBufferRef();
}

std::string find_file(const std::vector<std::string>& needed) {
    std::string found, looked;
    visit_places([&](const fs::path& path) {
        std::error_code ignored;
        if (fs::is_regular_file(path, ignored)) {
            found = path.string();
            return true;
        }
        looked += "\n  " + path.string();
        return false;
    });
    if (!found.empty()) return found;
    throw Error(
        ErrorKind::Lowering,
        fmt::format("The kernel calls {}, which {} in NVIDIA's {}, and this file was not found. Install the package "
                    "nvidia-cuda-nvcc with pip, or set LANEWISE_LIBDEVICE or CUDA_HOME. Looked for:{}",
                    fmt::join(needed, ", "), needed.size() == 1 ? "is" : "are", file_name, looked));
}

/// __nvvm_reflect asks for compile options by name; the answers become constants.
void answer_reflection(llvm::Module& module, const LibdeviceOptions& options) {
    llvm::Function* reflect = module.getFunction("__nvvm_reflect");
    if (!reflect) return;
    for (llvm::User* user : llvm::make_early_inc_range(reflect->users())) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(user);
        if (!call) continue;
        llvm::StringRef question;
        auto* text = llvm::dyn_cast<llvm::GlobalVariable>(call->getArgOperand(0)->stripPointerCasts());
        if (text && text->hasInitializer())
            if (auto* data = llvm::dyn_cast<llvm::ConstantDataArray>(text->getInitializer()))
                question = data->getAsCString();
        int answer = 0;
        if (question == "__CUDA_FTZ") answer = options.flush_denormals;
        if (question == "__CUDA_PREC_SQRT" || question == "__CUDA_PREC_DIV") answer = options.precise_sqrt;
        if (question == "__CUDA_ARCH") answer = 10 * options.compute_capability;
        call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), answer));
        call->eraseFromParent();
    }
    if (reflect->use_empty()) reflect->eraseFromParent();
}

/// libdevice is newer than LLVM and uses an intrinsic that it does not know.
void replace_unknown_intrinsics(llvm::Module& module) {
    llvm::Function* tanh = module.getFunction("llvm.nvvm.tanh.approx.f32");
    if (!tanh || tanh->getIntrinsicID() != llvm::Intrinsic::not_intrinsic) return;
    auto* assembly = llvm::InlineAsm::get(tanh->getFunctionType(), "tanh.approx.f32 $0, $1;", "=f,f", false);
    for (llvm::User* user : llvm::make_early_inc_range(tanh->users()))
        if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) {
            call->replaceAllUsesWith(
                llvm::CallInst::Create(assembly, {call->getArgOperand(0)}, "", call->getIterator()));
            call->eraseFromParent();
        }
    tanh->eraseFromParent();
}

}  // namespace

void link_libdevice(llvm::Module& module, const LibdeviceOptions& options) {
    std::vector<std::string> needed;
    for (const llvm::Function& function : module)
        if (function.isDeclaration() && function.getName().starts_with("__nv_") && !function.use_empty())
            needed.push_back(function.getName().str());
    if (needed.empty()) return;

    const std::string path = find_file(needed);
    auto library = llvm::getLazyBitcodeModule(load_file(path), module.getContext());
    if (!library)
        throw Error(ErrorKind::Lowering,
                    fmt::format("libdevice: {} is no LLVM bitcode: {}", path, llvm::toString(library.takeError())));
    for (const std::string& name : needed)
        if (!(*library)->getFunction(name))
            throw Error(ErrorKind::Lowering, fmt::format("libdevice: {} has no function '{}'", path, name));
    (*library)->setDataLayout(module.getDataLayout());
    (*library)->setTargetTriple(module.getTargetTriple());
    const bool failed =
        llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::LinkOnlyNeeded,
                                  [](llvm::Module& whole, const llvm::StringSet<>& linked) {
                                      llvm::internalizeModule(whole, [&](const llvm::GlobalValue& value) {
                                          return !value.hasName() || !linked.contains(value.getName());
                                      });
                                  });
    if (failed) throw Error(ErrorKind::Internal, fmt::format("libdevice: {} could not be linked", path));
    answer_reflection(module, options);
    replace_unknown_intrinsics(module);
}

}  // namespace lanewise::cuda
