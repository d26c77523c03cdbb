#include "jit/cuda_compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <string_view>

#include "base/log.h"
#include "codegen/compiler.h"
#include "jit/module_cache.h"
#include "jit/statistics.h"

namespace lanewise::jit {

using cuda_cpp::Backend;

namespace {

const char* name_of(Backend backend) {
    switch (backend) {
        case Backend::Auto:
            return "auto";
        case Backend::Nvrtc:
            return "nvrtc";
        case Backend::Clang:
            return "clang";
        case Backend::Nvcc:
            return "nvcc";
    }
    return "";
}

CompileOptions compile_options(const cuda_cpp::Options& parsed, bool with_text) {
    CompileOptions options;
    options.opt_level = std::min(parsed.opt_level, 3);
    options.contract = parsed.contract;
    options.fastmath = parsed.fast_math;
    options.line_info = parsed.line_info;
    options.debug = parsed.debug;
    options.max_registers = parsed.max_registers;
    options.keep_text = with_text;
    return options;
}

/// Whether the code has a kernel of that symbol: a section of its own in a cubin, an .entry in PTX.
bool has_kernel(const Image& image, const std::string& symbol) {
    std::string_view code(reinterpret_cast<const char*>(image.bytes.data()), image.bytes.size());
    if (image.format == ImageFormat::Cubin)
        return code.find(std::string(".text." + symbol).c_str(), 0, 6 + symbol.size() + 1) != std::string_view::npos;
    return code.find(".entry " + symbol + "(") != std::string_view::npos;
}

/// What the text's declarations say of its kernels. Nothing when that cannot be had: the driver then tells the layout.
Image describe(const cuda_cpp::Source& source, cuda_cpp::Options parsed, const std::string& target) {
    try {
        // NVIDIA's headers for NVRTC make 64-bit integers long long, which shows in the symbols.
        if (source.backend != Backend::Nvcc)
            for (const char* define : {"__INT64_TYPE__=long long", "__UINT64_TYPE__=unsigned long long"})
                parsed.defines.insert(parsed.defines.begin(), define);
        parsed.warnings = false;
        return compiler().describe_cuda(source, parsed, target);
    } catch (const Error& error) {
        log(LogLevel::Warning, [&] {
            return fmt::format("{}: the parameters of its kernels are not known: {}", source.file, error.what());
        });
        return {};
    }
}

/// Image::entries from the description: those that the code has.
void add_entries(Image& image, Image described) {
    for (EntryPoint& entry : described.entries)
        if (has_kernel(image, entry.name)) image.entries.push_back(std::move(entry));
    for (auto& [expression, symbol] : described.names)
        if (std::none_of(image.names.begin(), image.names.end(),
                         [&](const auto& known) { return known.first == expression; }))
            image.names.emplace_back(std::move(expression), std::move(symbol));
}

Image compile_image(const CudaCompiler& chosen, const cuda_cpp::Source& source, const cuda_cpp::Options& parsed,
                    Device& device, const CudaBuildSettings& settings, bool with_text) {
    const std::string target = device.target();
    ScopeTimer timer(statistics().compile_ns);
    ++statistics().compiles;
    if (chosen.backend == Backend::Clang) {
        cuda_cpp::refuse_unknown(parsed, "clang");
        return compiler().compile_cuda(source, parsed, device.kind(), target, compile_options(parsed, with_text));
    }
    // The description does not need the code: both at once.
    std::future<Image> described = std::async(std::launch::async, [&] { return describe(source, parsed, target); });
    Image image = chosen.backend == Backend::Nvrtc
                      ? cuda::Nvrtc::open(chosen.nvrtc.path).compile(source, parsed, chosen.nvrtc, target, with_text)
                      : cuda::compile_with_nvcc(source, parsed, chosen.nvcc, target, settings.keep_folder, with_text);
    add_entries(image, described.get());
    return image;
}

}  // namespace

std::string CudaCompiler::identity() const {
    return fmt::format("{} {} {}", name_of(backend), nvrtc.identity, nvcc.identity);
}

CudaCompiler find_compiler(const cuda_cpp::Source& source, Device& device) {
    CudaCompiler found;
    const std::string call = fmt::format("backend=\"{}\" for {}", name_of(source.backend), source.file);
    if (device.kind() == DeviceKind::Cpu) {
        if (source.backend == Backend::Nvrtc || source.backend == Backend::Nvcc)
            throw Error(ErrorKind::Value,
                        fmt::format("{}: {} makes code for NVIDIA GPUs only, and the device is {}; backend=\"clang\" "
                                    "and backend=\"auto\" compile for it",
                                    call, name_of(source.backend), device.name()));
        return found;
    }
    switch (source.backend) {
        case Backend::Clang:
            return found;
        case Backend::Auto:
        case Backend::Nvrtc:
            found.nvrtc = cuda::find_nvrtc();
            if (!found.nvrtc.path.empty())
                found.backend = Backend::Nvrtc;
            else if (source.backend == Backend::Nvrtc)
                cuda::fail_without_nvrtc(found.nvrtc, call);
            return found;
        case Backend::Nvcc:
            found.backend = Backend::Nvcc;
            found.nvcc = cuda::find_nvcc();
            if (found.nvcc.path.empty()) cuda::fail_without_nvcc(found.nvcc, call);
            return found;
    }
    return found;
}

Image compile_with(const CudaCompiler& chosen, const cuda_cpp::Source& source, const cuda_cpp::Options& options,
                   Device& device, const CudaBuildSettings& settings, bool with_text) {
    Image image = compile_image(chosen, source, options, device, settings, with_text);
    if (with_text && image.format == ImageFormat::Ptx && image.assembly.empty())
        image.assembly.assign(reinterpret_cast<const char*>(image.bytes.data()));
    return link_counted(device, std::move(image), link_options(compile_options(options, with_text)));
}

}  // namespace lanewise::jit
