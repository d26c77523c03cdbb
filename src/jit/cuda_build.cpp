#include "jit/cuda_build.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "base/log.h"
#include "frontend/cuda/include_scan.h"
#include "frontend/cuda/options.h"
#include "jit/cuda_compile.h"

namespace lanewise::jit {

namespace {

/// All that is known of a build before anything is compiled.
struct Plan {
    cuda_cpp::Options options;
    CudaCompiler compiler;
    std::string key;
};

/// Each text with its length, so that no two lists read alike.
void append(std::string& all, const std::string& text) {
    all += fmt::format("{}:{}\n", text.size(), text);
}

/// "" when a file that the text includes cannot be told from the text.
std::string key_of(const cuda_cpp::Source& source, const Plan& plan, Device& device) {
    cuda_cpp::IncludeScan scan = cuda_cpp::scan_includes(source, plan.options);
    if (!scan.unknown.empty()) {
        log(LogLevel::Info, [&] { return fmt::format("{} is not cached: {}", source.file, scan.unknown); });
        return "";
    }
    std::string all = "cuda c++\n";
    append(all, source.text);
    append(all, source.file);
    append(all, scan.hash);
    append(all, fmt::format("{} {}", source.options.size(), source.extern_c));
    for (const std::string& option : source.options) append(all, option);
    for (const std::string& expression : source.name_expressions) append(all, expression);
    append(all, plan.compiler.identity());
    append(all, fmt::format("{} {}", static_cast<int>(device.kind()), device.target()));
    append(all, build_identity());
    return hash128(all);
}

Plan plan_of(const cuda_cpp::Source& source, Device& device) {
    Plan plan;
    plan.options = cuda_cpp::parse_options(source.options);
    plan.compiler = find_compiler(source, device);
    plan.key = key_of(source, plan, device);
    return plan;
}

CachedBuild request_of(const cuda_cpp::Source& source, Device& device, const CudaBuildSettings& settings,
                       const Plan& plan) {
    // Files that are to be kept are made by compiling.
    const bool keeps = !settings.keep_folder.empty() && plan.compiler.backend == cuda_cpp::Backend::Nvcc;
    return {.name = source.file,
            .key = keeps ? "" : plan.key,
            .device = device,
            .use_disk_cache = settings.use_disk_cache,
            .share_loaded = settings.share_loaded,
            .compile = [&] {
                for (const std::string& ignored : plan.options.ignored)
                    log(LogLevel::Info, [&] { return fmt::format("{}: option {}", source.file, ignored); });
                return compile_with(plan.compiler, source, plan.options, device, settings, /*with_text=*/false);
            }};
}

}  // namespace

CudaBuilt build_cuda(const cuda_cpp::Source& source, Device& device, const CudaBuildSettings& settings) {
    Plan plan = plan_of(source, device);
    CudaBuilt built;
    static_cast<Built&>(built) = build_cached(request_of(source, device, settings, plan));
    built.backend = plan.compiler.backend;
    return built;
}

Image compile_cuda(const cuda_cpp::Source& source, Device& device, const CudaBuildSettings& settings) {
    Plan plan = plan_of(source, device);
    return compile_cached(request_of(source, device, settings, plan));
}

Image compile_cuda_with_text(const cuda_cpp::Source& source, Device& device, const CudaBuildSettings& settings) {
    cuda_cpp::Options options = cuda_cpp::parse_options(source.options);
    return compile_with(find_compiler(source, device), source, options, device, settings, /*with_text=*/true);
}

cuda_cpp::Backend choose_backend(const cuda_cpp::Source& source, Device& device) {
    return find_compiler(source, device).backend;
}

}  // namespace lanewise::jit
