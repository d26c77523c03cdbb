#include "frontend/cuda/clang/prelude.h"

#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Serialization/ASTWriter.h>
#include <fmt/format.h>
#include <llvm/Support/Endian.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

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
    std::map<Prelude, Entry> entries;
};

/// Those of our headers that take longer to parse than the prelude itself..
constexpr const char* slow_headers[] = {"cuda_bf16.h", "cuda_fp16.h"};

/// Whether `text` has #include <header> or "header".
bool includes(llvm::StringRef text, llvm::StringRef header) {
    for (std::size_t at = text.find(header); at != llvm::StringRef::npos; at = text.find(header, at + 1)) {
        const llvm::StringRef before = text.take_front(at), after = text.drop_front(at + header.size());
        const llvm::StringRef line = before.drop_front(before.rfind('\n') + 1).trim();
        const bool quoted =
            (line.ends_with("<") && after.starts_with(">")) || (line.ends_with("\"") && after.starts_with("\""));
        if (quoted && line.starts_with("#") && line.drop_front().ltrim().starts_with("include")) return true;
    }
    return false;
}

/// Whether the machine has files of that name that come before ours.
bool has_own(const Source& source, const Options& options, const std::string& header) {
    std::vector<std::string> folders;
    for (const std::string& folder : options.include_folders)
        if (!is_toolkit(folder)) folders.push_back(folder);
    folders.push_back(llvm::sys::path::parent_path(file_name(source)).str());
    return llvm::any_of(folders, [&](const std::string& folder) {
        llvm::SmallString<128> path(folder);
        llvm::sys::path::append(path, header);
        return llvm::sys::fs::exists(path);
    });
}

}  // namespace

Prelude prelude_of(const Source& source, const Options& options) {
    Prelude prelude{language_arguments(options), ""};
    for (const char* header : slow_headers)
        if (includes(source.text, header) && !has_own(source, options, header)) {
            prelude.header = header;
            break;
        }
    return prelude;
}

std::vector<Prelude> embedded_preludes() {
    const std::vector<std::string> arguments = language_arguments({});
    std::vector<Prelude> preludes = {{arguments, ""}};
    for (const char* header : slow_headers) preludes.push_back({arguments, header});
    return preludes;
}

std::string prelude_source(const Prelude& prelude) {
    // The prelude is included, not compiled itself: what is in it counts as a system header's.
    std::string text = fmt::format("#include <{}>\n", prelude_file);
    if (!prelude.header.empty()) text += fmt::format("#include <{}>\n", prelude.header);
    return text;
}

std::optional<std::string> precompile(const Prelude& prelude, std::string& log) {
    std::vector<std::string> arguments = prelude.arguments;
    const std::string text = prelude_source(prelude);
    arguments.insert(arguments.end(), {"-target-cpu", "sm_90", "-w"});
    llvm::raw_string_ostream stream(log);
    clang::TextDiagnosticPrinter printer(stream, new clang::DiagnosticOptions);
    clang::CompilerInstance compiler;
    if (!prepare(compiler, std::move(arguments), prelude_source_file, printer)) return std::nullopt;
    compiler.createFileManager(clang_files({{prelude_source_file, text}}));
    compiler.createSourceManager(compiler.getFileManager());
    const auto buffer = std::make_shared<clang::PCHBuffer>();
    Precompile action(buffer);
    if (!compiler.ExecuteAction(action) || !buffer->IsComplete) return std::nullopt;
    return std::string(buffer->Data.begin(), buffer->Data.end());
}

std::optional<llvm::StringRef> precompiled(const Prelude& prelude) {
    static const std::vector<Prelude> embedded = embedded_preludes();
    if (lanewise_embedded_preludes)
        for (std::size_t i = 0, at = llvm::alignTo(8 * embedded.size(), 16); i < embedded.size(); ++i) {
            const std::uint64_t size = llvm::support::endian::read64le(lanewise_embedded_preludes + 8 * i);
            if (embedded[i] == prelude) return llvm::StringRef(lanewise_embedded_preludes + at, size);
            at = llvm::alignTo(at + size, 16);
        }
    static Cache cache;
    const std::lock_guard lock(cache.mutex);
    Cache::Entry& entry = cache.entries[prelude];
    std::string log;
    if (++entry.uses == 2) entry.bytes = precompile(prelude, log);
    return entry.bytes ? std::optional<llvm::StringRef>(*entry.bytes) : std::nullopt;
}

}  // namespace lanewise::cuda_cpp
