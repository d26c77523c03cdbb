#include "frontend/cuda/clang/invocation.h"

#include <fmt/format.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/FileSystem.h>

#include "frontend/cuda/clang/assembly_text.h"
#include "frontend/cuda/embedded_headers.h"

namespace lanewise::cuda_cpp {

namespace {

/// The architecture that code for the cpu device is written for.
constexpr char cpu_architecture[] = "sm_90";
/// Architectures of clang 19, oldest first.
constexpr int known_architectures[] = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90};

/// clang's name of the newest architecture that it knows and that `name` ("sm_90a", "compute_80") includes.
std::string clang_architecture(llvm::StringRef name) {
    const llvm::StringRef given = name;
    int number = 0;
    if (!(name.consume_front("sm_") || name.consume_front("compute_")) || name.consumeInteger(10, number) ||
        number < known_architectures[0])
        throw Error(ErrorKind::Value, fmt::format("'{}' is no CUDA architecture: expected \"sm_\" or \"compute_\" and "
                                                  "a compute capability from 5.0 on, for instance \"sm_90\"",
                                                  given.str()));
    int best = known_architectures[0];
    for (int known : known_architectures)
        if (known <= number) best = known;
    return fmt::format("sm_{}{}", best, number == 90 && name == "a" ? "a" : "");
}

/// A string literal for #line.
std::string quoted(const std::string& text) {
    std::string literal = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') literal += '\\';
        literal += c == '\n' ? ' ' : c;
    }
    return literal + '"';
}

/// "N" of "N=3".
llvm::StringRef macro_name(llvm::StringRef macro) {
    return macro.substr(0, macro.find_first_of("=("));
}

/// What nvcc and NVRTC of CUDA 13.0 define, beside what clang and the headers do.
std::vector<std::string> predefined(const Options& options) {
    std::vector<std::string> macros = {
        "__LANEWISE__=1",
        "__CUDACC__=1",
        "__CUDACC_RTC__=1",
        "__CUDACC_VER_MAJOR__=13",
        "__CUDACC_VER_MINOR__=0",
        "__CUDACC_VER_BUILD__=88",
        "__CUDA_API_VER_MAJOR__=13",
        "__CUDA_API_VER_MINOR__=0",
        "CUDART_VERSION=13000",
        fmt::format("__USE_FAST_MATH__={:d}", options.fast_math),
        fmt::format("__CUDA_FTZ={:d}", options.flush_denormals),
        fmt::format("__CUDA_PREC_DIV={:d}", options.precise_divide),
        fmt::format("__CUDA_PREC_SQRT={:d}", options.precise_sqrt),
    };
    if (options.debug) macros.push_back("__CUDACC_DEBUG__=1");
    if (options.relocatable) macros.push_back("__CUDACC_RDC__=1");
    return macros;
}

}  // namespace

bool is_toolkit(const std::string& folder) {
    return llvm::sys::fs::exists(folder + "/crt/host_config.h");
}

std::string file_name(const Source& source) {
    // "-" is what clang calls the standard input.
    return source.file.empty() || source.file == "-" ? "kernel.cu" : source.file;
}

std::vector<std::string> language_arguments(const Options& options) {
    std::vector<std::string> arguments = {
        "-triple", "nvptx64-nvidia-cuda", "-fcuda-is-device", "-target-feature", "+ptx80", "-target-sdk-version=12.3",
        "-fgnuc-version=4.2.1",
        // At O0 clang would mark all functions as not to be optimised; the level is the code generator's to choose.
        "-O2", fmt::format("-std=c++{}", options.standard), "-fdeprecated-macro", "-fdeclspec", "-fno-rtti",
        "-fno-threadsafe-statics", options.contract ? "-ffp-contract=fast" : "-ffp-contract=off", "-nostdsysteminc",
        "-nobuiltininc", "-internal-isystem", header_folder};
    if (options.relocatable) arguments.push_back("-fgpu-rdc");
    llvm::StringSet<> names = {"NDEBUG"};  // which the prelude looks at
    for (const std::string& macro : predefined(options)) {
        names.insert(macro_name(macro));
        arguments.insert(arguments.end(), {"-D", macro});
    }
    // Users may change these.
    for (const std::string& macro : options.defines)
        if (names.contains(macro_name(macro))) arguments.insert(arguments.end(), {"-D", macro});
    for (const std::string& macro : options.undefines)
        if (names.contains(macro)) arguments.insert(arguments.end(), {"-U", macro});
    return arguments;
}

std::string architecture_of(const Options& options, DeviceKind kind, const std::string& target) {
    return clang_architecture(!options.architecture.empty() ? options.architecture
                              : kind == DeviceKind::Cuda    ? target
                                                            : cpu_architecture);
}

