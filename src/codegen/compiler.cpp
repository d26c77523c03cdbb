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

std::string print_module(const llvm::Module& module) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module.print(stream, nullptr);
    return text;
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
        std::unique_ptr<llvm::Module> llvm_module = codegen::emit(module, kind, options, context);
        if (dump_requested("llvm")) dump("llvm ir of module " + module.name, print_module(*llvm_module));
        std::string problem;
        llvm::raw_string_ostream stream(problem);
        if (llvm::verifyModule(*llvm_module, &stream))
            throw Error(ErrorKind::Internal,
                        fmt::format("codegen::emit made invalid LLVM IR for module '{}': {}", module.name, problem));
        Image image = kind == DeviceKind::Cuda ? cuda::compile(std::move(llvm_module), target, options)
                                               : cpu::compile(std::move(llvm_module), target, options);
        if (!errors.empty()) {
            Error error(ErrorKind::Lowering,
                        fmt::format("module '{}' cannot be compiled for {}: {}", module.name, target, errors));
            error.log = errors;
            throw error;
        }
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
        throw Error(ErrorKind::NotImplemented, "CUDA C++ cannot be compiled yet");
    }

    Image describe_cuda(const cuda_cpp::Source& source, const cuda_cpp::Options& parsed,
                        const std::string& target) override {
        return {};
    }

    std::string description() const override {
        return fmt::format("LLVM {} with NVPTX and the host's code generator", LLVM_VERSION_STRING);
    }
};

}  // namespace

}  // namespace lanewise

extern "C" __attribute__((visibility("default"))) lanewise::Compiler* lanewise_compiler() {
    static lanewise::LlvmCompiler compiler;
    return &compiler;
}
