#include "frontend/cuda/clang/prelude.h"

#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Serialization/ASTWriter.h>
#include <fmt/format.h>

#include <map>
#include <mutex>

#include "frontend/cuda/clang/invocation.h"

namespace lanewise::cuda_cpp {

namespace {

class Precompile : public clang::ASTFrontendAction {
public:
    explicit Precompile(std::shared_ptr<clang::PCHBuffer> buffer) : buffer_(std::move(buffer)) {}

    clang::TranslationUnitKind getTranslationUnitKind() override { return clang::TU_Prefix; }

protected:
    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef) override {
        return std::make_unique<clang::PCHGenerator>(
            compiler.getPreprocessor(), compiler.getModuleCache(), precompiled_file, /*isysroot=*/"", buffer_,
            llvm::ArrayRef<std::shared_ptr<clang::ModuleFileExtension>>(), /*AllowASTWithErrors=*/false,
            /*IncludeTimestamps=*/false);
    }

private:
    std::shared_ptr<clang::PCHBuffer> buffer_;
};

struct Cache {
    struct Entry {
        int uses = 0;
        std::optional<std::string> bytes;
    };
    std::mutex mutex;
    std::map<std::vector<std::string>, Entry> entries;
};

}  // namespace

std::optional<std::string> precompile_prelude(const std::vector<std::string>& arguments, std::string& log) {
    std::vector<std::string> all = arguments;
    // The prelude is included, not compiled itself: what is in it counts as a system header's.
    const char file[] = "/lanewise/prelude.cu";
    const std::string text = fmt::format("#include <{}>\n", prelude_file);
    all.insert(all.end(), {"-target-cpu", "sm_90", "-w", "-x", "cuda", file});
    llvm::raw_string_ostream stream(log);
    clang::TextDiagnosticPrinter printer(stream, new clang::DiagnosticOptions);
    clang::CompilerInstance compiler;
    if (!prepare(compiler, all, printer)) return std::nullopt;
    compiler.createFileManager(clang_files({{file, text}}));
    compiler.createSourceManager(compiler.getFileManager());
    const auto buffer = std::make_shared<clang::PCHBuffer>();
    Precompile action(buffer);
    if (!compiler.ExecuteAction(action) || !buffer->IsComplete) return std::nullopt;
    return std::string(buffer->Data.begin(), buffer->Data.end());
}

std::optional<llvm::StringRef> precompiled_prelude(const std::vector<std::string>& arguments) {
    static const std::vector<std::string> default_arguments = language_arguments({});
    if (lanewise_prelude_begin && arguments == default_arguments)
        return llvm::StringRef(lanewise_prelude_begin, lanewise_prelude_end - lanewise_prelude_begin);
    static Cache cache;
    const std::lock_guard lock(cache.mutex);
    Cache::Entry& entry = cache.entries[arguments];
    std::string log;
    if (++entry.uses == 2) entry.bytes = precompile_prelude(arguments, log);
    return entry.bytes ? std::optional<llvm::StringRef>(*entry.bytes) : std::nullopt;
}

}  // namespace lanewise::cuda_cpp
