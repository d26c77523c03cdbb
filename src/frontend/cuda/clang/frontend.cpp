#include "frontend/cuda/clang/frontend.h"

#include <clang/Basic/Stack.h>
#include <clang/Basic/Version.h>
#include <clang/Sema/Sema.h>
#include <fmt/format.h>

#include "frontend/cuda/clang/diagnostics.h"
#include "frontend/cuda/clang/invocation.h"
#include "frontend/cuda/clang/kernels.h"

namespace lanewise::cuda_cpp {

namespace {

/// Looks on while clang parses and keeps what describes the text.
class Reader : public clang::ASTConsumer {
public:
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

    std::vector<clang::Decl*> declarations_;
};

/// Runs clang over one text. The syntax tree lives only within the run, so `read` looks at it at its end.
class Action : public clang::ASTFrontendAction {
public:
    Action(const Source& source, Diagnostics& diagnostics, llvm::LLVMContext* context)
        : source_(source), diagnostics_(diagnostics), context_(context) {}

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
        auto reader = std::make_unique<Reader>();
        reader_ = reader.get();
        consumers.push_back(std::move(reader));
        if (context_) {
            std::unique_ptr<clang::CodeGenerator> generator(clang::CreateLLVMCodeGen(
                compiler.getDiagnostics(), file, &compiler.getVirtualFileSystem(), compiler.getHeaderSearchOpts(),
                compiler.getPreprocessorOpts(), compiler.getCodeGenOpts(), *context_));
            generator_ = generator.get();
            consumers.push_back(std::move(generator));
        }
        return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
    }

    void EndSourceFileAction() override {
        if (generator_) module.reset(generator_->ReleaseModule());
        read_names();
        if (diagnostics_.has_errors() && generator_) return;
        for (const clang::FunctionDecl* kernel : reader_->kernels())
            description.kernels.push_back(describe_kernel(*kernel, symbol_of(*kernel)));
    }

private:
    void read_names() {
        const auto declarations = reader_->named(source_.name_expressions.size());
        for (std::size_t i = 0; i < declarations.size(); ++i) {
            const std::string& expression = source_.name_expressions[i];
            if (declarations[i])
                description.names.emplace_back(expression, symbol_of(*declarations[i]));
            else if (!diagnostics_.has_errors())
                diagnostics_.add_error(fmt::format(
                    "name expression '{}' names no kernel and no __device__ or __constant__ variable", expression));
        }
    }

    const Source& source_;
    Diagnostics& diagnostics_;
    llvm::LLVMContext* context_;
    Reader* reader_ = nullptr;
    clang::CodeGenerator* generator_ = nullptr;
};

/// Without a context only declarations are read.
void run(Action& action, const Source& source, const Options& options, DeviceKind kind, const std::string& target,
         Purpose purpose, Diagnostics& diagnostics) {
    clang::noteBottomOfStack();
    const std::vector<std::string> arguments = clang_arguments(source, options, kind, target, purpose);
    std::vector<const char*> words;
    for (const std::string& argument : arguments) words.push_back(argument.c_str());

    clang::CompilerInstance compiler;
    compiler.createDiagnostics(&diagnostics, /*ShouldOwnClient=*/false);
    if (!clang::CompilerInvocation::CreateFromArgs(compiler.getInvocation(), words, compiler.getDiagnostics())) return;
    compiler.getFrontendOpts().SkipFunctionBodies = purpose == Purpose::Description;
    compiler.getFrontendOpts().DisableFree = false;
    compiler.getDiagnosticOpts().ShowCarets = false;  // clang would print the number of errors to stderr
    const std::string text = clang_text(source);
    compiler.createFileManager(clang_files(source, text));
    compiler.createSourceManager(compiler.getFileManager());
    compiler.ExecuteAction(action);
}

}  // namespace

Translation translate(const Source& source, const Options& options, DeviceKind kind, const std::string& target,
                      llvm::LLVMContext& context) {
    Diagnostics diagnostics;
    Action action(source, diagnostics, &context);
    run(action, source, options, kind, target, Purpose::Code, diagnostics);
    if (diagnostics.has_errors()) throw diagnostics.error(file_name(source));
    if (!action.module) throw Error(ErrorKind::Internal, "clang made no module of " + file_name(source));
    action.description.warnings = diagnostics.warnings();
    return {std::move(action.module), std::move(action.description)};
}

Description describe(const Source& source, const Options& options, const std::string& target) {
    Diagnostics diagnostics;
    Action action(source, diagnostics, nullptr);
    run(action, source, options, DeviceKind::Cuda, target, Purpose::Description, diagnostics);
    return std::move(action.description);
}

std::string clang_version() {
    return CLANG_VERSION_STRING;
}

}  // namespace lanewise::cuda_cpp
