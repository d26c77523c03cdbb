#include "frontend/cuda/clang/frontend.h"

#include <clang/Basic/Stack.h>
#include <clang/Basic/Version.h>
#include <clang/Sema/Sema.h>
#include <fmt/format.h>

#include <functional>
#include <optional>

#include "frontend/cuda/clang/assembly_places.h"
#include "frontend/cuda/clang/diagnostics.h"
#include "frontend/cuda/clang/invocation.h"
#include "frontend/cuda/clang/kernels.h"
#include "frontend/cuda/clang/module.h"
#include "frontend/cuda/clang/prelude.h"

namespace lanewise::cuda_cpp {

namespace {

/// Looks on while clang parses and keeps what describes the text. Bodies of functions of the host are passed over: they
/// may use what only the host has.
class Reader : public clang::ASTConsumer {
public:
    /// `finish` is called at the end, when the syntax tree is complete; `all_bodies` of functions are passed over.
    Reader(bool all_bodies, std::function<void(const Reader&)> finish)
        : skips_all_bodies_(all_bodies), finish_(std::move(finish)) {}

    bool shouldSkipFunctionBody(clang::Decl* declaration) override {
        // A template stands for the function it is of.
        const clang::FunctionDecl* function = declaration->getAsFunction();
        return skips_all_bodies_ ||
               (function && !function->hasAttr<clang::CUDADeviceAttr>() && !function->hasAttr<clang::CUDAGlobalAttr>());
    }

    void HandleTranslationUnit(clang::ASTContext&) override { finish_(*this); }

    bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
        for (clang::Decl* declaration : group) {
            const clang::SourceManager& sources = declaration->getASTContext().getSourceManager();
            if (!sources.isInSystemHeader(declaration->getLocation())) declarations_.push_back(declaration);
        }
        return true;
    }

    /// The kernels of the text, in source order.
    std::vector<const clang::FunctionDecl*> kernels() const {
        std::vector<const clang::FunctionDecl*> kernels;
        for (clang::Decl* declaration : declarations_) collect_kernels(*declaration, kernels);
        return kernels;
    }

    /// What the name expressions name: null for those that name nothing that has an address on the device.
    std::vector<const clang::NamedDecl*> named(std::size_t count) const {
        std::vector<const clang::NamedDecl*> found(count, nullptr);
        for (clang::Decl* declaration : declarations_) {
            const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
            if (!variable || !variable->getName().starts_with("__lanewise_name_")) continue;
            for (std::size_t i = 0; i < count; ++i)
                if (variable->getName() == name_variable(i) && variable->getInit())
                    found[i] = referred(*variable->getInit());
        }
        return found;
    }

private:
    /// The kernel, or the variable of the device, that an expression is the name or the address of.
    static const clang::NamedDecl* referred(const clang::Expr& expression) {
        const clang::Expr* inner = expression.IgnoreParenCasts();
        while (true) {
            if (const auto* cleanups = llvm::dyn_cast<clang::FullExpr>(inner))
                inner = cleanups->getSubExpr()->IgnoreParenCasts();
            else if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(inner))
                inner = temporary->getSubExpr()->IgnoreParenCasts();
            else if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(inner);
                     address && address->getOpcode() == clang::UO_AddrOf)
                inner = address->getSubExpr()->IgnoreParenCasts();
            else
                break;
        }
        const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(inner);
        if (!reference) return nullptr;
        const clang::ValueDecl* declaration = reference->getDecl();
        if (declaration->hasAttr<clang::CUDAGlobalAttr>() || declaration->hasAttr<clang::CUDADeviceAttr>() ||
            declaration->hasAttr<clang::CUDAConstantAttr>())
            return llvm::isa<clang::VarDecl>(declaration) || declaration->hasAttr<clang::CUDAGlobalAttr>() ? declaration
                                                                                                           : nullptr;
        return nullptr;
    }

    bool skips_all_bodies_;
    std::function<void(const Reader&)> finish_;
    std::vector<clang::Decl*> declarations_;
};

/// Runs clang over one text. The syntax tree lives only within the run, so `read` looks at it at its end.
class Action : public clang::ASTFrontendAction {
public:
    /// Without a context no code is made.
    Action(const Source& source, const Options& options, Diagnostics& diagnostics, llvm::LLVMContext* context)
        : source_(source), options_(options), diagnostics_(diagnostics), context_(context) {}

    std::unique_ptr<llvm::Module> module;
    Description description;

protected:
    bool BeginSourceFileAction(clang::CompilerInstance& compiler) override {
        if (!context_) compiler.getDiagnostics().setFatalsAsError(true);
        return true;
    }

    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                          llvm::StringRef file) override {
        std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
        if (context_) {
            std::unique_ptr<clang::CodeGenerator> generator(clang::CreateLLVMCodeGen(
                compiler.getDiagnostics(), file, &compiler.getVirtualFileSystem(), compiler.getHeaderSearchOpts(),
                compiler.getPreprocessorOpts(), compiler.getCodeGenOpts(), *context_));
            generator_ = generator.get();
            consumers.push_back(std::move(generator));
        }
        // After the generator, which has made the module then.
        consumers.push_back(
            std::make_unique<Reader>(/*all_bodies=*/!context_, [this](const Reader& reader) { finish(reader); }));
        return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
    }

