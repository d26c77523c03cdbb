#include "jit/module_cache.h"

#include <fmt/format.h>

#include <mutex>
#include <unordered_map>

#include "base/file_identity.h"
#include "base/log.h"
#include "jit/compiler_library.h"
#include "jit/disk_cache.h"
#include "jit/statistics.h"

namespace lanewise::jit {

namespace {

/// Modules of this process that are still loaded, by device and key.
class LoadedModules {
public:
    static LoadedModules& instance() {
        static LoadedModules* modules = new LoadedModules;
        return *modules;
    }
    std::shared_ptr<Module> find(const std::string& key) {
        std::lock_guard lock(mutex_);
        auto found = modules_.find(key);
        return found == modules_.end() ? nullptr : found->second.lock();
    }
    void insert(const std::string& key, const std::shared_ptr<Module>& module) {
        std::lock_guard lock(mutex_);
        if (modules_.size() >= next_sweep_) {
            std::erase_if(modules_, [](const auto& entry) { return entry.second.expired(); });
            next_sweep_ = 2 * modules_.size() + 64;
        }
        modules_[key] = module;
    }

private:
    std::mutex mutex_;
    std::unordered_map<std::string, std::weak_ptr<Module>> modules_;
    std::size_t next_sweep_ = 64;
};

bool uses_disk(const CachedBuild& request) {
    return request.use_disk_cache && !request.key.empty();
}

std::shared_ptr<Module> load(Device& device, Image image) {
    ScopeTimer timer(statistics().load_ns);
    return device.load(std::move(image));
}

std::shared_ptr<Module> load_from_disk(const CachedBuild& request) {
    std::optional<Image> image = DiskCache::instance().find(request.key);
    if (!image) return nullptr;
    try {
        return load(request.device, std::move(*image));
    } catch (const Error& error) {
        // Made by a newer driver than this one, say: compile it here.
        log(LogLevel::Warning,
            [&] { return fmt::format("disk cache: entry {} does not load: {}", request.key, error.what()); });
        return nullptr;
    }
}

Image compile_and_store(const CachedBuild& request) {
    Image image = request.compile();
    if (uses_disk(request)) DiskCache::instance().store(request.key, image);
    return image;
}

}  // namespace

Built build_cached(const CachedBuild& request) {
    std::atomic<std::uint64_t> unused{0};
    ScopeTimer timer(unused);
    Built built;
    const bool shared = request.share_loaded && !request.key.empty();
    const std::string loaded_key = fmt::format("{} {}", request.key, request.device.name());
    if (std::shared_ptr<Module> module = shared ? LoadedModules::instance().find(loaded_key) : nullptr) {
        ++statistics().shared_modules;
        built.module = std::move(module);
        built.from_process = true;
        return built;
    }
    if (uses_disk(request)) built.module = load_from_disk(request);
    built.from_disk = built.module != nullptr;
    if (!built.module) built.module = load(request.device, compile_and_store(request));
    if (shared) LoadedModules::instance().insert(loaded_key, built.module);
    built.milliseconds = static_cast<double>(timer.nanoseconds()) * 1e-6;
    log(LogLevel::Info, [&] {
        return fmt::format("{} for {}: {} in {:.2f} ms", request.name, request.device.name(),
                           built.from_disk ? "from the disk cache" : "compiled", built.milliseconds);
    });
    return built;
}

Image compile_cached(const CachedBuild& request) {
    if (uses_disk(request))
        if (std::optional<Image> image = DiskCache::instance().find(request.key)) return std::move(*image);
    return compile_and_store(request);
}

const std::string& build_identity() {
    static const std::string identity =
        file_identity(core_library_path()) + " " + file_identity(compiler_library_path());
    return identity;
}

Image link_counted(Device& device, Image image, const LinkOptions& options) {
    ScopeTimer timer(statistics().link_ns);
    return device.link(std::move(image), options);
}

LinkOptions link_options(const CompileOptions& options) {
    LinkOptions link;
    link.max_registers = options.max_registers;
    link.opt_level = options.opt_level;
    link.line_info = options.line_info;
    link.debug = options.debug;
    return link;
}

}  // namespace lanewise::jit