std::vector<std::string> text_arguments(const Options& options, DeviceKind kind, const std::string& architecture,
                                        Purpose purpose, bool precompiled) {
    std::vector<std::string> arguments = {"-target-cpu",
                                          architecture,
                                          "-ftemplate-backtrace-limit=4",
                                          "-fmacro-backtrace-limit=4",
                                          "-ferror-limit",
                                          purpose == Purpose::Description ? "0" : "20"};
    const auto add = [&](std::initializer_list<std::string> words) {
        arguments.insert(arguments.end(), words.begin(), words.end());
    };
    if (options.flush_denormals && kind == DeviceKind::Cuda)
        add({"-fdenormal-fp-math-f32=preserve-sign,preserve-sign"});
    if (options.debug)
        add({"-debug-info-kind=limited", "-dwarf-version=2"});
    else if (options.line_info)
        add({"-debug-info-kind=line-directives-only", "-dwarf-version=2"});
    if (!options.warnings || purpose == Purpose::Description) add({"-w"});
    for (const std::string& macro : options.defines) add({"-D", macro});
    for (const std::string& macro : options.undefines) add({"-U", macro});
    // A toolkit's headers are for nvcc: those that we have come first, the others may do.
    for (const std::string& folder : options.include_folders) add({is_toolkit(folder) ? "-idirafter" : "-I", folder});
    if (precompiled)
        add({"-include-pch", precompiled_file, "-fno-validate-pch"});
    else
        add({"-include", prelude_file});
    return arguments;
}

bool prepare(clang::CompilerInstance& compiler, std::vector<std::string> arguments, const std::string& file,
             clang::DiagnosticConsumer& consumer) {
    arguments.insert(arguments.end(), {"-x", "cuda", "kernel.cu"});
    std::vector<const char*> words;
    for (const std::string& argument : arguments) words.push_back(argument.c_str());
    const auto engine = clang::CompilerInstance::createDiagnostics(new clang::DiagnosticOptions, &consumer,
                                                                   /*ShouldOwnClient=*/false);
    if (!clang::CompilerInvocation::CreateFromArgs(compiler.getInvocation(), words, *engine)) return false;
    // No argument: a name may look like an option.
    compiler.getFrontendOpts().Inputs = {clang::FrontendInputFile(file, clang::Language::CUDA)};
    compiler.getFrontendOpts().DisableFree = false;
    compiler.getDiagnosticOpts().ShowCarets = false;  // clang would print the number of errors to stderr
    compiler.createDiagnostics(&consumer, /*ShouldOwnClient=*/false);
    return true;
}

std::string name_variable(std::size_t index) {
    return fmt::format("__lanewise_name_{}", index);
}

ClangText clang_text(const Source& source, const Options& options, const std::string& architecture) {
    ClangText result;
    std::string& text = result.text;
    text.reserve(source.text.size() + 512);
    const bool specific = architecture.ends_with('a');
    text += fmt::format("#undef __CUDA_ARCH__\n#define __CUDA_ARCH__ {0}0\n#define __CUDA_ARCH_LIST__ {0}0\n",
                        architecture.substr(3, architecture.size() - 3 - specific));
    if (specific) text += "#undef __CUDA_ARCH_FEAT_SM90_ALL\n#define __CUDA_ARCH_FEAT_SM90_ALL 1\n";
    for (const std::string& file : options.forced_includes)
        text += fmt::format("#line 1 \"<command line>\"\n#include {}\n", quoted(file));
    if (options.default_device) text += "#pragma clang force_cuda_host_device begin\n";
    if (source.extern_c) text += "extern \"C\" {\n";
    // The lines of the user's text are what they are.
    text += fmt::format("#line 1 {}\n", quoted(file_name(source)));
    result.begin = text.size();
    text += with_escaped_registers(source.text);
    result.end = text.size();
    if (source.extern_c) text += "\n}";
    if (options.default_device) text += "\n#pragma clang force_cuda_host_device end";
    // A variable of the host: it comes to nothing in the device's code, but what it is initialised with is
    // instantiated.
    for (std::size_t i = 0; i < source.name_expressions.size(); ++i) {
        const std::string& expression = source.name_expressions[i];
        text += fmt::format("\nauto&& {} =\n#line 1 {}\n{}\n;", name_variable(i),
                            quoted(fmt::format("name expression '{}'", expression)), expression);
    }
    text += '\n';
    return result;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> clang_files(const MemoryFiles& files) {
    auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    auto real = llvm::vfs::getRealFileSystem();
    if (auto folder = real->getCurrentWorkingDirectory()) memory->setCurrentWorkingDirectory(*folder);
    for (const EmbeddedHeader& header : embedded_headers())
        memory->addFileNoOwn(
            fmt::format("{}/{}", header_folder, header.path), 0,
            llvm::MemoryBufferRef({header.text.data(), header.text.size()}, {header.path.data(), header.path.size()}));
    for (const auto& [path, text] : files) memory->addFileNoOwn(path, 0, llvm::MemoryBufferRef(text, path));
    auto all = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(real);
    all->pushOverlay(memory);
    return all;
}

}  // namespace lanewise::cuda_cpp
