#include "backend/cuda/nvrtc.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "backend/cuda/cpp_log.h"
#include "backend/cuda/nvrtc_headers.h"
#include "base/log.h"
#include "lanewise/error.h"

namespace lanewise::cuda {

namespace {

constexpr nvrtcResult success = 0;
constexpr nvrtcResult invalid_option = 5;
constexpr nvrtcResult compilation = 6;
constexpr nvrtcResult builtin_operation_failure = 7;
constexpr nvrtcResult name_expression_not_valid = 10;

}  // namespace

const Nvrtc& Nvrtc::open(const std::string& path) {
    static std::mutex mutex;
    static std::map<std::string, std::unique_ptr<Nvrtc>> opened;
    std::lock_guard lock(mutex);
    std::unique_ptr<Nvrtc>& known = opened[path];
    if (!known) known.reset(new Nvrtc(path));
    return *known;
}

Nvrtc::Nvrtc(const std::string& path) : path_(path) {
    std::string why;
    std::optional<Dynlib> library = Dynlib::open({path}, &why);
    if (!library) throw Error(ErrorKind::DeviceUnavailable, fmt::format("NVRTC does not load: {}", why));
    // It keeps state of its own for the process.
    library->keep_open();
#define LANEWISE_NVRTC(name, required, result, parameters) \
    name = library->function<result(*) parameters>(#name); \
    if (required && !name)                                 \
        throw Error(ErrorKind::DeviceUnavailable, fmt::format("{} is no NVRTC: it has no function " #name, path));
#include "backend/cuda/nvrtc.def"
#undef LANEWISE_NVRTC
    int major = 0, minor = 0;
    check(nvrtcVersion(&major, &minor), "nvrtcVersion");
    version_ = fmt::format("{}.{}", major, minor);
    if (major < 11)
        throw Error(ErrorKind::DeviceUnavailable,
                    fmt::format("NVRTC {} ({}) is too old: 11.0 or later is needed", version_, path));
    // NVRTC opens this library by its bare name, which finds one that is open already wherever it lies.
    std::string folder = library->path().substr(0, library->path().rfind('/') + 1);
    if (auto builtins = Dynlib::open({fmt::format("{}libnvrtc-builtins.so.{}", folder, version_)}))
        builtins->keep_open();
    int count = 0;
    if (nvrtcGetNumSupportedArchs && nvrtcGetSupportedArchs) {
        check(nvrtcGetNumSupportedArchs(&count), "nvrtcGetNumSupportedArchs");
        capabilities_.resize(std::size_t(count));
        if (count > 0) check(nvrtcGetSupportedArchs(capabilities_.data()), "nvrtcGetSupportedArchs");
        std::sort(capabilities_.begin(), capabilities_.end());
    }
    log(LogLevel::Info, [&] { return fmt::format("NVRTC {} loaded from {}", version_, library->path()); });
}

void Nvrtc::check(nvrtcResult result, const char* call) const {
    if (result == success) return;
    const char* text = nvrtcGetErrorString(result);
    throw Error(ErrorKind::Internal,
                fmt::format("{} of NVRTC {} gave {} ({})", call, version_, result, text ? text : "no text"));
}

std::string Nvrtc::architecture(const cuda_cpp::Options& options, const std::string& target) const {
    const int device = cuda_cpp::capability_of(target);
    const std::string asked = cuda_cpp::architecture_for(options, device);
    const int wanted = asked.empty() ? device : cuda_cpp::capability_of(asked);
    // Machine code where the architecture is the device's very own; code for an older one is PTX, which the driver
    // compiles for the device, and links where the code is relocatable.
    const bool known = capabilities_.empty() || std::binary_search(capabilities_.begin(), capabilities_.end(), wanted);
    const std::string own = wanted != device ? "" : asked.starts_with("sm_") ? asked : target;
    if (known && !own.empty() && nvrtcGetCUBIN && !options.relocatable) return own;
    if (known) return own.empty() ? fmt::format("compute_{}", wanted) : "compute_" + own.substr(std::strlen("sm_"));
    auto above = std::upper_bound(capabilities_.begin(), capabilities_.end(), wanted);
    if (above == capabilities_.begin())
        throw Error(ErrorKind::Value,
                    fmt::format("NVRTC {} ({}) does not compile for compute capability {}.{}: its oldest is {}.{}; an "
                                "older NVRTC does (set LANEWISE_NVRTC), and backend=\"clang\" may",
                                version_, path_, wanted / 10, wanted % 10, capabilities_.front() / 10,
                                capabilities_.front() % 10));
    return fmt::format("compute_{}", *(above - 1));
}

namespace {

/// The message for a header that is missing where CUDA's own headers were not found at all.
std::string header_hint(const std::string& log, const NvrtcFile& file) {
    if (log.find("open source file") == std::string::npos) return "";
    if (file.include_folders.empty())
        return "CUDA's headers were not found on this machine: set CUDA_HOME or install the wheels nvidia-cuda-runtime "
               "and nvidia-cuda-cccl if it is one of them, else name its folder with -I";
    return fmt::format("headers are looked for in the folders of -I and in {}", fmt::join(file.include_folders, ", "));
}

bool misses_names(const std::string& log) {
    return log.find("is undefined") != std::string::npos || log.find("has no member") != std::string::npos;
}

std::size_t errors_in(const std::string& log) {
    std::vector<CppMessage> messages = messages_of(log);
    return std::size_t(
        std::count_if(messages.begin(), messages.end(), [](const CppMessage& message) { return message.error; }));
}

}  // namespace

Image Nvrtc::compile(const cuda_cpp::Source& source, const cuda_cpp::Options& options, const NvrtcFile& file,
                     const std::string& target, bool with_text) const {
    try {
        return compile_once(source, options, file, target, with_text);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::Compile || !misses_names(error.log)) throw;
        cuda_cpp::Options as_nvcc = options;
        as_nvcc.forced_includes.insert(as_nvcc.forced_includes.begin(), "lanewise/nvcc_prelude.h");
        try {
            return compile_once(source, as_nvcc, file, target, with_text);
        } catch (const Error& second) {
            // What is left is what is wrong, unless the names themselves were in the way.
            if (errors_in(second.log) <= errors_in(error.log)) throw;
        }
        throw;
    }
}

Image Nvrtc::compile_once(const cuda_cpp::Source& source, const cuda_cpp::Options& options, const NvrtcFile& file,
                          const std::string& target, bool with_text) const {
    std::vector<std::pair<std::string, std::string>> headers =
        headers_for(options.include_folders, file.include_folders);
    std::vector<const char*> header_texts, header_names;
    for (const auto& [name, text] : headers) {
        header_names.push_back(name.c_str());
        header_texts.push_back(text.c_str());
    }
    const std::string text =
        source.extern_c ? fmt::format("extern \"C\" {{\n#line 1\n{}\n}}\n", source.text) : source.text;
    struct Program {
        const Nvrtc& nvrtc;
        nvrtcProgram handle = nullptr;
        ~Program() {
            if (handle) nvrtc.nvrtcDestroyProgram(&handle);
        }
    } program{*this};
    check(nvrtcCreateProgram(&program.handle, text.c_str(), source.file.c_str(), int(headers.size()),
                             header_texts.data(), header_names.data()),
          "nvrtcCreateProgram");
    for (const std::string& expression : source.name_expressions)
        check(nvrtcAddNameExpression(program.handle, expression.c_str()), "nvrtcAddNameExpression");

    std::vector<std::string> arguments = cuda_cpp::nvrtc_arguments(options);
    const std::string architecture = this->architecture(options, target);
    arguments.push_back("--gpu-architecture=" + architecture);
    for (const std::string& folder : file.include_folders) arguments.push_back("--include-path=" + folder);
    std::vector<const char*> argument_texts;
    for (const std::string& argument : arguments) argument_texts.push_back(argument.c_str());
    const nvrtcResult result = nvrtcCompileProgram(program.handle, int(argument_texts.size()), argument_texts.data());

    std::string output;
    std::size_t size = 0;
    check(nvrtcGetProgramLogSize(program.handle, &size), "nvrtcGetProgramLogSize");
    output.resize(size);
    if (size > 0) check(nvrtcGetProgramLog(program.handle, output.data()), "nvrtcGetProgramLog");
    output.resize(std::min(output.find('\0'), output.size()));
    const std::string compiler = "NVRTC " + version_;
    if (result == compilation || result == name_expression_not_valid)
        fail_cpp(compiler, source, output, header_hint(output, file));
    if (result == invalid_option) {
        cuda_cpp::refuse_unknown(options, compiler);
        Error error(ErrorKind::Value, fmt::format("{} refuses the options: {}", compiler, output));
        error.log = output;
        throw error;
    }
    if (result == builtin_operation_failure)
        throw Error(
            ErrorKind::DeviceUnavailable,
            fmt::format("{}: libnvrtc-builtins.so.{} does not load; it belongs beside {}", compiler, version_, path_));
    check(result, "nvrtcCompileProgram");

    Image image;
    image.target = target;
    for (const std::string& expression : source.name_expressions) {
        const char* lowered = nullptr;
        nvrtcResult found = nvrtcGetLoweredName(program.handle, expression.c_str(), &lowered);
        if (found != success || !lowered)
            throw Error(ErrorKind::Value,
                        fmt::format("name expression '{}': {} finds no kernel or variable of it in {}", expression,
                                    compiler, source.file));
        image.names.emplace_back(expression, lowered);
    }
    auto read = [&](auto get_size, const char* size_call, auto get, const char* call) {
        std::size_t bytes = 0;
        check(get_size(program.handle, &bytes), size_call);
        std::string data(bytes, '\0');
        if (bytes > 0) check(get(program.handle, data.data()), call);
        return data;
    };
    const bool ptx = architecture.starts_with("compute_");
    std::string assembly;
    if (ptx || with_text) assembly = read(nvrtcGetPTXSize, "nvrtcGetPTXSize", nvrtcGetPTX, "nvrtcGetPTX");
    std::string code = ptx ? assembly : read(nvrtcGetCUBINSize, "nvrtcGetCUBINSize", nvrtcGetCUBIN, "nvrtcGetCUBIN");
    image.format = ptx ? ImageFormat::Ptx : ImageFormat::Cubin;
    image.bytes.assign(code.begin(), code.end());
    if (with_text) image.assembly = assembly.substr(0, assembly.find('\0'));
    if (options.warnings) take_warnings(image, output);
    return image;
}

}  // namespace lanewise::cuda
