// The compiler behind the door of codegen/compiler.h: the one place that knows every target.
#include "codegen/compiler.h"

#include <fmt/format.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/Support/ErrorHandling.h>

#include <mutex>

#include "backend/cpu/target/target.h"
#include "backend/cuda/target/target.h"
#include "base/dump.h"
#include "codegen/emit.h"
#include "codegen/llvm.h"
#include "codegen/module_text.h"
#include "frontend/cuda/clang/frontend.h"

namespace lanewise {

namespace {

/// LLVM's fatal errors would end the process; a compile of ours ends with an exception instead.
void throw_fatal_error(void*, const char* reason, bool) {
    throw Error(ErrorKind::Internal, fmt::format("LLVM cannot compile the kernel: {}", reason));
}

/// Collects errors that LLVM reports in passing (inline assembly, unsupported constructs) for the end of the compile.
class DiagnosticCollector : public llvm::DiagnosticHandler {
public:
    explicit DiagnosticCollector(std::string& errors) : errors_(errors) {}
    bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
        if (info.getSeverity() == llvm::DS_Error) {
            llvm::raw_string_ostream stream(errors_);
            llvm::DiagnosticPrinterRawOStream printer(stream);
            info.print(printer);
            stream << '\n';
        }
        return true;
    }

private:
    std::string& errors_;
};

/// From either front end's module to the image; `errors` is where the context's diagnostics go.
Image generate(std::unique_ptr<llvm::Module> module, const std::string& name, DeviceKind kind,
               const std::string& target, const CompileOptions& options, const std::string& errors) {
    if (dump_requested("llvm")) dump("llvm ir of module " + name, codegen::module_text(*module));
    std::string problem;
    llvm::raw_string_ostream stream(problem);
    if (llvm::verifyModule(*module, &stream))
        throw Error(ErrorKind::Internal, fmt::format("the LLVM IR of module '{}' is invalid: {}", name, problem));
    Image image = kind == DeviceKind::Cuda ? cuda::compile(std::move(module), target, options)
                                           : cpu::compile(std::move(module), target, options);
    if (!errors.empty()) {
        Error error(ErrorKind::Lowering,
                    fmt::format("module '{}' cannot be compiled for {}: {}", name, target, errors));
        error.log = errors;
        throw error;
    }
    return image;
}

/// What the source says of a kernel that code was made for.
void take_description(EntryPoint& entry, EntryPoint& described) {
    if (entry.parameter_offsets != described.parameter_offsets || entry.parameter_sizes != described.parameter_sizes)
        throw Error(ErrorKind::Internal,
                    fmt::format("the code generator lays out the parameters of kernel '{}' otherwise than its source",
                                described.display_name));
    entry.display_name = std::move(described.display_name);
    entry.parameters = std::move(described.parameters);
}

class LlvmCompiler final : public Compiler {
public:
    LlvmCompiler() { llvm::install_fatal_error_handler(throw_fatal_error); }

    Image compile(const ir::Module& module, DeviceKind kind, const std::string& target,
                  const CompileOptions& options) override {
        // Everything of one compile hangs on its own context, so compiles run side by side.
        llvm::LLVMContext context;
        std::string errors;
        context.setDiagnosticHandler(std::make_unique<DiagnosticCollector>(errors));
        Image image =
            generate(codegen::emit(module, kind, options, context), module.name, kind, target, options, errors);
        for (EntryPoint& entry : image.entries)
            for (const auto& function : module.functions)
                if (function->name == entry.name && !function->display_name.empty())
                    entry.display_name = function->display_name;
        image.raise_sites = module.raise_sites;
        image.files = module.files;
        return image;
    }

    Image compile_cuda(const cuda_cpp::Source& source, const cuda_cpp::Options& parsed, DeviceKind kind,
                       const std::string& target, const CompileOptions& options) override {
        llvm::LLVMContext context;
        std::string errors;
        context.setDiagnosticHandler(std::make_unique<DiagnosticCollector>(errors));
        cuda_cpp::Translation translation = cuda_cpp::translate(source, parsed, kind, target, context);
        Image image = generate(std::move(translation.module), source.file, kind, target, options, errors);
        for (EntryPoint& entry : image.entries)
            for (EntryPoint& described : translation.description.kernels)
                if (described.name == entry.name) take_description(entry, described);
        image.names = std::move(translation.description.names);
        image.warnings.insert(image.warnings.begin(), translation.description.warnings.begin(),
                              translation.description.warnings.end());
        return image;
    }

    Image describe_cuda(const cuda_cpp::Source& source, const cuda_cpp::Options& parsed,
                        const std::string& target) override {
        cuda_cpp::Description description = cuda_cpp::describe(source, parsed, target);
        Image image;
        image.target = target;
        image.entries = std::move(description.kernels);
        image.names = std::move(description.names);
        return image;
    }

    std::string description() const override {
        return fmt::format("LLVM {} with NVPTX and the host's code generator, clang {} for CUDA C++",
                           LLVM_VERSION_STRING, cuda_cpp::clang_version());
    }
};

}  // namespace

}  // namespace lanewise

extern "C" __attribute__((visibility("default"))) lanewise::Compiler* lanewise_compiler() {
    static lanewise::LlvmCompiler compiler;
    return &compiler;
}
