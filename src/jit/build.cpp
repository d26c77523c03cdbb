#include "jit/build.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "jit/statistics.h"

namespace lanewise::jit {

namespace {

Image compile_and_link(const BuildRequest& request) {
    Image image;
    {
        ScopeTimer timer(statistics().compile_ns);
        ++statistics().compiles;
        image = compiler().compile(request.module, request.device.kind(), request.device.target(), request.options);
    }
    return link_counted(request.device, std::move(image), link_options(request.options));
}

}  // namespace

std::string cache_key(const BuildRequest& request) {
    // Positions are part of the code where it reports them.
    bool with_locations = request.options.line_info || request.options.debug || !request.module.raise_sites.empty();
    return hash128(fmt::format("{}\n{}\n{}\n{}\n{}", ir::content_hash(request.module, with_locations),
                               request.options.hash(), static_cast<int>(request.device.kind()), request.device.target(),
                               build_identity()));
}

Built build(const BuildRequest& request) {
    return build_cached({.name = request.module.name,
                         .key = cache_key(request),
                         .device = request.device,
                         .use_disk_cache = request.use_disk_cache,
                         .share_loaded = true,
                         .compile = [&] { return compile_and_link(request); }});
}

Image compile_with_text(const ir::Module& module, DeviceKind kind, const std::string& target, CompileOptions options) {
    options.keep_text = true;
    return compiler().compile(module, kind, target, options);
}

}  // namespace lanewise::jit
