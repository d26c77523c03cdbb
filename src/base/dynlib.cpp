#include "base/dynlib.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <atomic>
#include <vector>

#include "lanewise/error.h"

namespace lanewise {

struct Dynlib::Handle {
    void* library = nullptr;
    std::string path;
    std::atomic<bool> keep{false};
    ~Handle() {
        if (!keep) dlclose(library);
    }
};

std::shared_ptr<Dynlib::Handle> Dynlib::handle_of(const std::string& file, int flags) {
    void* library = dlopen(file.c_str(), flags);
    if (!library) return nullptr;
    auto handle = std::make_shared<Handle>();
    handle->library = library;
    link_map* map = nullptr;
    bool named = dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map && map->l_name && *map->l_name;
    handle->path = named ? map->l_name : file;
    return handle;
}

std::optional<Dynlib> Dynlib::open(std::span<const std::string> candidates, std::string* why) {
    std::string reasons;
    for (const std::string& candidate : candidates) {
        if (auto handle = handle_of(candidate, RTLD_NOW | RTLD_LOCAL)) return Dynlib(std::move(handle));
        const char* text = dlerror();
        reasons += fmt::format("{}{}", reasons.empty() ? "" : "; ", text ? text : candidate);
    }
    if (why) *why = candidates.empty() ? "no file to look for" : reasons;
    return std::nullopt;
}

std::optional<Dynlib> Dynlib::in_process(std::initializer_list<std::string_view> stems) {
    std::vector<std::string> files;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* files) {
            if (info->dlpi_name) static_cast<std::vector<std::string>*>(files)->emplace_back(info->dlpi_name);
            return 0;
        },
        &files);
    for (std::string_view stem : stems)
        for (const std::string& file : files) {
            const std::size_t slash = file.rfind('/');
            if (!std::string_view(file).substr(slash == std::string::npos ? 0 : slash + 1).starts_with(stem)) continue;
            if (auto handle = handle_of(file, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD)) return Dynlib(std::move(handle));
        }
    return std::nullopt;
}

Dynlib Dynlib::require(std::span<const std::string> candidates, const std::string& purpose) {
    std::string why;
    if (auto library = open(candidates, &why)) return *std::move(library);
    throw Error(ErrorKind::DeviceUnavailable, fmt::format("{}: cannot load the shared library: {}", purpose, why));
}

void* Dynlib::symbol(const char* name) const {
    return dlsym(handle_->library, name);
}

const std::string& Dynlib::path() const {
    return handle_->path;
}

void Dynlib::keep_open() {
    handle_->keep = true;
}

}  // namespace lanewise
