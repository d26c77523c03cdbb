// From an ir::Module to a loaded Module; the order of the caches.
#include "jit/build.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <mutex>
#include <unordered_map>

#include "base/hash.h"
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

std::string file_identity(const std::string& path) {
    struct stat status{};
    if (path.empty() || ::stat(path.c_str(), &status) != 0) return "absent";
    return fmt::format("{}:{}.{}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

/// Sizes and times of the two shared objects whose code makes images: a rebuilt or upgraded one has its own entries.
const std::string& build_identity() {
    static const std::string identity =
        file_identity(core_library_path()) + " " + file_identity(compiler_library_path());
    return identity;
}

LinkOptions link_options(const CompileOptions& options) {
    LinkOptions link;
    link.max_registers = options.max_registers;
    link.opt_level = options.opt_level;
    link.line_info = options.line_info;
    link.debug = options.debug;
    return link;
}

Image compile_and_link(const BuildRequest& request) {
    Image image;
    {
        ScopeTimer timer(statistics().compile_ns);
        ++statistics().compiles;
        image = compiler().compile(request.module, request.device.kind(), request.device.target(), request.options);
    }
    ScopeTimer timer(statistics().link_ns);
    return request.device.link(std::move(image), link_options(request.options));
}

std::shared_ptr<Module> load(const BuildRequest& request, Image image) {
    ScopeTimer timer(statistics().load_ns);
    return request.device.load(std::move(image));
}

std::shared_ptr<Module> load_from_disk(const BuildRequest& request, const std::string& key) {
    std::optional<Image> image = DiskCache::instance().find(key);
    if (!image) return nullptr;
    try {
        return load(request, std::move(*image));
    } catch (const Error& error) {
        // Made by a newer driver than this one, say: compile it here.
        log(LogLevel::Warning,
            [&] { return fmt::format("disk cache: entry {} does not load: {}", key, error.what()); });
        return nullptr;
    }
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
    std::atomic<std::uint64_t> unused{0};
    ScopeTimer timer(unused);
    Built built;
    std::string key = cache_key(request);
    std::string loaded_key = fmt::format("{} {}", key, request.device.name());
    if (std::shared_ptr<Module> module = LoadedModules::instance().find(loaded_key)) {
        ++statistics().shared_modules;
        built.module = std::move(module);
        built.from_process = true;
        return built;
    }
    if (request.use_disk_cache) built.module = load_from_disk(request, key);
    built.from_disk = built.module != nullptr;
    if (!built.module) {
        Image image = compile_and_link(request);
        if (request.use_disk_cache) DiskCache::instance().store(key, image);
        built.module = load(request, std::move(image));
    }
    LoadedModules::instance().insert(loaded_key, built.module);
    built.milliseconds = static_cast<double>(timer.nanoseconds()) * 1e-6;
    log(LogLevel::Info, [&] {
        return fmt::format("{} for {}: {} in {:.2f} ms", request.module.name, request.device.name(),
                           built.from_disk ? "from the disk cache" : "compiled", built.milliseconds);
    });
    return built;
}

Image compile_with_text(const ir::Module& module, DeviceKind kind, const std::string& target, CompileOptions options) {
    options.keep_text = true;
    return compiler().compile(module, kind, target, options);
}

}  // namespace lanewise::jit