private:
    void finish(const Reader& reader) {
        read_names(reader);
        if (generator_) {
            if (!diagnostics_.has_errors() && !options_.relocatable) report_undefined_symbols();
            module.reset(generator_->ReleaseModule());
            if (diagnostics_.has_errors()) return;
            note_assembly_places(*module, getCompilerInstance().getSourceManager());
        }
        for (const clang::FunctionDecl* kernel : reader.kernels())
            description.kernels.push_back(describe_kernel(*kernel, symbol_of(*kernel)));
    }

    void read_names(const Reader& reader) {
        const auto declarations = reader.named(source_.name_expressions.size());
        for (std::size_t i = 0; i < declarations.size(); ++i) {
            const std::string& expression = source_.name_expressions[i];
            if (declarations[i])
                description.names.emplace_back(expression, symbol_of(*declarations[i]));
            else if (!diagnostics_.has_errors())
                diagnostics_.add_error(fmt::format(
                    "name expression '{}' names no kernel and no __device__ or __constant__ variable", expression));
        }
    }

    void report_undefined_symbols() {
        clang::DiagnosticsEngine& engine = getCompilerInstance().getDiagnostics();
        const clang::SourceManager& sources = getCompilerInstance().getSourceManager();
        const unsigned id = engine.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                                   "'%0' is used on the device and declared, but nowhere defined");
        for (const llvm::GlobalValue* symbol : undefined_symbols(*generator_->GetModule())) {
            const auto* declaration =
                llvm::dyn_cast_or_null<clang::NamedDecl>(generator_->GetDeclForMangledName(symbol->getName()));
            // Those of our own headers are names only: calls through them are inlined.
            if (declaration && sources.isInSystemHeader(declaration->getLocation())) continue;
            engine.Report(declaration ? declaration->getLocation() : clang::SourceLocation(), id)
                << (declaration ? declaration->getQualifiedNameAsString() : symbol->getName().str());
        }
    }

    const Source& source_;
    const Options& options_;
    Diagnostics& diagnostics_;
    llvm::LLVMContext* context_;
    clang::CodeGenerator* generator_ = nullptr;
};

/// `text` and `architecture` are those of `source`.
void run(Action& action, const Source& source, const Options& options, DeviceKind kind, const std::string& architecture,
         Purpose purpose, const ClangText& text, Diagnostics& diagnostics) {
    clang::noteBottomOfStack();
    const Prelude prelude = prelude_of(source, options);
    const std::optional<llvm::StringRef> header = precompiled(prelude);
    std::vector<std::string> arguments = prelude.arguments;
    llvm::append_range(arguments, text_arguments(options, kind, architecture, purpose, header.has_value()));
    MemoryFiles files = {{file_name(source), text.text}};
    const std::string prelude_text = prelude_source(prelude);
    if (header) {
        files.emplace_back(prelude_source_file, prelude_text);
        files.emplace_back(precompiled_file, *header);
    }

    clang::CompilerInstance compiler;
    if (!prepare(compiler, std::move(arguments), file_name(source), diagnostics)) return;
    compiler.getFrontendOpts().SkipFunctionBodies = true;  // those that the action's consumer says
    compiler.createFileManager(clang_files(files));
    compiler.createSourceManager(compiler.getFileManager());
    compiler.ExecuteAction(action);
}

}  // namespace

Translation translate(const Source& source, const Options& options, DeviceKind kind, const std::string& target,
                      llvm::LLVMContext& context) {
    const std::string architecture = architecture_of(options, kind, target);
    const ClangText text = clang_text(source, options, architecture);
    Diagnostics diagnostics(text);
    Action action(source, options, diagnostics, &context);
    run(action, source, options, kind, architecture, Purpose::Code, text, diagnostics);
    if (diagnostics.has_errors()) throw diagnostics.error(file_name(source));
    if (!action.module) throw Error(ErrorKind::Internal, "clang made no module of " + file_name(source));
    finish_module(*action.module, options, kind);
    action.description.warnings = diagnostics.warnings();
    return {std::move(action.module), std::move(action.description)};
}

Description describe(const Source& source, const Options& options, const std::string& target) {
    const std::string architecture = architecture_of(options, DeviceKind::Cuda, target);
    const ClangText text = clang_text(source, options, architecture);
    Diagnostics diagnostics(text);
    Action action(source, options, diagnostics, nullptr);
    run(action, source, options, DeviceKind::Cuda, architecture, Purpose::Description, text, diagnostics);
    return std::move(action.description);
}

std::string clang_version() {
    return CLANG_VERSION_STRING;
}

}  // namespace lanewise::cuda_cpp
